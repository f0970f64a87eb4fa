"""States, wake-ups and counters on the page of `ltt view`, in Chromium."""
import gzip
import os
import re
import shutil
import struct
import unittest
import urllib.parse

import small_trace
from command import SOURCE, as_json, ltt, thorough
from kernel_case import Kernel
from switch_trace import DESCRIPTION, make_scheduler
from viewing import PageTest

COUNTERS = '''<facility name="f"><event name="queue"><struct><field name="length" ltt:role="counter"><uint size="4"/></field></struct></event>
<event name="tick"/></facility>'''
INK = '28,28,30' # of arrows
STATES = ['threads', 'running', 'runnable, without a CPU', 'preempted', 'waiting', 'waiting, uninterruptible', 'stopped', 'CPUs', 'softirq',
          'interrupt', 'idle']


@thorough
class States(PageTest):
    def recording(self):
        """`perf record -C 1 -e sched:sched_switch,... -- taskset -c 1 sleep 0.005`, imported"""
        path, trace = self.path('perf.data'), self.path('trace')
        with gzip.open(os.path.join(SOURCE, 'tests/data/states/sched.data.gz')) as packed, open(path, 'wb') as file:
            shutil.copyfileobj(packed, file)
        self.assertEqual(ltt('import', path, '-o', trace).status, 0)
        return trace

    def pinned(self, server, window, *tids):
        """Returns: the state of the page with a window, and the lanes of these threads at the top"""
        server.wait()
        pids = {lane['tid']: lane['pid'] for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'thread'}
        return window + '&pinned=' + ','.join('t0.%d.%d' % (pids[tid], tid) for tid in tids)

    def test_states_of_a_recording(self):
        """The tooltip shows the states of a thread and a CPU, and what woke the thread."""
        server = self.view(self.recording())
        url, window = server.url, self.pinned(server, '#from=84000000&to=84050000', 28384, 28407, 28311)
        lanes = self.use_url(url, [['open', window], ['lane', 'CPU 1']] + [['lane', tid] for tid in ('28384', '28407', '28311')])
        answers = self.use_url(url, [['open', window]] + [['hover', lane['left'] + 400, lane['top'] + 6] for lane in lanes[1:]] +
                               [['read', '#legend'], ['open', ''], ['picture', 'states-perf']])
        strip, = self.use_url(url, [['open', '#from=0&to=50000&' + window.split('&', 2)[2]], ['lane', '28407']])[1:]
        before, = self.use_url(url, [['open', '#from=0&to=50000&' + window.split('&', 2)[2]], ['hover', strip['left'] + 400, strip['top'] + 6]])[1:]
        self.assertEqual(before['text'], '')  # the state is not known yet
        texts = [answer.get('text') for answer in answers]
        self.assertRegex(texts[1], r'^runs \S+ 28384\n3\.24 ms from \+0\.082021208$')
        self.assertRegex(texts[2], r'^running on CPU 1\n3\.24 ms from \+0\.082021208$')
        self.assertRegex(texts[3], r'^waiting: system call 230\nwoken by thread 28384, perf\n5\.09 ms from \+0\.080140787$')
        self.assertRegex(texts[4], r'^preempted by thread 19532(, \S+)?\n13\.0 ms from \+0\.072230038$')
        self.assertRegex(texts[5], r'^threads\s*running\s*runnable, without a CPU\s*preempted')
        self.assertGreater(answers[7]['colours'], 5)

    def test_why_a_thread_was_slow(self):
        """`why?` zooms to the time of the row, scrolls to its thread, and says which threads preempted it: those that `sched`
        has on its CPU from then on."""
        trace = self.recording()
        server = self.view(trace)
        start = int(server.ask('trace')['start'])
        begin, end = start + 72 * 10 ** 6, start + 82 * 10 ** 6
        query = 'SELECT %d AS time, %d AS dur, 28311 AS tid' % (begin, end - begin)
        answers = self.use_url(server.url, [
            ['open', '#panel=sql&sql=' + urllib.parse.quote(query)], ['read', '#sql-status', '1 row'], ['push', '#sql-output .why'],
            ['read', '#sql-output', 'preempted by'], ['read', '#sql-status strong', 'The thread was preempted'], ['seen', '28311'],
            ['picture', 'why'], ['push', '#open-details'], ['read', '#details .about', 'preempted'], ['push', '#sql-close'],
            ['push', '#details .about button'], ['read', '#sql-status strong', 'The longest cause: preempted by thread']])
        words = dict(urllib.parse.parse_qsl(answers[2]['hash'][1:]))
        self.assertEqual([words[name] for name in ('from', 'to', 'select')], ['70500000', '83500001', '72000000-82000001'])
        rows = as_json(ltt('sql', '--format', 'json', trace, 'SELECT DISTINCT r.tid FROM thread_state AS s JOIN sched AS r ON r.time = s.time '
                           "WHERE s.tid = 28311 AND s.state = 'R+' AND s.time < %d AND s.time + s.dur > %d" % (end, begin)).out)
        found = re.findall(r'^(preempted|running)\t\t(?:thread (\d+)(?:, [^\t]+)?)?\t', answers[3]['text'], re.M)
        self.assertEqual(sorted(found), [('preempted', str(tid)) for tid in sorted(row['tid'] for row in rows)] + [('running', '')])
        parts = dict(re.findall(r'(preempted|running)\s+([\d.]+ ms), \d+ %', answers[8]['text']))  # of the details, by the states of the lane
        self.assertEqual(parts, dict(re.findall(r'(preempted|running) ([\d.]+ ms) \(', answers[4]['text'])))
        self.assertEqual(answers[11]['text'], answers[4]['text'])

    def test_why_with_equal_threads(self):
        """`why?` is of the thread of the row, and not of those with its number in other traces; a row that can be of both
        is not answered."""
        traces = []
        for seed in 1, 2:
            traces.append(self.path('of%d' % seed))
            small_trace.write(traces[-1], DESCRIPTION, {name: [own] for name, own in make_scheduler(seed, 3000).items()}, block_size=1 << 18)
        server = self.view(*traces)
        server.wait()
        start = int(server.ask('trace')['start'])
        query = "SELECT '%s' AS trace, %d AS time, 1000000 AS dur, 103 AS tid" % (traces[1], start + 500000)
        answers = self.use_url(server.url, [
            ['open', '#panel=sql&sql=' + urllib.parse.quote(query)], ['read', '#sql-status', '1 row'], ['push', '#sql-output .why'],
            ['read', '#sql-status strong', 'The thread was'], ['push', '#sql-close'], ['open', '#panel=sql&sql=' + urllib.parse.quote(
                query.replace("'%s' AS trace, " % traces[1], ''))],
            ['read', '#sql-status', '1 row'], ['push', '#sql-output .why'], ['said', 'add them to the query']])
        words = dict(urllib.parse.parse_qsl(answers[4]['hash'][1:]))
        self.assertEqual(words['lane'].split('.')[0], 't1')
        answer = server.ask('sql', query=words['sql'])
        total = sum(row[answer['columns'].index('dur')] for row in answer['rows'])
        one, other = (server.ask('sql', query="SELECT sum(min(time + dur, {0} + 1000000) - max(time, {0})) FROM thread_state WHERE tid = 103 "
                                 "AND trace = '{1}' AND time < {0} + 1000000 AND time + dur > {0}".format(start + 500000, path))['rows'][0][0]
                      for path in traces)
        self.assertGreater(one, 0)
        self.assertEqual(total, other)

    def test_arrows_of_wakeups(self):
        """The page shows the arrows of the thread under the pointer, and keeps them after a click."""
        server = self.view(self.recording())
        url, window = server.url, self.pinned(server, '#from=72200000&to=72240000', 28311, 19532, 28400)
        lane, other = self.use_url(url, [['open', window], ['lane', '19532'], ['lane', '28400']])[1:]
        place = lane['left'] + 20, lane['top'] + 6
        answers = self.use_url(url, [['open', window], ['count', INK], ['hover', *place], ['count', INK], ['picture', 'wake-up'],
                                     ['hover', other['left'] + 20, other['top'] + 6], ['count', INK], ['click', *place],
                                     ['hover', other['left'] + 20, other['top'] + 6], ['count', INK]])
        counts = [answer['pixels'] for answer in answers if 'pixels' in answer]
        self.assertEqual(counts[0], counts[2])
        self.assertGreater(counts[1], counts[0] + 10)  # the dot and the head; the line is translucent
        self.assertGreater(counts[3], counts[0] + 10)

    def test_counters(self):
        """Curves are steps, and the tooltip shows the value and the time of its last change."""
        trace = self.path('trace')
        small_trace.write(trace, COUNTERS, {'cpu/0': [[(time, 'queue', struct.pack('<I', value)) for time, value in
                                                       ((1000, 3), (4000, 8), (7000, 2))] + [(11000, 'tick', b'')]]})
        url = self.view(trace).url
        lane = self.use_url(url, [['open', ''], ['lane', 'f.queue.length']])[1]

        def hover(time):
            return ['hover', lane['left'] + lane['width'] * (time - 1000) / 10001, lane['top'] + 20]

        answers = self.use_url(url, [['open', ''], hover(3000), hover(5000), hover(9000), ['picture', 'counters'],
                                     ['open', '#from=4000&to=5500'], hover(3000)])
        self.assertEqual([answer['text'].split('\n')[0] for answer in answers[1:4]] + [answers[6]['text']],
                         ['f.queue.length = 3', 'f.queue.length = 8', 'f.queue.length = 2', 'f.queue.length = 8\nsince before the window'])

    def test_large_values_of_a_counter(self):
        """The tooltip has each digit, also in a page in a file."""
        trace, page = self.path('trace'), self.path('page.html')
        values = (2 ** 53 + 1, 2 ** 64 - 1, 7)
        small_trace.write(trace, COUNTERS.replace('size="4"', 'size="8"'), {'cpu/0': [[
            (1000 + 4000 * i, 'queue', struct.pack('<Q', value)) for i, value in enumerate(values)] + [(13000, 'tick', b'')]]})
        self.assertEqual(ltt('view', '--html', page, trace).status, 0)
        for url in (self.view(trace).url, 'file://' + page):
            lane = self.use_url(url, [['open', ''], ['lane', 'f.queue.length']])[1]
            answers = self.use_url(url, [['open', '']] + [['hover', lane['left'] + lane['width'] * share, lane['top'] + 20] for share in (0.2, 0.5, 0.8)])
            self.assertEqual([answer['text'].split('\n')[0] for answer in answers[1:]], ['f.queue.length = %d' % value for value in values])

    def test_a_saved_picture(self):
        """It has the legend of the states, and the names of groups are bold, as on the page."""
        answers = self.use([self.recording()], [['open', ''], ['keep', 'p', 'saved-states']])
        texts = answers[1]['texts']
        written = [text for text, _ in texts]
        self.assertEqual([text for text in written if text in STATES], STATES)
        self.assertEqual(answers[1]['swatches'], len(STATES) - 2)
        bold = {text for text, font in texts if re.match('600|bold', font)}
        self.assertLessEqual({'▾ CPUs', 'threads'}, bold)
        self.assertIn('CPU 1', set(written) - bold)

    def test_a_page_in_a_file(self):
        """It has the states and the arrows of its window."""
        trace, page = self.recording(), self.path('page.html')
        self.assertEqual(ltt('view', '--html', page, '--from', '+0.0722', '--to', '+0.07224', trace).status, 0)
        url, pinned = 'file://' + page, self.pinned(self.view(trace), '#from=72200000&to=72240000', 28311, 19532)
        lane = self.use_url(url, [['open', pinned], ['lane', '19532']])[1]
        answers = self.use_url(url, [['open', pinned], ['count', INK], ['hover', lane['left'] + 400, lane['top'] + 6], ['count', INK]])
        self.assertRegex(answers[2]['text'], r'^runnable, without a CPU\nwoken by thread 28311')
        self.assertGreater(answers[3]['pixels'], answers[1]['pixels'] + 10)


class Recorded(Kernel, PageTest):
    def test_a_recording_of_the_kernel(self):
        self.record('--kernel=sched,irq,syscalls', '--kernel-buffer=32M', '--', 'sh', '-c', '(sleep 0.02; echo x) | cat >/dev/null')
        answers = self.use([self.trace], [['open', ''], ['picture', 'states-kernel'], ['search', 'cat'], ['picture', 'states-cat']])
        self.assertIn('▾ CPUs', answers[0]['labels'])
        self.assertGreater(answers[1]['colours'], 8)
        self.assertGreater(answers[3]['colours'], 4)


if __name__ == '__main__':
    unittest.main()
