"""A part of the system calls of some commands fail, one at a time (`scons faults` tries all of them)."""
import os
import shutil
import subprocess
import sys
import unittest

from command import SOURCE, CommandTest

sys.path.insert(0, os.path.join(SOURCE, 'tests/faults'))
import faults  # noqa: E402  pylint: disable=wrong-import-position

USE = os.environ.get('LTT_USE', os.path.join(SOURCE, 'build'))
# One of so many faults is tried.
EVERY = 12


def can_trace():
    """Whether strace is there and may trace."""
    return shutil.which('strace') and subprocess.run(['strace', '-o', '/dev/null', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0


@unittest.skipUnless(can_trace(), 'needs the Debian package strace, and the right to trace')
class Faults(CommandTest):
    def test_commands(self):
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        for name in ('dump', 'stat', 'check', 'sql', 'pack', 'unpack', 'merge', 'export', 'chrome', 'import', 'compile'):
            n_faults = 0
            for call, number, error, wrong in tried.try_command(name, EVERY):
                n_faults += 1
                with self.subTest(command=name, call=call, number=number, error=error):
                    self.assertIsNone(wrong)
            self.assertGreater(n_faults, 0)

    def test_a_folder_that_cannot_be_read(self):
        """A folder whose end looks like an error was taken for a shorter one."""
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        plain = tried.run(*faults.COMMANDS['pack'])
        ended = tried.run(*faults.COMMANDS['pack'], '-e', 'inject=getdents64:error=EIO:when=1', '-e', 'trace=getdents64', '-o', '/dev/null')
        self.assertEqual((plain.status, ended.status, ended.left), (0, 2, []))
        self.assertIn('could not read the directory: Input/output error', ended.err)
