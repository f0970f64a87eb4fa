"""`ltt import`: detection of the kind, the output, refusals."""
import glob
import gzip
import json
import lzma
import os
import shutil
import subprocess

import small_trace
from command import DATA, ENVIRONMENT, LTT, CommandTest, ltt, run, sample

RECORDING = os.path.join(DATA, 'revent/v2-general.revent')


class ImportTest(CommandTest):
    def make(self, recording, *options):
        """Imports a recording; returns the trace."""
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        self.assert_done(ltt('import', recording, '-o', trace, *options), '')
        return trace

    def read(self, path):
        with open(path, 'rb') as file:
            return file.read()

    def assert_same_again(self, recording, kind, trace):
        result = ltt('export', '--to', kind, '-o', '-', trace)
        self.assert_done(ltt('check', trace), result.err + ltt('check', trace).out)
        self.assertEqual(result.raw, self.read(recording))


class Sources(ImportTest):
    def test_pipes(self):
        """Standard input and a named pipe; the temporary copy is removed."""
        usual = ltt('dump', '--all', self.make(RECORDING)).out
        with open(RECORDING, 'rb') as file:
            done = subprocess.run(['sh', '-c', 'cat | "$0" import - -o "$1"', LTT, self.path('piped')], stdin=file,
                                  stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
        self.assertEqual((done.returncode, done.stderr), (0, b''))
        self.assertEqual(ltt('dump', '--all', self.path('piped')).out, usual)
        self.assertIn('(standard input)', ltt('info', self.path('piped')).out)
        os.mkfifo(self.path('fifo'))
        self.assert_done(run('sh', '-c', 'cat "$1" > "$2" & exec "$0" import "$2" -o "$3"', LTT, RECORDING,
                             self.path('fifo'), self.path('named')))
        self.assertEqual(ltt('dump', '--all', self.path('named')).out, usual)
        self.assertEqual(sorted(os.listdir(self.folder)), ['fifo', 'named', 'piped', 'trace'])

    def test_standard_input_that_is_a_file(self):
        with open(RECORDING, 'rb') as file:
            done = subprocess.run([LTT, 'import', '-', '-o', self.path('t')], stdin=file, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 0)
        self.assertEqual(ltt('dump', self.path('t')).out, ltt('dump', self.make(RECORDING)).out)

    def test_standard_input_that_somebody_has_read_from(self):
        with open(self.path('with_more'), 'wb') as file:
            file.write(b'a line for somebody else\n' + self.read(RECORDING))
        with open(self.path('with_more'), 'rb') as file:
            done = subprocess.run(['sh', '-c', 'read line && exec "$0" import - -o "$1"', LTT, self.path('t')],
                                  stdin=file, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 0)
        self.assert_same_again(RECORDING, 'revent', self.path('t'))

    def test_kind_can_be_said(self):
        self.assertEqual(ltt('dump', self.make(RECORDING, '--from', 'revent')).out, ltt('dump', self.make(RECORDING)).out)

    def test_info_says_what_it_was(self):
        info = ltt('info', self.make(RECORDING)).lines
        self.assertEqual(info[1], 'recording  revent, version 2  (v2-general.revent)')
        self.assertIn('  recording          revent, version 2', info)
        self.assertTrue(ltt('info', sample('one-cpu')).lines[1].startswith('start'))


class Travelled(ImportTest):
    """Pack, cut and merge do not change the exported recording."""

    LOG = os.path.join(DATA, 'qemu/synthetic-7.2.rr')

    def test_packed(self):
        self.assert_done(ltt('pack', self.make(RECORDING), '-o', self.path('trace.tar.gz')))
        self.assert_same_again(RECORDING, 'revent', self.path('trace.tar.gz'))

    def test_merged(self):
        log = self.path('log')
        self.assert_done(ltt('import', self.LOG, '-o', log))
        merged = ltt('merge', '-o', self.path('both'), self.make(RECORDING), log)
        self.assertEqual((merged.status, merged.out), (0, ''))
        # Times of a log are instruction counts.
        self.assertIn('log: times are not wall-clock times', merged.err)
        self.assert_same_again(RECORDING, 'revent', self.path('both'))
        self.assert_same_again(self.LOG, 'qemu-replay', self.path('both'))

    def test_merged_of_several_of_a_kind(self):
        """A merge of several recordings is not exported as one recording."""
        for kind, one, other in (('revent', RECORDING, 'revent/v1-general.revent'), ('qemu-replay', self.LOG, 'qemu/q2.8-empty.rr')):
            for name, recording in (('one', one), ('other', os.path.join(DATA, other))):
                self.assert_done(ltt('import', recording, '-o', self.path(name + kind)))
            merged = self.path('both' + kind)
            self.assertEqual(ltt('merge', '-o', merged, self.path('one' + kind), self.path('other' + kind)).status, 0)
            self.assert_failed(ltt('export', '--to', kind, '-o', self.path('out'), merged),
                               'was merged from several recordings of %s; expected the trace of a single one' % kind)
            self.assertFalse(os.path.exists(self.path('out')))

    def test_cut_with_its_control_files(self):
        trace = self.make(RECORDING)
        self.assert_done(ltt('cut', '--to', '+0.5', '-o', self.path('part'), trace))
        cut = ltt('export', '--to', 'revent', '-o', '-', self.path('part'))
        self.assert_done(cut)
        self.assertEqual(cut.raw, ltt('export', '--to', 'revent', '-o', '-', '--to', '+0.5', trace).raw)
        self.assertLess(len(cut.raw), os.path.getsize(RECORDING))


class Attributes(ImportTest):
    """Attributes that importers write, so that other code does not depend on the kind of recording."""
    RECORDINGS = (('revent/v2-general.revent', 'wall', None), ('revent/v3-general.revent', 'monotonic', None),
                  ('qemu/q7.2-serial.rr', 'other', None), ('perf/file-callgraph.data', 'other', None),
                  ('perf/stat-interval.data', 'other', None),
                  ('perf/bigendian-s390x.data', 'monotonic', '1795230672851847853'))

    def test_clocks(self):
        for recording, clock, zero in self.RECORDINGS:
            with self.subTest(recording):
                system = json.loads(ltt('info', '--json', self.make(os.path.join(DATA, recording))).out)['system']
                self.assertEqual((system.get('clock'), system.get('clock_zero')), (clock, zero))

    def bookkeeping(self, trace):
        """The description of the bookkeeping facility, and the lines of its events."""
        for path in glob.glob(os.path.join(trace, 'eventdefs/*_file.xml')):
            self.assertIn(b' ltt:role="bookkeeping"', self.read(path))
            name = os.path.basename(path)[:-len('.xml')]
            lines = ltt('dump', '--event', name + '.*', trace).lines
            self.assertGreater(len(lines), 1)
            return path, name, lines

    def test_a_part_keeps_all_bookkeeping(self):
        """Includes traces of earlier importers without the attribute, and merged traces."""
        for recording in ('revent/v2-general.revent', 'qemu/q7.2-serial.rr', 'perf/file-callgraph.data'):
            with self.subTest(recording):
                for name in ('part', 'old-part', 'both', 'both-part'):
                    shutil.rmtree(self.path(name), ignore_errors=True)
                trace = self.make(os.path.join(DATA, recording))
                path, name, lines = self.bookkeeping(trace)
                self.assert_done(ltt('cut', '--to', '-0', '--from', '-0', '-o', self.path('part'), trace), None)
                self.assertEqual(self.bookkeeping(self.path('part'))[2], lines)
                self.assertEqual(ltt('merge', '-o', self.path('both'), sample('one-cpu'), trace).status, 0)
                self.assertEqual(ltt('cut', '--event', 'core.file_open', '-o', self.path('both-part'), self.path('both')).status, 0)
                self.assertEqual(self.bookkeeping(self.path('both-part'))[2], self.bookkeeping(self.path('both'))[2])
                text = self.read(path)
                with open(path, 'wb') as file:
                    file.write(text.replace(b' ltt:role="bookkeeping"', b''))
                self.assert_done(ltt('cut', '--to', '-0', '--from', '-0', '-o', self.path('old-part'), trace), None)
                self.assertEqual(ltt('dump', '--event', name + '.*', self.path('old-part')).lines, lines)

    def test_a_name_is_no_attribute(self):
        """A user's facility whose name ends with "file" is not bookkeeping."""
        trace = self.path('own')
        small_trace.write(trace, '<facility name="my_file"><event name="read"/><event name="write"/></facility>',
                          {'control/my': [[(1050000000 * 10**9, 'read', b'')]]})
        self.assert_done(ltt('cut', '--event', 'my_file.write', '-o', self.path('part'), trace), None)
        self.assertEqual(ltt('dump', self.path('part')).lines, [])


class Refused(ImportTest):
    def refuse(self, *arguments):
        result = ltt('import', *arguments)
        self.assertFalse(os.path.exists(self.path('trace')))
        return result

    def test_command_line(self):
        self.assert_failed(self.refuse(RECORDING), 'ltt import: -o DIR is missing')
        self.assert_failed(self.refuse(RECORDING, '-o', self.path('trace'), '--from', 'revnet'),
                           'ltt import: --from: revnet: no such kind; did you mean revent?')
        self.assert_failed(self.refuse(RECORDING, '-o', self.path('trace'), '--from', 'x'), 'lists them')
        self.assertEqual(os.listdir(self.folder), [])

    def test_what_is_no_recording(self):
        unknown = 'of an unknown kind'
        for name, content, what in (
                ('empty', b'', 'empty'), ('text', b'Hello, this is no recording at all.\n', unknown), ('zeros', bytes(4096), unknown),
                ('gzip', gzip.compress(self.read(RECORDING)), 'compressed with gzip'),
                ('xz', lzma.compress(self.read(RECORDING)), 'compressed with xz'),
                ('tar', bytes(257) + b'ustar\x0000' + bytes(248), 'a tar archive')):
            with open(self.path(name), 'wb') as file:
                file.write(content)
            self.assert_failed(self.refuse(self.path(name), '-o', self.path('trace')),
                               '%s: is %s: expected a recording of perf, revent or qemu-replay' % (name, what))
            self.assert_failed(self.refuse(self.path(name), '-o', self.path('trace'), '--from', 'revent'),
                               name + ': is not a recording of revent: has neither a header nor a list of devices')
        self.assert_failed(self.refuse(self.path('nothing'), '-o', self.path('trace')), 'nothing: could not open the file')
        self.assert_failed(self.refuse(self.folder, '-o', self.path('trace')), 'is a directory; expected a file')
        self.assertEqual(sorted(os.listdir(self.folder)), ['empty', 'gzip', 'tar', 'text', 'xz', 'zeros'])

    def test_a_trace(self):
        self.assert_failed(self.refuse(sample('one-cpu'), '-o', self.path('trace')), 'one-cpu: is already a trace')

    def test_what_is_there_stays(self):
        trace = self.make(RECORDING)
        before = ltt('dump', '--all', trace).out
        self.assert_failed(ltt('import', RECORDING, '-o', trace), 'trace: already exists')
        self.assertEqual(ltt('dump', '--all', trace).out, before)

    def test_a_trace_that_was_not_imported(self):
        result = ltt('export', '--to', 'revent', '-o', self.path('out'), sample('one-cpu'))
        self.assert_failed(result, 'one-cpu: has no events of facility revent_file; expected a trace imported from revent')
        self.assertEqual(os.listdir(self.folder), [])

    def test_one_of_another_kind(self):
        result = ltt('export', '--to', 'qemu-replay', '-o', self.path('out'), self.make(RECORDING))
        self.assert_failed(result, 'trace: expected a trace imported from qemu-replay, but it was imported from revent, version 2')
        self.assertEqual(os.listdir(self.folder), ['trace'])

    def test_a_full_disk_leaves_nothing(self):
        done = subprocess.run(['sh', '-c', 'ulimit -f 8; exec "$0" import "$1" -o "$2"', LTT, RECORDING,
                               self.path('trace')], stderr=subprocess.PIPE, env=ENVIRONMENT, check=False)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b'could not write', done.stderr)
        self.assertEqual(os.listdir(self.folder), [])
