"""Damaged traces: readable events are returned, and each damage is reported with its place."""
import json
import os
import random
import re
import shutil
import struct
import unittest

from command import CommandTest, expected_events, expected_lines, ltt, sample
from damage import Damaged, second_reading
from small_trace import FACILITY_LOAD, FIRST_BASE, block_bytes, write

FLIGHT = sample('flight-recorder')
FLIGHT_BLOCK = 2048


def by_block(lines, tracefile):
    """The lines of a tracefile by block id."""
    blocks, current = {}, None
    for line in lines:
        event = json.loads(line)
        if event['tracefile'] != tracefile:
            continue
        if event['event'].endswith('.block_start'):
            current = blocks.setdefault(event['data']['block_id'], [])
        if current is not None:
            current.append(line)
    return blocks


class OneBlock(Damaged):
    """Block 2 of cpu/0 of a flight recorder, with each kind of damage."""

    PLACE, TRACEFILE = 2, 'cpu/0'

    def setUp(self):
        super().setUp()
        self.trace = self.copy(FLIGHT)
        self.start = self.PLACE * FLIGHT_BLOCK
        block = self.read(self.TRACEFILE)[self.start:self.start + FLIGHT_BLOCK]
        self.block_id = struct.unpack_from('<I', block, 22)[0]
        self.last = struct.unpack_from('<I', block, FLIGHT_BLOCK - 4)[0]
        self.original = by_block(expected_lines(FLIGHT), self.TRACEFILE)
        self.others = [line for line in expected_lines(FLIGHT) if line not in self.original[self.block_id]]

    def hit(self, at, content):
        self.patch(self.TRACEFILE, self.start + at, content)

    def assert_damage(self, byte, *words, kept=None):
        """@kept: how many first events of the block are readable; None: any number"""
        result = self.dump()
        self.assert_failed(result, 'ltt dump: %s: block %d: byte %d: ' % (self.TRACEFILE, self.PLACE, byte),
                           *words, status=1)
        got = by_block(result.lines, self.TRACEFILE).pop(self.block_id, [])
        # Sorted: other times in the block can change the merged order of later events of the file.
        self.assertEqual(sorted(line for line in result.lines if line not in got), sorted(self.others))
        self.assertEqual([line.split('"event"')[1] for line in got],
                         [line.split('"event"')[1] for line in self.original[self.block_id][:len(got)]])
        if kept is not None:
            self.assertEqual(len(got), kept)

    def test_final_words(self):
        trailer = FLIGHT_BLOCK - 4
        for word, byte in ((self.last - 1, trailer), (self.last + 1, self.last), (1, trailer), (25, trailer),
                           (trailer - 6, self.last), (trailer - 5, trailer), (FLIGHT_BLOCK, trailer),
                           (2 ** 31, trailer), (2 ** 32 - 1, trailer)):
            with self.subTest(word=word):
                self.hit(trailer, struct.pack('<I', word))
                self.assert_damage(byte, str(word))

    def test_final_word_of_an_event_in_the_middle_is_an_open_block(self):
        self.hit(FLIGHT_BLOCK - 4, struct.pack('<I', 26))
        result = self.dump()
        self.assert_done(result)
        self.assertEqual(len(by_block(result.lines, self.TRACEFILE)[self.block_id]), 2)

    def test_block_of_zeros_holds_nothing(self):
        self.hit(0, bytes(FLIGHT_BLOCK))
        result = self.dump()
        self.assert_done(result)
        self.assertEqual(result.lines, self.others)

    def test_zeros_before_a_final_word(self):
        self.hit(0, bytes(FLIGHT_BLOCK - 4))
        self.assert_damage(0, kept=0)

    def test_first_event_is_no_block_start(self):
        self.hit(0, struct.pack('<H', 4))
        self.assert_damage(0, 'block_start', kept=0)

    def test_unknown_event_id(self):
        self.hit(26, struct.pack('<H', 54321))
        self.assert_damage(26, '54321', kept=1)

    def test_block_end_too_early(self):
        self.hit(26, struct.pack('<H', 2))
        self.assert_damage(26, 'block_end', kept=1)

    def test_block_start_in_the_middle(self):
        self.hit(26, struct.pack('<H', 1))
        self.assert_damage(26, 'block_start', kept=1)

    def test_noise_behind_the_first_event(self):
        self.hit(26, random.Random(1).randbytes(FLIGHT_BLOCK - 30))
        self.assert_damage(26, kept=1)

    def test_string_without_an_end(self):
        """The first string extends to the end of the block."""
        offset = self.offset_of('core.file_open')
        self.hit(offset + 6, b'A' * (FLIGHT_BLOCK - 4 - offset - 6))
        self.assert_damage(offset)

    def offset_of(self, name):
        """The offset of the first event with that name; it is the last event of an open block."""
        wanted = next(index for index, line in enumerate(self.original[self.block_id])
                      if json.loads(line)['event'] == name)
        for offset in range(26, self.last):
            self.hit(FLIGHT_BLOCK - 4, struct.pack('<I', offset))
            result = self.dump()
            if result.status == 0 and len(by_block(result.lines, self.TRACEFILE)[self.block_id]) == wanted + 1:
                self.hit(FLIGHT_BLOCK - 4, struct.pack('<I', self.last))
                return offset
        raise AssertionError('%s is nowhere' % name)


