"""Runs queries with one tool in a separate process. Prints JSON: the CPU seconds of all threads and the answer of each.

usage: asking.py sqlite|duckdb|duckdb-trace FILE QUERY...
       asking.py duckdb-import TRACE FILE
       asking.py stream TRACE TABLE...
       asking.py iterate|bt2 TRACE EVENTS

The start of the interpreter and of the modules is not measured. DuckDB uses one thread, as SQLite does. `iterate` and
`bt2` compute the latency of pairs as a script does: they look at each event.
"""
import importlib
import itertools
import json
import sys
import time

MODULES = {'sqlite': ['sqlite3'], 'duckdb': ['duckdb'], 'duckdb-trace': ['duckdb', 'ltt'], 'duckdb-import': ['duckdb', 'ltt'],
           'stream': ['pyarrow', 'ltt'], 'iterate': ['ltt'], 'bt2': ['bt2']}
TABLES = ('bench.request', 'bench.response')


def sqlite(modules, path, query):
    return modules['sqlite3'].connect(path).execute(query).fetchall()


def ask_duckdb(database, query):
    database.execute('SET threads = 1')
    return database.execute(query).fetchall()


def duckdb(modules, path, query):
    return ask_duckdb(modules['duckdb'].connect(path, read_only=True), query)


def register(database, trace):
    """Registers tables of a trace, as streams that DuckDB reads."""
    for name in TABLES:
        database.register(name.replace('.', '_'), trace.table(name, threads=1))


def duckdb_trace(modules, path, query):
    database = modules['duckdb'].connect()
    register(database, modules['ltt'].open(path))
    return ask_duckdb(database, query)


def duckdb_import(modules, path, target):
    """Tables with times in nanoseconds, as those that `ltt sql` has."""
    database = modules['duckdb'].connect(target)
    database.execute('SET threads = 1')
    with modules['ltt'].open(path) as trace:
        for name in TABLES:
            database.register('part', trace.table(name, threads=1))
            database.execute('CREATE TABLE %s AS SELECT * FROM part' % name.replace('.', '_'))
    return []


def stream(modules, path, name):
    """The rows of an Arrow stream with all columns."""
    with modules['ltt'].open(path) as trace:
        reader = modules['pyarrow'].RecordBatchReader.from_stream(trace.table(name, threads=1))
        return [(sum(batch.num_rows for batch in reader),)]


def pair(events):
    """The number of pairs, and the sum of their durations, of (name, time, id)."""
    began, number, total = {}, 0, 0
    for name, time_ns, which in events:
        if name == 'request':
            began[which] = time_ns
        else:
            begin = began.pop(which, None)
            if begin is not None:
                number, total = number + 1, total + time_ns - begin
    return [(number, total)]


def iterate(modules, path, number):
    with modules['ltt'].open(path) as trace:
        events = itertools.islice(trace.events(TABLES), int(number))
        return pair((event.name[len('bench.'):], event.time_ns, event['id']) for event in events)


def bt2(modules, path, number):
    bt2_events = (message for message in modules['bt2'].TraceCollectionMessageIterator(path)
                  if isinstance(message, modules['bt2']._EventMessageConst) and message.event.name.startswith('bench:re'))  # pylint: disable=protected-access
    return pair((message.event.name[len('bench:'):], message.default_clock_snapshot.ns_from_origin,
                 int(message.event.payload_field['id'])) for message in itertools.islice(bt2_events, int(number)))


def main():
    what, path, *questions = sys.argv[1:]
    modules = {name: importlib.import_module(name) for name in MODULES[what]}
    answers = []
    for question in questions:
        start = time.process_time()
        rows = globals()[what.replace('-', '_')](modules, path, question)
        answers.append((time.process_time() - start, [','.join(map(str, row)) for row in rows]))
    print(json.dumps(answers))


if __name__ == '__main__':
    main()
