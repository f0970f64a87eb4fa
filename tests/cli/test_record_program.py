"""`ltt record -- PROGRAM` and `ltt snapshot`, with real programs."""
import glob
import itertools
import json
import os
import re
import resource
import signal
import subprocess
import sys
import unittest
import unittest.mock

from recording import BUILD, Case, call, on_one_cpu, program

LTT = os.path.join(BUILD, 'bin/ltt')


class Record(Case):
    def start(self, *words, **options):
        """Starts `ltt record` with pipes; the program writes to standard output."""
        process = subprocess.Popen([LTT, 'record', '-o', self.trace] + [str(word) for word in words],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   cwd=self.folder, **options)
        self.addCleanup(self.close, process)
        return process

    def record(self, *words, status=0, **options):
        """Returns the messages on stderr; the program prints nothing on stdout."""
        process = self.start(*words, **options)
        out, err = process.communicate(timeout=120)
        self.assertEqual((process.returncode, out), (status, b''), err)
        return err.decode()

    def names(self):
        return sorted(os.listdir(self.folder))

    def starts_and_exits(self):
        events = self.events('--all', '--event=tracer.process_*')
        return ([event['data']['pid'] for event in events if event['event'] == 'tracer.process_start'],
                {event['data']['pid']: event['data']['status'] for event in events
                 if event['event'] == 'tracer.process_exit'})


class Programs(Record):
    def test_every_event_is_there(self):
        err = self.record('--', program('storm'), '-p', 2, '-t', 3, '-n', 2000)
        self.assertRegex(err, r'^ltt record: \S+: 13716 events, 3\d\d(\.\d)? KiB, 2 processes, \d+\.\d{3} s\n$')
        self.check()
        threads = self.pairs()
        self.assertEqual([len(numbers) for numbers in threads.values()], [2000] * 6)
        for who, numbers in threads.items():
            self.assert_whole(numbers, who)
        started, ended = self.starts_and_exits()
        self.assertEqual(len(started), 2)
        self.assertEqual(ended, dict.fromkeys(started, 0))
        self.assertFalse(os.path.exists(os.path.join(self.trace, 'info/session')))

    def test_the_machine_is_in_it(self):
        self.record('--', program('storm'))
        pids = {event['data']['pid'] for event in self.events('--event=processes.process')}
        self.assertIn(os.getpid(), pids)
        if os.path.exists('/proc/interrupts'):
            self.assertTrue(self.events('--event=interrupts.interrupt'))

    def test_a_dump_begins_with_the_program(self):
        """Events that describe the processes and interrupts of the machine are hidden."""
        self.record('--', program('storm'))
        self.assertEqual({event['event'] for event in self.events()}, {'demo.pair', 'demo.open'})
        stat = json.loads(call(LTT, 'stat', '--json', self.trace))
        self.assertEqual(set(stat['by_event']), {'demo.pair', 'demo.open'})
        self.assertIn('processes.process', {event['event'] for event in self.events('--all')})
        self.assertEqual(self.events('--filter=name =~ "*"'), [])
        part, copy = self.path('part'), self.path('copy')
        call(LTT, 'cut', '-o', part, '--event=processes.process', self.trace)
        self.assertEqual(self.events('--all', '--event=processes.process', trace=part),
                         self.events('--event=processes.process'))
        call(LTT, 'merge', '-o', copy, self.trace)
        self.assertEqual({event['event'] for event in self.events(trace=copy)}, {'demo.pair', 'demo.open'})

    def test_a_name_of_its_own(self):
        """Without -o the name of the trace contains program and time; no file is overwritten."""
        words = [[LTT, 'record', '--', program('storm'), '-n', '10']] * 3
        started = [subprocess.Popen(each, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.folder, text=True)
                   for each in words]
        said = [process.communicate(timeout=120)[1] for process in started]
        self.assertEqual([process.returncode for process in started], [0] * 3, said)
        names = [re.match(r'ltt record: recording into (storm-\d{8}-\d{6}(-\d)?)\n', err).group(1) for err in said]
        self.assertEqual(sorted(names), self.names())
        for name, err in zip(names, said):
            self.assertRegex(err, r'ltt record: %s: \d+ events' % name)
            self.check(self.path(name))
        self.assertIn('-o DIR is missing', call(LTT, 'record', status=2, cwd=self.folder))
        self.assertIn('could not run', call(LTT, 'record', '--', './nothing', status=127, cwd=self.folder))
        self.assertEqual(sorted(names), self.names())

    def test_without_the_machine(self):
        self.record('--no-machine', '--', program('storm'))
        self.check()
        self.assertFalse({'processes.process', 'interrupts.interrupt'} &
                         {event['event'] for event in self.events('--all')})
        self.assertEqual(len(self.starts_and_exits()[0]), 1)
        self.assertIn('ltt record: --no-machine requires a program', self.fails_to_record('--no-machine'))

    def fails_to_record(self, *options):
        return call(LTT, 'record', '-o', self.path('none'), *options, status=2)

    def test_the_span_is_that_of_the_trace(self):
        """`ltt info` and `ltt stat` print the same start, and --from +S is relative to it."""
        self.record('--', program('storm'))
        lines = [call(LTT, command, self.trace).splitlines() for command in ('info', 'stat')]
        self.assertEqual(*[[line.split()[1] for line in text if re.match('(start|end) ', line)] for text in lines])

    def test_through_shell_python_and_fork(self):
        storm = program('storm')
        self.record('--', sys.executable, '-c',
                    'import os, subprocess, sys\nsubprocess.run(["sh", "-c", "%s; exec %s"], check=True)\n'
                    'if os.fork() == 0: os.execv("%s", ["storm"])\nos.wait()' % (storm, storm, storm))
        self.check()
        self.assertEqual([len(numbers) for numbers in self.pairs().values()], [1000] * 3)

    def test_facilities(self):
        self.record('--facility', 'core,other*', '--', program('storm'))
        self.assert_no_event('demo.*')
        self.check()

    def test_flight_recorder(self):
        self.record('--flight', '64K', '--block-size=4K', '--clock=fast', '--heartbeat', '10ms', '--',
                    program('storm'), '-n', 100000)
        self.check()
        for path in glob.glob(self.trace + '/cpu/*'):
            self.assertLessEqual(os.path.getsize(path), 65536)
        numbers = [event['data']['b'] for event in self.events('--event=demo.pair')]
        self.assertEqual(numbers[-1], 99999)
        self.assertLess(len(numbers), 100000)