class Numbers(Damaged):
    """Lengths that exceed the payload."""

    def test_sequence_count(self):
        """Replaces each word of a block, one at a time, by a huge number."""
        self.trace = self.copy(sample('every-type'))
        original = self.read('cpu/0')
        for at in range(32, 3000, 97):
            self.patch('cpu/0', 0, original)
            self.patch('cpu/0', at, b'\xff' * 8)
            result = self.dump()
            self.assertIn(result.status, (0, 1))
            self.assertEqual(result.lines, second_reading(self.trace)[1])


class Loads(Damaged):
    """Loads that a file contains, and events before the load of their facility."""

    def setUp(self):
        super().setUp()
        self.trace = self.path('trace')
        write(self.trace, '<facility name="f"><event name="e"/></facility>', {'cpu/0': [[(10, 'e', b'')]]})

    def store(self, name, *blocks):
        """Stores blocks in a file, each a list of (id, payload)."""
        with open(os.path.join(self.trace, name), 'wb') as file:
            for number, events in enumerate(blocks):
                file.write(block_bytes('<', [(number, *event) for event in events], number, 4096))

    def load_event(self):
        """The load of facility f in control/facilities."""
        block = self.read('control/facilities')
        return FACILITY_LOAD, block[32:block.index(b'\0', 32) + 9]

    def test_load_of_an_unknown_facility(self):
        """It is a problem, whether events with its ids follow or not."""
        unknown = FACILITY_LOAD, b'b\\c\td\0' + struct.pack('<II', 1, 9)
        self.store('cpu/0', [(FIRST_BASE, b''), unknown, (FIRST_BASE, b'')])
        self.assert_both_commands(1, 'cpu/0: block 0: byte 32: facility b\\c\\u0009d (checksum 0x00000001) is loaded')
        result = self.dump()
        self.assertEqual((len(result.err.splitlines()), len(result.lines)), (1, 8))
        self.assertEqual(second_reading(self.trace), (1, result.lines))

    def test_load_with_another_checksum(self):
        self.store('cpu/0', [(FACILITY_LOAD, b'f\0' + struct.pack('<II', 1, 9)), (9, b'')])
        self.assert_both_commands(1, 'cpu/0: block 0: byte 26: facility f is loaded with checksum 0x00000001')
        self.assertEqual(second_reading(self.trace), (1, self.dump().lines))

    def test_repeated_load(self):
        self.store('cpu/0', [self.load_event(), (FIRST_BASE, b'')])
        self.assert_both_commands(0)

    def test_event_before_the_load(self):
        """In control/facilities a load applies to the events after it only."""
        load = self.load_event()
        self.store('control/facilities', [load], [(FIRST_BASE, b'')])
        self.assert_both_commands(0)
        self.store('control/facilities', [(FIRST_BASE, b'')], [load])
        self.assert_both_commands(1, 'control/facilities: block 0: byte 26: event id 4: ')
        self.assertEqual(second_reading(self.trace)[0], 1)


