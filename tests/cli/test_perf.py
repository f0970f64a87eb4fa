"""Recordings of perf: real ones of all forms come in with what perf prints of them, and go out so that perf reads them."""
import glob
import json
import os
import random
import re
import shutil
import struct
import subprocess
import unittest

import bpf
from cli.test_import import ImportTest
from command import DATA, ltt

FOLDER = os.path.join(DATA, 'perf')
RECORDINGS = sorted(glob.glob(os.path.join(FOLDER, '*.data')))
DIRECTORY = os.path.join(FOLDER, 'threads-dir.data')
PROGRAMS = os.path.join(FOLDER, 'bpf-programs.data')
PIPE = os.path.join(FOLDER, 'pipe-tracepoint-callgraph.data')
KILLED = os.path.join(FOLDER, 'unterminated.data')
COMPRESSED = [os.path.join(FOLDER, name) for name in ('file-zstd81.data', 'file-zstd83.data')]
PLAIN = [path for path in RECORDINGS if path not in [DIRECTORY, PIPE, *COMPRESSED]]

# Records that are told of in control/perf_file.
META = {64, 65, 66, 80}
# In the file, but what is in them comes out instead.
CONTAINERS = {81, 83}
# Addresses from here on in a call chain are no addresses but say whose the next ones are.
CONTEXTS = 0xfffffffffffff000

TYPES = {1: 'mmap', 2: 'lost', 3: 'comm', 4: 'exit', 7: 'fork', 10: 'mmap2', 14: 'switch', 15: 'switch_cpu_wide',
         16: 'namespaces', 17: 'ksymbol', 19: 'cgroup', 68: 'finished_round', 69: 'id_index', 73: 'thread_map',
         74: 'cpu_map', 75: 'stat_config', 76: 'stat', 77: 'stat_round', 78: 'event_update', 79: 'time_conv',
         82: 'finished_init'}
MMAP2, WITH_BUILD_ID = 10, 0x4000


def nanoseconds(text):
    return int(text.replace('.', ''))


def told(ip):
    """What is left of an address in a call chain where perf prints the place in the file that is mapped there."""
    return ip if ip >> 63 else ip % 4096


class PerfTest(ImportTest):
    def events(self, trace, *options):
        return [json.loads(line) for line in ltt('dump', '--format=json', *options, trace).lines]

    def records(self, trace):
        """All events that are records, in the order of the file."""
        events = [event for event in self.events(trace) if not event['event'].startswith('perf_file.')]
        return sorted(events, key=lambda event: event['data']['record']['offset'])

    def of_file(self, trace, name):
        return [event['data'] for event in self.events(trace, '--event', 'perf_file.' + name)]

    def exported(self, trace, *options):
        out = self.path('exported')
        if os.path.exists(out):
            os.unlink(out)
        self.assert_done(ltt('export', '--to', 'perf', '-o', out, *options, trace))
        return out

    def imported(self, recording, status=0):
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        result = ltt('import', recording, '-o', trace)
        self.assertEqual(result.status, status, result.err)
        return trace, result.err


