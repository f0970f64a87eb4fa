"""`ltt stat`: its counts compared with the events that `ltt dump` prints."""
import json
import os
import re
import shutil
import unittest
from collections import Counter
from decimal import Decimal

from command import DATA, SOURCE, CommandTest, ltt, sample, samples, some, some_of

SELECTIONS = (
    [],
    ['--all'],
    ['--cpu', '0,2-4'],
    ['--event', 'core.*,*.e?1'],
    ['--filter', 'fd > 0 || cpu == 1 || event =~ "*a*"'],
    ['--all', '--filter', 'data.block_id >= 0 || irq_id < 100'],
    ['--from', '+0.0001', '--to', '-0.0001'],
    ['--from', '1.000000001', '--all'],
)


def nanoseconds(text):
    return int(Decimal(text) * 10 ** 9)


def time_text(ns):
    return '%d.%09d' % divmod(ns, 10 ** 9)


class Stat(CommandTest):
    def events(self, trace, *options):
        return [json.loads(line) for line in ltt('dump', '--format=json', *options, trace).lines]

    def stat(self, trace, *options, status=0):
        result = ltt('stat', '--json', *options, trace)
        self.assertEqual(result.status, status, result.err)
        return json.loads(result.out)


class Counts(Stat):
    def check_counts(self, trace, options):
        dump = ltt('dump', '--format=json', *options, trace)
        events = [json.loads(line) for line in dump.lines]
        results = [ltt('stat', '--json', *options, '-j%d' % n, trace) for n in (1, 2, 7)]
        for result in results[1:]:
            self.assertEqual((result.out, result.err, result.status),
                             (results[0].out, results[0].err, results[0].status))
        stat = json.loads(results[0].out)
        self.assertEqual(results[0].status, dump.status)
        # The order of reported damage differs, because `ltt stat` does not merge.
        self.assertEqual(sorted(results[0].err.replace('ltt stat:', 'ltt dump:').splitlines()),
                         sorted(dump.err.splitlines()))

        times = [nanoseconds(event['time']) for event in events]
        self.assertEqual(stat['events'], len(events))
        self.assertEqual(stat['by_event'], dict(Counter(event['event'] for event in events)))
        self.assertEqual(stat['by_tracefile'], dict(Counter(event['tracefile'] for event in events)))
        self.assertEqual(stat['first'], time_text(min(times)) if times else None)
        self.assertEqual(stat['last'], time_text(max(times)) if times else None)
        if stat['by_process'] is not None:
            self.assertEqual(stat['by_process'],
                             dict(Counter(str(event['pid']) for event in events if 'pid' in event)))
            self.assertEqual(stat['no_process'], sum('pid' not in event for event in events))
            self.assertEqual({(thread['pid'], thread['tid']): thread['events'] for thread in stat['threads']},
                             dict(Counter((event['pid'], event['tid']) for event in events if 'pid' in event)))
        else:
            self.assertFalse(any('pid' in event for event in events))
        self.check_lists(stat, events)
        return len(events)

    def check_lists(self, stat, events):
        """Lists and short forms agree; the lists contain the omitted details."""
        self.assertEqual({item['name']: item['events'] for item in stat['types']}, stat['by_event'])
        order = [(-item['events'], item['name']) for item in stat['types']]
        self.assertEqual(order, sorted(order))
        for key in ('types', 'tracefiles'):
            self.assertEqual(sum(item['events'] for item in stat[key]), stat['events'])
            self.assertEqual(sum(item['bytes'] for item in stat[key]), stat['bytes'])
        self.assertEqual(sum(item['lost'] for item in stat['tracefiles']), stat['lost'])
        for item in stat['types']:
            times = [nanoseconds(event['time']) for event in events if event['event'] == item['name']]
            self.assertEqual((item['first'], item['last']), (time_text(min(times)), time_text(max(times))))
        for item in stat['tracefiles']:
            times = [nanoseconds(event['time']) for event in events if event['tracefile'] == item['name']]
            self.assertEqual(item['events'], len(times))
            gap = max((b - a for a, b in zip(times, times[1:])), default=0)
            # Where times decrease, the merge keeps the order of the file, so these gaps are those
            # of the file.
            self.assertEqual(item['longest_gap'], time_text(gap) if gap > 0 else None)
            if gap > 0:
                at = next(a for a, b in zip(times, times[1:]) if b - a == gap)
                self.assertEqual(item['gap_start'], time_text(at))

    def test_every_sample_and_selection(self):
        counted = 0
        for number, trace in enumerate(some_of(samples('ltt', 'ltt-extra', 'ltt-damaged'))):
            # All selections for some traces, and two for each other trace.
            chosen = SELECTIONS if number % 6 == 0 else (SELECTIONS[0], SELECTIONS[1 + number % 7])
            for options in chosen:
                with self.subTest(trace=os.path.basename(trace), options=options):
                    counted += self.check_counts(trace, options)
        self.assertGreater(counted, some(10000))

    def test_problems_found_on_the_way_come_in_order(self):
        """Files with local loads of facilities, each with a problem to report."""
        trace = self.copy(sample('load-in-cpu-file'))
        for source, target in (('0', '2'), ('1', '3')):
            shutil.copy(os.path.join(trace, 'cpu', source), os.path.join(trace, 'cpu', target))
        with open(os.path.join(trace, 'eventdefs/two.xml'), 'w', encoding='utf-8') as file:
            file.write('<facility name="left"><event name="step"/><event name="more"/></facility>\n'
                       '<facility name="right"><event name="step"><int size="1"/></event></facility>\n')
        first = ltt('stat', '--all', '-j1', trace)
        self.assertEqual(first.status, 1)
        places = [line.split(': ')[1] for line in first.err.splitlines()]
        self.assertEqual(places, sorted(places))
        self.assertEqual(set(places), {'cpu/0', 'cpu/1', 'cpu/2', 'cpu/3'})
        for _ in range(5):
            again = ltt('stat', '--all', '-j4', trace)
            self.assertEqual((again.err, again.out, again.status), (first.err, first.out, 1))


