"""The panels of the page of `ltt view` in Chromium: SQL, filter, bookmarks, comparison, help."""
import json
import os
import re
import unittest
import urllib.parse

import small_trace
from command import SOURCE, ltt, thorough
from viewing import PageTest

DESCRIPTION = '''<facility name="f">
<event name="a_begin"><struct><field name="path"><string/></field></struct></event><event name="a_end"/>
<event name="b_begin"/><event name="b_end"/><event name="tick"/></facility>'''

MARKUP = '<img src=x onerror=alert(1)>'


@thorough
class PanelTest(PageTest):
    def trace(self, name='trace', start=1000, slow=1):
        """Ten spans b, the last of which is the longest, in a span a."""
        events, time = [(start, 'a_begin', MARKUP.encode() + b'\0')], start
        for number in range(10):
            events += [(time + 100, 'b_begin', b''), (time + 100 + (number + 1) * 30 * slow, 'b_end', b'')]
            time += 1000
        events += [(time, 'tick', b''), (time + 100, 'a_end', b'')]
        path = self.path(name)
        small_trace.write(path, DESCRIPTION, {'cpu/0': [events]})
        return path

    @staticmethod
    def words(answer):
        """The state in the URL."""
        return dict(urllib.parse.parse_qsl(answer['hash'][1:]))


class Sql(PanelTest):
    def test_from_the_first_click_to_the_slowest(self):
        """One click lists the longest spans, another selects one."""
        answers = self.use([self.trace()], [
            ['open', ''], ['push', '#hints >> text=Find the slowest'], ['read', '#sql-status', '11 rows'], ['read', '#sql-output'],
            ['push', '#sql-output tbody tr:nth-child(2) .link'], ['box', '#lanes'], ['picture', 'sql'],
            ['push', '#sql-output .why'], ['read', '#say', 'thread'], ['push', '#open-details'], ['read', '#details', 'f.b_end']])
        self.assertIn(MARKUP, answers[3]['text'])
        words = self.words(answers[4])
        self.assertEqual([words[name] for name in ('select', 'from', 'to')], ['9100-9401', '9055', '9446'])  # zoomed, with a margin
        self.assertEqual(self.words(answers[4])['panel'], 'sql')
        self.assertGreater(answers[5]['height'], 200)  # no details cover the lanes

    def test_from_a_button_to_the_slowest(self):
        """The panel of SQL says what its first query does; a button lists the longest spans without the hints."""
        answers = self.use([self.trace()], [
            ['open', ''], ['push', '#hints [aria-label^="Do not"]'], ['push', '#open-sql'], ['read', '#sql-status', 'Run (Ctrl Enter)'],
            ['push', '#sql-close'], ['push', '#slowest'], ['read', '#sql-status', '11 rows']])
        self.assertEqual(self.words(answers[5])['panel'], 'sql')

    def test_sort_plot_and_copy(self):
        query = "SELECT name, time, dur FROM spans WHERE name = 'f.b'"
        answers = self.use([self.trace()], [
            ['open', ''], ['push', '#open-sql'], ['type', '#sql-text', query, 'Control+Enter'], ['read', '#sql-status', '10 rows'],
            ['push', '#sql-output th:nth-child(3) button'], ['push', '#sql-output th:nth-child(3) button'], ['read', '#sql-output tbody tr'],
            ['push', '#sql-status >> text=copy CSV'], ['copied'], ['push', '#sql-status >> text=line'], ['picture', 'plot'],
            ['push', '#sql-status >> text=histogram']])
        self.assertIn('300 ns', answers[6]['text'])
        self.assertRegex(answers[8]['text'], r'^name,time,dur\nf\.b,1100,30\n')
        self.assertEqual(answers[8]['text'].count('\n'), 11)
        self.assertEqual(self.words(answers[11])['as'], 'histogram')
        self.assertEqual(self.words(answers[11])['sql'], query)

    def test_a_link_runs_the_query_and_mistakes_have_a_place(self):
        link = '#panel=sql&sql=' + urllib.parse.quote('SELECT nme FROM spans')
        answers = self.use([self.trace()], [['open', link], ['read', '#sql-mistake', 'no such column'], ['read', '#sql-mistake mark']], errors=1)
        self.assertIn('did you mean name?', answers[1]['text'])
        self.assertEqual(answers[2]['text'], 'nme')

    def test_each_query_has_its_own_result(self):
        """Also one with as many rows as the result before, and one that fails, after which nothing brings the result back."""
        answers = self.use([self.trace()], [
            ['open', '#panel=sql&sql=SELECT+11+AS+a'], ['read', '#sql-output', '11'],
            ['type', '#sql-text', 'SELECT 22 AS b', 'Control+Enter'], ['read', '#sql-output', '22'], ['read', '#sql-status', '1 row'],
            ['type', '#sql-text', 'SELECT 33 AS c FROM no_table', 'Control+Enter'], ['read', '#sql-mistake', 'no such table'], ['press', 'd'],
            ['push', '#theme'], ['box', '#sql-output']], errors=1)
        self.assertEqual((answers[1]['text'], answers[3]['text'], answers[9]['text']), ('a\n11', 'b\n22', ''))

    def test_why_with_a_computed_duration(self):
        """It need not be an integer, nor end within the trace."""
        for dur in ('dur * 1.001', '1e999'):
            link = '#panel=sql&sql=' + urllib.parse.quote('SELECT time, %s AS dur, 5 AS tid FROM spans' % dur)
            self.use([self.trace('trace of ' + dur)], [['open', link], ['read', '#sql-status', '11 rows'], ['push', '#sql-output .why'],
                                                      ['read', '#sql-status', 'No spans inside']])

    def test_limits_are_told(self):
        query = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT x FROM r'
        answers = self.use([self.trace()], [['open', ''], ['push', '#open-sql'], ['type', '#sql-text', query, 'Control+Enter'],
                                            ['read', '#sql-status', 'first 1,000 rows'], ['read', '#sql-status', 'show up to 20,000']])
        self.assertEqual(len(answers), 5)

    def test_an_endless_query_is_cancelled(self):
        query = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r'
        answers = self.use([self.trace()], [
            ['open', ''], ['push', '#open-sql'], ['type', '#sql-text', query, 'Control+Enter'], ['read', '#sql-status', 'running'], ['push', '#sql-run'],
            ['read', '#sql-status', 'cancelled'], ['type', '#sql-text', 'SELECT 7 AS seven', 'Control+Enter'], ['read', '#sql-status', '1 row']])
        self.assertEqual(len(answers), 8)


