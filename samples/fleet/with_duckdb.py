"""with_duckdb.py - ask a fleet's traces in SQL, with DuckDB.

usage: with_duckdb.py EVENT SQL TRACE...     the table is `events`

    with_duckdb.py http.request 'SELECT host, count(*) FROM events GROUP BY host' 'traces/*'
"""
import sys

import duckdb
import pyarrow

from ltt import fleet


def events(paths, event):
    """The events of all traces as a stream, which DuckDB reads once, in constant memory."""
    schema = fleet.schema(paths, event)
    batches = (batch for part in fleet.parts(paths) for batch in fleet.read(part, event, schema))
    return pyarrow.RecordBatchReader.from_batches(schema, batches)


def main():
    event, query, *patterns = sys.argv[1:]
    connection = duckdb.connect()
    connection.register('events', events(fleet.find(patterns), event))
    for row in connection.execute(query).fetchall():
        print(*row, sep='\t')


if __name__ == '__main__':
    main()
