"""`scons try-view`: opens a trace of 10 GB with `ltt view`, and measures its answers.

usage: try_view.py FOLDER [GIGABYTES]

Fails if the first picture takes longer than 1 s, if 5 % of the windows take longer than 100 ms, if the server uses more
than 200 MB, or if an event is missing in the picture. The trace is removed at the end. These are wall times: run it on a
machine that does nothing else.
"""
import os
import random
import shutil
import sys
import tempfile
import time
import unittest

import big_trace
from viewing import ViewTest

FIRST_S, WINDOW_S, SERVER_KB, WINDOWS = 1, 0.1, 200000, 200
GIGABYTES = float(sys.argv.pop(2)) if len(sys.argv) > 2 else 10
FOLDER = sys.argv.pop(1) if len(sys.argv) > 1 else None


def use_kb(pid):
    """The most memory that a process has used."""
    with open('/proc/%d/status' % pid, encoding='utf-8') as file:
        return next(int(line.split()[1]) for line in file if line.startswith('VmHWM'))


class BigTrace(ViewTest):
    def measure(self, server, lanes, length, stage):
        """Asks for windows of all lengths. Returns: the seconds that 95 % of them take at most"""
        choose, seconds = random.Random(1), []
        for _ in range(WINDOWS):
            width = int(length * 10 ** -choose.uniform(0, 6))
            begin = choose.randrange(length - width + 1)
            started = time.monotonic()
            server.ask('spans', **{'from': begin, 'to': begin + width, 'pixels': 1200, 'lanes': lanes})
            seconds.append(time.monotonic() - started)
        seconds.sort()
        print('%s: window p50 %.0f ms, p95 %.0f ms, max %.0f ms' % (
            stage, 1e3 * seconds[WINDOWS // 2], 1e3 * seconds[WINDOWS * 95 // 100], 1e3 * seconds[-1]))
        return seconds[WINDOWS * 95 // 100]

    def test_it(self):
        folder = tempfile.mkdtemp(dir=FOLDER)
        self.addCleanup(shutil.rmtree, folder)
        path = os.path.join(folder, 'trace')
        n_events = big_trace.write(path, max(int(GIGABYTES * 1e9 / big_trace.BLOCK_BYTES / big_trace.CPUS), 1))
        started = time.monotonic()
        server = self.view(path)
        counts = server.ask('density', bins=1000)['counts']
        known = server.ask('lanes')['lanes']
        length = server.ask('trace')['length']
        first = server.ask('spans', pixels=1000, lanes=','.join(str(lane['id']) for lane in known))
        seconds = time.monotonic() - started
        print('%.1f GB, %d events: first picture after %.2f s' % (GIGABYTES, n_events, seconds))
        self.assertTrue(all(counts) and first['bins'] and len(known) == big_trace.CPUS)
        self.assertLess(seconds, FIRST_S)
        lanes = ','.join(str(lane) for lane in range(2 * big_trace.CPUS))
        self.measure(server, lanes, length, 'while reading')
        progress = server.wait()
        self.assertEqual((progress['stage'], progress['events']), ('ready', n_events))
        print('read after %.0f s' % (time.monotonic() - started))
        self.assertLess(self.measure(server, lanes, length, 'ready'), WINDOW_S)
        bins = list(zip(*[iter(server.ask('spans', pixels=1000, lanes=lanes)['bins'])] * 6))
        rounds = n_events // len(big_trace.ROUND)
        self.assertEqual([sum(bin[3] for bin in bins if bin[2] == depth) for depth in (-1, 0, 1)],
                         [n_events + rounds, rounds, 2 * rounds])
        used = use_kb(server.process.pid)
        print('the server used %d MB' % (used / 1000))
        self.assertLess(used, SERVER_KB)


if __name__ == '__main__':
    unittest.main()
