"""Damage in the page of `ltt view`: when, in which lane, and why."""
import os
import subprocess
import unittest

import small_trace
from command import BUILD, ltt
from png import Png
from viewing import PageTest, ViewTest, built

DESCRIPTION = '<facility name="f"><event name="tick"/><event name="a_begin"/><event name="a_end"/></facility>'
BLOCK_BYTES = 4096
FIRST_EVENT, EVENT_BYTES = 26, 6  # in a block, after its block_start


def make(test):
    """Writes a trace of three CPUs, each with a damaged block of four. Returns: its path, and the stretches: CPU, first and
    last time, byte of the damage"""
    path = test.path('trace')
    files = {}
    for cpu in range(3):
        files['cpu/%d' % cpu] = [[(1000 * block + 100 * i + cpu, 'tick', b'') for i in range(1, 6)] for block in range(1, 5)]
    files['cpu/0'].append([(9000, 'a_begin', b''), (9900, 'a_end', b'')])
    small_trace.write(path, DESCRIPTION, files)
    stretches = []
    # In block 1 after two events; block 2 as a whole; in block 3, after which nothing follows.
    for cpu, block, byte, first, last in ((0, 1, FIRST_EVENT + 2 * EVENT_BYTES, 2100, 3100), (1, 2, 0, 2501, 4101),
                                          (2, 3, FIRST_EVENT + EVENT_BYTES, 4102, 9901)):
        with open(os.path.join(path, 'cpu/%d' % cpu), 'r+b') as file:
            file.seek(block * BLOCK_BYTES + byte)
            file.write(b'\xff\xff')
        stretches.append((cpu, first - 1101, last - first, byte))
    return path, stretches


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Damage(ViewTest):
    def check(self, server, stretches):
        server.wait()
        start, lanes = int(server.ask('trace')['start']), {lane['id']: lane for lane in server.ask('lanes')['lanes']}
        got = sorted(server.ask('damage')['damage'], key=lambda damage: damage['tracefile'])
        self.assertEqual([(lanes[damage['lane']]['cpu'], damage['from'] + start - 1101, damage['length']) for damage in got],
                         [stretch[:3] for stretch in stretches])
        for damage, (cpu, _, _, _) in zip(got, stretches):
            self.assertEqual((damage['tracefile'], lanes[damage['lane']]['kind']), ('cpu/%d' % cpu, 'cpu'))
            self.assertTrue(damage['text'].startswith('cpu/%d: block %d: ' % (cpu, cpu + 1)), damage)
        self.assertEqual(sorted(damage['text'] for damage in got), sorted(server.ask('progress')['problems']))

    def test_stretches(self):
        """From the first good event of the block, or the last one before it, to the next good one, or the end; also from the cache."""
        path, stretches = make(self)
        self.check(self.view('--no-cache', path), stretches)
        cache = self.path('cache')
        while not os.path.isdir(cache) or not os.listdir(cache):  # as long as the files are new
            self.assertEqual(ltt('view', '--cache', cache, '--html', self.path('page.html'), path).status, 1)
        server = self.view('--cache', cache, path)
        self.assertTrue(server.wait()['cached'])
        self.check(server, stretches)

    def test_queries(self):
        """An answer to SQL counts what could not be read, also of a file that was damaged after the server had read it."""
        path, stretches = make(self)
        server = self.view('--no-cache', path)
        server.wait()
        for _ in range(2):  # each query has its own problems
            answer = server.ask('sql', query='SELECT count(*) FROM events')
            self.assertEqual(answer['problems'], len(stretches))
            self.assertIn(answer['problem'], [damage['text'] for damage in server.ask('damage')['damage']])
        answer = server.ask('sql', query='SELECT 1')
        self.assertEqual((answer['problems'], 'problem' in answer), (0, False))
        path = self.path('whole')
        small_trace.write(path, DESCRIPTION, {'cpu/0': [[(1000 * block + i, 'tick', b'') for i in range(5)] for block in range(1, 5)]})
        server = self.view('--no-cache', path)
        server.wait()
        answer = server.ask('sql', query='SELECT count(*) FROM events')
        self.assertEqual((answer['rows'], answer['problems']), ([[20]], 0))
        os.truncate(os.path.join(path, 'cpu/0'), 2 * BLOCK_BYTES)
        answer = server.ask('sql', query='SELECT count(*) FROM events')
        self.assertEqual(answer['rows'], [[10]])
        self.assertGreater(answer['problems'], 0)
        self.assertTrue(answer['problem'].startswith('cpu/0: block 2: '), answer['problem'])
        self.assertEqual(server.wait()['n_problems'], 0)

    def test_none(self):
        path = self.path('whole')
        small_trace.write(path, DESCRIPTION, {'cpu/0': [[(1000, 'tick', b'')]]})
        server = self.view(path)
        server.wait()
        self.assertEqual(server.ask('damage'), {'damage': []})


