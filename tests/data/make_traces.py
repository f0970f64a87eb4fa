#!/usr/bin/env python3
"""make_traces.py - make small traces for special cases of doc/format.md, with their expected events.

Each trace is made byte by byte. NAME.jsonl next to it has its events as `ltt dump --all
--format=json` must print them. The expected times were calculated by hand from section 6, and not
by a reader, so an error in a reader cannot hide. ltt-extra/ has valid traces; those in ltt-damaged/
also have NAME.problems: tracefile, block and byte of each damage, in file order; a reader may
report them in another order.

usage: make_traces.py DIRECTORY makes ltt-extra/ and ltt-damaged/ there; the checked-in ones are its
output in tests/data
"""
import os
import sys
import zlib

from make_damaged import damage
from make_historical import dialect_2_2, dialect_2_3
from trace_bytes import Trace, stamp

DISK_XML = """<?xml version="1.0" encoding="UTF-8"?>
<facility name="disk">
  <event name="read"><struct><field name="sector"><uint size="8"/></field></struct></event>
  <event name="idle"/>
</facility>
"""
DISK = "facility disk\nevent read struct(sector:uint(8))\nevent idle -\n"


def with_disk(name, **settings):
    """A trace with one facility: disk.read is event 4, disk.idle event 5."""
    trace = Trace(name, **settings)
    trace.add("eventdefs/disk.xml", DISK_XML)
    trace.facilities(("disk", DISK, 4))
    return trace


def worked_block():
    """The block that doc/format.md, appendix B, explains byte by byte."""
    trace = Trace("worked-block", block_size=160, cpu=1)
    trace.add("eventdefs/example.xml", """<?xml version="1.0" encoding="UTF-8"?>
<facility name="example">
  <event name="open">
    <struct>
      <field name="fd"><int size="medium"/></field>
      <field name="name"><string/></field>
      <field name="mode"><enum size="1">Read Write Both</enum></field>
    </struct>
  </event>
  <event name="idle"/>
  <event name="sample">
    <struct>
      <field name="levels"><sequence lengthsize="1"><uint size="2"/></sequence></field>
      <field name="where">
        <union typecodesize="1">
          <field name="cpu"><uint size="1"/></field>
          <field name="node"><string/></field>
        </union>
      </field>
    </struct>
  </event>
</facility>
""")
    trace.facilities(("example", "facility example\n"
                      "event open struct(fd:int(medium),name:string,mode:enum(1,Read=0,Write=1,Both=2))\n"
                      "event idle -\n"
                      "event sample struct(levels:sequence(1,uint(2)),where:union(1,cpu:uint(1),node:string))\n", 4))
    trace.add("cpu/0", trace.block(
        trace.stamp(1, 0, 1050000000, 500000000, 1000, 0),
        trace.event(4, 300, trace.pack("i", 3) + b"/tmp/a\0" + b"\1"),
        trace.stamp(3, 1000, 1050000000, 500000500, 2000),
        trace.event(5, 7),
        trace.event(6, 400, b"\2" + trace.pack("HH", 10, 500) + b"\1hub\0"),
        trace.stamp(2, 1000, 1050000000, 500001500, 3000, 0), padding=b"\0"))
    second = "1050000000."
    trace.expect(second + "500000000", "cpu/0", "builtin.block_start", stamp(1050000000, 500000000, 1000, 0))
    trace.expect(second + "500000150", "cpu/0", "example.open", '{"fd":3,"name":"/tmp/a","mode":"Write"}')
    trace.expect(second + "500000500", "cpu/0", "builtin.time_heartbeat", stamp(1050000000, 500000500, 2000))
    trace.expect(second + "500000507", "cpu/0", "example.idle")
    trace.expect(second + "500000900", "cpu/0", "example.sample", '{"levels":[10,500],"where":{"node":"hub"}}')
    trace.expect(second + "500001500", "cpu/0", "builtin.block_end", stamp(1050000000, 500001500, 3000, 0))
    return trace


