"""fleet_asking.py - asks one engine for a sum over the traces of a fleet; tests/bench/fleet.py runs it.

usage: fleet_asking.py ENGINE LTT SMALL TRACE...

Prints the CPU seconds of the question, of this process and all it started, after a first question
of the trace SMALL, and the answer.
"""
import os
import sys

COLUMNS = ['bytes']
EVENT = 'http.response'


def cpu_seconds():
    """Of this process and all its descendants."""
    stats = {}
    for name in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/stat' % name, encoding='utf-8', errors='replace') as file:
                words = file.read().rsplit(')', 1)[1].split()
            stats[int(name)] = int(words[1]), sum(map(int, words[11:15]))
        except FileNotFoundError:
            pass
    own, ticks = {os.getpid()}, 0
    for _ in range(8):  # generations
        own |= {process for process, (parent, _) in stats.items() if parent in own}
    for process in own & set(stats):
        ticks += stats[process][1]
    return ticks / os.sysconf('SC_CLK_TCK')


def primitive(_):
    from ltt import fleet  # pylint: disable=import-outside-toplevel
    import pyarrow  # pylint: disable=import-outside-toplevel
    import pyarrow.compute  # pylint: disable=import-outside-toplevel
    schema = pyarrow.schema([('bytes', pyarrow.decimal128(20, 0))])

    def ask(paths):
        n, total = 0, 0
        for part in fleet.parts(paths):
            for batch in fleet.read(part, EVENT, schema):
                n, total = n + len(batch), total + int(pyarrow.compute.sum(batch.column(0)).as_py())
        return n, total
    return ask


def spark(_):
    import ltt.spark  # pylint: disable=import-outside-toplevel
    from pyspark.sql import SparkSession  # pylint: disable=import-outside-toplevel
    session = SparkSession.builder.master('local[1]').config('spark.ui.enabled', 'false').getOrCreate()
    ltt.spark.register(session)

    def ask(paths):
        frame = session.read.format('ltt').option('event', EVENT).option('columns', ','.join(COLUMNS)).load(','.join(paths))
        n, total = frame.selectExpr('count(*)', 'sum(bytes)').collect()[0]
        return n, int(total)
    return ask


def duckdb(_):
    import duckdb as engine  # pylint: disable=import-outside-toplevel,redefined-outer-name
    import pyarrow  # pylint: disable=import-outside-toplevel
    from ltt import fleet  # pylint: disable=import-outside-toplevel
    schema = pyarrow.schema([('bytes', pyarrow.decimal128(20, 0))])

    def ask(paths):
        batches = (batch for part in fleet.parts(paths) for batch in fleet.read(part, EVENT, schema))
        connection = engine.connect(config={'threads': 1})
        connection.register('events', pyarrow.RecordBatchReader.from_batches(schema, batches))
        n, total = connection.execute('SELECT count(*), sum(bytes) FROM events').fetchone()
        return n, int(total)
    return ask


def clickhouse(ltt):
    from chdb import session  # pylint: disable=import-outside-toplevel
    folder = os.getcwd()
    with open('ltt-rows', 'w', encoding='utf-8') as script:
        script.write('#!/bin/sh\nfor trace; do %s export --to arrow --event %s -o - "$trace"; done\n' % (ltt, EVENT))
    os.chmod('ltt-rows', 0o755)
    with open('config.xml', 'w', encoding='utf-8') as config:
        config.write('<clickhouse><user_scripts_path>%s/</user_scripts_path></clickhouse>' % folder)
    database = session.Session('%s/database?config-file=%s/config.xml' % (folder, folder))

    def ask(paths):
        answers = [database.query("SELECT count(), sum(bytes) FROM executable('ltt-rows %s', 'ArrowStream', 'bytes UInt64')" % path,
                                  'TSV').bytes().split() for path in paths]
        return tuple(sum(int(answer[i]) for answer in answers) for i in range(2))
    return ask


ENGINES = {'primitive': primitive, 'spark': spark, 'duckdb': duckdb, 'clickhouse': clickhouse}


def main():
    engine, ltt, small, *paths = sys.argv[1:]
    ask = ENGINES[engine](ltt)
    ask([small])
    before = cpu_seconds()
    answer = ask(paths)
    print(cpu_seconds() - before, *answer)


if __name__ == '__main__':
    main()
