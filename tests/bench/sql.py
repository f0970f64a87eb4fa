"""The cost of queries: CPU seconds of `ltt sql` on a trace of `ltt record`, compared with SQLite and DuckDB.

SQLite and DuckDB ask the same tables, imported; DuckDB also asks the trace itself, through Arrow streams. All use one
thread and must give the same answer.
"""
import json
import os
import resource
import sqlite3
import subprocess
import sys

import measuring

ASKING = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'asking.py')
VENV = os.path.join('build', 'venv', 'bin', 'python')

# %(from)d is a time in the middle. DuckDB has times as timestamps.
QUESTIONS = (
    ('count', 'SELECT count(*) FROM bench_response'),
    ('window of 1 ms', 'SELECT count(*) FROM bench_response WHERE %(time)s BETWEEN %(from)d AND %(to)d'),
    ('one of three values, sum', "SELECT sum(bytes) FROM bench_response WHERE status = 'ERROR'"),
    ('group by enum, average', 'SELECT status, count(*), avg(bytes) FROM bench_response GROUP BY status ORDER BY 1'),
    ('group by string', 'SELECT path, count(*) AS n FROM bench_request GROUP BY path ORDER BY n DESC, path LIMIT 3'),
    ('join of requests and responses',
     'SELECT count(*), max(b.bytes) FROM bench_request a JOIN bench_response b ON b.id = a.id'),
)
BT2_EVENTS = 200000
PYTHON_EVENTS = 2000000
PERF_EVENTS = 1000000  # at most
WINDOW_NS = 1000000
MINIMUM_ROWS = 5e6  # of an Arrow stream, a second
PERF_SCRIPT = '''
began, number, total = {}, 0, 0
def raw_syscalls__sys_enter(name, context, cpu, s, ns, pid, *rest):
    began[pid] = s * 10**9 + ns
def raw_syscalls__sys_exit(name, context, cpu, s, ns, pid, *rest):
    global number, total
    begin = began.pop(pid, None)
    if begin is not None:
        number, total = number + 1, total + s * 10**9 + ns - begin
def trace_end():
    print(number, total)
'''


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def best(command, runs):
    """The least of several runs, and the output."""
    return min(cpu_seconds(command) for _ in range(runs))


def plain(row):
    """Cells without the digits of a float in which tools differ."""
    return [('%.6f' % float(cell)).rstrip('0') if '.' in cell and '/' not in cell else cell for cell in row.split(',')]


