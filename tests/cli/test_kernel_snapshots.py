"""Snapshots of recordings with events of the kernel."""
import os
import signal
import subprocess
import unittest

from kernel_case import GETPPID, Kernel, instances
from recording import LTT, call, program

EXPECTED = ['demo.pair', 'syscalls.sys_enter_getppid', 'syscalls.sys_exit_getppid', 'demo.pair']


class Snapshots(Kernel):
    def assert_whole(self, trace, whole=True):
        """The brackets of each thread are complete up to one instant; returns the number of events."""
        self.check(trace, open_blocks=None)
        counts, ends, seen = {}, {}, set()
        for time, _, event, _, tid in self.rows('--filter', 'event == "demo.pair" || facility == "syscalls"', trace=trace):
            # The probe of a new process may call getppid(), too.
            if tid not in counts and event != 'demo.pair':
                continue
            number = counts.setdefault(tid, 0 if whole else None)
            if number is None: # each file of a flight recorder begins anywhere
                if event != 'demo.pair':
                    seen.add(tid)
                elif ends.get(tid) == 'demo.pair' and tid in seen:
                    counts[tid] = 1
                ends[tid] = event
                continue
            if event != EXPECTED[number % 4]:
                self.fail('thread %s, event %d: %s' % (tid, number, event))
            counts[tid] = number + 1
            ends[tid] = time
        return counts

    def take(self, name='copy', **options):
        copy = self.path(name)
        said = call(LTT, 'snapshot', self.trace, '-o', copy, **options)
        return copy if 'status' not in options else said

    @staticmethod
    def call_getppid(n_calls):
        call(program('bracket'), '-n', n_calls, '-s')
        return n_calls

    def count_calls(self, trace):
        return len(self.events('--event=syscalls.sys_enter_getppid', trace=trace))

    def test_all_up_to_one_value_of_the_counter(self):
        """If an event of the program or of the kernel is in the copy, all earlier ones of its thread are."""
        process = self.start('--kernel=' + GETPPID, '--kernel-buffer=16M', '--only-program', '--', program('bracket'), '-t', '3', '-n', '200000')
        n_events = []
        while process.poll() is None and len(n_events) < 4:
            copy = self.path('copy%d' % len(n_events))
            if subprocess.call([LTT, 'snapshot', self.trace, '-o', copy], stderr=subprocess.DEVNULL) == 0:
                n_events.append(sum(self.assert_whole(copy).values()))
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        n_events.append(sum(self.assert_whole(self.trace).values()))
        self.assertGreater(len(n_events), 1)
        self.assertEqual(n_events, sorted(n_events))
        self.assertGreater(n_events[-1], n_events[0])

    def test_a_flight_recorder(self):
        """The copy has the latest events of both, however often the rings have turned."""
        process = self.start('--kernel=' + GETPPID, '--kernel-buffer=64M', '--only-program', '--block-size=64K', '--flight=512K', '--',
                             'nice', '-n', '19', 'taskset', '-c', '0', program('bracket'), '-n', '1000000000') # until the signal below
        size = 0
        while size < 1 << 20: # the ring has turned
            copy = self.take('early')
            size = max((os.path.getsize(os.path.join(self.trace, 'cpu', name)) for name in os.listdir(os.path.join(self.trace, 'cpu'))
                        if int(name) >= 1024), default=0)
            call('rm', '-r', copy)
        n_full = 0
        for number in range(40):
            copy = self.take('copy%d' % number)
            files = [name for name in os.listdir(os.path.join(copy, 'cpu')) if int(name) >= 1024]
            size = max(os.path.getsize(os.path.join(copy, 'cpu', name)) for name in files)
            self.assertLessEqual(size, 8 << 16)
            counts = self.assert_whole(copy, whole=False)
            call('rm', '-r', copy)
            # The oldest blocks may be overwritten meanwhile, on a busy machine most of them; a part is only in one of both rings.
            n_full += size >= 6 << 16 and max(count or 0 for count in counts.values()) > 1000
            if n_full == 3:
                break
        self.assertEqual(n_full, 3)
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        self.check()

    def test_on_a_signal_without_a_program(self):
        process = self.start('--kernel=' + GETPPID, '--flight=1M', '--snapshot-on=USR2')
        n_calls = 0
        for number in (1, 2):
            n_calls += self.call_getppid(10)
            process.send_signal(signal.SIGUSR2)
            self.assertIn(b'snapshot.%d: snapshot taken' % number, process.stderr.readline())
            copy = '%s.snapshot.%d' % (self.trace, number)
            self.check(copy, open_blocks=None)
            self.assertGreaterEqual(self.count_calls(copy), n_calls)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 0)

    def test_from_inside(self):
        """The copy has all events before ltt_probe_snapshot() begins."""
        copy = self.path('copy')
        self.record('--kernel=syscalls:sys_enter_openat', '--only-program', '--', program('storm'), '-n', 100, '-c', copy)
        self.check(copy, open_blocks=None)
        opens = [event for event in self.events(trace=copy) if event['event'] == 'syscalls.sys_enter_openat']
        begin = self.events('--event=demo.pair', trace=copy)[0]['time']
        self.assertTrue([event for event in opens if event['time'] < begin])
        whole = self.events('--event=syscalls.sys_enter_openat')
        self.assertEqual([event['data'] for event in opens], [event['data'] for event in whole[:len(opens)]])

    def test_a_stopped_recorder(self):
        """A snapshot does not wait without end. The events after the pause need a time value."""
        process = self.start('--kernel=' + GETPPID)
        process.send_signal(signal.SIGSTOP)
        self.assertIn('does not answer', self.take(status=2))
        self.assertFalse(os.path.exists(self.path('copy')))
        process.send_signal(signal.SIGCONT)
        self.check(self.take(), open_blocks=None)
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(60), (0, 1)) # 1: the buffer of the kernel was full during the pause

    def test_a_killed_recorder(self):
        """The copy has what the recorder has written."""
        process = self.start('--kernel=' + GETPPID)
        n_calls = self.call_getppid(1000)
        self.take('first') # has waited until these are written
        process.kill()
        process.wait()
        copy = self.take()
        self.check(copy, open_blocks=None)
        self.assertGreaterEqual(self.count_calls(copy), n_calls)
        self.record_nothing(process)

    def record_nothing(self, process):
        """The next recording removes the instance."""
        self.trace = self.path('next')
        self.record('--kernel=' + GETPPID, '--', 'true')
        self.assertEqual(instances(process), [])


if __name__ == '__main__':
    unittest.main()
