"""`ltt record --wait`: records until the daemons that a program started have exited."""
import os
import signal
import subprocess
import unittest

import recording
from recording import LTT, program

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
