"""Recordings of perf that are truncated, damaged or unattributed: messages, and everything else is preserved."""
import json
import os
import random
import shutil
import struct

from command import ltt
from perf_recordings import COMPRESSED, DIRECTORY, FOLDER, PIPE, PROGRAMS, PerfTest


class Damaged(PerfTest):
    """Damage of a plain file is reported, and the export equals the original."""

    def check(self, content):
        path = self.path('damaged')
        with open(path, 'wb') as file:
            file.write(content)
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        result = ltt('import', path, '-o', trace, '--from', 'perf')
        self.assertIn(result.status, (0, 1), result.err)
        self.assert_done(ltt('check', trace), None)
        out = self.exported(trace)
        self.assertEqual(self.read(out), content)
        return result

    def test_cut_short(self):
        content = self.read(os.path.join(FOLDER, 'offline-cpu.data'))
        for size in (16, 40, 104, 105, 200, 264, 268, 300, 3000, 5000, len(content) - 1):
            with self.subTest(size=size):
                result = self.check(content[:size])
                self.assertEqual(result.status, 1)
                self.assertRegex(result.err, r'(?m)^ltt import: \S+: byte \d+: ')

    def test_more_than_anybody_reads(self):
        """Only the first thousand damaged records are reported, with the number of the others."""
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        data, = struct.unpack_from('<Q', content, 40)
        del content[data:]
        content += struct.pack('<IHH', 9, 0, 8) * 1234
        struct.pack_into('<Q', content, 48, 8 * 1234)
        content[72:104] = bytes(32)
        lines = self.check(bytes(content)).err.splitlines()
        self.assertEqual(len(lines), 1001)
        self.assertRegex(lines[999], 'byte %d: record .*: the record ends' % (data + 8 * 1000))
        self.assertRegex(lines[1000], '^ltt import: [^:]*: 234 more problems are not reported individually$')

    def test_sizes_of_records(self):
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        for size, message in ((0, 'byte 304: a record with a size below the 8 bytes of its header'),
                              (7, 'byte 304: a record with a size below'),
                              (65535, 'byte 304: the records end within a record')):
            struct.pack_into('<H', content, 304 + 6, size)
            result = self.check(bytes(content))
            self.assertIn(message, result.err)
            self.assertEqual(result.status, 1)

    def test_more_than_any_machine_has(self):
        """Excess ids and attrs are omitted, because of their memory, and reported."""
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        attrs, = struct.unpack_from('<Q', content, 24)
        end = len(content)
        content += bytes(8 * (1 << 20) + 8)
        struct.pack_into('<QQ', content, attrs + 128, end, 8 * (1 << 20) + 8)
        result = self.check(bytes(content))
        self.assertIn('byte %d: more than 1048576 ids in total; the ids of this attr are not read' % (attrs + 128), result.err)

    def test_sections_among_the_records(self):
        """Sections inside the records are omitted, because an export writes the header before the records."""
        content = self.read(os.path.join(FOLDER, 'offline-cpu.data'))
        attrs, attrs_size, records, records_size = struct.unpack_from('<4Q', content, 24)
        expected = 'expected %s inside the file, and not among the records'
        for place, section, message in (
                (24, (records + 8, attrs_size), 'byte 24: the attrs are at byte %d with %d bytes; ' % (
                    records + 8, attrs_size) + expected % 'them'),
                (56, (0, 1024), 'byte 56: event types at byte 0 with 1024 bytes; ' + expected % 'them'),
                (attrs + 128, (records - 8, 16), 'byte %d: ids at byte %d with 16 bytes; ' % (attrs + 128, records - 8) +
                 expected % 'them'),
                (records + records_size + 16, (records, 64), 'feature 3 is at byte %d with 64 bytes; ' % records +
                 expected % 'it')):
            changed = bytearray(content)
            struct.pack_into('<QQ', changed, place, *section)
            with self.subTest(place=place):
                result = self.check(bytes(changed))
                self.assertIn(message, result.err)
                self.assertEqual(result.status, 1)

    def test_records_in_the_header(self):
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        struct.pack_into('<QQ', content, 40, 16, 400)
        struct.pack_into('<IHH', content, 16, 3, 0, 16)
        self.assertIn('byte 40: the records begin at byte 16; expected it to be after the header of 104 bytes: no records are read',
                      self.check(bytes(content)).err)

    def test_attrs_behind_compressed_records(self):
        """Decompression moves sections to other offsets than the header declares."""
        content = bytearray(self.read(COMPRESSED[0]))
        at, size = struct.unpack_from('<QQ', content, 24)
        struct.pack_into('<Q', content, 24, len(content))
        content += content[at:at + size]
        path = self.path('behind')
        with open(path, 'wb') as file:
            file.write(content)
        trace, said = self.imported(path)
        self.assertEqual(said, '')
        self.assertEqual(self.imported(self.exported(trace))[1], '')
        kept = self.read(self.path('exported'))
        self.assertEqual(kept[-size:-16], content[-size:-16])
        self.assertIn(struct.pack('<Q', len(kept) - size), kept[24:32])

    def test_unknown_records_and_features(self):
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        struct.pack_into('<I', content, 304, 999)
        self.assertEqual(self.check(bytes(content)).status, 0)
        unknown = self.events(self.path('trace'), '--event', 'perf.unknown')
        self.assertEqual([(event['data']['type'], event['data']['record']['offset']) for event in unknown], [(999, 304)])

    def test_programs_of_bpf(self):
        """Arrays and entries outside their declared offsets."""
        recording = self.read(PROGRAMS)
        places = {data['name']: data['offset'] for data in self.of_file(self.make(PROGRAMS), 'feature')}
        programs, types = places['bpf_prog_info'], places['bpf_btf']
        for place, width, value, message in (
                (programs + 20 + 112, 8, 1 << 40, 'byte %d: feature 25: jited_ksyms: it lies outside of the data; it is kept as bytes'
                 % (programs + 20 + 112)),
                (programs + 8, 4, 1 << 16, 'byte %d: feature 25: it ends within an entry; it is kept as bytes' % (programs + 4)),
                (programs, 4, 2, 'feature 25: it ends within an entry'),
                (types + 8, 4, 0xffffffff, 'byte %d: feature 26: it ends within an entry' % (types + 12))):
            content = bytearray(recording)
            content[place:place + width] = value.to_bytes(width, 'little')
            result = self.check(bytes(content))
            self.assertIn(message, result.err)
            self.assertEqual(result.status, 1)

    def test_random_damage(self):
        chance = random.Random(6)
        for name in ('offline-cpu.data', 'bigendian-s390x.data', 'stat-interval.data', 'switch-namespaces-cgroup.data'):
            content = self.read(os.path.join(FOLDER, name))
            for _ in range(6):
                damaged = bytearray(content)
                for _ in range(chance.choice((1, 3, 30))):
                    place = chance.choice((chance.randrange(8, 264), chance.randrange(264, len(content))))
                    damaged[place] = chance.choice((0, 255, chance.randrange(256)))
                # decoded records do not encode to the same bytes
                if struct.unpack_from('<Q' if name[0] != 'b' else '>Q', damaged, 8)[0] == 16:
                    continue
                with self.subTest(name=name, seed=6):
                    self.check(bytes(damaged))

    def test_text_behind_a_pipe(self):
        path = self.path('noisy')
        with open(path, 'wb') as file:
            file.write(self.read(PIPE) + b'[ perf record: Woken up 1 times to write data ]\n')
        trace, err = self.imported(path, 1)
        self.assertIn('byte 18680: not a record: its type is above 65535; the 48 bytes from here are kept unchanged', err)
        self.assertEqual(len([e for e in self.records(trace)]), 93 - 2 - 19 - 1)

    def test_compressed_records_cut_short(self):
        content = self.read(COMPRESSED[0])
        path = self.path('cut')
        with open(path, 'wb') as file:
            file.write(content[:9000])
        trace, err = self.imported(path, 1)
        self.assertRegex(err, r'byte \d+: the records end within a record')
        self.assertGreater(len(self.records(trace)), 50)


    def test_a_stream_of_a_directory(self):
        """Damage in one stream does not affect the next."""
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        content = bytearray(self.read(os.path.join(folder, 'data.0')))
        struct.pack_into('<H', content, 6, 3)
        with open(os.path.join(folder, 'data.0'), 'wb') as file:
            file.write(content)
        trace, err = self.imported(folder, 1)
        self.assertIn('data.0: a record with a size below the 8 bytes of its header; the 5952 bytes from here are kept unchanged',
                      err)
        damage = [piece for piece in self.of_file(trace, 'bytes') if piece['kind'] == 'damage']
        self.assertEqual(b''.join(bytes(piece['octets']) for piece in damage), bytes(content))
        again, said = self.imported(self.exported(trace))
        self.assertEqual((said, len(self.records(again))), ('', len(self.records(trace))))
        trace = self.imported(folder, 1)[0]
        samples = [event for event in self.records(trace) if event['event'] == 'perf.cpu_clock']
        self.assertEqual(len(samples), 104)
        self.assertEqual({event['tracefile'] for event in samples}, {'cpu/1'})

    def test_streams_that_are_missing(self):
        """perf silently reads the existing streams."""
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        os.unlink(os.path.join(folder, 'data.0'))
        self.assertIn('recording: byte 0: data.0 is missing', self.imported(folder, 1)[1])
        os.unlink(os.path.join(folder, 'data.1'))
        self.assertIn('recording: byte 0: data.0 is missing', self.imported(folder, 1)[1])

    def test_lost_records(self):
        """Records of lost events count as losses."""
        content = bytearray(self.read(os.path.join(FOLDER, 'switch-namespaces-cgroup.data')))
        with open(os.path.join(FOLDER, 'switch-namespaces-cgroup.data.records.txt'), encoding='ascii') as file:
            places = {kind: int(place) for place, kind, _, _ in (line.split() for line in file if line[0] != '#')}
        # the last exit becomes a loss
        struct.pack_into('<IHHQQ', content, places['4'], 2, 0, 56, 1, 41)
        self.check(bytes(content))
        self.assertEqual(json.loads(ltt('stat', '--json', self.path('trace')).out)['lost'], 41)
        lost = self.events(self.path('trace'), '--event', 'perf.lost')
        self.assertEqual([event['data']['lost'] for event in lost], [41])

    def test_a_tracepoint_without_a_field(self):
        """The format of sched_switch lacks a field that other recordings have: only the states of threads miss it."""
        content = self.read(os.path.join(FOLDER, 'file-tracepoints.data'))
        at = content.index(b'next_pid;', content.index(b'name: sched_switch\n'))
        self.check(content[:at] + b'next_pie;' + content[at + 9:])
        stat = ltt('stat', '-n', '100', self.path('trace')).out
        self.assertRegex(stat, r' sched\.sched_switch +34 ')
        self.assertRegex(stat, r' irq\.softirq_exit +56 ')
        self.assertNotIn('perf.unknown', stat)
        event = json.loads(ltt('dump', '--format=json', '--event', 'sched.sched_switch', self.path('trace')).lines[0])
        self.assertIn('next_pie', event['data'])

    def test_counts_that_were_read(self):
        """A record READ has the values of read_format, single or of a group."""
        recording = os.path.join(FOLDER, 'file-tracepoints.data')
        trace = self.make(recording)
        attrs = [attr['offset'] for attr in self.of_file(trace, 'attr')]
        mapped = self.records(trace)
        place = next(event['data']['record']['offset'] for event in mapped if event['event'] == 'perf.mmap2')
        enabled, with_id, group, lost = 1, 4, 8, 16
        for formats, words, read in (
                ([with_id | lost] * 5, (70, 174, 3), {'value': 70, 'id': 174, 'lost': 3}),
                ([enabled | group] * 5, (2, 500, 70, 71), {'time_enabled': 500, 'entries': [70, 71]}),
                ([enabled | with_id | group] * 5, (2, 500, 70, 174, 71, 176),
                 {'time_enabled': 500, 'entries': [{'value': 70, 'id': 174}, {'value': 71, 'id': 176}]}),
                ([lost] * 4 + [enabled], (70, 3), None)):
            content = bytearray(self.read(recording))
            for attr, read_format in zip(attrs, formats):
                struct.pack_into('<Q', content, attr + 32, read_format)
            struct.pack_into('<I', content, place, 8)
            struct.pack_into('<ii%dQ' % len(words), content, place + 8, 167, 168, *words)
            self.check(bytes(content))
            data = next(event for event in self.events(self.path('trace'), '--event', 'perf.read'))['data']
            self.assertEqual((data['pid'], data['tid']), (167, 168))
            if read is None:
                self.assertEqual(data['values'][:2], [70, 3])
            else:
                self.assertEqual({name: data['read'][name] for name in read}, read)
