"""ltt export --to ctf, held against babeltrace2: what it finds must be what ltt dump prints."""
import filecmp
import itertools
import json
import os
import random
import re
import shutil
import struct
import subprocess
import unittest

import small_trace
from command import (BUILD, ENVIRONMENT, SOURCE, CommandTest, expected_events, is_hidden, ltt, run, sample,
                     samples)
from damage import DamagedByChance

BABELTRACE = shutil.which('babeltrace2')
DEBIAN_PYTHON = '/usr/bin/python3'
READER = os.path.join(SOURCE, 'tests/ctf_events.py')
ROUND_TRIP = os.path.join(BUILD, 'tests/test-roundtrip')


def can_read_values():
    return os.path.exists(DEBIAN_PYTHON) and subprocess.run(
        [DEBIAN_PYTHON, '-c', 'import bt2'], stderr=subprocess.DEVNULL, check=False).returncode == 0


needs_babeltrace = unittest.skipUnless(BABELTRACE, 'babeltrace2 is not installed')
needs_values = unittest.skipUnless(can_read_values(), 'python3-bt2 is not installed')


def name_of(trace):
    return os.path.basename(trace)


def ctf_name(event):
    return event['event'].replace('.', ':', 1)


def stream_name(event):
    return event['tracefile'].replace('/', '_')


def nanoseconds(text):
    seconds, decimals = text.split('.')
    return int(seconds) * 10 ** 9 + int(decimals)


def in_ctf_order(events):
    """As a reader of streams has them, which are in the order of time each: so are all of them together."""
    return sorted(events, key=lambda event: nanoseconds(event['time']))


def same_float(value, expected):
    _, width, text = value
    if isinstance(expected, str):
        return text == {'NaN': 'nan', 'Infinity': 'inf', '-Infinity': '-inf'}[expected]
    form = {'single': '<f', 'double': '<d'}[width]
    return struct.pack(form, float(text)) == struct.pack(form, expected)


def same(value, expected):
    """Whether a value that babeltrace2 found is that of the JSON."""
    kind = value[0]
    if kind == 'struct':
        members = value[1]
        if isinstance(expected, dict) and [name for name, _ in members] == list(expected):
            if all(same(member, expected[name]) for name, member in members):
                return True
        # What is no struct has one around it where CTF asks for one.
        return [name for name, _ in members] == ['value'] and same(members[0][1], expected)
    if kind == 'union':
        return isinstance(expected, dict) and list(expected) == [value[1]] and same(value[2], expected[value[1]])
    if kind == 'array':
        return (isinstance(expected, list) and len(expected) == len(value[1])
                and all(map(same, value[1], expected)))
    if kind == 'enum':
        return expected in value[2] if isinstance(expected, str) else expected == value[1] and not value[2]
    if kind == 'string':
        return bytes.fromhex(value[1]).decode('utf-8', 'replace') == expected
    if kind == 'float':
        return same_float(value, expected)
    return value[1] == expected


class CtfTest(CommandTest):
    def export(self, trace, *options, out='ctf', status=0):
        """Exports a trace; returns the directory and what was said about it."""
        path = self.path(out)
        shutil.rmtree(path, ignore_errors=True)
        result = ltt('export', '--to', 'ctf', '-o', path, *options, trace)
        self.assertEqual(result.status, status, result.err)
        self.assertEqual(result.raw, b'')
        if status == 0:
            self.assertEqual(result.err, '')
        self.assertEqual([name for name in os.listdir(self.folder) if '.part' in name], [])
        return path, result.err

    def read_text(self, ctf):
        """Times and names as babeltrace2 prints them."""
        result = run(BABELTRACE, '--clock-seconds', '--no-delta', ctf)
        self.assertEqual(result.status, 0, result.err)
        return re.findall(r'^\[([0-9.]+)\] (?:.*? )??(\w+:\w+): ', result.raw.decode('utf-8', 'replace'), re.M)

    def read_values(self, ctf):
        """Events, and losses by stream: None where babeltrace2 cannot tell how many."""
        result = run(DEBIAN_PYTHON, READER, ctf)
        self.assertEqual(result.status, 0, result.err)
        lines = [json.loads(line) for line in result.lines]
        losses = {}
        for line in lines:
            if 'discarded' in line:
                name = line['stream'][1]
                count = losses.get(name, 0)
                losses[name] = None if None in (count, line['discarded']) else count + line['discarded']
        return [line for line in lines if 'event' in line], losses

    def assert_same_event(self, got, expected):
        self.assertEqual((got['time'], got['event']), (nanoseconds(expected['time']), ctf_name(expected)))
        self.assertEqual(got['stream'][1].split('.')[0], stream_name(expected).split('.')[0])
        folder, file_name = expected['tracefile'].split('/')
        self.assertEqual(got['packet'].get('cpu_id'), int(file_name) if folder == 'cpu' else None)
        if got['context']:
            self.assertEqual(got['context'], {'pid': expected.get('pid', -1), 'tid': expected.get('tid', -1)})
        else:
            self.assertNotIn('pid', expected)
        self.assertTrue(same(got['payload'], expected['data']),
                        '%s\n%r\n%r' % (expected['event'], got['payload'], expected['data']))

    def assert_same_events(self, ctf, expected):
        got, _ = self.read_values(ctf)
        self.assertEqual(len(got), len(expected))
        for one, other in zip(got, in_ctf_order(expected)):
            self.assert_same_event(one, other)