TIMESPEC = "struct(seconds:uint(4),nanoseconds:uint(4))"
TRACER = ("facility tracer\nevent thread struct(pid:uint(4),tid:uint(4))\n"
          "event events_lost struct(total:uint(8))\n"
          f"event clock struct(cycles:uint(8),time:{TIMESPEC},next_cycles:uint(8),next_time:{TIMESPEC})\n"
          "event process_start struct(pid:uint(4),ppid:uint(4),name:string,executable:string)\n"
          "event process_exit struct(pid:uint(4),status:int(4))\n")


def tracer():
    """Threads, losses, and an open block whose rate comes from its clock event (6.4, 11)."""
    trace = Trace("tracer")
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "../../eventdefs/tracer.xml"), "rb") as file:
        trace.add("eventdefs/tracer.xml", file.read())
    trace.add("eventdefs/disk.xml", DISK_XML)
    trace.facilities(("tracer", TRACER, 4), ("disk", DISK, 9))
    thread, lost, clock, start, leave, read, idle = 4, 5, 6, 7, 8, 9, 10

    def clock_event(delta, cycles, ns, next_cycles, next_ns):
        return trace.event(clock, delta, trace.pack("QIIQII", cycles, 2, ns, next_cycles, 2, next_ns))

    def clock_json(cycles, ns, next_cycles, next_ns):
        return (f'{{"cycles":{cycles},"time":{{"seconds":2,"nanoseconds":{ns}}},"next_cycles":{next_cycles},'
                f'"next_time":{{"seconds":2,"nanoseconds":{next_ns}}}}}')

    def thread_event(delta, pid, tid):
        return trace.event(thread, delta, trace.pack("II", pid, tid))

    trace.add("control/processes", trace.block(
        trace.stamp(1, 0, 2, 0, 0, 0),
        trace.event(start, 5, trace.pack("II", 10, 1) + b"worker\0/bin/worker\0"),
        trace.event(leave, 50, trace.pack("Ii", 10, -9))))
    trace.add("cpu/0", trace.block(
        trace.stamp(1, 0, 2, 0, 0, 0),
        clock_event(0, 0, 0, 3000, 1000),
        thread_event(0, 10, 11),
        trace.event(read, 30, trace.pack("Q", 77)),
        thread_event(60, 10, 12),
        trace.event(idle, 90),
        trace.stamp(2, 300, 2, 100, 300, 0)
    ) + trace.block(
        trace.stamp(1, 0, 2, 1000, 3000, 1),
        clock_event(0, 3000, 1000, 6000, 4000),
        thread_event(0, 10, 11),
        trace.event(lost, 0, trace.pack("Q", 7)),
        trace.event(idle, 10),
        trace.stamp(3, 1500, 2, 2000, 4500),
        trace.event(idle, 10)
    ) + trace.block(
        trace.stamp(1, 0, 2, 9000, 9000, 2),
        trace.event(idle, 10)))

    def expect(ns, event, data="{}", who=None):
        trace.expect(f"2.{ns:09}", "cpu/0", event, data, who)

    # control/processes is open and has no earlier block and no clock: one nanosecond a cycle.
    trace.expect("2.000000000", "control/processes", "builtin.block_start", stamp(2, 0, 0, 0))
    one, two = (10, 11), (10, 12)
    expect(0, "builtin.block_start", stamp(2, 0, 0, 0))
    expect(0, "tracer.clock", clock_json(0, 0, 3000, 1000))
    expect(0, "tracer.thread", '{"pid":10,"tid":11}', one)
    trace.expect("2.000000005", "control/processes", "tracer.process_start",
                 '{"pid":10,"ppid":1,"name":"worker","executable":"/bin/worker"}')
    # 300 cycles in 100 ns
    expect(10, "disk.read", '{"sector":77}', one)
    expect(20, "tracer.thread", '{"pid":10,"tid":12}', two)
    expect(30, "disk.idle", "{}", two)
    trace.expect("2.000000050", "control/processes", "tracer.process_exit", '{"pid":10,"status":-9}')
    expect(100, "builtin.block_end", stamp(2, 100, 300, 0), two)
    expect(1000, "builtin.block_start", stamp(2, 1000, 3000, 1))
    expect(1000, "tracer.clock", clock_json(3000, 1000, 6000, 4000))
    expect(1000, "tracer.thread", '{"pid":10,"tid":11}', one)
    expect(1000, "tracer.events_lost", '{"total":7}', one)
    # Before the heartbeat 1000 ns in 1500 cycles; after it the clock's 3000 ns in 3000 cycles.
    expect(1006, "disk.idle", "{}", one)
    expect(2000, "builtin.time_heartbeat", stamp(2, 2000, 4500), one)
    expect(2010, "disk.idle", "{}", one)
    # No clock and one time value only: the block before had 1000 ns in 1500 cycles.
    expect(9000, "builtin.block_start", stamp(2, 9000, 9000, 2))
    expect(9006, "disk.idle")
    return trace


