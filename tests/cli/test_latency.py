"""`ltt latency`: compared with pairs computed from the events that `ltt dump` prints."""
import json
import math
import os
import struct
from collections import Counter
from decimal import Decimal

import small_trace
from command import CommandTest, ltt, sample

REQUESTS = '''<facility name="http">
    <event name="request"><struct><field name="id"><uint size="4"/></field><field name="path"><string/></field></struct></event>
    <event name="response" ltt:ends="request" ltt:key="id=request"><struct>
        <field name="request"><uint size="8"/></field><field name="status"><enum size="1">OK FAILED</enum></field></struct></event>
    <event name="tick"/>
    <event name="level"><float size="4"/></event></facility>'''


def request(time, number, path):
    return time, 'request', struct.pack('<I', number) + path.encode() + b'\0'


def response(time, number, status=0):
    return time, 'response', struct.pack('<QB', number, status)


def nanoseconds(event):
    return int(Decimal(event['time']) * 10 ** 9)


def read(*words):
    return [json.loads(line) for line in ltt('dump', '--all', '--format=json', *words).lines]


def key_of(event, field):
    if field == 'thread':
        return (event['pid'], event['tid']) if 'tid' in event else None
    if field is None:
        return (event['pid'], event['tid']) if 'tid' in event else event['tracefile']
    if field == 'cpu':
        folder, number = event['tracefile'].split('/')
        return int(number) if folder == 'cpu' else None
    value = event['data']
    for name in field.split('.'):
        value = value.get(name) if isinstance(value, dict) else None
    return value


def pair(events, begin, end, by=None):
    """Returns the pairs, and the begins and ends that are in none."""
    first, second = by.split('=') if by and '=' in by else (by, by)
    open_begins, pairs, lone = {}, [], 0
    for event in events:
        if event['event'] == end:
            stack = open_begins.get(key_of(event, second))
            if key_of(event, second) is not None and stack:
                pairs.append((stack.pop(), event))
            elif begin != end:
                lone += 1
        if event['event'] == begin:
            open_begins.setdefault(key_of(event, first), []).append(event)
    return pairs, sum(map(len, open_begins.values())), lone


