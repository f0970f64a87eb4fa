"""Prints the rows of Arrow streams as `ltt dump --format=json` would print them; uses pyarrow.

usage: build/venv/bin/python tests/arrow_rows.py FILE.arrow ...     a line for each row
"""
import json
import math
import sys

import pyarrow
import pyarrow.compute
import pyarrow.ipc

BASE = ('time', 'cpu', 'pid', 'tid')


def is_union(kind):
    """Members of a union can be null, members of a struct cannot."""
    fields = [kind.field(i) for i in range(kind.num_fields)]
    return (len(fields) > 1 and fields[0].name == 'tag' and pyarrow.types.is_dictionary(fields[0].type) and
            all(field.nullable for field in fields[1:]))


def number_or_word(text):
    return int(text) if text.lstrip('-').isdigit() else text


def plain(value, kind):
    """A value in the form of JSON."""
    types = pyarrow.types
    if types.is_dictionary(kind):
        return number_or_word(value)
    if types.is_floating(kind):
        if math.isnan(value):
            return 'NaN'
        if math.isinf(value):
            return 'Infinity' if value > 0 else '-Infinity'
        return float(pyarrow.compute.cast(pyarrow.scalar(value, kind), pyarrow.string()).as_py())
    if types.is_binary(kind) or types.is_fixed_size_binary(kind):
        return list(value)
    if types.is_list(kind) or types.is_fixed_size_list(kind):
        return [plain(item, kind.value_type) for item in value]
    if types.is_struct(kind):
        if is_union(kind):
            there = [name for name, item in value.items() if item is not None and name != 'tag']
            if there != [value['tag']] and kind.get_field_index(value['tag']) >= 0:
                raise SystemExit('the member %s is said to be there, but %s are' % (value['tag'], there))
            return {value['tag']: plain(value[value['tag']], kind.field(kind.get_field_index(value['tag'])).type)}
        return {kind.field(i).name: plain(value[kind.field(i).name], kind.field(i).type)
                for i in range(kind.num_fields)}
    return value


def check_nulls(array, field):
    """A field that is declared as not null has no nulls, also in a struct that is null."""
    if array.null_count and not field.nullable:
        raise SystemExit('%s: %d nulls, expected none' % (field.name, array.null_count))
    if pyarrow.types.is_struct(field.type):
        for i in range(field.type.num_fields):
            check_nulls(array.field(i), field.type.field(i))
    elif pyarrow.types.is_list(field.type) or pyarrow.types.is_fixed_size_list(field.type):
        check_nulls(array.values, field.type.value_field)


def rows(table):
    """Rows of a table: (base columns, fields)."""
    columns = []
    for index, name in enumerate(table.column_names):
        column = table.column(index)
        if name == 'time':
            if column.type != pyarrow.timestamp('ns'):
                raise SystemExit('time is %s' % column.type)
            column = column.cast(pyarrow.int64())
        columns.append((name, column.type, column.to_pylist()))
    for row in range(table.num_rows):
        base = {name: values[row] for name, _, values in columns if name in BASE}
        data = {name: plain(values[row], kind) for name, kind, values in columns
                if name not in BASE and values[row] is not None}
        yield base, data


def main():
    for path in sys.argv[1:]:
        with open(path, 'rb') as stream:
            whole = pyarrow.ipc.open_stream(stream).read_all()
        whole.validate(full=True)
        for index, field in enumerate(whole.schema):
            for chunk in whole.column(index).chunks:
                check_nulls(chunk, field)
        for base_columns, fields in rows(whole):
            print(json.dumps({'file': path, **base_columns, 'data': fields}))


if __name__ == '__main__':
    main()
