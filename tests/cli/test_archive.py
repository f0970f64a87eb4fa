"""`ltt pack` and `ltt unpack`: round trips, also through tar, and reading archives directly."""
import os
import pty
import resource
import select
import shutil
import signal
import stat
import subprocess
import tarfile

from command import ENVIRONMENT, LTT, CommandTest, ltt, run, sample, samples
from recording import Case, call, kill_group, program

FORMS = ('tar.gz', 'tar.zst', 'tar')
PIECE_BYTES = 128 * 1024  # bytes per write of a slow archive


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def tree(path):
    """Name -> contents of a file; None for a folder."""
    found = {}
    for folder, folders, files in os.walk(path):
        for name in folders:
            found[os.path.relpath(os.path.join(folder, name), path)] = None
        for name in files:
            found[os.path.relpath(os.path.join(folder, name), path)] = read(os.path.join(folder, name))
    return found


class ArchiveTest(CommandTest):
    def pack(self, trace, name='packed.tar.gz', *options):
        self.assert_done(ltt('pack', trace, '-o', self.path(name), *options), '')
        return self.path(name)

    def unpack(self, archive, name='unpacked', *options):
        self.assert_done(ltt('unpack', archive, '-o', self.path(name), *options), '')
        return self.path(name)


class RoundTrip(ArchiveTest):
    def test_every_trace_there_and_back(self):
        """Pack, unpack with tar, pack with tar, unpack; in any byte order."""
        for number, trace in enumerate(samples('ltt', 'ltt-extra', 'ltt-damaged')):
            name = os.path.basename(trace)
            form = FORMS[number % len(FORMS)]
            with self.subTest(trace=name, form=form):
                packed = self.pack(trace, '%s.%s' % (name, form))
                self.assertEqual(tree(self.unpack(packed, name + '-1')), tree(trace))
                os.mkdir(self.path('by-tar'))
                self.assert_done(run('tar', '-xf', packed, '-C', self.path('by-tar')))
                self.assertEqual(os.listdir(self.path('by-tar')), [name])
                self.assertEqual(tree(self.path('by-tar', name)), tree(trace))
                again = self.path('again.' + form)
                self.assert_done(run('tar', '-caf', again, '-C', self.path('by-tar'), name))
                self.assertEqual(tree(self.unpack(again, name + '-2')), tree(trace))
                shutil.rmtree(self.path('by-tar'))
                os.unlink(again)

    def test_frames_without_data(self):
        """pzstd begins each file with one; they can be anywhere between others."""
        trace = sample('big-endian')
        packed = read(self.pack(trace, 'a.tar.zst'))
        for number, (before, after) in enumerate(((1, 0), (2, 1), (0, 1))):
            frames = [b'%c\x2a\x4d\x18\4\0\0\0text' % (0x50 + 15 * place) for place in range(2)]
            with open(self.path('b.tar.zst'), 'wb') as file:
                file.write(b''.join(frames[:before]) + packed + b''.join(frames[:after]))
            self.assertEqual(tree(self.unpack(self.path('b.tar.zst'), str(number))), tree(trace))
        with open(self.path('b.tar.zst'), 'wb') as file:
            file.write(b'\x50\x2a\x4d\x18\xff\xff\xff\xfftext')
        self.assert_failed(ltt('unpack', self.path('b.tar.zst'), '-o', self.path('c')), 'ends within the compressed data')

    def test_tar_of_any_shape(self):
        """With and without a top-level folder, with "./" prefixes, without folder entries, with holes."""
        trace = sample('big-endian')
        for number, words in enumerate((
                ('-C', os.path.dirname(trace), './big-endian'), ('-C', trace, '.'),
                ('-C', trace, 'cpu', 'info', 'control', 'eventdefs'),
                ('-C', os.path.dirname(trace), '--format=pax', 'big-endian'),
                ('-C', os.path.dirname(trace), '--format=v7', '--no-recursion', 'big-endian/info/system.xml',
                 'big-endian/control/facilities', 'big-endian/cpu/0', 'big-endian/cpu/1',
                 'big-endian/eventdefs/core.xml', 'big-endian/eventdefs/all.xml'),
                ('-C', os.path.dirname(trace), '--sparse', 'big-endian'))):
            with self.subTest(words=words):
                archive = self.path('%d.tar' % number)
                self.assert_done(run('tar', '-cf', archive, *words))
                self.assertEqual(tree(self.unpack(archive, 'trace%d' % number)), tree(trace))
                self.assert_done(ltt('dump', archive), ltt('dump', trace).out)

    def test_holes(self):
        """A sparse file, as tar -S stores it."""
        trace = self.copy(sample('one-cpu'))
        with open(os.path.join(trace, 'cpu/0'), 'r+b') as file:
            file.truncate(1 << 20)
        archive = self.path('sparse.tar')
        self.assert_done(run('tar', '-cSf', archive, '-C', self.folder, 'trace'))
        self.assertLess(os.path.getsize(archive), 1 << 19)
        self.assertEqual(tree(self.unpack(archive)), tree(trace))
        self.assert_done(ltt('dump', archive), ltt('dump', trace).out)

    def test_same_trace_same_bytes(self):
        """The archive does not depend on times, modes, umask, folder name and directory order."""
        for form in FORMS:
            first = read(self.pack(sample('every-type'), 'first.' + form))
            os.makedirs(self.path(form))
            other = self.copy(sample('every-type'), os.path.join(form, 'every-type'))
            os.utime(os.path.join(other, 'cpu'), (1, 1))
            os.chmod(os.path.join(other, 'info/system.xml'), 0o600)
            self.assertEqual(read(self.pack(other, 'second.' + form)), first)
            self.assertEqual(ltt('pack', other, '-o', '-', '--format', form).raw, first)
            self.assertEqual(read(self.pack(self.path('first.' + form), 'third.' + form)), first)
            for secret in (self.folder.encode(), b'root'):
                self.assertNotIn(secret, first)

    def test_headers_tell_nothing(self):
        with tarfile.open(self.pack(sample('one-cpu'))) as archive:
            members = archive.getmembers()
        self.assertEqual([member.name for member in members],
                         ['one-cpu', 'one-cpu/control', 'one-cpu/control/facilities', 'one-cpu/cpu', 'one-cpu/cpu/0',
                          'one-cpu/eventdefs', 'one-cpu/eventdefs/core.xml', 'one-cpu/info',
                          'one-cpu/info/system.xml'])
        for member in members:
            self.assertEqual((member.mtime, member.uid, member.gid, member.uname, member.gname), (0, 0, 0, '', ''))
            self.assertEqual(member.mode, 0o755 if member.isdir() else 0o644)

    def test_names(self):
        """Long names and non-ASCII names; hidden files are left out."""
        trace = self.copy(sample('one-cpu'), 'Spur mit Umlaut ü')
        os.makedirs(os.path.join(trace, 'info/déjà vu'))
        for name in ('info/déjà vu/€', 'info/' + 'x' * 200, 'info/.hidden', '.hidden'):
            with open(os.path.join(trace, name), 'w', encoding='utf-8') as file:
                file.write(name)
        unpacked = tree(self.unpack(self.pack(trace)))
        self.assertEqual(unpacked['info/déjà vu/€'], 'info/déjà vu/€'.encode())
        expected = {name: content for name, content in tree(trace).items() if '.hidden' not in name}
        self.assertEqual(unpacked, expected)
        # macOS and others add these files.
        self.assert_done(run('tar', '-cf', self.path('all.tar'), '-C', trace, '.'))
        self.assertEqual(tree(self.unpack(self.path('all.tar'), 'all')), expected)

    def test_a_folder_that_cannot_be_a_name(self):
        for number, name in enumerate(('.trace', 'a\nb')):
            packed = self.pack(self.copy(sample('one-cpu'), name), '%d.tar' % number)
            with tarfile.open(packed) as archive:
                self.assertEqual(archive.getmembers()[0].name, 'trace')

    def test_links_inside_are_followed(self):
        trace = self.copy(sample('one-cpu'))
        os.rename(os.path.join(trace, 'cpu/0'), os.path.join(trace, 'info/0'))
        os.symlink('../info/0', os.path.join(trace, 'cpu/0'))
        self.assertEqual(tree(self.unpack(self.pack(trace))), tree(trace))

    def test_modes_are_those_of_new_files(self):
        path = self.unpack(self.pack(sample('one-cpu')))
        mask = os.umask(0)
        os.umask(mask)
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o777 & ~mask)
        self.assertEqual(stat.S_IMODE(os.stat(os.path.join(path, 'cpu/0')).st_mode), 0o666 & ~mask)


