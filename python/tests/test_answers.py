"""The numbers of the commands info, stat and latency, and the representation of a trace in a notebook."""
import gc
import gzip
import itertools
import json
import os
import shutil
import signal
import unittest
import warnings

import ltt
from support import SOURCE, TraceTest, command, dump, sample, samples, time_ns
import small_trace

TIMES = {'first', 'last', 'start', 'end', 'longest_gap', 'gap_start', 'interval', 'start_time', 'end_time'}


def as_numbers(value, key=None):
    """Times of JSON, which are text, as nanoseconds."""
    if isinstance(value, dict):
        return {name: as_numbers(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [as_numbers(item) for item in value]
    return time_ns(value) if key in TIMES and isinstance(value, str) else value


class SqlSlips(TraceTest):
    def test_values_that_a_column_never_has(self):
        trace = self.open('sparse-cpus')
        query = "select 1 from events where type = 'core.irq_entri'; select 1 from core_schedchange where out_state in ('Runing')"
        with self.assertWarns(ltt.SelectionWarning) as caught:
            trace.sql(query)
        self.assertEqual([str(one.message) for one in caught.warnings],
                         ["'core.irq_entri': events.type never has this value; did you mean 'core.irq_entry'?",
                          "'Runing': core_schedchange.out_state never has this value; did you mean 'Running'?"])
        with warnings.catch_warnings():
            warnings.simplefilter('error', ltt.SelectionWarning)
            with self.assertRaises(ltt.SelectionWarning):
                trace.sql(query)
            self.assertEqual(len(trace.sql("select 1 from core_schedchange where out_state = 'Zombie' limit 1")), 1)


class Answers(TraceTest):
    def test_info(self):
        for path in samples('ltt', 'bookmarks', 'ltt-extra'):
            with self.subTest(trace=os.path.basename(path)), ltt.open(path) as trace:
                self.assertEqual(trace.info, as_numbers(json.loads(command('info', '--json', path)[0])))

    def test_stat(self):
        for path in samples('ltt', 'ltt-extra'):
            with self.subTest(trace=os.path.basename(path)), ltt.open(path) as trace:
                self.assertEqual(trace.stat(), as_numbers(json.loads(command('stat', '--json', path)[0])))

    def test_names_that_are_not_utf8(self):
        trace = sample('one-cpu')
        shutil.copytree(trace, self.path('trace'))
        shutil.copy(self.path('trace/cpu/0'), os.fsencode(self.path('trace/control/')) + b'\xff')
        with ltt.open(self.path('trace')) as trace:
            self.assertEqual({event.tracefile for event in trace.events()}, {'cpu/0', 'control/\ufffd'})
            self.assertIn('control/\ufffd', trace.stat()['by_tracefile'])
            self.assertIn('control/\ufffd', [file['name'] for file in trace.info['tracefiles']])

    def test_hosts(self):
        *paths, merged = self.merge_hosts()
        for words in [merged], paths:
            with ltt.open(words) as trace:
                self.assertEqual(trace.stat(), as_numbers(json.loads(command('stat', '--json', *words)[0])))
                self.assertEqual({process['host'] for process in trace.stat()['processes']}, {'a', 'b'})
                lines = command('dump', '--format=json', *words)[0].splitlines()
                self.assertEqual([event.host for event in trace.events()], [json.loads(line)['host'] for line in lines])
        with ltt.open(merged) as trace:
            self.assertEqual(trace.info, as_numbers(json.loads(command('info', '--json', merged)[0])))
        with ltt.open([paths[0], paths[0]]) as trace:  # tracefiles of one name
            self.assertEqual(trace.stat()['by_tracefile'], json.loads(command('stat', '--json', paths[0], paths[0])[0])['by_tracefile'])
        self.assertEqual({event.host for event in self.open('one-cpu').events()}, {'vaucluse'})

    def test_stat_of_several(self):
        one, other = (json.loads(command('stat', '--json', sample(name))[0]) for name in ('one-cpu', 'crashed'))
        stat = self.open('one-cpu', 'crashed').stat()
        self.assertEqual(stat['events'], one['events'] + other['events'])

    def test_stat_of_a_part(self):
        path = sample('sparse-cpus')
        expected = json.loads(command('stat', '--json', '--event=core.*', '--filter=fd > 0 || irq_id > 0', '--from=+0.0001',
                                      '--interval=0.0001', path)[0])
        stat = self.open('sparse-cpus').stat('core.*', filter='fd > 0 || irq_id > 0', start='+0.0001', interval_ns=100000,
                                             threads=1)
        self.assertEqual(stat, as_numbers(expected))
        self.assertGreater(len(stat['windows']), 3)

    def test_names_that_are_not_there(self):
        trace = self.open('sparse-cpus')
        for function, message in (
                (lambda: trace.events('core.file_opne'), 'pattern: .*did you mean core.file_open?'),
                (lambda: trace.events(filter='nmae == "x"'), 'filter: .*did you mean name?'),
                (lambda: trace.table('core.file_open', filter='irq_id == 5'), 'filter: irq_id'),
                (lambda: trace.stat(filter='out_state == "Sleeping"'), 'filter: .*Sleeping'),
                (lambda: trace.events(cpus=[0, 99]), 'cpus: 99: the trace has no such CPU; it has 0-2,4,6-7')):
            with self.assertWarnsRegex(ltt.SelectionWarning, message) as caught:
                function()
            self.assertEqual(caught.filename, __file__)

    def test_latency(self):
        """Each exit of an interrupt ends the latest entry of its CPU."""
        latency = self.open('sparse-cpus').latency('core.irq_entry', 'core.irq_exit', by='cpu', group='irq_id', longest=3)
        began, durations = {}, []
        for event in dump(sample('sparse-cpus'), '--event=core.irq_*')[0]:
            stack = began.setdefault(event['tracefile'], [])
            if event['event'] == 'core.irq_entry':
                stack.append(event)
            elif stack:
                durations.append(time_ns(event['time']) - time_ns(stack.pop()['time']))
        durations.sort()
        self.assertEqual((len(latency), latency.counts['pairs'], latency.counts['open']),
                         (len(durations), len(durations), sum(map(len, began.values()))))
        self.assertEqual(latency.counts['early_ends'], 0)
        self.assertEqual((latency.durations.min_ns, latency.durations.max_ns), (durations[0], durations[-1]))
        self.assertEqual([pair.duration_ns for pair in latency.longest], durations[:-4:-1])
        for percent, value in latency.percentiles.items():
            self.assertEqual(value, durations[max(-(-len(durations) * percent // 100), 1) - 1 if percent == int(percent)
                                              else len(durations) - 1])
        self.assertEqual(latency.percentile(100), durations[-1])
        self.assertEqual(sum(number for _, _, number in latency.histogram()), len(durations))
        self.assertEqual(sum(group.count for group in latency.groups.values()), len(durations))
        self.assertAlmostEqual(latency.compare(latency).later_is_longer, 0.5)
        self.assertIn('core.irq_entry to core.irq_exit by cpu', latency._repr_html_())
        self.assertIn('core.irq_entry to core.irq_exit by cpu', repr(latency))

    def test_durations_as_text(self):
        """They are those that `ltt latency` prints."""
        path = self.path('longer')
        small_trace.write(path, '<facility name="f"><event name="a_begin"/><event name="a_end"/></facility>', {'cpu/0': [[
            (1000, 'a_begin', b''), (1000 + 999500, 'a_end', b'')]]})
        self.assertRegex(repr(ltt.open(path).latency('f.a_begin', 'f.a_end')), 'min 1.00 ms, mean 1.00 ms')
        self.assertIn(' 1.00 ms ', command('latency', 'f.a_begin', 'f.a_end', path)[0])

    def test_groups_with_the_same_text(self):
        """No group replaces another: a further one with the same text gets a number, as a column of Result.to_dict()."""
        path = self.path('same')
        texts = [b'\xff', b'\xfe', '\ufffd'.encode(), b'None', b'', b'', '\ufffd_2'.encode()]
        small_trace.write(path, '<facility name="f"><event name="a_begin"/><event name="a_end"><struct><field name="s"><string/>'
                          '</field></struct></event></facility>', {'cpu/0': [[
                              event for i, text in enumerate(texts)
                              for event in ((1000 + 100 * i, 'a_begin', b''), (1010 + 100 * i, 'a_end', text + b'\0'))]]})
        groups = ltt.open(path).latency('f.a_begin', 'f.a_end', group='s').groups
        self.assertEqual(sum(group.count for group in groups.values()), len(texts))
        self.assertEqual((len(groups), groups[''].count, groups['None'].count), (6, 2, 1))
        self.assertEqual([name for name in groups if name and name.startswith('\ufffd')], ['\ufffd', '\ufffd_2', '\ufffd_3', '\ufffd_2_2'])

    def test_wrong_latency(self):
        trace = self.open('sparse-cpus')
        for keywords in ({'by': 'jbo'}, {'by': 'irq_id=jbo'}, {'group': 'jbo'}, {'by': 'tid'}, {'group': 'pid'}):
            with self.assertRaises(ltt.InvalidError):
                trace.latency('core.irq_entry', 'core.irq_exit', **keywords)
        with self.assertRaises(ltt.InvalidError):
            with self.assertWarns(ltt.SelectionWarning):
                trace.latency('core.irq_enrty', 'core.irq_exit')
        durations = trace.latency('core.irq_entry', 'core.irq_exit', by='cpu').durations
        for wrong in (-1, 101, float('nan')):
            with self.assertRaises(ValueError):
                durations.percentile(wrong)
        with self.assertRaises(ValueError):
            durations.histogram(0)
        with self.assertRaises(TypeError):
            durations.compare(5)

    def test_no_pairs(self):
        latency = self.open('sparse-cpus').latency('core.irq_entry', 'core.irq_exit', by='cpu', end='+0')
        self.assertEqual((len(latency), latency.durations.max_ns, latency.percentiles[99], latency.histogram()), (0, None, None, []))
        self.assertIsNone(latency.compare(latency))
        self.assertIn('<td', latency._repr_html_())

    def test_spans(self):
        trace = self.open('sparse-cpus')
        spans = list(trace.spans())
        events = {(event.time_ns, event.tracefile) for event in trace.events('core.irq_*')}
        self.assertGreater(len(spans), 10)
        for span in spans:
            self.assertEqual((span.name, span.begin.name, span.begin_ns), ('core.irq', 'core.irq_entry', span.begin.time_ns))
            self.assertIn((span.begin_ns, span.begin.tracefile), events)
            self.assertEqual(span.end is not None, span.outcome == 'finished')
            self.assertEqual(span.duration_ns, span.end_ns - span.begin_ns)
            self.assertEqual(span.args['irq_id'], span.begin['irq_id'])
            self.assertEqual((span.pid, span.tid), (None, None))
        by_id = {span.id: span for span in spans}
        for span in spans:
            if span.parent:
                parent = by_id[span.parent]
                self.assertTrue(parent.begin_ns <= span.begin_ns and span.end_ns <= parent.end_ns)
                self.assertEqual(parent.depth, span.depth - 1)
        trace.close()
        self.assertEqual(spans[0].begin.name, 'core.irq_entry')

    def test_sql(self):
        trace = self.open('sparse-cpus')
        result = trace.sql('select fd, name, cpu, pid from core_file_open order by time, fd')
        self.assertEqual(result.columns, ['fd', 'name', 'cpu', 'pid'])
        expected = [(event.time_ns, event['fd'], event['name'], event.cpu, event.pid) for event in trace.events('core.file_open')]
        self.assertEqual([row[1:] for row in sorted(expected, key=lambda row: row[:2])], list(result))
        self.assertEqual((len(result), list(result)[3], result.to_dict()['fd'][3]), (len(expected), result[3], result[3][0]))
        self.assertEqual(trace.sql('select 1 as a, 2 as a, 3 as a_2').to_dict(), {'a': [1], 'a_2': [2], 'a_2_2': [3]})
        self.assertEqual(result[-1], list(result)[-1])
        self.assertEqual(list(trace.sql('select 1, 2.5, null, x\'00ff\', \'a\'')), [(1, 2.5, None, b'\0\xff', 'a')])
        self.assertEqual(list(trace.sql('create view v as select max(fd) m from core_file_open; select m from v;'))[0][0],
                         max(row[1] for row in expected))
        self.assertEqual((list(trace.sql('')), trace.sql(' -- nothing').columns), ([], []))
        self.assertIn('<td style="text-align: right">', result._repr_html_())
        self.assertIn('&lt;b&gt;', trace.sql("select '<b>' as \"<i>\"")._repr_html_())
        self.assertEqual(list(trace.sql('select count(*) from core_file_open').rows()), [(len(expected),)])
        rows = trace.sql('select fd from core_file_open')
        trace.close()
        self.assertEqual(len(rows), len(expected))

    def test_answers_outlive_the_trace(self):
        """Answers remain valid after the trace is closed. Queries and batches continue, because they keep it open."""
        def ask(trace):
            latency = trace.latency('core.irq_entry', 'core.irq_exit', by='cpu', group='irq_id', longest=3)
            return (latency, latency.groups['255'], latency.longest[0], next(trace.spans()), trace.types[0], trace.info, trace.stat(),
                    trace.sql('select * from core_irq_entry order by time'), trace.sql('select * from core_irq_exit').rows(),
                    trace.table('core.irq_entry', batch_rows=7).batches(), trace.table('core.irq_entry')['irq_id'])

        def look(answers):
            latency, group, pair, span, event_type, info, stat, result, rows, batches, column = answers
            return [latency.percentiles, latency.histogram(), latency.compare(latency), latency._repr_html_(), group.percentile(90),
                    repr(pair), repr(span.begin), dict(span.begin), repr(event_type), ltt.fields(event_type), info, stat, list(result),
                    result._repr_html_(), list(rows), [batch['irq_id'].to_list() for batch in batches], column.to_list()]

        trace = ltt.open(sample('sparse-cpus'))
        expected = look(ask(trace))
        answers = ask(trace)
        trace.close()
        del trace
        gc.collect()
        self.assertTrue(look(answers) == expected)

    def test_states_of_threads(self):
        """Of an imported recording with events of the scheduler."""
        path, recording = self.path('trace'), self.path('perf.data')
        with gzip.open(os.path.join(SOURCE, 'tests/data/states/sched.data.gz')) as packed, open(recording, 'wb') as file:
            shutil.copyfileobj(packed, file)
        command('import', recording, '-o', path)
        with ltt.open(path) as trace:
            for query in ('select count(*), sum(dur), min(time), max(end_state) from sched',
                          'select state, reason, count(*), sum(dur) from thread_state group by 1, 2'):
                expected = [tuple(json.loads(line).values())
                            for line in command('sql', '--format', 'json', path, query)[0].splitlines()]
                self.assertEqual(list(trace.sql(query)), expected)
                self.assertGreater(expected[0][-1] if len(expected) > 1 else expected[0][0], 10)
            wakeup = 'sched.sched_wakeup', 'sched.sched_switch'
            with self.assertWarnsRegex(ltt.SelectionWarning, 'key: pid: .* did you mean data.pid?'):
                trace.latency(*wakeup, by='pid=next_pid')
            self.assertGreater(len(trace.latency(*wakeup, by='data.pid=next_pid')), 0)

    def test_a_failed_query(self):
        """The rows before the failure never look like the result."""
        failing = 'select abs(case when n = 5 then -9223372036854775808 else n end) from (select row_number() over () as n from events)'
        endless = 'with recursive n(i) as (select 1 union all select i + 1 from n) select i from n where i < 4'

        def ring(*_):
            raise KeyboardInterrupt

        self.addCleanup(signal.signal, signal.SIGALRM, signal.getsignal(signal.SIGALRM))
        signal.signal(signal.SIGALRM, ring)
        trace = self.open('sparse-cpus')
        for query, n, kind, expected in ((failing, 4, 'invalid', 'integer overflow'), (endless, 3, 'cancelled', 'the query was cancelled')):
            result = trace.sql(query)
            self.assertEqual([row[0] for row in itertools.islice(result, n)], list(range(1, n + 1)))
            has_failed = False
            while not has_failed:  # the handler can also run before or after the query
                try:
                    try:
                        signal.setitimer(signal.ITIMER_REAL, 0.01)
                        list(result)
                    except ltt.Error:
                        signal.setitimer(signal.ITIMER_REAL, 0)
                        has_failed = True
                except KeyboardInterrupt:
                    pass
            for use in (lambda result=result: list(result), lambda result=result: len(result), result.to_dict,
                        lambda result=result: result[n], lambda result=result: result[-1], result._repr_html_,
                        lambda result=result: list(result.rows())):
                with self.assertRaisesRegex(ltt.Error, expected) as caught:
                    use()
                self.assertEqual(caught.exception.kind, kind)
            self.assertEqual(result[0], (1,))

    def test_wrong_sql(self):
        trace = self.open('sparse-cpus')
        for query in ('select', 'select x from core_file_open', 'select * from nothing', "attach 'x' as y",
                      'create table t (x); select 1', 'select 1; select'):
            with self.assertRaises(ltt.Error):
                trace.sql(query).columns  # pylint: disable=expression-not-assigned
        with self.assertRaises(ValueError):
            trace.sql('select 1\0')

    def test_html(self):
        html = self.open('sparse-cpus')._repr_html_()
        self.assertIn('core.file_open', html)
        self.assertIn('1050000000.795830970', html)

    def test_html_is_escaped(self):
        with ltt.open(sample('sparse-cpus')) as trace:
            trace._paths = ['<script>&']
            self.assertIn('&lt;script&gt;&amp;', trace._repr_html_())


if __name__ == '__main__':
    unittest.main()
