"""Latencies, spans, the timeline and the flame graph of random traces are those of a simple model: unbalanced events, equal times,
keys of several types with hostile texts, many CPUs."""
import collections
import json
import random
import struct

from command import CommandTest, ltt, some
import small_trace

DESCRIPTION = '''<facility name="f">
<event name="a_begin"/><event name="a_end"/><event name="b_begin"/><event name="b_end"/><event name="tick"/>
<event name="number"><struct><field name="key"><int size="8"/></field></struct></event>
<event name="numbered" ltt:ends="number" ltt:key="key"><struct><field name="key"><int size="8"/></field></struct></event>
<event name="text"><struct><field name="key"><string/></field></struct></event>
<event name="texted" ltt:ends="text" ltt:key="key"><struct><field name="key"><string/></field></struct></event>
</facility>'''
NUMBERS = [0, 1, -1, 2 ** 63 - 1, -2 ** 63, 2 ** 32]
TEXTS = ['', '"', "'", '<b>&amp;', '\\', 'a;b', ']]>', '-->', '\x1b[31m', 'ä\u2028', '\n', '0', '</script>']
SEEDS = some(12)
Event = collections.namedtuple('Event', 'time cpu name key')


def make(seed):
    """Returns: the events of each CPU."""
    choose = random.Random(seed)
    first, n_events = choose.choice((1, 2 ** 40, 1700000000 * 10 ** 9)), choose.choice((3, 40, 200))
    names = choose.sample(('a_begin', 'a_end', 'b_begin', 'b_end', 'tick', 'number', 'numbered', 'text', 'texted'), choose.randint(2, 9))
    files = {}
    for cpu in choose.sample(range(12), choose.randint(1, 4)):
        time = first
        files[cpu] = []
        for _ in range(n_events):
            time += choose.choice((0, 0, 0, 1, 1000, 10 ** 6))
            name = choose.choice(names)
            key = choose.choice(NUMBERS) if name.startswith('number') else choose.choice(TEXTS) if name.startswith('text') else None
            files[cpu].append(Event(time, cpu, name, key))
    return files


def write(path, files):
    def payload(key):
        return b'' if key is None else key.encode() + b'\0' if isinstance(key, str) else struct.pack('<q', key)

    small_trace.write(path, DESCRIPTION, {
        'cpu/%d' % cpu: [[(event.time, event.name, payload(event.key)) for event in events[at:at + 50]] for at in range(0, len(events), 50)]
        for cpu, events in files.items()})


def pair(events, begin, end, key_of):
    """Returns: the (begin, end) of events in the order of the ends, the number of open begins, and that of lone ends."""
    opened, pairs, lone = collections.defaultdict(list), [], 0
    for event in events:
        if event.name == begin:
            opened[key_of(event)].append(event)
        elif event.name == end and opened[key_of(event)]:
            pairs.append((opened[key_of(event)].pop(), event))
        elif event.name == end:
            lone += 1
    return pairs, sum(map(len, opened.values())), lone


def nest(events, last):
    """Returns: (cpu, name, begin, end, state) of the nested spans of each CPU."""
    spans, stacks = [], collections.defaultdict(list)
    for event in events:
        stack, (name, _, kind) = stacks[event.cpu], event.name.partition('_')
        if kind == 'begin':
            stack.append((name, event.time))
        elif kind == 'end' and name in [open_name for open_name, _ in stack]:
            while True:
                open_name, begin = stack.pop()
                spans.append((event.cpu, 'f.' + open_name, begin, event.time, 'finished' if open_name == name else 'cut'))
                if open_name == name:
                    break
    spans += [(cpu, 'f.' + name, begin, last, 'open') for cpu, stack in stacks.items() for name, begin in stack]
    return spans


