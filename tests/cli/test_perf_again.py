"""Recordings of perf: an export of an import equals the original."""
import os
import random
import shutil
import struct

from command import DATA, ltt
from perf_recordings import COMPRESSED, DIRECTORY, FOLDER, KILLED, PIPE, PLAIN, PerfTest


class Again(PerfTest):
    def test_plain_files_to_the_byte(self):
        for recording in PLAIN:
            with self.subTest(recording=os.path.basename(recording)):
                trace, _ = self.imported(recording, 1 if recording == KILLED else 0)
                self.assertEqual(self.read(self.exported(trace)), self.read(recording))

    def test_others_become_plain_files(self):
        """A second import and export gives the same file, with the events of the recording."""
        for recording in (DIRECTORY, PIPE, *COMPRESSED):
            with self.subTest(recording=os.path.basename(recording)):
                trace = self.make(recording)
                before = [(event['time'], event['tracefile'], event['event']) for event in self.events(trace)
                          if not event['event'].startswith('perf_file.')]
                plain = self.path('plain')
                shutil.copy(self.exported(trace), plain)
                trace = self.make(plain)
                self.assertEqual(self.of_file(trace, 'container')[0]['form'], 'file')
                after = [(event['time'], event['tracefile'], event['event']) for event in self.events(trace)
                         if not event['event'].startswith('perf_file.')]
                self.assertEqual(sorted(after), sorted(before))
                self.assertEqual(self.read(self.exported(trace)), self.read(plain))

    def test_streams_with_gaps_between(self):
        """perf reads all files data.N, regardless of gaps in their numbers."""
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        os.rename(os.path.join(folder, 'data.1'), os.path.join(folder, 'data.10'))
        with open(os.path.join(folder, 'data.old'), 'wb') as file:
            file.write(b'no stream')
        before = self.records(self.make(DIRECTORY))
        trace, said = self.imported(folder, 1)
        self.assertEqual(said, 'ltt import: %s: byte 0: data.1 to data.9 are missing\n' % folder)
        self.assertEqual(self.of_file(trace, 'container')[0]['streams'], 2)
        self.assertEqual(self.records(trace), before)

    def test_copy_of_the_kernel(self):
        """Files of perf record --kcore are preserved, and reported if they cannot be exported."""
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        files = {'kcore_dir/kallsyms': b'ffffffff81000000 T _text\n', 'kcore_dir/kcore': random.Random(5).randbytes(70000),
                 'kcore_dir/modules': b'', 'kcore_dir__1234/kallsyms': b'guest\n'}
        for name, content in files.items():
            os.makedirs(os.path.dirname(os.path.join(folder, name)), exist_ok=True)
            with open(os.path.join(folder, name), 'wb') as file:
                file.write(content)
        trace = self.make(folder)
        copies = {}
        for piece in self.of_file(trace, 'copy'):
            self.assertEqual((piece['size'], piece['offset']), (len(files[piece['name']]), len(copies.get(piece['name'], b''))))
            copies[piece['name']] = copies.get(piece['name'], b'') + bytes(piece['octets'])
        self.assertEqual(copies, files)
        result = ltt('export', '--to', 'perf', '-o', self.path('exported'), trace)
        self.assertEqual(result.status, 1)
        self.assertEqual(result.err.splitlines(), [
            'ltt export: control/perf_file: %s: a plain file cannot contain it; its %d bytes are omitted'
            % (name, len(content)) for name, content in sorted(files.items())])
        self.assertEqual(self.read(self.path('exported')), self.read(self.exported(self.make(DIRECTORY))))

    def test_what_is_no_file_beside_the_records(self):
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        os.mkdir(os.path.join(folder, 'kcore_dir'))
        os.mkfifo(os.path.join(folder, 'kcore_dir/kcore'))
        os.symlink('/dev/zero', os.path.join(folder, 'kcore_dir/modules'))
        _, err = self.imported(folder, 1)
        self.assertEqual(err.splitlines(), [
            'ltt import: %s: kcore_dir/%s: is not a regular file; it is omitted' % (folder, name) for name in ('kcore', 'modules')])

    def test_a_part(self):
        """A part is exported as a recording of that part, with the names of its threads and addresses."""
        recording = os.path.join(FOLDER, 'file-tracepoints.data')
        trace = self.make(recording)
        part = self.path('part')
        shutil.copy(self.exported(trace, '--event', 'sched.*,perf.comm'), part)
        trace = self.make(part)
        counts = {}
        for event in self.records(trace):
            counts[event['event']] = counts.get(event['event'], 0) + 1
        self.assertEqual(counts, {'perf.comm': 60, 'sched.sched_switch': 34, 'sched.sched_wakeup': 17, 'perf.fork': 59,
                                  'perf.mmap': 8, 'perf.mmap2': 76, 'perf.id_index': 1, 'perf.thread_map': 1, 'perf.cpu_map': 1})
        self.assertEqual(self.of_file(trace, 'hostname'), [{'text': 'fixture'}])

    def test_a_cut(self):
        """A cut keeps the header and features, so the part can be exported."""
        trace = self.make(os.path.join(FOLDER, 'file-tracepoints.data'))
        self.assert_done(ltt('cut', '--from', '+0.25', '-o', self.path('cut'), trace), None)
        events = [event for event in self.events(self.path('cut')) if not event['event'].startswith('perf_file.')]
        self.assertGreater(len(events), 30)
        part = self.path('part')
        shutil.copy(self.exported(self.path('cut')), part)
        again = [event for event in self.events(self.make(part)) if not event['event'].startswith('perf_file.')]
        self.assertEqual(sorted((event['event'], event['data'].get('time', 0)) for event in again),
                         sorted((event['event'], event['data'].get('time', 0)) for event in events))

    def test_a_part_of_a_killed_one(self):
        """The export is a finished file, which perf reads, unlike the unfinished original."""
        trace, _ = self.imported(KILLED, 1)
        names = ('mmap', 'id_index', 'event_update', 'thread_map', 'cpu_map', 'comm')
        kept = [event['data'] for event in self.records(trace) if event['event'] in ['perf.' + name for name in names]]
        part = self.path('part')
        shutil.copy(self.exported(trace, '--event', 'perf.mmap'), part)
        trace = self.make(part)
        for data in kept:
            data.pop('record')
        self.assertGreater(len(kept), 1)
        self.assertEqual([{key: value for key, value in event['data'].items() if key != 'record'}
                          for event in self.records(trace)], kept)
        self.assertEqual(self.of_file(trace, 'container')[0]['unfinished'], 0)
        self.assertEqual(self.of_file(trace, 'feature'), [])

    def test_imported_by_another_version(self):
        """The earlier version used another field name."""
        trace, _ = self.imported(os.path.join(DATA, 'perf/file-callgraph.data'))
        eventdefs, loads = os.path.join(trace, 'eventdefs', 'perf.xml'), os.path.join(trace, 'control', 'facilities')
        old = self.checksum(eventdefs)
        with open(eventdefs, encoding='utf-8') as file:
            text = file.read()
        with open(eventdefs, 'w', encoding='utf-8') as file:
            file.write(text.replace('"verbatim"', '"remains"'))
        content = self.read(loads)
        self.assertEqual(content.count(old), 1)
        with open(loads, 'wb') as file:
            file.write(content.replace(old, self.checksum(eventdefs)))
        self.assertEqual(ltt('check', trace).status, 0)
        again = ltt('export', '--to', 'perf', '-o', self.path('again'), trace)
        self.assertEqual((again.status, again.err),
                         (2, 'ltt export: %s: its facility perf does not match the header of the recording: another '
                             'version of ltt imported it; export it with that version, or import the recording again\n'
                          % trace))
        self.assertFalse(os.path.exists(self.path('again')))

    @staticmethod
    def checksum(eventdefs):
        """In the byte order of a facility_load of a little-endian trace."""
        return struct.pack('<I', int(ltt('compile', '--checksum', eventdefs).out.split()[1], 16))

    def test_not_a_recording_of_perf(self):
        result = ltt('export', '--to', 'perf', '-o', self.path('out'), os.path.join(DATA, 'ltt/one-cpu'))
        self.assert_failed(result, 'expected one, from an imported recording of perf')
