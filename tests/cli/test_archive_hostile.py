"""Untrusted archives: rejected with a clear message, and nothing is left behind."""
import gzip
import io
import os
import random
import shutil
import struct
import subprocess
import tarfile
import zlib

from command import CommandTest, ltt, run, sample

SYSTEM = 'trace/info/system.xml'
GIB = 1 << 30


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def member(name, kind=tarfile.REGTYPE, content=b'x', **fields):
    found = tarfile.TarInfo(name)
    found.type = kind
    found.size = len(content) if kind == tarfile.REGTYPE else 0
    for field, value in fields.items():
        setattr(found, field, value)
    return found, content


def header(name, size=0, kind=b'0', mode=b'0000644'):
    """A ustar header with any size that 12 bytes can encode."""
    number = b'%011o\0' % size if size < 8 << 30 else b'\x80' + size.to_bytes(11, 'big')
    block = bytearray(struct.pack('100s8s8s8s12s12s8s1s100s8s', name, mode, b'', b'', number, b'', b' ' * 8, kind, b'',
                                  b'ustar\x0000').ljust(512, b'\0'))
    block[148:156] = b'%06o\0 ' % sum(block)
    return bytes(block)


class Hostile(CommandTest):
    def write(self, content, name='bad.tar'):
        with open(self.path(name), 'wb') as file:
            file.write(content)
        return self.path(name)

    def archive(self, *members, form=tarfile.GNU_FORMAT):
        """A trace archive with these additional members."""
        out = io.BytesIO()
        with tarfile.open(fileobj=out, mode='w', format=form) as archive:
            archive.add(sample('one-cpu'), 'trace')
            for info, content in members:
                archive.addfile(info, io.BytesIO(content))
        return out.getvalue()

    def without_end(self, content):
        """The archive without its end mark; the last file of all archives here ends in text."""
        content = content.rstrip(b'\0')
        return content + bytes(-len(content) % 512)

    def assert_refused(self, content, *words, options=(), dump=True):
        """Unpacks from a file and a pipe, plain and compressed, and reads the archive directly."""
        path = self.write(content)
        names = sorted(os.listdir(self.folder))
        self.assert_failed(ltt('unpack', path, '-o', self.path('out'), *options), *words)
        if dump:
            self.assert_failed(ltt('dump', path), *words)
        self.assertEqual(sorted(os.listdir(self.folder)), names)
        return path


class Members(Hostile):
    def test_names_that_lead_elsewhere(self):
        for name in ('../evil', 'trace/../../evil', 'trace/info/../../../evil', '/tmp/ltt-evil', '//evil', 'trace//evil',
                     'trace/..', '..', '../'):
            for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT):
                with self.subTest(name=name, form=form):
                    self.assert_refused(self.archive(member(name), form=form), 'its name leads out of the archive')
        self.assert_refused(self.archive(member('../evil/', tarfile.DIRTYPE)), 'its name leads out of the archive')
        self.assertFalse(os.path.exists('/tmp/ltt-evil'))

    def test_odd_names(self):
        for name, message in (
                ('trace/a\nb', 'trace/a\\u000ab: its name has control characters'),
                ('trace/\x1b[2J', 'its name has control characters'),
                ('trace/\x7f', 'its name has control characters'),
                ('trace/\x9b31m', 'its name has control characters'),
                ('trace/\udcff', 'its name is not UTF-8'),
                ('trace/' + 'x/' * 20 + 'y', 'it is nested more than 16 directories deep'),
                ('trace/' + 'x' * 1100, 'its name is longer than 1024 bytes'),
                ('trace/' + 'x' * 300, 'File name too long')):
            with self.subTest(name=name):
                self.assert_refused(self.archive(member(name)), message, dump='too long' not in message)

    def test_kinds(self):
        for kind, message in ((tarfile.SYMTYPE, 'is a symbolic link'), (tarfile.LNKTYPE, 'is a hard link'),
                              (tarfile.CHRTYPE, 'is a device'), (tarfile.BLKTYPE, 'is a device'),
                              (tarfile.FIFOTYPE, 'is a FIFO')):
            for name in ('trace/cpu/9', 'trace/.hidden', '.hidden'):
                with self.subTest(kind=kind, name=name):
                    self.assert_refused(self.archive(member(name, kind, linkname=SYSTEM, devmajor=1, devminor=3)),
                                        message + ': expected regular files and directories only')

    def test_a_link_and_then_a_file_through_it(self):
        os.mkdir(self.path('elsewhere'))
        self.assert_refused(self.archive(member('trace/link', tarfile.SYMTYPE, linkname=self.path('elsewhere')),
                                         member('trace/link/evil')), 'is a symbolic link')
        self.assertEqual(os.listdir(self.path('elsewhere')), [])

    def test_set_id(self):
        for mode in (0o4755, 0o2755, 0o6000):
            self.assert_refused(self.archive(member('trace/info/sh', mode=mode)), 'is a set-id program')
        # A setgid bit on a folder is harmless and usual for shared folders.
        path = self.write(self.archive(member('trace/info/shared', tarfile.DIRTYPE, mode=0o2777)), 'good.tar')
        self.assert_done(ltt('unpack', path, '-o', self.path('good')))
        self.assertEqual(os.stat(self.path('good/info/shared')).st_mode & 0o7002, 0)

    def test_names_that_come_twice(self):
        for first, second in ((member('trace/x'), member('trace/x')), (member('trace/x'), member('./trace/./x')),
                              (member('trace/x'), member('trace/x', tarfile.DIRTYPE)),
                              (member('trace/x', tarfile.DIRTYPE), member('trace/x'))):
            self.assert_refused(self.archive(first, second), 'its name occurs twice')
        self.assert_refused(self.archive(member('trace/cpu/0')), 'trace/cpu/0: its name occurs twice')
        self.assert_refused(self.archive(member('trace/x'), member('trace/x/y')), 'its parent is a file')
        path = self.write(self.archive(member('trace/cpu', tarfile.DIRTYPE)), 'good.tar')
        self.assert_done(ltt('dump', path), ltt('dump', sample('one-cpu')).out)

    def test_what_is_no_trace(self):
        def made(*members):
            out = io.BytesIO()
            with tarfile.open(fileobj=out, mode='w') as archive:
                for info, content in members:
                    archive.addfile(info, io.BytesIO(content))
            return out.getvalue()

        message = 'is not an archive of a trace: expected info/system.xml in it'
        self.assert_refused(made(), message)
        self.assert_refused(made(member('readme')), message)
        self.assert_refused(made(member(SYSTEM), member('beside')), message)
        self.assert_refused(made(member(SYSTEM), member('other/info/system.xml')), message)
        self.assert_refused(made(member(SYSTEM, tarfile.DIRTYPE)), message)
        self.assert_refused(made(member('.hidden/info/system.xml')), message)
        for content in (b'', b'x', b'\n' * 5000, b'PK\x03\x04' + bytes(1000), gzip.compress(b'hello'), b'\x1f\x8b',
                        b'\x28\xb5\x2f\xfd'):
            self.assert_refused(content)


