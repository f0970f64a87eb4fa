"""Recordings of perf: real ones of all forms, compared with the output of perf."""
import json
import os
import re

import bpf
from command import ltt
from perf_recordings import COMPRESSED, FOLDER, KILLED, PLAIN, PROGRAMS, RECORDINGS, PerfTest, nanoseconds

# Records described in control/perf_file.
META = {64, 65, 66, 80}
# Records in the file that the importer replaces by their contents.
CONTAINERS = {81, 83}
# Values from here on in a call chain are not addresses but context markers.
CONTEXTS = 0xfffffffffffff000

TYPES = {1: 'mmap', 2: 'lost', 3: 'comm', 4: 'exit', 7: 'fork', 10: 'mmap2', 14: 'switch', 15: 'switch_cpu_wide',
         16: 'namespaces', 17: 'ksymbol', 19: 'cgroup', 68: 'finished_round', 69: 'id_index', 73: 'thread_map',
         74: 'cpu_map', 75: 'stat_config', 76: 'stat', 77: 'stat_round', 78: 'event_update', 79: 'time_conv',
         82: 'finished_init'}
MMAP2, WITH_BUILD_ID = 10, 0x4000


def told(ip):
    """The part of an address that remains where perf prints the offset in the mapped file."""
    return ip if ip >> 63 else ip % 4096


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
            # perf prints the address before the instruction pointer, in any requested order
            fields = sorted(file.readline().split()[-1].split(','))
            for line in file.read().splitlines():
                start = re.match(r'.*? +(-?\d+)/(-?\d+) +(?:\[(\d+)\] +)?(\d+\.\d{9}): +(?:(\d+) +)?(\S+): *(.*)', line)
                if start:
                    printed.append((start.groups(), []))
                elif line.startswith('\t'):
                    printed[-1][1].append(int(line.split()[0], 16))
        self.assertEqual(len(events), len(printed))
        # perf prints samples with equal times in another order
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
            # perf prints the unwound frames instead of a copied stack
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
