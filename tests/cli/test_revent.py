"""Recordings of revent: all layouts, compared with the output of revent, and exported unchanged."""
import glob
import json
import os
import re
import shutil
import struct

from cli.test_import import ImportTest
from command import DATA, SOURCE, ltt

RECORDINGS = sorted(glob.glob(os.path.join(DATA, 'revent/*.revent')))
HEADER = '/usr/include/linux/input-event-codes.h'
TYPES = {0: 'EV_SYN', 1: 'EV_KEY', 2: 'EV_REL', 3: 'EV_ABS', 4: 'EV_MSC', 5: 'EV_SW', 17: 'EV_LED', 18: 'EV_SND',
         20: 'EV_REP', 21: 'EV_FF', 22: 'EV_PWR', 23: 'EV_FF_STATUS'}


def labels(facility):
    """Name -> number of all labels of a description."""
    with open(os.path.join(SOURCE, 'eventdefs', facility + '.xml'), encoding='utf-8') as file:
        return {name: int(number) for name, number in re.findall(r'<label name="(\w+)" value="(\d+)"/>', file.read())}


def general(version, events, devices=(b'/dev/input/event0',), count=None, tail=b''):
    """The bytes of a recording of version 2 or 3; events are (device, seconds, microseconds, type, code, value)."""
    content = b'REVENT' + struct.pack('<HH6s', version, 0, b'padpad') + struct.pack('<I', len(devices))
    content += b''.join(struct.pack('<I', len(path)) + path for path in devices)
    content += struct.pack('<Q', len(events) if count is None else count)
    if version == 3:
        content += struct.pack('<4Q', 1, 2, 3, 4)
    return content + b''.join(struct.pack('<HqqHHi', *event) for event in events) + tail


class ReventTest(ImportTest):
    def events(self, trace, *options):
        return [json.loads(line) for line in ltt('dump', '--format=json', '--event', 'revent.*', *options, trace).lines]

    def of_file(self, trace):
        lines = ltt('dump', '--format=json', '--event', 'revent_file.*', trace).lines
        return [(event['event'].split('.')[1], event['data']) for event in map(json.loads, lines)]

    def write(self, content, name='recording'):
        with open(self.path(name), 'wb') as file:
            file.write(content)
        return self.path(name)

    def exported(self, trace, *options):
        result = ltt('export', '--to', 'revent', '-o', '-', *options, trace)
        self.assertEqual((result.status, result.err), (0, ''))
        return result.raw


