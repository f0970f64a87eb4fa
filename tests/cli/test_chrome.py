"""`ltt export --to chrome`: compared with spans computed from the events that `ltt dump` prints."""
import json
import os
import shutil
import struct
import subprocess
import unittest
from decimal import Decimal

import small_trace
from command import DATA, SOURCE, CommandTest, ltt, sample, samples, some, some_of

PAIRS = (('entry', 'exit'), ('enter', 'exit'), ('begin', 'end'), ('begin', 'done'), ('start', 'end'), ('start', 'stop'),
         ('start', 'done'))
SPEEDSCOPE = os.path.join(SOURCE, 'build/npm/node_modules/speedscope')  # tests/run.sh installs it
OF_THE_TRACE, OF_THE_CPUS = 5000000, 5000001
MOST_OPEN = 1000


def by_name(name, names):
    """(whether it begins, name of the span, name of the event that begins it), or None."""
    facility, own = name.split('.', 1)
    words = own.split('_')
    for i, word in enumerate(words):
        for begin, end in PAIRS:
            for mine, other, begins in ((begin, end, True), (end, begin, False)):
                partner = facility + '.' + '_'.join(words[:i] + [other] + words[i + 1:])
                if word == mine and partner in names:
                    rest = '_'.join(words[:i] + words[i + 1:])
                    return begins, facility + '.' * bool(rest) + rest, name if begins else partner
    return None


def arguments(event):
    return event['data'] if isinstance(event['data'], dict) else {'value': event['data']}


def nanoseconds(event):
    return int(Decimal(event['time']) * 10 ** 9)


def entries_of(events, names):
    """What is to be drawn: (phase, name, time, index of the event whose track it is on, arguments)."""
    stacks = {}
    for index, event in enumerate(events):
        role, time = by_name(event['event'], names), nanoseconds(event)
        stack = stacks.setdefault((event.get('pid'), event['tid']) if 'tid' in event else event['tracefile'], [])
        is_used = False
        if role and role[0] and len(stack) < MOST_OPEN:
            is_used = True
            stack.append((role[2], role[1], index))
            yield 'B', role[1], time, index, None
        elif role and not role[0] and any(began[0] == role[2] for began in stack):
            is_used, ended = True, None
            while ended != role[2]:
                ended, name, begin = stack.pop()
                yield 'E', name, max(time, nanoseconds(events[begin])), begin, None
        if not is_used or event['data'] != {}:
            yield 'i', event['event'], time, index, arguments(event)
    last = max(map(nanoseconds, events), default=0)
    for begin, name in sorted(((began[2], began[1]) for stack in stacks.values() for began in stack), reverse=True):
        yield 'E', name, max(last, nanoseconds(events[begin])), begin, None