class Real(PerfTest):
    def test_all_are_here(self):
        self.assertEqual(len(RECORDINGS), 14)
        self.assertEqual(len(PLAIN), 10)

    def test_every_record_is_an_event(self):
        for recording in RECORDINGS:
            if not os.path.exists(recording + '.records.txt'):
                continue
            with self.subTest(recording=os.path.basename(recording)):
                trace, _ = self.imported(recording, 1 if recording == KILLED else 0)
                with open(recording + '.records.txt', encoding='ascii') as file:
                    stored = [tuple(map(int, line.split())) for line in file if not line.startswith('#')]
                events = self.records(trace)
                self.assertEqual([event for event in events if event['event'] == 'perf.unknown'], [])
                if recording in COMPRESSED:
                    self.assertEqual(self.of_file(trace, 'container')[0]['compressed_records'],
                                     sum(kind in CONTAINERS for _, kind, _, _ in stored))
                    continue
                stored = [record for record in stored if record[1] not in META]
                self.assertEqual([(event['data']['record']['offset'], event['data']['record']['misc'])
                                  for event in events], [(place, misc) for place, _, misc, _ in stored])
                for event, (_, kind, misc, _) in zip(events, stored):
                    if kind in TYPES:
                        name = TYPES[kind] + ('_build_id' if kind == MMAP2 and misc & WITH_BUILD_ID else '')
                        self.assertEqual(event['event'], 'perf.' + name)

    def test_compressed_records(self):
        counts = {}
        for event in self.records(self.make(COMPRESSED[1])):
            counts[event['event']] = counts.get(event['event'], 0) + 1
        self.assertEqual(counts, {
            'perf.comm': 7, 'perf.cpu_clock': 483, 'perf.cpu_map': 1, 'perf.event_update': 3, 'perf.exit': 7,
            'perf.finished_init': 1, 'perf.finished_round': 1, 'perf.fork': 6, 'perf.id_index': 1,
            'perf.mmap2': 6, 'perf.mmap2_build_id': 24, 'perf.thread_map': 1, 'perf.time_conv': 1})

    def test_samples_are_those_that_perf_prints(self):
        n_checked = 0
        for recording in RECORDINGS:
            if recording in (KILLED, os.path.join(FOLDER, 'stat-interval.data')):
                continue
            with self.subTest(recording=os.path.basename(recording)):
                n_checked += self.check_samples(recording)
        self.assertGreater(n_checked, 2000)

    def check_samples(self, recording):
        trace = self.make(recording)
        names = {attr['event']: attr['name'] for attr in self.of_file(trace, 'attr')}
        events = [event for event in self.events(trace) if event['event'] in names]
        printed = []
        with open(recording + '.script.txt', encoding='utf-8') as file:
            # perf puts the address in front of the instruction pointer, in whatever order they are asked for
            fields = sorted(file.readline().split()[-1].split(','))
            for line in file.read().splitlines():
                start = re.match(r'.*? +(-?\d+)/(-?\d+) +(?:\[(\d+)\] +)?(\d+\.\d{9}): +(?:(\d+) +)?(\S+): *(.*)', line)
                if start:
                    printed.append((start.groups(), []))
                elif line.startswith('\t'):
                    printed[-1][1].append(int(line.split()[0], 16))
        self.assertEqual(len(events), len(printed))
        # perf prints samples of one instant in another order
        for event, ((pid, tid, cpu, time, period, name, rest), chain) in zip(
                sorted(events, key=lambda event: nanoseconds(event['time'])), printed):
            data = event['data']
            own = {key: data.get('perf_' + key, data.get(key)) for key in ('pid', 'tid', 'period', 'cpu', 'time')}
            self.assertEqual((nanoseconds(event['time']), names[event['event']]), (nanoseconds(time), name))
            self.assertEqual((own['pid'], own['tid'], own['time']), (int(pid), int(tid), nanoseconds(time)))
            if period:
                self.assertEqual(own['period'], int(period))
            if cpu:
                self.assertEqual((own['cpu'], event['tracefile']), (int(cpu), 'cpu/%d' % int(cpu)))
            # of a copied stack, perf prints what it makes of it
            if 'stack_user' in data:
                continue
            if chain:
                self.assertEqual([told(ip) for ip in data['callchain'] if ip < CONTEXTS], [told(ip) for ip in chain])
            elif rest:
                self.assertEqual([data[key] for key in fields if key in ('addr', 'ip')],
                                 [int(word, 16) for word in rest.split()])
        return len(events)

    def test_tracepoints(self):
        trace = self.make(os.path.join(FOLDER, 'file-tracepoints.data'))
        switch = self.events(trace, '--event', 'sched.sched_switch')[1]
        self.assertEqual(switch['data']['prev_comm'], 'migration/0')
        self.assertEqual({key: value for key, value in switch['data'].items() if key.startswith(('next', 'common'))},
                         {'common_type': 319, 'common_flags': 1, 'common_preempt_count': 3, 'common_pid': 16,
                          'next_comm': 'swapper/0', 'next_pid': 0, 'next_prio': 120})
        wakeup = self.events(trace, '--event', 'sched.sched_wakeup')[0]['data']
        self.assertEqual((wakeup['comm'], wakeup['pid'], wakeup['perf_pid'], wakeup['target_cpu']),
                         ('migration/0', 16, 167, 0))

    def test_system_and_features(self):
        trace = self.make(os.path.join(FOLDER, 'bigendian-s390x.data'))
        system = json.loads(ltt('info', '--json', trace).out)['system']
        self.assertEqual((system['endian'], system['machine'], system['recording']),
                         ('big', 's390x', 'perf.data 2, file'))
        attr = self.of_file(trace, 'attr')[0]
        self.assertEqual((attr['name'], attr['sample_type'], attr['ids']),
                         ('cpu-clock', ['IP', 'TID', 'TIME', 'PERIOD'], [292, 293]))
        self.assertEqual(attr['flags'], [
            'disabled', 'inherit', 'mmap', 'comm', 'freq', 'enable_on_exec', 'task', 'sample_id_all', 'exclude_guest',
            'mmap2', 'comm_exec', 'use_clockid', 'ksymbol', 'bpf_event'])
        self.assertEqual(self.of_file(trace, 'clockid'), [{'resolution': 1}])
        self.assertEqual(self.of_file(trace, 'nrcpus'), [{'available': 2, 'online': 2}])
        self.assertEqual(self.of_file(trace, 'cmdline')[0]['arguments'][:2], ['/usr/bin/perf', 'record'])

    def test_registers_and_stacks(self):
        trace = self.make(os.path.join(FOLDER, 'dwarf-regs-stack.data'))
        samples = self.events(trace, '--event', 'perf.cpu_clock')
        stacks = [event['data'] for event in samples if event['data']['stack_user']['octets']]
        self.assertEqual(len(samples), 37)
        for data in stacks:
            self.assertGreaterEqual(len(data['stack_user']['octets']), data['stack_user']['used'])
            self.assertEqual(list(data['regs_user']['abi_64'])[:9], ['ax', 'bx', 'cx', 'dx', 'si', 'di', 'bp', 'sp', 'ip'])


    def test_programs_of_bpf(self):
        trace = self.make(PROGRAMS)
        program, = self.of_file(trace, 'bpf_prog_info')
        tag = [0x61, 0x4b, 0x43, 0x4c, 0xd8, 0x32, 0x4e, 0xcc]
        symbol, = [event['data'] for event in self.events(trace, '--event', 'perf.ksymbol')]
        self.assertEqual((program['type'], program['name'], program['tag'], program['gpl_compatible']),
                         ('SOCKET_FILTER', 'ltt_probe', tag, 1))
        self.assertEqual((program['jited_ksyms'], program['jited_func_lens']), ([symbol['addr']], [symbol['len']]))
        self.assertEqual(program['jited_line_info'], [symbol['addr']])
        self.assertEqual((program['xlated_prog_len'], program['jited_prog_len'], len(program['jited_prog_insns'])),
                         (16, 19, 19))
        self.assertEqual(program['prog_tags'], [tag])
        self.assertEqual(program['func_info'], [{'insn_off': 0, 'type_id': 3}])
        types, strings = bpf.types()
        line, = program['line_info']
        self.assertEqual((line['line_col'], strings[line['file_name_off']:].split(b'\0')[0]), (7 << 10 | 9, b'/src/probe.c'))
        self.assertEqual(self.of_file(trace, 'bpf_btf'),
                         [{'id': program['btf_id'], 'size': len(types), 'octets': list(types)}])