class Real(ReventTest):
    def test_events_and_bytes(self):
        self.assertEqual(len(RECORDINGS), 9)
        numbers = labels('revent')
        for recording in RECORDINGS:
            with self.subTest(recording=os.path.basename(recording)):
                trace = self.make(recording)
                printed = []
                for event in self.events(trace):
                    data = event['data']
                    kind = {name: number for number, name in TYPES.items()}[event['event'].split('.')[1]]
                    seconds, fraction = event['time'].split('.')
                    self.assertTrue(fraction.endswith('000'))
                    printed.append('%s.%s dev: %d type: %d code: %d value %d' % (
                        seconds, fraction[:6], data['device'], kind, numbers.get(data['code'], data['code']), data['value']))
                with open(recording + '.events.txt', encoding='utf-8') as file:
                    expected = file.read().splitlines()
                self.assertEqual(printed[:len(expected)], expected)
                # revent prints the count in the header: stopped by its keyboard, it writes two more
                # events
                self.assertEqual(len(printed) - len(expected), 2 if 'stdin-stop' in recording else 0)
                self.assert_same_again(recording, 'revent', trace)

    def test_layouts(self):
        said = {os.path.basename(recording): ltt('info', self.make(recording)).lines[1][11:].split('  ')[0]
                for recording in RECORDINGS}
        self.assertEqual(said, {
            'headerless-20-own.revent': 'revent, headerless, events of 20 bytes',
            'headerless-24.revent': 'revent, headerless, events of 24 bytes', 'v1-general.revent': 'revent, version 1',
            'v2-gamepad.revent': 'revent, version 2, gamepad', 'v2-general.revent': 'revent, version 2',
            'v3-empty.revent': 'revent, version 3', 'v3-gamepad.revent': 'revent, version 3, gamepad',
            'v3-general.revent': 'revent, version 3', 'v3-stdin-stop.revent': 'revent, version 3'})

    def test_devices(self):
        parts = self.of_file(self.make(os.path.join(DATA, 'revent/v3-stdin-stop.revent')))
        self.assertEqual([name for name, _ in parts], ['header', 'devices'] + ['device'] * 5 + ['stream', 'end'])
        self.assertEqual(parts[0][1], {'layout': 'versioned', 'version': 3, 'mode': 'general', 'padding': [0] * 6})
        self.assertEqual(parts[3][1], {'path': '/dev/input/event1', 'behind': []})
        self.assertEqual(parts[7][1], {'events': 61, 'start_seconds': 18, 'start_microseconds': 157753,
                                       'end_seconds': 22, 'end_microseconds': 186952})
        self.assertEqual(parts[8][1], {'events': 63})

    def test_gamepad(self):
        parts = self.of_file(self.make(os.path.join(DATA, 'revent/v3-gamepad.revent')))
        gamepad = parts[1][1]
        self.assertEqual([gamepad[key] for key in ('bustype', 'vendor', 'product', 'version', 'name', 'num_absinfo')],
                         ['BUS_BLUETOOTH', 0x45e, 0x28e, 0x114, 'Fixture Pad (X-style)', 8])
        self.assertEqual(gamepad['ev_bits'], ['EV_SYN', 'EV_KEY', 'EV_ABS'])
        self.assertEqual(gamepad['abs_bits'], ['ABS_X', 'ABS_Y', 'ABS_Z', 'ABS_RX', 'ABS_RY', 'ABS_RZ', 'ABS_HAT0X', 'ABS_HAT0Y'])
        self.assertEqual([labels('revent_file')[name] for name in gamepad['key_bits']],
                         [304, 305, 307, 308, 310, 311, 314, 315, 316])
        self.assertEqual(parts[2][1], {'code': 'ABS_X', 'value': 0, 'minimum': -32768, 'maximum': 32767, 'fuzz': 16,
                                       'flat': 128, 'resolution': 0})


