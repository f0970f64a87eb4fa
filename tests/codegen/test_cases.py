"""Headers are compiled by several compilers, as C and as C++, run, and compared byte by byte.

cases/NAME.xml gives NAME.h, which cases/NAME.c includes; the program, linked with a stub of the
probe, must print cases/NAME.expect (blanks between bytes are ignored).
"""
import glob
import os
import unittest

from codegen.compiling import COMPILERS, GCC, HERE, IS_USUAL_MACHINE, CompileTest, events
from command import SOURCE, ltt

CASES = sorted(glob.glob(os.path.join(HERE, 'cases', '*.xml')))


def name_of(path):
    return os.path.basename(path)[:-len('.xml')]


@unittest.skipUnless(IS_USUAL_MACHINE, 'the bytes expected are those of a little-endian LP64 machine')
class Cases(CompileTest):
    """Every case, with every compiler."""

    def check(self, xml):
        """Generates the header of a case and runs its program."""
        with open(xml[:-len('.xml')] + '.expect', encoding='utf-8') as file:
            expected = events(file.read())
        self.header(name_of(xml), xml)
        for compiler in COMPILERS:
            with self.subTest(compiler=' '.join(compiler)):
                program = self.program(compiler, name_of(xml), xml[:-len('.xml')] + '.c')
                self.assertEqual(events(self.do(program)), expected)


for case in CASES:
    setattr(Cases, 'test_' + name_of(case), lambda self, case=case: self.check(case))

# Further warnings that projects enable.
STRICT = ['-Wsign-conversion', '-Wcast-qual', '-Wcast-align=strict', '-Wswitch-default', '-Wfloat-equal',
          '-Wredundant-decls', '-Wvla', '-Wlogical-op', '-Wduplicated-branches', '-Wnull-dereference']
STRICT_C = ['-Wdeclaration-after-statement', '-Wc++-compat', '-Wnested-externs', '-Wjump-misses-init']
STRICT_CXX = ['-Wold-style-cast', '-Wuseless-cast', '-Wextra-semi']


class Strict(CompileTest):
    """Headers cause no warnings, including those that a project may enable."""

    def test_headers(self):
        for path in CASES:
            self.header('case', path)
            source = self.write('case.c', '#include "case.h"\n')
            for compiler in (('gcc', '-x', 'c', '-std=c11', *STRICT_C), ('g++', '-x', 'c++', *STRICT_CXX)):
                with self.subTest(path, compiler=compiler):
                    self.compile(compiler, source, '-O2', *STRICT)

    def test_header_by_itself(self):
        for path in CASES:
            self.header('case', path)
            for compiler in (('gcc', '-x', 'c-header'), ('clang', '-x', 'c-header'),
                             ('g++', '-x', 'c++-header'), ('clang++', '-x', 'c++-header')):
                with self.subTest(path, compiler=compiler):
                    self.compile(compiler, self.path('case.h'), '-fsyntax-only')


PRINT_DESCRIPTION = """
#include "%(name)s.h"
#include <stdio.h>
int main(void) { return fputs(%(variable)s.xml, stdout) < 0; }
"""


class Description(CompileTest):
    """A header contains the description from which it was generated."""

    def check(self, name, xml):
        self.header(name, xml)
        header = self.read(name + '.h')
        variable = '_'.join(['ltt_probe_facility'] + ltt('compile', '--checksum', xml).out.split())
        source = self.write(name + '.c', PRINT_DESCRIPTION % {'name': name, 'variable': variable})
        again = self.write('again.xml', self.do(self.program(GCC, name, source)))
        self.assert_done(ltt('compile', '--header', '-', again), header)
        self.assert_done(ltt('compile', '--checksum', again), ltt('compile', '--checksum', xml).out)

    def test_of_cases(self):
        for path in CASES:
            with self.subTest(path):
                self.check(name_of(path), path)

    def test_of_what_ships(self):
        for path in sorted(glob.glob(os.path.join(SOURCE, 'eventdefs', '*.xml'))):
            if name_of(path) != 'builtin':
                with self.subTest(path):
                    self.check(name_of(path), path)
