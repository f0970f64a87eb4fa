"""`ltt dump`: every format, compared with the expected events of the sample traces."""
import csv
import io
import json
import os
import random
import subprocess
import sys
from decimal import Decimal

from command import (ENVIRONMENT, LTT, SOURCE, CommandTest, expected_events, expected_lines, is_hidden, ltt,
                     run, sample, samples, some_of)

READ_TRACE = os.path.join(SOURCE, 'doc/read_trace.py')


def fnv1a(text):
    value = 0xcbf29ce484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001b3 % 2 ** 64
    return value


def digest(events):
    text = ''.join('%s %s %s\n' % (event['time'], event['tracefile'], event['event']) for event in events)
    return '%d %016x\n' % (len(events), fnv1a(text))


def plain(value):
    """A single JSON value in the form of CSV."""
    return value if isinstance(value, str) else json.dumps(value, separators=(',', ':'), ensure_ascii=False)


class Json(CommandTest):
    def test_events_are_those_expected(self):
        for trace in samples():
            with self.subTest(trace=os.path.basename(trace)):
                result = ltt('dump', '--all', '--format=json', trace)
                self.assertEqual(result.lines, expected_lines(trace))
                self.assert_done(result)

    def test_undamaged_part_of_a_damaged_trace(self):
        for trace in samples('ltt-damaged'):
            with self.subTest(trace=os.path.basename(trace)):
                result = ltt('dump', '--all', '--format=json', trace)
                self.assertEqual(result.lines, expected_lines(trace))
                self.assertEqual(result.status, 1)

    def test_the_second_reader_agrees(self):
        for trace in samples('ltt', 'ltt-extra', 'ltt-damaged'):
            with self.subTest(trace=os.path.basename(trace)):
                result = run(sys.executable, READ_TRACE, trace)
                self.assertEqual(result.lines, expected_lines(trace))

    def test_builtin_and_tracer_events_are_hidden(self):
        for trace in samples('ltt'):
            with self.subTest(trace=os.path.basename(trace)):
                expected = [line for line in expected_lines(trace) if not is_hidden(json.loads(line))]
                self.assert_done(ltt('dump', '--format', 'json', trace), '\n'.join(expected) + '\n')

    def test_threads_stand_before_the_data(self):
        events = [json.loads(line) for line in ltt('dump', '--format=json', sample('tracer')).lines]
        known = [event for event in events if 'pid' in event]
        self.assertTrue(known)
        self.assertTrue(any('pid' not in event for event in events) or len(known) == len(events))
        for event in known:
            self.assertEqual(list(event), ['time', 'tracefile', 'event', 'pid', 'tid', 'data'])


class Digest(CommandTest):
    def test_can_be_computed_from_the_events(self):
        for trace in samples():
            with self.subTest(trace=os.path.basename(trace)):
                result = ltt('dump', '--all', '--format=none', '--digest', trace)
                self.assert_done(result, digest(expected_events(trace)))

    def test_means_no_other_output(self):
        trace = sample('one-cpu')
        visible = [event for event in expected_events(trace) if not is_hidden(event)]
        self.assert_done(ltt('dump', '--digest', trace), digest(visible))
        self.assert_done(ltt('dump', '--format=none', trace), '')

    def test_goes_with_no_other_format(self):
        self.assert_failed(ltt('dump', '--digest', '--format=json', sample('one-cpu')),
                           'ltt dump: --digest requires --format=none, not json')


