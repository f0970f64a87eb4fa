"""sql_tables.py - the expected answers of `ltt sql`: real SQLite tables, made from the JSON of `ltt dump`."""
import json
import sqlite3
import struct

from command import as_json, ltt

MOST_INT = 2 ** 63 - 1
END = 'end of the rows'


def ask(path, queries, *options, status=0):
    """The results of several queries: for each a list of tuples. One process answers them all."""
    script = ''.join('%s;\nSELECT 1 AS "%s";\n' % (query, END) for query in queries)
    result = ltt('sql', '--format', 'json', *options, path, script)
    assert result.status in (status, 0), result.err
    results, rows = [], []
    for line in result.lines:
        row = json.loads(line, object_pairs_hook=list)
        if row == [(END, 1)]:
            results.append(rows)
            rows = []
        else:
            rows.append(tuple(value for _, value in row))
    assert len(results) == len(queries), (result.err, queries[len(results)])
    return results


class Table:
    """The name of a table, the event type, and the declared type of each visible column but `tracefile`."""

    def __init__(self, name, event, columns):
        self.name, self.event, self.columns = name, event, columns


def tables(path):
    """The tables of events of a trace."""
    names, = ask(path, ['SELECT table_name, type FROM types'], status=1)
    infos = ask(path, ["SELECT name, type, hidden FROM pragma_table_xinfo('%s')" % name for name, _ in names], status=1)
    return [Table(name, event, {column: kind for column, kind, hidden in info if not hidden})
            for (name, event), info in zip(names, infos)]


def flatten(value, name, out):
    """A struct or a union is a column for each member."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            flatten(inner, '%s.%s' % (name, key) if name else key, out)
    elif not isinstance(value, dict) or name:
        out[name or 'value'] = value


def convert(value, kind):
    """A value of JSON as one of SQL."""
    if isinstance(value, list) or isinstance(value, dict):
        return json.dumps(value, separators=(',', ':'), ensure_ascii=False)
    if kind == 'REAL' and isinstance(value, str):
        return None if value == 'NaN' else float(value.replace('Infinity', 'inf'))
    if isinstance(value, int) and (kind == 'TEXT' or value > MOST_INT):
        return str(value)
    return value


def time_ns(text):
    seconds, nanoseconds = text.split('.')
    return int(seconds) * 10 ** 9 + int(nanoseconds)


def expected_row(event, table):
    """The visible columns of an event that are not null; None if the table cannot hold it."""
    fields = {}
    flatten(event['data'], '', fields)
    row = {'time': time_ns(event['time'])}
    if event['tracefile'].startswith('cpu/'):
        row['cpu'] = int(event['tracefile'].split('/')[1])
    for key in ('pid', 'tid'):
        if key in event:
            row[key] = event[key]
    for name, value in fields.items():
        column = next((column for column in ('field_' + name if name.split('.')[0] in ('time', 'cpu', 'pid', 'tid') else name,
                                             'value.' + name, name + '_2') if column in table.columns), None)
        if column is None:
            return None
        row[column] = convert(value, table.columns[column])
    return {name: value for name, value in row.items() if value is not None}


def dump(path):
    return as_json(ltt('dump', '--all', '--format=json', path).out)


def compare_digits(left, right):
    """Integers above 2^63-1 are texts of their digits, which compare by number."""
    left, right = ((not text.isdecimal(), len(text) if text.isdecimal() else 0, text) for text in (left, right))
    return (left > right) - (left < right)


def load(path):
    """A database in memory with the expected tables, and the names of its event tables."""
    database = sqlite3.connect(':memory:')
    database.create_collation('digits', compare_digits)
    # Names in double quotes are names, as in `ltt sql`.
    all_tables = tables(path)
    by_event = {}
    for table in all_tables:
        by_event.setdefault(table.event.rsplit('_', 1)[0] if table.event.rsplit('_', 1)[-1].isdigit() else table.event,
                            []).append(table)
        by_event.setdefault(table.event, []).append(table)
        database.execute('CREATE TABLE "%s"(%s)' % (table.name, ', '.join(
            '"%s" %s' % (column, kind or 'COLLATE digits') for column, kind in table.columns.items())))
    for event in dump(path):
        for table in by_event[event['event']]:
            row = expected_row(event, table)
            if row is not None:
                break
        else:
            raise AssertionError('no table has %r' % event)
        database.execute('INSERT INTO "%s"(%s) VALUES(%s)' % (
            table.name, ', '.join('"%s"' % name for name in row), ', '.join('?' * len(row))), tuple(row.values()))
    return database, all_tables


def as_float32(value):
    """The nearest float of four bytes."""
    try:
        return struct.unpack('<f', struct.pack('<f', value))[0]
    except OverflowError:
        return value


def round_floats(path, database, all_tables):
    """JSON has the fewest digits of a float of four bytes; SQL has the number. Rounds to it."""
    for table in all_tables:
        for column, kind in table.columns.items():
            found = [row[0] for row in ask(path, ['SELECT "%s" FROM "%s"' % (column, table.name)])[0]] if kind == 'REAL' else []
            if all(not isinstance(value, float) or as_float32(value) == value for value in found) and found:
                database.create_function('as_float32', 1, lambda value: value if value is None else as_float32(value))
                database.execute('UPDATE "%s" SET "%s" = as_float32("%s")' % (table.name, column, column))