class Random(CommandTest):
    def setUp(self):
        super().setUp()
        self.traces = []
        for seed in range(SEEDS):
            files, path = make(seed), self.path('t%d' % seed)
            write(path, files)
            events = sorted((event for events in files.values() for event in events), key=lambda event: (event.time, event.cpu))
            self.traces.append((path, events))

    def test_latency(self):
        for path, events in self.traces:
            for begin, end, by, key_of in (('a_begin', 'a_end', None, lambda event: event.cpu), ('number', 'numbered', None, lambda event: event.key),
                                           ('text', 'texted', 'key', lambda event: event.key), ('text', 'texted', 'cpu', lambda event: event.cpu)):
                pairs, n_open, n_lone = pair(events, begin, end, key_of)
                result = ltt('latency', '--json', 'f.' + begin, 'f.' + end, *(['--by', by] if by else []), path)
                self.assertEqual(result.status, 0, result.err)
                found = json.loads(result.out)
                durations = [last.time - first.time for first, last in pairs]
                self.assertEqual((found['pairs'], found['begins_without_end'], found['ends_without_begin']), (len(pairs), n_open, n_lone), (path, begin, by))
                rows = ltt('sql', '--format=json', path, "SELECT dur, time FROM pairs('f.%s', 'f.%s'%s)" % (begin, end, ", '%s'" % by if by else ''))
                self.assertEqual(sorted((row['dur'], row['time']) for row in map(json.loads, rows.lines)),
                                 sorted((last.time - first.time, first.time) for first, last in pairs))
                self.assertEqual(sum(durations), sum(row['dur'] for row in map(json.loads, rows.lines)))

    def test_spans(self):
        for path, events in self.traces:
            last = events[-1].time
            expected = [(name, begin, end - begin, state) for _, name, begin, end, state in nest(events, last)]
            keyed = []
            for begin, end in (('number', 'numbered'), ('text', 'texted')):
                pairs, _, _ = pair(events, begin, end, lambda event: event.key)
                keyed += [('f.' + begin, first.time, then.time - first.time, str(first.key)) for first, then in pairs]
            rows = [json.loads(line) for line in ltt('sql', '--format=json', path, 'SELECT name, time, dur, state, key FROM spans').out.split('\n')[:-1]]
            self.assertEqual(sorted((row['name'], row['time'], row['dur'], row['state']) for row in rows if row['key'] is None), sorted(expected), path)
            self.assertEqual(sorted((row['name'], row['time'], row['dur'], str(row['key'])) for row in rows
                                    if row['key'] is not None and row['state'] == 'finished'), sorted(keyed), path)

    def test_timeline(self):
        """The slices of each track nest, and have the times of the spans."""
        for path, events in self.traces:
            first = events[0].time
            slices, stacks = [], collections.defaultdict(list)
            for event in json.loads(ltt('export', '--to', 'chrome', '-o', '-', path).out)['traceEvents']:
                track = event.get('pid'), event.get('tid')
                if event['ph'] == 'B':
                    stacks[track].append(event)
                elif event['ph'] == 'E':
                    begin = stacks[track].pop()
                    slices.append((begin['name'], round(begin['ts'] * 1000), round(event['ts'] * 1000)))
            self.assertFalse(any(stacks.values()), path)
            self.assertEqual(sorted(slices), sorted((name, begin - first, end - first)
                                                    for _, name, begin, end, _ in nest(events, events[-1].time)), path)

    def test_flame(self):
        """The frames of all stacks have the durations of the spans that no other span of the track contains."""
        for path, events in self.traces:
            result = ltt('flame', '--of', 'spans', '--folded', '-o', '-', path)
            spans = nest(events, events[-1].time)
            total = 0
            for cpu in {event.cpu for event in events}:
                end = None
                for _, _, begin, until, _ in sorted((span for span in spans if span[0] == cpu), key=lambda span: (span[2], -span[3])):
                    if end is None or begin >= end:
                        total, end = total + until - begin, until
            found = [int(line.rpartition(' ')[2]) for line in result.lines if not any(name in line for name in ('f.number', 'f.text'))]
            self.assertEqual(sum(found), total, path)


if __name__ == '__main__':
    import unittest
    unittest.main()
