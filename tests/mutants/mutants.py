"""mutants.py - make small changes to the library, one at a time, and count those that the tests notice.

usage: mutants.py [--build BUILD] [--sample N] [--seed S] [--jobs N] [--tests NAME...] [--again LOG] --files FILE...
                                                                     files of libltt, such as libltt/reader/block.c

Takes N of the mutants of all files at random. Each is compiled and linked to a shared library, with which the programs of
BUILD and the tests that are named run, quickest first, until one fails. The test that noticed the last mutant of a file is
the first for the next one. A mutant is

    killed      a test fails, a sanitizer or GLib reports, or a program hangs
    survived    all tests pass: printed with its place; either a test is missing, or the change has no effect
    equivalent  the compiler makes the same code of it, or does not compile it: not counted
    known       mutants.equivalent names it and says why it changes nothing: not counted

With --again only those that survived a run before are tried, whose output is in LOG: first run the fast tests, and then
others for what they leave.

The last line is the share that was killed; less than --least percent is an error. Before the first mutant the tests run without one, in as many processes as
later, and must pass. Build the programs before: `scons build/sanitize/tests build/sanitize/bin build/sanitize/probe
build/sanitize/samples`, or the same without "sanitize/". The tests of session/ need `--build build`.
"""
import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import namedtuple
from concurrent.futures import ThreadPoolExecutor

import mutations
from programs import SOURCE, Programs

# In seconds, for a test without a mutant; one with a mutant hangs after a multiple of that.
LIMIT_S = 300
LONGEST = 4
LEAST_S = 15

# A program of unit tests, or a file of other tests and the part of their names.
Test = namedtuple('Test', 'name only')


def find_tests(folder, parts):
    """The programs of unit tests with one of the parts in their names, and the other tests, as harness.py finds them."""
    os.environ.update(LTT_BUILD=folder, LTT_USE=folder, LTT_SOURCE=SOURCE)
    import harness
    units = [name for name in sorted(os.listdir(os.path.join(folder, 'tests'))) if name.startswith('test-')]
    found = [Test(name, None) for name in units if any(part in name for part in parts)]
    others = [part for part in parts if not any(part in name for name in units)]
    for name in harness.find_files() if others else []:
        ids = [case.id() for case in harness.load(name)]
        found += [Test(name, part) for part in others if any(part in case for case in ids)]
    return found


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
        self.programs = Programs(options.build, folder, options.tests)
        self.plain = {path: self.compile(path, folder, None) for path in options.files}
        self.took_s, self.killers = {}, {}
        self.tests = find_tests(folder, options.tests)
        if not self.tests:
            sys.exit('no test has any of these names: %s; build the programs before (--help)' % ' '.join(options.tests))
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
        use = self.folder if not self.programs.sanitize else os.path.join(SOURCE, 'build')
        environment = dict(os.environ, LD_LIBRARY_PATH=folder, TMPDIR=folder, LTT_SOURCE=SOURCE,
                           G_SLICE='always-malloc',     # so that leaks are seen,
                           G_DEBUG='fatal-criticals')  # and wrong arguments
        tally = os.path.join(folder, 'tally')
        if test.only is None:
            command = [os.path.join(self.folder, 'tests', test.name)]
        else:
            command = [sys.executable, os.path.join(SOURCE, 'tests/harness.py'), '--build', self.folder, '--use', use,
                       '--only', test.only, '--tally', tally, '--files', test.name]
        try:
            run = subprocess.run(command, cwd=SOURCE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL, timeout=limit_s, check=False)
        except subprocess.TimeoutExpired:
            return 'hangs in ' + test.name
        finally:
            kill_remains(folder)
        if run.returncode != 0:
            return test.name
        if test.only is not None:
            with open(tally, encoding='utf-8') as file:
                failed = json.load(file)['failed']
            return failed[0] if failed else None
        return None

    def base_line(self, _):
        """Runs the tests without a mutant. Returns those that fail, and notes how long each takes."""
        failed = []
        with tempfile.TemporaryDirectory(prefix='ltt-mutant-', dir='/dev/shm', ignore_cleanup_errors=True) as folder:
            for room in self.programs.rooms:
                os.symlink(os.path.join(self.folder, 'libmutant-%s.so' % room), os.path.join(folder, 'libmutant-%s.so' % room))
            for test in self.tests:
                begin_s = time.monotonic()
                failed += filter(None, [self.run_test(test, folder, LIMIT_S)])
                self.took_s[test] = max(time.monotonic() - begin_s, self.took_s.get(test, 0))
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
            last = self.killers.get(mutant.path)
            for test in sorted(self.tests, key=lambda test: (test != last, self.took_s[test])):
                by = self.run_test(test, folder, max(LEAST_S, LONGEST * self.took_s[test]))
                if by:
                    self.killers[mutant.path] = test
                    return 'killed', by
        return 'survived', ''


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build/sanitize', help='whose programs run')
    parser.add_argument('--sample', type=int, default=100, help='how many mutants to try')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--tests', nargs='+', default=['test-'], help='parts of names of tests')
    parser.add_argument('--least', type=float, default=0, help='percent of the mutants that the tests must notice')
    parser.add_argument('--again', help='output of a run: try only what survived it')
    parser.add_argument('--files', nargs='+', required=True)
    return parser.parse_args()


def place(mutant):
    return '%s:%d:%d: %s' % (mutant.path, mutant.line, mutant.column, mutant.what)


def survivors(path):
    """The places of the mutants that survived a run with this output."""
    with open(path, encoding='utf-8') as file:
        return {line.split(None, 1)[1].strip() for line in file if line.startswith('survived')}


def main():
    options = arguments()
    sys.path.insert(0, os.path.join(SOURCE, 'tests'))
    every = [mutant for path in options.files for mutant in mutations.of_file(os.path.join(SOURCE, path))]
    every = [mutant._replace(path=os.path.relpath(mutant.path, SOURCE)) for mutant in every]
    if options.again:
        places = survivors(options.again)
        every = [mutant for mutant in every if place(mutant) in places]
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
                print('%-10s %s%s' % (end, place(mutant), '  (%s)' % by if by else ''), flush=True)
    finally:
        shutil.rmtree(folder)
    tried = counts['killed'] + counts['survived']
    print('%d of %d mutants tried: %d killed, %d survived, %d without an effect on the code, %d known to change nothing; %.0f %% killed'
          % (len(sample), len(every), counts['killed'], counts['survived'], counts['equivalent'], counts['known'],
             100 * counts['killed'] / max(tried, 1)))
    sys.exit(100 * counts['killed'] < options.least * tried)


if __name__ == '__main__':
    main()