class Endings(Record):
    def test_exit_status_goes_through(self):
        for status in (0, 1, 2, 7, 255):
            self.trace = self.path('trace%d' % status)
            err = self.record('--', 'sh', '-c', 'exit %d' % status, status=status)
            self.assertIn('nothing was traced: no process was built with libltt-probe', err)
        self.trace = self.path('killed')
        self.record('--', 'sh', '-c', 'kill -9 $$', status=128 + 9)
        self.check()

    def test_a_program_that_is_killed(self):
        """Killed while it traces, at the creation of a file by its first event."""
        self.record('--', 'sh', '-c', '(until ls %s/cpu/* >/dev/null 2>&1; do :; done; kill -9 $$) & '
                    'exec %s -n 0 -w 20000' % (self.trace, program('storm')), status=137)
        self.check()
        started, ended = self.starts_and_exits()
        self.assertEqual(len(started), 1)
        self.assertEqual(ended, dict.fromkeys(started, -9))

    def test_more_killed_processes_than_slots(self):
        """`ltt record` frees the slots of dead processes while others run."""
        self.record('--no-machine', '--', 'sh', '-c', 'for i in $(seq 300); do %s -n 1 -k 1000000; done; exit 0' % program('storm'))
        started, ended = self.starts_and_exits()
        self.assertGreater(len(set(started)), 256)
        self.assertEqual(ended, dict.fromkeys(started, -2**31))
        self.assertEqual(self.lost(), 0)

    def said_of_killed(self, number, how):
        """Kills a small storm at that system call. Returns the process events and the exit status."""
        self.trace = self.path('trace%d-%d' % (number, len(how)))
        process = self.start('--', 'sh', '-c', how % (
            'env LD_PRELOAD=%s KILL_AT=%d %s -n 1' % (program('kill-at.so'), number, program('storm'))))
        process.communicate(timeout=120)
        self.check()
        return [(event['event'], event['data'])
                for event in self.events('--all', '--event=tracer.process_*')], process.returncode

    def assert_found_dead(self, number):
        """A process that is not a child of the recorder is killed: its exit status is unknown. It makes more calls before it joins if
        other programs claim slots for `ltt attach` at the same time."""
        for later in range(number, number + 20):
            said, status = self.said_of_killed(later, '%s; exit 3')
            self.assertEqual(status, 3)
            if said:
                break
        self.assertEqual([name for name, _ in said], ['tracer.process_start', 'tracer.process_exit'])
        self.assertEqual((said[0][1]['name'], said[0][1]['executable']), ('storm', ''))
        self.assertEqual(said[1][1], {'pid': said[0][1]['pid'], 'status': -2**31})

    def test_a_program_that_is_killed_anywhere(self):
        """A process that joined has exactly one start and one end in the trace."""
        seen = []
        for number in itertools.count():
            said, status = self.said_of_killed(number, 'exec %s')
            if said:
                (first, start), (second, end) = said
                self.assertEqual((first, second), ('tracer.process_start', 'tracer.process_exit'))
                self.assertEqual((start['pid'], start['name']), (end['pid'], 'storm'))
                self.assertGreater(start['ppid'], 0)
                self.assertIn(start['executable'], ('', program('storm')))
                seen.append((bool(start['executable']), end['status']))
                if len(seen) == 1:
                    self.assert_found_dead(number)
            else:
                self.assertEqual((seen, status), ([], 137), 'number %d' % number)
            if status == 0:
                break
            self.assertEqual(status, 137)
        self.assertEqual(sorted(set(seen), key=seen.index), [(False, -9), (True, -9), (True, 0)])

    def test_what_cannot_be_run(self):
        err = self.record('--', './nothing', status=127)
        self.assertEqual(err, 'ltt record: ./nothing: could not run: No such file or directory\n')
        self.record('--', '/etc/passwd', status=126)
        self.assertEqual(self.names(), [])

    def test_signals_reach_the_program(self):
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            self.trace = self.path('trace%d' % number)
            process = self.start('--', 'sh', '-c', 'echo ready; read line')
            self.assertEqual(process.stdout.readline(), b'ready\n')
            process.send_signal(number)
            self.assertEqual(process.wait(timeout=60), 128 + number)
            self.check()

    def test_ignored_signals(self):
        """The program inherits which signals are ignored and blocked; nohup(1) keeps SIGHUP from ending a recording."""
        def ignore():
            for number in (signal.SIGPIPE, signal.SIGXFSZ, signal.SIGBUS, signal.SIGCHLD, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)

        show = "grep -E 'Sig(Ign|Blk)' /proc/self/status; "
        # The address sanitizer handles SIGBUS itself.
        options = os.environ.get('ASAN_OPTIONS', '') + ':handle_sigbus=0'
        self.enterContext(unittest.mock.patch.dict(os.environ, ASAN_OPTIONS=options))
        untraced = subprocess.run(['sh', '-c', show], stdout=subprocess.PIPE, preexec_fn=ignore, check=True)
        process = self.start('--no-machine', '--', 'sh', '-c', show + 'kill -HUP $PPID; exit 3', preexec_fn=ignore)
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (3, untraced.stdout), err)

    def test_the_recorder_is_killed(self):
        """The program continues, and the directory is a valid trace."""
        process = self.start('--', 'sh', '-c', '%s; echo ready; read line; %s; echo done'
                             % (program('storm'), program('storm')))
        self.assertEqual(process.stdout.readline(), b'ready\n')
        process.kill()
        process.wait()
        self.check(open_blocks=None)
        process.stdin.write(b'\n')
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b'done\n')
        self.check(open_blocks=None)
        self.assertEqual([len(numbers) for numbers in self.pairs().values()], [1000] * 2)


