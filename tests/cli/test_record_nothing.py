"""Recordings that `ltt record` refuses, and recordings without events: the messages."""
import os
import subprocess
import unittest

from cli.test_record_program import LTT, Record
from recording import USE, call, program

USE_LTT = os.path.join(USE, 'bin/ltt')
CAN_UNSHARE = subprocess.run(['unshare', '-rm', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0

# An mmap() that fails for shared files.
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


class Facilities(Record):
    """Globs of --facility that match no facility."""

    def test_nothing_matches(self):
        err = self.record('--facility', 'job,demi', '--', program('storm'))
        self.assertIn('\nltt record: --facility job: no program has this facility; available: demo\n', err)
        self.assertIn('\nltt record: --facility demi: no program has this facility; did you mean demo? Available: demo\n', err)

    def test_one_of_them_matches(self):
        err = self.record('--facility', 'd?mo,job', '--', program('storm'))
        self.assertIn('\nltt record: --facility job: no program has this facility; available: demo\n', err)
        self.assertNotIn('--facility d?mo', err)
        self.assertNotEqual(self.events('--event=demo.*'), [])

    def test_all_match(self):
        self.assertNotIn('--facility', self.record('--facility', 'demo,d*', '--', program('storm')))

    def test_there_is_none(self):
        """Without a traced process, `ltt record` reports only that."""
        self.assertNotIn('--facility', self.record('--facility', 'job', '--', 'true'))


class Refused(Record):
    """`ltt record` refuses impossible options before the program starts, with numbers, and leaves no files."""

    def refuse(self, *words, shell=None, said):
        """@shell: commands to run before"""
        # The normal build, because sanitizers need more address space than the limit.
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
            self.skipTest('no permission to create a mount namespace')
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
        """mmap() fails with ENODEV, as on some file systems that need hardware or FUSE."""
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
    """Nothing was traced, for another reason than a program without libltt-probe."""

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
