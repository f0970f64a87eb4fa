"""Threads that end, and more threads than the fast path admits: no event of them is lost."""
import os
import unittest

import recording

PLACES = 4096  # of libltt/probe/threads.c


class Threads(recording.Case):
    def traced_by(self, *words, rseq):
        self.trace = os.path.join(self.folder, 'rseq' if rseq else 'lanes')
        self.session('create')
        process = self.start_traced('threads', *words, rseq=rseq)
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.losses(), {})
        return list(self.pairs().values())

    def test_destructors(self):
        """A thread traces after the probe has seen its end."""
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                self.assertEqual(self.traced_by('ending', 20, rseq=rseq), [list(range(25))] * 20)

    def test_a_crowd(self):
        n = PLACES + 100
        self.assertEqual(self.traced_by('crowd', n, rseq=True), [list(range(5))] * n)


if __name__ == '__main__':
    unittest.main()
