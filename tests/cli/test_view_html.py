"""`ltt view --html`: one page in a file."""
import base64
import hashlib
import html.parser
import json
import os
import unittest

import small_trace
from command import BUILD, ltt, sample
from viewing import PageTest, ViewTest, built

DESCRIPTION = '''<facility name="f">
<event name="a_begin"><struct><field name="path"><string/></field></struct></event><event name="a_end"/>
<event name="b_begin"/><event name="b_end"/><event name="tick"/></facility>'''
HOSTILE = b'</script><script>alert(1)</script><!--<script>\0'


class Elements(html.parser.HTMLParser):
    """The texts of scripts and styles, and the attributes of all elements."""

    def __init__(self, text):
        super().__init__()
        self.texts, self.attributes, self.kind = [], [], ''
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.kind = tag
        self.attributes += [(tag, name, value or '') for name, value in attrs]
        if tag in ('script', 'style'):
            self.texts.append([tag, ''])

    def handle_endtag(self, tag):
        self.kind = ''

    def handle_data(self, data):
        if self.kind in ('script', 'style'):
            self.texts[-1][1] += data


class Maker(ViewTest):
    def hostile(self):
        trace = self.path('<script>trace')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[
            (1000, 'a_begin', HOSTILE), (3000, 'b_begin', b''), (5000, 'b_end', b''), (7000, 'tick', b''),
            (9000, 'a_end', b''), (11000, 'tick', b'')]]})
        return trace

    def make(self, *words):
        """Returns: the elements of the page, and its answers"""
        path = self.path('page.html')
        result = ltt('view', '--html', path, *words)
        self.assertEqual((result.status, result.out, result.err), (0, '', ''))
        with open(path, encoding='utf-8') as file:
            elements = Elements(file.read())
        return elements, json.loads(elements.texts[1][1])


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class File(Maker):
    def test_answers_are_those_of_the_server(self):
        trace = sample('one-cpu')
        _, saved = self.make(trace)
        server = self.view(trace)
        server.wait()
        for name in ('trace', 'lanes', 'stat', 'progress'):
            self.assertEqual(saved[name], server.ask(name), name)
        lanes = ','.join(str(lane['id']) for lane in saved['lanes']['lanes'])
        length = saved['trace']['length']
        self.assertEqual(saved['window'], {'from': 0, 'to': length, 'pixels': min(4096, length)})
        self.assertEqual(saved['spans'], server.ask('spans', pixels=saved['window']['pixels'], lanes=lanes))
        self.assertEqual(saved['events'], server.ask('events', limit=1000, places=1))

    def test_problems_are_reported(self):
        """The page is complete, and its command ends with status 1."""
        trace, path = self.copy(sample('damage'), 'damaged'), self.path('page.html')
        counted, saved = ltt('stat', trace), ltt('view', '--html', path, trace)
        self.assertGreater(len(saved.err.splitlines()), 5)
        self.assertEqual((saved.status, saved.err.replace('ltt view:', 'ltt stat:')), (1, counted.err))
        self.assertTrue(os.path.exists(path))
        trace = self.copy(sample('one-cpu'))
        os.mkdir(os.path.join(trace, 'info/bookmarks.xml'))
        saved = ltt('view', '--html', path, trace)
        self.assertEqual((saved.status, len(saved.err.splitlines())), (1, 1))
        self.assertIn('bookmarks.xml', saved.err)

    def test_a_window_and_a_filter(self):
        trace = self.hostile()
        _, saved = self.make('--from', '+0.000002', '--to', '+0.000007', trace)
        self.assertEqual(saved['window'], {'from': 2000, 'to': 7000, 'pixels': 4096})
        self.assertEqual([event['event'] for event in saved['events']['events']], ['f.b_begin', 'f.b_end', 'f.tick'])
        self.assertEqual(saved['spans']['names'][:2], ['f.b', 'f.a'])
        _, saved = self.make('--filter', 'event == "f.tick"', trace)
        self.assertEqual((saved['stat']['events'], saved['spans']['spans']), (2, []))

    def test_nothing_is_loaded_and_no_name_is_run(self):
        elements, saved = self.make(self.hostile())
        self.assertEqual([kind for kind, _ in elements.texts], ['style', 'script', 'script'])
        self.assertEqual(saved['events']['events'][0]['data']['path'], HOSTILE[:-1].decode())
        self.assertEqual(saved['trace']['title'], '<script>trace')
        self.assertNotIn('<', elements.texts[1][1])
        self.assertEqual([value for _, name, value in elements.attributes if name in ('src', 'href')], ['data:,'])
        policy, = [value for tag, name, value in elements.attributes if tag == 'meta' and 'default-src' in value]
        self.assertTrue(policy.startswith("default-src 'none'; "))
        for kind, text in (elements.texts[0], elements.texts[2]):
            digest = base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()
            self.assertIn("%s-src 'sha256-%s'" % (kind, digest), policy)

    def test_the_size_is_bounded(self):
        trace = self.path('trace')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[
            (1000 + 10 * number, 'tick', b'') for number in range(20000)]]}, block_size=1 << 20)
        _, saved = self.make(trace)
        self.assertEqual((len(saved['events']['events']), saved['events']['more']), (1000, True))
        self.assertEqual(sum(saved['spans']['bins'][3::6]), 40000)
        self.assertLess(os.path.getsize(self.path('page.html')), 600000)

    def test_usage(self):
        trace = sample('one-cpu')
        for words, message in (
                (['--from', '+1'], 'ltt view: --from, --to and --filter need --html or --png\n'),
                (['--html', self.path('no/file'), '--to', '+0.0000'], 'ltt view: the window is empty or outside the trace\n'),
                (['--html', '-', '--filter', '1 +'], 'ltt view: --filter: byte '),
                (['--html', self.path('no/file')], 'ltt view: ')):
            result = ltt('view', *words, trace)
            self.assertEqual((result.status, result.out), (2, ''), words)
            self.assertTrue(result.err.startswith(message), result.err)
        self.assertTrue(ltt('view', '--html', '-', trace).out.startswith('<!doctype html>'))