def percentile(ordered, percent):
    """@percent: in tenths, so that the rank is exact."""
    return ordered[max(1, -(-percent * len(ordered) // 1000)) - 1]


def numbers(durations):
    ordered = sorted(durations)
    if not ordered:
        return {'pairs': 0, **dict.fromkeys(('min', 'p50', 'p90', 'p99', 'p99.9', 'max'))}
    return {'pairs': len(ordered), 'min': ordered[0], 'p50': percentile(ordered, 500), 'p90': percentile(ordered, 900),
            'p99': percentile(ordered, 990), 'p99.9': percentile(ordered, 999), 'max': ordered[-1]}


class Latency(CommandTest):
    def measure(self, *words):
        result = ltt('latency', '--json', *words)
        self.assertIn(result.status, (0, 1), result.err)
        return json.loads(result.out)

    def assert_numbers(self, got, durations):
        self.assertEqual({name: got[name] for name in numbers(durations)}, numbers(durations))
        if durations:
            self.assertAlmostEqual(got['mean'], sum(durations) / len(durations), delta=0.001)

    def check(self, traces, begin, end, by=None, group=None, options=()):
        words = [*(('--by', by) if by else ()), *(('--group', group) if group else ()), *options]
        got = self.measure(begin, end, *words, '--longest', '5', *traces)
        pairs, n_open, lone = pair(read(*options, *traces), begin, end, by)
        n_paired = len(pairs)
        pairs = [(first, last) for first, last in pairs if nanoseconds(last) >= nanoseconds(first)]
        durations = [nanoseconds(last) - nanoseconds(first) for first, last in pairs]
        self.assert_numbers(got, durations)
        self.assertEqual((got['begins_without_end'], got['ends_without_begin'], got['ends_before_begin']), (n_open, lone, n_paired - len(pairs)))
        self.assertEqual(sum(row['pairs'] for row in got['histogram']), len(pairs))
        for row in got['histogram']:
            self.assertEqual(row['pairs'], sum(row['from'] <= duration < row['to'] for duration in durations))
        longest = sorted(zip(durations, (nanoseconds(first) for first, _ in pairs)), key=lambda found: (-found[0], found[1]))
        self.assertEqual([(row['duration'], nanoseconds({'time': row['begin']})) for row in got['longest']], longest[:5])
        if group:
            expected = {}
            for (first, last), duration in zip(pairs, durations):
                value = key_of(first, group)
                value = key_of(last, group) if value is None else value
                expected.setdefault(None if value is None else str(value), []).append(duration)
            self.assertEqual({row['name'] for row in got['groups']}, set(expected))
            for row in got['groups']:
                self.assert_numbers(row, expected[row['name']])
        return got

    def test_samples(self):
        for name in ('one-cpu', 'heartbeats', 'flight-recorder', 'crashed', 'two-versions', 'sparse-cpus'):
            trace = sample(name)
            events = {line.split()[0] for line in ltt('info', '--events', trace).lines if not line.startswith(' ')}
            for begin, end in (('core.irq_entry', 'core.irq_exit'), ('core.schedchange', 'core.schedchange'),
                               ('core.file_open', 'core.schedchange')):
                if {begin, end} <= events:
                    for by in (None, 'cpu'):
                        self.check([trace], begin, end, by)
        self.check([sample('one-cpu')], 'core.schedchange', 'core.schedchange', 'in=out', 'out_state')
        self.check([sample('one-cpu')], 'core.file_open', 'core.file_open', 'name', 'name')
        self.check([sample('one-cpu')], 'core.irq_entry', 'core.irq_exit', None, 'irq_id')
        self.check([sample('sparse-cpus')], 'core.schedchange', 'core.schedchange', 'out_state', 'cpu')

    def test_threads(self):
        self.check([sample('tracer')], 'disk.read', 'disk.read', 'thread')
        self.check([sample('tracer')], 'disk.read', 'disk.read')

    def test_windows_and_cpus(self):
        trace = sample('sparse-cpus')
        for options in (('--from', '+0.0002', '--to', '+0.0006'), ('--cpu', '1,4')):
            self.check([trace], 'core.schedchange', 'core.schedchange', 'out', None, options)

    def test_several_traces(self):
        self.check([sample('one-cpu'), sample('crashed')], 'core.schedchange', 'core.schedchange', 'in=out')

    def requests(self, name='trace', events=None, **options):
        path = self.path(name)
        small_trace.write(path, REQUESTS, events or {
            'cpu/0': [[request(1000, 1, '/a'), request(1100, 2, '/b'), request(1200, 1, '/again'), response(1300, 1),
                       response(1350, 9), (1360, 'tick', b''), request(1400, 7, '/left')]],
            'cpu/1': [[response(1500, 2, 1), response(1600, 1)]]}, **options)
        return path

    def test_the_declared_key_is_the_default(self):
        trace = self.requests()
        for by in ((), ('--by', 'id=request')):
            got = self.measure('http.request', 'http.response', *by, '--group', 'status', '--longest', '9', trace)
            self.assertEqual(got['by'], 'id=request')
            # A key that is open twice: the latest begin is ended first.
            self.assertEqual([(row['duration'], row['key'], row['group']) for row in got['longest']],
                             [(600, '1', 'OK'), (400, '2', 'FAILED'), (100, '1', 'OK')])
            self.assertEqual((got['begins_without_end'], got['ends_without_begin']), (1, 1))

    def test_the_command_of_the_longest_shows_the_pair(self):
        trace = self.requests(events={'cpu/0': [[request(1000, 1, '/a'), request(1010, 2, '/b'), (1350, 'tick', b''), response(1400, 2),
                                                 response(1501, 1), (1502, 'tick', b''), request(1503, 3, '/c'), response(1503, 3)]]})
        rows = self.measure('http.request', 'http.response', '--longest', '9', trace)['longest']
        for row, option, n_events in zip(rows, ('--from', '--around', '--around'), (5, 3, 2), strict=True):
            words = row['command'].split()
            self.assertEqual(words[:3], ['ltt', 'dump', option])
            shown = [json.loads(line) for line in ltt('dump', '--format=json', *words[2:]).lines]
            self.assertEqual((shown[0]['time'], shown[-1]['time'], len(shown)), (row['begin'], row['end'], n_events))

    def test_filters_are_asked_of_the_events_that_have_the_fields(self):
        trace = self.requests()
        for condition, durations in (
                ('status == "FAILED"', [400]), ('path == "/a"', [600]), ('path =~ "/a*" && id == 1', [600, 100]),
                ('time >= 0.0000011 && id > 0', [400, 100]), ('!(status == "FAILED")', [600, 100]),
                ('path == "/a" || status == "FAILED"', [])):
            got = self.measure('http.request', 'http.response', '--filter', condition, '--longest', '9', trace)
            self.assertEqual([row['duration'] for row in got['longest']], durations, condition)
            self.assertEqual(got['pairs'] + got['filtered'], 3)

    def test_what_does_not_exist(self):
        """A request without an answer has no numbers, and exit status 1."""
        trace = self.requests()
        for words, message in (
                (('http.reqest', 'http.response'), 'http.reqest: the trace has no such event type; did you mean http.request?'),
                (('http.request', 'no.such'), 'no.such: the trace has no such event type'),
                (('http.request', 'http.response', '--by', 'ids=request'),
                 'http.request: no such field that is a number, an enum or a string: ids; did you mean id?'),
                (('http.request', 'http.response', '--by', 'id'),
                 'http.response: no such field that is a number, an enum or a string: id'),
                (('http.request', 'http.response', '--group', 'stats'),
                 'http.request and http.response: no such field that is a number, an enum or a string: stats; '
                 'did you mean status?'),
                (('http.request', 'http.response', '--by', 'path=request'),
                 'path of http.request and request of http.response are never equal: their types differ'),
                *((('http.request', 'http.response', '--by', by), by.split('=')[0] + ': the trace does not record threads')
                  for by in ('thread', 'pid', 'tid', 'id@pid=request')),
                (('http.request', 'http.response', '--group', 'tid'), 'tid: the trace does not record threads')):
            for form in ((), ('--json',)):
                result = ltt('latency', *form, *words, trace)
                self.assertEqual((result.status, result.out, result.err), (1, '', 'ltt latency: %s\n' % message))

    def test_fields_with_the_name_of_an_attribute(self):
        trace = self.path('wakes')
        small_trace.write(trace, '''<facility name="s"><event name="wake"><struct><field name="cpu"><uint size="4"/></field></struct></event>
            <event name="run"/></facility>''', {
                'cpu/0': [[(10, 'wake', struct.pack('<I', 1)), (20, 'run', b''), (30, 'wake', struct.pack('<I', 0)), (35, 'run', b'')]],
                'cpu/1': [[(13, 'run', b'')]]})
        for by, durations, said in (
                ('data.cpu=cpu', [5, 3], ''),
                ('cpu', [10, 5], 'ltt latency: cpu: that of the event s.wake, not its field; did you mean data.cpu?\n')):
            result = ltt('latency', '--json', '--longest', '9', '--by', by, 's.wake', 's.run', trace)
            self.assertEqual((result.err, result.status), (said, 0))
            self.assertEqual([row['duration'] for row in json.loads(result.out)['longest']], durations)

    def test_usage(self):
        trace = self.requests()
        for words in (('--by', 'a b'), ('--by', '='), ('--longest', '-1'), ('-n', '0'), ('--filter', 'x ==')):
            self.assertEqual(ltt('latency', 'http.request', 'http.response', *words, trace).status, 2, words)
        self.assertEqual(ltt('latency', 'http.request', 'http.response').status, 2)

    def test_damage_is_reported_and_passed_over(self):
        result = ltt('latency', '--json', 'kinds.name', 'kinds.name', sample('damage'))
        self.assertEqual(result.status, 1)
        self.assertIn('cpu/0: block', result.err)
        self.assertGreater(json.loads(result.out)['pairs'], 0)

    def test_hostile_text_is_escaped(self):
        trace = self.requests(events={'cpu/0': [[request(1000, 1, '\x1b[2J\x9b<script>'), response(2000, 1)]]})
        result = ltt('latency', 'http.request', 'http.response', '--group', 'path', '--longest', '1', trace)
        self.assert_done(result, result.out)
        self.assertNotIn('\x1b', result.out)
        self.assertIn('\\u001b[2J', result.out)

    def test_ends_that_are_earlier_than_their_begins(self):
        """Where times fall, such a pair has no duration: it is left out and counted."""
        trace = self.requests(events={'cpu/0': [[request(1000, 1, '/a'), request(9000, 2, '/b'), request(9000, 3, '/c')],
                                                [response(4000, 2), response(4000, 1), response(4100, 4)], [response(9000, 3)]]},
                              system='falling_times="yes"')
        got = self.check([trace], 'http.request', 'http.response', 'id=request')
        self.assertEqual((got['pairs'], got['min'], got['ends_before_begin']), (2, 0, 1))
        self.assertEqual(ltt('latency', 'http.request', 'http.response', trace).lines[:3],
                         ['http.request to http.response, by id=request: 2 pairs', '  1 end without a begin',
                          '  1 end earlier than the begin, in no pair'])
        result = ltt('sql', '--format=csv', trace, "SELECT time, dur, key FROM pairs('http.request', 'http.response')")
        self.assertEqual((result.status, result.lines[1:]), (1, ['1000,3000,1', '9000,0,3']))
        self.assertIn('pairs that are left out because the end is earlier than the begin: 1', result.err)

    def test_no_pairs(self):
        trace = self.requests(events={'cpu/0': [[response(1000, 1)]]})
        self.assert_done(ltt('latency', 'http.request', 'http.response', trace),
                         'http.request to http.response, by id=request: 0 pairs\n  1 end without a begin\n')
        got = self.measure('http.request', 'http.response', trace)
        self.assertEqual((got['pairs'], got['p50'], got['histogram'], got['longest']), (0, None, [], []))

    def series(self, name, durations):
        """A trace with a request for each duration, in its group."""
        events, time = [], 1000
        for number, (path, duration) in enumerate(durations):
            events += [request(time, number, path), response(time + duration, number)]
            time += duration + 10
        blocks = [events[at:at + 60] for at in range(0, len(events), 60)]
        return self.requests(name, {'cpu/0': blocks})

    def test_difference(self):
        """U and p by their definitions."""
        before = [('/same', 100 + i * 7 % 50) for i in range(40)] + [('/worse', 200 + i * 11 % 60) for i in range(30)]
        after = [('/same', 100 + i * 13 % 50) for i in range(50)] + [('/worse', 300 + i * 17 % 60) for i in range(20)] + \
            [('/new', 5)] * 3
        result = ltt('latency', '--json', 'http.request', 'http.response', '--group', 'path', '--diff',
                     self.series('after', after), self.series('before', before))
        self.assertEqual(result.status, 0, result.err)
        got = json.loads(result.out)
        self.assertEqual([(row['name'], row['verdict']) for row in got['groups']],
                         [('/worse', 'slower'), ('/same', 'noise'), ('/new', None)])
        for row in got['groups'][:2]:
            one, other = ([duration for path, duration in both if path == row['name']] for both in (before, after))
            u = sum((a < b) + (a == b) / 2 for a in one for b in other)
            n = len(one) + len(other)
            ties = sum(t ** 3 - t for t in Counter(one + other).values())
            deviation = math.sqrt(len(one) * len(other) / 12 * (n + 1 - ties / (n * (n - 1))))
            p = math.erfc(max(abs(u - len(one) * len(other) / 2) - 0.5, 0) / deviation / math.sqrt(2))
            self.assertAlmostEqual(row['longer'], u / len(one) / len(other))
            self.assertAlmostEqual(row['p'], min(1, 2 * p))
            self.assert_numbers(row['before'], one)
            self.assert_numbers(row['after'], other)
        text = ltt('latency', 'http.request', 'http.response', '--group', 'path', '--diff', self.path('after'),
                   self.path('before'))
        self.assert_done(text, text.out)
        self.assertRegex(text.out, r'/worse +30 -> 20 .*slower')

    def test_a_hundred_thousand_keys_that_stay_open(self):
        """The table of open begins grows, and shrinks without losing a key."""
        n = 30000
        events = {'cpu/0': [[request(1000 + i, i * 2654435761 % 2 ** 32, '') for i in range(at, at + 3000)]
                            for at in range(0, n, 3000)],
                  'cpu/1': [[response(10 ** 6 + i, i * 2654435761 % 2 ** 32) for i in range(at, at + 3000)]
                            for at in range(n - 3000, -1, -3000)][::-1]}
        path = self.path('many')
        small_trace.write(path, REQUESTS, events, block_size=65536)
        got = self.measure('http.request', 'http.response', path)
        self.assertEqual((got['pairs'], got['begins_without_end'], got['min'], got['max']), (n, 0, 999000, 999000))

    def test_keys_of_other_types(self):
        path = self.path('types')
        small_trace.write(path, '''<facility name="f"><event name="a"><struct><field name="x"><float size="4"/></field>
            <field name="n"><int size="2"/></field><field name="s"><struct><field name="deep"><string/></field></struct></field>
            </struct></event></facility>''', {'cpu/0': [[
                (1000 + 10 * i, 'a', struct.pack('<fh', x, n) + text + b'\0') for i, (x, n, text) in enumerate((
                    (0.5, -1, b'p'), (0.0, 2, b'q'), (-0.0, -1, b'p'), (0.5, 2, b'')))]]}, )
        for by, keys in (('x', ['0.5', '0.0']), ('n', ['-1', '2']), ('s.deep', ['p']), ('data.n', ['-1', '2'])):
            got = self.measure('f.a', 'f.a', '--by', by, '--longest', '9', path)
            self.assertEqual(sorted(row['key'] for row in got['longest']), sorted(keys), by)
        self.assertEqual(os.path.basename(path), 'types')
