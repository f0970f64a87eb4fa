"""Processes that clone(2) makes in another PID namespace, where the pids of their parents are unknown: no event is lost."""
import os
import unittest

import recording
from recording import LTT, call

EVENTS = 20000 * recording.STRESS
NOT_PERMITTED = 77


class Clone(recording.Case):
    def traced_by(self, which):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                self.trace = os.path.join(self.folder, 'rseq' if rseq else 'lanes')
                self.session('create')
                process = self.start_traced('clone', which, EVENTS, rseq=rseq)
                status = process.wait(timeout=120)
                if status == NOT_PERMITTED:
                    self.skipTest('PID namespaces are not permitted here')
                self.assertEqual(status, 0)
                self.assertEqual(self.totals()['lost'], 0)
                self.assertEqual(self.session('finish'), 'closed\n')
                self.check()
                self.assertEqual(self.losses(), {})
                numbers, files = ([], []), (set(), set())
                for event in self.events('--event=demo.pair'):
                    numbers[event['data']['a']].append(event['data']['b'])
                    files[event['data']['a']].add(event['tracefile'])
                self.assert_whole(numbers[0], 0)
                self.assertEqual(numbers[1], list(range(EVENTS)))
                self.assertTrue(rseq or not files[0] & files[1], 'a lane of another process was taken')

    def test_the_first_process(self):
        self.traced_by('child')

    def test_a_child_of_it(self):
        self.traced_by('grandchild')

    def test_in_a_static_program(self):
        """It has the clone() of libc, too."""
        call(LTT, 'record', '-o', self.trace, '--', recording.program('clone-static'))
        self.assertEqual((self.check()['events'], self.lost(), self.losses()), (2, 1, {'vfork': 1}))

    @unittest.skipUnless(os.geteuid() == 0, 'only root can make a PID namespace without a user namespace')
    def test_lanes_of_many_processes(self):
        """Others cannot see that the processes have ended: each gives its lane back."""
        n = 1100  # the session has 1,024 lanes
        call(LTT, 'record', '-o', self.trace, '--', 'unshare', '--pid', '--fork', 'sh', '-c',
             'i=0; while [ $i -lt %d ]; do "$0" handler 0; i=$((i+1)); done' % n, recording.program('borrow'),
             env=dict(os.environ, LTT_TRACE_RSEQ='0'))
        self.assertEqual((self.check()['events'], self.lost()), (n, 0))


if __name__ == '__main__':
    unittest.main()
