"""with_dask.py - count a fleet's events by machine, with Dask: one task a part.

usage: with_dask.py EVENT FIELD TRACE...     also prints the sum of FIELD
"""
import sys

import dask.dataframe
import pandas
import pyarrow

from ltt import fleet


def read(part, event, schema):
    """The events of a part, in any process that sees the files."""
    return pyarrow.Table.from_batches(fleet.read(part, event, schema), schema).to_pandas(types_mapper=pandas.ArrowDtype)


def main():
    event, field, *patterns = sys.argv[1:]
    paths = fleet.find(patterns)
    columns = fleet.schema(paths, event)
    schema = pyarrow.schema([columns.field('host'), columns.field(field)])
    meta = schema.empty_table().to_pandas(types_mapper=pandas.ArrowDtype)
    events = dask.dataframe.from_map(read, fleet.parts(paths), event=event, schema=schema, meta=meta)
    answer = events.groupby('host')[field].agg(['count', 'sum']).compute(scheduler='processes')
    for host, row in answer.sort_index().iterrows():
        print(host, row['count'], row['sum'], sep='\t')


if __name__ == '__main__':
    main()
