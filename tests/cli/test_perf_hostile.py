"""Hostile recordings of perf: headers that would take much time or memory."""
import os
import struct

from cli.test_perf_made import Recording
from command import ltt
from perf_recordings import PerfTest

TRACEPOINT, HARDWARE = 2, 0
RAW = 1 << 10
ATTR_BYTES = 64
ENTRY_BYTES = ATTR_BYTES + 16
HEADER_BYTES = 104
TRACING_DATA = 1


def attr(kind, config, sample_type=RAW):
    return struct.pack('<IIQQQ', kind, ATTR_BYTES, config, 1, sample_type).ljust(ATTR_BYTES, b'\0')


def sample(body):
    return struct.pack('<IHHI', 9, 0, 12 + len(body), len(body)) + body


def tracing_data(formats):
    """Formats of the tracepoints of one system."""
    return (b'\x17\x08\x44tracing0.6\0' + bytes([0, 8]) + struct.pack('<I', 4096) + b'header_page\0' + bytes(8) +
            b'header_event\0' + bytes(8) + struct.pack('<II', 0, 1) + b'system\0' + struct.pack('<I', len(formats)) +
            b''.join(struct.pack('<Q', len(text)) + text for text in formats))


def recording(attrs, records=b'', formats=None, event_types=b''):
    entries = b''.join(content + bytes(16) for content in attrs)
    types_at = HEADER_BYTES + len(entries)
    data_at = types_at + len(event_types)
    data_end = data_at + len(records)
    feature = tracing_data(formats) if formats is not None else b''
    table = struct.pack('<QQ', data_end + 16, len(feature)) if feature else b''
    return b'PERFILE2' + struct.pack('<12Q', HEADER_BYTES, ENTRY_BYTES, HEADER_BYTES, len(entries), data_at, len(records),
                                     types_at, len(event_types), 1 << TRACING_DATA if feature else 0, 0, 0, 0
                                     ) + entries + event_types + records + table + feature


def altered(path, before, after):
    """Replaces bytes that occur once in a file by others of the same length."""
    with open(path, 'r+b') as file:
        content = file.read()
        assert content.count(before) == 1 and len(before) == len(after), content.count(before)
        file.seek(content.index(before))
        file.write(after)


