"""record_faults.py - let each system call of `ltt record`, and of a program that it traces, fail, one at a time.

usage: record_faults.py [--build BUILD] [--of NAME] [--every N]

strace(1) runs the program once to count its calls, and then once for each call and errno. Calls that the program makes without a
session, too, are left out: they are those of the dynamic loader and its own. After each fault:

	- the program writes the same line and ends with the same status as without tracing. Only if `ltt record` could not start
	  it, there is no line, and the status is 2 or 126 with a message
	- `ltt record` ends by itself, and says what was lost
	- the trace is free of damage; its events and those lost are the events of the program, or the message tells that the
	  program could not record, or that the recorder failed

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

import faults
from tally import tally

EVENTS = 30000
STATUS, LINE = 3, b'done\n'
LIMIT_S = 60
# Of the program, after its events.
AT_END = ('write',)

# A call of futex(2) between threads does not fail, and close(2) closes the descriptor even if it fails.
ERRORS = {call: errors for call, errors in faults.ERRORS.items() if call != 'close'}
ERRORS.update({
    'mremap': ('ENOMEM',), 'madvise': ('ENOMEM', 'EINVAL'), 'mprotect': ('ENOMEM',), 'memfd_create': ('EMFILE', 'ENFILE'), 'prctl': ('EINVAL', 'EPERM'),
    'membarrier': ('ENOSYS', 'EPERM'), 'rt_sigprocmask': ('EINVAL',), 'tgkill': ('ESRCH', 'EPERM'), 'readlink': ('ENOENT', 'EACCES'),
    'socket': ('EMFILE', 'EACCES'), 'connect': ('ECONNREFUSED', 'EACCES'), 'sendmsg': ('EPIPE', 'EAGAIN'),
    'recvmsg': ('ECONNRESET', 'EINTR'), 'bind': ('EACCES',), 'listen': ('EADDRINUSE',), 'epoll_create1': ('EMFILE',), 'epoll_ctl': ('ENOMEM',),
    'epoll_wait': ('EINTR',), 'poll': ('EINTR', 'ENOMEM'), 'ppoll': ('EINTR', 'ENOMEM'), 'eventfd2': ('EMFILE',), 'signalfd4': ('EMFILE',),
    'clone': ('EAGAIN',), 'fork': ('EAGAIN',), 'vfork': ('EAGAIN',), 'wait4': ('EINTR',), 'waitid': ('EINTR',), 'sched_getaffinity': ('EINVAL',),
    'sched_setaffinity': ('EINVAL',), 'rt_sigaction': ('EINVAL',), 'rt_sigtimedwait': ('EINTR', 'EAGAIN'), 'kill': ('ESRCH', 'EPERM'),
    'pidfd_open': ('EMFILE', 'ENOSYS'), 'clock_gettime': ('EINVAL',), 'uname': ('EFAULT',), 'sysinfo': ('EFAULT',), 'symlink': ('EACCES',), 'link': ('EPERM',)})

# Name -> words between `ltt record` and the program, and whether the calls are those of the program, else of the recorder.
RECORDINGS = {
    'program': ([], True),
    'flight program': (['--flight', '64K'], True),
    'recorder': ([], False),
    'flight recorder': (['--flight', '64K'], False),
}

Ended = collections.namedtuple('Ended', 'status out err stat check')


class Recordings:
    def __init__(self, build, folder):
        self.ltt, self.program = os.path.join(build, 'bin/ltt'), [os.path.join(build, 'probe/steady'), str(EVENTS)]
        self.folder = folder

    def run(self, name, *options, environment=None, words=()):
        """Records the program in a new folder. options: of strace, for the program or the recorder; environment: of the program"""
        own_words, of_program = RECORDINGS[name]
        work = tempfile.mkdtemp(dir=self.folder)
        trace = os.path.join(work, 'trace')
        strace = ['strace', '-f', '-qq', *options] if options else []
        changed = ['env', *['%s=%s' % pair for pair in (environment or {}).items()]] if environment else []
        record = [self.ltt, 'record', '-o', trace, *own_words, *words, '--', *changed]
        # Away from the recorder's calls: those of the child that becomes the program.
        command = [*record, *strace, *self.program] if of_program else [*strace, *(['-b', 'execve'] if strace else []), *record, *self.program]
        try:
            done = subprocess.run(command, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  timeout=LIMIT_S, check=False, env=dict(os.environ, LC_ALL='C.UTF-8'))
            stat, check = None, None
            if os.path.isdir(trace):
                stat = subprocess.run([self.ltt, 'stat', '--all', '--json', trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
                check = subprocess.run([self.ltt, 'check', trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            return Ended(done.returncode, done.stdout, done.stderr.decode('utf-8', 'replace'), json.loads(stat) if stat else None,
                         (check.returncode, check.stdout.decode('utf-8', 'replace')) if check else None)
        except subprocess.TimeoutExpired:
            return Ended('hangs', b'', '', None, None)
        finally:
            shutil.rmtree(work, ignore_errors=True)

    def count(self, log):
        with open(log, encoding='utf-8', errors='replace') as file:
            return collections.Counter(match[1] for match in (re.match(r'(?:\d+ +)?(\w+)\(', line) for line in file) if match)

    def numbers(self, name):
        """Call -> the numbers of those that fail."""
        log = os.path.join(self.folder, 'log')
        self.run(name, '-o', log)
        counts = self.count(log)
        if RECORDINGS[name][1]:
            subprocess.run(['strace', '-f', '-qq', '-o', log, *self.program], stdout=subprocess.DEVNULL, check=False)
        else:
            subprocess.run(['strace', '-f', '-qq', '-o', log, self.ltt, 'record', '--help'], stdout=subprocess.DEVNULL, check=False)
        others = self.count(log)
        return {call: range(1, counts[call] - others[call] + 1) if call in AT_END and RECORDINGS[name][1] else range(others[call] + 1, counts[call] + 1)
                for call in counts if call in ERRORS}

    def judge(self, ended, is_flight=False):
        """What was wrong after a fault, or None. A flight recorder replaces its oldest events."""
        messages = re.sub(r'^ltt record: \S+: \d+ events?, .*\n', '', ended.err, flags=re.M).strip()
        if ended.status in (2, 126) and ended.out == b'':  # 126: there is no process for the program
            return None if messages else 'status %d without a message' % ended.status
        if (ended.status, ended.out) != (STATUS, LINE):
            return 'status %s, output %r: %s' % (ended.status, ended.out, ended.err[-300:])
        if ended.stat is None:
            return None if messages else 'no trace and no message'
        if not ended.stat['by_event'].get('processes.process') and not messages:
            return 'no processes of the machine and no message'
        if ended.check[0] not in (0, 1) or 'damaged' in ended.check[1]:
            return 'check: %s' % ended.check[1]
        found = ended.stat['by_event'].get('demo.pair', 0) + ended.stat['lost']
        if not (0 < found <= EVENTS if is_flight else found == EVENTS) and not messages:
            return '%d of %d events found or lost, and no message: %s' % (found, EVENTS, ended.err)
        return None

    def try_recording(self, name, every, first=0, of=ERRORS):
        """Yields (call, number, errno, what went wrong or None) for each fault, or for every N-th one. of: the calls that fail"""
        plain = self.run(name)
        wrong = self.judge(plain, name.startswith('flight'))
        if wrong:
            raise RuntimeError('%s without a fault: %s' % (name, wrong))
        numbers = self.numbers(name)
        tried = [(call, number, error) for call in sorted(numbers) if call in of for number in numbers[call] for error in ERRORS[call]]
        for call, number, error in tried[first::every]:
            ended = self.run(name, '-e', 'inject=%s:error=%s:when=%d' % (call, error, number), '-e', 'trace=%s%s' % (call, '' if RECORDINGS[name][1] else ',execve'),
                             '-e', 'signal=none', '-o', '/dev/null')
            yield call, number, error, self.judge(ended, name.startswith('flight'))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--of', choices=sorted(RECORDINGS))
    parser.add_argument('--every', type=int, default=1, help='try every N-th fault')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        recordings = Recordings(os.path.abspath(options.build), folder)
        tried = (('%s: %s number %d, %s' % (name, call, number, error), wrong)
                 for name in ([options.of] if options.of else RECORDINGS)
                 for call, number, error, wrong in recordings.try_recording(name, options.every))
        status = tally('faults of recordings', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
