"""Names of functions for recorded addresses: in all commands, and for files of all kinds."""
import csv
import os
import random
import shutil
import struct
import subprocess
import sys
import unittest

import small_trace
from command import ltt
from recording import LTT, USE, Case, call, program

FLAGS = ['-g', '-O0', '-finstrument-functions', '-Wl,--build-id']

LIBRARY = '''
static int hidden(int n) { return n + 1; }
int visible(int n);
int visible(int n) { return hidden(n); }
'''

MAIN = '''
int visible(int n);
static int inside(int n) { return visible(n) - 2; }
int main(void) { return inside(1); }
'''

# Loads each library that it is given, calls its function, and unloads it.
LOADER = '''
#include <dlfcn.h>
int main(int n, char **names)
{
	for (int i = 1; i < n; i++) {
		void *library = dlopen(names[i], RTLD_NOW);
		int (*function)(int) = (int (*)(int))dlsym(library, "visible");

		function(1);
		dlclose(library);
	}
	return 0;
}
'''

CPP = '''
namespace a { struct B { int operator()(long n) const { return (int)n; } }; template <class T> int call(T t) { return t(0); } }
int main() { return a::call(a::B()); }
'''

MAPPED = '''<facility name="f"><event name="mapping" ltt:show="hidden"><struct>
<field name="pid"><uint size="4"/></field><field name="addr"><uint size="8"/></field><field name="len"><uint size="8"/></field>
<field name="pgoff"><uint size="8"/></field><field name="build_id"><sequence lengthsize="1"><uint size="1"/></sequence></field>
<field name="filename"><string/></field></struct></event>
<event name="at"><struct><field name="ip" ltt:role="code"><uint size="8"/></field></struct></event>
<event name="chain"><struct><field name="ips" ltt:role="code"><sequence lengthsize="1"><uint size="8"/></sequence></field>
</struct></event></facility>'''


class Symbols(Case):
    def compile(self, name, text, *words, compiler='gcc'):
        source = self.path(name + ('.cc' if compiler == 'g++' else '.c'))
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        path = self.path(name)
        subprocess.run([compiler, *FLAGS, source, '-o', path, *words], check=True)
        return path

    def record(self, *words):
        call(LTT, 'record', '--preload', 'functions', '-o', self.trace, '--', *words)

    def entered(self, *options):
        """What the text of a dump has in parentheses: the functions in the order of their calls."""
        lines = ltt('dump', '--event=function.entry', '--fields=address', *options, self.trace).lines
        return [line.partition('(')[2][:-1] or None for line in lines]

    def sql(self, text):
        return list(csv.reader(ltt('sql', '--format=csv', self.trace, text).lines[1:]))


class Programs(Symbols):
    def test_static_functions_and_libraries(self):
        for kind in (['-pie', '-fPIE'], ['-no-pie']):
            self.compile('lib.so', LIBRARY, '-shared', '-fPIC')
            self.record(self.compile('main', MAIN, *kind, self.path('lib.so'), '-Wl,-rpath,' + self.path('.')))
            self.assertEqual(self.entered(), ['main', 'inside', 'visible', 'hidden'])
            shutil.rmtree(self.trace)

    def test_two_libraries_at_one_address(self):
        """The later file at an address does not name the addresses of earlier events."""
        first = self.compile('first.so', LIBRARY.replace('hidden', 'one'), '-shared', '-fPIC')
        second = self.compile('second.so', LIBRARY.replace('hidden', 'two'), '-shared', '-fPIC')
        self.record(self.compile('loader', LOADER, '-ldl'), first, second, first)
        self.assertEqual(self.entered(), ['main', 'visible', 'one', 'visible', 'two', 'visible', 'one'])
        self.assertEqual([row for row, in self.sql('SELECT address_symbol FROM function_entry ORDER BY time')],
                         ['main', 'visible', 'one', 'visible', 'two', 'visible', 'one'])

    def test_separate_debug_information(self):
        self.record(self.compile('main', MAIN + LIBRARY))
        main, kept = self.path('main'), self.path('kept')
        subprocess.run(['objcopy', '--only-keep-debug', main, kept], check=True)
        subprocess.run(['strip', main], check=True)
        self.assertEqual([name[:7] for name in self.entered()], ['main+0x'] * 4)
        os.rename(kept, main + '.debug')
        self.assertEqual(self.entered(), ['main', 'inside', 'visible', 'hidden'])

    def test_another_version_of_a_file(self):
        """Its names are not used; the file and the offset are shown, and the command says why."""
        self.record(self.compile('main', MAIN + LIBRARY))
        self.compile('main', MAIN + LIBRARY + 'int more(void) { return 0; }', '-O2')
        self.assertEqual([name[:7] for name in self.entered()], ['main+0x'] * 4)
        self.assertIn('ltt dump: %s: its functions have no names: it is another version: its build id differs\n' % self.path('main'),
                      ltt('dump', self.trace).err)
        os.remove(self.path('main'))
        result = ltt('dump', self.trace)
        self.assertEqual((result.status, result.err), (0, ''))
        self.assertIn(' (main+0x', result.out)

    def test_names_of_cpp(self):
        self.record(self.compile('main', CPP, '-std=c++11', compiler='g++'))
        self.assertEqual(self.entered(), ['main', 'int a::call<a::B>(a::B)', 'a::B::operator()(long) const'])

    def test_a_pipe_in_place_of_the_file(self):
        """It is not opened, which would wait for ever."""
        self.record(self.compile('main', MAIN + LIBRARY))
        os.remove(self.path('main'))
        os.mkfifo(self.path('main'))
        self.assertEqual([name[:7] for name in self.entered()], ['main+0x'] * 4)