class SampleTraces(CtfTest):
    def samples(self):
        for trace in samples():
            with self.subTest(trace=name_of(trace)):
                yield trace, 1 if 'set-back' in trace else 0

    @needs_babeltrace
    def test_babeltrace_prints_the_same_times_and_names(self):
        for trace, status in self.samples():
            ctf, _ = self.export(trace, '--all', status=status)
            expected = in_ctf_order(expected_events(trace))
            self.assertEqual(self.read_text(ctf), [(event['time'], ctf_name(event)) for event in expected])

    @needs_values
    def test_babeltrace_finds_the_same_values(self):
        for trace, status in self.samples():
            ctf, _ = self.export(trace, '--all', status=status)
            self.assert_same_events(ctf, expected_events(trace))

    @needs_values
    def test_hidden_events_are_left_out(self):
        for trace, status in self.samples():
            ctf, _ = self.export(trace, status=status)
            self.assert_same_events(ctf, [event for event in expected_events(trace) if not is_hidden(event)])

    def test_same_bytes_each_time(self):
        first, _ = self.export(sample('every-type'), out='first')
        second, _ = self.export(sample('every-type'), out='second')
        names = sorted(os.listdir(first))
        self.assertIn('metadata', names)
        self.assertEqual(filecmp.cmpfiles(first, second, names, shallow=False)[0], names)
        self.assertEqual(sorted(os.listdir(second)), names)


class Order(CtfTest):
    @needs_values
    def test_times_that_fall_are_put_in_order_and_told(self):
        trace = sample('clock-set-back')
        ctf, said = self.export(trace, '--all', status=1)
        self.assertEqual([line for line in said.splitlines() if 'times decrease' not in line], [])
        self.assertIn('ltt export: cpu/0: block 0: times decrease', said)
        times = [event['time'] for event in self.read_values(ctf)[0]]
        self.assertEqual(times, sorted(times))


    @needs_values
    def test_blocks_that_fall_back_go_to_further_streams(self):
        starts = [500, 600, 100, 700, 200, 150, 800]
        blocks = [[(start, 'e', bytes([i])), (start + 40, 'e', bytes([i]))] for i, start in enumerate(starts)]
        trace = self.path('trace')
        small_trace.write(trace, ONE_BYTE, {'cpu/0': blocks, 'control/cpu': [[(1, 'e', b'\0')]]})
        ctf, said = self.export(trace, status=1)
        self.assertEqual(said, 'ltt export: cpu/0: block 2: times decrease, which CTF does not allow: the events of '
                         'this file are exported in order of time\n')
        self.assertEqual(sorted(os.listdir(ctf)), ['control_cpu', 'control_facilities', 'cpu_0', 'cpu_0.1', 'cpu_0.2',
                                                   'metadata'])
        self.assert_same_events(ctf, [json.loads(line) for line in ltt('dump', '--format=json', trace).lines])

    @needs_values
    def test_there_are_not_streams_without_end(self):
        blocks = [[(1000 - i, 'e', bytes([i]))] for i in range(70)]
        trace = self.path('trace')
        small_trace.write(trace, ONE_BYTE, {'cpu/0': blocks})
        ctf, said = self.export(trace, status=1)
        left_out = re.findall('block ([0-9]+): omitted', said)
        self.assertEqual(left_out, [str(i) for i in range(64, 70)])
        events, _ = self.read_values(ctf)
        self.assertEqual(len(events), 64)


