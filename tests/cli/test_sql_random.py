"""Random queries: `ltt sql` answers what SQLite answers on real tables with the same rows."""
import random
import re
import struct

import small_trace
from command import CommandTest, sample
from sql_tables import MOST_INT, ask, load, round_floats

TRACES = ('sparse-cpus', 'every-type', 'big-endian', 'two-versions', 'flight-recorder')
QUERIES = 1000

DESCRIPTION = '''<facility name="made">
<event name="thing"><struct><field name="u"><uint size="8"/></field><field name="e"><enum size="4">red green blue</enum></field>
<field name="s"><string/></field></struct></event>
<event name="other"><struct><field name="u"><uint size="8"/></field><field name="e"><enum size="4">green red</enum></field></struct></event>
</facility>'''
TEXTS = (b'', b'<b>&amp;"\'%_</b>', b'a\nb\t;--', 'é'.encode(), b'\xff\xfe', b'x' * 300, b'A', b'a', b'12', b'1e3', b'NULL')
NUMBERS = (0, 1, 12, 2 ** 53 + 1, 2 ** 63 - 1, 2 ** 63, 2 ** 63 + 1, 2 ** 64 - 1)


def make_trace(path):
    """Texts with markup, quotes and invalid bytes; numbers above 2^63-1; values of enums without a label."""
    choose = random.Random(0)
    events = [[], []]
    for i in range(300):
        payload = struct.pack('<QI', choose.choice(NUMBERS), choose.choice((0, 1, 2, 9)))
        name = choose.choice(('thing', 'thing', 'other'))
        events[i % 2].append((1000 + i * choose.choice((5, 5, 7)), name, payload + (choose.choice(TEXTS) + b'\0' if name == 'thing' else b'')))
    small_trace.write(path, DESCRIPTION, {'cpu/%d' % cpu: [sorted(own)[start:start + 40] for start in range(0, 150, 40)]
                                          for cpu, own in enumerate(events)})
    return path


def quote(name):
    return '"%s"' % name.replace('"', '""')


def literal(value):
    if value is None:
        return 'NULL'
    if isinstance(value, str):
        return "'%s'" % value.replace("'", "''")
    return repr(value)


