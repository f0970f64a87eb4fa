"""kernel_faults.py - let each system call of `ltt record --kernel` fail, one at a time.

usage: kernel_faults.py [--build BUILD] [--of NAME] [--every N] [--at PATTERN]

It needs root, and tracefs on /sys/kernel/tracing, which it mounts if it is not there. strace(1) counts and fails the calls of the recorder,
those of each thread by themselves (number-threads.c). Some calls are repeated for each process of the machine and for each page of
events; only the first ones of a thread with the same file fail. After each fault:

	- the program writes the same and ends with the same status as without tracing. Only if `ltt record` could not start it, the
	  status is 2 or 126, with a message, and there is no trace
	- the trace is free of damage. All events of the program, and the system calls that the kernel reported, are in it or lost, or
	  the message tells that the recorder failed
	- no instance of tracefs is left. If it could not be removed, the message says so, and it does not trace any more

The last line counts faults and what broke these rules. Exit status 1: something did.
"""
import argparse
import collections
import glob
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

import attach_faults
import calls
from tally import tally

N_CALLS = 1000
# libltt-probe and the C library may make a few of these calls themselves.
N_OTHERS = 10
LIMIT_S = 60
# Of the same call with files whose names differ by a number.
N_SAME = 6
# Its first argument, or two of them, and not its data.
PLACE = re.compile(r'\d+ +(?:(?:p?read|p?write)(?:64)?\([^,]*|\w+\([^,]*,?[^,]*)')
TRACEFS = '/sys/kernel/tracing'
GETPPID = 'syscalls:sys_enter_getppid'
ERRORS = dict(attach_faults.ERRORS, perf_event_open=('EACCES', 'EMFILE', 'ENODEV'), ioctl=('ENOTTY', 'EINVAL'), clock_adjtime=('EPERM',),
              read=('EIO', 'EINTR'), write=('ENOSPC', 'EIO', 'EINTR', 'EBUSY'))
# What a recording always says.
USUAL = re.compile(r'^ltt record: \S+: (\d+ (kernel )?events?, |\d+ kernel events? (was|were) lost; )')

# Name -> words of `ltt record`, whether it runs a program, and an event for each of its calls.
RECORDINGS = {
    'program': (['--kernel=' + GETPPID, '--only-program'], True, 'syscalls.sys_enter_getppid'),
    'machine': (['--kernel=sched:sched_process_*', '--duration=1ms'], False, None),
    'converted': (['--kernel=' + GETPPID, '--kernel-clock=mono_raw', '--kernel-filter=common_pid > 0', '--only-program'], True, 'syscalls.sys_enter_getppid'),
    'perf': (['--kernel=sched,syscalls', '--only-program'], True, None),
}
# Where tracefs cannot be written, perf_event_open(2) is used.
READ_ONLY = ['unshare', '-m', 'sh', '-c', 'mount --bind %s %s && mount -o remount,bind,ro %s && exec "$@"' % (TRACEFS, TRACEFS, TRACEFS), 'sh']

Ended = collections.namedtuple('Ended', 'status out err stat check instances')


def stale_instances():
    """Instances of recorders that have ended."""
    found = {path: re.match(r'ltt-(\d+)-', os.path.basename(path)) for path in glob.glob(TRACEFS + '/instances/ltt-*')}
    return [path for path, match in found.items() if not match or not os.path.exists('/proc/' + match[1])]


def is_tracing(instance):
    """Whether an instance traces; not so if another recording has removed it meanwhile, as it does with those of ended recorders."""
    try:
        with open(instance + '/tracing_on', encoding='ascii') as file:
            return file.read().strip() != '0'
    except OSError:
        return False


