"""Arguments of the right type and a wrong value: none is cut to another one in silence."""
import datetime
import unittest

import ltt
from support import TraceTest, sample

PAIR = 'core.irq_entry', 'core.irq_exit'


class Numbers(TraceTest):
    """A number that does not fit in 32 or 64 bits is a mistake. Its low bits are another number, such as 0."""

    def expect(self, function, most):
        for wrong in (-1, most + 1, 2**100, -2**63, -2**100):
            with self.assertRaisesRegex(ValueError, '^expected an integer from 0 to %d, not %d$' % (most, wrong)):
                function(wrong)
        for wrong in (1.5, '1', None):
            with self.assertRaises(TypeError):
                function(wrong)
        function(most)

    def test_of_32_bits(self):
        trace = self.open('sparse-cpus')
        latency = trace.latency(*PAIR, by='cpu')
        for function in (lambda number: trace.latency(*PAIR, by='cpu', longest=number),
                         lambda number: trace.table('core.file_open', threads=number),
                         lambda number: trace.table('core.file_open', batch_rows=number),
                         lambda number: trace.sql('select 1', threads=number),
                         lambda number: trace.stat(threads=number),
                         lambda number: trace.symbol(0, number)):
            self.expect(function, 2**32 - 1)
        for wrong in (-1, 2**32 + 40):
            with self.assertRaisesRegex(ValueError, '^expected an integer from 0 to'):
                latency.histogram(wrong)
        self.assertEqual(len(trace.latency(*PAIR, by='cpu', longest=2**32 - 1).longest), len(latency))

    def test_of_64_bits(self):
        trace = self.open('sparse-cpus')
        for function in (lambda number: trace.stat(interval_ns=number), lambda number: trace.partitions(part_bytes=number),
                         lambda number: trace.symbol(number, 0), lambda number: trace.symbol(0, 0, number)):
            self.expect(function, 2**64 - 1)

    def test_offsets(self):
        for wrong in ({-1: 5}, {0: 2**63}, {0: -2**63 - 1}, {2**64: 5}):
            with self.assertRaises(OverflowError):
                self.open('sparse-cpus', offsets=wrong)


class Texts(TraceTest):
    def test_a_nul_does_not_end_a_name(self):
        """The text before it is a name that the trace has."""
        trace = self.open('sparse-cpus', 'one-cpu')
        part = trace.partitions()[0]
        batch = next(trace.table('core.file_open').batches())
        for function in (lambda: trace.table('core.file_open\0x'), lambda: trace.events('core.file_open\0x'),
                         lambda: trace.table('core.file_open', partitions=[part + '\0x']), lambda: batch['fd\0x'],
                         lambda: trace.latency(PAIR[0] + '\0x', PAIR[1]), lambda: trace.latency(*PAIR, by='cpu\0x'),
                         lambda: trace.latency(*PAIR, group='irq_id\0x'), lambda: trace.sql('select 1\0x'),
                         lambda: ltt.open(sample('one-cpu') + '\0x'), lambda: ltt.sync([sample('one-cpu')] * 2, 'a:b=c:d\0x')):
            with self.assertRaisesRegex(ValueError, 'embedded null'):
                function()
        with self.assertRaisesRegex(ltt.InvalidError, 'core.file_open has no column'):
            trace.table('core.file_open', ['fd\0x'])
        event = next(event for event in trace.events('named.draw') if len(event['p']) > 1)
        for wrong in ('p\0x', 'p[1].x\0y', 'p[1\0]', 'p[1].x\0'):
            with self.assertRaises(KeyError):
                event[wrong]


class Times(TraceTest):
    def test_before_1970(self):
        """No event is so early. In `--from`, -1 is one second before the end."""
        trace = self.open('sparse-cpus')
        earlier = datetime.datetime(1969, 12, 31, 23, 59, 59, tzinfo=datetime.timezone.utc)
        for time in (-1, -1.0, -10**30, -1e9, earlier):
            self.assertEqual(len(list(trace.events(start=time))), 1200)
            self.assertEqual(list(trace.events(end=time)), [])
        self.assertGreater(len(list(trace.events(start='-1'))), 0)

    def test_not_a_time(self):
        trace = self.open('sparse-cpus')
        for wrong, error in ((float('nan'), ValueError), (float('inf'), OverflowError), (2**63, ltt.InvalidError), (b'1', TypeError),
                             ([], TypeError)):
            with self.assertRaises(error):
                trace.events(start=wrong)


if __name__ == '__main__':
    unittest.main()
