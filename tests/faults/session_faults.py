"""session_faults.py - let each system call of what meets a running recording fail, one at a time: of `ltt snapshot`, and of a program
that joins late.

usage: session_faults.py [--build BUILD] [--of NAME] [--every N]

strace(1) counts and fails the calls, as in faults.py. After each fault:

	- the traced programs answer, write the same and end as without it
	- a command that succeeds has a trace without damage, with all events up to then; one that fails says why and leaves nothing
	- the events in the trace of the session and those lost are those that its programs traced; a program that could not join
	  traced none

The last line counts faults and what broke these rules. Exit status 1: something did.
"""
import argparse
import collections
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import record_faults
from tally import tally

EVENTS = 500
BLOCK_BYTES = 4096
LIMIT_S = 60
ERRORS = record_faults.ERRORS

Ended = collections.namedtuple('Ended', 'status out err')


class Program:
    """A tracee (tests/stress/tracee.c), which writes events on request."""

    def __init__(self, path, **environment):
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=dict(os.environ, **environment))
        self.answers = self.process.stdout.readline() == 'ready\n'
        self.n_events = 0

    def trace(self):
        self.process.stdin.write('%d\n' % EVENTS)
        self.process.stdin.flush()
        self.n_events += EVENTS
        self.answers = self.process.stdout.readline() == 'done\n' and self.answers

    def end(self):
        """Returns: what was wrong, or None."""
        out = self.process.communicate(timeout=LIMIT_S)[0]
        return None if self.answers and not out and self.process.returncode == 0 else 'the program ends with %s' % self.process.returncode


class Sessions:
    def __init__(self, build, folder):
        self.build, self.folder = build, folder
        self.ltt = os.path.join(build, 'bin/ltt')
        self.work = None

    def path(self, name):
        return os.path.join(self.work, name)

    def probe(self, name):
        return os.path.join(self.build, 'probe', name)

    def session(self, verb, *words):
        return subprocess.run([self.probe('session'), verb, self.path('trace'), *map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              check=True).stdout.decode()

    def strace(self, options, *words, **environment):
        try:
            done = subprocess.run(['strace', '-f', '-qq', *options, *words], cwd=self.work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, timeout=LIMIT_S, check=False, env=dict(os.environ, LC_ALL='C.UTF-8', **environment))
            return Ended(done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace'))
        except subprocess.TimeoutExpired:
            return Ended('hangs', b'', '')

    def count_events(self, trace):
        """Returns: the events of a trace, those lost, and what was wrong with it, or None."""
        check = subprocess.run([self.ltt, 'check', trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        stat = json.loads(subprocess.run([self.ltt, 'stat', '--json', trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout or '{}')
        said = check.stdout.decode('utf-8', 'replace')
        return stat.get('by_event', {}).get('demo.pair', 0), stat.get('lost', 0), said if check.returncode not in (0, 1) or 'damaged' in said else None

    def judge_command(self, ended, made):
        """What a command did wrong that makes a trace, or None."""
        if ended.status not in (0, 1, 2):
            return 'ends with %s: %s' % (ended.status, ended.err[-300:])
        if ended.status and not ended.err.strip():
            return 'status %d without a message' % ended.status
        left = [name for name in os.listdir(self.work) if name.startswith(os.path.basename(made))]
        if ended.status == 2 and left:
            return 'leaves %s: %s' % (left, ended.err)
        return None if ended.status == 2 or left else 'makes nothing, with status %d' % ended.status

    # The scenarios return what was wrong, or None. options: of strace.

    def snapshot(self, options):
        self.session('create', 0, BLOCK_BYTES)
        program = Program(self.probe('tracee'), LTT_TRACE_DIR=self.path('trace'))
        program.trace()
        ended = self.strace(options, self.ltt, 'snapshot', self.path('trace'), '-o', self.path('copy'))
        wrong = self.judge_command(ended, self.path('copy'))
        if not wrong and ended.status == 0:
            found, lost, wrong = self.count_events(self.path('copy'))
            wrong = wrong or (None if found + lost == EVENTS else '%d events and %d lost in the copy' % (found, lost))
        program.trace()
        wrong = program.end() or wrong
        self.session('finish')
        found, lost, damage = self.count_events(self.path('trace'))
        return wrong or damage or (None if found + lost == program.n_events else '%d events and %d lost' % (found, lost))

    def late(self, options):
        self.session('create', 0, BLOCK_BYTES)
        program = Program(self.probe('tracee'), LTT_TRACE_DIR=self.path('trace'))
        program.trace()
        ended = self.strace(options, self.probe('steady'), str(EVENTS), LTT_TRACE_DIR=self.path('trace'))
        program.trace()
        wrong = program.end() or (None if (ended.status, ended.out) == (record_faults.STATUS, record_faults.LINE) else 'ends with %s, %r' % (ended.status, ended.out))
        self.session('finish')
        found, lost, damage = self.count_events(self.path('trace'))
        return wrong or damage or (None if found + lost in (program.n_events, program.n_events + EVENTS) else '%d events and %d lost' % (found, lost))

    SCENARIOS = {'snapshot': snapshot, 'late': late}

    def run(self, name, *options):
        self.work = tempfile.mkdtemp(dir=self.folder)
        try:
            return self.SCENARIOS[name](self, options)
        finally:
            shutil.rmtree(self.work, ignore_errors=True)

    def count(self, *words):
        log = os.path.join(self.folder, 'log')
        if words:
            subprocess.run(['strace', '-f', '-qq', '-o', log, *words], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with open(log, encoding='utf-8', errors='replace') as file:
            return collections.Counter(match[1] for match in (re.match(r'(?:\d+ +)?(\w+)\(', line) for line in file) if match)

    def try_scenario(self, name, every, first=0, of=ERRORS):
        """Yields (call, number, errno, what went wrong or None) for each fault, or for every N-th one. of: the calls that fail"""
        wrong = self.run(name, '-o', os.path.join(self.folder, 'log'))
        if wrong:
            raise RuntimeError('%s without a fault: %s' % (name, wrong))
        counts = self.count()
        start = self.count(self.probe('steady'), str(EVENTS)) if name == 'late' else self.count(self.ltt, name, '--help')
        # The program itself writes its line with the last call.
        tried = [(call, number, error) for call in sorted(counts) if call in of and not (name == 'late' and call == 'write')
                 for number in range(start[call] + 1, counts[call] + 1) for error in ERRORS[call]]
        for call, number, error in tried[first::every]:
            yield call, number, error, self.run(name, '-e', 'inject=%s:error=%s:when=%d' % (call, error, number), '-e', 'trace=' + call, '-e', 'signal=none', '-o', '/dev/null')


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--of', choices=sorted(Sessions.SCENARIOS))
    parser.add_argument('--every', type=int, default=1, help='try every N-th fault')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        sessions = Sessions(os.path.abspath(options.build), folder)
        tried = (('%s: %s number %d, %s' % (name, call, number, error), wrong)
                 for name in ([options.of] if options.of else Sessions.SCENARIOS)
                 for call, number, error, wrong in sessions.try_scenario(name, options.every))
        status = tally('faults of sessions', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
