"""The Python package: its own tests, with the module as users get it and with the one with sanitizers."""
import os
import re
import subprocess
import sys
import unittest

from command import BUILD, ENVIRONMENT, SOURCE, CommandTest, run
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

    def test_with_sanitizers(self):
        """Python frees most of its memory at exit only, so leak detection is off."""
        library = sanitizer_library()
        if not os.path.exists(library):
            self.skipTest('clang has no shared runtime of its sanitizers')
        options = ENVIRONMENT['ASAN_OPTIONS'] + ':detect_leaks=0:handle_segv=0'
        self.each(BUILD, LD_PRELOAD=library, ASAN_OPTIONS=options, PYTHONMALLOC='malloc')

    @unittest.skipUnless(os.path.exists(os.path.join(os.path.dirname(VENV), 'mypy')), 'mypy is not installed in build/venv')
    def test_types(self):
        """The package has types that mypy accepts, and the module in C has what its stub says."""
        source = os.path.join(SOURCE, 'python')
        for words in (['mypy', '--strict', os.path.join(source, 'ltt')],
                      ['mypy.stubtest', 'ltt', '--allowlist', os.path.join(TESTS, 'allowed.txt'), '--ignore-unused-allowlist']):
            result = run('env', 'PYTHONPATH=' + os.path.join(USE, 'python'), 'MYPY_CACHE_DIR=' + self.path('cache'), VENV, '-m', *words,
                         cwd=self.folder)
            self.assertEqual(result.status, 0, result.out + result.err)


if __name__ == '__main__':
    unittest.main()
