#!/usr/bin/env python3
"""Traces real servers, built from Debian's source packages and started as their packages do.

Each server is patched with a dozen event types (instrument.py), started as a daemon that drops its
privileges, put under load, and stopped or killed. Every request has a number: each answered one
must be in the trace exactly once, or count as lost. `ltt attach` starts and ends repeatedly under
load. Needs root, and the package sources of Debian. Prints a table of the results.
"""
import argparse
import collections
import csv
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import fetch  # noqa: E402
import load   # noqa: E402

CLIENTS = 8
TIMEOUT = 120


def until(condition, what):
    """Polls until a condition holds that another process establishes."""
    end = time.monotonic() + TIMEOUT
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError('waited in vain for ' + what)
        time.sleep(0.01)


def free_port():
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        return probe.getsockname()[1]


def answers(port):
    try:
        socket.create_connection(('127.0.0.1', port), timeout=1).close()
        return True
    except OSError:
        return False


class Server:
    """How to start a server like its package does; `user`: its user after it drops privileges."""

    user = 'nobody'

    def __init__(self, program, folder):
        self.program, self.folder, self.port = program, folder, free_port()
        self.pid_file = os.path.join(folder, 'pid')

    def pid(self):
        def read():
            try:
                with open(self.pid_file, encoding='ascii') as file:
                    return int(file.read() or 0)
            except FileNotFoundError:
                return 0
        return until(read, self.pid_file)


class Memcached(Server):
    protocol, event, field = load.Memcached(), 'mc.command', 'line'

    def command(self):
        return [self.program, '-d', '-m', '64', '-p', str(self.port), '-u', self.user, '-l', '127.0.0.1',
                '-P', self.pid_file, '-t', '4']

    def processes(self):
        return [self.pid()]


class Nginx(Server):
    protocol, event, field = load.Nginx(), 'ngx.request', 'args'

    def command(self):
        for name in ('logs', 'html'):
            os.makedirs(os.path.join(self.folder, name), exist_ok=True)
        with open(os.path.join(self.folder, 'html/page.html'), 'w', encoding='ascii') as file:
            file.write('<html>' + 'x' * 600 + '</html>\n')
        with open(os.path.join(self.folder, 'nginx.conf'), 'w', encoding='ascii') as file:
            file.write('user %s nogroup;\nworker_processes 2;\npid %s;\nerror_log logs/error.log;\nevents { }\n'
                       'http {\naccess_log off;\nkeepalive_requests 100000000;\n'
                       'server { listen 127.0.0.1:%d; root html; }\n}\n' % (self.user, self.pid_file, self.port))
        return [self.program, '-p', self.folder + '/', '-c', 'nginx.conf', '-g', 'daemon on; master_process on;']

    def processes(self):
        """The worker processes, which serve requests."""
        master = self.pid()

        def children():
            path = '/proc/%d/task/%d/children' % (master, master)
            with open(path, encoding='ascii') as file:
                found = [int(word) for word in file.read().split()]
            return found if len(found) == 2 else None
        return until(children, 'the workers')


class Redis(Server):
    """Its unit has User=, so privileges are dropped before exec."""

    protocol, event, field = load.Redis(), 'red.command', 'key'

    def command(self):
        return ['setpriv', '--reuid=' + self.user, '--regid=nogroup', '--clear-groups', self.program, '--port',
                str(self.port), '--bind', '127.0.0.1', '--daemonize', 'yes', '--pidfile', self.pid_file, '--dir',
                self.folder, '--logfile', os.path.join(self.folder, 'log'), '--save', '1 1000']

    def processes(self):
        return [self.pid()]


