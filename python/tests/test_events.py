"""Iteration over events: what is selected, what an event has, and mistakes."""
import datetime
import gc
import pickle
import unittest
import warnings

import ltt
from support import TraceTest, command, dump, sample, time_ns


class Selecting(TraceTest):
    def expect(self, options, *arguments, **keywords):
        trace = self.open('sparse-cpus')
        expected, _ = dump(sample('sparse-cpus'), *options)
        events = list(trace.events(*arguments, **keywords))
        self.assertTrue([(event.time_ns, event.tracefile, event.name) for event in events] ==
                        [(time_ns(event['time']), event['tracefile'], event['event']) for event in expected])
        self.assertGreater(len(events), 0)
        return events

    def test_patterns(self):
        self.expect(['--event=core.irq_*,core.file_open'], 'core.irq_*,core.file_open')
        self.expect(['--event=core.irq_*,core.file_open'], ['core.irq_*', 'core.file_open'])
        self.expect([])
        self.expect(['--all'], hidden=True)

    def test_filter_and_cpus(self):
        self.expect(['--filter=fd > 5'], filter='fd > 5')
        self.expect(['--cpu=1'], cpus=1)
        self.expect(['--cpu=1,2'], cpus=[1, 2])
        self.expect(['--cpu=1-4'], cpus='1-4')

    def test_times(self):
        self.expect(['--from=+0.0005', '--to=-0.0001'], start='+0.0005', end='-0.0001')
        self.expect(['--from=1050000000.796', '--to=1050000000.7965'], start=1050000000796000000, end=1050000000796500000)
        self.expect(['--from=1050000000.5'], start=1050000000.5)
        date = datetime.datetime(2003, 4, 10, 18, 40, 0, 796123, datetime.timezone.utc)
        self.expect(['--from=1050000000.796123'], start=date)
        self.expect(['--from=1050000000.796123'], start=date.astimezone(datetime.timezone(datetime.timedelta(hours=-7))))
        event = self.expect(['--from=1050000000.796'], start=1050000000796000000)[5]
        self.assertEqual(next(self.open('sparse-cpus').events(start=event.time_ns)).time_ns, event.time_ns)

    def test_several_traces(self):
        trace = self.open('one-cpu', 'crashed')
        expected, _ = dump(sample('crashed'), sample('one-cpu'))
        self.assertTrue([event.tracefile for event in trace.events()] == [event['tracefile'] for event in expected])
        moved = self.open('one-cpu', 'crashed', offsets={1: -10**9})
        self.assertEqual(min(event.time_ns for event in moved.events()),
                         min(event.time_ns for event in self.open('crashed').events()) - 10**9)


class Events(TraceTest):
    def test_names_of_threads(self):
        """Events have the names that `ltt dump` prints; they remain valid when the trace is closed."""
        lines = command('dump', '--event=disk.*', sample('tracer'))[0].splitlines()
        with ltt.open(sample('tracer')) as trace:
            events = list(trace.events('disk.*'))
        self.assertEqual([('comm=%s' % event.comm in line.split(), event.comm is None) for event, line in zip(events, lines)],
                         [('comm=worker' in line.split(), 'comm=' not in line) for line in lines])
        self.assertEqual({event.comm for event in events}, {'worker', None})

    def test_an_event(self):
        event = next(self.open('sparse-cpus').events('core.file_open'))
        self.assertEqual((list(event), event.keys(), len(event)), (['fd', 'name'], ['fd', 'name'], 2))
        self.assertEqual(event.items(), list(zip(event.keys(), event.values())))
        self.assertEqual(dict(event), {'fd': event['fd'], 'name': event['name']})
        self.assertEqual((event.name, event.facility, event.type.name), ('core.file_open', 'core', 'core.file_open'))
        self.assertEqual(event.time, event.time_ns / 1e9)
        self.assertEqual((event.get('fd'), event.get('no'), event.get('no', 7)), (event['fd'], None, 7))
        self.assertTrue('fd' in event and 'no' not in event and 5 not in event)
        self.assertEqual(repr(event), '<ltt.Event %d.%09d %s core.file_open %r>'
                         % (*divmod(event.time_ns, 10**9), event.tracefile, dict(event)))

    def test_paths(self):
        trace = self.open('sparse-cpus')
        event = next(event for event in trace.events('named.draw') if len(event['p']) > 1)
        self.assertEqual(event['p[1].x'], event['p'][1]['x'])
        for wrong in ('p[9999]', 'p[1].z', 'p[1', 'p[]', 'p[-1]', 'p.x', 'p[1].x.y', '', '.', '[0]', 'p[99999999999999999999]',
                      'label[0]', '\ud800', '\ud800.x', 'p\0'):
            with self.assertRaises(KeyError):
                event[wrong]
            self.assertNotIn(wrong, event)
            self.assertEqual(event.get(wrong, 3), 3)

    def test_enums(self):
        event = next(self.open('sparse-cpus').events('core.schedchange'))
        self.assertEqual((event['out_state'], event.code('out_state')), ('WaitUninterruptible', 2))
        with self.assertRaises(KeyError):
            event.code('no')

    def test_mistakes(self):
        event = next(self.open('sparse-cpus').events('core.file_open'))
        with self.assertRaisesRegex(KeyError, r"core.file_open has no field 'nmae'; it has \('fd', 'name'\)"):
            event['nmae']
        for wrong in (5, None, b'fd', ['fd']):
            with self.assertRaises(TypeError):
                event[wrong]
        with self.assertRaises(AttributeError):
            event.other  # pylint: disable=pointless-statement
        with self.assertRaises(AttributeError):
            event.time_ns = 5
        with self.assertRaises(TypeError):
            type(event)()
        with self.assertRaises(TypeError):
            pickle.dumps(event)

    def test_types(self):
        trace = self.open('sparse-cpus')
        kind = next(event_type for event_type in trace.types if event_type.name == 'core.schedchange')
        self.assertEqual(kind.names, ('out', 'in', 'out_state'))
        fields = ltt.fields(kind)
        self.assertEqual([(field.name, field.type) for field in fields],
                         [('out', 'uint32'), ('in', 'uint32'), ('out_state', 'enum')])
        self.assertEqual(fields[2].labels['WaitUninterruptible'], 2)
        self.assertEqual(kind.description, 'The CPU goes from one process to another')
        self.assertIs(next(trace.events('core.schedchange')).type, kind)


