"""Partitions of a trace, and many traces as one table."""
import os
import pickle
import shutil
import unittest
import warnings

import ltt
from support import TraceTest, command, dump, sample, samples
import small_trace

try:
    import pyarrow
    from ltt import fleet
except ImportError:
    pyarrow = None


class Partitions(TraceTest):
    def test_each_event_is_in_one(self):
        for path in samples('ltt', 'ltt-extra'):
            with ltt.open(path) as trace:
                for part_bytes in (1, 20000, 0):
                    parts = trace.partitions(part_bytes=part_bytes)
                    for name in trace.tables[:3]:
                        found = [time for part in parts for time in trace.table(name, ['time'], partitions=[part])['time']]
                        self.assertEqual(found, list(trace.table(name, ['time'])['time']))
                        self.assertEqual(list(trace.table(name, ['time'], partitions=parts)['time']), found)

    def test_selection(self):
        trace = self.open('sparse-cpus')
        parts = trace.partitions(part_bytes=1, start='+0.001', cpus=[1, 2])
        self.assertTrue(parts and {part.split()[0] for part in parts} <= {'cpu/1', 'cpu/2'})
        self.assertLess(len(parts), len(trace.partitions(part_bytes=1)))
        lines, _ = dump(sample('sparse-cpus'), '--event=core.irq_entry', '--from=+0.001', '--cpu=1,2')
        self.assertEqual(len(trace.table('core.irq_entry', partitions=parts, start='+0.001')), len(lines))
        self.assertEqual(len(trace.table('core.irq_entry', partitions=[])), 0)

    def test_mistakes(self):
        trace = self.open('sparse-cpus')
        for message, partitions in (('"x" is not a partition', ['x']), ('has no such tracefile', ['cpu/99 0 1 0 0']),
                                    ('the tracefile has 1 blocks', ['cpu/0 5 1 0 0'])):
            with self.assertRaisesRegex(ltt.InvalidError, message):
                trace.table('core.irq_entry', partitions=partitions)
        with self.assertRaisesRegex(ltt.InvalidError, 'have no merged order'):
            trace.table('core.irq_entry', partitions=[], ordered=True)
        with self.assertRaises(TypeError):
            trace.table('core.irq_entry', partitions=[5])


