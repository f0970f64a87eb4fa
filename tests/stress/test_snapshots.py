"""Snapshots of traces while events are written at full speed."""
import os
import random
import resource
import signal
import subprocess
import unittest

import recording
from recording import LTT, SIGNAL_BIT, call

SNAPSHOTS = 3 * recording.STRESS
BLOCK_BYTES = 4096
FLIGHT_BYTES = 65536
FLIGHT_PAIRS = 14 * 150  # minimum; a block may be short, and the first one is the oldest
CPUS = sorted(os.sched_getaffinity(0))[:2]


class Snapshots(recording.Case):
    def storm_on(self, cpu, *options, **more):
        return self.start_traced('storm', '-n', 0, *options, preexec_fn=lambda: os.sched_setaffinity(0, {cpu}), **more)

    def wait_for_bytes(self, wanted):
        while self.totals()['bytes'] < wanted:
            pass

    def snapshots(self):
        for i in range(SNAPSHOTS):
            copy = self.path('copy%d' % i)
            call(LTT, 'snapshot', self.trace, '-o', copy)
            self.check(copy, open_blocks=None)
            yield copy
            call('rm', '-r', copy)

    def by_file(self, trace):
        """The numbers of each thread in each tracefile, in file order."""
        text = call(LTT, 'dump', '--format=csv', '--event=demo.pair', trace)
        found = {}
        for line in text.splitlines()[1:]:
            _, tracefile, _, _, _, who, number = line.split(',')
            if not int(who) & SIGNAL_BIT:
                found.setdefault(tracefile, {}).setdefault(who, []).append(int(number))
        return found

    def wait_for_full(self, files):
        """Waits until this many tracefiles are full."""
        full = 0
        while full < files:
            copy = self.path('early')
            call(LTT, 'snapshot', self.trace, '-o', copy)
            full = sum(sum(map(len, threads.values())) > FLIGHT_PAIRS for threads in self.by_file(copy).values())
            call('rm', '-r', copy)

    def assert_runs(self, found, files):
        self.assertEqual(len(found), files)
        for tracefile, threads in found.items():
            self.assertGreater(sum(map(len, threads.values())), FLIGHT_PAIRS, tracefile)
            for numbers in threads.values():
                self.assertEqual(numbers, list(range(numbers[0], numbers[-1] + 1)), tracefile)

    def end(self):
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        for name in os.listdir(os.path.join(self.trace, 'cpu')):
            self.assertLessEqual(os.path.getsize(os.path.join(self.trace, 'cpu', name)), FLIGHT_BYTES)

    def wrap(self, *kinds):
        """Threads are pinned, so the numbers in each tracefile are contiguous."""
        self.session('create', FLIGHT_BYTES, BLOCK_BYTES)
        running = [self.storm_on(cpu, '-s', 1000, rseq=rseq) for rseq in kinds for cpu in CPUS]
        files = len(CPUS) if kinds == (True,) else len(CPUS) * len(kinds)
        self.wait_for_full(files)
        for copy in self.snapshots():
            found = self.by_file(copy)
            self.assert_runs({name: threads for name, threads in found.items()
                              if sum(map(len, threads.values())) > FLIGHT_PAIRS // 2}, files)
            self.assertEqual(self.lost(copy), 0)
        for process in running:
            process.kill()
            process.wait()
        self.assertEqual(self.totals()['lost'], 0)
        self.end()

    def test_small_flight_recorder(self):
        self.wrap(True)

    def test_lanes_of_a_flight_recorder(self):
        self.wrap(False)

    def test_mixed_flight_recorder(self):
        self.wrap(True, False)

    def test_trace_that_grows(self):
        self.session('create', 0, BLOCK_BYTES)
        running = [self.start_traced('storm', '-n', 40000, '-t', 2, '-s', 500, rseq=rseq)
                   for rseq in (True, False)]
        for copy in self.snapshots():
            for who, numbers in self.pairs(copy).items():
                self.assert_whole(numbers, who)
        for process in running:
            self.assertEqual(process.wait(timeout=120), 0)

    @unittest.skipUnless({0, 1} <= set(CPUS), 'needs two CPUs')
    def test_all_up_to_one_value_of_the_counter(self):
        """Two CPUs take turns. If a turn is in the copy, all earlier ones are."""
        self.session('create', FLIGHT_BYTES, BLOCK_BYTES)
        self.start_traced('pingpong', 'turns', 1 << 60)
        self.wait_for_bytes(2 * FLIGHT_BYTES)
        for copy in self.snapshots():
            turns = {}
            for event in self.events('--event=demo.pair', trace=copy):
                turns.setdefault(event['tracefile'], []).append(event['data']['a'])
            first = max(numbers[0] for numbers in turns.values())
            kept = sorted(number for numbers in turns.values() for number in numbers if number >= first)
            self.assertEqual(kept, list(range(first, first + len(kept))))
            self.assertGreater(len(kept), FLIGHT_PAIRS)

    def test_writers_that_are_stopped(self):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                self.trace = self.path('trace%d' % rseq)
                self.session('create', FLIGHT_BYTES, BLOCK_BYTES)
                writers = [self.storm_on(cpu, rseq=rseq) for cpu in CPUS]
                self.wait_for_full(len(CPUS))
                for copy in self.snapshots():
                    self.assert_runs(self.by_file(copy), len(CPUS))
                    stopped = writers[random.Random(copy).randrange(len(writers))]
                    stopped.send_signal(signal.SIGSTOP)
                    again = copy + '.again'
                    call(LTT, 'snapshot', self.trace, '-o', again)
                    self.assert_runs(self.by_file(again), len(CPUS))
                    stopped.send_signal(signal.SIGCONT)
                    call('rm', '-r', again)
                for process in writers:
                    process.kill()
                    process.wait()
                self.end()

    def test_snapshots_that_are_killed(self):
        """Killed snapshots affect neither later ones nor the end of the session."""
        self.session('create', FLIGHT_BYTES, BLOCK_BYTES)
        writers = [self.storm_on(cpu) for cpu in CPUS]
        self.wait_for_full(len(CPUS))
        for i in range(4 * SNAPSHOTS):
            process = subprocess.Popen([LTT, 'snapshot', self.trace, '-o', self.path('killed%d' % i)])
            for _ in range(random.Random(i).randrange(30000)):
                pass
            process.kill()
            process.wait()
            if i % 4 == 0:
                copy = self.path('copy%d' % i)
                call(LTT, 'snapshot', self.trace, '-o', copy)
                self.check(copy, open_blocks=None)
                self.assert_runs(self.by_file(copy), len(CPUS))
        for process in writers:
            process.kill()
            process.wait()
        self.end()
        self.assert_runs(self.by_file(self.trace), len(CPUS))

    def test_no_room_for_second_halves(self):
        """Without space, a snapshot copies the blocks that are not overwritten in the meantime."""
        self.session('create', FLIGHT_BYTES, BLOCK_BYTES)
        process = self.storm_on(CPUS[0])
        self.wait_for_bytes(FLIGHT_BYTES * 2)
        process.send_signal(signal.SIGSTOP)
        copy = self.path('copy')
        call(LTT, 'snapshot', self.trace, '-o', copy, preexec_fn=lambda: resource.setrlimit(
            resource.RLIMIT_FSIZE, (FLIGHT_BYTES, FLIGHT_BYTES)))
        self.check(copy, open_blocks=None)
        self.assert_runs(self.by_file(copy), 1)

    def test_from_inside(self):
        copy = self.path('copy')
        for flight in (0, FLIGHT_BYTES):
            with self.subTest(flight=flight):
                trace = self.path('trace%d' % flight)
                call(recording.program('storm'), '-d', trace, '-f', flight, '-b', BLOCK_BYTES, '-t', 2, '-c', copy)
                self.check(copy, open_blocks=None)
                self.assertEqual(self.pairs(copy), self.pairs(trace))
                call('rm', '-r', copy)


if __name__ == '__main__':
    unittest.main()
