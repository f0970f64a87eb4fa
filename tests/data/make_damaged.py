"""make_damaged.py - for make_traces.py: a block for each kind of damage (doc/format.md, 3.6)."""
from trace_bytes import Trace, stamp

KINDS_XML = """<facility name="kinds">
  <event name="idle"/>
  <event name="name"><string/></event>
  <event name="pick"><union typecodesize="1"><field name="a"><uint size="1"/></field></union></event>
  <event name="list"><sequence lengthsize="8"><uint size="1"/></sequence></event>
  <event name="nothing"><sequence lengthsize="2"><struct/></sequence></event>
</facility>
"""
KINDS = ("facility kinds\nevent idle -\nevent name string\nevent pick union(1,a:uint(1))\n"
         "event list sequence(8,uint(1))\nevent nothing sequence(2,struct())\n")


def damage():
    """One block for each kind of damage (3.6), between valid ones; readers keep the events before it."""
    trace = Trace("damage", block_size=160, cpu=1)
    trace.add("eventdefs/kinds.xml", KINDS_XML)
    trace.facilities(("kinds", KINDS, 4))
    idle, name, pick, items, nothing = range(4, 9)
    blocks = []

    def block(*events, final=None, damaged_at=None, kept=(), padding=b"\xee", start=True):
        """Adds a block. Its events are 10 cycles apart; a cycle is a nanosecond."""
        number, at = len(blocks), 1000 * len(blocks)
        first = [trace.stamp(1, 0, 9, at, at, number)] if start else []
        blocks.append(trace.block(*first, *events, final=final, padding=padding))
        if start:
            trace.expect(f"9.{at:09}", "cpu/0", "builtin.block_start", stamp(9, at, at, number))
        for i, (event, data) in enumerate(kept):
            trace.expect(f"9.{at + 10 * i + 10:09}", "cpu/0", event, data)
        if damaged_at is not None:
            trace.problems.append(("cpu/0", number, damaged_at))

    def end(count):
        """block_end after count other events of the next block"""
        at = 1000 * len(blocks) + 10 * count
        return (trace.stamp(2, 10 * count, 9, at, at, len(blocks)),
                ("builtin.block_end", stamp(9, at, at, len(blocks))))

    one, two = trace.event(idle, 10), trace.event(idle, 20)
    was_idle = ("kinds.idle", "{}")
    ended, was_end = end(2)
    block(one, ended, kept=[was_idle, was_end])
    # the final word: where no event starts, and where none can
    block(one, two, end(3)[0], final=27, damaged_at=156, kept=[was_idle])
    ended, was_end = end(2)
    block(one, ended, final=151, damaged_at=156, kept=[was_idle, was_end])
    block(one, final=2**32 - 1, damaged_at=156, kept=[was_idle], padding=b"\0")
    # events that cannot be taken
    block(one, trace.event(999, 20), two, damaged_at=32, kept=[was_idle])
    block(one, trace.event(name, 20), damaged_at=32, kept=[was_idle], padding=b"A")
    block(one, trace.event(pick, 20, b"\1\0"), two, damaged_at=32, kept=[was_idle])
    block(one, trace.event(items, 20, trace.pack("Q", 2**64 - 1)), two, damaged_at=32, kept=[was_idle])
    block(one, trace.event(nothing, 20, trace.pack("H", 4097)), two, damaged_at=32, kept=[was_idle])
    long_name = trace.event(name, 10, b"n" * 117 + b"\0")
    was_long_name = ("kinds.name", '"' + "n" * 117 + '"')
    block(long_name, trace.event(items, 20), damaged_at=150, kept=[was_long_name])
    nameless = trace.event(0, 20, b"\0" + trace.pack("II", 1, 100))
    block(one, nameless, two, damaged_at=32, kept=[was_idle])
    # block_start and block_end where they do not belong
    block(one, trace.stamp(1, 20, 9, 0, 0, 0), two, damaged_at=32, kept=[was_idle])
    block(one, end(2)[0], two, damaged_at=32, kept=[was_idle])
    block(one, two, damaged_at=0, start=False)
    # no damage: empty, open with one event, and the last offset at which an event can start
    block(b"", final=0, start=False, padding=b"\xee")
    block(two, final=0)
    block(long_name, two, kept=[was_long_name, was_idle])
    trace.add("cpu/0", b"".join(blocks) + b"a part of a block")
    return trace
