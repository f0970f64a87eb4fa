"""`perf stat record` on this machine: the counts that perf prints, before and after a round trip."""
import re
import subprocess
import unittest

from perf_recordings import PerfTest, can_record

EVENTS = ['cpu-clock', 'page-faults', 'context-switches']
WORK = ['sh', '-c', 'i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done']
# A line of perf stat report: a time or the subject, the count, its unit, the event.
LINE = re.compile(r'(?:(?P<time>[\d.]+) |(?P<whose>CPU\d+|\S+-\d+))? *(?P<count>[\d,.]+) +(?:msec +)?(?P<event>%s)\b'
                  % '|'.join(EVENTS))


@unittest.skipUnless(can_record(), 'perf record is not allowed here')
class Stat(PerfTest):
    def perf(self, *arguments, stdout=subprocess.PIPE):
        return subprocess.run(['perf', *arguments], stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE,
                              cwd=self.folder, check=True).stdout

    def record(self, *options):
        recording = self.path('perf.data')
        self.perf('stat', 'record', '-o', recording, '-e', ','.join(EVENTS), *options, '--', *WORK)
        return recording

    def record_through_pipe(self, *options):
        recording = self.path('pipe')
        with open(recording, 'wb') as out:
            self.perf('stat', 'record', '-o', '-', '-e', ','.join(EVENTS), *options, '--', *WORK, stdout=out)
        return recording

    def check(self, recording):
        """Imports and exports. Returns two lists:

        the counts that perf prints, as (time, subject, event, count);
        for each round its time and counts (CPU, thread, event, count).
        """
        trace, err = self.imported(recording)
        self.assertEqual(err, '')
        exported = self.exported(trace)
        report = self.perf('stat', 'report', '-i', recording)
        self.assertEqual(self.perf('stat', 'report', '-i', exported), report)
        self.assertEqual(self.perf('script', '-i', exported), self.perf('script', '-i', recording))
        # older ones print the report to stderr
        report = report or subprocess.run(['perf', 'stat', 'report', '-i', recording], stdin=subprocess.DEVNULL, check=True,
                                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder).stderr
        printed = [(match['time'], match['whose'], match['event'], match['count'])
                   for match in map(LINE.search, report.decode().splitlines()) if match]
        names = {number: attr['name'] for attr in self.of_file(trace, 'attr') for number in attr['ids']}
        rounds, counts, times = [], [], []
        for event in self.records(trace):
            data = event['data']
            if event['event'] in ('perf.stat', 'perf.stat_round'):
                times.append(event['time'])
            if event['event'] == 'perf.stat':
                counts.append((data['cpu'], data['thread'], names[data['id']], data['val']))
            elif event['event'] == 'perf.stat_round':
                rounds.append((data['when'], data['round_type'], counts))
                self.assertEqual(set(times), {'%d.%09d' % divmod(data['when'], 1000000000)})
                counts, times = [], []
        # With intervals, perf writes final counts without a round, and does not print them.
        return printed, rounds, exported

    def same(self, printed, count, event):
        """perf prints times in milliseconds."""
        if event == 'cpu-clock':
            self.assertAlmostEqual(float(printed.replace(',', '')), count / 1e6, delta=0.0051)
        else:
            self.assertEqual(int(printed.replace(',', '')), count)

    def check_total(self, recording):
        printed, rounds, exported = self.check(recording)
        self.assertEqual([kind for _, kind, _ in rounds], ['FINAL'])
        counts = rounds[0][2]
        self.assertEqual([event for _, _, event, _ in printed], EVENTS)
        for (_, _, event, text), (cpu, thread, name, count) in zip(printed, counts):
            self.assertEqual((cpu, thread, name), (-1, 0, event))
            self.same(text, count, event)
        return exported

    def test_total(self):
        recording = self.record()
        self.assertEqual(self.read(self.check_total(recording)), self.read(recording))

    def test_total_through_pipe(self):
        self.check_total(self.record_through_pipe())

    def check_intervals(self, recording):
        """Records contain sums since the start; perf prints the difference for each interval."""
        printed, rounds, exported = self.check(recording)
        self.assertGreater(len(rounds), 1)
        before = dict.fromkeys(EVENTS, 0)
        added = {}
        for when, _, counts in rounds:
            for _, _, event, count in counts:
                added['%d.%09d' % divmod(when, 10 ** 9), event] = count - before[event]
                before[event] = count
        for time, _, event, text in printed:
            self.same(text, added.pop((time, event)), event)
        # if the program did not run, perf prints that instead
        self.assertEqual(set(added.values()) - {0}, set())
        return exported

    def test_intervals(self):
        recording = self.record('-I', '10')
        self.assertEqual(self.read(self.check_intervals(recording)), self.read(recording))

    def test_intervals_through_pipe(self):
        self.check_intervals(self.record_through_pipe('-I', '10'))

    def test_each_cpu(self):
        recording = self.record('-a', '-A')
        printed, rounds, exported = self.check(recording)
        self.assertEqual(self.read(exported), self.read(recording))
        counts = {('CPU%d' % cpu, event): count for cpu, _, event, count in rounds[-1][2]}
        self.assertEqual({(whose, event) for _, whose, event, _ in printed}, set(counts))
        for _, whose, event, text in printed:
            self.same(text, counts[whose, event], event)

    def test_each_thread(self):
        """The thread of a count is its index in the thread map."""
        with subprocess.Popen(['sh', '-c', 'while :; do :; done']) as busy:
            try:
                recording = self.record('--per-thread', '-p', str(busy.pid))
            finally:
                busy.kill()
        printed, rounds, exported = self.check(recording)
        self.assertEqual(self.read(exported), self.read(recording))
        threads, = [event['data']['threads'] for event in self.records(self.path('trace'))
                    if event['event'] == 'perf.thread_map']
        self.assertEqual([thread['pid'] for thread in threads], [busy.pid])
        counts = {('%(comm)s-%(pid)d' % threads[thread], event): count for _, thread, event, count in rounds[-1][2]}
        self.assertEqual({(whose, event) for _, whose, event, _ in printed}, set(counts))
        for _, whose, event, text in printed:
            self.same(text, counts[whose, event], event)
