"""Programs that fork, cancel threads or close descriptors while they trace: each event is in the trace once, or lost."""
import errno
import json
import os
import shutil
import signal
import subprocess
import unittest

import recording
from recording import call

BLOCK_BYTES = 4096


class Ordeal(recording.Case):
    """The program prints the number of calls that began, and of those that returned."""

    def ordeal(self, *words, rseq=True, program='ordeal', **options):
        self.trace = self.path('rseq' if rseq else 'lanes')
        self.session('create', 0, BLOCK_BYTES)
        done = subprocess.run(**self.traced(program, *words, rseq=rseq, **options), stdout=subprocess.PIPE,
                              timeout=120, check=True)
        self.assertEqual(self.session('finish'), 'closed\n')
        said = [list(map(int, line.split())) for line in done.stdout.splitlines()]
        return sum(line[0] for line in said), sum(line[1] for line in said)

    def account(self, begun, returned):
        """No event is duplicated, out of order or missing. Returns the number of events."""
        written = self.check()['events']
        lost = self.lost()
        self.assertLessEqual(returned, written + lost)
        self.assertLessEqual(written + lost, begun)
        for who, numbers in self.pairs().items():
            if who & recording.SIGNAL_BIT:  # a thread may take a number, and trace it after the next number
                numbers.sort()
            self.assertEqual(numbers, sorted(set(numbers)), 'thread %#x' % who)
        return lost

    def both(self, *words, loses=None, **options):
        """@loses: the reason of the expected losses"""
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                begun, returned = self.ordeal(*words, rseq=rseq, **options)
                lost = self.account(begun, returned)
                (self.assertGreater if loses else self.assertEqual)(lost, 0)
                self.assertEqual(self.losses(), {loses: lost} if loses else {})


class Limits(Ordeal):
    def test_all_file_descriptors_are_closed(self):
        self.both('close')

    def test_no_file_may_grow(self):
        """The probe must not raise SIGXFSZ, which would kill the program."""
        self.both('fsize', loses='file_size')

    def test_no_file_can_be_opened(self):
        """Not even for the process_exit."""
        self.both('nofile', loses='no_descriptor')

    def test_no_memory_can_be_had(self):
        self.both('memory')

    def test_no_memory_for_the_next_part_of_a_file(self):
        self.both('cramped', loses='no_memory')

    def test_the_file_system_is_full(self):
        self.both('refuse', 'fallocate', errno.ENOSPC, loses='disk_full')

    def test_the_quota_is_used_up(self):
        self.both('refuse', 'fallocate', errno.EDQUOT, loses='quota')

    def test_the_file_system_turns_read_only(self):
        self.both('refuse', 'openat', errno.EROFS, loses='read_only')

    def test_the_file_system_fails(self):
        self.both('refuse', 'fallocate', errno.EIO, loses='io_error')

    def test_opening_is_forbidden(self):
        self.both('refuse', 'openat', errno.EPERM, loses='no_right')

    def test_a_file_system_that_cannot_allocate(self):
        self.both('refuse', 'fallocate', errno.EOPNOTSUPP)

    def test_an_old_kernel(self):
        for name in ('madvise', 'membarrier'):
            with self.subTest(name=name):
                shutil.rmtree(self.folder)
                os.mkdir(self.folder)
                self.both('refuse', name, errno.EINVAL)


class Payloads(Ordeal):
    def test_strings(self):
        """An event that fits a block is written completely; a longer one is lost."""
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                begun, returned = self.ordeal('strings', rseq=rseq)
                lost = self.account(begun, returned)
                events = [event['data'] for event in self.events('--event=demo.open')]
                steady = [event for event in events if event['flags'] == 0]
                self.assertTrue(all(event['path'] == 'x' * event['fd'] for event in steady))
                self.assertEqual(steady.pop(), {'path': '', 'fd': 0, 'flags': 0})
                lengths = [event['fd'] for event in steady]
                self.assertEqual(lengths, list(range(0, lengths[-1] + 1, 7)))
                self.assertGreater(lengths[-1], BLOCK_BYTES - 400)
                self.assertLess(lengths[-1], BLOCK_BYTES)
                tried = [*range(0, 2 * BLOCK_BYTES, 7)]
                tried += range(tried[-1] + 7, 3 * BLOCK_BYTES, 997)
                self.assertEqual(lost, len(tried) - len(lengths))
                self.assertEqual(self.losses(), {'too_large': lost})
                changing = [event for event in events if event['flags'] == 1]
                self.assertEqual([event['fd'] for event in changing], list(range(3000)))
                self.assertEqual({letter for event in changing for letter in event['path']} - {'a', 'b'}, set())


class Processes(Ordeal):
    def test_storm_of_forks(self):
        """Children end by exit, by _exit and by SIGKILL."""
        self.both('fork')

    def assert_children_lose(self, what):
        """Events between the start of a child in the memory of its parent and exec count as lost."""
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                self.assertEqual(self.account(*self.ordeal(what, rseq=rseq)), 80)
                self.assertEqual(self.losses(), {'vfork': 80})

    def test_vfork(self):
        self.assert_children_lose('vfork')

    def test_clone_as_vfork(self):
        self.assert_children_lose('clone')

    def test_posix_spawn(self):
        self.both('spawn', 'close')

    def test_threads_are_cancelled(self):
        self.both('cancel')

    def test_handlers_that_interrupt_handlers(self):
        """Handlers with a small stack trace while the interrupted code traces."""
        self.both('signals')

    def test_handlers_that_jump(self):
        """Handlers leave the writing of an event by siglongjmp(3), at any point."""
        self.both('jump')

    @unittest.skipUnless(os.geteuid() == 0, 'only root can make a program of another user')
    def test_setuid_program(self):
        """A setuid program is not traced, because its environment is untrusted."""
        copy = self.path('ordeal')
        shutil.copy(recording.program('ordeal'), copy)
        os.chmod(self.folder, 0o755)
        os.chown(copy, 65534, 65534)
        os.chmod(copy, 0o4755)
        self.session('create')
        options = self.traced('ordeal')
        call(copy, 'close', env=options['env'])
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual(self.check()['events'], 0)
        self.assertEqual(self.events('--all', '--event=tracer.*'), [])


