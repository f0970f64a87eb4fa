"""`ltt export --to chrome`: compared with the events that `ltt dump` prints."""
import json
import os
from decimal import Decimal

from command import DATA, CommandTest, ltt, sample, samples

PAIRS = (('entry', 'exit'), ('enter', 'exit'), ('begin', 'end'), ('start', 'end'), ('start', 'stop'))
OF_THE_TRACE = 5000000


def slice_of(name, names):
    """(phase, name of the bar, name of the event that begins it), or None."""
    facility, own = name.split('.', 1)
    words = own.split('_')
    for i, word in enumerate(words):
        for begin, end in PAIRS:
            for mine, other, phase in ((begin, end, 'B'), (end, begin, 'E')):
                partner = facility + '.' + '_'.join(words[:i] + [other] + words[i + 1:])
                if word == mine and partner in names:
                    rest = '_'.join(words[:i] + words[i + 1:])
                    return phase, facility + '.' * bool(rest) + rest, name if phase == 'B' else partner
    return None


class Chrome(CommandTest):
    def export(self, trace, *options):
        result = ltt('export', '--to', 'chrome', '-o', '-', *options, trace)
        return json.loads(result.out, parse_float=Decimal), result

    def check(self, trace, *options):
        file, result = self.export(trace, *options)
        dump = ltt('dump', '--format=json', *options, trace)
        self.assertEqual(result.err.replace('ltt export:', 'ltt dump:'), dump.err)
        names = {line.split()[0] for line in ltt('info', '--events', trace).lines}
        start = Decimal(file['otherData']['start'])
        entries = [entry for entry in file['traceEvents'] if entry['ph'] != 'M' and entry['name'] != '']
        tracks = {(entry['pid'], entry['tid']): entry['args']['name'] for entry in file['traceEvents']
                  if entry['name'] == 'thread_name'}
        events = [json.loads(line, parse_float=Decimal) for line in dump.lines]
        for entry, event in zip(entries, events, strict=True):
            self.assertEqual(Decimal(entry['ts']) / 1000000 + start, Decimal(event['time']))
            self.assertGreaterEqual(entry['ts'], 0)
            data = event['data']
            self.assertEqual(entry['args'], data if isinstance(data, dict) else {'value': data})
            if 'pid' in event:
                self.assertEqual((entry['pid'], entry['tid']), (event['pid'], event['tid']))
            else:
                self.assertEqual((entry['pid'], tracks[entry['pid'], entry['tid']]), (OF_THE_TRACE, event['tracefile']))
        self.check_bars(file, events, names)
        return file

    def check_bars(self, file, events, names):
        """@events: in the order of their entries"""
        threads, own = {}, iter(events)
        for entry in file['traceEvents']:
            if entry['ph'] == 'M':
                continue
            open_bars = threads.setdefault((entry['pid'], entry['tid']), [])
            if entry['name'] == '':
                self.assertEqual(entry['ph'], 'E')
                open_bars.pop()
                continue
            name = next(own)['event']
            bar = slice_of(name, names)
            if bar and bar[0] == 'B':
                self.assertEqual((entry['ph'], entry['name']), bar[:2])
                open_bars.append(bar[2])
            elif bar and open_bars and entry['ph'] == 'E':
                self.assertEqual((entry['name'], open_bars.pop()), bar[1:])
            else:
                self.assertEqual((entry['ph'], entry['name'], entry['s']), ('i', name, 't'))
                self.assertFalse(bar and bar[2] in open_bars, 'an end of what is under way')

    def test_every_sample(self):
        for trace in samples():
            for options in ([], ['--event', '*.e*,core.*']):
                self.check(trace, *options)

    def test_damage_is_told_and_passed_over(self):
        self.check(sample('damage'))

    def test_threads_and_names(self):
        trace = self.path('trace')
        self.assert_done(ltt('import', os.path.join(DATA, 'perf/file-tracepoints.data'), '-o', trace))
        file = self.check(trace)
        told = {entry['pid']: entry['args']['name'] for entry in file['traceEvents'] if entry['name'] == 'process_name'}
        self.assertEqual(told.pop(OF_THE_TRACE), 'trace')
        stat = json.loads(ltt('stat', '--json', trace).out)
        self.assertEqual(told, {row['pid']: row['name'] for row in stat['processes'] if row['name']})

    def test_bars_of_the_processor(self):
        file = self.check(sample('one-cpu'))
        irqs = [entry for entry in file['traceEvents'] if entry['name'] == 'core.irq']
        self.assertEqual({entry['ph'] for entry in irqs}, {'B', 'E'})
        self.assertEqual({entry['cat'] for entry in irqs}, {'core'})

    def test_nothing_selected(self):
        file, result = self.export(sample('one-cpu'), '--event', 'no.such')
        self.assert_done(result)
        self.assertEqual(file['traceEvents'], [])
        self.assertEqual(file['otherData']['node_name'], 'vaucluse')
