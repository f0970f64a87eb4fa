"""Reads the Arrow streams of all sample traces with ClickHouse, and compares each value with that of pyarrow.

usage: try_clickhouse.py BUILD

ClickHouse selects all columns of each stream and writes them as another stream, so its own columns hold every value
in between. They differ from those of Arrow in two ways: texts and binaries are bytes, and in a union only the member that the tag
names is compared, because ClickHouse has no null lists and no null tuples.
"""
import glob
import os
import subprocess
import sys
import tempfile

import pyarrow.ipc
from chdb import session

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.append(os.path.join(SOURCE, 'tests'))
from arrow_rows import is_union  # noqa: E402  pylint: disable=wrong-import-position
QUERY = "SELECT * FROM file('%s', 'ArrowStream') SETTINGS max_threads = 1, output_format_arrow_string_as_string = 0"


def traces():
    return sorted(path for folder in ('ltt', 'ltt-extra', 'ltt-damaged', 'bookmarks')
                  for path in glob.glob(os.path.join(SOURCE, 'tests/data', folder, '*')) if os.path.isdir(path))


def plain(value, kind):
    """A value of the original type as text that can be compared: a NaN is equal to itself."""
    if isinstance(value, str):
        return repr(value.encode('utf-8'))
    if isinstance(value, list):
        return '[%s]' % ', '.join(plain(item, kind.value_type) for item in value)
    if isinstance(value, dict):
        names = list(value)
        if is_union(kind):
            tag = value['tag'] if isinstance(value['tag'], str) else value['tag'].decode('utf-8')
            names = ['tag'] + [name for name in names[1:] if name == tag]
        return '{%s}' % ', '.join('%s: %s' % (name, plain(value[name], kind.field(kind.get_field_index(name)).type))
                                  for name in names)
    return repr(value)


def has_empty_arrays(kind):
    return (pyarrow.types.is_fixed_size_list(kind) and kind.list_size == 0 or
            any(has_empty_arrays(kind.field(i).type) for i in range(kind.num_fields)))


def compare(clickhouse, path):
    """Compares a stream. Returns: its number of values, 0 if it has arrays of size 0, which ClickHouse refuses"""
    with open(path, 'rb') as stream:
        expected = pyarrow.ipc.open_stream(stream).read_all()
    if any(has_empty_arrays(field.type) for field in expected.schema):
        return 0
    found = pyarrow.ipc.open_stream(clickhouse.query(QUERY % path, 'ArrowStream').bytes()).read_all()
    if found.column_names != expected.column_names or found.num_rows != expected.num_rows:
        sys.exit('%s: expected the columns %s of %d rows, got %s of %d' % (
            path, expected.column_names, expected.num_rows, found.column_names, found.num_rows))
    for index, field in enumerate(expected.schema):
        columns = [table.column(index) for table in (expected, found)]
        if field.name == 'time':
            columns = [column.cast(pyarrow.timestamp('ns')).cast(pyarrow.int64()) for column in columns]
        for row, pair in enumerate(zip(*(column.to_pylist() for column in columns))):
            first, second = (plain(value, field.type) for value in pair)
            if first != second:
                sys.exit('%s: row %d: %s: expected %s, got %s' % (path, row, field.name, first, second))
    return expected.num_rows * expected.num_columns


def main():
    ltt = os.path.join(sys.argv[1], 'bin/ltt')
    clickhouse = session.Session()
    n_values = []
    with tempfile.TemporaryDirectory(prefix='ltt-clickhouse-') as folder:
        for number, trace in enumerate(traces()):
            out = os.path.join(folder, str(number))
            subprocess.run([ltt, 'export', '--to', 'arrow', '--split', '--all', '-o', out, trace], check=False,
                           stderr=subprocess.DEVNULL)
            for path in sorted(glob.glob(out + '/*.arrow')):
                n_values.append(compare(clickhouse, path))
    version = clickhouse.query('SELECT version()', 'TSV').bytes().decode().strip()
    print('ClickHouse %s: %d values of %d streams are as pyarrow reads them; %d streams have arrays of size 0' % (
        version, sum(n_values), sum(map(bool, n_values)), n_values.count(0)))


if __name__ == '__main__':
    main()
