"""QEMU's record/replay logs of several releases: imported, exported unchanged, and replayed."""
import glob
import json
import os
import random
import re
import struct

from cli.test_import import ImportTest
from command import DATA, ltt, run, some
from recording import STRESS

LOGS = sorted(glob.glob(os.path.join(DATA, 'qemu/*.rr')))
QEMU = ['qemu-system-x86_64', '-machine', 'pc', '-nodefaults', '-display', 'none', '-no-reboot']


def log(version, events, end=b''):
    return struct.pack('>I8x', version) + events + end


class QemuTest(ImportTest):
    def events(self, trace, *options):
        return [json.loads(line) for line in ltt('dump', '--format=json', '--event', 'qemu_replay.*', *options, trace).lines]

    def parts(self, trace, name):
        lines = ltt('dump', '--format=json', '--event', 'qemu_replay_file.' + name, trace).lines
        return [json.loads(line)['data'] for line in lines]

    def names(self, trace):
        return [event['event'].split('.')[1] for event in self.events(trace)]

    def exported(self, trace, *options):
        result = ltt('export', '--to', 'qemu-replay', '-o', '-', *options, trace)
        self.assertEqual((result.status, result.err), (0, ''))
        return result.raw

    def bring_in(self, content, *problems, name='log.rr'):
        """Imports bytes, expects these problems and an identical export; returns the trace."""
        with open(self.path(name), 'wb') as file:
            file.write(content)
        trace = self.path('trace%d' % len(os.listdir(self.folder)))
        result = ltt('import', self.path(name), '-o', trace)
        self.assertEqual(result.err.splitlines(), ['ltt import: %s: %s' % (self.path(name), problem) for problem in problems])
        self.assertEqual(result.status, 1 if problems else 0)
        self.assertEqual(self.exported(trace), content)
        checked = ltt('check', trace)
        self.assert_done(checked, checked.out)
        return trace


