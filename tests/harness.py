"""Runs all tests and reports the results.

Unit tests are the programs under BUILD/tests; they print TAP. The others are unittest cases in
tests/*/test_*.py; they find the programs under test through the environment: LTT_BUILD (with
sanitizers), LTT_USE (the normal build), LTT_SOURCE (the source tree). The last line is "N passed, N
failed", and ", N skipped" if tests were skipped.

Files of tests run in parallel, each in its own process. Those that record the machine, or load all
CPUs, run after the others; with LTT_TEST_ALL=1, one at a time. They would pass among the others,
too, but test less, because a recording among busy processes rarely runs at full speed.
"""

import argparse
import faulthandler
import glob
import importlib.util
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import partial

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

# Beginnings of the names of files that run after the others.
RECORDING = ('cli.test_attach', 'cli.test_kernel', 'cli.test_losses', 'cli.test_record_kernel', 'probe.', 'stress.')
# These share an installation, and run SCons in the source tree.
IN_TURN = 'install.'
# A process that tests longer than this has hung: it prints where, and ends.
LIMIT_S = 900 * max(1, int(os.environ.get('LTT_STRESS', 1)) // 8)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build/sanitize', help='where the programs under test are')
    parser.add_argument('--use', default='build', help='where the programs as built for use are')
    parser.add_argument('--only', default='', help='run tests whose name has this in it')
    parser.add_argument('--jobs', type=int, default=len(os.sched_getaffinity(0)),
                        help='number of processes (default: one for each CPU)')
    parser.add_argument('--files', nargs='+', default=[], help='run these files in this process')
    parser.add_argument('--tally', help='with --files: where to write the tally as JSON')
    return parser.parse_args()


class Tally:
    def __init__(self, passed=0, failed=(), skipped=()):
        self.passed, self.failed, self.skipped = passed, list(failed), list(skipped)

    def add(self, other):
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped

    def line(self):
        text = '%d passed, %d failed' % (self.passed, len(self.failed))
        return text + (', %d skipped' % len(self.skipped) if self.skipped else '')


def run_unit_program(program):
    """Returns the output to print, and the tally."""
    name = os.path.basename(program)
    # GLib's allocator of small objects hides leaks.
    environment = dict(os.environ, G_SLICE='always-malloc')
    run = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=SOURCE, env=environment, check=False)
    output = run.stdout.decode('utf-8', 'replace')
    lines = output.splitlines()
    failed = [line for line in lines if line.startswith('not ok')]
    ended = any(line.startswith('1..') for line in lines)
    tally = Tally(sum(line.startswith('ok ') for line in lines), [name + ': ' + line for line in failed])
    if (run.returncode != 0 and not failed) or not ended:
        tally.failed.append('%s: ended with status %d' % (name, run.returncode))
    if not tally.failed:
        return 'ok     %s\n' % name, tally
    return 'FAIL   %s\n%s\n' % (name, output), tally


class Result(unittest.TestResult):
    """Prints a line for each test and counts the results."""

    def __init__(self, tally):
        super().__init__()
        self.tally = tally
        self.started = 0

    def startTest(self, test):
        super().startTest(test)
        self.started = time.monotonic()

    def say(self, word, test, text=''):
        took = time.monotonic() - self.started
        print('%-6s %s%s' % (word, test.id(), ' (%.1f s)' % took if took > 1 else ''))
        if text:
            print(text)
        sys.stdout.flush()

    def addSuccess(self, test):
        self.tally.passed += 1
        self.say('ok', test)

    def fail(self, test, err):
        self.tally.failed.append(test.id())
        self.say('FAIL', test, self._exc_info_to_string(err, test))

    addFailure = fail
    addError = fail

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.fail(subtest, err)

    def addSkip(self, test, reason):
        self.tally.skipped.append(test.id())
        self.say('skip', test, '       ' + reason)


def cases(suite):
    for item in suite:
        if isinstance(item, unittest.TestSuite):
            yield from cases(item)
        else:
            yield item


def find_files():
    """The names of all files of tests, as the names of tests begin; large files, which may take long, first."""
    paths = glob.glob(os.path.join(SOURCE, 'tests', '*', 'test_*.py'))
    return ['%s.%s' % (os.path.basename(os.path.dirname(path)), os.path.basename(path)[:-len('.py')])
            for path in sorted(paths, key=os.path.getsize, reverse=True)]


def load(name):
    """The test cases of a file."""
    path = os.path.join(SOURCE, 'tests', *name.split('.')) + '.py'
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return cases(unittest.defaultTestLoader.loadTestsFromModule(module))


def run_files(names, only):
    """Runs the tests of files in this process."""
    result = Result(Tally())
    for name in names:
        for case in load(name):
            if only in case.id():
                case.run(result)
    return result.tally


def run_part(names, options):
    """Runs the tests of files in another process. Returns the output to print, and the tally."""
    # The output is no pipe, because a program that is left behind would keep it open.
    with tempfile.TemporaryFile() as output, tempfile.NamedTemporaryFile() as tally:
        run = subprocess.run([sys.executable, __file__, '--build', options.build, '--use', options.use, '--only', options.only,
                              '--tally', tally.name, '--files', *names],
                             stdout=output, stderr=subprocess.STDOUT, check=False)
        output.seek(0)
        text = output.read().decode('utf-8', 'replace')
        if run.returncode == 0:
            return text, Tally(**json.load(tally))
        return text, Tally(failed=['%s: ended with status %d' % (' '.join(names), run.returncode)])


def run_all(options, tally):
    only = options.only
    programs = [path for path in sorted(glob.glob(os.path.join(options.build, 'tests', 'test-*')))
                if only in os.path.basename(path)]
    names = [name for name in find_files() if not only or any(only in case.id() for case in load(name))]
    if not programs and len(names) == 1:
        tally.add(run_files(names, only))
        return
    recording = [name for name in names if name.startswith(RECORDING)]
    in_turn = sorted(name for name in names if name.startswith(IN_TURN))
    together = [[name] for name in names if name not in recording + in_turn]
    parts = ([in_turn] if in_turn else []) + together
    run_parallel(options.jobs, tally, [partial(run_part, part, options) for part in parts] +
                 [partial(run_unit_program, program) for program in programs])
    run_parallel(1 if os.environ.get('LTT_TEST_ALL') else options.jobs, tally, [partial(run_part, [name], options) for name in recording])


def run_parallel(n_jobs, tally, calls):
    """Makes the calls, which return output and a tally; prints, and adds."""
    with ThreadPoolExecutor(n_jobs) as pool:
        for done in as_completed([pool.submit(call) for call in calls]):
            text, part = done.result()
            print(text, end='', flush=True)
            tally.add(part)


def main():
    options = arguments()
    # A shell without job control starts background commands with these ignored, and their children inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGQUIT, signal.SIG_DFL)
    os.environ['LTT_BUILD'] = os.path.abspath(options.build)
    os.environ['LTT_USE'] = os.path.abspath(options.use)
    os.environ['LTT_SOURCE'] = SOURCE
    os.environ['LC_ALL'] = 'C.UTF-8'
    sys.path.insert(0, os.path.join(SOURCE, 'tests'))
    if options.files:
        faulthandler.dump_traceback_later(LIMIT_S, exit=True)
        with open(options.tally, 'w', encoding='utf-8') as file:
            json.dump(vars(run_files(options.files, options.only)), file)
        return 0
    tally = Tally()
    run_all(options, tally)
    print()
    for name in tally.failed:
        print('FAILED %s' % name)
    print(tally.line())
    return 1 if tally.failed or not tally.passed else 0


if __name__ == '__main__':
    sys.exit(main())