class Bombs(Hostile):
    def test_sizes_that_are_only_said(self):
        for size in (17 * GIB, 1 << 62):
            self.assert_refused(self.without_end(self.archive()) + header(b'trace/bomb', size),
                                'trace/bomb: more than 17179869184 bytes of files')
        negative = bytearray(header(b'trace/bomb', 8 << 30))
        negative[124:136] = b'\xff' * 12
        negative[148:156] = b' ' * 8
        negative[148:156] = b'%06o\0 ' % sum(negative)
        self.assert_refused(self.without_end(self.archive()) + bytes(negative) + bytes(1024), 'bad.tar: ')

    def test_limits_can_be_set(self):
        path = self.write(self.archive())
        for options, message in ((['--max-size', '1K'], 'more than 1024 bytes of files'),
                                 (['--max-files', '5'], 'more than 5 files and folders')):
            self.assert_failed(ltt('unpack', path, '-o', self.path('out'), *options), message)
        self.assert_done(ltt('unpack', path, '-o', self.path('out'), '--max-size', '1M', '--max-files', '10'))

    def test_many_files(self):
        many = b''.join(header(b'trace/info/%d' % number) for number in range(3000))
        self.assert_refused(self.without_end(self.archive()) + many + bytes(1024), 'more than 2000 files and folders',
                            options=['--max-files', '2000'], dump=False)
        hidden = b''.join(header(b'trace/.info/%d' % number) for number in range(3000))
        self.assert_refused(self.without_end(self.archive()) + hidden + bytes(1024), 'more than 2000 files and folders',
                            options=['--max-files', '2000'], dump=False)

    def test_packed_zeros(self):
        """Zeros after the end mark, where no header limits the size."""
        packer = zlib.compressobj(9, zlib.DEFLATED, 31)
        zeros = bytes(1 << 20)
        packed = packer.compress(self.archive())
        for _ in range(20):
            packed += packer.compress(zeros)
        packed += packer.flush()
        self.assert_refused(packed, 'more than', 'bytes come out of it',
                            options=['--max-size', '1M', '--max-files', '100'], dump=False)

    def test_a_sparse_file(self):
        """The declared size is large, but the file has almost no data."""
        trace = self.copy(sample('one-cpu'))
        with open(os.path.join(trace, 'cpu/1'), 'wb') as file:
            file.truncate(16 * GIB + 1)
        for form in ('gnu', 'pax'):
            path = self.path(form + '.tar')
            self.assert_done(run('tar', '-cSf', path, '--format', form, '-C', self.folder, 'trace'))
            self.assertLess(os.path.getsize(path), 1 << 20)
            self.assert_refused(read(path), 'cpu/1: more than 17179869184 bytes of files')

    def test_a_window_that_needs_much_memory(self):
        """A zstd frame with a window of 2 GiB."""
        frame = b'\x28\xb5\x2f\xfd' + b'\x00' + bytes([(31 - 10) << 3]) + b'\x01\x00\x00'
        self.assert_refused(frame, 'zstd: Frame requires too much memory')


