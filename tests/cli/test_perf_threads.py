"""Processes and threads of perf recordings, as all commands show them."""
import json
import os
import struct

from command import ltt
from perf_recordings import COMPRESSED, DIRECTORY, FOLDER, KILLED, PIPE, RECORDINGS, PerfTest

TRACEPOINTS = os.path.join(FOLDER, 'file-tracepoints.data')
BIG_ENDIAN = os.path.join(FOLDER, 'bigendian-s390x.data')
STAT = os.path.join(FOLDER, 'stat-interval.data')

TID, ADDR = 1 << 1, 1 << 3
SAMPLE = 9


def unsigned(number):
    return number % (1 << 32)


def told(event):
    """The process and thread of the record: those of its sample_id, or else of its contents; None if it has none."""
    data = event['data']
    own = data.get('sample_id', data if 'sample_id' not in data and 'identifier' in data else {})
    own = (own.get('perf_pid', own.get('pid')), own.get('perf_tid', own.get('tid')))
    if own[0] is not None and (own != (0, 0) or event['tracefile'].startswith('cpu/')):
        return tuple(map(unsigned, own))
    if 'pid' in data and 'tid' in data and data['pid'] != -1:
        return tuple(map(unsigned, (data['pid'], data['tid'])))
    return None


def known(event):
    return (event['pid'], event['tid']) if 'pid' in event else None


class Threads(PerfTest):
    def test_every_record_is_of_its_thread(self):
        for recording in RECORDINGS:
            if recording == STAT:
                continue
            with self.subTest(recording=os.path.basename(recording)):
                trace, _ = self.imported(recording, 1 if recording == KILLED else 0)
                events = self.records(trace)
                self.assertEqual([known(event) for event in events], [told(event) for event in events])
                self.assertEqual({event['tracefile'] for event in events if known(event) is None},
                                 {'control/perf_session'})
                self.assertGreater(len({event['pid'] for event in events if 'pid' in event}), 0)

    def test_commands_know_them(self):
        trace = self.make(TRACEPOINTS)
        events = self.records(trace)
        for pid in (0, 167, 168):
            mine = [event for event in events if event.get('pid') == pid]
            self.assertEqual(self.events(trace, '--filter', 'pid == %d' % pid, '--event', 'perf.*,sched.*,irq.*'),
                             self.in_order(trace, mine))
            self.assertEqual(json.loads(ltt('stat', '--json', trace).out)['by_process'][str(pid)], len(mine))

    def in_order(self, trace, events):
        return [event for event in self.events(trace) if event in events]

    def test_names_of_processes(self):
        """The last name of a process. Its other threads may have other names."""
        for recording in (TRACEPOINTS, BIG_ENDIAN, DIRECTORY):
            trace = self.make(recording)
            comms = [event for event in self.events(trace) if event['event'] == 'perf.comm']
            names = {event['data']['pid']: event['data']['comm'] for event in comms
                     if event['data']['pid'] == event['data']['tid']}
            names[0] = 'swapper'
            processes = json.loads(ltt('stat', '--json', trace).out)['processes']
            self.assertEqual({process['pid']: process['name'] for process in processes},
                             {process['pid']: names.get(process['pid']) for process in processes})
            self.assertGreater(len(set(names.values())), 2)

    def test_no_thread_in_a_recording_of_counts(self):
        stat = json.loads(ltt('stat', '--json', self.make(STAT)).out)
        self.assertEqual((stat['by_process'], stat['no_process']), ({}, stat['events']))

    def test_all_forms(self):
        for recording in (*COMPRESSED, DIRECTORY, PIPE):
            trace = self.make(recording)
            out = self.exported(trace)
            again = self.make(out)
            self.assertEqual(sum('pid' in event for event in self.records(again)),
                             sum('pid' in event for event in self.records(trace)
                                 if recording != DIRECTORY or event['event'] != 'perf.finished_round'))

    def test_samples_of_no_thread_among_those_of_one(self):
        """Samples without a thread do not inherit the preceding thread, and are exported unchanged."""
        attr = next(attr for attr in self.of_file(self.make(TRACEPOINTS), 'attr') if attr['name'] == 'sched:sched_wakeup')
        usual = {event['data']['record']['offset']: known(event) for event in self.records(self.path('trace'))}
        content = bytearray(self.read(TRACEPOINTS))
        sample_type, = struct.unpack_from('<Q', content, attr['offset'] + 24)
        struct.pack_into('<Q', content, attr['offset'] + 24, sample_type & ~TID | ADDR)
        nobodys = set()
        for place in usual:
            kind, = struct.unpack_from('<I', content, place)
            if kind == SAMPLE and struct.unpack_from('<Q', content, place + 8)[0] in attr['ids']:
                # identifier, ip, time, addr instead of identifier, ip, tid, time
                content[place + 24:place + 32] = content[place + 32:place + 40]
                nobodys.add(place)
        changed = self.path('changed')
        with open(changed, 'wb') as file:
            file.write(content)
        trace = self.make(changed)
        events = self.records(trace)
        self.assertEqual(len(nobodys), 17)
        by_place = {event['data']['record']['offset']: known(event) for event in events}
        self.assertEqual({by_place[place] for place in nobodys}, {None})
        others = [place for place in usual if place not in nobodys]
        self.assertLessEqual({by_place[place] for place in others if by_place[place] != usual[place]}, {None})
        for cpu in ('cpu/0', 'cpu/1'):
            of_cpu = [event for event in self.events(trace) if event['tracefile'] == cpu]
            places = [event['data']['record']['offset'] for event in of_cpu]
            first = next(i for i, place in enumerate(places) if place in nobodys)
            self.assertEqual([by_place[place] for place in places[:first]], [usual[place] for place in places[:first]])
        self.assertEqual(ltt('check', trace).status, 0)
        self.assertEqual(self.read(self.exported(trace)), bytes(content))
