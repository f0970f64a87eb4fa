"""memory.py - run the tools on the samples under valgrind(1), and report errors in their use of memory.

usage: memory.py [--build BUILD] [--jobs N] [--every N]

Each command runs on each trace of tests/data, whole and damaged. Wrong are: a read or write outside of what was allocated, a use of
what was not set, and memory that nothing points to at the end. The sanitizers find the first; valgrind also sees the libraries
that are not built with them, and what is not set. The last line counts runs and what was wrong. Exit status 1: something was.
"""
import argparse
import glob
import gzip
import os
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(SOURCE, 'tests/data')
SUPPRESSED = ('/usr/share/glib-2.0/valgrind/glib.supp',)
WRONG = 99
VALGRIND = ['valgrind', '--quiet', '--trace-children=yes', '--leak-check=full', '--show-leak-kinds=definite', '--errors-for-leak-kinds=definite',
            '--error-exitcode=%d' % WRONG, '--num-callers=20']
LIMIT_S = 300

# Name -> words of ltt. {trace} is a trace, {out} a path that does not exist.
COMMANDS = {
    'dump': ['dump', '{trace}'],
    'dump-json': ['dump', '--format=json', '--all', '-j', '2', '{trace}'],
    'dump-filter': ['dump', '--filter', 'cpu >= 0', '{trace}'],
    'stat': ['stat', '{trace}'],
    'stat-json': ['stat', '--json', '-j', '2', '--interval', '100ms', '{trace}'],
    'check': ['check', '{trace}'],
    'repair': ['check', '--repair', '-o', '{out}', '{trace}'],
    'info': ['info', '--events', '--json', '{trace}'],
    'sql': ['sql', '{trace}', 'SELECT type, count(*), min(time), max(pid) FROM events GROUP BY type ORDER BY 2'],
    'spans': ['sql', '{trace}', 'SELECT * FROM spans'],
    'flame': ['flame', '-o', '{out}', '{trace}'],
    'cut': ['cut', '-o', '{out}', '--to', '+0.5s', '{trace}'],
    'merge': ['merge', '-o', '{out}', '{trace}', os.path.join(DATA, 'ltt/one-cpu')],
    'compare': ['compare', '{trace}', os.path.join(DATA, 'ltt/one-cpu')],
    'pack': ['pack', '-o', '{out}.tar.gz', '{trace}'],
    'redact': ['pack', '--redact', 'host', '-o', '{out}.tar.gz', '{trace}'],
    'ctf': ['export', '--to', 'ctf', '-o', '{out}', '{trace}'],
    'chrome': ['export', '--to', 'chrome', '-o', '{out}.json', '{trace}'],
    'arrow': ['export', '--to', 'arrow', '--split', '-o', '{out}', '{trace}'],
    'html': ['view', '--html', '{out}.html', '{trace}'],
}
# These ask for events of the scheduler.
STATES = {
    'stat-states': ['stat', '--states', '{trace}'],
    'thread-state': ['sql', '{trace}', 'SELECT state, reason, count(*) FROM thread_state GROUP BY 1, 2'],
    'latency': ['latency', 'sched.sched_waking', 'sched.sched_switch', '--by', 'pid=next_pid', '--states', '{trace}'],
    'states-html': ['view', '--html', '{out}.html', '{trace}'],
}
SCHED = os.path.join(DATA, 'states/sched.data.gz')
# Importers, each on the files of a format.
IMPORTED = ('perf', 'perf-groups', 'qemu', 'revent')


def traces():
    return sorted(os.path.dirname(os.path.dirname(path)) for path in glob.glob(os.path.join(DATA, '*', '*', 'info', 'system.xml')))


def recordings():
    return sorted(path for kind in IMPORTED for path in glob.glob(os.path.join(DATA, kind, '*'))
                  if os.path.isfile(path) and not path.endswith(('.py', '.txt', '.json', '.jsonl', '.md')))


def runs():
    """Yields the name of a run, and the words of ltt."""
    for trace in traces():
        for name, words in COMMANDS.items():
            yield '%s %s' % (name, os.path.relpath(trace, DATA)), [word.replace('{trace}', trace) for word in words]
    for name, words in STATES.items():
        yield name, [word.replace('{trace}', '{sched}') for word in words]
    for path in recordings():
        yield 'import ' + os.path.relpath(path, DATA), ['import', '-o', '{out}', path]


class Memory:
    def __init__(self, build, folder):
        self.ltt, self.folder = os.path.join(os.path.abspath(build), 'bin/ltt'), folder
        self.sched = os.path.join(folder, 'sched')
        with gzip.open(SCHED) as packed, open(self.sched + '.data', 'wb') as file:
            file.write(packed.read())
        subprocess.run([self.ltt, 'import', '-o', self.sched, self.sched + '.data'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def run(self, number, words):
        """Returns what valgrind says, or None if nothing was wrong."""
        folder = os.path.join(self.folder, str(number))
        os.mkdir(folder)
        log = os.path.join(folder, 'valgrind')
        suppressed = ['--suppressions=' + path for path in SUPPRESSED if os.path.exists(path)]
        out = os.path.join(folder, 'out')
        command = [*VALGRIND, *suppressed, '--log-file=' + log + '.%p', self.ltt, *(word.replace('{out}', out).replace('{sched}', self.sched) for word in words)]
        # Blocks of GLib that are reused would hide what is not set.
        environment = dict(os.environ, G_SLICE='always-malloc', G_DEBUG='gc-friendly')
        try:
            run = subprocess.run(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                 timeout=LIMIT_S, check=False)
        except subprocess.TimeoutExpired:
            return 'takes more than %d s' % LIMIT_S
        said = ''
        for path in sorted(glob.glob(log + '.*')):
            with open(path, encoding='utf-8', errors='replace') as file:
                said += file.read()
        shutil.rmtree(folder)
        if run.returncode == WRONG or run.returncode < 0:
            return said or 'ends with %d' % run.returncode
        return None


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)))
    parser.add_argument('--every', type=int, default=1, help='try one of so many runs')
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='ltt-memory-')
    memory = Memory(options.build, folder)
    chosen = list(runs())[::options.every]
    n_wrong = 0
    try:
        with ThreadPoolExecutor(options.jobs) as pool:
            for (name, _), said in zip(chosen, pool.map(lambda one: memory.run(one[0], one[1][1]), enumerate(chosen))):
                if said:
                    n_wrong += 1
                    print('%s:\n%s' % (name, said), flush=True)
    finally:
        shutil.rmtree(folder)
    print('%d runs, %d wrong' % (len(chosen), n_wrong))
    return n_wrong > 0


if __name__ == '__main__':
    sys.exit(main())
