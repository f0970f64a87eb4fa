"""The tools under valgrind, on a few traces (`scons valgrind` takes all of them)."""
import os
import shutil
import sys
import unittest

from command import SOURCE, CommandTest

sys.path.insert(0, os.path.join(SOURCE, 'tests/valgrind'))
import memory  # noqa: E402  pylint: disable=wrong-import-position

USE = os.environ.get('LTT_USE', os.path.join(SOURCE, 'build'))
RUNS = ('dump ltt/every-type', 'repair ltt-damaged/damage', 'latency', 'import perf/file-tracepoints.data')


@unittest.skipUnless(shutil.which('valgrind'), 'needs the Debian package valgrind')
class Memory(CommandTest):
    def test_runs(self):
        words = dict(memory.runs())
        self.assertGreater(len(words), 400)
        tried = memory.Memory(USE, self.folder)
        for number, name in enumerate(RUNS):
            with self.subTest(run=name):
                self.assertIsNone(tried.run(number, words[name]))

    def test_a_mistake(self):
        """A program with a leak is noticed."""
        tried = memory.Memory(USE, self.folder)
        tried.ltt = '/usr/bin/python3'
        self.assertIn('definitely lost', tried.run(0, ['-c', 'import ctypes; ctypes.CDLL(None).malloc(77)']))


if __name__ == '__main__':
    unittest.main()