class Csv(CommandTest):
    def table(self, *arguments):
        result = ltt('dump', '--format=csv', *arguments)
        self.assert_done(result)
        self.assertNotIn('\r\n', result.out)
        rows = list(csv.DictReader(io.StringIO(result.out, newline=''), strict=True))
        for row in rows:
            self.assertNotIn(None, row)
            self.assertNotIn(None, row.values())
        return result.lines[0].split(','), rows

    def test_events_of_many_types_have_their_data_as_json(self):
        for trace in some_of(samples()):
            with self.subTest(trace=os.path.basename(trace)):
                header, rows = self.table('--all', trace)
                threads = ['pid', 'tid'] if 'pid' in header else []
                self.assertEqual(header, ['time', 'tracefile', 'event'] + threads + ['data'])
                expected = expected_events(trace)
                self.assertEqual(len(rows), len(expected))
                for row, event in zip(rows, expected):
                    for key in ['time', 'tracefile', 'event'] + threads:
                        self.assertEqual(row[key], str(event.get(key, '')))
                    self.assertEqual(json.loads(row['data']), event['data'])

    def test_quotes_stand_only_where_needed(self):
        # In the form of Python's csv module.
        for trace in some_of(samples('ltt')):
            result = ltt('dump', '--format=csv', '--all', trace)
            out = io.StringIO(newline='')
            csv.writer(out, lineterminator='\n').writerows(csv.reader(io.StringIO(result.out, newline='')))
            self.assertEqual(result.out, out.getvalue())

    def flatten(self, path, value, columns):
        if isinstance(value, dict):
            for name, inner in value.items():
                self.flatten(path + [name], inner, columns)
        else:
            name = '.'.join(path)
            columns['field_' + name if name in columns else name] = plain(value)

    def test_events_of_one_type_have_a_column_for_each_field(self):
        for trace in some_of(samples('ltt', 'ltt-extra')):
            events = expected_events(trace)
            for name in sorted({event['event'] for event in events}):
                with self.subTest(trace=os.path.basename(trace), event=name):
                    header, rows = self.table('--event', name, trace)
                    if header[-1] == 'data':
                        continue  # two versions of the facility
                    expected = [event for event in events if event['event'] == name]
                    self.assertEqual(len(rows), len(expected))
                    for row, event in zip(rows, expected):
                        columns = dict(time=event['time'], tracefile=event['tracefile'], event=name)
                        if header[3:5] == ['pid', 'tid']:
                            columns.update(pid=str(event.get('pid', '')), tid=str(event.get('tid', '')))
                        data = event['data']
                        self.flatten([] if isinstance(data, dict) else ['value'], data, columns)
                        self.assertEqual({key: text for key, text in row.items() if text},
                                         {key: text for key, text in columns.items() if text})

    def test_two_versions_of_a_type_share_a_column(self):
        events = expected_events(sample('two-versions'))
        name = [event['event'] for event in events if event['event'].startswith('net.')][0]
        header, rows = self.table('--event', name, sample('two-versions'))
        self.assertEqual(header, ['time', 'tracefile', 'event', 'data'])
        self.assertEqual(len(rows), sum(event['event'] == name for event in events))


class Text(CommandTest):
    def test_golden(self):
        for name in ('every-type', 'tracer', 'two-versions'):
            with self.subTest(trace=name):
                path = os.path.join(SOURCE, 'tests/golden', name + '.txt')
                result = ltt('dump', '--all', sample(name))
                if 'LTT_UPDATE_GOLDEN' in os.environ:
                    with open(path, 'w', encoding='utf-8') as file:
                        file.write(result.out)
                with open(path, encoding='utf-8') as file:
                    self.assertEqual(result.lines, file.read().splitlines())

    def test_columns_are_those_of_json(self):
        for trace in some_of(samples()):
            result = ltt('dump', '--all', trace)
            events = expected_events(trace)
            self.assertEqual(len(result.lines), len(events))
            for line, event in zip(result.lines, events):
                columns = line.split('  ')
                self.assertEqual(columns[:3], [event['time'], event['tracefile'], event['event']])
                if 'pid' in event:
                    self.assertEqual(columns[3].split(' comm=')[0], 'pid=%d tid=%d' % (event['pid'], event['tid']))
                self.assertEqual(line, line.rstrip())


