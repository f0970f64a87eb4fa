"""User call chains that the kernel unwinds after the sample, as in Linux 7.2: generated, in both byte orders."""
import json
import struct

from cli.test_perf_made import CPU, ID, IP, TID, TIME, Recording
from command import ltt
from perf_recordings import PerfTest

READ, CALLCHAIN = 1 << 4, 1 << 5
SAMPLE, DEFERRED = 9, 22
KERNEL, USER, USER_DEFERRED = (1 << 64) - 128, (1 << 64) - 512, (1 << 64) - 640


class Deferred(PerfTest):
    def recording(self, order, sample_type=IP | TID | TIME | ID | CPU | CALLCHAIN):
        return Recording(order).attr(sample_type=sample_type)

    def add_sample(self, recording, time, chain, cpu=0, tid=11, read=()):
        body = recording.pack('QIIQQII', 0x1000, 10, tid, time, 1, cpu, 0) + recording.pack('%dQ' % len(read), *read)
        recording.record(SAMPLE, body + recording.pack('%dQ' % (1 + len(chain)), len(chain), *chain), 1)

    def add_rest(self, recording, time, cookie, chain, cpu=0, tid=11):
        body = recording.pack('%dQ' % (2 + len(chain)), cookie, len(chain), *chain)
        recording.record(DEFERRED, body + recording.pack('IIQQII', 10, tid, time, 1, cpu, 0), 2)

    def joined(self, recording):
        """Returns the joined call chains by event time; the export equals the recording."""
        trace, said = self.import_content(recording.content())
        self.assertEqual(said, '')
        events = self.events(trace, '--event', 'perf_joined.callchain')
        self.assert_done(ltt('dump', '--event', 'perf_joined.callchain', trace), None)
        return [(event['time'], event['tracefile'], event['tid'], event['data']['cookie'], event['data']['callchain']) for event in events]

    def test_two_samples_of_one_return(self):
        for order in '<>':
            with self.subTest(order=order):
                recording = self.recording(order)
                self.add_sample(recording, 1000, (KERNEL, 0xffff0001, USER_DEFERRED, 77))
                self.add_sample(recording, 1100, (KERNEL, 0xffff0002, USER_DEFERRED, 77))
                self.add_sample(recording, 1200, (KERNEL, 0xffff0003, USER, 0x5))
                self.add_rest(recording, 1300, 77, (USER, 0x10, 0x20))
                self.assertEqual([found[3:] for found in self.joined(recording)],
                                 [(77, [KERNEL, 0xffff0001, USER_DEFERRED, USER, 0x10, 0x20]),
                                  (77, [KERNEL, 0xffff0002, USER_DEFERRED, USER, 0x10, 0x20])])

    def test_the_thread_moved_to_another_cpu(self):
        recording = self.recording('<')
        for cpu in (0, 1):
            self.add_sample(recording, 1000 + cpu, (USER_DEFERRED, 5 + cpu), cpu=cpu)
            self.add_rest(recording, 2000 + cpu, 5 + cpu, (USER, 0x10 + cpu), cpu=1 - cpu)
        self.assertEqual([(found[1], found[3], found[4]) for found in self.joined(recording)],
                         [('cpu/0', 5, [USER_DEFERRED, USER, 0x10]), ('cpu/1', 6, [USER_DEFERRED, USER, 0x11])])

    def test_behind_counts(self):
        recording = self.recording('<', IP | TID | TIME | ID | CPU | READ | CALLCHAIN)
        self.add_sample(recording, 1000, (USER_DEFERRED, 5), read=(42,))
        self.add_rest(recording, 2000, 5, (USER, 0x10))
        self.assertEqual([found[4] for found in self.joined(recording)], [[USER_DEFERRED, USER, 0x10]])

    def test_what_does_not_belong_together(self):
        recording = self.recording('<')
        self.add_sample(recording, 1000, (USER_DEFERRED, 5), tid=12)  # another thread
        self.add_sample(recording, 1001, (USER_DEFERRED, 6))          # another cookie
        self.add_sample(recording, 1002, (5,))                        # no mark
        self.add_rest(recording, 2000, 5, (USER, 0x10))
        self.assertEqual(self.joined(recording), [])

    def test_more_addresses_than_the_record_has(self):
        recording = self.recording('<')
        self.add_sample(recording, 1000, (USER_DEFERRED, 5))
        body = struct.pack('<QQ', 5, 1 << 60) + struct.pack('<IIQQII', 10, 11, 2000, 1, 0, 0)
        recording.record(DEFERRED, body, 2)
        trace, _ = self.import_content(recording.content(), 1)
        self.assertEqual(self.events(trace, '--event', 'perf_joined.callchain'), [])

    def test_many_samples_of_one_long_chain(self):
        """144 kB, 72 MB of joined call chains: the limit is 64 MiB."""
        recording = self.recording('<')
        n_samples, chain = 1100, [USER] + 8150 * [0x10]
        for number in range(n_samples):
            self.add_sample(recording, 1000 + number, (USER_DEFERRED, 77))
        self.add_rest(recording, 5000, 77, chain)
        trace, said = self.import_content(recording.content(), 1)
        self.assertRegex(said, r'^ltt import: .*: the joined call chains and counts take more than 67108864 bytes; this record and later ones have none\n$')
        by_event = json.loads(ltt('stat', '--json', trace).out)['by_event']
        self.assertEqual((by_event['perf.cpu_clock'], by_event['perf_joined.callchain']), (n_samples, (64 << 20) // (8 + 4 + 8 * (1 + len(chain)))))
