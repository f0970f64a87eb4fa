"""ltt export --to arrow: two readers, pyarrow and apache-arrow of npm, read the values that ltt dump --format=json prints."""
import glob
import json
import os
import shutil
import subprocess
import unittest
from collections import Counter, defaultdict

import small_trace
from command import BUILD, SOURCE, CommandTest, ltt, run, sample, samples, some, some_of
from sql_tables import as_float32

NODE_READER = os.path.join(SOURCE, 'build/npm/node_modules/apache-arrow')  # tests/run.sh installs it
PYTHON = os.environ.get('LTT_TEST_PYTHON', os.path.join(SOURCE, 'build/venv/bin/python'))
BASE = ('time', 'cpu', 'pid', 'tid')


def has_pyarrow():
    try:
        return subprocess.run([PYTHON, '-c', 'import pyarrow'], stderr=subprocess.DEVNULL, check=False).returncode == 0
    except FileNotFoundError:
        return False


def column_names(data):
    """Maps fields to the names of their columns; a payload that is not a struct is `value`."""
    named = {}
    for name, value in data.items():
        while name in BASE or name in named:
            name = 'field_' + name
        named[name] = value
    return named


def narrow(value):
    """A value with floats of four bytes."""
    if isinstance(value, dict):
        return {name: narrow(item) for name, item in value.items()}
    if isinstance(value, list):
        return [narrow(item) for item in value]
    return as_float32(value) if isinstance(value, float) else value


