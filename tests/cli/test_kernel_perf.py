"""`ltt record --kernel` without tracefs: events from perf_event_open(2)."""
import json
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


READ_ONLY = ['unshare', '-m', 'sh', '-c', 'umount -l /sys/kernel/debug 2>&-; mount --bind /sys/kernel/tracing /sys/kernel/tracing && '
             'mount -o remount,bind,ro /sys/kernel/tracing && exec "$@"', 'sh']


def can_write_protect():
    return subprocess.call(READ_ONLY + ['sh', '-c', 'test -r /sys/kernel/tracing/available_events && ! mkdir '
                                        '/sys/kernel/tracing/instances/ltt-test'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) == 0


@unittest.skipIf(MISSING or not can_write_protect(), MISSING or 'tracefs cannot be mounted read-only')
class Tracepoints(Case):
    """Tracepoints from perf_event_open(2), where the formats in tracefs can be read and nothing can be written."""

    def record(self, *words, prefix=()):
        os.chmod(self.folder, 0o777)
        return call(*READ_ONLY, *prefix, LTT, 'record', '-o', self.trace, *words)

    @staticmethod
    def with_capabilities(*names):
        words = ','.join('+' + name for name in names)
        return ['setpriv', '--reuid=%d' % NOBODY, '--regid=%d' % NOBODY, '--clear-groups', '--inh-caps=' + words,
                '--ambient-caps=' + words]

    def assert_brackets(self, n_calls):
        """Each system call, with its begin and end, is between two events of its thread. Calls of the probe do not count."""
        self.check()
        self.assertEqual(self.lost(), 0)
        threads, of_probe = {}, set()
        for event in self.events('--event=demo.pair,core.syscall_*'):
            what, tid = (event['event'], event['data'].get('syscall_id')), event['tid']
            if what == ('core.syscall_entry', 'rt_sigprocmask'):
                of_probe.add(tid)
            elif what[0] != 'core.syscall_exit' or tid not in of_probe:
                threads.setdefault(tid, []).append(what)
            else:
                of_probe.remove(tid)
        threads = [names for names in threads.values() if ('demo.pair', None) in names]
        self.assertEqual(len(threads), 2)
        for names in threads:
            first = names.index(('demo.pair', None))
            step = [('demo.pair', None), ('core.syscall_entry', 'getppid'), ('core.syscall_exit', None), ('demo.pair', None)]
            self.assertEqual(names[first:first + 4 * n_calls], n_calls * step)

    def test_system_calls_are_between_the_events_of_their_thread(self):
        said = self.record('--kernel=syscalls,sched', '--kernel-buffer=8M', '--only-program', '--', program('bracket'), '-t', 2, '-n', 2000)
        self.assertRegex(said, r'mounted read-only. Recording switches, processes, page faults and (\d+) of \1 tracepoints with perf_event_open')
        self.assertRegex(said, r'CLOCK_MONOTONIC_RAW, with an error of at most \d+ ns')
        self.assert_brackets(2000)
        # The recorder sees its program only.
        self.assertEqual({event['pid'] for event in self.events('--event=core.syscall_*')},
                         {event['pid'] for event in self.events('--event=demo.pair')})

    def test_with_a_capability(self):
        said = self.record('--kernel=syscalls', '--only-program', '--', program('bracket'), '-t', 2, '-n', 100,
                           prefix=self.with_capabilities('perfmon', 'dac_read_search'))
        self.assertIn('2 of 2 tracepoints', said)
        self.assert_brackets(100)

    @unittest.skipIf(paranoid() < 2, 'kernel.perf_event_paranoid allows tracepoints')
    def test_without_the_capability(self):
        said = self.record('--kernel=sched,syscalls', '--', program('bracket'), prefix=self.with_capabilities('dac_read_search'))
        self.assertRegex(said, r'0 of \d+ tracepoints with perf_event_open; the others require CAP_PERFMON or kernel.perf_event_paranoid of -1')
        self.check()
        names = {event['event'] for event in self.events('--event=core.*')}
        self.assertIn('core.schedchange', names)
        self.assertNotIn('core.syscall_entry', names)

    def test_the_whole_machine(self):
        """Without the system calls of the recorder itself."""
        with subprocess.Popen([*READ_ONLY, LTT, 'record', '--kernel=raw_syscalls,irq', '-o', self.trace, '--', 'sleep', '0.1'],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            self.assertIn(process.wait(timeout=60), (0, 1))
        self.check()
        events = self.events('--event=core.syscall_entry')
        self.assertTrue(events)
        self.assertNotIn(process.pid, {event['pid'] for event in events})

    def test_losses_are_counted(self):
        n_calls = 200000
        said = self.record('--kernel=raw_syscalls', '--kernel-buffer=64K', '--only-program', '--', program('bracket'), '-s', '-n', n_calls)
        self.check()
        found = re.search('([0-9]+) kernel events were lost', said)
        lost = int(found[1]) if found else 0
        counted = json.loads(call(LTT, 'stat', '--json', self.trace))
        self.assertEqual(counted['lost'], lost)
        total = counted['by_event']['core.syscall_entry'] + counted['by_event']['core.syscall_exit'] + lost
        self.assertGreaterEqual(total, 2 * n_calls)
        self.assertLess(total, 2 * n_calls + 2000) # those of the start and the end of a program

    def test_unknown_tracepoints(self):
        said = call(*READ_ONLY, LTT, 'record', '-o', self.trace, '--kernel=nothing:such', '--', 'true', status=2)
        self.assertIn('kernel events "nothing:such": this kernel has no such tracepoint', said)


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