def wrapping_ids():
    """A flight recorder whose block ids wrap at 2^32, and two blocks with one id (3.5)."""
    trace = with_disk("wrapping-ids")

    def block(block_id, at):
        return trace.block(trace.stamp(1, 0, 3, at, at, block_id), trace.event(5, 10),
                           trace.stamp(2, 20, 3, at + 20, at + 20, block_id))

    def expect(tracefile, block_id, at):
        trace.expect(f"3.{at:09}", tracefile, "builtin.block_start", stamp(3, at, at, block_id))
        trace.expect(f"3.{at + 10:09}", tracefile, "disk.idle")
        trace.expect(f"3.{at + 20:09}", tracefile, "builtin.block_end", stamp(3, at + 20, at + 20, block_id))

    empty = bytes(trace.block_size)
    trace.add("cpu/0", block(0, 300) + block(1, 400) + empty + block(2**32 - 2, 100) + block(2**32 - 1, 200))
    trace.add("cpu/3", block(7, 600) + block(6, 500) + block(7, 700))
    for block_id, at in ((2**32 - 2, 100), (2**32 - 1, 200), (0, 300), (1, 400)):
        expect("cpu/0", block_id, at)
    for block_id, at in ((6, 500), (7, 600), (7, 700)):
        expect("cpu/3", block_id, at)
    return trace


def clock_set_back():
    """Decreasing times: floor of negative numbers, order of the file in the merge, clamping (6, 7.1)."""
    trace = with_disk("clock-set-back")
    trace.add("cpu/0", trace.block(
        trace.stamp(1, 0, 10, 0, 0, 0),
        trace.event(5, 1),
        trace.event(5, 1500),
        trace.stamp(3, 3000, 9, 999999000, 3000),
        trace.event(5, 4)))
    trace.add("cpu/1", trace.block(
        trace.stamp(1, 0, 9, 999999400, 0, 0),
        trace.stamp(2, 200, 9, 999999600, 200, 0)))
    trace.add("cpu/2", trace.block(
        trace.stamp(1, 0, 0, 1, 0, 0),
        trace.stamp(3, 10, 0, 0, 10),
        trace.event(5, 100)))
    # cpu/2 is first; at 1 ns in 10 cycles backwards the last event would be at -10.
    lines, trace.lines = trace.lines, []
    trace.expect("0.000000001", "cpu/2", "builtin.block_start", stamp(0, 1, 0, 0))
    trace.expect("0.000000000", "cpu/2", "builtin.time_heartbeat", stamp(0, 0, 10))
    trace.expect("0.000000000", "cpu/2", "disk.idle")
    trace.lines += lines
    trace.expect("9.999999400", "cpu/1", "builtin.block_start", stamp(9, 999999400, 0, 0))
    trace.expect("9.999999600", "cpu/1", "builtin.block_end", stamp(9, 999999600, 200, 0))
    # -1000 ns in 3000 cycles: floor(-1/3) = -1, -500, and after the heartbeat floor(-4/3) = -2
    trace.expect("10.000000000", "cpu/0", "builtin.block_start", stamp(10, 0, 0, 0))
    trace.expect("9.999999999", "cpu/0", "disk.idle")
    trace.expect("9.999999500", "cpu/0", "disk.idle")
    trace.expect("9.999999000", "cpu/0", "builtin.time_heartbeat", stamp(9, 999999000, 3000))
    trace.expect("9.999998998", "cpu/0", "disk.idle")
    return trace


