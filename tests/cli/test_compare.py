"""`ltt compare`: equal and different traces."""
import json
import os
import re
import struct
import subprocess
from collections import Counter

from command import SOURCE, CommandTest, expected_events, is_hidden, ltt, sample, samples
from small_trace import write

# A build without sanitizers, which reserve memory.
USE = os.environ.get('LTT_USE', os.path.join(SOURCE, 'build'))
DESCRIPTION = '<facility name="f"><event name="e"><uint size="4"/></event></facility>'


def visible(path):
    return [event for event in expected_events(path) if not is_hidden(event)]


class Same(CommandTest):
    def test_a_trace_and_itself(self):
        for path in samples():
            with self.subTest(trace=path):
                n = len(visible(path))
                self.assert_done(ltt('compare', path, path), 'the same: %s events\n' % format(n, ','))

    def test_a_trace_written_anew(self):
        """Other blocks, ids and files; with an offset all events differ, unless times are ignored."""
        path = sample('every-type')
        self.assertEqual(ltt('merge', '-o', self.path('anew'), path).status, 0)
        self.assert_done(ltt('compare', path, self.path('anew')))
        self.assertEqual(ltt('merge', '-o', self.path('later'), path, '--offset=1=1').status, 0)
        self.assertEqual(ltt('compare', '-q', path, self.path('later')).status, 1)
        self.assert_done(ltt('compare', '--ignore=time', path, self.path('later')))

    def test_selection(self):
        """Compares only an equal part of two different traces."""
        path = sample('sparse-cpus')
        trace = self.copy(path)
        os.remove(os.path.join(trace, 'cpu/4'))
        self.assertEqual(ltt('compare', '-q', path, trace).status, 1)
        self.assert_done(ltt('compare', '--cpu', '0-3', path, trace))
        self.assert_done(ltt('compare', '-q', '--filter', 'cpu != 4', path, trace), '')


