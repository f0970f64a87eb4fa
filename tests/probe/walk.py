"""Reads what the probe wrote, by doc/format.md and nothing else: blocks, events, threads.

For the tests of the probe alone. It knows the facilities builtin, tracer and those that a test tells
it of, by a struct-like signature for each event type.
"""

import os
import struct
import sys

BUILTIN = {0: ('load', 'sII'), 1: ('block_start', 'IIQI'), 2: ('block_end', 'IIQI'),
           3: ('heartbeat', 'IIQ')}
TRACER = [('thread', 'II'), ('events_lost', 'Q'), ('clock', 'QIIQII'), ('process_start', 'IIss'),
          ('process_exit', 'Ii')]
TIME_VALUES = ('block_start', 'block_end', 'heartbeat')


class Damage(Exception):
    pass


class Event:
    __slots__ = ('name', 'fields', 'cycles', 'pid', 'tid', 'block', 'offset', 'line')

    def __repr__(self):
        return '%s%r' % (self.name, tuple(self.fields))


def take(data, at, end, signature):
    """Takes fields off a block: struct letters, s for a string, * for a sequence with a length of
    one byte of what is in the brackets behind it."""
    fields = []
    i = 0
    while i < len(signature):
        letter = signature[i]
        i += 1
        if letter == 's':
            stop = data.find(b'\0', at, end)
            if stop < 0:
                raise Damage('string without an end at %d' % at)
            fields.append(data[at:stop].decode('utf-8', 'replace'))
            at = stop + 1
        elif letter == '*':
            close = signature.index(']', i)
            inner = signature[i + 1:close]
            i = close + 1
            count = data[at]
            at += 1
            items = []
            for _ in range(count):
                item, at = take(data, at, end, inner)
                items.append(item)
            fields.append(items)
        else:
            size = struct.calcsize('<' + letter)
            if at + size > end:
                raise Damage('payload cut off at %d' % at)
            fields.append(struct.unpack_from('<' + letter, data, at)[0])
            at += size
    return fields, at


class Trace:
    """All of a trace. Raises Damage for anything that the format forbids in a live trace."""

    def __init__(self, path, facilities):
        self.path = path
        with open(os.path.join(path, 'info/system.xml'), encoding='utf-8') as file:
            text = file.read()
        self.block_bytes = int(text.split('ltt_block_size="')[1].split('"')[0])
        self.types = dict(BUILTIN)
        self.open_blocks = 0
        self.loads = self.read_file('control/facilities', only_builtin=True)
        for load in self.loads:
            if load.name != 'load':
                continue
            name, _, base = load.fields
            types = TRACER if name == 'tracer' else facilities.get(name)
            if types is None:
                raise Damage('facility %s is unknown to the test' % name)
            for i, (event, signature) in enumerate(types):
                self.types[base + i] = (name + '.' + event if name != 'tracer' else event,
                                        signature)
        if not os.path.exists(os.path.join(path, 'eventdefs/tracer.xml')):
            raise Damage('eventdefs/tracer.xml is missing')
        self.files = {}
        for name in sorted(os.listdir(os.path.join(path, 'cpu')), key=int):
            self.files['cpu/' + name] = self.read_file('cpu/' + name)
        self.processes = []
        if os.path.exists(os.path.join(path, 'control/processes')):
            self.processes = self.read_file('control/processes')

    def read_file(self, name, only_builtin=False):
        with open(os.path.join(self.path, name), 'rb') as file:
            data = file.read()
        size = self.block_bytes
        blocks = []
        for start in range(0, len(data) - size + 1, size):
            block = data[start:start + size]
            last = struct.unpack_from('<I', block, size - 4)[0]
            if last == 0 and struct.unpack_from('<H', block, 0)[0] != 1:
                continue
            blocks.append((struct.unpack_from('<I', block, 22)[0], start // size, block, last))
        blocks.sort(key=lambda block: block[:2])
        events = []
        for k, (number, slot, block, last) in enumerate(blocks):
            try:
                if k > 0 and number != blocks[k - 1][0] + 1:
                    raise Damage('block id %d behind %d' % (number, blocks[k - 1][0]))
                events += self.read_block(block, last, slot, only_builtin, k == len(blocks) - 1)
            except Damage as damage:
                raise Damage('%s: block %d: %s' % (name, slot, damage)) from None
        return events

    def read_block(self, block, last, slot, only_builtin, is_latest):
        size = len(block)
        at, base, events, pid, tid = 0, None, [], None, None
        while at <= last:
            if at + 6 > size - 4:
                raise Damage('event at %d runs into the end' % at)
            number, delta = struct.unpack_from('<HI', block, at)
            if number not in self.types:
                raise Damage('unknown event id %d at %d' % (number, at))
            event = Event()
            event.name, signature = self.types[number]
            event.fields, end = take(block, at + 6, size - 4, signature)
            event.offset, event.block = at, slot
            if (at == 0) != (event.name == 'block_start'):
                raise Damage('%s at %d' % (event.name, at))
            if event.name in TIME_VALUES:
                cycles = event.fields[2]
                if base is not None and min(cycles - base, 2**32 - 1) != delta and \
                        delta != 2**32 - 1:
                    raise Damage('delta %d at %d, but the counts are %d apart'
                                 % (delta, at, cycles - base))
                base = cycles
                event.cycles = cycles
            else:
                event.cycles = base + delta
            if events and event.cycles < events[-1].cycles:
                raise Damage('cycles fall at %d' % at)
            if event.name == 'thread':
                pid, tid = event.fields
            event.pid, event.tid = pid, tid
            events.append(event)
            if at == last:
                break
            at = end
        if at != last:
            raise Damage('the last event is said to be at %d, but one is at %d' % (last, at))
        if events[-1].name != 'block_end':
            self.open_blocks += 1
            if not is_latest:
                raise Damage('open, but not the latest of its file')
        if not only_builtin and len(events) > 1 and events[1].name != 'clock' \
                and self.path and events[1].name not in ('heartbeat', 'process_start'):
            raise Damage('second event is %s' % events[1].name)
        return events

    def lost(self):
        """The sum over the files of the last total that each says."""
        total = 0
        for events in list(self.files.values()) + [self.processes]:
            totals = [event.fields[0] for event in events if event.name == 'events_lost']
            total += totals[-1] if totals else 0
        return total

    def events(self, name=None):
        """Events of the program, of all files, each file in its order."""
        for file in self.files.values():
            for event in file:
                if '.' in event.name and (name is None or event.name == name):
                    yield event


DEMO = {'demo': [('tick', ''), ('pair', 'QQ'), ('open', 'siH'), ('points', '*[hsd]')]}

if __name__ == '__main__':
    trace = Trace(sys.argv[1], DEMO)
    for name, events in trace.files.items():
        for event in events if len(sys.argv) > 2 else []:
            print(name, event.block, event.offset, event.cycles, event.pid, event.tid, event)
        print(name, len(events), 'events,', trace.open_blocks, 'open blocks, lost', trace.lost())