class Reading(ArchiveTest):
    def test_every_command_reads_archives(self):
        for name, form in (('every-type', 'tar.gz'), ('big-endian', 'tar'), ('flight-recorder', 'tar.zst'),
                           ('damage', 'tar'), ('damage', 'tar.gz')):
            trace = sample(name)
            packed = self.pack(trace, 'x%s.%s' % (name, form))
            for words in (['dump', '--all', '--format=json'], ['dump', '--format=csv', '--from', '+0.001'],
                          ['stat', '--json'], ['check', '--json'], ['info', '--json'], ['info', '--events'],
                          ['export', '--to=json', '-o', '-']):
                with self.subTest(name=name, form=form, words=words):
                    expected, got = ltt(*words, trace), ltt(*words, packed)
                    self.assertEqual((got.status, got.raw, got.err.replace(packed, trace)), (expected.status, expected.raw, expected.err))

    def test_what_is_made_of_an_archive(self):
        """Commands give the same results for an archive as for its trace."""
        trace = sample('sparse-cpus')
        packed = self.pack(trace, 'sparse.tgz')
        for number, words in enumerate((['cut', '--from', '+0.0005'], ['merge', sample('sparse-cpus')],
                                        ['export', '--to=ctf'])):
            made = []
            for path in (trace, packed):
                made.append(self.path('%d-%d' % (number, len(made))))
                self.assert_done(ltt(*words, path, '-o', made[-1]))
            with self.subTest(words=words):
                self.assertEqual(tree(made[1]), tree(made[0]))

    def test_through_a_pipe(self):
        packed = self.pack(sample('one-cpu'))
        result = run('bash', '-c', '"$0" dump <(cat "$1")', LTT, packed)
        self.assert_done(result, ltt('dump', sample('one-cpu')).out)

    def test_a_terminal_shows_how_far_it_is(self):
        """Progress of opening a slow archive; the line is erased when the archive is open."""
        trace = self.copy(sample('flight-recorder'))
        with open(os.path.join(trace, 'info/notes'), 'wb') as file:
            file.truncate(8 << 20)
        whole = read(self.pack(trace, 'a.tar'))
        primary, secondary = pty.openpty()
        with subprocess.Popen([LTT, 'dump', '/dev/stdin'], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                              stderr=secondary, env=ENVIRONMENT) as process, os.fdopen(primary, 'rb', 0) as terminal:
            os.close(secondary)
            shown, at = b'', 0
            while not shown and at < len(whole):
                process.stdin.write(whole[at:at + PIECE_BYTES])
                process.stdin.flush()
                at += PIECE_BYTES
                if select.select([terminal], [], [], 0.02)[0]:
                    shown = terminal.read(4096)
            self.assertRegex(shown, rb'\A\rltt dump: [0-9.]+ (bytes|[KM]iB)\x1b\[K')
            out = process.communicate(whole[at:])[0]
            shown += terminal.read(65536)
        self.assertEqual(out, ltt('dump', sample('flight-recorder')).raw)
        self.assertTrue(shown.endswith(b'\r\x1b[K'), shown)

    def test_found_by_content(self):
        packed = self.pack(sample('one-cpu'))
        os.rename(packed, self.path('odd name'))
        self.assert_done(ltt('dump', self.path('odd name')), ltt('dump', sample('one-cpu')).out)

    def test_nothing_is_left_in_the_temporary_folder(self):
        packed = self.pack(sample('flight-recorder'))
        os.mkdir(self.path('tmp'))
        self.assertEqual(run('env', 'TMPDIR=' + self.path('tmp'), LTT, 'dump', packed).status, 0)
        self.assertEqual(os.listdir(self.path('tmp')), [])
        result = run('env', 'TMPDIR=' + self.path('missing'), LTT, 'dump', packed)
        self.assert_failed(result, self.path('missing') + ': could not make a temporary file')
        # An uncompressed tar file is read in place.
        plain = self.pack(sample('flight-recorder'), 'plain.tar')
        self.assertEqual(run('env', 'TMPDIR=' + self.path('missing'), LTT, 'dump', plain).status, 0)

    def test_place_of_an_error(self):
        trace = self.copy(sample('one-cpu'))
        with open(os.path.join(trace, 'info/system.xml'), 'w', encoding='utf-8') as file:
            file.write('<system/>')
        packed = self.pack(trace)
        self.assert_failed(ltt('dump', packed), packed + ': info/system.xml: ')


