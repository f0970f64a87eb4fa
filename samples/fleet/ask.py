"""ask.py - ten questions about the job of samples/fleet, by Spark and by ClickHouse: the same SQL, the same answers.

usage: ask.py LTT TRACE...

Spark reads the archives in place. ClickHouse gets the tables of `ltt export --to clickhouse-ddl` and their rows.
"""
import os
import subprocess
import sys
import tempfile

from chdb import session
from pyspark.sql import SparkSession

import ltt.spark

EVENTS = ('message_send', 'message_receive', 'task_begin', 'task_end')
TOOK = '(SELECT b.host AS host, b.task AS task, b.size AS size, e.time_ns - b.time_ns AS took FROM task_begin AS b ' \
       'JOIN task_end AS e ON b.host = e.host AND b.task = e.task) AS t'
QUESTIONS = (
    ('How many tasks did each machine perform?', 'SELECT host, count(*) FROM task_end GROUP BY host ORDER BY host'),
    ('How much work was that?', 'SELECT host, sum(size) FROM task_begin GROUP BY host ORDER BY host'),
    ('How long was each machine busy, in ns?', 'SELECT host, sum(took) FROM %s GROUP BY host ORDER BY host' % TOOK),
    ('Which tasks took longest?', 'SELECT task, host, took FROM %s ORDER BY took DESC, task LIMIT 3' % TOOK),
    ('Which is the longest task of each machine?', 'SELECT host, max(took) FROM %s GROUP BY host ORDER BY host' % TOOK),
    ('How many tasks are larger than the average?', 'SELECT count(*) FROM task_begin WHERE size > (SELECT avg(size) FROM task_begin)'),
    ('Were tasks performed twice?', 'SELECT task, count(*) FROM task_end GROUP BY task HAVING count(*) > 1 ORDER BY task'),
    ('How many messages did each machine send?', 'SELECT host, count(*) FROM message_send GROUP BY host ORDER BY host'),
    ('How many messages were lost?', 'SELECT count(*) FROM message_send WHERE id NOT IN (SELECT id FROM message_receive)'),
    ('How much later is a message received than sent, at least, by the clocks of the two machines, in ns?',
     'SELECT s.host, r.host, min(r.time_ns - s.time_ns) FROM message_send AS s JOIN message_receive AS r ON s.id = r.id '
     'GROUP BY s.host, r.host ORDER BY s.host, r.host'),
)


def ask_spark(traces):
    spark = SparkSession.builder.master('local[2]').config('spark.sql.shuffle.partitions', '2').getOrCreate()
    spark.sparkContext.setLogLevel('OFF')
    ltt.spark.register(spark)
    for event in EVENTS:
        spark.read.format('ltt').option('event', 'fleet.' + event).load(','.join(traces)).createOrReplaceTempView(event)
    return [[tuple(map(str, row)) for row in spark.sql(query).collect()] for _, query in QUESTIONS]


def ask_clickhouse(command, traces):
    database = session.Session()
    statements = subprocess.run([command, 'export', '--to', 'clickhouse-ddl', '-o', '-', *traces], check=True, stdout=subprocess.PIPE,
                                encoding='utf-8').stdout
    for statement in filter(str.strip, statements.split(';\n')):
        database.query(statement)
    with tempfile.TemporaryDirectory() as folder:
        tables = os.path.join(folder, 'tables')
        subprocess.run([command, 'export', '--to', 'arrow', '--split', '-o', tables, *traces], check=True)
        for event in EVENTS:
            database.query("INSERT INTO fleet_%s FROM INFILE '%s/fleet.%s.arrow' FORMAT ArrowStream" % (event, tables, event))
            database.query('CREATE VIEW %s AS SELECT *, toUnixTimestamp64Nano(time) AS time_ns FROM fleet_%s' % (event, event))
    return [[tuple(line.split('\t')) for line in database.query(query, 'TSV').bytes().decode().splitlines()] for _, query in QUESTIONS]


def main():
    command, *traces = sys.argv[1:]
    answers = zip(QUESTIONS, ask_spark(traces), ask_clickhouse(command, traces))
    for (question, _), spark, clickhouse in answers:
        print('\n' + question)
        for row in spark:
            print('   ', *row)
        if spark != clickhouse:
            sys.exit('ClickHouse says: %s' % clickhouse)


if __name__ == '__main__':
    main()