@unittest.skipUnless(os.path.exists(recording.program('storm-tsan')), 'no clang when this was built')
class Races(recording.Case):
    """Threads of one process under the thread sanitizer, which exits with 66 on a race."""

    def test_threads(self):
        for rseq in (True, False):
            with self.subTest(rseq=rseq):
                trace = self.path('trace%d' % rseq)
                environment = dict(os.environ, LTT_TRACE_RSEQ='1' if rseq else '0')
                said = call(recording.program('storm-tsan'), '-d', trace, '-p', 2, '-t', 4, '-n', 2000, '-b', 4096,
                            env=environment)
                self.assertEqual(said, '')
                self.check(trace)
                self.assertEqual([len(numbers) for numbers in self.pairs(trace).values()], [2000] * 8)


class Stopped(recording.Case):
    """Processes stopped at any time, and other processes on the same CPUs."""

    def stop_and_go(self, rseq, others):
        self.session('create', 0, BLOCK_BYTES)
        stopped = [self.start_traced('storm', '-n', 30000 * recording.STRESS, '-t', 2, rseq=rseq) for _ in range(2)]
        for i in range(12 * recording.STRESS):
            victim = stopped[i % 2]
            victim.send_signal(signal.SIGSTOP)
            subprocess.run(**self.traced('storm', '-n', 300, rseq=others), check=True)
            self.check(open_blocks=None)
            victim.send_signal(signal.SIGCONT)
        for process in stopped:
            self.assertEqual(process.wait(timeout=120), 0)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.losses(), {})
        threads = self.pairs()
        self.assertEqual(len(threads), 4 + 12 * recording.STRESS)
        for who, numbers in threads.items():
            self.assert_whole(numbers, who)
        self.assertEqual({len(numbers) for numbers in threads.values()}, {300, 30000 * recording.STRESS})

    def test_with_restartable_sequences(self):
        self.stop_and_go(True, True)

    def test_in_lanes(self):
        self.stop_and_go(False, False)

    def test_mixed(self):
        self.stop_and_go(False, True)

    def open_lanes(self):
        """Returns the lanes with an open block, which their threads still own. In the other files all blocks are closed, except in control/facilities: processes may still join."""
        info = json.loads(call(recording.LTT, 'info', '--json', self.trace))
        n_cpus = int(info['system']['cpu'])
        still_open = [file['name'] for file in info['tracefiles'] if file['open_blocks'] > 0]
        lanes = [name for name in still_open if name.startswith('cpu/') and int(name[len('cpu/'):]) >= n_cpus]
        self.assertEqual(sorted(still_open), ['control/facilities'] + sorted(lanes))
        return lanes

    def end_while_stopped(self, rseq):
        self.trace = self.path('rseq' if rseq else 'lanes')
        self.session('create')
        process = self.start_traced('storm', '-n', 0, '-t', 2, rseq=rseq)
        while self.totals()['bytes'] == 0:
            pass
        process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, process.pid, os.WSTOPPED)
        self.assertEqual(self.session('finish'), 'open\n')
        lanes = self.open_lanes()
        before = self.check(open_blocks=1 + len(lanes))['events']
        process.send_signal(signal.SIGCONT)
        subprocess.run(**self.traced('storm', '-n', 10), check=True)
        process.kill()
        process.wait()
        self.assertEqual(self.session('finish'), 'closed\n')
        # A thread that was stopped in an event completes it, in its own lane.
        self.assertIn(self.check()['events'] - before, range(len(lanes) + 1))
        for who, numbers in self.pairs().items():
            self.assert_whole(numbers, who)

    def test_the_end_comes_while_it_is_stopped(self):
        self.end_while_stopped(rseq=True)

    def test_the_end_comes_while_it_is_stopped_in_lanes(self):
        self.end_while_stopped(rseq=False)


class Moved(recording.Case):
    def storm(self, *options, rseq=True, chunk=None):
        self.session('create', 0, BLOCK_BYTES)
        if chunk is not None:
            self.session('chunk', chunk)
        subprocess.run(**self.traced('storm', '-m', '-p', 2, '-t', 3, '-n', 5000 * recording.STRESS, '-s', 200,
                                     *options, rseq=rseq), check=True)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.check()
        self.assertEqual(self.losses(), {})
        for who, numbers in self.pairs().items():
            self.assert_whole(numbers, who)

    def test_from_cpu_to_cpu(self):
        self.storm()

    def test_with_small_mappings(self):
        """Another thread on the CPU replaces a mapping that this thread has just looked up."""
        self.storm(chunk=1)

    def test_from_cpu_to_cpu_in_lanes(self):
        self.storm(rseq=False)


if __name__ == '__main__':
    unittest.main()
