"""Names of threads in text output and in filters."""
import os
import re

from command import DATA, CommandTest, ltt

RECORDING = os.path.join(DATA, 'perf/file-tracepoints.data')
LINE = re.compile(r'(\d+\.\d{9})  \S+  sched\.\S+  pid=(\d+) tid=(\d+)(?: comm=(\S+))?  ')


class Names(CommandTest):
    def setUp(self):
        super().setUp()
        self.assert_done(ltt('import', RECORDING, '-o', self.path('trace')))

    def names_of_perf(self):
        """(time, tid) -> the thread name that perf script prints for tracepoints."""
        with open(RECORDING + '.script.txt', encoding='utf-8') as file:
            matches = [re.match(r' *(\S+) +\d+/(\d+) +\[\d+\] +(\d+\.\d+): sched:', line) for line in file]
        return {(match.group(3), match.group(2)): match.group(1) for match in matches if match}

    def test_a_name_is_the_one_at_the_time(self):
        names = {}
        for line in ltt('dump', '--event', 'sched.*', self.path('trace')).lines:
            match = LINE.match(line)
            self.assertTrue(match, line)
            names[match.group(1), match.group(3)] = match.group(4)
        self.assertEqual(names, self.names_of_perf())
        self.assertGreater(len(set(names.values())), 4)
        # One process changes its name.
        self.assertEqual(set(re.findall(r' tid=168 comm=([\w-]+)  ', ltt('dump', self.path('trace')).out)), {'perf-exec', 'sleep'})

    def test_filter(self):
        expected = self.names_of_perf()
        for expression, wanted in (('comm == "sleep"', lambda name: name == 'sleep'), ('comm =~ "perf*"', lambda name: name.startswith('perf')),
                                   ('comm != "sleep"', lambda name: name != 'sleep'), ('comm < "q"', lambda name: name < 'q'),
                                   ('comm == data.prev_comm', None)):
            lines = ltt('dump', '--event', 'sched.*', '--filter', expression, self.path('trace')).lines
            matches = [LINE.match(line) for line in lines]
            if wanted is not None:
                self.assertEqual({(match.group(1), match.group(3)) for match in matches},
                                 {key for key, name in expected.items() if wanted(name)}, expression)
            else:
                self.assertTrue(lines and all('prev_comm=%s ' % match.group(4) in line for line, match in zip(lines, matches)))
        result = ltt('dump', '--filter', 'comm == 3', self.path('trace'))
        self.assertEqual(result.status, 2)
        self.assertIn('"3" is a number: expected a string, as "comm" is one', result.err)

    def test_other_formats_have_no_names(self):
        out = ltt('dump', '--format=json', '--event', 'sched.sched_switch', self.path('trace')).lines
        self.assertIn('"pid":167,"tid":167,"data":', out[0])

    def test_a_trace_without_processes(self):
        for line in ltt('dump', os.path.join(DATA, 'ltt/one-cpu')).lines:
            self.assertNotIn('comm=', line)
