"""Processes that clone(2) makes in another PID namespace, where the pids of their parents are unknown: no event is lost."""
import os
import struct
import subprocess
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
class Namespaces(recording.Case):
    """Lanes of processes in other PID namespaces."""

    def expect(self, *words, n=1100):  # the session has 1,024 lanes
        call(LTT, 'record', '-o', self.trace, '--', 'unshare', '--pid', '--fork', *words, env=dict(os.environ, LTT_TRACE_RSEQ='0'))
        self.assertEqual((self.check()['events'], self.lost()), (n, 0))

    def test_of_many_processes(self):
        """Processes outside cannot see that they have ended: each gives its lane back."""
        self.expect('sh', '-c', 'i=0; while [ $i -lt 1100 ]; do "$0" handler 0; i=$((i+1)); done', recording.program('borrow'))

    def test_of_killed_processes(self):
        """Another process of the namespace takes the lane."""
        self.expect(recording.program('clone'), 'killed', '1100')

    def test_of_executed_programs(self):
        self.expect(recording.program('clone'), 'executed', '1100')

    def test_one_pid_in_two_namespaces(self):
        """A process keeps its lane when one with the same number begins elsewhere."""
        self.session('create')
        inside = self.traced('steady', 1, rseq=False)
        with subprocess.Popen(**{**self.traced('driven', rseq=False), 'stdin': subprocess.PIPE}, stdout=subprocess.PIPE) as outside:
            outside.stdin.write(b'1\n')
            outside.stdin.flush()
            self.assertEqual(outside.stdout.readline(), b'1\n')
            said = subprocess.run(['unshare', '--pid', '--fork', '--mount-proc', 'sh', '-c',
                                   'echo %d >/proc/sys/kernel/ns_last_pid; "$0" 1 & wait; echo $!' % (outside.pid - 1), *inside['args']],
                                  env=inside['env'], stdout=subprocess.PIPE, check=True, timeout=60).stdout
            owners = self.owners()
        self.assertEqual(said, b'done\n%d\n' % outside.pid)
        self.assertEqual([owner & (1 << 32) - 1 for owner in owners if owner >> 63 == 0], [outside.pid])

    def owners(self):
        """The owners of lanes, in info/session (doc/session.md)."""
        with open(os.path.join(self.trace, 'info/session'), 'rb') as file:
            state = file.read()
        cpus, lanes = struct.unpack_from('=II', state, 65548)
        owners = [struct.unpack_from('=Q', state, 329280 + number * 256 + 216)[0] for number in range(cpus, cpus + lanes)]
        return [owner for owner in owners if owner != 0]


if __name__ == '__main__':
    unittest.main()