class Losses(CtfTest):
    @needs_values
    def test_lost_events_are_discarded_events(self):
        # All of them, whether or not the events that tell of them are exported.
        for options in ((), ('--all',), ('--event', 'disk.*')):
            ctf, _ = self.export(sample('tracer'), *options)
            self.assertEqual(self.read_values(ctf)[1], {'cpu_0': 7})

    @needs_values
    def test_losses_of_the_first_block_are_counted(self):
        trace = self.path('trace')
        with open(os.path.join(SOURCE, 'eventdefs/tracer.xml'), encoding='utf-8') as file:
            tracer = file.read()
        # Totals may be told again, and two files count for themselves.
        small_trace.write(trace, tracer, {
            'cpu/0': [[(10, 'events_lost', struct.pack('<Q', 3))],
                      [(20, 'events_lost', struct.pack('<Q', 3)), (30, 'events_lost', struct.pack('<Q', 10))]],
            'cpu/1': [[(5, 'events_lost', struct.pack('<Q', 2 ** 40))]],
            'control/x': [[(5, 'events_lost', struct.pack('<Q', 1))]]})
        for options in ((), ('--all',), ('--to', '+1')):
            ctf, _ = self.export(trace, *options)
            self.assertEqual(self.read_values(ctf)[1], {'cpu_0': 10, 'cpu_1': 2 ** 40, 'control_x': 1})
        # What was lost before a window is not lost in it.
        ctf, _ = self.export(trace, '--from', '0.00000002', '--cpu', '0')
        self.assertEqual(self.read_values(ctf)[1], {'cpu_0': None})

    @needs_values
    def test_no_loss_is_invented(self):
        for trace in samples('ltt'):
            ctf, _ = self.export(trace)
            self.assertEqual(self.read_values(ctf)[1], {})


class Damage(CtfTest):
    @needs_values
    def test_what_is_before_the_damage_is_exported(self):
        for trace in samples('ltt-damaged'):
            ctf, said = self.export(trace, '--all', status=1)
            self.assert_same_events(ctf, expected_events(trace))
            dumped = ltt('dump', '--all', '--format=none', trace).err.replace('ltt dump:', 'ltt export:')
            self.assertEqual(sorted(said.splitlines()), sorted(dumped.splitlines()))


class DamageByChance(DamagedByChance, CtfTest):
    N_SEEDS = 40

    def matches(self, got, expected):
        try:
            self.assert_same_event(got, expected)
        except AssertionError:
            return False
        return True

    def assert_same_at_each_time(self, got, expected):
        """As assert_same_events(), but in whatever order events of one time come: they may be in several streams."""
        expected = in_ctf_order(expected)
        self.assertEqual([event['time'] for event in got], [nanoseconds(event['time']) for event in expected])
        for _, group in itertools.groupby(zip(got, expected), lambda pair: pair[0]['time']):
            ones, others = map(list, zip(*group))
            for one in ones:
                match = [other for other in others if self.matches(one, other)]
                self.assertTrue(match, '%r is none of %r' % (one, others))
                others.remove(match[0])

    @needs_values
    def test_what_a_dump_can_read_is_exported(self):
        for seed in range(self.N_SEEDS):
            dice = random.Random(seed)
            name = self.TRACES[seed % len(self.TRACES)]
            self.trace = self.copy(sample(name), 'trace%d' % seed)
            self.damage(dice)
            with self.subTest(seed=seed, trace=name):
                dumped = self.dump()
                result = ltt('export', '--all', '--to', 'ctf', '-o', self.trace + '.ctf', self.trace)
                said = [line for line in result.err.replace('ltt export:', 'ltt dump:').splitlines()
                        if 'times decrease' not in line]
                self.assertEqual(sorted(said), sorted(dumped.err.splitlines()))
                self.assertEqual(result.status, max(dumped.status, 1 if result.err else 0))
                if dumped.status < 2:
                    got, _ = self.read_values(self.trace + '.ctf')
                    self.assert_same_at_each_time(got, [json.loads(line) for line in dumped.lines])


