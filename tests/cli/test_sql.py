"""ltt sql: questions about a trace in SQL."""
import json
import sqlite3
from collections import Counter

import small_trace
from command import ALL, CommandTest, ltt, sample, samples, some_of
from sql_tables import as_float32, ask, load


def rows(path, query, *options):
    """The rows of a query as a list of lists of values."""
    result = ltt('sql', '--format', 'json', *options, path, query)
    return [list(json.loads(line).values()) for line in result.out.splitlines()]


class Counts(CommandTest):
    def test_every_table_equals_stat(self):
        for path in some_of(samples('ltt', 'ltt-extra', 'ltt-damaged')):
            stat = json.loads(ltt('stat', '--all', '--json', path).out)
            expected = stat['by_event']
            names = ltt('sql', path, '.tables all').lines
            types = dict(rows(path, 'SELECT table_name, type FROM types'))
            found = {}
            for name in names:
                if name in types:
                    base = types[name] if types[name] in expected else types[name].rsplit('_', 1)[0]
                    found[base] = found.get(base, 0) + rows(path, 'SELECT count(*) FROM "%s"' % name)[0][0]
            self.assertEqual({name: n for name, n in found.items() if n > 0}, expected, path)
            self.assertEqual(rows(path, 'SELECT count(*) FROM events', '--all')[0][0], stat['events'], path)

    def test_many_types(self):
        path, n = self.path('trace'), 4000
        types = ''.join('<event name="e%d"/>' % i for i in range(n))
        events = [(1000 + i, 'e%d' % i, b'') for i in range(n) for _ in range(i % 3)]
        small_trace.write(path, '<facility name="f">%s</facility>' % types, {'cpu/0': [events]}, block_size=65536)
        self.assertEqual(rows(path, "SELECT type, n_events, first FROM types WHERE type GLOB 'f.*' ORDER BY length(type), type"),
                         [['f.e%d' % i, i % 3, 1000 + i if i % 3 else None] for i in range(n)])


class Columns(CommandTest):
    def wide(self, n):
        """A trace with a type of n fields of a byte, and another one."""
        path = self.path('wide%d' % n)
        fields = ''.join('<field name="a%d"><uint size="1"/></field>' % i for i in range(n))
        small_trace.write(path, '<facility name="f"><event name="wide"><struct>%s</struct></event><event name="x"/></facility>' % fields,
                          {'cpu/0': [[(1000, 'wide', bytes(i % 251 for i in range(n))), (1001, 'x', b'')]]}, block_size=65536)
        return path

    def test_as_many_as_sqlite_allows(self):
        path = self.wide(1993)
        self.assertEqual(rows(path, 'SELECT a0, a1992, tracefile FROM f_wide'), [[0, 1992 % 251, 'cpu/0']])
        self.assertEqual((ltt('sql', path, 'SELECT * FROM f_wide').status, ltt('sql', '-o', self.path('db'), path).status), (0, 0))

    def test_more_than_sqlite_allows(self):
        path = self.wide(20000)
        message = 'ltt sql: the table f_wide lacks 18007 columns: SQLite allows 2000; data of the table events has all fields\n'
        result = ltt('sql', '--format', 'csv', path, 'SELECT a0, a1992, tracefile FROM f_wide; SELECT cpu FROM f_wide')
        self.assertEqual((result.status, result.err, result.lines), (1, message, ['a0,a1992,tracefile', '0,%d,cpu/0' % (1992 % 251), 'cpu', '0']))
        self.assertEqual(ltt('sql', path, 'SELECT a1993 FROM f_wide').status, 2)
        others = ltt('sql', '--format', 'csv', path, "SELECT data->>'a19999' FROM events WHERE type = 'f.wide'; SELECT time FROM f_x")
        self.assertEqual((others.status, others.err, others.lines[1::2]), (0, '', [str(19999 % 251), '1001']))
        saved = ltt('sql', '-o', self.path('db'), path)
        self.assertEqual((saved.status, saved.err.count(message)), (1, 1))
        database = sqlite3.connect(self.path('db'))
        self.assertEqual(database.execute('SELECT a0, a1992 FROM f_wide').fetchall(), [(0, 1992 % 251)])
        self.assertEqual(database.execute('SELECT time FROM f_x').fetchall(), [(1001,)])

    def test_long_names(self):
        """The declaration of a table has a limited length, too."""
        path, n = self.path('trace'), 1990
        fields = ''.join('<field name="a%d"><uint size="1"/></field>' % i for i in range(n))
        for depth in range(4):
            fields = '<field name="%s"><struct>%s</struct></field>' % (chr(ord('a') + depth) * 200, fields)
        small_trace.write(path, '<facility name="f"><event name="wide"><struct>%s</struct></event></facility>' % fields,
                          {'cpu/0': [[(1000, 'wide', bytes(n))]]}, block_size=65536)
        result = ltt('sql', '--format', 'csv', path, 'SELECT * FROM f_wide')
        self.assertEqual((result.status, len(result.lines)), (1, 2), result.err)
        self.assertGreater(result.lines[1].count(','), 1000)

    def test_equal_names_of_many_types(self):
        path, n = self.path('trace'), 4000
        names = [''.join(c.upper() if i >> k & 1 else c for k, c in enumerate('abcdefghijkl')) for i in range(n)]
        small_trace.write(path, '<facility name="f">%s</facility>' % ''.join('<event name="%s"/>' % name for name in names),
                          {'cpu/0': [[(1000, names[0], b'')]]}, block_size=65536)
        tables = [name for name, in rows(path, "SELECT table_name FROM types WHERE type GLOB 'f.*'")]
        self.assertEqual({name.lower() for name in tables},
                         {'f_abcdefghijkl%s' % ('' if i == 1 else '_%d' % i) for i in range(1, n + 1)})


