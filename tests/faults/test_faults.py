"""Some of the system calls of some commands fail, one at a time (`scons faults` tries all of them)."""
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest
import urllib.request

from command import ALL, SOURCE, CommandTest

sys.path.insert(0, os.path.join(SOURCE, 'tests/faults'))
import attach_faults  # noqa: E402  pylint: disable=wrong-import-position
import faults  # noqa: E402  pylint: disable=wrong-import-position
import kernel_faults  # noqa: E402  pylint: disable=wrong-import-position
import memory_faults  # noqa: E402  pylint: disable=wrong-import-position
import record_faults  # noqa: E402  pylint: disable=wrong-import-position
import session_faults  # noqa: E402  pylint: disable=wrong-import-position
import view_faults  # noqa: E402  pylint: disable=wrong-import-position

USE = os.environ.get('LTT_USE', os.path.join(SOURCE, 'build'))
# One of so many faults is tried.
EVERY = 12 if ALL else 36


def can_trace():
    """Whether strace is there and may trace."""
    return shutil.which('strace') and subprocess.run(['strace', '-o', '/dev/null', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0


@unittest.skipUnless(can_trace(), 'needs the Debian package strace, and the right to trace')
class Faults(CommandTest):
    def test_commands(self):
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        for name in ('dump', 'stat', 'check', 'sql', 'save', 'pack', 'unpack', 'merge', 'export', 'chrome', 'import', 'compile'):
            n_faults = 0
            for call, number, error, wrong in tried.try_command(name, EVERY):
                n_faults += 1
                with self.subTest(command=name, call=call, number=number, error=error):
                    self.assertIsNone(wrong)
            self.assertGreater(n_faults, 0)

    def test_a_result_has_its_name_when_it_is_complete(self):
        """A command is killed before it renames a directory or file of a temporary name."""
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        for name in ('pack', 'unpack', 'cut', 'cut-every', 'merge', 'merge-sync', 'repair', 'redact', 'import', 'export', 'chrome', 'split', 'save'):
            with self.subTest(command=name):
                ended = tried.run(*faults.COMMANDS[name], '-e', 'inject=renameat2:signal=KILL:when=1', '-e', 'trace=renameat2', '-o', '/dev/null')
                self.assertEqual((ended.status, ended.digest), (-signal.SIGKILL, None))
                self.assertEqual([bool(faults.TEMPORARY.match(left)) for left in ended.left], [True], ended.left)

    def test_a_signal_while_tables_are_saved(self):
        """It arrives when the file is opened, by its temporary name."""
        out = self.path('out')
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            with self.subTest(signal=number):
                ended = subprocess.run(['strace', '-f', '-qq', '-o', '/dev/null', '-P', out, '-P', out + '.part0', '-e', 'trace=openat',
                                        '-e', 'inject=openat:signal=%d:when=1' % number, os.path.join(USE, 'bin/ltt'), 'sql', '-o', out,
                                        faults.DATA + '/ltt/every-type'], stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
                self.assertEqual((ended.returncode, ended.stderr), (-number, b''))
                self.assertEqual(os.listdir(self.folder), [])

    def test_a_folder_that_cannot_be_read(self):
        """An error while a folder is read is not taken for the end of the folder."""
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        plain = tried.run(*faults.COMMANDS['pack'])
        self.assertEqual(plain.status, 0)
        n_refused = 0
        for number in range(1, 20):
            ended = tried.run(*faults.COMMANDS['pack'], '-e', 'inject=getdents64:error=EIO:when=%d' % number, '-e', 'trace=getdents64', '-o', '/dev/null')
            if ended.status == 0: # whether the result is in the trace, or further folders, was not known
                self.assertEqual(ended.digest, plain.digest)
                continue
            self.assertEqual((ended.status, ended.left), (2, []))
            self.assertIn('could not read the directory: Input/output error', ended.err)
            n_refused += 1
        self.assertGreater(n_refused, 0)

    def test_the_name_of_a_trace(self):
        """The directory in the archive would have another name if the path could not be resolved once."""
        n_faults = 0
        for call, number, error, wrong in faults.Faults(USE, self.folder).try_command('pack', 1, of=('readlink',)):
            n_faults += 1
            with self.subTest(call=call, number=number, error=error):
                self.assertIsNone(wrong)
        self.assertGreater(n_faults, 0)

    def test_one_read_of_a_border_between_blocks(self):
        """A block whose start could not be read once has another place; the command must say so."""
        n_faults = 0
        for call, number, error, wrong in faults.Faults(USE, self.folder).try_command('latency', 1, of=('pread64',)):
            n_faults += 1
            with self.subTest(call=call, number=number, error=error):
                self.assertIsNone(wrong)
        self.assertGreater(n_faults, 20)


@unittest.skipUnless(can_trace(), 'needs the Debian package strace, and the right to trace')
class NoThreads(CommandTest):
    """clone3(2) fails in every thread: GLib would abort where a thread is demanded."""
    FAIL = ('-e', 'inject=clone3:error=EAGAIN:when=%s', '-e', 'trace=clone3', '-e', 'signal=none', '-o', '/dev/null')

    def run_without(self, words, result=None):
        return faults.Faults(USE, self.folder).run(words, result, *[word.replace('%s', '1+') for word in self.FAIL])

    def run_both(self, words, result=None):
        return faults.Faults(USE, self.folder).run(words, result), self.run_without(words, result)

    def test_results_are_the_same(self):
        for words, result in ((['dump', '-j', '4', '{every-type}'], None), (['stat', '-j4', '--json', '{every-type}'], None),
                              (['sql', '{every-type}', 'SELECT count(*), min(time) FROM events'], None), faults.COMMANDS['chrome'],
                              (['export', '--to', 'csv', '--split', '-o', '{out}', '{every-type}'], '{out}'), faults.COMMANDS['merge']):
            with self.subTest(words=words):
                plain, ended = self.run_both(words, result)
                self.assertEqual((ended.status, ended.err, ended.digest), (plain.status, plain.err, plain.digest))
                self.assertIsNotNone(ended.digest)

    @unittest.skipUnless(os.path.exists(os.path.join(USE, 'share/ltt/viewer/viewer.js')), 'the page is not built')
    def test_view(self):
        plain, ended = self.run_both(['view', '--no-cache', '--html', '{out}', '{every-type}'], '{out}')
        self.assertEqual((ended.status, ended.err, ended.digest), (0, '', plain.digest))
        ended = self.run_without(['view', '--no-cache', '--png', '{out}', '{every-type}'], '{out}')
        self.assertEqual((ended.status, ended.err, ended.left), (2, 'ltt view: could not start the thread fonts: '
                                                                 'Error creating thread: Resource temporarily unavailable\n', []))
        ended = self.run_without(['view', '--no-cache', '--no-browser', '{every-type}'])
        self.assertEqual((ended.status, ended.out, ended.err), (2, b'', 'ltt view: could not start the threads of the server\n'))

    @unittest.skipUnless(os.path.exists(os.path.join(USE, 'share/ltt/viewer/viewer.js')), 'the page is not built')
    def test_calls_of_a_server(self):
        for call, number, error, wrong in view_faults.Server(USE, self.folder).try_all(20):
            with self.subTest(call=call, number=number, error=error):
                self.assertIsNone(wrong)

    @unittest.skipUnless(os.path.exists(os.path.join(USE, 'share/ltt/viewer/viewer.js')), 'the page is not built')
    def test_a_server_that_reads_the_trace_before_it_answers(self):
        """The second thread would read it, and the third one follow a recording."""
        fail = [word.replace('%s', '2+') for word in self.FAIL]
        with subprocess.Popen(['strace', '-f', '-qq', *fail, os.path.join(USE, 'bin/ltt'), 'view', '--no-cache', '--no-browser',
                               faults.DATA + '/ltt/every-type'], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
            url = server.stdout.readline().strip()
            with urllib.request.urlopen(url + 'api/progress') as answer:
                self.assertEqual(json.load(answer)['stage'], 'ready')
            subprocess.run(['pkill', '-INT', '-P', str(server.pid)], check=True)
            self.assertEqual((server.communicate()[1], server.returncode), ('', 0))


class Memory(CommandTest):
    def test_commands(self):
        faults.make_recording(self.path('perf.data'))
        tried = memory_faults.Memory(USE, self.folder)
        for name, every in (('check', 40), ('cut', 150), ('pack', 1), ('save', 500), ('merge', 150), ('import', 400), ('picture', 1000)):
            for number, wrong in tried.try_command(name, every):
                with self.subTest(command=name, allocation=number):
                    self.assertIsNone(wrong)

    def test_blocks(self):
        """A command that has no memory for a block of facilities once would leave them out."""
        tried = memory_faults.Memory(USE, self.folder)
        for name in ('info', 'stat', 'cut', 'check'):
            n_faults = 0
            for number, wrong in tried.try_command(name, 1, kind='aligned'):
                n_faults += 1
                with self.subTest(command=name, allocation=number):
                    self.assertIsNone(wrong)
            self.assertGreater(n_faults, 0, name)

    def test_a_traced_program(self):
        """It has no other allocations than those of libltt-probe."""
        tried = memory_faults.Memory(USE, self.folder)
        for words in ([], ['--flight', '64K']):
            for number, wrong in tried.try_program(words):
                with self.subTest(words=words, allocation=number):
                    self.assertIsNone(wrong)


@unittest.skipUnless(can_trace(), 'needs the Debian package strace, and the right to trace')
class Recordings(CommandTest):
    def recordings(self):
        return record_faults.Recordings(USE, self.folder)

    def test_calls_of_a_program(self):
        n_faults = 0
        for call, number, error, wrong in self.recordings().try_recording('program', 25):
            n_faults += 1
            with self.subTest(call=call, number=number, error=error):
                self.assertIsNone(wrong)
        self.assertGreater(n_faults, 3)

    def test_writes_of_the_recorder(self):
        """One of them asks a thread to end."""
        n_faults = 0
        for call, number, error, wrong in self.recordings().try_recording('recorder', 1, of=('write',)):
            n_faults += 1
            with self.subTest(call=call, number=number, error=error):
                self.assertIsNone(wrong)
        self.assertGreater(n_faults, 10)

    def test_a_folder_that_cannot_be_read(self):
        """The copy of a snapshot would have no descriptions, and the trace no processes of the machine."""
        for tried in (session_faults.Sessions(USE, self.folder).try_scenario('snapshot', 1, of=('getdents64',)),
                      self.recordings().try_recording('recorder', 1, of=('getdents64',))):
            n_faults = 0
            for call, number, error, wrong in tried:
                n_faults += 1
                with self.subTest(call=call, number=number, error=error):
                    self.assertIsNone(wrong)
            self.assertGreater(n_faults, 1)

    def test_what_meets_a_running_recording(self):
        sessions = session_faults.Sessions(USE, self.folder)
        for name, every in (('late', 30), ('snapshot', 60)):
            n_faults = 0
            for call, number, error, wrong in sessions.try_scenario(name, every):
                n_faults += 1
                with self.subTest(of=name, call=call, number=number, error=error):
                    self.assertIsNone(wrong)
            self.assertGreater(n_faults, 0)

    def test_a_file_system_without_fallocate(self):
        """Each file of the trace is made of zeros first, and its text follows at the begin, not after them."""
        for name in ('program', 'recorder'):
            ended = self.recordings().run(name, '-e', 'inject=fallocate:error=EOPNOTSUPP:when=1+', '-e', 'trace=fallocate,execve', '-o', '/dev/null')
            self.assertEqual((ended.status, ended.out), (record_faults.STATUS, record_faults.LINE), ended.err)
            self.assertEqual(ended.stat['by_event']['demo.pair'], record_faults.EVENTS)
            self.assertEqual(ended.check[0], 0, ended.check)

    def test_no_thread_for_the_recorder(self):
        for number, thread in ((1, 'ltt-broker'), (2, 'ltt-keeper')):
            ended = self.recordings().run('recorder', '-e', 'inject=clone3:error=EAGAIN:when=%d' % number, '-e', 'trace=clone3,execve', '-o', '/dev/null')
            self.assertEqual((ended.status, ended.out, ended.stat), (2, b'', None))
            self.assertEqual(ended.err, 'ltt record: could not start the thread %s: Error creating thread: Resource temporarily unavailable\n' % thread)

    def test_looking_for_processes_takes_no_lock(self):
        """A process that joined at this moment would take the lock for the sign that the session ends."""
        log = self.path('log')
        subprocess.run(['strace', '-b', 'execve', '-o', log, '-e', 'trace=fcntl,execve', os.path.join(USE, 'bin/ltt'), 'record', '--wait', '-o', self.path('trace'), '--',
                        os.path.join(USE, 'probe/steady'), '1'], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        with open(log, encoding='utf-8', errors='replace') as file:
            locks = [line for line in file if 'F_OFD_SETLK' in line and 'F_WRLCK' in line and 'l_start=2' in line]
        self.assertEqual(len(locks), 1, locks)  # that of the end


@unittest.skipUnless(can_trace(), 'needs the Debian package strace, and the right to trace')
class Attaching(CommandTest):
    def setUp(self):
        super().setUp()
        self.tried = attach_faults.Attaching(USE, self.folder)

    def try_some(self, name, every, at=''):
        n_faults = 0
        for fault, wrong in self.tried.try_scenario(name, every, at):
            n_faults += 1
            with self.subTest(of=name, fault=fault):
                self.assertIsNone(wrong)
        self.assertGreater(n_faults, 0)

    def test_calls(self):
        self.try_some('attach', 150, '/trace/')
        self.try_some('attached', 60)

    def start(self, *words, pid, path='status'):
        """Starts `ltt attach`, which twice cannot open a file of a process."""
        return attach_faults.Command(['strace', '-qq', '-o', '/dev/null', '-P', '/proc/%d/%s' % (pid, path), '-e', 'trace=openat',
                                      '-e', 'inject=openat:error=EMFILE:when=1..2', self.tried.ltt, 'attach', '-o', self.tried.path('trace'),
                                      '--no-machine', *words])

    def test_a_process_that_cannot_be_read_twice(self):
        """The command says so, examines it again, and attaches it."""
        self.tried.work = self.folder
        path = shutil.copy(self.tried.probe('tracee'), self.path('t-' + self.folder[-8:]))
        first, second = attach_faults.Program(path), attach_faults.Program(path)
        command = self.start('--name', os.path.basename(path), pid=second.process.pid)
        self.assertTrue(command.wait_for(': attached to 1 process'), command.said)
        self.assertIn('process %d: it could not be examined; try again' % second.process.pid, command.said)
        command.said = ''
        self.assertEqual(self.tried.wait_until_joined(command, second), 1, command.said)
        command.kill(signal.SIGINT, True)
        self.assertEqual((command.end(), first.end(), second.end()), (1, None, None))

    def test_a_thread_that_cannot_be_read(self):
        """It may have a seccomp filter, which would kill the program."""
        self.tried.work = self.folder
        program = attach_faults.Program(self.tried.probe('tracee'))
        pid = program.process.pid
        command = self.start('--pid', str(pid), pid=pid, path='task/%d/status' % pid)
        self.assertEqual((command.end(), program.end()), (2, None))
        self.assertIn('it could not be examined; try again', command.said)
        self.assertFalse(os.path.exists(self.tried.path('trace')))


@unittest.skipUnless(can_trace() and os.geteuid() == 0 and os.path.isdir(kernel_faults.TRACEFS + '/instances'),
                     'needs strace, root and tracefs')
class Kernel(CommandTest):
    def try_some(self, name, every, at=''):
        n_faults = 0
        for fault, wrong in kernel_faults.Kernel(USE, self.folder).try_recording(name, every, at):
            n_faults += 1
            with self.subTest(of=name, fault=fault):
                self.assertIsNone(wrong)
        self.assertGreater(n_faults, 0)

    def test_calls(self):
        self.try_some('program', 300)
        self.try_some('perf', 300)

    def test_formats_of_tracepoints(self):
        """No event was recorded, without a message."""
        self.try_some('program', 2, 'openat.*getppid/format')

    def test_the_end(self):
        """An instance was left, or the recorder never ended because the kernel recorded more and more events."""
        self.try_some('machine', 2, 'stats>|rmdir|tracing_on>, "0"')
