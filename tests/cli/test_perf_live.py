"""Recordings that perf makes on this machine, in each of its forms."""
import os
import re
import subprocess
import unittest

import bpf
from perf_recordings import PerfTest, can_record, nanoseconds


@unittest.skipUnless(can_record(), 'perf record is not allowed here')
class Live(PerfTest):
    """Imports all forms of perf record on this machine; perf reads the exports."""
    FIELDS = 'comm,pid,tid,time,event,period,ip,sym'
    # Lines about offsets in the file, or about its form.
    OF_THE_FORM = re.compile(r'# (captured on|data offset|data size|feat offset|missing features|directory data|=+$|$)|#$')

    def perf(self, *arguments):
        return subprocess.run(['perf', *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, cwd=self.folder, check=True).stdout

    def check(self, *options, through_pipe=False):
        recording = self.path('perf.data')
        command = ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', '2000', *options, '-o',
                   '-' if through_pipe else recording, '--', 'sh', '-c', 'i=0; while [ $i -lt 9000 ]; do i=$((i+1)); done']
        with open(recording if through_pipe else os.devnull, 'wb') as out:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
        trace, err = self.imported(recording)
        self.assertEqual(err, '')
        exported = self.exported(trace)
        for what in (['script', '--ns', '-F', self.FIELDS, '-i'], ['evlist', '-v', '-i']):
            self.assertEqual(self.perf(*what, exported), self.perf(*what, recording))
        headers = [[line for line in self.perf('report', '--header-only', '-I', '-i', path).decode().splitlines()
                    if not self.OF_THE_FORM.match(line)] for path in (exported, recording)]
        self.assertEqual(*headers)
        samples = [event for event in self.records(trace) if event['event'] == 'perf.cpu_clock']
        printed = self.perf('script', '--ns', '-F', 'time', '-i', recording).decode().split()
        self.assertEqual(sorted(nanoseconds(event['time']) for event in samples),
                         sorted(nanoseconds(time.rstrip(':')) for time in printed))
        self.assertGreater(len(samples), 2)
        return recording, exported

    def test_plain(self):
        recording, exported = self.check('-g', '-d', '--sample-cpu')
        self.assertEqual(self.read(exported), self.read(recording))

    def test_programs_of_bpf(self):
        try:
            with bpf.loaded():
                recording, exported = self.check()
        except OSError as error:
            self.skipTest(error)
        self.assertEqual(self.read(exported), self.read(recording))
        printed = self.perf('report', '--header-only', '-I', '-i', recording).decode()
        told = ['# bpf_prog_info %d: bpf_prog_%s_%s addr 0x%x size %d' % (
            program['id'], bytes(program['tag']).hex(), program['name'], program['jited_ksyms'][0], program['jited_func_lens'][0])
                for program in self.of_file(self.path('trace'), 'bpf_prog_info')]
        self.assertEqual(sorted(told), sorted(re.findall('# bpf_prog_info.*', printed)))
        self.assertEqual(['# btf info of id %d' % btf['id'] for btf in self.of_file(self.path('trace'), 'bpf_btf')],
                         re.findall('# btf info of.*', printed))

    def test_pipe(self):
        self.check(through_pipe=True)

    def test_tracepoints_through_pipe(self):
        """perf resolves the tracepoints of a pipe when it reaches samples; evlist does not read that far."""
        recording = self.path('pipe')
        with open(recording, 'wb') as out:
            recorded = subprocess.run(['perf', 'record', '-q', '-g', '-e', 'sched:sched_switch,sched:sched_process_exit', '-o', '-',
                                       '--', 'sh', '-c', 'true; true'], check=False, stdin=subprocess.DEVNULL, stdout=out,
                                      stderr=subprocess.DEVNULL)
        if recorded.returncode != 0:
            self.skipTest('perf may not record tracepoints here')
        exported = self.exported(self.make(recording))
        script = ['script', '--ns', '-G', '-F', 'comm,pid,tid,cpu,time,event,trace', '-i']
        self.assertEqual(self.perf(*script, exported), self.perf(*script, recording))
        ours, theirs = [[line.split(': ', 1) for line in self.perf('evlist', '-v', '-i', path).decode().splitlines()
                         if ': type: ' in line] for path in (exported, recording)]
        self.assertEqual([about for _, about in ours], [about for _, about in theirs])
        self.assertEqual([name for name, _ in ours][:2], ['sched:sched_switch', 'sched:sched_process_exit'])

    def test_compressed(self):
        self.check('-z')

    def test_threads(self):
        self.check('--threads')

    def test_compressed_threads(self):
        self.check('--threads', '-z')
