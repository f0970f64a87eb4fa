"""`ltt export --to ctf`: every type, in every nesting, and names that are keywords."""
import json
import os
import struct
import subprocess

import small_trace
from command import BUILD, ENVIRONMENT, ltt, some
from ctf_reading import CtfTest, needs_values

ROUND_TRIP = os.path.join(BUILD, 'tests/test-roundtrip')

# Names with a meaning in TSDL or in our metadata; each type that CTF cannot express directly; limits of ranges.
AWKWARD = """<facility name="enum"><description>A "facility" */ with words</description>
<event name="string"><description>ends */ here /* and "there" \\</description><struct>
  <field name="int"><uint size="1"/></field> <field name="_int"><uint size="1"/></field>
  <field name="Bool"><uint size="1"/></field> <field name="_Bool"><uint size="1"/></field>
  <field name="uint8_t"><uint size="1"/></field> <field name="time_ns_t"><uint size="1"/></field>
  <field name="event"><uint size="1"/></field> <field name="__a"><uint size="1"/></field>
  <field name="id"><uint size="1"/></field> <field name="timestamp"><uint size="1"/></field></struct></event>
<event name="lengths"><struct>
  <field name="a_length"><uint size="1"/></field>
  <field name="a"><sequence lengthsize="2"><uint size="1"/></sequence></field>
  <field name="a_length_"><uint size="1"/></field>
  <field name="trace"><sequence lengthsize="1"><string/></sequence></field>
  <field name="_b"><sequence lengthsize="8"><array size="2"><uint size="1"/></array></sequence></field></struct></event>
<event name="variant"><union typecodesize="2">
  <field name="float"><float size="4"/></field> <field name="_x"><array size="2"><uint size="1"/></array></field>
  <field name="s"><sequence lengthsize="1"><uint size="2"/></sequence></field>
  <field name="u"><union typecodesize="1"><field name="a"><string/></field></union></field>
  <field name="none"><struct/></field></union></event>
<event name="arrays"><struct>
  <field name="none"><array size="0"><uint size="8"/></array></field>
  <field name="deep"><array size="2"><array size="3"><sequence lengthsize="1"><uint size="1"/></sequence></array></array></field>
  <field name="picks"><sequence lengthsize="1"><union typecodesize="1"><field name="i"><int size="1"/></field>
    <field name="z"><string/></field></union></sequence></field>
  <field name="empty"><array size="2"><struct/></array></field>
  <field name="value"><struct><field name="value"><sequence lengthsize="1"><sequence lengthsize="1"><uint size="1"/>
    </sequence></sequence></field></struct></field></struct></event>
<event name="labels"><struct>
  <field name="signed"><enum size="8"><label name="least" value="-9223372036854775808"/><label name="minus" value="-1"/>
    <label name="most" value="9223372036854775807"/></enum></field>
  <field name="unsigned"><enum size="8"><label name="a" value="18446744073709551615"/><label name="zero" value="0"/>
    </enum></field>
  <field name="twice"><enum size="1"><label name="one" value="1"/><label name="uno" value="1"/><label name="two"/></enum></field>
  <field name="odd"><enum size="1"><label name='a"b' value="1"/><label name="c\\d"/><label name="&#233;&#x1f600;"/>
    <label name="*/"/><label name="struct"/></enum></field>
  <field name="wide"><enum size="long"><label name="far" value="4294967296"/><label name="near" value="7"/></enum></field>
  <field name="hex"><uint size="2" format="%#06x"/></field></struct></event>
</facility>"""


def awkward_payloads(order, long_size):
    def pack(form, *values):
        return struct.pack(order + form, *values)
    yield 'string', bytes(range(1, 11))
    yield 'lengths', b'\1' + pack('H', 3) + b'abc' + b'\2' + b'\2x\0y\0' + pack('Q', 2) + b'1234'
    yield 'lengths', b'\1' + pack('H', 0) + b'\2' + b'\0' + pack('Q', 0)
    yield 'variant', pack('Hf', 0, 1.1)
    yield 'variant', pack('H', 1) + b'\5\6'
    yield 'variant', pack('HBHH', 2, 2, 500, 600)
    yield 'variant', pack('HB', 3, 0) + b'h\xc3\xa9\xff\n\0'
    yield 'variant', pack('H', 4)
    yield 'arrays', b'\0' + b'\1a' + b'\2bc' + b'\0\0' + b'\1d' + b'\3' + b'\0\xfe' + b'\1zz\0' + b'\1\0' + b'\2\1A\0'
    wide = {4: 'I', 8: 'Q'}[long_size]
    for signed, unsigned, twice, odd, value in ((-2 ** 63, 2 ** 64 - 1, 1, 1, 7), (-1, 0, 2, 2, 8), (2 ** 63 - 1, 1, 3, 3, 9),
                                                (5, 5, 5, 4, 0), (0, 0, 0, 5, 2 ** (8 * long_size) - 1)):
        yield 'labels', pack('qQBB' + wide + 'H', signed, unsigned, twice, odd, value, 0xbeef)


class AwkwardDescriptions(CtfTest):
    @needs_values
    def test_every_name_and_nesting_has_its_way(self):
        for order, arch_size, long_size in (('<', 'LP64', 8), ('>', 'ILP32', 4)):
            with self.subTest(order=order):
                trace = self.path('trace' + arch_size)
                events = [(1000 + i, *event) for i, event in enumerate(awkward_payloads(order, long_size))]
                small_trace.write(trace, AWKWARD, {'cpu/3': [events]}, order=order, arch_size=arch_size,
                                  system='node_name=\'a"b\\c\' x-y="1" x.y="2" event="3" tracer="me 1"')
                dumped = ltt('dump', '--format=json', trace)
                self.assert_done(dumped)
                ctf, _ = self.export(trace)
                self.assert_same_events(ctf, [json.loads(line) for line in dumped.lines])


class RandomTraces(CtfTest):
    @needs_values
    def test_every_type_in_every_nesting(self):
        traces = self.path('traces')
        os.mkdir(traces)
        subprocess.run([ROUND_TRIP, 'every'], check=True, stdout=subprocess.DEVNULL,
                       env=dict(ENVIRONMENT, LTT_KEEP_TRACES=traces))
        names = sorted(os.listdir(traces))
        self.assertGreater(len(names), 60)
        for name in names[::len(names) // some(24)]:
            with self.subTest(trace=name):
                trace = os.path.join(traces, name)
                expected = [json.loads(line) for line in ltt('dump', '--all', '--format=json', trace).lines]
                ctf, _ = self.export(trace, '--all')
                self.assert_same_events(ctf, expected)
