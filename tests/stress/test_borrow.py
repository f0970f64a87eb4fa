"""Children that run in the memory of their parent: their events count as lost, and damage, block or double nothing."""
import subprocess
import unittest

import recording

N = 500 * recording.STRESS


class Borrow(recording.Case):
    program = 'borrow'

    def trace_of(self, rseq, what, n, *more):
        """Returns the numbers of the events that are to be lost, and of the others."""
        self.trace = self.path('rseq' if rseq else 'lanes')
        self.session('create')
        said = subprocess.run(**self.traced(self.program, what, n, *more, rseq=rseq), stdout=subprocess.PIPE, check=True, timeout=120)
        self.assertEqual(self.session('finish'), 'closed\n')
        return map(int, said.stdout.split())

    def both(self, what, n=N, *more, probes=1):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                borrowed, own = self.trace_of(rseq, what, n, *more)
                self.assertEqual((self.check()['events'], self.lost()), (own, borrowed))
                self.assertEqual(self.losses(), {'vfork': borrowed} if borrowed else {})
                self.assert_each_joins_once(probes)

    def assert_each_joins_once(self, probes):
        starts = [event['data']['pid'] for event in self.events('--all', '--event=tracer.process_start')]
        self.assertEqual(sorted(starts), sorted([*set(starts)] * probes))
        traced = {event['pid'] for event in self.events()}
        self.assertLessEqual(traced, set(starts))
        if probes == 1:
            self.assertEqual({event['data']['a'] for event in self.events()}, traced)

    def test_vfork_in_a_child_of_vfork(self):
        self.both('nested')

    def test_before_the_first_event_of_a_forked_process(self):
        """The process does not join with the pid of the child."""
        self.both('first')

    def test_handlers_in_the_parent(self):
        """They run before vfork() returns, and lose no event."""
        self.both('handler')

    def test_fork_in_a_child_of_vfork(self):
        """The new processes have memory of their own, and none of libc's registration of restartable sequences."""
        self.both('fork', 20 * N)

    def test_two_copies_of_the_probe(self):
        """The program has the vfork() that marks the thread in both."""
        self.both('copies', 20, recording.program('plugin-alone.so'), probes=2)

    def test_a_copy_that_finds_its_own_functions_first(self):
        self.both('copies', 20, recording.program('plugin-symbolic.so'), probes=2)

    def test_two_copies_in_libraries(self):
        """The program takes the address of vfork()."""
        self.program = 'borrow-fixed'
        self.both('copies', 20, recording.program('plugin-symbolic.so'), probes=2)

    def test_a_handler_of_fork_that_traces(self):
        """The process joins in it, before the handler of the probe."""
        self.both('twice')

    def test_killed_children(self):
        """A child that is killed in an event does not keep its parent from starting another trace."""
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                other = self.path('other%d' % rseq)
                self.trace_of(rseq, 'killed', 200 * recording.STRESS, other)
                self.check()
                self.assertEqual(self.check(other)['events'], 1)
                self.assertEqual(set(self.losses()), {'vfork'})


if __name__ == '__main__':
    unittest.main()
