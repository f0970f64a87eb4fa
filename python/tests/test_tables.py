"""Tables: columns, buffers, Arrow, and what happens when parts outlive others."""
import array
import ctypes
import gc
import threading
import unittest

import ltt
from support import TraceTest, dump, sample

try:
    import duckdb
    import numpy
    import pandas
    import polars
    import pyarrow
except ImportError:
    numpy = None


class Tables(TraceTest):
    def test_columns(self):
        trace = self.open('sparse-cpus')
        self.assertIn('core.file_open', trace.tables)
        self.assertNotIn('builtin.block_start', trace.tables)
        table = trace.table('core.file_open')
        self.assertEqual(table.columns, ['time', 'cpu', 'pid', 'tid', 'fd', 'name'])
        self.assertEqual(table.kinds['fd'], 'int32')
        lines, _ = dump(sample('sparse-cpus'), '--event=core.file_open')
        self.assertEqual(len(table), len(lines))
        self.assertEqual(sorted(table['fd'].to_list()), sorted(line['data']['fd'] for line in lines))
        self.assertEqual(list(table['name']), table.to_dict()['name'])
        self.assertEqual((table['fd'][-1], table['fd'][0]), (table['fd'].to_list()[-1], next(iter(table))['fd']))
        self.assertTrue('fd' in table and 'x' not in table)
        self.assertEqual([table['name'].kind, table['name'].name, table['name'].null_count], ['string', 'name', 0])
        with self.assertRaises(IndexError):
            table['fd'][len(table)]
        with self.assertRaises(TypeError):
            table['fd']['x']

    def test_selection(self):
        trace = self.open('sparse-cpus')
        lines, _ = dump(sample('sparse-cpus'), '--event=core.file_open', '--from=+0.0002', '--filter=fd > 5', '--cpu=1-3')
        for ordered in (False, True):
            table = trace.table('core.file_open', ['fd'], start='+0.0002', filter='fd > 5', cpus='1-3', ordered=ordered,
                                threads=2, batch_rows=3)
            self.assertGreater(len(list(table.batches())), 1)
            self.assertEqual(sorted(table['fd']), sorted(line['data']['fd'] for line in lines))
        self.assertEqual(list(table['fd']), [line['data']['fd'] for line in lines])
        self.assertEqual(len(trace.table('core.file_open', [])), len(trace.table('core.file_open')))
        self.assertEqual(list(trace.table('core.file_open', [])), [{}] * len(trace.table('core.file_open')))

    def test_mistakes(self):
        trace = self.open('sparse-cpus')
        for message, arguments in (('core.file_opne: the trace has no such event type; did you mean core.file_open?', ('core.file_opne',)),
                                   ('core.file_open has no column "dd"; it has time, ', ('core.file_open', ['dd'])),
                                   ('column "fd" of core.file_open is requested twice', ('core.file_open', ['fd', 'fd']))):
            with self.assertRaises(ltt.InvalidError) as caught:
                trace.table(*arguments)
            self.assertIn(message, str(caught.exception))
        for wrong in ([5], 5):
            with self.assertRaises(TypeError):
                trace.table('core.file_open', wrong)
        with self.assertRaises(KeyError):
            trace.table('core.file_open', ['fd'])['name']

    def test_buffers(self):
        trace = self.open('sparse-cpus')
        table = trace.table('core.schedchange', batch_rows=7)
        for name, code in (('time', 'q'), ('out', 'I'), ('out_state', 'i')):
            view = memoryview(table[name])
            self.assertEqual((view.format, view.shape, view.readonly), (code, (len(table),), True))
            numbers = view.tolist()
            if name == 'out_state':
                labels = table[name].labels
                self.assertEqual([labels[number] for number in numbers], [str(text) for text in table[name]])
            else:
                self.assertEqual(numbers, table[name].to_list())
        with self.assertRaises(TypeError):
            memoryview(table['time'])[0] = 5
        with self.assertRaisesRegex(TypeError, 'not writable'):
            ctypes.c_char.from_buffer(table['time'])

    def test_nulls(self):
        table = self.open('sparse-cpus').table('core.schedchange')
        column = table['pid']
        self.assertEqual((column.null_count, set(column)), (len(table), {None}))
        with self.assertRaisesRegex(BufferError, 'column pid has nulls: use values and valid'):
            memoryview(column)
        self.assertEqual(len(column.values), len(table))
        self.assertEqual(set(column.valid), {False})
        self.assertEqual(set(table['time'].valid), {True})
        self.assertEqual(list(table['time'].values), list(table['time']))

    def test_values_of_several_sizes(self):
        table = self.open('sparse-cpus').table('core.file_open')
        with self.assertRaisesRegex(BufferError, r'column name has values of different sizes: use to_list\(\)'):
            memoryview(table['name'])

    def test_empty(self):
        table = self.open('sparse-cpus').table('core.file_open', filter='fd == 4000000001')
        self.assertEqual((len(table), list(table), list(table['fd']), memoryview(table['fd']).tolist()), (0, [], [], []))
        self.assertEqual(array.array('q', memoryview(table['time'])), array.array('q'))

    def test_html(self):
        trace = self.open('sparse-cpus')
        html = trace.table('named.draw')._repr_html_()
        self.assertIn('named.draw: the first 20 rows', html)
        self.assertEqual(html.count('<tr>'), 21)
        self.assertIn('time<br>time', html)
        self.assertIn('a&quot;b\\c', html)


