"""Recordings of perf, whole and damaged: the importer and perf itself find the same records and values.

`perf script -D` lists every record of a file. Where perf reads a damaged file to its end, both must agree on the records, and on
the times, CPUs, threads, addresses and periods of samples. LTT_PERF_SEEDS=FIRST:LAST tries these seeds instead:
LTT_PERF_SEEDS=0:5000 scons test ONLY=test_perf_differential
"""
import os
import random
import shutil
import struct
import unittest
from collections import Counter

from cli.test_perf import META, MMAP2, TYPES
from command import ltt, some
from perf_dump import has_perf, perf_dump
from perf_recordings import KILLED, PLAIN, PerfTest

N_SEEDS = some(40)
SAMPLE = 9
NUMBERS = {**{name: number for number, name in TYPES.items()}, 'mmap2_build_id': MMAP2, 'bpf_event': 18}
# Without records that the version of perf in Debian 12 cannot read.
COMPARED = [path for path in PLAIN if path != KILLED]


def seeds():
    """The range of seeds to try."""
    first, last = os.environ.get('LTT_PERF_SEEDS', '0:%d' % N_SEEDS).split(':')
    return range(int(first), int(last))


@unittest.skipUnless(has_perf(), 'perf is not installed')
class Differential(PerfTest):
    maxDiff = 1000

    def compare(self, path):
        """Returns: (nullable): the number of records; None if perf reports an error"""
        theirs = perf_dump(path)
        if theirs is None:
            return None
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        result = ltt('import', path, '-o', trace, '--from', 'perf')
        self.assertIn(result.status, (0, 1), result.err)
        samples = {attr['event'] for attr in self.of_file(trace, 'attr')}
        ours = {event['data']['record']['offset']: event for event in self.records(trace)}
        theirs = {offset: record for offset, record in theirs.items() if record.type not in META}
        self.assertEqual(Counter(self.kind(event, samples) for event in ours.values()),
                         Counter(record.type for record in theirs.values()), result.err)
        self.assertEqual({offset: event['data']['record']['misc'] for offset, event in ours.items()},
                         {offset: record.misc for offset, record in theirs.items()})
        for offset, record in theirs.items():
            self.compare_record(record, ours[offset]['data'], self.kind(ours[offset], samples))
        return len(theirs)

    def kind(self, event, samples):
        """The number of the type of a record."""
        name = event['event'].split('.')[1]
        if event['event'] in samples:
            return SAMPLE
        if name == 'unknown':
            return event['data']['type']
        return NUMBERS.get(name, name)

    def compare_record(self, record, data, kind):
        """Compares the values that perf prints."""
        self.assertEqual(record.type, kind)
        own = data if kind == SAMPLE else data.get('sample_id', {})
        for name in ('time', 'cpu', 'pid', 'tid', 'ip', 'period', 'addr'):
            expected = getattr(record, name)
            found = own.get('perf_' + name, own.get(name))
            if expected is not None and found is not None:
                n = 2 ** (32 if name in ('pid', 'tid') else 64)
                self.assertEqual(found % n, expected % n, '%s of the record at byte %d' % (name, record.offset))

    def test_recordings(self):
        n_records = 0
        for path in COMPARED:
            with self.subTest(recording=os.path.basename(path)):
                n_records += self.compare(path)
        self.assertGreater(n_records, 1500)

    def damage(self, content, records, dice):
        """Changes fields of some records: not their sizes, after which perf reads nothing."""
        form = '<' if content[:8] == b'PERFILE2' else '>'
        for _ in range(dice.randrange(1, 5)):
            record = dice.choice(records)
            kind = dice.randrange(6)
            if kind == 0:
                struct.pack_into(form + 'H', content, record.offset + 4, dice.choice((0, 1, 2, 0x2000, 0x4000, 0xffff)))
            elif kind == 1 and record.size >= 16:
                width = dice.choice((4, 8))
                at = record.offset + dice.randrange(8, record.size - width + 1, width)
                struct.pack_into(form + ('I' if width == 4 else 'Q'), content, at, dice.choice(
                    (0, 1, 2 ** (8 * width) - 1, 2 ** (8 * width - 1), dice.randrange(2 ** (8 * width)), dice.randrange(1000))))
            elif record.size > 8:
                at = dice.randrange(record.offset + 8, record.offset + record.size)
                content[at] = dice.choice((0, 0xff, content[at] ^ 1 << dice.randrange(8), dice.randrange(256)))

    def test_damaged(self):
        outcomes = Counter()
        originals = {path: sorted(perf_dump(path).values(), key=lambda record: record.offset)
                     for path in COMPARED}
        for seed in seeds():
            dice = random.Random(seed)
            original = COMPARED[seed % len(COMPARED)]
            content = bytearray(self.read(original))
            self.damage(content, originals[original], dice)
            path = self.path('damaged')
            with open(path, 'wb') as file:
                file.write(content)
            with self.subTest(seed=seed, recording=os.path.basename(original)):
                outcomes[self.compare(path) is not None] += 1
        self.assertGreater(outcomes[True], len(seeds()) // 4)