class Selection(CtfTest):
    @needs_values
    def test_takes_the_events_that_a_dump_with_the_same_options_prints(self):
        trace = sample('sparse-cpus')
        events = expected_events(trace)
        middle = events[len(events) // 2]['time']
        later = events[len(events) * 3 // 4]['time']
        for options in (('--from', middle), ('--from', middle, '--to', later), ('--to', '+0.000001'),
                        ('--from=-0.000002',), ('--cpu', '0,2-9'), ('--event', events[-2]['event']),
                        ('--event', 'builtin.*'), ('--event', 'no.such'), ('--from', '+1000'), ('--filter', 'cpu > 1'),
                        ('--all', '--filter', 'event =~ "*e*"')):
            with self.subTest(options=options):
                ctf, _ = self.export(trace, *options)
                dump = ltt('dump', '--format=json', *options, trace)
                self.assert_same_events(ctf, [json.loads(line) for line in dump.lines])


class Packets(CtfTest):
    """The bytes of stream files, taken apart without babeltrace2."""

    HEAD = ['magic', 'stream_id', 'instance', 'begin', 'end', 'content', 'size', 'discarded', 'cpu_id']

    def packets(self, path, order):
        with open(path, 'rb') as file:
            content = file.read()
        found = []
        at = 0
        while at < len(content):
            words = struct.unpack_from(order + 'IIQQQQQQI', content + bytes(4), at)
            found.append(dict(zip(self.HEAD, words)))
            self.assertEqual(found[-1]['content'], found[-1]['size'])
            at += found[-1]['size'] // 8
        self.assertEqual(at, len(content))
        return found

    def test_one_stream_for_each_tracefile_one_packet_for_each_block(self):
        for trace in samples('ltt') + [sample('tracer'), sample('wrapping-ids')]:
            order = '<' if json.loads(ltt('info', '--json', trace).out)['system']['endian'] == 'little' else '>'
            starts = [event for event in expected_events(trace) if event['event'] == 'builtin.block_start']
            with self.subTest(trace=name_of(trace)):
                ctf, _ = self.export(trace)
                self.assertEqual(sorted(os.listdir(ctf)), sorted({stream_name(event) for event in starts} | {'metadata'}))
                for name in {event['tracefile'] for event in starts}:
                    self.check_stream(ctf, order, [event for event in starts if event['tracefile'] == name])

    def check_stream(self, ctf, order, starts):
        packets = self.packets(os.path.join(ctf, stream_name(starts[0])), order)
        folder, file_name = starts[0]['tracefile'].split('/')
        self.assertEqual([packet['begin'] for packet in packets], [nanoseconds(event['time']) for event in starts])
        for packet, following in zip(packets, packets[1:] + [None]):
            self.assertEqual(packet['magic'], 0xc1fc1fc1)
            self.assertEqual(packet['stream_id'], 1 if folder == 'cpu' else 0)
            self.assertEqual(packet['instance'], packets[0]['instance'])
            self.assertLessEqual(packet['begin'], packet['end'])
            if folder == 'cpu':
                self.assertEqual(packet['cpu_id'], int(file_name))
            if following:
                self.assertLessEqual(packet['end'], following['begin'])
                self.assertLessEqual(packet['discarded'], following['discarded'])


ONE_BYTE = '<facility name="f"><event name="e"><uint size="1"/></event></facility>'

# Names that mean something in TSDL, or to us; each kind of value where CTF wants help for it; the ends of ranges.
AWKWARD = """<facility name="enum"><description>A "facility" */ with words</description>
<event name="string"><description>ends */ here /* and "there" \\</description><struct>
  <field name="int"><uint size="1"/></field> <field name="_int"><uint size="1"/></field>
  <field name="Bool"><uint size="1"/></field> <field name="_Bool"><uint size="1"/></field>
  <field name="uint8_t"><uint size="1"/></field> <field name="time_ns_t"><uint size="1"/></field>
  <field name="event"><uint size="1"/></field> <field name="__a"><uint size="1"/></field>
  <field name="id"><uint size="1"/></field> <field name="timestamp"><uint size="1"/></field></struct></event>
<event name="lengths"><struct>
  <field name="a_length"><uint size="1"/></field>
  <field name="a"><sequence lengthsize="2"><uint size="1"/></sequence></field>
  <field name="a_length_"><uint size="1"/></field>
  <field name="trace"><sequence lengthsize="1"><string/></sequence></field>
  <field name="_b"><sequence lengthsize="8"><array size="2"><uint size="1"/></array></sequence></field></struct></event>
<event name="variant"><union typecodesize="2">
  <field name="float"><float size="4"/></field> <field name="_x"><array size="2"><uint size="1"/></array></field>
  <field name="s"><sequence lengthsize="1"><uint size="2"/></sequence></field>
  <field name="u"><union typecodesize="1"><field name="a"><string/></field></union></field>
  <field name="none"><struct/></field></union></event>
<event name="arrays"><struct>
  <field name="none"><array size="0"><uint size="8"/></array></field>
  <field name="deep"><array size="2"><array size="3"><sequence lengthsize="1"><uint size="1"/></sequence></array></array></field>
  <field name="picks"><sequence lengthsize="1"><union typecodesize="1"><field name="i"><int size="1"/></field>
    <field name="z"><string/></field></union></sequence></field>
  <field name="empty"><array size="2"><struct/></array></field>
  <field name="value"><struct><field name="value"><sequence lengthsize="1"><sequence lengthsize="1"><uint size="1"/>
    </sequence></sequence></field></struct></field></struct></event>
<event name="labels"><struct>
  <field name="signed"><enum size="8"><label name="least" value="-9223372036854775808"/><label name="minus" value="-1"/>
    <label name="most" value="9223372036854775807"/></enum></field>
  <field name="unsigned"><enum size="8"><label name="a" value="18446744073709551615"/><label name="zero" value="0"/>
    </enum></field>
  <field name="twice"><enum size="1"><label name="one" value="1"/><label name="uno" value="1"/><label name="two"/></enum></field>
  <field name="odd"><enum size="1"><label name='a"b' value="1"/><label name="c\\d"/><label name="&#233;&#x1f600;"/>
    <label name="*/"/><label name="struct"/></enum></field>
  <field name="wide"><enum size="long"><label name="far" value="4294967296"/><label name="near" value="7"/></enum></field>
  <field name="hex"><uint size="2" format="%#06x"/></field></struct></event>
</facility>"""


def awkward_payloads(order, long_size):
    def pack(form, *values):
        return struct.pack(order + form, *values)
    yield 'string', bytes(range(1, 11))
    yield 'lengths', b'\1' + pack('H', 3) + b'abc' + b'\2' + b'\2x\0y\0' + pack('Q', 2) + b'1234'
    yield 'lengths', b'\1' + pack('H', 0) + b'\2' + b'\0' + pack('Q', 0)
    yield 'variant', pack('Hf', 0, 1.1)
    yield 'variant', pack('H', 1) + b'\5\6'
    yield 'variant', pack('HBHH', 2, 2, 500, 600)
    yield 'variant', pack('HB', 3, 0) + b'h\xc3\xa9\xff\n\0'
    yield 'variant', pack('H', 4)
    yield 'arrays', b'\0' + b'\1a' + b'\2bc' + b'\0\0' + b'\1d' + b'\3' + b'\0\xfe' + b'\1zz\0' + b'\1\0' + b'\2\1A\0'
    wide = {4: 'I', 8: 'Q'}[long_size]
    for signed, unsigned, twice, odd, value in ((-2 ** 63, 2 ** 64 - 1, 1, 1, 7), (-1, 0, 2, 2, 8), (2 ** 63 - 1, 1, 3, 3, 9),
                                                (5, 5, 5, 4, 0), (0, 0, 0, 5, 2 ** (8 * long_size) - 1)):
        yield 'labels', pack('qQBB' + wide + 'H', signed, unsigned, twice, odd, value, 0xbeef)


class AwkwardDescriptions(CtfTest):
    @needs_values
    def test_every_name_and_nesting_has_its_way(self):
        for order, arch_size, long_size in (('<', 'LP64', 8), ('>', 'ILP32', 4)):
            with self.subTest(order=order):
                trace = self.path('trace' + arch_size)
                events = [(1000 + i, *event) for i, event in enumerate(awkward_payloads(order, long_size))]
                small_trace.write(trace, AWKWARD, {'cpu/3': [events]}, order=order, arch_size=arch_size,
                                  system='node_name=\'a"b\\c\' x-y="1" x.y="2" event="3" tracer="me 1"')
                dumped = ltt('dump', '--format=json', trace)
                self.assert_done(dumped)
                ctf, _ = self.export(trace)
                self.assert_same_events(ctf, [json.loads(line) for line in dumped.lines])


class RandomTraces(CtfTest):
    @needs_values
    def test_every_type_in_every_nesting(self):
        traces = self.path('traces')
        os.mkdir(traces)
        subprocess.run([ROUND_TRIP, 'every'], check=True, stdout=subprocess.DEVNULL,
                       env=dict(ENVIRONMENT, LTT_KEEP_TRACES=traces))
        names = sorted(os.listdir(traces))
        self.assertGreater(len(names), 60)
        for name in names[::3]:
            with self.subTest(trace=name):
                trace = os.path.join(traces, name)
                expected = [json.loads(line) for line in ltt('dump', '--all', '--format=json', trace).lines]
                ctf, _ = self.export(trace, '--all')
                self.assert_same_events(ctf, expected)


if __name__ == '__main__':
    unittest.main()
