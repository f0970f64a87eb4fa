"""Keys that collide in the hashes of GLib, which are known to everybody: each of these took minutes.

g_int64_hash() uses the low 32 bits only; g_str_hash() has the same value for all texts of "Ez" and "FY" of a length.
"""
import gzip
import os
import struct

import small_trace
from cli.test_archive_hostile import header, read
from cli.test_perf_made import Recording
from command import CommandTest, ltt, sample
from perf_recordings import PerfTest

PAIRS = 17


def text(number):
    return b''.join(b'Ez' if number >> bit & 1 else b'FY' for bit in range(PAIRS))


class Recordings(PerfTest):
    def test_ids_of_an_attr(self):
        n = 80000
        made = Recording().attr(ids=[i << 32 for i in range(1, n + 1)])
        made.sample(1000, number=1 << 32).sample(1001, number=n << 32)
        trace, _ = self.import_content(made.content())
        self.assertEqual([event['data']['id'] for event in self.events(trace, '--event', 'perf.cpu_clock')], [1 << 32, n << 32])


class Archives(CommandTest):
    def test_names(self):
        members = {}
        for folder, _, names in os.walk(sample('one-cpu')):
            for name in names:
                path = os.path.join(folder, name)
                members[os.path.relpath(path, sample('one-cpu')).encode()] = read(path)
        members.update((b'info/' + text(i), b'') for i in range(60000))
        with gzip.open(self.path('many.tar.gz'), 'wb', compresslevel=1) as file:
            for name, content in members.items():
                file.write(header(b'trace/' + name, len(content)) + content + bytes(-len(content) % 512))
            file.write(bytes(1024))
        self.assert_done(ltt('dump', self.path('many.tar.gz')), ltt('dump', sample('one-cpu')).out)


class Traces(CommandTest):
    def write(self, name, kind, payloads):
        """A trace with an event f.w and one f.d, which ends it, for each payload."""
        field = '<struct><field name="id">%s</field></struct></event>' % kind
        events = [(1000, 'w', payload) for payload in payloads] + [(1001, 'd', payload) for payload in payloads]
        small_trace.write(self.path(name), '<facility name="f"><event name="w">%s<event name="d" ltt:ends="w" ltt:key="id">%s</facility>'
                          % (field, field), {'cpu/0': [events[at:at + 1000] for at in range(0, len(events), 1000)]}, block_size=65536)
        return self.path(name)

    def test_compare_texts(self):
        n = 30000
        one = self.write('one', '<string/>', [text(i) + b'\0' for i in range(n)])
        two = self.write('two', '<string/>', [text(i) + b'\0' for i in reversed(range(n))])
        self.assert_done(ltt('compare', one, two), 'the same: {:,} events\n'.format(2 * n))

    def test_select_and_group_numbers(self):
        n = 60000
        path = self.write('numbers', '<uint size="8"/>', [struct.pack('<Q', i << 32) for i in range(1, n + 1)])
        for query in ('SELECT count(*) FROM f_w WHERE id IN (SELECT id FROM f_d)', 'SELECT count(*) FROM f_w JOIN f_d USING (id)'):
            self.assertEqual(ltt('sql', '--format', 'csv', path, query).lines[-1], str(n))
        # Ordinary doubles have zeros in their low bits, too.
        path = self.write('floats', '<float size="8"/>', [struct.pack('<d', i) for i in range(1, n + 1)])
        self.assertIn('60,000 pairs', ltt('latency', '--group', 'id', 'f.w', 'f.d', path).out)
