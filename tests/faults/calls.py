"""calls.py - the system calls of a program by thread, and the faults that meet one of them."""
import collections
import os
import re
import subprocess

import faults

# Of the counts, which vary from run to run.
SLACK = 20

# line: of the log, with the names of files.
Fault = collections.namedtuple('Fault', 'task call number error line')


def numbers_of_calls():
    """Name -> number of the system calls of this machine."""
    text = subprocess.run([os.environ.get('CC', 'cc'), '-E', '-dM', '-include', 'sys/syscall.h', '-x', 'c', '/dev/null'], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    return {name: int(number) for name, number in re.findall(r'#define __NR_(\w+) (\d+)', text)}


def read_log(path):
    """The calls of each thread or process, in the order in which these were created: lists of (name, line)."""
    tasks = collections.defaultdict(list)
    with open(path, encoding='utf-8', errors='replace') as file:
        for match in re.finditer(r'(?m)^(\d+) +(\w+)\(.*', file.read()):
            tasks[int(match[1])].append((match[2], match[0]))
    return [tasks[tid] for tid in sorted(tasks)]


class Numbers:
    """Numbers the calls of the threads of a program, with number-threads.c."""

    def __init__(self, program, folder):
        self.program, self.library, self.numbers = program, os.path.join(folder, 'number-threads.so'), numbers_of_calls()
        if not os.path.exists(self.library):
            subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-shared', '-fPIC', '-o', self.library,
                            os.path.join(faults.SOURCE, 'tests/faults/number-threads.c')], check=True)

    def options(self, call=None, offsets=()):
        """Those of strace, for the environment of the program."""
        pairs = ['LD_PRELOAD=' + self.library, 'NUMBER_IN=' + self.program]
        if call:
            pairs += ['NUMBER_CALL=%d' % self.numbers[call], 'NUMBER_OFFSETS=' + ','.join(map(str, offsets))]
        return [word for pair in pairs for word in ('-E', pair)]

    def count(self, *words):
        """Returns: the calls of the first thread of a command."""
        log = os.path.join(os.path.dirname(self.library), 'start')
        subprocess.run(['strace', '-f', '-qq', '-o', log, *self.options(), *words], stdout=subprocess.DEVNULL, check=False)
        return collections.Counter(call for call, _ in read_log(log)[0])

    @staticmethod
    def find(tasks, errors, start=None, is_own=None):
        """The faults of all calls. start: calls of the first thread that do not fail; is_own(task, index): whether a call is tried"""
        found = []
        for task, calls in enumerate(tasks):
            counts = collections.Counter()
            for index, (call, line) in enumerate(calls):
                counts[call] += 1
                if call in errors and (task > 0 or not start or counts[call] > start[call]) and (not is_own or is_own(task, index)):
                    found += [Fault(task, call, counts[call], error, line) for error in errors[call]]
        return sorted(found, key=lambda fault: (fault.call, fault.task, fault.number))

    def inject(self, tasks, fault):
        """Returns: the options of strace."""
        counts = [sum(1 for call, _ in calls if call == fault.call) for calls in tasks]
        offsets = [sum(n + n // 2 + SLACK for n in counts[:task]) for task in range(1, len(tasks))]
        if fault.call in ('fork', 'vfork'): # they would fork
            offsets = [0] * len(offsets)
        when = fault.number + (offsets[fault.task - 1] if fault.task else 0)
        return ['-e', 'inject=%s:error=%s:when=%d' % (fault.call, fault.error, when), '-e', 'trace=' + fault.call, '-e', 'signal=none', '-o', '/dev/null',
                *self.options(fault.call, offsets)]
