"""Generated recordings of perf: records that the real ones do not have, in both byte orders."""
import json
import struct
import unittest

from command import ALL, ltt
from perf_recordings import PerfTest

IP, TID, TIME, ID, CPU, RAW = 1 << 0, 1 << 1, 1 << 2, 1 << 6, 1 << 7, 1 << 10
SAMPLE_TYPE = IP | TID | TIME | ID | CPU
TRACEPOINT = 2
COMMON = """\tfield:unsigned short common_type;\toffset:0;\tsize:2;\tsigned:0;
\tfield:unsigned char common_flags;\toffset:2;\tsize:1;\tsigned:0;
\tfield:unsigned char common_preempt_count;\toffset:3;\tsize:1;\tsigned:0;
\tfield:int common_pid;\toffset:4;\tsize:4;\tsigned:1;

"""


def form_of(name, number, fields):
    lines = ['\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;\n' % field for field in fields]
    return ('name: %s\nID: %d\nformat:\n' % (name, number) + COMMON + ''.join(lines) + '\nprint fmt: ""\n').encode()


class Recording:
    """A perf file. The words of features may have 32 bits."""

    def __init__(self, order='<', magic=None, header_bytes=104, words='Q'):
        self.order = order
        self.magic = magic or (b'PERFILE2' if order == '<' else b'2ELIFREP')
        self.header_bytes = header_bytes
        self.words = words
        self.attrs = []
        self.event_types = b''
        self.records = b''
        self.features = {}

    def pack(self, form, *values):
        return struct.pack(self.order + form, *values)

    def attr(self, ids=(1,), kind=1, config=0, sample_type=SAMPLE_TYPE, size=64, attr_bytes=64):
        flags = bytes([0, 0, 4 if self.order == '<' else 0x20, 0, 0, 0, 0, 0])  # sample_id_all
        content = self.pack('IIQQQQ', kind, size, config, 1, sample_type, 0) + flags
        self.attrs.append((content.ljust(attr_bytes, b'\0'), ids))
        return self

    def record(self, kind, body, misc=0):
        size = len(body) + 8
        self.records += self.pack('IHH', kind, misc | size >> 16, size & 0xffff) + body
        return self

    def sample(self, time, cpu=0, number=1, raw=None):
        body = self.pack('QIIQQII', 0x1000, 10, 11, time, number, cpu, 0)
        if raw is not None:
            raw = raw.ljust((len(raw) + 4 + 7) // 8 * 8 - 4, b'\0')
            body += self.pack('I', len(raw)) + raw
        return self.record(9, body, 2)

    def tracing(self, systems):
        """@systems: [(name, [format])]"""
        content = b'\x17\x08\x44tracing0.6\0' + self.pack('BBI', self.order == '>', 8, 4096)
        for name in (b'header_page\0', b'header_event\0'):
            content += name + self.pack('Q', 1) + b'\n'
        content += self.pack('II', 0, len(systems))
        for name, forms in systems:
            content += name + b'\0' + self.pack('I', len(forms))
            content += b''.join(self.pack('Q', len(form)) + form for form in forms)
        self.features[1] = content + self.pack('IIQ', 0, 0, 0)
        return self

    def content(self):
        ids = attrs = b''
        for attr, numbers in self.attrs:
            attrs += attr + self.pack('QQ', self.header_bytes + len(ids), 8 * len(numbers))
            ids += self.pack('%dQ' % len(numbers), *numbers)
        entry = len(self.attrs[0][0]) + 16
        attrs_at = self.header_bytes + len(ids)
        types_at = attrs_at + len(attrs)
        records_at = types_at + len(self.event_types)
        at = records_at + len(self.records) + 16 * len(self.features)
        table = b''
        for bit in sorted(self.features):
            table += self.pack('QQ', at, len(self.features[bit]))
            at += len(self.features[bit])
        header = self.magic + self.pack('8Q', self.header_bytes, entry, attrs_at, len(attrs), records_at,
                                        len(self.records), types_at, len(self.event_types))
        word_bits = 8 * struct.calcsize(self.words)
        words = [0] * (256 // word_bits)
        for bit in self.features:
            words[bit // word_bits] |= 1 << bit % word_bits
        header += self.pack('%d%s' % (len(words), self.words), *words)
        return (header[:self.header_bytes] + ids + attrs + self.event_types + self.records + table +
                b''.join(self.features[bit] for bit in sorted(self.features)))


class MadeTest(PerfTest):
    def samples(self, recording):
        """(time, tracefile, event, fields) of all samples."""
        trace, _ = self.import_content(recording.content())
        return [(event['time'], event['tracefile'], event['event'],
                 {key: value for key, value in event['data'].items() if key != 'record'})
                for event in self.records(trace) if 'ip' in event['data']]


FIELDS = {'ip': 0x1000, 'pid': 10, 'tid': 11, 'id': 1, 'cpu_reserved': 0}
TWO = [('0.000002000', 'cpu/0', 'perf.cpu_clock', dict(FIELDS, time=2000, cpu=0)),
       ('0.000001000', 'cpu/1', 'perf.cpu_clock', dict(FIELDS, time=1000, cpu=1))]


class Headers(MadeTest):
    def check(self, *arguments, **options):
        attr = options.pop('attr', {})
        recording = Recording(*arguments, **options).attr(**attr).sample(2000).sample(1000, 1)
        self.assertEqual(self.samples(recording), TWO)

    def test_both_orders(self):
        self.check()
        self.check('>')

    def test_version_1(self):
        """The magic does not show the byte order; the size of an attr does."""
        self.check(magic=b'PERFFILE')
        self.check('>', magic=b'PERFFILE')

    def test_header_without_features(self):
        self.check(header_bytes=72)
        self.check('>', magic=b'PERFFILE', header_bytes=72)

    def test_attr_of_size_0(self):
        self.check(attr={'size': 0, 'attr_bytes': 128})

    def test_words_of_32_bits(self):
        for order in '<>':
            recording = Recording(order, words='I').attr().sample(2000).sample(1000, 1)
            recording.features = {3: recording.pack('I', 8) + b'machine\0', 40: b'what is to come', 128: b'simpleperf',
                                  255: b'last'}
            self.assertEqual(self.samples(recording), TWO)
            self.assertEqual([event['bit'] for event in self.of_file(self.path('trace'), 'feature')], [3, 40, 128, 255])
            self.assertEqual(self.of_file(self.path('trace'), 'hostname'), [{'text': 'machine'}])

    def test_number_of_cpus(self):
        """CPUs that the header counts have tracefiles; without it, only some have in a small recording."""
        for features, file in (({}, 'control/perf'), ({7: struct.pack('<II', 301, 301)}, 'cpu/300')):
            recording = Recording().attr().sample(1000, 255).sample(2000, 300)
            recording.features = features
            self.assertEqual({sample[1] for sample in self.samples(recording)}, {'cpu/255', file})

    def test_event_types(self):
        recording = Recording().attr(config=7).sample(2000)
        recording.event_types = struct.pack('<Q64s', 7, b'my-event')
        self.assertEqual(self.samples(recording)[0][2], 'perf.my_event')


class Records(MadeTest):
    def test_records_of_simpleperf(self):
        """Their size has 32 bits; the records after them are read."""
        for order in '<>':
            recording = Recording(order).attr().sample(2000).record(32769, b'kernel symbols  ' * 5000).sample(1000, 1)
            self.assertEqual(self.samples(recording), TWO)

    def test_a_record_of_simpleperf_cut_short(self):
        recording = Recording().attr().sample(2000).record(32769, b'kernel symbols  ' * 5000)
        recording.records = recording.records[:-16]
        _, said = self.import_content(recording.content(), 1)
        self.assertIn('65536 bytes should follow the record, but only 65520 are left', said)


class Words(MadeTest):
    """Fields of samples with special encodings."""

    def test_stacks(self):
        """An empty stack has no dynamic size."""
        recording = Recording().attr(sample_type=IP | 1 << 13)
        recording.record(9, struct.pack('<QQ8sQ', 0x1000, 8, b'12345678', 5)).record(9, struct.pack('<QQ', 0x1000, 0))
        trace, _ = self.import_content(recording.content())
        self.assertEqual([event['data']['stack_user'] for event in self.records(trace)],
                         [{'octets': list(b'12345678'), 'used': 5}, {'octets': [], 'used': 0}])

    def test_branches(self):
        for order in '<>':
            recording = Recording(order).attr(sample_type=IP | 1 << 11, size=80, attr_bytes=80)
            first = {'from': 1, 'to': 2, 'flags': (1, 0, 0, 1, 0x1234, 5, 2, 3, 1, 0)}
            widths = (1, 1, 1, 1, 16, 4, 2, 4, 3, 31)
            word, place = 0, 0
            for value, width in zip(first['flags'], widths):
                word |= value << (place if order == '<' else 64 - place - width)
                place += width
            recording.record(9, recording.pack('QQ6Q', 0x1000, 2, 1, 2, word, 3, 4, 0))
            trace, _ = self.import_content(recording.content())
            stack = self.records(trace)[0]['data']['branch_stack']
            self.assertEqual(list(stack[0]['flags'].values()), [1, 0, 0, 1, 0x1234, 'IND_CALL', 'NON_SPEC_CORRECT_PATH', 3, 'USER', 0])
            self.assertEqual([(branch['from'], branch['to']) for branch in stack], [(1, 2), (3, 4)])


class Simpleperf(MadeTest):
    """Differences of Android's recorder."""
    FORMAT = form_of('sched_made', 77, [('int value', 8, 4, 1)])

    def recording(self, order='<'):
        recording = Recording(order).attr(kind=TRACEPOINT, config=77, sample_type=SAMPLE_TYPE | RAW)
        recording.tracing([(b'sched', [self.FORMAT])])
        return recording, recording.features.pop(1)

    def sample_of(self, recording):
        return recording.sample(2000, raw=recording.pack('HBBii', 77, 0, 0, 10, -5))

    def test_tracing_data_inside_its_record(self):
        for order in '<>':
            for kind, padding in ((66, 64), (32777, 64), (32777, 70000)):
                recording, tracing = self.recording(order)
                recording.record(kind, recording.pack('I', len(tracing)) + tracing.ljust(-len(tracing) % 4 + len(tracing) + padding, b'\0'))
                event, data = self.samples(self.sample_of(recording))[0][2:]
                self.assertEqual((event, data['value']), ('sched.sched_made', -5), (order, kind))

    def test_a_part_has_the_formats_too(self):
        recording, tracing = self.recording()
        recording.record(66, recording.pack('I', len(tracing)) + tracing)
        trace, _ = self.import_content(self.sample_of(self.sample_of(recording)).content())
        part = self.path('part')
        self.assert_done(ltt('export', '--to', 'perf', '--event', 'perf.*', '-o', part, trace))
        trace, said = self.imported(part)
        self.assertEqual((said, self.of_file(trace, 'attr')[0]['event']), ('', 'sched.sched_made'))

    def test_aux_records_without_a_count(self):
        recording = Recording().attr()
        recording.record(71, recording.pack('QQQIIII', 16, 0, 0, 0, 0, 0, 0))
        recording.records += bytes(16)
        recording.features[18] = recording.pack('QQ', 192, 64)
        trace, said = self.import_content(recording.content())
        self.assertEqual(said, '')
        self.assertEqual(self.of_file(trace, 'auxtrace'), [{'records': [{'offset': 192, 'size': 64}]}])

    def test_aux_data_stays_with_its_record_in_a_part(self):
        """A needed record before it, such as ID_INDEX, does not separate the data from its record."""
        for order in '<>':
            recording = Recording(order).attr()
            recording.record(69, recording.pack('5Q', 1, 5, 0, 0, 0)).record(82, b'')
            recording.record(71, recording.pack('QQQIIII', 104, 0, 0, 0, 0, 0, 0))
            recording.records += b'AUX DATA' * 13
            for _ in range(20):
                recording.record(68, b'')
            trace, _ = self.import_content(recording.content())
            for options in (('--from', '+0'), ('--event', 'perf.*')):
                with self.subTest(order=order, options=options):
                    self.assertEqual(self.read(self.exported(trace, *options)), recording.content())
            with self.subTest(order=order):
                part = self.exported(trace, '--event', 'perf.auxtrace')
                self.assertIn(b'AUX DATA' * 13, self.read(part))
                self.assertEqual(self.imported(part)[1], '')

    def test_names_from_its_meta_info(self):
        recording = Recording().attr(ids=(1,), kind=4, config=0x11).attr(ids=(2,), kind=8, config=7)
        recording.sample(1000, number=1).sample(2000, number=2)
        recording.features[129] = (b'simpleperf_version\x001.0\0event_type_info\0raw-cpu-cycles,4,17\n' +
                                   b'kprobe:x,8,7,more\nbroken\0last\0')
        self.assertEqual([event for _, _, event, _ in self.samples(recording)], ['perf.raw_cpu_cycles', 'perf.kprobe_x'])


class Lost(MadeTest):
    """LOST records of the kernel and LOST_SAMPLES count as losses. The sums of perf, which have no time, repeat LOST."""

    def lost(self, *records):
        recording = Recording().attr().sample(1000)
        for kind, counts, time in records:
            recording.record(kind, struct.pack('<%dQIIQQII' % len(counts), *counts, 10, 11, time, 1, 0, 0))
        trace, _ = self.import_content(recording.content())
        return json.loads(ltt('stat', '--json', trace).out)['lost']

    def test_of_the_kernel(self):
        self.assertEqual(self.lost((2, (1, 5), 2000), (13, (6,), 3000), (2, (1, 7), 4000)), 18)

    def test_sums_of_perf(self):
        self.assertEqual(self.lost((13, (3,), 0), (13, (4,), 0)), 7)
        self.assertEqual(self.lost((2, (1, 5), 2000), (13, (3,), 0), (13, (2,), 0)), 5)
        self.assertEqual(self.lost((2, (1, 5), 2000), (13, (6,), 3000), (13, (3,), 0), (13, (4,), 0)), 13)
        self.assertEqual(self.lost((2, (1, 5), 2000), (13, (1,), 0)), 5, 'a sum may lack what other threads lost')

    def test_more_than_a_number_holds(self):
        self.assertEqual(self.lost((2, (1, 2**64 - 2), 2000), (2, (1, 1), 2001), (13, (2**64 - 1,), 0)), 2**64 - 1)


class Tracepoints(MadeTest):
    def event(self, fields, raw, system=b'made', order='<'):
        """The event of a tracepoint, and its fields."""
        recording = Recording(order).attr(kind=TRACEPOINT, config=77, sample_type=SAMPLE_TYPE | RAW)
        recording.tracing([(system, [form_of('event', 77, fields)])])
        recording.sample(2000, raw=recording.pack('HBBi', 77, 1, 2, -5) + recording.pack(*raw))
        return self.samples(recording)[0][2:]

    def test_fields_of_any_length(self):
        """Offsets are relative to the start of the raw bytes, or to the end of the field."""
        fields = [('__data_loc char[] text', 8, 4, 1), ('__data_loc u64[] words', 12, 4, 0),
                  ('__rel_loc char[] near', 16, 4, 1), ('__rel_loc s32[] items', 20, 4, 1), ('u32 last', 24, 4, 0)]
        raw = ('IIIII4sQ4sii', 4 << 16 | 28, 8 << 16 | 32, 4 << 16 | 20, 8 << 16 | 20, 99, b'abc', 1 << 40, b'xyz',
               -1, 2)
        expected = {'text': 'abc', 'words': [1 << 40], 'near': 'xyz', 'items': [-1, 2], 'last': 99}
        for order in '<>':
            event, data = self.event(fields, raw, order=order)
            self.assertEqual(event, 'made.event')
            self.assertEqual({name: data[name] for name in expected}, expected)

    def test_arguments_of_probes(self):
        """The kernel declares the size of an array, but no count; an array of strings is an array of offsets."""
        fields = [('s16 st[]', 8, 8, 1), ('__data_loc char[][1] one', 16, 4, 1), ('__data_loc char[][2] two', 20, 8, 1),
                  ('u8 odd[]', 28, 3, 0), ('char text[]', 31, 5, 1)]
        raw = ('4hIII3s5s4s4s4s', -1, 2, -3, 4, 4 << 16 | 36, 4 << 16 | 40, 4 << 16 | 44, b'\1\2\3', b'word', b'abc', b'def', b'ghi')
        expected = {'st': [-1, 2, -3, 4], 'one': ['abc'], 'two': ['def', 'ghi'], 'odd': [1, 2, 3], 'text': 'word'}
        for order in '<>':
            data = self.event(fields, raw, order=order)[1]
            self.assertEqual({name: data[name] for name in expected}, expected)
            record = self.events(self.path('trace'), '--event', 'made.*')[0]['data']['record']
            self.assertEqual(record['verbatim'], [], 'the fields give the bytes again')

    def test_bytes_that_fields_do_not_tell(self):
        """Bytes after the NUL of a text, between fields and after the last field are preserved."""
        fields = [('char comm[8]', 8, 8, 1), ('u8 small', 16, 1, 0), ('int last', 20, 4, 1)]
        expected = {'comm': 'ab', 'small': 7, 'last': -9}
        for raw, is_told in ((('8sB3xi4x', b'ab', 7, -9), True), (('8sB3xi', b'ab', 7, -9), True),
                             (('8sB3xi4s', b'ab\0c', 7, -9, b''), False), (('8sB3si4s', b'ab', 7, b'\0x', -9, b''), False),
                             (('8sB3si4s', b'ab', 7, b'', -9, b'\0\0\0x'), False), (('8sB3si12s', b'ab', 7, b'', -9, b''), False)):
            for order in '<>':
                data = self.event(fields, raw, order=order)[1]
                self.assertEqual({name: data[name] for name in expected}, expected)
                record = self.events(self.path('trace'), '--event', 'made.*')[0]['data']['record']
                self.assertEqual(record['verbatim'] == [], is_told, raw)

    def test_more_tracepoints_than_any_machine_has(self):
        """Each tracepoint is described in the facility of its system."""
        n_systems, n_events = 40, 100 if ALL else 60
        fields = [('int field_%d' % i, 8 + 4 * i, 4, 1) for i in range(10)]
        recording = Recording()
        systems = []
        for system in range(n_systems):
            numbers = range(system * n_events + 1, (system + 1) * n_events + 1)
            systems.append((b'system_%d' % system, [form_of('event_%d' % number, number, fields) for number in numbers]))
            for number in numbers:
                recording.attr(kind=TRACEPOINT, config=number, sample_type=SAMPLE_TYPE | RAW, ids=(number,))
        raw = struct.pack('<HBBi10i', 1, 0, 0, 10, *range(10))
        for number in range(1, n_systems * n_events + 1):
            recording.sample(1000 + number, number=number, raw=raw)
        trace, said = self.import_content(recording.tracing(systems).content())
        self.assertEqual(said, '')
        names = [event['event'] for event in self.events(trace, '--event', 'system_*.*')]
        self.assertEqual(names, ['system_%d.event_%d' % ((number - 1) // n_events, number)
                                 for number in range(1, n_systems * n_events + 1)])

    def test_samples_of_no_event(self):
        """One line reports their number."""
        recording = Recording().attr(ids=(1,)).attr(ids=(2,))
        for time in range(50):
            recording.sample(1000 + time, number=3).sample(1000 + time, number=2)
        trace, said = self.import_content(recording.content(), 1)
        place = 104 + 2 * (8 + 64 + 16)
        self.assertEqual(said.splitlines(), [
            'ltt import: %s: byte %d: 50 samples from here on are of events that are not in the header; they are kept as '
            'bytes' % (self.path('recording'), place)])
        self.assertEqual(len(self.events(trace, '--event', 'perf.unknown')), 50)

    def test_names(self):
        """Names become unique identifiers; fields of the tracepoint take precedence over those of the sample."""
        names = ['int', 'pid', 'pid', 'a-b', 'record', 'time']
        fields = [('int ' + name, 8 + 4 * i, 4, 1) for i, name in enumerate(names)]
        expected = {'int': 0, 'pid': 1, 'pid_2': 2, 'a_b': 3, 'record_2': 4, 'time': 5, 'perf_pid': 10,
                    'perf_time': 2000}
        for system, facility in ((b'made-here.x', 'made_here_x'), (b'9p', '_9p'), (b'\xc3\xa4', '_'),
                                 (b'perf', 'perf_events')):
            event, data = self.event(fields, ('6i', *range(6)), system)
            self.assertEqual(event, facility + '.event')
            self.assertEqual({name: data[name] for name in expected}, expected)


if __name__ == '__main__':
    unittest.main()
