"""`ltt view`: numbers of a selected time, which are those of `ltt latency`, `ltt sql` and `ltt flame`."""
import json
import random
import re
import unittest
import urllib.parse

import small_trace
from command import BUILD, as_json, ltt, sample, thorough
from span_trace import DESCRIPTION, blocks, make_events
from viewing import PageTest, ViewTest, built


class Selected(ViewTest):
    def write(self, n=3000):
        path = self.path('trace')
        small_trace.write(path, DESCRIPTION, {'cpu/%d' % cpu: blocks(make_events(cpu, n), 900) for cpu in range(2)}, block_size=16384)
        return path


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Numbers(Selected):
    def windows(self, server, seed, n):
        """Some windows, as parameters of a request and as options of a command"""
        choose, about = random.Random(seed), server.ask('trace')
        for _ in range(n):
            begin, end = sorted(choose.sample(range(about['length']), 2))
            absolute = ['%d.%09d' % divmod(int(about['start']) + time, 10 ** 9) for time in (begin, end)]
            yield {'from': begin, 'to': end}, ['--from', absolute[0], '--to', absolute[1]]

    def test_durations_are_those_of_latency(self):
        trace = self.write()
        server = self.view(trace)
        pairs = {'f.a': ('f.a_begin', 'f.a_end'), 'f.b': ('f.b_begin', 'f.b_end'), 'f.work': ('f.work', 'f.done')}
        for window, options in self.windows(server, 1, 20):
            for filter_ in ('', 'cpu == 1'):
                more = {'filter': filter_} if filter_ else {}
                answer = server.ask('durations', **window, **more)
                found = {one['name']: one for one in answer['names']}
                self.assertEqual(answer['spans'], sum(one['count'] for one in found.values()))
                for name, (begin, end) in pairs.items():
                    expected = json.loads(ltt('latency', begin, end, '--json', *options, *(['--filter', filter_] if filter_ else []), trace).out)
                    one = found.get(name, {'count': 0})
                    self.assertEqual(one['count'], expected['pairs'], (name, options, filter_))
                    if one['count'] == 0:
                        continue
                    self.assertEqual([one[key] for key in ('min', 'p50', 'p90', 'p99', 'max')],
                                     [expected[key] for key in ('min', 'p50', 'p90', 'p99', 'max')])
                    self.assertAlmostEqual(one['mean'], expected['mean'], delta=0.51)
                    self.assertTrue(one['exact'])

    def test_sums_and_histogram_are_those_of_sql(self):
        trace = self.write()
        server = self.view(trace)
        start = int(server.ask('trace')['start'])
        rows = as_json(ltt('sql', '--format', 'json', trace, "SELECT time, dur, name FROM spans WHERE state = 'finished'").out)
        for window, _ in self.windows(server, 2, 20):
            inside = [row for row in rows if row['time'] - start >= window['from'] and row['time'] + row['dur'] - start < window['to']]
            answer = server.ask('durations', **window, name='f.work')
            work = [row for row in inside if row['name'] == 'f.work']
            for one in answer['names']:
                if one['name'] != 'f.work':
                    continue
                self.assertEqual(one['total'], sum(row['dur'] for row in work))
                self.assertIn((one['longest'] + start, one['max']), [(row['time'], row['dur']) for row in work])
            self.assertEqual([answer['histogram']['name']] if work else [], ['f.work'] if work else [])
            histogram = answer['histogram']['rows'] if work else []
            self.assertEqual([n for _, _, n in histogram],
                             [sum(low <= row['dur'] < (high or 2 ** 64) for row in work) for low, high, _ in histogram])
            self.assertEqual(sum(n for _, _, n in histogram), len(work))

    def test_a_sum_that_a_double_cannot_hold(self):
        trace, far = self.path('trace'), 4294967295 * 10 ** 9
        small_trace.write(trace, '<facility name="f"><event name="work"><uint size="4"/></event><event name="done" ltt:ends="work"/></facility>',
                          {'cpu/%d' % cpu: [[(1001, 'work', b'1234')], [(far, 'done', b'')]] for cpu in range(3)})
        [one] = self.view(trace).ask('durations')['names']
        self.assertEqual((one['count'], one['total']), (3, 3 * (far - 1001)))

    def test_the_flame_graph_is_that_of_flame(self):
        trace = self.write()
        server = self.view(trace)
        for window, options in self.windows(server, 3, 20):
            done = ltt('flame', '--folded', '--of', 'spans', '-o', '-', *options, trace)
            answer = server.ask('flame', **window)
            self.assertEqual(answer['folded'], done.out)
            self.assertEqual(answer['total'], sum(int(line.rsplit(' ', 1)[1]) for line in done.out.splitlines()))
        filtered = ltt('flame', '--folded', '--of', 'spans', '-o', '-', '--filter', 'cpu == 0', trace).out
        self.assertEqual(server.ask('flame', filter='cpu == 0')['folded'], filtered)

    def test_wrong_parameters(self):
        server = self.view(self.write(50))
        for name in ('durations', 'flame'):
            self.assertIn('to: expected more than from', server.refusal(name, **{'from': 9, 'to': 3}))
            self.assertRegex(server.refusal(name, filter='cpu =='), r'^byte \d+: ')
        self.assertNotIn('histogram', server.ask('durations', name='no such name'))


