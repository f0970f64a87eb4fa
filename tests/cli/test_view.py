"""`ltt view`: the answers of its server, and the clients that it refuses."""
import json
import os
import random
import signal
import socket
import unittest
from bisect import bisect_left
from collections import Counter

import big_trace
import small_trace
from command import BUILD, as_json, ltt, sample, samples, some_of, time_ns
from span_trace import DESCRIPTION, blocks, make_events
from viewing import ViewTest, built


def as_spans(numbers, names):
    return [(lane, begin, length, depth, names[name], outcome) for lane, begin, length, depth, name, outcome in
            zip(*[iter(numbers)] * 6)]


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Server(ViewTest):
    def trace(self, n=5000):
        path = self.path('trace')
        small_trace.write(path, DESCRIPTION, {'cpu/%d' % cpu: blocks(make_events(cpu, n), 3000) for cpu in range(2)},
                          block_size=65536)
        return path

    def spans(self, trace):
        """The spans that `ltt sql` finds: begin, end, name, state."""
        rows = as_json(ltt('sql', '--format', 'json', trace, 'SELECT time, dur, name, state FROM spans').out)
        return [(row['time'], row['time'] + row['dur'], row['name'], row['state']) for row in rows]

    def test_what_the_trace_is(self):
        server = self.view(sample('one-cpu'))
        trace, progress = server.ask('trace'), server.wait()
        info = json.loads(ltt('stat', '--json', sample('one-cpu')).out)
        self.assertEqual((trace['title'], len(trace['traces']), trace['empty']), ('one-cpu', 1, False))
        self.assertEqual((progress['stage'], progress['events'], progress['lost'], progress['n_problems']),
                         ('ready', info['events'], 0, 0))
        self.assertEqual(sum(server.ask('density', bins=100)['counts']), info['events'])
        self.assertEqual(server.end(), '')

    def test_all_samples(self):
        """Every event is counted in a lane, and those of CPUs in the lanes of the CPUs too."""
        for trace in some_of(samples('ltt', 'ltt-extra')):
            server = self.view(trace)
            progress = server.wait()
            self.assertEqual(progress['stage'], 'ready', trace)
            events = as_json(ltt('dump', '--format=json', trace).out)
            by_cpu = Counter(int(event['tracefile'].split('/')[1]) for event in events
                             if event['tracefile'].startswith(('cpu/', 'kernel/')))
            lanes = server.ask('lanes')
            self.assertTrue(lanes['complete'])
            self.assertEqual({lane['cpu']: lane['events'] for lane in lanes['lanes']
                              if lane['kind'] == 'cpu' and lane['events']}, by_cpu, trace)
            self.assertEqual(sum(server.ask('density', bins=64)['counts']), len(events))
            server.end()

    def test_density_and_counts_of_windows(self):
        trace = self.trace()
        times = [time_ns(event) for event in as_json(ltt('dump', '--format=json', trace).out)]
        server, choose = self.view(trace), random.Random(1)
        server.wait()
        start, length = int(server.ask('trace')['start']), server.ask('trace')['length']
        for _ in range(40):
            begin = choose.randrange(length - 1)
            end = begin + 1 + choose.randrange(min(length - begin, 10 ** choose.randrange(1, 9)))
            end = min(end, length)
            inside = sum(begin <= time - start < end for time in times)
            self.assertEqual(server.ask('stat', **{'from': begin, 'to': end})['events'], inside)
            n = choose.choice((1, 7, 100))
            for where in ({}, {'filter': 'cpu >= 0'}):
                density = server.ask('density', **{'from': begin, 'to': end, 'bins': n}, **where)
                self.check_density(density, sorted(time - start for time in times), begin, end)
                bin_ns = (end - begin) // len(density['counts'])
                most_ns = len(density['counts']) if where else length // 262144 + 1
                self.assertEqual(density['within'], 0 if bin_ns < (100 if where else 2) * most_ns else most_ns)

    def test_a_length_that_is_no_double(self):
        """JavaScript rounds the length; a window up to there is the whole trace."""
        trace, last = self.path('long'), 10 ** 16 + 3
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[(1, 'tick', b'')], [(last, 'tick', b'')]]})
        server = self.view(trace)
        server.wait()
        length = server.ask('trace')['length']
        self.assertEqual((length, int(float(length))), (last, last + 1))
        self.assertEqual(server.ask('stat', **{'from': 0, 'to': length + 1})['events'], 2)
        self.assertEqual(server.ask('stat', **{'from': length, 'to': length + 1})['events'], 1)
        self.assertIsNone(server.ask('find', filter='cpu > 7', before=length + 1)['time'])
        self.assertIn('to: expected a number from 0 to %d' % (length + 1), server.refusal('stat', **{'from': 0, 'to': length + 2}))

    def check_density(self, density, times, begin, end):
        """Each event is in its bin, or not further from it than the answer says."""
        self.assertTrue(density['counted'])
        n, within = len(density['counts']), density['within']
        total = 0
        for i, count in enumerate(density['counts']):
            total += count
            edge = begin - (end - begin) * (i + 1) // -n  # rounded up
            least = bisect_left(times, edge - within) - bisect_left(times, begin + within)
            most = bisect_left(times, edge + within) - bisect_left(times, begin - within)
            self.assertTrue(least <= total <= most, (i, least, total, most))

    def test_spans_of_windows(self):
        """A small window has the spans that `ltt sql` finds in it; those of a pixel or more one by one."""
        trace = self.trace(45000)  # more events than lie between two saved places
        expected = self.spans(trace)
        server, choose = self.view(trace), random.Random(2)
        server.wait()
        start, length = int(server.ask('trace')['start']), server.ask('trace')['length']
        lanes = ','.join(str(lane['id']) for lane in server.ask('lanes')['lanes'])
        for _ in range(25):
            pixels = choose.choice((200, 1000))
            width = choose.randrange(pixels, pixels * 2 * (length // 262144 + 1))
            begin = choose.randrange(length - width)
            answer = server.ask('spans', **{'from': begin, 'to': begin + width, 'pixels': pixels, 'lanes': lanes})
            self.assertTrue(answer['exact'])
            got = Counter((begin_, min(begin_ + length_, begin + width), answer['names'][name])
                          for _, begin_, length_, _, name, _ in zip(*[iter(answer['spans'])] * 6))
            wanted = Counter()
            for first, last, name, _ in expected:
                first, last = first - start, last - start
                # An open span ends where the window ends.
                shown = min(last, begin + width) if last < begin + width else begin + width
                is_long = (last - first if last < begin + width else max(begin + width - first, 0)) * pixels >= width
                if first < begin + width and last >= begin and is_long:
                    wanted[first, shown, name] += 1
            self.assertEqual(got, wanted)

    def test_open_spans_of_several_traces(self):
        """A span without an end ends with its own trace, as in `ltt sql`, wherever the window begins and ends."""
        paths = []
        for seed, n, begin in ((1, 45000, 0), (2, 3000, 10 ** 6)):
            path = self.path('trace-%d' % seed)
            events = [(time + begin, name, payload) for time, name, payload in make_events(seed, n)]
            small_trace.write(path, DESCRIPTION, {'cpu/0': blocks(events, 3000)}, block_size=65536)
            paths.append(path)
        rows = as_json(ltt('sql', '--format', 'json', *paths, 'SELECT trace, time, dur, name, state FROM spans').out)
        open_spans = [row for row in rows if row['state'] == 'open']
        ends = {row['trace']: row['time'] + row['dur'] for row in open_spans}
        self.assertEqual(len(ends), 2, open_spans)
        server, choose = self.view('--no-cache', *paths), random.Random(3)
        server.wait()
        start, length = int(server.ask('trace')['start']), server.ask('trace')['length']
        lanes = ','.join(str(lane['id']) for lane in server.ask('lanes')['lanes'])
        early, late = sorted(time - start for time in ends.values())
        self.assertLess(early, late)
        for middle in [early] * 8 + [(early + late) // 2] * 3 + [late]:
            width = choose.randrange(1000, 2000 * (length // 262144 + 1))
            begin = max(min(middle - choose.randrange(width), length - width), 0)
            answer = server.ask('spans', **{'from': begin, 'to': begin + width, 'pixels': 1000, 'lanes': lanes})
            self.assertTrue(answer['exact'])
            got = Counter((first, first + long, answer['names'][name]) for _, first, long, _, name, outcome in
                          zip(*[iter(answer['spans'])] * 6) if outcome == 2 and first + long < begin + width)
            wanted = Counter((row['time'] - start, row['time'] + row['dur'] - start, row['name']) for row in open_spans
                             if begin <= row['time'] + row['dur'] - start < begin + width and row['dur'] * 1000 >= width)
            self.assertEqual(got, wanted)

    def test_a_trace_with_many_events(self):
        """A window with more events than are read for a picture shows bins: no event is missing."""
        path = self.path('trace')
        n_events = big_trace.write(path, 10)  # more than 300,000 events
        server = self.view(path)
        self.assertEqual(server.wait()['events'], n_events)
        lanes = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'cpu']
        self.assertEqual([lane['cpu'] for lane in lanes], list(range(big_trace.CPUS)))
        length, shown = server.ask('trace')['length'], ','.join(str(lane['id']) for lane in lanes)
        for pixels in (1000, 16000):
            answer = server.ask('spans', pixels=pixels, lanes=shown)
            bins = list(zip(*[iter(answer['bins'])] * 6))
            self.assertEqual((answer['exact'], sum(bin[3] for bin in bins)), (False, n_events))
            self.assertLess(max(bin[1] for bin in bins), pixels)
        narrow = server.ask('spans', **{'from': length // 2, 'to': length // 2 + 7000, 'pixels': 1000, 'lanes': shown})
        self.assertEqual((narrow['exact'], sum(narrow['bins'][3::6])), (True, big_trace.CPUS * 7))
        window = {'from': length // 2, 'to': length // 2 + 30000, 'pixels': 1000, 'lanes': shown}
        exact, limited = (server.ask('spans', read=number, **window) for number in (300000, 100))
        self.assertEqual([(answer['exact'], answer['limited'], answer['read'] > 0) for answer in (exact, limited)],
                         [(True, False, True), (False, True, False)])
        self.assertEqual(exact, server.ask('spans', **window))
        self.assertGreater(sum(limited['bins'][3::6]), 0)
        self.assertFalse(server.ask('spans', pixels=1000, lanes=shown, read=100)['limited'])  # is drawn from bins anyway

    def test_asynchronous_spans_do_not_overlap(self):
        path = self.path('trace')
        ids = [number.to_bytes(4, 'little') for number in range(6)]
        times = [(1000, 'work', 0), (1100, 'work', 1), (1200, 'work', 2), (1300, 'done', 1), (1400, 'work', 3), (1500, 'done', 0),
                 (1600, 'work', 4), (1700, 'done', 2), (1800, 'done', 3), (1900, 'done', 4)]
        small_trace.write(path, DESCRIPTION, {'cpu/0': [[(time, name, ids[number]) for time, name, number in times]]})
        server = self.view(path)
        server.wait()
        lane, = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'async']
        self.assertEqual((lane['name'], lane['depths']), ('f.work', 3))
        answer = server.ask('spans', pixels=100, lanes=lane['id'])
        rows = sorted((begin, depth) for _, begin, _, depth, _, _ in zip(*[iter(answer['spans'])] * 6))
        self.assertEqual(rows, [(0, 0), (100, 1), (200, 2), (400, 1), (600, 0)])

    def test_the_whole_trace(self):
        """All spans begin in a rectangle or in a bin, and all single events are in bins."""
        trace = self.trace(20000)
        expected, stat = self.spans(trace), json.loads(ltt('stat', '--json', trace).out)
        server = self.view(trace)
        server.wait()
        lanes = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] != 'cpu']
        answer = server.ask('spans', pixels=500, lanes=','.join(str(lane['id']) for lane in lanes))
        self.assertFalse(answer['exact'])
        bins = list(zip(*[iter(answer['bins'])] * 6))
        self.assertEqual(len(answer['spans']) // 6 + sum(bin_[3] for bin_ in bins if bin_[2] >= 0), len(expected))
        ticks = stat['by_event']['f.tick']
        self.assertEqual(sum(bin_[3] for bin_ in bins if bin_[2] == -1), ticks)
        self.assertLess(len(bins), 500 * 8 * len(lanes))

    def test_bins_of_the_whole_trace(self):
        """Spans of less than a pixel are counted in the pixel in which they begin, however many bins of the map they have."""
        path, events, time = self.path('trace'), [], 1000
        for number in range(8000):
            length = (100, 3000, 40000, 90000)[number % 4]
            events += [(time, 'a_begin', b''), (time + length, 'a_end', b'')]
            time += length + 100
        small_trace.write(path, DESCRIPTION, {'cpu/0': blocks(events, 3000)}, block_size=65536)
        server = self.view(path)
        server.wait()
        pixels, trace = 500, server.ask('trace')
        lane, = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] != 'cpu']
        answer = server.ask('spans', pixels=pixels, lanes=lane['id'])
        bin_ns = trace['length'] // 262144 + 1
        found = Counter({bin_[1]: bin_[3] for bin_ in zip(*[iter(answer['bins'])] * 6)})
        expected = [Counter(), Counter()]
        for begin, *_ in self.spans(path):
            begin -= int(trace['start'])
            expected[0][begin * pixels // trace['length']] += 1
            expected[1][begin // bin_ns * bin_ns * pixels // trace['length']] += 1
        self.assertEqual((answer['exact'], answer['spans'], sum(found.values())), (False, [], 8000))
        for pixel in range(pixels):
            self.assertLessEqual(abs(found[pixel] - expected[0][pixel]), 2 + abs(expected[1][pixel] - expected[0][pixel]), pixel)

    def test_events(self):
        server = self.view(sample('one-cpu'))
        lines = ltt('dump', '--format=json', '--filter', 'irq_id > 7', sample('one-cpu')).lines
        self.assertGreater(len(lines), 2)
        got = server.ask('events', limit=10000, filter='irq_id > 7')
        self.assertEqual(got, {'events': [json.loads(line) for line in lines], 'more': False})
        self.assertEqual(server.ask('events', limit=2, filter='irq_id > 7'),
                         {'events': [json.loads(line) for line in lines[:2]], 'more': True})
        for skip in range(len(lines) + 2):
            self.assertEqual(server.ask('events', limit=2, skip=skip, filter='irq_id > 7'),
                             {'events': [json.loads(line) for line in lines[skip:skip + 2]], 'more': skip + 2 < len(lines)})

    def test_several_traces(self):
        server = self.view('--offset', '2=0.5', sample('one-cpu'), sample('sparse-cpus'))
        server.wait()
        self.assertEqual(len(server.ask('trace')['traces']), 2)
        self.assertEqual({lane['trace'] for lane in server.ask('lanes')['lanes']}, {0, 1})

    def test_damage_is_reported(self):
        path = self.copy(sample('one-cpu'))
        with open(os.path.join(path, 'cpu/0'), 'r+b') as file:
            file.seek(2048 + 300)
            file.write(b'\xff' * 200)
        server = self.view(path)
        progress = server.wait()
        self.assertEqual(progress['stage'], 'ready')
        self.assertGreater(progress['n_problems'], 0)
        self.assertIn('cpu/0', progress['problems'][0])
        self.assertEqual(sum(server.ask('density', bins=10)['counts']), progress['events'])

    def test_an_empty_trace(self):
        path = self.path('trace')
        small_trace.write(path, DESCRIPTION, {})
        server = self.view(path)
        self.assertEqual(server.wait()['stage'], 'ready')
        self.assertEqual(server.ask('lanes')['lanes'], [])

    def test_the_end_does_not_wait_for_the_trace(self):
        for signum in (signal.SIGINT, signal.SIGTERM):
            self.assertEqual(self.view(self.trace(1000)).end(signum), '')
            os.rename(self.path('trace'), self.path('trace-%d' % signum))


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Strangers(ViewTest):
    """Requests that are refused get nothing of the trace."""

    def setUp(self):
        super().setUp()
        self.server = self.view(sample('one-cpu'))

    def refused(self, path, status=403, **options):
        got, headers, body = self.server.request(path, **options)
        self.assertEqual((got, body), (status, {403: 'forbidden\n', 404: 'not found\n', 405: 'expected GET\n'}[status]))
        self.assertNotIn('Access-Control-Allow-Origin', headers)

    def test_a_wrong_token(self):
        path = self.server.path
        for wrong in ('/', '/api/trace', path[:-2] + '/', path[:-2] + '0/api/trace', '/' + 'f' * 32 + '/api/trace', path[:-1],
                      path[:-1] + 'x/api/trace', '//' + path[1:], '/%2e' + path):
            if wrong[:33] != path[:33] or wrong[33:34] != '/':
                self.refused(wrong)

    def test_a_foreign_host_or_origin(self):
        good = self.server.path + 'api/trace'
        port = self.server.host.split(':')[1]
        for host in ('evil.example', 'evil.example:' + port, '127.0.0.1', '127.0.0.1:1', ''):
            self.refused(good, Host=host)
        for origin in ('http://evil.example', 'null', 'https://' + self.server.host, 'http://127.0.0.1:1', 'file://'):
            self.refused(good, Origin=origin)
        for host in (self.server.host, 'localhost:' + port):
            self.assertEqual(self.server.request(good, Host=host, Origin='http://' + host)[0], 200)

    def test_paths_and_methods(self):
        for path in ('../../etc/passwd', '..%2f..%2fetc/passwd', 'viewer.js/', 'api/', 'api/nothing', 'info/system.xml'):
            self.refused(self.server.path + path, 404)
        for method in ('POST', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'):
            self.refused(self.server.path + 'api/trace', 405, method=method)

    def test_headers_of_the_page(self):
        status, headers, body = self.server.request(self.server.path)
        self.assertEqual((status, headers['Content-Type']), (200, 'text/html; charset=utf-8'))
        self.assertIn("default-src 'none'", headers['Content-Security-Policy'])
        self.assertNotIn('unsafe', headers['Content-Security-Policy'])
        self.assertEqual((headers['X-Content-Type-Options'], headers['Referrer-Policy']), ('nosniff', 'no-referrer'))
        self.assertNotRegex(body, r'(?i)(src|href)="(https?:)?//')

    def test_wrong_parameters(self):
        for query in ('spans?lanes=x', 'spans?lanes=1&pixels=0', 'spans?read=0', 'spans?pixels=99999', 'stat?from=9&to=3', 'stat?from=-1',
                      'stat?to=99999999999999999999', 'events?limit=0', 'events?filter=(', 'events?lane=x',
                      'density?bins=0', 'events?events=,'):
            status, _, body = self.server.request(self.server.path + 'api/' + query)
            self.assertEqual(status, 400, query)
            self.assertTrue(body)

    def test_other_machines_cannot_connect(self):
        port = int(self.server.host.split(':')[1])
        with open('/proc/net/tcp', encoding='ascii') as file:
            listening = [line.split()[1] for line in file if line.split()[3] == '0A']
        self.assertIn('0100007F:%04X' % port, listening)
        self.assertNotIn('00000000:%04X' % port, listening)

    def test_garbage(self):
        address = self.server.host.split(':')
        for sent in (b'\0' * 100, b'GET ' + b'a' * 100000, b'GET / HTTP/1.1\r\nHost: ' + b'x' * 70000 + b'\r\n\r\n', b''):
            with socket.create_connection((address[0], int(address[1])), timeout=60) as connection:
                try:
                    connection.sendall(sent)
                    connection.shutdown(socket.SHUT_WR)
                    connection.recv(100)
                except OSError:
                    pass
        self.assertEqual(self.server.ask('trace')['title'], 'one-cpu')

    def test_a_client_that_leaves(self):
        address = self.server.host.split(':')
        for _ in range(20):
            with socket.create_connection((address[0], int(address[1])), timeout=60) as connection:
                connection.sendall(('GET %sapi/stat HTTP/1.1\r\nHost: %s\r\n\r\n' % (self.server.path, self.server.host)).encode())
        self.assertEqual(self.server.ask('trace')['title'], 'one-cpu')


class Options(ViewTest):
    def test_usage(self):
        self.assert_failed(ltt('view'), 'TRACE')
        self.assert_failed(ltt('view', '--port', '70000', sample('one-cpu')), '--port: 70000: expected a number from 0 to 65535')
        self.assert_failed(ltt('view', self.path('nothing')), 'nothing')

    @unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
    def test_a_port_that_is_in_use(self):
        with socket.create_server(('127.0.0.1', 0)) as taken:
            port = taken.getsockname()[1]
            self.assert_failed(ltt('view', '--port', port, sample('one-cpu')), '127.0.0.1:%d: ' % port)


if __name__ == '__main__':
    unittest.main()