class Maker:
    """Makes queries on the tables of a trace, with values that occur, and some that do not."""

    def __init__(self, seed, database, tables):
        self.random = random.Random(seed)
        self.tables = [table for table in tables
                       if database.execute('SELECT count(*) FROM %s' % quote(table.name)).fetchone()[0] > 0]
        self.values = {}
        for table in self.tables:
            for column in table.columns:
                self.values[table.name, column] = [row[0] for row in database.execute(
                    'SELECT DISTINCT %s FROM %s LIMIT 50' % (quote(column), quote(table.name)))]

    def value(self, table, column):
        """One of the column; also as another type, one more, or a null."""
        value = self.random.choice(self.values[table.name, column])
        kind = self.random.randrange(12)
        if kind == 0:
            return 'NULL'
        if kind == 1 and isinstance(value, int) and abs(value) < MOST_INT:
            return literal(value + self.random.choice((-1, 1)))
        if kind == 2 and isinstance(value, int):
            return literal(str(value))
        if kind == 3 and isinstance(value, int) and abs(value) < 2 ** 50:
            return literal(value + self.random.choice((0.0, 0.5)))
        if kind == 4:
            return self.random.choice(("'no such'", '-1', '0', '9223372036854775807', "''", 'x\'00\'', '1e300', '-1e300'))
        return literal(value)

    def column(self, table):
        return self.random.choice(list(table.columns))

    def condition(self, table, alias, depth=0):
        column = self.column(table)
        name = '%s.%s' % (alias, quote(column))
        kind = self.random.randrange(12 if depth < 2 else 8)
        if kind <= 2:
            return '%s %s %s' % (name, self.random.choice(('=', '=', '=', '<', '<=', '>', '>=', '<>', 'IS', 'IS NOT')),
                                 self.value(table, column))
        if kind == 3:
            return '%s %sIN (%s)' % (name, self.random.choice(('', '', 'NOT ')),
                                     ', '.join(self.value(table, column) for _ in range(self.random.randrange(1, 5))))
        if kind == 4:
            return '%s IS %sNULL' % (name, self.random.choice(('', 'NOT ')))
        if kind in (5, 6):
            times = sorted(self.random.choice(self.values[table.name, 'time']) for _ in range(2))
            return '%s.time %s %d AND %d' % (alias, self.random.choice(('BETWEEN', 'NOT BETWEEN')), *times)
        if kind == 7:
            return '%s = %s COLLATE NOCASE' % (name, self.value(table, column))
        inner = [self.condition(table, alias, depth + 1) for _ in range(2)]
        return '(%s %s %s)' % (inner[0], 'AND' if kind < 10 else 'OR', inner[1])

    def where(self, table, alias):
        return ' WHERE ' + self.condition(table, alias) if self.random.random() < 0.8 else ''

    def plain(self):
        table = self.random.choice(self.tables)
        columns = [self.column(table) for _ in range(self.random.randrange(1, 4))]
        names = ', '.join('a.%s' % quote(column) for column in columns)
        order = self.random.choice(('', '', ' ORDER BY %s' % names, ' ORDER BY %s DESC LIMIT 5' % names,
                                    ' ORDER BY a.time', ' ORDER BY a.time LIMIT 7', ' ORDER BY a.time DESC, %s' % names))
        return 'SELECT %s%s FROM %s a%s%s' % (self.random.choice(('', '', 'DISTINCT ')) if 'time' not in order else '',
                                              names, quote(table.name), self.where(table, 'a'), order)

    def group(self):
        table = self.random.choice(self.tables)
        column, other = self.column(table), self.column(table)
        what = self.random.choice(('count(*)', 'count(DISTINCT a.%s)', 'min(a.%s)', 'max(a.%s)', 'count(a.%s)', 'total(a.cpu)'))
        what = what % quote(other) if '%' in what else what
        having = self.random.choice(('', '', ' HAVING count(*) > 1', ' ORDER BY 1', ' ORDER BY 2, 1', ' ORDER BY 1 DESC'))
        return 'SELECT a.%s, %s FROM %s a%s GROUP BY 1%s' % (quote(column), what, quote(table.name),
                                                             self.where(table, 'a'), having)

    def join(self):
        first, second = self.random.choice(self.tables), self.random.choice(self.tables)
        left, right = self.column(first), self.column(second)
        kind = self.random.choice(('JOIN', 'JOIN', 'LEFT JOIN'))
        on = 'a.%s = b.%s' % (quote(left), quote(right))
        if self.random.random() < 0.3:
            width = self.random.randrange(0, 10 ** 7)
            on = 'b.time BETWEEN a.time - %d AND a.time + %d' % (width, width)
        if self.random.random() < 0.4:
            on += ' AND ' + self.condition(second, 'b')
        what = self.random.choice(('count(*)', 'count(*), min(a.time), max(b.time)', 'count(DISTINCT a.time)',
                                   'count(b.%s)' % quote(right)))
        return 'SELECT %s FROM %s a %s %s b ON %s%s' % (what, quote(first.name), kind, quote(second.name), on,
                                                        self.where(first, 'a'))

    def nested(self):
        first, second = self.random.choice(self.tables), self.random.choice(self.tables)
        left, right = quote(self.column(first)), quote(self.column(second))
        return self.random.choice((
            'SELECT count(*) FROM %(a)s a WHERE a.%(l)s IN (SELECT b.%(r)s FROM %(b)s b%(wb)s)',
            'SELECT count(*) FROM %(a)s a WHERE EXISTS (SELECT 1 FROM %(b)s b WHERE b.%(r)s = a.%(l)s)',
            'SELECT a.time, (SELECT count(*) FROM %(b)s b WHERE b.time <= a.time) FROM %(a)s a%(wa)s',
            'SELECT a.%(l)s FROM %(a)s a%(wa)s UNION SELECT b.%(r)s FROM %(b)s b%(wb)s',
            'SELECT a.%(l)s FROM %(a)s a%(wa)s EXCEPT SELECT b.%(r)s FROM %(b)s b%(wb)s',
            'SELECT count(*), min(d), max(d) FROM (SELECT a.time - lag(a.time) OVER (ORDER BY a.time) AS d FROM %(a)s a%(wa)s)',
            'WITH x AS (SELECT * FROM %(a)s a%(wa)s) SELECT count(*) FROM x p JOIN x q ON p.%(l)s = q.%(l)s',
            'SELECT max(b.time) FROM %(b)s b WHERE b.time < (SELECT a.time FROM %(a)s a ORDER BY a.time LIMIT 1)',
        )) % {'a': quote(first.name), 'b': quote(second.name), 'l': left, 'r': right,
              'wa': self.where(first, 'a'), 'wb': self.where(second, 'b')}

    def further(self):
        """Windows, three tables, outer joins, patterns and CASE."""
        tables = [self.random.choice(self.tables) for _ in range(3)]
        columns = [quote(self.column(table)) for table in tables]
        letter = self.random.choice(('a', 'e', '_', '%', '<', 'x', '1', '"'))
        return self.random.choice((
            'SELECT count(*), sum(r), max(n) FROM (SELECT rank() OVER (PARTITION BY a.%(l)s ORDER BY a.time) AS r, '
            'count(*) OVER (ORDER BY a.time RANGE BETWEEN 900 PRECEDING AND CURRENT ROW) AS n FROM %(a)s a%(wa)s)',
            'SELECT first_value(a.%(l)s) OVER (ORDER BY a.%(l)s), dense_rank() OVER (ORDER BY a.%(l)s) FROM %(a)s a%(wa)s',
            'SELECT count(*) FROM %(a)s a JOIN %(b)s b ON a.%(l)s = b.%(r)s AND a.time < b.time LEFT JOIN %(c)s c ON c.%(t)s = b.%(r)s%(wa)s',
            'SELECT count(*), count(a.time), count(b.time) FROM %(a)s a FULL JOIN %(b)s b ON a.%(l)s = b.%(r)s%(wa)s',
            'SELECT count(*) FROM %(a)s a RIGHT JOIN %(b)s b ON a.%(l)s = b.%(r)s AND a.time > b.time%(wb)s',
            "SELECT count(*) FROM %(a)s a WHERE a.%(l)s LIKE '%%%(p)s%%' OR a.%(l)s GLOB '*%(p)s*'",
            'SELECT CASE WHEN a.%(l)s IS NULL THEN 0 WHEN a.%(l)s = %(v)s THEN 1 ELSE 2 END AS k, count(*) FROM %(a)s a%(wa)s GROUP BY k',
            'SELECT count(*) FROM %(a)s a WHERE a.%(l)s NOT IN (SELECT b.%(r)s FROM %(b)s b WHERE b.%(r)s IS NOT NULL)',
            'SELECT a.%(l)s, length(a.%(l)s), typeof(a.%(l)s), hex(a.%(l)s) FROM %(a)s a%(wa)s',
            'SELECT coalesce(a.%(l)s, b.%(r)s), count(*) FROM %(a)s a LEFT JOIN %(b)s b USING (time)%(wa)s GROUP BY 1',
            'SELECT a.%(l)s FROM %(a)s a%(wa)s INTERSECT SELECT b.%(r)s FROM %(b)s b UNION ALL SELECT c.%(t)s FROM %(c)s c WHERE c.cpu = 1',
        )) % {'a': quote(tables[0].name), 'b': quote(tables[1].name), 'c': quote(tables[2].name), 'l': columns[0], 'r': columns[1],
              't': columns[2], 'wa': self.where(tables[0], 'a'), 'wb': self.where(tables[1], 'b'), 'p': letter,
              'v': self.value(tables[0], self.column(tables[0]))}

    def query(self):
        return self.random.choice((self.plain, self.plain, self.group, self.join, self.join, self.nested, self.further))()


