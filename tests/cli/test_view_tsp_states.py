"""States, wake-ups and counters over the Trace Server Protocol, as tsp-typescript-client sees them."""
import gzip
import os
import random
import re
import shutil
import struct
import unittest
from collections import Counter

import small_trace
from command import SOURCE, as_json, ltt
from viewing import TspTest

COUNTERS = '''<facility name="f"><event name="queue"><struct><field name="length" ltt:role="counter"><uint size="4"/></field>
<field name="share" ltt:role="counter"><float size="8"/></field></struct></event><event name="tick"/></facility>'''
WORDS = {'running': 'Running', 'runnable, without a CPU': 'R', 'preempted': 'R+', 'waiting': 'S', 'waiting, uninterruptible': 'D', 'stopped': 'T'}


class States(TspTest):
    def open(self):
        """Imports `perf record -C 1 -e sched:sched_switch,... -- taskset -c 1 sleep 0.005`, and connects."""
        path, self.trace = self.path('perf.data'), self.path('trace')
        with gzip.open(os.path.join(SOURCE, 'tests/data/states/sched.data.gz')) as packed, open(path, 'wb') as file:
            shutil.copyfileobj(packed, file)
        self.assertEqual(ltt('import', path, '-o', self.trace).status, 0)
        self.experiment = self.connect(self.trace)
        entries = self.model('fetchTimeGraphTree', self.experiment['UUID'], 'states', {})['entries']
        self.rows = {entry['id']: entry['labels'][0] for entry in entries if entry['hasData']}
        self.tids = {row: int(re.search(r'thread (\d+)$', label)[1]) for row, label in self.rows.items() if not label.startswith('CPU')}
        self.stretches = as_json(ltt('sql', '--format', 'json', self.trace, 'SELECT * FROM thread_state').out)

    def test_tree(self):
        """Each thread of thread_state is a row of its process, and each CPU is one."""
        self.open()
        self.assertEqual(sorted(self.tids.values()), sorted({row['tid'] for row in self.stretches}))
        self.assertEqual([label for label in self.rows.values() if label.startswith('CPU')], ['CPU 1'])
        self.assertTrue(any(label.startswith('sleep, thread') for label in self.rows.values()))

    def test_windows(self):
        """At random windows, the states of two pixels or more are those of thread_state."""
        self.open()
        choose, start, end = random.Random(1), self.experiment['start'], self.experiment['end']
        for _ in range(100):
            width = choose.randrange(200, 400 * ((end - start) // 262144 + 1))
            first = choose.randrange(start, end - width)
            window = {'requested_timerange': {'start': first, 'end': first + width - 1, 'nbTimes': 200}, 'requested_items': list(self.tids)}
            rows = self.model('fetchTimeGraphStates', self.experiment['UUID'], 'states', window)['rows']
            self.assertEqual([row['entryId'] for row in rows], list(self.tids))
            got = Counter((self.tids[row['entryId']], state['start'], state['end'], *(state['label'].split(': ') + [''])[:2])
                          for row in rows for state in row['states'] if (state['end'] - state['start']) * 200 >= 2 * width)
            for row in rows:
                for one, next_one in zip(row['states'], row['states'][1:]):
                    self.assertLessEqual(one['end'], next_one['start'])
            wanted = Counter((row['tid'], row['time'], row['time'] + row['dur'], word, row['reason'] or '') for row in self.stretches
                             for word, state in WORDS.items() if row['state'] == state and row['dur'] * 200 >= 2 * width and
                             row['time'] < first + width and row['time'] + row['dur'] > first)
            self.assertEqual(got, wanted)

    def test_arrows(self):
        """They are the runnable stretches that a thread began."""
        self.open()
        window = {'requested_timerange': {'start': self.experiment['start'], 'end': self.experiment['end'], 'nbTimes': 100}}
        arrows = self.model('fetchTimeGraphArrows', self.experiment['UUID'], 'states', window)
        got = {(self.tids[arrow['sourceId']], self.tids[arrow['targetId']], arrow['start'], arrow['end']) for arrow in arrows}
        self.assertEqual(got, {(row['waker_tid'], row['tid'], row['time'], row['time'] + row['dur']) for row in self.stretches
                               if row['state'] == 'R' and row['waker'] == 'thread'})
        self.assertGreater(len(got), 3)
        self.assertTrue(any(row['state'] == 'R+' and row['waker'] == 'thread' for row in self.stretches))  # no arrow
        styles = self.model('fetchStyles', self.experiment['UUID'], 'states', {})['styles']
        self.assertIn(arrows[0]['style']['parentKey'], styles)
        self.assertIn('thread running', styles)

    def test_tooltip(self):
        self.open()
        waiting = next(row for row in self.stretches if row['reason'] == 'system call 230')
        row = next(row for row, tid in self.tids.items() if tid == waiting['tid'])
        tooltip = self.model('fetchTimeGraphTooltip', self.experiment['UUID'], 'states', {
            'requested_items': [row], 'requested_times': [waiting['time'] + 1000],
            'requested_element': {'elementType': 'STATE', 'time': waiting['time'], 'duration': waiting['dur']}})
        self.assertEqual((tooltip['State'], tooltip['Woken by'], tooltip['Duration']),
                         ('waiting: system call 230', 'thread %d' % waiting['waker_tid'], '%d ns' % waiting['dur']))
        preempted = max((row for row in self.stretches if row['state'] == 'R+'), key=lambda row: row['dur'])
        tooltip = self.model('fetchTimeGraphTooltip', self.experiment['UUID'], 'states', {
            'requested_items': [next(row for row, tid in self.tids.items() if tid == preempted['tid'])],
            'requested_times': [preempted['time'] + 1000],
            'requested_element': {'elementType': 'STATE', 'time': preempted['time'], 'duration': preempted['dur']}})
        self.assertEqual((tooltip['State'], tooltip['Preempted by']), ('preempted', 'thread %d' % preempted['waker_tid']))
        self.assertNotIn('Woken by', tooltip)

    def test_items_that_are_no_rows(self):
        self.open()
        items = {'requested_items': [-1, 0, 2 ** 48, 65535 << 16, 2 ** 53]}
        for output in ('states', 'spans'):
            self.model('fetchTimeGraphStates', self.experiment['UUID'], output, items)
        self.assertEqual(self.model('fetchXY', self.experiment['UUID'], 'counters', items)['series'], [])


class Counters(TspTest):
    def test_values(self):
        """Each bin has the last value so far."""
        choose, time, events = random.Random(3), 1000, []
        for _ in range(3000):
            time += choose.choice((1, 7, 50, 400, 20000))
            events.append((time, 'queue', struct.pack('<Id', choose.randrange(2 ** 32), choose.uniform(-9, 9))) if choose.random() < 0.5
                          else (time, 'tick', b''))
        trace = self.path('trace')
        small_trace.write(trace, COUNTERS, {'cpu/0': [events]}, block_size=131072)
        experiment = self.connect(trace)
        uuid, start, end = experiment['UUID'], experiment['start'], experiment['end']
        entries = {entry['labels'][0]: entry['id'] for entry in self.model('fetchXYTree', uuid, 'counters', {})['entries'] if entry['hasData']}
        self.assertEqual(set(entries), {'f.queue.length', 'f.queue.share'})
        values = [(when, struct.unpack('<Id', payload)) for when, name, payload in events if name == 'queue']
        for _ in range(100):
            width = choose.randrange(200, 400 * ((end - start) // 262144 + 1))
            first = choose.randrange(start, end - width)
            window = {'requested_timerange': {'start': first, 'end': first + width - 1, 'nbTimes': 200}, 'requested_items': list(entries.values())}
            for index, series in enumerate(self.model('fetchXY', uuid, 'counters', window)['series']):
                self.assertEqual(series['seriesId'], entries[series['seriesName']])
                edges = series['xValues'][1:] + [first + width]
                expected = [next((own[index] for when, own in reversed(values) if when < edge), 0) for edge in edges]
                self.assertEqual(series['yValues'], [value if len('%.17g' % value) <= 15 else float('%.8g' % value) for value in expected])

    def test_large_answers(self):
        """A request whose answer would be too large is rejected; other requests about as many counters are not."""
        description = '<facility name="f"><event name="c"><struct><field name="v" ltt:role="counter"><uint size="1"/></field></struct></event></facility>'
        with open(os.path.join(SOURCE, 'eventdefs/tracer.xml'), encoding='utf-8') as file:
            tracer = file.read()
        trace, n = self.path('trace'), 1500
        small_trace.write(trace, [description, tracer], {'cpu/0': [[event for i in range(n) for event in (
            (1000 * i, 'thread', struct.pack('<II', i + 1, i + 1)), (1000 * i, 'c', bytes([i % 200 + 1])))]]}, block_size=65536)
        experiment = self.connect(trace)
        uuid = experiment['UUID']
        items = [entry['id'] for entry in self.model('fetchXYTree', uuid, 'counters', {})['entries'] if entry['hasData']]
        self.assertEqual(len(items), n)

        def query(n_times):
            return {'requested_timerange': {'start': 0, 'end': experiment['end'], 'nbTimes': n_times}, 'requested_items': items}

        status, answer = self.call('fetchXY', uuid, 'counters', query(4000))
        self.assertEqual((status, re.sub(r'\d+', 'N', answer['title'])),
                         (400, 'requested_items: the answer would be larger than N MiB; request fewer items, or fewer times'))
        series = self.model('fetchXY', uuid, 'counters', query(2))['series']
        self.assertEqual([line['seriesId'] for line in series], items)
        # All counters have their value in the second half, and those of the first half have it in the first.
        self.assertEqual([line['yValues'] for line in series], [[(i % 200 + 1) * (i < n // 2), i % 200 + 1] for i in range(n)])
        late = {'requested_timerange': {'start': 1000 * (n - 1), 'end': experiment['end'], 'nbTimes': 1}, 'requested_items': items}
        series = self.model('fetchXY', uuid, 'counters', late)['series']
        self.assertEqual([line['yValues'] for line in series], [[i % 200 + 1] for i in range(n)])


if __name__ == '__main__':
    unittest.main()
