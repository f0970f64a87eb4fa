"""installed.py - run `scons install`, and build programs against the installation."""
import atexit
import functools
import glob
import os
import shutil
import tempfile

from command import ENVIRONMENT, SOURCE, CommandTest, ltt, run

HERE = os.path.join(SOURCE, 'tests', 'install')
SCONS_S = 600  # longest time that it may take
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Werror']


def scons(*arguments, **options):
    """Runs SCons with the variables of the current run, and without the user's cache, because SCons prints other messages for cached files.

    It trusts the database of the run before (`remember` in tests/run.scons), which takes a third of the time.
    """
    given = [word for word in os.environ.get('LTT_SCONS_ARGUMENTS', '').split('\n') if word]
    return run('scons', '-Q', '--cache-disable', '--implicit-cache', '--max-drift=1', *given, *arguments, cwd=SOURCE, timeout=SCONS_S, **options)


@functools.lru_cache
def version():
    return ltt('--version').out.split()[1]


@functools.lru_cache
def installation():
    """The prefix of a shared installation, which tests only read."""
    prefix = tempfile.mkdtemp(prefix='ltt-test-')
    atexit.register(shutil.rmtree, prefix, ignore_errors=True)
    result = scons('install', 'PREFIX=' + prefix)
    if result.status != 0:
        raise AssertionError(result.err)
    return prefix


def names(pattern):
    """The files of the source tree that match a pattern."""
    return sorted(os.path.basename(path) for path in glob.glob(os.path.join(SOURCE, pattern)))


def tree(folder):
    """All files under a folder: path -> text of the symbolic link, or permissions."""
    found = {}
    for path, _, files in os.walk(folder):
        for name in files:
            file = os.path.join(path, name)
            found[os.path.relpath(file, folder)] = (os.readlink(file) if os.path.islink(file)
                                                    else os.stat(file).st_mode & 0o7777)
    return found


class InstalledTest(CommandTest):
    """Tests of an installation, under `prefix`."""

    def setUp(self):
        super().setUp()
        self.prefix = installation()
        self.environment = {
            'PKG_CONFIG_PATH': os.path.join(self.prefix, 'lib/pkgconfig'),
            'LD_LIBRARY_PATH': os.path.join(self.prefix, 'lib'),
            'PATH': os.path.join(self.prefix, 'bin') + os.pathsep + ENVIRONMENT['PATH'],
        }

    def call(self, *words, **options):
        """Runs a command that must succeed, in the environment of the installation; returns its output."""
        result = run('env', *('%s=%s' % item for item in self.environment.items()), *words, cwd=self.folder,
                     **options)
        self.assertEqual((result.status, result.err), (0, ''), words)
        return result.out

    def flags(self, *words):
        return self.call('pkg-config', *words).split()

    def build(self, compiler, source, *flags):
        """Returns: the path of a program"""
        program = self.path('program')
        self.call(*compiler, *WARNINGS, '-o', program, source, *flags)
        return program
