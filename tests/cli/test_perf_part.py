"""A part of a perf recording, exported: perf prints the same names as for the whole."""
import os
import re
import shutil
import struct
import subprocess
import unittest

from cli.test_perf_made import Recording
from command import ltt
from perf_recordings import FOLDER, PerfTest

# Symbols depend on the reading machine; names of files and threads are in the recording.
FIELDS = 'comm,pid,tid,time,event,ip,dso'
NAMES = [name + '.data' for name in ('file-callgraph', 'file-tracepoints', 'file-zstd81', 'switch-namespaces-cgroup')]


def perf(*words):
    """The status of perf, and what it prints without its tip, which differs from second to second."""
    done = subprocess.run(['perf', *words], check=False, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    return done.returncode, re.sub(r'(?m)^# \(Tip: .*\n', '', done.stdout.decode('utf-8', 'replace'))


@unittest.skipIf(shutil.which('perf') is None, 'perf is not installed')
class Part(PerfTest):
    def script(self, recording, *options):
        status, text = perf('script', '-i', recording, '--ns', '-F', FIELDS, *options)
        self.assertEqual(status, 0, recording)
        return text

    def blocks(self, text):
        """The samples, each with the lines of its call chain."""
        return [block for block in text.replace('\n\t', '\0').replace('\n\n', '\n').split('\n') if block]

    def part(self, trace, *options, err=''):
        path = self.path('part')
        if os.path.exists(path):
            os.unlink(path)
        result = ltt('export', '--to', 'perf', '-o', path, *options, trace)
        self.assertEqual((result.status, result.err), (1 if err else 0, err))
        return path

    def test_windows(self):
        for name in NAMES:
            with self.subTest(name):
                whole = os.path.join(FOLDER, name)
                status, text = perf('script', '-i', whole, '--ns', '-F', 'time')
                times = sorted((line.strip(' :') for line in text.splitlines() if line.strip()), key=float)
                self.assertEqual(status, 0)
                first, last = times[len(times) // 4], times[len(times) // 2]
                trace = self.imported(whole)[0]
                # perf's window includes its end.
                end = '%s%09d' % (last[:-9], int(last[-9:]) + 1)
                for options, theirs in ((('--from', first), first + ','), (('--from', first, '-t', end), '%s,%s' % (first, last))):
                    expected = self.script(whole, '--time', theirs)
                    self.assertGreater(len(expected), 100)
                    self.assertEqual(self.script(self.part(trace, *options)), expected)
                cut = self.path('cut')
                shutil.rmtree(cut, ignore_errors=True)
                self.assert_done(ltt('cut', '--from', first, '-o', cut, trace), None)
                self.assertEqual(self.script(self.part(cut)), self.script(whole, '--time', first + ','))

    def test_cpus_and_events(self):
        whole = os.path.join(FOLDER, 'file-tracepoints.data')
        trace = self.imported(whole)[0]
        samples = self.blocks(self.script(whole))
        self.assertEqual(self.script(self.part(trace, '--cpu', '0')), self.script(whole, '-C', '0'))
        for option, value in (('--event', 'sched.sched_switch'), ('--filter', 'event == "sched.sched_switch"')):
            self.assertEqual(self.blocks(self.script(self.part(trace, option, value))),
                             [sample for sample in samples if 'sched:sched_switch' in sample])
        cut = self.path('cut')
        self.assert_done(ltt('cut', '--cpu', '0', '-o', cut, trace), None)
        self.assertEqual(self.script(self.part(cut)), self.script(whole, '-C', '0'))

    def test_report(self):
        """Every name known in the whole recording is known in its part."""
        whole = os.path.join(FOLDER, 'file-callgraph.data')
        trace = self.imported(whole)[0]
        part = self.part(trace, '--event', 'perf.cpu_clock*')
        words = ('report', '--stdio', '-g', 'none', '-s', 'comm,dso', '-i')
        status, expected = perf(*words, whole)
        self.assertEqual(status, 0)
        self.assertEqual(perf(*words, part), (0, expected))

    def test_every_part_of_a_split(self):
        """A part has the names that the samples in it need, and the parts together have all samples."""
        for name, size in (('file-callgraph.data', '200ms'), ('file-tracepoints.data', '100ms'), ('file-callgraph.data', '50ms')):
            whole = os.path.join(FOLDER, name)
            trace, parts, got = self.imported(whole)[0], self.path('parts'), []
            shutil.rmtree(parts, ignore_errors=True)
            self.assert_done(ltt('cut', '--every', size, '-o', parts, trace), None)
            self.assertGreater(len(os.listdir(parts)), 2)
            for part in sorted(os.listdir(parts)):
                got += self.blocks(self.script(self.part(os.path.join(parts, part))))
            self.assertEqual(got, self.blocks(self.script(whole)))

    def test_nothing(self):
        """perf reads the export as empty, although it rejects a file without records."""
        for form in ('file', 'pipe'):
            path = self.path(form)
            recording = Recording().attr().sample(1000).sample(2000)
            content = recording.content()
            if form == 'pipe':
                attr = recording.attrs[0][0] + struct.pack('<Q', 1)
                content = b'PERFILE2' + struct.pack('<QIHH', 16, 64, 0, 8 + len(attr)) + attr + recording.records
            with open(path, 'wb') as file:
                file.write(content)
            part = self.part(self.imported(path)[0], '--event', 'sched.*',
                             err='ltt export: --event: sched.*: the trace has no such event; see `ltt info --events`\n')
            self.assertEqual(perf('script', '-i', part), (0, ''))
            self.assertEqual(perf('report', '--stdio', '-i', part)[0], 0)
            self.assertEqual([event['event'] for event in self.records(self.imported(part)[0])], ['perf.finished_round'])


if __name__ == '__main__':
    unittest.main()
