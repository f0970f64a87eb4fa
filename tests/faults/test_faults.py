"""Some of the system calls of some commands fail, one at a time (`scons faults` tries all of them)."""
import json
import os
import shutil
import signal
import subprocess
import sys
import unittest
import urllib.request

from command import SOURCE, CommandTest

sys.path.insert(0, os.path.join(SOURCE, 'tests/faults'))
import faults  # noqa: E402  pylint: disable=wrong-import-position
import memory_faults  # noqa: E402  pylint: disable=wrong-import-position
import record_faults  # noqa: E402  pylint: disable=wrong-import-position
import session_faults  # noqa: E402  pylint: disable=wrong-import-position
import view_faults  # noqa: E402  pylint: disable=wrong-import-position

USE = os.environ.get('LTT_USE', os.path.join(SOURCE, 'build'))
# One of so many faults is tried.
EVERY = 12


def can_trace():
    """Whether strace is there and may trace."""
    return shutil.which('strace') and subprocess.run(['strace', '-o', '/dev/null', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0


@unittest.skipUnless(can_trace(), 'needs the Debian package strace, and the right to trace')
class Faults(CommandTest):
    def test_commands(self):
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        for name in ('dump', 'stat', 'check', 'sql', 'pack', 'unpack', 'merge', 'export', 'chrome', 'import', 'compile'):
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
        for name in ('pack', 'unpack', 'cut', 'cut-every', 'merge', 'merge-sync', 'repair', 'redact', 'import', 'export', 'chrome', 'split'):
            with self.subTest(command=name):
                ended = tried.run(*faults.COMMANDS[name], '-e', 'inject=renameat2:signal=KILL:when=1', '-e', 'trace=renameat2', '-o', '/dev/null')
                self.assertEqual((ended.status, ended.digest), (-signal.SIGKILL, None))
                self.assertEqual([bool(faults.TEMPORARY.match(left)) for left in ended.left], [True], ended.left)

    def test_a_folder_that_cannot_be_read(self):
        """An error while a folder is read is not taken for the end of the folder."""
        faults.make_recording(self.path('perf.data'))
        tried = faults.Faults(USE, self.folder)
        plain = tried.run(*faults.COMMANDS['pack'])
        ended = tried.run(*faults.COMMANDS['pack'], '-e', 'inject=getdents64:error=EIO:when=1', '-e', 'trace=getdents64', '-o', '/dev/null')
        self.assertEqual((plain.status, ended.status, ended.left), (0, 2, []))
        self.assertIn('could not read the directory: Input/output error', ended.err)

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
        for name, every in (('check', 40), ('cut', 150), ('pack', 1), ('merge', 150), ('import', 400)):
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
        """One of them told a thread to end."""
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
        for name, every in (('late', 30), ('snapshot', 60), ('attach', 700)):
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
