"""A full disk, on a small file system: every command that writes reports it and leaves nothing."""
import glob
import os
import subprocess

from command import DATA, LTT, SOURCE, CommandTest, ltt, sample

CAN_UNSHARE = subprocess.run(['unshare', '-rm', 'true'], check=False, stderr=subprocess.DEVNULL).returncode == 0

# Mounts a small file system, runs a command with its temporary files there, and lists the files
# left.
SCRIPT = """mount -t tmpfs -o size=%dk none %s || exit 99
cd %s
TMPDIR=. "$@" >/dev/null; echo status $?
ls -A"""


def recording(name):
    return os.path.join(DATA, name)


class FullDisk(CommandTest):
    def setUp(self):
        super().setUp()
        if not CAN_UNSHARE:
            self.skipTest('no permission to create a mount namespace')
        self.small = self.path('small')
        os.mkdir(self.small)

    def run_in(self, size_kb, *arguments):
        """Returns the files left there, the status and the messages."""
        done = subprocess.run(['unshare', '-rm', 'sh', '-c', SCRIPT % (size_kb, self.small, self.small), 'sh', LTT, *arguments],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              check=True)
        status, *left = done.stdout.decode().splitlines()
        return left, status, done.stderr.decode()

    def check(self, *arguments, sizes=(4, 64), said=''):
        """@said: the preceding messages"""
        for size_kb in sizes:
            with self.subTest(arguments=arguments[0], size_kb=size_kb):
                left, status, err = self.run_in(size_kb, *arguments)
                self.assertEqual((left, status), ([], 'status 2'), err)
                self.assertRegex(err, r'\A%sltt %s: [^\n]+: No space left on device\n\Z' % (said, arguments[0]))
        left, status, err = self.run_in(16384, *arguments)
        self.assertEqual(status, 'status 0', err)
        self.assertEqual(len(left), 1)

    def imported(self, name):
        trace = self.path('trace')
        self.assert_done(ltt('import', recording(name), '-o', trace))
        return trace

    def test_import(self):
        self.check('import', recording('perf/offline-cpu.data'), '-o', 'out')
        self.check('import', recording('perf/file-zstd83.data'), '-o', 'out')
        self.check('import', recording('perf/threads-dir.data'), '-o', 'out')
        self.check('import', recording('revent/v3-gamepad.revent'), '-o', 'out')
        self.check('import', sorted(glob.glob(recording('qemu/q*.rr')))[0], '-o', 'out')

    def test_export(self):
        trace = self.imported('perf/file-zstd83.data')
        self.check('export', '--to', 'perf', '-o', 'out', trace)
        self.check('export', '--to', 'ctf', '-o', 'out', trace)
        self.check('export', '--to', 'json', '-o', 'out', trace)

    def test_parts_and_sums(self):
        trace = self.imported('perf/file-zstd83.data')
        self.check('cut', '--from', '-1000', '-o', 'out', trace)
        self.check('cut', '--filter', 'pid != 1', '-o', 'out', trace)
        self.check('check', '--repair', '-o', 'out', trace)
        self.check('merge', '-o', 'out', trace, sample('one-cpu'), said=r'(?:ltt merge: [^\n]+set it with --offset 1=S\n)')

    def test_archives(self):
        trace = self.imported('perf/file-zstd83.data')
        packed = self.path('packed.tar.zst')
        self.assert_done(ltt('pack', trace, '-o', packed))
        self.check('pack', trace, '-o', 'out.tar', sizes=(4, 100))
        self.check('pack', trace, '-o', 'out.tar.gz', sizes=(4, 12))
        self.check('unpack', packed, '-o', 'out')

    def test_reading_an_archive(self):
        """The archive is unpacked to an anonymous temporary file."""
        trace = self.imported('perf/file-zstd83.data')
        packed = self.path('packed.tar.zst')
        self.assert_done(ltt('pack', trace, '-o', packed))
        for size_kb, expected in ((64, 2), (16384, 0)):
            left, status, said = self.run_in(size_kb, 'info', packed)
            self.assertEqual((left, status), ([], 'status %d' % expected), said)
            self.assertEqual('No space left on device' in said, expected == 2)

    def test_the_machine_and_a_header(self):
        self.check('record', '-o', 'out', sizes=(4, 32))
        self.check('compile', '--header', 'out', os.path.join(SOURCE, 'eventdefs/perf_file.xml'), sizes=(4, 16))