class Commands(Symbols):
    def setUp(self):
        super().setUp()
        self.record(program('instrumented'))

    def test_dump(self):
        self.assertEqual(self.entered()[:4], ['main', 'outer', 'inner', 'inner'])
        self.assertEqual(self.entered('-j4'), self.entered('-j1'))
        line = ltt('dump', '--event=function.entry', self.trace).lines[1]
        self.assertRegex(line, r'  address=0x[0-9a-f]+ \(outer\) caller=0x[0-9a-f]+ \(main\+0x[0-9a-f]+\)$')
        plain = ltt('dump', '--no-symbols', '--event=function.entry', self.trace).lines[1]
        self.assertRegex(plain, r'  address=\d+ caller=\d+$')
        # Other formats are those of the numbers.
        self.assertRegex(ltt('dump', '--format=json', '--event=function.entry', self.trace).out, r'"address":\d+,"caller":\d+')

    def test_a_part(self):
        """A cut contains the mappings that existed at its start."""
        whole = ltt('dump', '--event=function.*', self.trace).lines
        start = whole[len(whole) // 2].split()[0]
        for words in (['--event=function.*', '--from', start], ['--event=function.exit'], ['--event=function.*', '--to', start]):
            ltt('cut', '-o', self.path('part'), *words, self.trace)
            lines = ltt('dump', *words, self.trace).lines
            self.assertIn('(', lines[-1])
            self.assertEqual(ltt('dump', self.path('part')).lines, lines)
            shutil.rmtree(self.path('part'))

    def test_sql(self):
        self.assertEqual(self.sql('SELECT address_symbol, count(*) FROM function_entry GROUP BY 1 ORDER BY 1'),
                         [['inner', '20'], ['main', '1'], ['outer', '2']])
        self.assertEqual(self.sql("SELECT count(*) FROM function_entry WHERE symbol(address, pid) = 'inner' AND "
                                  "symbol(address, pid, time) = 'inner' AND symbol(caller, pid, time) GLOB 'outer+0x*'"), [['20']])
        self.assertEqual(self.sql('SELECT DISTINCT symbol(1, pid) IS NULL, symbol(NULL, pid) IS NULL, symbol(address, 1) IS NULL '
                                  'FROM function_entry'), [['1', '1', '1']])
        self.assertEqual(self.sql('SELECT name, count(*) FROM spans GROUP BY 1 ORDER BY 1'),
                         [['inner', '20'], ['main', '1'], ['outer', '2']])
        self.assertEqual(ltt('sql', self.trace, "SELECT symbol('x', 1)").status, 2)
        # `SELECT *` has the fields only.
        self.assertEqual(ltt('sql', '--format=csv', self.trace, 'SELECT * FROM function_entry').lines[0],
                         'time,cpu,pid,tid,address,caller')

    def test_latency(self):
        text = ltt('latency', 'function.entry', 'function.exit', '--group=address', self.trace).out
        self.assertRegex(text, r'(?m)^  inner +20 ')
        self.assertRegex(text, r'(?m)^  outer +2 ')

    @unittest.skipUnless(os.path.exists(os.path.join(USE, 'python/ltt/_ltt.abi3.so')), 'built without python3-dev')
    def test_python(self):
        text = call(sys.executable, '-c', 'import ltt, sys\nt = ltt.open(sys.argv[1])\n'
                    'for e in t.events("function.entry"): print(t.symbol(e["address"], e.pid, e.time_ns))\n'
                    'print(t.symbol(1, 1), {s.name for s in t.spans()} == {"main", "outer", "inner"}, '
                    't.latency("function.entry", "function.exit", group="address").groups["inner"].count)',
                    self.trace, env=dict(os.environ, PYTHONPATH=os.path.join(USE, 'python')))
        self.assertEqual(text.splitlines()[:3] + text.splitlines()[-1:], ['main', 'outer', 'inner', 'None True 20'])

    def test_flame(self):
        lines = ltt('flame', '--folded', '-o', '-', self.trace).lines
        self.assertEqual([line.rsplit(' ', 1)[0] for line in lines],
                         ['instrumented;main', 'instrumented;main;outer', 'instrumented;main;outer;inner'])


class Hostile(Symbols):
    """Traces and files from strangers. The traces have no build ids, so each file is accepted."""

    def write(self, mappings, events, name='made'):
        packed = [(1000 + number, 'mapping', struct.pack('<IQQQB', pid, start, length, offset, 0) + os.fsencode(path) + b'\0')
                  for number, (pid, start, length, offset, path) in enumerate(mappings)]
        made = [(2 * 10 ** 6 + number, 'at', struct.pack('<Q', address)) for number, address in enumerate(events)]
        small_trace.write(self.path(name), MAPPED, {'cpu/0': [packed, made]}, block_size=1 << 20)
        return self.path(name)

    def test_altered_files(self):
        """No altered file crashes the reader, or hangs it."""
        dice = random.Random(14)
        with open(self.compile('main', MAIN + LIBRARY), 'rb') as file:
            good = file.read()
        mappings, events = [], []
        for number in range(150):
            data = bytearray(good)
            kind = number % 5
            for _ in range(1 << dice.randrange(7)):
                # Headers, the tables of sections and symbols, which are at the end, or any byte.
                at = dice.randrange(*((0, 64), (64, 900), (len(data) - 3000, len(data)), (0, len(data)), (0, len(data)))[kind])
                data[at] = dice.choice((0, 1, 0x7f, 0x80, 0xff, dice.randrange(256)))
            if kind == 4:
                del data[dice.randrange(len(data)):]
            path = self.path('altered-%d' % number)
            with open(path, 'wb') as file:
                file.write(data)
            mappings.append((0, (number + 1) << 32, 1 << 32, 0, path))
            events += [((number + 1) << 32) + dice.randrange(len(good)) for _ in range(5)]
        result = ltt('dump', self.write(mappings, events))
        self.assertEqual((result.status, result.err, len(result.lines)), (0, '', len(events)))

    def test_overlapping_mappings(self):
        """Of the mappings that contain an address, the latest counts."""
        dice = random.Random(7)
        mappings, events = [], [dice.randrange(1, 5000) for _ in range(500)]
        for number in range(700):
            start = dice.randrange(4000)
            mappings.append((0, start, dice.randrange(1, 1000), 0, '/nowhere/%d' % number))
        lines = ltt('dump', self.write(mappings, events)).lines
        for line, address in zip(lines, events):
            found = [(path, address - start) for _, start, length, _, path in mappings if start <= address < start + length]
            expected = '%s+0x%x' % (os.path.basename(found[-1][0]), found[-1][1]) if found else None
            self.assertEqual(line.partition('(')[2].rstrip(')') or None, expected)

    def test_names_with_control_characters(self):
        trace = self.write([(0, 4096, 4096, 0, '/a\x1b[31m\nb')], [4097])
        self.assertIn(r'ip=0x1001 (a\u001b[31m\nb+0x1)', ltt('dump', trace).out)

    def test_addresses_at_the_limits(self):
        trace = self.write([(0, 2 ** 64 - 16, 2 ** 64 - 1, 2 ** 64 - 1, '/high'), (0, 0, 2 ** 64 - 1, 0, '/all')],
                           [0, 1, 2 ** 63 - 1, 2 ** 63, 2 ** 64 - 1])
        self.assertEqual(len(ltt('dump', trace).lines), 5)

    def test_lists_of_addresses(self):
        chain = struct.pack('<BQQ', 2, 4097, 1)
        path = self.path('chains')
        mapping = struct.pack('<IQQQB', 0, 4096, 4096, 16, 0) + b'/lib/none.so\0'
        small_trace.write(path, MAPPED, {'cpu/0': [[(1, 'mapping', mapping), (2, 'chain', chain)]]})
        self.assertIn('ips=[0x1001 (none.so+0x11) 0x1]', ltt('dump', path).out)
        self.assertEqual(ltt('sql', '--format=csv', path, 'SELECT ips_symbol FROM f_chain').lines[1],
                         '"[""none.so+0x11"",null]"')


if __name__ == '__main__':
    unittest.main()
