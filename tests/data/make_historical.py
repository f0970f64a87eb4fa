"""make_historical.py - for make_traces.py: the dialect of 2003 and 2004 (doc/format.md, 10)."""
from trace_bytes import Trace, stamp

HISTORICAL_CORE = """<facility name=core>
  <description>All events of the historical tracer</description>
  <event name=facility_load><struct><field name="name"><string/></field>
    <field name="checksum"><uint size=4/></field>
    <field name="base_code"><uint size=4/></field></struct></event>
  <event name=syscall_entry><struct><field name="syscall_id"><uint size=1/></field>
    <field name="address"> <description>Caller</description> <uint size=4/> </field></struct></event>
  <event name=syscall_exit></event>
""" + "".join(f"  <event name=other_{i}></event>\n" for i in range(3, 9)) + """
  <event name=soft_irq><struct><field name="kind"><enum size=1><label name=BOTTOM_HALF value=1/>
    <label name=SOFT_IRQ/><label name=TASKLET/></enum></field>
    <field name="data"><uint size=4/></field></struct></event>
""" + "".join(f"  <event name=other_{i}></event>\n" for i in range(10, 17)) + """
  <event name=block_start><typeref name=block_timestamp/></event>
  <event name=block_end><typeref name=block_timestamp/></event>
  <event name=time_heartbeat><typeref name=timestamp/></event>
  <type name=block_timestamp><struct><field name=timestamp><typeref name=timestamp/></field>
    <field name=block_id><uint size=4/></field></struct></type>
  <type name=timestamp><struct><field name=time><typeref name=timespec/></field>
    <field name="cycle_count"><uint size=8/></field></struct></type>
  <type name=timespec><struct><field name="seconds"><uint size=4/></field>
    <field name="nanoseconds"><uint size=4/></field></struct></type>
  <event name=process_fork><struct><field name="pid"><uint size=4/></field></struct></event>
</facility>
"""


def historical(name, minor):
    trace = Trace(name, arch_size="ILP32", endian="LITTLE_ENDIAN", ltt_minor_version=minor,
                  block_size=1000, cpu=1)
    trace.add("eventdefs/core.xml", HISTORICAL_CORE)
    for path in ("control/facilities", "control/interrupts", "control/processes"):
        trace.add(path, b"")
    return trace


def dialect_2_2():
    """The dialect of 2003: low halves of the counter, final word from the end, core at base code 0 (10)."""
    trace = historical("dialect-2.2", 2)
    start, end, beat = 17, 18, 19
    high = 1 << 32
    trace.add("cpu/0", trace.block(
        trace.stamp(start, 0xffffff00, 1058888888, 0, high + 0xffffff00, 0),
        trace.event(1, 0xffffff80, trace.pack("BI", 4, 0x8048000)),
        trace.event(9, 0x10, trace.pack("BI", 2, 5)),
        trace.stamp(beat, 0x20, 0, 0, 2 * high + 0x20),
        trace.event(2, 0x30),
        trace.stamp(end, 0x100, 1058888888, 1024, 2 * high + 0x100, 0), final=1000 - 26 - 11 - 11 - 22 - 6
    ) + trace.block(
        trace.stamp(start, 0x200, 1058888888, 2000, 2 * high + 0x200, 1),
        trace.event(2, 0x300),
        trace.event(2, 0x100), final=1000 - 26 - 6
    ) + trace.block(trace.stamp(start, 0, 1, 0, 0, 2), final=0))
    trace.add("control/processes", trace.block(
        trace.stamp(start, 0, 1058888888, 2**32 - 40, 0, 0),
        trace.event(20, 0, trace.pack("I", 1)),
        trace.stamp(end, 0x100, 1058888888, 2**32 - 40 + 10, 0x100, 0), final=1000 - 26 - 10))

    def expect(nanoseconds, event, data="{}"):
        seconds, nanoseconds = divmod(nanoseconds, 10**9)
        trace.expect(f"{1058888888 + seconds}.{nanoseconds:09}", "cpu/0", event, data)

    # 0x200 cycles in 1024 ns: 2 ns a cycle, with or without a heartbeat
    expect(0, "core.block_start", stamp(1058888888, 0, high + 0xffffff00, 0))
    expect(0x80 * 2, "core.syscall_entry", '{"syscall_id":4,"address":134512640}')
    expect(0x110 * 2, "core.soft_irq", '{"kind":"SOFT_IRQ","data":5}')
    expect(0x120 * 2, "core.time_heartbeat", stamp(0, 0, 2 * high + 0x20))
    expect(0x130 * 2, "core.syscall_exit")
    expect(1024, "core.block_end", stamp(1058888888, 1024, 2 * high + 0x100, 0))
    # open: the rate of the block before; the low half goes from 0x300 back to 0x100
    expect(2000, "core.block_start", stamp(1058888888, 2000, 2 * high + 0x200, 1))
    expect(2000 + 0x100 * 2, "core.syscall_exit")
    # 4.294967256 nanoseconds of a second that began at 1058888888
    trace.expect("1058888892.294967256", "control/processes", "core.block_start",
                 stamp(1058888888, 2**32 - 40, 0, 0))
    trace.expect("1058888892.294967256", "control/processes", "core.process_fork", '{"pid":1}')
    trace.expect("1058888892.294967266", "control/processes", "core.block_end",
                 stamp(1058888888, 2**32 - 30, 0x100, 0))
    expect(2000 + (high - 0x100) * 2, "core.syscall_exit")
    return trace


def dialect_2_3():
    """The same with the final word of some writers of 2004: unused bytes after the block_end (10.1)."""
    trace = historical("dialect-2.3", 3)
    start, end = 17, 18
    trace.add("cpu/0", trace.block(
        trace.stamp(start, 0x100, 1074000000, 0, 0x100, 0),
        trace.event(2, 0x110),
        trace.stamp(end, 0x200, 1074000000, 256, 0x200, 0), final=1000 - 4 - 26 - 6 - 26))
    trace.expect("1074000000.000000000", "cpu/0", "core.block_start", stamp(1074000000, 0, 0x100, 0))
    trace.expect("1074000000.000000016", "cpu/0", "core.syscall_exit")
    trace.expect("1074000000.000000256", "cpu/0", "core.block_end", stamp(1074000000, 256, 0x200, 0))
    return trace