def equal_cycles():
    """Two heartbeats with the same cycle count: no rate from them, so the next rule of 6.4 gives one."""
    trace = with_disk("equal-cycles", cycle_frequency=500000000)
    trace.add("cpu/0", trace.block(
        trace.stamp(1, 0, 5, 0, 100, 0),
        trace.stamp(3, 100, 5, 100, 200),
        trace.event(5, 10),
        trace.stamp(3, 0, 5, 150, 200),
        trace.event(5, 10)
    ) + trace.block(
        trace.stamp(1, 0, 5, 1000, 1000, 1),
        trace.event(5, 10)))
    trace.expect("5.000000000", "cpu/0", "builtin.block_start", stamp(5, 0, 100, 0))
    trace.expect("5.000000100", "cpu/0", "builtin.time_heartbeat", stamp(5, 100, 200))
    trace.expect("5.000000100", "cpu/0", "disk.idle")  # no cycles between the two: the time of the first
    trace.expect("5.000000150", "cpu/0", "builtin.time_heartbeat", stamp(5, 150, 200))
    trace.expect("5.000000170", "cpu/0", "disk.idle")  # 500 MHz: 2 ns a cycle
    trace.expect("5.000001000", "cpu/0", "builtin.block_start", stamp(5, 1000, 1000, 1))
    trace.expect("5.000001015", "cpu/0", "disk.idle")  # as the block before: 150 ns in 100 cycles
    return trace


def iso_8859_1():
    """Untidy descriptions: ISO-8859-1, upper case, no quotes, labels as elements, entities (8.2, 8.3)."""
    trace = Trace("iso-8859-1", order=">", arch_size="LP32", system=(
        "<SYSTEM NODE_NAME=caf\xe9 cpu=2 arch_size=lp32 Endian='BIG_ENDIAN' ltt_major_version=2"
        " ltt_minor_version=0 ltt_block_size=256>un caf\xe9</SYSTEM>\n").encode("iso-8859-1"))
    trace.add("eventdefs/Old.xml", """<!-- nothing around the facilities -->
<FACILITY NAME=menu>
  <DESCRIPTION>The menu of the caf\xe9</DESCRIPTION>
  <EVENT NAME=order><STRUCT>
    <FIELD NAME=dish><ENUM SIZE=1><LABEL NAME=cr\xeape/><LABEL NAME="fish&amp;chips" VALUE=0x10/>
      <LABEL NAME=&#67;af&#xe9;/><LABEL NAME=again VALUE=16/></ENUM></FIELD>
    <FIELD NAME=change><ENUM SIZE=SHORT><label name=LESS value=-2/><label name=SAME value=0/></ENUM></FIELD>
    <FIELD NAME=price><UINT SIZE=Medium FORMAT="%d francs"/></FIELD>
    <FIELD NAME=note><STRING/></FIELD>
  </STRUCT></EVENT>
</FACILITY>
<Facility Name='bar'><Event Name='closed' /></Facility>
""".encode("iso-8859-1"))
    trace.facilities(("menu", "facility menu\nevent order "
                      "struct(dish:enum(1,cr\u00eape=0,fish&chips=16,Caf\u00e9=17,again=16),change:enum(short,LESS=-2,SAME=0),price:uint(medium),note:string)\n", 4),
                     ("bar", "facility bar\nevent closed -\n", 5))

    def order(delta, dish, change, price, note):
        return trace.event(4, delta, trace.pack("BhH", dish, change, price) + note + b"\0")

    trace.add("cpu/1", trace.block(
        trace.stamp(1, 0, 6, 0, 0, 0),
        order(1, 0, -2, 65535, b"caf\xc3\xa9"),
        order(2, 16, 0, 1, b"caf\xe9 \xf0\x9f\x41 \xc0\xaf"),
        order(3, 17, -1, 2, b'"\\\b\t\n\f\r\x01\x1f\x7f/'),
        order(4, 255, 32767, 3, b""),
        trace.event(5, 5)))
    trace.expect("6.000000000", "cpu/1", "builtin.block_start", stamp(6, 0, 0, 0))
    trace.expect("6.000000001", "cpu/1", "menu.order",
                 '{"dish":"cr\u00eape","change":"LESS","price":65535,"note":"caf\u00e9"}')
    trace.expect("6.000000002", "cpu/1", "menu.order", '{"dish":"fish&chips","change":"SAME","price":1,'
                 '"note":"caf\ufffd \ufffdA \ufffd\ufffd"}')
    trace.expect("6.000000003", "cpu/1", "menu.order", '{"dish":"Caf\u00e9","change":-1,"price":2,'
                 '"note":"\\"\\\\\\b\\t\\n\\f\\r\\u0001\\u001f\x7f/"}')
    trace.expect("6.000000004", "cpu/1", "menu.order", '{"dish":255,"change":32767,"price":3,"note":""}')
    trace.expect("6.000000005", "cpu/1", "bar.closed")
    return trace


