"""`ltt sync` and --sync: clocks of machines, compared with the true time of every event."""
import ctypes
import json
import os
import re
import shutil
import unittest

from command import BUILD, DATA, CommandTest, as_json, ltt, run, some, time_ns

RULE = 'rpc.send:id=rpc.receive:id'
MAKE = os.path.join(BUILD, 'tests/make-messages')
# For a longer test: LTT_SYNC_SEEDS=100 scons test ONLY=test_random_clocks
N_SEEDS = int(os.environ.get('LTT_SYNC_SEEDS', some(60)))


class Traces(CommandTest):
    def make(self, name, *options, machines=2):
        """Makes traces of machines; the clock of the first shows the true time."""
        result = run(MAKE, '--machines=%d' % machines, *options, self.path(name))
        self.assertEqual((result.status, result.err), (0, ''))
        return [os.path.join(self.path(name), str(i)) for i in range(machines)]

    def report(self, *traces, options=()):
        result = ltt('sync', '--json', '--by=' + RULE, *options, *traces)
        return result.status, json.loads(result.out), result.err

    def events(self, *words):
        result = ltt('dump', '--format=json', *words)
        self.assertEqual(result.status, 0, result.err)
        return as_json(result.out)


class Truth(Traces):
    """The error of each time is at most the reported bound."""
    KINDS = (('--seconds=3',),
             ('--seconds=3', '--back-delay=60'),
             ('--seconds=40', '--rate=20', '--wander=1'),
             ('--seconds=3', '--lost=20', '--drift=200', '--delay=5', '--jitter=20'),
             ('--seconds=60', '--rate=20', '--wander=2'))

    def check(self, seed, kind, machines):
        traces = self.make('%d' % seed, '--seed=%d' % seed, *kind, machines=machines)
        status, told, _ = self.report(*traces)
        self.assertEqual(status, 0)
        worst, sent = [0] * machines, set()
        for event in self.events('--sync=' + RULE, *traces):
            cpu, number = int(event['tracefile'][4:]), event['data']['id']
            worst[cpu] = max(worst[cpu], abs(time_ns(event) - event['data']['truth']))
            if event['event'] == 'rpc.send':
                sent.add(number)
            else:
                self.assertIn(number, sent, 'received before it was sent')
        self.assertEqual(worst[0], 0)
        for clock, error in zip(told['clocks'][1:], worst[1:]):
            self.assertLessEqual(error, clock['bound_ns'])

    def test_random_clocks(self):
        for seed in range(N_SEEDS):
            kind = self.KINDS[seed % len(self.KINDS)]
            machines = 5 if seed % 7 == 0 else 2
            with self.subTest(seed=seed, kind=kind, machines=machines):
                self.check(seed, kind, machines)

    def test_the_bound_is_half_of_the_least_round_trip(self):
        traces = self.make('dense', '--rate=2000', '--seconds=10')
        _, told, _ = self.report(*traces)
        self.assertGreater(told['clocks'][1]['bound_ns'], 30000)
        self.assertLess(told['clocks'][1]['bound_ns'], 30000 * 1.2)
        self.assertEqual(told['messages'], 40000)


    def test_the_bound_of_a_short_trace(self):
        """The bound is also correct at both ends, where the messages determine the rate less exactly."""
        traces = self.make('short', '--rate=5000', '--seconds=1', '--delay=9', '--jitter=50', '--seed=3')
        self.assertLess(self.report(*traces)[1]['clocks'][1]['bound_ns'], 9000 * 1.1)