class Browser(PageTest, Maker):
    def test_in_a_browser_without_a_server(self):
        """The file shows what the page of the server shows, and has no complaint."""
        self.make(self.hostile())
        url = 'file://' + self.path('page.html')
        shown, lane = self.use_url(url, [['open', ''], ['lane', 'cpu/0']])
        self.assertEqual(shown['title'], '<script>trace')
        self.assertEqual(shown['status'], '6 events, 10.0 us')

        def x(time):
            return lane['left'] + lane['width'] * (time - 1000) / 10001

        first, second = lane['top'] + 8, lane['top'] + 24
        answers = self.use_url(url, [['open', ''], ['hover', x(2000), first], ['hover', x(4000), second], ['picture', 'saved'],
                                      ['click', x(2000), first], ['press', 'w'], ['press', '0']])
        self.assertRegex(answers[1]['text'], r'^f\.a\n8\.00 us from \+0\.000000000')
        self.assertRegex(answers[2]['text'], r'^f\.b\n2\.00 us from \+0\.000002000')
        self.assertIn('path=' + HOSTILE[:-1].decode(), answers[4]['text'])
        self.assertIn('from=0&to=10001', answers[6]['hash'])

    def test_keys_of_a_file(self):
        """It lists the keys that have an effect without a server, and ignores the others."""
        self.make(self.hostile())
        answers = self.use_url('file://' + self.path('page.html'), [
            ['open', ''], ['press', 'q'], ['press', 'b'], ['press', 'e'], ['press', '?'], ['read', '#keys', 'save a picture'],
            ['push', '#keys >> text=Close'], ['press', 'i'], ['read', '#details', 'f.tick']])
        self.assertNotIn('panel', answers[1]['hash'])
        self.assertEqual(answers[3]['active'], 'lanes')
        for word in ('SQL', 'bookmark', 'filter', 'the link'):
            self.assertNotIn(word, answers[5]['text'])


if __name__ == '__main__':
    unittest.main()