class Asking:
    """Questions to several tools about one trace."""

    def __init__(self, build, folder, events, runs):
        self.build, self.folder, self.runs = build, folder, runs
        self.ltt = os.path.join(build, 'bin/ltt')
        self.trace, self.half = (self.record(name, number) for name, number in (('asked', events), ('half', events // 2)))
        self.sqlite, self.duckdb = self.path('asked.sqlite'), self.path('asked.duckdb')
        os.environ['PYTHONPATH'] = os.path.join(build, 'python')
        self.has_duckdb = os.path.exists(VENV) and os.path.isdir(os.environ['PYTHONPATH'])

    def path(self, name):
        return os.path.join(self.folder, name)

    def record(self, name, events):
        subprocess.run([self.ltt, 'record', '-o', self.path(name), '--', os.path.join(self.build, 'bench/traced'), 'requests',
                        str(events), '2'], check=True, stderr=subprocess.DEVNULL)
        return self.path(name)

    def ask(self, what, path, *questions, python=VENV, runs=None):
        """Returns: for each question, the least CPU seconds and the answer; None: the tool is not there"""
        found = []
        for _ in range(runs or self.runs):
            done = subprocess.run([python, ASKING, what, path, *map(str, questions)], stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True, check=False)
            if done.returncode != 0:
                if 'ModuleNotFoundError' in done.stderr:
                    return None
                raise AssertionError('%s: %s' % (what, done.stderr))
            found.append(json.loads(done.stdout))
        return [min(answers) for answers in zip(*found)]

    def sql(self, trace, query):
        seconds, out = best([self.ltt, 'sql', '--format', 'csv', '-j1', trace, query], self.runs)
        return seconds, out.splitlines()[1:]

    def import_tables(self):
        """Returns: the CPU seconds of the imports"""
        seconds, _ = cpu_seconds([self.ltt, 'sql', '-o', self.sqlite, self.trace])
        database = sqlite3.connect(self.sqlite)
        database.execute('CREATE INDEX by_id ON bench_response(id)')
        database.commit()
        database.close()
        return seconds, self.ask('duckdb-import', self.trace, self.duckdb, runs=1)[0][0] if self.has_duckdb else None

    def middle_ns(self):
        _, rows = self.sql(self.trace, 'SELECT (min(time) + max(time)) / 2 FROM bench_response')
        return int(rows[0])

    def rows(self):
        middle = self.middle_ns()
        words = {'time': 'time', 'from': middle, 'to': middle + WINDOW_NS}
        queries = [query % words for _, query in QUESTIONS]
        queries_duckdb = [query % dict(words, time='epoch_ns(time)') for _, query in QUESTIONS]
        tools = [[self.sql(self.trace, query) for query in queries], self.ask('sqlite', self.sqlite, *queries, python=sys.executable)]
        if self.has_duckdb:
            tools += [self.ask('duckdb', self.duckdb, *queries_duckdb), self.ask('duckdb-trace', self.trace, *queries_duckdb)]
        for (title, _), query, first, *others in zip(QUESTIONS, queries, *tools):
            for _, answer in others:
                if list(map(plain, answer)) != list(map(plain, first[1])):
                    raise AssertionError('%s: %s and %s' % (query, first[1], answer))
            seconds = [first[0], self.sql(self.half, query)[0], *(seconds for seconds, _ in others)]
            yield [title, *('%.3f' % each for each in seconds)]


def latency_rows(asking, pairs):
    """Nanoseconds of CPU time for a pair; those of scripts on a part of the events."""
    seconds, _ = best([asking.ltt, 'latency', 'bench.request', 'bench.response', '--by', 'id', asking.trace], asking.runs)
    rows = [('`ltt latency`', seconds / pairs)]
    seconds, _ = best([asking.ltt, 'sql', '-j1', asking.trace,
                       "SELECT count(*), sum(dur) FROM pairs('bench.request', 'bench.response', 'id')"], 1)
    rows.append(('`ltt sql`, `pairs()`', seconds / pairs))
    (seconds, found), = asking.ask('iterate', asking.trace, PYTHON_EVENTS, python=sys.executable)
    rows.append(('the package `ltt`, a script that looks at each event', seconds / int(found[0].split(',')[0])))
    ctf = asking.trace + '.ctf'
    subprocess.run([asking.ltt, 'export', '--to', 'ctf', '-o', ctf, asking.trace], check=True)
    for seconds, found in asking.ask('bt2', ctf, BT2_EVENTS, python='/usr/bin/python3', runs=2) or ():
        rows.append(('the same with `bt2` of babeltrace2, on the events as CTF', seconds / int(found[0].split(',')[0])))
    return rows


def perf_rows(asking, events):
    """System calls that perf recorded: its own Python script, and `ltt latency` on the same events, imported."""
    data, script, trace = asking.path('perf.data'), asking.path('pairs.py'), asking.path('perf.trace')
    record = ['perf', 'record', '-q', '-m', '16M', '-e', 'raw_syscalls:sys_enter,raw_syscalls:sys_exit', '-o', data, '--',
              'dd', 'if=/dev/zero', 'of=/dev/null', 'bs=1', 'count=%d' % (min(events, PERF_EVENTS) // 4)]
    try:
        if subprocess.run(record, stderr=subprocess.DEVNULL, check=False).returncode != 0:
            return []
    except FileNotFoundError:
        return []
    with open(script, 'w', encoding='utf-8') as file:
        file.write(PERF_SCRIPT)
    imported, _ = cpu_seconds([asking.ltt, 'import', '-o', trace, data])
    ours, out = best([asking.ltt, 'latency', 'raw_syscalls.sys_enter', 'raw_syscalls.sys_exit', trace], asking.runs)
    pairs = int(out.splitlines()[0].split()[-2].replace(',', ''))
    theirs, out = best(['perf', 'script', '-i', data, '-s', script], 2)
    number = int(out.split()[-2])
    if not 0.99 < number / pairs < 1.01:
        raise AssertionError('%d pairs in perf, %d in ltt' % (number, pairs))
    return [('system calls of perf.data: `ltt latency` on the import', ours / pairs),
            ('the same, with the import', (ours + imported) / pairs),
            ('the same, `perf script` with Python', theirs / number)]


def show(build, folder, events, runs):
    """Tables for a number of events; and SQL for half of it, too: the join must be linear."""
    asking = Asking(build, folder, events, runs)
    imported, imported_duckdb = asking.import_tables()
    rows = list(asking.rows())
    _, counted = asking.sql(asking.trace, 'SELECT count(*) FROM bench_request')
    print('\n### SQL: %d requests and responses of %d events\n' % (int(counted[0]), events))
    heads = ['CPU seconds', '`ltt sql`', 'half of the trace', 'SQLite, imported']
    print(measuring.table(heads + ['DuckDB, imported', 'DuckDB, on the trace'] * asking.has_duckdb, rows))
    print('\nThe import took %.1f s of CPU for SQLite, without the index for the join%s.\n' % (
        imported, ', and %.1f s for DuckDB' % imported_duckdb if imported_duckdb else ''))
    rows = latency_rows(asking, int(counted[0])) + perf_rows(asking, events)
    print(measuring.table(['latency', 'CPU ns a pair', '/ `ltt latency`'],
                          [[title, '%.0f' % (seconds * 1e9), '%.1f' % (seconds / rows[0][1])] for title, seconds in rows]))
    if asking.has_duckdb:
        names = ('bench.request', 'bench.response')
        for name, (seconds, found) in zip(names, asking.ask('stream', asking.trace, *names)):
            print('\nAn Arrow stream of all columns of `%s` has %.1f million rows a second of CPU; the target is %.0f.' % (
                name, int(found[0]) / seconds / 1e6, MINIMUM_ROWS / 1e6))
    print(flush=True)
