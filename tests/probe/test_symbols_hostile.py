"""Files with code that are made to block, or to fill the memory, of the command that shows names of their functions."""
import gzip
import lzma
import os
import shutil
import struct
import subprocess
import sys
import unittest
import zlib

import small_trace
from command import ENVIRONMENT, SOURCE
from recording import LTT, Case

sys.path.insert(0, os.path.join(SOURCE, 'tests/fuzz'))
import elf  # noqa: E402  pylint: disable=wrong-import-position

LIBRARY = 'int visible(int n); int visible(int n) { return n + 1; }'
MAPPED = '''<facility name="f"><event name="mapping" ltt:show="hidden"><struct>
<field name="pid"><uint size="4"/></field><field name="addr"><uint size="8"/></field><field name="len"><uint size="8"/></field>
<field name="pgoff"><uint size="8"/></field><field name="build_id"><sequence lengthsize="1"><uint size="1"/></sequence></field>
<field name="filename"><string/></field></struct></event>
<event name="at"><struct><field name="ip" ltt:role="code"><uint size="8"/></field></struct></event></facility>'''
MEMORY = 900 << 20  # above the limit for all files of a trace
EXPANDED = 300 << 20  # size of a compressed file, several times what a command takes


def peak(*words):
    """Runs a command. Returns: its output, and its memory in bytes, which is not that of an earlier command"""
    watch = ('import resource, subprocess, sys\n'
             'status = subprocess.run(sys.argv[1:], timeout=60).returncode\n'
             'sys.stdout.flush()\n'
             'print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)\n'
             'sys.exit(status)')
    result = subprocess.run([sys.executable, '-c', watch, *words], env=ENVIRONMENT, check=True, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True, errors='replace')
    return result.stdout, int(result.stderr.split()[-1]) * 1024