class Made(ReventTest):
    """Layouts without a real sample recording."""

    def make_and_compare(self, content, *problems):
        recording = self.write(content)
        trace = self.path('trace%d' % len(os.listdir(self.folder)))
        result = ltt('import', recording, '-o', trace)
        self.assertEqual(result.err.splitlines(), ['ltt import: %s: %s' % (recording, problem) for problem in problems])
        self.assertEqual(result.status, 1 if problems else 0)
        self.assertEqual(self.exported(trace), content)
        self.assert_done(ltt('check', trace), ltt('check', trace).out)
        return trace

    def test_headerless_28_and_32(self):
        events = [(i % 2, 1400000000 + i, i, 1, 30 + i, i % 2) for i in range(5)]
        paths = b''.join(struct.pack('<i', len(path)) + path for path in (b'/dev/input/event0', b'/dev/input/event1'))
        for layout, content in (
                (28, struct.pack('<Q', 2) + paths + b''.join(struct.pack('<iqqHHi', *event) for event in events)),
                (32, struct.pack('<i', 2) + paths + b''.join(
                    struct.pack('<iIqqHHi', event[0], 0xdeadbeef, *event[1:]) for event in events))):
            trace = self.make_and_compare(content)
            self.assertEqual(ltt('info', trace).lines[1], 'recording  revent, headerless, events of %d bytes  (recording)' % layout)
            self.assertEqual([(event['data']['device'], event['time'], event['data']['value']) for event in self.events(trace)],
                             [(event[0], '%d.%06d000' % event[1:3], event[5]) for event in events])

    def test_version_0_is_read_as_1(self):
        with open(os.path.join(DATA, 'revent/v1-general.revent'), 'rb') as file:
            content = bytearray(file.read())
        content[6] = 0
        self.assertEqual(len(self.events(self.make_and_compare(bytes(content)))), 244)

    def test_versions_to_come(self):
        self.assert_failed(ltt('import', self.write(general(4, [])), '-o', self.path('trace')),
                           'recording: byte 6: version 4 of revent: expected 0 to 3')

    def test_big_endian(self):
        for version in (1, 2, 3):
            self.assert_failed(ltt('import', self.write(b'REVENT' + struct.pack('>HHI', version, 0, 1)), '-o', self.path('trace')),
                               'recording: byte 6: version %d of revent, big endian: expected little endian' % version)

    def test_headerless_ones_that_begin_oddly(self):
        """The first event has an unknown device; the other events determine the size of an event."""
        events = [(9 if i == 0 else 0, 1400000000 + i, i, 1, 30, i % 2) for i in range(9)]
        front = struct.pack('<ii', 1, 17) + b'/dev/input/event0'
        for layout, form in ((20, '<iIIHHi'), (24, '<iIIIHHi'), (32, '<iIqqHHi')):
            pad = (0xdeadbeef,) if layout != 20 else ()
            trace = self.make_and_compare(front + b''.join(struct.pack(form, event[0], *pad, *event[1:]) for event in events))
            self.assertIn('headerless, events of %d bytes' % layout, ltt('info', trace).lines[1])
            self.assertEqual([event['data']['device'] for event in self.events(trace)], [9] + [0] * 8)

    def test_an_odd_event_among_uncounted_ones(self):
        events = [(0, 5, 0, 1, 30, 1), (77, 5, 1, 1, 30, 1), (0, 5, 2, 1, 30, 1), (0, 5, 3, 1, 30, 1), (77, 5, 4, 1, 30, 1)]
        content = general(3, events, count=0)
        trace = self.make_and_compare(content, 'byte %d: 26 bytes after the counted events are not events' % (len(content) - 26))
        self.assertEqual([event['data']['device'] for event in self.events(trace)], [0, 77, 0, 0])

    def test_numbers_without_names(self):
        trace = self.make_and_compare(general(3, [(0, 5, 6, 0x1e, 7, -8), (0, 5, 7, 1, 0x2fe, 1), (0xffff, 5, 8, 9, 9, 9)]))
        self.assertEqual([(event['event'], event['data']) for event in self.events(trace)], [
            ('revent.unknown', {'device': 0, 'type': 30, 'code': 7, 'value': -8}),
            ('revent.EV_KEY', {'device': 0, 'code': 0x2fe, 'value': 1}),
            ('revent.unknown', {'device': 0xffff, 'type': 9, 'code': 9, 'value': 9})])

    def test_stamps_that_are_no_times(self):
        trace = self.make_and_compare(general(2, [(0, 10, 1000000, 1, 30, 1), (0, -5, 0, 1, 30, 0), (0, 7, 9, 1, 30, 2),
                                                  (0, 2 ** 32, 5, 0, 0, 0), (0, 2 ** 63 - 1, -1, 3, 0, 5)]))
        events = self.events(trace)
        self.assertEqual([event['event'] for event in events], ['revent.' + name for name in ('odd', 'odd', 'EV_KEY', 'odd', 'odd')])
        self.assertEqual({event['time'] for event in events}, {'7.000009000'})
        self.assertEqual(events[0]['data'], {'device': 0, 'type': 'EV_KEY', 'code': 30, 'value': 1, 'seconds': 10,
                                             'microseconds': 1000000, 'pad': 0xdeadbeef})

    def test_times_that_go_back_and_far_ahead(self):
        stamps = [(100, 0), (99, 999999), (4294967295, 999999), (0, 0), (4294967295, 0), (0, 1), (4294967295, 0), (1, 0),
                  (4294967295, 0), (50, 5), (50, 5), (51, 0)]
        trace = self.make_and_compare(general(2, [(0, *stamp, 1, 30, 1) for stamp in stamps]))
        self.assertEqual([event['time'] for event in self.events(trace)], ['%d.%06d000' % stamp for stamp in stamps])

    def test_paths_with_nul(self):
        trace = self.make_and_compare(general(2, [], [b'/dev/a\0junk', b'', b'\0']))
        self.assertEqual([data for name, data in self.of_file(trace) if name == 'device'], [
            {'path': '/dev/a', 'behind': list(b'\0junk')}, {'path': '', 'behind': []}, {'path': '', 'behind': [0]}])

    def test_recorder_that_was_killed(self):
        """A killed recorder leaves a count of 0, invalid times, and a truncated last event."""
        events = [(0, 5, i, 1, 30, 1) for i in range(3)]
        content = general(3, events, count=0, tail=struct.pack('<HqH', 0, 5, 7))
        content = content.replace(struct.pack('<4Q', 1, 2, 3, 4), struct.pack('<4Q', 2 ** 64 - 1, 2 ** 63, 0x7ffe12345678, 0))
        trace = self.make_and_compare(content, 'byte %d: the recording ends within an event: expected 26 bytes, 12 are left'
                                      % (len(content) - 12))
        self.assertEqual(len(self.events(trace)), 3)
        self.assertEqual([data['data'] for name, data in self.of_file(trace) if name == 'bytes'], [list(content[-12:])])

    def test_counts_that_are_wrong(self):
        events = [(0, 5, i, 1, 30, 1) for i in range(3)]
        content = general(3, events, count=5)
        self.make_and_compare(content, 'byte %d: the recording counts 5 events, but the last 2 are missing' % len(content))
        content = general(3, events, count=2 ** 64 - 1)
        self.make_and_compare(content, 'byte %d: the recording counts %d events, but the last %d are missing'
                              % (len(content), 2 ** 64 - 1, 2 ** 64 - 4))
        content = general(3, events, tail=b'garbage ' * 9000)
        trace = self.make_and_compare(content, 'byte %d: 72000 bytes after the counted events are not events'
                                      % (len(content) - 72000))
        self.assertEqual([len(data['data']) for name, data in self.of_file(trace) if name == 'bytes'], [32768, 32768, 6464])
        content = b'REVENT' + struct.pack('<HH6sI', 2, 0, b'', 2 ** 32 - 1) + struct.pack('<I', 2 ** 31)
        self.make_and_compare(content, 'byte 20: path of a device has 2147483648 bytes; expected at most 4096')
        content = b'REVENT' + struct.pack('<HH6s', 2, 7, b'') + b'rest'
        self.make_and_compare(content, 'byte 16: recording mode 7: expected 0, general, or 1, gamepad')

    def test_every_length(self):
        """Truncates at every byte; each rest is imported and exported unchanged."""
        for name in ('v3-gamepad', 'v1-general', 'headerless-20-own'):
            with open(os.path.join(DATA, 'revent', name + '.revent'), 'rb') as file:
                content = file.read()
            for length in list(range(8, 700, 61)) + [608, 609, 610, 634, 635, 636]:
                recording = self.write(content[:length])
                result = ltt('import', recording, '-o', self.path('cut'))
                if result.status == 2:
                    self.assertTrue(name.startswith('headerless') and length < 25, (name, length))
                    continue
                self.assertEqual(self.exported(self.path('cut')), content[:length], (name, length))
                self.assertEqual(result.status, 1 if result.err else 0)
                shutil.rmtree(self.path('cut'))


