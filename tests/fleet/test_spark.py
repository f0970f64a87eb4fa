"""Spark reads the traces of a fleet: each value is that of `ltt dump`, counts and sums are those of `ltt stat` and `ltt sql`."""
import functools
import json
import os
import shutil
import subprocess
import sys
import unittest
from collections import Counter

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import small_trace  # noqa: E402  pylint: disable=wrong-import-position
from command import CommandTest, ltt, thorough  # noqa: E402  pylint: disable=wrong-import-position
from fleet_expected import PYTHON, ask, environment, has, sort, traces_once  # noqa: E402  pylint: disable=wrong-import-position


@functools.cache
def answers_once():
    return ask('spark_answers.py', 'local[2]', '127.0.0.1', traces_once()[0] + '/*')


@unittest.skipUnless(has('pyspark'), 'pyspark is not installed in build/venv: run `sh tests/run.sh`')
class Conditions(CommandTest):
    """What a reader accepts, without a session."""

    SCRIPT = '''import sys
from pyspark.sql.datasource import In
from ltt import fleet, spark
reader = spark._Reader(spark._Options({'path': sys.argv[1], 'event': 'f.e'}), None)
assert reader.pushFilters([In(('host',), ('a', None)), In(('cpu',), (None, 1))]) == []
print(sum(batch.num_rows for part in reader.partitions() for batch in fleet.read(
    part.value, 'f.e', fleet.schema([sys.argv[1]], 'f.e'), hosts=reader._hosts())), reader.cpus)
'''

    def test_null_in_a_list(self):
        """It selects nothing, also where the machine is that of each event: in a merged trace."""
        paths = [self.path(name) for name in 'ab']
        for path in paths:
            small_trace.write(path, '<facility name="f"><event name="e"/></facility>', {'cpu/0': [[(1, 'e', b''), (2, 'e', b'')]]},
                              system='node_name="%s"' % path[-1])
        self.assertEqual(ltt('merge', '-o', self.path('merged'), *paths).status, 0)
        done = subprocess.run([PYTHON, '-c', self.SCRIPT, self.path('merged')], env=environment(), stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, '2 {1}\n'))


@thorough
@unittest.skipUnless(has('pyspark') and shutil.which('java'), 'pyspark is not installed in build/venv, or there is no Java: run `sh tests/run.sh`')
class Spark(CommandTest):
    def setUp(self):
        super().setUp()
        self.traces, self.expected = traces_once()
        self.answers = answers_once()

    def test_every_value(self):
        self.maxDiff = 2000
        for event in ('http.request', 'http.response', 'http.tick'):
            self.assertGreater(len(self.expected.rows[event]), 1000)
            self.assertEqual(sort(self.answers['rows'][event]), sort(self.expected.rows[event]))

    def test_counts_and_sums(self):
        found, expected = self.answers['sums'], self.expected.sums
        for event, rows in self.answers['rows'].items():
            self.assertEqual(len(rows), self.expected.counts[event])
        for name in ('n', 'delta', 'load', 'bytes', 'ok', 'retries', 'code'):
            self.assertEqual(found[name], expected[name], name)
        self.assertEqual(found['id'], expected['id_high'] * 10 ** 10 + expected['id_low'])
        rows = self.expected.rows['http.request']
        self.assertEqual((found['window'], found['row']), (sum(row['window'] for row in rows), sum(row['at']['row'] for row in rows)))

    def test_any_number_of_partitions(self):
        (most, first), (_, second), (least, third) = self.answers['parts']
        self.assertEqual((first, second), (second, third))
        self.assertGreater(most, 50)
        self.assertEqual(least, 1)

    def test_conditions_are_pushed(self):
        """Spark evaluates only the conditions that the data source rejects: its plan has no filter for the others."""
        rows = self.expected.rows['http.request']
        start, end = 1_700_000_000_005_000_000, 1_700_000_000_020_000_000
        tests = [lambda row: start <= row['time_ns'] < end, lambda row: row['cpu'] in (1, 2), lambda row: row['host'] == 'node-3',
                 lambda row: row['time_ns'] > start and row['cpu'] == 3 and row['host'] in ('node-1', 'node-2') and row['delta'] < 0,
                 lambda row: False, lambda row: row['time_ns'] <= end, lambda row: False, lambda row: False, lambda row: False,
                 lambda row: True, lambda row: False]
        self.assertEqual(len(tests), len(self.answers['where']))
        for test, (condition, times, plan) in zip(tests, self.answers['where']):
            self.assertEqual(times, sorted(row['time_ns'] for row in rows if test(row)), condition)
            for name in ('time_ns#[0-9L]+ [<>=]', 'cpu#[0-9]+ (=|IN)', 'host#[0-9]+ (=|IN)'):
                self.assertNotRegex(plan, name, condition)
        self.assertGreater(sum(bool(times) for _, times, _ in self.answers['where']), 4)
        self.assertEqual(self.answers['options'], sorted(row['time_ns'] for row in rows if row['time_ns'] >= start and row['cpu'] < 4
                                                         and row['host'] in ('node-1', 'node-2') and row['delta'] < 0))

    def test_columns(self):
        self.assertEqual(list(self.answers['columns']), ['took', 'cpu'])
        self.assertEqual(list(self.answers['schema'].values()), [sum(row['took'] for row in self.expected.rows['http.response'])])

    def test_losses(self):
        """losses() has each problem that `ltt stat` reports, the trace that cannot be opened, and the lost events."""
        found = Counter((os.path.basename(row['trace']), row['kind']) for row in self.answers['losses'])
        self.assertEqual(found[('trace-04.tar.zst', 'unreadable')], 1)
        self.assertGreaterEqual(found[('trace-02', 'damage')], 1)
        self.assertGreaterEqual(found[('trace-13', 'damage')], 1)
        lost = sum(row['events'] for row in self.answers['losses'] if row['kind'] == 'lost')
        self.assertEqual(lost, json.loads(ltt('stat', '--json', os.path.join(self.traces, 'trace-49')).out)['lost'])
        self.assertEqual({name for name, _ in found}, {'trace-02', 'trace-04.tar.zst', 'trace-13', 'trace-49'})

    def test_mistakes(self):
        for wanted, message in zip((
                'http.reqest: none of 50 traces has this event type', 'option "evnt": expected one of path, ',
                'http.tick has no column "x"; it has host, trace, time_ns', 'option "event" is missing',
                'option "damage": expected report or fail, got "maybe"', 'Error: ',
                'filter: byte 5: "<" is out of place', '"yesterday" is not a time', 'cpus: "zero" is not a list of CPUs'), self.answers['mistakes']):
            self.assertIn(wanted, message or '(no error)')


if __name__ == '__main__':
    unittest.main()
