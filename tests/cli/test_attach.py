"""`ltt attach`: recording programs that are already running."""
import glob
import os
import re
import pwd
import random
import shutil
import signal
import subprocess
import unittest

from recording import BUILD, STRESS, USE, Case, call, program

LTT = os.path.join(BUILD, 'bin/ltt')
STRANGER = 54321  # whom nobody is
NOBODY = pwd.getpwnam('nobody').pw_uid
IS_ROOT = os.geteuid() == 0


class Program:
    """A tracee (tests/stress/tracee.c)."""

    def __init__(self, case, *words, **options):
        options.setdefault('env', {name: value for name, value in os.environ.items() if name != 'LTT_ATTACH'})
        self.process = subprocess.Popen([str(word) for word in words or [program('tracee')]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, **options)
        case.addCleanup(self.close)
        self.pid = self.process.pid
        self.answer('ready')

    def answer(self, expected='done'):
        said = self.process.stdout.readline()
        if said != expected + '\n':
            raise AssertionError('it said %r where %r was expected' % (said, expected))

    def do(self, *words, expected='done'):
        self.process.stdin.write(' '.join(map(str, words)) + '\n')
        self.process.stdin.flush()
        self.answer(expected)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def sizes(self):
        """Lines of its memory map, and how many files it has open."""
        with open('/proc/%d/maps' % self.pid, encoding='utf-8') as file:
            return len(file.readlines()), len(os.listdir('/proc/%d/fd' % self.pid))


class Attach(Case):
    def attach(self, *words, **options):
        """`ltt attach`, when it has attached."""
        process = subprocess.Popen([options.pop('ltt', LTT), 'attach', '-o', self.trace] + [str(word) for word in words],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, cwd=self.folder, **options)
        self.addCleanup(self.close, process)
        said = []
        while not said or ': attached to ' not in said[-1]:
            said.append(process.stderr.readline())
            self.assertTrue(said[-1], said)
        process.said = said
        return process

    @staticmethod
    def close(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def named(self):
        """A tracee with a name that no other program has, and that name."""
        name = 't-' + os.path.basename(self.folder)[-8:]
        return shutil.copy(program('tracee'), self.path(name)), name

    def detach(self, process, status=0, signum=signal.SIGINT):
        """Ends it. Returns: what it said after it had attached."""
        process.send_signal(signum)
        said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, status, said)
        return said

    def fails(self, *words, status=2, **options):
        said = call(LTT, 'attach', '-o', self.trace, *words, status=status, **options)
        self.assertFalse(os.path.exists(self.trace), said)
        return said

    def numbers(self, trace=None):
        """By thread, first and last number; each has a run without a hole."""
        spans = {}
        for who, numbers in self.pairs(trace).items():
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))), 'thread %#x' % who)
            spans[who] = (numbers[0], numbers[-1])
        return spans


