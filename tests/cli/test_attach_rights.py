"""`ltt attach`: permissions, and hostile attach files."""
import ctypes
import os
import pwd
import random
import shutil
import struct
import subprocess
import unittest

from attaching import Attach, LTT, Program
from recording import STRESS, USE, call, program

STRANGER = 54321  # no user has this number
NOBODY = pwd.getpwnam('nobody').pw_uid
IS_ROOT = os.geteuid() == 0
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2


def filter_no_call():
    """Installs a seccomp filter that allows every system call."""
    allow = ctypes.create_string_buffer(struct.pack('=HBBI', 0x06, 0, 0, 0x7fff0000), 8)
    program_of_one = struct.pack('@HP', 1, ctypes.addressof(allow))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) or libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, program_of_one):
        raise OSError(ctypes.get_errno(), 'prctl')


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
        """Root can attach the program of a user; a user cannot attach programs of root."""
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

    def test_programs_of_several_users(self):
        """Processes with the requested name that belong to somebody else are reported, whenever they start."""
        path, name = self.named()
        own, roots = Program(self, path, preexec_fn=self.as_nobody), Program(self, path)
        self.trace = '/dev/shm/ltt-test-nobody-%d' % os.getpid()
        self.addCleanup(shutil.rmtree, self.trace, ignore_errors=True)
        process = self.attach('--name', name, ltt=os.path.join(USE, 'bin/ltt'), preexec_fn=self.as_nobody)
        reason = 'ltt attach: %s (process %d): it belongs to another user, or has changed its user; try as root\n'
        self.assertEqual(process.said[0], reason % (name, roots.pid))
        self.assertIn(': attached to 1 process\n', process.said[1])
        own.do(5)
        later = Program(self, path)
        self.assertEqual(process.stderr.readline(), reason % (name, later.pid))
        self.detach(process)
        self.assertEqual({who >> 32 for who in self.pairs()}, {own.pid})

    def test_a_full_file_system(self):
        """Without memory for a slot the program runs without one."""
        for size in ('4k', '16k', '1m'):
            said = subprocess.run(['unshare', '--mount', 'sh', '-c', 'mount -t tmpfs -o size=%s none /dev/shm && '
                                   'exec %s' % (size, program('tracee'))], input='5\n', stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, check=False)
            if 'unshare' in said.stdout or 'mount' in said.stdout:
                self.skipTest(said.stdout)
            self.assertEqual((said.returncode, said.stdout), (0, 'ready\ndone\n'))

    def test_a_wish_for_a_trace_of_somebody_else(self):
        """An unprivileged process that shares a slot cannot make another process join its session."""
        tracee = Program(self)
        process = self.attach('--pid', tracee.pid)
        for path in (self.trace, self.trace + '/info/session', self.trace + '/info/lock'):
            os.chown(path, NOBODY, NOBODY)
        tracee.do(5)
        said = self.detach(process, status=1)
        self.assertIn('process %d could not join: Operation not permitted' % tracee.pid, said)
        self.assert_no_event('demo.*')


class Hostile(Attach):
    """Any program of the user can write to a slot."""

    def slot(self, tracee):
        """Returns the attach file and the offset of the slot."""
        with open('/proc/%d/maps' % tracee.pid, encoding='utf-8') as file:
            words = [line.split() for line in file if '/ltt-attach-2-' in line][0]
        return words[5], int(words[2], 16)

    def test_garbage(self):
        """Random bytes in a slot harm neither `ltt attach` nor a program."""
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
        """The probe does not touch a foreign file, and the program runs without a slot."""
        if not IS_ROOT:
            self.skipTest('needs root')
        path, user = '/dev/shm/ltt-attach-2-%d' % STRANGER, str(STRANGER)
        self.addCleanup(lambda: os.path.exists(path) and os.remove(path))
        for make in (lambda: open(path, 'wb').close(), lambda: os.symlink('/etc/passwd', path),
                     lambda: os.mkfifo(path, 0o600)):
            make()
            tracee = Program(self, preexec_fn=lambda: os.setuid(int(user)))
            self.assertIn('it was not built with libltt-probe, or cannot be attached', self.fails('--pid', tracee.pid))
            tracee.do(5)
            os.remove(path)


    def test_root_of_a_user_namespace(self):
        """It uses the file of the user outside, who can attach it: root could not use one that it creates for root."""
        user = ('setpriv', '--reuid=%d' % STRANGER, '--regid=%d' % STRANGER, '--clear-groups')
        inside = (*user, 'unshare', '--user', '--map-root-user')
        if not IS_ROOT or subprocess.run([*inside, 'true'], check=False).returncode != 0:
            self.skipTest('needs root, and user namespaces')
        path = '/dev/shm/ltt-attach-2-%d' % STRANGER
        self.addCleanup(lambda: os.path.exists(path) and os.remove(path))
        tracee = Program(self, *inside, program('tracee'))
        self.assertEqual(self.slot(tracee)[0], path)
        os.chown(self.folder, STRANGER, STRANGER)
        process = self.attach('--pid', tracee.pid, before=user)
        tracee.do(5)
        self.detach(process)
        self.assertEqual(list(self.numbers().values()), [(0, 4)])


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
        self.assertIn('no running program with this name can be attached', self.fails('--name', 'nothing-has-this'))
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
        """A program can be attached after its recording by `ltt record` has ended."""
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

    def test_a_later_one_with_a_filter_of_system_calls(self):
        path, name = self.named()
        first = Program(self, path)
        process = self.attach('--name', name)
        first.do(5)
        later = Program(self, path, preexec_fn=filter_no_call)
        self.assertIn('%s (process %d): it has a seccomp filter' % (name, later.pid), process.stderr.readline())
        later.do(5)
        self.assertNotIn('seccomp', self.detach(process, status=1))
        self.check()
        self.assertEqual({who >> 32 for who in self.pairs()}, {first.pid})

    def test_a_list(self):
        tracee, filtered = Program(self), Program(self)
        filtered.do('filter')
        said = call(LTT, 'attach', '--list')
        self.assertRegex(said, r'(?m)^ +%d +%d  tracee +ready +demo$' % (tracee.pid, os.geteuid()))
        self.assertRegex(said, r'(?m)^ +%d +%d  tracee +seccomp +demo$' % (filtered.pid, os.geteuid()))


if __name__ == '__main__':
    unittest.main()
