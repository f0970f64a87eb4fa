"""`ltt compile`: messages in the form of compilers, exit status, checksums."""

import glob
import os
import subprocess
import tempfile
import unittest
import zlib

LTT = os.path.join(os.environ['LTT_BUILD'], 'bin', 'ltt')
SOURCE = os.environ['LTT_SOURCE']
RIGHT = b'<facility name=right><event name=e><uint size=4/></event></facility>\n'
WARNED = b'<facility name=warned>\n<event name=e colour=red /></facility>\n'
WRONG = b'<facility name=wrong>\n<event name=e><uint size=3/></event>\n<event name=e/></facility>\n'


def checksum_line(name, events):
    """The expected output of --checksum for these lines of canonical text."""
    text = 'facility %s\n%s' % (name, events)
    return '%s 0x%08x\n' % (name, zlib.crc32(text.encode()))


class Compile(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text):
        with open(os.path.join(self.folder, name), 'wb') as file:
            file.write(text)
        return name

    def check(self, *arguments, status=0, out='', err=''):
        run = subprocess.run([LTT, 'compile', *arguments], cwd=self.folder, check=False,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertEqual((run.returncode, run.stdout.decode(), run.stderr.decode()),
                         (status, out, err))

    def test_right_is_silent(self):
        self.write('right.xml', RIGHT)
        self.check('--check', 'right.xml')
        self.check('right.xml')

    def test_what_ships_is_right(self):
        shipped = glob.glob(os.path.join(SOURCE, 'eventdefs', '*.xml'))
        self.assertGreaterEqual(len(shipped), 5)
        self.check('--check', *shipped)

    def test_every_mistake_with_its_place(self):
        self.write('wrong.xml', WRONG)
        self.check('--check', 'wrong.xml', status=2, err=(
            'wrong.xml:2: size "3" of <uint>: expected 1, 2, 4, 8, short, medium or long\n'
            'wrong.xml:3: event "e" occurs twice\n'))

    def test_warnings(self):
        self.write('warned.xml', WARNED)
        self.check('--check', 'warned.xml', status=1, err=(
            'warned.xml:2: warning: attribute "colour" of <event> is ignored: expected name ltt:print ltt:show '
            'ltt:ends ltt:key ltt:state\n'))

    def test_checksums(self):
        self.write('right.xml', RIGHT + RIGHT.replace(b'right', b'left'))
        self.check('--checksum', 'right.xml', out=(
            checksum_line('right', 'event e uint(4)\n') +
            checksum_line('left', 'event e uint(4)\n')))

    def test_several_files(self):
        self.write('right.xml', RIGHT)
        self.write('warned.xml', WARNED)
        self.write('wrong.xml', WRONG)
        self.check('--checksum', 'wrong.xml', 'warned.xml', 'missing.xml', 'right.xml', status=2,
                   out=(checksum_line('warned', 'event e -\n') +
                        checksum_line('right', 'event e uint(4)\n')), err=(
            'wrong.xml:2: size "3" of <uint>: expected 1, 2, 4, 8, short, medium or long\n'
            'wrong.xml:3: event "e" occurs twice\n'
            'warned.xml:2: warning: attribute "colour" of <event> is ignored: expected name ltt:print ltt:show '
            'ltt:ends ltt:key ltt:state\n'
            'ltt compile: missing.xml: could not open: No such file or directory\n'))

    def test_control_bytes_are_escaped(self):
        self.write('a.xml', b'<facility name="&#10;\x7f&#x85;"/>')
        self.check('--check', 'a.xml', status=2, err=(
            'a.xml:1: facility name "\\u000a\\u007f\\u0085": expected a C identifier\n'))

    def test_what_is_no_file(self):
        self.check('--check', '.', status=2,
                   err='ltt compile: .: could not read: Is a directory\n')
        os.mkfifo(os.path.join(self.folder, 'fifo'))
        self.check('--check', 'fifo', status=2,
                   err='fifo:1: no facility in the file: expected <facility>\n')
        self.check('--check', '/dev/zero', status=2,
                   err='ltt compile: /dev/zero: the file is larger than 16777216 bytes\n')

    def test_a_pipe_is_read(self):
        with subprocess.Popen([LTT, 'compile', '--check', '/dev/stdin'], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE) as run:
            _, err = run.communicate(b'<!-- -->' * 50000 + WRONG)
        self.assertEqual((run.returncode, err.count(b'/dev/stdin:')), (2, 2))

    def test_descriptions_are_not_overwritten(self):
        self.write('right.xml', RIGHT)
        self.write('right.txt', RIGHT)
        for option, name, source in (('--header', 'right.xml', 'warned.xml'), ('--offline', 'new.xml', 'right.xml'),
                                   ('--header', 'right.txt', 'right.txt')):
            self.check(option, name, source, status=2, err=(
                'ltt compile: %s %s: an event description would be overwritten, expected the name of a header\n'
                % (option, name)))
        self.assertEqual(sorted(os.listdir(self.folder)), ['right.txt', 'right.xml'])
        for name in os.listdir(self.folder):
            with open(os.path.join(self.folder, name), 'rb') as file:
                self.assertEqual(file.read(), RIGHT)

    def test_usage(self):
        run = subprocess.run([LTT, 'compile'], check=False, stderr=subprocess.PIPE)
        self.assertEqual(run.returncode, 2)
        self.assertIn(b'XML', run.stderr)
