"""`ltt attach`: processes that start, change or end while it runs, and what a later `ltt attach` finds of an earlier one."""
import ctypes
import os
import signal
import unittest

from attaching import Attach, LTT, Program
from recording import STRESS, call

IS_ROOT = os.geteuid() == 0
CLONE_NEWPID = 0x20000000


class Later(Attach):
    def pids(self):
        return {who >> 32 for who in self.pairs()}

    def starts(self):
        return len(self.events('--all', '--event=tracer.process_start'))

    def pass_searches(self, first, path, n):
        """Waits until `ltt attach` has searched for processes n times: it finds each of n programs in another search."""
        for _ in range(n):
            later = Program(self, path)
            before = self.starts()
            while self.starts() == before:
                later.do(1)
                first.do(1)

    def test_children_of_an_idle_parent(self):
        """A parent that traces nothing has not joined, so each child joins by itself."""
        path, name = self.named()
        for option in ('--pid', '--name'):
            self.trace = self.path('trace' + option)
            parent = Program(self, path)
            process = self.attach(option, parent.pid if option == '--pid' else name)
            parent.do('child')
            while self.starts() < 1:
                parent.do('child', 1)
            parent.do('child', 5)
            self.detach(process)
            self.check()
            self.assertNotIn(parent.pid, self.pids())
            self.assertEqual(len(self.pids()), 1)
            parent.close()

    def test_children_keep_their_session(self):
        """Children of a process that has joined are in the trace from their first event, although others are added."""
        path, name = self.named()
        parent = Program(self, path)
        process = self.attach('--name', name)
        parent.do(1)
        parent.do('child')
        others = [Program(self, path) for _ in range(2)]
        for other in others:
            before = self.starts()
            while self.starts() == before:
                other.do(1)
                parent.do('child', 1)
                parent.do('fork', 5)
        self.detach(process)
        self.check()
        known = {parent.pid, *(other.pid for other in others)}
        spans = [span for who, span in self.numbers().items() if who >> 32 not in known]
        self.assertEqual({first for first, _ in spans}, {0})

    def test_a_filter_after_it_was_attached(self):
        """The process joins before it installs a filter that would kill it for joining."""
        path, name = self.named()
        for option in ('--pid', '--name'):
            self.trace = self.path('trace' + option)
            tracee = Program(self, path)
            process = self.attach(option, tracee.pid if option == '--pid' else name)
            tracee.do('filter open')
            tracee.do(5)
            self.detach(process)
            self.check()
            self.assertEqual(list(self.numbers().values()), [(0, 4)])
            tracee.do(3)
            self.trace = self.path('next' + option)
            self.assertIn('it has a seccomp filter', self.fails('--pid', tracee.pid))
            tracee.do(3)
            tracee.process.stdin.close()
            self.assertEqual(tracee.process.wait(), 0)

    def test_a_filter_that_was_not_seen(self):
        """A process that installs it without libc is not asked to join any more when the filter is found."""
        path, name = self.named()
        first = Program(self, path)
        tracee = Program(self, path)
        process = self.attach('--name', name)
        first.do(5)
        tracee.do('filter aside')
        self.assertIn('%s (process %d): it has a seccomp filter' % (name, tracee.pid), process.stderr.readline())
        tracee.do(5)
        first.do('filter aside')
        self.pass_searches(first, path, 2)
        self.detach(process, status=1)
        self.check()
        self.assertNotIn(tracee.pid, self.pids())
        for program_ in (first, tracee):
            program_.do(3)
            program_.process.stdin.close()
            self.assertEqual(program_.process.wait(), 0)

    def test_a_filter_beside_other_processes(self):
        """A process that has joined, or is not selected, makes no system calls of joining when the request changes."""
        path, name = self.named()
        parent = Program(self, path)
        process = self.attach('--pid', parent.pid)
        parent.do(1)
        parent.do('filter stack')
        for _ in range(3):
            before = self.starts()
            parent.do('child')
            while self.starts() == before:
                parent.do('child', 1)
            parent.do(1)
            parent.do('fork', 1)
        self.detach(process)
        self.check()
        self.assertEqual(self.numbers()[parent.pid << 32 | parent.pid], (0, 3))

    def test_more_processes_than_a_request_names(self):
        """All processes of the slot join then, except those with a filter."""
        path, name = self.named()
        parent = Program(self, path)
        process = self.attach('--name', name)
        parent.do('children', 300)
        parent.do('child')
        while not self.starts():
            parent.do('child', 1)
        self.detach(process)
        self.check()

    def test_one_that_starts_slowly(self):
        """A program that a child of an attached process executes has no slot until it is loaded: here it is a script,
        which executes a program of the same name."""
        path, name = self.named()
        script, real, fifo = self.path('slow'), self.path('real'), self.path('fifo')
        os.mkdir(real)
        os.link(path, real + '/slow')
        os.mkfifo(fifo)
        with open(script, 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\nexec < %s > /dev/null\nread line\nexec %s/slow\n' % (fifo, real))
        os.chmod(script, 0o700)
        first = Program(self, path)
        process = self.attach('--name', name)
        first.do('spawn ' + script)
        with open(fifo, 'w', encoding='utf-8', buffering=1) as lines:
            self.pass_searches(first, path, 4)
            before = self.starts()
            lines.write('\n')
            while self.starts() == before:
                lines.write('1\n')
                first.do(1)
        self.detach(process)
        self.check()

    def test_failures_of_an_earlier_one(self):
        """A process that could not join is reported once."""
        tracee = Program(self)
        call('prlimit', '--pid', tracee.pid, '--nofile=3:1024')
        process = self.attach('--pid', tracee.pid)
        tracee.do(1)
        self.assertIn('process %d could not join: Too many open files' % tracee.pid, self.detach(process, status=1))
        call('prlimit', '--pid', tracee.pid, '--nofile=1024:1024')
        self.trace = self.path('next')
        process = self.attach('--pid', tracee.pid)
        tracee.do(5)
        self.assertNotIn('could not join', self.detach(process))
        self.assertEqual(list(self.numbers().values()), [(1, 5)])

    def test_children_that_were_killed_in_an_event(self):
        """They count as unfinished events of the recording in which they were killed, but of no later one."""
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid, '--flight', '1M')
        tracee.do(1)
        tracee.do('killed', 50 * STRESS)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=120)
        self.assertIn(process.returncode, (0, 1))
        for turn in range(3):
            self.trace = self.path('next%d' % turn)
            process = self.attach('--pid', tracee.pid)
            tracee.do(5)
            self.detach(process)
            self.check()
            self.assertEqual(list(self.numbers().values()), [(1 + 5 * turn, 5 + 5 * turn)])

    def test_an_executable_that_was_replaced(self):
        """Its name is that before, without the remark of the kernel."""
        path = self.path('a-name-of-more-than-15-characters')
        os.link(self.named()[0], path)
        tracee = Program(self, path)
        os.unlink(path)
        process = self.attach('--name', 'a-name-of-more-than-15-characters')
        tracee.do(5)
        self.detach(process)
        self.assertEqual(self.pids(), {tracee.pid})

    def test_a_later_one_that_is_traced(self):
        path, name = self.named()
        first = Program(self, path)
        process = self.attach('--name', name)
        first.do(1)
        other = Program(self, LTT, 'record', '-o', self.path('other'), '--', path)
        self.assertIn('it is already being traced', process.stderr.readline())
        other.do(1)
        self.detach(process, status=1)

    @unittest.skipUnless(IS_ROOT, 'needs root')
    def test_another_pid_namespace(self):
        """A process knows only the number that it has there."""
        def enter():
            if ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWPID):
                raise OSError(ctypes.get_errno(), 'unshare')

        path, name = self.named()
        starter = Program(self, 'sh', '-c', path + '; true', preexec_fn=enter)
        process = self.attach('--name', name)
        starter.do(5)
        self.detach(process)
        self.check()
        self.assertEqual(list(self.numbers().values()), [(0, 4)])


if __name__ == '__main__':
    unittest.main()
