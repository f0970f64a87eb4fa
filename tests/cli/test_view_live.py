"""`ltt view` of recordings that are running: each step of the recorded program appears."""
import json
import os
import re
import signal
import socket
import subprocess
import unittest
from collections import Counter

from attaching import Attach, Program
from command import as_json, ltt, sample
from driving import Driven
from kernel_case import Kernel
from recording import BUILD, LTT, program
from viewing import CHROMIUM, Viewer, built, walk

PAIRS = 'event == "demo.pair"'


class Watching:
    """Part of a test case: a server, and the number of its map that was seen last."""

    def watch(self, *traces):
        server = Viewer(self, *traces)
        server.wait()
        self.number = 0
        return server

    def pairs(self, server):
        return server.ask('stat', filter=PAIRS)['events']

    def see(self, server, n):
        """Waits for the map with n events of the program, which is the next or a later one."""
        while self.pairs(server) < n:
            moment = server.ask('live', after=self.number)
            self.assertTrue(moment['running'])
            self.number = moment['map']
        self.assertEqual(self.pairs(server), n)

    def await_end(self, server):
        while True:
            moment = server.ask('live', after=self.number)
            if not moment['running']:
                break
            self.number = moment['map']
        self.assertFalse(server.ask('trace')['running'])

    def end(self, server):
        """Waits for the end of the recording. Its last map must be that of a complete trace."""
        self.await_end(server)
        self.assert_as_counted(server, self.trace)
        self.assert_as_opened(server, self.trace)

    def assert_as_counted(self, server, trace):
        """Compares the counts, the lanes and the length with `ltt stat` and `ltt dump`."""
        info = json.loads(ltt('stat', '--json', trace).out)
        progress, lanes = server.ask('progress'), server.ask('lanes')
        self.assertEqual((progress['stage'], progress['events'], progress['n_problems']), ('ready', info['events'], 0))
        self.assertEqual(sum(server.ask('density', bins=50)['counts']), info['events'])
        self.assertTrue(lanes['complete'])
        by_cpu = {}
        for event in as_json(ltt('dump', '--format=json', trace).out):
            if event['tracefile'].startswith('cpu/'):
                cpu = int(event['tracefile'].split('/')[1])
                by_cpu[cpu] = by_cpu.get(cpu, 0) + 1
        self.assertEqual({lane['cpu']: lane['events'] for lane in lanes['lanes']
                          if lane['kind'] == 'cpu' and lane['events']}, by_cpu)

    def assert_as_opened(self, server, *traces):
        """Compares lanes, states and the end with those of a server that is started now."""
        def picture(server):
            start = int(server.ask('trace')['start'])
            lanes = {lane.pop('id'): lane for lane in server.ask('lanes')['lanes'] if lane['events'] or lane.get('states')}
            states = server.ask('states', pixels=500, lanes=','.join(map(str, lanes)))
            by_lane = {}
            for lane, begin, length, state, *_ in zip(*[iter(states['stretches'])] * 7):
                by_lane.setdefault(lane, []).append((start + begin, length, state))
            return start + server.ask('trace')['length'], sorted(
                repr((dict(lane, first=lane['events'] and start + lane['first'], last=lane['events'] and start + lane['last']),
                      sorted(by_lane.get(number, [])))) for number, lane in lanes.items())
        opened = Viewer(self, *traces)
        opened.wait()
        self.assertEqual(picture(server), picture(opened))


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Live(Watching, Driven):
    def test_steps_of_a_recording(self):
        recorder = self.record()
        server = self.watch(self.trace)
        first = server.ask('trace')
        self.assertTrue(first['running'])
        self.tell(recorder, '\n')
        total, ids, starts = 0, {}, set()
        for n in (1, 3, 2000, 1):
            self.drive(recorder, n)
            total += n
            self.see(server, total)
            trace = server.ask('trace')
            self.assertTrue(trace['running'])
            starts.add(trace['start'])
            for lane in server.ask('lanes')['lanes']:
                key = lane['kind'], lane.get('cpu'), lane.get('pid'), lane.get('tid'), lane.get('name')
                self.assertEqual(ids.setdefault(lane['id'], key[:4]), key[:4])
        self.assertEqual(len(starts), 1)
        recorder.communicate(timeout=120)
        self.end(server)
        self.assertEqual(server.ask('trace')['start'], starts.pop())
        self.assertEqual(server.end(), '')

    def test_answers_of_one_map_do_not_contradict_each_other(self):
        """While the program writes as fast as it can."""
        recorder = self.record()
        server = self.watch(self.trace)
        self.tell(recorder, '\n')
        for _ in range(4):
            self.tell(recorder, '30000\n')
            before = server.ask('live', after=self.number)
            density = sum(server.ask('density', bins=50)['counts'])
            events = server.ask('progress')['events']
            stat = server.ask('stat', **{'from': 0, 'to': before['length']})['events']
            lanes = sum(lane['events'] for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'cpu')
            if server.ask('live')['map'] == before['map']:
                self.assertEqual((density, stat), (events, events))
                self.assertLessEqual(lanes, events)
            self.assertEqual(recorder.stdout.readline(), b'30000\n')
            self.number = before['map']
        recorder.communicate(timeout=120)
        self.end(server)

    def settle(self, server, n_before):
        """Waits until the map ends with the last event, which it does a moment after that. Each map reads no event of those
        before it. Returns: the number of events"""
        while True:
            number, progress = server.ask('live')['map'], server.ask('progress')
            if server.ask('live')['map'] != number:
                continue  # it may be the progress of either
            if number != self.number:
                self.assertLessEqual(progress['drawn'], progress['events'] - n_before)
            self.number, n_before = number, progress['events']
            if n_before == json.loads(ltt('stat', '--json', self.trace).out)['events']:
                return n_before
            server.ask('live', after=number)

    def assert_as_read(self, server):
        """Compares all lanes, from bins and from events, with those of a server that reads the whole trace now."""
        def picture(server):
            lanes, length = server.ask('lanes')['lanes'], server.ask('trace')['length']
            names = {lane['id']: (lane['kind'], lane.get('cpu', lane.get('tid')), lane.get('name')) for lane in lanes}
            ask = lambda pixels, first: server.ask('spans', pixels=pixels, lanes=','.join(map(str, names)), **{'from': first})
            rows = lambda answer, kind: [(names[row[0]], *row[1:4], answer['names'][row[4]], *row[5:])
                                         for row in zip(*[iter(answer[kind])] * 6)]
            drawn, exact = ask(20, 0), ask(10000, length - length // 20)
            self.assertEqual((drawn['exact'], exact['exact']), (False, True))
            counts = Counter()  # of spans by lane and depth: bins have other lengths
            for lane, _, _, depth, *_ in rows(drawn, 'spans'):
                counts[lane, depth] += 1
            for lane, _, depth, n, *_ in rows(drawn, 'bins'):
                counts[lane, depth] += n
            return ({names[lane.pop('id')]: lane for lane in lanes if lane['events']}, counts,
                    Counter(rows(exact, 'spans')), Counter(rows(exact, 'bins')))
        opened = Viewer(self, '--no-cache', self.trace)
        opened.wait()
        self.assertEqual(server.ask('trace')['length'], opened.ask('trace')['length'])
        for got, expected in zip(picture(server), picture(opened)):
            self.assertEqual(got, expected)
        opened.end()

    def echo(self, cat, n):
        for _ in range(n):
            self.tell(cat, 'x\n')
            self.assertEqual(cat.stdout.readline(), b'x\n')

    def test_maps_continue(self):
        """Each map reads the events after the end of the one before, whose spans may be open there."""
        cpu = str(min(os.sched_getaffinity(0)))  # a tracefile more would be a reason to read the whole trace
        recorder = subprocess.Popen(['taskset', '-c', cpu, LTT, 'record', '--preload=io', '-o', self.trace, '--', 'cat'],
                                    stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.addCleanup(self.close, recorder)
        self.echo(recorder, 1)
        server = self.watch(self.trace)
        n_events = 0
        for n in (1, 5, 3000, 1, 700):
            self.echo(recorder, n)
            n_events = self.settle(server, n_events)
            self.assert_as_read(server)
        recorder.communicate(timeout=120)
        self.end(server)

    def test_flight_recorder(self):
        """Blocks are overwritten; the last map is that of the blocks that are left."""
        recorder = self.record('--flight=64K', '--block-size=4K')
        server = self.watch(self.trace)
        self.tell(recorder, '\n')
        for n in (10, 20000, 20000):
            self.drive(recorder, n)
            self.number = server.ask('live', after=self.number)['map']
            self.assertEqual(server.ask('progress')['stage'], 'ready')
        recorder.communicate(timeout=120)
        self.end(server)

    def test_all_are_killed(self):
        recorder = self.record()
        server = self.watch(self.trace)
        self.tell(recorder, '\n')
        self.drive(recorder, 7)
        self.see(server, 7)
        pid = server.ask('events', filter=PAIRS, limit=1)['events'][0]['pid']
        for victim in (recorder.pid, pid):
            os.kill(victim, signal.SIGKILL)
        recorder.wait()
        self.end(server)
        self.assertEqual(self.pairs(server), 7)

    def test_two_recordings(self):
        """Joined: each of them grows, and one ends before the other."""
        other = self.path('other')
        recorders = [self.record(), self.record(trace=other)]
        server = self.watch(self.trace, other)
        for recorder in recorders:
            self.tell(recorder, '\n')
        self.drive(recorders[0], 5)
        self.see(server, 5)
        self.drive(recorders[1], 6)
        self.see(server, 11)
        recorders[0].communicate(timeout=120)
        self.drive(recorders[1], 100)
        self.see(server, 111)
        recorders[1].communicate(timeout=120)
        self.await_end(server)
        self.assertEqual(self.pairs(server), 111)
        self.assertEqual(server.ask('progress')['events'],
                         sum(json.loads(ltt('stat', '--json', trace).out)['events'] for trace in (self.trace, other)))

    def test_an_offset(self):
        """Each map of joined recordings has the offset of the first; the last one is as of traces that are opened now."""
        other = self.path('other')
        words = '--offset', '2=1.5', self.trace, other
        recorders = [self.record(), self.record(trace=other)]
        server = self.watch(*words)
        for recorder in recorders:
            self.tell(recorder, '\n')
        self.drive(recorders[0], 5)
        self.drive(recorders[1], 6)
        self.see(server, 11)  # the events of the second one are in the future at first
        self.assertGreater(server.ask('trace')['length'], 1.5e9)
        for recorder in recorders:
            recorder.communicate(timeout=120)
        self.await_end(server)
        self.assertEqual(self.pairs(server), 11)
        self.assert_as_opened(server, *words)

    def wait_for_port(self, port, recorder):
        """A request that comes before the server has its port has no reply."""
        def is_open():
            for name in ('/proc/net/udp', '/proc/net/udp6'):
                with open(name, encoding='ascii') as sockets:
                    if ':%04X ' % port in sockets.read():
                        return True
            return False
        while not is_open():
            self.assertIsNone(recorder.poll(), 'ended before it opened its port')

    def test_clocks_by_messages(self):
        """Two recordings with --sync, whose programs go on to exchange messages: each map has the conversion of the first."""
        other, port, echo = self.path('other'), str(20000 + os.getpid() % 20000), os.path.join(BUILD, 'samples/echo')
        client = ' '.join((echo, 'client', '127.0.0.1', port, '200', '0'))
        recorders = [self.start('record', '-o', self.trace, '--', echo, 'server', port, '2'),
                     self.start('record', '-o', other, '--', 'sh', '-c', 'read a; %s; read b; %s' % (client, client))]
        rules = [word for end in ('request', 'reply') for word in ('--sync', 'echo.{0}_send:client,number=echo.{0}_receive:client,number'.format(end))]
        n = lambda: server.ask('stat')['events']
        first = lambda: [server.ask('events', filter='event == "echo.request_%s"' % end, limit=1)['events'][0]['time']
                         for end in ('send', 'receive')]
        self.wait_for_port(int(port), recorders[0])
        self.tell(recorders[1], '\n')
        self.assertEqual(recorders[1].stdout.readline(), b'200 requests, 200 replies\n')
        server = self.watch(*rules, self.trace, other)
        while n() < 800:
            self.number = server.ask('live', after=self.number)['map']
        times = first()
        recorders[1].communicate(b'\n', timeout=120)
        recorders[0].communicate(timeout=120)
        self.await_end(server)
        self.assertEqual((n(), first()), (1600, times))
        self.assertEqual(server.end(), '')

    def test_program_without_a_recorder(self):
        """As with `ltt attach`, the program is in a session."""
        driven = subprocess.Popen([program('driven'), self.trace], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.close, driven)
        self.drive(driven, 4)
        server = self.watch(self.trace)
        self.see(server, 4)
        self.drive(driven, 3)
        self.see(server, 7)
        driven.communicate(timeout=120)
        self.end(server)

    def test_the_server_ends_while_a_client_waits(self):
        recorder = self.record()
        server = self.watch(self.trace)
        host, _, port = server.host.partition(':')
        with socket.create_connection((host, int(port)), timeout=120) as client:
            client.sendall(('GET %sapi/live?after=1000000 HTTP/1.1\r\nHost: %s\r\n\r\n' % (server.path, server.host)).encode())
            self.assertTrue(server.ask('live')['running'])
            self.assertEqual(server.end(), '')
        recorder.communicate(timeout=120)

    def test_the_last_map_is_kept(self):
        """The server keeps the summary of the recording that it has followed, and the next one uses it."""
        cache = self.path('cache')
        recorder = self.record()
        server = self.watch('--cache', cache, self.trace)
        self.tell(recorder, '\n')
        self.drive(recorder, 500)
        self.see(server, 500)
        recorder.communicate(timeout=120)
        self.end(server)
        self.assertFalse(server.ask('progress')['cached'])
        while not any(name.endswith('.map') for name in os.listdir(cache)):
            self.assertFalse(server.ask('live')['running'])
        opened = Viewer(self, '--cache', cache, self.trace)
        self.assertTrue(opened.wait()['cached'])
        self.assert_as_counted(opened, self.trace)
        self.assert_as_opened(server, '--cache', cache, self.trace)

    def test_a_complete_trace_has_one_map(self):
        server = self.watch(sample('one-cpu'))
        self.assertEqual(server.ask('live', after=1),
                         {'map': 1, 'length': server.ask('trace')['length'], 'running': False})
        self.assertIn('after: expected a number', server.refusal('live', after='x'))

    def test_trace_server_protocol(self):
        """The trace is RUNNING, and so are the models of its outputs; all are COMPLETED after its end."""
        recorder = self.record()
        server = self.watch(self.trace)
        states = lambda: tuple(json.loads(server.request(server.path + 'tsp/api/' + name)[2])[0]['indexingStatus']
                               for name in ('traces', 'experiments'))
        experiment, = json.loads(server.request(server.path + 'tsp/api/experiments')[2])
        tree = lambda: json.loads(server.send('POST', server.path + 'tsp/api/experiments/%s/outputs/data/types/tree'
                                              % experiment['UUID'], '{"parameters":{}}')[2])
        self.assertEqual((states(), tree()['status']), (('RUNNING', 'RUNNING'), 'RUNNING'))
        self.tell(recorder, '\n')
        self.drive(recorder, 9)
        self.see(server, 9)
        again, = json.loads(server.request(server.path + 'tsp/api/experiments')[2])
        self.assertEqual(again['UUID'], experiment['UUID'])
        self.assertGreater(again['end'], experiment['end'])
        recorder.communicate(timeout=120)
        self.end(server)
        self.assertEqual((states(), tree()['status']), (('COMPLETED', 'COMPLETED'), 'COMPLETED'))
        self.assertEqual(json.loads(server.request(server.path + 'tsp/api/experiments')[2])[0]['nbEvents'],
                         json.loads(ltt('stat', '--json', self.trace).out)['events'])


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Attached(Watching, Attach):
    def test_attached_program(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid)
        server = self.watch(self.trace)
        tracee.do(20)
        self.see(server, 20)
        tracee.do(30)
        self.see(server, 50)
        self.detach(process)
        tracee.do(10)
        self.end(server)
        self.assertEqual(self.pairs(server), 50)


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Counters(Watching, Driven):
    def values(self, server):
        """Returns: the number of values of all counters, and the largest one"""
        lanes = [str(lane['id']) for lane in server.ask('lanes')['lanes'] if lane['kind'] == 'counter']
        bins = list(zip(*[iter(server.ask('counters', pixels=100, lanes=','.join(lanes))['bins'])] * 6)) if lanes else []
        return sum(row[2] for row in bins), max((row[4] for row in bins), default=None)

    def test_counters_grow(self):
        """Those of programs that start one after the other; at the end they are those of the complete trace."""
        folder = self.path('files')
        os.mkdir(folder)
        for name in 'abc':
            with open(os.path.join(folder, name), 'w', encoding='utf-8') as file:
                file.write(name)
        hash_files = '%s %s 1 >/dev/null' % (os.path.join(BUILD, 'samples/hash-files'), folder)
        recorder = self.start('record', '-o', self.trace, '--', 'sh', '-c', 'echo ready; read a; %s; read b; %s; read c' % (hash_files, hash_files))
        self.assertEqual(recorder.stdout.readline(), b'ready\n')
        server, before = self.watch(self.trace), 0
        self.assertEqual(self.values(server), (0, None))
        for _ in range(2):
            self.tell(recorder, '\n')
            while self.values(server)[0] <= before:
                moment = server.ask('live', after=self.number)
                self.assertTrue(moment['running'])
                self.number = moment['map']
            before = self.values(server)[0]
        recorder.communicate(b'\n', timeout=120)
        self.await_end(server)
        opened = Viewer(self, self.trace)
        opened.wait()
        self.assertEqual(self.values(server), self.values(opened))
        depths = [row['length'] for row in as_json(ltt('sql', '--format', 'json', self.trace, 'SELECT length FROM hash_files_queue').out)]
        self.assertEqual(self.values(server), (len(depths), max(depths)))


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class KernelLive(Watching, Kernel):
    def test_states_of_threads(self):
        """The states of a program appear while it is recorded, and are those of the complete trace at the end."""
        recorder = self.start('--kernel=sched', '--kernel-buffer=16M', '--only-program', '--', 'sh', '-c', 'read a; /bin/true; read b', stdin=subprocess.PIPE)
        server = self.watch(self.trace)
        recorder.stdin.write(b'\n')
        recorder.stdin.flush()
        while not any(lane.get('name') == 'true' and lane.get('states') for lane in server.ask('lanes')['lanes']):
            moment = server.ask('live', after=self.number)
            self.assertTrue(moment['running'])
            self.number = moment['map']
        recorder.stdin.close()
        recorder.wait(timeout=120)
        self.await_end(server)
        self.assert_as_opened(server, self.trace)


@unittest.skipUnless(built(BUILD) and os.path.exists(CHROMIUM), 'the page is not built, or Chromium is not installed')
class Page(Driven):
    def window(self, answer):
        return tuple(map(int, re.search(r'from=(\d+)&to=(\d+)', answer['hash']).groups()))

    def test_the_page_follows_the_end(self):
        """A window at the end moves with it, and stays when moved away. The button returns to the end, and the page reports the end of the recording."""
        recorder = self.record()
        server = Viewer(self, self.trace)
        self.tell(recorder, '\n')
        self.drive(recorder, 1)
        number = 0
        while server.ask('stat', filter=PAIRS)['events'] < 1:
            number = server.ask('live', after=number)['map']
        n = server.ask('progress')['events']
        saw = walk(self, server.url, [
            ['open', ''], ['read', '#say', 'follows it'],
            ['read', '#status', '%d events' % (n + 10)], ['press', 'w'],
            ['read', '#status', '%d events' % (n + 30)], ['press', 'Shift'], ['press', 'a'],
            ['read', '#status', '%d events' % (n + 60)], ['press', 'Shift'], ['read', '#live[aria-pressed=false]'],
            ['push', '#live'], ['read', '#say', 'follows the recording'], ['picture', 'live'], ['press', 'g'],
            ['read', '#say', 'does not follow'], ['press', 'g'],
            ['read', '#say', 'has ended'], ['press', '0'], ['picture', 'live-ended'], ['read', '#status', ' events']])
        steps = {1: 10, 3: 20, 6: 30}
        answers = []
        for answer in saw:
            if len(answers) in steps:
                self.drive(recorder, steps[len(answers)])
            answers.append(answer)
            if len(answers) == 16:
                recorder.communicate(timeout=120)
        narrow, moved, away, still, back = (self.window(answers[i]) for i in (3, 5, 6, 8, 10))
        self.assertGreater(moved[1], narrow[1])
        self.assertAlmostEqual(moved[1] - moved[0], narrow[1] - narrow[0], delta=2)
        self.assertLess(away[1], moved[1])
        self.assertEqual(still, away)
        self.assertIn('follow=off', answers[8]['hash'])
        self.assertNotIn('follow', answers[10]['hash'])
        self.assertGreater(back[1], moved[1])
        self.assertIn('follow=off', answers[13]['hash'])
        self.assertGreater(answers[18]['colours'], 1)
        info = json.loads(ltt('stat', '--json', self.trace).out)
        self.assertIn('%d events' % info['events'], answers[-1]['text'])
        self.assertEqual(self.window(answers[17]), (0, server.ask('trace')['length']))