class Trial:
    """One test of a server."""

    def __init__(self, kind, servers, options):
        self.folder = tempfile.mkdtemp(prefix='ltt-servers-', dir='/dev/shm')
        os.chmod(self.folder, 0o755)
        place = os.path.join(self.folder, 'run')
        os.mkdir(place)
        os.chmod(place, 0o777)
        self.name = kind.__name__.lower()
        self.server = kind(self.reachable(servers.program(self.name)), place)
        self.ltt, self.count = servers.ltt, options.requests // CLIENTS
        self.trace = os.path.join(self.folder, 'trace')

    def reachable(self, program):
        """A copy that the user can execute, independent of the build directory."""
        return shutil.copy(program, os.path.join(self.folder, os.path.basename(program)))

    def remove(self):
        """Ends the remaining processes of the server."""
        for entry in os.listdir('/proc'):
            try:
                if entry.isdigit() and os.readlink('/proc/%s/exe' % entry).startswith(self.folder):
                    os.kill(int(entry), signal.SIGKILL)
            except OSError:
                pass
        shutil.rmtree(self.folder)

    # Tests.

    def record(self):
        """`ltt record --wait` of the command that starts a daemon."""
        recorder = subprocess.Popen([self.ltt, 'record', '--wait', '-o', self.trace, '--'] + self.server.command(),
                                    stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                    text=True)
        until(lambda: answers(self.server.port) or recorder.poll() is not None, 'the server to listen')
        return recorder

    def start(self):
        subprocess.run(self.server.command(), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, check=True)
        until(lambda: answers(self.server.port), 'the server to listen')

    def kill(self, number):
        for pid in self.server.processes() + [self.server.pid()]:
            try:
                os.kill(pid, number)
            except ProcessLookupError:
                pass

    def requests(self):
        return load.Load(self.server.protocol, self.server.port, CLIENTS, self.count)

    # Checks.

    def numbers(self, trace):
        """The requests in a trace, by number, in the order of the trace."""
        dump = subprocess.Popen([self.ltt, 'dump', '--format=csv', '--event=' + self.server.event, trace],
                                stdout=subprocess.PIPE, text=True)
        with dump:
            rows = csv.reader(dump.stdout)
            head = next(rows)
            if self.server.field not in head:   # no event of the facility occurred in time
                dump.stdout.read()
                return []
            column = head.index(self.server.field)
            found = [int(match[1]) for match in (re.search(r'k(\d+)', row[column]) for row in rows) if match]
        assert dump.returncode == 0, 'ltt dump: status %d' % dump.returncode
        return found

    def json(self, *words, status=(0,)):
        done = subprocess.run([self.ltt] + list(words), stdout=subprocess.PIPE, check=False)
        assert done.returncode in status, '%s: status %d' % (words, done.returncode)
        return json.loads(done.stdout)

    def verify(self, requests):
        """Checks that every answered request occurs once or is counted as lost. Returns a row of the table."""
        problems = self.json('check', '--json', self.trace)['problems']
        assert not problems, problems
        stat = self.json('stat', '--json', self.trace)
        seen = collections.Counter(self.numbers(self.trace))
        twice = [number for number, times in seen.items() if times > 1]
        assert not twice, 'requests more than once in the trace: %s' % twice[:5]
        assert not set(seen) - requests.sent(), 'requests in the trace that were not sent'
        missing = requests.answered() - set(seen)
        assert len(missing) <= stat['lost'], '%d requests are missing, %d events counted as lost' \
            % (len(missing), stat['lost'])
        return len(requests.answered()), stat['events'], stat['lost'], len(missing)


def try_to_end(trial):
    """Runs the load to its end, then stops the server; `ltt record --wait` then ends."""
    recorder = trial.record()
    requests = trial.requests()
    requests.wait()
    assert not requests.failures(), requests.failures()
    trial.kill(signal.SIGTERM)
    message = recorder.communicate(timeout=TIMEOUT)[1]
    assert recorder.returncode == 0, (recorder.returncode, message)
    return trial.verify(requests)


