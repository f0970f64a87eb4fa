"""Processes that are killed at any point, and the resulting trace."""
import random
import signal
import unittest

import recording
from recording import LTT, call

KILLS = 8 * recording.STRESS
EVENTS = 20000  # of each thread, unless it is killed before
KILLED = -signal.SIGKILL


class Kill(recording.Case):
    """Several storms at once, each of which kills all its processes at another time."""

    def storms(self, kinds, seed, *options):
        chance = random.Random(seed)
        running = []
        for rseq in kinds:
            rounds = int(10 ** chance.uniform(3, 7))
            running.append(self.start_traced(
                'storm', '-k', rounds, '-n', EVENTS, '-p', chance.choice((1, 2, 3)), '-t', chance.choice((1, 2, 4)),
                *options, rseq=rseq))
        for process in running:
            self.assertEqual(process.wait(timeout=120), KILLED)

    def assert_nothing_is_missing(self, bounded):
        """Checks the trace with its open blocks, and again after they are closed."""
        last = None
        for finished in (False, True):
            if finished:
                self.assertEqual(self.session('finish'), 'closed\n')
            self.check(open_blocks=0 if finished else None)
            self.assertEqual(self.losses(), {})
            threads = self.pairs()
            if bounded:
                self.assert_end_is_whole(threads)
            else:
                for who, numbers in threads.items():
                    self.assert_whole(numbers, who)
            self.assertTrue(last is None or last == threads, 'closing the blocks has changed events')
            last = threads
        return last

    def assert_end_is_whole(self, threads):
        """A thread that changes its CPU can have a gap before the time at which the file of another CPU begins."""
        for who, numbers in threads.items():
            self.assertEqual(numbers, sorted(set(numbers)), 'thread %#x' % who)
        for who, numbers in self.pairs(since=self.complete_since()).items():
            self.assertEqual(numbers, threads[who][-len(numbers):])
            self.assertEqual(numbers, list(range(numbers[0], numbers[-1] + 1)), 'thread %#x' % who)

    def killed(self, kinds, *options, flight=0, block=65536):
        for round in range(KILLS // 2):
            self.trace = self.path('trace%d' % round)
            self.session('create', flight, block)
            for i in range(2):
                self.storms(kinds, 1000 * round + i, *options)
            with self.subTest(round=round):
                # A later process finds a consistent state.
                survivor = self.start_traced('storm', '-n', 1000, rseq=kinds[0])
                self.assertEqual(survivor.wait(timeout=120), 0)
                threads = self.assert_nothing_is_missing(bounded=flight != 0)
                self.assertEqual(threads[survivor.pid << 32 | survivor.pid][-1], 999)
            call('rm', '-r', self.trace)

    def test_with_restartable_sequences(self):
        self.killed([True, True])

    def test_in_lanes(self):
        self.killed([False, False])

    def test_mixed(self):
        self.killed([True, False, True])

    def test_signals_and_moves(self):
        self.killed([True, False], '-s', 300, '-m')

    def test_small_blocks(self):
        """Small blocks make kills between two blocks frequent."""
        self.killed([True, True], block=4096)

    def test_flight_recorder(self):
        self.killed([True, True], flight=262144, block=4096)

    def test_flight_recorder_and_moves(self):
        self.killed([True, False], '-m', flight=262144, block=4096)


class Record(recording.Case):
    def test_the_program_of_ltt_record(self):
        for seed in range(KILLS // 2):
            self.trace = self.path('trace%d' % seed)
            rounds = int(10 ** random.Random(seed).uniform(3, 7))
            said = call(LTT, 'record', '-o', self.trace, '--', recording.program('storm'), '-k', rounds, '-n', EVENTS,
                        '-p', 2, '-t', 2, status=128 + signal.SIGKILL, start_new_session=True)
            self.assertNotIn('LOST', said)
            self.check()
            for who, numbers in self.pairs().items():
                self.assert_whole(numbers, who)


if __name__ == '__main__':
    unittest.main()