class Again(Traces):
    """A trace that was merged with --sync is related to another one."""

    def worst(self, merged):
        """The greatest error of the times of each CPU."""
        worst = {}
        for event in self.events(merged):
            cpu = int(event['tracefile'][4:])
            worst[cpu] = max(worst.get(cpu, 0), abs(time_ns(event) - event['data']['truth']))
        return worst

    def merge(self, name, *traces):
        """Returns: the trace, and the bound that was printed for each trace but the first"""
        bounds = [clock['bound_ns'] for clock in self.report(*traces)[1]['clocks'][1:]]
        self.assertEqual(ltt('merge', '-o', self.path(name), '--sync=' + RULE, *traces).status, 0)
        return self.path(name), bounds

    def test_the_bound_includes_the_earlier_ones(self):
        """A chain of machines, and the last one has no messages with the first."""
        for seed in range(6):
            traces = self.make('t%d' % seed, '--seconds=3', '--seed=%d' % seed, '--back-delay=2000', '--jitter=20', machines=3)
            first, (first_bound,) = self.merge('first%d' % seed, *traces[:2])
            both, (bound,) = self.merge('both%d' % seed, first, traces[2])
            worst = self.worst(both)
            self.assertLessEqual(worst[1], first_bound)
            self.assertLessEqual(worst[2], bound, seed)
            self.assertGreater(bound, 10 ** 6)
            # It is not much greater than with all traces at once.
            self.assertLess(bound, 1.05 * self.report(*traces)[1]['clocks'][2]['bound_ns'])

    def test_only_the_conversions_of_a_cpu_count(self):
        """The messages are with the last of three machines that were merged at once."""
        traces = self.make('t', '--seconds=3', '--back-delay=2000', '--jitter=20', machines=4)
        direct = self.report(*traces)[1]['clocks'][3]['bound_ns']
        for name, order in (('up', traces[:3]), ('down', [traces[0], self.merge('part', *traces[1:3])[0]])):
            merged, _ = self.merge(name, *order)
            both, (bound,) = self.merge('both' + name, merged, traces[3])
            self.assertLessEqual(self.worst(both)[3], bound)
            self.assertLess(bound, 1.05 * direct)

    def test_a_merged_trace_that_is_not_the_first(self):
        """Its conversions have bounds that add up to the one that is printed."""
        traces = self.make('t', '--seconds=3', '--back-delay=2000', '--jitter=20', machines=3)
        merged, (first_bound,) = self.merge('merged', *traces[:0:-1])
        both, (bound,) = self.merge('both', traces[0], merged)
        worst = self.worst(both)
        self.assertLessEqual(max(worst.values()), bound)
        kept = json.loads(ltt('info', '--json', both).out)['conversions']
        self.assertEqual([(entry['first_cpu'], entry['host']) for entry in kept], [(2, 'machine-1'), (1, 'machine-2')])
        self.assertEqual(kept[0]['bound_ns'], first_bound)
        self.assertAlmostEqual(sum(entry['bound_ns'] for entry in kept), bound, delta=bound / 100)