class Chrome(CommandTest):
    def export(self, trace, *options):
        result = ltt('export', '--to', 'chrome', '-o', '-', *options, trace)
        return json.loads(result.out, parse_float=Decimal), result

    def check(self, trace, *options):
        file, result = self.export(trace, *options)
        dump = ltt('dump', '--format=json', *options, trace)
        self.assertEqual(result.err.replace('ltt export:', 'ltt dump:'), dump.err)
        names = {line.split()[0] for line in ltt('info', '--events', trace).lines}
        start = int(Decimal(file['otherData']['start']) * 10 ** 9)
        entries = [entry for entry in file['traceEvents'] if entry['ph'] != 'M' and entry['pid'] != OF_THE_CPUS]
        tracks = {(entry['pid'], entry['tid']): entry['args']['name'] for entry in file['traceEvents']
                  if entry['name'] == 'thread_name'}
        events = [json.loads(line, parse_float=Decimal) for line in dump.lines]
        for entry, (phase, name, time, index, args) in zip(entries, entries_of(events, names), strict=True):
            self.assertEqual((entry['ph'], entry['name'], int(entry['ts'] * 1000) + start, entry.get('args')),
                             (phase, name, time, args))
            self.assertGreaterEqual(entry['ts'], 0)
            event = events[index]
            if 'pid' in event:
                self.assertEqual((entry['pid'], entry['tid']), (event['pid'], event['tid']))
            else:
                self.assertEqual((entry['pid'], tracks[entry['pid'], entry['tid']]), (OF_THE_TRACE, event['tracefile']))
        return file

    def test_every_sample(self):
        for trace in some_of(samples()):
            for options in ([], ['--event', '*.e*,core.*']):
                self.check(trace, *options)

    def test_damage_is_told_and_passed_over(self):
        self.check(sample('damage'))

    def test_threads_and_names(self):
        trace = self.path('trace')
        self.assert_done(ltt('import', os.path.join(DATA, 'perf/file-tracepoints.data'), '-o', trace))
        file = self.check(trace)
        told = {entry['pid']: entry['args']['name'] for entry in file['traceEvents'] if entry['name'] == 'process_name'}
        self.assertEqual((told.pop(OF_THE_TRACE), told.pop(OF_THE_CPUS)), ('trace', 'CPUs'))
        stat = json.loads(ltt('stat', '--json', trace).out)
        self.assertEqual(told, {row['pid']: row['name'] for row in stat['processes'] if row['name']})

    def test_slices_of_the_processor(self):
        file = self.check(sample('one-cpu'))
        irqs = [entry for entry in file['traceEvents'] if entry['name'] == 'core.irq']
        self.assertEqual({entry['ph'] for entry in irqs}, {'B', 'E'})
        self.assertEqual({entry['cat'] for entry in irqs}, {'core'})

    def test_nothing_selected(self):
        file, result = self.export(sample('one-cpu'), '--event', 'no.such')
        self.assertEqual(result.status, 1)  # the trace has no such event
        self.assertEqual(file['traceEvents'], [])
        self.assertEqual(file['otherData']['node_name'], 'vaucluse')

    def test_times_are_relative_to_the_start(self):
        """A time that a viewer shows can be given to --from, also of a part."""
        trace = sample('flight-recorder')
        whole, _ = self.export(trace)
        part, _ = self.export(trace, '--from', '+0.001', '--to', '+0.002')
        self.assertEqual(part['otherData']['start'], whole['otherData']['start'])
        self.assertEqual(Decimal(whole['otherData']['start']), Decimal(json.loads(ltt('info', '--json', trace).out)['start']))
        times = [entry['ts'] for entry in part['traceEvents'] if entry['ph'] == 'i']
        self.assertGreaterEqual(min(times), 1000)
        self.assertLess(max(times), 2000)

    @unittest.skipUnless(os.path.isdir(SPEEDSCOPE) and shutil.which('node'), 'speedscope is not installed')
    def test_speedscope_loads_it_without_a_complaint(self):
        n_profiles = 0
        for trace in some_of(samples()):
            exported = ltt('export', '--to', 'chrome', '-o', '-', trace).raw
            if b'"ph":"B"' not in exported:
                continue
            done = subprocess.run(['node', os.path.join(SOURCE, 'tests/speedscope.js'), SPEEDSCOPE], input=exported,
                                  stdout=subprocess.PIPE, check=True)
            loaded = json.loads(done.stdout)
            self.assertEqual(loaded['complaints'], [], trace)
            for profile in loaded['profiles']:
                self.assertFalse([frame for frame in profile['frames'] if '{' in frame])
            n_profiles += len(loaded['profiles'])
        self.assertGreater(n_profiles, some(10))

    def test_which_thread_a_cpu_runs(self):
        file, _ = self.export(sample('one-cpu'))
        slices = [entry for entry in file['traceEvents'] if entry['pid'] == OF_THE_CPUS and entry['ph'] == 'B']
        switches = [json.loads(line) for line in
                    ltt('dump', '--format=json', '--event', 'core.schedchange', sample('one-cpu')).lines]
        self.assertEqual([entry['name'] for entry in slices],
                         ['thread %d' % event['data']['in'] for event in switches if event['data']['in'] != 0])

    def test_bookmarks(self):
        trace = os.path.join(DATA, 'bookmarks/one-cpu')
        file, _ = self.export(trace)
        marks = [(entry['ph'], entry['name'], entry['args'].get('text') if 'args' in entry else None)
                 for entry in file['traceEvents'] if entry.get('cat') == 'bookmark']
        self.assertEqual(marks, [('i', 'slow', 'Why does it wait here?'), ('b', 'opened', 'all at once'), ('e', 'opened', None)])
        part, _ = self.export(trace, '--from', '+0.5')
        self.assertEqual([entry for entry in part['traceEvents'] if entry.get('cat') == 'bookmark'], [])

    def test_bookmarks_before_the_start(self):
        """Viewers reject negative times."""
        trace = self.path('trace')
        small_trace.write(trace, '<facility name="f"><event name="e"/></facility>', {'cpu/0': [[(2000, 'e', b''), (5000, 'e', b'')]]})
        for words in (('--at', '0.000001', 'before'), ('--from', '0.000001', '--to', '0.0000019', 'all before'),
                      ('--from', '0.000001', '--to', '0.000004', 'across'), ('--at', '0.000002', 'at')):
            self.assert_done(ltt('bookmark', 'add', *words[:-1], trace, words[-1]), None)
        found = [(entry['name'], entry['ph'], entry['ts']) for entry in self.export(trace)[0]['traceEvents']
                 if entry.get('cat') == 'bookmark']
        self.assertEqual(found, [('across', 'b', 0), ('across', 'e', 2), ('at', 'i', 0)])

    def test_overlapping_spans_with_a_key_are_asynchronous(self):
        trace = self.path('trace')
        number = lambda value: struct.pack('<I', value)
        small_trace.write(trace, '''<facility name="job">
            <event name="queued"><struct><field name="id"><uint size="4"/></field>
                <field name="waiting" ltt:role="counter"><int size="4"/></field></struct></event>
            <event name="done" ltt:ends="queued" ltt:key="id=job"><struct><field name="job"><uint size="4"/></field></struct></event>
            <event name="a_begin"/><event name="a_end"/></facility>''', {
                'cpu/0': [[(1000, 'queued', number(1) + number(1)), (2000, 'a_begin', b''), (3000, 'queued', number(2) + number(2)),
                           (4000, 'done', number(1)), (5000, 'a_end', b''), (6000, 'done', number(9))]],
                'cpu/1': [[(7000, 'done', number(2))]]})
        file, result = self.export(trace)
        self.assert_done(result)
        entries = [(entry['ph'], entry['name'], entry['ts'], entry.get('id'), entry.get('args'))
                   for entry in file['traceEvents'] if entry['ph'] != 'M']
        self.assertEqual(entries, [
            ('C', 'job.queued.waiting', 0, None, {'waiting': 1}),
            ('B', 'job.a', 1, None, None),
            ('C', 'job.queued.waiting', 2, None, {'waiting': 2}),
            ('b', 'job.queued', 0, '1', {'id': 1, 'waiting': 1, 'job': 1}),
            ('e', 'job.queued', 3, '1', None),
            ('E', 'job.a', 4, None, None),
            ('i', 'job.done', 5, None, {'job': 9}),
            ('b', 'job.queued', 2, '3', {'id': 2, 'waiting': 2, 'job': 2}),
            ('e', 'job.queued', 6, '3', None)])

    def test_depth_has_a_limit(self):
        trace = self.path('trace')
        events = [(1000 + i, 'a_begin', b'') for i in range(MOST_OPEN + 5)] + [(9000 + i, 'a_end', b'') for i in range(MOST_OPEN + 5)]
        small_trace.write(trace, '<facility name="f"><event name="a_begin"/><event name="a_end"/></facility>',
                          {'cpu/0': [events]}, block_size=65536)
        file = self.check(trace)
        phases = [entry['ph'] for entry in file['traceEvents']]
        self.assertEqual((phases.count('B'), phases.count('E'), phases.count('i')), (MOST_OPEN, MOST_OPEN, 10))
