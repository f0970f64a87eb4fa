"""damage_fields.py - traces in which named fields were changed: of blocks, of events and of XML.

Random bytes rarely hit a field that matters, and rarely leave the fields around it valid. This damage
knows where the fields are: it finds the events of the undamaged trace with doc/read_trace.py.
"""
import os
import re
import struct

from damage import SECOND_READER, DamagedByChance

# The fields of the events that readers interpret: offset in the event, and number of bytes.
HEADER = {'id': (0, 2), 'delta': (2, 4)}
STAMP = {'seconds': (6, 4), 'nanoseconds': (10, 4), 'cycle_count': (14, 8)}
FIELDS = {
    'block_start': {**STAMP, 'block_id': (22, 4)},
    'block_end': {**STAMP, 'block_id': (22, 4)},
    'time_heartbeat': STAMP,
    'thread': {'pid': (6, 4), 'tid': (10, 4)},
    'events_lost': {'total': (6, 8)},
    'clock': {'cycles': (6, 8), 'seconds': (14, 4), 'next_cycles': (22, 8), 'next_seconds': (30, 4)},
}
SYSTEM_VALUES = {
    'endian': ('little', 'big', 'LITTLE_ENDIAN', 'Big_Endian', 'middle', ''),
    'arch_size': ('LP32', 'ilp32', 'LP64', 'ILP64', 'LP128', ''),
    'ltt_block_size': ('96', '95', '1024', '4096', '8192', '65536', '2147483648', '2147483649', '-1', '0x1000', ''),
    'ltt_major_version': ('2', '1', '3', '02', ''),
    'ltt_minor_version': ('0', '1', '2', '3', '4', '18446744073709551615', '18446744073709551616', 'x'),
    'cpu': ('1', '2', '65536', '65537', '0', '1e3'),
    'cycle_frequency': ('1', '1000000', '18446744073709551615', '18446744073709551616', '0', 'fast'),
}
WORDS = {
    'size': ('1', '2', '4', '8', 'short', 'MEDIUM', 'long', '3', '0', '', '2147483647', '2147483648', '007'),
    'lengthsize': ('1', '2', '4', '8', 'Long', '16'),
    'typecodesize': ('1', '2', '4', '8', 'short', '0'),
    'value': ('0', '1', '-1', '0xff', '255', '256', '-129', '0X7FFFFFFFFFFFFFFF', '99999999999999999999', 'one', ''),
    'name': ('a', '_', 'e1', '9', '', 'timestamp', 'core', 'builtin', 'name', 'x.y', 'x' * 255, 'x' * 256),
}
ELEMENTS = ('int', 'uint', 'float', 'string', 'enum', 'array', 'sequence', 'struct', 'union', 'typeref', 'field', 'event',
            'type', 'facility', 'label', 'description', 'unknown', 'eventdefs', 'Struct')
SNIPPETS = ('<uint size="4"/>', '<field name="more"><string/></field>', '<event name="more"/>', 'text', '<unknown/>', '<!-- -->',
            '<![CDATA[ a b ]]>', '&lt;', '&amp;#65;', '&#65;', '&none;', '<description>d</description>',
            '<type name="t"><typeref name="t"/></type>', '<label name="l" value="3"/>', '\x00', '\xe9', '<', '>', '"', '<?pi?>',
            '<struct/>', '<array size="4096"><struct/></array>', '</facility><facility name="second">')
ATTRIBUTE = re.compile(r'\s([A-Za-z_]\w*)=("[^"]*"|\'[^\']*\'|[^\s/>"\']+)')


class Place:
    """An event of the undamaged trace: file, index of its block, offset in the block, and short name."""

    def __init__(self, file, block, event, ids):
        self.file, self.block, self.at, self.end = file, block, event.at, event.end
        self.role, self.ids = event.role, ids