class Kernel:
    def __init__(self, build, folder):
        self.ltt, self.folder = os.path.join(build, 'bin/ltt'), folder
        self.program = [os.path.join(build, 'probe/bracket'), '-t', '1', '-n', str(N_CALLS)]

    def read_trace(self, trace):
        """Returns: what `ltt stat` says, and the status and output of `ltt check`."""
        if not os.path.isdir(trace):
            return None, None
        stat = subprocess.run([self.ltt, 'stat', '--all', '--json', trace], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout
        check = subprocess.run([self.ltt, 'check', trace], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return json.loads(stat) if stat else None, (check.returncode, check.stdout.decode('utf-8', 'replace'))

    def run(self, name, *options):
        words, runs_program, _ = RECORDINGS[name]
        work = tempfile.mkdtemp(dir=self.folder)
        trace = os.path.join(work, 'trace')
        command = [*(READ_ONLY if name == 'perf' else []), 'strace', '-f', '-qq', '-b', 'execve', *options, self.ltt, 'record', '--no-machine', '-o', trace, *words,
                   *(['--', *self.program] if runs_program else [])]
        try:
            with subprocess.Popen(command, cwd=work, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True,
                                  env=dict(os.environ, LC_ALL='C.UTF-8')) as process:
                try:
                    out, err = process.communicate(timeout=LIMIT_S)
                except subprocess.TimeoutExpired:
                    os.killpg(process.pid, 9)
                    return Ended('hangs', process.communicate()[0], '', None, None, [])
            instances = [(path, is_tracing(path)) for path in stale_instances()]
            return Ended(process.returncode, out, err.decode('utf-8', 'replace').replace(work + '/', ''), *self.read_trace(trace), instances)
        finally:
            for path in stale_instances():
                os.rmdir(path)
            shutil.rmtree(work, ignore_errors=True)

    def judge_events(self, name, ended, messages):
        _, runs_program, event = RECORDINGS[name]
        if ended.check[0] not in (0, 1) or 'damaged' in ended.check[1]:
            return 'check: %s' % ended.check[1]
        found, lost = ended.stat['by_event'], ended.stat['lost']
        n_pairs, n_calls = found.get('demo.pair', 0), found.get(event, 0)
        if runs_program and n_pairs > 2 * N_CALLS or n_pairs + lost < 2 * N_CALLS * runs_program and not messages:
            return '%d events of the program and %d lost: %s' % (n_pairs, lost, ended.err)
        if event and not N_CALLS <= n_calls + lost and not messages:
            return '%d system calls and %d lost: %s' % (n_calls, lost, ended.err)
        return None

    def judge(self, name, ended, usual):
        """What was wrong after a fault, or None. usual: messages without a fault"""
        messages = [line for line in ended.err.splitlines() if not USUAL.search(line) and line not in usual]
        if ended.status not in (0, 1, 2, 126) or ended.out:
            return 'ends with %s, output %r: %s' % (ended.status, ended.out, ended.err[-300:])
        if ended.instances and (any(is_on for _, is_on in ended.instances) or not messages):
            return 'leaves %s, status %s: %s' % (ended.instances, ended.status, ended.err)
        if ended.status and not messages and not (ended.status == 1 and ' lost' in ended.err):
            return 'status %d without a message: %s' % (ended.status, ended.err)
        if ended.status in (2, 126) and ended.check is None:
            return None
        if ended.check is None:
            return 'no trace, status %d: %s' % (ended.status, ended.err)
        if ended.stat is None:
            return None if messages else 'a trace that cannot be read: ' + ended.check[1]
        return self.judge_events(name, ended, messages)

    def find(self, name, log):
        tasks, numbers = calls.read_log(log), calls.Numbers('ltt', self.folder)
        start, seen = numbers.count(self.ltt, 'record', '--help'), collections.Counter()

        def is_own(task, index):
            place = task, re.sub(r'0x[0-9a-f]+|\d+', '', PLACE.match(tasks[task][index][1])[0])
            seen[place] += 1
            return seen[place] <= N_SAME

        return tasks, numbers, numbers.find(tasks, ERRORS, start=start, is_own=is_own)

    def try_recording(self, name, every, at=''):
        """Yields (fault, what went wrong or None) for each fault, or for every N-th one. at: a pattern in a line of strace(1)"""
        log = os.path.join(self.folder, 'log')
        plain = self.run(name, '-y', '-o', log, *calls.Numbers('ltt', self.folder).options())
        usual = plain.err.splitlines() if plain.status == 0 else []
        wrong = self.judge(name, plain, usual)
        if wrong:
            raise RuntimeError('%s without a fault: %s' % (name, wrong))
        tasks, numbers, found = self.find(name, log)
        for fault in [fault for fault in found if re.search(at, fault.line)][::every]:
            yield fault, self.judge(name, self.run(name, *numbers.inject(tasks, fault)), usual)


def mount():
    """Executes this program again where tracefs is mounted."""
    if os.path.isdir(TRACEFS + '/instances') or 'LTT_FAULTS_MOUNT' in os.environ:
        return
    os.environ['LTT_FAULTS_MOUNT'] = '1'
    os.execvp('unshare', ['unshare', '-m', 'sh', '-c', 'mount -t tracefs nodev %s; exec "$@"' % TRACEFS, 'sh', sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--of', choices=sorted(RECORDINGS))
    parser.add_argument('--every', type=int, default=1, help='try every N-th fault')
    parser.add_argument('--at', default='', help='only calls with this pattern in the line of strace(1)')
    options = parser.parse_args()
    if os.geteuid() != 0:
        print('needs root and tracefs: nothing is tried')
        return
    mount()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        kernel = Kernel(os.path.abspath(options.build), folder)
        tried = (('%s: %s number %d of thread %d, %s' % (name, fault.call, fault.number, fault.task, fault.error), wrong)
                 for name in ([options.of] if options.of else RECORDINGS)
                 for fault, wrong in kernel.try_recording(name, options.every, options.at))
        status = tally('faults of recordings of the kernel', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