class Plans(CommandTest):
    def test_what_is_pushed_down(self):
        """Joins read the inner table once, windows and CPUs select blocks, and orders of time need no sort."""
        for query, expected in (
                ('SELECT count(*) FROM named_move a JOIN named_draw b ON a.cpu = b.cpu', 'hash(cpu)'),
                ('SELECT count(*) FROM core_irq_entry a LEFT JOIN core_irq_entry b ON b.irq_id = a.irq_id', 'hash(irq_id)'),
                ('SELECT count(*) FROM named_move a JOIN named_draw b ON b.time BETWEEN a.time - 5 AND a.time', 'seek(time)'),
                ('SELECT * FROM named_move WHERE time > 5 AND cpu = 1', 'window'),
                ('SELECT * FROM named_move WHERE cpu = 1', 'cpu'),
                ("SELECT * FROM events WHERE type = 'named.move'", 'match(type)'),
                ('SELECT * FROM core_irq_entry WHERE irq_id IN (1, 2)', 'in(irq_id)'),
                ('SELECT * FROM named_move ORDER BY time LIMIT 3', 'order(time)'),
                ('SELECT irq_id, count(*) FROM core_irq_entry GROUP BY irq_id', 'group(irq_id)')):
            plan = str(rows(sample('sparse-cpus'), 'EXPLAIN QUERY PLAN ' + query))
            self.assertIn(expected, plan, query)
            if 'BY' in query:
                self.assertNotIn('B-TREE', plan, query)

    def test_collations_are_not_pushed_down(self):
        plan = rows(sample('sparse-cpus'), "EXPLAIN QUERY PLAN SELECT * FROM events WHERE type = 'NAMED.MOVE' COLLATE NOCASE")
        self.assertNotIn('match', str(plan))


def canonical(row, floats):
    """A row that can be counted. Floats of four bytes are read from JSON with other digits."""
    return tuple(as_float32(value) if i in floats and isinstance(value, float) else value for i, value in enumerate(row))


class Values(CommandTest):
    def test_every_value_of_every_sample(self):
        """All types, byte orders and sizes, and damaged traces, as in JSON."""
        n_compared = 0
        for path in some_of(samples('ltt', 'ltt-extra', 'ltt-damaged')):
            database, tables = load(path)
            found = ask(path, ['SELECT * FROM "%s"' % table.name for table in tables], status=1)
            for table, rows_found in zip(tables, found):
                expected = database.execute('SELECT * FROM "%s"' % table.name).fetchall()
                floats = {i for i, kind in enumerate(table.columns.values()) if kind == 'REAL'}
                rows_found = [tuple(float(value.replace('Infinity', 'inf')) if i in floats and isinstance(value, str) else value
                                    for i, value in enumerate(row)) for row in rows_found]
                for i in list(floats):
                    if any(row[i] is not None and as_float32(row[i]) != row[i] for row in rows_found):
                        floats.remove(i)
                self.assertEqual(Counter(canonical(row, floats) for row in rows_found),
                                 Counter(canonical(row, floats) for row in expected), (path, table.name))
                n_compared += len(rows_found)
        self.assertGreater(n_compared, 5000 if ALL else 1400)
