"""`ltt view --png`: a picture of a window."""
import gzip
import json
import os
import random
import shutil
import stat
import struct
import subprocess
import unittest

import small_trace
from command import SOURCE, as_json, ltt, sample
from png import Png
from switch_trace import DESCRIPTION as SWITCHES, READY, SLEEP, THREADS, with_threads
from viewing import PICTURES, ViewTest

DESCRIPTION = '''<facility name="f">
<event name="a_begin"><struct><field name="path"><string/></field></struct></event><event name="a_end"/>
<event name="b_begin"/><event name="b_end"/><event name="tick"/>
<event name="level"><struct><field name="n" ltt:role="counter"><int size="4"/></field></struct></event></facility>'''
LABELS, TITLE, OVERVIEW, RULER, GROUP, DEPTH = 220, 26, 48, 22, 20, 16
ROWS = TITLE + OVERVIEW + RULER
HUES = ((0, 114, 178), (230, 159, 0), (0, 158, 115), (204, 121, 167), (86, 180, 233), (213, 94, 0), (130, 75, 30), (122, 59, 143))
WHITE, DARK, EVENTS, BAR = (255, 255, 255), (23, 23, 26), (138, 138, 148), (244, 244, 246)


def colour_of(name):
    """The colour of a name, computed as viewer/src/colour.ts does."""
    value = 2166136261
    units = name.encode('utf-16-le')
    for unit in struct.unpack('<%dH' % (len(units) // 2), units):
        value = (value ^ unit) * 16777619 & 0xffffffff
    shade = 0.85 + 0.3 * (value >> 8 & 1)
    return tuple(min(255, int(part * shade + 0.5)) for part in HUES[value % len(HUES)])


@unittest.skipUnless(subprocess.run(['pkg-config', '--exists', 'pangocairo'], check=False).returncode == 0,
                     'built without Pango, which pictures need')
class Pictures(ViewTest):
    def draw(self, *words, keep=None):
        path = self.path('picture.png')
        result = ltt('view', '--png', path, *words)
        self.assertEqual((result.status, result.out, result.err), (0, '', ''))
        with open(path, 'rb') as file:
            data = file.read()
        if keep:
            os.makedirs(PICTURES, exist_ok=True)
            shutil.copyfile(path, os.path.join(PICTURES, keep))
        return Png(data)

    def spans(self):
        """a from 1 to 9 us, within it b from 3 to 5 us, and ticks; the axis ends after 10 us."""
        trace = self.path('spans')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[
            (1000, 'a_begin', b'/x\0'), (3000, 'b_begin', b''), (5000, 'b_end', b''), (7000, 'tick', b''),
            (9000, 'a_end', b''), (10999, 'tick', b'')]]})
        return trace

    def test_spans_at_their_places(self):
        picture = self.draw('--size', '%dx320' % (LABELS + 1000), self.spans(), keep='png-spans.png')
        self.assertEqual((picture.width, picture.height), (LABELS + 1000, 320))
        self.assertEqual(picture.at(LABELS + 990, TITLE + 4), WHITE)
        # The group of CPUs, a CPU, the group of the tracefile, and the tracefile with two depths of spans.
        lane = ROWS + GROUP + GROUP + GROUP
        for begin, end, depth, name in ((0, 800, 0, 'f.a'), (200, 400, 1, 'f.b')):
            y = lane + depth * DEPTH + 2
            self.assertEqual(picture.at(LABELS + begin + 1, y), colour_of(name))
            self.assertEqual(picture.at(LABELS + end - 2, y), colour_of(name))
            self.assertNotEqual(picture.at(LABELS + end + 1, y), colour_of(name))
        self.assertNotEqual(picture.at(LABELS + 198, lane + DEPTH + 2), colour_of('f.b'))
        self.assertEqual(picture.at(LABELS + 600, lane + 2 * DEPTH + 9), EVENTS)
        self.assertEqual(picture.at(2, ROWS + 2), BAR)

    def test_a_window(self):
        picture = self.draw('--size', str(LABELS + 1000), '--from', '+0.000002', '--to', '+0.000004', self.spans())
        lane = ROWS + 2 * GROUP + GROUP
        self.assertEqual(picture.at(LABELS + 2, lane + 2), colour_of('f.a'))
        self.assertEqual(picture.at(LABELS + 997, lane + 2), colour_of('f.a'))
        self.assertEqual(picture.at(LABELS + 2, lane + DEPTH + 2), colour_of('f.b'))
        self.assertEqual(picture.at(LABELS + 997, lane + DEPTH + 2), colour_of('f.b'))
        self.assertNotEqual(picture.at(1216 * 3 // 10, TITLE + 20), WHITE)  # the window in the overview

    def test_a_name_without_room_loses_its_facility(self):
        """Two names of one colour, which differ before the dot, look alike where there is room for what follows it."""
        names = 'some_facility', 'further_facility'
        self.assertEqual(*(colour_of(name + '.work') for name in names))

        def draw(facility, to):
            trace = self.path(facility)
            if not os.path.exists(trace):
                small_trace.write(trace, '<facility name="%s"><event name="work_begin"/><event name="work_end"/></facility>' % facility,
                                  {'cpu/0': [[(1000, 'work_begin', b''), (2000, 'work_end', b''), (51000, 'work_begin', b'')]]})
            picture = self.draw('--size', '%dx320' % (LABELS + 1000), '--to', to, trace)
            return [picture.at(x, y) for y in range(ROWS, picture.height) for x in range(LABELS, picture.width)]

        self.assertEqual(*(draw(name, '+0.00002') for name in names))  # 50 pixels
        self.assertNotEqual(*(draw(name, '+0.000002') for name in names))  # 500

    def test_a_filter(self):
        picture = self.draw('--filter', 'event == "f.b_begin"', self.spans())
        colours = {picture.at(x, y) for y in range(ROWS, picture.height) for x in range(LABELS, picture.width, 3)}
        self.assertIn(colour_of('f.b'), colours)
        self.assertNotIn(colour_of('f.a'), colours)

    def test_a_filter_that_selects_nothing(self):
        """A name that the trace does not have is reported, as `ltt dump` does."""
        for kind in '--png', '--html':
            result = ltt('view', kind, self.path('nothing'), '--filter', 'event == "f.*" || b_begin.n == 1', sample('one-cpu'))
            dump = ltt('dump', '--filter', 'event == "f.*" || b_begin.n == 1', sample('one-cpu'))
            self.assertEqual((result.status, result.err), (dump.status, dump.err.replace('ltt dump:', 'ltt view:')))
            self.assertIn('--filter: f.*: the trace has no such event', result.err)

    def test_spans_are_those_of_sql(self):
        """Random nested spans of four pixels or more: each has its colour at its begin and its end."""
        choose, events, open_spans = random.Random(7), [(0, 'tick', b'')], []
        for time in range(4000, 996000, 4000):
            if open_spans and (len(open_spans) == 5 or choose.random() < 0.5):
                events.append((time, open_spans.pop() + '_end', b''))
            else:
                open_spans.append(choose.choice('ab'))
                events.append((time, open_spans[-1] + '_begin', b'/x\0' if open_spans[-1] == 'a' else b''))
        trace = self.path('random')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [events + [(999999, 'tick', b'')]]}, block_size=16384)
        spans = json.loads('[%s]' % ','.join(ltt('sql', '--format', 'json', trace, "SELECT time, dur, depth, name FROM spans WHERE "
                                                 "state = 'finished'").out.splitlines()))
        picture = self.draw('--size', str(LABELS + 1000), trace, keep='png-random.png')
        self.assertGreater(len(spans), 100)
        for span in spans:
            y = ROWS + 3 * GROUP + span['depth'] * DEPTH + 2
            for ns in (span['time'] + 1000, span['time'] + span['dur'] - 2000):
                self.assertEqual(picture.at(LABELS + ns // 1000, y), colour_of(span['name']), span)

    def test_a_counter(self):
        trace = self.path('counter')
        small_trace.write(trace, DESCRIPTION, {'cpu/0': [[
            (1000, 'level', struct.pack('<i', 10)), (6000, 'level', struct.pack('<i', 5)), (10999, 'tick', b'')]]})
        picture = self.draw('--size', str(LABELS + 1000), trace, keep='png-counter.png')
        lane = ROWS + GROUP + GROUP + GROUP
        light = tuple(round(255 + (part - 255) * 0.25) for part in colour_of('f.level.n'))

        def height(x):
            return sum(max(abs(a - b) for a, b in zip(picture.at(x, y), light)) < 3 for y in range(lane, lane + 40))

        self.assertAlmostEqual(height(LABELS + 250), 2 * height(LABELS + 750), delta=3)
        self.assertGreater(height(LABELS + 750), 12)

    def test_negative_counters(self):
        """They hang from the top of their lane, and nothing is painted outside of it."""
        for values in ((-5, -5), (-10, -5), (0, 0)):
            trace = self.path('negative')
            shutil.rmtree(trace, ignore_errors=True)
            small_trace.write(trace, DESCRIPTION, {'cpu/0': [[
                (1000, 'level', struct.pack('<i', values[0])), (6000, 'level', struct.pack('<i', values[1])), (10999, 'tick', b'')]]})
            picture = self.draw('--size', str(LABELS + 1000), trace)
            lane = ROWS + GROUP + GROUP + GROUP
            colour = colour_of('f.level.n')
            light = tuple(round(255 + (part - 255) * 0.25) for part in colour)

            def rows(x, wanted, picture=picture):
                return [y for y in range(picture.height) if max(abs(a - b) for a, b in zip(picture.at(x, y), wanted)) < 3]

            for x, value in ((LABELS + 250, values[0]), (LABELS + 750, values[1])):
                inked = rows(x, light) + rows(x, colour)
                self.assertTrue(all(lane <= y < lane + 45 for y in inked), (values, lane, inked))
                self.assertTrue(inked)
                if value == 0:
                    self.assertEqual(rows(x, light), [])
                else:
                    self.assertAlmostEqual(min(inked), lane + 2, delta=2)
            if values == (-10, -5):
                self.assertAlmostEqual(len(rows(LABELS + 250, light)), 2 * len(rows(LABELS + 750, light)), delta=3)

    def test_wakeups(self):
        """A wake-up is an arrow from the waker to where the woken thread runs: a dot, a head, and a thin translucent line."""
        packed, trace = self.path('perf.data'), self.path('sched')
        with gzip.open(os.path.join(SOURCE, 'tests/data/states/sched.data.gz')) as data, open(packed, 'wb') as file:
            shutil.copyfileobj(data, file)
        self.assertEqual(ltt('import', packed, '-o', trace).status, 0)

        picture = self.draw('--size', '%dx680' % (LABELS + 1000), '--from', '+0.0722', '--to', '+0.07224', trace)
        inked = [(x, y) for x in range(LABELS + 1, picture.width) for y in range(ROWS, picture.height - 22) if picture.at(x, y) == (28, 28, 30)]
        columns = [x for x, _ in inked]
        self.assertLess(5, len(inked))
        self.assertLess(len(inked), 40)
        self.assertGreater(max(columns) - min(columns), 50)

    def scheduled(self, n_wakeups, n_preemptions, n_ticks=1):
        """Writes a trace: threads that wake each other and sleep, then threads that preempt each other; and ticks of another CPU."""
        numbers, time = struct.Struct('<3I').pack, 1000
        events = [(time, 'switch', numbers(0, 11, READY))]
        for at in range(n_wakeups + n_preemptions):
            out, into = (11, 12) if at % 2 == 0 else (12, 11)
            if at < n_wakeups:
                events.append((time + 300, 'wakeup', struct.pack('<I', into)))
            time += 1000
            events.append((time, 'switch', numbers(out, into, SLEEP if at < n_wakeups else READY)))
        path = self.path('scheduled-%d-%d-%d' % (n_wakeups, n_preemptions, n_ticks))
        small_trace.write(path, [SWITCHES, THREADS], {'cpu/0': [[*with_threads(events), (1000000, 'tick', b'')]], 'cpu/1': [
            [(at, 'tick', b'') for at in range(begin, min(begin + 2500, n_ticks))] for begin in range(0, n_ticks, 2500)]}, block_size=16384)
        return path

    def test_more_wakeups_than_are_drawn(self):
        """More than 40 between the lanes are counted in the legend. A preemption is no wake-up."""
        def parts(*numbers):
            trace = self.scheduled(*numbers)
            wakers = [row for row in as_json(ltt('sql', '--format', 'json', trace, 'SELECT state, waker FROM thread_state').out)
                      if row['waker'] == 'thread']
            self.assertEqual((sum(row['state'] == 'R' for row in wakers), sum(row['state'] == 'R+' for row in wakers)), numbers)
            picture = self.draw('--size', str(LABELS + 1000), trace, keep='png-wakeups-%d-%d.png' % numbers)
            end = picture.height - 20
            return b''.join(picture.lines[end:]), sum(picture.at(x, y) == (28, 28, 30) for x in range(LABELS + 1, picture.width) for y in range(ROWS, end))

        (none, no_ink), (drawn, ink), (counted, no_dots), (others, _), (same, _) = (
            parts(*numbers) for numbers in ((0, 50), (40, 0), (41, 0), (44, 0), (41, 50)))
        self.assertEqual((none, counted), (drawn, same))
        self.assertEqual(len({none, counted, others}), 3)  # no words, two numbers
        self.assertEqual((no_ink, no_dots), (0, 0))
        self.assertGreater(ink, 40)

    def test_wakeups_of_too_many_events(self):
        """The states of more than 600,000 events are drawn from bins, which have no wake-ups. The legend says so."""
        few, many = (self.draw('--size', '1200', self.scheduled(3, 0, n)) for n in (1000, 600500))
        self.assertFalse(few.lines[-20:] == many.lines[-20:])

    def test_two_runs_give_the_same_bytes(self):
        runs = [ltt('view', '--png', '-', sample('sparse-cpus')).raw for _ in range(2)]
        self.assertEqual(runs[0], runs[1])
        self.assertEqual(runs[0][:4], b'\x89PNG')

    def test_devices_and_pipes_are_written_into(self):
        """They are not replaced by a file. A link to a file stays a link."""
        full, pipe, link, trace = self.path('full'), self.path('pipe'), self.path('link'), self.spans()
        if os.geteuid() == 0:
            os.mknod(full, stat.S_IFCHR | 0o600, os.stat('/dev/full').st_rdev)
        else:
            full = '/dev/full'
        for kind in ('--png', '--html'):
            result = ltt('view', kind, full, trace)
            self.assertEqual((result.status, result.out, result.err), (2, '', 'ltt view: %s: No space left on device\n' % full))
            self.assertTrue(stat.S_ISCHR(os.lstat(full).st_mode))
        os.mkfifo(pipe)
        with subprocess.Popen(['cat', pipe], stdout=subprocess.PIPE) as cat:
            self.assertEqual(ltt('view', '--png', pipe, trace).status, 0)
            read = cat.stdout.read()
        with open(self.path('target'), 'w', encoding='utf-8') as target:
            target.write('x' * 100000)
        os.symlink('target', link)
        self.assertEqual(ltt('view', '--png', link, trace).status, 0)
        with open(self.path('target'), 'rb') as target:
            self.assertEqual(target.read(), read)
        self.assertEqual(read, ltt('view', '--png', '-', trace).raw)
        self.assertEqual(os.readlink(link), 'target')

    def test_dark(self):
        picture = self.draw('--dark', self.spans(), keep='png-dark.png')
        self.assertEqual(picture.at(LABELS + 5, picture.height - 2), DARK)

    def test_lanes_without_room_are_counted(self):
        """A small picture ends with a line of text; the lanes with room are those of a large one."""
        trace = sample('sparse-cpus')
        whole, small = self.draw('--size', '640', trace), self.draw('--size', '640x320', trace, keep='png-small.png')
        self.assertGreater(whole.height, 320)
        end = ROWS + 7 * GROUP  # of the group of CPUs; the next lane is too high
        self.assertEqual(small.lines[ROWS:end], whole.lines[ROWS:end])
        self.assertGreater(len({small.at(x, y) for y in range(end, end + 18) for x in range(8, 120)}), 4)
        self.assertEqual({small.at(x, y) for y in range(end + 18, 320) for x in range(640)}, {WHITE})

    def test_a_search(self):
        """Words choose lanes, and with them the height."""
        trace = sample('sparse-cpus')
        whole, one = self.draw('--size', '640', trace), self.draw('--size', '640', '--search', 'CPU 4', trace)
        self.assertLess(one.height, whole.height / 2)  # CPU 4 and the file cpu/4
        self.assertEqual(one.lines[ROWS:ROWS + GROUP], whole.lines[ROWS:ROWS + GROUP])
        self.assertNotEqual(one.lines[ROWS + GROUP:ROWS + 2 * GROUP], whole.lines[ROWS + GROUP:ROWS + 2 * GROUP])
        none = self.draw('--size', '640', '--search', 'cpu none', trace)
        self.assertEqual({none.at(x, y) for y in range(ROWS + 20, 240) for x in range(640)}, {WHITE})

    def test_names_of_strangers(self):
        for name in ('<b>&amp;', '\u202ereversed', 'שלום', '\x07\x1b[31m', 'a\u2028b', '界' * 80):
            trace = self.path(name)
            small_trace.write(trace, DESCRIPTION, {'cpu/0': [[(1000, 'a_begin', b'\xff\xfe\0'), (9000, 'a_end', b'')]]})
            self.draw('--size', '640', trace)

    def test_joined_traces(self):
        trace = sample('crashed')
        one, two = self.draw('--size', '640', trace), self.draw('--size', '640', '--offset', '2=1050000000.064', trace, self.spans(), keep='png-joined.png')
        self.assertGreater(two.height, one.height)

    def test_a_damaged_trace(self):
        trace = self.copy(sample('sparse-cpus'))
        with open(os.path.join(trace, 'cpu/0'), 'r+b') as file:
            file.seek(40)
            file.write(b'\xff' * 100)
        path = self.path('damaged.png')
        counted, drawn = ltt('stat', trace), ltt('view', '--png', path, trace)
        self.assertGreater(len(drawn.err), 0)
        self.assertEqual((drawn.status, drawn.err.replace('ltt view:', 'ltt stat:')), (1, counted.err))
        self.assertTrue(os.path.exists(path))

    def test_wrong_words(self):
        trace = sample('one-cpu')
        sizes = 'expected WxH, such as 1600x900, with 320 to 16384 pixels each'
        for words, message in (
                (('--size', '10x10'), '--size: 10x10: ' + sizes), (('--size', '1600x'), '--size: 1600x: ' + sizes),
                (('--size', '99999'), '--size: 99999: ' + sizes), (('--size', '1600x900x2'), '--size: 1600x900x2: ' + sizes),
                (('--html', 'x.html'), '--html and --png: give one of them'),
                (('--from', '+999999'), 'the window is empty or outside the trace')):
            result = ltt('view', '--png', self.path('none.png'), *words, trace)
            self.assertEqual((result.status, result.out), (2, ''))
            self.assertIn(message, result.err)
            self.assertFalse(os.path.exists(self.path('none.png')))
        for words, message in ((('--dark',), '--size, --search and --dark need --png'), (('--to', '+1'), '--from, --to and --filter need --html or --png')):
            result = ltt('view', *words, trace)
            self.assertEqual(result.status, 2)
            self.assertIn(message, result.err)
        result = ltt('view', '--png', self.path('nowhere/x.png'), trace)
        self.assertEqual(result.status, 2)
        self.assertIn(self.path('nowhere/x.png'), result.err)
