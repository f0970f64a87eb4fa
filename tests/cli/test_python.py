"""The Python package: its own tests, with the module as users get it and with the one with sanitizers."""
import os
import re
import subprocess
import sys
import unittest

from command import BUILD, ENVIRONMENT, SOURCE, CommandTest, ltt, run, sample, thorough
from recording import USE

TESTS = os.path.join(SOURCE, 'python/tests')
VENV = os.environ.get('LTT_TEST_PYTHON', os.path.join(SOURCE, 'build/venv/bin/python'))
# With Arrow and numpy packages if they are installed; otherwise their tests are skipped.
PYTHON = VENV if os.path.exists(VENV) else sys.executable


def sanitizer_library():
    """What a program without sanitizers must load before the module."""
    with subprocess.Popen(['clang', '-print-file-name=libclang_rt.asan-x86_64.so'], stdout=subprocess.PIPE, text=True) as clang:
        return clang.communicate()[0].strip()


@unittest.skipUnless(os.path.exists(os.path.join(USE, 'python/ltt/_ltt.abi3.so')), 'built without python3-dev')
class Python(CommandTest):
    def run_tests(self, build, name, **environment):
        done = subprocess.run([PYTHON, '-X', 'dev', '-m', 'unittest', '-v', name], cwd=TESTS, check=False, timeout=550,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding='utf-8',
                              env=dict(ENVIRONMENT, PYTHONPATH=os.path.join(build, 'python'), LTT_BUILD=USE,
                                       PYTHONDONTWRITEBYTECODE='1', **environment))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertRegex(done.stdout, r'\nRan [1-9]\d* tests? in ')
        return done.stdout

    def each(self, build, **environment):
        for name in sorted(os.listdir(TESTS)):
            if re.fullmatch(r'test_\w+\.py', name):
                with self.subTest(name):
                    self.run_tests(build, name[:-len('.py')], **environment)

    def test_as_installed(self):
        self.each(USE)

    @thorough
    def test_with_sanitizers(self):
        """Python frees most of its memory at exit only, so leak detection is off."""
        library = sanitizer_library()
        if not os.path.exists(library):
            self.skipTest('clang has no shared runtime of its sanitizers')
        options = ENVIRONMENT['ASAN_OPTIONS'] + ':detect_leaks=0:handle_segv=0'
        self.each(BUILD, LD_PRELOAD=library, ASAN_OPTIONS=options, PYTHONMALLOC='malloc')

    @thorough
    @unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(VENV), 'mypy')), 'mypy is not installed in build/venv')
    def test_types(self):
        """mypy accepts the types of the package, and the C module matches its stub."""
        source = os.path.join(SOURCE, 'python')
        for words in (['mypy', '--strict', os.path.join(source, 'ltt')],
                      ['mypy.stubtest', 'ltt', '--allowlist', os.path.join(TESTS, 'allowed.txt'), '--ignore-unused-allowlist']):
            result = run('env', 'PYTHONPATH=' + os.path.join(USE, 'python'), 'MYPY_CACHE_DIR=' + self.path('cache'), VENV, '-m', *words,
                         cwd=self.folder)
            self.assertEqual(result.status, 0, result.out + result.err)

    @unittest.skipUnless(PYTHON == VENV, 'build/venv is not there: run `sh tests/run.sh`')
    def test_wheel(self):
        """The wheel needs no other package, and no library of this project."""
        copy = self.copy(os.path.join(SOURCE, 'python'), 'source')
        fresh = self.path('venv')
        for words in (['env', 'LTT_BUILT=' + USE, PYTHON, '-m', 'pip', '--disable-pip-version-check', 'wheel', '--quiet', '--no-deps',
                       '--no-index', '--no-build-isolation', '-w', self.path('out'), copy],
                      [PYTHON, '-m', 'venv', '--without-pip', fresh]):
            result = run(*words)
            self.assertEqual(result.status, 0, result.out + result.err)
        wheel, = os.listdir(self.path('out'))
        self.assertRegex(wheel, r'^ltt-%s-cp311-abi3-linux_\w+\.whl$' % re.escape(ltt('--version').out.split()[1]))
        result = run(PYTHON, '-m', 'pip', '--disable-pip-version-check', '--python', fresh, 'install', '--quiet', '--no-index',
                     self.path('out', wheel))
        self.assertEqual(result.status, 0, result.out + result.err)
        result = run(os.path.join(fresh, 'bin/python'), '-c',
                     'import ltt, sys; print(ltt.__file__, sum(1 for _ in ltt.open(sys.argv[1]).events()))', sample('sparse-cpus'))
        self.assertEqual(result.err, '')
        path, number = result.out.split()
        self.assertTrue(path.startswith(fresh) and number == '1200', result.out)
        module = os.path.join(os.path.dirname(path), '_ltt.abi3.so')
        self.assertNotIn('libltt', run('readelf', '-d', module).out)
        exported = [line.split()[-1] for line in run('nm', '-D', '--defined-only', module).lines]
        self.assertEqual(exported, ['PyInit__ltt'])


if __name__ == '__main__':
    unittest.main()