@unittest.skipIf(pyarrow is None, 'pyarrow is not installed')
class Fleet(TraceTest):
    def rows(self, paths, event, part_bytes=fleet.DEFAULT_PART_BYTES if pyarrow else 0, **options):
        schema = fleet.schema(paths, event)
        batches = [batch for part in pickle.loads(pickle.dumps(fleet.parts(paths, part_bytes=part_bytes)))
                   for batch in fleet.read(part, event, schema, **options)]
        for batch in batches:
            batch.validate(full=True)
        return [row for batch in batches for row in batch.to_pylist()]

    def test_every_type(self):
        path = sample('every-type')
        for event in self.open('every-type').tables:
            lines, _ = dump(path, '--event=' + event)
            rows = self.rows([path], event)
            self.assertEqual(len(rows), len(lines))
            self.assertEqual(self.rows([path], event, 1), rows)

    def test_unions_and_versions(self):
        paths = samples('ltt')
        rows = self.rows(paths, 'core.irq_entry')
        lines = [line for path in paths for line in dump(path, '--event=core.irq_entry')[0]]
        self.assertEqual(sorted(row['irq_id'] for row in rows), sorted(line['data']['irq_id'] for line in lines))
        self.assertEqual({row['host'] for row in rows}, {'vaucluse'})
        self.assertEqual({row['trace'] for row in rows}, {path for path in paths if dump(path, '--event=core.irq_entry')[0]})

    def test_a_trace_with_several_names(self):
        """Its events are counted once."""
        copy = shutil.copytree(sample('one-cpu'), self.path('trace'))
        os.symlink(copy, self.path('trace-link'))
        self.assertEqual(fleet.find([copy + '*', copy + '/', os.path.relpath(copy) + '/.']), sorted([os.path.relpath(copy) + '/.', copy])[:1])
        self.assertEqual(len(self.rows(fleet.find([copy + '*', copy + '/']), 'core.irq_entry')), len(self.rows([copy], 'core.irq_entry')))

    def test_planning_reads_no_cpu_file(self):
        copy = shutil.copytree(sample('sparse-cpus'), self.path('copy'))
        for name in os.listdir(os.path.join(copy, 'cpu')):
            path = os.path.join(copy, 'cpu', name)
            size = os.path.getsize(path)
            os.truncate(path, 0)
            os.truncate(path, size)
        self.assertEqual(fleet.schema([copy], 'core.irq_entry'), fleet.schema([sample('sparse-cpus')], 'core.irq_entry'))
        self.assertEqual([[piece._replace(path='') for piece in part.pieces] for part in fleet.parts([copy], part_bytes=5000)],
                         [[piece._replace(path='') for piece in part.pieces]
                          for part in fleet.parts([sample('sparse-cpus')], part_bytes=5000)])

    def test_damage(self):
        path = sample('damage')
        self.assertEqual(len(self.rows([path], 'kinds.idle')), len(dump(path, '--event=kinds.idle')[0]))
        with self.assertRaises(ltt.Error):
            self.rows([path], 'kinds.idle', strict=True)
        part, = fleet.whole([path])
        self.assertEqual({row['kind'] for row in fleet.losses(part)}, {'damage'})
        part, = fleet.whole([sample('load-in-cpu-file')])
        self.assertEqual([(row['kind'], row['events']) for row in fleet.losses(part, 'left.step')],
                         [('version', len(self.open('load-in-cpu-file').table('left.step')))])
        nowhere, = fleet.whole([os.path.join(path, 'info')])
        self.assertEqual([row['kind'] for row in fleet.losses(nowhere)], ['unreadable'])

    def test_wrong_selections(self):
        path = sample('sparse-cpus')
        damaged = sample('damage')
        for options, message in (({'filter': 'irq_id >< 3'}, 'filter: byte 8: "<" is out of place'),
                                 ({'start': 'yesterday'}, '"yesterday" is not a time'), ({'end': 2 ** 63}, 'does not fit in 63 bits'),
                                 ({'cpus': 'zero'}, 'cpus: "zero" is not a list of CPUs')):
            with self.subTest(**options):
                for strict in (False, True):
                    with self.assertRaisesRegex(ltt.InvalidError, message):
                        self.rows([path], 'core.irq_entry', strict=strict, **options)
                with self.assertRaisesRegex(ltt.InvalidError, message):
                    self.rows([damaged], 'kinds.idle', **options)
                with self.assertRaisesRegex(ltt.InvalidError, message):
                    fleet.check_selection([os.path.join(path, 'info'), path], **options)
                fleet.check_selection([], **options)
        fleet.check_selection([path], start='+1', end='-1', filter='unknown > 3', cpus=[0, 99])
        self.assertEqual(self.rows([path], 'core.irq_entry', filter='unknown > 3'), [])

    def test_warnings_of_the_program(self):
        """They do not depend on traces that the fleet reads at the same time; those issue none."""
        part, = fleet.parts([sample('sparse-cpus')])
        schema = fleet.schema([sample('sparse-cpus')], 'core.irq_entry')
        reads = [fleet.read(part, 'core.irq_entry', schema) for _ in range(2)]
        with warnings.catch_warnings():
            warnings.simplefilter('always')
            before = list(warnings.filters)
            for batches in reads:
                next(batches)
                self.assertEqual(warnings.filters, before)
                with self.assertWarns(ltt.TraceWarning):
                    list(ltt.open(sample('damage')).events())
            for batches in reads:
                list(batches)
            self.assertEqual(warnings.filters, before)

    def test_no_warnings(self):
        paths = [sample('damage'), sample('sparse-cpus')]
        with warnings.catch_warnings(record=True) as issued:
            warnings.simplefilter('always')
            for part in fleet.parts(paths):
                list(fleet.losses(part))
                list(fleet.read(part, 'core.irq_entry', fleet.schema(paths, 'core.irq_entry'), cpus=[99], filter='irq == 1'))
                list(fleet.read(part, 'kinds.idle', fleet.schema(paths, 'kinds.idle')))
        self.assertEqual([str(item.message) for item in issued], [])

    def test_losses_of_parts(self):
        """The parts of a trace report it once, however many there are."""
        for name in ('tracer', 'damage'):
            whole = [row for part in fleet.whole([sample(name)]) for row in fleet.losses(part)]
            self.assertGreater(len(whole), 0)
            for part_bytes in (1, 1000, fleet.DEFAULT_PART_BYTES):
                parts = pickle.loads(pickle.dumps(fleet.parts([sample(name), sample('sparse-cpus')], part_bytes=part_bytes)))
                self.assertEqual([row for part in parts for row in fleet.losses(part)], whole)

    def test_fields_with_the_names_of_columns(self):
        path = self.path('trace')
        small_trace.write(path, '<facility name="http"><event name="request"><struct><field name="host"><string/></field>'
                          '<field name="trace"><uint size="1"/></field><field name="time_ns"><uint size="1"/></field>'
                          '<field name="field_host"><uint size="1"/></field></struct></event></facility>',
                          {'cpu/0': [[(1000, 'request', b'a\0\1\2\3')]]}, system='node_name="one"')
        row, = self.rows([path], 'http.request')
        self.assertEqual({name: row[name] for name in row if 'field_' in name}, {'field_host': 'a', 'field_trace': 1, 'field_time_ns': 2, 'field_field_host': 3})
        self.assertEqual((row['host'], row['trace'], row['time_ns']), ('one', path, 1000))

    def merged(self):
        """Traces of the machines a b and c, and the trace that was merged from them."""
        description = '<facility name="http"><event name="request"><struct><field name="host"><string/></field></struct></event></facility>'
        paths = []
        for number, name in enumerate(('a b', 'c')):
            paths.append(self.path(name))
            events = [[(1000 * i + number, 'request', b'%d.%d\0' % (number, i)) for i in range(1, 4 + number)]]
            small_trace.write(paths[-1], description, {'cpu/0': events}, system='node_name="%s" boot_id="b%d"' % (name, number))
        command('merge', '-o', self.path('merged'), *paths)
        return paths, self.path('merged')

    def test_merged(self):
        """Each event of a merged trace has its own machine, also if only those of one are asked for."""
        paths, merged = self.merged()
        self.assertEqual(fleet.describe(merged, '').hosts, {'a b', 'c'})
        for wanted in None, {'c'}, {'a b', 'c'}, {'d'}:
            rows = [{**row, 'trace': '', 'cpu': 0} for row in sorted(self.rows(paths, 'http.request', hosts=wanted), key=lambda row: row['time_ns'])]
            found = [{**row, 'trace': '', 'cpu': 0} for row in sorted(self.rows([merged], 'http.request', hosts=wanted), key=lambda row: row['time_ns'])]
            self.assertEqual(found, rows)
            self.assertEqual(len(fleet.parts([merged], hosts=wanted)), 0 if wanted == {'d'} else 1)
        few = fleet.schema([merged], 'http.request').remove(0)  # without host
        part, = fleet.parts([merged])
        self.assertEqual(sum(batch.num_rows for batch in fleet.read(part, 'http.request', few, hosts={'c'})), 4)
        self.assertEqual({row['host'] for row in rows}, set())

    def test_losses_of_merged(self):
        *paths, merged = self.merge_hosts()

        def lost(path):
            part, = fleet.whole([path])
            return [(row['host'], row['events']) for row in fleet.losses(part) if row['kind'] == 'lost']

        self.assertEqual(lost(merged), lost(paths[0]) + lost(paths[1]))
        self.assertEqual([host for host, _ in lost(merged)], ['a', 'b'])

    def test_mistakes(self):
        for message, call in (('x\\*: no such trace', lambda: fleet.find('x*')),
                              ('none of 1 traces has this event type', lambda: fleet.schema([sample('one-cpu')], 'a.b'))):
            with self.assertRaisesRegex(ltt.InvalidError, message):
                call()


if __name__ == '__main__':
    unittest.main()
