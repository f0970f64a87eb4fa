#!/usr/bin/env python3
"""read_trace.py - print every event of a trace directory as JSON lines.

A second reader, written from format.md alone: it shares nothing with the library, so where the two
agree both have understood the document. It is meant to be read beside that; its parts are named after
the sections there. It is careful, not fast: every event of a block becomes a Python object.

usage: read_trace.py TRACE     exit status: 0 all read, 1 problems were met, 2 it cannot be opened
"""
import decimal
import heapq
import json
import os
import re
import struct
import sys
import xml.etree.ElementTree
import zlib

status = 0
MAX_PARTS, MAX_XML_DEPTH, MAX_NAME = 512 * 1024, 256, 255  # 8.6
MAX_DEPTH, MAX_TEXT, MAX_EVENTS, MAX_EMPTY, MAX_BYTES = 64, 1 << 20, 4096, 4096, 1 << 31
decimal.getcontext().prec = 200  # enough for any float of 4 bytes to be exact


class Wrong(Exception):
    """A description that cannot be used, or an event that cannot be taken."""


def check(good, why):
    if not good:
        raise Wrong(why)


def problem(*words):
    global status
    status = 1
    text = re.sub(r"[\0-\x1f\x7f-\x9f]", lambda byte: f"\\u{ord(byte[0]):04x}", " ".join(map(str, words)))
    print("read_trace.py:", text, file=sys.stderr)


# 8.2  Tags are made tidy; the XML parser does the rest: matching, entities, what a character is

NAME = r"[A-Za-z_:\x80-\U0010ffff][\w.:\x80-\U0010ffff-]*"
ATTRIBUTE = re.compile(rf"""\s+({NAME})\s*=\s*("[^"]*"|'[^']*'|(?!/>)[^\s<>"'](?:(?!/>)[^\s<>])*)""", re.A)
TAG = re.compile(r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[.*?(?:\]\]>|\Z)|"
                 rf"<(/?{NAME})((?:{ATTRIBUTE.pattern})*)\s*(/?)>", re.A | re.S)


def tidy(match):
    if not match[1]:
        return re.sub(r"[^\n]", "", match[0]) if match[0].endswith(("-->", "?>")) else match[0]
    attributes = []
    for name, value in ATTRIBUTE.findall(match[2]):
        if ":" not in name and name.lower() != "xmlns":
            value = value if value[0] in "\"'" else '"' + value.replace('"', "&quot;") + '"'
            attributes.append(f" {name.lower()}={value}")
    return f"<{match[1].lower().replace(':', '.')}{''.join(attributes)}{match[5]}>"


def read_xml(path):
    """Returns an element around all elements of the file."""
    with open(path, "rb") as file:
        raw = file.read((16 << 20) + 1)
    check(len(raw) <= 16 << 20, "larger than 16 MiB")
    check(not re.search(rb"[\0-\x08\x0b\x0c\x0e-\x1f]", raw), "holds bytes that are no text")
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = raw.decode("iso-8859-1")
    text = TAG.sub(tidy, text)
    check("<!doctype" not in text.lower(), "a DOCTYPE is refused")
    try:
        root = xml.etree.ElementTree.fromstring(f"<file>{text}</file>")
    except (xml.etree.ElementTree.ParseError, ValueError) as error:
        raise Wrong(f"not well-formed: {error}") from None
    check(sum(1 + len(element.attrib) for element in root.iter()) <= MAX_PARTS, "too many parts")
    check(all(len(element.attrib) <= 128 for element in root.iter()), "too many attributes")
    return root


def needed(element, name):
    check(name in element.attrib, f"{element.tag} has no {name}")
    return element.get(name)


def number(element, name, least, most):
    text = needed(element, name)
    check(re.fullmatch("[0-9]{1,20}", text) and least <= int(text) <= most,
          f"{name} is '{text}', not a number from {least} to {most}")
    return int(text)


def word(element, name, table):
    text = needed(element, name).lower()
    check(text in table, f"{name} is '{text}', not one of {' '.join(table)}")
    return table[text]


# 9.1 and 2  The system

