"""Plugins that trace and are unloaded repeatedly, while threads that used them live on."""
import os
import shutil
import subprocess
import unittest

import recording

ROUNDS = 20 * recording.STRESS
THREADS = 4
EVENTS = ROUNDS * (THREADS + 2) * 100  # by each thread, including the main and the short-lived one


class Unload(recording.Case):
    def unload(self, keys, *other, plugin='plugin.so', events=EVENTS, **options):
        self.session('create')
        said = subprocess.run(**self.traced('unload', recording.program(plugin), THREADS, ROUNDS, keys, *other,
                                            **options), stdout=subprocess.PIPE, check=True)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual(self.check()['events'], events)
        self.assertEqual(self.lost(), 0)
        self.assertEqual(self.facilities(), ['tracer', 'losses', 'demo'])
        return said.stdout

    def facilities(self):
        return [load['data']['name'] for load in self.events('--all', '--event=builtin.facility_load')]

    def test_the_kernel_forgets(self):
        """The kernel would kill a thread whose registered sequence is unmapped."""
        self.assertEqual(self.unload(0), b'unloaded\n')

    def test_in_lanes(self):
        self.assertEqual(self.unload(0, rseq=False), b'unloaded\n')

    def test_where_the_end_of_a_thread_cannot_be_seen(self):
        """Without a thread-exit hook the plugin stays in memory."""
        self.assertEqual(self.unload(40), b'kept\n')

    def test_a_probe_in_the_plugin(self):
        """The threads refer to its probe, so the plugin stays in memory."""
        self.assertEqual(self.unload(0, plugin='plugin-alone.so'), b'kept\n')

    def test_two_probes_in_one_process(self):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                self.trace = self.path('trace%d' % rseq)
                said = self.unload(0, recording.program('plugin-alone.so'), events=EVENTS + ROUNDS * 100, rseq=rseq)
                self.assertEqual(said, b'unloaded\n')

    def test_forks_in_a_handler(self):
        """The plugin is added and removed by functions that the handler interrupts."""
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                self.trace = self.path('forks%d' % rseq)
                self.session('create')
                said = subprocess.run(**self.traced('unload-forks', recording.program('plugin.so'), 1000 * recording.STRESS, rseq=rseq),
                                      stdout=subprocess.PIPE, check=True, timeout=300)
                self.session('finish')
                self.assertEqual(self.check()['events'] + self.lost(), int(said.stdout))
                self.assertGreater(int(said.stdout), 0)

    def test_a_plugin_is_loaded_during_a_fork(self):
        """The handlers of fork() in the program wait for the thread that loads it."""
        self.session('create')
        other = os.path.join(self.folder, 'other.so')
        shutil.copy(recording.program('plugin.so'), other)
        subprocess.run(**self.traced('load-forks', recording.program('plugin.so'), other,
                                     env={'LD_LIBRARY_PATH': os.path.join(recording.USE, 'lib')}), check=True, timeout=60)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual((self.check()['events'], self.lost()), (200, 0))

    def test_many_processes_load_a_plugin(self):
        """More than the session has drafts of facilities."""
        n = 600
        self.session('create')
        subprocess.run(**self.traced('together', n, recording.program('plugin.so')), check=True, timeout=300)
        self.session('finish')
        self.assertEqual((self.check()['events'], self.lost()), (n * 100, 0))

    def test_without_a_session(self):
        said = subprocess.run(**self.traced('unload', recording.program('plugin.so'), THREADS, ROUNDS, 0),
                              stdout=subprocess.PIPE, check=True)
        self.assertEqual(said.stdout, b'unloaded\n')
        self.assertFalse(os.path.exists(self.trace))


if __name__ == '__main__':
    unittest.main()
