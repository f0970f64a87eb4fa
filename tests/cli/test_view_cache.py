"""`ltt view`: the summaries of traces that it keeps in files."""
import atexit
import functools
import hashlib
import json
import os
import random
import shutil
import struct
import tempfile
import unittest

import big_trace
import small_trace
from command import BUILD, ltt, sample
from counter_trace import DESCRIPTION as COUNTERS, make_events as make_counters
from span_trace import DESCRIPTION as SPANS, blocks, make_events
from switch_trace import DESCRIPTION as STATES, make_scheduler
from viewing import ViewTest, built

HEAD = struct.Struct('<QIQ32s')


def maps(cache):
    return [name for name in os.listdir(cache) if name.endswith('.map')] if os.path.isdir(cache) else []


def rows(numbers, width, *columns):
    """The rows of an answer in order; a column is replaced by what it is an index of."""
    return sorted(tuple(columns[at][value] if at < len(columns) and columns[at] is not None else value
                        for at, value in enumerate(row)) for row in zip(*[iter(numbers)] * width))


def answers(server, seed, n_windows):
    """What a server answers to the same requests at random windows, without the numbers of lanes and names."""
    choose, given = random.Random(seed), []
    trace, lanes = server.ask('trace'), server.ask('lanes')['lanes']
    shown = ','.join(str(lane['id']) for lane in lanes)
    names = {lane.pop('id'): json.dumps(lane) for lane in lanes}
    given += [trace, sorted(names.values()), server.ask('density', bins=64), server.ask('stat')]
    for _ in range(n_windows):
        begin = choose.randrange(max(trace['length'] - 1, 1))
        window = {'from': begin, 'to': min(trace['length'], begin + 1 + choose.randrange(10 ** choose.randrange(2, 11)))}
        given.append(server.ask('density', bins=choose.choice((7, 300)), **window))
        window.update(pixels=choose.choice((10, 800)), lanes=shown)
        spans, states, counters = (server.ask(name, **window) for name in ('spans', 'states', 'counters'))
        given += [rows(spans['spans'], 6, names, None, None, None, spans['names']),
                  rows(spans['bins'], 6, names, None, None, None, spans['names']),
                  [row[:6] for row in rows(states['stretches'], 7, names, None, None, None, states['texts'], states['texts'])],
                  rows(states['bins'], 4, names), rows(counters['before'], 2, names), rows(counters['bins'], 6, names)]
    return given


def write_spans(path):
    """Writes a trace with nested and asynchronous spans."""
    small_trace.write(path, SPANS, {'cpu/%d' % cpu: blocks(make_events(cpu, 8000), 2000) for cpu in range(2)}, block_size=65536)


