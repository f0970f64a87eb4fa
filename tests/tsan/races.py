"""races.py - run what starts threads with ThreadSanitizer, and report data races.

usage: races.py [--build BUILD] [--use BUILD] [PART]      PART: of a scenario's name

A scenario is a command over a trace of four threads, the server of `ltt view` with four clients at a time, or a recording that others
read, copy and view meanwhile, with events of the kernel if tracefs can be used. BUILD has the tools with the sanitizer; USE has the traced programs.

Afterwards the commands that share data between threads run once more, without telling the sanitizer of the locks of GLib (glib.c). Each
must be reported then: otherwise it has not started its threads, or the sanitizer does not see them. The last line counts scenarios, races
and commands that were not reported. Exit status 1: there is one.
"""
import argparse
import glob
import gzip
import http.client
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import urllib.parse

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
SUPPRESSED = os.path.join(SOURCE, 'tests/tsan/tsan.supp')
INSTANCES = '/sys/kernel/tracing/instances'
SCHED = os.path.join(SOURCE, 'tests/data/states/sched.data.gz')
LIMIT_S = 300
RACE = 66  # exit status of a program with a race
CLIENTS = 4

# Name -> words of ltt. {trace} is a trace, {kernel} one with events of the kernel, {out} a path that does not exist.
SHARING = {
    'dump': ['dump', '-j3', '{trace}'],
    'dump-json': ['dump', '-j2', '--format=json', '--all', '{trace}'],
    'dump-filter': ['dump', '-j4', '--filter', 'event == "demo.pair" && cpu >= 0', '{trace}'],
    'dump-two': ['dump', '-j2', '{trace}', '{kernel}'],
    'stat': ['stat', '-j2', '{trace}'],
    'stat-json': ['stat', '-j4', '--json', '--interval', '1ms', '{trace}'],
    'sql-table': ['sql', '-j3', '{trace}', 'SELECT count(*), max(time) FROM demo_pair'],
    'latency': ['latency', 'demo.pair', 'demo.open', '--by', 'tid', '{trace}'],
    'arrow': ['export', '--to', 'arrow', '--split', '-o', '{out}', '{trace}'],
    'csv': ['export', '--to', 'csv', '-o', '{out}.csv', '{trace}'],
    'chrome': ['export', '--to', 'chrome', '-o', '{out}.json', '{trace}'],
    'html': ['view', '--html', '{out}.html', '{trace}'],
}
OTHERS = {
    'sql': ['sql', '-j3', '{trace}', 'SELECT type, count(*), min(time) FROM events GROUP BY type'],
    'sql-states': ['sql', '-j3', '{kernel}', 'SELECT state, count(*) FROM thread_state GROUP BY state'],
    'states': ['stat', '-j2', '--states', '{kernel}'],
    'flame': ['flame', '-o', '{out}', '{kernel}'],
    'check': ['check', '{trace}'],
    'cut': ['cut', '-o', '{out}', '--to', '+0.01s', '{trace}'],
    'merge': ['merge', '-o', '{out}', '{trace}', '{kernel}'],
    'ctf': ['export', '--to', 'ctf', '-o', '{out}', '{trace}'],
    'pack': ['pack', '-o', '{out}.tar.gz', '{trace}'],
    'import': ['import', '-o', '{out}', '{sched}'],
    'png': ['view', '--png', '{out}.png', '{kernel}'],
}
REQUESTS = (
    'progress', 'trace', 'lanes', 'density?bins=64', 'events?n=20', 'stat?filter=cpu+%3E%3D+0', 'tables', 'find?filter=cpu+%3D%3D+1', 'durations',
    'spans?pixels=100', 'states?pixels=100', 'counters?pixels=100', 'wakeups?limit=10', 'flame', 'damage', 'bookmarks', 'live?after=0',
    'sql?query=SELECT+type,count(*)+FROM+events+GROUP+BY+type&limit=10', 'diff?a.from=0&a.to=1', 'filter?filter=id+%3D%3D+3')


