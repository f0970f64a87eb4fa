"""ltt sql: questions about a trace in SQL."""
import json
from collections import Counter

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
