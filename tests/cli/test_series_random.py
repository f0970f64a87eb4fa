"""Random series of commands, each of which reads what earlier ones wrote, have the events that the same selections have without copies.

LTT_SERIES_SEEDS=FIRST:LAST tries these seeds instead: LTT_SERIES_SEEDS=0:500 scons test ONLY=test_series_random
"""
import csv
import glob
import json
import os
import random
import re

from command import CommandTest, SOURCE, ltt, sample, some

SAMPLES = ('big-endian', 'crashed', 'every-type', 'flight-recorder', 'heartbeats', 'one-cpu', 'sparse-cpus', 'two-versions', 'unquoted',
           'clock-set-back', 'dialect-2.2', 'equal-cycles', 'iso-8859-1', 'load-in-cpu-file', 'numbers', 'tracer', 'wrapping-ids')
RECORDINGS = ('perf/file-tracepoints.data', 'perf/file-callgraph.data', 'perf/dwarf-regs-stack.data', 'perf/bpf-programs.data',
              'qemu/q7.2-serial.rr', 'revent/v2-general.revent')
SERIES_STEPS = 8


def seeds():
    first, last = os.environ.get('LTT_SERIES_SEEDS', '0:%d' % some(12)).split(':')
    return range(int(first), int(last))


def seconds(nanoseconds):
    return '%d.%09d' % divmod(nanoseconds, 10 ** 9)


class Series:
    """A pool of traces, to which each step adds one that it makes of others."""

    def __init__(self, test, seed):
        self.test, self.seed, self.choose, self.commands = test, seed, random.Random(seed), []
        self.pool = [self.begin() for _ in range(3)]

    def run(self, *words, statuses=(0,)):
        self.commands.append(' '.join(words))
        result = ltt(*words)
        self.test.assertIn(result.status, statuses, '%s\n%s' % (result.err, '\n'.join(self.commands)))
        return result

    def equal(self, one, other):
        self.test.assertEqual(one, other, '\n'.join(self.commands))

    def new(self, name):
        return self.test.path('%d-%d-%s' % (self.seed, len(self.commands), name))

    def begin(self):
        if self.choose.random() < 0.6:
            return sample(self.choose.choice(SAMPLES))
        path = self.new('imported')
        self.run('import', os.path.join(SOURCE, 'tests/data', self.choose.choice(RECORDINGS)), '-o', path)
        return path

    def digest(self, *words, statuses=(0,)):
        return self.run('dump', '--digest', *words, statuses=statuses).lines[-1]

    def column(self, trace, query):
        return [row[0] for row in csv.reader(self.run('sql', '--format=csv', trace, query).lines[1:])]

    def span(self, trace):
        """Returns: the times of the first event and after the last; None: there is none"""
        span = json.loads(self.run('info', '--json', trace).out)
        return [int(span[key].replace('.', '')) for key in ('start', 'end')] if span.get('start') else None

    def window(self, trace):
        span = self.span(trace)
        if span is None:
            return []
        start, end = sorted(self.choose.randint(*span) for _ in range(2))
        return self.choose.choice(([], ['--from', seconds(start)], ['--to', seconds(end)], ['--from', seconds(start), '--to', seconds(end)]))

    def selection(self, trace):
        kind = self.choose.choice(('cpu', 'event', 'facility', 'all', 'all', 'all'))
        found = self.column(trace, 'SELECT DISTINCT %s AS value FROM events WHERE value IS NOT NULL' % ('cpu' if kind == 'cpu' else 'type'))
        if kind == 'all' or not found:
            return []
        value = self.choose.choice(found)
        return ['--cpu', value] if kind == 'cpu' else ['--event', value if kind == 'event' else value.split('.')[0] + '.*']

    # Each of these returns the trace that it makes, or None.

    def pack(self, trace):
        path = self.new('packed.' + self.choose.choice(('tar', 'tar.gz', 'tar.zst', 'tgz')))
        self.run('pack', '-o', path, trace)
        self.equal(self.digest(path), self.digest(trace))
        return path

    def unpack(self, trace):
        packed, path = self.pack(trace), self.new('unpacked')
        self.run('unpack', '-o', path, packed)
        self.equal(self.digest(path), self.digest(trace))
        return path

    def cut(self, trace):
        path, selected = self.new('cut'), self.window(trace) + self.selection(trace)
        self.run('cut', '-o', path, *selected, trace)
        self.equal(self.digest(*selected, path), self.digest(*selected, trace))
        return path

    def merge(self, trace):
        others = [self.choose.choice(self.pool) for _ in range(self.choose.randint(0, 2))]
        path, moved = self.new('merged'), []
        for i in range(len(others)):
            if self.choose.random() < 0.3:
                moved += ['--offset', '%d=%dns' % (i + 2, self.choose.randint(0, 10 ** self.choose.randint(1, 15)))]
        self.run('merge', '-o', path, *moved, trace, *others, statuses=(0, 1))  # 1: other clocks
        self.equal(self.digest(path), self.digest(*moved, trace, *others, statuses=(0, 1)))
        return path

    def repair(self, trace):
        path = self.new('repaired')
        self.run('check', '--repair', '-o', path, trace)
        self.equal(self.digest(path), self.digest(trace))
        return path

    def split(self, trace):
        """The parts of a trace and their merge. Each part of an imported recording has its mappings or devices, too."""
        span, path = self.span(trace), self.new('parts')
        if span is None or span[0] == span[1] or re.search('"(perf|revent|qemu)', self.run('info', '--json', trace).out):
            return None
        self.run('cut', '-o', path, '--every', '%dns' % ((span[1] - span[0]) // self.choose.randint(2, 6) + 1), trace)
        merged = self.new('parts-merged')
        self.run('merge', '-o', merged, *sorted(glob.glob(path + '/*')))
        self.equal(self.contents(merged), self.contents(trace))
        return merged

    def contents(self, trace):
        """The parts of a trace that does not name its machine get other CPUs."""
        events = [json.loads(line) for line in self.run('dump', '--format=json', trace).lines]
        return sorted(json.dumps({key: value for key, value in event.items() if key not in ('cpu', 'tracefile')}) for event in events)

    def count(self, trace):
        window = self.window(trace)
        times = dict(zip(window[::2], window[1::2]))
        terms = ['time %s %s' % (sign, times[option].replace('.', '')) for option, sign in (('--from', '>='), ('--to', '<')) if option in times]
        counted = self.column(trace, 'SELECT count(*) FROM events' + (' WHERE ' if terms else '') + ' AND '.join(terms))
        self.equal(counted, [str(len(self.run('dump', *window, trace).lines))])

    def step(self):
        kind = self.choose.choice((self.pack, self.unpack, self.cut, self.cut, self.merge, self.merge, self.repair, self.split, self.count))
        made = kind(self.choose.choice(self.pool))
        if made is not None:
            self.run('check', made)
            self.pool.append(made)


class RandomSeries(CommandTest):
    def test_series(self):
        for seed in seeds():
            with self.subTest(seed=seed):
                series = Series(self, seed)
                for _ in range(SERIES_STEPS):
                    series.step()
