"""big_trace.py - write a trace of many gigabytes quickly.

usage: big_trace.py PATH GIGABYTES

All blocks are copies of one block with other times. The unused end of a block is a hole of the file: a trace of 10 GB has 100
million events and takes 0.7 GB of the disk. Each of the four CPUs has nested spans and single events.
"""
import os
import struct
import sys

import small_trace

DESCRIPTION = '''<facility name="f">
<event name="work_begin"/><event name="work_end"/><event name="part_begin"/><event name="part_end"/><event name="tick"/>
</facility>'''

CPUS, BLOCK_BYTES, ROUNDS, STEP_NS = 4, 1 << 20, 1400, 1000
ROUND = ('work_begin', 'part_begin', 'part_end', 'part_begin', 'tick', 'part_end', 'work_end')
EVENTS = ROUNDS * len(ROUND)  # of a block
START_NS = 1700000000 * 10 ** 9


def template():
    """Returns: the used bytes of a block that begins at 0, and the offset of its last event."""
    codes = {name.split('"')[0]: small_trace.FIRST_BASE + index
             for index, name in enumerate(DESCRIPTION.split('event name="')[1:])}
    events = [(number * STEP_NS, codes[ROUND[number % len(ROUND)]], b'') for number in range(EVENTS)]
    whole = small_trace.block_bytes('<', events, 0, BLOCK_BYTES)
    last, = struct.unpack('<I', whole[-4:])
    return whole[:last + 26], last


def write(path, n_blocks):
    """Writes a trace of n_blocks blocks for each CPU. Returns: the number of events"""
    small_trace.write(path, DESCRIPTION, {}, block_size=BLOCK_BYTES)
    used, last = template()
    head, middle, tail = used[:6], used[26:last + 6], (EVENTS - 1) * STEP_NS
    for cpu in range(CPUS):
        with open(os.path.join(path, 'cpu/%d' % cpu), 'wb') as file:
            for number in range(n_blocks):
                start = START_NS + number * EVENTS * STEP_NS + cpu
                file.seek(number * BLOCK_BYTES)
                file.write(head + small_trace.stamp('<', start, number) + middle
                           + small_trace.stamp('<', start + tail, number))
                file.seek((number + 1) * BLOCK_BYTES - 4)
                file.write(struct.pack('<I', last))
    return CPUS * n_blocks * EVENTS


if __name__ == '__main__':
    print(write(sys.argv[1], int(float(sys.argv[2]) * 1e9 / BLOCK_BYTES / CPUS)), 'events')
