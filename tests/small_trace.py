"""small_trace.py - make small traces for tests from a description and payloads.

    write(path, '<facility name="f"><event name="e"><uint size="1"/></event></facility>',
          {'cpu/0': [[(1000, 'e', b'\\7'), (1001, 'e', b'\\10')]]})

A tracefile is a list of blocks, a block a list of events (TIME in nanoseconds, NAME, PAYLOAD) in
order of time. The counter counts nanoseconds; a block begins and ends with its first and last
event.
"""
import os
import re
import struct

from command import ltt

FACILITY_LOAD, BLOCK_START, BLOCK_END, FIRST_BASE = 0, 1, 2, 4


def stamp(order, time, block_id):
    return struct.pack(order + 'IIQI', *divmod(time, 10 ** 9), time, block_id)


def block_bytes(order, events, block_id, size):
    start, end = events[0][0], events[-1][0]
    packed, last = b'', 0
    for time, code, payload in [(start, BLOCK_START, stamp(order, start, block_id)), *events,
                                (end, BLOCK_END, stamp(order, end, block_id))]:
        last = len(packed)
        packed += struct.pack(order + 'HI', code, time - start) + payload
    assert len(packed) <= size - 4, 'too much for a block'
    return packed.ljust(size - 4, b'\0') + struct.pack(order + 'I', last)


def write(path, description, tracefiles, order='<', arch_size='LP64', block_size=4096, system=''):
    """Writes a trace. description: of its facility, or a list of them; names of events are of any of these"""
    for folder in ('info', 'eventdefs', 'control', 'cpu'):
        os.makedirs(os.path.join(path, folder))
    with open(os.path.join(path, 'info/system.xml'), 'w', encoding='utf-8') as file:
        file.write('<system cpu="16" arch_size="%s" endian="%s" ltt_major_version="2" ltt_minor_version="0" '
                   'ltt_block_size="%d" %s/>' % (arch_size, 'little' if order == '<' else 'big', block_size, system))
    codes, loads = {}, []
    for number, text in enumerate([description] if isinstance(description, str) else description):
        described = os.path.join(path, 'eventdefs/described%s.xml' % (number or ''))
        with open(described, 'w', encoding='utf-8') as file:
            file.write(text)
        name, checksum = ltt('compile', '--checksum', described).out.split()
        base = FIRST_BASE + len(codes)
        codes.update((event, base + index) for index, event in enumerate(re.findall('<event name="(.*?)"', text)))
        loads.append((1, FACILITY_LOAD, name.encode() + b'\0' + struct.pack(order + 'II', int(checksum, 16), base)))
    with open(os.path.join(path, 'control/facilities'), 'wb') as file:
        file.write(block_bytes(order, loads, 0, block_size))
    for file_name, blocks in tracefiles.items():
        with open(os.path.join(path, file_name), 'wb') as file:
            for index, events in enumerate(blocks):
                coded = [(time, codes[event], payload) for time, event, payload in events]
                file.write(block_bytes(order, coded, index, block_size))
