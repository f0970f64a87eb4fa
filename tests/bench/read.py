#!/usr/bin/env python3
"""How fast traces are read: ns an event, as ratios to `cat` and to babeltrace2 in the same run.

usage: read.py [--build BUILD] [--events N]

For 22-byte events, events with a string and nested ones: all events merged (`--format=none`), as text,
as JSON, counted with one thread and with two, and a window of one millisecond in the middle. The floor
is `cat` of the tracefiles; the peer, where it is installed, is babeltrace2 on the same trace exported
to CTF, with its dummy output and with its text output. Each figure is the least of several runs, with
the trace in the page cache; output goes through a pipe to a program that throws it away.
"""
import argparse
import glob
import os
import shutil
import subprocess
import sys
import tempfile
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build', help='where bin/ltt is')
    parser.add_argument('--events', type=int, default=4000000, help='events in each trace')
    parser.add_argument('--runs', type=int, default=5)
    return parser.parse_args()


def seconds(command, runs):
    """The least wall time of some runs of a command whose output is read and thrown away."""
    least = float('inf')
    for _ in range(runs):
        start = time.monotonic()
        with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
            while os.read(process.stdout.fileno(), 1 << 20):
                pass
        if process.returncode:
            sys.exit('read.py: %s: status %d' % (' '.join(command), process.returncode))
        least = min(least, time.monotonic() - start)
    return least


class Bench:
    def __init__(self, options, folder):
        self.options, self.folder = options, folder
        self.ltt = os.path.join(options.build, 'bin', 'ltt')

    def commands(self, kind, trace):
        """What is measured: name, command, runs."""
        runs = self.options.runs
        middle = 0.5 * self.options.events * 100 / 2.6e9
        yield 'cat (floor)', ['cat', *sorted(glob.glob(trace + '/cpu/*'))], runs
        yield 'merge', [self.ltt, 'dump', '--format=none', trace], runs
        yield 'text', [self.ltt, 'dump', trace], runs
        yield 'json', [self.ltt, 'dump', '--format=json', trace], runs
        if self.has('stat'):
            yield 'stat -j1', [self.ltt, 'stat', '-j1', trace], runs
            yield 'stat -j2', [self.ltt, 'stat', '-j2', trace], runs
        yield 'window of 1 ms', [self.ltt, 'dump', '--from', '+%.6f' % middle,
                                 '--to', '+%.6f' % (middle + 0.001), trace], runs
        if self.has('export') and shutil.which('babeltrace2'):
            ctf = os.path.join(self.folder, kind + '.ctf')
            subprocess.run([self.ltt, 'export', trace, '-o', ctf, '--to', 'ctf'], check=True)
            yield 'babeltrace2 dummy', ['babeltrace2', '-o', 'dummy', ctf], 2
            yield 'babeltrace2 text', ['babeltrace2', ctf], 1

    def has(self, command):
        return subprocess.run([self.ltt, 'help', command], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def measure(self, kind):
        trace = os.path.join(self.folder, kind)
        subprocess.run([os.path.join(self.options.build, 'bench', 'make-trace'), kind,
                        str(self.options.events), trace], check=True)
        took = {}
        for name, command, runs in self.commands(kind, trace):
            took[name] = seconds(command, runs)
        self.show(kind, took)

    def show(self, kind, took):
        print('\n%s: %d events, %d bytes' % (kind, self.options.events, sum(
            os.path.getsize(path) for path in glob.glob(os.path.join(self.folder, kind, 'cpu', '*')))))
        print('  %-20s %12s %14s' % ('', 'ns an event', 'times the floor'))
        floor = took['cat (floor)']
        for name, wall in took.items():
            print('  %-20s %12.1f %14.1f' % (name, wall * 1e9 / self.options.events, wall / floor))
        for mine, peer in (('merge', 'babeltrace2 dummy'), ('text', 'babeltrace2 text')):
            if peer in took:
                print('  %s: %.1f times as fast as %s' % (mine, took[peer] / took[mine], peer))
        print('  window of 1 ms: %.1f ms in all' % (took['window of 1 ms'] * 1e3))
        if 'stat -j2' in took:
            print('  stat: -j2 is %.2f times as fast as -j1' % (took['stat -j1'] / took['stat -j2']))
        sys.stdout.flush()


def main():
    options = arguments()
    folder = tempfile.mkdtemp(prefix='ltt-bench-')
    try:
        bench = Bench(options, folder)
        for kind in ('pair', 'string', 'nested'):
            bench.measure(kind)
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    main()