class Keys(Stat):
    def test_keys_and_their_order(self):
        stat = self.stat(sample('tracer'))
        self.assertEqual(list(stat), ['events', 'by_event', 'by_tracefile', 'lost', 'lost_by_reason', 'lost_process_events', 'too_large', 'bytes', 'first',
                                      'last', 'by_process', 'no_process', 'types', 'tracefiles', 'processes', 'threads', 'interval',
                                      'windows', 'conversions'])
        with open(os.path.join(SOURCE, 'doc/stat.md'), encoding='utf-8') as file:
            rows = re.findall(r'^\| (`[^|]*`) \|', file.read(), re.MULTILINE)
        self.assertEqual([key for row in rows for key in re.findall('`(.*?)`', row)], list(stat))
        self.assertEqual(stat['events'], 5)
        self.assertEqual(stat['by_event'], {'disk.idle': 4, 'disk.read': 1})
        self.assertEqual(stat['by_tracefile'], {'cpu/0': 5})
        self.assertEqual(stat['lost'], 7)
        self.assertEqual(stat['bytes'], 4 * 6 + 14)
        self.assertEqual((stat['first'], stat['last']), ('2.000000010', '2.000009006'))
        self.assertEqual((stat['by_process'], stat['no_process']), ({'10': 4}, 1))
        self.assertEqual(stat['processes'], [{'pid': 10, 'name': 'worker', 'events': 4, 'bytes': 3 * 6 + 14,
                                              'first': '2.000000010', 'last': '2.000002010'}])
        self.assertEqual([(thread['pid'], thread['tid'], thread['name'], thread['events']) for thread in stat['threads']],
                         [(10, 11, 'worker', 3), (10, 12, 'worker', 1)])
        self.assertEqual((stat['interval'], stat['windows']), (None, None))
        self.assertEqual(stat['tracefiles'][2], {
            'name': 'cpu/0', 'events': 5, 'bytes': 38, 'first': '2.000000010', 'last': '2.000009006',
            'lost': 7, 'longest_gap': '0.000006996', 'gap_start': '2.000002010'})

    def test_nothing_is_null(self):
        stat = self.stat(sample('one-cpu'), '--filter', 'fd == 0.5')
        self.assertEqual((stat['events'], stat['bytes'], stat['first'], stat['last']), (0, 0, None, None))
        self.assertEqual((stat['by_event'], stat['by_tracefile'], stat['types']), ({}, {}, []))
        self.assertEqual((stat['by_process'], stat['no_process'], stat['processes'], stat['threads']), (None,) * 4)
        self.assertEqual(stat['lost'], 0)