@thorough
class Panel(Selected, PageTest):
    def words(self, hash_):
        return dict(word.split('=', 1) for word in hash_.lstrip('#').split('&'))

    def test_spans_and_flame_graph(self):
        """Tabs show the spans by name, the histogram of one, and the flame graph; the address keeps the tab."""
        trace = self.write()
        server = self.view(trace)
        durations = server.ask('durations')
        first, second = durations['names'][:2]
        lane = self.use_url(server.url, [['open', ''], ['lane', 'cpu/0']])[1]
        answers = self.use_url(server.url, [
            ['open', ''], ['drag', lane['left'] + 2, lane['top'] + 5, lane['left'] + lane['width'] - 2], ['push', '#tab-spans'],
            ['read', '#details h2', 'durations of ' + first['name']], ['picture', 'selection-spans'],
            ['push', '#details tbody tr:nth-child(2) .link'], ['read', '#details h2', 'durations of ' + second['name']],
            ['push', '#tab-flame'], ['read', '#details .flame', 'all'], ['push', '.flame .frame:nth-child(2)'], ['picture', 'selection-flame'],
            ['push', '#close']])
        self.assertEqual(self.words(answers[1]['hash'])['tab'], 'overview')
        self.assertEqual(self.words(answers[2]['hash'])['tab'], 'spans')
        self.assertEqual(self.words(answers[9]['hash'])['tab'], 'flame')
        self.assertEqual(self.words(answers[9]['hash'])['frame'], 'asynchronous')
        self.assertNotIn('tab', self.words(answers[11]['hash']))

    def test_a_row_of_the_histogram_lists_its_spans(self):
        """Not the open one that is as long, which the histogram does not count."""
        trace = self.path('trace')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[(1000, 'b_begin', b''), (1200, 'b_end', b''), (1300, 'b_begin', b''), (1500, 'tick', b'')]]})
        answers = self.use([trace], [
            ['open', '#tab=spans&select=0-501'], ['read', '.histogram tbody', '200 ns to'], ['push', '.histogram tbody .link'],
            ['read', '#sql-output td', '200 ns'], ['box', '#sql-output tbody']])
        self.assertRegex(answers[1]['text'], r'\t1\b')
        self.assertEqual(answers[4]['text'].count('+0.'), 1)

    def test_the_address_restores_a_span_a_name_and_an_order(self):
        trace = self.write(700)
        _, lane = self.use([trace], [['open', ''], ['lane', 'cpu/0']])
        place = [lane['left'] + lane['width'] / 2, lane['top'] + 8]
        clicked = self.use([trace], [['open', ''], ['tap', *place], ['click', *place]])
        self.assertIn('lane=file0.cpu', clicked[1]['hash'])
        query = 'sql=%s&panel=sql' % urllib.parse.quote('SELECT n FROM (SELECT 2 AS n UNION ALL SELECT 3 UNION ALL SELECT 1)')
        cells = '#sql-output'
        answers = self.use([trace], [
            ['open', clicked[1]['hash']], ['read', '#details h2', 'cpu/0 at'], ['read', '#details', 'events'],
            ['open', '#' + query], ['read', cells, 'n'], ['push', cells + ' th button'], ['push', cells + ' th button'], ['read', cells, 'n ▼']])
        counts = [re.search(r'events\s+([\d,]+)', text).group(1) for text in (clicked[2]['text'], answers[2]['text'])]
        self.assertEqual(counts[0], counts[1])
        self.assertIn('sort=-1', answers[6]['hash'])
        self.assertRegex(answers[7]['text'], r'3\s+2\s+1')
        again = self.use([trace], [['open', answers[6]['hash']], ['read', cells, 'n ▼'],
                                   ['open', '#tab=spans&name=f.b&select=0-1000000'], ['read', '#details', 'f.b']])
        self.assertRegex(again[1]['text'], r'3\s+2\s+1')

    def test_pages_of_the_list_of_events(self):
        """The list has all events of the selection, 200 at a time; a click on a time shows it."""
        trace = self.write(700)
        lines = as_json(ltt('dump', '--format=json', trace).out)
        start = int(lines[0]['time'].replace('.', ''))
        length = int(lines[-1]['time'].replace('.', '')) - start + 1
        end = (len(lines) - 1) // 200 * 200

        def button(label):
            return '#details button[aria-label="%s events"]' % label

        n = '{:,}'.format(len(lines))
        steps = [['open', '#select=0-%d&tab=overview' % length], ['read', '#details', 'events 1 to 200 of ' + n],
                 ['push', button('Later')], ['read', '#details', 'events 201 to 400 of ' + n],
                 ['push', button('Last')], ['read', '#details', 'events {:,} to {} of {}'.format(end + 1, n, n)],
                 ['push', button('Earlier')], ['read', '#details', 'events {:,} to {:,} of'.format(end - 199, end)],
                 ['push', button('First')], ['read', '#details', 'events 1 to 200 of ' + n],
                 ['open', '#from=0&to=1000&select=0-%d&tab=overview&skip=400' % length], ['read', '#details', 'events 401 to 600 of ' + n],
                 ['push', '#details td .link'], ['picture', 'event-pages']]
        answers = self.use([trace], steps)
        self.assertIn('skip=200', answers[2]['hash'])
        self.assertNotIn('skip', answers[8]['hash'])
        time = int(lines[400]['time'].replace('.', '')) - start
        begin, to = map(int, re.search(r'from=(\d+)&to=(\d+)', answers[12]['hash']).groups())
        self.assertEqual(to - begin, 1000)
        self.assertTrue(begin <= time < to, (begin, time, to))

    def test_matches_of_the_filter_are_marked(self):
        """The list has all events; those that the filter selects are marked, also in words."""
        trace = self.write(200)
        answers = self.use([trace], [
            ['open', '#filter=%s&select=0-1000000' % urllib.parse.quote('event == "f.tick"')], ['read', '#filter-count', 'events'],
            ['press', 'n'], ['open', '#tab=overview&select=0-1000000&filter=' + urllib.parse.quote('event == "f.tick"')],
            ['read', '#details tr.match', 'f.tick'], ['read', '#details tr:not(.match)', 'f.work'], ['read', '#details [aria-label="match"]', '●'],
            ['picture', 'selection-marked']])
        self.assertIn('●', answers[4]['text'])
        self.assertNotIn('●', answers[5]['text'])

    def test_matches_are_marked_where_times_fall(self):
        """The first event of the list is not the earliest."""
        answers = self.use([sample('clock-set-back')], [
            ['open', '#tab=overview&select=0-11000000000&filter=' + urllib.parse.quote('event == "disk.idle"')], ['read', '#details .list', '●'],
            ['box', '#details .list']])
        self.assertEqual(answers[2]['text'].count('● disk.idle'), 4)

    def test_the_address_restores_the_panel(self):
        trace = self.write()
        server = self.view(trace)
        longest = server.ask('durations')['names'][0]
        answers = self.use_url(server.url, [
            ['open', '#tab=spans&select=0-%d' % server.ask('trace')['length']], ['read', '#details h2', 'spans that begin and end'],
            ['push', '#details tbody tr:first-child td:last-child .link'], ['read', '#details h2', 'spans that begin and end']])
        begin, end = map(int, self.words(answers[2]['hash'])['select'].split('-'))
        self.assertEqual((begin, end), (longest['longest'], longest['longest'] + longest['max'] + 1))
        self.assertTrue(re.search(r'[\d,]+ spans', answers[1]['text']), json.dumps(answers[1]))


if __name__ == '__main__':
    unittest.main()