class Damaged(Hostile):
    FORMS = ('tar', 'tar.gz', 'tar.zst')

    def packed(self, form):
        path = self.path('whole.' + form)
        self.assert_done(ltt('pack', sample('two-versions'), '-o', path))
        content = read(path)
        os.unlink(path)
        return content

    def outcome(self, content):
        """Unpacks and reads; both have the same outcome. Returns the status and whether the tree exists."""
        path = self.write(content)
        unpacked = ltt('unpack', path, '-o', self.path('out'))
        dumped = ltt('dump', path)
        if unpacked.status == 0:
            expected = ltt('dump', self.path('out'))
            self.assertEqual((dumped.status, dumped.raw), (expected.status, expected.raw))
            shutil.rmtree(self.path('out'))
        else:
            self.assert_failed(unpacked, 'ltt unpack: ' + path + ': ')
            self.assert_failed(dumped, 'ltt dump: ' + path + ': ')
        self.assertEqual(os.listdir(self.folder), ['bad.tar'])
        return unpacked

    def test_cut_anywhere(self):
        dice = random.Random(1)
        for form in self.FORMS:
            whole = self.packed(form)
            last = len(whole.rstrip(b'\0')) if form == 'tar' else len(whole) - 1
            places = {0, 1, 2, 3, 4, 17, 511, 512, 513, last, last // 512 * 512, len(whole) // 2}
            if form != 'tar':
                places |= {len(whole) - 1, len(whole) - 4, len(whole) - 8}
            places |= {dice.randrange(last) for _ in range(12)}
            for place in sorted(place for place in places if place <= last):
                with self.subTest(form=form, place=place):
                    self.assertEqual(self.outcome(whole[:place]).status, 2)

    def test_one_bit_anywhere(self):
        """Every change of a compressed archive is detected; plain tar has checksums of headers only."""
        for form in self.FORMS:
            whole, dice = self.packed(form), random.Random(2)
            for _ in range(25):
                place, bit = dice.randrange(len(whole)), dice.randrange(8)
                content = bytearray(whole)
                content[place] ^= 1 << bit
                with self.subTest(form=form, place=place, bit=bit):
                    result = self.outcome(content)
                    # The time and the system in a gzip header are ignored.
                    if form == 'tar.zst' or (form == 'tar.gz' and not 4 <= place < 10):
                        self.assertEqual(result.status, 2)

    def test_scrambled_tar_in_good_packing(self):
        """The tar data is damaged before compression, so the checksum of gzip is correct."""
        plain = self.packed('tar')
        for seed in range(40):
            dice, content = random.Random(seed), bytearray(plain)
            for _ in range(dice.randrange(1, 6)):
                start = dice.randrange(len(content) // 512) * 512 + dice.choice((0, 100, 124, 148, 156, 157, 257, 345, 482))
                content[start:start + 8] = dice.randbytes(8)
                block = content[start // 512 * 512:start // 512 * 512 + 512]
                if dice.randrange(2):
                    block[148:156] = b' ' * 8
                    content[start // 512 * 512 + 148:start // 512 * 512 + 156] = b'%06o\0 ' % sum(block)
            with self.subTest(seed=seed):
                self.outcome(gzip.compress(bytes(content), 1))

    def test_what_stands_behind_the_end(self):
        whole = self.packed('tar')
        self.assert_refused(whole + whole, 'data follows the end of the archive')
        self.assert_refused(whole + b'x', 'data follows the end of the archive')
        self.assert_refused(gzip.compress(whole) + b'x', 'data that is not gzip follows the end')
        for content in (whole + bytes(20000), gzip.compress(whole) + bytes(5000),
                        gzip.compress(whole[:3000]) + gzip.compress(whole[3000:])):
            self.assertEqual(self.outcome(content).status, 0)

    def test_no_end_mark(self):
        whole = self.without_end(self.packed('tar'))
        for content in (whole, gzip.compress(whole)):
            self.assert_refused(content, 'it is cut off: expected the mark at the end of a tar archive')

    def test_a_pipe_that_ends(self):
        packed = self.packed('tar.zst')
        for content in (packed[:-1], b'', packed[:700]):
            process = subprocess.run(['sh', '-c', '"$0" unpack - -o "$1"', os.path.join(os.environ['LTT_BUILD'], 'bin/ltt'),
                                      self.path('out')], input=content, stderr=subprocess.PIPE, check=False)
            self.assertEqual(process.returncode, 2)
            self.assertIn(b'ltt unpack: standard input: ', process.stderr)
            self.assertEqual(os.listdir(self.folder), [])
