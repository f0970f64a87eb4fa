"""A limit of file size (`ulimit -f`): every command that writes reports it, and leaves nothing. The tests start the
commands with the default effect of SIGXFSZ, which ends a program."""
import os
import resource
import subprocess
import unittest

from attaching import Attach, Program
from command import DATA, ENVIRONMENT, LTT, SOURCE, CommandTest, run, sample
from recording import BUILD, call, program

HAS_PAGE = os.path.exists(os.path.join(BUILD, 'share/ltt/viewer/viewer.js'))


def no_more_than(size):
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class Results(CommandTest):
    def assert_refused(self, *words, said='File too large', size=600):
        """TMPDIR is the folder of the test, so that temporary files are found as well."""
        before = os.listdir(self.folder)
        with self.subTest(words=words[0]):
            done = subprocess.run([LTT, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                                  env=dict(ENVIRONMENT, TMPDIR=self.folder), preexec_fn=no_more_than(size))
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(said.encode(), done.stderr)
            self.assertEqual(os.listdir(self.folder), before)

    def test_traces(self):
        trace = sample('flight-recorder')
        self.assert_refused('merge', trace, sample('every-type'), '-o', self.path('out'))
        self.assert_refused('cut', '--filter', 'pid != 1', trace, '-o', self.path('out'))
        self.assert_refused('check', '--repair', sample('damage'), '-o', self.path('out'))
        self.assert_refused('import', os.path.join(DATA, 'perf/file-zstd83.data'), '-o', self.path('out'))
        self.assert_refused('record', '-o', self.path('out'))

    def test_files(self):
        trace = sample('flight-recorder')
        self.assert_refused('pack', '--redact', 'host', trace, '-o', self.path('out.tar'))
        self.assert_refused('export', '--to', 'chrome', trace, '-o', self.path('out.json'))
        self.assert_refused('flame', trace, '-o', self.path('out.svg'))
        self.assert_refused('compile', '--header', self.path('out.h'), os.path.join(SOURCE, 'eventdefs/core.xml'))
        self.assert_refused('sql', '-o', self.path('out.sqlite'), trace, said='out.sqlite: ')

    @unittest.skipUnless(HAS_PAGE, 'the page is not built')
    def test_a_page(self):
        self.assert_refused('view', '--html', self.path('out.html'), sample('flight-recorder'))

    def test_a_trace_that_is_changed(self):
        trace = self.copy(sample('one-cpu'))
        before = sorted(os.walk(trace))
        self.assert_refused('bookmark', 'add', '--at', '+0', trace, 'x' * 1000)
        self.assertEqual(sorted(os.walk(trace)), before)

    def test_standard_output(self):
        with open(self.path('out'), 'wb') as out:
            result = run(LTT, 'dump', sample('flight-recorder'), stdout=out, preexec_fn=no_more_than(5000))
        self.assertEqual((result.status, result.err), (2, 'ltt dump: standard output: could not write: File too large\n'))
        self.assertEqual(os.path.getsize(self.path('out')), 5000)


class Recordings(Attach):
    def test_a_snapshot(self):
        """Nothing is left of a copy that is larger than the limit."""
        with subprocess.Popen([LTT, 'record', '-o', self.trace, '--flight=64K', '--block-size=4K', '--', 'sh', '-c',
                               '%s; echo ready; read line' % program('storm')], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
            self.assertEqual(process.stdout.readline(), b'ready\n')
            said = call(LTT, 'snapshot', self.trace, '-o', self.path('copy'), status=2, preexec_fn=no_more_than(1000))
            self.assertIn('File too large', said)
            self.assertEqual(os.listdir(self.folder), [os.path.basename(self.trace)])
            process.communicate(b'\n')
        self.assertEqual(process.returncode, 0)

    def test_attach(self):
        tracee = Program(self)
        for size in (100, 1000, 100000):
            with self.subTest(size=size):
                said = self.fails('--pid', tracee.pid, preexec_fn=no_more_than(size))
                self.assertRegex(said, 'File too large|the limit of file size')
        tracee.do(5)


if __name__ == '__main__':
    unittest.main()
