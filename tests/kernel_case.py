"""kernel_case.py - recordings of events of the kernel."""
import csv
import glob
import json
import os
import signal
import subprocess
import unittest
from xml.etree import ElementTree

from recording import LTT, Case, call

TRACEFS = '/sys/kernel/tracing'
INSTANCES = os.path.join(TRACEFS, 'instances')

if not os.path.isdir(INSTANCES):
    MISSING = 'needs tracefs, mounted on ' + TRACEFS
elif not os.access(INSTANCES, os.R_OK | os.W_OK | os.X_OK):
    MISSING = 'needs the right to use tracefs'
elif 'x86-tsc' not in open(os.path.join(TRACEFS, 'trace_clock'), encoding='ascii').read():
    MISSING = 'needs the clock x86-tsc of tracefs'
elif not os.path.isdir(os.path.join(TRACEFS, 'events/syscalls')):
    MISSING = 'needs the tracepoints of system calls'
else:
    MISSING = ''

GETPPID = 'syscalls:sys_enter_getppid,syscalls:sys_exit_getppid'


def instances(process):
    return glob.glob(os.path.join(INSTANCES, 'ltt-%d-*' % process.pid))


@unittest.skipIf(MISSING, MISSING)
class Kernel(Case):
    def record(self, *words, status=0, ltt=LTT, **options):
        """Runs `ltt record` to its end; returns what it prints."""
        process = subprocess.Popen([ltt, 'record', '-o', self.trace, *map(str, words)], stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
        said = process.communicate(timeout=120)[0]
        self.assertEqual(process.returncode, status, said)
        self.assertEqual(instances(process), [])
        return said

    def start(self, *words, **options):
        """Starts `ltt record`, and waits until the kernel traces."""
        options = {'stdin': subprocess.DEVNULL, 'stdout': subprocess.DEVNULL, **options}
        # A session of its own, so that a program whose recorder is killed by a failed test ends, too.
        process = subprocess.Popen([LTT, 'record', '-o', self.trace, *words], stderr=subprocess.PIPE, start_new_session=True, **options)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(self.kill_session, process)
        self.wait_for(process)
        return process

    @staticmethod
    def kill_session(process):
        try:
            os.killpg(process.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass # all of them have ended

    def wait_for(self, process):
        while process.poll() is None:
            for path in instances(process):
                if self.reads(path, 'events/enable') != '0' and self.reads(path, 'tracing_on') == '1':
                    return
        self.fail(process.stderr.read().decode())

    @staticmethod
    def reads(instance, name):
        try:
            with open(os.path.join(instance, name), encoding='ascii') as file:
                return file.read().strip()
        except OSError: # the instance is not complete yet
            return '0'

    def kernel_base(self):
        """The number of the tracefile kernel/0."""
        system = ElementTree.parse(os.path.join(self.trace, 'info/system.xml')).getroot()
        return int(system.get('cpu')) - int(system.get('kernel'))

    def count(self):
        return sum(1 for _ in self.rows())

    def rows(self, *options, trace=None):
        """The rows of `ltt dump` as CSV: time, tracefile, event, pid, tid."""
        process = subprocess.Popen([LTT, 'dump', '--format=csv', *options, trace or self.trace], stdout=subprocess.PIPE, text=True)
        with process:
            rows = csv.reader(process.stdout)
            next(rows)
            yield from (row[:5] for row in rows)
        self.assertEqual(process.returncode, 0)

    def stat(self, *options):
        return json.loads(call(LTT, 'stat', '--json', *options, self.trace))