class Windows(Stat):
    def expected(self, events, interval, origin):
        found = Counter((nanoseconds(event['time']) - origin) // interval for event in events)
        return [(time_text(max(origin + number * interval, 0)), found[number]) for number in sorted(found)]

    def test_windows_begin_with_the_trace(self):
        for name in ('sparse-cpus', 'heartbeats', 'flight-recorder'):
            events = self.events(sample(name), '--all')
            origin = min(nanoseconds(event['time']) for event in events if event['tracefile'].startswith('cpu/'))
            for interval in ('0.00005', '0.001', '1', '1000000'):
                stat = self.stat(sample(name), '--all', '-i', interval, '-j3')
                self.assertEqual([(window['start'], window['events']) for window in stat['windows']],
                                 self.expected(events, nanoseconds(interval), origin), (name, interval))
                self.assertEqual(nanoseconds(stat['interval']), nanoseconds(interval))

    def test_windows_begin_with_from(self):
        trace = sample('sparse-cpus')
        events = self.events(trace, '--from', '1050000000.796')
        stat = self.stat(trace, '--from', '1050000000.796', '--interval=0.0001')
        self.assertEqual([(window['start'], window['events']) for window in stat['windows']],
                         self.expected(events, 100000, 1050000000796000000))
        self.assertGreater(len(stat['windows']), 3)


class Text(Stat):
    def test_tables(self):
        result = ltt('stat', '-i', '0.000005', sample('tracer'))
        self.assert_done(result)
        self.assertEqual(result.out, '''\
events     5
lost       7
size       38 bytes
start      2.000000000
end        2.000009006  (after 0.000009006 s)
first      2.000000010
last       2.000009006  (after 0.000008996 s)
per second 555,803

event        events     %  per second      size
  disk.idle       4  80.0     444,642  24 bytes
  disk.read       1  20.0     111,161  14 bytes

tracefile             events      %  per second      size  lost  longest gap         from
  control/facilities       0    0.0        0.00   0 bytes     0            -            -
  control/processes        0    0.0        0.00   0 bytes     0            -            -
  cpu/0                    5  100.0     555,803  38 bytes     7  0.000006996  2.000002010

process    events     %  per second      size  name
  10            4  80.0     444,642  32 bytes  worker
  unknown       1  20.0     111,161   6 bytes

thread  process  events     %  per second      size  name
  11         10       3  60.0     333,482  26 bytes  worker
  12         10       1  20.0     111,161   6 bytes  worker

from           events  per second      size
  2.000000000       4     800,000  32 bytes  ########################################
  2.000005000       1     200,000   6 bytes  ##########
''')

    def test_top(self):
        trace = self.path('trace')
        self.assert_done(ltt('import', os.path.join(DATA, 'perf/file-tracepoints.data'), '-o', trace))
        everything = self.stat(trace)
        for n in (1, 3, 1000):
            result = ltt('stat', '-n', n, trace)
            self.assert_done(result)
            tables = [table.splitlines() for table in result.out.split('\n\n')]
            for table, rows in ((tables[1], everything['types']), (tables[3], everything['processes'])):
                n_unknown = table[-1].startswith('  unknown')
                shown = [int(row[1].replace(',', '')) for row in (re.split('  +', line.strip()) for line in table[1:])]
                counts = [row['events'] for row in rows]
                expected = counts if len(counts) - n < 2 else counts[:n] + [sum(counts[n:])]
                self.assertEqual(shown[:len(shown) - n_unknown], expected)
                self.assertEqual('%d others' % (len(counts) - n) in '\n'.join(table), len(counts) - n > 1)
        self.assertEqual(ltt('stat', '-n', '1', '--json', trace).out, ltt('stat', '--json', trace).out)

    def test_windows_without_events_are_passed_over(self):
        result = ltt('stat', '-i', '0.000001', sample('tracer'))
        rows = [line.split()[:2] for line in result.lines[-5:]]
        self.assertEqual(rows, [['2.000000000', '2'], ['2.000001000', '1'], ['2.000002000', '1'], ['...', '0'],
                                ['2.000009000', '1']])

    def test_nothing_selected(self):
        result = ltt('stat', '--event', 'core.irq_exit', '--cpu', '7', sample('one-cpu'))
        self.assertEqual((result.status, result.out, result.err),
                         (1, 'events     0\n', 'ltt stat: --cpu: 7: the trace has no such CPU; it has 0\n'))


class Mistakes(Stat):
    def test_options(self):
        trace = sample('one-cpu')
        for text in ('0', '-1', '+1', 'x', '', '1.0000000001', '99999999999'):
            with self.subTest(interval=text):
                self.assert_failed(ltt('stat', '--interval=' + text, trace),
                                   'ltt stat: --interval: "%s": expected seconds above 0, or a number with '
                                   'a unit, such as 10ms' % text)
        for text in ('0', '-2'):
            self.assert_failed(ltt('stat', '-j', text, trace),
                               'ltt stat: --jobs: %s: expected a number of threads, 1 or more' % text)
        self.assert_failed(ltt('stat', '-n', '0', trace), 'ltt stat: --top: 0: expected a number of lines, 1 or more')
        self.assert_failed(ltt('stat', '-jx', trace), 'ltt stat: ', '-j')
        self.assert_failed(ltt('stat', self.path('none')), 'ltt stat: ')
        self.assertEqual(ltt('stat', '--filter', 'a ==', trace).status, 2)

    def test_many_threads(self):
        alone = ltt('stat', '--json', '-j1', sample('sparse-cpus'))
        self.assertEqual(ltt('stat', '--json', '-j', '100000', sample('sparse-cpus')).out, alone.out)
        self.assertEqual(ltt('stat', '--json', sample('sparse-cpus')).out, alone.out)


if __name__ == '__main__':
    unittest.main()
