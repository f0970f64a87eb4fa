"""Counts of recorded kernel events beside those of /proc and of perf."""
import csv
import os
import re
import shutil
import signal
import subprocess
import unittest

from kernel_case import Kernel
from recording import program

# The event of perf, and that of the trace.
EVENTS = {
    'sched:sched_switch': 'core.schedchange',
    'irq:irq_handler_entry': 'core.irq_entry',
    'irq:softirq_entry': 'core.soft_irq_entry',
    'raw_syscalls:sys_enter': 'core.syscall_entry',
    'raw_syscalls:sys_exit': 'core.syscall_exit',
}


def perf_counts():
    words = ['perf', 'stat', '-a', '-e', ','.join(EVENTS), '--', 'true']
    return shutil.which('perf') is not None and subprocess.call(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


def interrupts():
    """The counts of /proc/interrupts that have a handler, by number."""
    with open('/proc/interrupts', encoding='ascii') as file:
        n_cpus = len(file.readline().split())
        lines = [line.split() for line in file]
    return {int(words[0][:-1]): sum(map(int, words[1:n_cpus + 1])) for words in lines
            if re.fullmatch(r'[0-9]+:', words[0]) and len(words) > n_cpus + 3}


def machine():
    """Counts since the machine was started."""
    with open('/proc/stat', encoding='ascii') as file:
        words = dict(line.split(None, 1) for line in file)
    return {'switches': int(words['ctxt']), 'forks': int(words['processes']),
            'interrupts': sum(map(int, words['intr'].split()[1:])), **interrupts()}


@unittest.skipUnless(perf_counts(), 'needs perf and the right to count events of the machine')
class Counts(Kernel):
    def perf(self, path, *words, **options):
        return subprocess.Popen(['perf', 'stat', '-a', '-x,', '-o', path, '-e', ','.join(EVENTS), '--', *words], **options)

    @staticmethod
    def counted(path):
        with open(path, encoding='ascii') as file:
            rows = [row for row in csv.reader(file) if len(row) > 2]
        return {row[2]: int(row[0]) for row in rows}

    def record_between(self, work):
        """Calls a function within a recording within the counting of perf. The recorder is stopped meanwhile: the kernel
        would omit the interrupts of its thread."""
        outer = self.perf(self.path('outer'), 'sh', '-c', 'echo; read line', stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        with outer:
            outer.stdout.readline() # perf counts
            process = self.start('--kernel=sched,irq,raw_syscalls', '--kernel-buffer=64M')
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            work()
            process.send_signal(signal.SIGCONT)
            process.send_signal(signal.SIGINT)
            self.assertIn(process.wait(120), (0, 1))
            outer.communicate(b'\n')
        self.check()

    def recorded(self):
        """The number of events by name, and of interrupts by number."""
        counts = dict.fromkeys(EVENTS.values(), 0)
        for _, _, name, *_ in self.rows():
            if name in counts:
                counts[name] += 1
        numbers = {}
        for event in self.events('--event=core.irq_entry'):
            number = event['data']['irq_id']
            numbers[number] = numbers.get(number, 0) + 1
        return counts, numbers

    def test_bounds(self):
        """A count within the recording is a lower bound, and one around it an upper bound."""
        inside = []

        def work():
            inside.append(machine())
            with self.perf(self.path('inner'), program('bracket'), '-t', '4', '-n', '100', stdout=subprocess.DEVNULL):
                pass
            inside.append(machine())

        before = machine()
        self.record_between(work)
        after = machine()
        counts, numbers = self.recorded()
        lost = self.lost()
        inner, outer = self.counted(self.path('inner')), self.counted(self.path('outer'))
        for name, event in EVENTS.items():
            with self.subTest(event=name):
                self.assertLessEqual(inner[name], counts[event] + lost)
                self.assertLessEqual(counts[event], outer[name])
        self.assertGreaterEqual(inner['raw_syscalls:sys_enter'], 400)
        self.assertEqual(sum(numbers.values()), counts['core.irq_entry'])
        for name in interrupts():
            with self.subTest(interrupt=name):
                found = numbers.pop(name, 0)
                self.assertLessEqual(inside[1][name] - inside[0][name], found + lost)
                self.assertLessEqual(found, after[name] - before[name])
        self.assertEqual(numbers, {}) # each one is in /proc/interrupts
        self.assertLessEqual(inside[1]['interrupts'] - inside[0]['interrupts'], counts['core.irq_entry'] + lost)
        self.assertLessEqual(counts['core.irq_entry'], after['interrupts'] - before['interrupts'])

    def test_of_a_program(self):
        """perf counts the events of the program from its exec to its end, while they are recorded. The counts of system calls
        are equal. Switches near the exec and the end of a thread may be in one of the counts only."""
        said = self.record('--kernel=raw_syscalls,sched', '--kernel-buffer=16M', '--only-program', '--', 'perf', 'stat', '-x,', '-o',
                           self.path('perf'), '-e', 'raw_syscalls:sys_enter,raw_syscalls:sys_exit,sched:sched_switch', '--',
                           program('bracket'), '-t', '4', '-n', '3000')
        self.assertNotIn('lost', said)
        self.check()
        pid = self.events('--event=demo.pair')[0]['pid']
        counts = dict.fromkeys(EVENTS.values(), 0)
        n_certain, has_begun, ended = 0, False, set()
        for _, _, name, _, tid in self.rows('--filter', 'pid == %s' % pid):
            has_begun = has_begun or name == 'core.process_exec'
            if name in ('sched.sched_process_exit', 'core.process_exit'):
                ended.add(tid)
            if name in counts and (has_begun or name == 'core.schedchange'):
                counts[name] += 1
                n_certain += name == 'core.schedchange' and has_begun and tid not in ended
        found = self.counted(self.path('perf'))
        self.assertGreaterEqual(found['raw_syscalls:sys_enter'], 4 * 3000)
        for name in ('raw_syscalls:sys_enter', 'raw_syscalls:sys_exit'):
            self.assertEqual(counts[EVENTS[name]], found[name], name)
        self.assertEqual(len(ended), 5)
        self.assertLessEqual(n_certain, found['sched:sched_switch'])
        self.assertLessEqual(found['sched:sched_switch'], counts['core.schedchange'])


if __name__ == '__main__':
    unittest.main()
