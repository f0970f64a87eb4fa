"""The types of columns that all query engines have, and the conversion of Arrow types to them.

Spark has no unsigned integers, no dictionaries and no lists or binaries of fixed size.
"""
from __future__ import annotations

from collections.abc import Iterable, Mapping

import pyarrow as pa  # type: ignore[import-untyped]

_SIGNED = {pa.uint8(): pa.int16(), pa.uint16(): pa.int32(), pa.uint32(): pa.int64(), pa.uint64(): pa.decimal128(20, 0)}
_WIDTHS = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.decimal128(20, 0)]
_FRONT = [pa.field('host', pa.string()), pa.field('trace', pa.string()), pa.field('time_ns', pa.int64())]


def _portable(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return pa.string()
    if pa.types.is_list(kind) or pa.types.is_fixed_size_list(kind):
        return pa.list_(pa.field('element', _portable(kind.value_type)))
    if pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_struct(kind):
        return pa.struct([pa.field(kind.field(i).name, _portable(kind.field(i).type)) for i in range(kind.num_fields)])
    return _SIGNED.get(kind, kind)


def fleet_names(names: Iterable[str], has_hosts: bool) -> dict[str, str]:
    """The columns of a table by their names in the table of a fleet, where fields have other names than `host` and so on.

    has_hosts: the trace was merged from those of several machines, and its table has its own `trace` and `host`
    """
    found = {'time_ns': 'time', **({'host': 'host'} if has_hosts else {})}
    taken = {field.name for field in _FRONT}
    for name in names:
        if name == 'time' or has_hosts and name in ('trace', 'host'):
            continue
        own = name
        while own in taken:
            own = 'field_' + own
        taken.add(own)
        found[own] = name
    return found


def portable_schema(schema: pa.Schema, has_hosts: bool) -> pa.Schema:
    """The schema that a fleet has for a table with this schema."""
    names = fleet_names(schema.names, has_hosts)
    return pa.schema(_FRONT + [pa.field(own, _portable(schema.field(name).type)) for own, name in names.items()
                               if own not in ('time_ns', 'host')])


def _unite_types(name: str, first: pa.DataType, second: pa.DataType) -> pa.DataType:
    if first == second:
        return first
    if first in _WIDTHS and second in _WIDTHS:
        return max(first, second, key=_WIDTHS.index)
    if pa.types.is_floating(first) and pa.types.is_floating(second):
        return pa.float64()
    if pa.types.is_list(first) and pa.types.is_list(second):
        return pa.list_(pa.field('element', _unite_types(name, first.value_type, second.value_type)))
    if pa.types.is_struct(first) and pa.types.is_struct(second):
        return pa.struct(_unite_fields(list(first), list(second)))
    raise TypeError('the field %s is %s, but %s' % (name, second, first))


def _unite_fields(first: list[pa.Field], second: list[pa.Field]) -> list[pa.Field]:
    others = {field.name: field for field in second}
    common = [pa.field(field.name, _unite_types(field.name, field.type, others.pop(field.name).type))
              if field.name in others else field for field in first]
    return common + list(others.values())


def unite(first: pa.Schema, second: pa.Schema) -> pa.Schema:
    """The union of the columns of both schemas; a number gets the larger of two sizes. Raises TypeError if types do not agree"""
    return pa.schema(_unite_fields(list(first), list(second)))


def _convert(array: pa.Array, kind: pa.DataType) -> pa.Array:
    """Converts an array to a portable type. Fields that a struct lacks are null."""
    if pa.types.is_dictionary(array.type):
        array = array.dictionary_decode()
    if array.type == kind:
        return array
    if pa.types.is_fixed_size_list(array.type):
        array = array.cast(pa.list_(array.type.value_type))
    if pa.types.is_struct(kind):
        own = {array.type.field(i).name: i for i in range(array.type.num_fields)}
        # flatten() makes a member null where the struct is null.
        members = array.flatten() if own else []
        children = [_convert(members[own[field.name]], field.type) if field.name in own
                    else pa.nulls(len(array), field.type) for field in kind]
        mask = array.is_null() if array.null_count else None
        return pa.StructArray.from_arrays(children, fields=list(kind), mask=mask)
    if pa.types.is_list(kind):
        # The values between the first and the last offset, counted from the first.
        offsets = array.offsets
        first = offsets[0].as_py()
        values = _convert(array.values.slice(first, offsets[-1].as_py() - first), kind.value_type)
        if first != 0:
            offsets = pa.compute.subtract(offsets, pa.scalar(first, offsets.type))
        return pa.ListArray.from_arrays(offsets, values, type=kind, mask=array.is_null() if array.null_count else None)
    return array.cast(kind)


def conform(batch: pa.RecordBatch, schema: pa.Schema, names: Mapping[str, str], constants: Mapping[str, str]) -> pa.RecordBatch:
    """Converts a batch of one trace to the columns of a fleet. names: from fleet_names()"""
    arrays = []
    for field in schema:
        name = names.get(field.name)
        if field.name in constants:
            array = pa.DictionaryArray.from_arrays(pa.repeat(pa.scalar(0, pa.int32()), batch.num_rows),
                                                   pa.array([constants[field.name]])).dictionary_decode()
        elif name in batch.schema.names:
            array = batch.column(name)
            array = array.cast(pa.int64()) if name == 'time' else _convert(array, field.type)
        else:
            array = pa.nulls(batch.num_rows, field.type)
        arrays.append(array)
    return pa.RecordBatch.from_arrays(arrays, schema=schema) if arrays else batch
