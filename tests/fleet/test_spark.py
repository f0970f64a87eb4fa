"""Spark reads the traces of a fleet: each value is that of `ltt dump`, counts and sums are those of `ltt stat` and `ltt sql`."""
import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from collections import Counter

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
import fleet_traces  # noqa: E402  pylint: disable=wrong-import-position
from command import SOURCE, CommandTest, ltt  # noqa: E402  pylint: disable=wrong-import-position
from recording import USE  # noqa: E402  pylint: disable=wrong-import-position

PYTHON = os.environ.get('LTT_TEST_PYTHON', os.path.join(SOURCE, 'build/venv/bin/python'))
ANSWERS = os.path.join(SOURCE, 'tests/fleet/spark_answers.py')


def has_spark():
    found = subprocess.run([PYTHON, '-c', 'import pyspark'], stderr=subprocess.DEVNULL, check=False) if os.path.exists(PYTHON) else None
    return found is not None and found.returncode == 0 and shutil.which('java') is not None


def environment():
    return dict(os.environ, PYTHONPATH=os.path.join(USE, 'python'), PYSPARK_PYTHON=PYTHON, SPARK_LOCAL_IP='127.0.0.1')


def plain(value, name=''):
    """A value of the JSON of a dump as the answers have it."""
    if name in ('key', 'body'):
        return ''.join('%02X' % byte for byte in value)
    if name == 'cause':
        return dict({'tag': list(value)[0], 'code': None, 'text': None}, **value)
    if name == 'status':
        return str(value)
    if name == 'corners':
        return [dict(corner, side=str(corner['side'])) for corner in value]
    return value


class Expected:
    """What the command says of each trace."""

    def __init__(self, paths):
        self.rows, self.counts, self.sums = {}, Counter(), Counter()
        for path in paths:
            info = ltt('info', '--json', path)
            host = json.loads(info.out)['system'].get('node_name', '') if info.status != 2 else None
            for line in ltt('dump', '--format=json', path).lines:
                self.add(json.loads(line), path, host)
            stat = ltt('stat', '--json', path)
            if stat.out:
                self.counts.update(json.loads(stat.out)['by_event'])
                self.add_sums(path, 'http.request' in json.loads(stat.out)['by_event'])

    def add(self, event, path, host):
        seconds, fraction = event['time'].split('.')
        row = {'host': host, 'trace': path, 'time_ns': int(seconds) * 10 ** 9 + int(fraction),
               'cpu': int(event['tracefile'][4:]), 'pid': event.get('pid'), 'tid': event.get('tid')}
        row.update((name, plain(value, name)) for name, value in (event['data'] or {}).items())
        self.rows.setdefault(event['event'], []).append(row)

    def add_sums(self, path, has_requests):
        """The sums of ltt sql. A sum there ends at 64 bits, so the unsigned ones are made of halves."""
        if not has_requests:
            return
        is_second = 'zone' in ltt('sql', path, '.schema http_request').out
        query = '''SELECT count(*) AS n, sum(CAST(substr(printf('%%020s', id), 1, 10) AS INTEGER)) AS id_high,
            sum(CAST(substr(printf('%%020s', id), 11) AS INTEGER)) AS id_low,
            sum(delta) AS delta, sum(load) AS load, sum(bytes) AS bytes, sum(status = 'OK') AS ok, %s AS retries,
            sum("cause.code") AS code FROM http_request''' % ('sum(retries)' if is_second else '0')
        found = json.loads(ltt('sql', '--format=json', path, query).lines[0])
        self.sums.update({name: value or 0 for name, value in found.items()})


@functools.cache
def ask_once():
    """Makes the traces, and asks Spark all questions. Returns: the folder, what is expected, and the answers"""
    traces = tempfile.mkdtemp(prefix='ltt-fleet-')
    atexit.register(shutil.rmtree, traces)
    expected = Expected(fleet_traces.make(traces))
    words = [PYTHON, ANSWERS, 'local[2]', '127.0.0.1', traces + '/*']
    done = subprocess.run(words, env=environment(), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          encoding='utf-8', timeout=500, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-5000:])
    return traces, expected, json.loads(done.stdout)


@unittest.skipUnless(has_spark(), 'pyspark is not installed in build/venv, or there is no Java: run `sh tests/run.sh`')
class Spark(CommandTest):
    def setUp(self):
        super().setUp()
        self.traces, self.expected, self.answers = ask_once()

    def sort(self, rows):
        """Rows as text, in an order; columns that a version lacks are null."""
        names = {name for row in rows for name in row}
        return sorted(json.dumps({name: row.get(name) for name in names}, sort_keys=True) for row in rows)

    def test_every_value(self):
        self.maxDiff = 2000
        for event in ('http.request', 'http.response', 'http.tick'):
            self.assertGreater(len(self.expected.rows[event]), 1000)
            self.assertEqual(self.sort(self.answers['rows'][event]), self.sort(self.expected.rows[event]))

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
        """Spark evaluates only those that are not pushed: others do not occur as a filter of its plan."""
        rows = self.expected.rows['http.request']
        start, end = 1_700_000_000_005_000_000, 1_700_000_000_020_000_000
        tests = [lambda row: start <= row['time_ns'] < end, lambda row: row['cpu'] in (1, 2), lambda row: row['host'] == 'node-3',
                 lambda row: row['time_ns'] > start and row['cpu'] == 3 and row['host'] in ('node-1', 'node-2') and row['delta'] < 0,
                 lambda row: False, lambda row: row['time_ns'] <= end, lambda row: False, lambda row: False, lambda row: False]
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
        """Of the damaged traces, each problem that `ltt stat` reports; the one that cannot be opened; lost events."""
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
                'option "damage": expected report or fail, got "maybe"', 'Error: '), self.answers['mistakes']):
            self.assertIn(wanted, message or '(no error)')


if __name__ == '__main__':
    unittest.main()