def events_of(path):
    """The byte order, the block size, whether the dialect is historical, and the places of all events of a trace."""
    places = []

    class Noting(SECOND_READER.Tracefile):
        """Keeps where each event lies."""

        def read_block(self, block, place):
            self.index = int(place.split()[-2].rstrip(':'))
            return super().read_block(block, place)

        def take(self, body, at, before, place):
            event = super().take(body, at, before, place)
            event.at = at
            places.append(Place(self.name, self.index, event, sorted(self.loads.ids)))
            return event

    plain, SECOND_READER.Tracefile = SECOND_READER.Tracefile, Noting
    try:
        trace = SECOND_READER.Trace(path)
        for events in trace.tracefiles():
            list(events)
    finally:
        SECOND_READER.Tracefile = plain
    return trace.system, places


class DamagedFields(DamagedByChance):
    """Damage by seed, to fields."""

    KNOWN = {}  # by the name of a sample: its system and its events

    def number(self, dice, size, old):
        top = 1 << 8 * size
        return dice.choice((0, 1, top - 1, top // 2, top // 2 - 1, (old + 1) % top, (old - 1) % top, dice.randrange(64),
                            dice.randrange(top), old ^ 1 << dice.randrange(8 * size), (old + 10 ** 9) % top))

    def rewrite(self, name, change):
        content = bytearray(self.read(name))
        change(content)
        with open(os.path.join(self.trace, name), 'wb') as file:
            file.write(content)

    def store(self, place, at, size, new):
        """Stores a number at an offset of the block of a place; @new gets the old one."""
        form = self.order + {2: 'H', 4: 'I', 8: 'Q'}[size]
        start = place.block * self.block_size + at

        def change(content):
            if start + size <= len(content):
                old, = struct.unpack_from(form, content, start)
                struct.pack_into(form, content, start, new(old))
        self.rewrite(place.file, change)

    # Kinds of damage

    def change_header(self, dice, place):
        field = dice.choice(list(HEADER))
        at, size = HEADER[field]
        if field == 'id' and dice.randrange(3):
            self.store(place, place.at + at, size, lambda old: dice.choice(place.ids))
        else:
            self.store(place, place.at + at, size, lambda old: self.number(dice, size, old))

    def change_field(self, dice, place):
        fields = FIELDS.get(place.role)
        if fields:
            at, size = dice.choice(list(fields.values()))
            self.store(place, place.at + at, size, lambda old: self.number(dice, size, old))
        elif place.role == 'facility_load':
            self.change_load(dice, place)
        elif place.end > place.at + 6:
            at = dice.randrange(place.at + 6, place.end)
            size = min(dice.choice((2, 4, 8)), 1 << (place.end - at).bit_length() - 1)
            if size > 1:
                self.store(place, at, size, lambda old: self.number(dice, size, old))

    def change_load(self, dice, place):
        kind = dice.randrange(3)
        if kind == 0:
            self.store(place, place.end - 8, 4, lambda old: self.number(dice, 4, old))
        elif kind == 1:
            self.store(place, place.end - 4, 4, lambda old: dice.choice((*place.ids, 65535, 65536, old + 1)))
        else:
            at = place.block * self.block_size + dice.randrange(place.at + 6, place.end - 8)

            def change(content):
                content[at] = dice.choice(b'\0\ta.\\\xffZ')
            self.rewrite(place.file, change)

    def change_final_word(self, dice, place):
        ends = [other.at for other in self.places if (other.file, other.block) == (place.file, place.block)]
        if self.historical:
            ends = [self.block_size - at for at in ends] + [at - 30 for at in ends]
        self.store(place, self.block_size - 4, 4, lambda old: dice.choice(
            (0, old, *(at % 2 ** 32 for at in ends), self.block_size - 10, self.block_size - 9, self.number(dice, 4, old))))

    def rearrange(self, dice, place):
        """Drops, repeats or exchanges whole events of the block, and stores the matching final word."""
        inside = [other for other in self.places if (other.file, other.block) == (place.file, place.block)]
        start = place.block * self.block_size

        def change(content):
            events = [bytes(content[start + other.at:start + other.end]) for other in inside]
            first, second = dice.randrange(len(events)), dice.randrange(len(events))
            kind = dice.randrange(4)
            if kind == 0:
                del events[first]
            elif kind == 1:
                events.insert(second, events[first])
            elif kind == 2:
                events[first], events[second] = events[second], events[first]
            else:
                other = dice.choice(self.places)
                foreign = content if other.file == place.file else self.read(other.file)
                at = other.block * self.block_size
                events.insert(first, bytes(foreign[at + other.at:at + other.end]))
            packed = b''.join(events)
            if events and len(packed) <= self.block_size - 4 and len(content) >= start + self.block_size:
                last = len(packed) - len(events[-1])
                content[start:start + len(packed)] = packed
                struct.pack_into(self.order + 'I', content, start + self.block_size - 4,
                                 self.block_size - last if self.historical else last)
        self.rewrite(place.file, change)

    def move_blocks(self, dice, place):
        """Repeats, drops or exchanges whole blocks."""
        def change(content):
            n = max(1, len(content) // self.block_size)
            blocks = [content[i * self.block_size:(i + 1) * self.block_size] for i in range(n)]
            first, second = dice.randrange(n), dice.randrange(n)
            kind = dice.randrange(3)
            if kind == 0:
                blocks.insert(second, blocks[first])
            elif kind == 1:
                del blocks[first]
            else:
                blocks[first], blocks[second] = blocks[second], blocks[first]
            content[:] = b''.join(blocks)
        self.rewrite(place.file, change)

    def change_system(self, dice, _):
        name = dice.choice(list(SYSTEM_VALUES))
        value = dice.choice(SYSTEM_VALUES[name])

        def change(content):
            text = content.decode('latin-1')
            text = re.sub(r'(\s%s=)("[^"]*"|\'[^\']*\'|[^\s/>"\']+)' % name, lambda found: '%s"%s"' % (found[1], value), text)
            content[:] = text.encode('latin-1')
        self.rewrite('info/system.xml', change)

    def change_description(self, dice, _):
        names = sorted(name for name in os.listdir(os.path.join(self.trace, 'eventdefs')) if name.endswith('.xml'))

        def change(content):
            text = content.decode('latin-1')
            kind = dice.randrange(5)
            # A reader may ignore a wrong format silently (doc/format.md, 8.5).
            spans = [(found.span(2), found[1]) for found in ATTRIBUTE.finditer(text) if found[1].lower() != 'format']
            tags = [found.span() for found in re.finditer(r'<[^<>]*>', text)]
            if kind == 0 and spans:
                (start, end), name = dice.choice(spans)
                new = '"%s"' % dice.choice(WORDS.get(name.lower(), WORDS['name']))
            elif kind == 1 and len(spans) > 1:
                (start, end), _ = dice.choice(spans)
                new = text[slice(*dice.choice(spans)[0])]
            elif kind == 2 and tags:
                start, end = dice.choice(tags)
                new = re.sub(r'\w+', dice.choice(ELEMENTS), text[start:end], count=1)
            elif kind == 3 and tags:
                start, end = dice.choice(tags)
                new = dice.choice(('', text[start:end] * 2))
            else:
                start = end = dice.choice([span[dice.randrange(2)] for span in tags] or [0])
                new = dice.choice(SNIPPETS)
            content[:] = (text[:start] + new + text[end:]).encode('latin-1')
        if names:
            self.rewrite(os.path.join('eventdefs', dice.choice(names)), change)

    KINDS = (change_header, change_header, change_field, change_field, change_field, change_final_word, rearrange, rearrange,
             move_blocks, change_system, change_description, change_description)

    def damage_fields(self, name, dice):
        if name not in self.KNOWN:
            self.KNOWN[name] = events_of(self.trace)
        system, self.places = self.KNOWN[name]
        self.order, self.block_size, self.historical = system.order, system.block_size, system.historical
        for _ in range(dice.randrange(1, 4)):
            dice.choice(self.KINDS)(self, dice, dice.choice(self.places))