class Real(QemuTest):
    """Files with the results of an independent decoder."""

    def facts(self, path):
        with open(path + '.facts.txt', encoding='utf-8') as file:
            return file.read()

    def test_counts_and_bytes(self):
        self.assertEqual(len(LOGS), 14)
        for path in LOGS:
            with self.subTest(log=os.path.basename(path)):
                facts = self.facts(path)
                trace = self.path(os.path.basename(path))
                result = ltt('import', path, '-o', trace)
                self.assertEqual(result.status, 1 if 'undecodable tail' in facts else 0, result.err)
                counts = {name: int(count) for name, count in re.findall(r'(?m)^  id [\d,]+ (\w+): (\d+)', facts)}
                names = self.names(trace)
                self.assertEqual({name: names.count(name) for name in set(names)}, counts)
                end = self.parts(trace, 'end')[0]
                self.assertEqual(end, {'events': int(re.search(r'(?m)^events: (\d+)', facts)[1]),
                                       'instructions': int(re.search(r'INSTRUCTION arguments: (\d+)', facts)[1])})
                numbering = re.search(r'numbering: (QEMU .*)', facts)[1]
                unfinished = ', unfinished' if 'header version: 0x0' in facts else ''
                if unfinished:
                    numbering += ' or 11.0 in development or 11.1'
                self.assertIn('qemu-replay, %s%s  (' % (numbering, unfinished), ltt('info', trace).lines[1])
                with open(path, 'rb') as file:
                    self.assertEqual(self.exported(trace), file.read())

    def as_facts(self, name, data):
        """An event in the form of NAME.events.txt, after offset and id."""
        words = []
        if data.get('checkpoint', 'not_told') != 'not_told':
            words.append('cp=%d' % ('clock_warp_start clock_warp_account reset_requested suspend_requested clock_virtual '
                                    'clock_host clock_virtual_rt init reset').split().index(data['checkpoint']))
        if name == 'ASYNC_INPUT':
            (kind, value), = data['input'].items()
            buttons, axes, touches = ['left', 'middle', 'right', 'wheel_up', 'wheel_down'], ['x', 'y'], ['begin', 'update', 'end']
            numbers = {'button': buttons, 'axis': axes, 'type': touches}
            words.append({'key_number': 'key', 'key_qcode': 'key', 'button': 'btn', 'relative': 'rel', 'absolute': 'abs',
                          'touch': 'mtt'}[kind])
            if kind == 'key_qcode':
                value = {'qcode': value['number'], 'down': value['down']}
            for key, number in value.items():
                words.append('%s=%d' % (key.replace('tracking_id', 'tid'), numbers[key].index(number) if key in numbers else number))
        elif name == 'ASYNC_CHAR_READ':
            words += ['dev=%d' % data['device'], 'data=' + bytes(data['data']).hex()]
        elif name == 'ASYNC_NET':
            words += ['id=%d' % data['adapter'], 'flags=%d' % data['flags'], 'len=%d' % len(data['data'])]
        elif name == 'CHAR_READ_ALL':
            words.append(bytes(data['data']).hex())
        elif name == 'CHAR_WRITE':
            words += ['res=%d' % data['result'], 'offset=%d' % data['offset']]
        elif name == 'RANDOM':
            words += ['ret=%d' % data['result'], 'len=%d' % len(data['data'])]
        elif 'id' in data:
            words.append('id=%d' % data['id'])
        elif name != 'SHUTDOWN':
            words += [str(data[key]) for key in ('count', 'value', 'error', 'played', 'recorded') if key in data]
        return ' '.join([name] + words).rstrip()

    # Truncates each log at random: this many times anywhere, and as often near its start.
    CUTS = some(3) * STRESS

    def test_unfinished_logs_of_all_releases(self):
        """A truncated log is read as of its release, or reported as ambiguous."""
        random_numbers = random.Random(7)
        for path in LOGS:
            numbering = re.search(r'numbering: QEMU (.*)', self.facts(path))[1]
            with open(path, 'rb') as file:
                content = file.read()
            cuts = {len(content), len(content) - 1, len(content) - 5}
            for limit in (len(content), min(len(content), 200)):
                cuts.update(random_numbers.randint(13, limit) for _ in range(self.CUTS))
            for cut in sorted(cuts):
                with self.subTest(log=os.path.basename(path), cut=cut):
                    if cut > 12:
                        self.assert_read_as(numbering, bytes(12) + content[12:cut])

    def assert_read_as(self, numbering, content):
        with open(self.path('killed.rr'), 'wb') as file:
            file.write(content)
        trace = self.path('trace%d' % len(os.listdir(self.folder)))
        result = ltt('import', '--from', 'qemu-replay', self.path('killed.rr'), '-o', trace)
        if 'the log does not identify the release that wrote it' not in result.err:
            recording = re.search(r'qemu-replay, QEMU (.*), unfinished', ltt('info', trace).lines[1])[1]
            self.assertIn(numbering, recording.split(' or '))
        self.assertEqual(self.exported(trace), content)

    def test_arguments(self):
        with_events = [path for path in LOGS if os.path.exists(path + '.events.txt')]
        self.assertEqual(len(with_events), 4)
        for path in with_events:
            with self.subTest(log=os.path.basename(path)):
                with open(path + '.events.txt', encoding='utf-8') as file:
                    expected = [re.sub(r' cause=.*', '', line.split(' ', 3)[3].strip()) for line in file.read().splitlines()[1:]]
                self.assertEqual([self.as_facts(event['event'].split('.')[1], event['data'])
                                  for event in self.events(self.make(path))], expected)

    def test_time_is_the_number_of_instructions(self):
        executed = 0
        for event in self.events(self.make(os.path.join(DATA, 'qemu/q7.2-serial.rr'))):
            executed += event['data'].get('count', 0)
            self.assertEqual(event['time'], '%d.%09d' % divmod(executed, 10 ** 9))
        self.assertEqual(executed, 5980540)

    def inputs(self, trace):
        return [event['data']['input'] for event in self.events(trace) if event['event'] == 'qemu_replay.ASYNC_INPUT']

    def test_what_a_person_did(self):
        """Keys and a mouse, through the monitor; the key with this number has scan code 0x1e."""
        for log_name, kind, name, keys in (
                ('q10.0-input', 'key_qcode', 'qcode', 'a shift b ret esc kp_0 up f12 a caps_lock'),
                ('q11.1-input', 'key_linux', 'code', 'KEY_A KEY_LEFTSHIFT KEY_B KEY_ENTER KEY_ESC KEY_KP0 KEY_UP KEY_F12 KEY_A '
                                                     'KEY_CAPSLOCK')):
            inputs = self.inputs(self.make(os.path.join(DATA, 'qemu', log_name + '.rr')))
            self.assertEqual([item[kind][name] for item in inputs if kind in item and item[kind]['down']], keys.split())
            self.assertEqual([item['button'] for item in inputs if 'button' in item], [
                {'button': button, 'down': down} for button, down in (
                    ('left', 1), ('left', 0), ('middle', 1), ('wheel_up', 1), ('wheel_up', 0))])
            self.assertEqual([tuple(item['relative'].values()) for item in inputs if 'relative' in item],
                             [('x', 10), ('y', -5), ('x', 3), ('y', 3)])

    def test_causes_and_samples(self):
        trace = self.make(os.path.join(DATA, 'qemu/synthetic-7.2.rr'))
        causes = [event['data']['cause'] for event in self.events(trace) if event['event'] == 'qemu_replay.SHUTDOWN']
        self.assertEqual(causes, ['none', 'host_error', 'host_qmp_quit', 'host_qmp_system_reset', 'host_signal', 'host_ui',
                                  'guest_shutdown', 'guest_reset', 'guest_panic', 'subsystem_reset', 'snapshot_load', 'max'])
        heard = [event['data'] for event in self.events(trace) if event['event'] == 'qemu_replay.AUDIO_IN']
        self.assertEqual(heard, [{'recorded': 3, 'position': 100, 'samples': [
            {'left': number, 'right': -number} for number in range(3)]}, {'recorded': 0, 'position': 0, 'samples': []}])
        trace = self.make(os.path.join(DATA, 'qemu/synthetic-2.12.rr'))
        causes = [event['data']['cause'] for event in self.events(trace) if event['event'] == 'qemu_replay.SHUTDOWN']
        self.assertEqual(causes, ['none', 'host_error', 'host_qmp', 'host_signal', 'host_ui', 'guest_shutdown', 'guest_reset',
                                  'guest_panic', 'max'])


