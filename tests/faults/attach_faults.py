"""attach_faults.py - let each system call of `ltt attach`, and of a program that it attaches, fail, one at a time.

usage: attach_faults.py [--build BUILD] [--of NAME] [--every N] [--at PATTERN]

A program and a forked child of it run; `ltt attach` attaches both, then another program that starts later; it takes a snapshot and
detaches. All of them trace events before, during and after that. strace(1) counts and fails the calls, those of each thread by
themselves (number-threads.c). After each fault:

	- the programs answer, write the same and end as without it
	- a command that fails says why and leaves nothing; one that succeeds has a trace without damage
	- the events in the trace and those lost are those of the programs between attaching and detaching, or the command says
	  what it could not do. The same holds for the snapshot

As root it runs in a PID namespace of its own, because `ltt attach` looks at all processes. The last line counts faults and what
broke these rules. Exit status 1: something did.
"""
import argparse
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import calls
import record_faults
import session_faults
from tally import tally

LIMIT_S = 30
# A program that starts while the command runs is attached within this time.
JOIN_S = 20
EVENTS = session_faults.EVENTS
# EAGAIN of a lock tells a program that the session ends.
ERRORS = dict(record_faults.ERRORS, access=('EACCES',), clock_nanosleep=('EINTR',), munmap=('ENOMEM',), fcntl=('EINVAL', 'EAGAIN', 'ENOLCK'))
# Calls of the program itself, with which it gets its words and answers.
OF_PROGRAM = re.compile(r'\d+ +(read|write)\(\d+<pipe:')
# The C library blocks the signals of a new thread, and ignores errors of that.
OF_THREADS = re.compile(r'rt_sigprocmask\(SIG_BLOCK, ~\[\]')
PREFIX = 'ltt attach: '


class Program:
    """A tracee (tests/stress/tracee.c) with a child."""

    def __init__(self, *words):
        self.process = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)
        self.answers = True
        self.expect(b'ready\n')

    def expect(self, answer):
        """The program writes nothing else, so its answer comes alone."""
        self.answers = bool(self.answers and select.select([self.process.stdout], [], [], LIMIT_S)[0]
                            and os.read(self.process.stdout.fileno(), 100) == answer)

    def do(self, words):
        """Returns: the number of events that it traced."""
        try:
            self.process.stdin.write(b'%s\n' % str(words).encode())
            self.process.stdin.flush()
        except BrokenPipeError:
            self.answers = False
        self.expect(b'done\n')
        return int(str(words).split()[-1])

    def end(self):
        """Returns: what was wrong, or None."""
        try:
            out = self.process.communicate(timeout=LIMIT_S)[0]
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
            return 'the program hangs'
        return None if self.answers and not out and self.process.returncode == 0 else 'the program ends with %s' % self.process.returncode


class Command:
    """A running `ltt attach`, and what it said."""

    def __init__(self, words):
        self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True, env=dict(os.environ, LC_ALL='C.UTF-8'))
        self.said, self.has_ended = '', False

    def hear(self, wait_s):
        """Waits for more messages. Returns: whether there are any"""
        if self.has_ended or not select.select([self.process.stderr], [], [], wait_s)[0]:
            return False
        text = os.read(self.process.stderr.fileno(), 65536).decode('utf-8', 'replace')
        self.has_ended = text == ''
        self.said += text
        return not self.has_ended

    def wait_for(self, text):
        """Waits for a message, or the end. Returns: whether it came"""
        while text not in self.said and self.hear(LIMIT_S):
            pass
        return text in self.said

    def kill(self, signum, is_traced):
        """Sends a signal to the command, not to strace."""
        pid = self.process.pid
        if is_traced:
            with open('/proc/%d/task/%d/children' % (pid, pid), encoding='ascii') as file:
                pid = int((file.read().split() or [0])[0])
        if pid:
            os.kill(pid, signum)

    def end(self):
        """Returns: its exit status."""
        try:
            out, err = self.process.communicate(timeout=LIMIT_S)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.communicate()
            return 'hangs'
        self.said += err.decode('utf-8', 'replace')
        return self.process.returncode if not out else 'writes %r' % out