class Lifetimes(TraceTest):
    def test_columns_outlive_all(self):
        trace = ltt.open(sample('sparse-cpus'))
        table = trace.table('core.schedchange', batch_rows=7)
        column, expected = table['out'], table['out'].to_list()
        view = memoryview(column)
        batches = list(table.batches())
        values = table['pid'].values
        trace.close()
        del table, trace
        gc.collect()
        self.assertEqual((column.to_list(), view.tolist()), (expected, expected))
        self.assertEqual([number for batch in batches for number in batch['out']], expected)
        self.assertEqual(len(values), len(expected))
        del column, batches
        gc.collect()
        self.assertEqual(view.tolist(), expected)

    def test_a_table_of_a_closed_trace(self):
        trace = ltt.open(sample('sparse-cpus'))
        table = trace.table('core.schedchange')
        trace.close()
        for function in (table.batches, table.__arrow_c_stream__, lambda: len(table), lambda: table['out']):
            with self.assertRaisesRegex(ValueError, 'the trace is closed'):
                function()

    def test_batches_of_a_closed_trace(self):
        """Batches continue after the trace is closed, because they keep it open."""
        trace = ltt.open(sample('sparse-cpus'))
        expected = trace.table('core.schedchange')['out'].to_list()
        reading = trace.table('core.schedchange', batch_rows=3).batches()
        trace.close()
        self.assertEqual([number for batch in reading for number in batch['out']], expected)

    def test_batches_of_another_iterator(self):
        table = self.open('sparse-cpus').table('core.schedchange')
        one, other = table.batches(), table.batches()
        with self.assertRaises(TypeError):
            one.column(list(other), 0)
        with self.assertRaises(TypeError):
            one.column([5], 0)
        with self.assertRaises(IndexError):
            one.column([], 99)


class Stream(ctypes.Structure):
    _fields_ = [(name, ctypes.c_void_p) for name in ('get_schema', 'get_next', 'get_last_error', 'release', 'private')]


class Array(ctypes.Structure):
    _fields_ = [(name, ctypes.c_int64) for name in ('length', 'null_count', 'offset', 'n_buffers', 'n_children')] + [
        (name, ctypes.c_void_p) for name in ('buffers', 'children', 'dictionary', 'release', 'private')]


RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
GET_NEXT = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_void_p, ctypes.c_void_p)


