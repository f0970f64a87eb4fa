"""No command writes its result into a trace that it reads."""
import hashlib
import os

from command import DATA, CommandTest, ltt, sample

# Words before the path of the result.
COMMANDS = (
    ('cut', '--to', '+0.1', '-o'), ('merge', '-o'), ('pack', '-o'), ('export', '--to', 'ctf', '-o'), ('export', '--to', 'json', '-o'),
    ('export', '--to', 'csv', '--split', '-o'), ('sql', '-o'), ('check', '--repair', '-o'), ('snapshot', '-o'), ('flame', '-o'), ('flame', '--folded', '-o'),
    ('view', '--no-cache', '--png'), ('view', '--no-cache', '--html'), ('view', '--png', '-', '--cache'))
REPLACING = COMMANDS[-3:-1]


def digest(path):
    total = hashlib.sha256()
    for folder, folders, names in os.walk(path):
        folders.sort()
        for name in sorted(names):
            total.update(os.path.join(folder, name).encode())
            with open(os.path.join(folder, name), 'rb') as file:
                total.update(file.read())
    return total.digest()


class Places(CommandTest):
    def refuse(self, result, trace, commands=COMMANDS, read=None):
        """Refused by each command, with the files of the trace as before."""
        before = digest(trace)
        for words in commands:
            with self.subTest(words=words, result=result):
                done = ltt(*words, result, read or trace)
                self.assertEqual((done.status, done.raw, done.err), (
                    2, b'', 'ltt %s: %s: belongs to the trace %s, which is read; expected a path outside of it\n' % (words[0], result, read or trace)))
                self.assertEqual(digest(trace), before)

    def test_in_the_trace(self):
        trace = self.copy(sample('every-type'))
        for name in ('new', 'cpu/0', 'cpu/7', 'control/new', 'eventdefs/new/', 'info/deep/down'):
            self.refuse(os.path.join(trace, name), trace)

    def test_by_other_names(self):
        trace = self.copy(sample('every-type'))
        os.symlink(os.path.join(trace, 'cpu'), self.path('link'))
        os.symlink(trace, self.path('other'))
        self.refuse(self.path('link', 'new'), trace)
        self.refuse(os.path.join(trace, 'cpu', '..', 'new'), trace)
        self.refuse(os.path.join(trace, 'new'), trace, read=self.path('other'))
        os.symlink(os.path.join(trace, 'cpu/0'), self.path('file'))
        self.refuse(self.path('file'), trace, REPLACING)

    def test_in_a_recording(self):
        recording = self.copy(os.path.join(DATA, 'perf/threads-dir.data'), 'recording')
        os.symlink(recording, self.path('other'))
        before = digest(recording)
        for result, read in ((recording + '/trace', recording), (self.path('other', 'deep', 'trace'), recording), (recording + '/trace', self.path('other'))):
            done = ltt('import', read, '-o', result)
            self.assertEqual((done.status, done.err), (
                2, 'ltt import: %s: belongs to the recording %s, which is read; expected a path outside of it\n' % (result, read)))
        self.assertEqual(digest(recording), before)

    def test_what_links_of_the_trace_lead_to(self):
        trace = self.copy(sample('every-type'))
        os.mkdir(self.path('far'))
        os.rename(os.path.join(trace, 'cpu/0'), self.path('far', '0'))
        os.symlink(self.path('far', '0'), os.path.join(trace, 'cpu/0'))
        self.refuse(self.path('far', '0'), trace, REPLACING)
        self.refuse(os.path.join(trace, 'cpu/0'), trace, REPLACING)
        os.rename(os.path.join(trace, 'control'), self.path('control'))
        os.symlink(self.path('control'), os.path.join(trace, 'control'))
        self.refuse(self.path('control', 'new'), trace)

    def test_one_of_several_traces(self):
        trace = self.copy(sample('every-type'))
        for words in (('merge', '-o'), ('view', '--no-cache', '--png')):
            done = ltt(*words, os.path.join(trace, 'cpu/0'), sample('one-cpu'), trace)
            self.assert_failed(done, 'cpu/0: belongs to the trace %s, which is read' % trace)

    def test_an_archive(self):
        archive = self.path('trace.tar')
        self.assert_done(ltt('pack', '-o', archive, sample('every-type')))
        with open(archive, 'rb') as file:
            before = file.read()
        for words in REPLACING + (('pack', '-o'), ('cut', '-o')):
            self.assert_failed(ltt(*words, archive, archive), 'belongs to the trace')
        with open(archive, 'rb') as file:
            self.assertEqual(file.read(), before)

    def test_in_a_directory_that_is_no_trace(self):
        self.assert_failed(ltt('pack', self.folder, '-o', self.path('new.tar')), 'is not a trace: expected info/system.xml in it')

    def test_beside_the_trace(self):
        """Also if a link of the trace leads to a directory above the result."""
        trace = self.copy(sample('every-type'))
        os.symlink('/', os.path.join(trace, 'info', 'top'))
        for words, name in ((('view', '--no-cache', '--png'), 'trace.png'), (('export', '--to', 'json', '-o'), 'trace2'), (('cut', '--to', '+0.1', '-o'), 'cut')):
            for _ in range(2 if words[0] == 'view' else 1):  # a picture is replaced
                done = ltt(*words, self.path(name), trace)
                self.assertEqual((done.status, done.err), (0, ''))
            self.assertTrue(os.path.exists(self.path(name)))
