"""`ltt record --kernel`: events of the kernel beside those of programs."""
import glob
import os
import random
import re
import shutil
import signal
import subprocess
import unittest

from command import LTT as SANITIZED
from kernel_case import GETPPID, INSTANCES, Kernel, instances
from recording import LTT, STRESS, call, on_one_cpu, program

IN_NAMESPACE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc']
NO_FILE = 0xfffffff0 # a descriptor that no program of the machine closes


class Recording(Kernel):
    def test_calls_are_between_the_events_of_their_thread(self):
        """The clocks of the kernel and of the program agree."""
        n_calls = 25000
        self.record('--kernel=' + GETPPID, '--kernel-buffer=64M', '--only-program', '--', program('bracket'), '-t', 4, '-n', n_calls)
        self.check()
        expected = ['demo.pair', 'syscalls.sys_enter_getppid', 'syscalls.sys_exit_getppid', 'demo.pair']
        main = self.events('--event=demo.pair')[0]['pid'] # it has no brackets
        counts = {}
        for _, _, event, _, tid in self.rows('--filter', 'tid != %s && facility != "task"' % main):
            number = counts.get(tid, 0)
            if event != expected[number % 4]:
                self.fail('thread %s, event %d: %s' % (tid, number, event))
            counts[tid] = number + 1
        self.assertEqual(list(counts.values()), 4 * [4 * n_calls])

    def test_with_sanitizers(self):
        """The recorder as it is built for tests. It is too slow for the counts of the others."""
        said = self.record('--kernel', '--only-program', '--', program('bracket'), '-t', 2, '-n', 100, ltt=SANITIZED)
        self.assertNotIn('error', said)
        self.check()
        self.record('--kernel', '--kernel-clock=mono_raw', '-o', self.path('all'), '--duration=50ms', ltt=SANITIZED)

    def test_a_converted_clock(self):
        """CLOCK_MONOTONIC_RAW, for machines whose tracer does not have the counter of the program."""
        said = self.record('--kernel-clock=mono_raw', '--kernel=' + GETPPID, '--kernel-buffer=16M', '--only-program', '--',
                           program('bracket'), '-t', 2, '-n', 10000)
        self.assertRegex(said, r'converted from CLOCK_MONOTONIC_RAW, with an error of at most \d+ ns')
        self.check()
        worker = self.events('--event=demo.pair')[0]['tid']
        expected = ['demo.pair', 'syscalls.sys_enter_getppid', 'syscalls.sys_exit_getppid', 'demo.pair']
        number = 0
        for time, _, event, *_ in self.rows('--filter', 'tid == %d && facility != "task"' % worker):
            if event != expected[number % 4]:
                self.fail('%s, event %d: %s; %s' % (time, number, event, said))
            number += 1
        self.assertEqual(number, 4 * 10000)

    def test_time_never_goes_back(self):
        self.record('--kernel', '--kernel-buffer=16M', '--', program('bracket'), '-t', 8, '-n', 2000)
        self.check()
        last = {}
        for time, tracefile, *_ in self.rows('--all'):
            self.assertGreaterEqual(time, last.get(tracefile, ''))
            last[tracefile] = time
        self.assertTrue([name for name in last if name.startswith('cpu/10')])

    def test_only_the_program(self):
        """Events of other threads are switches to the program, and wakeups of it."""
        self.record('--kernel', '--kernel-buffer=16M', '--only-program', '--', 'sh', '-c', '%s -t 2 -n 500; true' % program('bracket'))
        self.check()
        events = self.events()
        tids = {event['tid'] for event in events if event['event'].startswith('syscalls.')}
        self.assertGreaterEqual(len(tids), 4)
        for event in events:
            if event['tid'] in tids:
                continue
            self.assertIn(event['event'], ('core.schedchange', 'core.wakeup', 'sched.sched_migrate_task',
                                           'sched.sched_waking'))
            data = event['data']
            self.assertTrue({data.get('in'), data.get('out'), data.get('pid')} & tids, event)

    def test_processes_and_names(self):
        self.record('--kernel', '--kernel-buffer=16M', '--only-program', '--',
                    'sh', '-c', 'for i in 1 2 3; do %s -t 4 -n 50; done; exec sleep 0' % program('bracket'))
        self.check()
        process_of = {}
        for event in self.events('--event=demo.pair'):
            process_of[event['tid']] = event['pid']
        self.assertEqual(len(process_of), 12)
        for event in self.events():
            self.assertEqual(event['pid'], process_of.get(event['tid'], event['pid']), event)
        names = {event['data']['tid']: event['data']['name'] for event in self.events('--all', '--event=threads.name')}
        for tid in process_of:
            self.assertRegex(names[tid], 'bracket-[0-3]')
        files = [event['data']['file_name'] for event in self.events('--event=core.process_exec')]
        self.assertEqual(files.count(program('bracket')), 3)

    def test_names_have_the_times_of_their_events(self):
        """The name of a thread is known at its first event after it got the name."""
        self.record('--kernel=' + GETPPID, '--only-program', '--', program('bracket'), '-t', 4, '-n', 200)
        self.check()
        named = subprocess.run([LTT, 'dump', '--event=demo.pair', self.trace], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
        self.assertEqual(len(named), 4 * 400)
        threads = {re.search('tid=([0-9]+) comm=([^ ]+)', line).groups() for line in named}
        self.assertEqual(sorted(comm for _, comm in threads), ['bracket-%d' % number for number in range(4)])

    def test_names_of_system_calls(self):
        """raw_syscalls has numbers. The names are in the trace, and each command shows them."""
        self.record('--kernel=raw_syscalls,sched', '--only-program', '--', 'python3', '-c', 'import os, time; os.getppid(); time.sleep(0.01)')
        self.check()
        names = [event['data']['syscall_id'] for event in self.events('--event=core.syscall_entry')]
        self.assertLessEqual({'getppid', 'openat', 'mmap', 'exit_group'}, set(names))
        self.assertRegex(call(LTT, 'dump', '--event=core.syscall_entry', self.trace), 'syscall_id=getppid\\b')
        query = "SELECT count(*) FROM core_syscall_entry WHERE syscall_id = 'getppid'"
        self.assertEqual(call(LTT, 'sql', '--format=csv', self.trace, query).split()[1], str(names.count('getppid')))
        groups = call(LTT, 'latency', 'core.syscall_entry', 'core.syscall_exit', '--group', 'syscall_id', '-n', '1000', self.trace)
        self.assertRegex(groups, r'(?m)^ *getppid +%d ' % names.count('getppid'))
        waits = call(LTT, 'sql', '--format=csv', self.trace, "SELECT DISTINCT reason FROM thread_state WHERE state IN ('S', 'D')")
        self.assertRegex(waits, 'nanosleep')
        self.assertNotIn('system call', waits)

    def test_results(self):
        """Failures have names, for the calls themselves and for those of core."""
        self.record('--kernel=raw_syscalls,syscalls:sys_*_openat', '--only-program', '--', 'cat', '/nowhere', status=1)
        said = call(LTT, 'dump', self.trace)
        self.assertIn('ret=-2 (ENOENT)', said)
        self.assertIn('result=-2 (ENOENT)', said)
        self.assertIn(-2, [event['data']['ret'] for event in self.events('--event=syscalls.sys_exit_openat')])

    def test_a_recorder_does_not_record_itself(self):
        """Only switches to it and from it are recorded, and its own system calls before it excludes itself."""
        process = self.start('--kernel', '--kernel-buffer=16M', '--duration=300ms')
        self.assertIn(process.wait(60), (0, 1))
        self.check()
        own = [event for event in self.events('--filter', 'pid == %d' % process.pid)
               if event['event'] not in ('core.schedchange', 'core.wakeup', 'sched.sched_waking')]
        self.assertEqual(own, [])

    def counts(self):
        """Context switches and forks since the machine was started."""
        with open('/proc/stat', encoding='ascii') as file:
            words = dict(line.split(None, 1) for line in file)
        return [int(words[name].split()[0]) for name in ('ctxt', 'processes')]

    def test_counts_of_the_machine(self):
        """Reads of /proc/stat within the recording and around it are bounds of the numbers of events."""
        outer_begin = self.counts()
        process = self.start('--kernel=sched', '--kernel-buffer=32M')
        inner_begin = self.counts()
        for _ in range(5):
            call(program('bracket'), '-t', 4, '-n', 100)
        inner_end = self.counts()
        process.send_signal(signal.SIGINT)
        self.assertIn(process.wait(60), (0, 1))
        outer_end = self.counts()
        self.check()
        lost = self.lost()
        switches, to_idle, forks = (sum(1 for _ in self.rows(*words)) for words in (
            ['--event=core.schedchange'], ['--event=core.schedchange', '--filter', 'in == 0'], ['--event=core.process_fork']))
        # Some kernels report switches from the idle thread of CPU 0 only.
        for index, found, unreported in ((0, switches, to_idle), (1, forks, 0)):
            self.assertGreaterEqual(found + unreported + lost, inner_end[index] - inner_begin[index])
            self.assertLessEqual(found, outer_end[index] - outer_begin[index])

    def test_cpus(self):
        self.record('--kernel=' + GETPPID, '--', 'taskset', '-c', '0', program('bracket'), '-n', 100)
        pid = self.events('--event=demo.pair')[0]['pid']
        events = [event for event in self.events('--cpu=0') if event['pid'] == pid]
        self.assertEqual(len({event['tracefile'] for event in events}), 2)
        self.assertGreaterEqual(len(events), 400)
        self.assertEqual({event['tracefile'] for event in self.events('--event=demo.pair')}, {'cpu/0'})


class Options(Kernel):
    def fail_to_record(self, *words):
        said = self.record(*words, '--', 'true', status=2)
        self.assertFalse(os.path.exists(self.trace))
        return said

    def test_unknown_tracepoints(self):
        self.assertIn('nope', self.fail_to_record('--kernel=nope'))
        self.assertIn('sched:nope*', self.fail_to_record('--kernel=irq,sched:nope*'))

    def test_wrong_values(self):
        for option, word in (('--kernel-filter=nope == 1', 'nope == 1'), ('--kernel-filter=((', '(('),
                             ('--kernel-buffer=1', '--kernel-buffer'), ('--kernel-buffer=x', '--kernel-buffer'),
                             ('--kernel-clock=x', '--kernel-clock')):
            self.assertIn(word, self.fail_to_record('--kernel=sched', option))

    def test_options_of_the_kernel_require_it(self):
        for option in ('--only-program', '--kernel-filter=pid == 1', '--kernel-buffer=1M', '--kernel-clock=mono_raw', '--duration=1s'):
            self.assertIn('--kernel', self.fail_to_record(option))
        self.assertIn('--duration', self.fail_to_record('--kernel', '--duration=1s'))

    def test_flight(self):
        """The files are rings with the latest events. One CPU, so that its ring is full."""
        self.record('--kernel=' + GETPPID, '--flight=1M', '--kernel-buffer=64M', '--only-program', '--',
                    program('bracket'), '-s', '-n', 100000, preexec_fn=on_one_cpu)
        self.check()
        sizes = [os.path.getsize(path) for path in glob.glob(os.path.join(self.trace, 'cpu/10*'))]
        self.assertLessEqual(max(sizes), 2 << 20) # two halves
        self.assertLess(self.count(), 200000)
        self.assertEqual(self.events()[-1]['event'], 'syscalls.sys_exit_getppid')

    def test_filter(self):
        self.record('--kernel=syscalls:sys_enter_close', '--kernel-filter', 'fd == %d' % NO_FILE, '--', 'sh', '-c', 'exec 7</dev/null; exec 7<&-')
        self.assertEqual(self.events('--event=syscalls.*'), [])
        shutil.rmtree(self.trace)
        self.record('--kernel=syscalls:sys_enter_close', '--only-program', '--kernel-filter', 'fd == 7', '--',
                    'sh', '-c', 'exec 7</dev/null; exec 7<&-')
        self.assertEqual([event['data']['fd'] for event in self.events('--event=syscalls.*')], [7])

    def test_a_program_that_does_not_exist(self):
        self.assertIn('could not run', self.record('--kernel', '--', self.path('nothing'), status=127))
        self.assertFalse(os.path.exists(self.trace))

    def test_the_status_of_the_program(self):
        said = self.record('--kernel=' + GETPPID, '--', 'sh', '-c', 'exit 7', status=7)
        self.assertNotIn('process', said)  # of programs with the probe, there is none

    def test_an_optional_value_is_not_the_next_word(self):
        self.record('--kernel', 'sh', '-c', 'exit 7', status=7)


class Ends(Kernel):
    def test_duration(self):
        said = self.record('--kernel=sched', '--duration=200ms')
        self.assertIn('kernel events', said)
        self.check()

    def test_interrupt(self):
        process = self.start('--kernel=' + GETPPID)
        call(program('bracket'), '-n', 10, '-s')
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(60), 0)
        self.assertEqual(instances(process), [])
        self.check()
        calls = [event for event in self.events() if event['event'] == 'syscalls.sys_enter_getppid']
        self.assertGreaterEqual(len(calls), 10)

    def test_a_killed_recorder(self):
        """The trace is valid, and the next start removes the instance. LTT_STRESS=25 kills a hundred recorders."""
        dice = random.Random('kill')
        for _ in range(4 * STRESS):
            process = self.start('--kernel', '--kernel-buffer=1M')
            for _ in range(dice.randrange(1, 6)):
                call(program('bracket'), '-n', dice.randrange(1, 2000), '-s')
            process.kill()
            process.wait()
            self.check(open_blocks=None)
            shutil.rmtree(self.trace)
            self.assertEqual(len(instances(process)), 1)
            self.record('--kernel=' + GETPPID, '--', 'true')
            self.assertEqual(instances(process), [])
            shutil.rmtree(self.trace)

    @unittest.skipUnless(subprocess.run(IN_NAMESPACE + ['true'], stderr=subprocess.DEVNULL, check=False).returncode == 0,
                         'PID namespaces are not permitted here')
    def test_a_recorder_of_another_pid_namespace(self):
        """Its pid says nothing here. The next recorder does not take its instance for a stale one."""
        other = self.path('other')
        process = subprocess.Popen(IN_NAMESPACE + [LTT, 'record', '-o', other, '--kernel=' + GETPPID, '--', 'cat'], stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.addCleanup(self.close, process)
        paths = []
        while not any(self.reads(path, 'tracing_on') == '1' for path in paths):
            self.assertIsNone(process.poll())
            paths = glob.glob(os.path.join(INSTANCES, 'ltt-1-*'))
        self.record('--kernel=' + GETPPID, '--', 'true')
        self.assertEqual([self.reads(path, 'tracing_on') for path in paths], ['1'])
        said = process.communicate(timeout=120)[1].decode()
        self.assertEqual(process.returncode, 0, said)
        self.check(other)


class Losses(Kernel):
    def test_losses_are_exact(self):
        """Written and lost events are those that the kernel made."""
        n_calls = 400000
        options = ['--kernel=' + GETPPID, '--kernel-buffer=64K', '--only-program', '--', program('bracket'), '-s']
        self.record(*options, '-t', 4, '-n', 0)
        n_others = self.count() # those of the probe, and of creating threads
        shutil.rmtree(self.trace)
        said = self.record(*options, '-t', 4, '-n', n_calls)
        self.check()
        lost = self.lost()
        self.assertEqual(self.count() + lost, n_others + 4 * 2 * n_calls)
        if lost > 0:
            self.assertIn('%d kernel events were lost' % lost, said)

    def made(self, process):
        """The number of events that the kernel made, by tracefile of the CPU."""
        totals = {}
        path, = instances(process)
        for folder in glob.glob(os.path.join(path, 'per_cpu/cpu*')):
            statistics = dict(line.split(': ') for line in self.reads(folder, 'stats').splitlines())
            totals[int(os.path.basename(folder)[3:])] = sum(int(statistics[name]) for name in (
                'entries', 'overrun', 'commit overrun', 'dropped events', 'read events'))
        return totals

    def test_losses_are_those_of_the_kernel(self):
        """A recorder that is stopped for a time. The program is quiet while the kernel's statistics are read."""
        script = '%s -s -t 3 -n 30000; echo; read line' % program('bracket')
        process = self.start('--kernel=' + GETPPID, '--kernel-buffer=64K', '--only-program', '--', 'sh', '-c',
                             'read line; %s; %s' % (script, script), stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(process.stdin.close)
        self.addCleanup(process.stdout.close)
        for stops in (False, True):
            if stops:
                process.send_signal(signal.SIGSTOP)
            process.stdin.write(b'\n')
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), b'\n')
        made = self.made(process)
        process.send_signal(signal.SIGCONT)
        process.communicate(b'\n')
        self.assertEqual(process.returncode, 0)
        self.check()
        found = dict.fromkeys(made, 0)
        base = self.kernel_base()
        for _, tracefile, *_ in self.rows():
            if int(tracefile[len('cpu/'):]) >= base:
                found[int(tracefile[len('cpu/'):]) - base] += 1
        lost = {}
        for event in self.events('--all', '--event=tracer.events_lost'):
            lost[int(event['tracefile'][len('cpu/'):]) - base] = event['data']['total']
        self.assertEqual({cpu: found[cpu] + lost.get(cpu, 0) for cpu in made}, made)
        self.assertGreater(sum(lost.values()), 100000)

    def test_fewer_files_than_cpus(self):
        """The recorder says so and leaves nothing, whatever it could open before. It records if all files are open."""
        for limit in range(3, 64):
            self.trace = self.path('limit-%d' % limit)
            words = ['prlimit', '--nofile=%d' % limit, LTT, 'record', '--kernel=sched', '-o', self.trace, '--', 'true']
            process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            said = process.communicate(timeout=120)[0]
            self.assertEqual(instances(process), [], said)
            if process.returncode == 0:
                break
            self.assertIn(process.returncode, (2, 126, 127), said) # 126: of the program; 127: of the dynamic linker
            self.assertRegex(said, 'Too many open files|cannot open shared object|Error 24')
        self.assertEqual(process.returncode, 0, said)
        self.assertGreater(limit, os.cpu_count())
        self.check()

    def test_a_full_disk(self):
        """The trace is valid. Written and lost events are those that the kernel made."""
        small = self.path('small')
        os.mkdir(small)
        # Smaller than what the buffers of the kernel keep, whatever it loses.
        call('mount', '-t', 'tmpfs', '-o', 'size=3m', 'none', small)
        self.addCleanup(call, 'umount', small)
        options = ['--kernel=' + GETPPID, '--kernel-buffer=4M', '--only-program', '--', program('bracket'), '-s', '-t', 4]
        self.record(*options, '-n', 0)
        n_others = self.count() # those of the probe, and of creating threads
        self.trace = os.path.join(small, 'trace')
        said = self.record(*options, '-n', 200000)
        self.assertIn('No space left on device', said)
        self.check()
        self.assertGreater(self.lost(), 100000)
        self.assertEqual(self.count() + self.lost(), 4 * 2 * 200000 + n_others)


class Forms(Kernel):
    def setUp(self):
        super().setUp()
        self.record('--kernel', '--only-program', '--', program('bracket'), '-t', 2, '-n', 100)
        self.n_events = len(self.events())

    def test_exports(self):
        for form in ('json', 'chrome', 'ctf', 'csv'):
            with self.subTest(form=form):
                call(LTT, 'export', '--to', form, '-o', self.path(form), self.trace)
        call(LTT, 'export', '--to', 'arrow', '--event', 'core.schedchange', '-o', self.path('arrow'), self.trace)

    def test_copies(self):
        packed = self.path('packed.tar.gz')
        call(LTT, 'pack', '-o', packed, self.trace)
        call(LTT, 'merge', '-o', self.path('merged'), self.trace)
        call(LTT, 'cut', '--from=-1000', '-o', self.path('cut'), self.trace)
        for path in (packed, self.path('merged'), self.path('cut')):
            with self.subTest(path=path):
                self.check(path)
                self.assertEqual(len(self.events(trace=path)), self.n_events)


if __name__ == '__main__':
    unittest.main()
