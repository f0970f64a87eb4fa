"""The cost of questions in SQL: CPU seconds of `ltt sql` on a trace, and of SQLite on the same tables imported."""
import os
import resource
import sqlite3
import subprocess

import measuring

QUESTIONS = (
    ('count', 'SELECT count(*) FROM http_response'),
    ('window of 1 ms', 'SELECT count(*) FROM http_response WHERE time BETWEEN 1700000000050000000 AND 1700000000051000000'),
    ('one of three values, sum', "SELECT sum(bytes) FROM http_response WHERE status = 'ERROR'"),
    ('group by enum, average', 'SELECT status, count(*), avg(bytes) FROM http_response GROUP BY status'),
    ('group by string', 'SELECT path, count(*) AS n FROM http_request GROUP BY path ORDER BY n DESC, path LIMIT 3'),
    ('join of requests and responses', 'SELECT count(*), max(b.time - a.time) FROM http_request a JOIN http_response b ON b.id = a.id'),
)


def cpu_seconds(command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


def best(command, runs):
    """The least of several runs, and the output."""
    return min(cpu_seconds(command) for _ in range(runs))


def import_tables(build, trace, path):
    seconds, _ = cpu_seconds([os.path.join(build, 'bin/ltt'), 'sql', '-o', path, trace])
    database = sqlite3.connect(path)
    database.execute('CREATE INDEX by_id ON http_response(id)')
    database.commit()
    database.close()
    return seconds


def show(build, folder, requests, runs):
    """Tables for a number of requests and for half of it: the join must be linear."""
    trace, half, path = (os.path.join(folder, name) for name in ('http', 'http-half', 'http.sqlite'))
    for number, name in ((requests, trace), (requests // 2, half)):
        subprocess.run([os.path.join(build, 'bench/make-http'), str(number), name], check=True)
    imported = import_tables(build, trace, path)
    rows = []
    for name, query in QUESTIONS:
        command = [os.path.join(build, 'bin/ltt'), 'sql', '--format', 'csv', '-j1']
        seconds, out = best([*command, trace, query], runs)
        of_half, _ = best([*command, half, query], runs)
        there, same = best(['python3', '-c', 'import sqlite3, sys\nfor row in sqlite3.connect(sys.argv[1]).execute(sys.argv[2]): '
                            'print(*row, sep=",")', path, query], runs)
        if out.splitlines()[1:] != same.splitlines():
            raise AssertionError('%s: %s and %s' % (query, out, same))
        rows.append((name, '%.3f' % seconds, '%.3f' % of_half, '%.3f' % there))
    print('\n### SQL: %d requests and responses\n' % requests)
    print(measuring.table(('CPU seconds', '`ltt sql`', 'half of the trace', 'SQLite, imported'), rows))
    print('\nThe import took %.1f s of CPU without the index for the join.' % imported, flush=True)
