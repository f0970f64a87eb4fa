#!/usr/bin/env python3
"""Makes the initial corpus of each fuzz target from the data of the tests.

usage: seeds.py FOLDER        makes FOLDER/TARGET/... for every target

corpus.py runs the targets on them and on the kept corpus.
"""
import glob
import gzip
import io
import os
import random
import struct
import sys
import tarfile

import elf

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DATA = os.path.join(SOURCE, 'tests/data')

# As in altered.h.
TRACES = ('ltt/every-type', 'ltt/big-endian', 'ltt/two-versions', 'ltt-extra/tracer', 'ltt-extra/wrapping-ids',
          'ltt-extra/load-in-cpu-file', 'ltt-extra/dialect-2.2', 'ltt-extra/numbers')
TRACEFILES = ('cpu/0', 'control/facilities')

FILTERS = (
    'event == "core.schedchange" && (in == 12 || data.path =~ "*.so") && time > 1050000000.5',
    '!(a == 1) || a != 1', 'x[0].y[17] <= -3.5e-7', 'fd >= 0x7fffffff && name == "a\\n\\x41\\"\\\\"', 'cpu == 0 && pid != tid',
    'data.time < 18446744073709551615', 'facility =~ "c?[a-z]*"', '((((label == "b"))))', 'a < b', 'pts[*].x in (1, -2, 0x3) && !(length(name) > 3)',
    'label in ("a", "b") || "b" < label || time > list[*]', 'f == 1e400 || f == -0.0')

QUERIES = (
    'SELECT * FROM events WHERE time > 1050000000001640421 AND cpu = 0 ORDER BY time LIMIT 5',
    "SELECT a.value, count(*), median(b.time) FROM made1_ev8 a JOIN made2_ev9 b ON a.cpu = b.cpu GROUP BY 1 HAVING count(*) > 1",
    "SELECT percentile(dur, 99), histogram(dur), dur(max(dur)), args->>'x' FROM spans WHERE state IN ('open', 'cut')",
    "SELECT * FROM pairs('made0.ev1', 'made0.ev2', 'cpu') p LEFT JOIN types t ON t.type = p.key",
    'CREATE VIEW v AS SELECT time, 5 AS dur, cpu FROM events; CREATE VIRTUAL TABLE s USING span_join(v PARTITIONED cpu, v PARTITIONED cpu)',
    'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT bucket(x, 3), overlaps(x, 1, 2, 3) FROM c',
    "SELECT tracefile, host, rowid, value_code FROM made0_ev3 WHERE value = 'x' OR time BETWEEN 1 AND 2 OR value_code IN (1, 2)")

# Names of C++ with each kind of reference.
MANGLED = (
    '_Z3foov', '_ZN3foo3barEi', '_ZNSt6vectorIiSaIiEE9push_backERKi', '_Z1fIiE1aIS0_T_S0_ES1_', '_ZNK1a1bIJicEEEvDpT_',
    '_ZZ4mainENKUlvE_clEv', '_ZSt4moveIRSsEONSt16remove_referenceIT_E4typeEOS2_', '_Z1fIXadL_Z1gvEEEvv', '_ZTV1a', '_ZGVZ1fvE1x',
    '_Z1f1aIiiE1bIS0_S0_E1cIS2_S2_E', '_Z5printIJicdEEvDpRKT_', '_Z1gIiEDTcl1fspfp_EET_', '_ZN12_GLOBAL__N_11xE', '_Z1fM1aKFivE',
    '_Z1fDv4_fA3_i', '_ZNSt10_List_baseISsSaISsEED2Ev', '_ZN1aC1ERKS_', '_Z1hIN1aIiE1bEEvT_', '_Z1fILi3ELb1EEvv.cold')


def read(path):
    with open(path, 'rb') as file:
        return file.read()


def found(*patterns):
    return [read(path) for pattern in patterns for path in sorted(glob.glob(os.path.join(DATA, pattern), recursive=True))]


def tar(path, form, prefix='trace'):
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=form) as archive:
        archive.add(path, prefix)
    return out.getvalue()


