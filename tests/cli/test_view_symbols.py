"""Names of functions at the pointer: those of `ltt dump`, also for call chains and recordings of perf."""
import os
import re
import struct
import subprocess
import unittest

import small_trace
from command import BUILD, SOURCE, as_json, ltt
from viewing import PageTest, ViewTest, built

MAPPED = '''<facility name="f"><event name="mapping" ltt:show="hidden"><struct>
<field name="pid"><uint size="4"/></field><field name="addr"><uint size="8"/></field><field name="len"><uint size="8"/></field>
<field name="pgoff"><uint size="8"/></field><field name="build_id"><sequence lengthsize="1"><uint size="1"/></sequence></field>
<field name="filename"><string/></field></struct></event>
<event name="at"><struct><field name="ip" ltt:role="code"><uint size="8"/></field></struct></event>
<event name="chain"><struct><field name="n"><uint size="1"/></field>
<field name="ips" ltt:role="code"><sequence lengthsize="1"><uint size="8"/></sequence></field></struct></event></facility>'''

MAIN = '''
static int inside(int n) { return n - 2; }
int main(void) { return inside(1); }
'''
BASE = 1 << 32


def make(test):
    """Writes a trace of a program that was compiled just now. Returns: its path"""
    source, program, trace = test.path('main.c'), test.path('main'), test.path('trace')
    with open(source, 'w', encoding='utf-8') as file:
        file.write(MAIN)
    subprocess.run(['gcc', '-O0', '-pie', '-fPIE', source, '-o', program], check=True)
    at = {name: int(address, 16) for address, _, name in map(str.split, subprocess.run(
        ['nm', '--defined-only', program], check=True, stdout=subprocess.PIPE, text=True).stdout.splitlines())}
    mapping = struct.pack('<IQQQB', 0, BASE, 1 << 20, 0, 0) + os.fsencode(program) + b'\0'
    chain = [BASE + at['inside'] + 2, BASE + at['main'] + 3, 7]
    small_trace.write(trace, MAPPED, {'cpu/0': [[
        (1000, 'mapping', mapping), (2000, 'at', struct.pack('<Q', BASE + at['inside'])),
        (5000, 'chain', struct.pack('<BB3Q', 9, 3, *chain)), (9000, 'at', struct.pack('<Q', 7))]]})
    return trace


@unittest.skipUnless(built(BUILD), 'the page is not built, for which node is needed')
class Events(ViewTest):
    def test_fields_and_chains(self):
        server = self.view(make(self))
        events = server.ask('events', symbols=1)['events']
        self.assertEqual([event.get('symbols') for event in events], [{'ip': 'inside'}, {'ips': ['inside+0x2', 'main+0x3', None]}, {'ip': None}])
        plain = server.ask('events')['events']
        self.assertEqual([{**event, 'symbols': None} for event in events], [{**event, 'symbols': None} for event in plain])
        self.assertIn('symbols: expected', server.refusal('events', symbols=2))

    def test_a_recording_of_perf(self):
        """The names are those that `ltt dump` prints; of programs that are not here, the file and the offset."""
        trace = self.path('imported')
        self.assertEqual(ltt('import', os.path.join(SOURCE, 'tests/data/perf/file-callgraph.data'), '-o', trace).status, 0)
        server = self.view(trace)
        events = server.ask('events', limit=10000, symbols=1)['events']
        self.assertEqual(len(events), len(as_json(ltt('dump', '--format=json', trace).out)))
        printed = [re.search(r' ip=0x[0-9a-f]+(?: \((\S+)\))?', line) for line in ltt('dump', trace).lines]
        named = 0
        for event, match in zip(events, printed):
            if match is None:
                self.assertNotIn('ip', event.get('symbols', {}))
                continue
            self.assertEqual(event['symbols']['ip'], match.group(1))
            named += match.group(1) is not None
        self.assertGreater(named, 0)


class Page(PageTest):
    def test_hover(self):
        trace = make(self)
        _, lane = self.use([trace], [['open', ''], ['lane', 'cpu/0']])
        bottom = lane['top'] + lane['height'] - 5

        def x(time):
            return lane['left'] + lane['width'] * (time - 1000 + 2) / 8001

        answers = self.use([trace], [['open', ''], ['hover', x(2000), bottom, 'is in'], ['hover', x(5000), bottom, 'ips:'], ['picture', 'symbols']])
        self.assertTrue(answers[1]['text'].endswith('\nip is in inside'), answers[1])
        self.assertTrue(answers[2]['text'].endswith('\nips:\n    inside+0x2\n    main+0x3\n    [unknown]'), answers[2])


if __name__ == '__main__':
    unittest.main()
