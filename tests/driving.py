"""driving.py - recordings of a program that writes events when the test tells it to."""
import os
import subprocess

from recording import BUILD, Case, program

LTT = os.path.join(BUILD, 'bin/ltt')
DRIVEN = ['sh', '-c', 'echo ready; read line; exec %s' % program('driven')]


class Driven(Case):
    def start(self, *words, **more):
        process = subprocess.Popen([LTT] + [str(word) for word in words], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=self.folder, **more)
        self.addCleanup(self.close, process)
        return process

    def record(self, *options, **more):
        """Starts a recording whose program waits for a line before it joins."""
        process = self.start('record', '-o', more.pop('trace', self.trace), *options, '--', *DRIVEN, **more)
        self.assertEqual(process.stdout.readline(), b'ready\n')
        return process

    @staticmethod
    def tell(process, text):
        process.stdin.write(text.encode())
        process.stdin.flush()

    def drive(self, recorder, n):
        self.tell(recorder, '%d\n' % n)
        self.assertEqual(recorder.stdout.readline(), b'%d\n' % n)