class Made(QemuTest):
    # release -> version, and the ids of CP_INIT, CHAR_WRITE (None: there is none) and END
    RELEASES = {'2.5': (2, 13, None, 15), '2.6-2.8': (4, 17, 5, 19), '2.9': (6, 19, 5, 21), '2.10-2.11': (6, 27, 13, 29),
                '2.12': (7, 27, 13, 29), '3.0-3.1': (7, 28, 14, 30), '4.0-4.1': (7, 29, 15, 31), '4.2': (8, 29, 15, 31),
                '5.0': (9, 30, 15, 32), '5.1-7.0': (10, 30, 15, 32), '7.1': (12, 36, 21, 38), '7.2-10.2': (12, 37, 22, 39),
                '11.1': (14, 37, 22, 39)}

    def test_all_releases_are_told_apart(self):
        for release, (version, init, write, end) in self.RELEASES.items():
            events, names = bytes([init, 0]) + struct.pack('>I', 5), ['CP_INIT', 'INSTRUCTION']
            if write is not None:
                events, names = events + struct.pack('>BiI', write, -1, 7), names + ['CHAR_WRITE']
            trace = self.bring_in(log(0xe02000 + version, events, bytes([end])))
            self.assertIn('QEMU %s  (' % release, ltt('info', trace).lines[1])
            self.assertEqual(self.names(trace), names + ['END'])

    def test_2_5_has_checkpoints_of_its_own(self):
        trace = self.bring_in(log(0xe02002, bytes([3, 0, 0]) + struct.pack('>Q', 9) + bytes([3, 7, 2, 3, 3, 1]) +
                                  struct.pack('>IIB', 1, 2, 1) + bytes([4, 7]), bytes([15])))
        self.assertEqual([(event['event'].split('.')[1], event['data']) for event in self.events(trace)], [
            ('ASYNC_BH', {'checkpoint': 'clock_warp', 'id': 9}), ('ASYNC_INPUT_SYNC', {'checkpoint': 'reset'}),
            ('ASYNC_INPUT', {'checkpoint': 'clock_virtual', 'input': {'button': {'button': 'right', 'down': 1}}}),
            ('SHUTDOWN', {'cause': 'not_told'}), ('CP_CLOCK_WARP', {}), ('END', {})])

    def test_11_1(self):
        key = bytes([37, 5]) + struct.pack('>IIB', 0, 30, 1)
        sound = bytes([26]) + struct.pack('>Q4q', 2, 1, 2, 3, 4)
        trace = self.bring_in(log(0xe0200e, key + sound, bytes([39])))
        self.assertEqual([event['data'] for event in self.events(trace)][1:3], [
            {'checkpoint': 'not_told', 'input': {'key_linux': {'code': 'KEY_A', 'down': 1}}},
            {'recorded': 2, 'position': 0, 'samples': [{'left': 1, 'right': 2}, {'left': 3, 'right': 4}]}])

    # release -> END, and number in its list QKeyCode -> name
    KEYS = {'2.5': (15, {0: 'unmapped', 4: 'alt_r', 5: 'altgr', 6: 'altgr_r', 7: 'ctrl', 38: 'a', 123: 'ro', 124: 'kp_comma'}),
            '2.6-2.8': (19, {37: 'ret', 123: 'ro', 124: 'kp_comma', 126: 'power', 4294967295: 'unknown'}),
            '2.9': (21, {123: 'ro', 124: 'hiragana', 126: 'yen', 127: 'kp_comma', 129: 'power'}),
            '2.10-2.11': (29, {5: 'ctrl', 36: 'a', 121: 'ro', 124: 'yen', 125: 'kp_comma', 145: 'ac_bookmarks'}),
            '2.12': (29, {5: 'ctrl', 121: 'ro', 124: 'yen', 125: 'muhenkan', 126: 'katakanahiragana', 127: 'kp_comma'}),
            '7.2-10.2': (39, {9: 'key_1', 18: 'key_0', 35: 'ret', 148: 'lang1', 161: 'f24', 162: 'unknown', 1000: 'unknown'})}

    def test_keys_of_all_releases_have_names(self):
        for release, (end, keys) in self.KEYS.items():
            version = self.RELEASES[release][0]
            start = [5] if version == 12 else [3, 1, 1 if version < 8 else 2]
            events = b''.join(bytes(start) + struct.pack('>IIIB', 0, 1, number, 1) for number in keys)
            trace = self.bring_in(log(0xe02000 + version, events, bytes([end])))
            self.assertEqual([event['data']['input']['key_qcode'] for event in self.events(trace)[:-1]],
                             [{'qcode': name, 'number': number, 'down': 1} for number, name in keys.items()])

    def test_large_packets_get_large_blocks(self):
        packet = os.urandom(200000)
        trace = self.bring_in(log(0xe0200c, bytes([37, 9, 0]) + struct.pack('>II', 1, len(packet)) + packet, bytes([39])))
        self.assertEqual(bytes(self.events(trace)[1]['data']['data']), packet)
        self.assertIn('blocks of 256 KiB', ltt('info', trace).out)

    def test_unfinished(self):
        """Version 0: QEMU writes the header last."""
        trace = self.bring_in(log(0, bytes([37, 38, 0]) + struct.pack('>I', 99) + bytes([28, 1, 2])),
                              'byte 19: the log ends within an event CLOCK_HOST: expected 8 more bytes, 2 are left')
        self.assertEqual(self.names(trace), ['CP_INIT', 'CP_RESET', 'INSTRUCTION'])
        self.assertEqual(self.parts(trace, 'bytes'), [{'offset': 19, 'data': [28, 1, 2]}])
        self.bring_in(log(0, bytes([37, 38, 0]) + struct.pack('>I', 99)),
                      'byte 19: the log ends without an event END: it is not complete')

    def test_the_first_event_tells_the_release(self):
        """Short logs: the first event is a host clock, whose id depends on the release."""
        for version, first, release in ((0, 28, '7.2-10.2'), (0, 27, '7.1'), (0, 20, '4.0-4.1'), (0, 8, '2.6-2.8'),
                                        (0xe02007, 20, '4.0-4.1'), (0xe02006, 10, '2.9'), (0xe0200c, 27, '7.1')):
            with self.subTest(release=release):
                events = struct.pack('>Bq', first, 1795236177480775000) + bytes([0]) + struct.pack('>I', 7) + bytes([1])
                trace = self.bring_in(log(version, events), 'byte 27: the log ends without an event END: it is not complete')
                self.assertIn('QEMU ' + release, ltt('info', trace).lines[1])
                self.assertEqual(self.names(trace), ['CLOCK_HOST', 'INSTRUCTION', 'INTERRUPT'])

    def test_one_that_seems_cut_early(self):
        """An unfinished log of 5.0. As a log of 4.0 it would be truncated in a large array, with END as its last byte."""
        behind = bytes([16]) + struct.pack('>I', 5 << 20)
        events = bytes([30, 20]) + struct.pack('>iI', 0, len(behind)) + behind + struct.pack('>BI', 0, 1) * 99
        trace = self.bring_in(log(0, events + bytes([0, 0, 0, 31])),
                              'byte 522: the log ends within an event INSTRUCTION: expected 4 more bytes, 3 are left')
        self.assertIn('QEMU 5.0', ltt('info', trace).lines[1])
        self.assertEqual(self.names(trace), ['CP_INIT', 'RANDOM'] + ['INSTRUCTION'] * 99)

    def test_long_logs_of_versions_to_come(self):
        trace = self.bring_in(log(0xe02033, bytes([37]) + struct.pack('>BI', 0, 5) * 900000, bytes([39])),
                              'byte 0: unknown version 0xe02033; the log is read as a log of QEMU 7.2-10.2')
        self.assertEqual(self.parts(trace, 'end'), [{'events': 900002, 'instructions': 4500000}])

    def test_sound_that_is_cut(self):
        """The log does not contain the length of the samples: a truncated rest is not parsed as events."""
        start = struct.pack('>Bq', 28, 1795236177480775000)
        for sample in (struct.pack('>qq', -5, 77), bytes(16)):
            cut = log(0, start + struct.pack('>BQQ', 26, 100, 0) + (sample * 3)[:-3])
            trace = self.bring_in(cut, 'byte 21: the log ends within an event AUDIO_IN: expected 1600 more bytes, 45 are left')
            self.assertEqual(self.names(trace), ['CLOCK_HOST'])

    def test_damage(self):
        good = bytes([37, 0]) + struct.pack('>I', 5)
        self.bring_in(log(0xe0200c, good + bytes([200, 1, 2, 3])), 'byte 18: event id 200: QEMU 7.2-10.2 has no id above 39')
        self.bring_in(log(0xe0200c, good + bytes([39]) + b'behind' + bytes([39])), 'byte 19: 7 bytes after the event END')
        self.bring_in(log(0xe0200c, good + bytes([23]) + struct.pack('>I', 2 ** 32 - 1) + bytes([39])),
                      'byte 18: event CHAR_READ_ALL with 4294967295 bytes of data: expected at most 15728640')
        self.bring_in(log(0xe0200c, good + bytes([5]) + struct.pack('>I', 5) + bytes([39])),
                      'byte 18: input of kind 5: expected 0 to 4')
        self.bring_in(log(0xe0200a, bytes([30, 3, 77, 0]) + bytes([32])),
                      'byte 13: asynchronous event with checkpoint 77, which QEMU 5.1-7.0 does not have')
        self.bring_in(log(0xe0200a, bytes([30, 3, 7, 9]) + bytes([32])),
                      'byte 13: asynchronous event of kind 9, which QEMU 5.1-7.0 does not have')
        self.bring_in(struct.pack('>I', 0xe0200c) + b'\0', 'byte 0: the log ends within its header: expected 12 bytes, 5 are left')

    def test_versions_to_come(self):
        trace = self.bring_in(log(0xe02033, bytes([37, 0]) + struct.pack('>I', 5), bytes([39])),
                              'byte 0: unknown version 0xe02033; the log is read as a log of QEMU 7.2-10.2')
        self.assertEqual(self.names(trace), ['CP_INIT', 'INSTRUCTION', 'END'])
        with open(self.path('new'), 'wb') as file:
            file.write(log(0xe02033, bytes([255, 254])))
        self.assert_failed(ltt('import', self.path('new'), '-o', self.path('trace')),
                           'new: byte 0: unknown version 0xe02033 of a log of QEMU: expected 0xe02002 to 0xe0200e')

    def test_a_part(self):
        path = os.path.join(DATA, 'qemu/q2.12-block.rr')
        part = self.exported(self.make(path), '--event', 'qemu_replay.CLOCK_HOST,qemu_replay.END')
        with open(path, 'rb') as file:
            self.assertEqual(part[:12], file.read(12))
        self.assertEqual(part[-1], 29)
        names = self.names(self.bring_in(part))
        self.assertEqual(names, ['CLOCK_HOST'] * ((len(part) - 13) // 9) + ['END'])
        self.assertGreater(len(names), 100)


class Replay(QemuTest):
    """QEMU records a machine whose firmware writes to its serial port and reads the clock."""

    #      cli; mov dx,0x3f8; mov si,0x100; next: cs lodsb; test al,al; jz clock; out dx,al; jmp next
    CODE = bytes.fromhex('fa baf803 be0001 2eac 84c0 7403 ee ebf7'
                         # clock: mov al,0; out 0x70,al; in al,0x71; out dx,al (seconds of the real time clock)
                         'b000 e670 e471 ee'
                         # mov al,6; mov dx,0xcf9; out dx,al (reset); stop: hlt; jmp stop
                         'b006 baf90c ee f4 ebfd')

    def write_firmware(self):
        rom = bytearray(b'\xf4' * 65536)
        rom[:len(self.CODE)] = self.CODE
        rom[0x100:0x110] = b'Hello, replay!\n\0'
        rom[0xfff0:0xfff5] = bytes.fromhex('ea 0000 00f0')  # jmp f000:0000, where the processor begins
        with open(self.path('firmware'), 'wb') as file:
            file.write(rom)

    def qemu(self, mode, log_path, output):
        done = run(*QEMU, '-bios', self.path('firmware'), '-serial', 'file:' + self.path(output),
                   '-icount', 'shift=3,rr=%s,rrfile=%s' % (mode, log_path))
        self.assertEqual((done.status, done.err), (0, ''))
        return self.read(self.path(output))

    def test_what_we_write_is_replayed(self):
        self.write_firmware()
        said = self.qemu('record', self.path('recorded.rr'), 'recorded')
        self.assertTrue(said.startswith(b'Hello, replay!\n'))
        trace = self.make(self.path('recorded.rr'))
        names = self.names(trace)
        self.assertEqual(names.count('CHAR_WRITE'), len(said))
        self.assertEqual(names[-1], 'END')
        self.assertGreater(names.count('CLOCK_HOST'), 0)
        self.assert_same_again(self.path('recorded.rr'), 'qemu-replay', trace)
        self.assert_done(ltt('export', '--to', 'qemu-replay', '-o', self.path('again.rr'), trace))
        self.assertEqual(self.qemu('replay', self.path('again.rr'), 'replayed'), said)

    def test_the_replay_goes_by_what_we_write(self):
        """In the replay the machine reads a host clock that the exported log has set seven seconds ahead."""
        self.write_firmware()
        said = self.qemu('record', self.path('recorded.rr'), 'recorded')
        log_bytes = self.read(self.path('recorded.rr'))
        for event in self.events(self.make(self.path('recorded.rr'))):
            if event['event'] == 'qemu_replay.CLOCK_HOST':
                time = event['data']['value']
                log_bytes = log_bytes.replace(struct.pack('>Bq', 28, time), struct.pack('>Bq', 28, time + 7 * 10 ** 9))
        trace = self.bring_in(log_bytes)
        self.assert_done(ltt('export', '--to', 'qemu-replay', '-o', self.path('again.rr'), trace))
        replayed = self.qemu('replay', self.path('again.rr'), 'replayed')
        self.assertEqual(replayed[:-1], said[:-1])
        self.assertEqual(int('%x' % replayed[-1]), (int('%x' % said[-1]) + 7) % 60)

    def test_one_that_was_killed(self):
        """Everything written is imported; the log has no version."""
        self.write_firmware()
        self.qemu('record', self.path('recorded.rr'), 'recorded')
        content = self.read(self.path('recorded.rr'))
        trace = self.bring_in(bytes(12) + content[12:-2],
                              'byte %d: the log ends without an event END: it is not complete' % (len(content) - 2))
        self.assertIn(', unfinished', ltt('info', trace).lines[1])
        self.assertEqual(self.names(trace), self.names(self.make(self.path('recorded.rr')))[:-2])
