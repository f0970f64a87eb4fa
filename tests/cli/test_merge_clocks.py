"""`ltt dump A B` and `ltt merge` of recordings: round trips, and different clocks."""
import os
import re
import shutil
import subprocess
import unittest

from command import CommandTest, SOURCE, as_json, ltt, sample, time_ns
from recording import Case, call, program
from recording import LTT as LTT_IN_USE
from small_trace import write


class Recordings(CommandTest):
    def test_they_come_out_again(self):
        """Exports from a merged trace of either byte order equal the original recordings."""
        for name, kind in (('perf/bigendian-s390x.data', 'perf'), ('perf/file-tracepoints.data', 'perf'),
                           ('qemu/q7.2-serial.rr', 'qemu-replay'), ('revent/v2-general.revent', 'revent')):
            recording, trace = os.path.join(SOURCE, 'tests/data', name), self.path(kind)
            self.assert_done(ltt('import', recording, '-o', trace))
            with open(recording, 'rb') as file:
                expected = file.read()
            for first in ('one-cpu', 'big-endian'):
                with self.subTest(recording=name, first=first):
                    merged = self.path('%s-%s' % (os.path.basename(name), first))
                    self.assertNotEqual(ltt('merge', '-o', merged, sample(first), trace).status, 2)
                    self.assertEqual(ltt('export', '--to', kind, '-o', '-', merged).raw, expected)
            shutil.rmtree(trace)


class Clocks(CommandTest):
    """A recording with a monotonic clock, merged with one that uses the wall clock."""
    FACILITY = '<facility name="probes"><event name="other"/></facility>'
    START = 5000 * 10**9
    WALL = 1050000000 * 10**9 + 123456789

    def recording(self, name='perf', told=True, clock='monotonic'):
        write(self.path(name), self.FACILITY, {'control/some': [[(self.START, 'other', b'')]],
                                               'cpu/0': [[(self.START + 50, 'other', b'')]]})
        self.set_system(self.path(name), 'clock="%s"' % clock)
        if told:
            self.set_system(self.path(name), 'clock_zero="%d"' % (self.WALL - (self.START - 7)))
        return self.path(name)

    def times(self, *paths, options=()):
        result = ltt('dump', '--format=json', '--event=probes.other', *options, *paths)
        self.assertEqual(result.status, 0)
        return [time_ns(event) for event in as_json(result.out)], result.err

    def test_told_by_the_recording(self):
        perf = self.recording()
        moved = [self.WALL + 7, self.WALL + 57]
        note = 'ltt dump: %s: times moved by +1049995000.123456796 s to the wall clock, according to the recording\n' % perf
        self.assertEqual(self.times(sample('one-cpu'), perf), (moved, note))
        self.assertEqual(self.times(sample('one-cpu'), perf, options=['--offset=2=1'])[0],
                         [self.START + 10**9, self.START + 10**9 + 50])
        merged = self.path('merged')
        self.assertEqual(ltt('merge', '-o', merged, sample('one-cpu'), perf).status, 0)
        self.assertEqual(self.times(merged), (moved, ''))
        self.assertEqual(self.times(merged, sample('one-cpu')), (moved, ''), 'moved twice')

    def test_told_by_the_trace_beside(self):
        """A trace of the same machine with the monotonic clock gives a more exact offset than perf.

        perf records the wall clock in microseconds.
        """
        perf = self.recording()
        beside = self.path('beside')
        told = self.WALL - (self.START - 7)
        for apart, taken in ((-2500, -2500), (999999999, 999999999), (10**9, 0), (-10**9, 0)):
            shutil.rmtree(beside, ignore_errors=True)
            shutil.copytree(sample('one-cpu'), beside)
            self.set_system(beside, 'monotonic_zero="%d"' % (told + apart))
            times, said = self.times(beside, perf)
            self.assertEqual(times, [self.START + told + taken, self.START + told + taken + 50])
            self.assertIn(', according to %s\n' % (beside if taken else 'the recording'), said)
        self.set_system(beside, 'monotonic_zero="%d"' % told)
        self.assertIn('according to the recording', self.times(beside, perf, options=['--offset=1=0.5'])[1])

    def set_system(self, trace, attribute):
        path = os.path.join(trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = re.sub(r' %s="[^"]*"' % attribute.split('=')[0], '', file.read())
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text.replace('<system', '<system ' + attribute, 1))

    def system(self, trace):
        with open(os.path.join(trace, 'info/system.xml'), encoding='utf-8') as file:
            return dict(re.findall(r' (\w+)="([^"]*)"', file.read()))

    def test_only_the_monotonic_clock_is_that_of_the_trace_beside(self):
        beside = self.path('beside')
        shutil.copytree(sample('one-cpu'), beside)
        self.set_system(beside, 'monotonic_zero="%d"' % (self.WALL - self.START))
        for clock, teller in (('monotonic', beside), ('boottime', 'the recording'), ('other', 'the recording')):
            shutil.rmtree(self.path('perf'), ignore_errors=True)
            self.assertIn(', according to %s\n' % teller, self.times(beside, self.recording(clock=clock))[1])

    def test_the_attribute_wins_over_the_times(self):
        """The attribute determines the clock, even if the times suggest another one."""
        perf = self.recording(clock='wall')
        self.assertEqual(self.times(sample('one-cpu'), perf), ([self.START, self.START + 50], ''))
        self.assertIn('1970-01-01 01:23:20 UTC', ltt('info', perf).out)
        other = self.path('other')
        shutil.copytree(sample('one-cpu'), other)
        self.set_system(other, 'clock="boottime"')
        self.assertIn('(no wall time)', ltt('info', other).out)

    def test_what_a_merged_trace_says(self):
        """A merged trace has the clock attribute of its members, unless they have an offset."""
        first, second = self.recording('first'), self.recording('second')
        zero = str(self.WALL - (self.START - 7))
        for number, (words, expected) in enumerate((((), ('monotonic', zero)), (['--offset=2=1'], (None, None)))):
            merged = self.path('merged-%d' % number)
            self.assertEqual(ltt('merge', '-o', merged, *words, first, second).status, 0)
            system = self.system(merged)
            self.assertEqual((system.get('clock'), system.get('clock_zero')), expected)
        self.set_system(second, 'clock_zero="7"')
        merged = self.path('merged')
        self.assertEqual(ltt('merge', '-o', merged, first, second).status, 0)
        self.assertNotIn('clock', self.system(merged))

    def test_not_told(self):
        perf = self.recording(told=False)
        plain = [self.START, self.START + 50]
        note = ('ltt dump: %s: times are not wall-clock times, and the recording does not contain their offset; '
                'set it with --offset 2=S\n' % perf)
        self.assertEqual(self.times(sample('one-cpu'), perf), (plain, note))
        self.assertEqual(self.times(perf, self.recording('again')), (sorted(plain * 2), ''), 'they may have the same clock')