class Converted(Traces):
    def test_merged_equals_dump(self):
        """A merged trace has the same times, also where a clock bends within a block."""
        traces = self.make('bent', '--seconds=120', '--rate=100', '--wander=2', '--seed=5')
        _, told, _ = self.report(*traces)
        self.assertGreater(told['clocks'][1]['bends'], 0)
        merged = self.path('merged')
        result = ltt('merge', '-o', merged, '--sync=' + RULE, *traces)
        self.assertEqual(result.status, 0, result.err)
        self.assertIn('with an error of at most', result.err)
        self.assertEqual(self.events(merged), self.events('--sync=' + RULE, *traces))
        self.assertEqual(ltt('check', merged).status, 0)
        with open(os.path.join(merged, 'info/system.xml'), encoding='utf-8') as file:
            self.assertRegex(file.read(), r'\n2: from cpu/\d+ on: machine-1, .* at first, .* at last\n')
        self.check_conversions(merged, told, traces)

    def check_conversions(self, merged, told, traces):
        """The bound and the bends are in the merged trace, and in a trace that is joined on the fly."""
        kept, = json.loads(ltt('info', '--json', merged).out)['conversions']
        clock = told['clocks'][1]
        self.assertEqual({name: kept[name] for name in ('first_cpu', 'host', 'bound_ns', 'bends', 'rate_ppm')},
                         {'first_cpu': 1, 'host': 'machine-1', 'bound_ns': clock['bound_ns'], 'bends': clock['bends'],
                          'rate_ppm': clock['rate_ppm']})
        self.assertEqual(len(kept['points']), clock['bends'] + 2)
        for words in (['stat', '--json', merged], ['stat', '--json', '--sync=' + RULE, *traces]):
            self.assertEqual(json.loads(ltt(*words).out)['conversions'], [kept])
        for command in ('info', 'stat'):
            self.assertRegex(ltt(command, merged).out, r'\n  from cpu/1 on +machine-1 +[+-]\d+\.\d{9} .* us +%d\n' % clock['bends'])
        self.assertNotIn('times converted', ltt('info', traces[0]).out)

    def test_merged_again(self):
        """Later merges keep the conversions of earlier ones, with the new numbers of CPUs."""
        traces = self.make('three', '--seconds=1', machines=3)
        first, both, other = self.path('first'), self.path('both'), self.path('other')
        self.assertEqual(ltt('merge', '-o', first, '--sync=' + RULE, *traces[:2]).status, 0)
        self.assertEqual(ltt('merge', '-o', both, '--sync=' + RULE, first, traces[2]).status, 0)
        self.assertEqual(ltt('merge', '-o', other, traces[2], both).status, 0)
        for merged, cpus in ((both, [1, 2]), (other, [2, 3])):
            kept = json.loads(ltt('info', '--json', merged).out)['conversions']
            self.assertEqual([(entry['first_cpu'], entry['host']) for entry in kept],
                             list(zip(cpus, ('machine-1', 'machine-2'))))
            self.assertTrue(all(entry['bound_ns'] > 0 for entry in kept))

    def test_moved(self):
        """An offset is part of the earlier conversions."""
        first, merged, moved = self.make('moved', '--seconds=1'), self.path('merged'), self.path('again')
        self.assertEqual(ltt('merge', '-o', merged, '--sync=' + RULE, *first).status, 0)
        for offset in (5 * 10**9, -1699999000 * 10**9):
            self.assert_done(ltt('merge', '-o', moved, '--offset=1=%dns' % offset, merged))
            before, after = (json.loads(ltt('info', '--json', trace).out)['conversions'] for trace in (merged, moved))
            before[0]['offset_ns'] += offset
            for point in before[0]['points']:
                point['to'] = '%d.%09d' % divmod(int(point['to'].replace('.', '')) + offset, 10**9)
            self.assertEqual(after, before)
            shutil.rmtree(moved)

    def test_invalid_conversions(self):
        """Conversions that doc/format.md does not allow are ignored."""
        trace = self.copy(self.make('bad', '--seconds=1')[0], 'trace')
        path = os.path.join(trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        for entry, expected in (('0:a%20b%3A:-:5+3', ('a b:', 3, None)), ('0:a:7:5-3,9-2', ('a', -3, 7)), ('0:a:7:5-3,9-7', None),
                                ('0:a:7:5-6', None), ('0:a:7:', None), ('x:a:7:5+1', None), ('0:a:7:5', None), ('0:%:7:5+1', None),
                                ('0:a:-1:5+1', None), ('0:a', None), ('', None), ('0:a:1:99999999999999999999+1', None)):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text.replace('<system', '<system clock_conversions="%s"' % entry, 1))
            result = ltt('info', '--json', trace)
            self.assertEqual(result.status, 0, result.err)
            self.assertEqual([(one['host'], one['offset_ns'], one['bound_ns']) for one in json.loads(result.out)['conversions']],
                             [expected] if expected else [], entry)

    def test_copied_blocks(self):
        """Without a bend, blocks are copied; times between two time values are the same."""
        traces = self.make('even', '--seconds=2', '--rate=50')
        _, told, _ = self.report(*traces)
        self.assertEqual(told['clocks'][1]['bends'], 0)
        merged = self.path('merged')
        self.assertEqual(ltt('merge', '-o', merged, '--sync=' + RULE, *traces).status, 0)
        self.assertEqual(self.events(merged), self.events('--sync=' + RULE, *traces))

    def test_every_command_converts(self):
        traces = self.make('a', '--seconds=1', '--rate=10')
        option = '--sync=' + RULE
        for words in (('stat',), ('cut', '-o', self.path('cut')), ('latency', '--by=id', 'rpc.send', 'rpc.receive'),
                      ('export', '--to=ctf', '-o', self.path('ctf'))):
            with self.subTest(command=words[0]):
                result = ltt(words[0], option, *words[1:], *traces)
                self.assertEqual(result.status, 0, result.err)
                self.assertIn(traces[1] + ': times moved by', result.err)
        rows = ltt('sql', option, '--format=csv', *traces, 'select count(*) from rpc_send').lines
        self.assertEqual(rows[-1], '20')

    def test_times_before_the_clock_started(self):
        """The clock of the first shows 0 at its first event, after one of the other."""
        first, second = self.make('a', '--seconds=1', '--seed=3')
        low, start = self.path('low'), self.events(first)[0]['time']
        self.assert_done(ltt('merge', '--offset=1=-' + start, '-o', low, first))
        status, told, _ = self.report(first, second)
        status, told_low, _ = self.report(low, second)
        self.assertEqual(told['clocks'][1]['offset_ns'] - told_low['clocks'][1]['offset_ns'], int(start.replace('.', '')))
        result = ltt('dump', '--sync=' + RULE, low, second)
        self.assertEqual(result.status, 1)
        self.assertIn('ltt dump: %s: times on the clock of the first trace are out of range: expected 0 to 9223372036.854775807; '
                      'give the trace first whose clock shows the greatest times; times below 0 are read as 0, ' % second, result.err)
        self.assertTrue(result.lines[1].startswith('0.000000000  machine-1:cpu/1  rpc.send  id=178'), result.lines[1])
        # The other times are the same as with the clock that shows greater times.
        moved = [max(time_ns(event) - int(start.replace('.', '')), 0) for event in self.events('--sync=' + RULE, first, second)]
        self.assertEqual([round(float(line.split()[0]) * 1e9) for line in result.lines], moved)
        merged = ltt('merge', '-o', self.path('merged'), '--sync=' + RULE, low, second)
        self.assert_failed(merged, '%s: times on the clock of the first trace are out of range: expected 0 to 4294967295.999999999; '
                           'give the trace first whose clock shows the greatest times\n' % second)


