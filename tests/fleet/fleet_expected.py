"""fleet_expected.py - the output of `ltt dump`, `ltt stat` and `ltt sql` for each trace of a fleet, in one table."""
import atexit
import functools
import json
import os
import shutil
import subprocess
import tempfile
from collections import Counter

import fleet_traces
from command import SOURCE, ltt
from recording import USE

PYTHON = os.environ.get('LTT_TEST_PYTHON', os.path.join(SOURCE, 'build/venv/bin/python'))


def has(package):
    """Whether the packages of tests/requirements.txt are installed."""
    return os.path.exists(PYTHON) and subprocess.run([PYTHON, '-c', 'import ' + package], stderr=subprocess.DEVNULL,
                                                     check=False).returncode == 0


def environment():
    return dict(os.environ, PYTHONPATH=os.path.join(USE, 'python'), PYSPARK_PYTHON=PYTHON, SPARK_LOCAL_IP='127.0.0.1')


def ask(script, *words):
    """What a script of tests/fleet prints as JSON."""
    done = subprocess.run([PYTHON, os.path.join(SOURCE, 'tests/fleet', script), *words], env=environment(), stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8', timeout=500, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr[-5000:])
    return json.loads(done.stdout.splitlines()[-1])


def sort(rows):
    """Rows as text, in an order; columns that a version lacks are null."""
    names = {name for row in rows for name in row}
    return sorted(json.dumps({name: row.get(name) for name in names}, sort_keys=True) for row in rows)


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
def traces_once():
    """Makes the traces. Returns: their folder, and what is expected"""
    folder = tempfile.mkdtemp(prefix='ltt-fleet-')
    atexit.register(shutil.rmtree, folder)
    return folder, Expected(fleet_traces.make(folder))