class Mistakes(TraceTest):
    def expect(self, message, function, *arguments, **keywords):
        with self.assertRaisesRegex(ltt.Error, message) as caught:
            function(*arguments, **keywords)
        return caught.exception

    def test_opening(self):
        error = self.expect('^%s: no such directory$' % self.path('nothing'), ltt.open, self.path('nothing'))
        self.assertEqual(error.kind, 'io')
        self.expect('no such directory', ltt.open, self.path('nothing').encode())
        with self.assertRaises(ValueError):
            ltt.open([])
        with self.assertRaises(TypeError):
            ltt.open(5)
        with self.assertRaises(ValueError):
            ltt.open('a\0b')
        with self.assertRaises(IndexError):
            self.open('one-cpu', offsets={1: 5})

    def test_recordings_of_other_tools(self):
        path = sample('sparse-cpus') + '/../../perf/file-tracepoints.data'
        self.expect('is a perf recording, not a trace; convert it with `ltt import', ltt.open, path)

    def test_selecting(self):
        trace = self.open('sparse-cpus')
        for message, keywords in ((r'filter: byte \d: ', {'filter': 'fd =='}), ('"x" is not a time', {'start': 'x'}),
                                  ('cpus: ', {'cpus': 'x'}), ('pattern: ', {'pattern': 'a,,b'})):
            error = self.expect(message, trace.events, **keywords)
            self.assertIsInstance(error, ValueError)
            self.assertEqual(error.kind, 'invalid')


class Damage(TraceTest):
    def test_warnings(self):
        """Where the damage is, once for a trace, and as exceptions on request."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter('always')
            trace = ltt.open(sample('damage'))
            events = list(trace.events())
            n_warnings = len(caught)
            self.assertEqual(len(list(trace.events())), len(events))
        self.assertEqual((n_warnings, len(caught)), (len(trace.problems),) * 2)
        self.assertTrue(all(warning.category is ltt.TraceWarning and warning.filename == __file__ for warning in caught))
        problem = next(problem for problem in trace.problems if problem.block == 4)
        self.assertEqual(str(problem), 'cpu/0: block 4: byte 32: event id 999: no loaded facility covers it')
        self.assertEqual(problem[:4], ('cpu/0', 4, 32, 'event id 999: no loaded facility covers it'))

    def test_warnings_as_errors(self):
        with warnings.catch_warnings():
            warnings.simplefilter('ignore')
            trace = ltt.open(sample('damage'))
        n_raised, n_events, reading = 0, 0, trace.events()
        while True:
            try:
                n_events += next(reading) is not None
            except ltt.TraceWarning:
                n_raised += 1
            except StopIteration:
                break
        self.assertGreater(n_raised, 5)
        self.assertEqual(n_events, len(dump(sample('damage'))[0]))


class Lifetimes(TraceTest):
    def test_events_outlive_their_trace(self):
        trace = ltt.open(sample('every-type'))
        expected = [repr(event) for event in trace.events(hidden=True)]
        events = list(trace.events(hidden=True))
        trace.close()
        del trace
        gc.collect()
        self.assertTrue([repr(event) for event in events] == expected)
        types = [event.type for event in events]
        del events
        self.assertTrue(all(ltt.fields(event_type) is not None for event_type in types))

    def test_closed(self):
        with ltt.open(sample('sparse-cpus')) as trace:
            reading = trace.events()
            next(reading)
        self.assertTrue(trace.closed)
        trace.close()
        for function in (lambda: next(reading), trace.events, trace.stat, lambda: trace.info, lambda: trace.types,
                         lambda: trace.tables, lambda: trace.problems, lambda: trace.table('core.file_open')):
            with self.assertRaisesRegex(ValueError, 'the trace is closed'):
                function()
        self.assertIn('closed', repr(trace))
        self.assertIn('closed', trace._repr_html_())

    def test_an_iterator_outlives_the_name_of_its_trace(self):
        reading = ltt.open(sample('sparse-cpus')).events()
        gc.collect()
        self.assertEqual(sum(1 for _ in reading), 1200)
        self.assertEqual(list(reading), [])


if __name__ == '__main__':
    unittest.main()