class System:
    def __init__(self, path):
        roots = [element for element in read_xml(path) if element.tag == "system"]
        check(len(roots) == 1, "info/system.xml has not one element system")
        root = roots[0]
        number(root, "ltt_major_version", 2, 2)
        minor = number(root, "ltt_minor_version", 0, 2**64 - 1)
        if minor not in (0, 2, 3):
            problem(f"info/system.xml: version 2.{minor} is read as 2.0")
        self.historical = minor in (2, 3)
        self.block_size = number(root, "ltt_block_size", 96, 1 << 31)
        self.cpus = number(root, "cpu", 1, 65536)
        self.order = word(root, "endian", {
            "little": "<", "little_endian": "<", "big": ">", "big_endian": ">"})
        short, medium, long = word(root, "arch_size", {
            "lp32": (2, 2, 4), "ilp32": (2, 4, 4), "lp64": (2, 4, 8), "ilp64": (2, 8, 8)})
        self.widths = {"1": 1, "2": 2, "4": 4, "8": 8, "short": short, "medium": medium, "long": long}
        self.widest = {**self.widths, "medium": 8, "long": 8}  # 8.3, 8.6
        self.frequency = 0
        if "cycle_frequency" in root.attrib:
            self.frequency = number(root, "cycle_frequency", 1, 2**64 - 1)


# 8.4 and appendix A  What turns bytes into JSON. Each reader is given a block without its final word and
# an offset in it, and gives a value as text and the offset behind it. Past the end: struct.error.

def quoted(raw):
    return json.dumps(raw.decode("utf-8", "replace"), ensure_ascii=False)


def integer(order, width, signed, show=str):
    form = struct.Struct(order + ("bhiq" if signed else "BHIQ")[width.bit_length() - 1])
    return lambda block, at: (show(form.unpack_from(block, at)[0]), at + width)


