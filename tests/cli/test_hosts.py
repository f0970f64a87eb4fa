"""Traces of several machines, read together or merged: the host of events, processes, threads and losses."""
import csv
import io
import json
import os
import re

from command import as_json, ltt
from hosts import HostTest
import small_trace


class Hosts(HostTest):
    def test_processes_are_not_added_up(self):
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        alone = json.loads(ltt('stat', '--json', one).out)
        (pid, n), = alone['by_process'].items()
        for traces in self.each_way(one, other):
            stat = json.loads(ltt('stat', '--json', *traces).out)
            self.assertEqual(stat['by_process'], {'a/' + pid: n, 'b/' + pid: n})
            for key in 'processes', 'threads':
                for host in 'ab':
                    of_host = [entry for entry in stat[key] if entry['host'] == host]
                    self.assertEqual([{**entry, 'host': host} for entry in alone[key]], of_host)
            hosts = {entry['name']: entry['host'] for entry in stat['tracefiles']}
            self.assertEqual((hosts['control/processes'], hosts['control/processes.2']), ('a', 'b'))
            text = ltt('stat', *traces).out
            for heading in 'tracefile ', 'process ':
                self.assertRegex(text, '(?m)^%s.* host$' % heading)
            self.assertRegex(text, r'(?m)^  %s .* worker +a\n  %s .* worker +b$' % (pid, pid))
        self.assertNotIn('host', ltt('stat', one).out)

    def test_dump(self):
        """Each event has the host of its tracefile, in every format, and the merged trace that of the traces."""
        one, other = self.of_host('a', 'x'), self.of_host('b,c', 'y')
        outs = []
        for traces in self.each_way(one, other):
            out = {name: ltt('dump', '--format', name, *traces).out for name in ('json', 'csv', 'text')}
            outs.append(out)
            events = list(as_json(out['json']))
            alone = list(as_json(ltt('dump', '--format=json', one).out))
            for host in 'a', 'b,c':
                self.assertEqual([{**event, 'tracefile': None} for event in events if event['host'] == host],
                                 [{**event, 'tracefile': None, 'host': host} for event in alone])
            self.assertEqual([*events[0]][:4], ['time', 'tracefile', 'host', 'event'])
            rows = list(csv.DictReader(io.StringIO(out['csv'])))
            self.assertEqual([row['host'] for row in rows], [event['host'] for event in events])
            self.assertEqual([line.split('  ')[1] for line in out['text'].splitlines()],
                             ['%s:%s' % (event['host'], event['tracefile']) for event in events])
        self.assertEqual(*outs)
        self.assertNotIn('host', ltt('dump', '--format=csv', one).lines[0])

    def test_tables(self):
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        for traces in self.each_way(one, other):
            for table in 'processes', 'threads', 'losses', 'events', 'tracer_events_lost':
                alone = ltt('sql', '--format=csv', one, 'SELECT * FROM ' + table)
                self.assertNotIn('host', alone.lines[0])
                result = ltt('sql', '--format=csv', *traces, 'SELECT host, count(*) FROM %s WHERE host IS NOT NULL '
                             'GROUP BY host ORDER BY host' % table)
                n = str(ltt('sql', '--format=csv', one, 'SELECT count(*) FROM %s WHERE host IS NOT NULL' % table).lines[1])
                self.assertEqual(result.lines[1:], ['a,' + n, 'b,' + n], table)
                self.assertIn('host', ltt('sql', '--format=csv', *traces, 'SELECT * FROM ' + table).lines[0])
            # The losses by reason are those of all machines.
            query = 'SELECT host, sum(n_events) FROM losses WHERE tracefile IS NOT NULL GROUP BY host'
            lost = json.loads(ltt('stat', '--json', one).out)['lost']
            self.assertEqual(ltt('sql', '--format=csv', *traces, query).lines[1:], ['%s,%d' % (host, lost) for host in 'ab'])

    def test_many_machines(self):
        """The machines of several entries may have one name."""
        path, n = self.path('trace'), 6000
        entries = ' '.join('h%d:%d:cpu/%d' % (i % 4000, i, n - i) for i in range(n))
        small_trace.write(path, '<facility name="f"><event name="tick"/></facility>',
                          {'cpu/%d' % cpu: [[(1000 + cpu, 'tick', b'')]] for cpu in range(1, 4)}, system='hosts="%s"' % entries)
        result = ltt('sql', '--format', 'csv', path, 'SELECT cpu, host FROM f_tick ORDER BY time')
        self.assertEqual(result.lines, ['cpu,host', '1,h1999', '2,h1998', '3,h1997'])

    def test_threads_of_two_machines_are_two(self):
        """Events of different machines do not form a pair by their thread, also in a merged trace."""
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        shift = '--offset=2=0.0000005'  # less than the pair takes
        merged = self.path('merged')
        self.assertEqual(ltt('merge', '-o', merged, shift, one, other).status, 0)
        pair = ('--json', '--by=thread', 'disk.read', 'disk.idle')
        alone, *both = [json.loads(ltt('latency', *pair, *traces).out)
                        for traces in ((one,), (shift, one, other), (merged,))]
        self.assertEqual((alone['pairs'], alone['min'], alone['max']), (1, 996, 996))
        for total in both:
            self.assertEqual((total['pairs'], total['min'], total['max']), (2, 996, 996))

    def test_latency(self):
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        pair = ('--json', 'disk.read', 'disk.idle')
        alone = json.loads(ltt('latency', *pair, one).out)
        for traces in self.each_way(one, other):
            found = json.loads(ltt('latency', '--group=host', *pair, *traces).out)
            self.assertEqual([(group['name'], group['pairs'], group['max']) for group in found['groups']],
                             [(host, alone['pairs'], alone['max']) for host in 'ab'])
            filtered = json.loads(ltt('latency', '--filter=host == "b"', *pair, *traces).out)
            self.assertEqual((filtered['pairs'], filtered['max']), (alone['pairs'], alone['max']))
        # The same times on both machines: without the key, an end would take the begin of the other one.
        shift = '--offset=2=0.0000005'
        alone = json.loads(ltt('latency', '--by=host', *pair, one).out)
        for words in '--by=host', '--by=host=host':
            found = json.loads(ltt('latency', shift, words, *pair, one, other).out)
            self.assertEqual([found[key] for key in ('pairs', 'min', 'max')], [2 * alone['pairs'], alone['min'], alone['max']])
        result = ltt('latency', '--group=comm', *pair, one)
        self.assertEqual(result.status, 1)
        self.assertIn('"comm": expected the name of a field, thread, pid, tid, cpu or host', result.err)

    def test_filter(self):
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        alone = [event['event'] for event in as_json(ltt('dump', '--format=json', one).out)]
        for traces in self.each_way(one, other):
            for condition in 'host == "b"', 'host > "a"', '!(host == "a")', 'host in ("b", "b")', 'host =~ "[b-z]*"', 'host != "a" && host == host':
                result = ltt('dump', '--format=json', '--filter', condition, *traces)
                self.assertEqual((result.status, result.err), (0, ''), condition)
                events = list(as_json(result.out))
                self.assertEqual([event['event'] for event in events], alone)
                self.assertEqual({event['host'] for event in events}, {'b'})
        result = ltt('dump', '--filter', 'host == "bb"', other)
        self.assertEqual((result.status, result.out), (1, ''))
        self.assertEqual(result.err, 'ltt dump: --filter: bb: no machine of the trace has this name; did you mean b?\n')
        result = ltt('dump', '--filter', 'host == 3', other)
        self.assertIn('3 is a number: expected a string, as host is one', result.err.replace('"', ''))

    def test_filter_of_a_field(self):
        trace = self.path('trace')
        small_trace.write(trace, '<facility name="http"><event name="request"><struct>'
                          '<field name="host"><string/></field></struct></event></facility>', {})
        result = ltt('dump', '--filter', 'host == "example.org"', trace)
        self.assertEqual((result.status, result.err), (1, 'ltt dump: --filter: example.org: no machine of the trace has '
                                                       'this name; the field is data.host\n'))
        self.assertEqual(ltt('dump', '--filter', 'data.host == "example.org"', trace).err, '')

    def test_flame(self):
        one, other = (self.of_host(host, boot, 'one-cpu') for host, boot in ('ax', 'by'))
        alone = ltt('flame', '--folded', '-o', '-', one).lines
        merged = ltt('flame', '--folded', '-o', '-', self.merge(one, other)).lines
        self.assertEqual(merged, ['a;' + line for line in alone] + ['b;' + line.replace('cpu/0', 'cpu/1') for line in alone])
        self.assertNotEqual(alone, [])

    def test_names(self):
        """Machines of one name remain separate; one without a name is unknown."""
        traces = [self.of_host('a', str(i), to='t%d' % i) for i in range(3)] + [self.of_host('', 'z', to='t3')]
        (pid, n), = json.loads(ltt('stat', '--json', traces[0]).out)['by_process'].items()
        for words in self.each_way(*traces):
            stat = json.loads(ltt('stat', '--json', *words).out)
            self.assertEqual([entry['host'] for entry in stat['processes']], ['a', 'a', 'a', 'unknown'])
            self.assertEqual(stat['by_process'], {'a/' + pid: 3 * n, 'unknown/' + pid: n})

    def test_one_machine(self):
        """Traces of one boot have one host, whatever its name, and merges of merges keep it."""
        one, other = self.of_host('a', 'x'), self.of_host('b', 'y')
        merged = self.merge(self.merge(one, other, name='two'), self.of_host('b', 'y', to='again'))
        stat = json.loads(ltt('stat', '--json', merged).out)
        self.assertEqual(sorted({entry['host'] for entry in stat['processes']}), ['a', 'b'])
        n = stat['by_process']
        a, b = sorted(n)
        self.assertEqual(n[b], 2 * n[a])
        same = self.merge(one, self.of_host('c', 'x', to='c'), name='same')
        self.assertNotIn('host', json.loads(ltt('stat', '--json', same).out)['processes'][0])

    def test_info(self):
        for traces in self.each_way(self.of_host('a', 'x'), self.of_host('b', 'y'))[1:]:
            self.assertRegex(ltt('info', *traces).out, r'(?m)^  control/processes.2 .* b$')
            hosts = {entry['name']: entry['host'] for entry in json.loads(ltt('info', '--json', *traces).out)['tracefiles']}
            self.assertEqual(hosts['cpu/0'], 'a')

    def test_invalid_entries(self):
        trace = self.merge(self.of_host('a', 'x'), self.of_host('b', 'y'))
        for entry, count in (('c', 0), ('c:d', 0), ('%zz:d:cpu/1', 0), ('c:%zz:cpu/1', 0), ('c:d:', 1), (':::', 1), ('', 0)):
            self.change_system(trace, lambda text: re.sub(' hosts="([^"]*?)( c)?"', r' hosts="\1"', text))
            changed = self.copy(trace, 'changed-%d' % len(os.listdir(os.path.dirname(trace))))
            self.change_system(changed, lambda text: re.sub(' hosts="([^"]*)"', r' hosts="\1 %s"' % entry, text))
            result = ltt('stat', '--json', changed)
            self.assertEqual(result.status, 0 if count else 1, entry)
            self.assertEqual('entry 3: expected HOST:BOOT_ID:TRACEFILES' in result.err, not count, entry)
            self.assertEqual(sorted({process['host'] for process in json.loads(result.out)['processes']}), ['a', 'b'])

    def test_redacted(self):
        """Names and boot ids are removed; which tracefiles are of one machine remains."""
        trace = self.merge(self.of_host('secret-a', 'boot-x'), self.of_host('secret-b', 'boot-y'))
        self.change_system(trace, lambda text: text.replace('<system', '<system clock_conversions="1:secret-b:-:10+5"', 1))
        archive = self.path('redacted.tar')
        result = ltt('pack', trace, '-o', archive, '--redact', 'host')
        self.assertEqual(result.status, 0, result.err)
        for what in 'system.hosts: 1 left out', 'system.clock_conversions: 1 left out':
            self.assertIn(what, result.out + result.err)
        with open(archive, 'rb') as file:
            packed = file.read()
        for secret in b'secret-', b'boot-', b'10+5':
            self.assertNotIn(secret, packed)
        stat = json.loads(ltt('stat', '--json', archive).out)
        self.assertEqual(len(stat['processes']), 2)
        self.assertNotIn('host', stat['processes'][0])
        self.assertEqual(stat['conversions'], [])


if __name__ == '__main__':
    import unittest
    unittest.main()