class Files(Damaged):
    def setUp(self):
        super().setUp()
        self.trace = self.copy(FLIGHT)

    def lines_without(self, *tracefiles):
        return [line for line in expected_lines(FLIGHT) if json.loads(line)['tracefile'] not in tracefiles]

    def test_cut_off_in_a_block(self):
        for left in (1, 100, FLIGHT_BLOCK - 1):
            with open(os.path.join(self.trace, 'cpu/0'), 'r+b') as file:
                file.truncate(4 * FLIGHT_BLOCK + left)
            result = self.dump()
            self.assert_failed(result, 'cpu/0: block 4: byte 0: ', str(left), status=1)
            self.assertEqual(result.lines, second_reading(self.trace)[1])
            self.assertGreater(len(result.lines), len(self.lines_without('cpu/0')))

    def test_missing_tracefile(self):
        os.remove(os.path.join(self.trace, 'cpu/1'))
        self.assert_done(self.dump(), ''.join(line + '\n' for line in self.lines_without('cpu/1')))

    def test_empty_tracefile(self):
        with open(os.path.join(self.trace, 'cpu/1'), 'wb'):
            pass
        self.assert_done(self.dump(), ''.join(line + '\n' for line in self.lines_without('cpu/1')))

    def test_missing_facilities(self):
        os.remove(os.path.join(self.trace, 'control/facilities'))
        result = self.dump()
        self.assert_failed(result, 'control/facilities', status=1)
        self.assertEqual(result.lines, second_reading(self.trace)[1])

    def test_missing_descriptions(self):
        shutil.rmtree(os.path.join(self.trace, 'eventdefs'))
        result = self.dump()
        self.assert_failed(result, 'eventdefs', status=1)
        self.assertEqual(result.lines, second_reading(self.trace)[1])

    def test_description_that_is_no_xml(self):
        name = sorted(os.listdir(os.path.join(self.trace, 'eventdefs')))[0]
        with open(os.path.join(self.trace, 'eventdefs', name), 'wb') as file:
            file.write(b'\0\1\2<<<&&&>')
        result = self.dump()
        self.assert_failed(result, 'eventdefs/' + name, status=1)
        self.assertEqual(result.lines, second_reading(self.trace)[1])

    def test_what_is_no_plain_file(self):
        """Opening a FIFO must not block the reader."""
        os.remove(os.path.join(self.trace, 'cpu/1'))
        os.mkfifo(os.path.join(self.trace, 'cpu/1'))
        os.mkdir(os.path.join(self.trace, 'control/folder'))
        os.symlink('loop', os.path.join(self.trace, 'control/loop'))
        os.mkfifo(os.path.join(self.trace, 'eventdefs/pipe.xml'))
        result = self.dump()
        self.assert_failed(result, 'cpu/1', status=1)
        self.assertEqual(result.lines, self.lines_without('cpu/1'))

    def test_folders_that_cannot_be_looked_into(self):
        for folder in ('cpu', 'control', 'eventdefs'):
            trace = self.copy(sample('one-cpu'), 'no-' + folder)
            shutil.rmtree(os.path.join(trace, folder))
            with open(os.path.join(trace, folder), 'wb'):
                pass
            self.assertIn('ltt check: %s: could not read the directory: Not a directory\n' % folder,
                          ltt('check', trace).err)

    @unittest.skipIf(os.geteuid() == 0, 'root may look into every folder')
    def test_folders_of_others(self):
        trace = self.copy(sample('one-cpu'), 'secret')
        os.chmod(os.path.join(trace, 'cpu'), 0)
        self.addCleanup(os.chmod, os.path.join(trace, 'cpu'), 0o700)
        said = 'cpu: could not read the directory: Permission denied\n'
        self.assert_failed(ltt('check', trace), 'ltt check: ' + said, status=1)
        self.assert_failed(ltt('pack', trace, '-o', self.path('x.tar')), trace + '/' + said)

    def test_names_that_are_no_cpus(self):
        for name in ('x', '-1', '00', '1e1', '99999999999999999999', '4000000000'):
            shutil.copy(os.path.join(self.trace, 'cpu/0'), os.path.join(self.trace, 'cpu', name))
        result = self.dump()
        self.assert_failed(result, 'cpu/x: ', 'cpu/4000000000: ', status=1)
        self.assertEqual(result.lines, expected_lines(FLIGHT))

    def test_names_with_control_bytes(self):
        name = 'a\x1b[2J\n"b'
        shutil.copy(os.path.join(self.trace, 'control/facilities'), os.path.join(self.trace, 'control', name))
        result = self.dump()
        self.assertIn('control/' + name, {json.loads(line)['tracefile'] for line in result.lines})
        for output in (ltt('dump', '--all', self.trace).out, ltt('info', self.trace).out):
            self.assertNotIn('\x1b', output)
            self.assertIn('control/a\\u001b[2J\\', output)

    def test_names_that_reorder_a_line(self):
        """Characters that reorder or break a line are escaped in text, and stay in JSON; joiners stay in both."""
        controls, others = '\u061c\u200e\u200f\u2028\u202e\u2066\u2069\ufeff\ufff9', 'ä\u200d\u2027\u202f\u2065\u2070\U0001f600'
        name = 'a' + controls + others
        shutil.copy(os.path.join(self.trace, 'control/facilities'), os.path.join(self.trace, 'control', name))
        self.assertIn('"control/%s"' % name, self.dump().out)
        shown = 'control/a' + ''.join('\\u%04x' % ord(one) for one in controls) + others
        for words in ('dump', '--all'), ('info',), ('sql', '--format', 'text', '--all'):
            query = ['SELECT DISTINCT tracefile FROM events'] if words[0] == 'sql' else []
            output = ltt(*words, self.trace, *query).out
            self.assertIn(shown, output)
            self.assertFalse(set(controls) & set(output))


