"""ClickHouse takes the tables of a fleet: `ltt export --to clickhouse-ddl`, Arrow, and reading in place by executable()."""
import functools
import glob
import json
import os
import sys
import tempfile
import unittest

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from command import LTT, CommandTest, ltt, sample, samples  # noqa: E402  pylint: disable=wrong-import-position
from fleet_expected import ask, has, sort, traces_once  # noqa: E402  pylint: disable=wrong-import-position
import small_trace  # noqa: E402  pylint: disable=wrong-import-position

LEFT_OUT = 'trace-04', 'trace-49'  # one that cannot be opened, and one whose times are of another clock


class Statements(CommandTest):
    """The statements, without ClickHouse."""

    def test_types(self):
        result = ltt('export', '--to', 'clickhouse-ddl', '--event', 'http.request', '-o', '-', *self.two_versions())
        self.assertEqual((result.status, result.err), (0, ''))
        self.assertEqual(result.out, """CREATE TABLE IF NOT EXISTS `http_request`
(
    `time` DateTime64(9, 'UTC'),
    `cpu` Nullable(Int32),
    `pid` Nullable(UInt32),
    `tid` Nullable(UInt32),
    `trace` LowCardinality(String),
    `host` LowCardinality(String),
    `id` UInt64,
    `bytes` Int32,
    `when` Array(Array(Float32)),
    `zone` LowCardinality(Nullable(String)),
    `at` Tuple(`x` FixedString(3))
)
ENGINE = MergeTree
ORDER BY (host, time)
COMMENT 'It\\'s a \\\\';

""")

    def two_versions(self):
        common = '''<facility name="http"><event name="request"><description>It's a \\</description><struct>
            <field name="id"><uint size="8"/></field><field name="bytes"><int size="%d"/></field>
            <field name="when"><array size="2"><sequence lengthsize="1"><float size="4"/></sequence></array></field>%s</struct></event></facility>'''
        paths = []
        for number, (size, rest) in enumerate(((2, ''), (4, '<field name="zone"><enum size="1">EAST WEST</enum></field>'
                                                            '<field name="at"><struct><field name="x"><array size="3"><uint size="1"/></array>'
                                                            '</field></struct></field>'))):
            paths.append(self.path('version-%d' % number))
            small_trace.write(paths[-1], common % (size, rest), {})
        return paths

    def test_selection(self):
        text = ltt('export', '--to', 'clickhouse-ddl', '-o', '-', '--event', 'core.irq_*', sample('sparse-cpus')).out
        self.assertEqual([line for line in text.splitlines() if line.startswith('CREATE')],
                         ['CREATE TABLE IF NOT EXISTS `core_irq_entry`', 'CREATE TABLE IF NOT EXISTS `core_irq_exit`'])
        self.assertIn('ORDER BY time\n', text)

    def test_names_that_collide(self):
        trace = self.path('trace')
        small_trace.write(trace, '<facility name="a"><event name="b_c"/></facility>', {})
        with open(os.path.join(trace, 'eventdefs/other.xml'), 'w', encoding='utf-8') as file:
            file.write('<facility name="a_b"><event name="c"/></facility>')
        other = self.path('other')
        small_trace.write(other, '<facility name="a_b"><event name="c"/></facility>', {})
        text = ltt('export', '--to', 'clickhouse-ddl', '-o', '-', trace, other).out
        self.assertEqual([line for line in text.splitlines() if line.startswith('CREATE')],
                         ['CREATE TABLE IF NOT EXISTS `a_b_c`', 'CREATE TABLE IF NOT EXISTS `a_b_c_2`'])


@functools.cache
def answers_once():
    folder, expected = traces_once()
    traces = [path for path in sorted(glob.glob(folder + '/*')) if not os.path.basename(path).startswith(LEFT_OUT)]
    with tempfile.TemporaryDirectory(prefix='ltt-clickhouse-') as work:
        return traces, expected, ask('clickhouse_answers.py', LTT, work, *traces)


@unittest.skipUnless(has('chdb'), 'chdb is not installed in build/venv: run `sh tests/run.sh`')
class ClickHouse(CommandTest):
    def test_every_value(self):
        _, expected, answers = answers_once()
        rows = []
        for values in answers['rows']:
            row = dict(zip(answers['names'], values))
            row.update(time_ns=row.pop('time'), load=float(row['load']), short_load=float(row['short_load']))
            row['cause'] = dict(zip(('tag', 'code', 'text'), row['cause']))
            row['at'] = dict(zip(('row', 'name'), row['at']))
            row['corners'] = [dict(zip(('x', 'side'), corner)) for corner in row['corners']]
            rows.append(row)
        cpus = {}
        own_cpus = {(row['trace'], row['time_ns']): row['cpu'] for row in expected.rows['http.request']}
        for row in rows:  # of several traces, CPUs have new numbers (doc/merge.md)
            cpus.setdefault(row.pop('cpu'), set()).add((row['trace'], own_cpus[row['trace'], row['time_ns']]))
        self.assertEqual({len(own) for own in cpus.values()}, {1})
        self.maxDiff = 2000
        self.assertEqual(sort(rows), sort([{name: value for name, value in row.items() if name != 'cpu'}
                                           for row in expected.rows['http.request']]))

    def test_counts_and_sums(self):
        _, expected, answers = answers_once()
        for event, count in answers['counts'].items():
            self.assertEqual(count, expected.counts[event])
        found = dict(zip(('n', 'id', 'window', 'delta', 'load', 'bytes', 'ok', 'retries', 'row', 'code'), answers['sums']))
        for name in ('n', 'delta', 'load', 'bytes', 'ok', 'retries', 'code'):
            self.assertEqual(found[name], expected.sums[name], name)
        self.assertEqual(int(found['id']), expected.sums['id_high'] * 10 ** 10 + expected.sums['id_low'])
        rows = expected.rows['http.request']
        self.assertEqual((int(found['window']), int(found['row'])), (sum(row['window'] for row in rows), sum(row['at']['row'] for row in rows)))

    def test_in_place(self):
        traces, _, answers = answers_once()
        in_place, loaded = answers['in_place']
        self.assertEqual(in_place, loaded)
        self.assertEqual([trace for trace, _ in loaded], traces[:3])

    def test_every_sample(self):
        """Tables of all event types of the sample traces can be made, and take all rows."""
        traces = samples('ltt', 'ltt-extra', 'ltt-damaged')
        with tempfile.TemporaryDirectory(prefix='ltt-clickhouse-') as work:
            counts = ask('clickhouse_answers.py', LTT, work, '--each', *traces)
        for trace in traces:
            by_event = json.loads(ltt('stat', '--json', trace).out)['by_event']
            for event in counts[trace]['size 0']:  # ClickHouse refuses them
                del by_event[event]
            self.assertEqual(sum(counts[trace]['rows'].values()), sum(by_event.values()), trace)


if __name__ == '__main__':
    unittest.main()
