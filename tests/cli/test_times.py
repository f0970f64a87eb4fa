"""Times in options: dates, times of a day, units and windows about an instant, in all commands alike."""
import json
import os
import unittest
from decimal import Decimal

from command import LTT, CommandTest, expected_events, ltt, run, sample

ZONES = ('UTC', 'Asia/Tokyo', 'America/St_Johns')


def at(*words, zone='UTC'):
    """Runs ltt in a time zone."""
    return run('env', 'TZ=' + zone, LTT, *words)


class Times(CommandTest):
    """The events of this trace are of 2003-04-10T18:40:00 UTC."""

    TRACE = sample('one-cpu')

    def setUp(self):
        super().setUp()
        self.times = [Decimal(event['time']) for event in expected_events(self.TRACE)
                      if not event['event'].startswith(('builtin.', 'tracer.'))]

    def shown(self, *options, zone='UTC', trace=TRACE):
        result = at('dump', '--format=json', *options, trace, zone=zone)
        self.assert_done(result)
        return [Decimal(json.loads(line)['time']) for line in result.lines]

    def test_a_zone_that_is_none(self):
        """It is UTC, also if TZ names a file that does not describe a zone."""
        text = self.path('text')
        with open(text, 'w', encoding='utf-8') as file:
            file.write('TZif')
        for zone in (':' + text, text, ':/etc/passwd', ':/nonexistent', 'No/Where', ':/'):
            for words in (('--time', 'date'), ('--from', '18:40:00'), ('--from', '2003-04-10T18:40:00')):
                result = at('dump', *words, self.TRACE, zone=zone)
                self.assert_done(result)
                self.assertEqual(result.out, at('dump', *words, self.TRACE).out)

    def test_what_is_printed_can_be_given(self):
        for zone in ZONES:
            lines = at('dump', '--time', 'date', self.TRACE, zone=zone).lines
            self.assertEqual(len(lines), len(self.times))
            for i in (0, 100, 200, len(lines) - 1):
                date = lines[i].split()[0]
                wanted = [time for time in self.times if time >= self.times[i]]
                clock = date.split('T')[1][:18]
                for text in (date, date.replace('T', ' '), date[:29], clock, '1050000000%sns' % date[20:29]):
                    self.assertEqual(self.shown('--from', text, zone=zone), wanted, text)
                self.assertEqual(self.shown('--to', date, zone=zone), [time for time in self.times if time < self.times[i]])

    def test_units(self):
        start = self.times[0]
        for text, seconds in (('+1ms', '0.001'), ('+500us', '0.0005'), ('+1000000ns', '0.001'), ('+0.0005s', '0.0005'),
                              ('+1h', '3600'), ('+1m', '60')):
            self.assertEqual(self.shown('--from', text), [time for time in self.times if time >= start + Decimal(seconds)])
        self.assertEqual(self.shown('--from=-300us'), [time for time in self.times if time >= self.times[-1] - Decimal('0.0003')])

    def test_around(self):
        middle = self.times[150]
        for text, half in ((',20us', '0.00001'), (',0ns', '0'), ('', '0.0005'), (',1h', '1800'), (',100ns', '0.00000005')):
            wanted = [time for time in self.times if abs(time - middle) <= Decimal(half)]
            self.assertTrue(wanted)
            self.assertEqual(self.shown('--around', '%s%s' % (middle, text)), wanted)
        self.assertEqual(self.shown('--around', '+0,0ns'), [time for time in self.times if time == self.times[0]])
        self.assertEqual(self.shown('--around', '18:40:00.145,20us'), self.shown('--around', '1050000000.145,20us'))
        for options in (['--from', '+0'], ['--to', '-0']):
            self.assert_failed(ltt('dump', '--around', '+1', *options, self.TRACE), '--around cannot be combined with --from and --to')
        for text, said in (('+1,5', '"5" has no unit: expected one of ns, us, ms, s, m and h, such as 5s or 5ms'),
                           ('+1,', '"" is not a duration'), ('x,1s', '"x" is not a time'), ('+1,-1s', '"-1s" is not a')):
            self.assert_failed(ltt('dump', '--around', text, self.TRACE), 'ltt dump: --around: ' + said)

    def test_commands_agree(self):
        for options in (['--around', '18:40:00.145,40us'], ['--from', '2003-04-10T18:40:00.1450Z', '--to', '+800us']):
            count = len(self.shown(*options))
            self.assertGreater(count, 0)
            stat = at('stat', '--json', *options, self.TRACE)
            self.assertEqual(json.loads(stat.out)['events'], count)
            self.assert_done(at('cut', *options, '-o', self.path('cut'), self.TRACE))
            self.assertEqual(len(self.shown(trace=self.path('cut'))), count)
            os.rename(self.path('cut'), self.path('cut-%d' % count))
            if '--to' not in options:
                table = at('export', '--to', 'csv', '-o', '-', *options, self.TRACE)
                self.assertEqual(len(table.lines), count + 1)
            compared = at('compare', *options, self.TRACE, self.TRACE)
            self.assertEqual(compared.out, 'the same: %d events\n' % count)

    def test_an_end_of_export_can_be_a_date(self):
        result = at('export', '--to', 'csv', '--to', '2003-04-10T18:40:00.145Z', '-o', '-', self.TRACE)
        self.assertEqual(len(result.lines), 1 + sum(time < Decimal('1050000000.145') for time in self.times))


class Durations(CommandTest):
    def test_every(self):
        trace = sample('flight-recorder')
        for text in ('1ms', '0.001s', '1000us'):
            self.assert_done(ltt('cut', '--every', text, '-o', self.path(text), trace))
            self.assertEqual(sorted(os.listdir(self.path(text))), ['0000', '0001', '0002', '0003'])
        for text in ('4K', '4096bytes', '4KiB'):
            self.assert_done(ltt('cut', '--every', text, '-o', self.path(text), trace))
            self.assertEqual(sorted(os.listdir(self.path(text))), sorted(os.listdir(self.path('4K'))))
        self.assertGreater(len(os.listdir(self.path('4K'))), 1)
        for text, said in (('5', '--every: 5: has no unit: 5s is a duration, 5M a size'),
                           ('0.5', '--every: 0.5: has no unit: 0.5s is a duration, 0.5M a size'),
                           ('5x', '--every: 5x: expected a duration, such as 10s or 5m, or a size, such as 100M or 4096bytes'),
                           ('0s', '--every: 0s: expected'), ('', '--every: : expected')):
            self.assert_failed(ltt('cut', '--every', text, '-o', self.path('none'), trace), 'ltt cut: ' + said)
            self.assertFalse(os.path.exists(self.path('none')))

    def test_interval(self):
        trace = sample('one-cpu')
        outs = {ltt('stat', '--interval', text, trace).out for text in ('0.0001', '100us', '0.1ms')}
        self.assertEqual(len(outs), 1)

    def test_offset(self):
        traces = [sample('one-cpu'), sample('sparse-cpus')]
        outs = {ltt('dump', '--offset', '2=' + text, *traces).out for text in ('-0.003', '-3ms', '-3000us')}
        self.assertEqual(len(outs), 1)
        for text in ('2=12:00:00', '2=', '2=+-1', '2=3d', '3=1', '2'):
            self.assert_failed(ltt('dump', '--offset', text, *traces), '--offset %s: expected N=S' % text)


if __name__ == '__main__':
    unittest.main()