@unittest.skipUnless(shutil.which('perf'), 'perf is not installed')
class WithPerf(Case):
    def test_one_program(self):
        """Each sample of the program's own code is between its first and its last event."""
        environment = dict(os.environ, PATH=os.path.dirname(LTT_IN_USE) + os.pathsep + os.environ['PATH'])
        script = os.path.join(SOURCE, 'samples/analysis/with-perf.sh')
        done = subprocess.run([script, self.trace, program('storm'), '-n', '300000'], env=environment, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode and 'perf' in done.stderr:
            self.skipTest('perf record is not allowed here')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn('times moved by +', done.stderr)
        names = [line.split('  ')[2] for line in done.stdout.splitlines()]
        self.assertIn('demo.pair', names)
        samples = [i for i, name in enumerate(names) if re.match(r'perf\.(cycles|cpu_clock)', name)]
        first, last = names.index('demo.pair'), len(names) - 1 - names[::-1].index('demo.pair')
        self.assertTrue(any(first < i < last for i in samples))

    def test_help(self):
        script = os.path.join(SOURCE, 'samples/analysis/with-perf.sh')
        self.assertIn('usage: with-perf.sh DIR PROGRAM', call(script, '--help'))
        self.assertIn('usage: with-perf.sh DIR PROGRAM', call(script, status=2))


class Recorded(Case):
    def test_two_recordings(self):
        """Two real recordings: the numbers of each thread are contiguous, and the processes of both are present."""
        paths = [self.path('one'), self.path('two')]
        for path in paths:
            call(LTT_IN_USE, 'record', '-o', path, '--block-size=4K', '--', program('storm'), '-t', 2, '-n', 3000)
        call(LTT_IN_USE, 'merge', '-o', self.trace, *paths)
        self.check()
        threads = self.pairs()
        self.assertEqual([len(numbers) for numbers in threads.values()], [3000] * 4)
        for who, numbers in threads.items():
            self.assert_whole(numbers, who)
        starts = self.events('--all', '--event=tracer.process_start')
        self.assertEqual([event['tracefile'] for event in starts], ['control/processes', 'control/processes.2'])
        self.assertEqual(call(LTT_IN_USE, 'dump', '--digest', self.trace), call(LTT_IN_USE, 'dump', '--digest', *paths))


if __name__ == '__main__':
    unittest.main()
