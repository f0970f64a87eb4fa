"""The lanes of `ltt view` in a trace that was merged from those of two machines."""
import json
import os
import re
import subprocess
import unittest

from command import BUILD, ltt
from hosts import HostTest
from png import Png
from viewing import TspTest, ViewTest, built


ROWS, BAR = 26 + 48 + 22, (244, 244, 246)  # where the lanes begin; the colour of a group


class Merged(HostTest):
    """Machine a has the process of b, whose name is another one."""

    def of_two(self):
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        path = os.path.join(other, 'control/processes')
        with open(path, 'rb') as file:
            data = file.read()
        self.assertIn(b'worker', data)
        with open(path, 'wb') as file:
            file.write(data.replace(b'worker', b'walker'))
        return one, other


class Lanes(ViewTest, Merged):
    def lanes(self, *words):
        """Returns: the hosts and the lanes of a server, and whether it took them from the cache."""
        server = self.view(*words)
        cached = server.wait()['cached']
        answer = server.ask('trace')['hosts'], server.ask('lanes')['lanes'], cached
        server.end()
        return answer

    def test_lanes(self):
        """A lane is of a thread of one machine, also from the cache, and has the name that it has there."""
        one, other = self.of_two()
        merged, cache = self.merge(one, other), self.path('cache')
        hosts, alone, _ = self.lanes(one)
        self.assertEqual((hosts, {lane.get('host') for lane in alone}), (['a'], {None}))
        keys = 'kind', 'pid', 'tid', 'events'
        for is_cached in False, True:
            while is_cached and not any(name.endswith('.map') for name in os.listdir(cache)):  # none while the files are new
                self.assert_done(ltt('view', '--cache', cache, '--html', self.path('page.html'), merged))
            hosts, lanes, cached = self.lanes('--cache', cache, merged)
            self.assertEqual((hosts, cached), (['a', 'b'], is_cached))
            for host, name in enumerate(('worker', 'walker')):
                own = [lane for lane in lanes if lane['host'] == host]
                self.assertEqual(sorted([lane.get(key) or 0 for key in keys[1:]] for lane in own if lane['kind'] == 'thread'),
                                 sorted([lane.get(key) or 0 for key in keys[1:]] for lane in alone if lane['kind'] == 'thread'))
                self.assertEqual({lane['process'] for lane in own if 'process' in lane}, {name})
            self.assertEqual(len({tuple(lane.get(key) for key in ('host', 'cpu', *keys[:3], 'name')) for lane in lanes}), len(lanes))
        hosts, lanes, _ = self.lanes(one, other)  # each trace has one machine
        self.assertEqual((hosts, {lane.get('host') for lane in lanes}), (['a', 'b'], {None}))
        self.assertEqual({lane['process'] for lane in lanes if lane['trace'] == 1 and 'process' in lane}, {'walker'})

    @unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
    def test_saved_events(self):
        """A page in a file has the lanes of each event, which its pid, tid and tracefile do not identify."""
        one, other = self.of_two()
        for traces in (one, other), (self.merge(one, other),):
            server, path = self.view('--no-cache', *traces), self.path('page.html')
            server.wait()
            self.assert_done(ltt('view', '--no-cache', '--html', path, *traces))
            with open(path, encoding='utf-8') as file:
                saved = json.loads(re.search('<script id="saved" type="application/json">(.*?)</script>', file.read()).group(1))
            events = saved['events']
            self.assertFalse(events['more'])
            pairs = list(zip(events['events'], events['places'], strict=True))
            for lane in server.ask('lanes')['lanes']:
                own = server.ask('events', lane=lane['id'], limit=10000)['events']
                self.assertEqual([event for event, place in pairs if lane['id'] in place['lanes']], own)
                hosts = {place['host'] for _, place in pairs if lane['id'] in place['lanes']}
                self.assertLessEqual(hosts, {lane.get('host', lane['trace'])})

    @unittest.skipUnless(subprocess.run(['pkg-config', '--exists', 'pangocairo'], check=False).returncode == 0,
                         'built without Pango, which pictures need')
    def test_picture(self):
        """Each machine has a row above its groups."""
        one, other = self.of_two()
        bars = []
        for number, trace in enumerate((one, self.merge(one, other))):
            path = self.path('%d.png' % number)
            self.assert_done(ltt('view', '--png', path, '--size', '1000x2000', trace))
            with open(path, 'rb') as file:
                picture = Png(file.read())
            bars.append([y for y in range(ROWS, picture.height) if picture.at(2, y) == BAR])
        height = next(i for i, y in enumerate(bars[0]) if y != ROWS + i)  # of the first group, before its first lane
        self.assertEqual(len(bars[1]), 2 * (len(bars[0]) + height))


class Entries(TspTest, Merged):
    def test_entries(self):
        """The machines are between the trace and its processes."""
        one, other = self.of_two()
        uuid = self.connect(self.merge(one, other))['UUID']
        entries = self.model('fetchTimeGraphTree', uuid, 'spans', {})['entries']
        by_id = {entry['id']: entry for entry in entries}
        self.assertEqual(len(by_id), len(entries))
        paths = set()
        for entry in entries:
            path = []
            while entry:
                path.insert(0, entry['labels'][0])
                entry = by_id.get(entry.get('parentId'))
            paths.add(tuple(path[:3]))
        processes = {path for path in paths if len(path) == 3 and 'process' in path[2]}
        self.assertEqual({(path[1], path[2].split(',')[0]) for path in processes}, {('a', 'worker'), ('b', 'walker')})
        self.assertEqual({path[1] for path in paths if len(path) > 1}, {'a', 'b'})


if __name__ == '__main__':
    unittest.main()
