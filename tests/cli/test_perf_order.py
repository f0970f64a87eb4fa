"""The order of records of perf: by time within their tracefile; equal times keep the order of the file."""
import os
import random
import struct

from command import ltt
from perf_recordings import FOLDER, PIPE, PerfTest, nanoseconds

HEADER = struct.Struct('<IHH')
SAMPLE, TRACING_DATA, ATTR = 9, 66, 64


def rows(content, begin, end):
    """All records, each with the data that follows it outside its size."""
    while begin < end:
        kind, _, size = HEADER.unpack_from(content, begin)
        if kind == TRACING_DATA:
            size += struct.unpack_from('<I', content, begin + HEADER.size)[0]
        yield kind, begin, content[begin:begin + size]
        begin += size


def read(name):
    with open(os.path.join(FOLDER, name), 'rb') as file:
        return file.read()


class Order(PerfTest):
    def write(self, content):
        path = self.path('recording.data')
        with open(path, 'wb') as file:
            file.write(content)
        return path

    def check(self, content, n_records):
        """Returns: all records in the order of the trace."""
        trace, _ = self.imported(self.write(content))
        self.assert_done(ltt('check', trace))
        events = [dict(event, ns=nanoseconds(event['time'])) for event in self.events(trace)
                  if 'record' in event.get('data', {})]
        self.assertEqual(len(events), n_records)
        for file in {event['tracefile'] for event in events}:
            keys = [(event['ns'], event['data']['record']['offset']) for event in events if event['tracefile'] == file]
            self.assertEqual(keys, sorted(keys))
        return events

    def test_times_that_fall(self):
        """Shuffles the times: sorted runs of records are short and overlap."""
        for name, time_at in (('offline-cpu.data', 24), ('file-callgraph.data', 24), ('file-tracepoints.data', 32)):
            content = bytearray(read(name))
            begin, size = struct.unpack_from('<QQ', content, 40)
            all_rows = list(rows(content, begin, begin + size))
            places = [at + time_at for kind, at, _ in all_rows if kind == SAMPLE]
            times = [struct.unpack_from('<Q', content, place)[0] for place in places]
            for seed in range(3):
                with self.subTest(recording=name, seed=seed):
                    dealt = list(times)
                    chance = random.Random(seed)
                    for _ in range(len(dealt) // (10 ** seed)):
                        i, j = chance.randrange(len(dealt)), chance.randrange(len(dealt))
                        dealt[i], dealt[j] = dealt[j], dealt[i]
                    for place, time in zip(places, dealt):
                        struct.pack_into('<Q', content, place, time)
                    events = self.check(content, len(all_rows))
                    came = {event['data']['record']['offset']: event['ns'] for event in events}
                    self.assertEqual([came[place - time_at] for place in places], dealt)

    def test_an_event_told_of_behind_its_samples(self):
        content = read(os.path.basename(PIPE))
        records = [record for _, _, record in rows(content, 16, len(content))]
        kinds = [HEADER.unpack_from(record)[0] for record in records]
        last_attr = len(kinds) - 1 - kinds[::-1].index(ATTR)
        n_records = sum(kind not in (ATTR, 65, TRACING_DATA, 80) for kind in kinds)
        for place in (kinds.index(SAMPLE) + 1, len(records) - 1):
            with self.subTest(place=place):
                moved = list(records)
                moved.insert(place, moved.pop(last_attr))
                events = self.check(content[:16] + b''.join(moved), n_records)
                samples = [event for event in events if 'callchain' in event['data']]
                self.assertEqual(len(samples), kinds.count(SAMPLE))
                self.assertEqual([event['ns'] for event in samples], [event['data']['time'] for event in samples])
