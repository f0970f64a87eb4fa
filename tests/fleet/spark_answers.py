"""spark_answers.py - asks Spark of traces, and prints the answers as JSON for the tests.

usage: spark_answers.py MASTER ADDRESS TRACES [slow]     TRACES is a glob pattern
"""
import base64
import json
import sys
from decimal import Decimal

from pyspark.sql import SparkSession

import ltt.spark

PART_BYTES = (8192, 100_000, 10 ** 9)
START_NS, END_NS = 1_700_000_000_005_000_000, 1_700_000_000_020_000_000


def session(master, address):
    spark = (SparkSession.builder.master(master).appName('ltt').config('spark.ui.enabled', 'false').config('spark.ui.showConsoleProgress','false')
             .config('spark.driver.host', address).config('spark.driver.bindAddress', address)
             .config('spark.sql.shuffle.partitions', '4').getOrCreate())
    spark.sparkContext.setLogLevel('OFF')
    ltt.spark.register(spark)
    return spark


def plain(value):
    if isinstance(value, Decimal):
        return int(value)
    if isinstance(value, (bytes, bytearray)):
        return base64.b16encode(value).decode()
    if isinstance(value, list):
        return [plain(item) for item in value]
    if hasattr(value, 'asDict'):
        return {name: plain(item) for name, item in value.asDict().items()}
    return value


def rows(frame):
    return [plain(row) for row in frame.collect()]


def main():
    master, address, traces = sys.argv[1:4]
    spark = session(master, address)

    def read(event='http.request', **options):
        return spark.read.format('ltt').options(event=event, **options).load(traces)

    answers = {
        'rows': {event: rows(read(event)) for event in ('http.request', 'http.response', 'http.tick')},
        'parts': [[read(partBytes=size).rdd.getNumPartitions(),
                   rows(read(partBytes=size).selectExpr('count(*)', 'sum(id)', 'sum(bytes)', 'sum(time_ns % 1000)'))[0]]
                  for size in PART_BYTES],
        'sums': rows(read().selectExpr(
            'count(*) AS n', 'sum(id) AS id', 'sum(window) AS window', 'sum(delta) AS delta', 'sum(load) AS load',
            'sum(bytes) AS bytes', 'count(CASE WHEN status = "OK" THEN 1 END) AS ok', 'sum(retries) AS retries',
            'sum(at.row) AS row', 'sum(cause.code) AS code'))[0],
        'losses': rows(spark.read.format('ltt').option('table', 'losses').load(traces)),
    }
    conditions = ['time_ns >= %d AND time_ns < %d' % (START_NS, END_NS), 'cpu IN (1, 2)', 'host = "node-3"',
                  'time_ns > %d AND cpu = 3 AND host IN ("node-1", "node-2") AND delta < 0' % START_NS, 'cpu = 999',
                  'time_ns > -5 AND time_ns <= %d' % END_NS, 'cpu = -1', 'time_ns = 0', 'cpu IS NULL',
                  'time_ns <= 9223372036854775807L', 'time_ns > 9223372036854775807L']
    answers['where'] = []
    for condition in conditions:
        frame = read().where(condition)
        plan = frame._jdf.queryExecution().executedPlan().toString()  # pylint: disable=protected-access
        answers['where'].append([condition, sorted(row['time_ns'] for row in rows(frame)), plan])
    answers['columns'] = rows(read(columns='took,cpu', event='http.response').limit(1))[0]
    answers['schema'] = rows(spark.read.format('ltt').schema('took long, time_ns long').option('event', 'http.response')
                             .load(traces).agg({'took': 'sum'}))[0]
    answers['options'] = sorted(row['time_ns'] for row in rows(read(filter='delta < 0', cpus='0-3', hosts='node-1,node-2',
                                                                    start='1700000000.005')))
    answers['mistakes'] = []
    for options in ({'event': 'http.reqest'}, {'evnt': 'x'}, {'event': 'http.tick', 'columns': 'x'}, {},
                    {'event': 'http.tick', 'damage': 'maybe'}, {'event': 'http.request', 'damage': 'fail'},
                    {'event': 'http.tick', 'filter': 'cpu >< 3'}, {'event': 'http.tick', 'start': 'yesterday'},
                    {'event': 'http.tick', 'cpus': 'zero'}):
        try:
            spark.read.format('ltt').options(**options).load(traces).collect()
            answers['mistakes'].append(None)
        except Exception as error:  # pylint: disable=broad-exception-caught
            lines = [line for line in str(error).splitlines() if 'Error: ' in line]
            answers['mistakes'].append(lines[-1] if lines else str(error))
    print(json.dumps(answers))


if __name__ == '__main__':
    main()