class Hostile(PerfTest):
    def test_fields_of_one_name(self):
        """Suffixes make names unique; the search for a free suffix must not be linear."""
        line = b'\tfield:u8 a;offset:%d;size:1;\n'
        text = b'name: many\nID: 7\nformat:\n' + b''.join(line % i for i in range(8000))
        trace, _ = self.import_content(recording([attr(TRACEPOINT, 7)] * 12, sample(bytes(range(256)) * 2), [text]))
        data = self.events(trace, '--event', 'system.many')[0]['data']
        self.assertEqual([data[name] for name in ('a', 'a_2', 'a_256', 'a_257', 'a_512')], [0, 1, 255, 0, 255])
        self.assertNotIn('a_513', data)

    def test_fields_whose_numbers_are_taken(self):
        names = (b'a_2', b'a', b'a', b'a', b'a_2', b'a_3')
        text = b'name: few\nID: 7\nformat:\n' + b''.join(
            b'\tfield:u8 %s;offset:%d;size:1;\n' % (name, i) for i, name in enumerate(names))
        trace, _ = self.import_content(recording([attr(TRACEPOINT, 7)], sample(bytes(range(6))), [text]))
        data = self.events(trace, '--event', 'system.few')[0]['data']
        self.assertEqual({name: value for name, value in data.items() if name[0] == 'a'},
                         {'a_2': 0, 'a': 1, 'a_3': 2, 'a_4': 3, 'a_2_2': 4, 'a_3_2': 5})

    def test_many_formats(self):
        """The first of several formats with the same id is used."""
        texts = [b'name: x%d\nID: %d\n' % (i, i // 2) for i in range(8000)]
        trace, _ = self.import_content(recording([attr(TRACEPOINT, i) for i in range(1500)], b'', texts))
        names = [event['name'] for event in self.of_file(trace, 'attr')]
        self.assertEqual(names[:3] + names[-1:], ['system:x0', 'system:x2', 'system:x4', 'system:x2998'])

    def test_many_event_types(self):
        types = b''.join(struct.pack('<Q', i // 2) + (b'type%d' % i).ljust(64, b'\0') for i in range(8000))
        trace, _ = self.import_content(recording([attr(HARDWARE, i) for i in range(1500)], sample(b''), None, types))
        names = [event['name'] for event in self.of_file(trace, 'attr')]
        self.assertEqual(names[:3] + names[-1:], ['type0', 'type2', 'type4', 'type2998'])

    def test_more_tracing_data_than_any_kernel_has(self):
        formats = [b'name: a\nID: 7\n', b' ' * (16 << 20)]
        _, said = self.import_content(recording([attr(TRACEPOINT, 7)], b'', formats), 1)
        self.assertRegex(said, r'byte 200: tracing data of \d+ bytes; expected at most 16777216: '
                               'its formats are not read')

    def test_more_events_than_can_be_described(self):
        """Samples of further events are preserved as bytes."""
        many = 900
        made = Recording()
        for i in range(many):
            made.attr(kind=HARDWARE, config=1000 + i, sample_type=(1 << 25) - 1, ids=(i + 1,))
        made.record(9, struct.pack('<Q', many) + bytes(200)).record(9, struct.pack('<Q', many) + bytes(200))
        trace, said = self.import_content(made.content(), 1)
        self.assertRegex(said, r'byte \d+: 2 samples from here on are of events after the first \d+ of 900, which is the '
                               'maximum number; they are kept as bytes\n$')
        names = [event['event'] for event in self.of_file(trace, 'attr')]
        self.assertEqual(len(names), many)
        self.assertEqual((names[0], names[-1]), ('perf.event_0_0x3e8', ''))

    def test_more_cpus_than_the_recording_has_room_for(self):
        """Not every CPU gets a tracefile with its minimum of one block; the events contain the CPU."""
        made = Recording().attr()
        for cpu in range(20000):
            made.sample(1000 + cpu, cpu=cpu)
        content = made.content()
        self.assertLess(len(content), 1200000)
        trace, said = self.import_content(content)
        self.assertEqual(said, '')
        self.assertEqual(len(os.listdir(os.path.join(trace, 'cpu'))), 256)
        sizes = [os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(trace) for name in names]
        self.assertLess(sum(sizes), 40 << 20)
        samples = self.events(trace, '--event', 'perf.cpu_clock')
        self.assertEqual([event['data']['cpu'] for event in samples], list(range(20000)))

    def test_a_feature_longer_than_the_trace(self):
        """A modified trace of a few bytes must not export gigabytes."""
        head = b'PERFILE2' + struct.pack('<Q', 16)
        tracing = struct.pack('<IHHII', 66, 0, 16, 24, 0)
        path = self.path('piped')
        with open(path, 'wb') as file:
            file.write(head + tracing + bytes(range(24)))
        trace, _ = self.imported(path, 1)
        self.assertEqual(self.read(self.exported(trace))[:8], b'PERFILE2')
        control = os.path.join(trace, 'control/perf_file')
        size = len(head + tracing) + 24
        altered(control, struct.pack('<QQQ', size, size, size), struct.pack('<QQQ', 1 << 33, size, 1 << 33))
        altered(control, tracing, struct.pack('<IHHII', 66, 0, 16, (1 << 32) - 16, 0))
        result = ltt('export', '--to', 'perf', '-o', self.path('refused'), trace)
        self.assertEqual(result.status, 2, result.err)
        self.assertIn('perf_file.bytes: feature 1 has 4294967280 bytes, but there are fewer', result.err)
        self.assertFalse(os.path.exists(self.path('refused')))
