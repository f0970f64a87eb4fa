"""`ltt attach`: recording programs that are already running."""
import glob
import os
import re
import shutil
import signal
import subprocess
import unittest

from attaching import Attach, LTT, Program
from recording import STRESS, call, program

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
        """Without -o, the name of the trace contains the program and the time."""
        tracee = Program(self)
        with open('/proc/%d/comm' % tracee.pid, encoding='utf-8') as file:
            name = file.read().strip()
        for _ in range(2):
            said = call(LTT, 'attach', '--pid', tracee.pid, '--duration', '1ms', cwd=self.folder,
                        status=1)  # no events in between
            made = re.search(r'ltt attach: (%s-\d{8}-\d{6}(-\d)?): \d+ events' % re.escape(name), said)
            self.assertTrue(made, said)
            self.check(self.path(made[1]))
        self.assertEqual(len(glob.glob(self.path(name + '-*'))), 2)

    def test_again_and_again(self):
        """The first attach allocates memory; further ones do not."""
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
        """Each busy thread has one contiguous run of numbers in each trace."""
        tracee = Program(self)
        tracee.do('work', 4)
        sizes = []
        for turn in range(4 * STRESS):
            self.trace = self.path('trace%d' % turn)
            process = self.attach('--pid', tracee.pid)
            self.wait_for_event(process)
            self.detach(process)
            self.check()
            self.assertTrue(self.numbers())
            shutil.rmtree(self.trace)
            sizes.append(tracee.sizes())
        self.assertLessEqual(max(sizes[1:])[0], max(sizes[:2])[0] + 2)
        self.assertEqual({files for _, files in sizes}, {sizes[0][1]})

    def test_a_thread_that_missed_a_change(self):
        """The thread must not write under its number from the earlier session, which another thread has now."""
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

    def test_events_that_handlers_have_left(self):
        """The process can leave the session, and join the next one."""
        for rseq in ('1', '0'):
            tracee = Program(self, env=dict(os.environ, LTT_TRACE_RSEQ=rseq, LTT_ATTACH='1'))
            for turn in range(3):
                self.trace = self.path('trace%s-%d' % (rseq, turn))
                process = self.attach('--pid', tracee.pid)
                tracee.do('leave', 1000)
                tracee.do(10)
                # In lanes, an event that was left is ended by the next event that takes the slow path.
                process.send_signal(signal.SIGINT)
                said = process.communicate(timeout=120)[1]
                self.assertIn(process.returncode, (0,) if rseq == '1' else (0, 1), said)
                self.check(open_blocks=None)
                self.assertEqual(len(self.events('--event=demo.pair')), 10)

    def test_facilities(self):
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid, '--facility', 'other')
        tracee.do(5)
        self.assertIn('nothing was traced', self.detach(process, status=1))
        self.assertIn('--facility other: no program has this facility; available: demo', process.said[0])
        self.check()
        self.assert_no_event('demo.*')

    def test_idle_and_stopped(self):
        """The end of a recording waits for neither idle nor stopped programs; only active ones are in the trace."""
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
        """Attaches one of several forked processes that share a slot."""
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
        """After exec a program is no longer in the session; `ltt attach` finds it by its name."""
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

    def test_one_that_is_starting(self):
        """A process with the name that has no slot when it is seen first: here it is a script, which executes the program."""
        path, name = self.named()
        os.mkdir(self.path('scripts'))
        script = self.path('scripts/' + name)
        with open(script, 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\necho ready\nread line\nexec %s\n' % path)
        os.chmod(script, 0o700)
        first = Program(self, path)
        process = self.attach('--name', name)
        first.do(1)
        starting = Program(self, script)
        later = Program(self, path)
        while len(self.events('--all', '--event=tracer.process_start')) < 2:
            later.do(1)
        starting.do('', expected='ready')
        while len(self.events('--all', '--event=tracer.process_start')) < 3:
            starting.do(1)
        self.detach(process)
        self.check()
        self.assertLessEqual({who >> 32 for who in self.pairs()}, {first.pid, later.pid, starting.pid})
        self.assertIn(starting.pid, {who >> 32 for who in self.pairs()})

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


if __name__ == '__main__':
    unittest.main()
