"""`ltt bookmark`, and bookmarks in the output of info, check and dump."""
import concurrent.futures
import json
import os
import shutil
import subprocess
import unittest

from command import is_root, LTT, CommandTest, expected_events, is_hidden, ltt, sample

WRONG = '<bookmarks>\n<location name="a"/>\n<location name="b" time="1"/></bookmarks>'


class Bookmark(CommandTest):
    def setUp(self):
        super().setUp()
        self.trace = self.copy(sample('one-cpu'))
        self.events = [event for event in expected_events(self.trace_source) if not is_hidden(event)]

    trace_source = sample('one-cpu')

    def add(self, *words):
        self.assert_done(ltt('bookmark', 'add', self.trace, *words), '')

    def listed(self):
        result = ltt('bookmark', 'list', '--json', self.trace)
        self.assert_done(result)
        return json.loads(result.out)['bookmarks']

    def write(self, text):
        with open(os.path.join(self.trace, 'info/bookmarks.xml'), 'w', encoding='utf-8') as file:
            file.write(text)

    def test_all_forms(self):
        info = json.loads(ltt('info', '--json', self.trace).out)
        self.add('--at', '1050000000.5', 'a', 'one <b>&')
        self.add('--at=+0', 'start')
        self.add('--from', '1050000000.025', '--to=-0', '--cpu', '0', 'b', ' two\nlines ')
        self.add('--at-cycle', '18446744073709551615', 'c')
        self.add('--from-cycle', '0', '--to-cycle', '7', 'd')
        keys = ('name', 'cpu', 'start_time', 'end_time', 'start_cycle', 'end_cycle', 'text')
        expected = [dict(zip(keys, values)) for values in (
            ('a', None, '1050000000.500000000', '1050000000.500000000', None, None, 'one <b>&'),
            ('start', None, info['start'], info['start'], None, None, ''),
            ('b', 0, '1050000000.025000000', info['end'], None, None, 'two\nlines'),
            ('c', None, None, None, 2 ** 64 - 1, 2 ** 64 - 1, ''),
            ('d', None, None, None, 0, 7, ''))]
        self.assertEqual(self.listed(), expected)
        info = json.loads(ltt('info', '--json', self.trace).out)
        self.assertEqual(info['bookmarks'], expected)
        text = ltt('bookmark', 'list', self.trace)
        self.assertIn('3 1050000000.025000000 %s 0 b two lines' % info['end'],
                      [' '.join(line.split()) for line in text.lines])
        self.assertTrue(ltt('info', self.trace).out.endswith('\n\n' + text.out))
        self.assert_done(ltt('check', self.trace))

    def test_without_any(self):
        self.assert_done(ltt('bookmark', 'list', self.trace), '')
        self.assertEqual(self.listed(), [])
        self.assertEqual(ltt('dump', '--bookmarks', self.trace).out, ltt('dump', self.trace).out)

    def test_links_of_a_stranger(self):
        """Nothing outside of the trace is written or read, and no FIFO is waited for."""
        victim, info = self.path('victim'), os.path.join(self.trace, 'info')
        with open(victim, 'w', encoding='utf-8') as file:
            file.write('precious')
        os.symlink(victim, os.path.join(info, 'bookmarks.xml.new'))
        self.add('--at=+0', 'a')
        os.mkfifo(os.path.join(info, 'bookmarks.xml.new'))
        self.add('--at=+0', 'b')
        self.assertEqual([bookmark['name'] for bookmark in self.listed()], ['a', 'b'])
        os.remove(os.path.join(info, 'bookmarks.xml'))
        os.mkfifo(os.path.join(info, 'bookmarks.xml'))
        self.assert_failed(ltt('bookmark', 'add', '--at=+0', self.trace, 'c'), 'bookmarks.xml: it is not a regular file')
        os.remove(os.path.join(info, 'bookmarks.xml'))
        with open(os.path.join(info, 'bookmarks.xml'), 'wb') as file:
            file.truncate(1 << 40)
        self.assert_failed(ltt('bookmark', 'add', '--at=+0', self.trace, 'c'), 'larger than 16777216')
        os.remove(os.path.join(info, 'bookmarks.xml'))
        os.rename(info, self.path('elsewhere'))
        os.symlink(self.path('elsewhere'), info)
        self.assert_failed(ltt('bookmark', 'add', '--at=+0', self.trace, 'c'), 'info: is a symbolic link')
        self.assertEqual(os.listdir(self.path('elsewhere')), ['system.xml'])
        with open(victim, encoding='utf-8') as file:
            self.assertEqual(file.read(), 'precious')

    def test_the_mode_and_owner_remain(self):
        path = os.path.join(self.trace, 'info/bookmarks.xml')
        self.add('--at=+0', 'first')
        for mode in (0o600, 0o660, 0o644):
            os.chmod(path, mode)
            if is_root():
                os.chown(path, 1234, 5678)
            before = os.stat(path)
            for words in (('add', '--at=+0', self.trace, 'a'), ('remove', '--name', 'a', self.trace)):
                self.assert_done(ltt('bookmark', *words), '')
                after = os.stat(path)
                self.assertEqual((after.st_mode & 0o7777, after.st_uid, after.st_gid), (mode, before.st_uid, before.st_gid))

    @unittest.skipIf(not is_root() or shutil.which('setpriv') is None, 'needs root and setpriv')
    def test_another_user(self):
        """Only the owner can be another one: then a group that cannot be kept gives no rights to another group."""
        info = os.path.join(self.trace, 'info')
        path = os.path.join(info, 'bookmarks.xml')
        os.chmod(self.folder, 0o755)
        for mode, expected in ((0o664, 0o644), (0o666, 0o666), (0o646, 0o666)):
            self.write('<bookmarks/>')
            os.chown(path, 1234, 5678)
            os.chmod(path, mode)
            os.chown(info, 65534, 65534)
            subprocess.run(['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', LTT, 'bookmark', 'add', '--at=+0', self.trace, 'a'],
                           check=True)
            after = os.stat(path)
            self.assertEqual((oct(after.st_mode & 0o7777), after.st_uid, after.st_gid), (oct(expected), 65534, 65534))
            os.remove(path)

    def test_none_to_remove(self):
        self.assert_failed(ltt('bookmark', 'remove', self.trace, '1'), '1: no such bookmark: the trace has none')

    def test_removed(self):
        for name in 'abcab':
            self.add('--at', '1', name)
        self.assert_done(ltt('bookmark', 'remove', self.trace, '3', '1'), '')
        self.assertEqual([bookmark['name'] for bookmark in self.listed()], ['b', 'a', 'b'])
        self.assert_done(ltt('bookmark', 'remove', '--name', 'b', self.trace), '')
        self.assertEqual([bookmark['name'] for bookmark in self.listed()], ['a'])
        self.assert_failed(ltt('bookmark', 'remove', self.trace, '2'), '2: no such bookmark: expected a number from 1 to 1')
        self.assert_failed(ltt('bookmark', 'remove', self.trace, '--name', 'b'), 'b: no bookmark has that name')
        self.assertEqual(len(self.listed()), 1)

    def test_several_at_once(self):
        """Concurrent changes are not lost."""
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            list(pool.map(lambda number: self.add('--at', '1', str(number)), range(12)))
        self.assertEqual(sorted(int(bookmark['name']) for bookmark in self.listed()), list(range(12)))
        self.assertEqual(sorted(os.listdir(os.path.join(self.trace, 'info'))), ['bookmarks.xml', 'system.xml'])

    def test_between_the_lines(self):
        lines = ltt('dump', self.trace).lines
        times = [event['time'] for event in self.events]
        self.add('--at', times[10], 'at', 'the\ntenth')
        self.add('--from', times[20], '--to', times[30], '--cpu', '0', 'on')
        self.add('--at-cycle', '1', 'first')
        self.add('--at', str(int(times[-1].split('.')[0]) + 1), 'behind')
        got = ltt('dump', '--bookmarks', self.trace)
        self.assert_done(got)
        after = next(index for index, time in enumerate(times) if time > times[30])
        expected = (['cycle 1  -- bookmark  first'] + lines[:times.index(times[10])] +
                    ['%s  -- bookmark  at: the tenth' % times[10]] + lines[times.index(times[10]):times.index(times[20])] +
                    ['%s  -- bookmark of cpu/0 begins  on' % times[20]] + lines[times.index(times[20]):after] +
                    ['%s  -- bookmark of cpu/0 ends  on' % times[30]] + lines[after:] +
                    ['1050000001.000000000  -- bookmark  behind'])
        self.assertEqual(got.lines, expected)
        window = ltt('dump', '--bookmarks', '--from', times[15], '--to', times[25], self.trace)
        self.assertEqual([line for line in window.lines if ' -- ' in line],
                         ['cycle 1  -- bookmark  first', '%s  -- bookmark of cpu/0 begins  on' % times[20]])
        self.assert_failed(ltt('dump', '--bookmarks', '-f', 'json', self.trace), '--bookmarks requires --format=text')

    def test_wrong_ones_are_told_and_kept(self):
        self.write(WRONG)
        place = 'info/bookmarks.xml: line 2: <location> is left out: its place is not clear'
        for command in (('info',), ('check',), ('bookmark', 'list'), ('dump', '--bookmarks')):
            result = ltt(*command, self.trace)
            self.assertEqual((result.status, len(result.err.splitlines())), (1, 1), command)
            self.assertIn(place, result.err)
        self.assert_done(ltt('dump', self.trace))
        for words in (('add', self.trace, 'x', '--at', '1'), ('remove', self.trace, '--name', 'b')):
            self.assert_failed(ltt('bookmark', *words), 'line 2: ', 'nothing was changed')
        with open(os.path.join(self.trace, 'info/bookmarks.xml'), encoding='utf-8') as file:
            self.assertEqual(file.read(), WRONG)

    def test_an_archive(self):
        """Bookmarks in an archive are read-only."""
        self.add('--at', '1', 'a')
        self.assert_done(ltt('pack', self.trace, '-o', self.path('t.tar')))
        self.assertEqual(ltt('bookmark', 'list', self.path('t.tar')).out, ltt('bookmark', 'list', self.trace).out)
        self.assert_failed(ltt('bookmark', 'add', self.path('t.tar'), 'b', '--at', '1'), 't.tar: is not a directory')

    def test_names_from_strangers(self):
        self.write('<bookmarks><location name="a&#x9b;31m" time="1050000000">b&#x7f;</location></bookmarks>')
        for command in (('info',), ('bookmark', 'list'), ('dump', '--bookmarks')):
            out = ltt(*command, self.trace).out
            self.assertIn('a\\u009b31m', out)
            self.assertNotIn('\x9b', out)

    def test_wrong_usage(self):
        where = 'the position is missing or ambiguous'
        for words, message in ((('add', self.trace), 'NAME'), (('add', self.trace, 'x'), where),
                               (('add', self.trace, 'x', '--at', '1', '--at-cycle', '1'), where),
                               (('add', self.trace, 'x', '--from', '1'), where),
                               (('add', self.trace, 'x', '--at', 'y'), 'not a time'),
                               (('add', self.trace, 'x', '--from', '2', '--to', '1'), 'before its start'),
                               (('add', self.trace, 'x', '--at', '1', '--cpu', '65536'), '--cpu'),
                               (('add', self.trace, 'x', '--at-cycle', '-1'), '--at-cycle'),
                               (('add', self.path('missing'), 'x', '--at', '1'), 'no such directory'),
                               (('remove', self.trace), 'either'), (('list', self.trace, 'x'), 'too many'),
                               (('lst', self.trace), 'did you mean list?'), (('list',), 'is missing')):
            with self.subTest(words=words):
                self.assert_failed(ltt('bookmark', *words), message)
        self.assertEqual(self.listed(), [])
