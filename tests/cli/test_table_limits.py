"""Tables of traces that are made to need much memory (doc/tables.md, "Limits")."""
import os
import struct

from command import CommandTest, ltt
from small_trace import write

FACILITY = '<facility name="f"><event name="e"><struct>%s</struct></event></facility>'
FIELD = '<field name="%s">%s</field>'
BYTE = '<uint size="1"/>'
MIB = 1024 * 1024


def union(n_members):
    """A union whose first member takes no bytes, and the others 8."""
    members = FIELD % ('z', '<struct></struct>') + ''.join(FIELD % ('f%d' % i, '<uint size="8"/>') for i in range(n_members - 1))
    return '<union typecodesize="2">%s</union>' % members


class TableLimits(CommandTest):
    def make(self, name, field, *payloads):
        """A trace with an event for each payload."""
        path = self.path(name)
        write(path, FACILITY % (FIELD % ('s', field)),
              {'cpu/0': [[(1000 + i, 'e', payload) for i, payload in enumerate(payloads)]]}, block_size=131072)
        return path

    def export(self, path):
        return ltt('export', '--to', 'arrow', '--event', 'f.e', '-o', path + '.arrow', path)

    def check_fails(self, path, n_bytes, payload_bytes):
        limit = 64 * MIB + 16 * payload_bytes
        for result in (self.export(path), ltt('sql', path, 'SELECT count(*) FROM f_e WHERE time > 0 AND "s" IS NULL'),
                       ltt('sql', path, 'SELECT s FROM f_e ORDER BY time')):
            self.assertEqual(result.status, 2)
            self.assertRegex(result.err, r'^ltt \w+: cpu/0: block 0: byte \d+: event f\.e of %d bytes takes \d+ bytes in the columns '
                                         r'of a table: expected at most %d\n$' % (payload_bytes, limit))
        self.assertIn(' takes %d bytes' % n_bytes, self.export(path).err)

    def test_a_union_of_many_members(self):
        """Each element of 2 bytes has a value for each member."""
        n, n_members = 4000, 2000
        path = self.make('union', '<sequence lengthsize="4">%s</sequence>' % union(n_members), struct.pack('<I', n) + bytes(2 * n))
        base = 9 + 5 + 5 + 5
        element = 1 + 13 + 1 + 9 * (n_members - 1) + 1
        self.check_fails(path, base + 5 + n * element, 4 + 2 * n)
        # An event of the same type within the limit, and one after it.
        path = self.make('small', '<sequence lengthsize="4">%s</sequence>' % union(n_members),
                         struct.pack('<I', 1000) + bytes(2000), struct.pack('<IH', 1, 1) + bytes(8))
        self.assert_done(self.export(path))
        self.assertEqual(ltt('sql', path, '--format', 'csv', 'SELECT length(s), substr(s, -9) FROM f_e').lines[1:],
                         ['%d,"{""z"":{}}]"' % (1000 * 9 + 1), '10,"{""f0"":0}]"'])

    def test_elements_without_bytes(self):
        """Each 2 bytes are a list of 4096 values; offsets of 32 bits would overflow."""
        field = '<sequence lengthsize="4"><sequence lengthsize="2"><struct></struct></sequence></sequence>'
        n = 20000
        path = self.make('empty', field, struct.pack('<I', n) + b'\0\x10' * n)
        self.check_fails(path, 24 + 5 + n * (5 + 4096), 4 + 2 * n)
        path = self.make('few', field, struct.pack('<I', 1000) + b'\0\x10' * 1000)
        self.assert_done(self.export(path))
        self.assertEqual(ltt('sql', path, 'SELECT length(s) FROM f_e').lines[-1].strip(), str(1001 + 1000 * (4096 * 3 + 1)))

    def test_the_memory_for_text_has_a_limit(self):
        """SQLite rejects the value. Its text would have 24 MB."""
        field = '<sequence lengthsize="4"><sequence lengthsize="2"><struct></struct></sequence></sequence>'
        path = self.make('text', field, struct.pack('<I', 2000) + b'\0\x10' * 2000)
        for query in ('SELECT count(s) FROM f_e', "SELECT count(length(data)) FROM events WHERE type = 'f.e'"):
            self.assert_failed(ltt('sql', path, query), 'string or blob too big')

    def make_versions(self, name, *others):
        """A trace with events of a version with the field `a` only, and other versions."""
        path = self.path(name)
        versions = [FACILITY % (FIELD % ('a', BYTE) + other) for other in others] + [FACILITY % (FIELD % ('a', BYTE))]
        write(path, versions, {'cpu/0': [[(1000 + i, 'e', b'\7') for i in range(3)]]})
        return path

    def test_a_large_array_that_a_version_lacks(self):
        """A null does not take the bytes of the array."""
        arrays = {'bytes': '<array size="2147483647">%s</array>' % BYTE,
                  'numbers': '<array size="500000000"><uint size="4"/></array>',
                  'struct': '<struct>%s</struct>' % (FIELD % ('x', '<array size="2000000000">%s</array>' % BYTE))}
        for name, field in arrays.items():
            path = self.make_versions(name, FIELD % ('b', field))
            self.assert_done(self.export(path))
            self.assertLess(os.path.getsize(path + '.arrow'), 8192)
            column = 'b' if name != 'struct' else '"b.x"'
            self.assertEqual(ltt('sql', path, '--format', 'csv', 'SELECT count(%s), count(*), sum(a) FROM f_e' % column).lines[1:], ['0,3,21'])

    def test_versions_with_such_an_array_are_one_table(self):
        def tables(name, *sizes):
            others = [FIELD % ('b', '<array size="%d">%s</array>' % (size, BYTE)) + FIELD % ('c%d' % i, BYTE) for i, size in enumerate(sizes)]
            return ltt('sql', self.make_versions(name, *others), '.tables').lines
        self.assertEqual(len([line for line in tables('same', 9000, 9000) if line.startswith('f_e')]), 1)
        self.assertEqual(len([line for line in tables('different', 9000, 9001) if line.startswith('f_e')]), 2)