def base36(number):
    digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ'
    return digits[number] if number < 36 else base36(number // 36) + digits[number % 36]


def reference(number):
    return 'S_' if number == 0 else 'S%s_' % base36(number - 1)


class Hostile(Case):
    def library(self, name='lib.so', *words, text=LIBRARY):
        source, path = self.path('source.c'), self.path(name)
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        subprocess.run(['gcc', '-g', '-O0', '-shared', '-fPIC', '-Wl,--build-id', *words, source, '-o', path], check=True)
        return path

    def offset(self, path, name='visible'):
        """Of a function in the file; segments of code have the same addresses and offsets with lld and GNU ld."""
        table = subprocess.run(['nm', path], check=True, stdout=subprocess.PIPE, text=True).stdout
        return next(int(line.split()[0], 16) for line in table.splitlines() if line.split()[-1] == name)

    def shown(self, paths, offset):
        """What the command shows for an offset in each of the files, and its memory."""
        mappings = [(1000 + number, 'mapping', struct.pack('<IQQQB', 0, (number + 1) << 32, 1 << 32, 0, 0) + os.fsencode(path) + b'\0')
                    for number, path in enumerate(paths)]
        events = [(10 ** 6 + number, 'at', struct.pack('<Q', ((number + 1) << 32) + offset)) for number in range(len(paths))]
        shutil.rmtree(self.path('made'), ignore_errors=True)
        small_trace.write(self.path('made'), MAPPED, {'cpu/0': [mappings, events]}, block_size=1 << 20)
        out, memory = peak(LTT, 'dump', self.path('made'))
        return [line.partition('(')[2][:-1] for line in out.splitlines()], memory

    def change(self, path, *words):
        subprocess.run(['objcopy', *words, path], check=True)

    def link(self, path, target, checksum=0):
        """Gives a stripped file a link to separate debug information."""
        name = os.fsencode(target) + b'\0'
        with open(self.path('link'), 'wb') as file:
            file.write(name + bytes(-len(name) % 4) + struct.pack('<I', checksum))
        self.change(path, '--remove-section=.gnu_debuglink')
        self.change(path, '--add-section=.gnu_debuglink=' + self.path('link'))


class Made(Hostile):
    """Files of which each byte is known (tests/fuzz/elf.py)."""

    def names(self, content, offsets, debug=b''):
        for name, text in (('code', content), ('code.debug', debug)):
            with open(self.path(name), 'wb') as file:
                file.write(text)
        return [self.shown([self.path('code')], offset)[0][0] for offset in offsets]

    def test_which_symbol_counts(self):
        """Functions, and labels in code that are no mark of the assembler; of several at one address, the most public one."""
        for bits, begin in ((64, 120), (32, 84)):
            for order in '<>':
                self.assertEqual(self.names(elf.make(bits=bits, order=order, symbols=elf.FUNCTIONS), [begin + offset for offset in (0, 39, 40, 62, 82, 111, 112)]),
                                 ['main', 'main+0x27', 'hidden', 'code+0x%x' % (begin + 62), 'label+0x2', 'chosen+0xf', 'code+0x%x' % (begin + 112)])
        data = elf.make(symbols=((b'label', elf.NOTYPE, elf.GLOBAL, 0, 0), (b'object', 1, elf.GLOBAL, 8, 4)), executable=False)
        self.assertEqual(self.names(data, [120, 128]), ['code+0x78', 'code+0x80'])

    def test_debug_information(self):
        """It counts only if it has the build id or the checksum that the file names, and a table of symbols."""
        whole = elf.make(symbols=elf.FUNCTIONS, build_id=b'abcd', has_code=False)
        public = ((b'public', elf.FUNC, elf.GLOBAL, 0, 40),)
        for build_id, debug, expected in ((b'abcd', whole, 'main'), (b'abce', whole, 'public'), (b'abc', whole, 'public'),
                                          (b'abcd', elf.make(dynamic=elf.FUNCTIONS, build_id=b'abcd', has_code=False), 'public'), (b'abcd', b'', 'public')):
            self.assertEqual(self.names(elf.make(dynamic=public, build_id=build_id), [120], debug), [expected])
        whole = elf.make(symbols=elf.FUNCTIONS, has_code=False)
        for name, checksum, expected in ((b'code.debug', zlib.crc32(whole), 'main'), (b'code.debug', 1, 'public'), (b'', zlib.crc32(whole), 'public')):
            self.assertEqual(self.names(elf.make(dynamic=public, link=(name, checksum)), [120], whole), [expected])
        self.assertEqual(self.names(elf.make(dynamic=public), [120], whole), ['public'])

    def test_sizes_that_are_too_large(self):
        self.assertEqual(self.names(elf.make(symbols=elf.FUNCTIONS, build_id=bytes(2 << 20)), [120]), ['code+0x78'])
        self.assertEqual(self.names(elf.make(dynamic=elf.FUNCTIONS, link=(b'x' * (2 << 20), 1)), [120]), ['code+0x78'])


class Links(Hostile):
    def test_blocking_files(self):
        """A link to a device or to a pipe is not followed. Without a build id, the checksum would be computed."""
        path = self.library('lib.so', '-Wl,--build-id=none')
        offset = self.offset(path)
        subprocess.run(['strip', path], check=True)
        for name in ('pipe', 'lib.so.debug', '.debug/lib.so.debug'):
            os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
            os.mkfifo(self.path(name))
        for target in (None, 'pipe', './pipe', '../' * 30 + 'dev/zero', '/dev/zero', '..', ''):
            if target is not None:
                self.link(path, target, 1)
            self.assertEqual(self.shown([path], offset)[0], ['visible'], target)

    def test_followed(self):
        """A link to a regular file beside it is followed if the checksum is right."""
        path = self.library('lib.so', '-Wl,--build-id=none', text='static int hidden(int n) { return n; } ' + LIBRARY.replace('n + 1', 'hidden(n)'))
        offset = self.offset(path, 'hidden')
        os.mkdir(self.path('.debug'))
        for kept in ('kept', '.debug/kept'):
            self.library('lib.so', '-Wl,--build-id=none', text='static int hidden(int n) { return n; } ' + LIBRARY.replace('n + 1', 'hidden(n)'))
            subprocess.run(['objcopy', '--only-keep-debug', path, self.path(kept)], check=True)
            subprocess.run(['strip', path], check=True)
            with open(self.path(kept), 'rb') as file:
                checksum = zlib.crc32(file.read())
            for right in (True, False):
                self.link(path, 'kept', checksum if right else checksum ^ 1)
                self.assertEqual(self.shown([path], offset)[0], ['hidden' if right else 'lib.so+0x%x' % offset])
            os.remove(self.path(kept))


class Expanding(Hostile):
    def test_compressed_files(self):
        zeros = bytes(1 << 20)
        for kind, options in ((gzip, {'compresslevel': 1}), (lzma, {'preset': 0})):
            path = self.path(kind.__name__)
            with kind.open(path, 'wb', **options) as file:
                file.write(b'\x7fELF')
                for _ in range(EXPANDED >> 20):
                    file.write(zeros)
            names, memory = self.shown([path], 16)
            self.assertEqual(names, [kind.__name__ + '+0x10'])
            self.assertLess(memory, EXPANDED)

    def test_compressed_symbols(self):
        """The section .gnu_debugdata is not expanded. The other names remain."""
        path = self.library()
        offset = self.offset(path)
        subprocess.run(['strip', path], check=True)
        with lzma.open(self.path('data'), 'wb', preset=0) as file:
            for _ in range(EXPANDED >> 20):
                file.write(bytes(1 << 20))
        self.change(path, '--add-section=.gnu_debugdata=' + self.path('data'))
        names, memory = self.shown([path], offset)
        self.assertEqual(names, ['visible'])
        self.assertLess(memory, EXPANDED)

    def test_long_name_of_many_functions(self):
        """Each symbol has the name, which the file contains once. """
        path = self.library(text=LIBRARY.replace('visible', 'v' * 1000000) + ''.join('int f%d;' % i for i in range(2000)))
        with open(path, 'rb') as file:
            data = bytearray(file.read())
        at, = struct.unpack_from('<Q', data, 40)
        n, = struct.unpack_from('<H', data, 60)
        for section in range(n):
            _, kind, _, _, start, size = struct.unpack_from('<IIQQQQ', data, at + 64 * section)
            if kind != 2:
                continue
            symbols = list(struct.iter_unpack('<IBBHQQ', data[start:start + size]))
            long, = (s for s in symbols if s[1] == 0x12 and s[3] != 0)
            for number in range(1, len(symbols)):
                struct.pack_into('<IBBHQQ', data, start + 24 * number, *long[:4], number, 1)
        with open(path, 'wb') as file:
            file.write(data)
        names, memory = self.shown([path], 4096)
        self.assertEqual(names, ['lib.so+0x1000'])
        self.assertLess(memory, MEMORY)

    def test_names_that_double(self):
        doubled = '_Z1f1AIiiE' + ''.join('S_I%sE' % (reference(n + 1) * 2) for n in range(60))
        nested = '_Z1f' + 'N1aIiE' + ''.join('1bI%sE' % reference(3 * n + 2) for n in range(60)) + 'E'
        repeated = '_Z1fIJ' + 'i' * 90 + 'EEv' + 'Dp1aI' * 20 + 'T_' + 'E' * 20
        parsed = '_ZN1zcv' + 'T_I' * 40 + 'i' + 'E' * 40 + 'Ev'
        for name in (doubled, nested, repeated, parsed):
            path = self.library(text='int visible(int n) __asm__("%s"); %s' % (name, LIBRARY))
            names, memory = self.shown([path], self.offset(path, name))
            self.assertEqual(names, [name])
            self.assertLess(memory, MEMORY)


class Shared(Hostile):
    def test_one_file_under_many_names(self):
        """It is read once."""
        path = self.library(text=LIBRARY + ''.join('int f%d%s(void); int f%d%s(void) { return 0; }\n' % (i, 'x' * 900, i, 'x' * 900) for i in range(2000)))
        offset = self.offset(path)
        folder = os.path.dirname(path)
        spellings = [folder + '/' + './' * n + 'lib.so' for n in range(500)]
        names, memory = self.shown(spellings, offset)
        self.assertEqual(names, ['visible'] * 500)
        self.assertLess(memory, MEMORY)


if __name__ == '__main__':
    unittest.main()
