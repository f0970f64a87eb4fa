"""compiling.py - compilers for generated headers, and a stub of the probe.

The stub prints each event as "FACILITY INDEX BYTES" or "FACILITY INDEX lost" (stub/ltt/ltt-probe.h).
"""
import os
import re
import sys

from command import SOURCE, CommandTest, ltt, run

HERE = os.path.join(SOURCE, 'tests', 'codegen')
STUB = os.path.join(HERE, 'stub')
WARNINGS = ['-Wall', '-Wextra', '-Wpedantic', '-Wshadow', '-Wconversion', '-Wundef', '-Werror']
C = ('-x', 'c', '-std=c11')
CXX = ('-x', 'c++')
SANITIZE = ('-fsanitize=address,undefined', '-fno-sanitize-recover=all')
GCC = ('gcc', *C, '-O1')
GXX = ('g++', *CXX, '-std=c++11', '-O1')
COMPILERS = [
    ('gcc', *C, '-O2'),
    ('gcc', '-x', 'c', '-std=gnu17', '-O0', '-fshort-enums'),
    ('clang', *C, '-O1', *SANITIZE),
    ('g++', *CXX, '-std=c++11', '-O2'),
    ('clang++', *CXX, '-std=c++11', '-O2'),
    ('g++', *CXX, '-std=c++20', '-O0'),
    ('clang++', *CXX, '-std=c++17', '-O0'),
]
# Some tests expect the bytes of such a machine.
IS_USUAL_MACHINE = sys.byteorder == 'little' and sys.maxsize > 2**32

ONE_EVENT = '<facility name="%s"><event name="%s"><uint size="4"/></event></facility>'


class CompileTest(CommandTest):
    """A test that generates headers and programs in a temporary folder."""

    def write(self, name, text):
        with open(self.path(name), 'w', encoding='utf-8') as file:
            file.write(text)
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding='utf-8') as file:
            return file.read()

    def do(self, *command):
        """Runs a command that must succeed without messages. Returns: its standard output"""
        result = run(*command, cwd=self.folder)
        self.assertEqual((result.status, result.err), (0, ''), ' '.join(command))
        return result.out

    def header(self, name, xml):
        """Generates NAME.h from a description, given as a path or as text."""
        if not os.path.exists(xml):
            xml = self.write(name + '.xml', xml)
        self.assert_done(ltt('compile', '--header', self.path(name + '.h'), xml), '')

    def compile(self, compiler, source, *flags, warnings=WARNINGS, probe=STUB):
        """Returns: the path of the object"""
        made = self.path(os.path.basename(source) + '.o')
        self.do(*compiler, *warnings, *flags, '-I', self.folder, '-I', probe, '-c', source, '-o', made)
        return made

    def link(self, compiler, name, *objects):
        """Returns: the path of the program"""
        self.do(compiler[0], *[flag for flag in compiler if flag.startswith('-fsanitize')], '-rdynamic',
                *objects, '-o', self.path(name))
        return self.path(name)

    def stub(self):
        """Returns: the path of the stub's object"""
        return self.compile(('gcc',), os.path.join(STUB, 'stub.c'))

    def program(self, compiler, name, *sources, warnings=WARNINGS):
        """Compiles sources of one language and links them with the stub. Returns: the path of the program"""
        return self.link(compiler, name, self.stub(),
                         *[self.compile(compiler, source, warnings=warnings) for source in sources])


def events(text):
    """The lines of a stub's output or of a .expect file, without blanks between bytes."""
    return [re.sub(r'^(\w+ \d+) *(.*)$', lambda m: m[1] + ' ' + m[2].replace(' ', ''), line)
            for line in text.splitlines()]
