"""`ltt export --to ctf`: babeltrace2 reads the events that `ltt dump` prints."""
import filecmp
import itertools
import json
import os
import random
import re
import struct

import small_trace
from command import SOURCE, expected_events, is_hidden, ltt, sample, samples, some, some_of
from ctf_reading import (CtfTest, ctf_name, in_ctf_order, name_of, nanoseconds, needs_babeltrace, needs_values,
                         stream_name)
from damage import DamagedByChance


class SampleTraces(CtfTest):
    def samples(self):
        for trace in some_of(samples()):
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
        # All losses, even if the events that record them are not exported.
        for options in ((), ('--all',), ('--event', 'disk.*')):
            ctf, _ = self.export(sample('tracer'), *options)
            self.assertEqual(self.read_values(ctf)[1], {'cpu_0': 7})

    @needs_values
    def test_losses_of_the_first_block_are_counted(self):
        trace = self.path('trace')
        with open(os.path.join(SOURCE, 'eventdefs/tracer.xml'), encoding='utf-8') as file:
            tracer = file.read()
        # Totals may be repeated, and each file has its own total.
        small_trace.write(trace, tracer, {
            'cpu/0': [[(10, 'events_lost', struct.pack('<Q', 3))],
                      [(20, 'events_lost', struct.pack('<Q', 3)), (30, 'events_lost', struct.pack('<Q', 10))]],
            'cpu/1': [[(5, 'events_lost', struct.pack('<Q', 2 ** 40))]],
            'control/x': [[(5, 'events_lost', struct.pack('<Q', 1))]]})
        for options in ((), ('--all',), ('--to', '+1')):
            ctf, _ = self.export(trace, *options)
            self.assertEqual(self.read_values(ctf)[1], {'cpu_0': 10, 'cpu_1': 2 ** 40, 'control_x': 1})
        # Losses before a window do not count in it.
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
    N_SEEDS = some(40)

    def matches(self, got, expected):
        try:
            self.assert_same_event(got, expected)
        except AssertionError:
            return False
        return True

    def assert_same_at_each_time(self, got, expected):
        """Like assert_same_events(), but ignores the order of events with equal times."""
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
                        ('--event', 'builtin.*'), ('--from', '+1000'), ('--filter', 'cpu > 1'),
                        ('--all', '--filter', 'event =~ "*e*"')):
            with self.subTest(options=options):
                ctf, _ = self.export(trace, *options)
                dump = ltt('dump', '--format=json', *options, trace)
                self.assert_same_events(ctf, [json.loads(line) for line in dump.lines])

    @needs_values
    def test_a_name_that_the_trace_lacks(self):
        ctf, err = self.export(sample('sparse-cpus'), '--event', 'no.such', status=1)
        self.assertEqual(err, 'ltt export: --event: no.such: the trace has no such event; see `ltt info --events`\n')
        self.assert_same_events(ctf, [])


class Packets(CtfTest):
    """Stream files, parsed without babeltrace2."""

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
