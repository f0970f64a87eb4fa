"""Losses by reason: the messages of `ltt record`, and the counts in the trace."""
import errno
import json
import os
import signal
import subprocess
import unittest

from cli.test_record_program import LTT, Record
from command import ltt
from recording import USE, call, on_one_cpu, program

USE_LTT = os.path.join(USE, 'bin/ltt')
CAN_UNSHARE = subprocess.run(['unshare', '-rm', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Reasons(Record):
    def large(self, trace=None):
        return json.loads(call(LTT, 'stat', '--json', trace or self.trace))['too_large']

    def test_larger_than_a_block(self):
        err = self.record('--block-size=4K', '--', 'sh', '-c', '%s strings >&2' % program('ordeal'))
        lost = self.lost()
        self.assertIn(': EVENTS LOST: %d could not be written\n' % lost, err)
        self.assertIn(': the event was larger than a block: %d events; record with a larger --block-size\n' % lost, err)
        self.assertIn(': too large: demo.open: %d events, the largest with 12,192 bytes\n' % lost, err)
        self.assertEqual(self.losses(), {'too_large': lost})
        self.assertEqual(self.large(), [{'name': 'demo.open', 'events': lost, 'largest': 12192}])
        text = call(LTT, 'stat', self.trace)
        self.assertRegex(text, r'\nlost +events +%% +why\n  too_large +%d +100.0  the event was larger than a block\n' % lost)
        self.assertRegex(text, r'\ntoo large +events +largest\n  demo.open +%d  11.9 KiB\n' % lost)

    def test_a_full_disk(self):
        if not CAN_UNSHARE:
            self.skipTest('no permission to create a mount namespace')
        small, self.trace = self.path('small'), self.path('kept')
        os.mkdir(small)
        done = subprocess.run(['unshare', '-rm', 'sh', '-c',
                               'mount -t tmpfs -o size=2m none %s && %s record -o %s/trace --block-size=64K -- '
                               '%s -n 100000; cp -r %s/trace %s'
                               % (small, LTT, small, program('storm'), small, self.trace)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        lost = self.lost()
        self.assertIn('trace: the file system was full: {:,} events; free space there, or keep only the last events with '
                      '--flight SIZE\n'.format(lost), done.stderr.decode())
        self.assertEqual(self.losses(), {'disk_full': lost})

    def test_between_vfork_and_exec(self):
        err = self.record('--', 'sh', '-c', '%s vfork >&2' % program('ordeal'))
        self.assertIn(': the event was traced between vfork and exec: 80 events; trace before vfork or after exec\n', err)
        self.assertEqual(self.losses(), {'vfork': 80})

    def test_nothing_is_lost(self):
        err = self.record('--', program('storm'))
        self.assertNotIn('LOST', err)
        self.assertEqual((self.losses(), self.large()), ({}, []))
        self.assertNotIn('\nlost', call(LTT, 'stat', self.trace))
        self.assertEqual(self.events('--all', '--event=losses.*'), [])


# A preloaded library that keeps files from growing: fallocate() at an offset above 0 fails.
NO_GROWTH = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/syscall.h>

long syscall(long number, long a, long b, long c, long d, long e, long f)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");

	if (number == SYS_fallocate && c > 0) {
		errno = atoi(getenv("GROWTH_ERROR"));
		return -1;
	}
	return next(number, a, b, c, d, e, f);
}
"""


class Allocation(Record):
    """The recorder allocates blocks for the programs. Its errno is the reason of their losses."""

    def build_library(self):
        self.library = self.path('growth.so')
        with open(self.path('growth.c'), 'w', encoding='utf-8') as file:
            file.write(NO_GROWTH)
        call('cc', '-shared', '-fPIC', '-fno-builtin', '-o', self.library, self.path('growth.c'))

    def fail_with(self, number, reason, meaning):
        self.build_library()
        self.trace = self.path(reason)
        done = subprocess.run([USE_LTT, 'record', '--no-machine', '-o', self.trace, '--block-size=4K', '--',
                               program('storm'), '-n', '20000'],
                              env=dict(os.environ, LD_PRELOAD=self.library, GROWTH_ERROR=str(number)),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        lost = self.lost()
        self.assertGreater(lost, 0)
        self.assertEqual(self.losses(), {reason: lost}, done.stderr)
        self.assertIn('{}: {}: {:,} events; '.format(self.trace, meaning, lost), done.stderr.decode())
        self.check()

    def test_reasons(self):
        for number, reason, meaning in ((errno.ENOSPC, 'disk_full', 'the file system was full'),
                                        (errno.EDQUOT, 'quota', 'the disk quota was exceeded'),
                                        (errno.EFBIG, 'file_size', 'a tracefile reached the limit of file size'),
                                        (errno.EROFS, 'read_only', 'the file system is read-only'),
                                        (errno.EIO, 'io_error', 'the file system failed')):
            with self.subTest(reason=reason):
                self.fail_with(number, reason, meaning)


    def test_process_events(self):
        """The trace and `ltt stat` report lost starts and exits of processes apart from events of programs."""
        self.build_library()
        done = subprocess.run([USE_LTT, 'record', '--no-machine', '-o', self.trace, '--block-size=4K', '--', 'sh', '-c',
                               'for i in $(seq 150); do %s -n 1; done' % program('storm')],
                              env=dict(os.environ, LD_PRELOAD=self.library, GROWTH_ERROR=str(errno.ENOSPC)),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        self.check()
        started, ended = self.starts_and_exits()
        lost = 300 - len(started) - len(ended)
        self.assertGreater(lost, 0)
        self.assertIn('%s: %d starts and ends of processes could not be written\n' % (self.trace, lost), done.stderr.decode())
        stat = json.loads(call(LTT, 'stat', '--json', self.trace))
        filed = {'disk_full': stat['lost']} if stat['lost'] > 0 else {}
        self.assertEqual((stat['lost_process_events'], stat['lost_by_reason']), (lost, filed))
        self.assertRegex(call(LTT, 'info', self.trace), r'\nlost .*process starts and exits %d\n' % lost)


# A preloaded library for a program that depends on the recorder. It stops the recorder before a
# request, and lets it go on after a time in which the program does not run, either: as if the
# machine had paused.
PAUSES = """#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/futex.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

__attribute__((destructor)) static void go_on(void)
{
	kill(getppid(), SIGCONT);
}

long syscall(long number, ...)
{
	long (*next)(long, ...) = (long (*)(long, ...))dlsym(RTLD_NEXT, "syscall");
	const struct timespec pause_time = {0, 700000000}; /* the program waits for 500 ms */
	static int is_paused;
	va_list list;
	long a[6];

	va_start(list, number);
	for (int i = 0; i < 6; i++)
		a[i] = va_arg(list, long);
	va_end(list);
	if (number == SYS_fallocate && a[2] > 0) {
		errno = ENOSPC;
		return -1;
	}
	if (number == SYS_futex && a[1] == FUTEX_WAKE)
		is_paused = kill(getppid(), SIGSTOP) == 0;
	if (number == SYS_futex && a[1] == FUTEX_WAIT && is_paused) {
		is_paused = 0;
		nanosleep(&pause_time, NULL);
		go_on();
		errno = EINTR;
		return -1;
	}
	return next(number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
"""


class Pauses(Record):
    def test_neither_runs(self):
        """A program waits longer for the recorder if both do not run for a while."""
        source, library = self.path('pauses.c'), self.path('pauses.so')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(PAUSES)
        call('cc', '-shared', '-fPIC', '-fno-builtin', '-o', library, source)
        err = self.record('--no-machine', '--block-size=4K', '--', 'env', 'LD_PRELOAD=' + library, program('storm'), '-n', 2000,
                          preexec_fn=on_one_cpu)
        self.assertNotIn('LOST', err)
        self.assertEqual([len(numbers) for numbers in self.pairs().values()], [2000])


class Unfinished(Record):
    """Reasons in unfinished traces."""

    def start_driven(self, *words):
        """Records a program that loses events on demand. Returns both pids."""
        process = self.start('--block-size=4K', '--no-machine', *words, '--', 'sh', '-c',
                             'echo $PPID $$; exec %s' % program('driven'), preexec_fn=on_one_cpu)
        recorder, pid = map(int, process.stdout.readline().split())
        self.addCleanup(self.kill, pid)
        return process, recorder, pid

    @staticmethod
    def kill(pid):
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass

    def end(self, process):
        process.stdin.write(b'end of input\n')
        process.stdin.flush()
        self.assertEqual(process.stdout.read(), b'')

    def drive(self, process, number):
        process.stdin.write(b'%d\n' % number)
        process.stdin.flush()
        self.assertEqual(int(process.stdout.readline()), number)

    def test_a_killed_recorder(self):
        """The program writes the losses to the trace at its end."""
        process, recorder, _ = self.start_driven()
        self.drive(process, -5)
        os.kill(recorder, signal.SIGKILL)
        self.drive(process, -2000)
        self.end(process)
        self.assertEqual(self.losses(), {'too_large': 2005})
        self.assertEqual(sum(event['data']['events'] for event in self.events('--all', '--event=losses.lost')), 2005)
        out = self.path('repaired')
        call(LTT, 'check', '--repair', '-o', out, self.trace)
        self.assertEqual(self.losses(out), {'too_large': 2005})

    def test_all_are_killed(self):
        """The session state contains the losses that are not in the trace."""
        process, recorder, pid = self.start_driven()
        self.drive(process, -777)
        os.kill(recorder, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(process.stdout.read(), b'')
        # The first loss may have been reported before the recorder was killed.
        self.assertEqual((self.losses(), self.stat()['lost']), ({'too_large': 777}, 777))
        self.assertEqual(self.stat()['too_large'], [{'name': 'demo.open', 'events': 777, 'largest': 65542}])
        # Losses that are not in the trace have no time.
        stat = json.loads(ltt('stat', '--json', '--to', '+0', self.trace).out)
        self.assertEqual(stat['lost_by_reason'], {})

    def stat(self):
        return json.loads(call(LTT, 'stat', '--json', self.trace))

    def test_a_snapshot(self):
        for flight in ((), ('--flight=64K',)):
            with self.subTest(flight=flight):
                self.trace = self.path('trace%d' % len(flight))
                process, _, _ = self.start_driven(*flight)
                self.drive(process, 10)
                self.drive(process, -300)
                copy = self.trace + '.copy'
                call(LTT, 'snapshot', self.trace, '-o', copy)
                self.assertEqual((self.losses(copy), self.lost(copy)), ({'too_large': 300}, 300))
                self.drive(process, -11)
                _, err = process.communicate(timeout=60)
                self.assertEqual(process.returncode, 0, err)
                self.assertEqual(self.losses(), {'too_large': 311})

    def test_a_snapshot_before_any_block(self):
        """The copy includes losses that no tracefile counts yet; the trace counts them once."""
        process, _, _ = self.start_driven()
        self.drive(process, -40)
        copy = self.path('copy')
        call(LTT, 'snapshot', self.trace, '-o', copy)
        self.check(copy, open_blocks=None)
        self.assertEqual((self.losses(copy), self.lost(copy)), ({'too_large': 40}, 40))
        self.drive(process, 5)
        self.drive(process, -2)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual((self.losses(), self.lost()), ({'too_large': 42}, 42))

    def test_commands(self):
        """`ltt info` and `ltt check` list the reasons in one line, and as JSON like `ltt stat`."""
        process, recorder, pid = self.start_driven()
        self.drive(process, -1234)
        os.kill(recorder, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
        process.stdout.read()
        self.assertIn('\nlost       too_large 1,234\n', call(LTT, 'info', self.trace))
        self.assertTrue(call(LTT, 'check', self.trace).endswith(
            ', 1234 events lost while recording\n%s: lost: too_large 1,234\n' % self.trace))
        for command in ('info', 'check', 'stat'):
            said = json.loads(call(LTT, command, '--json', self.trace))
            self.assertEqual((said['lost_by_reason'], said['lost_process_events']), ({'too_large': 1234}, 0), command)
            self.assertEqual(said['too_large'][0]['events'], 1234)


class Attached(Record):
    def test_the_first_event_is_too_large(self):
        """The first event makes the program join; its loss counts like later ones."""
        driven = subprocess.Popen([program('driven')], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.close, driven)
        driven.stdin.write(b'1\n')
        driven.stdin.flush()
        self.assertEqual(driven.stdout.readline(), b'1\n')
        for i in range(3):
            trace = self.path('trace%d' % i)
            attach = subprocess.Popen([LTT, 'attach', '-o', trace, '--block-size=4K', '--pid', str(driven.pid)],
                                      stderr=subprocess.PIPE)
            self.addCleanup(attach.wait)
            self.addCleanup(attach.kill)
            self.assertIn(b'attached to 1 process', attach.stderr.readline())
            driven.stdin.write(b'-50\n')
            driven.stdin.flush()
            self.assertEqual(driven.stdout.readline(), b'-50\n')
            attach.send_signal(signal.SIGINT)
            err = attach.stderr.read()
            attach.stderr.close()
            self.assertEqual(self.losses(trace), {'too_large': 50}, err)


class Kept(Record):
    """The reasons are tracer events: hidden, copied, cut and merged like others."""

    def setUp(self):
        super().setUp()
        self.record('--block-size=4K', '--', 'sh', '-c', '%s strings >&2' % program('ordeal'))
        self.reasons = {'too_large': self.lost()}

    def test_hidden(self):
        self.assert_no_event('processes.none')
        names = {event['event'] for event in self.events()}
        self.assertFalse([name for name in names if name.startswith('losses.')])
        self.assertEqual({event['event'] for event in self.events('--all', '--event=losses.*')},
                         {'losses.lost', 'losses.too_large'})

    def test_windows(self):
        """Losses count at the time of their event, after the last event of the program."""
        stat = json.loads(ltt('stat', '--json', '--to', '+0', self.trace).out)
        self.assertEqual((stat['lost'], stat['lost_by_reason'], stat['too_large']), (0, {}, []))
        stat = json.loads(call(LTT, 'stat', '--json', '--cpu', '0-8191', self.trace))
        self.assertEqual((stat['lost'], stat['lost_by_reason']), (self.reasons['too_large'], {}))

    def test_parts_and_copies(self):
        out = self.path('out.tar.gz')
        call(LTT, 'pack', self.trace, '-o', out)
        self.assertEqual(self.losses(out), self.reasons)
        for name, words in (('cut', ('--filter', 'fd == 1')), ('repair', ('--repair',))):
            out = self.path(name)
            call(LTT, 'check' if name == 'repair' else name, *words, '-o', out, self.trace)
            self.assertEqual(self.losses(out), self.reasons, name)

    def test_merged(self):
        """The losses of two recordings are added."""
        first, self.trace = self.trace, self.path('second')
        self.record('--block-size=4K', '--', 'sh', '-c', '%s vfork >&2' % program('ordeal'))
        out = self.path('merged')
        call(LTT, 'merge', '-o', out, first, self.trace)
        self.assertEqual(self.losses(out), dict(self.reasons, vfork=80))


if __name__ == '__main__':
    unittest.main()