class Refused(Traces):
    def test_no_messages(self):
        traces = self.make('silent', '--seconds=1', '--silent=2', machines=3)
        reason = '%s: no messages connect it with the first trace\n' % traces[2]
        status, told, err = self.report(*traces)
        self.assertEqual((status, err), (1, 'ltt sync: ' + reason))
        self.assertEqual([clock['state'] for clock in told['clocks']], ['reference', 'found', 'no messages'])
        self.assertNotIn('bound_ns', told['clocks'][2])
        merged = self.path('merged')
        result = ltt('merge', '-o', merged, '--sync=' + RULE, *traces)
        self.assertEqual((result.status, result.err), (2, 'ltt merge: ' + reason.replace(': no', ': --sync: no')))
        self.assertFalse(os.path.exists(merged))

    def test_one_way(self):
        traces = self.make('one-way', '--seconds=1', '--one-way')
        status, told, err = self.report(*traces)
        self.assertEqual((status, told['clocks'][1]['state']), (1, 'one way'))
        self.assertEqual(err, 'ltt sync: %s: messages only from %s to %s: expected messages in both directions\n' %
                         (traces[1], traces[0], traces[1]))

    def test_contradiction(self):
        """Messages of different runs have the same ids."""
        ours, other = self.make('one', '--seed=1'), self.make('other', '--seed=2')
        status, told, err = self.report(ours[0], other[1])
        self.assertEqual((status, told['clocks'][1]['state']), (1, 'contradiction'))
        self.assertRegex(err, r'messages between .* and .* contradict each other near \d+\.\d{9}: '
                              r'a clock was set, or messages have the same id\n$')

    def test_ids_of_several_machines(self):
        """The same trace twice is two machines that send the same ids."""
        traces = self.make('twice', '--seconds=1')
        copies = [traces[0], self.path('copy')]
        os.symlink(traces[0], copies[1])
        status, told, _ = self.report(*copies, traces[1])
        self.assertEqual(status, 1)
        self.assertEqual(told['ambiguous'], 100)
        self.assertEqual([clock['state'] for clock in told['clocks'][1:]], ['one way', 'one way'])

    def test_mistakes(self):
        client, server = (os.path.join(DATA, 'sync', name) for name in ('client', 'server'))
        for rule, message in (
                ('rpc.send', 'expected SEND:FIELD=RECEIVE:FIELD'),
                ('rpc.send:id=rpc.receive', 'expected SEND:FIELD=RECEIVE:FIELD'),
                ('rpc.sent:id=rpc.receive:id', 'rpc.sent: no trace has such an event type; did you mean rpc.send?'),
                ('rpc.send:id,truth=rpc.receive:id', '2 fields are compared with 1: expected the same number'),
                ('rpc.send:thread=rpc.receive:id', '"thread": expected a field that both ends of a message have')):
            with self.subTest(rule=rule):
                result = ltt('sync', '--by=' + rule, client, server)
                self.assertEqual(result.status, 2)
                self.assertIn(message, result.err)
        result = ltt('sync', '--by=rpc.send:id=rpc.receive:idd', client, server)
        self.assertEqual(result.status, 1)
        self.assertIn('80 events do not have the fields of the rule\n', result.out)
        self.assertIn('--sync requires two traces', ltt('dump', '--sync=' + RULE, client).err)
        self.assertIn('cannot be combined', ltt('dump', '--sync=' + RULE, '--offset=2=1', client, server).err)
        self.assertIn('--wander', ltt('sync', '--by=' + RULE, '--wander=-1', client, server).err)