class Races:
    def __init__(self, build, use, folder):
        self.build, self.use, self.folder = os.path.abspath(build), os.path.abspath(use), folder
        self.trace, self.kernel, self.log = (os.path.join(folder, name) for name in ('trace', 'kernel', 'race'))
        self.number, self.sched = 0, os.path.join(folder, 'sched.data')
        with gzip.open(SCHED) as packed, open(self.sched, 'wb') as file:
            file.write(packed.read())

    def ltt(self):
        return os.path.join(self.build, 'bin/ltt')

    def environment(self, untold=False):
        """`untold`: the sanitizer does not see the locks; one race is expected then, at any place."""
        options = 'log_path=%s exitcode=%d suppressions=%s' % (self.log, RACE, SUPPRESSED) + (' halt_on_error=1 symbolize=0' if untold else '')
        more = {'LTT_TSAN_UNTOLD': '1'} if untold else {}
        # The allocator of GLib hands memory from thread to thread under locks that the sanitizer does not see.
        return dict(os.environ, TSAN_OPTIONS=options, G_SLICE='always-malloc', XDG_CACHE_HOME=os.path.join(self.folder, 'cache'), **more)

    def new_path(self):
        self.number += 1
        return os.path.join(self.folder, 'out%d' % self.number)

    def start(self, words, untold=False, **options):
        paths = {'trace': self.trace, 'kernel': self.kernel, 'sched': self.sched, 'out': self.new_path()}
        words = [re.sub(r'{(\w+)}', lambda match: paths[match[1]], word) for word in words]
        return subprocess.Popen([self.ltt(), *words], env=self.environment(untold), stdin=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                text=True, **options)

    def run(self, words, untold=False):
        """Runs a command to its end."""
        with self.start(words, untold, stdout=subprocess.DEVNULL) as process:
            said = process.communicate(timeout=LIMIT_S)[1]
        if process.returncode not in (0, RACE):
            raise RuntimeError('%s: status %d\n%s' % (' '.join(words), process.returncode, said))

    def reports(self):
        """Returns what the sanitizer has said since the last call."""
        said = []
        for path in glob.glob(self.log + '.*'):
            with open(path, encoding='utf-8', errors='replace') as file:
                said.append(file.read())
            os.unlink(path)
        return said

    def storm(self, *words):
        return [os.path.join(self.use, 'probe/storm'), *words]

    def record(self):
        """Makes the traces, with recorders that have threads of their own."""
        self.run(['record', '-o', self.trace, '--block-size', '4K', '--', *self.storm('-t', '4', '-n', '20000', '-m')])
        if os.geteuid() == 0:
            self.run(['record', '--kernel', '-o', self.kernel, '--', *self.storm('-t', '3', '-n', '2000', '-w', '1000')])
        else:
            self.run(['import', '-o', self.kernel, '{sched}'])

    @staticmethod
    def ask(url, requests):
        """Asks a server for all of them. Returns: the statuses"""
        parts = urllib.parse.urlsplit(url)
        statuses = []
        for request in requests:
            connection = http.client.HTTPConnection(parts.netloc, timeout=LIMIT_S)
            connection.request('GET', parts.path + 'api/' + request)
            statuses.append(connection.getresponse().status)
            connection.close()
        return statuses

    def view(self, trace):
        """Several clients ask the server while it reads the trace and afterwards, each in another order."""
        with self.start(['view', '--no-browser', trace], stdout=subprocess.PIPE) as server:
            url = server.stdout.readline().strip()
            clients = [threading.Thread(target=self.ask, args=(url, (REQUESTS[i * 5:] + REQUESTS[:i * 5]) * 2)) for i in range(CLIENTS)]
            for client in clients:
                client.start()
            for client in clients:
                client.join()
            statuses = dict(zip(REQUESTS, self.ask(url, REQUESTS)))
            server.send_signal(signal.SIGINT)
            said = server.communicate(timeout=LIMIT_S)[1]
        if set(statuses.values()) != {200} or server.returncode not in (0, RACE):
            raise RuntimeError('view: status %d: %r\n%s' % (server.returncode, statuses, said))

    def live(self, *options):
        """A recording that others follow, copy and view until it ends."""
        trace = self.new_path()
        with self.start(['record', '-o', trace, '--snapshot-on', 'USR1', *options, '--', *self.storm('-t', '2', '-n', '0', '-w', '100000')],
                        stdout=subprocess.DEVNULL) as recorder:
            while not os.path.exists(os.path.join(trace, 'info/session')):
                if recorder.poll() is not None:
                    raise RuntimeError('record: %s' % recorder.communicate()[1])
            with self.start(['dump', '--follow', '-j2', '--event', 'demo.open', trace], stdout=subprocess.PIPE) as follower:
                for _ in range(100):
                    follower.stdout.readline()
                recorder.send_signal(signal.SIGUSR1)
                self.view(trace)
                self.run(['snapshot', '-o', self.new_path(), trace])
                recorder.send_signal(signal.SIGTERM)
                follower.communicate(timeout=LIMIT_S)
            recorder.communicate(timeout=LIMIT_S)

    def attach(self):
        """Programs come and go while they are attached."""
        programs = []
        with self.start(['attach', '-o', self.new_path(), '--name', 'storm'], stdout=subprocess.DEVNULL) as recorder:
            for _ in range(5):
                programs.append(subprocess.Popen(self.storm('-t', '2', '-n', '30', '-w', '30000000')))
            for program in programs:
                program.wait(LIMIT_S)
            recorder.send_signal(signal.SIGINT)
            recorder.communicate(timeout=LIMIT_S)

    @staticmethod
    def is_tracing(pid):
        for path in glob.glob(INSTANCES + '/ltt-%d-*/tracing_on' % pid):
            with open(path, encoding='ascii') as file:
                return file.read().strip() == '1'
        return False

    def kernel_only(self):
        """The machine, and a snapshot of its events meanwhile. The machine may lose events."""
        trace = self.new_path()
        with self.start(['record', '--kernel=sched:sched_process_*', '-o', trace], stdout=subprocess.DEVNULL) as recorder:
            while not self.is_tracing(recorder.pid):
                if recorder.poll() is not None:
                    raise RuntimeError('record --kernel: %s' % recorder.communicate()[1])
            try:
                self.run(['snapshot', '-o', self.new_path(), trace])
            finally:
                recorder.send_signal(signal.SIGINT)
            said = recorder.communicate(timeout=LIMIT_S)[1]
        if recorder.returncode not in (0, 1, RACE):
            raise RuntimeError('record --kernel: status %d\n%s' % (recorder.returncode, said))

    def scenarios(self):
        yield 'record', self.record
        for name, words in {**SHARING, **OTHERS}.items():
            yield name, lambda words=words: self.run(words)
        yield 'view', lambda: self.view(self.trace)
        yield 'view-kernel', lambda: self.view(self.kernel)
        yield 'live', self.live
        yield 'live-flight', lambda: self.live('--flight', '64K', '--block-size', '4K')
        yield 'attach', self.attach
        if os.access(INSTANCES, os.R_OK | os.W_OK | os.X_OK):
            yield 'live-kernel', lambda: self.live('--kernel=sched,raw_syscalls', '--only-program')
            yield 'kernel-only', self.kernel_only
        else:
            print('skip  live-kernel, kernel-only: they need tracefs and the right to use it')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build/tsan')
    parser.add_argument('--use', default='build')
    parser.add_argument('part', nargs='?', default='')
    options = parser.parse_args()
    folder = tempfile.mkdtemp(prefix='ltt-races-', dir='/dev/shm' if os.access('/dev/shm', os.W_OK) else None)
    races = Races(options.build, options.use, folder)
    n_scenarios = n_races = n_unseen = 0
    try:
        for name, act in races.scenarios():
            if options.part not in name and name != 'record':
                continue
            act()
            said = races.reports()
            n_scenarios += 1
            n_races += sum(text.count('WARNING: ThreadSanitizer') for text in said)
            print('%s %s\n%s' % ('RACE ' if said else 'ok   ', name, ''.join(said)), end='', flush=True)
        for name, words in SHARING.items():
            if options.part in name:
                races.run(words, untold=True)
                if not races.reports():
                    n_unseen += 1
                    print('UNSEEN %s: no race, although the sanitizer does not see the locks' % name, flush=True)
    finally:
        shutil.rmtree(folder)
    print('%d scenarios, %d races, %d unseen' % (n_scenarios, n_races, n_unseen))
    return n_races + n_unseen > 0


if __name__ == '__main__':
    sys.exit(main())
