"""The clocks of several machines: ltt.sync() and open() with `sync`, compared with `ltt sync` and `ltt dump --sync`."""
import json
import os
import unittest
import warnings

import ltt
from support import SOURCE, TraceTest, command, sample, time_ns

RULE = 'rpc.send:id=rpc.receive:id'
MACHINES = [os.path.join(SOURCE, 'tests/data/sync', name) for name in ('client', 'server')]


class Sync(TraceTest):
    def test_report(self):
        for options, keywords in (([], {}), (['--wander=3'], {'wander_ppm': 3})):
            expected = json.loads(command('sync', '--json', '--by=' + RULE, *options, *MACHINES)[0])
            self.assertEqual(ltt.sync(MACHINES, RULE, **keywords), expected)
        expected = json.loads(command('sync', '--json', '--by=' + RULE, '--by=rpc.send:id=rpc.send:id', *MACHINES)[0])
        self.assertEqual(ltt.sync(MACHINES, [RULE, 'rpc.send:id=rpc.send:id']), expected)

    def test_times(self):
        """Events have the times of `ltt dump --sync`, no error exceeds the bound, and the info has the bound."""
        lines, _ = command('dump', '--format=json', '--sync=' + RULE, *MACHINES)
        expected = [json.loads(line) for line in lines.splitlines()]
        with ltt.open(MACHINES, sync=RULE) as trace:
            events = list(trace.events())
            conversion, = trace.info['conversions']
            self.assertEqual(trace.stat()['conversions'], [conversion])
        self.assertEqual([(event.time_ns, event.name, event['id']) for event in events],
                         [(time_ns(line['time']), line['event'], line['data']['id']) for line in expected])
        self.assertLessEqual(max(abs(event.time_ns - event['truth']) for event in events), conversion['bound_ns'])
        self.assertEqual((conversion['host'], conversion['bound_ns']), ('server', ltt.sync(MACHINES, RULE)['clocks'][1]['bound_ns']))

    def test_a_merged_trace(self):
        merged = self.path('merged')
        command('merge', '-o', merged, '--sync=' + RULE, *MACHINES)
        with ltt.open(merged) as one, ltt.open(MACHINES, sync=[RULE]) as both:
            self.assertEqual([event.time_ns for event in one.events()], [event.time_ns for event in both.events()])
            self.assertEqual(one.info['conversions'], both.info['conversions'])

    def test_no_result(self):
        rule = 'rpc.send:id=rpc.send:id'
        reason = 'no messages connect it with the first trace'
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            self.assertEqual(ltt.sync(MACHINES, rule)['clocks'][1], {'trace': MACHINES[1], 'state': 'no messages'})
        self.assertEqual([str(one.message) for one in caught], ['%s: %s' % (MACHINES[1], reason)])
        with self.assertRaisesRegex(ltt.Error, '^%s: sync: %s$' % (MACHINES[1], reason)):
            ltt.open(MACHINES, sync=rule)
        with self.assertRaises(ltt.TraceWarning):
            ltt.sync(MACHINES, rule)

    def test_mistakes(self):
        for keywords in ({'sync': RULE, 'offsets': {1: 5}}, {'sync': 'rpc.send'}, {'sync': 'rpc.sent:id=rpc.receive:id'}):
            with self.assertRaises(ltt.InvalidError):
                ltt.open(MACHINES, **keywords)
        with self.assertRaises(ltt.InvalidError):
            ltt.open(MACHINES[0], sync=RULE)
        for arguments, keywords in (((MACHINES[:1], RULE), {}), ((MACHINES, []), {}), ((MACHINES, RULE), {'wander_ppm': -1}),
                                    ((MACHINES, RULE), {'wander_ppm': float('nan')})):
            with self.assertRaises(ValueError):
                ltt.sync(*arguments, **keywords)
        with self.assertRaises(TypeError):
            ltt.sync(MACHINES, [5])
        with self.assertRaisesRegex(ltt.Error, 'no such directory'):
            ltt.sync([sample('one-cpu'), 'nowhere'], RULE)


if __name__ == '__main__':
    unittest.main()