class Again(PerfTest):
    def test_plain_files_to_the_byte(self):
        for recording in PLAIN:
            with self.subTest(recording=os.path.basename(recording)):
                trace, _ = self.imported(recording, 1 if recording == KILLED else 0)
                self.assertEqual(self.read(self.exported(trace)), self.read(recording))

    def test_others_become_plain_files(self):
        """What is exported, imported and exported again is the same; and has the events of the recording."""
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
        """perf takes all data.N that there are, whatever their numbers."""
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        os.rename(os.path.join(folder, 'data.1'), os.path.join(folder, 'data.10'))
        with open(os.path.join(folder, 'data.old'), 'wb') as file:
            file.write(b'no stream')
        before = self.records(self.make(DIRECTORY))
        trace = self.make(folder)
        self.assertEqual(self.of_file(trace, 'container')[0]['streams'], 2)
        self.assertEqual(self.records(trace), before)

    def test_copy_of_the_kernel(self):
        """What perf record --kcore leaves beside the records is kept, and told of when it does not go out."""
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
            'ltt export: control/perf_file: %s: a plain file has no place for it; its %d bytes are left out'
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
            'ltt import: %s: kcore_dir/%s: is no plain file; it is left out' % (folder, name) for name in ('kcore', 'modules')])

    def test_a_part(self):
        """Of a part of the events, a recording of that part."""
        recording = os.path.join(FOLDER, 'file-tracepoints.data')
        trace = self.make(recording)
        part = self.path('part')
        shutil.copy(self.exported(trace, '--event', 'sched.*,perf.comm'), part)
        trace = self.make(part)
        counts = {}
        for event in self.records(trace):
            counts[event['event']] = counts.get(event['event'], 0) + 1
        self.assertEqual(counts, {'perf.comm': 60, 'sched.sched_switch': 34, 'sched.sched_wakeup': 17})
        self.assertEqual(self.of_file(trace, 'hostname'), [{'text': 'fixture'}])

    def test_a_cut(self):
        """What a recording says of itself survives a cut, so a recording can be made of that."""
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
        """It is finished: perf, which refuses what was killed, reads it."""
        trace, _ = self.imported(KILLED, 1)
        kept = [event['data'] for event in self.records(trace) if event['event'] == 'perf.mmap']
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
        """It called a field otherwise."""
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
                         (2, 'ltt export: %s: its facility perf is not as the header of the recording makes it: another '
                             'version of ltt has imported it; export it with that one, or import the recording again\n'
                          % trace))
        self.assertFalse(os.path.exists(self.path('again')))

    @staticmethod
    def checksum(eventdefs):
        """As a facility_load of a little-endian trace has it."""
        return struct.pack('<I', int(ltt('compile', '--checksum', eventdefs).out.split()[1], 16))

    def test_not_a_recording_of_perf(self):
        result = ltt('export', '--to', 'perf', '-o', self.path('out'), os.path.join(DATA, 'ltt/one-cpu'))
        self.assert_failed(result, 'expected the one of a recording of perf that was imported')