class Commands(ArchiveTest):
    def test_from_end_to_end_of_a_pipe(self):
        result = run('sh', '-c', '"$0" pack "$1" -o - | cat | "$0" unpack - -o "$2"', LTT, sample('tracer'),
                     self.path('there'))
        self.assert_done(result, '')
        self.assertEqual(tree(self.path('there')), tree(sample('tracer')))

    def test_forms_by_name(self):
        for name, magic in (('a.tgz', b'\x1f\x8b'), ('a.tar.gz', b'\x1f\x8b'), ('a.tar.zst', b'\x28\xb5\x2f\xfd'),
                            ('a.tar', b'one-cpu/')):
            self.assertTrue(read(self.pack(sample('one-cpu'), name)).startswith(magic))
        self.assertTrue(read(self.pack(sample('one-cpu'), 'a.other', '-f', 'tar.zst')).startswith(b'\x28\xb5'))

    def test_wrong_command_lines(self):
        trace, packed = sample('one-cpu'), self.pack(sample('one-cpu'))
        out = self.path('out')
        for words, message in (
                (['pack', trace], '-o FILE is missing'),
                (['pack', trace, '-o', out], out + ': its name does not determine the archive format'),
                (['pack', trace, '-o', out, '-f', 'tar.bz'], '--format: tar.bz: no such format; did you mean tar.gz?'),
                (['pack', trace, '-o', out, '-f', 'zip'], '--format: zip: no such format'),
                (['pack', self.folder, '-o', out + '.tar'], 'is not a trace: expected info/system.xml in it'),
                (['pack', self.path('missing'), '-o', out + '.tar'], 'missing: no such directory'),
                (['unpack', packed], '-o DIR is missing'),
                (['unpack', self.path('missing'), '-o', out], 'missing: could not open: No such file'),
                (['unpack', trace, '-o', out], 'Is a directory'),
                (['unpack', packed, '-o', out, '--max-size', '0'], '--max-size 0: expected a number of bytes'),
                (['unpack', packed, '-o', out, '--max-size', 'many'], '--max-size many: expected a number of bytes'),
                (['unpack', packed, '-o', out, '--max-files', '0'], '--max-files 0: expected a number from 1')):
            with self.subTest(words=words):
                self.assert_failed(ltt(*words), message)
        self.assertEqual(os.listdir(self.folder), ['packed.tar.gz'])

    def test_nothing_is_written_over(self):
        packed = self.pack(sample('one-cpu'))
        before = read(packed)
        self.assert_failed(ltt('pack', sample('tracer'), '-o', packed), packed + ': already exists')
        self.assertEqual(read(packed), before)
        os.mkdir(self.path('empty'))
        for place in (packed, self.path('empty'), self.path('empty') + '/'):
            self.assert_failed(ltt('unpack', packed, '-o', place), place.rstrip('/') + ': already exists')
        self.assertEqual(sorted(os.listdir(self.folder)), ['empty', 'packed.tar.gz'])

    def test_what_is_no_content(self):
        trace = self.copy(sample('one-cpu'))
        os.mkfifo(os.path.join(trace, 'info/fifo'))
        result = ltt('pack', trace, '-o', self.path('a.tar'))
        self.assertEqual((result.status, result.err), (1, 'ltt pack: info/fifo: is not a regular file: it is left out\n'))
        os.symlink('/etc/passwd', os.path.join(trace, 'info/secret'))
        self.assert_failed(ltt('pack', trace, '-o', self.path('b.tar')),
                           trace + '/info/secret: is a symbolic link that leads out of the trace')
        os.unlink(os.path.join(trace, 'info/secret'))
        os.rename(os.path.join(trace, 'cpu/0'), self.path('elsewhere'))
        os.symlink(self.path('elsewhere'), os.path.join(trace, 'cpu/0'))
        for more in ((), ('--redact', 'host')):
            self.assert_failed(ltt('pack', trace, '-o', self.path('b.tar'), *more),
                               trace + '/cpu/0: is a symbolic link that leads out of the trace')
        os.rename(self.path('elsewhere'), os.path.join(trace, 'cpu/0'))
        os.symlink('..', os.path.join(trace, 'info/loop'))
        self.assert_failed(ltt('pack', trace, '-o', self.path('b.tar')), 'is a symbolic link that leads out')
        os.unlink(os.path.join(trace, 'info/loop'))
        os.symlink('.', os.path.join(trace, 'info/loop'))
        self.assert_failed(ltt('pack', trace, '-o', self.path('b.tar')), 'directories are nested more than 16 deep')
        os.unlink(os.path.join(trace, 'info/loop'))
        with open(os.path.join(trace, 'info/a\x1bb'), 'w', encoding='utf-8'):
            pass
        self.assert_failed(ltt('pack', trace, '-o', self.path('b.tar')), 'info/a\\u001bb: its name has control')
        self.assertEqual(sorted(os.listdir(self.folder)), ['a.tar', 'trace'])

    def test_a_full_disk(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))

        trace = sample('flight-recorder')
        packed = self.pack(trace)
        self.assertGreater(os.path.getsize(packed), 5000)
        self.assert_failed(ltt('pack', trace, '-o', self.path('b.tgz'), preexec_fn=limit), 'File too large')
        self.assert_failed(ltt('unpack', packed, '-o', self.path('out'), preexec_fn=limit), 'File too large')
        self.assert_failed(ltt('dump', packed, preexec_fn=limit), 'to a temporary file there: File too large')
        with open('/dev/full', 'wb') as full:
            self.assertEqual(ltt('pack', trace, '-o', '-', stdout=full).status, 2)
        self.assertEqual(os.listdir(self.folder), ['packed.tar.gz'])

    def test_a_closed_pipe_ends_it_quietly(self):
        result = run('sh', '-c', '"$0" pack "$1" -o - -f tar | true', LTT, sample('flight-recorder'))
        self.assert_done(result, '')

    def test_not_to_a_terminal(self):
        primary, secondary = pty.openpty()
        with os.fdopen(secondary, 'wb') as terminal:
            result = ltt('pack', sample('one-cpu'), '-o', '-', stdout=terminal)
        os.close(primary)
        self.assertEqual(result.status, 2)
        self.assertIn('an archive cannot be written to a terminal', result.err)

    def test_a_signal_leaves_nothing(self):
        """A signal while a slow archive is read."""
        packed = read(self.pack(sample('flight-recorder'), 'a.tar'))
        with subprocess.Popen([LTT, 'unpack', '-', '-o', self.path('out')], stdin=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
            # More than one read returns, so that part of the output exists before the signal.
            process.stdin.write(packed[:-2048])
            process.stdin.flush()
            process.send_signal(signal.SIGTERM)
            process.stdin.close()
            process.stderr.read()
            self.assertIn(process.wait(), (-signal.SIGTERM, 2))
        self.assertEqual(os.listdir(self.folder), ['a.tar'])


class Recorded(Case):
    """`ltt pack` refuses a trace that is being recorded, but not one whose recorder was killed."""

    MESSAGE = 'trace: is being recorded: take a copy of it with `ltt snapshot` and pack that'

    def pack_until_it_is_refused(self, recorder):
        """Retries until the program has joined."""
        while True:
            self.assertIsNone(recorder.poll())
            done = subprocess.run([LTT, 'pack', self.trace, '-o', self.path('a.tar')], stderr=subprocess.PIPE,
                                  text=True, check=False)
            if self.MESSAGE in done.stderr:
                self.assertEqual(done.returncode, 2)
                return
            if done.returncode == 0:
                os.unlink(self.path('a.tar'))

    def test_live_and_killed(self):
        with subprocess.Popen([LTT, 'record', '-o', self.trace, '--flight=256K', '--block-size=16K', '--',
                               program('storm'), '-n', '0'], stderr=subprocess.DEVNULL,
                              start_new_session=True) as process:
            try:
                self.pack_until_it_is_refused(process)
                call(LTT, 'snapshot', self.trace, '-o', self.path('now'))
                call(LTT, 'pack', self.path('now'), '-o', self.path('now.tgz'))
                self.check(self.path('now.tgz'), open_blocks=None)
            finally:
                kill_group(process)
        content = {name: what for name, what in tree(self.trace).items()
                   if name not in ('info/session', 'info/lock') and not name.startswith('info/spare')}
        call(LTT, 'pack', self.trace, '-o', self.path('a.tar.zst'))
        call(LTT, 'unpack', self.path('a.tar.zst'), '-o', self.path('b'))
        self.assertEqual(tree(self.path('b')), content)
        self.assertEqual(sorted(os.listdir(self.folder)), ['a.tar.zst', 'b', 'now', 'now.tgz', 'trace'])