class Selection(CommandTest):
    TRACES = ('sparse-cpus', 'heartbeats', 'flight-recorder', 'crashed')

    def assert_selected(self, trace, is_wanted, *options):
        expected = [line for line in expected_lines(trace) if is_wanted(json.loads(line))]
        self.assert_done(ltt('dump', '--all', '--format=json', *options, trace),
                         ''.join(line + '\n' for line in expected))
        return len(expected)

    def test_window_includes_its_start_and_not_its_end(self):
        for name in self.TRACES:
            trace = sample(name)
            times = sorted(Decimal(event['time']) for event in expected_events(trace))
            for first, last in ((0, -1), (len(times) // 4, len(times) // 2), (5, 6), (len(times) // 2, 3)):
                start, end = times[first], times[last]
                with self.subTest(trace=name, start=start, end=end):
                    self.assert_selected(trace, lambda event: start <= Decimal(event['time']) < end,
                                         '--from', start, '--to', end)
            middle = times[len(times) // 2]
            self.assert_selected(trace, lambda event: Decimal(event['time']) >= middle, '--from', middle)
            self.assert_selected(trace, lambda event: Decimal(event['time']) < middle, '--to', middle)

    def test_any_window_of_any_trace(self):
        """Includes traces with a clock set back, open blocks, or blocks in another order."""
        chance = random.Random(2003)
        for trace in some_of(samples()):
            times = [Decimal(event['time']) for event in expected_events(trace)]
            step = Decimal('0.000000001')
            for _ in range(8):
                start, end = sorted(max(chance.choice(times) + chance.randint(-2, 2) * step, Decimal(0))
                                    for _ in range(2))
                with self.subTest(trace=trace, start=start, end=end):
                    self.assert_selected(trace, lambda event: start <= Decimal(event['time']) < end,
                                         '--from', f'{start:.9f}', '--to', f'{end:.9f}')

    def test_times_from_the_start_and_before_the_end(self):
        for name in self.TRACES:
            trace = sample(name)
            events = expected_events(trace)
            times = [Decimal(event['time']) for event in events if event['tracefile'].startswith('cpu/')]
            start, end = min(times), max(times)
            third = (end - start) / 3
            third = third.quantize(Decimal('0.000000001'))
            with self.subTest(trace=name):
                count = self.assert_selected(
                    trace, lambda event: start + third <= Decimal(event['time']) < end - third,
                    '--from=+%s' % third, '--to=-%s' % third)
                self.assertTrue(0 < count < len(events))
                self.assert_selected(trace, lambda event: Decimal(event['time']) >= start, '--from', '+0')
                self.assert_selected(trace, lambda event: Decimal(event['time']) >= end, '--from', '-0')

    def test_cpus(self):
        trace = sample('sparse-cpus')
        for text, cpus in (('0', [0]), ('1,4', [1, 4]), ('2-6', [2, 3, 4, 5, 6]), ('0-1,7', [0, 1, 7])):
            with self.subTest(cpus=text):
                names = ['cpu/%d' % cpu for cpu in cpus]
                self.assert_selected(trace, lambda event, names=names: event['tracefile'] in names, '--cpu', text)

    def test_event_names(self):
        trace = sample('sparse-cpus')
        names = sorted({event['event'] for event in expected_events(trace)})
        core = [name for name in names if name.startswith('core.')]
        for globs, wanted in ((core[0], [core[0]]), ('core.*', core), ('*', names),
                              ('builtin.block_*', ['builtin.block_start', 'builtin.block_end']),
                              (core[0] + ',' + core[1][:-1] + '?', core[:2])):
            with self.subTest(globs=globs):
                self.assert_selected(trace, lambda event, wanted=wanted: event['event'] in wanted, '--event', globs)

    def test_all_of_them_together(self):
        trace = sample('sparse-cpus')
        times = sorted(Decimal(event['time']) for event in expected_events(trace))
        start, end = times[len(times) // 4], times[-len(times) // 4]
        self.assertTrue(self.assert_selected(
            trace, lambda event: start <= Decimal(event['time']) < end and event['event'].startswith('core.')
            and event['tracefile'] in ('cpu/0', 'cpu/1'),
            '--from', start, '--to', end, '--event', 'core.*', '--cpu', '0-1'))


class Mistakes(CommandTest):
    def test_command_lines(self):
        trace = sample('one-cpu')
        for arguments, words in (
                ([], ['TRACE... is missing', '`ltt dump --help`']),
                (['--format=yaml', trace], ['--format: yaml: no such format']),
                (['--format=jsn', trace], ['did you mean json?']),
                (['--formt=json', trace], ['--formt', 'did you mean --format?']),
                (['--nonsense', trace], ['--nonsense: no such option; `ltt dump --help` lists them']),
                ([trace, '--from'], ['--from']),
                (['--from', 'yesterday', trace], ['--from', '"yesterday" is not a time']),
                (['--to', '1.0000000001', trace], ['--to', 'not a time']),
                (['--cpu', '1,x', trace], ['--cpu: "1,x" is not a list of CPUs']),
                (['--cpu', '', trace], ['--cpu']),
                (['--event', 'a,,b', trace], ['--event'])):
            with self.subTest(arguments=arguments[:-1]):
                self.assert_failed(ltt('dump', *arguments), 'ltt dump: ', *words)

    def test_what_is_no_trace(self):
        self.assert_failed(ltt('dump', self.path('missing')), 'ltt dump: ', 'missing: no such directory')
        self.assert_failed(ltt('dump', self.folder), 'info/system.xml', 'No such file')
        self.assert_failed(ltt('dump', __file__), 'test_dump.py: is not an archive of a trace: expected tar')
        self.assert_failed(ltt('dump', 'odd\x1b[2J'), 'odd\\u001b[2J: no such directory')

    def test_trace_whose_name_begins_with_a_dash(self):
        self.copy(sample('one-cpu'), '-f')
        result = ltt('dump', '--all', '--format=json', '--', '-f', cwd=self.folder)
        self.assertEqual(result.lines, expected_lines(sample('one-cpu')))


class Output(CommandTest):
    def test_closed_pipe_ends_quietly(self):
        for name in ('text', 'json', 'csv'):
            with self.subTest(format=name):
                reader, writer = os.pipe()
                os.close(reader)
                try:
                    result = ltt('dump', '--format', name, sample('every-type'), stdout=writer)
                finally:
                    os.close(writer)
                self.assertEqual((result.status, result.err), (0, ''))

    def test_reader_that_stops_in_the_middle(self):
        command = [LTT, 'dump', '--all', sample('every-type')]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT) as process:
            process.stdout.read(100)
            process.stdout.close()
            self.assertEqual(process.stderr.read(), b'')
            self.assertEqual(process.wait(60), 0)

    def test_full_disk_is_said(self):
        for arguments in (['--all'], ['--format=json'], ['--format=csv'], ['--digest'], ['--help']):
            with self.subTest(arguments=arguments), open('/dev/full', 'wb') as full:
                result = ltt('dump', *arguments, sample('every-type'), stdout=full)
                self.assertEqual(result.status, 2)
                self.assertEqual(result.err, 'ltt dump: standard output: could not write: '
                                             'No space left on device\n')
