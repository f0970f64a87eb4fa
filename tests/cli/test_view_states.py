"""`ltt view`: the states of threads and CPUs, and what woke the threads."""
import json
import random
import shutil
import struct
import unittest
from collections import Counter

import small_trace
from command import BUILD, as_json, ltt
from kernel_case import Kernel
from viewing import ViewTest, Viewer, built

STATES = 'Unknown', 'Running', 'R', 'R+', 'S', 'D', 'T'
CPU_STATES = 'unknown', 'thread', 'softirq', 'irq', 'idle'

NUMBER = '<field name="%s"><uint size="4"/></field>'
DESCRIPTION = '''<facility name="k">
<event name="switch" ltt:state="switch out=prev in=next state=state"><struct>%s%s%s</struct></event>
<event name="wakeup" ltt:state="wakeup thread=tid"><struct>%s</struct></event>
<event name="irq" ltt:state="irq_entry number=irq"><struct>%s</struct></event><event name="irq_end" ltt:state="irq_exit"/>
<event name="tick"/></facility>''' % tuple(NUMBER % name for name in ('prev', 'next', 'state', 'tid', 'irq'))
READY, SLEEP, DISK, STOPPED, DEAD = 0x100, 1, 2, 4, 0x20


def make_scheduler(seed, n, n_cpus=2, n_threads=9):
    """Events of CPUs that run, preempt, block and interrupt threads. Some events are missing, so that others contradict."""
    choose, time = random.Random(seed), 1000
    running, ready, asleep = [0] * n_cpus, [], list(range(100, 100 + n_threads))
    events = {'cpu/%d' % cpu: [] for cpu in range(n_cpus)}

    def add(cpu, name, *numbers):
        if choose.random() > 0.0005:
            events['cpu/%d' % cpu].append((time, name, struct.pack('<%dI' % len(numbers), *numbers)))

    for _ in range(n):
        time += choose.choice((1, 5, 40, 400, 3000))
        cpu, what = choose.randrange(n_cpus), choose.random()
        if what < 0.15:
            add(cpu, 'irq', choose.randrange(4))
            time += choose.randrange(1, 50)
            add(cpu, 'irq_end')
        elif what < 0.4 and asleep:
            ready.append(asleep.pop(choose.randrange(len(asleep) if choose.random() < 0.2 else min(3, len(asleep)))))
            add(cpu, 'wakeup', ready[-1])
        elif what < 0.9 and (ready or running[cpu]):
            out, state = running[cpu], choose.choice((READY, SLEEP, SLEEP, SLEEP, DISK, STOPPED, DEAD))
            running[cpu] = ready.pop(choose.randrange(len(ready))) if ready else 0
            if out and state == READY:
                ready.append(out)
            elif out:
                asleep.insert(0, out)
            add(cpu, 'switch', out, running[cpu], state if out else READY)
        else:
            add(cpu, 'tick')
    return events


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
        """Of a trace with several places that reading starts from."""
        self.serve(self.write(170000))
        self.assertEqual(set(self.tids.values()), {tid for _, _, tid, _, _, _ in self.stretches})
        self.assertEqual(set(self.cpus.values()), {0, 1})
        self.assertEqual({state for _, _, _, state, _, _ in self.stretches}, set(STATES))
        for window in self.short_windows(2, 150):
            self.assert_like_sql(*window)
        for window in self.short_windows(3, 10):
            self.assert_like_stat(*window)

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
        self.assertEqual(server.ask('states', lanes='0,1'), {'exact': True, 'stretches': [], 'bins': [], 'texts': ['']})
        self.assertEqual(server.ask('wakeups'), {'wakeups': [], 'exact': True, 'more': False})

    def test_wrong_parameters(self):
        server = Viewer(self, self.write(100))
        for query in ('states?lanes=x', 'states?lanes=1&pixels=0', 'states?from=9&to=3', 'wakeups?limit=0', 'wakeups?limit=10001',
                      'wakeups?lanes=,'):
            status, _, body = server.request(server.path + 'api/' + query)
            self.assertEqual(status, 400, query)
            self.assertTrue(body)


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
@unittest.skipIf(shutil.which('sh') is None, 'needs sh')
class Recorded(Kernel, States):
    def test_windows(self):
        """Of a recording of the kernel, with system calls that threads wait for and threads that wake others."""
        self.record('--kernel=sched,irq,syscalls', '--kernel-buffer=32M', '--', 'sh', '-c',
                    '(sleep 0.02; ls -R /usr/include; echo x) | cat >/dev/null')
        self.serve(self.trace)
        lanes = self.server.ask('lanes')['lanes']
        self.assertIn('cat', {lane.get('name') for lane in lanes if lane.get('states')})
        for window in self.short_windows(4, 100):
            self.assert_like_sql(*window)
        self.assertGreater(len(self.assert_wakeups(0, self.length)['wakeups']), 0)
        some = self.server.ask('wakeups', limit=10)
        self.assertEqual((len(some['wakeups']), some['more']), (50, True))


if __name__ == '__main__':
    unittest.main()
