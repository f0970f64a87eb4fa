"""`ltt export --split`: a file for each event type, equal to a dump of that type."""
import os
import resource
from collections import Counter

from command import CommandTest, expected_events, is_hidden, ltt, sample, samples
from small_trace import write


def read(path):
    with open(path, 'rb') as file:
        return file.read()


class Split(CommandTest):
    def split(self, trace, kind, *options, status=0):
        result = ltt('export', '--to', kind, '--split', '-o', self.path('out'), trace, *options)
        self.assertEqual((result.status, result.raw), (status, b''), result.err)
        found = {name: read(self.path('out', name)) for name in os.listdir(self.path('out'))}
        for name in found:
            os.unlink(self.path('out', name))
        os.rmdir(self.path('out'))
        return found

    def test_same_bytes_as_dumps(self):
        for name in ('every-type', 'big-endian', 'tracer', 'iso-8859-1', 'numbers', 'dialect-2.2'):
            trace = sample(name)
            counts = Counter(event['event'] for event in expected_events(trace) if not is_hidden(event))
            for kind in ('csv', 'json'):
                with self.subTest(trace=name, kind=kind):
                    found = self.split(trace, kind)
                    self.assertEqual(sorted(found), sorted('%s.%s' % (event, kind) for event in counts))
                    for event in counts:
                        self.assertEqual(found['%s.%s' % (event, kind)],
                                         ltt('dump', '--format', kind, '--event', event, trace).raw)

    def test_fields_with_the_names_of_other_columns(self):
        trace = self.path('trace')
        write(trace, '<facility name="f"><event name="e"><struct><field name="time"><uint size="1"/></field>'
                     '<field name="field_time"><uint size="1"/></field><field name="pid"><uint size="1"/></field>'
                     '<field name="event"><struct><field name="time"><uint size="1"/></field></struct></field>'
                     '</struct></event></facility>', {'cpu/0': [[(5, 'e', bytes((1, 2, 3, 4)))]]})
        self.assertEqual(self.split(trace, 'csv')['f.e.csv'].splitlines(),
                         [b'time,tracefile,event,field_field_time,field_time,pid,event.time', b'0.000000005,cpu/0,f.e,1,2,3,4'])

    def test_nothing_is_lost(self):
        for trace in samples():
            with self.subTest(trace=trace):
                lines = [line for content in self.split(trace, 'json').values() for line in content.splitlines()]
                self.assertEqual(sorted(lines), sorted(ltt('dump', '--format=json', trace).raw.splitlines()))

    def test_columns_also_of_what_a_file_describes_itself(self):
        """Columns of types that a tracefile loads itself."""
        found = self.split(sample('load-in-cpu-file'), 'csv')
        self.assertTrue(all(b',data' not in content.split(b'\n', 1)[0] for content in found.values()))

    def test_two_versions_have_their_own_columns(self):
        found = self.split(sample('two-versions'), 'csv')
        pairs = [name for name in found if name.replace('.csv', '-2.csv') in found]
        self.assertTrue(pairs)
        for name in pairs:
            first, second = (found[one].split(b'\n', 1)[0] for one in (name, name.replace('.csv', '-2.csv')))
            self.assertNotEqual(first, second)
            for content in (found[name], found[name.replace('.csv', '-2.csv')]):
                self.assertNotIn(b',data', content.split(b'\n', 1)[0])

    def test_selection_and_damage(self):
        trace = sample('one-cpu')
        found = self.split(trace, 'json', '--event', 'core.irq*', '--from', '+0.0005', '--filter', 'irq_id != 7')
        lines = b''.join(found.values()).splitlines()
        expected = ltt('dump', '--format=json', '--event', 'core.irq*', '--from', '+0.0005', '--filter', 'irq_id != 7',
                       trace).raw.splitlines()
        self.assertEqual(sorted(lines), sorted(expected))
        damaged = self.split(sample('damage'), 'json', status=1)
        self.assertEqual(sorted(b''.join(damaged.values()).splitlines()),
                         sorted(ltt('dump', '--format=json', sample('damage')).raw.splitlines()))
        self.assertEqual(self.split(trace, 'csv', '--from', '+1000'), {})
        self.assertIn('builtin.block_start.csv', self.split(trace, 'csv', '--all'))

    def many(self, names, n_each, payload):
        """A trace in which each of these events occurs many times."""
        description = '<facility name="f">%s</facility>' % ''.join(
            '<event name="%s"><string/></event>' % name for name in names)
        events = [(1000 + i, names[i % len(names)], payload + b'%d\0' % i) for i in range(n_each * len(names))]
        write(self.path('trace'), description,
              {'cpu/0': [events[start:start + 50] for start in range(0, len(events), 50)]}, block_size=1 << 16)
        return self.path('trace')

    def test_more_types_than_files_may_be_open_and_more_lines_than_are_held(self):
        names = ['e%d' % number for number in range(400)]
        trace = self.many(names, 5, b'\1' * 900)
        dumped = ltt('dump', '--format=json', trace).raw.splitlines(keepends=True)
        self.assertGreater(sum(map(len, dumped)), 8 << 20)
        found = self.split(trace, 'json')
        self.assertEqual(found, {'f.%s.json' % name: b''.join(dumped[number::400]) for number, name in enumerate(names)})

    def test_names_that_are_one_to_some_file_systems(self):
        found = self.split(self.many(['abc', 'aBC', 'ABC', 'abc_2', 'x' * 230, 'x' * 229], 2, b''), 'csv')
        cut = 'f.' + 'x' * 198
        self.assertEqual(sorted(found), sorted(['f.abc.csv', 'f.aBC-2.csv', 'f.ABC-3.csv', 'f.abc_2.csv', cut + '.csv',
                                                cut + '-2.csv']))
        self.assertIn(b',f.ABC,2\n', found['f.ABC-3.csv'])

    def test_nothing_half_made(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

        trace = sample('one-cpu')
        os.mkdir(self.path('there'))
        self.assert_failed(ltt('export', '--to=csv', '--split', '-o', self.path('there'), trace), 'already exists')
        self.assert_failed(ltt('export', '--to=csv', '--split', '-o', '-', trace),
                           '-o -: csv --split is a directory and cannot be written to standard output')
        self.assert_failed(ltt('export', '--to=ctf', '--split', '-o', self.path('x'), trace),
                           '--split: ctf cannot be split by event type')
        self.assertEqual(os.listdir(self.folder), ['there'])
        self.assert_done(ltt('export', '--to=csv', '--split', '-o', self.path('few'), trace, preexec_fn=limit))
