"""fleet_traces.py - make the traces of a small fleet: machines of both byte orders and word sizes.

    paths = make(folder, 50)

Of ten traces, four are directories, four are compressed archives and two are plain tar archives. A
third has the second version of the facility, with two more fields and a larger one. Three traces are
damaged: a block in the middle, the end of a tracefile, and an archive that ends too early. The last
one has losses.
"""
import os
import random
import shutil
import struct

import small_trace
from command import ltt, sample

FIRST, SECOND = (
    '<field name="bytes"><uint size="4"/></field>',
    '<field name="bytes"><uint size="8"/></field><field name="zone"><enum size="1">EAST WEST</enum></field>'
    '<field name="retries"><int size="2"/></field>')
DESCRIPTION = '''<facility name="http">
  <event name="request"><struct>
    <field name="id"><uint size="8"/></field>
    <field name="path"><string/></field>
    <field name="status"><enum size="2"><label name="OK" value="200"/><label name="ABSENT" value="404"/></enum></field>
    <field name="window"><uint size="long"/></field>
    <field name="delta"><int size="1"/></field>
    <field name="load"><float size="8"/></field>
    <field name="short_load"><float size="4"/></field>
    <field name="key"><array size="4"><uint size="1"/></array></field>
    <field name="body"><sequence lengthsize="2"><uint size="1"/></sequence></field>
    <field name="sizes"><sequence lengthsize="1"><uint size="2"/></sequence></field>
    <field name="corners"><array size="2"><struct><field name="x"><int size="4"/></field>
      <field name="side"><enum size="1">LEFT RIGHT</enum></field></struct></array></field>
    <field name="at"><struct><field name="row"><uint size="8"/></field><field name="name"><string/></field></struct></field>
    <field name="cause"><union typecodesize="1"><field name="code"><uint size="4"/></field>
      <field name="text"><string/></field></union></field>
    %s
  </struct></event>
  <event name="response"><struct><field name="id"><uint size="8"/></field><field name="took"><uint size="4"/></field></struct></event>
  <event name="tick"/>
</facility>'''
MACHINES = (('<', 'LP64', 'Q'), ('>', 'LP64', 'Q'), ('<', 'ILP32', 'I'), ('>', 'ILP32', 'I'))
PATHS = (b'/', b'/index.html', b'/a b', '/été'.encode(), b'/bad\xff')
START_NS = 1_700_000_000_000_000_000


def request(dice, order, long_letter, is_second):
    """A payload. Numbers include the extremes of their types."""
    def pack(letters, *values):
        return struct.pack(order + letters, *values)

    sizes = [dice.randrange(1 << 16) for _ in range(dice.randrange(4))]
    cause = pack('BI', 0, dice.randrange(1 << 32)) if dice.random() < 0.5 else b'\1' + dice.choice(PATHS) + b'\0'
    body = dice.randbytes(dice.randrange(5))
    return b''.join((
        pack('Q', dice.choice((0, 2 ** 63, 2 ** 64 - 1, dice.randrange(1000)))), dice.choice(PATHS), b'\0',
        pack('H', dice.choice((200, 200, 404, 777))),
        pack(long_letter, dice.choice((0, 256 ** struct.calcsize(order + long_letter) - 1, 7))),
        pack('bdf', dice.randrange(-128, 128), dice.randrange(-1000, 1000) / 8, dice.randrange(100) / 4),
        dice.randbytes(4), pack('H', len(body)), body, pack('B%dH' % len(sizes), len(sizes), *sizes),
        pack('iBiB', dice.randrange(-9, 9), 0, -2 ** 31, dice.randrange(3)),
        pack('Q', dice.randrange(1 << 64)), dice.choice(PATHS), b'\0', cause,
        pack('QBh', dice.randrange(1 << 34), dice.randrange(2), dice.randrange(-5, 5)) if is_second
        else pack('I', dice.randrange(1 << 32))))


def tracefile(dice, order, long_letter, is_second, n_events):
    """Blocks of events of one CPU."""
    events, time = [], START_NS + dice.randrange(10 ** 6)
    for _ in range(n_events):
        time += dice.randrange(1, 10 ** 6)
        kind = dice.choice(('request', 'request', 'response', 'tick'))
        payload = {'request': lambda: request(dice, order, long_letter, is_second),
                   'response': lambda: struct.pack(order + 'QI', dice.randrange(1 << 64), dice.randrange(10 ** 6)),
                   'tick': lambda: b''}[kind]()
        events.append((time, kind, payload))
    return [events[at:at + 20] for at in range(0, len(events), 20)]


def patch(path, at, content):
    with open(path, 'r+b') as file:
        file.seek(at)
        file.write(content)


def make(folder, number=50, seed=16, n_events=60):
    """Makes the traces. Returns: their paths, in order"""
    dice = random.Random(seed)
    paths = []
    for index in range(number - 1):
        order, arch_size, long_letter = MACHINES[index % len(MACHINES)]
        is_second = index % 3 == 2
        path = os.path.join(folder, 'trace-%02d' % index)
        files = {'cpu/%d' % cpu: tracefile(dice, order, long_letter, is_second, n_events)
                 for cpu in sorted(dice.sample(range(8), 2))}
        small_trace.write(path, DESCRIPTION % (SECOND if is_second else FIRST), files, order, arch_size,
                          system='node_name="node-%d"' % (index % 16))
        first = os.path.join(path, sorted(files)[0])
        if index == 2:
            patch(first, 4096 + 40, b'\xff' * 100)
        elif index == 13:
            os.truncate(first, os.path.getsize(first) - 1000)
        paths.append(path if index % 10 < 4 else packed(path, ('.tar.gz', '.tar.zst', '.tar')[index % 3]))
        if index == 4:
            os.truncate(paths[-1], os.path.getsize(paths[-1]) - 30)
    lossy = os.path.join(folder, 'trace-%02d' % (number - 1))
    shutil.copytree(sample('tracer'), lossy)
    return paths + [lossy]


def packed(path, suffix):
    result = ltt('pack', path, '-o', path + suffix)
    assert result.status == 0, result.err
    shutil.rmtree(path)
    return path + suffix
