"""`ltt record -o DIR` without a program: compared with /proc."""

import json
import os
import re
import resource
import signal
import subprocess
import tempfile
import unittest

LTT = os.path.join(os.environ['LTT_BUILD'], 'bin', 'ltt')
READER = os.path.join(os.environ['LTT_SOURCE'], 'doc', 'read_trace.py')


def run(*command, **options):
    done = subprocess.run(command, check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          **options)
    return done.returncode, done.stdout.decode('utf-8', 'replace'), done.stderr.decode()


def interrupt_labels():
    """The labels of /proc/interrupts."""
    with open('/proc/interrupts', encoding='utf-8', errors='replace') as file:
        return [line.split(':')[0].strip() for line in file if ':' in line]


def process_ids():
    return {int(name) for name in os.listdir('/proc') if name.isdigit()}


class Record(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.trace = os.path.join(self.folder, 'now')

    def record(self):
        status, out, err = run(LTT, 'record', '-o', self.trace)
        self.assertEqual((status, out), (0, ''), err)
        return err

    def events(self, name):
        status, out, err = run(LTT, 'dump', '--format=json', '--event=' + name, self.trace)
        self.assertEqual((status, err), (0, ''))
        return [json.loads(line)['data'] for line in out.splitlines()]

    @unittest.skipUnless(os.path.exists('/proc/interrupts'), 'this kernel lists no interrupts')
    def test_every_interrupt(self):
        labels = interrupt_labels()
        self.record()
        events = self.events('interrupts.interrupt')
        numbered = [label for label in labels if label.isdigit()]
        named = [label for label in labels if not label.isdigit()]
        self.assertEqual([event['number'] for event in events],
                         [int(label) for label in numbered] +
                         [2**31 + i for i in range(len(named))])
        self.assertEqual([event['name'].split(':')[0] for event in events[len(numbered):]], named)
        for event in events[:len(numbered)]:
            self.assertNotEqual(event['controller'], '')

    def test_every_process(self):
        before = process_ids()
        err = self.record()
        after = process_ids()
        events = self.events('processes.process')
        found = [event['pid'] for event in events]
        self.assertEqual(found, sorted(set(found)))
        self.assertLessEqual(before & after, set(found))
        self.assertRegex(err, r'^ltt record: %s: %d processes, \d+ interrupts?\n$'
                         % (re.escape(self.trace), len(found)))

    def test_a_process_as_it_is(self):
        sleeper = subprocess.Popen(['sleep', '1000'])
        self.addCleanup(sleeper.wait)
        self.addCleanup(sleeper.kill)
        sleeper.send_signal(signal.SIGSTOP)
        os.waitpid(sleeper.pid, os.WUNTRACED)
        self.record()
        found = [event for event in self.events('processes.process')
                 if event['pid'] == sleeper.pid]
        uid, gid = os.getuid(), os.getgid()
        self.assertEqual(found, [{
            'name': 'sleep', 'pid': sleeper.pid, 'ppid': os.getpid(), 'tracer_pid': 0,
            'uid': uid, 'euid': uid, 'suid': uid, 'fsuid': uid,
            'gid': gid, 'egid': gid, 'sgid': gid, 'fsgid': gid, 'state': 'Traced'}])

    def test_the_system(self):
        self.record()
        status, out, err = run(LTT, 'info', '--json', self.trace)
        self.assertEqual((status, err), (0, ''))
        system = json.loads(out)['system']
        uname = os.uname()
        self.assertEqual([system[key] for key in ('node_name', 'kernel_name', 'kernel_release',
                                                  'kernel_version', 'machine')],
                         [uname.nodename, uname.sysname, uname.release, uname.version,
                          uname.machine])
        self.assertEqual(system['cpu'], str(os.sysconf('SC_NPROCESSORS_CONF')))
        self.assertEqual(system['cycle_frequency'], '1000000000')

    def test_the_trace_is_good(self):
        self.record()
        status, out, err = run(LTT, 'check', self.trace)
        self.assertEqual((status, err), (0, ''), out)
        status, ours, err = run(LTT, 'dump', '--all', '--format=json', self.trace)
        self.assertEqual((status, err), (0, ''))
        status, theirs, err = run('python3', READER, self.trace)
        self.assertEqual((status, err), (0, ''))
        self.assertEqual(ours.splitlines(), theirs.splitlines())

    def fails(self, message, *arguments, **options):
        status, out, err = run(LTT, 'record', *arguments, cwd=self.folder, **options)
        self.assertEqual((status, out, err), (2, '', 'ltt record: %s\n' % message))

    def test_nothing_is_written_over(self):
        os.mkdir(self.trace)
        self.fails('now: already exists; expected the name of a new directory', '-o', 'now')
        self.assertEqual(os.listdir(self.trace), [])
        self.fails('no/such: could not make the directory: No such file or directory',
                   '-o', 'no/such')

    def test_usage(self):
        self.fails('-o DIR is missing; see `ltt record --help`')
        self.fails('-o DIR is missing; see `ltt record --help`', '-o', '')

    def test_a_disk_that_takes_no_more(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))

        self.fails('now/control/facilities: could not write: File too large', '-o', 'now',
                   preexec_fn=limit)
        self.assertEqual(os.listdir(self.folder), [])
