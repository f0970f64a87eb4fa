"""command.py - run the programs under test and check their results."""
import glob
import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from decimal import Decimal

SOURCE = os.environ.get('LTT_SOURCE', os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get('LTT_BUILD', os.path.join(SOURCE, 'build/sanitize'))
LTT = os.path.join(BUILD, 'bin/ltt')
DATA = os.path.join(SOURCE, 'tests/data')

# `scons test-all` also runs tests that take minutes, and finds leaks of commands. To find leaks, and to remember the
# stack of each allocation, doubles the time of a short command.
ALL = 'LTT_TEST_ALL' in os.environ
thorough = unittest.skipUnless(ALL, 'takes long: `scons test-all` runs it')
MEMORY = 'detect_leaks=1' if ALL else 'detect_leaks=0:malloc_context_size=0'

# The exit status of a sanitizer's report must differ from those of the programs.
SANITIZER_STATUS = 99
os.environ.update({
    'ASAN_OPTIONS': 'exitcode=%d:max_allocation_size_mb=4096:%s' % (SANITIZER_STATUS, MEMORY),
    'LSAN_OPTIONS': 'exitcode=%d:print_suppressions=0:suppressions=%s' % (SANITIZER_STATUS, os.path.join(SOURCE, 'tests', 'lsan.supp')),
    'UBSAN_OPTIONS': 'exitcode=%d:print_stacktrace=1' % SANITIZER_STATUS})
ENVIRONMENT = dict(os.environ, XDG_CACHE_HOME='/dev/null')  # no cache, unless a test wants one


def is_root():
    """Whether this process can become any user: not so as root of a user namespace."""
    with open('/proc/self/uid_map', encoding='ascii') as file:
        return os.geteuid() == 0 and file.read().split() == ['0', '0', str(2 ** 32 - 1)]


def some(n):
    """How many of n similar tests to run."""
    return n if ALL else max(1, n // 3)


def some_of(inputs):
    """Those that a test reads that starts many commands for each."""
    return inputs if ALL else inputs[::3]


class Result:
    def __init__(self, status, out, err):
        self.status, self.raw, self.err = status, out, err

    @property
    def out(self):
        return self.raw.decode('utf-8')

    @property
    def lines(self):
        return self.out.splitlines()


def run(program, *arguments, stdout=subprocess.PIPE, timeout=120, **options):
    """Runs a program; fails if it crashes, hangs or is stopped by a sanitizer."""
    words = [program] + [format(word, 'f') if isinstance(word, Decimal) else str(word) for word in arguments]
    process = subprocess.run(words, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                             env=ENVIRONMENT, timeout=timeout, check=False, **options)
    err = process.stderr.decode('utf-8', 'replace')
    if process.returncode < 0 or process.returncode == SANITIZER_STATUS or 'Sanitizer' in err:
        raise AssertionError('%s: status %d\n%s' % (' '.join(map(repr, words)), process.returncode, err))
    return Result(process.returncode, process.stdout or b'', err)


def ltt(*arguments, **options):
    return run(LTT, *arguments, **options)


def sample(name):
    """The path of a sample trace: "every-type", "tracer" ..."""
    for folder in ('ltt', 'ltt-extra', 'ltt-damaged'):
        path = os.path.join(DATA, folder, name)
        if os.path.isdir(path):
            return path
    raise FileNotFoundError(name)


def samples(*folders):
    """The paths of all sample traces in these folders that have a NAME.jsonl beside them."""
    found = []
    for folder in folders or ('ltt', 'ltt-extra'):
        found += [path[:-len('.jsonl')] for path in sorted(glob.glob(os.path.join(DATA, folder, '*.jsonl')))]
    return found


def expected_lines(path):
    with open(path + '.jsonl', encoding='utf-8') as file:
        return file.read().splitlines()


def expected_events(path):
    return [json.loads(line) for line in expected_lines(path)]


def as_json(text):
    """The objects of a dump as JSON lines."""
    return [json.loads(line) for line in text.splitlines()]


def time_ns(event):
    """The time of an event of such a dump."""
    seconds, fraction = event['time'].split('.')
    return int(seconds) * 10**9 + int(fraction)


def is_hidden(event):
    """Whether a dump shows an event only with --all."""
    return event['event'].split('.')[0] in ('builtin', 'tracer', 'losses', 'threads') or event['event'] in (
        'core.facility_load', 'core.block_start', 'core.block_end', 'core.time_heartbeat')


OUTSIDE = re.compile(r'^ltt \w+: --(?:from|to|around): .*(?:, which begins? at .*|: no event can be selected)\n', re.M)


class CommandTest(unittest.TestCase):
    """A test with a temporary folder, and assertions on the results of commands."""

    maxDiff = 4000

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='ltt-test-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def copy(self, trace, name='trace'):
        """A writable copy of a sample trace."""
        shutil.copytree(trace, self.path(name))
        return self.path(name)

    def assert_done(self, result, out=None):
        """Exit status 0 and nothing on stderr but notes that a window is outside of the trace (test_slips.py)."""
        self.assertEqual((result.status, OUTSIDE.sub('', result.err)), (0, ''))
        if out is not None:
            self.assertEqual(result.out, out)

    def assert_failed(self, result, *words, status=2):
        """The exit status, nothing on stdout if it is 2, and a message with these words in it."""
        self.assertEqual(result.status, status, result.err)
        if status == 2:
            self.assertEqual(result.raw, b'')
        for word in words:
            self.assertIn(word, result.err)
        for line in result.err.splitlines():
            self.assertTrue(line.startswith('ltt'), line)