class Damaged(PerfTest):
    """Whatever is wrong with a plain file, it is said, and the file comes out as it went in."""

    def check(self, content):
        path = self.path('damaged')
        with open(path, 'wb') as file:
            file.write(content)
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        result = ltt('import', path, '-o', trace, '--from', 'perf')
        self.assertIn(result.status, (0, 1), result.err)
        self.assert_done(ltt('check', trace), None)
        out = self.exported(trace)
        self.assertEqual(self.read(out), content)
        return result

    def test_cut_short(self):
        content = self.read(os.path.join(FOLDER, 'offline-cpu.data'))
        for size in (16, 40, 104, 105, 200, 264, 268, 300, 3000, 5000, len(content) - 1):
            with self.subTest(size=size):
                result = self.check(content[:size])
                self.assertEqual(result.status, 1)
                self.assertRegex(result.err, r'(?m)^ltt import: \S+: byte \d+: ')

    def test_more_than_anybody_reads(self):
        """Of records that are all wrong, the first thousand are told of, and how many more there are."""
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        data, = struct.unpack_from('<Q', content, 40)
        del content[data:]
        content += struct.pack('<IHH', 9, 0, 8) * 1234
        struct.pack_into('<Q', content, 48, 8 * 1234)
        content[72:104] = bytes(32)
        lines = self.check(bytes(content)).err.splitlines()
        self.assertEqual(len(lines), 1001)
        self.assertRegex(lines[999], 'byte %d: record .*: the record ends' % (data + 8 * 1000))
        self.assertRegex(lines[1000], '^ltt import: [^:]*: 234 more problems, which are not told of one by one$')

    def test_sizes_of_records(self):
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        for size, message in ((0, 'byte 304: a record whose size is below the 8 bytes of its header'),
                              (7, 'byte 304: a record whose size is below'),
                              (65535, 'byte 304: the records end inside of one')):
            struct.pack_into('<H', content, 304 + 6, size)
            result = self.check(bytes(content))
            self.assertIn(message, result.err)
            self.assertEqual(result.status, 1)

    def test_more_than_any_machine_has(self):
        """Ids and attrs cost memory: of too many, some are left out, and said."""
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        attrs, = struct.unpack_from('<Q', content, 24)
        end = len(content)
        content += bytes(8 * (1 << 20) + 8)
        struct.pack_into('<QQ', content, attrs + 128, end, 8 * (1 << 20) + 8)
        result = self.check(bytes(content))
        self.assertIn('byte %d: more than 1048576 ids in all; those of this attr are not taken' % (attrs + 128), result.err)

    def test_sections_among_the_records(self):
        """What a header says in bytes of records is left out: an export needs the header before it has the records."""
        content = self.read(os.path.join(FOLDER, 'offline-cpu.data'))
        attrs, attrs_size, records, records_size = struct.unpack_from('<4Q', content, 24)
        expected = 'expected %s inside the file, and not among the records'
        for place, section, message in (
                (24, (records + 8, attrs_size), 'byte 24: the attrs are at byte %d with %d bytes; ' % (
                    records + 8, attrs_size) + expected % 'them'),
                (56, (0, 1024), 'byte 56: event types at byte 0 with 1024 bytes; ' + expected % 'them'),
                (attrs + 128, (records - 8, 16), 'byte %d: ids at byte %d with 16 bytes; ' % (attrs + 128, records - 8) +
                 expected % 'them'),
                (records + records_size + 16, (records, 64), 'feature 3 is at byte %d with 64 bytes; ' % records +
                 expected % 'it')):
            changed = bytearray(content)
            struct.pack_into('<QQ', changed, place, *section)
            with self.subTest(place=place):
                result = self.check(bytes(changed))
                self.assertIn(message, result.err)
                self.assertEqual(result.status, 1)

    def test_records_in_the_header(self):
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        struct.pack_into('<QQ', content, 40, 16, 400)
        struct.pack_into('<IHH', content, 16, 3, 0, 16)
        self.assertIn('byte 40: the records begin at byte 16; expected that behind the header of 104 bytes: none are taken',
                      self.check(bytes(content)).err)

    def test_attrs_behind_compressed_records(self):
        """What takes more room then is not where the header says."""
        content = bytearray(self.read(COMPRESSED[0]))
        at, size = struct.unpack_from('<QQ', content, 24)
        struct.pack_into('<Q', content, 24, len(content))
        content += content[at:at + size]
        path = self.path('behind')
        with open(path, 'wb') as file:
            file.write(content)
        trace, said = self.imported(path)
        self.assertEqual(said, '')
        self.assertEqual(self.imported(self.exported(trace))[1], '')
        kept = self.read(self.path('exported'))
        self.assertEqual(kept[-size:-16], content[-size:-16])
        self.assertIn(struct.pack('<Q', len(kept) - size), kept[24:32])

    def test_unknown_records_and_features(self):
        content = bytearray(self.read(os.path.join(FOLDER, 'offline-cpu.data')))
        struct.pack_into('<I', content, 304, 999)
        self.assertEqual(self.check(bytes(content)).status, 0)
        unknown = self.events(self.path('trace'), '--event', 'perf.unknown')
        self.assertEqual([(event['data']['type'], event['data']['record']['offset']) for event in unknown], [(999, 304)])

    def test_programs_of_bpf(self):
        """Arrays and entries that are not where they are said to be."""
        recording = self.read(PROGRAMS)
        places = {data['name']: data['offset'] for data in self.of_file(self.make(PROGRAMS), 'feature')}
        programs, types = places['bpf_prog_info'], places['bpf_btf']
        for place, width, value, message in (
                (programs + 20 + 112, 8, 1 << 40, 'byte %d: feature 25: jited_ksyms: it lies outside of the data; it is kept as bytes'
                 % (programs + 20 + 112)),
                (programs + 8, 4, 1 << 16, 'byte %d: feature 25: it ends inside of an entry; it is kept as bytes' % (programs + 4)),
                (programs, 4, 2, 'feature 25: it ends inside of an entry'),
                (types + 8, 4, 0xffffffff, 'byte %d: feature 26: it ends inside of an entry' % (types + 12))):
            content = bytearray(recording)
            content[place:place + width] = value.to_bytes(width, 'little')
            result = self.check(bytes(content))
            self.assertIn(message, result.err)
            self.assertEqual(result.status, 1)

    def test_random_damage(self):
        chance = random.Random(6)
        for name in ('offline-cpu.data', 'bigendian-s390x.data', 'stat-interval.data', 'switch-namespaces-cgroup.data'):
            content = self.read(os.path.join(FOLDER, name))
            for _ in range(6):
                damaged = bytearray(content)
                for _ in range(chance.choice((1, 3, 30))):
                    place = chance.choice((chance.randrange(8, 264), chance.randrange(264, len(content))))
                    damaged[place] = chance.choice((0, 255, chance.randrange(256)))
                # what is to be taken apart does not come out the same
                if struct.unpack_from('<Q' if name[0] != 'b' else '>Q', damaged, 8)[0] == 16:
                    continue
                with self.subTest(name=name, seed=6):
                    self.check(bytes(damaged))

    def test_text_behind_a_pipe(self):
        path = self.path('noisy')
        with open(path, 'wb') as file:
            file.write(self.read(PIPE) + b'[ perf record: Woken up 1 times to write data ]\n')
        trace, err = self.imported(path, 1)
        self.assertIn('byte 18680: no record: its type is above 65535; the 48 bytes from here are kept as such', err)
        self.assertEqual(len([e for e in self.records(trace)]), 93 - 2 - 19 - 1)

    def test_compressed_records_cut_short(self):
        content = self.read(COMPRESSED[0])
        path = self.path('cut')
        with open(path, 'wb') as file:
            file.write(content[:9000])
        trace, err = self.imported(path, 1)
        self.assertRegex(err, r'byte \d+: the records end inside of one')
        self.assertGreater(len(self.records(trace)), 50)


    def test_a_stream_of_a_directory(self):
        """What is wrong in one stream does not hide the next."""
        folder = self.path('recording')
        shutil.copytree(DIRECTORY, folder)
        content = bytearray(self.read(os.path.join(folder, 'data.0')))
        struct.pack_into('<H', content, 6, 3)
        with open(os.path.join(folder, 'data.0'), 'wb') as file:
            file.write(content)
        trace, err = self.imported(folder, 1)
        self.assertIn('data.0: a record whose size is below the 8 bytes of its header; the 5952 bytes from here are left out',
                      err)
        samples = [event for event in self.records(trace) if event['event'] == 'perf.cpu_clock']
        self.assertEqual(len(samples), 104)
        self.assertEqual({event['tracefile'] for event in samples}, {'cpu/1'})

    def test_lost_records(self):
        """What is said to be lost counts as lost."""
        content = bytearray(self.read(os.path.join(FOLDER, 'switch-namespaces-cgroup.data')))
        with open(os.path.join(FOLDER, 'switch-namespaces-cgroup.data.records.txt'), encoding='ascii') as file:
            places = {kind: int(place) for place, kind, _, _ in (line.split() for line in file if line[0] != '#')}
        # the last exit becomes a loss
        struct.pack_into('<IHHQQ', content, places['4'], 2, 0, 56, 1, 41)
        self.check(bytes(content))
        self.assertEqual(json.loads(ltt('stat', '--json', self.path('trace')).out)['lost'], 41)
        lost = self.events(self.path('trace'), '--event', 'perf.lost')
        self.assertEqual([event['data']['lost'] for event in lost], [41])

    def test_counts_that_were_read(self):
        """A record READ has the values that read_format names, one by one or of a group."""
        recording = os.path.join(FOLDER, 'file-tracepoints.data')
        trace = self.make(recording)
        attrs = [attr['offset'] for attr in self.of_file(trace, 'attr')]
        mapped = self.records(trace)
        place = next(event['data']['record']['offset'] for event in mapped if event['event'] == 'perf.mmap2')
        enabled, with_id, group, lost = 1, 4, 8, 16
        for formats, words, read in (
                ([with_id | lost] * 5, (70, 174, 3), {'value': 70, 'id': 174, 'lost': 3}),
                ([enabled | group] * 5, (2, 500, 70, 71), {'time_enabled': 500, 'entries': [70, 71]}),
                ([enabled | with_id | group] * 5, (2, 500, 70, 174, 71, 176),
                 {'time_enabled': 500, 'entries': [{'value': 70, 'id': 174}, {'value': 71, 'id': 176}]}),
                ([lost] * 4 + [enabled], (70, 3), None)):
            content = bytearray(self.read(recording))
            for attr, read_format in zip(attrs, formats):
                struct.pack_into('<Q', content, attr + 32, read_format)
            struct.pack_into('<I', content, place, 8)
            struct.pack_into('<ii%dQ' % len(words), content, place + 8, 167, 168, *words)
            self.check(bytes(content))
            data = next(event for event in self.events(self.path('trace'), '--event', 'perf.read'))['data']
            self.assertEqual((data['pid'], data['tid']), (167, 168))
            if read is None:
                self.assertEqual(data['values'][:2], [70, 3])
            else:
                self.assertEqual({name: data['read'][name] for name in read}, read)