class Attaching(session_faults.Sessions):
    def __init__(self, build, folder):
        super().__init__(build, folder)
        self.name = self.numbers = None

    def has_joined(self, program):
        with open('/proc/%d/maps' % program.process.pid, encoding='utf-8') as file:
            return self.path('trace') + '/' in file.read()

    def messages(self, command):
        """The messages of the command about faults."""
        return [line for line in command.said.splitlines() if not re.search(r': (attached to \d|\d+ events?, |snapshot taken)', line)]

    def wait_until_joined(self, command, program):
        """Lets a program trace events until it is attached. Returns: the number of its events since then"""
        limit = time.monotonic() + JOIN_S
        while not command.has_ended and time.monotonic() < limit:
            program.do('1')
            if self.has_joined(program):
                return 1
            command.hear(0.01)
            if self.messages(command):
                break
        return 0

    def start_another(self, command, path):
        """Starts a program with the same name and waits until it is attached. Returns: it, and the number of its events since then"""
        program = Program(path)
        return program, self.wait_until_joined(command, program)

    def judge_trace(self, command, trace, expected):
        found, lost, damage = self.count_events(trace)
        if damage:
            return damage
        messages = self.messages(command)
        if found + lost > expected or (found + lost < expected and not messages):
            return '%d events and %d lost, not %d: %s' % (found, lost, expected, command.said)
        return None

    def judge_snapshot(self, command, expected):
        if os.path.exists(self.path('trace.snapshot.1')):
            return self.judge_trace(command, self.path('trace.snapshot.1'), expected)
        return None if self.messages(command) else 'no snapshot: ' + command.said

    def judge_end(self, command, status, expected):
        if status not in (0, 1, 2):
            return 'ends with %s: %s' % (status, command.said[-300:])
        left = os.path.lexists(self.path('trace'))
        if status == 2 and left and ': 0 events' not in command.said:
            return None if self.messages(command) and not self.judge_trace(command, self.path('trace'), expected) else 'leaves a trace: ' + command.said
        if status and not self.messages(command):
            return 'status %d without a message: %s' % (status, command.said)
        if status == 2:
            return None
        return self.judge_trace(command, self.path('trace'), expected) if left else 'makes nothing, with status %d' % status

    def attach(self, options, program_options):
        """Returns: what was wrong, or None. options: of strace for the command, or for the program; empty: not traced"""
        path = shutil.copy(self.probe('tracee'), self.path('t-' + self.work[-8:]))
        strace = ['strace', '-f', '-qq']
        first = Program(*([*strace, *program_options] if program_options else []), path)
        first.do('child 0')
        first.do(EVENTS)
        command = Command([*([*strace, *options] if options else []), self.ltt, 'attach', '-o', self.path('trace'), '--no-machine', '--name', os.path.basename(path),
                           '--snapshot-on', 'USR1'])
        n, n_before, wrong, others = 0, 0, None, []
        if command.wait_for(': attached to ') or not command.has_ended:  # the message may be the write that failed
            n = first.do(EVENTS) + first.do('child %d' % EVENTS)
            second, n_second = self.start_another(command, path)
            n, others = n + n_second, [second]
            command.kill(signal.SIGUSR1, options)
            said = len(command.said)
            while len(command.said) == said and command.hear(LIMIT_S):
                pass
            n_before = n
            n += first.do(EVENTS) + first.do('child %d' % EVENTS) + (second.do(EVENTS) if n_second else 0)
            command.kill(signal.SIGINT, options)
        status = command.end()
        for program in [first, *others]:
            program.do(EVENTS)
            wrong = program.end() or wrong
        if others and not wrong:
            wrong = self.judge_snapshot(command, n_before) or (None if n_second or self.messages(command) else 'does not attach the second program')
        left = [name for name in os.listdir(self.work) if name not in ('trace', os.path.basename(path)) and not re.fullmatch(r'trace\.snapshot\.\d', name)]
        return wrong or self.judge_end(command, status, n) or ('leaves %s' % left if left else None)

    SCENARIOS = ('attach', 'attached')

    def run_traced(self, name, options):
        self.work = tempfile.mkdtemp(dir=self.folder)
        try:
            return self.attach(options, []) if name == 'attach' else self.attach([], options)
        finally:
            shutil.rmtree(self.work, ignore_errors=True)
            reap()

    def find(self, name, tasks, numbers):
        if name == 'attached':
            answered = next(index for index, (_, line) in enumerate(tasks[0]) if re.search(r'write\(1<.*>, "ready', line))
            # Its pipes and the fork.
            begin = [next(index for index, (_, line) in enumerate(tasks[0][answered:], answered) if re.search(r'write\(1<.*>, "done', line)), *[0] * (len(tasks) - 1)]
            return numbers.find(tasks, dict(ERRORS, fcntl=('EINVAL', 'ENOLCK')), is_own=lambda task, index: index > begin[task] and not OF_PROGRAM.match(tasks[task][index][1]))
        return numbers.find(tasks, ERRORS, start=numbers.count(self.ltt, 'attach', '--help'),
                            is_own=lambda task, index: not OF_THREADS.search(tasks[task][index][1]))

    def try_scenario(self, name, every, at=''):
        """Yields (fault, what went wrong or None) for each fault, or for every N-th one. at: a pattern in a line of strace(1)"""
        log = os.path.join(self.folder, 'log')
        numbers = calls.Numbers('ltt', self.folder)
        if name == 'attached':  # the name is that of the copy
            numbers.program = ''
        wrong = self.run_traced(name, ['-y', '-o', log, *numbers.options()])
        if wrong:
            raise RuntimeError('%s without a fault: %s' % (name, wrong))
        tasks = calls.read_log(log)
        for fault in [fault for fault in self.find(name, tasks, numbers) if re.search(at, fault.line)][::every]:
            yield fault, self.run_traced(name, numbers.inject(tasks, fault))


def reap():
    """Waits for the children of programs that have ended, which the first process of a PID namespace gets."""
    try:
        while os.getpid() == 1 and os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        pass


def alone():
    """Executes this program again in a PID namespace of its own, if that is possible."""
    words = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
    if 'LTT_FAULTS_ALONE' not in os.environ and subprocess.run([*words, 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0:
        os.environ['LTT_FAULTS_ALONE'] = '1'
        os.execvp(words[0], [*words, sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--of', choices=Attaching.SCENARIOS)
    parser.add_argument('--every', type=int, default=1, help='try every N-th fault')
    parser.add_argument('--at', default='', help='only calls with this pattern in the line of strace(1)')
    options = parser.parse_args()
    alone()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        attaching = Attaching(os.path.abspath(options.build), folder)
        tried = (('%s: %s number %d of thread %d, %s' % (name, fault.call, fault.number, fault.task, fault.error), wrong)
                 for name in ([options.of] if options.of else Attaching.SCENARIOS)
                 for fault, wrong in attaching.try_scenario(name, options.every, options.at))
        status = tally('faults of attaching', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
