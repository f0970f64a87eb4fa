"""ClickHouse takes the tables of a fleet: `ltt export --to clickhouse-ddl`, Arrow, and reading in place by executable()."""
import functools
import glob
import http.client
import json
import os
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from command import LTT, CommandTest, ltt, sample, samples, thorough  # noqa: E402  pylint: disable=wrong-import-position
from fleet_expected import PYTHON, ask, has, sort, traces_once  # noqa: E402  pylint: disable=wrong-import-position
import small_trace  # noqa: E402  pylint: disable=wrong-import-position

LEFT_OUT = 'trace-04', 'trace-49'  # one that cannot be opened, and one whose times are of another clock


class Statements(CommandTest):
    """The statements, without ClickHouse."""

    def test_types(self):
        result = ltt('export', '--to', 'clickhouse-ddl', '--event', 'http.request', '-o', '-', *self.two_versions())
        self.assertEqual((result.status, result.err), (0, ''))
        self.assertEqual(result.out, """-- http.request
CREATE TABLE IF NOT EXISTS `http_request`
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

    def test_a_member_with_the_name_of_the_tag(self):
        """A tuple has a name once. The tag names members as the description does."""
        trace = self.path('trace')
        small_trace.write(trace, '<facility name="f"><event name="e"><struct><field name="u"><union typecodesize="1">'
                                 '<field name="field_tag"><uint size="1"/></field><field name="tag"><uint size="2"/></field>'
                                 '</union></field></struct></event></facility>', {'cpu/0': [[(5, 'e', b'\1\7\0')]]})
        self.assertIn('`u` Tuple(`tag` LowCardinality(String), `field_tag` Nullable(UInt8), `field_field_tag` Nullable(UInt16))',
                      ltt('export', '--to', 'clickhouse-ddl', '-o', '-', '--event', 'f.e', trace).out)
        self.assertEqual(ltt('sql', '--format', 'json', trace, 'select "u.tag", * from f_e').out,
                         '{"u.tag":"tag","time":5,"cpu":0,"pid":null,"tid":null,"u.field_tag":null,"u.field_field_tag":7}\n')

    def test_names_that_collide(self):
        trace = self.path('trace')
        small_trace.write(trace, '<facility name="a"><event name="b_c"/></facility>', {})
        with open(os.path.join(trace, 'eventdefs/other.xml'), 'w', encoding='utf-8') as file:
            file.write('<facility name="a_b"><event name="c"/><event name="C"/></facility>')
        other = self.path('other')
        small_trace.write(other, '<facility name="a_b"><event name="c"/><event name="C"/></facility>', {})
        text = ltt('export', '--to', 'clickhouse-ddl', '-o', '-', trace, other).out
        self.assertEqual([line for line in text.splitlines() if line.startswith(('--', 'CREATE'))],
                         ['-- a.b_c', 'CREATE TABLE IF NOT EXISTS `a_b_c`', '-- a_b.C', 'CREATE TABLE IF NOT EXISTS `a_b_C_2`',
                          '-- a_b.c', 'CREATE TABLE IF NOT EXISTS `a_b_c_3`'])


@functools.cache
def answers_once():
    folder, expected = traces_once()
    traces = [path for path in sorted(glob.glob(folder + '/*')) if not os.path.basename(path).startswith(LEFT_OUT)]
    with tempfile.TemporaryDirectory(prefix='ltt-clickhouse-') as work:
        return traces, expected, ask('clickhouse_answers.py', LTT, work, *traces)


@unittest.skipUnless(has('chdb'), 'chdb is not installed in build/venv: run `sh tests/run.sh`')
@thorough
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


class Server:
    """ClickHouse with its HTTP and native interfaces on loopback. @script: its rows for executable()"""

    def __init__(self, test, folder, script, cluster=''):
        os.makedirs(folder + '/.clickhouse-local')
        os.makedirs(folder + '/scripts')
        with open(folder + '/scripts/ltt-rows', 'w', encoding='utf-8') as file:
            file.write('#!/bin/sh\nevent=$1\nshift\nexec %s export --to arrow --event "$event" -o - %s\n' % (LTT, script))
        os.chmod(folder + '/scripts/ltt-rows', 0o755)
        with open(folder + '/.clickhouse-local/config.xml', 'w', encoding='utf-8') as file:
            file.write('<clickhouse><http_port>0</http_port><tcp_port>0</tcp_port><listen_host>127.0.0.1</listen_host>'
                       '<user_scripts_path>%s/scripts/</user_scripts_path>%s</clickhouse>' % (folder, cluster))
        program = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'clickhouse_server.py')
        self.process = subprocess.Popen([PYTHON, program, folder], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        test.addCleanup(self.end)
        self.http, self.native = map(int, self.process.stdout.readline().split())

    def end(self):
        self.process.communicate()

    def ask(self, query, body=b''):
        """Returns: the rows of an answer. @body: bytes, or a file that is sent as it is read"""
        connection = http.client.HTTPConnection('127.0.0.1', self.http)
        try:
            connection.request('POST', '/?' + urllib.parse.urlencode({
                'query': query, 'default_format': 'JSONCompactEachRow', 'output_format_json_quote_64bit_integers': '0'}),
                body, {} if isinstance(body, bytes) else {'Transfer-Encoding': 'chunked'}, encode_chunked=True)
            response = connection.getresponse()
            text = response.read().decode()
        finally:
            connection.close()
        if response.status != 200:
            raise AssertionError(text)
        return [json.loads(line) for line in text.splitlines()]


@unittest.skipUnless(has('chdb'), 'chdb is not installed in build/venv: run `sh tests/run.sh`')
class Servers(CommandTest):
    """The protocols of a server: Arrow over HTTP into tables, reading in place, and several servers over the native interface."""

    def test_over_http(self):
        traces, expected, _ = answers_once()
        server = Server(self, self.path('server'), '"$@"')
        for statement in ltt('export', '--to', 'clickhouse-ddl', '-o', '-', '--event=http.request', *traces).out.split(';\n'):
            if statement.strip():
                server.ask(statement)
        with subprocess.Popen([LTT, 'export', '--to', 'arrow', '--event=http.request', '-o', '-', *traces],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as export:
            server.ask('INSERT INTO http_request FORMAT ArrowStream', export.stdout)
        (n, high, low, delta, size), = server.ask('SELECT count(), sum(intDiv(id, 10000000000)), sum(id % 10000000000), sum(delta), '
                                                  'sum(bytes) FROM http_request')
        self.assertEqual({'n': n, 'id_high': high, 'id_low': low, 'delta': delta, 'bytes': size},
                         {name: expected.sums[name] for name in ('n', 'id_high', 'id_low', 'delta', 'bytes')})
        in_place, loaded = (server.ask('SELECT trace, count(), sum(bytes) FROM %s GROUP BY trace ORDER BY trace' % source) for source in (
            "executable('ltt-rows http.request %s', 'ArrowStream', 'bytes UInt64, trace String')" % ' '.join(traces[:3]),
            'http_request WHERE trace IN (%s)' % ', '.join(map(repr, traces[:3]))))
        self.assertEqual([trace for trace, _, _ in loaded], traces[:3])
        self.assertEqual(in_place, loaded)

    def test_each_server_reads_its_traces(self):
        """A cluster of two: each runs the script for the trace that it sees."""
        traces = sample('sparse-cpus'), sample('one-cpu')
        servers = [Server(self, self.path('server-%d' % i), trace) for i, trace in enumerate(traces)]
        shards = ''.join('<shard><replica><host>127.0.0.1</host><port>%d</port></replica></shard>' % server.native for server in servers)
        asker = Server(self, self.path('asker'), 'nothing', '<remote_servers><fleet>%s</fleet></remote_servers>' % shards)
        rows = asker.ask("SELECT count() AS n FROM clusterAllReplicas('fleet', executable('ltt-rows core.irq_entry', 'ArrowStream', "
                         "'irq_id UInt8')) GROUP BY shardNum() ORDER BY shardNum()")
        self.assertEqual([n for n, in rows], [json.loads(ltt('stat', '--json', trace).out)['by_event']['core.irq_entry'] for trace in traces])


if __name__ == '__main__':
    unittest.main()
