"""`ltt view`: the states of threads and CPUs, and what woke the threads."""
import json
import random
import shutil
import struct
import unittest
from collections import Counter

import small_trace
from command import ALL, BUILD, as_json, ltt, some
from kernel_case import Kernel
from switch_trace import READY, SLEEP, DESCRIPTION, THREADS, make_scheduler, with_threads
from viewing import ViewTest, Viewer, built

STATES = 'Unknown', 'Running', 'R', 'R+', 'S', 'D', 'T'
CPU_STATES = 'unknown', 'thread', 'softirq', 'irq', 'idle'


def quarters(numbers, width):
    return zip(*[iter(numbers)] * width)


class States(ViewTest):
    """What a server answers about the states of a trace."""

    def serve(self, trace):
        self.trace, self.server = trace, Viewer(self, trace)
        self.assertEqual(self.server.wait()['stage'], 'ready')
        answer = self.server.ask('trace')
        self.start, self.length = int(answer['start']), answer['length']
        lanes = [lane for lane in self.server.ask('lanes')['lanes'] if lane.get('states')]
        self.tids = {lane['id']: lane['tid'] for lane in lanes if lane['kind'] == 'thread'}
        self.cpus = {lane['id']: lane['cpu'] for lane in lanes if lane['kind'] == 'cpu'}
        rows = as_json(ltt('sql', '--format', 'json', trace, 'SELECT time, dur, tid, state, reason, waker, waker_tid FROM thread_state').out)
        self.stretches = [(row['time'] - self.start, row['time'] + row['dur'] - self.start, row['tid'], row['state'],
                           row['reason'] or '', 'thread %s' % row['waker_tid'] if row['waker'] == 'thread' else row['waker'] or '')
                          for row in rows]

    def ask(self, begin, width, pixels, lanes):
        return self.server.ask('states', **{'from': begin, 'to': begin + width, 'pixels': pixels, 'lanes': ','.join(map(str, lanes))})

    def short_windows(self, seed, n):
        choose = random.Random(seed)
        for _ in range(n):
            pixels = choose.choice((100, 1000))
            width = choose.randrange(pixels, pixels * 2 * (self.length // 262144 + 1))
            yield choose.randrange(self.length - width), width, pixels

    def assert_like_sql(self, begin, width, pixels):
        """Stretches and bins are those of thread_state, to the nanosecond."""
        answer = self.ask(begin, width, pixels, self.tids)
        self.assertTrue(answer['exact'])
        texts, rects, bins = answer['texts'], Counter(), Counter()
        for low, high, tid, state, reason, waker in self.stretches:
            if low >= begin + width or high <= begin:
                continue
            if (high - low) * pixels >= 2 * width:
                rects[low, high, tid, state, reason, waker] += 1
                continue
            low, high = max(low, begin), min(high, begin + width)
            while low < high:
                pixel = (low - begin) * pixels // width
                edge = min(high, begin - -width * (pixel + 1) // pixels)
                bins[tid, pixel, state] += edge - low
                low = edge
        got = Counter((low, low + length, self.tids[lane], STATES[state], texts[reason], texts[waker].rsplit(' ', 1)[0]
                       if texts[waker][:3] in ('irq', 'sof') else texts[waker])
                      for lane, low, length, state, reason, waker, _ in quarters(answer['stretches'], 7))
        self.assertEqual(got, rects)
        got = Counter()
        for lane, pixel, state, covered in quarters(answer['bins'], 4):
            got[self.tids[lane], pixel, STATES[state]] += covered
        self.assertEqual(got, bins)

    def assert_like_stat(self, begin, width, pixels):
        """The sums of the CPUs are those of `ltt stat --states`."""
        options = ['--%s=%d.%09d' % (name, *divmod(self.start + time, 10 ** 9)) for name, time in (('from', begin), ('to', begin + width))]
        stat = json.loads(ltt('stat', '--states', '--json', *options, self.trace).out)
        answer, got = self.ask(begin, width, pixels, self.cpus), Counter()
        for lane, low, length, state, _, _, _ in quarters(answer['stretches'], 7):
            got[self.cpus[lane], CPU_STATES[state]] += min(low + length, begin + width) - max(low, begin)
        for lane, _, state, covered in quarters(answer['bins'], 4):
            got[self.cpus[lane], CPU_STATES[state]] += covered
        wanted = Counter({(cpu['cpu'], state): cpu[state]['ns'] for cpu in stat['cpus'] for state in CPU_STATES if cpu[state]['ns']})
        self.assertEqual(got, wanted)

    def assert_wakeups(self, begin, width):
        """Arrows are the runnable stretches that a thread began."""
        answer = self.server.ask('wakeups', **{'from': begin, 'to': begin + width, 'limit': 10000})
        got = Counter((self.tids[waker], low, self.tids[woken], high) for waker, low, woken, high, _ in quarters(answer['wakeups'], 5))
        wanted = Counter((int(waker.split()[1]), low, tid, high) for low, high, tid, state, _, waker in self.stretches
                         if state == 'R' and waker.startswith('thread') and low < begin + width and high > begin)
        self.assertEqual((got, answer['more']), (wanted, False))
        return answer


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Made(States):
    def write(self, n):
        path = self.path('trace')
        events = make_scheduler(1, n)
        small_trace.write(path, DESCRIPTION, {name: [own[at:at + 3000] for at in range(0, len(own), 3000)] for name, own in events.items()},
                          block_size=65536)
        return path

    def test_windows(self):
        """Windows of a trace that has several saved positions to start reading from."""
        self.serve(self.write(170000 if ALL else 100000))
        self.assertEqual(set(self.tids.values()), {tid for _, _, tid, _, _, _ in self.stretches})
        self.assertEqual(set(self.cpus.values()), {0, 1})
        self.assertEqual({state for _, _, _, state, _, _ in self.stretches}, set(STATES))
        for window in self.short_windows(2, some(150)):
            self.assert_like_sql(*window)
        for window in self.short_windows(3, 10):
            self.assert_like_stat(*window)

    def test_wakeups(self):
        """A preempted thread has the one that preempts it, which wakes nothing."""
        path = self.path('threads')
        small_trace.write(path, [DESCRIPTION, THREADS], {name: [list(with_threads(own))] for name, own in make_scheduler(1, 3000).items()},
                          block_size=65536)
        self.serve(path)
        self.assertGreater(len(self.assert_wakeups(0, self.length)['wakeups']), 500)
        self.assertGreater(sum(state == 'R+' and waker.startswith('thread') for _, _, _, state, _, waker in self.stretches), 50)

    def test_the_whole_trace(self):
        """The bins of the whole trace have the times of all stretches."""
        self.serve(self.write(170000))
        answer, got, wanted = self.ask(0, self.length, 500, self.tids), Counter(), Counter()
        self.assertFalse(answer['exact'])
        for lane, low, length, state, _, _, _ in quarters(answer['stretches'], 7):
            self.assertGreaterEqual(length * 500, 2 * self.length)
            got[self.tids[lane], STATES[state]] += length
        for lane, _, state, covered in quarters(answer['bins'], 4):
            got[self.tids[lane], STATES[state]] += covered
        for low, high, tid, state, _, _ in self.stretches:
            wanted[tid, state] += high - low
        self.assertEqual(got, wanted)

    def test_without_states(self):
        path = self.path('trace')
        small_trace.write(path, '<facility name="f"><event name="tick"/></facility>', {'cpu/0': [[(1000, 'tick', b''), (2000, 'tick', b'')]]})
        server = Viewer(self, path)
        server.wait()
        self.assertEqual([lane.get('states') for lane in server.ask('lanes')['lanes']], [None, None])
        self.assertEqual(server.ask('states', lanes='0,1'), {'exact': True, 'limited': False, 'stretches': [], 'bins': [], 'texts': ['']})
        self.assertEqual(server.ask('wakeups'), {'wakeups': [], 'exact': True, 'more': False})

    def test_wrong_parameters(self):
        server = Viewer(self, self.write(100))
        for query in ('states?lanes=x', 'states?lanes=1&pixels=0', 'states?from=9&to=3', 'wakeups?limit=0', 'wakeups?limit=10001',
                      'wakeups?lanes=,'):
            status, _, body = server.request(server.path + 'api/' + query)
            self.assertEqual(status, 400, query)
            self.assertTrue(body)


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Cost(ViewTest):
    """What an answer costs, counted in events: the same for any length of the trace."""

    SAVED_EVERY = 65536

    def test_a_small_window_reads_the_events_between_two_saved_places(self):
        path, n_cpus, n_threads, n_events = self.path('trace'), 2, 2000, 3 * self.SAVED_EVERY
        events = {'cpu/%d' % cpu: [(1000 + number, 'switch' if number % 3 else 'tick', b'') for number in range(cpu, n_events, n_cpus)]
                  for cpu in range(n_cpus)}
        for cpu, list_ in enumerate(events.values()):
            running = 0
            for at, (time, name, _) in enumerate(list_):
                if name == 'switch':
                    out, running = running, 100 + cpu + n_cpus * (at * 7919 % (n_threads // n_cpus))
                    list_[at] = time, name, struct.pack('<3I', out, running, SLEEP if out else READY)
        small_trace.write(path, DESCRIPTION, {name: [list_[at:at + 3000] for at in range(0, len(list_), 3000)] for name, list_ in events.items()},
                          block_size=65536)
        server, choose = self.view(path), random.Random(3)
        self.assertEqual(server.wait()['lanes'], n_threads + 2 * n_cpus)
        length, lanes = server.ask('trace')['length'], ','.join(str(lane) for lane in range(40))
        for what in ('states', 'spans') * 4:
            begin = choose.randrange(length // 2, length - 1000)
            answer = server.ask(what, **{'from': begin, 'to': begin + 1000, 'pixels': 1000, 'lanes': lanes})
            self.assertTrue(answer['exact'])
            self.assertLessEqual(answer['read'], 1000 + (2 if what == 'states' else 1) * (self.SAVED_EVERY + n_events // 262144 + 2))
            self.assertGreater(answer['read'], 0)
        self.assertEqual(server.ask('spans', pixels=100, lanes=lanes)['read'], 0)
        window = {'from': length // 2, 'to': length // 2 + 1000, 'pixels': 1000, 'lanes': lanes}
        exact, limited = (server.ask('states', read=number, **window) for number in (n_events, 100))
        self.assertEqual(exact, server.ask('states', **window))
        self.assertEqual([(answer['exact'], answer['limited'], answer['read'] > 0) for answer in (exact, limited)],
                         [(True, False, True), (False, True, False)])
        self.assertGreater(len(limited['bins']) + len(limited['stretches']), 0)


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
@unittest.skipIf(shutil.which('sh') is None, 'needs sh')
class Recorded(Kernel, States):
    def test_windows(self):
        """Windows of a kernel recording, with threads that wait in system calls and threads that wake others."""
        self.record('--kernel=sched,irq,syscalls', '--kernel-buffer=32M', '--', 'sh', '-c',
                    '(sleep 0.02; ls -R /usr/include; echo x) | cat >/dev/null')
        self.serve(self.trace)
        lanes = self.server.ask('lanes')['lanes']
        self.assertIn('cat', {lane.get('name') for lane in lanes if lane.get('states')})
        for window in self.short_windows(4, some(100)):
            self.assert_like_sql(*window)
        self.assertGreater(len(self.assert_wakeups(0, self.length)['wakeups']), 0)
        listed = self.server.ask('wakeups', limit=10)
        self.assertEqual((len(listed['wakeups']), listed['more']), (50, True))


if __name__ == '__main__':
    unittest.main()
