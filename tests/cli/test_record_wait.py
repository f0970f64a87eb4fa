"""`ltt record --wait`: records until the daemons that a program started have exited."""
import os
import signal
import subprocess
import unittest

import recording
from recording import LTT, program

CAN_UNSHARE = subprocess.run(['unshare', '-pf', '--mount-proc', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0
STATUS = 3
EVENTS = 10


class Wait(recording.Case):
    def start(self, *options):
        fifo = self.path('fifo')
        os.mkfifo(fifo)
        # Not a pipe, because the daemon inherits it and continues.
        with open(self.path('said'), 'w', encoding='utf-8') as said:
            process = subprocess.Popen([LTT, 'record', '-o', self.trace, *options, '--', program('daemon'), fifo],
                                       stdin=subprocess.DEVNULL, stdout=said, stderr=said, start_new_session=True)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        # The program has ended when its daemon opens the other end.
        return process, os.open(fifo, os.O_WRONLY)

    def end(self, process):
        status = process.wait(timeout=60)
        with open(self.path('said'), encoding='utf-8') as file:
            said = file.read()
        self.assertEqual(status, STATUS, said)
        self.check(open_blocks=None)
        self.assertEqual(self.lost(), 0)
        return said

    def numbers(self):
        return sorted(map(len, self.pairs().values()))

    def test_until_the_daemon_has_ended(self):
        process, fifo = self.start('--wait')
        os.close(fifo)
        said = self.end(process)
        self.assertNotIn('left behind', said)
        self.assertEqual(self.numbers(), [EVENTS, 2 * EVENTS])
        starts = self.events('--all', '--event=tracer.process_start')
        exits = self.events('--all', '--event=tracer.process_exit')
        self.assertEqual({event['data']['pid'] for event in starts}, {event['data']['pid'] for event in exits})

    @unittest.skipUnless(CAN_UNSHARE, 'needs the right to make a PID namespace')
    def test_killed_in_another_pid_namespace(self):
        """Their pids may be those of other processes here."""
        script = 'for i in 1 2 3; do %s -n 1 -k 1000000; done; exit 3' % program('storm')
        done = subprocess.run([LTT, 'record', '-o', self.trace, '--no-machine', '--wait', '--', 'unshare', '-pf', '--mount-proc', 'sh', '-c', script],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60, check=False)
        self.assertEqual(done.returncode, STATUS, done.stdout)
        self.assertNotIn(b'still running', done.stdout)
        starts, exits = ([event['data']['pid'] for event in self.events('--all', '--event=tracer.process_' + what)] for what in ('start', 'exit'))
        self.assertGreater(len(starts), 0)
        self.assertEqual(sorted(starts), sorted(exits))

    def test_until_a_signal(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number=number):
                process, fifo = self.start('--wait')
                process.send_signal(number)
                said = self.end(process)
                self.assertIn('processes that `%s` started are no longer recorded; still running: 1\n' % program('daemon'),
                              said)
                self.assertEqual(self.numbers(), [EVENTS, EVENTS])
                os.close(fifo)
                os.unlink(self.path('fifo'))
                subprocess.run(['rm', '-r', self.trace], check=True)

    def test_without_a_program(self):
        said = recording.call(LTT, 'record', '--wait', '-o', self.trace, status=2)
        self.assertIn('--wait requires a program', said)


if __name__ == '__main__':
    unittest.main()
