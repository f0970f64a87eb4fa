"""The cost of a query on a fleet: rows a second and core by Spark, DuckDB and ClickHouse, compared with `ltt sql`.

Each engine sums a field of 64 bits over two traces, and all give the same answer. CPU time counts, of all
processes, after a first question of a small trace: the start of an engine is not part of it.
"""
import os
import subprocess
import sys
import tempfile

import measuring

PYTHON = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../../build/venv/bin/python')
NAMES = (('`ltt.fleet`, one process', 'primitive'), ('DuckDB on `ltt.fleet`', 'duckdb'),
         ('Spark, one task at a time', 'spark'), ('ClickHouse, `executable()`', 'clickhouse'))


def ask_sql(ltt, path):
    """CPU seconds and the answer of `ltt sql`."""
    before = os.times()
    done = subprocess.run([ltt, 'sql', '--format=csv', path, 'SELECT count(*), sum(bytes) FROM http_response'], check=True,
                          stdout=subprocess.PIPE, text=True)
    after = os.times()
    answer = [int(word) for word in done.stdout.splitlines()[-1].split(',')]
    return after.children_user + after.children_system - before.children_user - before.children_system, answer


def ask(build, engine, small, paths):
    """CPU seconds and the answer of an engine."""
    environment = dict(os.environ, PYTHONPATH=os.path.abspath(os.path.join(build, 'python')), PYSPARK_PYTHON=os.path.abspath(PYTHON),
                       SPARK_LOCAL_IP='127.0.0.1', OMP_NUM_THREADS='1')
    script = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'fleet_asking.py')
    with tempfile.TemporaryDirectory(prefix='ltt-bench-') as work:
        done = subprocess.run([PYTHON, script, engine, os.path.abspath(os.path.join(build, 'bin/ltt')), small, *paths], cwd=work,
                              env=environment, check=True, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    words = done.stdout.splitlines()[-1].split()
    return float(words[0]), [int(word) for word in words[1:]]


def show(build, folder, events, runs):
    if not os.path.exists(PYTHON):
        return
    sizes = (('small', 1000), ('first', events // 5), ('second', events // 5))
    small, *paths = [os.path.join(folder, 'fleet-' + name) for name, _ in sizes]
    for path, (_, n_requests) in zip((small, *paths), sizes):
        subprocess.run([os.path.join(build, 'bench/make-http'), str(n_requests), path], check=True, stdout=subprocess.DEVNULL)
    ltt = os.path.join(build, 'bin/ltt')
    found = [('`ltt sql`', [[sum(part[0] for part in parts), [sum(part[1][i] for part in parts) for i in range(2)]]
                            for parts in ([ask_sql(ltt, path) for path in paths] for _ in range(runs))])]
    found += [(name, [ask(build, engine, small, paths) for _ in range(runs)]) for name, engine in NAMES]
    expected = found[0][1][0][1]
    least = min(seconds for seconds, _ in found[0][1])
    rows = []
    for name, answers in found:
        if any(answer != expected for _, answer in answers):
            sys.exit('%s: expected %s, got %s' % (name, expected, answers))
        seconds = min(seconds for seconds, _ in answers)
        rows.append((name, '%.2f' % seconds, '%.1f' % (expected[0] / seconds / 1e6), '%.1f' % (seconds / least)))
    print('\nThe sum of a field of %s rows of two traces, by engines for a fleet:\n' % format(expected[0], ','))
    print(measuring.table(('engine', 'CPU seconds', 'million rows a second and core', 'x `ltt sql`'), rows))
