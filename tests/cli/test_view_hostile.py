"""`ltt view` with hostile traces and requests."""
import errno
import http.client
import json
import os
import random
import socket
import struct
import subprocess
import threading
import unittest
import urllib.parse

import small_trace
import switch_trace
from command import BUILD, SOURCE, sample
from viewing import ViewTest, built

MARKUP = '<img src=x onerror=alert(1)>'
DESCRIPTION = '''<facility name="f">
<event name="a_begin"><struct><field name="path"><string/></field></struct></event><event name="a_end"/><event name="tick"/>
</facility>'''
STRANGERS = 128  # LTT_VIEW_STRANGERS
LANES = 65536  # LTT_VIEW_LANES
LAST = (1 << 32) * 10 ** 9 - 1  # of a block


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Traces(ViewTest):
    def test_more_threads_than_lanes(self):
        """The threads without a lane are counted, and share one; the cache keeps their number."""
        path, cache, n_threads = self.path('trace'), self.path('cache'), LANES + 100
        events = [(1000 + thread, 'switch', struct.pack('<3I', thread, thread + 1, switch_trace.SLEEP if thread else switch_trace.READY))
                  for thread in range(n_threads)]
        small_trace.write(path, switch_trace.DESCRIPTION, {'cpu/0': [events[at:at + 3000] for at in range(0, n_threads, 3000)]}, block_size=65536)
        for _ in range(2):
            server = self.view('--cache', cache, path)
            self.assertEqual(server.wait()['stage'], 'ready')
            answer = server.ask('lanes')
            omitted = n_threads + 2 - LANES  # with the lanes of the CPU and of the tracefile
            self.assertEqual((len(answer['lanes']), answer['omitted']), (LANES + 1, omitted))
            others, = [lane for lane in answer['lanes'] if lane['kind'] == 'others']
            self.assertEqual((others['name'], others['id'], others.get('states')), ('%d other lanes' % omitted, LANES, None))
            self.assertEqual(server.ask('states', lanes=str(LANES), pixels=10)['exact'], False)
            self.assertEqual(server.end(), '')

    def walk(self, *words):
        """Asks for everything. Returns: what api/trace answers"""
        server = self.view(*words)
        self.assertEqual(server.wait()['stage'], 'ready')
        trace, lanes = server.ask('trace'), server.ask('lanes')['lanes']
        ids = ','.join(str(lane['id']) for lane in lanes[:1000])
        server.ask('density')
        server.ask('density', bins=16384)
        server.ask('spans', lanes=ids)
        server.ask('spans', lanes=ids, pixels=1, **{'from': trace['length'] - 1, 'to': trace['length']})
        server.ask('events', limit=10)
        server.ask('stat')
        status, _, body = server.request(server.path + 'tsp/api/experiments')
        self.assertEqual(status, 200)
        outputs = server.path + 'tsp/api/experiments/%s/outputs/' % json.loads(body)[0]['UUID']
        status, _, body = server.send('POST', outputs + 'timeGraph/spans/tree', b'{}')
        self.assertEqual(status, 200)
        rows = [entry['id'] for entry in json.loads(body)['model']['entries'] if entry['hasData']]
        query = json.dumps({'parameters': {'requested_items': rows[:1000] + [1]}}).encode()
        for name in ('timeGraph/spans/states', 'XY/density/xy', 'data/types/tree', 'spans/annotations'):
            status, _, body = server.send('POST', outputs + name, query)
            self.assertEqual((status, json.loads(body)['status']), (200, 'COMPLETED'), name)
        status, _, body = server.send('POST', outputs + 'table/events/lines', b'{"parameters":{"requested_table_count":10}}')
        self.assertEqual((status, json.loads(body)['status']), (200, 'COMPLETED'))
        self.assertRegex(server.end(), r'\A(ltt view: [^\n]*: an offset of \S+ s gives times out of range: [^\n]*\n)?\Z')
        return trace

    def make_wordy(self, n_events, n_values):
        """Makes a trace of events with 200 bytes of text for each byte."""
        path = self.path('trace%d' % n_values)
        payload = struct.pack('<I', n_values) + bytes(n_values)
        small_trace.write(path, '''<facility name="f"><event name="e"><sequence lengthsize="4"><enum size="1">
<label name="%s" value="0"/></enum></sequence></event></facility>''' % ('x' * 197),
                          {'cpu/0': [[(1000 + i, 'e', payload)] for i in range(n_events)]}, block_size=1 << 19)
        return path

    def test_text_that_is_much_longer_than_the_events(self):
        """The size of an answer is bounded. Of 70 events with 13 MB of text it lists one, or cuts their text."""
        server = self.view(self.make_wordy(70, 65000))
        self.assertEqual(server.wait()['stage'], 'ready')
        answer = server.ask('events', limit=70)
        self.assertEqual((len(answer['events']), answer['more']), (1, True))
        self.assertEqual(len(answer['events'][0]['data']), 65000)
        status, _, body = server.request(server.path + 'tsp/api/experiments')
        self.assertEqual(status, 200)
        status, _, body = server.send(
            'POST', '%stsp/api/experiments/%s/outputs/table/events/lines' % (server.path, json.loads(body)[0]['UUID']),
            json.dumps({'parameters': {'requested_table_index': 0, 'requested_table_count': 70, 'requested_table_column_ids': [4, 5]}}))
        self.assertEqual(status, 200)
        lines = json.loads(body)['model']['lines']
        self.assertEqual(len(lines), 64)
        for line in lines:
            name, fields = [cell['content'] for cell in line['cells']]
            self.assertEqual((name, fields[:8], fields[-4:], len(fields)), ('f.e', '["xxxxxx', 'x...', (256 << 10) + 3))
        self.assertEqual(server.end(), '')

        server = self.view(self.make_wordy(1, 400000))
        self.assertEqual(server.wait()['stage'], 'ready')
        self.assertEqual(server.ask('events', limit=1), {'events': [{
            'time': '0.000001000', 'tracefile': 'cpu/0', 'event': 'f.e', 'data': 'more than 64 MiB of text; `ltt dump` prints it'}],
            'more': False})
        self.assertEqual(server.end(), '')

    def test_times_at_both_ends(self):
        for times in ((0,), (LAST,), (0, LAST), (LAST - 1, LAST), (0, 1, LAST - 1, LAST)):
            path = self.path('trace-%d-%d' % (len(times), times[0]) + '-%d' % times[-1])
            small_trace.write(path, DESCRIPTION, {'cpu/%d' % i: [[(time, 'tick', b'')]] for i, time in enumerate(times)})
            self.walk(path)
            for offset in ('1=9000000000', '1=-9000000000'):
                self.walk('--offset', offset, path)

    def test_markup_stays_text(self):
        path = self.path(MARKUP)
        small_trace.write(path, DESCRIPTION, {'cpu/0': [[(1000, 'a_begin', MARKUP.encode() + b'"\\\0'), (2000, 'a_end', b'')]]})
        self.assertEqual(self.walk(path)['title'], MARKUP)

    def test_damage_everywhere(self):
        """A trace with random damage is shown, and the damage with it."""
        choose = random.Random(1)
        for _ in range(12):
            path = self.copy(sample('sparse-cpus'))
            for name in os.listdir(os.path.join(path, 'cpu')):
                with open(os.path.join(path, 'cpu', name), 'r+b') as file:
                    size = file.seek(0, 2)
                    for _ in range(3):
                        file.seek(choose.randrange(size))
                        file.write(bytes(choose.randrange(256) for _ in range(choose.choice((1, 4, 100)))))
            server = self.view(path)
            progress = server.wait()
            self.assertIn(progress['stage'], ('ready', 'failed'))
            self.assertEqual(len(server.ask('density')['counts']) > 0, True)
            server.ask('lanes')
            server.end()
            os.rename(path, path + '-%d' % choose.getrandbits(60))


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Requests(ViewTest):
    def raw(self, server, request, ends=True):
        """Returns: what the server answers to these bytes."""
        host, port = server.host.split(':')
        with socket.create_connection((host, int(port)), timeout=120) as connection:
            try:
                connection.sendall(request)
                if ends:
                    connection.shutdown(socket.SHUT_WR)
                return connection.makefile('rb').read()
            except (BrokenPipeError, ConnectionResetError):
                return b''
            except OSError as error:  # the server has closed the connection before shutdown()
                if error.errno != errno.ENOTCONN:
                    raise
                return b''

    def test_tokens(self):
        server = self.view(sample('one-cpu'))
        token = server.path.strip('/')
        wrong = [token[:-1], token[1:], token + '0', token.upper() if token.upper() != token else '0' * 32, '0' * 32, '', '%00',
                 token[:-1] + ('0' if token[-1] != '0' else '1'), '../' + token, './' + token, token + '%00', '*', '%2e%2e/' + token]
        for text in wrong:
            for rest in ('', '/', '/index.html', '/api/trace', '/tsp/api/traces'):
                status, _, body = server.request('/' + text + rest)
                self.assertEqual((status, body), (403, 'forbidden\n'), text + rest)
        for path in ('../../etc/passwd', '/etc/passwd', '%2e%2e/%2e%2e/etc/passwd', 'viewer.js/../../x', 'api', 'api/', 'api/trace/',
                     '\\..\\x', 'tsp/api/../../../etc/passwd'):
            self.assertEqual(server.request(server.path + path)[0], 404, path)

    def test_values_with_a_nul(self):
        """A NUL does not end a parameter; neither it nor a missing value is taken for another value."""
        server = self.view(sample('one-cpu'))
        server.wait()
        for path, name in (('sql?query=SELECT+1%00,2', 'query'), ('find?filter=cpu+%3E%3D+0%00x', 'filter'), ('stat?from=0%00', 'from'),
                           ('events?events=*%00', 'events'), ('spans?lanes=0%001', 'lanes'), ('align?event=core.irq%00', 'event'),
                           ('durations?name=core.irq%00', 'name'), ('sql?query=SELECT+1&limit=1%00', 'limit')):
            status, _, body = server.request('%sapi/%s' % (server.path, path))
            self.assertEqual((status, body), (400, name + ': expected a text without a NUL'), path)
        status, _, body = server.request(server.path + 'api/stat?from')
        self.assertEqual((status, body), (400, 'from: expected = and a value'))
        self.assertEqual(server.post('bookmarks', action='add', name='a', time=5, text='b\0c'), 'text: expected a text without a NUL')

    def test_random_parameters(self):
        """Parameters of any kind are answered or refused, and the server goes on."""
        server, choose = self.view(sample('one-cpu')), random.Random(3)
        server.wait()
        names = ['from', 'to', 'bins', 'pixels', 'lanes', 'limit', 'lane', 'filter', 'events', 'query', 'x']
        values = ['0', '1', '-1', '18446744073709551615', '18446744073709551616', '9223372036854775808', 'NaN', 'inf', '1e9', '0x10', ' 1',
                  '', '\0', '%', '%zz', ',', '1,', '1,,2', ','.join(map(str, range(3000))), 'a' * 2000, '(' * 500, 'x > 1', '*', '"', '1443077']
        for _ in range(400):
            words = {choose.choice(names): choose.choice(values) for _ in range(choose.randrange(4))}
            path = '%sapi/%s?%s' % (server.path, choose.choice(['trace', 'progress', 'density', 'lanes', 'spans', 'events', 'stat', 'filter',
                                                                'find', 'diff', 'tables', 'sql', 'bookmarks']), urllib.parse.urlencode(words))
            self.assertIn(server.request(path)[0], (200, 400, 414), path[:200])
        self.assertEqual(server.end(), '')

    def test_malformed_requests(self):
        server, choose = self.view(sample('one-cpu')), random.Random(4)
        good = ('GET %sapi/trace HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' % (server.path, server.host)).encode()
        self.assertIn(b'200 OK', self.raw(server, good))
        for request in (b'', b'\r\n', b'GET', b'GET / HTTP/9.9\r\n\r\n', b'\0' * 5000, good[:-2], good.replace(b'GET', b'G\0T'),
                        b'GET /' + b'a' * 100000 + b' HTTP/1.1\r\n\r\n', good.replace(b'\r\n\r\n', b'\r\nA: ' + b'b' * 100000 + b'\r\n\r\n'),
                        good.replace(b'GET', b'POST').replace(b'\r\n\r\n', b'\r\nContent-Length: 99999999999999999999\r\n\r\n'),
                        good.replace(b'GET', b'POST').replace(b'\r\n\r\n', b'\r\nContent-Length: -1\r\n\r\n'),
                        good.replace(b'GET', b'POST').replace(b'\r\n\r\n', b'\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nx')):
            self.assertNotIn(b'one-cpu', self.raw(server, request), request[:60])
        for _ in range(200):
            request = bytearray(good)
            for _ in range(choose.randrange(1, 6)):
                request[choose.randrange(len(request))] = choose.randrange(256)
            self.raw(server, bytes(request))
        self.assertIn(b'200 OK', self.raw(server, good))
        self.assertEqual(server.end(), '')

    def test_foreign_names_of_the_server(self):
        """DNS rebinding: a foreign name that resolves to 127.0.0.1 is in Host."""
        server = self.view(sample('one-cpu'))
        port = server.host.split(':')[1]
        for host in ('evil.example:' + port, 'localhost', 'localhost.evil.example:' + port, '127.0.0.1:' + port + '.evil.example', '127.1:' + port,
                     '[::1]:' + port, '', server.host + ' ', server.host + ',x'):
            request = 'GET %sapi/trace HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' % (server.path, host)
            if host.strip() != server.host:
                self.assertNotIn(b'one-cpu', self.raw(server, request.encode()), host)
        self.assertNotIn(b'one-cpu', self.raw(server, ('GET %sapi/trace HTTP/1.0\r\n\r\n' % server.path).encode()))

    def test_slow_strangers(self):
        """Clients that never finish a request do not keep others from being served: the oldest ones are closed."""
        server = self.view(sample('one-cpu'))
        address, strangers = (server.host.split(':')[0], int(server.host.split(':')[1])), []
        client = http.client.HTTPConnection(server.host, timeout=120)
        self.addCleanup(client.close)

        def ask():
            client.request('GET', server.path + 'api/live')
            return json.loads(client.getresponse().read())['running']

        self.assertFalse(ask())
        for number in range(2 * STRANGERS):
            strangers.append(socket.create_connection(address, timeout=120))
            self.addCleanup(strangers[-1].close)
            strangers[-1].sendall(b'GET /' if number % 2 else b'')
        self.assertFalse(server.ask('live')['running'])  # a new connection, accepted after the others
        for closed in strangers[:STRANGERS]:
            try:
                self.assertEqual(closed.recv(1), b'')
            except ConnectionResetError:
                pass
        connected = client.sock
        self.assertFalse(ask())
        self.assertIs(client.sock, connected)
        self.assertEqual(server.end(), '')

    def test_many_connections(self):
        """More connections than the server answers at once, half of them with half a request."""
        server = self.view(sample('one-cpu'))
        server.wait()
        host, port = server.host.split(':')
        halves = [socket.create_connection((host, int(port)), timeout=120) for _ in range(20)]
        for half in halves:
            half.sendall(b'GET /')
        answers = []

        def ask():
            answers.append(server.request(server.path + 'api/lanes')[0])

        threads = [threading.Thread(target=ask) for _ in range(100)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [200] * 100)
        for half in halves:
            half.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack('ii', 1, 0))
            half.close()
        self.assertEqual(server.end(), '')


@unittest.skipUnless(built(BUILD) and os.path.exists('/usr/bin/chromium'), 'the page is not built, or Chromium is not installed')
class Browser(ViewTest):
    def test_a_page_of_another_origin_reads_nothing(self):
        """Even a page that knows the token."""
        server = self.view(sample('one-cpu'))
        done = subprocess.run(['node', os.path.join(SOURCE, 'viewer/tests/origin.mjs'), server.url], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        got = json.loads(done.stdout)
        self.assertEqual(got.pop('opaque'), 'refused')
        self.assertEqual(set(got.values()), {'refused'}, got)