def plain(value):
    """Floats as JSON has them."""
    if isinstance(value, float) and value in (float('inf'), float('-inf')):
        return 'Infinity' if value > 0 else '-Infinity'
    if isinstance(value, bytes):
        return value.hex()
    return value


class Random(CommandTest):
    def test_a_thousand_queries(self):
        n_rows = 0
        paths = [sample(name) for name in TRACES] + [make_trace(self.path('made'))]
        for seed, path in enumerate(paths):
            database, tables = load(path)
            round_floats(path, database, tables)
            maker = Maker(seed, database, tables)
            queries = [maker.query() for _ in range(-(-QUERIES // len(paths)))]
            # Status 1 warns of labels that an enum does not have.
            for query, found in zip(queries, ask(path, queries, status=1)):
                expected = [tuple(map(plain, row)) for row in database.execute(query)]
                n_rows += len(expected)
                if 'ORDER BY a.time' in query or ' ORDER BY a.' in query:
                    # Rows of equal keys may come in any order, and so may be cut off by the limit.
                    if not re.search(r'ORDER BY a\.time( LIMIT \d+)?$', query):
                        self.assertEqual(found, expected, query)
                        continue
                    self.assertEqual(len(found), len(expected), query)
                    if 'LIMIT' in query:
                        continue
                key = lambda row: [(value is None, str(type(value)), value) for value in row]  # noqa: E731
                self.assertEqual(sorted(found, key=key), sorted(expected, key=key), query)
        self.assertGreater(n_rows, 5000)
