"""Small programs and libraries of any word size and byte order, with only what their symbols are read from."""
import struct
import zlib

PAGE = 4096
EXEC, DYN = 2, 3
PROGBITS, SYMTAB, STRTAB, DYNAMIC, NOTE, NOBITS, DYNSYM = 1, 2, 3, 6, 7, 8, 11
ALLOC, EXECINSTR, COMPRESSED = 2, 4, 1 << 11
FUNC, NOTYPE, IFUNC = 2, 0, 10
LOCAL, GLOBAL, WEAK = 0, 1, 2


class Layout:
    """The forms of the headers, in one word size and byte order."""

    def __init__(self, bits, order):
        self.bits, self.order = bits, order
        word = 'Q' if bits == 64 else 'I'
        self.head = order + '16sHHI' + word * 3 + 'IHHHHHH'
        self.segment = order + ('IIQQQQQQ' if bits == 64 else 'IIIIIIII')
        self.section = order + 'II' + word * 4 + 'II' + word * 2
        self.symbol = order + ('IBBHQQ' if bits == 64 else 'IIIBBH')

    def pack_segment(self, kind, flags, offset, address, size):
        if self.bits == 64:
            return struct.pack(self.segment, kind, flags, offset, address, address, size, size, PAGE)
        return struct.pack(self.segment, kind, offset, address, address, size, size, flags, PAGE)

    def pack_symbol(self, name, kind, binding, section, address, size):
        info = binding << 4 | kind
        if self.bits == 64:
            return struct.pack(self.symbol, name, info, 0, section, address, size)
        return struct.pack(self.symbol, name, address, size, info, 0, section)


def strings(names):
    """A table of names. Returns: it, and the offset of each name"""
    table, offsets = b'\0', {b'': 0}
    for name in names:
        if name not in offsets:
            offsets[name] = len(table)
            table += name + b'\0'
    return table, offsets


def make(bits=64, order='<', kind=DYN, symbols=(), dynamic=(), build_id=b'', link=None, code=256, base=0, has_code=True, executable=True):
    """A file. @symbols, @dynamic: (name, type, binding, offset in the code, size); @link: (name, checksum) of separate debug
    information; @has_code: False for a file that only has the symbols;
    @executable: False: the symbols are in data"""
    layout = Layout(bits, order)
    at = struct.calcsize(layout.head)
    n_segments = 1
    begin = at + n_segments * struct.calcsize(layout.segment)
    sections = [(b'.text', PROGBITS if has_code else NOBITS, ALLOC | (EXECINSTR if executable else 0), bytes(code) if has_code else b'', (0, 0), 0)]
    if build_id:
        sections.append((b'.note.gnu.build-id', NOTE, ALLOC, struct.pack(order + 'III', 4, len(build_id), 3) + b'GNU\0' + build_id, (0, 0), 0))
    for name, type_of, table in ((b'.symtab', SYMTAB, symbols), (b'.dynsym', DYNSYM, dynamic)):
        if not table:
            continue
        table = sorted(table, key=lambda entry: entry[2] != LOCAL)  # local ones come first
        names, offsets = strings(entry[0] for entry in table)
        content = layout.pack_symbol(0, 0, 0, 0, 0, 0) + b''.join(
            layout.pack_symbol(offsets[name], type_, binding, 1, base + begin + offset, size) for name, type_, binding, offset, size in table)
        n_local = 1 + sum(entry[2] == LOCAL for entry in table)
        sections.append((name, type_of, 0, content, (len(sections) + 2, n_local), struct.calcsize(layout.symbol)))
        sections.append((name[:-3] + b'str', STRTAB, 0, names, (0, 0), 0))
    if link is not None:
        name = link[0] + b'\0'
        sections.append((b'.gnu_debuglink', PROGBITS, 0, name + bytes(-len(name) % 4) + struct.pack(order + 'I', link[1]), (0, 0), 0))
    names, offsets = strings([section[0] for section in sections] + [b'.shstrtab'])
    sections.append((b'.shstrtab', STRTAB, 0, names, (0, 0), 0))
    body, headers, place, end = b'', struct.pack(layout.section, *[0] * 10), begin, begin + code
    for name, type_of, flags, content, link_to, entry in sections:
        address = base + place if flags & ALLOC else 0
        size = code if type_of == NOBITS else len(content)
        headers += struct.pack(layout.section, offsets[name], type_of, flags, address, place, size, *link_to, 4, entry)
        body += content + bytes(-len(content) % 8)
        place = begin + len(body)
        end = max(end, place) if flags & ALLOC else end
    ident = b'\x7fELF' + bytes([2 if bits == 64 else 1, 1 if order == '<' else 2, 1]).ljust(12, b'\0')
    machine = {(64, '<'): 62, (32, '<'): 3, (64, '>'): 22, (32, '>'): 20}[bits, order]
    head = struct.pack(layout.head, ident, kind, machine, 1, base + begin, at, place, 0, at, struct.calcsize(layout.segment), n_segments,
                       struct.calcsize(layout.section), len(sections) + 1, len(sections))
    return head + layout.pack_segment(1, 5, 0, base, end) + body + headers


FUNCTIONS = ((b'main', FUNC, GLOBAL, 0, 40), (b'also_main', FUNC, WEAK, 0, 40), (b'hidden', FUNC, LOCAL, 40, 20), (b'$x', NOTYPE, LOCAL, 60, 0),
             (b'_Z5firstIiS_IS0_S0_EEvT_', FUNC, GLOBAL, 64, 8), (b'label', NOTYPE, GLOBAL, 80, 0), (b'chosen', IFUNC, GLOBAL, 96, 16))


def pair(main, debug=b''):
    """The input of fuzz-symbols.c: a file, and its separate debug information."""
    return len(main).to_bytes(3, 'little') + main + debug


def pairs():
    for bits in (64, 32):
        for order in '<>':
            form = {'bits': bits, 'order': order}
            yield pair(make(symbols=FUNCTIONS, dynamic=FUNCTIONS[:1], build_id=b'0123456789abcdef', **form))
            yield pair(make(kind=EXEC, base=0x400000, symbols=FUNCTIONS[2:], **form))
            debug = make(symbols=FUNCTIONS, build_id=b'abcdefgh', has_code=False, **form)
            yield pair(make(dynamic=FUNCTIONS[:1], build_id=b'abcdefgh', **form), debug)
            debug = make(symbols=FUNCTIONS, has_code=False, **form)
            yield pair(make(dynamic=FUNCTIONS[:1], link=(b'code.debug', zlib.crc32(debug)), **form), debug)