def try_killed(trial):
    """All processes of the server are killed while requests come."""
    recorder = trial.record()
    requests = trial.requests()
    until(lambda: len(requests.answered()) > CLIENTS * trial.count // 4, 'a part of the load')
    trial.kill(signal.SIGKILL)
    requests.wait()
    message = recorder.communicate(timeout=TIMEOUT)[1]
    assert recorder.returncode == 0, (recorder.returncode, message)
    return trial.verify(requests)


def size_of(pid, trace):
    """The number of trace files that a process has mapped, and of its descriptors."""
    with open('/proc/%d/maps' % pid, encoding='utf-8') as file:
        return sum(trace in line for line in file), len(os.listdir('/proc/%d/fd' % pid))


def assert_contiguous(numbers, count):
    """The numbers of each client are contiguous."""
    by_client = collections.defaultdict(set)
    for number in numbers:
        by_client[number // count].add(number)
    for client, found in by_client.items():
        assert max(found) - min(found) + 1 == len(found), 'client %d: a hole in its requests' % client
    assert len(numbers) == len(set(numbers)), 'a request more than once'


def try_attach(trial, turns):
    """Repeatedly runs `ltt attach` on the processes that serve requests."""
    trial.start()
    trial.count = 1 << 32
    requests = trial.requests()
    pids = trial.server.processes()
    until(lambda: requests.answered(), 'the first answers')
    seen = events = lost = idle = 0
    sizes = []
    for turn in range(turns):
        trace = '%s-%d' % (trial.trace, turn)
        done = subprocess.run([trial.ltt, 'attach', '--pid', ','.join(map(str, pids)), '-o', trace,
                               '--duration', '50ms'],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                              timeout=TIMEOUT, check=False)
        # On a busy machine the server may not run in that time.
        idle += 'nothing was traced' in done.stderr
        assert done.returncode == ('nothing was traced' in done.stderr), (done.returncode, done.stderr)
        assert not trial.json('check', '--json', trace)['problems']
        stat = trial.json('stat', '--json', trace)
        numbers = trial.numbers(trace)
        if stat['lost'] == 0:
            assert_contiguous(numbers, trial.count)
        seen, events, lost = seen + len(numbers), events + stat['events'], lost + stat['lost']
        sizes.append(size_of(pids[0], trial.trace))
        shutil.rmtree(trace)
    requests.stop()
    assert not requests.failures(), requests.failures()
    assert idle < turns / 2, 'nothing was traced in %d of %d turns' % (idle, turns)
    assert seen > 0, 'no request in any trace'
    # The number of mapped files does not grow from turn to turn.
    assert sizes[-1][0] <= max(size[0] for size in sizes[:5]), 'mappings: %s' % sizes
    assert sizes[-1][1] <= max(size[1] for size in sizes[:5]) + CLIENTS, 'descriptors: %s' % sizes
    return len(requests.answered()), events, lost, seen


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--use', default='build', help='the build directory')
    parser.add_argument('--folder', default='build/servers', help='where servers are downloaded and built')
    parser.add_argument('--requests', type=int, default=400000, help='requests of each trial')
    parser.add_argument('--turns', type=int, default=100, help='how often `ltt attach` is switched on and off')
    parser.add_argument('--only', default='', help='part of the name of a trial')
    options = parser.parse_args()
    servers = fetch.Servers(options.folder, options.use)
    servers.build()
    treatments = {'ended': try_to_end, 'killed': try_killed,
                  'attached': lambda trial: try_attach(trial, options.turns)}
    failed = passed = 0
    print('%-20s %12s %12s %10s %10s' % ('trial', 'requests', 'events', 'lost', 'missing'))
    for kind in (Memcached, Nginx, Redis):
        for how, treatment in treatments.items():
            name = '%s %s' % (kind.__name__.lower(), how)
            if options.only not in name:
                continue
            trial = Trial(kind, servers, options)
            try:
                row = treatment(trial)
                print('%-20s %12d %12d %10d %10d' % ((name,) + row))
                passed += 1
            except (AssertionError, OSError, ValueError, subprocess.SubprocessError) as error:
                print('%-20s %s' % (name, error))
                failed += 1
            finally:
                trial.remove()
            sys.stdout.flush()
    print('\nIn rows of "attached" the last column is the number of requests seen in all traces.')
    print('%d passed, %d failed' % (passed, failed))
    return 1 if failed or not passed else 0


if __name__ == '__main__':
    sys.exit(main())
