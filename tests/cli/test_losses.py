"""Losses by reason: the messages of `ltt record`, and the counts in the trace."""
import errno
import json
import os
import signal
import subprocess
import unittest

from cli.test_record_program import LTT, Record
from recording import USE, call, on_one_cpu, program

USE_LTT = os.path.join(USE, 'bin/ltt')
CAN_UNSHARE = subprocess.run(['unshare', '-rm', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0

# For files that are shared.
NO_MMAP = """#define _GNU_SOURCE
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

void *mmap(void *at, size_t size, int protection, int flags, int fd, off_t offset)
{
	if (fd >= 0 && (flags & MAP_SHARED) != 0) {
		errno = ENODEV;
		return MAP_FAILED;
	}
	return (void *)syscall(SYS_mmap, at, size, protection, flags, fd, offset);
}
"""


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
            self.skipTest('no name space of its own to mount a file system in')
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


# Files of the trace cannot grow any more: fallocate() fails if it does not begin at their start.
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
    """The recorder allocates blocks for the programs. Its failure is their reason."""

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
                                        (errno.EDQUOT, 'quota', 'the disk quota was used up'),
                                        (errno.EFBIG, 'file_size', 'a tracefile reached the limit of file size'),
                                        (errno.EROFS, 'read_only', 'the file system is read-only'),
                                        (errno.EIO, 'io_error', 'the file system failed')):
            with self.subTest(reason=reason):
                self.fail_with(number, reason, meaning)


    def test_process_events(self):
        """Lost starts and exits of processes are in the trace and in `ltt stat`, apart from the program's events."""
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


class Unfinished(Record):
    """Reasons in traces that nobody has finished."""

    def start_driven(self, *words):
        """A program below a recorder that loses events on demand. Returns both pids."""
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
        """The program reports the losses when it ends; the trace has them as events."""
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
        """The session state has what nobody reported."""
        process, recorder, pid = self.start_driven()
        self.drive(process, -777)
        os.kill(recorder, signal.SIGKILL)
        os.kill(pid, signal.SIGKILL)
        self.assertEqual(process.stdout.read(), b'')
        # The first loss may have been reported before the recorder was killed.
        self.assertEqual((self.losses(), self.stat()['lost']), ({'too_large': 777}, 777))
        self.assertEqual(self.stat()['too_large'], [{'name': 'demo.open', 'events': 777, 'largest': 65542}])
        # What was not reported has no time.
        stat = json.loads(call(LTT, 'stat', '--json', '--to', '+0', self.trace))
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
        """Losses that no tracefile counts yet are in the copy, too, and not twice in the trace."""
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
        """It makes the program join, and is counted like those after it."""
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
    """The reasons are events like others of the tracer: hidden, copied, cut and merged with the rest."""

    def setUp(self):
        super().setUp()
        self.record('--block-size=4K', '--', 'sh', '-c', '%s strings >&2' % program('ordeal'))
        self.reasons = {'too_large': self.lost()}

    def test_hidden(self):
        self.assertEqual(self.events('--event=processes.none'), [])
        names = {event['event'] for event in self.events()}
        self.assertFalse([name for name in names if name.startswith('losses.')])
        self.assertEqual({event['event'] for event in self.events('--all', '--event=losses.*')},
                         {'losses.lost', 'losses.too_large'})

    def test_windows(self):
        """They are counted where they stand: behind the program's last event."""
        stat = json.loads(call(LTT, 'stat', '--json', '--to', '+0', self.trace))
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
        """What two recordings lost is added up."""
        first, self.trace = self.trace, self.path('second')
        self.record('--block-size=4K', '--', 'sh', '-c', '%s vfork >&2' % program('ordeal'))
        out = self.path('merged')
        call(LTT, 'merge', '-o', out, first, self.trace)
        self.assertEqual(self.losses(out), dict(self.reasons, vfork=80))


class Facilities(Record):
    """--facility that no program has."""

    def test_nothing_matches(self):
        err = self.record('--facility', 'job,demi', '--', program('storm'))
        self.assertIn('\nltt record: --facility job: no program has it; there were: demo\n', err)
        self.assertIn('\nltt record: --facility demi: no program has it; did you mean demo? There were: demo\n', err)

    def test_one_of_them_matches(self):
        err = self.record('--facility', 'd?mo,job', '--', program('storm'))
        self.assertIn('\nltt record: --facility job: no program has it; there were: demo\n', err)
        self.assertNotIn('--facility d?mo', err)
        self.assertNotEqual(self.events('--event=demo.*'), [])

    def test_all_match(self):
        self.assertNotIn('--facility', self.record('--facility', 'demo,d*', '--', program('storm')))

    def test_there_is_none(self):
        """That no process was traced is enough."""
        self.assertNotIn('--facility', self.record('--facility', 'job', '--', 'true'))


class Refused(Record):
    """What cannot work is refused before the program starts, with numbers, and leaves nothing."""

    def refuse(self, *words, shell=None, said):
        """@shell: what is done before"""
        # Sanitizers need more address space than there is under a limit.
        command = [USE_LTT, 'record', '-o', self.trace, *words, '--', 'sh', '-c', 'echo ran']
        if shell is not None:
            command = ['bash', '-c', shell + '; exec "$@"', 'sh', *command]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b''), done.stderr)
        self.assertRegex(done.stderr.decode(), r'\Altt record: \S+/trace: %s\n\Z' % said)
        self.assertFalse(os.path.exists(self.trace))

    def test_flight_recorder_larger_than_the_disk(self):
        self.refuse('--flight', '1T', said=r'a flight recorder of 1 TiB for each of \d+ CPUs takes \d+ TiB, and .* are '
                    r'free: expected no more than .*')

    def test_flight_recorder_larger_than_files_may_be(self):
        self.refuse('--flight', '4M', shell='ulimit -f 1024',
                    said=r'a tracefile takes 4 MiB: expected no more than the limit of file size, 1 MiB \(`ulimit -f`\)')

    def test_blocks_larger_than_files_may_be(self):
        self.refuse('--block-size', '4M', shell='ulimit -f 1024', said=r'a tracefile takes 4 MiB: .*')

    def test_flight_recorder_larger_than_the_address_space(self):
        self.refuse('--flight', '3G', shell='ulimit -v 4000000', said=r'a flight recorder of 3 GiB maps 6 GiB, and the limit '
                    r'of address space is 3.8 GiB \(`ulimit -v`\): expected no more than 1.9 GiB')

    def in_file_system(self, mount, *words, said):
        if not CAN_UNSHARE:
            self.skipTest('no name space of its own to mount a file system in')
        small = self.path('small')
        os.makedirs(small, exist_ok=True)
        done = subprocess.run(['unshare', '-rm', 'sh', '-c', '%s || exit 99; shift; "$@"; echo status $?; ls -A "$0"' % mount,
                               small, 'x', LTT, 'record', '-o', small + '/trace', *words, '--', 'sh', '-c', 'echo ran'],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.stdout, b'status 2\n', done.stderr)
        self.assertRegex(done.stderr.decode(), r'\Altt record: \S+/trace: %s\n\Z' % said)

    def test_no_room_for_the_first_blocks(self):
        self.in_file_system('mount -t tmpfs -o size=256k none "$0"', said='could not create the trace: No space left on device: '
                            r'256 KiB are free, and its first blocks of 256 KiB take \S+ MiB')

    def test_no_room_for_the_flight_recorder(self):
        self.in_file_system('mount -t tmpfs -o size=20m none "$0"', '--flight', '21M',
                            said=r'a flight recorder of 21 MiB for each of \d+ CPUs takes \d+ MiB, and 20 MiB are free: '
                            r'expected no more than .*')

    def test_a_read_only_directory(self):
        self.in_file_system('mount -t tmpfs none "$0" && mount -o remount,ro "$0"',
                            said='could not create the trace: Read-only file system')

    def test_a_file_system_that_cannot_map_files(self):
        """Its mmap() says ENODEV; such file systems need hardware, or FUSE."""
        source, library = self.path('mmap.c'), self.path('mmap.so')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(NO_MMAP)
        call('cc', '-shared', '-fPIC', '-o', library, source)
        command = ['env', 'LD_PRELOAD=' + library, program('session'), 'create', self.trace]
        self.assertEqual(call(*command, status=1), 'create: No such device\n')
        environment = dict(os.environ, LD_PRELOAD=library)
        done = subprocess.run([USE_LTT, 'record', '-o', self.trace, '--', 'sh', '-c', 'echo ran'],
                              env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
        self.assertEqual((done.returncode, done.stdout), (2, b''), done.stderr)
        self.assertIn(b'/trace: could not create the trace: its file system cannot map files into memory; expected another '
                      b'directory\n', done.stderr)
        self.assertFalse(os.path.exists(self.trace))


class Untraced(Record):
    """Nothing was traced, and the program is not to blame for not being built with the probe."""

    def test_a_library_is_missing(self):
        source = self.path('main.c')
        with open(source, 'w', encoding='utf-8') as file:
            file.write('int one(void);\nint main(void)\n{\n\treturn one();\n}\n')
        with open(self.path('one.c'), 'w', encoding='utf-8') as file:
            file.write('int one(void);\nint one(void)\n{\n\treturn 1;\n}\n')
        library = self.path('libone.so')
        call('cc', '-shared', '-fPIC', '-o', library, self.path('one.c'))
        call('cc', '-o', self.path('main'), source, library)
        os.remove(library)
        err = self.record('--', self.path('main'), status=127)
        self.assertIn('nothing was traced: `%s` ended with status 127: a program or a shared library was not found\n'
                      % self.path('main'), err)
        self.assertNotIn('built with libltt-probe', err)

    def test_a_shell_that_finds_nothing(self):
        self.assertIn('a program or a shared library was not found', self.record('--', 'sh', '-c', 'no-such-program', status=127))
        err = self.record_again('--', 'sh', '-c', '/etc/passwd', status=126)
        self.assertIn('ended with status 126: a program could not be executed\n', err)

    def record_again(self, *words, **options):
        self.trace = self.path('again')
        return self.record(*words, **options)


if __name__ == '__main__':
    unittest.main()