def can_record():
    if shutil.which('perf') is None:
        return False
    return subprocess.run(['perf', 'record', '-q', '-e', 'cpu-clock:u', '-o', '/dev/null', 'true'], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0


@unittest.skipUnless(can_record(), 'perf record is not allowed here')
class Live(PerfTest):
    """perf record here, in all its forms, and perf reading what we write."""
    FIELDS = 'comm,pid,tid,time,event,period,ip,sym'
    # Lines that tell where things are in the file, or in which form it is.
    OF_THE_FORM = re.compile(r'# (captured on|data offset|data size|feat offset|missing features|directory data|=+$|$)|#$')

    def perf(self, *arguments):
        return subprocess.run(['perf', *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, cwd=self.folder, check=True).stdout

    def check(self, *options, through_pipe=False):
        recording = self.path('perf.data')
        command = ['perf', 'record', '-q', '-e', 'cpu-clock', '-F', '2000', *options, '-o',
                   '-' if through_pipe else recording, '--', 'sh', '-c', 'i=0; while [ $i -lt 9000 ]; do i=$((i+1)); done']
        with open(recording if through_pipe else os.devnull, 'wb') as out:
            subprocess.run(command, stdin=subprocess.DEVNULL, stdout=out, stderr=subprocess.DEVNULL, check=True)
        trace, err = self.imported(recording)
        self.assertEqual(err, '')
        exported = self.exported(trace)
        for what in (['script', '--ns', '-F', self.FIELDS, '-i'], ['evlist', '-v', '-i']):
            self.assertEqual(self.perf(*what, exported), self.perf(*what, recording))
        headers = [[line for line in self.perf('report', '--header-only', '-I', '-i', path).decode().splitlines()
                    if not self.OF_THE_FORM.match(line)] for path in (exported, recording)]
        self.assertEqual(*headers)
        samples = [event for event in self.records(trace) if event['event'] == 'perf.cpu_clock']
        printed = self.perf('script', '--ns', '-F', 'time', '-i', recording).decode().split()
        self.assertEqual(sorted(nanoseconds(event['time']) for event in samples),
                         sorted(nanoseconds(time.rstrip(':')) for time in printed))
        self.assertGreater(len(samples), 2)
        return recording, exported

    def test_plain(self):
        recording, exported = self.check('-g', '-d', '--sample-cpu')
        self.assertEqual(self.read(exported), self.read(recording))

    def test_programs_of_bpf(self):
        try:
            with bpf.loaded():
                recording, exported = self.check()
        except OSError as error:
            self.skipTest(error)
        self.assertEqual(self.read(exported), self.read(recording))
        printed = self.perf('report', '--header-only', '-I', '-i', recording).decode()
        told = ['# bpf_prog_info %d: bpf_prog_%s_%s addr 0x%x size %d' % (
            program['id'], bytes(program['tag']).hex(), program['name'], program['jited_ksyms'][0], program['jited_func_lens'][0])
                for program in self.of_file(self.path('trace'), 'bpf_prog_info')]
        self.assertEqual(sorted(told), sorted(re.findall('# bpf_prog_info.*', printed)))
        self.assertEqual(['# btf info of id %d' % btf['id'] for btf in self.of_file(self.path('trace'), 'bpf_btf')],
                         re.findall('# btf info of.*', printed))

    def test_pipe(self):
        self.check(through_pipe=True)

    def test_tracepoints_through_pipe(self):
        """perf names tracepoints of a pipe only as it comes to samples, and evlist does not go so far."""
        recording = self.path('pipe')
        with open(recording, 'wb') as out:
            recorded = subprocess.run(['perf', 'record', '-q', '-g', '-e', 'sched:sched_switch,sched:sched_process_exit', '-o', '-',
                                       '--', 'sh', '-c', 'true; true'], check=False, stdin=subprocess.DEVNULL, stdout=out,
                                      stderr=subprocess.DEVNULL)
        if recorded.returncode != 0:
            self.skipTest('perf may not record tracepoints here')
        exported = self.exported(self.make(recording))
        script = ['script', '--ns', '-G', '-F', 'comm,pid,tid,cpu,time,event,trace', '-i']
        self.assertEqual(self.perf(*script, exported), self.perf(*script, recording))
        ours, theirs = [[line.split(': ', 1) for line in self.perf('evlist', '-v', '-i', path).decode().splitlines()
                         if ': type: ' in line] for path in (exported, recording)]
        self.assertEqual([about for _, about in ours], [about for _, about in theirs])
        self.assertEqual([name for name, _ in ours][:2], ['sched:sched_switch', 'sched:sched_process_exit'])

    def test_compressed(self):
        self.check('-z')

    def test_threads(self):
        self.check('--threads')

    def test_compressed_threads(self):
        self.check('--threads', '-z')
