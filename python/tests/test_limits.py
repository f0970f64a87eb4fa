"""Tables of events that take much more memory as rows than in the trace."""
import unittest

import ltt
from support import TraceTest
import small_trace

N_MEMBERS, N_EVENTS = 2000, 16000


class Limits(TraceTest):
    def test_batches_of_wide_rows(self):
        """Each row takes 18 kB, so a batch is complete before the end of the block. All rows are read, in order."""
        members = ''.join('<field name="f%d"><uint size="8"/></field>' % i for i in range(N_MEMBERS))
        path = self.path('trace')
        small_trace.write(path, '<facility name="f"><event name="e"><struct><field name="s"><union typecodesize="2">'
                          '<field name="z"><struct></struct></field>%s</union></field></struct></event></facility>' % members,
                          {'cpu/0': [[(1000 + i, 'e', bytes(2)) for i in range(N_EVENTS)],
                                     [(100000 + i, 'e', bytes(2)) for i in range(3)]]}, block_size=262144)
        expected = list(range(1000, 1000 + N_EVENTS)) + list(range(100000, 100003))
        with ltt.open(path) as trace:
            for options in ({'threads': 1}, {'threads': 3}, {'ordered': True}):
                times, sizes = [], []
                for batch in trace.table('f.e', **options).batches():
                    sizes.append(len(batch))
                    times += batch['time'].to_list()
                self.assertEqual(times, expected)
                self.assertGreater(len(sizes), 2)
                self.assertLess(max(sizes), 12000)

    def test_an_event_above_the_limit(self):
        """The rows before it are read."""
        path, n = self.path('trace'), 20000
        small_trace.write(path, '<facility name="f"><event name="e"><struct><field name="s"><sequence lengthsize="4"><sequence '
                          'lengthsize="2"><struct></struct></sequence></sequence></field></struct></event></facility>',
                          {'cpu/0': [[(1000, 'e', bytes(4)), (1001, 'e', n.to_bytes(4, 'little') + b'\0\x10' * n)]]}, block_size=65536)
        with ltt.open(path) as trace:
            for options in ({'threads': 1}, {'threads': 3}, {'threads': 1, 'batch_rows': 1},
                            {'ordered': True}):
                batches = trace.table('f.e', **options).batches()
                self.assertEqual(next(batches)['time'].to_list(), [1000])
                with self.assertRaisesRegex(ltt.Error, 'event f.e of 40004 bytes takes') as caught:
                    next(batches)
                self.assertEqual(caught.exception.kind, 'limit')
                with self.assertRaises(ltt.Error):
                    len(trace.table('f.e', **options))

    def test_objects(self):
        """A value becomes objects in proportion to its bytes. Its members can be had each."""
        path, n = self.path('trace'), 2000
        small_trace.write(path, '<facility name="f"><event name="e"><struct><field name="s"><sequence lengthsize="4"><sequence '
                          'lengthsize="2"><struct></struct></sequence></sequence></field><field name="n"><uint size="1"/></field>'
                          '</struct></event></facility>',
                          {'cpu/0': [[(1000, 'e', (1).to_bytes(4, 'little') + b'\0\x10' + b'\5'),
                                      (1001, 'e', n.to_bytes(4, 'little') + b'\0\x10' * n + b'\7')]]}, block_size=65536)
        with ltt.open(path) as trace:
            small, large = trace.events('f.e')
            self.assertEqual(small.data, {'s': [[{}] * 4096], 'n': 5})
            self.assertEqual((large['n'], large['s[1999]'], large.code('n')), (7, [{}] * 4096, 7))
            table = trace.table('f.e')
            column = table['s']
            self.assertEqual((column[0], table['n'].to_list()), ([[{}] * 4096], [5, 7]))
            for get in (lambda: large.data, lambda: large['s'], lambda: large.code('s'), lambda: large.get('s'), large.values,
                        large.items, lambda: dict(large), lambda: repr(large), lambda: column[1], column.to_list,
                        lambda: list(table), table.to_dict):
                with self.assertRaisesRegex(ltt.Error, r'the values are more than 4\d{6} Python objects: get single') as caught:
                    get()
                self.assertEqual(caught.exception.kind, 'limit')

    def test_many_numbers_of_an_enum(self):
        """Those without a label have the same index in all batches."""
        path, n = self.path('trace'), 30000
        small_trace.write(path, '<facility name="f"><event name="e"><struct><field name="v"><enum size="4"><label name="zero" '
                          'value="0"/></enum></field></struct></event></facility>',
                          {'cpu/0': [[(1000 + block * n + i, 'e', (value % n).to_bytes(4, 'little'))
                                      for i, value in enumerate(range(block, block + n))] for block in range(3)]}, block_size=1 << 19)
        with ltt.open(path) as trace:
            table = trace.table('f.e', batch_rows=n)
            column = table['v']
            expected = [value % n or 'zero' for block in range(3) for value in range(block, block + n)]
            self.assertEqual(column.to_list(), expected)
            labels = column.labels
            self.assertEqual([labels[index] for index in column.values], [str(value) for value in expected])
            self.assertEqual(len(labels), n)


if __name__ == '__main__':
    unittest.main()
