"""Questions that the page of `ltt view` asks: SQL, filters, differences; and bookmarks that it changes."""
import json
import os
import random
import socket
import unittest
import urllib.parse
from collections import defaultdict

import small_trace
from command import BUILD, as_json, ltt, run, sample, time_ns
from viewing import ViewTest

DESCRIPTION = '''<facility name="f">
<event name="a_begin"><struct><field name="id"><uint size="4"/></field></struct></event><event name="a_end"/>
<event name="b_begin"/><event name="b_end"/><event name="tick"/>
<event name="work"><struct><field name="id"><uint size="4"/></field></struct></event>
<event name="done" ltt:ends="work" ltt:key="id"><struct><field name="id"><uint size="4"/></field></struct></event>
</facility>'''


def number(value):
    return value.to_bytes(4, 'little')


class AskTest(ViewTest):
    def trace(self, name='trace', seed=1, n=2000, slower=1):
        """Spans a around spans b, with ticks in between."""
        choose, time, events = random.Random(seed), 1000, []
        for i in range(n // 5):
            for what, data, wait in (('a_begin', number(i % 50), 30), ('b_begin', b'', 500 * slower), ('tick', b'', 20), ('b_end', b'', 40), ('a_end', b'', 5000)):
                events.append((time, what, data))
                time += 1 + choose.randrange(wait)
        path = self.path(name)
        small_trace.write(path, DESCRIPTION, {'cpu/0': [events[at:at + 200] for at in range(0, len(events), 200)]})
        return path

    def ready(self, *words):
        server = self.view(*words)
        self.assertEqual(server.wait()['stage'], 'ready')
        return server


class Sql(AskTest):
    def test_rows_are_those_of_ltt_sql(self):
        trace = self.trace()
        query = 'SELECT time, dur, name, json_extract(args, \'$.id\') AS id, NULL AS n, 1.5 AS f FROM spans ORDER BY time, dur DESC'
        rows = as_json(ltt('sql', '--format', 'json', trace, query).out)
        answer = self.ready(trace).ask('sql', query=query, limit=100000)
        self.assertEqual(answer['columns'], ['time', 'dur', 'name', 'id', 'n', 'f'])
        self.assertEqual([dict(zip(answer['columns'], row)) for row in answer['rows']], rows)
        self.assertEqual((answer['more'], answer['cut']), (False, 0))

    def test_values_and_limits(self):
        server = self.ready(sample('one-cpu'))
        self.assertEqual(server.ask('sql', query='SELECT 9223372036854775807, 9007199254740992, 9e999, x\'00ff\'')['rows'],
                         [[{'number': '9223372036854775807'}, 9007199254740992, {'number': 'inf'}, {'bytes': '00ff'}]])
        answer = server.ask('sql', query='SELECT * FROM events', limit=3)
        self.assertEqual((len(answer['rows']), answer['more']), (3, True))
        answer = server.ask('sql', query="SELECT printf('%.*c', 5000, 'x'), printf('%.*c', 4095, 'x') || 'ää'")
        self.assertEqual([len(value) for value in answer['rows'][0]], [4096, 4095])
        self.assertEqual(answer['cut'], 2)
        self.assertEqual(server.ask('sql', query='CREATE VIEW v AS SELECT 7 AS x; SELECT x FROM v;')['rows'], [[7]])
        self.assertEqual(server.ask('sql', query=' -- nothing')['columns'], [])
        self.assertIn('no such table: v', server.refusal('sql', query='SELECT x FROM v'))
        endless = 'WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT printf(\'%.*c\', 4000, \'x\') FROM r'
        answer = server.ask('sql', query=endless, limit=100000)
        self.assertTrue(answer['more'])
        self.assertLess(len(answer['rows']), 5000)

    def test_mistakes_have_a_place(self):
        server = self.ready(sample('one-cpu'))
        self.assertEqual(server.refusal('sql', query='SELECT 1; SELECT tme FROM events'), 'byte 17: no such column: tme; did you mean time?')
        self.assertRegex(server.refusal('sql', query='SELECT 1 FRO 3'), '^byte 13: near "3": syntax error')
        self.assertEqual(server.refusal('sql'), 'query: expected SQL')

    def test_hostile_queries(self):
        server = self.ready(self.trace())
        target = self.path('made')
        for query in ("ATTACH '%s' AS x" % target, "VACUUM INTO '%s'" % target, "SELECT load_extension('x')", "SELECT readfile('/etc/passwd')",
                      "SELECT writefile('%s', 'x')" % target, 'PRAGMA temp_store_directory = "/"', 'CREATE TABLE t(x)', 'DELETE FROM events',
                      "INSERT INTO bookmarks(name) VALUES ('x')", 'CREATE VIRTUAL TABLE t USING fts5(x)', 'BEGIN'):
            self.assertRegex(server.refusal('sql', query=query), 'not allowed|no such|not authorized|may not be', query)
        self.assertFalse(os.path.exists(target))
        large = 'WITH RECURSIVE r(x) AS (SELECT zeroblob(60000000) UNION ALL SELECT zeroblob(60000000) FROM r) SELECT group_concat(x) FROM r'
        status, _, body = server.request('%sapi/sql?query=%s' % (server.path, large.replace(' ', '%20')))
        self.assertGreaterEqual(status, 400, body)
        self.assertEqual(server.ask('sql', query='SELECT 1')['rows'], [[1]])

    def test_a_query_ends_when_its_client_leaves(self):
        """Four run at the same time, so that a fifth one runs only after they have ended. Some have sent the begin of a further request."""
        server = self.ready(sample('one-cpu'))
        endless = urllib.parse.quote('WITH RECURSIVE r(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM r) SELECT count(*) FROM r')
        host, port = server.host.split(':')
        sockets = []

        def answer():
            return server.request(server.path + 'api/sql?query=SELECT%207')

        while answer()[0] == 200:
            sockets.append(socket.create_connection((host, int(port)), timeout=60))
            sockets[-1].sendall(('GET %sapi/sql?query=%s HTTP/1.1\r\nHost: %s\r\n\r\n' % (server.path, endless, server.host)).encode())
        self.assertEqual(answer()[2], '4 other queries are running; repeat this one when they end')
        for number, connection in enumerate(sockets):
            connection.sendall(b'G' * (number % 2))
            connection.close()
        while answer()[0] != 200:
            pass

    def test_tables(self):
        tables = {table['name']: table['schema'] for table in self.ready(self.trace()).ask('tables')['tables']}
        self.assertLessEqual({'events', 'spans', 'f_tick', 'bookmarks'}, set(tables))
        self.assertIn('CREATE TABLE f_a_begin(', tables['f_a_begin'])


class Filters(AskTest):
    def test_counts_and_events(self):
        trace = self.trace()
        server, start = self.ready(trace), None
        start = int(server.ask('trace')['start'])
        for text in ('event == "f.tick"', 'id == 7', 'id in (1, 2) || event == "f.b_end"'):
            times = [time_ns(event) - start for event in as_json(ltt('dump', '--format=json', '--filter', text, trace).out)]
            self.assertGreater(len(times), 5)
            self.assertEqual(sum(server.ask('density', bins=77, filter=text)['counts']), len(times))
            self.assertEqual(server.ask('stat', filter=text)['events'], len(times))
            middle = times[len(times) // 2]
            self.assertEqual(server.ask('find', filter=text, **{'from': middle})['time'], middle)
            self.assertEqual(server.ask('find', filter=text, **{'from': middle + 1})['time'], times[len(times) // 2 + 1])
            self.assertEqual(server.ask('find', filter=text, before=middle)['time'], times[len(times) // 2 - 1])
            self.assertEqual(server.ask('find', filter=text, before=times[0]), {'time': None})
            self.assertEqual(server.ask('find', filter=text, **{'from': times[-1] + 1}), {'time': None})

    def test_spans(self):
        """A span is shown if the filter selects its begin or its end."""
        trace = self.trace()
        server = self.ready(trace)
        lane, = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'file']
        answer = server.ask('spans', filter='id == 7', pixels=16384, lanes=lane['id'])
        self.assertTrue(answer['exact'])
        self.assertEqual(answer['names'], ['f.a'])
        n = len(answer['spans']) // 6 + sum(answer['bins'][3::6])
        self.assertEqual(n, len(ltt('dump', '--filter', 'id == 7', trace).lines))
        answer = server.ask('spans', filter='event == "f.b_end"', pixels=16384, lanes=lane['id'])
        self.assertEqual(answer['names'], ['f.b'])

    def test_asynchronous_spans_keep_their_rows(self):
        path = self.path('trace')
        small_trace.write(path, DESCRIPTION, {'cpu/0': [[(1000, 'work', number(1)), (1100, 'work', number(2)), (1900, 'done', number(1)), (2000, 'done', number(2))]]})
        server = self.ready(path)
        lane, = [lane for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'async']
        self.assertEqual(server.ask('spans', filter='id == 2', pixels=100, lanes=lane['id'])['spans'], [lane['id'], 100, 900, 1, 0, 0])

    def test_mistakes_and_doubts(self):
        server = self.ready(self.trace())
        text = 'id = 3'
        self.assertIn(server.refusal('find', filter=text), ltt('dump', '--filter', text, sample('one-cpu')).err.replace('--filter: ', ''))
        for name in ('density', 'stat', 'spans', 'events', 'filter'):
            self.assertRegex(server.refusal(name, filter=text, lanes='0'), '^byte 3: ')
        self.assertEqual(server.ask('filter', filter='id == 3'), {'doubts': []})
        self.assertEqual(server.ask('filter', filter='1 == idd'),
                         {'doubts': [{'byte': 5, 'message': 'idd: the trace has no such field', 'nearest': 'id'}]})


class Differences(AskTest):
    def test_two_traces(self):
        """The numbers equal those of `ltt sql`, and spans that take longer are reported as slower."""
        before, after = self.trace('before', 1), self.trace('after', 2, slower=3)
        server = self.ready(before, after)
        answer = server.ask('diff')
        self.assertEqual(answer['n_names'], 2)
        self.assertEqual({name['name']: name['verdict'] for name in answer['names']}, {'f.a': 'slower', 'f.b': 'slower'})
        for side, trace in (('a', before), ('b', after)):
            durations = defaultdict(list)
            for row in as_json(ltt('sql', '--format', 'json', trace, 'SELECT name, dur FROM spans ORDER BY dur').out):
                durations[row['name']].append(row['dur'])
            for name in answer['names']:
                own, got = durations[name['name']], name[side]
                self.assertEqual((got['count'], got['total'], got['p50']), (len(own), sum(own), own[(len(own) + 1) // 2 - 1]))
                self.assertEqual(got['p99'], own[-(-len(own) * 99 // 100) - 1])
            self.assertEqual(answer['all'][side]['count'], sum(map(len, durations.values())))

    def test_windows(self):
        path = self.trace()
        server = self.ready(path, path)
        length = server.ask('trace')['length']
        same = server.ask('diff', **{'from': 0, 'to': length // 2, 'from_b': 0, 'to_b': length // 2})
        self.assertEqual([name['a'] for name in same['names']], [name['b'] for name in same['names']])
        self.assertEqual({name['verdict'] for name in same['names']}, {'noise'})
        part = server.ask('diff', **{'from': 0, 'to': length // 4})
        self.assertLess(part['all']['a']['count'], part['all']['b']['count'])
        self.assertEqual(part['all']['a']['count'] + server.ask('diff', **{'from': length, 'to': length})['all']['a']['count'], part['all']['a']['count'])
        self.assertIn('b: expected', server.refusal('diff', b=2))


class Bookmarks(AskTest):
    def test_made_changed_and_removed(self):
        trace = self.copy(sample('one-cpu'))
        events = ltt('dump', trace).out
        server = self.ready(trace)
        had = len(server.ask('bookmarks')['bookmarks'])
        answer = server.post('bookmarks', action='add', time=1000, length=500, name='<b>slow', text='why\n& how')
        mark = answer['bookmarks'][-1]
        self.assertEqual((mark['time'], mark['length'], mark['is_interval'], mark['name'], mark['text']), (1000, 500, True, '<b>slow', 'why\n& how'))
        self.assertIn('<b>slow', ltt('bookmark', 'list', trace).out)
        answer = server.post('bookmarks', action='change', index=mark['index'], was='<b>slow', time=2000, name='other')
        self.assertEqual([answer['bookmarks'][-1][key] for key in ('time', 'length', 'name', 'text')], [2000, 0, 'other', ''])
        self.assertIn('another program has changed', server.post('bookmarks', action='remove', index=mark['index'], was='<b>slow'))
        # Other programs change them, too.
        self.assertEqual(ltt('bookmark', 'add', '--at', '+0', trace, 'third').status, 0)
        self.assertEqual(server.ask('bookmarks')['bookmarks'][-1]['name'], 'third')
        answer = server.post('bookmarks', action='remove', index=mark['index'], was='other')
        self.assertEqual((len(answer['bookmarks']), answer['bookmarks'][-1]['name']), (had + 1, 'third'))
        self.assertEqual(ltt('dump', trace).out, events)
        self.assertEqual(server.end(), '')

    def test_a_new_name_changes_nothing_else(self):
        """The CPU of a bookmark, an interval without a length, and a time outside of the trace are kept."""
        trace = self.copy(sample('one-cpu'))
        for place in (['--at', '+0.0005', '--cpu', '0'], ['--from', '+0.0004', '--to', '+0.0004'], ['--at', '1000000000'], ['--at-cycle', '7']):
            self.assertEqual(ltt('bookmark', 'add', *place, trace, 'old', 'note').status, 0)
        before = json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks']
        server = self.ready(trace)
        for index in range(len(before) - 4, len(before)):
            self.assertIsInstance(server.post('bookmarks', action='change', index=index, was='old', name='new', text='note'), dict)
        after = json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks']
        self.assertEqual(after, before[:-4] + [{**mark, 'name': 'new'} for mark in before[-4:]])
        server.post('bookmarks', action='change', index=len(before) - 4, was='new', time=1000, name='moved')
        moved = json.loads(ltt('bookmark', 'list', '--json', trace).out)['bookmarks'][-4]
        self.assertEqual((moved['name'], moved['cpu'], moved['start_time']), ('moved', 0, '1050000000.144275091'))

    def test_offsets_of_several_traces(self):
        one, two = self.trace('one'), self.trace('two')
        server = self.ready('--offset', '2=0.001', one, two)
        server.post('bookmarks', action='add', trace=1, time=1000000, name='first event')
        self.assertEqual(server.ask('bookmarks')['bookmarks'], [{'trace': 1, 'index': 0, 'time': 1000000, 'length': 0, 'is_interval': False,
                                                                 'name': 'first event', 'text': ''}])
        self.assertIn('0.000001000', ltt('bookmark', 'list', two).out)

    def test_clocks_of_different_rates(self):
        """A bookmark at an event of a machine with another clock, which `ltt view --sync` converts."""
        self.assertEqual(run(os.path.join(BUILD, 'tests/make-messages'), '--machines=2', '--drift=200', '--seconds=3', self.path('machines')).status, 0)
        traces = [self.path('machines', str(i)) for i in range(2)]
        rule = '--sync=rpc.send:id=rpc.receive:id'
        joined = as_json(ltt('dump', '--format=json', rule, *traces).out)
        own = as_json(ltt('dump', '--format=json', traces[1]).out)
        at = [event['data']['id'] for event in own].index(own[len(own) // 2]['data']['id'])
        event = next(event for event in joined if event['tracefile'] == 'cpu/1' and (event['event'], event['data']) == (own[at]['event'], own[at]['data']))
        server = self.ready(rule, *traces)
        time = time_ns(event) - time_ns(joined[0])
        server.post('bookmarks', action='add', trace=1, time=time, length=1000000, name='here')
        mark, = server.ask('bookmarks')['bookmarks']
        self.assertEqual((mark['time'], mark['length']), (time, 1000000))
        listed, = json.loads(ltt('bookmark', 'list', '--json', traces[1]).out)['bookmarks']
        start, end = (time_ns({'time': listed[key]}) for key in ('start_time', 'end_time'))
        self.assertLessEqual(abs(start - time_ns(own[at])), 1)
        self.assertNotEqual(end - start, 1000000)

    def test_what_cannot_be_changed(self):
        archive = self.path('t.tar.gz')
        self.assertEqual(ltt('pack', '-o', archive, self.trace()).status, 0)
        server = self.ready(archive)
        obstacle, = server.ask('bookmarks')['obstacles']
        self.assertEqual(obstacle, archive + ' is an archive')
        self.assertEqual(server.post('bookmarks', action='add', time=0, name='x'), obstacle)
        os.unlink(archive)
        self.assertEqual(server.ask('bookmarks')['obstacles'], [archive + ': No such file or directory'])
        trace = self.copy(sample('one-cpu'), 'copy')
        with open(os.path.join(trace, 'info/bookmarks.xml'), 'w', encoding='utf-8') as file:
            file.write('<bookmarks>broken')
        self.assertIn('nothing was changed', self.ready(trace).post('bookmarks', action='add', time=0, name='x'))
        with open(os.path.join(trace, 'info/bookmarks.xml'), encoding='utf-8') as file:
            self.assertEqual(file.read(), '<bookmarks>broken')

    def test_what_cannot_be_read(self):
        trace = self.trace()
        file = os.path.join(trace, 'info/bookmarks.xml')
        server = self.ready(trace)
        self.assertEqual(server.ask('bookmarks')['problems'], [])
        with open(file, 'w', encoding='utf-8') as out:
            out.write('<bookmarks>\n<broken/>\n</bookmarks>')
        problem, = server.ask('bookmarks')['problems']
        self.assertTrue(problem.startswith(file + ': line 2: '), problem)
        os.unlink(file)
        os.mkdir(file)
        problem, = server.ask('bookmarks')['problems']
        self.assertTrue(file in problem and 'it is not a regular file' in problem, problem)

    def test_a_saved_page_tells_no_obstacles(self):
        archive, page = self.path('t.tar.gz'), self.path('page.html')
        self.assertEqual(ltt('pack', '-o', archive, self.trace()).status, 0)
        self.assert_done(ltt('view', '--no-cache', '--html', page, archive))
        with open(page, encoding='utf-8') as file:
            self.assertIn('"obstacles":[],"problems":[]}', file.read())

    def test_refused(self):
        trace = self.copy(sample('one-cpu'))
        server = self.ready(trace)
        target = server.path + 'api/bookmarks?action=add&time=0&name=x'
        before = server.ask('bookmarks')
        for origin in (None, 'http://evil.example', 'null', 'http://127.0.0.1:1'):
            headers = {} if origin is None else {'Origin': origin}
            self.assertEqual(server.request(target, 'POST', **headers)[0], 403)
        self.assertEqual(server.request('/' + '0' * 32 + '/api/bookmarks?action=add&name=x', 'POST', Origin='http://' + server.host)[0], 403)
        for wrong in ({}, {'action': 'add'}, {'action': 'add', 'name': ''}, {'action': 'add', 'name': 'x', 'time': -1}, {'action': 'change', 'name': 'x'},
                      {'action': 'add', 'name': 'x', 'trace': 1}, {'action': 'add', 'name': 'x', 'time': 2 ** 64 - 1}):
            self.assertIsInstance(server.post('bookmarks', **wrong), str)
        self.assertEqual(server.ask('bookmarks'), before)
        self.assertEqual(server.request(server.path + 'api/trace', 'POST', Origin='http://' + server.host)[0], 405)


if __name__ == '__main__':
    unittest.main()
