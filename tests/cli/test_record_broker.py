"""Programs that cannot open the trace join a recording through the socket of `ltt record`."""
import os
import signal
import socket
import subprocess
import unittest

import recording
from recording import LTT, program

CONNECTIONS = 200


class Broker(recording.Case):
    """The program is a shell that prints the address of the broker, waits for a line, and executes a program without the path."""

    def start(self):
        process = subprocess.Popen([LTT, 'record', '-o', self.trace, '--', 'sh', '-c',
                                    'echo $LTT_TRACE_SOCKET; read line; unset LTT_TRACE_DIR; %s -n 100; echo ended; '
                                    'read line' % program('storm')],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   start_new_session=True)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        return process, process.stdout.readline().strip()

    @staticmethod
    def go_on(process):
        process.stdin.write('\n')
        process.stdin.flush()

    def end(self, process, events):
        self.go_on(process)
        self.assertEqual(process.stdout.readline(), 'ended\n')
        self.go_on(process)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.check()
        self.assertEqual([len(numbers) for numbers in self.pairs().values()], [events])
        self.assertEqual(self.lost(), 0)

    def connect(self, address):
        """A client without a token."""
        client = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.addCleanup(client.close)
        client.connect('\0' + address.rsplit(':', 1)[0])
        return client

    def test_without_the_path(self):
        process, _ = self.start()
        self.end(process, 100)

    def test_strangers(self):
        """Silent and invalid clients get no reply and do not block others."""
        process, address = self.start()
        request = b'LTTbrk1\n' + b'0' * 32 + b'\1\0\0\0'
        for n, said in enumerate((b'', b'x', request, request + bytes(240), b'y' * 100000)):
            client = self.connect(address)
            client.settimeout(60)
            if n > 0:
                client.send(said)
                self.assertEqual(client.recv(10000), b'')
        clients = [self.connect(address) for _ in range(CONNECTIONS)]
        self.end(process, 100)
        self.assertEqual(len(clients), CONNECTIONS)

    def test_a_recorder_that_is_stopped(self):
        """The program continues untraced."""
        process, _ = self.start()
        os.kill(process.pid, signal.SIGSTOP)
        self.go_on(process)
        self.assertEqual(process.stdout.readline(), 'ended\n')
        os.kill(process.pid, signal.SIGCONT)
        self.go_on(process)
        process.communicate(timeout=60)
        self.check()


if __name__ == '__main__':
    unittest.main()