class Filter(PanelTest):
    def test_marks_hides_and_steps(self):
        answers = self.use([self.trace()], [
            ['open', ''], ['type', '#filter', 'event == "f.tick"', 'Enter'], ['read', '#filter-count', '1 event'], ['picture', 'filter-mark'],
            ['read', '#details', 'f.tick'], ['type', '#filter', 'event =~ "f.b_*"', 'Enter'], ['read', '#filter-count', '20 events'], ['press', 'N'],
            ['press', 'N'], ['press', 'n'], ['said', 'f.b']])
        self.assertEqual(self.words(answers[1])['filter'], 'event == "f.tick"')
        self.assertGreater(len(answers), 9)
        link = urllib.parse.quote('event == "f.b_end"')
        place, = self.use([self.trace('other')], [['open', ''], ['lane', 'cpu/0']])[1:]
        x, y = place['left'] + place['width'] * 0.92, place['top'] + 8
        answers = self.use([self.path('other')], [
            ['open', '#filter=' + link], ['read', '#filter-count', '10 events'], ['hover', x, y], ['hover', x, y + 16],
            ['open', '#show=matches&filter=' + link], ['read', '#filter-count', '10 events'], ['hover', x, y], ['hover', x, y + 16], ['picture', 'filter-hide']])
        texts = [answer.get('text', '').split('\n')[0] for answer in answers]
        self.assertEqual((texts[2], texts[3], texts[6], texts[7]), ('f.a', 'f.b', '', 'f.b'))

    def test_a_mistake_has_no_number_of_matches(self):
        answers = self.use([self.trace()], [
            ['open', ''], ['type', '#filter', 'event == "f.tick"', 'Tab'], ['read', '#filter-count', '1 event'],
            ['type', '#filter', 'event == = 1', 'Tab'], ['read', '#filter-mistake', 'expected'], ['box', '#filter-tools']], errors=1)
        self.assertNotIn('1 event', answers[5]['text'])

    def test_mistakes_are_told_as_by_the_tool(self):
        answers = self.use([self.trace()], [
            ['open', ''], ['type', '#filter', 'path == ', 'Tab'], ['read', '#filter-mistake'], ['type', '#filter', 'pth == "x"', 'Tab'],
            ['read', '#filter-mistake', 'did you mean path?'], ['read', '#filter-mistake mark']], errors=1)
        said = ltt('dump', '--filter', 'path == ', self.path('trace')).err
        self.assertIn(answers[2]['text'].splitlines()[-1], said)
        self.assertEqual(answers[5]['text'], 'pth')


