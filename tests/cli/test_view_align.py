"""Traces that are moved so that chosen events coincide: `ltt view --align`, and the page."""
import re
import unittest
import urllib.parse

import small_trace
from command import BUILD, as_json, ltt, sample, time_ns
from viewing import PageTest, ViewTest, built

DESCRIPTION = '<facility name="f"><event name="a_begin"/><event name="a_end"/><event name="tick"/></facility>'


def make(test):
    """Writes two traces with three ticks and two spans; the second begins later and takes longer."""
    paths = []
    for name, start, each in (('before', 1000, 1000), ('after', 51000, 1500)):
        what = ('a_begin', 'tick', 'a_end', 'tick', 'a_begin', 'a_end', 'tick')
        paths.append(test.path(name))
        small_trace.write(paths[-1], DESCRIPTION, {'cpu/0': [[(start + i * each, event, b'') for i, event in enumerate(what)]]})
    return paths


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Align(ViewTest):
    def test_times(self):
        """The n-th event in each trace, as `ltt dump` has them; the begin of a span; null if there are fewer."""
        paths = make(self)
        server = self.view(*paths)
        start = int(server.ask('trace')['start'])
        for name, number in (('f.tick', 1), ('f.tick', 3), ('f.a_end', 2)):
            times = []
            for path in paths:
                events = as_json(ltt('dump', '--format=json', '--event', name, path).out)
                times.append(time_ns(events[number - 1]) - start)
            self.assertEqual(server.ask('align', event=name, number=number), {'times': times, 'counts': [number, number]})
        self.assertEqual(server.ask('align', event='f.a', number=2)['times'], [4000, 50000 + 6000])
        self.assertEqual(server.ask('align', event='f.tick', number=4), {'times': [None, None], 'counts': [3, 3]})
        self.assertEqual(server.ask('align', event='nothing'), {'times': [None, None], 'counts': [0, 0]})
        for wrong, message in (({}, 'event: expected'), ({'event': ''}, 'event: expected'), ({'event': 'x', 'number': 0}, 'number: expected')):
            self.assertIn(message, server.refusal('align', **wrong))

    def test_usage(self):
        self.assert_failed(ltt('view', '--align', 'f.tick', sample('one-cpu')), '--align: expected two traces or more')
        self.assert_failed(ltt('view', '--align', 'f.tick', '--html', self.path('x.html'), *make(self)),
                           '--align moves traces in the page that is served; with --html and --png, move them with --offset')


def words(answer):
    return dict(urllib.parse.parse_qsl(answer['hash'].lstrip('#')))


class Page(PageTest):
    def test_option(self):
        """`ltt view --align` opens the page with the second trace moved; the shift is in the URL."""
        server = self.view('--align', 'f.tick:2', *make(self))
        url, hash_ = server.url.split('#')
        self.assertEqual(hash_, 'panel=compare&align=f.tick%3A2')
        answers = self.use_url(url, [['open', '#' + hash_], ['said', 'same place'], ['press', 'Escape'], ['read', '#compare-controls'],
                                     ['picture', 'aligned']])
        self.assertEqual(words(answers[2])['shift'], '1:%d' % (3000 - 54500))
        self.assertIn('f.tick number 2 is at the same place in all traces. The trace is moved by -51.5 us.', answers[1]['text'])

    def test_key(self):
        """The key M asks for the name; a name that a trace does not have is said, and moves nothing."""
        answers = self.use(make(self), [
            ['open', '#shift=1:0'], ['press', 'm'], ['type', '#align', 'f.a:2', 'Enter'], ['said', 'same place'], ['press', 'Escape'],
            ['type', '#align', 'f.tick:9', 'Enter'], ['said', 'expected 9'], ['press', 'Escape']])
        self.assertEqual((words(answers[1])['panel'], answers[1]['active']), ('compare', 'align'))
        self.assertEqual((words(answers[4])['shift'], words(answers[4])['align']), ('1:%d' % (4000 - 56000), 'f.a:2'))
        self.assertIn('before has 3 of f.tick, expected 9 or more', answers[6]['text'])
        self.assertEqual(words(answers[7])['shift'], words(answers[4])['shift'])
        self.assertIsNone(re.search('NaN', answers[7]['hash']))


if __name__ == '__main__':
    unittest.main()
