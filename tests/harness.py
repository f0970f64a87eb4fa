#!/usr/bin/env python3
"""Runs all tests and reports the results.

Unit tests are the programs under BUILD/tests; they print TAP. The others are unittest cases in
tests/*/test_*.py; they find the programs under test through the environment: LTT_BUILD (with
sanitizers), LTT_USE (the normal build), LTT_SOURCE (the source tree). The last line is "N passed, N
failed", and ", N skipped" if tests were skipped.
"""

import argparse
import glob
import importlib.util
import os
import subprocess
import sys
import time
import unittest

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build/sanitize', help='where the programs under test are')
    parser.add_argument('--use', default='build', help='where the programs as built for use are')
    parser.add_argument('--only', default='', help='run tests whose name has this in it')
    return parser.parse_args()


class Tally:
    def __init__(self):
        self.passed, self.failed, self.skipped = 0, [], []

    def line(self):
        text = '%d passed, %d failed' % (self.passed, len(self.failed))
        return text + (', %d skipped' % len(self.skipped) if self.skipped else '')


def run_unit_programs(build, only, tally):
    for program in sorted(glob.glob(os.path.join(build, 'tests', 'test-*'))):
        name = os.path.basename(program)
        if only not in name:
            continue
        run = subprocess.run([program], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=SOURCE,
                             check=False)
        output = run.stdout.decode('utf-8', 'replace')
        lines = output.splitlines()
        failed = [line for line in lines if line.startswith('not ok')]
        ended = any(line.startswith('1..') for line in lines)
        tally.passed += sum(line.startswith('ok ') for line in lines)
        tally.failed += [name + ': ' + line for line in failed]
        if (run.returncode != 0 and not failed) or not ended:
            tally.failed.append('%s: ended with status %d' % (name, run.returncode))
        print('%-6s %s' % ('FAIL' if failed or run.returncode or not ended else 'ok', name))
        if failed or run.returncode or not ended:
            print(output)


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


def run_python_tests(only, tally):
    result = Result(tally)
    for path in sorted(glob.glob(os.path.join(SOURCE, 'tests', '*', 'test_*.py'))):
        folder = os.path.basename(os.path.dirname(path))
        name = '%s.%s' % (folder, os.path.basename(path)[:-3])
        spec = importlib.util.spec_from_file_location(name, path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        for case in cases(unittest.defaultTestLoader.loadTestsFromModule(module)):
            if only in case.id():
                case.run(result)


def main():
    options = arguments()
    os.environ['LTT_BUILD'] = os.path.abspath(options.build)
    os.environ['LTT_USE'] = os.path.abspath(options.use)
    os.environ['LTT_SOURCE'] = SOURCE
    os.environ['LC_ALL'] = 'C.UTF-8'
    sys.path.insert(0, os.path.join(SOURCE, 'tests'))
    tally = Tally()
    run_unit_programs(options.build, options.only, tally)
    run_python_tests(options.only, tally)
    print()
    for name in tally.failed:
        print('FAILED %s' % name)
    print(tally.line())
    return 1 if tally.failed or not tally.passed else 0


if __name__ == '__main__':
    sys.exit(main())
