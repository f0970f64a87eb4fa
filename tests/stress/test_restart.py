"""A program stops its trace and starts another one, while one of its threads is in its first event."""
import errno
import os
import unittest

import recording
from recording import call, program


class Restart(recording.Case):
    def restart(self, rseq):
        environment = dict(os.environ, LTT_TRACE_RSEQ='1' if rseq else '0')
        first = self.path('first')
        said = call(program('restart'), first, self.trace, env=environment)
        self.assertEqual(said, 'first 0\nearly %d\nsecond 0\n' % -errno.EBUSY)
        self.assertEqual(self.check()['events'], 2)
        self.assertEqual(self.lost(), 0)
        self.trace, second = first, self.trace
        self.assertEqual(self.check()['events'], 0)
        self.trace = second

    def test_with_restartable_sequences(self):
        self.restart(True)

    def test_in_lanes(self):
        """The thread takes a lane after the first trace has ended. No thread of the second one may write there."""
        self.restart(False)
        events = self.events()
        self.assertEqual(len({event['tid'] for event in events}), 2)
        self.assertEqual(len({event['tracefile'] for event in events}), 2)


if __name__ == '__main__':
    unittest.main()
