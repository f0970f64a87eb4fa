#!/usr/bin/python3
"""ctf_events.py - print what babeltrace2 reads from a CTF trace, as JSON lines.

usage: ctf_events.py DIRECTORY

One line for each event, in the order of babeltrace2: "time" in nanoseconds, "event" (its name),
"stream" (number and name), "packet" and "context" (their fields), "payload"; and a line
{"discarded": N, "stream": ...} where it reports discarded events.

A value is a list that begins with its kind: ["int", N], ["enum", N, LABELS], ["float", TEXT],
["string", HEX], ["array", VALUES], ["union", NAME, VALUE], ["struct", [[NAME, VALUE] ...]]. Structs
omit the fields that CTF needs only for the length of a sequence or the tag of a variant.

Requires the Python of Debian, for which python3-bt2 is built.
"""
import json
import os
import sys

import bt2


def last_index(path):
    """The index, in its struct, of the field at a path of field indexes."""
    return [item.index for item in path if isinstance(item, bt2._IndexFieldPathItem)][-1]


def helpers(members):
    """The indexes of the members of a struct that only describe other members."""
    found = set()
    for _, member in members:
        for path in ('length_field_path', 'selector_field_path'):
            if hasattr(member, path):
                found.add(last_index(getattr(member, path)))
    return found


def struct(field):
    members = [(name, field.cls[name].field_class) for name in field]
    skipped = helpers(members)
    return ['struct', [[name, plain(field[name])] for index, (name, _) in enumerate(members) if index not in skipped]]


def labels(field):
    """All labels of the number of an enum. (field.labels fails without a label.)"""
    return [label for label, mapping in field.cls.items()
            if any(part.lower <= int(field) <= part.upper for part in mapping.ranges)]


def plain(field):
    if isinstance(field, bt2._EnumerationFieldConst):
        return ['enum', int(field), labels(field)]
    if isinstance(field, bt2._IntegerFieldConst):
        return ['int', int(field)]
    if isinstance(field, bt2._SinglePrecisionRealFieldConst):
        return ['float', 'single', repr(float(field))]
    if isinstance(field, bt2._DoublePrecisionRealFieldConst):
        return ['float', 'double', repr(float(field))]
    if isinstance(field, bt2._StringFieldConst):
        # Up to babeltrace2 2.0.4 an empty string contains the previous text; its length is correct.
        return ['string', str(field).encode('utf-8', 'surrogateescape')[:len(field)].hex()]
    if isinstance(field, bt2._StructureFieldConst):
        return struct(field)
    if isinstance(field, bt2._VariantFieldConst):
        return ['union', field.cls.option_at_index(field.selected_option_index).name, plain(field.selected_option)]
    if isinstance(field, bt2._ArrayFieldConst):
        return ['array', [plain(item) for item in field]]
    raise TypeError(type(field))


def stream_of(stream):
    return [stream.id, os.path.basename(stream.name)]


def members(field):
    return {name: int(field[name]) for name in field} if field is not None else {}


def describe(message):
    if isinstance(message, bt2._EventMessageConst):
        event = message.event
        return {'time': message.default_clock_snapshot.ns_from_origin, 'event': event.name,
                'stream': stream_of(event.stream), 'packet': members(event.packet.context_field),
                'context': members(event.common_context_field),
                'payload': plain(event.payload_field) if event.payload_field is not None else ['struct', []]}
    if isinstance(message, bt2._DiscardedEventsMessageConst):
        return {'discarded': message.count, 'stream': stream_of(message.stream)}
    return None


def main():
    for message in bt2.TraceCollectionMessageIterator(sys.argv[1]):
        line = describe(message)
        if line is not None:
            print(json.dumps(line))


if __name__ == '__main__':
    main()