@unittest.skipUnless(subprocess.run(['pkg-config', '--exists', 'pangocairo'], check=False).returncode == 0,
                     'built without Pango, which pictures need')
class Picture(ViewTest):
    LABELS, TOP, HATCH, BAD = 220, 26 + 48 + 22 + 20, 6, (179, 78, 0)  # of the first lane

    def test_lanes(self):
        """Two of six pixels of each line are hatched, from the begin to the end of each stretch."""
        path, stretches = make(self)
        png = self.path('picture.png')
        self.assertEqual(ltt('view', '--png', png, '--size', '%d' % (self.LABELS + 1000), path).status, 1)
        with open(png, 'rb') as file:
            picture = Png(file.read())
        start, length = 1100, 8801
        top = self.TOP
        for _, first, width, _ in stretches:
            begin = self.LABELS + int((first + 1101 - start) * 1000 / length)
            end = self.LABELS + -int(-(first + 1101 + width - start) * 1000 // length)
            for y in range(top, top + 19):
                hatched = [x for x in range(self.LABELS, self.LABELS + 1000) if picture.at(x, y) == self.BAD]
                self.assertEqual(hatched, [x for x in range(begin, end) if (x + y) % self.HATCH in (5, 0)])
            top += 20


class Page(PageTest):
    def test_lanes_and_list(self):
        """Damage is hatched in the lane of its CPU, has its reason at the pointer, and a row in the list of events."""
        path, stretches = make(self)
        answers = self.use([path], [['open', ''], ['lane', 'CPU 0'], ['count', '179,78,0'], ['picture', 'damage']])
        lane = answers[1]
        self.assertGreater(answers[2]['pixels'], 300)
        start, length = 1100, 8801
        x = lambda time: lane['left'] + lane['width'] * (time - start) / length
        y = lane['top'] + lane['height'] / 2
        steps = [['open', ''], ['hover', x(2700), lane['top'] + 3], ['hover', x(6000), lane['top'] + 3], ['drag', x(1900), y, x(3500)]]
        answers = self.use([path], steps)
        self.assertRegex(answers[1]['text'], r'damaged: cpu/0: block 1: byte 38: .*\nevents may be missing in 1\.00 us from \+0\.000001000')
        self.assertEqual(answers[2]['text'], '')
        rows = [line.split('\t') for line in answers[3]['text'].split('\n')]
        damage = [row for row in rows if 'damage' in row]
        self.assertEqual([row[2] for row in damage], ['cpu/0', 'cpu/1'])
        self.assertEqual(damage[0][0], '+0.000001000')
        self.assertIn('cpu/0: block 1: byte 38', damage[0][3])

    def test_a_query(self):
        """The panel of SQL says that a result can be incomplete."""
        path, stretches = make(self)
        _, answer = self.use([path], [['open', '#panel=sql&sql=SELECT%20count(*)%20FROM%20events'], ['read', '#sql-status', '1 row']])
        self.assertRegex(answer['text'], r'The result can be incomplete: %d problems, the first: cpu/\d: block \d: ' % len(stretches))

    def test_a_page_in_a_file(self):
        path, _ = make(self)
        page = self.path('page.html')
        self.assertEqual(ltt('view', '--html', page, path).status, 1)
        answers = self.use_url('file://' + page, [['open', ''], ['count', '179,78,0']])
        self.assertGreater(answers[1]['pixels'], 300)


if __name__ == '__main__':
    unittest.main()