class Parts(ReventTest):
    def test_a_part_counts_what_it_has(self):
        events = [(i % 2, 10 + i, 0, 1, 30 + i, 1) for i in range(10)]
        devices = (b'/dev/input/event0', b'/dev/input/event1')
        trace = self.make(self.write(general(3, events, devices)))
        self.assertEqual(self.exported(trace, '--filter', 'device == 1'), general(3, events[1::2], devices))
        self.assertEqual(self.exported(trace, '--from', '12', '--to', '15'), general(3, events[2:5], devices))
        self.assertEqual(self.exported(trace, '--event', 'revent.EV_REL'), general(3, [], devices))


class Names(ReventTest):
    def test_those_of_this_machine(self):
        """Labels have the numbers of the kernel's header, for the names that both contain."""
        if not os.path.exists(HEADER):
            self.skipTest('no ' + HEADER)
        with open(HEADER, encoding='utf-8') as file:
            names = {name: int(number, 0) for name, number in
                     re.findall(r'(?m)^#define\s+((?:KEY|BTN|ABS|REL|SW|MSC|LED|SND|REP|SYN|EV)_\w+)\s+(0x[0-9a-fA-F]+|\d+)\s', file.read())
                     if not re.search(r'_(MAX|CNT)$|EV_VERSION', name)}
        known = labels('revent')
        common = {name: number for name, number in known.items() if name in names}
        self.assertGreater(len(common), 650)
        self.assertEqual(common, {name: names[name] for name in common})

    def test_both_descriptions_agree(self):
        events, parts = labels('revent'), labels('revent_file')
        self.assertEqual(parts, {name: events.get(name, number) for name, number in parts.items()})
        self.assertLess(600, len(set(events) & set(parts)))
