"""`ltt export`: kinds, outputs, refusals, and no partial output after a failure."""
import os
import resource
import subprocess

from command import ENVIRONMENT, LTT, CommandTest, expected_events, ltt, sample, samples


def no_more_than(size):
    """Limits the file size of a program to `size` bytes."""
    return lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))


class ExportTest(CommandTest):
    def assert_nothing_made(self):
        self.assertEqual(os.listdir(self.folder), [])


class Lines(ExportTest):
    def test_same_bytes_as_a_dump(self):
        for trace in samples():
            for kind in ('json', 'csv'):
                with self.subTest(trace=os.path.basename(trace), kind=kind):
                    path = self.path(os.path.basename(trace) + '.' + kind)
                    self.assert_done(ltt('export', '--to', kind, '-o', path, trace), '')
                    with open(path, 'rb') as file:
                        self.assertEqual(file.read(), ltt('dump', '--format', kind, trace).raw)

    def test_standard_output(self):
        trace = sample('one-cpu')
        self.assert_done(ltt('export', trace, '--to=json', '-o', '-'), ltt('dump', '--format=json', trace).out)

    def test_selection_is_that_of_a_dump(self):
        trace = sample('one-cpu')
        name = expected_events(trace)[10]['event']
        for options in (['--all'], ['--event', name], ['--to', '+0.001'], ['--to', '+0.001', '--from', '+0.0005'],
                        ['--cpu', '0'], ['--filter', 'time > 1']):
            with self.subTest(options=options):
                self.assert_done(ltt('export', '--to', 'csv', '-o', '-', *options, trace),
                                 ltt('dump', '--format=csv', *options, trace).out)

    def test_damage_is_told_and_the_rest_exported(self):
        trace = sample('damage')
        result = ltt('export', '--to=json', '-o', self.path('out'), trace)
        dumped = ltt('dump', '--format=json', trace)
        self.assertEqual(result.status, 1)
        self.assertEqual(sorted(result.err.replace('ltt export:', 'ltt dump:').splitlines()),
                         sorted(dumped.err.splitlines()))
        with open(self.path('out'), 'rb') as file:
            self.assertEqual(file.read(), dumped.raw)

    def test_a_closed_pipe_ends_it_quietly(self):
        trace = sample('flight-recorder')
        with subprocess.Popen([LTT, 'export', '--to=json', '-o', '-', trace], stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b'')
            self.assertEqual(process.wait(), 0)


class Refusals(ExportTest):
    def test_nothing_is_written_over(self):
        trace = sample('one-cpu')
        os.mkdir(self.path('directory'))
        os.symlink('nowhere', self.path('link'))
        with open(self.path('file'), 'w', encoding='utf-8') as file:
            file.write('precious')
        for kind in ('ctf', 'json'):
            for name in ('directory', 'directory/', 'link', 'file'):
                with self.subTest(kind=kind, name=name):
                    self.assert_failed(ltt('export', '--to', kind, '-o', self.path() + '/' + name, trace),
                                       name.rstrip('/') + ': already exists; expected an unused name')
        self.assertEqual(sorted(os.listdir(self.folder)), ['directory', 'file', 'link'])
        self.assertEqual(os.listdir(self.path('directory')), [])
        with open(self.path('file'), encoding='utf-8') as file:
            self.assertEqual(file.read(), 'precious')

    def test_wrong_command_lines(self):
        trace = sample('one-cpu')
        out = self.path('out')
        for words, message in (
                (['-o', out, trace], '--to KIND is missing'),
                (['--to', 'ctf', trace], '-o OUT is missing'),
                (['--to', 'ctf', '-o', '', trace], '-o OUT is missing'),
                (['--to', 'cft', '-o', out, trace], '--to: cft: no such kind; did you mean ctf?'),
                (['--to', 'novel', '-o', out, trace], '--to: novel: no such kind; `ltt export --help` lists them'),
                (['--to', 'ctf', '--to', 'csv', '-o', out, trace], '--to: ctf and csv: expected one kind'),
                (['--to', 'ctf', '-o', '-', trace], 'ctf is a directory and cannot be written to standard output'),
                (['--to', 'ctf', '--to', '5x', '-o', out, trace], 'ltt export: --to: "5x" is not a time'),
                (['--to', 'ctf', '-o', out, self.path('none')], 'none'),
                (['--to', 'ctf', '-o', self.path('no', 'such', 'folder'), trace], 'could not make the directory'),
                (['--to', 'csv', '-o', self.path('no', 'such', 'folder'), trace], 'could not make the file')):
            with self.subTest(words=words):
                self.assert_failed(ltt('export', *words), 'ltt export: ', message)
        self.assert_nothing_made()

    def test_help_lists_the_kinds(self):
        text = ltt('export', '--help').out
        for kind in ('ctf', 'json', 'csv'):
            self.assertIn('\n  %s ' % kind, text)
        self.assertIn('--to KIND|T', text)
        self.assertNotIn('--to T', text)


class Failures(ExportTest):
    def test_nothing_is_left_of_what_could_not_be_written_whole(self):
        trace = sample('flight-recorder')
        for kind in ('ctf', 'json', 'csv'):
            for size in (0, 100, 3000):
                with self.subTest(kind=kind, size=size):
                    result = ltt('export', '--to', kind, '-o', self.path('out'), trace, preexec_fn=no_more_than(size))
                    self.assert_failed(result, 'could not write: File too large')
                    self.assert_nothing_made()

    def test_a_full_disk(self):
        with open('/dev/full', 'wb') as full:
            result = ltt('export', '--to=json', '-o', '-', sample('flight-recorder'), stdout=full)
        self.assertEqual(result.status, 2)
        self.assertIn('No space left on device', result.err)

    def test_files_are_as_the_umask_wants_them(self):
        for umask in (0o022, 0o077):
            out = self.path('out%o' % umask)
            self.assert_done(ltt('export', '--to=ctf', '-o', out, sample('one-cpu'), preexec_fn=lambda: os.umask(umask)))
            self.assertEqual(os.stat(out).st_mode & 0o777, 0o777 & ~umask)
            for name in os.listdir(out):
                self.assertEqual(os.stat(os.path.join(out, name)).st_mode & 0o777, 0o666 & ~umask)

    def test_what_others_make_aside_is_left_alone(self):
        os.mkdir(self.path('out.part0'))
        self.assert_done(ltt('export', '--to=ctf', '-o', self.path('out'), sample('one-cpu')))
        self.assertEqual(sorted(os.listdir(self.folder)), ['out', 'out.part0'])
        self.assertEqual(os.listdir(self.path('out.part0')), [])