@functools.lru_cache
def traces():
    """A folder of traces, which tests only read."""
    folder = tempfile.mkdtemp(prefix='ltt-test-')
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    spans = os.path.join(folder, 'spans')
    write_spans(spans)
    events = make_counters(1, 6000)
    small_trace.write(os.path.join(folder, 'counters'), COUNTERS, {'cpu/0': [events[at:at + 2000] for at in range(0, 6000, 2000)]}, block_size=65536)
    small_trace.write(os.path.join(folder, 'states'), STATES, {file: [events] for file, events in make_scheduler(3, 4000).items()}, block_size=1 << 18)
    big_trace.write(os.path.join(folder, 'big'), 13)
    if ltt('pack', spans, '-o', os.path.join(folder, 'packed.tar.gz')).status != 0:
        raise AssertionError(folder)
    return folder


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Cache(ViewTest):
    """A trace is stored when its files are two seconds old: tests that do not change a trace share it."""

    def setUp(self):
        super().setUp()
        self.cache = self.path('cache')
        folder = traces()
        self.spans, self.counters, self.states, self.big, self.packed = (
            os.path.join(folder, name) for name in ('spans', 'counters', 'states', 'big', 'packed.tar.gz'))

    def store(self, *traces):
        """Opens traces until they are stored, which takes as long as their files are new."""
        before = maps(self.cache)
        while maps(self.cache) == before:
            self.assertEqual(ltt('view', '--cache', self.cache, '--html', self.path('page.html'), *traces).status, 0)

    def open(self, *traces, cached):
        server = self.view('--cache', self.cache, *traces)
        self.assertEqual(server.wait()['cached'], cached)
        return server

    def check_equal(self, *traces, cached=True, seed=1):
        """A server with the cache answers as one without."""
        fresh = self.view('--no-cache', *traces)
        self.assertFalse(fresh.wait()['cached'])
        server = self.open(*traces, cached=cached)
        self.assertEqual(answers(server, seed, 12), answers(fresh, seed, 12))
        self.assertEqual(server.ask('progress')['events'], fresh.ask('progress')['events'])
        server.end()
        fresh.end()

    def test_second_opening(self):
        """A stored trace has the same lanes, spans, counters, states and counts at random windows, also as an archive."""
        for traces in (self.spans,), (self.counters,), (self.states,), (self.spans, self.counters), (self.packed,), (sample('every-type'),):
            self.store(*traces)
            self.check_equal(*traces)
        self.assertEqual(len(maps(self.cache)), 6)

    def test_order_and_offset(self):
        """Traces in another order, or with another offset, have another file."""
        self.store(self.spans, self.counters)
        for words in (self.counters, self.spans), (self.spans, self.counters, '--offset', '2=1'), (self.spans,):
            self.check_equal(*words, cached=False)

    def test_changed_trace(self):
        """A trace of which a file changed is read again; with another bookmark it is not."""
        trace = self.path('trace')
        write_spans(trace)
        self.store(trace)
        self.assertEqual(ltt('bookmark', 'add', '--at', '+0.001', trace, 'here').status, 0)
        self.check_equal(trace)
        with open(os.path.join(trace, 'cpu/1'), 'r+b') as file:  # the same size, and the same times of the blocks
            file.seek(40000)
            byte = file.read(1)
            file.seek(40000)
            file.write(byte)
        self.open(trace, cached=False).end()
        self.assertEqual(len(maps(self.cache)), 1)  # a file that changed just now is not stored
        os.truncate(os.path.join(trace, 'cpu/1'), 65536)
        self.check_equal(trace, cached=False)

    def test_recording(self):
        """A trace with the state of a recording is not stored."""
        trace = self.path('trace')
        shutil.copytree(sample('one-cpu'), trace)
        ltt('view', '--cache', self.cache, '--html', self.path('page.html'), sample('one-cpu'))
        self.assertEqual(len(maps(self.cache)), 1)
        self.store(trace)
        with open(os.path.join(trace, 'info/session'), 'wb'):
            pass
        self.open(trace, cached=False).end()
        os.remove(os.path.join(trace, 'info/session'))
        self.open(trace, cached=True).end()

    def test_damaged_files(self):
        """A file that is cut, altered or something else is dropped, and written again."""
        trace = sample('one-cpu')
        self.store(trace)
        name, = maps(self.cache)
        path = os.path.join(self.cache, name)
        with open(path, 'rb') as file:
            good = file.read()
        choose = random.Random(5)
        at = choose.randrange(len(good))
        contents = (b'', good[:19], good[:-1], good + b'\0', good[:at] + bytes([good[at] ^ 4]) + good[at + 1:],
                    good[:8] + b'\xff' + good[9:])
        for content in contents:
            with open(path, 'wb') as file:
                file.write(content)
            self.check_equal(trace, cached=False)
            with open(path, 'rb') as file:
                self.assertEqual(file.read(), good)
        os.rename(path, self.path('elsewhere'))
        os.symlink(self.path('elsewhere'), path)
        self.check_equal(trace, cached=False)
        self.assertFalse(os.path.islink(path))
        os.remove(path)
        os.mkfifo(path)
        self.check_equal(trace, cached=False)
        self.assertTrue(os.path.isfile(path))

    def test_file_of_another_trace(self):
        """A file with the name of another trace is dropped."""
        self.store(sample('one-cpu'))
        name, = maps(self.cache)
        self.store(sample('tracer'))
        other, = set(maps(self.cache)) - {name}
        shutil.copyfile(os.path.join(self.cache, other), os.path.join(self.cache, name))
        self.check_equal(sample('one-cpu'), cached=False)

    def test_hostile_files(self):
        """Files with the right checksum and wrong numbers do no harm."""
        choose = random.Random(7)
        self.store(self.spans)
        name, = maps(self.cache)
        path = os.path.join(self.cache, name)
        with open(path, 'rb') as file:
            good = file.read()
        n_dropped = 0
        for _ in range(10):
            body = bytearray(good[HEAD.size:])
            for _ in range(choose.choice((1, 1, 3))):
                at = 4 + len(name) + choose.randrange(len(body) - len(name) - 12) // 4 * 4
                struct.pack_into('<I', body, at, choose.choice((0, 1, 2, 255, 2 ** 16, 2 ** 31, 2 ** 32 - 1, choose.randrange(2 ** 32))))
            magic, version, length, _ = HEAD.unpack_from(good)
            with open(path, 'wb') as file:
                file.write(HEAD.pack(magic, version, length, hashlib.sha256(body).digest()) + body)
            server = self.view('--cache', self.cache, self.spans)
            n_dropped += not server.wait()['cached']
            answers(server, 1, 2)
            self.assertEqual(server.end(), '')
        self.assertGreater(n_dropped, 0)

    def test_folder(self):
        """Folder and files are of the user only; another folder is not used."""
        self.store(sample('one-cpu'))
        name, = maps(self.cache)
        self.assertEqual([os.stat(path).st_mode & 0o777 for path in (self.cache, os.path.join(self.cache, name))], [0o700, 0o600])
        os.chmod(self.cache, 0o755)
        result = ltt('view', '--cache', self.cache, sample('one-cpu'))
        self.assertEqual((result.status, result.err), (2, 'ltt view: --cache: %s: other users may use the folder of the cache: '
                                                       'expected mode 0700\n' % self.cache))
        os.chmod(self.cache, 0o700)
        if os.geteuid() == 0:
            os.chown(self.cache, 12345, -1)
            self.assertIn('belongs to another user', ltt('view', '--cache', self.cache, sample('one-cpu')).err)
        self.assertEqual(ltt('view', '--cache', '/dev/null/x', sample('one-cpu')).status, 2)
        self.assertEqual(ltt('view', '--cache', self.cache, '--no-cache', sample('one-cpu')).status, 2)

    def test_default_folder(self):
        """Only traces of 500,000 events are stored without --cache."""
        home, trace = self.path('home'), self.big
        n_events = big_trace.EVENTS * big_trace.CPUS * 13
        self.assertGreater(n_events, 500000)
        self.store(self.spans)  # by then the files of the other one are old enough, too
        self.cache = os.path.join(home, 'ltt/view')
        for cached in False, True:
            server = self.view(trace, XDG_CACHE_HOME=home)
            self.assertEqual((server.wait()['cached'], server.ask('progress')['events']), (cached, n_events))
            server.end()
        server = self.view(sample('one-cpu'), XDG_CACHE_HOME=home)
        self.assertFalse(server.wait()['cached'])
        server.end()
        self.view('--no-cache', trace, XDG_CACHE_HOME=home).wait()
        self.assertEqual(len(maps(self.cache)), 1)

    def test_a_relative_folder_is_ignored(self):
        """The XDG Base Directory Specification demands it."""
        home = self.path('home')
        self.view(sample('one-cpu'), XDG_CACHE_HOME='relative-cache', HOME=home).wait()
        self.assertFalse(os.path.exists('relative-cache'))
        self.assertTrue(os.path.isdir(os.path.join(home, '.cache/ltt/view')))

    def test_eviction(self):
        """The maps that were used longest ago make room; so do files that were never finished."""
        self.store(sample('one-cpu'))
        first, = maps(self.cache)
        for index, name in enumerate(('old.map', 'older.map', 'oldest.map', 'new.map', 'left.map.1', 'being.map.2')):
            path = os.path.join(self.cache, name)
            with open(path, 'wb') as file:
                file.truncate(90 << 20 if name.endswith('.map') else 0)
            if not name.startswith(('new', 'being')):
                os.utime(path, (10 ** 9 - index, 10 ** 9 - index))
        with open(os.path.join(self.cache, 'note.txt'), 'w'):
            pass
        self.open(sample('tracer'), cached=False).end()
        left = set(os.listdir(self.cache))
        self.assertTrue({first, 'new.map', 'old.map', 'being.map.2', 'note.txt'} <= left, left)
        self.assertFalse({'older.map', 'oldest.map', 'left.map.1'} & left, left)
        self.assertEqual(len(left), 6)
