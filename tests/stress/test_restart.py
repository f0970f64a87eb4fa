"""A program stops its trace and starts another one, while one of its threads is in its first event."""
import errno
import os
import unittest

import recording
from recording import call, program


class Restart(recording.Case):
    def restart(self, *words, **environment):
        first = self.path('first')
        said = call(program('restart'), first, self.trace, *words, env=dict(os.environ, **environment))
        self.assertEqual(said, 'first 0\nearly %d\nsecond 0\n' % -errno.EBUSY)
        self.assertEqual(self.check()['events'], 2)
        self.assertEqual(self.lost(), 0)
        self.trace, second = first, self.trace
        self.assertEqual(self.check()['events'], 0)
        self.trace = second

    def test_with_restartable_sequences(self):
        self.restart(LTT_TRACE_RSEQ='1')

    def in_lanes(self, *words, **environment):
        self.restart(*words, **environment)
        events = self.events()
        self.assertEqual(len({event['tid'] for event in events}), 2)
        self.assertEqual(len({event['tracefile'] for event in events}), 2)

    def test_in_lanes(self):
        """The thread takes a lane after the first trace has ended. No thread of the second one may write there."""
        self.in_lanes(LTT_TRACE_RSEQ='0')

    def test_in_lanes_that_are_not_at_hand(self):
        """The thread finds no lane after the first trace has ended. Those of the second one try again at once."""
        self.in_lanes('refuse', GLIBC_TUNABLES='glibc.pthread.rseq=0')

    def test_the_registration_is_left_to_the_program(self):
        environment = dict(os.environ, GLIBC_TUNABLES='glibc.pthread.rseq=0')
        untraced = call(program('own-rseq'), env=environment)
        if untraced.startswith(os.strerror(errno.ENOSYS)):
            self.skipTest('the kernel has no restartable sequences')
        self.assertEqual(untraced, 'registered\nregistered\n')
        self.session('create')
        self.assertEqual(call(program('own-rseq'), env=dict(environment, LTT_TRACE_DIR=self.trace)), untraced)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual(self.check()['events'], 4)

    def test_the_registration_is_taken_back(self):
        """From then on the thread writes to a lane, and so does one that it creates: libc does not register that one."""
        untraced = call(program('own-rseq'), 'unregister')
        if not untraced.startswith('unregistered\n'):
            self.skipTest('libc has registered nothing')
        self.session('create')
        self.assertEqual(call(program('own-rseq'), 'unregister', env=dict(os.environ, LTT_TRACE_DIR=self.trace)), untraced)
        self.assertEqual(self.session('finish'), 'closed\n')
        lanes = [event['data']['a'] for event in self.events() if int(event['tracefile'].split('/')[1]) >= os.sysconf('SC_NPROCESSORS_CONF')]
        self.assertEqual((sorted(lanes), self.check()['events']), ([1, 3, 3], 4))
        self.assertEqual(self.losses(), {})

    def stale(self, *words):
        """A thread that has found its lane in the first trace enters it when another thread writes there to the second one."""
        first = self.path('first')
        said = call(program('stale'), first, self.trace, *words, env=dict(os.environ, LTT_TRACE_RSEQ='0', GLIBC_TUNABLES='glibc.pthread.rseq=0'))
        self.assertEqual(said, 'first 0\nsecond 0\nbefore: busy 1, turns odd 1\nafter: busy 1, turns odd 1\nat the end: busy 0, turns odd 0\n')
        self.assertEqual(self.lost(), 0)
        events = [(event['tid'], event['data']['a'], event['data']['b']) for event in self.events()]
        self.assertEqual(self.check()['events'], len(events))
        self.trace = first
        self.assertEqual(self.check()['events'], 1)
        return [(a, b) for _, a, b in sorted(events, key=lambda event: event[0])]

    def test_a_lane_of_the_trace_before(self):
        self.assertEqual(self.stale(), [(1, 1), (1, 2), (3, 0), (0, 0)])

    def test_a_handler_that_traces_meanwhile(self):
        self.assertEqual(self.stale('handler'), [(2, 0), (1, 1), (1, 2), (3, 0), (0, 0)])


if __name__ == '__main__':
    unittest.main()
