"""Imported recordings whose times decrease: windows, parts and merges have exactly the events that their times tell."""
import json
import os
import random
import shutil
import unittest

from cli.test_revent import ReventTest, general
from command import BUILD, ltt, sample, some, time_ns
from viewing import ViewTest, built

S = 10**9


def make_times(chance):
    """Seconds and microseconds that mostly rise, but jump back and forth; sometimes by years, and to 0."""
    now = chance.randrange(0, 50)
    for _ in range(chance.choice([3, 20, 9000])):
        if chance.random() < chance.choice([0.001, 0.3]):
            now = chance.choice([0, 5, 50, 10**9, 4 * 10**9])
        now += chance.choice([0, 0, 0, 1])
        yield now, chance.randrange(0, 3)


class FallingTest(ReventTest):
    def record(self, chance, name):
        times = list(make_times(chance))
        trace = self.path(name)
        recording = self.write(general(2, [(0, *time, 1, 330, i) for i, time in enumerate(times)]), name + '.revent')
        self.assert_done(ltt('import', recording, '-o', trace))
        return [(s * S + us * 1000, i) for i, (s, us) in enumerate(times)], trace

    def read(self, trace, *options):
        return [(time_ns(event), event['data']['value']) for event in self.events(trace, *options)]


class Falling(FallingTest):
    def expect_part(self, trace, events, first, end):
        window = ['--from', '%d.%09d' % divmod(first, S), '--to', '%d.%09d' % divmod(end, S)]
        expected = [event for event in events if first <= event[0] < end]
        self.assertEqual(self.read(trace, *window), expected)
        part = self.path('part')
        ltt('cut', *window, '-o', part, trace)
        if os.path.exists(part):
            self.assertEqual(self.read(part), expected)
            self.assertEqual(ltt('check', part).status, 0)
            shutil.rmtree(part)

    def test_windows(self):
        for seed in range(some(12)):
            chance = random.Random(seed)
            events, trace = self.record(chance, 'trace%d' % seed)
            with self.subTest(seed=seed):
                self.assertEqual(self.read(trace), events)
                times = sorted({time for time, _ in events})
                lines = ltt('stat', '--event', 'revent.*', trace).lines
                self.assertIn('start      %d.%09d' % divmod(times[0], S), lines)
                self.assertIn('end        %d.%09d' % divmod(times[-1], S), [line.split('  (')[0] for line in lines])
                for _ in range(3):
                    first, end = sorted(chance.choice(times) + chance.choice([0, 1]) for _ in range(2))
                    self.expect_part(trace, events, first, end)
                    counted = ltt('sql', '--format=csv', trace, 'select count(*) from events where type glob \'revent.*\' '
                                  'and time >= %d and time < %d' % (first, end)).lines[1]
                    self.assertEqual(int(counted), sum(first <= time < end for time, _ in events))

    def test_the_trace_says_it(self):
        """Also if it was merged into another one, or packed without its attributes: its files are never sampled."""
        trace, both, archive = self.path('trace'), self.path('both'), self.path('archive.tar')
        self.assert_done(ltt('import', self.write(general(2, [(0, 5, 0, 1, 330, 5), (0, 1, 0, 1, 330, 1)])), '-o', trace))
        self.assertEqual(ltt('merge', sample('one-cpu'), trace, '-o', both).status, 0)
        self.assertEqual(ltt('pack', '--redact', 'host', trace, '-o', archive).status, 0)
        for path in (trace, both, archive):
            self.assertIn('falling_times', ltt('info', path).out)
        self.assertNotIn('falling_times', ltt('info', sample('one-cpu')).out)

    def test_sorted_queries(self):
        for seed in range(some(6)):
            events, trace = self.record(random.Random(seed), 'trace%d' % seed)
            query = "select time from events where type glob 'revent.*' order by time limit 7"
            found = [int(line) for line in ltt('sql', '--format=csv', trace, query).lines[1:]]
            self.assertEqual(found, sorted(time for time, _ in events)[:7])

    def test_every_event_is_in_one_part(self):
        for seed in range(some(6)):
            chance = random.Random(seed)
            events, trace = self.record(chance, 'trace%d' % seed)
            parts = self.path('parts%d' % seed)
            with self.subTest(seed=seed):
                self.assert_done(ltt('cut', '--every', '5s', '-o', parts, trace))
                found = [event for part in sorted(os.listdir(parts)) for event in self.read(os.path.join(parts, part))]
                self.assertEqual(sorted(found), sorted(events))

    def test_parts_of_parts_and_merges(self):
        """Blocks that are copied or rewritten keep the range of their times."""
        for seed in range(some(6)):
            chance = random.Random(seed)
            events, trace = self.record(chance, 'trace%d' % seed)
            others, other = self.record(chance, 'other%d' % seed)
            half, both = self.path('half%d' % seed), self.path('both%d' % seed)
            middle = sorted(time for time, _ in events)[len(events) // 2]
            with self.subTest(seed=seed):
                ltt('cut', '--to', '%d.%09d' % divmod(middle + 1, S), '-o', half, trace)
                left = [event for event in events if event[0] <= middle]
                self.expect_part(half, left, middle // 2, middle)
                self.assertEqual(ltt('merge', trace, other, '-o', both).status, 0)
                window = ['--from', '%d.%09d' % divmod(middle, S)]
                self.assertEqual(sorted(self.read(both, *window)),
                                 sorted(event for event in events + others if event[0] >= middle))


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Viewed(FallingTest, ViewTest):
    """What the server of `ltt view` finds and lists: the times of two files."""

    def serve(self, seed):
        """Starts a server. Returns: all events in merged order"""
        chance, traces = random.Random(seed), []
        for name in ('first%d' % seed, 'second%d' % seed):
            traces.append(self.path(name))
            recording = self.write(general(2, [(0, chance.randrange(60), chance.randrange(3), 1, 330, i) for i in range(70)]), name + '.revent')
            self.assert_done(ltt('import', recording, '-o', traces[-1]))
        both = self.path('both%d' % seed)
        self.assertEqual(ltt('merge', *traces, '-o', both).status, 0)
        self.server = self.view(both)
        self.assertEqual(self.server.wait()['stage'], 'ready')
        return [json.loads(line) for line in ltt('dump', '--format=json', both).lines]

    def test_find(self):
        """Steps forwards and backwards visit all times."""
        for seed in range(some(4)):
            events = self.serve(seed)
            start = int(self.server.ask('trace')['start'])
            times = sorted({time_ns(event) - start for event in events if event['event'] == 'revent.EV_KEY'})
            self.assertGreater(len(times), 50)
            found = [self.server.ask('find', filter='event == "revent.EV_KEY"', **{'from': 0})['time']]
            while found[-1] is not None:
                found.append(self.server.ask('find', filter='event == "revent.EV_KEY"', **{'from': found[-1] + 1})['time'])
            self.assertEqual(found, times + [None])
            found = [self.server.ask('find', filter='event == "revent.EV_KEY"', before=times[-1] + 1)['time']]
            while found[-1] is not None:
                found.append(self.server.ask('find', filter='event == "revent.EV_KEY"', before=found[-1])['time'])
            self.assertEqual(found, times[::-1] + [None])
            self.server.end()

    def test_lines(self):
        """Each page of the table of the Trace Server Protocol has the lines that the whole table has there."""
        for seed in range(some(4)):
            events = [['%d.%09d' % divmod(time_ns(event), S), event['tracefile'], event['event']] for event in self.serve(seed)]
            experiment, = json.loads(self.server.request(self.server.path + 'tsp/api/experiments')[2])

            def lines(**where):
                path = '%stsp/api/experiments/%s/outputs/table/events/lines' % (self.server.path, experiment['UUID'])
                parameters = {**where, 'requested_table_column_ids': [0, 1, 4], 'requested_table_count': 7}
                status, _, answer = self.server.send('POST', path, json.dumps({'parameters': parameters}))
                self.assertEqual(status, 200, answer)
                model = json.loads(answer)['model']
                self.assertEqual([line['index'] for line in model['lines']], list(range(model['lowIndex'], model['lowIndex'] + len(model['lines']))))
                return model['lowIndex'], [[cell['content'] for cell in line['cells']] for line in model['lines']]

            for index in range(len(events)):
                self.assertEqual(lines(requested_table_index=index), (index, events[index:index + 7]))
            for second in range(0, 60, 7):
                first = next((i for i, event in enumerate(events) if float(event[0]) >= second), len(events))
                self.assertEqual(lines(requested_times=[second * S]), (first, events[first:first + 7]))
            self.server.end()