class Claims(Traces):
    """NTP's own estimate of the errors of clocks."""

    def claim(self, trace, error_ns):
        path = os.path.join(trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = re.sub(' clock_max_error="[0-9]*"', '', file.read())
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text.replace('<system', '<system clock_max_error="%d"' % error_ns, 1))

    def test_messages_show_more(self):
        traces = self.make('claims', '--seconds=1')
        for trace in traces:
            self.claim(trace, 10**6)
        out = ltt('sync', '--by=' + RULE, *traces).out
        self.assertIn('\n2: according to NTP, the clocks differed by at most 2.00 ms; messages show more\n', out)
        self.claim(traces[1], 10**10)
        self.assertNotIn('NTP', ltt('sync', '--by=' + RULE, *traces).out)

    def test_no_messages(self):
        traces = self.make('silent', '--seconds=1', '--silent=1')
        for trace in traces:
            self.claim(trace, 10**6)
        result = ltt('sync', '--by=' + RULE, *traces)
        self.assertEqual(result.status, 1)
        self.assertIn('\n2: according to NTP, the clocks differed by at most 2.00 ms\n', result.out)
        self.assertEqual(self.report(*traces)[1]['clocks'][1]['ntp_bound_ns'], 2 * 10**6)

    def test_recorded(self):
        """A recording has the estimate of the kernel, if the clock is synchronized."""
        state = ctypes.create_string_buffer(512)
        synchronized = ctypes.CDLL(None).adjtimex(state) != 5  # TIME_ERROR
        trace = self.path('recorded')
        self.assertEqual(ltt('record', '-o', trace, '--', 'true').status, 0)
        with open(os.path.join(trace, 'info/system.xml'), encoding='utf-8') as file:
            self.assertEqual('clock_max_error=' in file.read(), synchronized)


class SameMachine(Traces):
    def test_one_boot_is_one_clock(self):
        """Messages relate machines, not the traces that were recorded on them."""
        traces = self.make('boot', '--seconds=1', machines=3)
        for index in (1, 2):
            path = os.path.join(traces[index], 'info/system.xml')
            with open(path, encoding='utf-8') as file:
                text = file.read()
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text.replace('<system', '<system boot_id="one"', 1))
        status, told, _ = self.report(*traces)
        self.assertEqual(status, 0)
        self.assertEqual([clock['state'] for clock in told['clocks']], ['reference', 'found', 'same clock'])
        self.assertEqual(told['clocks'][2]['by'], 2)
        # Times that were moved are not of that clock.
        moved = self.path('moved')
        self.assert_done(ltt('merge', '-o', moved, '--offset=1=5', traces[1]))
        _, told, _ = self.report(traces[1], moved, traces[2])
        self.assertEqual([clock['state'] for clock in told['clocks'][1:]], ['one way', 'same clock'])


if __name__ == '__main__':
    unittest.main()