class Bookmarks(PanelTest):
    def test_made_renamed_and_removed(self):
        trace = self.trace()
        name = '#flag-editor input'
        answers = self.use([trace], [
            ['open', '#select=2000-3000'], ['press', 'b'], ['type', name, MARKUP, 'Enter'], ['read', '#flags .flag', MARKUP], ['push', '.flag'],
            ['type', name, 'renamed', 'Enter'], ['read', '#flags .flag', 'renamed'], ['picture', 'bookmarks']])
        self.assertEqual(answers[6]['text'], 'renamed')
        listed = json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks']
        self.assertEqual([mark['name'] for mark in listed], ['renamed'])
        self.use([trace], [['open', ''], ['push', '.flag'], ['push', '#flag-editor >> text=Remove'], ['push', '#whole']])  # when the editor has closed
        self.assertEqual(json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks'], [])

    def test_a_new_name_keeps_the_place(self):
        trace = self.trace()
        self.assertEqual(ltt('bookmark', 'add', '--from', '+0.000002', '--to', '+0.000002', '--cpu', '0', trace, 'old').status, 0)
        before, = json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks']
        self.use([trace], [['open', ''], ['push', '.flag'], ['type', '#flag-editor input', 'new', 'Enter'], ['read', '#flags .flag', 'new']])
        self.assertEqual(json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks'], [{**before, 'name': 'new'}])

    def test_of_an_archive_are_in_the_link(self):
        archive = self.path('t.tar')
        self.assertEqual(ltt('pack', '-o', archive, self.trace()).status, 0)
        answers = self.use([archive], [['open', '#select=2000-3000'], ['press', 'b'], ['read', '#flag-editor', 'is an archive'],
                                       ['type', '#flag-editor input', 'here', 'Enter'], ['read', '.flag.local', 'here'], ['press', '0']])
        self.assertEqual(json.loads(self.words(answers[5])['marks']), [[2000, 1000, 'here', '']])
        link = urllib.parse.quote(json.dumps([[5, 0, MARKUP, '']]))
        self.assertEqual(self.use([archive], [['open', '#marks=' + link], ['read', '.flag.local']])[1]['text'], MARKUP)

    def test_a_file_that_cannot_be_read(self):
        trace = self.trace()
        os.mkdir(os.path.join(trace, 'info/bookmarks.xml'))
        answers = self.use([trace], [['open', ''], ['read', '#flag-problem', 'not a regular file']])
        self.assertIn(os.path.join(trace, 'info/bookmarks.xml'), answers[1]['text'])


class Compare(PanelTest):
    def test_two_traces_that_have_no_time_in_common(self):
        before, after = self.trace('before'), self.trace('after', start=1000000, slow=3)
        answers = self.use([before, after], [
            ['open', ''], ['push', '#hints >> text=Compare the traces'], ['read', '#compare-output', 'f.b'], ['picture', 'compare'],
            ['push', '#compare-controls >> text=as recorded'], ['push', '#compare-controls >> text=align the starts'],
            ['push', '#compare-output tbody .link'], ['read', '#sql-status', 'row'], ['read', '#sql-output tbody tr', 'after'],
            ['push', '#sql-output tbody .link'], ['push', '#open-details'], ['read', '#detail-note', 'recorded times']])
        self.assertEqual(self.words(answers[1])['shift'], '1:-999000')
        self.assertEqual(self.words(answers[4])['shift'], '1:0')
        self.assertRegex(answers[2]['text'], r'f\.b\s+slower\s+10\s+10\s+165 ns\s+495 ns')
        self.assertRegex(answers[2]['text'], r'All spans together take 3\.30 us, 28\.1 % longer in B: 11\.8 us in A, 15\.1 us in B. A typical one is slower: f\.b\.')
        self.assertRegex(answers[2]['text'], r'all spans\t\t11\t11\t.*\t3\.30 us more\n')
        self.assertGreater(answers[3]['colours'], 3)

    def test_aligned_by_chosen_events(self):
        before, after = self.trace('before'), self.trace('after', start=1000000)
        link = '#panel=compare&beside=off&shift=1:-990000&from=0&to=20000'
        shown, first, second = self.use([before, after], [['open', link], ['lane', 'cpu/', 0], ['lane', 'cpu/', 1]])
        self.assertIn('▾ before', shown['labels'])
        self.assertTrue([label for label in shown['labels'] if label.startswith('▾ after −')], shown['labels'])

        def x(time):
            return first['left'] + first['width'] * time / 20000

        answers = self.use([before, after], [
            ['open', link], ['tap', x(50), first['top'] + 8], ['push', '#compare-controls >> text=f.a in A'],
            ['tap', x(9050), second['top'] + 8], ['push', '#compare-controls >> text=f.a in B']])
        self.assertEqual(self.words(answers[4])['shift'], '1:-999000')

    def many(self, name, start):
        """Writes a trace with a span on each of 16 CPUs."""
        path = self.path(name)
        small_trace.write(path, DESCRIPTION, {'cpu/%d' % cpu: [[(start + cpu, 'b_begin', b''), (start + 500, 'b_end', b'')]] for cpu in range(16)})
        return path

    def test_side_by_side(self):
        """Each lane of B is below that of A: the first one is visible however many lanes A has. A box puts them apart."""
        answers = self.use([self.many('before', 1000), self.many('after', 1000000)], [
            ['open', ''], ['push', '#hints >> text=Compare the traces'], ['seen', 'B cpu/16'], ['search', 'cpu/'], ['push', '#beside'],
            ['search', 'cpu/']])
        beside, apart = ([label for label in answers[at]['labels'] if 'cpu/' in label] for at in (3, 5))
        self.assertEqual(beside[:4], ['A cpu/0', 'B cpu/16', 'A cpu/1', 'B cpu/17'])  # the CPUs of a joined trace are counted on
        self.assertEqual(self.words(answers[4])['beside'], 'off')
        self.assertEqual(apart[:2], ['cpu/0', 'cpu/1'])
        self.assertIn('▾ before', answers[5]['labels'])

    def test_one_trace_cannot_be_compared(self):
        answers = self.use([self.trace()], [['open', ''], ['read', '#hints', 'ltt view BEFORE AFTER'], ['press', 'c']])
        self.assertNotIn('panel', self.words(answers[2]))


class Help(PanelTest):
    def test_keys_link_theme_and_picture(self):
        answers = self.use([self.trace()], [
            ['open', '#from=1000&to=5000'], ['press', '?'], ['read', '#keys', 'W S'], ['push', '#keys >> text=Close'], ['press', 'l'], ['copied'],
            ['press', 't'], ['picture', 'dark'], ['download', '#picture'], ['push', '#hints [aria-label^="Do not"]'], ['open', ''], ['press', '0']])
        for word in ('bookmark', 'SQL', 'filter', 'two fingers', 'Shift drag'):
            self.assertIn(word, answers[2]['text'])
        self.assertRegex(answers[5]['text'], r'^http://127\.0\.0\.1:\d+/[0-9a-f]{32}/#.*from=1000&to=5000')
        self.assertEqual(self.words(answers[6])['theme'], 'dark')
        self.assertEqual(answers[8], {'name': 'trace.png', 'begin': '89504e470d0a1a0a'})

    def test_all_keys_are_in_the_manual(self):
        """The page, the man page and ltt-view(1) list the same keys."""
        keys, = self.use([self.trace()], [['open', ''], ['press', '?'], ['read', '#keys']])[2:]
        with open(SOURCE + '/doc/man/ltt-view.1', encoding='utf-8') as file:
            manual = re.sub(r'\.It|Sy|No|,|\\&', ' ', file.read())
        for key in re.findall(r'^([A-Z0-9/?]|Esc)\s', keys['text'], re.M):
            self.assertRegex(manual, r'(?m)^\s+(\S+ )*%s( |$)' % re.escape(key), key)

    def test_touch(self):
        """Two fingers zoom, one finger moves the window, and one that rested before selects."""
        answers = self.use([self.trace()], [['open', ''], ['press', '0'], ['pinch'], ['open', '#from=2000&to=3000'], ['swipe', 0.3], ['swipe', -0.2],
                                            ['open', '#from=2000&to=3000'], ['hold', 0.2], ['swipe', 0.1]])
        first, zoomed, right, left = (self.words(answers[i]) for i in (1, 2, 4, 5))
        self.assertLess(int(zoomed['to']) - int(zoomed['from']), (int(first['to']) - int(first['from'])) * 0.6)
        for words, moved in ((right, -300), (left, -100)):
            self.assertAlmostEqual(int(words['from']), 2000 + moved, delta=2)
            self.assertEqual(int(words['to']) - int(words['from']), 1000)
            self.assertNotIn('select', words)
        held, after = self.words(answers[7]), self.words(answers[8])
        self.assertEqual((held['from'], held['to']), ('2000', '3000'))
        for time, expected in zip(held['select'].split('-'), (2500, 2700)):
            self.assertAlmostEqual(int(time), expected, delta=2)
        self.assertAlmostEqual(int(after['from']), 1900, delta=2)
        self.assertEqual(after['select'], held['select'])

    def test_details_by_the_keyboard(self):
        """I shows the visible time, or the selection, in tables, which get the focus; screen readers are told the window."""
        answers = self.use([self.trace()], [
            ['open', '#from=2000&to=3000'], ['press', 'i'], ['read', '#details', 'f.b_end'], ['read', '#spoken', 'selected 1.00 us of 1.00 us'],
            ['press', 'Escape'], ['push', '#open-details'], ['read', '#details .about', '1.00 us'], ['press', 'i'], ['press', 'd'],
            ['read', '#window', 'selected 1.00 us of'], ['press', 'Escape'], ['read', '#spoken', '1.00 us from +0.000002200'],
            ['press', 'i'], ['read', '#details', 'f.b_begin'], ['tree', '#panel'], ['tree', '#lanes'], ['focused', 'details']])
        self.assertEqual([self.words(answers[at]).get('select') for at in (1, 4, 7)], ['2000-3000', None, '2000-3000'])
        self.assertEqual([self.words(answers[at]).get('tab') for at in (1, 4, 5, 7)], ['overview', None, 'overview', None])
        for told in ('rowheader "length"', 'button "+0.00000', 'columnheader "fields"', 'button "Close the details"'):
            self.assertIn(told, answers[14]['text'])
        self.assertIn('group "Lanes: W and S zoom', answers[15]['text'])

    def test_keys(self):
        """Arrows move and zoom as W, A, S and D do; P saves a picture, E and Q go to the filter and to SQL."""
        answers = self.use([self.trace()], [
            ['open', '#from=2000&to=3000'], ['press', 'ArrowRight'], ['press', 'ArrowLeft'], ['press', 'ArrowUp'], ['press', 'ArrowDown'],
            ['keep', 'p'], ['said', 'saved'], ['press', 'e'], ['press', 'q'], ['press', '/'],
            ['open', '#from=2000&to=3000&select=2500-2501'], ['press', 'f'], ['open', '#from=2000&to=3000&select=2500-2700'], ['press', 'f']])
        windows = [(int(words['from']), int(words['to'])) for words in map(self.words, answers[1:5])]
        self.assertEqual(windows, [(2200, 3200), (2000, 3000), (2150, 2850), (2000, 3000)])
        self.assertEqual((answers[5]['name'], answers[5]['begin'], answers[5]['swatches']), ('trace.png', '89504e470d0a1a0a', 0))
        self.assertEqual([answer['active'] for answer in answers[7:10]], ['filter', 'sql-text', 'search'])
        self.assertEqual([self.words(answer).get('panel') for answer in answers[7:10]], [None, 'sql', 'sql'])
        self.assertEqual([(words['from'], words['to']) for words in (self.words(answers[11]), self.words(answers[13]))],
                         [('2450', '2550'), ('2500', '2700')])  # around an event, a tenth of the window


if __name__ == '__main__':
    unittest.main()
