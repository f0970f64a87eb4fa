"""mutants.py - make small changes to the library, one at a time, and count those that the tests notice.

usage: mutants.py [--build BUILD] [--sample N] [--seed S] [--jobs N] [--tests NAME...] --files FILE...
                                                                     files of libltt, such as libltt/reader/block.c

Takes N of the mutants of all files at random. Each is compiled and linked to a shared library, with which the programs of
BUILD and the tests that are named run, cheapest first, until one fails. A mutant is

    killed      a test fails, a sanitizer reports, or a program hangs
    survived    all tests pass: printed with its place; either a test is missing, or the change has no effect
    equivalent  the compiler makes the same code of it, or does not compile it: not counted
    known       mutants.equivalent names it and says why it changes nothing: not counted

The last line is the share that was killed. Before the first mutant the tests run without one, in as many processes as
later, and must pass. Build the programs before: `scons build/sanitize/tests build/sanitize/bin build/sanitize/probe
build/sanitize/samples`, or the same without "sanitize/". The tests of session/ need `--build build`.
"""
import argparse
import hashlib
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor

import mutations
from programs import SOURCE, Programs

# In seconds, for a test without a mutant; one with a mutant hangs after a multiple of that.
LIMIT_S = 300
LONGEST = 4
LEAST_S = 30


def kill_remains(folder):
    """Ends the processes that a test left. Their environment has the folder of the mutant."""
    for pid in filter(str.isdigit, os.listdir('/proc')):
        try:
            with open('/proc/%s/environ' % pid, 'rb') as file:
                if b'LD_LIBRARY_PATH=' + folder.encode() in file.read():
                    os.kill(int(pid), signal.SIGKILL)
        except OSError:
            pass


class Runner:
    def __init__(self, folder, options):
        self.folder, self.options = folder, options
        self.programs = Programs(options.build, folder)
        self.plain = {path: self.compile(path, folder, None) for path in options.files}
        self.limits_s = {}
        self.known = mutations.equivalent(os.path.join(SOURCE, 'tests/mutants/mutants.equivalent'))

    def compile(self, path, folder, text):
        """Returns the digest of the object file; None: does not compile."""
        made = os.path.join(folder, 'mutant.o')
        if not self.programs.compile(path, made, text):
            return None
        with open(made, 'rb') as file:
            return hashlib.sha256(file.read()).hexdigest()

    def run_test(self, test, folder, limit_s):
        """Returns None if the test passes, otherwise why not."""
        environment = dict(os.environ, LD_LIBRARY_PATH=folder, TMPDIR=folder)
        command = [sys.executable, os.path.join(SOURCE, 'tests/harness.py'), '--build', self.folder, '--use',
                   self.folder if not self.programs.sanitize else os.path.join(SOURCE, 'build'), '--jobs', '1', '--only', test]
        try:
            run = subprocess.run(command, cwd=SOURCE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, text=True, timeout=limit_s, check=False)
        except subprocess.TimeoutExpired:
            return 'hangs in ' + test
        finally:
            kill_remains(folder)
        if run.returncode != 0:
            failed = [line for line in run.stdout.splitlines() if line.startswith('FAILED')]
            return failed[0] if failed else test
        return None

    def base_line(self, _):
        """Runs the tests without a mutant. Returns those that fail, and notes how long each takes."""
        failed = []
        with tempfile.TemporaryDirectory(prefix='ltt-mutant-', dir='/dev/shm', ignore_cleanup_errors=True) as folder:
            for name in ('libmutant.so', 'libmutant-probe.so'):
                shutil.copy(os.path.join(self.folder, name), folder)
            for test in self.options.tests:
                begin_s = time.monotonic()
                failed += filter(None, [self.run_test(test, folder, LIMIT_S)])
                self.limits_s[test] = max(LEAST_S, LONGEST * (time.monotonic() - begin_s), self.limits_s.get(test, 0))
        return failed

    def run(self, mutant):
        """Returns 'killed', 'survived', 'equivalent' or 'known', and by what."""
        if mutant.key in self.known:
            return 'known', self.known[mutant.key]
        with tempfile.TemporaryDirectory(prefix='ltt-mutant-', dir='/dev/shm', ignore_cleanup_errors=True) as folder:
            digest = self.compile(mutant.path, folder, mutations.apply(mutant))
            if digest in (None, self.plain[mutant.path]):
                return 'equivalent', ''
            self.programs.link_mutant(folder, mutant.path[:-2], os.path.join(folder, 'mutant.o'))
            for test in self.options.tests:
                by = self.run_test(test, folder, self.limits_s[test])
                if by:
                    return 'killed', by
        return 'survived', ''


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build/sanitize', help='whose programs run')
    parser.add_argument('--sample', type=int, default=100, help='how many mutants to try')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--tests', nargs='+', default=['test-'], help='parts of names of tests, cheapest first')
    parser.add_argument('--files', nargs='+', required=True)
    return parser.parse_args()


def main():
    options = arguments()
    every = [mutant for path in options.files for mutant in mutations.of_file(os.path.join(SOURCE, path))]
    every = [mutant._replace(path=os.path.relpath(mutant.path, SOURCE)) for mutant in every]
    os.chdir(SOURCE)
    sample = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    counts = {'killed': 0, 'survived': 0, 'equivalent': 0, 'known': 0}
    folder = tempfile.mkdtemp(prefix='ltt-mutants-', dir='/dev/shm')
    try:
        runner = Runner(folder, options)
        with ThreadPoolExecutor(options.jobs) as pool:
            failed = sum(pool.map(runner.base_line, range(options.jobs)), [])
            if failed:
                sys.exit('these tests fail without a mutant:\n' + '\n'.join(failed))
            print('without a mutant all tests pass, %d times' % options.jobs, flush=True)
            for mutant, (end, by) in zip(sample, pool.map(runner.run, sample)):
                counts[end] += 1
                print('%-10s %s:%d: %s%s' % (end, mutant.path, mutant.line, mutant.what, '  (%s)' % by if by else ''), flush=True)
    finally:
        shutil.rmtree(folder)
    tried = counts['killed'] + counts['survived']
    print('%d of %d mutants tried: %d killed, %d survived, %d without an effect on the code, %d known to change nothing; %.0f %% killed'
          % (len(sample), len(every), counts['killed'], counts['survived'], counts['equivalent'], counts['known'],
             100 * counts['killed'] / max(tried, 1)))


if __name__ == '__main__':
    main()
