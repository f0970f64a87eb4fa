"""Memory and Ctrl-C of long traces: commands that neither sort nor join need the same memory for any trace.

Memory is the peak anonymous memory (`RssAnon`, sampled), which leaves out the mapped files of a trace. Each command
is also interrupted after a tenth, a half and nine tenths of its time: the figure is the longest time until its end.
"""
import os
import shutil
import signal
import subprocess
import sys
import time

from measuring import anonymous_mb, table

SIZES = (1, 10, 100)  # the parts of a trace, in tenths of the number of events
INTERRUPTS = (0.1, 0.5, 0.9)  # parts of the time of a command
SIGINT_STATUS = (-signal.SIGINT, 128 + signal.SIGINT)

PYTHON = {
    'events': 'for event in t.events("http.response"): event["bytes"]',
    'batches': 'for batch in t.table("http.response").batches(): memoryview(batch["bytes"])',
    'spans': 'for span in t.spans(): span.duration_ns',
    'latency': 't.latency("http.request", "http.response", by="id")',
    'SQL': 'for row in t.sql("SELECT id FROM http_response").rows(): row[0]',
}
FOLDER = 'FOLDER'  # stands for a folder that does not exist
COMMANDS = (
    ('stat',), ('check',), ('dump',), ('dump', '--format=json'), ('dump', '--format=none', '--filter', 'bytes > 10000'),
    ('export', '--to', 'csv', '-o', '-'), ('export', '--to', 'json', '-o', '-'),
    ('export', '--to', 'arrow', '--event', 'http.response', '-o', '-'),
    ('export', '--to', 'arrow', '--event', 'http.response', '--filter', 'bytes == 1', '-o', '-'),
    ('export', '--to', 'chrome', '-o', '-'), ('export', '--to', 'ctf', '-o', FOLDER),
    ('latency', 'http.request', 'http.response', '--by', 'id'),
    ('latency', 'http.request', 'http.response', '--by', 'id', '--group', 'path', '--longest', '10'),
    ('flame', '--folded', '--of', 'spans', '-o', '-'),
)
QUERIES = (
    'SELECT count(*), max(bytes) FROM http_response WHERE id % 2',
    'SELECT status, count(*) FROM http_response GROUP BY status',
    'SELECT path, count(*) FROM http_request GROUP BY path',
    'SELECT type, count(*) FROM events GROUP BY type',
    "SELECT key FROM pairs('http.request', 'http.response', 'id') WHERE dur < 0",
    'SELECT count(*) FROM spans',
    'SELECT count(*) FROM http_response',
    'SELECT max(gap) FROM (SELECT time - lag(time) OVER (ORDER BY time) AS gap FROM http_tick)',
    "SELECT count(*) FROM http_response WHERE time >= (SELECT first + 1000000 FROM types WHERE type = 'http.response')",
)


def commands(build, trace):
    """Titles and command lines."""
    ltt = os.path.join(build, 'bin/ltt')
    for words in COMMANDS:
        yield '`ltt %s`' % ' '.join(words), [ltt, *(trace + '.folder' if word == FOLDER else word for word in words), trace]
    for query in QUERIES:
        yield '`ltt sql`: `%s`' % query, [ltt, 'sql', trace, query]
    if os.path.isdir(os.path.join(build, 'python')):
        for title, program in PYTHON.items():
            yield 'Python: ' + title, [sys.executable, '-c', 'import ltt, sys\nt = ltt.open(sys.argv[1])\n' + program, trace]


def interrupted_s(command, after_s, trace):
    """The time from SIGINT to the end of a command. Returns: 0: it ends before the signal."""
    def catch():
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a shell ignores it in background jobs

    shutil.rmtree(trace + '.folder', ignore_errors=True)
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, preexec_fn=catch) as process:
        try:
            process.wait(after_s)
            return 0
        except subprocess.TimeoutExpired:
            start = time.monotonic()
            process.send_signal(signal.SIGINT)
            process.wait()
            took = time.monotonic() - start
        if process.returncode not in (0, 2, 1, *SIGINT_STATUS):
            raise AssertionError('%s: status %d after SIGINT' % (command, process.returncode))
        return took


def show(build, folder, events):
    """Tables for a tenth of the events, for all of them, and for ten times as many."""
    os.environ['PYTHONPATH'] = os.path.join(build, 'python')
    sizes = [events * size // 10 for size in SIZES]
    found = {}
    for number in sizes:
        trace = os.path.join(folder, 'long')
        subprocess.run([os.path.join(build, 'bench/make-http'), str(number * 2 // 5), trace], check=True)
        for title, command in commands(build, trace):
            shutil.rmtree(trace + '.folder', ignore_errors=True)
            start = time.monotonic()
            megabytes = anonymous_mb(command)
            took = time.monotonic() - start
            found.setdefault(title, []).append('%.1f' % megabytes)
            if number == sizes[-1]:
                found[title].append('%.0f' % (1000 * max(interrupted_s(command, took * part, trace) for part in INTERRUPTS)))
            print(title, found[title], '%.1f s' % took, file=sys.stderr, flush=True)
        shutil.rmtree(trace)
        shutil.rmtree(trace + '.folder', ignore_errors=True)
    print('\n### Peak anonymous memory in MB, and milliseconds until Ctrl-C ends the command\n')
    print(table(['', *('%d events' % number for number in sizes), 'Ctrl-C'], [[title, *row] for title, row in found.items()]),
          end='\n\n', flush=True)