class Different(CommandTest):
    def without(self, path, cpu):
        trace = self.copy(path, 'without-%s' % cpu)
        os.remove(os.path.join(trace, 'cpu', cpu))
        return trace

    def counts(self, *arguments):
        result = ltt('compare', '--json', *arguments)
        return result.status, json.loads(result.out)

    def test_counts(self):
        path = sample('sparse-cpus')
        one, other = self.without(path, '1'), self.without(path, '6')
        lists = [Counter(event['event'] for event in visible(path) if event['tracefile'] == name)
                 for name in ('cpu/6', 'cpu/1')]
        status, got = self.counts(one, other)
        self.assertEqual(status, 1)
        self.assertEqual([got['only_first'], got['only_second']], [sum(each.values()) for each in lists])
        for name, count in got['by_event'].items():
            self.assertEqual((count['only_first'], count['only_second']), (lists[0][name], lists[1][name]))
            self.assertEqual(count['both'], sum(event['event'] == name and event['tracefile'] not in ('cpu/1', 'cpu/6')
                                                for event in visible(path)))

    def test_listing(self):
        """Lists each line of one trace only, in order, with three common lines around it."""
        path = sample('one-cpu')
        events = ltt('dump', path).lines
        other = self.copy(path)
        self.assert_done(ltt('compare', path, other, '--from', events[20].split()[0]))
        # Changes one byte of a payload.
        with open(os.path.join(other, 'cpu/0'), 'r+b') as file:
            data = file.read()
            at = data.index(b'/usr/bin')
            file.seek(at)
            file.write(b'!')
        result = ltt('compare', path, other)
        self.assertEqual((result.status, result.err), (1, ''))
        changed = [i for i, line in enumerate(ltt('dump', other).lines) if line != events[i]]
        self.assertEqual(len(changed), 1)
        at = changed[0]
        expected = (['  ' + line for line in events[max(at - 3, 0):at]] +
                    ['- ' + events[at], '+ ' + events[at].replace('"/usr', '"!usr')] +
                    ['  ' + line for line in events[at + 1:at + 4]] +
                    ['', 'different: %d events in both, 1 only in the first, 1 only in the second' % (len(events) - 1), ''])
        self.assertEqual(result.lines[:len(expected)], expected)
        self.assertEqual(result.lines[len(expected)].split(), ['event', 'both', 'only', 'first', 'only', 'second'])

    def test_gaps_and_lines(self):
        path = sample('sparse-cpus')
        other = self.without(path, '7')
        missing = ['- ' + line for line in ltt('dump', path, '--cpu=7').lines]
        everything = ltt('compare', '-n', '100000', path, other).lines
        self.assertEqual([line for line in everything if line[:2] == '- '], missing)
        self.assertIn('...', everything)
        some = ltt('compare', '--lines=10', path, other).lines
        self.assertEqual(some[:10], everything[:10])
        shown = sum(line[:2] == '- ' for line in some[:10])
        self.assertEqual(some[10], '... %d more' % (len(missing) - shown))
        self.assertTrue(ltt('compare', '-n0', path, other).out.startswith('... %d more\n' % len(missing)))

    def small(self, name, events, **options):
        """A trace of events (TIME, NUMBER) of cpu/0, or (TIME, NUMBER, TRACEFILE)."""
        tracefiles, order = {}, options.get('order', '<')
        for time, number, *tracefile in events:
            event = time, 'e', struct.pack(order + 'I', number)
            tracefiles.setdefault(tracefile[0] if tracefile else 'cpu/0', [[]])[0].append(event)
        write(self.path(name), DESCRIPTION, tracefiles, **options)
        return self.path(name)

    def differences(self, *arguments):
        """Number and sign of each difference."""
        lines = ltt('compare', '-n', '100000', *arguments).lines
        return [line[0] + line.split()[-1] for line in lines if re.match(r'[-+] \d', line)]

    def test_equal_times_in_any_order(self):
        one = self.small('one', [(10, 1), (20, 1), (20, 2), (20, 2), (20, 3), (30, 1)])
        other = self.small('other', [(10, 1), (20, 3), (20, 2), (20, 4), (20, 1), (30, 1)])
        self.assertEqual(self.differences(one, other), ['-2', '+4'])
        self.assertEqual(self.counts(one, other)[1]['both'], 5)

    def test_without_times(self):
        """An insertion does not make the following events differ."""
        numbers = list(range(1500))
        one = self.small('one', [(10 * i + 10, i) for i in numbers], block_size=65536)
        longer = numbers[:700] + [9001, 9002] + numbers[700:800] + numbers[900:]
        other = self.small('other', [(7 * i + 7, i) for i in longer], block_size=65536)
        self.assertEqual(ltt('compare', '-q', one, other).status, 1)
        self.assertEqual(self.differences('--ignore=time', one, other),
                         ['+9001', '+9002'] + ['-%d' % i for i in range(800, 900)])

    def test_what_is_beyond_reach(self):
        """The result may exceed the minimum, but is never empty, and the counts are correct."""
        one = self.small('one', [(10, 1)] + [(i, i) for i in range(2000, 5000)] + [(9000, 2)], block_size=65536)
        other = self.small('other', [(10, 1), (20, 2)])
        _, got = self.counts('--ignore=time', one, other)
        self.assertEqual((got['both'] + got['only_first'], got['both'] + got['only_second']), (3002, 2))

    def test_parts(self):
        one = self.small('one', [(10, 1), (20, 2, 'cpu/1')])
        other = self.small('other', [(10, 1), (20, 2, 'cpu/3')])
        self.assertEqual(self.differences(one, other), ['-2', '+2'])
        self.assert_done(ltt('compare', '-i', 'tracefile', one, other))
        traced = sample('tracer')
        self.assert_done(ltt('compare', '-i', 'thread,time', traced, traced))

    def test_other_machines(self):
        """Equal values in another byte order and of other sizes."""
        events = [(10, 1), (20, 0x01020304)]
        one = self.small('one', events)
        other = self.small('other', events, order='>', arch_size='ILP32', block_size=8192)
        self.assert_done(ltt('compare', one, other), 'the same: 2 events\n')
        turned = self.small('turned', [(10, 0x01000000), (20, 0x04030201)], order='>')
        self.assertEqual(self.differences(one, turned), ['-1', '+16777216', '-16909060', '+67305985'])

    def test_names_and_versions(self):
        """Events with other names differ; events with other descriptions are compared as printed."""
        one = self.small('one', [(10, 7)])
        write(self.path('other'), DESCRIPTION.replace('"e"', '"g"'), {'cpu/0': [[(10, 'g', b'\7\0\0\0')]]})
        self.assertEqual(self.differences(one, self.path('other')), ['-7', '+7'])
        write(self.path('short'), DESCRIPTION.replace('"4"', '"1"'), {'cpu/0': [[(10, 'e', b'\7')]]})
        self.assert_done(ltt('compare', one, self.path('short')))

    def zeros(self, name, numbers, n):
        """Events of one time with N sequences of 4096 structs without fields each: 2 bytes, and 12 kB of text."""
        description = ('<facility name="f"><event name="e"><struct><field name="number"><uint size="4"/></field><field name="zeros">'
                       '<array size="%d"><sequence lengthsize="2"><struct></struct></sequence></array></field></struct></event></facility>' % n)
        events = [(10, 'e', struct.pack('<I', number) + n * b'\x00\x10') for number in numbers]
        write(self.path(name), description, {'cpu/0': [events]}, block_size=1 << 17)
        return self.path(name)

    def test_events_of_long_text(self):
        """Equal and different ones, some of them in another order, are found in less memory than their text takes."""
        with open(os.path.join(USE, 'bin/ltt'), 'rb') as file:
            if file.read(2) == b'#!':
                self.skipTest('the emulator that the script runs needs more memory')
        one = self.zeros('one', range(6000), 1)
        other = self.zeros('other', [6000, *range(5999, 0, -1)], 1)
        short = 'ulimit -v 150000; exec "$0" compare --json "$1" "$2"'
        for paths, both, only in (((one, other), 5999, 1), ((self.zeros('long', [1], 20000), self.zeros('longer', [2], 20000)), 0, 1)):
            result = subprocess.run(['sh', '-c', short, os.path.join(USE, 'bin/ltt'), *paths], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual((result.returncode, result.stderr), (1, b''))
            got = json.loads(result.stdout)
            self.assertEqual((got['both'], got['only_first'], got['only_second']), (both, only, only))
        self.assert_done(ltt('compare', self.zeros('up', range(100), 1), self.zeros('down', range(99, -1, -1), 1)), 'the same: 100 events\n')

    def test_damage(self):
        result = ltt('compare', sample('damage'), sample('damage'))
        self.assertEqual(result.status, 1)
        self.assertIn('the same: ', result.out)
        self.assertIn('cpu/0: block 1: byte 156', result.err)

    def test_usage(self):
        path = sample('one-cpu')
        self.assert_failed(ltt('compare', path), 'TRACE TRACE is missing')
        self.assert_failed(ltt('compare', '--ignore=time,pid', path, path), '--ignore time,pid: expected a list of')
        self.assert_failed(ltt('compare', '-n', '-1', path, path), '--lines -1: expected')
        self.assert_failed(ltt('compare', path, self.path('nothing')), 'no such directory')