def floating(order, width):
    form, raw = struct.Struct(order + "fd"[width // 8]), struct.Struct(order + "IQ"[width // 8])
    return lambda block, at: (
        float_text(form.unpack_from(block, at)[0], width, raw.unpack_from(block, at)[0]), at + width)


def float_text(value, width, bits):
    if value != value or abs(value) == float("inf"):
        return '"NaN"' if value != value else '"Infinity"' if value > 0 else '"-Infinity"'
    if width == 8 or value == 0:
        return repr(value)
    # The shortest decimal between the midpoints to both neighbours; these belong to an even value.
    below, above = (struct.unpack("<f", struct.pack("<I", (bits & 0x7fffffff) + i))[0] for i in (-1, 1))
    exact = decimal.Decimal(abs(value))
    low, high = ((exact + decimal.Decimal(other)) / 2 for other in (below, min(above, 2.0**128)))
    for digits in range(1, 10):
        for way in ("ROUND_HALF_EVEN", "ROUND_DOWN", "ROUND_UP"):
            near = decimal.Context(digits, way).plus(exact)
            if low < near < high or bits % 2 == 0 and near in (low, high):
                return "-" * (bits >> 31) + repr(float(near))


def read_string(block, at):
    nul = block.find(0, at)
    check(nul >= 0, "a string has no end")
    return quoted(block[at:nul]), nul + 1


def read_elements(inner, count, block, at):
    check(count * inner.least <= len(block) - at, f"{count} elements do not fit the block")
    check(inner.least or count * inner.empties <= MAX_EMPTY, f"{count} elements take no bytes")
    shown = []
    for _ in range(count):
        value, at = inner.read(block, at)
        shown.append(value)
    return "[" + ",".join(shown) + "]", at


def read_fields(fields, block, at):
    shown = []
    for name, field in fields:
        value, at = field.read(block, at)
        shown.append(f'"{name}":{value}')
    return "{" + ",".join(shown) + "}", at


# 8.1, 8.3 and 8.6  Descriptions

TYPES = ("int", "uint", "float", "string", "enum", "array", "sequence", "struct", "union", "typeref")
KNOWN = {  # the attributes and elements inside an element that have a meaning
    "facility": ("name", ("event", "type", "description")), "event": ("name", TYPES + ("description",)),
    "type": ("name", TYPES + ("description",)), "field": ("name", TYPES + ("description",)),
    "int": ("size format", ()), "uint": ("size format", ()), "float": ("size format", ()),
    "string": ("format", ()), "enum": ("size format", ("label",)), "label": ("name value", ()),
    "array": ("size", TYPES), "sequence": ("lengthsize", TYPES), "struct": ("", ("field",)),
    "union": ("typecodesize", ("field",)), "typeref": ("name", ()), "description": ("", ())}
WORD, IDENTIFIER = re.compile(r"[^ \t\r\n]+"), re.compile("[A-Za-z_][A-Za-z0-9_]*")


class Type:
    """least: bytes that the shortest value takes; bound: the same on the widest machine. The canonical
    text is kept in parts, strings and types, as few nested names can make a long one."""

    def __init__(self, parts, least, read, bound, empties=0):
        inner = [part for part in parts if isinstance(part, Type)]
        self.parts, self.least, self.read, self.empties = parts, least, read, empties
        self.length = sum(p.length if isinstance(p, Type) else len(p.encode()) for p in parts)
        self.depth = 1 + max((i.depth for i in inner), default=0)
        self.bound = bound
        check(self.depth <= MAX_DEPTH and bound <= MAX_BYTES, "a type is too deep or too large")
        check(empties <= MAX_EMPTY, f"a type stands for {empties} values that take no bytes")

    def text(self):
        return "".join(p.text() if isinstance(p, Type) else p for p in self.parts)


def identifier(element, taken=()):
    name = needed(element, "name")
    check(IDENTIFIER.fullmatch(name) and len(name) <= MAX_NAME, f"'{name}' is no identifier")
    check(name not in taken, f"'{name}' is there twice")
    return name


class Facility:
    """events is a list of (name, type or None)."""

    def __init__(self, element, system, path):
        self.system, self.path, self.built = system, path, {}
        self.name = identifier(element)
        self.drop_unknown(element)
        events, self.named = {}, {}
        for child in element.findall("event") + element.findall("type"):
            table = events if child.tag == "event" else self.named
            table[identifier(child, table)] = self.one_type(child, least=child.tag == "type")
        for child in self.named.values():
            self.build(child, 1)
        self.events = [(name, None if t is None else self.build(t, 1)) for name, t in events.items()]
        length = sum(len(name) + 8 + (t.length if t else 1) for name, t in self.events)
        check(len(events) <= MAX_EVENTS and length + 10 + len(self.name) <= MAX_TEXT, "too large")
        canonical = f"facility {self.name}\n" + "".join(  # 5
            f"event {name} {t.text() if t else '-'}\n" for name, t in self.events)
        self.checksum = zlib.crc32(canonical.encode())

    def drop_unknown(self, element, level=1):
        check(level <= MAX_XML_DEPTH, "too many elements inside each other")
        attributes, inside = KNOWN[element.tag]
        text = (element.text or "") + "".join(child.tail or "" for child in element)
        needs_type = "int" in inside and not any(child.tag in TYPES for child in element)
        for child in element:
            is_harmless = child.tag not in KNOWN and not needs_type
            check(child.tag in inside or is_harmless or "description" in (child.tag, element.tag),
                  f"{child.tag} in {element.tag} {element.get('name', '')}")
        unknown = [f"attribute {name}" for name in element.attrib if name not in attributes.split()]
        unknown += [f"element {child.tag}" for child in element if child.tag not in inside]
        unknown += ["text"] * bool(WORD.search(text) and element.tag not in ("enum", "description"))
        unknown += ["second description"] * (len(element.findall("description")) > 1)
        for what in unknown:
            problem(f"{self.path}: {element.tag} {element.get('name', '')}: this {what} has no meaning")
        element.text, element[:] = text, [child for child in element if child.tag in inside]
        for child in element:
            self.drop_unknown(child, level + 1)

    def one_type(self, element, least=True):
        types = [child for child in element if child.tag in TYPES]
        check(least <= len(types) <= 1, f"{element.tag} {element.get('name', '')} has {len(types)} types")
        return types[0] if types else None

    def build(self, element, level):
        """Returns the type that an element describes, always the same for the same element."""
        check(level <= MAX_DEPTH, "a type is too deep, or contains itself")
        if element not in self.built:
            self.built[element] = self.build_new(element, level + 1)
        return self.built[element]

    def build_new(self, element, level):
        kind, order = element.tag, self.system.order
        if kind == "typeref":
            check(needed(element, "name") in self.named, f"'{element.get('name')}' names no type")
            inner = self.build(self.named[element.get("name")], level)
            return Type([inner], inner.least, inner.read, inner.bound, inner.empties)
        if kind == "string":
            return Type(["string"], 1, read_string, 1)
        if kind == "float":
            width = word(element, "size", {"4": 4, "8": 8, "medium": 4, "long": 8})
            return Type([f"float({element.get('size').lower()})"], width, floating(order, width), width)
        if kind == "enum" and "size" not in element.attrib:
            problem(f"{self.path}: an enum has no size, 4 is taken")
            element.set("size", "4")
        if kind not in ("array", "struct"):
            attribute = {"sequence": "lengthsize", "union": "typecodesize"}.get(kind, "size")
            width = word(element, attribute, self.system.widths)
            size, widest = element.get(attribute).lower(), word(element, attribute, self.system.widest)
        if kind in ("int", "uint"):
            return Type([f"{kind}({size})"], width, integer(order, width, kind == "int"), widest)
        if kind == "enum":
            labels, is_signed = self.labels(element, widest)
            shown = {value: quoted(name.encode()) for name, value in reversed(labels)}
            text = "".join(f",{name}={value}" for name, value in labels)
            read = integer(order, width, is_signed, lambda value: shown.get(value, str(value)))
            return Type([f"enum({size}{text})"], width, read, widest)
        if kind in ("array", "sequence"):
            inner = self.build(self.one_type(element), level)
        if kind == "array":
            count = number(element, "size", 0, 2**31 - 1)
            return Type([f"array({count},", inner, ")"], count * inner.least,
                        lambda block, at: read_elements(inner, count, block, at),
                        count * inner.bound, inner.empties * (count if not inner.least else min(count, 1))
                        + (not count * inner.least))
        if kind == "sequence":
            length = integer(order, width, False, int)
            return Type([f"sequence({size},", inner, ")"], width, lambda block, at: read_elements(
                inner, length(block, at)[0], block, at + width), widest)
        fields = {}
        for field in element:
            fields[identifier(field, fields)] = self.build(self.one_type(field), level)
        fields = list(fields.items())
        types = [t for name, t in fields]
        parts = [part for name, t in fields for part in (",", f"{name}:", t)]
        if kind == "struct":
            return Type(["struct(", *parts[1:], ")"], sum(t.least for t in types),
                        lambda block, at: read_fields(fields, block, at),
                        sum(t.bound for t in types),
                        sum(t.empties for t in types) + (not any(t.least for t in types)))
        check(0 < len(fields) <= 1 << 8 * widest, "a union has no fields, or more than it can count")
        read_code = integer(order, width, False, int)

        def read_union(block, at):
            code = read_code(block, at)[0]
            check(code < len(fields), f"a union of {len(fields)} fields has code {code}")
            return read_fields(fields[code:code + 1], block, at + width)
        return Type([f"union({size}", *parts, ")"], width + min(t.least for t in types), read_union,
                    widest + min(t.bound for t in types), max(t.empties for t in types))

    def labels(self, element, width):
        labels, value = [(name, i) for i, name in enumerate(WORD.findall(element.text))], -1
        check(bool(labels) != bool(len(element)), "an enum has no labels, or both kinds")
        for label in element:
            given = re.fullmatch("(-?)(?:0[xX]([0-9a-fA-F]{1,16})|([0-9]{1,20}))", label.get("value", "0"))
            check(given and WORD.fullmatch(needed(label, "name")), "a label is wrong")
            amount = int(given[2], 16) if given[2] else int(given[3])
            value = value + 1 if "value" not in label.attrib else -amount if given[1] else amount
            labels.append((label.get("name"), value))
        check(len({name for name, value in labels}) == len(labels), "a label is there twice")
        check(all(len(name.encode()) <= MAX_NAME for name, value in labels), "a label is too long")
        is_signed = any(value < 0 for name, value in labels)
        low, high = (-1 << 8 * width - 1, 1 << 8 * width - 1) if is_signed else (0, 1 << 8 * width)
        check(all(low <= value < high for name, value in labels), "a label does not fit its enum")
        return labels, is_signed


def read_facilities(path, system):
    """All facilities of a file, which may have other elements around them."""
    root, found = read_xml(path), []
    for around in [root] + [element for element in root if element.tag not in KNOWN]:
        if WORD.search((around.text or "") + "".join(child.tail or "" for child in around)):
            problem(f"{path}: there is text outside of the facilities")
    elements = [inner for outer in root for inner in ([outer] if outer.tag in KNOWN else outer)]
    check(any(element.tag == "facility" for element in elements), "has no facility")
    for element in elements:
        try:
            check(element.tag == "facility", f"{element.tag} is ignored")
            found.append(Facility(element, system, path))
        except Wrong as why:
            problem(f"{path}: {element.get('name', '')}: {why}")
    return found


# 4.3  The builtin facility

BUILTIN = """<facility name="builtin">
<event name="facility_load"><struct><field name="name"><string/></field>
  <field name="checksum"><uint size="4"/></field>
  <field name="base_code"><uint size="4"/></field></struct></event>
<event name="block_start"><typeref name="block_timestamp"/></event>
<event name="block_end"><typeref name="block_timestamp"/></event>
<event name="time_heartbeat"><typeref name="timestamp"/></event>
<type name="block_timestamp"><struct><field name="timestamp"><typeref name="timestamp"/></field>
  <field name="block_id"><uint size="4"/></field></struct></type>
<type name="timestamp"><struct><field name="time"><typeref name="timespec"/></field>
  <field name="cycle_count"><uint size="8"/></field></struct></type>
<type name="timespec"><struct><field name="seconds"><uint size="4"/></field>
  <field name="nanoseconds"><uint size="4"/></field></struct></type></facility>"""
TRACER_CHECKSUM = 0x5a5cf28d  # 11
LOSSES_CHECKSUM = 0x30b302d9  # 11.7
THREADS_CHECKSUM = 0x1e62fb64  # 11.8


# 1  The directory

class Trace:
    def __init__(self, path):
        self.path, self.facilities = path, []
        self.system = System(os.path.join(path, "info/system.xml"))
        for name in self.files("eventdefs"):
            try:
                self.facilities += read_facilities(os.path.join(path, "eventdefs", name), self.system)
            except Wrong as why:
                problem(f"eventdefs/{name}: {why}")
        first = Facility(xml.etree.ElementTree.fromstring(BUILTIN), self.system, "builtin")
        core = [facility for facility in self.facilities if facility.name == "core"]
        if self.system.historical:  # 10.4
            own = {name: t.text() for name, t in core[0].events if t} if core else {}
            if all(own.get(name) == t.text() for name, t in first.events[1:]):
                first = core[0]
            else:
                problem("eventdefs: no facility core describes the events of blocks")
        if not os.path.isfile(os.path.join(path, "control/facilities")):
            problem("control/facilities: missing")
        self.loads = Loads(self.facilities)
        self.loads.add(first, first.checksum, 0, is_special=True)

    def files(self, folder):
        path = os.path.join(self.path, folder)
        names = sorted(os.listdir(path), key=os.fsencode) if os.path.isdir(path) else []
        for name in names:
            if not name.startswith(".") and (folder != "eventdefs" or name.endswith(".xml")):
                if os.path.isfile(os.path.join(path, name)):
                    yield name
                else:
                    problem(f"{folder}/{name}: ignored, it is not a file")

    def tracefiles(self):
        """In the order in which they are merged (7.1), control/facilities read already (4.4)."""
        control, cpus = list(self.files("control")), []
        for name in self.files("cpu"):
            if not re.fullmatch("0|[1-9][0-9]{0,4}", name) or int(name) > 65535:
                problem(f"cpu/{name}: ignored, it is not a number of a cpu")
                continue
            if int(name) >= self.system.cpus:
                problem(f"cpu/{name}: the system has only {self.system.cpus} cpus")
            cpus.append(int(name))
        facilities = []
        if "facilities" in control:
            facilities = list(Tracefile(self, "control/facilities", self.loads).events())
        for name in control:
            file = Tracefile(self, f"control/{name}", Loads(self.facilities, self.loads))
            yield facilities if name == "facilities" else file.events()
        for cpu in sorted(cpus):
            yield Tracefile(self, f"cpu/{cpu}", Loads(self.facilities, self.loads)).events()


# 4.4  Which facility has which ids

class Loads:
    """ids gives for an event id: full name, type, and the short name if the reader itself uses it."""

    def __init__(self, facilities, others=None):
        self.facilities = facilities
        self.held, self.ids = (set(others.held), dict(others.ids)) if others else (set(), {})

    def add(self, facility, checksum, base, is_special=False):
        self.held.add((facility.name, checksum, base))
        is_special |= (facility.name, facility.checksum) in (
            ("tracer", TRACER_CHECKSUM), ("losses", LOSSES_CHECKSUM), ("threads", THREADS_CHECKSUM))
        for i, (name, t) in enumerate(facility.events):
            self.ids[base + i] = (f"{facility.name}.{name}", t, name if is_special else "")

    def honour(self, place, name, checksum, base):
        named = [facility for facility in self.facilities if facility.name == name]
        right = [facility for facility in named if facility.checksum == checksum]
        if (name, checksum, base) in self.held or base == 0 and self.ids[0][0].startswith(f"{name}."):
            return
        if not right and len({facility.checksum for facility in named}) == 1:
            right = named
            problem(f"{place}: facility {name} has checksum {checksum:#010x} here, but its description has "
                    f"{named[0].checksum:#010x}")
        if not right:
            return problem(f"{place}: no facility {name} with checksum {checksum:#010x} is described")
        ids = range(base, base + len(right[0].events))
        others = [self.ids[i][0] for i in ids if i in self.ids]
        if others or ids.stop > 65536:
            return problem(f"{place}: facility {name} cannot have the ids {base} to {ids.stop - 1}",
                           f"which {others[0]} has" if others else "which are above 65535")
        self.add(right[0], checksum, base)


# 3 and 4  Tracefiles, blocks, events

TIME_VALUES = ("block_start", "block_end", "time_heartbeat")  # 6.1, 10.3


class Event:
    """name, role (see Loads), data (JSON), at, end, thread; count: time delta, or with 10.2 the cycle count;
    time, and of a time value its cycles; clock: rate of a tracer.clock."""


class Tracefile:
    def __init__(self, trace, name, loads):
        self.system, self.path, self.earlier_rate = trace.system, os.path.join(trace.path, name), (0, 0)
        self.name, self.loads = name, loads

    def unpack(self, form, block, at):
        return struct.unpack_from(self.system.order + form, block, at)

    def starts(self, block):
        return self.loads.ids.get(self.unpack("H", block, 0)[0], ("", None, ""))[2] == "block_start"

    def events(self):
        """All events as (time, line of JSON), in the order of 3.5."""
        size, blocks, first = self.system.block_size, [], None
        with open(self.path, "rb") as file:
            count, rest = divmod(os.fstat(file.fileno()).st_size, size)
            if rest:
                problem(f"{self.name}: block {count}: only {rest} bytes of {size} are there")
            for i in range(count):
                file.seek(i * size)
                head, key = file.read(26), 0
                if len(head) == 26 and self.starts(head):
                    block_id, = self.unpack("I", head, 22)
                    first = block_id if first is None else first
                    key = (block_id - first + 2**31) % 2**32 - 2**31
                blocks.append((key, i))
            for _, i in sorted(blocks):
                file.seek(i * size)
                block = file.read(size)
                if len(block) == size:
                    for event in self.read_block(block, f"{self.name}: block {i}: byte"):
                        thread = '"pid":%d,"tid":%d,' % event.thread if event.thread else ""
                        yield event.time, (
                            f'{{"time":"{event.time // 10**9}.{event.time % 10**9:09}",'
                            f'"tracefile":{quoted(os.fsencode(self.name))},"event":"{event.name}",'
                            f'{thread}"data":{event.data}}}\n')

    def read_block(self, block, place):
        """3.2: the events that are kept."""
        final, = self.unpack("I", block, len(block) - 4)
        if final == 0 and (self.system.historical or not self.starts(block)):
            return []
        if not self.starts(block):
            problem(place, "0: the block does not begin with a block_start")
            return []
        events, damage = self.walk(block[:-4], len(block) - final if self.system.historical else final, place)
        if damage:
            problem(place, damage)
        self.set_times(events)
        return events

    def walk(self, body, last, place):
        """3.3 and 3.6: the events that are kept, and the damage or None."""
        events, at, is_in_range = [], 0, 0 <= last <= len(body) - 6
        wrong_word = f"{len(body)}: the final word leads to byte {last}, where no event starts"
        while True:
            try:
                event = self.take(body, at, events, place)
            except (Wrong, struct.error) as error:
                why = error if isinstance(error, Wrong) else "the event runs past the end of the block"
                return events, f"{at}: {why}" if is_in_range else wrong_word
            is_end = event.role == "block_end"
            is_last = at == last or is_end and self.system.historical and at == last - 30
            if is_end and is_in_range and not is_last:
                return events, f"{at}: a block_end, but the last event is at {last}"
            events.append(event)
            at = event.end
            if is_last:
                return events, None
            if is_end or is_in_range and at > last:
                return events, wrong_word

    def take(self, body, at, before, place):
        """4.1: the event at an offset. before: the events of the block in front of it."""
        event = Event()
        event_id, event.count = self.unpack("HI", body, at)
        check(event_id in self.loads.ids, f"no facility has the event id {event_id}")
        event.name, t, event.role = self.loads.ids[event_id]
        check(event.role != "block_start" or at == 0, "a block_start, but the block has begun")
        event.data, event.end = t.read(body, at + 6) if t else ("{}", at + 6)
        event.time, event.thread = None, before[-1].thread if before else None
        if event.role == "facility_load":
            name = body[at + 6:event.end - 9].decode("utf-8", "replace")
            check(name, "a facility_load without a name")
            self.loads.honour(f"{place} {at}", name, *self.unpack("II", body, event.end - 8))
        elif event.role == "thread":
            event.thread = self.unpack("II", body, at + 6)
        elif event.role == "clock":
            cycles, s, ns, next_cycles, next_s, next_ns = self.unpack("QIIQII", body, at + 6)
            event.clock = ((next_s - s) * 10**9 + next_ns - ns, next_cycles - cycles)
        elif event.role in TIME_VALUES and not (event.role == "time_heartbeat" and self.system.historical):
            s, ns, event.cycles = self.unpack("IIQ", body, at + 6)
            event.time = s * 10**9 + ns
        if self.system.historical:  # 10.2
            if event.time is not None:
                event.count = event.cycles
            else:
                high, low = divmod(before[-1].count, 2**32)
                event.count += (high + (event.count < low)) * 2**32
        return event

    def set_times(self, events):
        """6.3 and 6.4."""
        values = [event for event in events if event.time is not None]
        rates = [event.clock for event in events if event.role == "clock"][-1:]
        if len(values) > 1:
            rates.append((values[-1].time - values[-2].time, values[-1].cycles - values[-2].cycles))
        rates += [self.earlier_rate, (10**9, self.system.frequency), (1, 1)]
        ends = iter(values[1:])
        for event in events:
            if event.time is not None:
                start, end = event, next(ends, None)
                dt, dc = next(rate for rate in rates if rate[1] > 0)
                if end:
                    dt, dc = end.time - start.time, end.cycles - start.cycles
            else:
                passed = event.count - start.cycles if self.system.historical else event.count
                event.time = min(max(0, start.time + (passed * dt // dc if dc > 0 else 0)), 2**63 - 1)
        if values[-1].cycles > values[0].cycles:
            self.earlier_rate = (values[-1].time - values[0].time, values[-1].cycles - values[0].cycles)


# 7.1  Merged order

def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    try:
        for _, line in heapq.merge(*Trace(sys.argv[1]).tracefiles(), key=lambda event: event[0]):
            sys.stdout.buffer.write(line.encode())
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(status)  # whoever reads has seen enough
    except (OSError, Wrong) as why:
        problem(f"{sys.argv[1]}: {why}")
        sys.exit(2)
    sys.exit(status)


if __name__ == "__main__":
    main()
