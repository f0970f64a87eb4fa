"""Failures of `ltt record`: its messages, its exit status, and the resulting trace."""
import os
import pty
import re
import shutil
import signal
import struct
import subprocess
import termios

from cli.test_record_program import LTT, Record
from recording import program

CAN_UNSHARE = subprocess.run(['unshare', '-rm', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Signals(Record):
    def test_interrupted_at_the_terminal(self):
        """The terminal signals all foreground processes; the program and then the recording end normally."""
        controller, terminal = pty.openpty()
        self.addCleanup(os.close, controller)

        def take_terminal():
            os.setsid()
            os.dup2(os.open(os.ttyname(terminal), os.O_RDWR), 0)

        process = subprocess.Popen([LTT, 'record', '-o', self.trace, '--', 'sh', '-c', '%s; echo ready; exec %s -n 0 -w 20000'
                                    % (program('storm'), program('storm'))], preexec_fn=take_terminal,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        os.close(terminal)
        self.assertEqual(process.stdout.readline(), b'ready\n')
        os.write(controller, termios.tcgetattr(controller)[6][termios.VINTR])
        out, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, out), (128 + signal.SIGINT, b''), err)
        self.assertRegex(err.decode(), r'^ltt record: \S+: \d+ events, \S+ .*, (1 process|2 processes), \S+ s\n$')
        self.check()
        for who, numbers in self.pairs().items():
            self.assert_whole(numbers, who)

    def test_a_program_that_ends_in_its_own_way(self):
        """The signal is forwarded; the program handles it, and its exit status is returned."""
        for number in (signal.SIGTERM, signal.SIGINT):
            self.trace = self.path('trace%d' % number)
            process = self.start('--', 'sh', '-c', 'trap "%s; exit 7" TERM INT; echo ready; while :; do :; done'
                                 % program('storm'))
            self.assertEqual(process.stdout.readline(), b'ready\n')
            process.send_signal(number)
            _, err = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 7)
            self.assertIn(b' 1143 events, ', err)
            self.check()


class LeftBehind(Record):
    def test_a_daemon_runs_on(self):
        """The recording ends before the daemon and reports that; the trace has all its events up to then."""
        process = self.start('--', 'sh', '-c', '%s -n 0 -w 20000 >&- 2>&- <&- & echo $!; '
                             'until ls %s/cpu/* >/dev/null 2>&1; do :; done; %s -n 100'
                             % (program('storm'), self.trace, program('storm')))
        daemon = int(process.stdout.readline())
        self.addCleanup(os.kill, daemon, signal.SIGKILL)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b'processes that `sh` started are no longer recorded', err)
        report = self.check(open_blocks=None)
        for who, numbers in self.pairs().items():
            self.assert_whole(numbers, who)
        os.kill(daemon, 0)
        self.assertEqual(self.check(open_blocks=None), report)

    def test_a_stopped_daemon(self):
        process = self.start('--', 'sh', '-c', '%s -n 0 -w 20000 >&- 2>&- <&- & echo $!; '
                             'until ls %s/cpu/* >/dev/null 2>&1; do :; done; kill -STOP $!; %s -n 100'
                             % (program('storm'), self.trace, program('storm')))
        daemon = int(process.stdout.readline())
        self.addCleanup(os.kill, daemon, signal.SIGKILL)
        process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.check(open_blocks=None)


class Refused(Record):
    def test_programs_of_another_version(self):
        """Refused programs run untraced and are reported with the reason."""
        process = self.start('--', 'sh', '-c', 'echo ready; read line; %s -n 10; %s -n 10; read line; exit 0'
                             % (program('storm'), program('storm')))
        self.assertEqual(process.stdout.readline(), b'ready\n')
        with open(os.path.join(self.trace, 'info/session'), 'r+b') as file:
            file.seek(8)
            version = file.read(4)
            file.seek(8)
            file.write(struct.pack('<I', 999))
        process.stdin.write(b'\n')
        process.stdin.flush()
        # Waits until both are refused; the shell keeps the session open until then.
        while self.refused() < 2:
            pass
        with open(os.path.join(self.trace, 'info/session'), 'r+b') as file:
            file.seek(8)
            file.write(version)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        said = re.findall(r'not traced: storm \(process \d+\): (.*)\n', err.decode())
        self.assertEqual(said, ['it was built with another version of libltt-probe'] * 2)
        self.assertNotIn(b'nothing was traced', err)

    def refused(self):
        with open(os.path.join(self.trace, 'info/session'), 'rb') as file:
            return struct.unpack_from('<I', file.read(24), 20)[0]


