"""`ltt view`: the values of counters."""
import random
import struct
import unittest

import small_trace
from command import BUILD, as_json, ltt, time_ns
from counter_trace import DESCRIPTION, make_events
from viewing import ViewTest, Viewer, built


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Counters(ViewTest):
    def serve(self, n):
        trace = self.path('trace')
        events = make_events(1, n)
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [events[at:at + 2000] for at in range(0, n, 2000)]}, block_size=65536)
        self.server = Viewer(self, trace)
        self.server.wait()
        self.start, self.length = int(self.server.ask('trace')['start']), self.server.ask('trace')['length']
        self.lanes = {lane['name']: lane['id'] for lane in self.server.ask('lanes')['lanes'] if lane['kind'] == 'counter'}
        self.values = {name: [] for name in ('f.level.low', 'f.level.high', 'f.load.share')}
        for event in as_json(ltt('dump', '--format=json', trace).out):
            for field in set(event['data']) & {'low', 'high', 'share'}:
                self.values['%s.%s' % (event['event'], field)].append((time_ns(event) - self.start, event['data'][field]))

    def expected(self, name, begin, width, pixels):
        """Returns: the value before the window, and by pixel the number, minimum, maximum and last value."""
        before, bins = None, {}
        for time, value in self.values[name]:
            if time < begin:
                before = value
            elif time < begin + width:
                bins.setdefault((time - begin) * pixels // width, []).append(value)
        return before, {pixel: (len(own), min(own), max(own), own[-1]) for pixel, own in bins.items()}

    def answer(self, begin, width, pixels):
        answer = self.server.ask('counters', **{'from': begin, 'to': begin + width, 'pixels': pixels,
                                                'lanes': ','.join(map(str, self.lanes.values()))})
        before = dict(zip(*[iter(answer['before'])] * 2))
        bins = {lane: {} for lane in self.lanes.values()}
        for lane, pixel, n, least, most, last in zip(*[iter(answer['bins'])] * 6):
            self.assertNotIn(pixel, bins[lane])
            bins[lane][pixel] = n, least, most, last
        return answer['exact'], {name: (before.get(lane), bins[lane]) for name, lane in self.lanes.items()}

    def test_windows(self):
        """At random windows, the values are those of `ltt dump`."""
        self.serve(20000)
        self.assertEqual(set(self.lanes), set(self.values))
        choose = random.Random(2)
        for _ in range(200):
            pixels = choose.choice((100, 1000))
            width = choose.randrange(pixels, pixels * 2 * (self.length // 262144 + 1))
            begin = choose.choice((0, choose.randrange(self.length - width)))
            is_exact, got = self.answer(begin, width, pixels)
            self.assertTrue(is_exact)
            self.assertEqual(got, {name: self.expected(name, begin, width, pixels) for name in self.values})

    def test_the_whole_trace(self):
        """The bins have the extremes of all values, and end with the last one."""
        self.serve(20000)
        is_exact, got = self.answer(0, self.length, 300)
        self.assertFalse(is_exact)
        for name, (before, bins) in got.items():
            values = [value for _, value in self.values[name]]
            self.assertEqual((before, sum(n for n, _, _, _ in bins.values())), (None, len(values)))
            self.assertEqual((min(bin_[1] for bin_ in bins.values()), max(bin_[2] for bin_ in bins.values()), bins[max(bins)][3]),
                             (min(values), max(values), values[-1]))

    def test_values_that_are_no_numbers(self):
        trace = self.path('trace')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[(time, 'load', struct.pack('<d', value)) for time, value in
                                                          enumerate((1.5, float('nan'), float('inf'), -2.0), 1000)]]})
        server = Viewer(self, trace)
        server.wait()
        lane, = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'counter']
        bins = server.ask('counters', lanes=lane['id'], pixels=4)['bins']
        self.assertEqual([bins[at + 5] for at in range(0, len(bins), 6)], [1.5, None, None, -2.0])
        bins = server.ask('counters', lanes=lane['id'], pixels=1)['bins']
        self.assertEqual(bins[2:], [4, -2.0, None, -2.0])
        self.assertEqual(server.ask('counters', **{'lanes': lane['id'], 'pixels': 1, 'from': 1, 'to': 4})['bins'][2:], [3, -2.0, None, -2.0])

    def test_wrong_parameters(self):
        self.serve(100)
        for query in ('counters?lanes=x', 'counters?lanes=1&pixels=0', 'counters?from=9&to=3'):
            self.assertEqual(self.server.request(self.server.path + 'api/' + query)[0], 400, query)
        self.assertEqual(self.server.ask('counters', lanes='0,99999'), {'exact': False, 'before': [], 'bins': []})


if __name__ == '__main__':
    unittest.main()