class System(Damaged):
    def setUp(self):
        super().setUp()
        self.trace = self.copy(sample('one-cpu'))
        with open(os.path.join(self.trace, 'info/system.xml'), encoding='utf-8') as file:
            self.text = file.read()

    def write(self, text):
        with open(os.path.join(self.trace, 'info/system.xml'), 'w', encoding='utf-8') as file:
            file.write(text)

    def set(self, name, value):
        text, count = re.subn(r'\b%s="?[^"\s>]*"?' % name, '' if value is None else '%s="%s"' % (name, value),
                              self.text)
        self.assertEqual(count, 1)
        self.write(text)

    def test_attributes_that_reading_depends_on(self):
        for name, values in (('ltt_block_size', (0, 7, 95, 2 ** 31 + 1, 2 ** 40, 2 ** 64, 2 ** 64 + 4096, -4096,
                                                 '4k', '', None)),
                             ('endian', ('middle', '', None)), ('arch_size', ('LP128', '', None)),
                             ('cpu', (0, -1, 65537, 2 ** 32 + 1, 'x', None)),
                             ('ltt_major_version', (1, 3, 'x', None))):
            for value in values:
                with self.subTest(**{name: value}):
                    self.set(name, value)
                    self.assert_both_commands(2, 'info/system.xml', name)

    def test_minor_versions(self):
        for value, status in (('00', 0), ('1', 1), (2 ** 64 - 1, 1), (2 ** 64, 2), ('0x0', 2)):
            self.set('ltt_minor_version', value)
            result = self.dump()
            self.assertEqual((result.status, result.lines), second_reading(self.trace), value)
            self.assertEqual(result.status, status, value)

    def test_block_sizes_that_are_possible_but_wrong(self):
        for size in (96, 1024, 8192, 2 ** 31):
            with self.subTest(size=size):
                self.set('ltt_block_size', size)
                result = self.dump()
                self.assertIn(result.status, (0, 1))
                self.assertEqual(result.lines, second_reading(self.trace)[1])

    def test_texts_that_are_no_system(self):
        for text in ('', ' ', '<system', '<trace/>', self.text * 2, self.text[:-12], '<system/>',
                     '<!DOCTYPE s [<!ENTITY e "e">]>' + self.text):
            with self.subTest(text=text[:20]):
                self.write(text)
                self.assert_both_commands(2, 'info/system.xml')

    def test_missing(self):
        os.remove(os.path.join(self.trace, 'info/system.xml'))
        self.assert_both_commands(2, 'info/system.xml', 'No such file')
        os.mkfifo(os.path.join(self.trace, 'info/system.xml'))
        self.assert_both_commands(2, 'info/system.xml')


class Expected(CommandTest):
    def test_problems_of_the_damaged_samples_are_named(self):
        """One line for each problem, with its place."""
        trace = sample('damage')
        result = ltt('dump', trace)
        with open(trace + '.problems', encoding='utf-8') as file:
            for line in file:
                place = 'ltt dump: %s: block %s: byte %s: ' % tuple(line.split())
                self.assertTrue(any(said.startswith(place) for said in result.err.splitlines()), place)
        self.assertGreater(len(expected_events(trace)), 0)
