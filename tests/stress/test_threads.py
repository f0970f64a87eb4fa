"""Threads that end, and more threads than the fast path admits: no event of them is lost."""
import os
import unittest

import recording

PLACES = 4096  # of libltt/probe/threads.c
CPUS = len(os.sched_getaffinity(0))


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

    @unittest.skipUnless(CPUS > 1, 'takes more than one CPU')
    def test_cpus_without_a_tracefile(self):
        """As those that the session did not know when it began. There the thread writes to a lane."""
        n = 5000 * recording.STRESS
        self.session('create')
        self.session('cpus', 1)
        process = self.start_traced('storm', '-t', 4, '-n', n, '-m', '-s', 200)
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.losses(), {})
        threads = {thread: numbers for thread, numbers in self.pairs().items() if not thread >> 63}
        for thread, numbers in threads.items():
            self.assert_whole(numbers, thread)
        self.assertEqual(list(map(len, threads.values())), [n] * 4)

    @unittest.skipUnless(CPUS > 1, 'takes more than one CPU')
    def test_programs_on_cpus_without_a_tracefile(self):
        """A process that executes itself takes its lane again: the session has 1,024 lanes."""
        n = 1100
        self.session('create')
        self.session('cpus', 1)
        process = self.start_traced('clone', 'executed', n, preexec_fn=lambda: os.sched_setaffinity(0, {max(os.sched_getaffinity(0))}))
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual((self.check()['events'], self.losses()), (n, {}))

    @unittest.skipUnless(CPUS > 1 and os.geteuid() == 0, 'takes root, and more than one CPU')
    def test_cpus_without_a_tracefile_nor_a_lane(self):
        """The events there are lost, and counted."""
        self.session('create')
        self.session('cpus', 1)
        process = self.start_traced('drop', 'limit', 'same', CPUS, self.folder)
        self.assertEqual(process.wait(timeout=120), 0)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.losses(), {'no_descriptor': 3000 * (CPUS - 1)})
        self.assertEqual([len(numbers) for numbers in self.pairs().values()], [3000])


if __name__ == '__main__':
    unittest.main()
