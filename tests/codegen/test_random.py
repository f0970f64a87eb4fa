"""Random facilities, called with random values: compared with the offline writer.

One compilation for each compiler: one file includes all headers.
"""
import json
import os
import unittest

from codegen.compiling import CXX, SANITIZE, CompileTest
from command import ALL, BUILD, SOURCE, ltt, run

SEED = 20031
FACILITIES = 80 if ALL else 30
# The standards allow designated initializers in C++.
COMPILERS = [
    ('gcc', '-x', 'c', '-std=gnu17', '-O1'),
    ('clang', '-x', 'c', '-std=gnu17', '-O0', *SANITIZE),
    ('g++', *CXX, '-std=gnu++20', '-O0'),
    ('clang++', *CXX, '-std=gnu++20', '-O1'),
]
WARNINGS = ['-Wall', '-Wextra', '-Wshadow', '-Wno-missing-field-initializers', '-Werror']
PROBE = os.path.join(os.environ.get('LTT_USE', os.path.join(SOURCE, 'build')), 'lib', 'libltt-probe.so')


class Random(CompileTest):
    def setUp(self):
        super().setUp()
        result = run(os.path.join(BUILD, 'tests', 'random-calls'), SEED, FACILITIES, self.folder)
        self.assert_done(result, '')

    def test_bytes(self):
        """Compares each payload, with every compiler."""
        expected = self.read('calls.expect').splitlines()
        self.assertGreater(len(expected), 25 * FACILITIES)
        for compiler in COMPILERS:
            with self.subTest(compiler=' '.join(compiler)):
                program = self.program(compiler, 'calls', self.path('calls.c'), warnings=WARNINGS)
                self.assertEqual(self.do(program, 'nowhere').splitlines(), expected)

    def events(self, trace):
        """The events of a trace without the parts that differ between recordings."""
        result = ltt('dump', '--format=json', trace)
        self.assert_done(result)
        return [(event['event'], event['data']) for event in map(json.loads, result.lines)]

    @unittest.skipUnless(os.path.exists(PROBE), 'there is no libltt-probe')
    def test_trace(self):
        """Runs the program with the real probe, and reads its trace."""
        made = self.compile(COMPILERS[0], self.path('calls.c'), warnings=WARNINGS,
                            probe=os.path.join(SOURCE, 'libltt', 'include'))
        program = self.link(COMPILERS[0], 'calls', made, PROBE, '-Wl,-rpath,' + os.path.dirname(PROBE))
        self.do(program, self.path('recorded.ltt'))
        self.assertEqual(self.events(self.path('recorded.ltt')), self.events(self.path('calls.ltt')))
