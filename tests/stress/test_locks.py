"""A user with read access locks all files of a trace: recording does not wait."""
import os
import subprocess
import sys
import unittest

import recording

NOBODY = 65534

# Repeatedly locks all files of a directory with each kind of lock; prints a line after the first
# round.
LOCKER = '''
import fcntl, os, struct, sys
os.setgroups([]); os.setgid(%d); os.setuid(%d)
F_OFD_SETLK = 37
held, said, locked = {}, False, 0
while True:
    for folder, _, names in os.walk(sys.argv[1]):
        for name in names:
            path = os.path.join(folder, name)
            if path in held:
                continue
            try:
                files = [open(path, 'rb') for _ in range(3)]
            except OSError:
                held[path] = None
                continue
            held[path] = files
            try:
                fcntl.flock(files[0], (fcntl.LOCK_EX if len(held) %% 2 else fcntl.LOCK_SH) | fcntl.LOCK_NB)
                fcntl.fcntl(files[1], F_OFD_SETLK, struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 0, 0, 0))
                fcntl.fcntl(files[2], fcntl.F_SETLK, struct.pack('hhqqi4x', fcntl.F_RDLCK, 0, 0, 0, 0))
                locked += 1
            except OSError:
                pass
    if not said:
        print(locked, flush=True)
        said = True
''' % (NOBODY, NOBODY)


@unittest.skipUnless(os.geteuid() == 0, 'takes root to become another user')
class Locks(recording.Case):
    def under_locks(self, rseq):
        os.chmod(self.folder, 0o755)
        self.session('create', 0, 4096)
        locker = subprocess.Popen([sys.executable, '-c', LOCKER, self.trace], stdout=subprocess.PIPE, text=True)
        self.addCleanup(locker.wait)
        self.addCleanup(locker.kill)
        self.addCleanup(locker.stdout.close)
        self.assertGreater(int(locker.stdout.readline()), 2)
        processes = [self.start_traced('storm', '-n', 5000, '-t', 2, '-p', 2, rseq=rseq) for _ in range(3)]
        self.session('snapshot', self.path('snapshot'))
        for process in processes:
            self.assertEqual(process.wait(timeout=60), 0)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.lost(), 0)
        threads = self.pairs()
        self.assertEqual([len(numbers) for numbers in threads.values()], [5000] * 12)
        starts = self.events('--all', '--event=tracer.process_start')
        exits = self.events('--all', '--event=tracer.process_exit')
        self.assertEqual((len(starts), len(exits)), (6, 6))

    def test_with_restartable_sequences(self):
        self.under_locks(True)

    def test_in_lanes(self):
        self.under_locks(False)


if __name__ == '__main__':
    unittest.main()
