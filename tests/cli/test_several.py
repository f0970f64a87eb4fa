"""Several traces: ltt stat and ltt export take them as ltt dump does."""
import collections
import json
import os
import unittest

from command import CommandTest, ltt, sample

GROUPS = (('one-cpu', 'sparse-cpus'), ('one-cpu', 'one-cpu'), ('every-type', 'big-endian', 'flight-recorder'),
          ('big-endian', 'crashed'), ('sparse-cpus', 'one-cpu'))


class Several(CommandTest):
    def test_stat_is_the_sum(self):
        for names in GROUPS:
            traces = [sample(name) for name in names]
            for options in ([], ['-j3'], ['--filter', 'irq_id < 50'], ['--event', 'core.*']):
                together = json.loads(ltt('stat', '--json', *options, *traces).out)
                apart = [json.loads(ltt('stat', '--json', *options, trace).out) for trace in traces]
                for key in ('events', 'bytes', 'lost'):
                    self.assertEqual(together[key], sum(one[key] for one in apart), (names, options, key))
                by_event = sum((collections.Counter(one['by_event']) for one in apart), collections.Counter())
                self.assertEqual(together['by_event'], dict(by_event))
                self.assertEqual(sum(together['by_tracefile'].values()), together['events'])
                self.assertEqual(sum(one['events'] for one in together['tracefiles']), together['events'])

    def test_export_is_the_dump(self):
        for names in GROUPS:
            traces = [sample(name) for name in names]
            for kind in ('json', 'csv'):
                for options in ([], ['--offset', '2=-3ms'], ['--filter', 'irq_id < 50']):
                    self.assertEqual(ltt('export', '--to', kind, '-o', '-', *options, *traces).raw,
                                     ltt('dump', '--format', kind, *options, *traces).raw)

    def test_others_are_for_one_trace(self):
        traces = [sample('one-cpu'), sample('sparse-cpus')]
        for kind in ('ctf', 'chrome', 'arrow', 'perf', 'revent', 'qemu-replay'):
            self.assert_failed(ltt('export', '--to', kind, '-o', self.path('out'), *traces),
                               'ltt export: --to: %s is for one trace; `ltt merge` makes one of several' % kind)
            self.assertFalse(os.path.exists(self.path('out')))


if __name__ == '__main__':
    unittest.main()