def numbers():
    """Limits of integers and floats, empty values (8.4, appendix A)."""
    trace = Trace("numbers", order=">", arch_size="ILP64", block_size=1024)
    trace.add("eventdefs/n.xml", """<?xml version="1.0"?>
<eventdefs>
<facility name="n">
  <type name="later"><typeref name="pair"/></type>
  <event name="ints"><struct><field name="a"><int size="medium"/></field>
    <field name="b"><uint size="8"/></field><field name="c"><int size="1"/></field><field name="d"><uint size="short"/></field></struct></event>
  <event name="small"><sequence lengthsize="2"><float size="4"/></sequence></event>
  <event name="large"><sequence lengthsize="2"><float size="long"/></sequence></event>
  <event name="empty"><struct><field name="s"><struct/></field>
    <field name="a"><array size="0"><string/></array></field>
    <field name="q"><sequence lengthsize="8"><struct/></sequence></field></struct></event>
  <event name="pairs"><array size="2"><typeref name="later"/></array></event>
  <type name="pair"><struct><field name="x"><int size="2"/></field>
    <field name="y"><int size="2"/></field></struct></type>
</facility>
</eventdefs>
""")
    pair = "struct(x:int(2),y:int(2))"
    trace.facilities(("n", "facility n\nevent ints struct(a:int(medium),b:uint(8),c:int(1),d:uint(short))\n"
                      "event small sequence(2,float(4))\nevent large sequence(2,float(long))\n"
                      "event empty struct(s:struct(),a:array(0,string),q:sequence(8,struct()))\n"
                      f"event pairs array(2,{pair})\n", 4))
    # As bits: the smallest and the largest, ties and powers of two, where the shortest text is hard to find.
    small = {0x00000000: "0.0", 0x80000000: "-0.0", 0x00000001: "1e-45", 0x7f7fffff: "3.4028235e+38",
             0x3dcccccd: "0.1", 0x48a2cdfc: "333423.88", 0xc8a2cdfc: "-333423.88", 0x0f800000: "1.2621775e-29",
             0x6c800000: "1.2379401e+27", 0x4b800000: "16777216.0", 0x0da24260: "1e-30", 0x5a0e1bca: "1e+16",
             0x38d1b717: "0.0001", 0x3727c5ac: "1e-05", 0x7f800000: '"Infinity"', 0xff800000: '"-Infinity"',
             0x7fc00000: '"NaN"', 0xffc00001: '"NaN"'}
    large = {0x3fb999999999999a: "0.1", 0x7fefffffffffffff: "1.7976931348623157e+308", 1: "5e-324",
             0x4340000000000000: "9007199254740992.0", 0x4341c37937e08000: "1e+16", 1 << 63: "-0.0",
             0xc059000000000000: "-100.0", 0x7ff8000000000000: '"NaN"', 0xfff0000000000000: '"-Infinity"'}
    trace.add("cpu/0", trace.block(
        trace.stamp(1, 0, 7, 0, 0, 0),
        trace.event(4, 1, trace.pack("qQbH", -2**63, 2**64 - 1, -128, 65535)),
        trace.event(5, 2, trace.pack(f"H{len(small)}I", len(small), *small)),
        trace.event(6, 3, trace.pack(f"H{len(large)}Q", len(large), *large)),
        trace.event(7, 4, trace.pack("Q", 3)),
        trace.event(8, 5, trace.pack("hhhh", 1, -2, 3, -4))))
    trace.expect("7.000000000", "cpu/0", "builtin.block_start", stamp(7, 0, 0, 0))
    trace.expect("7.000000001", "cpu/0", "n.ints",
                 '{"a":-9223372036854775808,"b":18446744073709551615,"c":-128,"d":65535}')
    trace.expect("7.000000002", "cpu/0", "n.small", f"[{','.join(small.values())}]")
    trace.expect("7.000000003", "cpu/0", "n.large", f"[{','.join(large.values())}]")
    trace.expect("7.000000004", "cpu/0", "n.empty", '{"s":{},"a":[],"q":[{},{},{}]}')
    trace.expect("7.000000005", "cpu/0", "n.pairs", '[{"x":1,"y":-2},{"x":3,"y":-4}]')
    return trace


