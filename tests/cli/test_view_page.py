"""The page of `ltt view` in Chromium, and its units in node."""
import os
import re
import subprocess
import unittest

import small_trace
from command import BUILD, ltt, sample
from viewing import VIEWER, PageTest, built

DESCRIPTION = '''<facility name="f">
<event name="a_begin"><struct><field name="path"><string/></field></struct></event><event name="a_end"/>
<event name="b_begin"/><event name="b_end"/><event name="tick"/></facility>'''


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Units(unittest.TestCase):
    def test_units(self):
        script = os.path.join(BUILD, 'units.test.mjs')
        for command in (['node_modules/.bin/esbuild', 'tests/units.test.ts', '--bundle', '--platform=node', '--format=esm',
                         '--log-level=warning', '--outfile=' + os.path.abspath(script)],
                        ['node', '--test', os.path.abspath(script)]):
            done = subprocess.run(command, cwd=VIEWER, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            self.assertEqual(done.returncode, 0, done.stdout)

FIELDS = '''<facility name="f">
<event name="a_begin"><struct><field name="path"><string/></field></struct></event>
<event name="a_end"><struct><field name="result"><uint size="1"/></field></struct></event>
<event name="tick"><struct><field name="n"><uint size="1"/></field></struct></event></facility>'''


class Page(PageTest):
    def test_a_trace(self):
        """Spans are at the place of their times; hovering, clicking and dragging show their details."""
        trace = self.path('<b>trace')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[
            (1000, 'a_begin', b'<script>alert(1)</script>\0'), (3000, 'b_begin', b''), (5000, 'b_end', b''), (7000, 'tick', b''),
            (9000, 'a_end', b''), (11000, 'tick', b'')]]})
        shown, lane = self.use([trace], [['open', ''], ['lane', 'cpu/0']])
        self.assertEqual(shown['title'], '<b>trace')
        self.assertEqual(shown['labels'], ['▾ CPUs', 'CPU 0', '▾ tracefiles', 'cpu/0'])
        self.assertEqual(shown['status'], '6 events, 10.0 us')

        def x(time):
            return lane['left'] + lane['width'] * (time - 1000) / 10001

        first, second, bottom = lane['top'] + 8, lane['top'] + 24, lane['top'] + lane['height'] - 5
        answers = self.use([trace], [
            ['open', ''], ['hover', x(2000), first], ['hover', x(4000), second], ['hover', x(8000), second],
            ['hover', x(7000), bottom], ['click', x(2000), first], ['picture', 'spans'], ['drag', x(6000), first, x(8000)],
            ['press', 'f'], ['press', '0']])
        texts = [answer.get('text') for answer in answers]
        self.assertRegex(texts[1], r'^f\.a\n8\.00 us from \+0\.000000000')
        self.assertRegex(texts[2], r'^f\.b\n2\.00 us from \+0\.000002000')
        self.assertEqual(texts[3], '')
        self.assertRegex(texts[4], r'^f\.tick')
        self.assertIn('path=<script>alert(1)</script>', texts[5])
        self.assertIn('f.a at +0.000000000', texts[5])
        self.assertGreater(answers[6]['colours'], 3)
        self.assertIn('f.tick', texts[7])
        self.assertNotIn('a_end', texts[7])
        begin, end = map(int, re.search(r'from=(\d+)&to=(\d+)', answers[8]['hash']).groups())
        self.assertAlmostEqual(begin, 5000, delta=40)
        self.assertAlmostEqual(end, 7000, delta=40)
        self.assertIn('from=0&to=10001', answers[9]['hash'])

    def test_fields_under_the_pointer(self):
        """The fields of the begin and the end of a span, of an event, and of an event among others of its time."""
        trace = self.path('trace')
        small_trace.write(trace, FIELDS, {'cpu/0': [[
            (1000, 'a_begin', b'/<b>x\0'), (1000, 'tick', b'\1'), (9000, 'tick', b'\2'), (9000, 'a_end', b'\3'), (10000, 'tick', b'\4'),
            (11000, 'tick', b'\5')]]})
        _, lane = self.use([trace], [['open', ''], ['lane', 'cpu/0']])
        first, bottom = lane['top'] + 8, lane['top'] + lane['height'] - 5
        answers = self.use([trace], [['open', ''], ['hover', lane['left'] + lane['width'] * 0.4, first, 'f.a_end'],
                                     ['hover', lane['left'] + lane['width'] * 9000 / 10001, bottom, 'n=4'], ['picture', 'fields']])
        self.assertEqual(answers[1]['text'], 'f.a\n8.00 us from +0.000000000\nf.a_begin  path=/<b>x\nf.a_end  result=3')
        self.assertTrue(answers[2]['text'].startswith('f.tick\n'), answers[2])
        self.assertTrue(answers[2]['text'].endswith('\nf.tick  n=4'), answers[2])

    def test_keys_and_links(self):
        answers = self.use([sample('one-cpu')], [
            ['open', ''], ['press', 'w'], ['press', 'd'], ['press', 'a'], ['press', 's'], ['open', '#from=1000&to=2000'],
            ['press', 'Escape'], ['search', 'cpu/0'], ['search', 'nothing'], ['picture', 'one-cpu']])
        windows = [tuple(map(int, re.search(r'from=(\d+)&to=(\d+)', answer['hash']).groups())) for answer in answers if 'hash' in answer]
        length = windows[3][1] - windows[3][0]
        self.assertAlmostEqual(windows[0][1] - windows[0][0], 0.7 * length, delta=2)
        self.assertEqual(windows[1][1] - windows[1][0], windows[0][1] - windows[0][0])
        self.assertGreater(windows[1][0], windows[0][0])
        self.assertEqual(windows[2], windows[0])
        self.assertEqual(windows[4], (1000, 2000))
        self.assertEqual(answers[7]['labels'][-1], 'cpu/0')
        self.assertEqual(answers[8]['labels'], [])

    def test_a_link_in_the_open_page(self):
        """It replaces the text of the search, and the details, which a link without them hides."""
        answers = self.use([sample('one-cpu')], [
            ['open', '#search=none&select=0-1000&tab=overview'], ['read', '#details', '1.00 us'],
            ['go', '#search=cpu%2F0&select=0-200000&tab=overview'], ['read', '#details', '200 us'],
            ['go', '#select=0-300000&tab=spans'], ['read', '#details', 'spans'], ['tree', '#open-details'], ['go', '#select=0-1000'],
            ['tree', '#open-details']])
        self.assertEqual((answers[2]['search'], answers[2]['labels'][-1], answers[4]['search']), ('cpu/0', 'cpu/0', ''))
        self.assertEqual([answers[at]['text'] for at in (6, 8)], ['- button "Details" [pressed]', '- button "Details"'])

    def test_small_windows(self):
        """The tools and the lanes keep their place beside two panels; the search is there; labels keep their numbers."""
        description = '<facility name="a_facility_with_a_name_for_which_there_is_no_room"><event name="work"/></facility>'
        trace = self.path('trace')
        small_trace.write(trace, description, {'cpu/0': [[(1000, 'work', b''), (2000, 'work', b'')]]})
        both = '#panel=sql&tab=overview&select=0-1000'
        answers = self.use([trace], [['open', ''], ['size', 600, 400], ['open', both], ['read', '#details', 'selected time'], ['box', '#tools'], ['box', '#lanes'],
                                     ['box', '#search'], ['box', '.label:has-text("CPU 0") .number'], ['picture', 'small'],
                                     ['size', 390, 844], ['box', '#search'], ['box', '#help'], ['picture', 'phone']])
        tools, lanes, search, number, narrow, help_button = (answers[at] for at in (4, 5, 6, 7, 10, 11))
        self.assertGreaterEqual(tools['height'], 32)
        self.assertGreaterEqual(lanes['height'], 80)
        self.assertGreaterEqual(min(search['width'], narrow['width']), 70)
        self.assertEqual(number['text'], ' 0')
        self.assertLessEqual(help_button['x'] + help_button['width'], 390)

    def test_small_windows_at_the_end_of_a_long_trace(self):
        """Doubles are 512 ns apart there: the page stays within what they distinguish, and draws it."""
        trace, last = self.path('trace'), (1 << 32) * 10 ** 9 - 1
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[(0, 'tick', b'')], [(last, 'tick', b'')]]})
        answers = self.use([trace], [['open', '#from=%d&to=%d' % (last - 4000, last)]] + [['press', 'w']] * 3 + [['press', 's']])
        windows = [[int(number) for number in re.findall(r'(?:from|to)=(\d+)', answer['hash'])] for answer in answers[1:]]
        for begin, end in windows:
            self.assertTrue(3000 < end - begin < 8000, windows)

    def test_several_traces_and_damage(self):
        answers = self.use([sample('one-cpu'), sample('sparse-cpus')], [['open', ''], ['picture', 'two-traces']])
        self.assertIn('events', answers[0]['status'])
        path = self.copy(sample('one-cpu'))
        with open(os.path.join(path, 'cpu/0'), 'r+b') as file:
            file.seek(2048 + 300)
            file.write(b'\xff' * 200)
        self.assertIn('problem', self.use([path], [['open', '']])[0]['status'])
        self.assertEqual(ltt('check', path).status, 1)


if __name__ == '__main__':
    unittest.main()