@unittest.skipUnless(has_pyarrow(), 'pyarrow is not installed in build/venv: run `sh tests/run.sh`')
class Arrow(CommandTest):
    def read(self, *paths):
        """Rows by path, as pyarrow reads them."""
        lines = self.lines(PYTHON, os.path.join(SOURCE, 'tests/arrow_rows.py'), *paths)
        if os.path.isdir(NODE_READER) and shutil.which('node'):
            others = self.lines('node', os.path.join(SOURCE, 'tests/arrow_rows.js'), NODE_READER, *paths)
            self.assertEqual(others, lines)
        rows = {path: [] for path in paths}
        for line in lines:
            rows[line.pop('file')].append(line)
        return rows

    def lines(self, *words):
        result = run(*words)
        self.assertEqual((result.status, result.err), (0, ''))
        return [json.loads(line) for line in result.lines]

    def row(self, event):
        """Converts a line of a dump to a row."""
        seconds, fraction = event['time'].split('.')
        name = event['tracefile']
        data = event['data'] if isinstance(event['data'], dict) else {'value': event['data']}
        return {'time': int(seconds) * 10 ** 9 + int(fraction),
                'cpu': int(name[4:]) if name.startswith('cpu/') else None,
                'pid': event.get('pid'), 'tid': event.get('tid'), 'data': column_names(data)}

    def check(self, trace, *options, has_wider_floats=False):
        """Exports a file for each event type. Returns: the number of rows"""
        self.n_checks = getattr(self, 'n_checks', 0) + 1
        folder = self.path('arrow-%d' % self.n_checks)
        dump = ltt('dump', '--format=json', '--all', *options, trace)
        result = ltt('export', '--to', 'arrow', '--split', '-o', folder, '--all', *options, trace)
        self.assertEqual((result.status, result.err.replace('ltt export:', 'ltt dump:')), (dump.status, dump.err))
        events = [json.loads(line) for line in dump.lines]
        order = {name: index for index, name in enumerate(
            file['name'] for file in json.loads(ltt('info', '--json', trace).out)['tracefiles'])}
        expected = defaultdict(list)
        for event in sorted(events, key=lambda event: order[event['tracefile']]):
            expected[event['event']].append(event)
        found = defaultdict(list)
        for path in glob.glob(folder + '/*.arrow'):
            name = os.path.basename(path)[:-len('.arrow')]
            found[name if name in expected else name.rsplit('_', 1)[0]].append(path)
        self.assertEqual(set(found), set(expected))
        rows = self.read(*(path for paths in found.values() for path in paths))
        for name, paths in found.items():
            wanted = [self.row(event) for event in expected[name]]
            got = [row for path in paths for row in rows[path]]
            for row in got:
                # The JSON of a union looks like that of a struct.
                if list(row['data']) == ['value'] and isinstance(row['data']['value'], dict):
                    row['data'] = column_names(row['data']['value'])
            if has_wider_floats:
                wanted, got = narrow(wanted), narrow(got)
            if len(paths) > 1:  # incompatible versions
                wanted.sort(key=json.dumps)
                got.sort(key=json.dumps)
            self.assertEqual(got, wanted, name)
        return len(events)

    def test_samples(self):
        for trace in some_of(samples('ltt', 'ltt-extra', 'ltt-damaged')):
            with self.subTest(trace=os.path.basename(trace)):
                self.assertGreater(self.check(trace), 0)

    def test_random_traces(self):
        """Nested types of all architectures. If a float has 4 bytes in one version and 8 in another, the column has 8."""
        folder = self.path('random')
        os.mkdir(folder)
        made = run('env', 'LTT_KEEP_TRACES=' + folder, os.path.join(BUILD, 'tests/test-roundtrip'), 'every')
        self.assertEqual(made.status, 0, made.out)
        traces = sorted(os.listdir(folder))
        self.assertGreater(len(traces), 60)
        for name in traces[::len(traces) // some(18)]:
            with self.subTest(trace=name):
                self.assertGreater(self.check(os.path.join(folder, name), has_wider_floats=True), 0)

    def test_window_and_filter(self):
        trace = sample('every-type')
        part = self.check(trace, '--from=+0.0001', '--cpu=0')
        self.assertTrue(0 < part < len(ltt('dump', '--all', trace).lines))
        self.assertTrue(0 < self.check(trace, '--filter=cpu == 1 && event =~ "made0.*"') < part)

    def test_only_one_type_in_a_stream(self):
        trace = sample('every-type')
        result = ltt('export', '--to', 'arrow', '-o', '-', trace)
        self.assertEqual(result.status, 2)
        self.assertIn('an Arrow stream has one event type, but made0.ev0 and made0.ev1 are selected', result.err)
        path = self.path('one.arrow')
        self.assertEqual(ltt('export', '--to', 'arrow', '--event=made0.ev9', '-o', path, trace).status, 0)
        expected = [json.loads(line)['data'] for line in
                    ltt('dump', '--format=json', '--event=made0.ev9', trace).lines]
        got = self.read(path)[path]
        self.assertEqual(sorted(map(str, (row['data']['value'] for row in got))), sorted(map(str, expected)))

    def test_numbers_without_a_label(self):
        """The dictionary of a batch contains them after the labels."""
        path = self.path('enums')
        events = [(10 + number, 'e', bytes([number])) for number in (0, 1, 7, 200, 7)]
        events.sort()
        small_trace.write(path, '<facility name="f"><event name="e"><struct><field name="which">'
                          '<enum size="1">NO YES</enum></field></struct></event></facility>', {'cpu/0': [events]})
        self.check(path)

    def test_many_fields(self):
        trace, n = self.path('trace'), 10000
        fields = ''.join('<field name="a%d"><uint size="1"/></field>' % i for i in range(n))
        small_trace.write(trace, '<facility name="f"><event name="e"><struct>%s</struct></event></facility>' % fields,
                          {'cpu/0': [[(1000 + i, 'e', bytes((i + k) % 251 for k in range(n))) for i in range(5)]]}, block_size=65536)
        self.assertEqual(self.check(trace), 10)

    def test_several_traces_have_trace_and_host(self):
        traces = [sample('one-cpu'), self.on_machine(sample('big-endian'), 'second', 'ventoux'),
                  self.on_machine(sample('crashed'), 'third', 'ventoux')]
        hosts = dict(zip(traces, ('vaucluse', 'ventoux', 'ventoux')))
        for number, options in enumerate(([], ['--offset', '2=-3ms'], ['--filter', 'irq_id < 50'])):
            folder = self.path('several-%d' % number)
            dump = ltt('dump', '--format=json', *options, *traces)
            result = ltt('export', '--to', 'arrow', '--split', '-o', folder, *options, *traces)
            self.assertEqual(result.status, dump.status)
            rows = sum(self.read(*sorted(glob.glob(folder + '/*.arrow'))).values(), [])
            self.assertEqual(sorted((row['time'], row['cpu'] if row['cpu'] is not None else -1) for row in rows),
                             sorted((int(event['time'].replace('.', '')), int(event['tracefile'][4:]))
                                    for event in map(json.loads, dump.lines)))
            filters = options if '--filter' in options else []
            self.assertEqual(Counter((row['data']['trace'], row['data']['host']) for row in rows),
                             {(trace, hosts[trace]): len(ltt('dump', *filters, trace).lines) for trace in traces})

    def on_machine(self, trace, name, host):
        """A copy of a trace, recorded on another machine."""
        path = self.copy(trace, name)
        system = os.path.join(path, 'info/system.xml')
        with open(system, encoding='utf-8') as file:
            text = file.read()
        self.assertIn('node_name="vaucluse"', text)
        with open(system, 'w', encoding='utf-8') as file:
            file.write(text.replace('node_name="vaucluse"', 'node_name="%s"' % host))
        return path


if __name__ == '__main__':
    unittest.main()