class Programs(Attach):
    def test_on_and_off(self):
        tracee = Program(self)
        tracee.do(10)
        process = self.attach('--pid', tracee.pid)
        tracee.do(20)
        tracee.do('thread', 7)
        self.assertRegex(self.detach(process), r'^ltt attach: \S+: 27 events, \S+ \w+, 1 process, \d+\.\d{3} s\n$')
        tracee.do(30)
        self.check()
        self.assertEqual(sorted(self.numbers().values()), [(0, 6), (10, 29)])
        self.assertEqual(self.lost(), 0)
        self.assertEqual(sorted(os.listdir(self.trace + '/info')), ['system.xml'])

    def test_a_name_of_its_own(self):
        """Without -o, the trace is called after the program and the time."""
        tracee = Program(self)
        with open('/proc/%d/comm' % tracee.pid, encoding='utf-8') as file:
            name = file.read().strip()
        for _ in range(2):
            said = call(LTT, 'attach', '--pid', tracee.pid, '--duration', '1ms', cwd=self.folder,
                        status=1)  # nothing happens meanwhile
            made = re.search(r'ltt attach: (%s-\d{8}-\d{6}(-\d)?): \d+ events' % re.escape(name), said)
            self.assertTrue(made, said)
            self.check(self.path(made[1]))
        self.assertEqual(len(glob.glob(self.path(name + '-*'))), 2)

    def test_again_and_again(self):
        """The first time makes what stays; after that nothing grows."""
        tracee = Program(self)
        sizes = None
        for turn in range(8 * STRESS):
            self.trace = self.path('trace%d' % turn)
            process = self.attach('--pid', tracee.pid)
            tracee.do(5)
            self.detach(process)
            tracee.do(1)
            self.check()
            self.assertEqual(list(self.numbers().values()), [(6 * turn, 6 * turn + 4)])
            shutil.rmtree(self.trace)
            sizes = sizes or tracee.sizes()
            self.assertEqual(tracee.sizes(), sizes)

    def test_under_load(self):
        """Threads that never rest: each has one run of its numbers in each trace."""
        tracee = Program(self)
        tracee.do('work', 4)
        sizes = []
        for turn in range(4 * STRESS):
            self.trace = self.path('trace%d' % turn)
            process = self.attach('--pid', tracee.pid)
            while not glob.glob(self.trace + '/cpu/*'):
                self.assertIsNone(process.poll())
            self.detach(process)
            self.check()
            self.assertTrue(self.numbers())
            shutil.rmtree(self.trace)
            sizes.append(tracee.sizes())
        self.assertLessEqual(max(sizes[1:])[0], max(sizes[:2])[0] + 2)
        self.assertEqual({files for _, files in sizes}, {sizes[0][1]})

    def test_a_thread_that_missed_a_change(self):
        """Its number in the session before must not let it write as the thread that has that number now."""
        tracee = Program(self)
        os.sched_setaffinity(tracee.pid, {min(os.sched_getaffinity(tracee.pid))})
        process = self.attach('--pid', tracee.pid)
        tracee.do(1)
        self.detach(process)
        self.trace = self.path('next')
        process = self.attach('--pid', tracee.pid)
        tracee.do('thread', 1)
        tracee.do(1)
        self.detach(process)
        self.check()
        self.assertEqual(sorted(self.numbers().values()), [(0, 0), (1, 1)])

    def test_facilities(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid, '--facility', 'other')
        tracee.do(5)
        self.assertIn('nothing was traced', self.detach(process, status=1))
        self.assertIn('--facility other: no program has it; there are: demo', process.said[0])
        self.check()
        self.assertEqual(self.events('--event=demo.*'), [])

    def test_idle_and_stopped(self):
        """Neither is in the trace, nor waited for; one that has been active is, and is not waited for either."""
        idle, stopped, active = Program(self), Program(self), Program(self)
        process = self.attach('--pid', '%d,%d' % (idle.pid, stopped.pid), '--pid', active.pid)
        active.do(5)
        stopped.process.send_signal(signal.SIGSTOP)
        active.process.send_signal(signal.SIGSTOP)
        self.assertIn(' 5 events, ', self.detach(process))
        self.check()
        starts = self.events('--all', '--event=tracer.process_start')
        self.assertEqual([event['data']['pid'] for event in starts], [active.pid])
        self.assertEqual(sorted(os.listdir(self.trace + '/info')), ['system.xml'])
        for program_ in (stopped, active):
            program_.process.send_signal(signal.SIGCONT)
            program_.do(3)
        self.check()

    def test_duration(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid, '--duration=10ms')
        process.communicate(timeout=60)
        self.check()

    def test_until_it_ends(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        tracee.process.stdin.close()
        self.assertEqual(tracee.process.wait(), 0)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.check()
        ends = self.events('--all', '--event=tracer.process_exit')
        self.assertEqual([event['data'] for event in ends], [{'pid': tracee.pid, 'status': 0}])

    def test_snapshot_and_follow(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid, '--snapshot-on', 'USR1')
        tracee.do(5)
        copy = self.path('copy')
        call(LTT, 'snapshot', self.trace, '-o', copy)
        process.send_signal(signal.SIGUSR1)
        self.assertIn('snapshot taken', process.stderr.readline())
        with subprocess.Popen([LTT, 'dump', '--follow', '--event=demo.pair', self.trace], stdout=subprocess.PIPE,
                              text=True) as follower:
            for _ in range(5):
                self.assertIn('demo.pair', follower.stdout.readline())
            tracee.do(2)
            for _ in range(2):
                self.assertIn('demo.pair', follower.stdout.readline())
            self.detach(process)
            self.assertEqual(follower.stdout.read(), '')
        self.assertEqual(follower.returncode, 0)
        for trace in (copy, self.trace + '.snapshot.1'):
            self.check(trace, open_blocks=None)
            self.assertEqual(list(self.numbers(trace).values()), [(0, 4)])


class Families(Attach):
    def test_one_of_a_family(self):
        """Of processes that share a slot, as they were forked from one, that which was asked for."""
        path, name = self.named()
        parent = Program(self, path)
        parent.do('child')
        child = int(open('/proc/%d/task/%d/children' % (parent.pid, parent.pid), encoding='ascii').read())
        process = self.attach('--pid', child)
        parent.do(5)
        parent.do('child', 6)
        parent.do(5)
        self.assertIn(' 6 events, ', self.detach(process))
        self.check()
        self.assertEqual([who >> 32 for who in self.pairs()], [child])
        self.trace = self.path('both')
        process = self.attach('--name', name)
        parent.do('child', 6)
        parent.do(5)
        self.detach(process)
        self.check()
        self.assertEqual({who >> 32: span for who, span in self.numbers().items()},
                         {parent.pid: (10, 14), child: (6, 11)})

    def test_fork(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        tracee.do('fork', 6)
        self.detach(process)
        self.check()
        self.assertEqual(sorted(self.numbers().values()), [(0, 4), (0, 5)])

    def test_exec(self):
        """What an attached program becomes has forgotten the session; it is found by its name."""
        path, name = self.named()
        tracee = Program(self, path)
        process = self.attach('--name', name)
        tracee.do(5)
        tracee.do('exec', expected='ready')
        while len(self.events('--all', '--event=tracer.process_start')) < 2:
            tracee.do(1)
        self.detach(process)
        self.check()

    def test_one_that_comes_later(self):
        path, name = self.named()
        first = Program(self, path)
        process = self.attach('--name', name[:-1] + '*')
        first.do(2)
        later = Program(self, path)
        while len(self.events('--all', '--event=tracer.process_start')) < 2:
            later.do(1)
        self.detach(process)
        self.check()
        self.assertEqual({who >> 32 for who in self.pairs()}, {first.pid, later.pid})

    def test_a_plugin(self):
        tracee = Program(self, program('tracee-shared'))
        process = self.attach('--pid', tracee.pid)
        tracee.do(1)
        tracee.do('load', program('plugin.so'))
        tracee.do('unload')
        tracee.do('load', program('plugin-alone.so'))
        self.detach(process)
        self.check()
        self.assertGreaterEqual(sum(len(numbers) for numbers in self.pairs().values()), 101)
        tracee.do('unload')
        tracee.do(3)

    def test_two_at_once(self):
        one, other = Program(self), Program(self)
        process = self.attach('--pid', one.pid)
        first_trace, self.trace = self.trace, self.path('other')
        self.assertIn('another `ltt attach` is attached to it', self.fails('--pid', one.pid))
        second = self.attach('--pid', other.pid)
        one.do(5)
        other.do(6)
        self.detach(second)
        self.check()
        self.assertEqual(list(self.numbers().values()), [(0, 5)])
        self.trace = first_trace
        self.detach(process)
        self.check()
        self.assertEqual(list(self.numbers().values()), [(0, 4)])


class Deaths(Attach):
    def test_of_the_recorder(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        process.kill()
        process.wait()
        tracee.do(5)
        self.check(open_blocks=None)
        self.assertEqual(list(self.numbers().values()), [(0, 9)])
        self.trace = self.path('next')
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        self.detach(process)
        self.check()
        self.assertEqual(list(self.numbers().values()), [(10, 14)])

    def test_of_the_program(self):
        tracee, other = Program(self), Program(self)
        tracee.do('spin', 2)
        process = self.attach('--pid', tracee.pid, '--pid', other.pid, '--flight=1M')
        other.do(1)
        while not glob.glob(self.trace + '/cpu/*'):
            self.assertIsNone(process.poll())
        tracee.close()
        self.detach(process)
        self.check()
        ends = {event['data']['pid'] for event in self.events('--all', '--event=tracer.process_exit')}
        self.assertLessEqual(ends, {tracee.pid})


@unittest.skipUnless(IS_ROOT, 'needs root')
class Rights(Attach):
    def setUp(self):
        super().setUp()
        os.chmod(self.folder, 0o755)

    def as_nobody(self):
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)

    def test_a_program_that_has_dropped_its_rights(self):
        tracee = Program(self)
        tracee.do('user', NOBODY)
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        tracee.do('fork', 4)
        self.detach(process)
        self.check()
        self.assertEqual(sorted(self.numbers().values()), [(0, 3), (0, 4)])

    def test_a_program_under_another_root(self):
        tracee = Program(self)
        tracee.do('root', '/proc/self/fdinfo')
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        self.detach(process)
        self.check()
        self.assertEqual(list(self.numbers().values()), [(0, 4)])

    def test_a_program_of_another_user(self):
        """Root may attach to it, it may not attach to root's."""
        others = Program(self, preexec_fn=self.as_nobody)
        process = self.attach('--pid', others.pid)
        others.do(5)
        self.detach(process)
        self.check()
        self.assertEqual(list(self.numbers().values()), [(0, 4)])
        shutil.rmtree(self.trace)
        path, name = self.named()
        roots = Program(self, path)
        self.trace = '/dev/shm/ltt-test-nobody-%d' % os.getpid()
        for words in (['--pid', roots.pid], ['--name', name, '--pid', roots.pid]):
            said = call(os.path.join(USE, 'bin/ltt'), 'attach', '-o', self.trace, '--duration=1ms', *words,
                        status=2, preexec_fn=self.as_nobody)
            self.assertIn('process %d): it belongs to another user' % roots.pid, said)
        self.addCleanup(shutil.rmtree, self.trace, ignore_errors=True)

    def test_a_full_file_system(self):
        """Where there is no memory for a slot the program runs without one."""
        for size in ('4k', '16k', '1m'):
            said = subprocess.run(['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs -o size=%s none /dev/shm && '
                                   'exec %s' % (size, program('tracee'))], input='5\n', stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if 'unshare' in said.stdout or 'mount' in said.stdout:
                self.skipTest(said.stdout)
            self.assertEqual((said.returncode, said.stdout), (0, 'ready\ndone\n'))

    def test_a_wish_for_a_trace_of_somebody_else(self):
        """Who shares the slot and has fewer rights cannot have a process join what he has made."""
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid)
        for path in (self.trace, self.trace + '/info/session', self.trace + '/info/lock'):
            os.chown(path, NOBODY, NOBODY)
        tracee.do(5)
        said = self.detach(process, status=1)
        self.assertIn('process %d could not join: Operation not permitted' % tracee.pid, said)
        self.assertEqual(self.events('--event=demo.*'), [])


class Hostile(Attach):
    """What is in a slot may be written by any program of the user."""

    def slot(self, tracee):
        """The attach file, and where in it the slot is."""
        with open('/proc/%d/maps' % tracee.pid, encoding='utf-8') as file:
            words = [line.split() for line in file if '/ltt-attach-1-' in line][0]
        return words[5], int(words[2], 16)

    def test_garbage(self):
        """Neither `ltt attach` nor a program takes harm from what is there."""
        chance = random.Random(7)
        for turn in range(6 * STRESS):
            tracee = Program(self)
            path, start = self.slot(tracee)
            with open(path, 'r+b', buffering=0) as file:
                for offset in (start + 4096, start + 8192, start + 12288) if turn % 2 else (start + 4096 + 16,):
                    os.pwrite(file.fileno(), chance.randbytes(4096 - 16), offset)
                call(LTT, 'attach', '--list')
                self.trace = self.path('trace%d' % turn)
                said = subprocess.run([LTT, 'attach', '-o', self.trace, '--pid', str(tracee.pid), '--duration=5ms'],
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, timeout=60)
                self.assertIn(said.returncode, (0, 1, 2), said.stdout)
                os.pwrite(file.fileno(), chance.randbytes(4096), start)
                tracee.do(50)
            tracee.close()

    def test_another_file_of_that_name(self):
        """It is left alone, and the program runs without a slot."""
        if not IS_ROOT:
            self.skipTest('needs root')
        path, user = '/dev/shm/ltt-attach-1-%d' % STRANGER, str(STRANGER)
        self.addCleanup(lambda: os.path.exists(path) and os.remove(path))
        for make in (lambda: open(path, 'wb').close(), lambda: os.symlink('/etc/passwd', path),
                     lambda: os.mkfifo(path, 0o600)):
            make()
            tracee = Program(self, preexec_fn=lambda: os.setuid(int(user)))
            self.assertIn('it was not built with libltt-probe, or cannot be attached', self.fails('--pid', tracee.pid))
            tracee.do(5)
            os.remove(path)


class Refusals(Attach):
    def test_usage(self):
        for words, said in (
                (['--pid', 'x'], '--pid x: expected the number of a process'),
                (['--pid', '0'], '--pid 0: expected the number of a process'),
                (['--pid', '1,'], '--pid : expected the number of a process'),
                (['--duration', 'x', '--pid', '1'], '--duration x: expected a time'),
                (['--flight', 'x'], '--flight x: expected')):
            with self.subTest(words=words):
                self.assertIn(said, self.fails(*words))
        self.assertIn('-o DIR is missing', call(LTT, 'attach', status=2))

    def test_who_cannot_be_attached(self):
        self.assertIn('process 4194305: no such process', self.fails('--pid', 4194305))
        self.assertIn('no program of this name that can be attached runs', self.fails('--name', 'nothing-has-this'))
        self.assertIn('it was not built with libltt-probe', self.fails('--pid', os.getpid()))
        off = Program(self, env=dict(os.environ, LTT_ATTACH='0'))
        self.assertIn('LTT_ATTACH=0', self.fails('--pid', off.pid))

    def test_one_that_is_traced(self):
        tracee = Program(self)
        tracee.do('start', self.path('own'))
        self.assertIn('it is already being traced', self.fails('--pid', tracee.pid))
        tracee.do(5)
        tracee.do('stop')
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        tracee.do('start', self.path('other'), expected='failed')
        self.detach(process)
        self.assertEqual(list(self.numbers().values()), [(5, 9)])
        self.assertEqual(list(self.numbers(self.path('own')).values()), [(0, 4)])

    def test_one_that_ltt_record_left_behind(self):
        """It can be attached when that recording has ended."""
        fifo = self.path('fifo')
        os.mkfifo(fifo)
        open(fifo + '.out', 'w', encoding='ascii').close()
        with subprocess.Popen([LTT, 'record', '-o', self.path('own'), '--', 'sh', '-c',
                               '%s <%s >%s.out & echo $!; read line' % (program('tracee'), fifo, fifo)],
                              stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as record, open(fifo, 'w', encoding='ascii') as orders:
            pid = int(record.stdout.readline())
            print('5', file=orders, flush=True)
            while 'done' not in open(fifo + '.out', encoding='ascii').read():
                pass
            record.communicate('\n')
            print('1', file=orders, flush=True)
            process = self.attach('--pid', pid)
            print('7', file=orders, flush=True)
            while open(fifo + '.out', encoding='ascii').read().count('done') < 3:
                pass
            self.detach(process)
        self.check()
        (_, last), = self.numbers().values()
        self.assertEqual(last, 12)

    def test_one_with_a_filter_of_system_calls(self):
        tracee = Program(self)
        tracee.do('filter')
        self.assertIn('--even-with-seccomp', self.fails('--pid', tracee.pid))
        process = self.attach('--pid', tracee.pid, '--even-with-seccomp')
        tracee.do(5)
        self.detach(process)
        self.assertEqual(list(self.numbers().values()), [(0, 4)])

    def test_a_list(self):
        tracee, filtered = Program(self), Program(self)
        filtered.do('filter')
        said = call(LTT, 'attach', '--list')
        self.assertRegex(said, r'(?m)^ +%d +%d  tracee +ready +demo$' % (tracee.pid, os.geteuid()))
        self.assertRegex(said, r'(?m)^ +%d +%d  tracee +seccomp +demo$' % (filtered.pid, os.geteuid()))


if __name__ == '__main__':
    unittest.main()
