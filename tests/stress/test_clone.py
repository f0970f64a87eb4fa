"""Processes that clone(2) makes in another PID namespace, where the pids of their parents are unknown: no event is lost."""
import os
import unittest

import recording

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


if __name__ == '__main__':
    unittest.main()