class Refusals(Record):
    @unittest.skipUnless(os.getuid() == 0, 'needs root, to become another user')
    def test_a_umask_that_forbids_all(self):
        """A new directory that the user cannot open is removed again."""
        def drop():
            os.umask(0o777)
            os.setresuid(65534, 65534, 65534)

        os.chmod(self.folder, 0o777)
        err = self.record('--', 'true', status=2, preexec_fn=drop)
        self.assertIn('Permission denied', err)
        self.assertEqual(self.names(), [])

    def test_nothing_is_written_over(self):
        os.mkdir(self.trace)
        err = self.record('--', 'true', status=2)
        self.assertIn('already exists', err)
        self.assertEqual(os.listdir(self.trace), [])

    def test_usage(self):
        for words, said in (
                (['--flight=1M'], '--flight requires a program'),
                (['--flight=0', '--', 'true'], '--flight 0: expected'),
                (['--flight=1X', '--', 'true'], '--flight 1X: expected'),
                (['--flight=99999999999999999999', '--', 'true'], 'expected a number of bytes'),
                (['--flight=-1', '--', 'true'], 'expected a number of bytes'),
                (['--block-size=5000', '--', 'true'], 'expected a power of two from 4096 to 67108864'),
                (['--clock=slow', '--', 'true'], '--clock slow: expected ordered or fast'),
                (['--heartbeat=500', '--', 'true'], '--heartbeat 500: expected a time such as 500ms or 2s'),
                (['--heartbeat=2h', '--', 'true'], 'expected no more than 3600000'),
                (['--heartbeat=4000s', '--', 'true'], 'expected no more than 3600000'),
                (['--snapshot-on=KILL', '--', 'true'], '--snapshot-on KILL: expected')):
            with self.subTest(words=words):
                self.assertIn(said, self.record(*words, status=2))
        self.assertEqual(self.names(), [])

    def test_a_disk_that_takes_no_more(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (65536, 65536))
        err = self.record('--', 'true', status=2, preexec_fn=limit)
        self.assertIn('expected no more than the limit of file size', err)
        self.assertEqual(self.names(), [])

    def test_losses_are_said(self):
        """The program may not write large files, and the recorder, which may, is stopped. One CPU, so one file."""
        process = self.start('--block-size=64K', '--', 'bash', '-c',
                             'echo ready; read line; ulimit -f 1024; %s -n 100000; echo done' % program('storm'),
                             preexec_fn=on_one_cpu)
        self.assertEqual(process.stdout.readline(), b'ready\n')
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        process.stdin.write(b'\n')
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b'done\n')
        process.send_signal(signal.SIGCONT)
        err = process.communicate(timeout=60)[1].decode()
        self.assertEqual(process.returncode, 0, err)
        self.check()
        attempted = 100000 + -(-100000 // 7)  # every seventh number has an additional event
        written = len(self.events('--event=demo.*'))
        self.assertLess(written, attempted)
        self.assertEqual(self.lost(), attempted - written)
        self.assertIn('EVENTS LOST: %d could not be written' % self.lost(), err)


class Snapshots(Record):
    def recorded(self, *options):
        process = self.start(*options, '--', 'sh', '-c', '%s -n 5000; echo ready; read line; %s -n 5000'
                             % (program('storm'), program('storm')))
        self.assertEqual(process.stdout.readline(), b'ready\n')
        return process

    def test_from_outside(self):
        process = self.recorded()
        copy = self.path('copy')
        call(LTT, 'snapshot', self.trace, '-o', copy)
        self.check(copy, open_blocks=None)
        self.assertEqual([len(numbers) for numbers in self.pairs(copy).values()], [5000])
        self.assertTrue(self.events('--event=processes.process', trace=copy))
        self.assertIn('already exists', call(LTT, 'snapshot', self.trace, '-o', copy, status=2))
        process.communicate(b'\n')
        self.assertEqual([len(numbers) for numbers in self.pairs().values()], [5000, 5000])

    def test_on_a_signal(self):
        process = self.recorded('--snapshot-on', 'USR1')
        for number in (1, 2):
            process.send_signal(signal.SIGUSR1)
            self.assertIn(b'snapshot.%d: snapshot taken' % number, process.stderr.readline())
            self.check('%s.snapshot.%d' % (self.trace, number), open_blocks=None)
        process.communicate(b'\n')
        self.check()

    def test_of_what_is_not_recorded(self):
        os.mkdir(self.trace)
        self.assertIn('is not being recorded', call(LTT, 'snapshot', self.trace, '-o', 'x', status=2))
        self.assertIn('No such file', call(LTT, 'snapshot', self.path('no'), '-o', 'x', status=2))