class Disks(Record):
    def test_the_trace_is_removed(self):
        """The program continues, and events that it cannot write count as lost."""
        shell = 'rm -r %s/cpu; exec %s -n 20000' % (self.trace, program('storm'))
        err = self.record('--block-size=4K', '--', 'sh', '-c', shell)
        self.assertIn('EVENTS LOST: %d could not be written' % (20000 + -(-20000 // 7)), err)
        self.check()
        self.trace = self.path('all')
        err = self.record('--', 'sh', '-c', 'rm -r %s; %s' % (self.trace, program('storm')), status=0)
        self.assertIn('the trace directory was removed or renamed', err)
        self.assertNotIn('left behind', err)

    def test_the_trace_is_removed_under_a_running_program(self):
        process = self.start('--block-size=4K', '--', program('driven'))
        for number in (b'1000\n', b'100000\n'):
            process.stdin.write(number)
            process.stdin.flush()
            self.assertEqual(process.stdout.readline(), number)
            shutil.rmtree(self.trace, ignore_errors=True)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0)
        self.assertIn(b'the trace directory was removed or renamed', err)
        self.assertIn(b'EVENTS LOST: ', err)

    def test_another_recording_has_its_name(self):
        """A recording whose trace was renamed does not report the trace that has its name now."""
        process = self.start('--', program('driven'))
        process.stdin.write(b'1000\n')
        process.stdin.flush()
        self.assertEqual(process.stdout.readline(), b'1000\n')
        os.rename(self.trace, self.path('renamed'))
        self.record('--', program('storm'), '-n', '10', status=0)
        _, err = process.communicate(timeout=60)
        self.assertEqual((process.returncode, err.decode()), (
            0, 'ltt record: %s: the trace directory was removed or renamed during the recording\n' % self.trace))
        self.check()
        subprocess.run([LTT, 'check', self.path('renamed')], check=True, stdout=subprocess.DEVNULL)

    def test_a_directory_that_cannot_be_written(self):
        for parent in ('/proc', self.path('nothing')):
            done = subprocess.run([LTT, 'record', '-o', os.path.join(parent, 'trace'), '--', 'true'],
                                  stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False)
            self.assertEqual((done.returncode, done.stdout), (2, b''))
            self.assertIn(b'could not create the trace', done.stderr)

    def test_a_full_disk(self):
        """A small real file system is full; the program continues without errors and signals."""
        if not CAN_UNSHARE:
            self.skipTest('no permission to create a mount namespace')
        small = self.path('small')
        kept = self.path('kept')
        os.mkdir(small)
        done = subprocess.run(['unshare', '-rm', 'sh', '-c',
                               'mount -t tmpfs -o size=2m none %s && %s record -o %s/trace --block-size=64K -- '
                               '%s -n 100000 -t 2 -s 1000; echo status $?; cp -r %s/trace %s'
                               % (small, LTT, small, program('storm'), small, kept)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        self.assertEqual(done.stdout, b'status 0\n', done.stderr)
        lost = int(re.search(rb'EVENTS LOST: (\d+) could not be written', done.stderr).group(1))
        self.assertGreater(lost, 0)
        self.trace = kept
        self.check()
        self.assertEqual(self.lost(), lost)
        written = len(self.events('--event=demo.*'))
        signals = written + lost - 2 * (100000 + -(-100000 // 7))
        self.assertGreaterEqual(signals, 0)
        for numbers in self.pairs().values():
            self.assertEqual(numbers, sorted(set(numbers)))

    def test_no_room_for_the_trace_at_all(self):
        if not CAN_UNSHARE:
            self.skipTest('no permission to create a mount namespace')
        small = self.path('small')
        os.mkdir(small)
        done = subprocess.run(['unshare', '-rm', 'sh', '-c',
                               'mount -t tmpfs -o size=64k none %s && %s record -o %s/trace -- true; echo status $?; '
                               'ls %s' % (small, LTT, small, small)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        self.assertEqual(done.stdout, b'status 2\n', done.stderr)
        self.assertIn(b'No space left on device', done.stderr)