def archives():
    for name in ('ltt-extra/numbers', 'ltt-extra/tracer'):
        for form in (tarfile.GNU_FORMAT, tarfile.PAX_FORMAT, tarfile.USTAR_FORMAT):
            yield tar(os.path.join(DATA, name), form)
    plain = tar(os.path.join(DATA, 'ltt-extra/numbers'), tarfile.GNU_FORMAT, '.')
    long_name = tar(os.path.join(DATA, 'ltt-extra/numbers'), tarfile.PAX_FORMAT, 'ü' * 120)
    yield from (plain, long_name, gzip.compress(plain, mtime=0), gzip.compress(plain[:2000], mtime=0) +
                gzip.compress(plain[2000:], mtime=0))


def shortened(recording, most_bytes, wanted):
    """A perf.data file with only the first records, and features of a given size."""
    order = '<' if recording[:8] == b'PERFILE2' else '>'
    begin, size = struct.unpack_from(order + 'QQ', recording, 40)
    words = struct.unpack_from(order + '4Q', recording, 72)
    bits = [bit for bit in range(256) if words[bit // 64] >> bit % 64 & 1]
    end = begin
    while end < begin + size and end - begin < most_bytes:
        end += struct.unpack_from(order + 'H', recording, end + 6)[0]
    features = {}
    for number, bit in enumerate(bits):
        at, length = struct.unpack_from(order + 'QQ', recording, begin + size + 16 * number)
        if wanted(length):
            features[bit] = recording[at:at + length]
    table, contents = b'', b''
    for content in features.values():
        table += struct.pack(order + 'QQ', end + 16 * len(features) + len(contents), len(content))
        contents += content
    mask = sum(1 << bit for bit in features)
    head = recording[:48] + struct.pack(order + 'Q', end - begin) + recording[56:72] + b''.join(
        struct.pack(order + 'Q', mask >> 64 * word & (1 << 64) - 1) for word in range(4)) + recording[104:begin]
    return head + recording[begin:end] + table + contents


def perf():
    """Short perf recordings of all forms, because short inputs are fast to fuzz."""
    for path in sorted(glob.glob(os.path.join(DATA, 'perf/*.data'))):
        if os.path.isdir(path):
            continue
        recording = read(path)
        if len(recording) < 4096 or recording[8:16] == struct.pack('<Q', 16):
            yield recording[:12000]
        elif 'zstd' in path:
            yield shortened(recording, 2500, lambda size: size < 100)
        else:
            yield shortened(recording, 1500, lambda size: size < 100)
            yield shortened(recording, 500, lambda size: size < 10000)


PAYLOAD = bytes.fromhex('7fffff feffffff 05000000 0000000000000080 0a000001 61096200 02000000 01020304 09000000')
PRINTS = (
    '"pid=%d %5u|%-8s|%.*s", REC->s32, REC->u8, REC->comm, REC->u32, __get_str(comm)',
    '"%s %s", REC->u32 ? __print_flags(REC->u32, "|", { 1 << 0, "A" }, { (unsigned long)4, "B" "C" }) : "none", '
    '__print_symbolic(REC->s16, { -1, "minus" }, { X, "x" }, { 0, ((void *)0) })',
    '"%s %s %s", __print_hex(REC->ip4, 4), __print_array(__get_dynamic_array(items), 2, 2), __get_bitmask(items)',
    '"%pI4 %pi4 %pS %p %pU %pM %*ph %*pbl %pISpc", REC->ip4, &REC->u32, REC->u64, 0, REC->ip4, REC->ip4, 4, REC->ip4, 16, '
    'REC->items, REC->items',
    '"%llx %c %o", (u64)(REC->u64 >> 3) * -2 + ((u16 *)REC->items)[1] % 7, REC->u8, sizeof(REC->ip4) ^ ~0 && !REC->last',
)


def changes():
    """Changes of traces for fuzz-export.c: among the first events of each file, and anywhere."""
    dice = random.Random(8)
    for recording in range(5):
        for file in range(6):
            for near in (150, 60000):
                yield bytes([recording, file]) + b''.join(
                    struct.pack('<I', dice.randrange(near) | dice.randrange(6) << 24) + dice.choice((
                        bytes([dice.randrange(256)]) * 4, dice.randbytes(4), struct.pack('<I', dice.randrange(300))))
                    for _ in range(dice.randrange(1, 6)))


def words(order, long_bytes, commit, records, n_lost, page_bytes):
    """A page of the kernel's ring buffer, with a count of losses behind its records."""
    form = '<' if order == 'little' else '>'
    data = b''.join(record if isinstance(record, bytes) else struct.pack(form + 'I', record) for record in records)
    count = n_lost.to_bytes(long_bytes, order) if n_lost else b''
    page = struct.pack(form + 'Q', 1 << 60 | 1000) + (commit | len(data)).to_bytes(long_bytes, order) + data + count
    return page.ljust(page_bytes, b'\0')


def ring_page(order, long_bytes, commit, n_lost, page_bytes):
    """All kinds of records (ring-priv.h), and events of task_rename that fill the page."""
    def head(kind, delta):
        return kind | delta << 5 if order == 'little' else kind << 27 | delta

    event = (204).to_bytes(2, order) + b'\0\0' + (77).to_bytes(4, order) * 2 + b'old name'.ljust(16, b'\0') + b'new name'.ljust(16, b'\0') + bytes(4)
    records = [head(len(event) // 4, 5), event, head(0, 7), len(event) + 4, event, head(30, 3), 1, head(29, 9), 12, bytes(8),
               head(31, 5), 1 << 27, head(12, 0), event]
    room = page_bytes - 8 - long_bytes * (2 if n_lost else 1) - 4
    used = sum(len(record) if isinstance(record, bytes) else 4 for record in records)
    records += [head(12, 1), event] * ((room - used) // (len(event) + 4)) + [head(29, 0)]
    return words(order, long_bytes, commit, records, n_lost, page_bytes)


def tracepoints():
    """Inputs of fuzz-tracepoint.c: recorded pages, and made ones of both byte orders, both sizes, and all flags of commit."""
    for form in found('tracefs/*.format'):
        for page in found('tracefs/*.page'):
            for flags in (0, 1, 2):
                yield bytes([flags]) + form + b'\0' + page
    form = found('tracefs/task_rename.format')[0]
    for flags in range(4):
        for page_bytes in (4096, 65536):
            for commit, n_lost in ((0, 0), (1 << 31, 0), (1 << 30, 0), (3 << 30, 12345)):
                yield bytes([flags]) + form + b'\0' + ring_page('big' if flags & 1 else 'little', 4 if flags & 2 else 8, commit, n_lost, page_bytes)


def states():
    """Inputs of fuzz-states.c: events of one thread after the other, and arbitrary ones."""
    dice = random.Random(14)
    yield b'\0\0' + b''.join(bytes([kind, thread * 4 + cpu, thread + 1, kind, 9]) for thread in range(8) for cpu in range(4) for kind in range(11))
    for number in range(12):
        changed = dice.randrange(4000) if number % 3 == 2 else 0
        yield changed.to_bytes(2, 'big') + dice.randbytes(5 * dice.randrange(1, 800))


def requests():
    """Inputs of fuzz-view.c: every path with the parameters that it knows."""
    window = 'from=100&to=9000'
    picture = window + '&pixels=50&lanes=0,1,2,3,4,5,6'
    filtered = window + '&filter=event%20%3D~%20%22work.*%22'
    for query in ('trace', 'progress', 'lanes', 'damage', 'tables', 'bookmarks', 'density?bins=20&' + filtered, 'spans?' + picture,
                  'spans?pixels=9&lanes=1,2&filter=cpu%3D%3D0', 'states?' + picture, 'wakeups?limit=3&lanes=0,1,2,3,4,5,6,7,8&' + window,
                  'counters?' + picture, 'events?skip=3&limit=9&lane=2&symbols=1&' + filtered, 'events?events=work.begin,core.wakeup', 'stat?' + filtered,
                  'durations?name=begin&' + filtered, 'flame?' + filtered, 'filter?filter=even%20%3D%3D%201', 'find?from=99&filter=id%3D%3D7',
                  'find?before=9000&filter=id%3D%3D7', 'align?event=begin&number=2', 'align?event=work.ask', 'diff?a=0&b=1&' + window + '&from_b=1&to_b=9999'):
        yield b'GET api/' + query.encode()
    outputs = 'tsp/api/experiments/*/outputs/'
    for path in ('tsp/api/health', 'tsp/api/identifier', 'tsp/api/traces', 'tsp/api/traces/x', 'tsp/api/experiments', 'tsp/api/experiments/*',
                 outputs[:-1], outputs + 'markerSets', outputs + 'spans/annotations', outputs + 'states/configTypes'):
        yield b'GET ' + path.encode()
    yield b'DELETE tsp/api/experiments/*'
    yield b'POST tsp/api/traces\n{"parameters":{"uri":"fuzz","name":"x"}}'
    yield b'POST tsp/api/experiments\n{"parameters":{"name":"x","traces":["x"]}}'
    ranges = b'"requested_timerange":{"start":1000,"end":1050000000200000000,"nbTimes":50},"requested_items":[0,1,2,65536,65537,131072,196608]'
    for path in ('timeGraph/spans/tree', 'timeGraph/spans/states', 'timeGraph/spans/arrows', 'timeGraph/states/tree', 'timeGraph/states/states',
                 'timeGraph/states/arrows', 'XY/counters/tree', 'XY/counters/xy', 'XY/density/tree', 'XY/density/xy', 'data/types/tree',
                 'table/events/columns', 'spans/annotations', 'states/style'):
        yield b'POST %s%s\n{"parameters":{%s}}' % (outputs.encode(), path.encode(), ranges)
    for path in ('timeGraph/spans/tooltip', 'timeGraph/states/tooltip'):
        yield (b'POST %s%s\n{"parameters":{"requested_items":[65536],"requested_times":[1100],'
               b'"requested_element":{"elementType":"STATE","time":1007,"duration":49}}}' % (outputs.encode(), path.encode()))
    yield b'POST %stable/events/lines\n{"parameters":{"requested_table_index":3,"requested_table_count":5,"requested_table_column_ids":[0,4]}}' % outputs.encode()
    yield b'POST %stable/events/lines\n{"parameters":{"requested_times":[2000],"requested_table_count":5}}' % outputs.encode()


def seeds():
    """Target -> its initial inputs."""
    return {
        'eventdefs': found('schemas/**/eventdefs/*.xml', 'ltt*/*/eventdefs/*.xml'),
        'info': [b'0' + text for text in found('schemas/**/system/*.xml', 'ltt-extra/*/info/system.xml')] +
                [b'1' + text for text in found('schemas/**/bookmarks/*.xml', '**/info/bookmarks.xml')],
        'trace': [bytes([number * len(TRACEFILES) + index]) + read(os.path.join(DATA, trace, name))
                  for number, trace in enumerate(TRACES) for index, name in enumerate(TRACEFILES)],
        'analysis': [bytes([number * len(TRACEFILES) + index, 7 * number + index]) + read(os.path.join(DATA, trace, name))
                     for number, trace in enumerate(TRACES) for index, name in enumerate(TRACEFILES)],
        'edit': [bytes([(deed * len(TRACES) + number) * len(TRACEFILES) + index]) + read(os.path.join(DATA, trace, name))
                 for deed in range(3) for number, trace in enumerate(TRACES) for index, name in enumerate(TRACEFILES)],
        'export': list(changes()),
        'filter': [text.encode() for text in FILTERS],
        'sql': [text.encode() for text in QUERIES],
        'archive': list(archives()),
        'qemu': found('qemu/synthetic-*.rr') + [log[:4000] for log in found('qemu/q*.rr')],
        'readable': [name.encode() for name in MANGLED],
        'revent': [recording[:2000] for recording in found('revent/*.revent')],
        'print': [text.encode() + b'\0' + PAYLOAD for text in PRINTS],
        'import': [recording[:4000] for recording in found('revent/*.revent', 'qemu/*.rr')] + list(perf()),
        'perf': list(perf()),
        'states': list(states()),
        'symbols': list(elf.pairs()),
        'tracepoint': list(tracepoints()),
        'view': list(requests()),
    }


def write(folder, target, contents):
    """Writes each content to a file; returns their paths."""
    os.makedirs(os.path.join(folder, target), exist_ok=True)
    paths = []
    for number, content in enumerate(contents):
        paths.append(os.path.join(folder, target, '%04d' % number))
        with open(paths[-1], 'wb') as file:
            file.write(content)
    return paths


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for target, contents in seeds().items():
        write(sys.argv[1], target, contents)


if __name__ == '__main__':
    main()
