"""Names of threads in text output and in filters."""
import json
import os
import re
import struct

import small_trace
from command import DATA, SOURCE, CommandTest, as_json, ltt

RECORDING = os.path.join(DATA, 'perf/file-tracepoints.data')
LINE = re.compile(r'(\d+\.\d{9})  \S+  sched\.\S+  pid=(\d+) tid=(\d+)(?: comm=(\S+))?  ')

NAMES = '''<facility name="n"><event name="process"><struct><field name="pid"><uint size="8"/></field><field name="name"><string/></field></struct></event>
<event name="thread_name"><struct><field name="pid"><uint size="8"/></field><field name="tid"><uint size="8"/></field><field name="name"><string/></field></struct></event>
<event name="e"/></facility>'''
MOST_NAMES = 1 << 20


def process(time, pid, name):
    return time, 'process', struct.pack('<Q', pid) + name.encode() + b'\0'


def thread(time, pid, tid, name):
    return time, 'thread_name', struct.pack('<QQ', pid, tid) + name.encode() + b'\0'


def events(*places):
    """Events n.e at times of threads: (time, pid, tid)."""
    return [event for time, pid, tid in places for event in ((time, 'thread', struct.pack('<II', pid, tid)), (time, 'e', b''))]


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


class Made(CommandTest):
    """Traces whose names are written by the test."""

    def make(self, tracefiles, **options):
        with open(os.path.join(SOURCE, 'eventdefs/tracer.xml'), encoding='utf-8') as file:
            small_trace.write(self.path('made'), [NAMES, file.read()], tracefiles, **options)
        return self.path('made')

    def names(self, *options):
        """Returns: the names of the threads of n.e, None: no name; and what is on standard error"""
        result = ltt('dump', '--event', 'n.e', *options, self.path('made'))
        return [(re.search(' comm=(\\S+)', line) or [None, None])[1] for line in result.lines], result.err

    def test_ids_that_are_out_of_range(self):
        """An id of 8 bytes that is no id names no other process or thread, and no process instead of a thread."""
        trace = self.make({'control/processes': [[process(1000, 2 ** 32 + 7, 'wrong'), thread(1000, 7, 2 ** 32 + 7, 'bad'),
                                                  thread(1000, 2 ** 32 + 7, 7, 'no'), process(1000, 8, 'right')]],
                           'cpu/0': [events((2000, 7, 7), (2001, 8, 8))]})
        self.assertEqual(self.names(), ([None, 'right'], ''))
        self.assertEqual({item['pid']: item['name'] for item in as_json(ltt('sql', '--format', 'json', trace, 'SELECT pid, name FROM processes').out)},
                         {7: None, 8: 'right'})
        self.assert_done(ltt('pack', '--redact=processes', '-o', self.path('packed.tar'), trace))
        with open(self.path('packed.tar'), 'rb') as file:
            self.assertNotIn(b'wrong', file.read())

    def test_the_last_name_by_time(self):
        """Names of several files: a process has the name of its last event, wherever the name is."""
        trace = self.make({'control/processes': [[process(1000, 7, 'old'), process(5000, 7, 'new')]],
                           'control/processes.kernel': [[process(2000, 7, 'kern')]],
                           'cpu/0': [events((1500, 7, 7), (2500, 7, 7), (6000, 7, 7))]})
        self.assertEqual(self.names()[0], ['old', 'kern', 'new'])
        for until, name in (('0.000002', 'old'), ('0.000003', 'kern'), ('0.000007', 'new')):
            stat = json.loads(ltt('stat', '--json', '--to', until, trace).out)
            self.assertEqual([item['name'] for item in stat['processes'] + stat['threads']], [name, name], until)
        self.assertEqual(ltt('sql', '--format=csv', trace, 'SELECT name FROM processes').lines[1:], ['new'])
        chrome = json.loads(ltt('export', '--to', 'chrome', '-o', '-', trace).out)
        self.assertEqual([event['args']['name'] for event in chrome['traceEvents'] if event['name'] == 'process_name' and event['pid'] == 7], ['new'])

    def test_a_name_after_the_last_event(self):
        trace = self.make({'control/processes': [[process(5000, 7, 'late')]], 'cpu/0': [events((1500, 7, 7))]})
        self.assertEqual([item['name'] for item in json.loads(ltt('stat', '--json', trace).out)['processes']], ['late'])

    def test_more_names_than_the_limit(self):
        """What is renamed above the limit has no name from then on; other threads keep theirs. The limit is reported once."""
        kept = [process(1000, 7, 'old'), process(1000, 8, 'stays'), process(1000, 10, 'server')]
        kept += [process(1001 + i, 100 + i % 30000, 'x%d' % (i % 100)) for i in range(MOST_NAMES - len(kept))]
        end = kept[-1][0] + 10
        later = [process(end, 7, 'new'), thread(end, 10, 11, 'worker'), thread(end + 1, 10, 11, 'worker'), process(end, 12, 'other')]
        trace = self.make({'control/processes': [kept[at:at + 500] for at in range(0, len(kept), 500)] + [later],
                           'cpu/0': [events(*[(time, pid, tid) for time in (end - 1, end + 2)
                                              for pid, tid in ((7, 7), (7, 9), (8, 8), (10, 10), (10, 11), (12, 12))])]}, block_size=16384)
        found, said = self.names()
        self.assertEqual(found, ['old', 'old', 'stays', 'server', 'server', None, None, None, 'stays', 'server', None, None])
        message = 'control/processes: more than %d names of processes and threads: a thread has no name after a further one' % MOST_NAMES
        self.assertEqual((said.count(message), len(said.splitlines())), (1, 1), said)
        self.assertEqual(len(ltt('dump', '--event', 'n.e', '--filter', 'comm == "old"', trace).lines), 2)
        result = ltt('sql', '--format=csv', trace, 'SELECT pid, name FROM processes ORDER BY pid')
        self.assertEqual((result.status, result.lines[1:]), (1, ['7,', '8,stays', '10,server', '12,']))
        self.assertIn(message, result.err)
        # The last names of processes, at the end of time.
        chrome = json.loads(ltt('export', '--to', 'chrome', '--event', 'n.e', '-o', '-', trace).out)
        self.assertEqual({event['pid']: event['args']['name'] for event in chrome['traceEvents'] if event['name'] == 'process_name'
                          and event['pid'] < 100}, {8: 'stays', 10: 'server'})
