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


if __name__ == '__main__':
    unittest.main()
