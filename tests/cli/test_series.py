"""Commands in sequence: each reads what the previous one wrote.

Each sequence of commands must preserve the events of the trace, for all machines, tools and kinds
of end.
"""
import json
import os
import subprocess
import unittest

from command import SOURCE, CommandTest, ltt, sample
from recording import BUILD, Case, call, kill_group, program

LTT = os.path.join(BUILD, 'bin/ltt')

SAMPLES = ('tracer', 'big-endian', 'crashed', 'flight-recorder', 'unquoted', 'dialect-2.2', 'load-in-cpu-file')
RECORDINGS = (('perf', 'perf/file-tracepoints.data'), ('qemu-replay', 'qemu/q7.2-serial.rr'),
              ('revent', 'revent/v2-general.revent'))


class Ways:
    """For a test with path() and with run(), which returns the output of a command and fails if the command does."""

    def digest(self, *traces):
        return self.run('dump', '--digest', *traces)

    def same(self, trace, *others):
        self.assertEqual([self.digest(other) for other in others], [self.digest(trace)] * len(others))

    def new(self, name):
        """Returns an unused name."""
        self.made = getattr(self, 'made', 0) + 1
        return self.path('%d-%s' % (self.made, name))

    def then(self, *words, name='trace'):
        """Runs a command that creates a file or directory; returns its path."""
        path = self.new(name)
        self.run(words[0], '-o', path, *words[1:])
        return path

    def there_and_back(self, trace):
        """pack, unpack, cut, merge, repair: each reads the output of the previous one."""
        packed = self.then('pack', trace, name='trace.tar.gz')
        unpacked = self.then('unpack', packed)
        cut = self.then('cut', unpacked)
        merged = self.then('merge', cut)
        repaired = self.then('check', '--repair', merged)
        again = self.then('merge', repaired, name='again')
        zipped = self.then('pack', again, name='again.tar.zst')
        self.same(trace, packed, unpacked, cut, merged, repaired, again, zipped)
        self.assertIn('the same', self.run('compare', trace, zipped))
        for made in (unpacked, cut, merged, repaired, again):
            self.run('check', made)
            self.run('info', made)
        self.assertEqual(self.run('export', '--to', 'json', '-o', '-', zipped), self.run('dump', '--format', 'json', trace))
        return again

    def middle(self, trace):
        span = json.loads(self.run('info', '--json', trace))
        start, end = (int(span[key].replace('.', '')) for key in ('start', 'end'))
        return '%d.%09d' % divmod((start + end) // 2, 10**9)

    def halves(self, trace):
        """Cuts the trace in the middle, and merges the parts."""
        middle = self.middle(trace)
        return self.then('merge', self.then('cut', '--to', middle, trace), self.then('cut', '--from', middle, trace))


class Samples(CommandTest, Ways):
    def run(self, *words):  # pylint: disable=arguments-renamed
        if len(words) == 1 and not isinstance(words[0], str):
            return super().run(*words)  # unittest's own
        result = ltt(*words)
        self.assertEqual(result.status, 0, (words, result.err))
        return result.out

    def test_there_and_back(self):
        for name in SAMPLES:
            with self.subTest(trace=name):
                self.there_and_back(sample(name))

    def test_imported(self):
        for kind, name in RECORDINGS:
            with self.subTest(recording=name):
                trace, back = self.new('imported'), self.new('back')
                recording = os.path.join(SOURCE, 'tests/data', name)
                self.run('import', recording, '-o', trace)
                self.run('export', '--to', kind, '-o', back, self.there_and_back(trace))
                with open(recording, 'rb') as expected, open(back, 'rb') as made:
                    self.assertEqual(made.read(), expected.read())


class Recorded(Case, Ways):
    def run(self, *words):  # pylint: disable=arguments-renamed
        if len(words) == 1 and not isinstance(words[0], str):
            return super().run(*words)
        return call(LTT, *words)

    def record(self, *options, name='recorded', rseq=True):
        path = self.new(name)
        call(LTT, 'record', '-o', path, *options, '--', program('storm'), '-t', 2, '-n', 3000,
             env=dict(os.environ, LTT_TRACE_RSEQ='1' if rseq else '0'))
        return path

    def crashed(self):
        """A recording whose programs and recorder were killed at the same time."""
        path = self.new('crashed')
        with subprocess.Popen([LTT, 'record', '-o', path, '--flight', '256K', '--block-size', '8K', '--',
                               program('storm'), '-t', '2', '-n', '1000000000'], start_new_session=True,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            try:
                while '"demo.pair"' not in subprocess.run([LTT, 'stat', '--json', path], stdout=subprocess.PIPE, check=False,
                                                          stderr=subprocess.DEVNULL, text=True).stdout:
                    self.assertIsNone(process.poll())
            finally:
                kill_group(process)
        return path

    def test_there_and_back(self):
        for trace in (self.record(), self.record('--block-size=4K'), self.record('--flight=64K', '--block-size=4K'),
                      self.record('--no-machine')):
            with self.subTest(trace=trace):
                again = self.there_and_back(trace)
                self.same(trace, self.halves(trace), self.halves(again))

    def test_lanes(self):
        trace = self.record(rseq=False)
        self.there_and_back(trace)
        # Lanes of two traces belong to different threads.
        self.assertIn('the same', self.run('compare', '--ignore', 'tracefile', trace, self.halves(trace)))

    @unittest.skipIf('sanitize' not in BUILD, 'once is enough')
    def test_a_crash(self):
        trace = self.crashed()
        # Open blocks stay open in copies; a partial cut closes them.
        packed = self.then('pack', trace, name='crashed.tar')
        copied = self.then('merge', packed)
        self.same(trace, packed, copied, self.then('check', '--repair', trace))
        self.same(copied, self.halves(copied))

    def test_of_all_kinds(self):
        """Merges, then merges the result with one of its members."""
        imported = self.new('imported')
        self.run('import', os.path.join(SOURCE, 'tests/data', RECORDINGS[0][1]), '-o', imported)
        recorded, lanes = self.record(), self.record(rseq=False)
        for parts in ((recorded, imported), (imported, recorded), (sample('big-endian'), recorded, lanes),
                      (lanes, sample('dialect-2.2'), recorded, sample('tracer')), (recorded, recorded)):
            with self.subTest(parts=parts):
                merged = self.then('merge', *parts)
                again = self.then('merge', merged, recorded)
                self.assertEqual(self.digest(merged).splitlines()[-1], self.digest(*parts).splitlines()[-1])
                self.assertEqual(self.digest(again).splitlines()[-1], self.digest(merged, recorded).splitlines()[-1])
                self.run('check', again)
                self.assertTrue(json.loads(self.run('export', '--to', 'chrome', '-o', '-', again)))
                ours = ('--event', 'demo.*')
                part = self.then('cut', *ours, '--to=+0.001', self.then('pack', again, name='all.tgz'))
                self.assertEqual(self.digest(*ours, part), self.digest(*ours, '--to=+0.001', again))
