"""Several traces of machines with other sizes and other error numbers: their text."""
import struct
import unittest

from command import CommandTest, ltt
from small_trace import write

LONGS = ('<facility name="f" xmlns:ltt="urn:ltt:view"><event name="e" ltt:print=\'"v=%lx s=%lu", (unsigned long)REC-&gt;x, sizeof(long)\'>'
         '<struct><field name="x"><int size="4"/></field></struct></event></facility>')
RESULTS = ('<facility name="f" xmlns:ltt="urn:ltt:view"><event name="e"><struct>'
           '<field name="ret" ltt:role="errno"><int size="4"/></field></struct></event></facility>')


class Text(CommandTest):
    def make(self, name, description, number, arch_size, machine):
        write(self.path(name), description, {'cpu/0': [[(10**9 + len(name), 'e', struct.pack('<i', number))]]}, arch_size=arch_size,
              system='machine="%s"' % machine)
        return self.path(name)

    def values(self, *words):
        return [line.split('  ', 3)[3] for line in ltt('dump', *words).lines]

    def check(self, traces, alone, merged):
        """In the order of the traces, in the reverse order, and merged."""
        self.assertEqual(self.values(*traces), alone)
        self.assertEqual(self.values(*traces[::-1]), alone)
        for number, order in enumerate((traces, traces[::-1])):
            path = self.path('merged%d' % number)
            self.assertEqual(ltt('merge', '-o', path, *order).status, 0)
            self.assertEqual(self.values(path), merged)
            again = self.path('again%d' % number)
            self.assertEqual(ltt('merge', '-o', again, path, traces[0]).status, 0)
            self.assertEqual(sorted(self.values(again)), sorted(merged + merged[:1]))

    def test_print_expressions_use_the_sizes_of_their_trace(self):
        traces = [self.make('a', LONGS, -1, 'ILP32', 'i686'), self.make('bb', LONGS, -1, 'LP64', 'x86_64')]
        narrow, wide = 'v=ffffffff s=4  x=-1', 'v=ffffffffffffffff s=8  x=-1'
        self.check(traces, [narrow, wide], [wide, wide])

    def test_names_of_errors_are_those_of_their_machine(self):
        """A merged trace has none if the numbers of one machine are others."""
        traces = [self.make('a', RESULTS, -89, 'LP64', 'mips64'), self.make('bb', RESULTS, -89, 'LP64', 'x86_64')]
        self.check(traces, ['ret=-89', 'ret=-89 (EDESTADDRREQ)'], ['ret=-89', 'ret=-89'])

    def test_machines_with_the_same_numbers(self):
        traces = [self.make('a', RESULTS, -2, 'LP64', 'aarch64'), self.make('bb', RESULTS, -2, 'LP64', 'x86_64')]
        self.check(traces, ['ret=-2 (ENOENT)'] * 2, ['ret=-2 (ENOENT)'] * 2)
        self.assertRegex(ltt('info', self.path('merged0')).out, r'machine +aarch64 x86_64\n')


if __name__ == '__main__':
    unittest.main()
