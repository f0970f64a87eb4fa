"""`ltt record --kernel` without tracefs: events from perf_event_open(2)."""
import os
import re
import shutil
import signal
import subprocess
import unittest

from recording import LTT, Case, call, program

NOBODY = 65534


def paranoid():
    try:
        with open('/proc/sys/kernel/perf_event_paranoid', encoding='ascii') as file:
            return int(file.read())
    except FileNotFoundError:
        return 99


if paranoid() > 2:
    MISSING = 'needs kernel.perf_event_paranoid of at most 2'
elif os.getuid() != 0 or not shutil.which('setpriv'):
    MISSING = 'needs root and setpriv, to run as another user'
else:
    MISSING = ''

AS_NOBODY = ['setpriv', '--reuid=%d' % NOBODY, '--regid=%d' % NOBODY, '--clear-groups', '--bounding-set=-all']
WITHOUT_TRACEFS = ['unshare', '-m', 'sh', '-c', 'umount -l /sys/kernel/debug 2>&-; umount -l /sys/kernel/tracing 2>&-; exec "$@"', 'sh']


def can_hide():
    return subprocess.call(WITHOUT_TRACEFS + ['test', '!', '-d', '/sys/kernel/tracing/instances'],
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


@unittest.skipIf(MISSING, MISSING)
class User(Case):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o777)

    def record(self, *words, status=0, prefix=None):
        return call(*(prefix or AS_NOBODY), LTT, 'record', '-o', self.trace, *words, status=status)

    def test_switches_and_processes(self):
        said = self.record('--kernel', '--', 'sh', '-c', '%s -t 2 -n 10; sleep 0.01; exit 0' % program('bracket'))
        self.assertIn('may not use tracefs', said)
        self.assertIn('Recording only switches, processes and page faults', said)
        self.assertRegex(said, r'CLOCK_MONOTONIC_RAW, with an error of at most \d+ ns')
        self.check()
        events = self.events('--event=core.*')
        names = [event['data']['file_name'] for event in events if event['event'] == 'core.process_exec']
        self.assertEqual(names, ['sh', 'bracket', 'sleep'])
        self.assertEqual(len([event for event in events if event['event'] == 'core.process_fork']), 4)
        # Each thread ends once, and gets and leaves its CPUs in turn.
        running = {}
        for event in events:
            if event['event'] != 'core.schedchange':
                continue
            out, state = event['data']['out'], event['data']['out_state']
            tid = event['tid']
            self.assertIn(tid, (out, event['data']['in']))
            if out == tid:
                self.assertNotEqual(running.get(tid), 'ended', event)
                running[tid] = 'ended' if state == 'Zombie' else 'waits'
            else:
                running[tid] = 'runs'
        self.assertEqual(list(running.values()), 5 * ['ended'])

    def test_page_faults_are_between_the_events_of_their_thread(self):
        """The converted clock agrees with the counter of the program."""
        n_faults = 5000
        self.record('--kernel=faults', '--', program('bracket'), '-f', '-n', n_faults)
        self.check()
        worker = self.events('--event=demo.pair')[0]['tid']
        order = [event['event'] for event in self.events('--filter', 'tid == %d' % worker)]
        first = order.index('demo.pair')
        order = [name for name in order[first:first + 3 * n_faults]]
        self.assertEqual(self.lost(), 0)
        self.assertEqual(order, n_faults * ['demo.pair', 'exceptions.page_fault_user', 'demo.pair'])

    def test_losses_at_the_end_are_counted(self):
        """The recorder is stopped until the program has ended, so no later record of the kernel reports the losses."""
        n_faults = 60000
        words = ['--kernel=faults', '--', 'sh', '-c', 'read line; exec %s -f -n %d' % (program('bracket'), n_faults)]
        with subprocess.Popen([*AS_NOBODY, LTT, 'record', '-o', self.trace, *words], stdin=subprocess.PIPE,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
            self.addCleanup(process.kill)
            child = None
            while child is None or not self.runs(child, 'sh'):
                self.assertIsNone(process.poll())
                child = self.child(process)
            process.send_signal(signal.SIGSTOP)
            os.waitid(os.P_PID, process.pid, os.WSTOPPED)
            process.stdin.write('\n')
            process.stdin.flush()
            while self.field(child, 'stat').rpartition(') ')[2][:1] != 'Z':
                self.assertIsNone(process.poll())
            process.send_signal(signal.SIGCONT)
            said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, 0, said)
        self.check()
        lost = int(re.search('([0-9]+) kernel events were lost', said)[1])
        self.assertGreater(lost, 10000)
        self.assertGreaterEqual(len(self.events('--event=exceptions.*')) + lost, n_faults)

    @staticmethod
    def field(pid, name):
        try:
            with open('/proc/%s/%s' % (pid, name), encoding='ascii') as file:
                return file.read()
        except OSError: # it is not there yet
            return ''

    def child(self, process):
        children = self.field(process.pid, 'task/%d/children' % process.pid).split()
        return children[0] if children else None

    def runs(self, pid, name):
        return self.field(pid, 'comm').strip() == name

    def test_neither_is_allowed(self):
        said = self.record('--kernel', '--duration=1s', status=2)
        for word in ('run `ltt record` as root', 'kernel.perf_event_paranoid is', 'CAP_PERFMON', 'CAP_SYS_ADMIN'):
            self.assertIn(word, said)
        self.assertFalse(os.path.exists(self.trace))

    def test_what_perf_does_not_have(self):
        self.assertIn('only the sets sched and faults', self.record('--kernel=irq', '--', 'true', status=2))
        self.assertIn('filters require tracefs', self.record('--kernel', '--kernel-filter=pid == 1', '--', 'true', status=2))

    def test_snapshots(self):
        copy = self.path('copy')
        self.record('--kernel', '--', program('storm'), '-n', 100, '-c', copy)
        self.check(copy, open_blocks=None)
        whole = self.events('--event=core.schedchange')
        copied = self.events('--event=core.schedchange', trace=copy)
        self.assertTrue(copied)
        self.assertEqual([event['data'] for event in copied], [event['data'] for event in whole[:len(copied)]])

    @unittest.skipUnless(can_hide(), 'needs the right to hide tracefs')
    def test_the_whole_machine(self):
        """With rights, but without tracefs. A CPU goes from one thread to the next."""
        said = self.record('--kernel', '--', program('bracket'), '-t', 4, '-n', 2000, prefix=WITHOUT_TRACEFS)
        self.assertIn('tracefs is not mounted', said)
        self.check()
        last, states, n_switches, n_missed = {}, {}, 0, 0
        for event in self.events('--event=core.schedchange'):
            name = event['tracefile']
            n_missed += event['data']['out'] != last.get(name, event['data']['out'])
            last[name] = event['data']['in']
            n_switches += 1
            states.setdefault(event['data']['out'], []).append(event['data']['out_state'])
        self.assertGreater(n_switches, 4)
        self.assertLessEqual(n_missed, n_switches // 50) # a kernel under load misses a few
        tids = {event['tid'] for event in self.events('--event=demo.pair')}
        self.assertIn('Zombie', [states[tid][-1] for tid in tids])


if __name__ == '__main__':
    unittest.main()
