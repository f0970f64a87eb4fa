"""Groups: `perf record -e '{a,b}:S'` samples the leader, and perf script prints a line for each member."""
import os
import re
import struct

from command import DATA, ltt
from perf_recordings import PerfTest

LEADER = os.path.join(DATA, 'perf-groups', 'leader.data')
LINE = re.compile(r'\s*(?P<tid>\d+) \[(?P<cpu>\d+)\]\s+(?P<time>[\d.]+):\s+(?P<period>\d+)\s+(?P<name>\S+):')
HEADER = struct.Struct('<IHH')
SAMPLE = 9


def lines_of_perf():
    with open(LEADER + '.script.txt', encoding='ascii') as file:
        matches = [LINE.match(line) for line in file if not line.startswith('#')]
    return [(match['tid'], 'cpu/' + str(int(match['cpu'])), match['time'], match['period'], match['name']) for match in matches]


class Groups(PerfTest):
    def members(self, trace):
        return [(str(event['tid']), event['tracefile'], event['time'], str(event['data']['period']), event['data']['name'])
                for event in self.events(trace, '--event', 'perf_joined.member')]

    def samples(self, content):
        """Offsets of the samples."""
        begin, size = struct.unpack_from('<QQ', content, 40)
        at = begin
        while at < begin + size:
            kind, _, length = HEADER.unpack_from(content, at)
            if kind == SAMPLE:
                yield at, length
            at += length

    def test_as_perf_script_prints_them(self):
        trace, _ = self.imported(LEADER)
        self.assert_done(ltt('check', trace))
        expected = lines_of_perf()
        self.assertGreater(len({cpu for _, cpu, _, _, _ in expected}), 1)
        self.assertEqual(self.members(trace), expected)

    def test_each_follows_its_sample(self):
        trace, _ = self.imported(LEADER)
        last = None
        for event in self.events(trace, '--event', 'perf.cpu_clock,perf_joined.member'):
            if event['event'] == 'perf.cpu_clock':
                last = event
                counts = {member['id']: member['value'] for member in event['data']['read']}
            else:
                self.assertEqual([event[key] for key in ('time', 'tid', 'tracefile')],
                                 [last[key] for key in ('time', 'tid', 'tracefile')])
                self.assertEqual(event['data']['value'], counts[event['data']['id']])

    def test_the_recording_comes_back(self):
        trace, _ = self.imported(LEADER)
        self.assertEqual(self.read(self.exported(trace)), self.read(LEADER))

    def test_a_part_without_its_samples(self):
        """Members are not records: a part without the samples has no records."""
        trace, _ = self.imported(LEADER)
        part = self.read(self.exported(trace, '--event', 'perf_joined.member'))
        self.assertEqual(list(self.samples(part)), [])

    def test_counts_that_cannot_be(self):
        content = bytearray(self.read(LEADER))
        samples = list(self.samples(content))
        count_at, id_at = 6, 11  # words: ip, thread, time, id, CPU, period, count of members, twice value, id, lost
        n_lines = len(lines_of_perf())
        for what, at, value in (('more members than there are bytes', count_at, 1 << 60), ('an id of none', id_at, 1 << 50)):
            with self.subTest(what):
                changed = bytearray(content)
                for place, _ in samples:
                    struct.pack_into('<Q', changed, place + HEADER.size + 8 * at, value)
                trace, _ = self.import_content(bytes(changed), 1 if at == count_at else 0)
                members = self.members(trace)
                self.assertLess(len(members), n_lines)
                self.assertEqual({member[-1] for member in members}, set() if at == count_at else {'cpu-clock'})
