"""Processes that are stopped in any system call of joining and leaving: other processes do not wait for them."""
import os
import signal
import subprocess
import unittest

import recording
from recording import program

PRELOAD = program('kill-at.so')
CALLS_MAX = 5000  # more than any program here calls


@unittest.skipUnless(os.path.exists(PRELOAD), 'no library to be preloaded')
class Stops(recording.Case):
    def stop_at(self, number, rseq):
        """Returns a process stopped there; None if it ended before."""
        process = self.start_traced('storm', '-n', 10, rseq=rseq,
                                    env={'LD_PRELOAD': PRELOAD, 'KILL_AT': str(number),
                                         'KILL_WITH': str(int(signal.SIGSTOP))})
        state = os.waitid(os.P_PID, process.pid, os.WSTOPPED | os.WEXITED | os.WNOWAIT)
        return process if state.si_code == os.CLD_STOPPED else None

    def run_others(self, rseq):
        done = subprocess.run(**self.traced('storm', '-n', 100, '-p', 2, rseq=rseq), timeout=120, check=False)
        self.assertEqual(done.returncode, 0)

    def stops(self, rseq, step):
        self.session('create', 0, 4096)
        stopped, others = [], 0
        for number in range(0, CALLS_MAX, step):
            process = self.stop_at(number, rseq)
            if process is None:
                break
            stopped.append(process)
            self.run_others(rseq)
            others += 1
        self.assertGreater(len(stopped), 5)
        self.assertEqual(self.session('finish'), 'open\n')
        self.check(open_blocks=None)
        for process in stopped:
            process.kill()
            process.wait()
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.lost(), 0)
        threads = self.pairs()
        for who, numbers in threads.items():
            self.assert_whole(numbers, who)
        self.assertEqual(sum(len(numbers) == 100 for numbers in threads.values()), 2 * others)
        mine = {process.pid for process in stopped}
        for name in ('start', 'exit'):
            events = self.events('--all', '--event=tracer.process_' + name)
            # The last one was not stopped.
            self.assertEqual(len({event['data']['pid'] for event in events} - mine), 2 * others + 1)

    def test_with_restartable_sequences(self):
        self.stops(True, 1)

    def test_in_lanes(self):
        self.stops(False, 1 if recording.STRESS > 1 else 9)


if __name__ == '__main__':
    unittest.main()