class Consumers(TraceTest):
    """What other libraries may do with capsules."""

    def take(self, capsule):
        get = ctypes.pythonapi.PyCapsule_GetPointer
        get.restype, get.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
        return Stream.from_address(get(capsule, b'arrow_array_stream'))

    def test_nobody_takes_it(self):
        table = self.open('sparse-cpus').table('core.schedchange')
        for _ in range(3):
            table.__arrow_c_stream__()
            table.__arrow_c_schema__()
            next(table.batches()).__arrow_c_array__()

    def test_released_late_twice_and_elsewhere(self):
        trace = ltt.open(sample('sparse-cpus'))
        capsule = trace.table('core.schedchange', batch_rows=5).__arrow_c_stream__()
        stream, moved, rows = self.take(capsule), Stream(), Array()
        ctypes.memmove(ctypes.byref(moved), ctypes.byref(stream), ctypes.sizeof(Stream))
        stream.release = None  # as the interface says of what was moved
        del capsule
        trace.close()
        del trace
        gc.collect()
        self.assertEqual(GET_NEXT(moved.get_next)(ctypes.addressof(moved), ctypes.addressof(rows)), 0)
        self.assertEqual((rows.length > 0, rows.n_children), (True, 7))
        for one in (moved, rows):
            release = RELEASE(one.release)
            for _ in range(2):
                thread = threading.Thread(target=release, args=(ctypes.addressof(one),))
                thread.start()
                thread.join()
                self.assertIsNone(one.release)


@unittest.skipIf(numpy is None, 'the packages of tests/requirements.txt are not installed')
class Libraries(TraceTest):
    """All libraries read the same numbers."""

    def setUp(self):
        super().setUp()
        self.table = self.open('sparse-cpus').table('core.file_open', ordered=True, batch_rows=11)
        self.expected = [line['data'] for line in dump(sample('sparse-cpus'), '--event=core.file_open')[0]]
        self.total = sum(data['fd'] for data in self.expected)

    def test_numpy(self):
        fds = numpy.asarray(self.table['fd'])
        self.assertEqual((fds.dtype, int(fds.sum())), (numpy.dtype('int32'), self.total))
        self.assertFalse(fds.flags.owndata)
        times = numpy.asarray(self.table['time']).view('datetime64[ns]')
        self.assertEqual(str(times[0])[:19], '2003-04-10T18:40:00')
        self.assertEqual(numpy.asarray(self.table['name']).tolist(), [data['name'] for data in self.expected])
        self.assertEqual(numpy.asarray(self.table['pid']).tolist(), [None] * len(self.expected))

    def test_arrays_of_numbers(self):
        trace = self.open('every-type')
        found = 0
        for name in trace.tables:
            for column_name, kind in trace.table(name).kinds.items():
                if kind in ('fixed_list', 'fixed_bytes'):
                    column = trace.table(name)[column_name]
                    try:
                        values = numpy.frombuffer(column, dtype=memoryview(column).format) if len(column) else None
                    except BufferError:
                        continue
                    values = numpy.asarray(column)
                    self.assertEqual(values.ndim, 2)
                    self.assertEqual(repr(values.tolist()), repr([list(value) for value in column]))
                    found += 1
        self.assertGreater(found, 0)

    def test_pyarrow(self):
        self.assertEqual(pyarrow.table(self.table)['fd'].to_pylist(), [data['fd'] for data in self.expected])
        reader = pyarrow.RecordBatchReader.from_stream(self.table)
        self.assertEqual(sum(batch.num_rows for batch in reader), len(self.expected))
        self.assertEqual(pyarrow.record_batch(next(self.table.batches())).num_rows, 11)

    def test_pandas(self):
        frame = pandas.DataFrame.from_arrow(self.table)
        self.assertEqual(int(frame['fd'].sum()), self.total)
        self.assertEqual(str(frame['time'].dtype), 'datetime64[ns]')

    def test_polars(self):
        frame = polars.DataFrame(self.table)
        self.assertEqual(frame['fd'].cast(polars.Int64).sum(), self.total)
        self.assertEqual(frame['time'].dtype, polars.Datetime('ns'))

    def test_duckdb(self):
        with duckdb.connect() as database:
            database.register('calls', self.table)
            self.assertEqual(database.sql('select sum(fd) from calls').fetchall(), [(self.total,)])


if __name__ == '__main__':
    unittest.main()