def load_in_cpu_file():
    """A facility_load outside control/facilities holds for the later events of its file only (4.4)."""
    trace = with_disk("load-in-cpu-file")
    trace.add("eventdefs/two.xml",
              '<facility name="left"><event name="step"/></facility>\n'
              '<facility name="right"><event name="step"><uint size="1"/></event></facility>\n')
    left, right = "facility left\nevent step -\n", "facility right\nevent step uint(1)\n"
    trace.add("cpu/0", trace.block(
        trace.stamp(1, 0, 8, 0, 0, 0), trace.load(0, "disk", DISK, 4),
        trace.load(1, "left", left, 20), trace.load(2, "left", left, 20),
        trace.event(20, 3), trace.stamp(2, 10, 8, 10, 10, 0)
    ) + trace.block(trace.stamp(1, 0, 8, 20, 20, 1), trace.event(20, 1)))
    trace.add("cpu/1", trace.block(
        trace.stamp(1, 0, 8, 100, 100, 0), trace.load(1, "right", right, 20), trace.event(20, 2, b"\7")))
    sums = {name: zlib.crc32(text.encode())
            for name, text in (("left", left), ("right", right), ("disk", DISK))}

    def load(name, base=20):
        return f'{{"name":"{name}","checksum":{sums[name]},"base_code":{base}}}'
    trace.expect("8.000000000", "cpu/0", "builtin.block_start", stamp(8, 0, 0, 0))
    trace.expect("8.000000000", "cpu/0", "builtin.facility_load", load("disk", 4))
    trace.expect("8.000000001", "cpu/0", "builtin.facility_load", load("left"))
    trace.expect("8.000000002", "cpu/0", "builtin.facility_load", load("left"))
    trace.expect("8.000000003", "cpu/0", "left.step")
    trace.expect("8.000000010", "cpu/0", "builtin.block_end", stamp(8, 10, 10, 0))
    trace.expect("8.000000020", "cpu/0", "builtin.block_start", stamp(8, 20, 20, 1))
    trace.expect("8.000000021", "cpu/0", "left.step")
    trace.expect("8.000000100", "cpu/1", "builtin.block_start", stamp(8, 100, 100, 0))
    trace.expect("8.000000101", "cpu/1", "builtin.facility_load", load("right"))
    trace.expect("8.000000102", "cpu/1", "right.step", "7")
    return trace


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    for folder, makers in (("ltt-extra", (worked_block, tracer, wrapping_ids, clock_set_back, equal_cycles,
                                          iso_8859_1, numbers, load_in_cpu_file, dialect_2_2, dialect_2_3)),
                           ("ltt-damaged", (damage,))):
        for make in makers:
            make().write(os.path.join(sys.argv[1], folder))


if __name__ == "__main__":
    main()
