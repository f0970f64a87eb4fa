"""`ltt info`: compared with the files of the trace and its expected events."""
import json
import os
import re
from collections import defaultdict
from decimal import Decimal

from command import CommandTest, expected_events, ltt, sample, samples
from small_trace import write


class Text(CommandTest):
    def test_times_of_a_clock_that_tells_no_day(self):
        for name, said in (('one-cpu', '(2003-04-10 18:40:00 UTC)'), ('tracer', '(no wall time)')):
            start = json.loads(ltt('info', '--json', sample(name)).out)['start']
            self.assertIn('start      %s  %s' % (start, said), ltt('info', sample(name)).lines)


class InfoJson(CommandTest):
    def info(self, trace):
        result = ltt('info', '--json', trace)
        self.assert_done(result)
        return json.loads(result.out)

    def test_keys_are_the_contract(self):
        info = self.info(sample('every-type'))
        self.assertEqual(list(info), ['system', 'facilities', 'tracefiles', 'start', 'end', 'bookmarks',
                                      'lost_by_reason', 'lost_process_events', 'too_large', 'conversions'])
        self.assertEqual(list(info['facilities'][0]), ['name', 'checksum', 'base_code', 'events'])
        self.assertEqual(list(info['tracefiles'][0]), ['name', 'blocks', 'first', 'last', 'open_blocks'])

    def test_system_is_that_of_system_xml(self):
        for trace in samples('ltt'):
            with open(os.path.join(trace, 'info/system.xml'), encoding='utf-8') as file:
                written = re.findall(r'([a-z_]+)\s*=\s*"?([^"\n>]*)"?', file.read().split('<system')[1].split('>')[0])
            self.assertEqual(list(self.info(trace)['system'].items()), written)

    def test_facilities_are_those_loaded(self):
        for trace in samples('ltt'):
            with self.subTest(trace=os.path.basename(trace)):
                loads = [event['data'] for event in expected_events(trace)
                         if event['event'] == 'builtin.facility_load' and event['tracefile'] == 'control/facilities']
                got = [{key: facility[key] for key in ('name', 'checksum', 'base_code')}
                       for facility in self.info(trace)['facilities']]
                self.assertEqual(got, sorted(loads, key=lambda load: load['base_code']))

    def test_times_are_those_of_the_events(self):
        for trace in samples():
            with self.subTest(trace=os.path.basename(trace)):
                times = defaultdict(list)
                for event in expected_events(trace):
                    times[event['tracefile']].append(Decimal(event['time']))
                info = self.info(trace)
                for tracefile in info['tracefiles']:
                    own = times.get(tracefile['name'])
                    got = [time and Decimal(time) for time in (tracefile['first'], tracefile['last'])]
                    self.assertEqual(got, [min(own), max(own)] if own else [None, None], tracefile)
                span = [time for name, own in times.items() if name.startswith('cpu/') for time in own]
                self.assertEqual((Decimal(info['start']), Decimal(info['end'])), (min(span), max(span)))

    def test_blocks(self):
        for trace in samples():
            info = self.info(trace)
            block_size = int(info['system']['ltt_block_size'])
            for tracefile in info['tracefiles']:
                size = os.path.getsize(os.path.join(trace, tracefile['name']))
                self.assertEqual(tracefile['blocks'], size // block_size)

    def test_open_blocks(self):
        info = self.info(sample('crashed'))
        self.assertEqual({file['name']: file['open_blocks'] for file in info['tracefiles']},
                         {'control/facilities': 0, 'cpu/0': 1, 'cpu/1': 1, 'cpu/2': 1})

    def test_trace_without_events(self):
        trace = self.copy(sample('one-cpu'))
        for name in ('control/facilities', 'cpu/0'):
            with open(os.path.join(trace, name), 'wb'):
                pass
        info = self.info(trace)
        self.assertEqual((info['start'], info['end'], info['facilities']), (None, None, []))
        self.assertEqual([(file['blocks'], file['first'], file['last']) for file in info['tracefiles']],
                         [(0, None, None)] * 2)


class InfoText(CommandTest):
    def test_says_what_json_says(self):
        for trace in samples():
            text = ltt('info', trace)
            self.assert_done(text)
            info = json.loads(ltt('info', '--json', trace).out)
            for name, value in info['system'].items():
                self.assertRegex(text.out, r'(?m)^  %s +%s$' % (re.escape(name), re.escape(value)))
            for facility in info['facilities']:
                self.assertRegex(text.out, r'(?m)^  %s +%d +%d +0x%08x$' % (
                    facility['name'], facility['base_code'], facility['events'], facility['checksum']))
            for tracefile in info['tracefiles']:
                self.assertRegex(text.out, r'(?m)^  %s +%d\b' % (tracefile['name'], tracefile['blocks']))
            for time in (info['start'], info['end']):
                self.assertIn(time or 'no events', text.out)

    def test_control_bytes_are_escaped(self):
        trace = self.copy(sample('one-cpu'))
        path = os.path.join(trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(re.sub('node_name="[^"]*"', 'node_name="a\x9b2Jb"', text))
        result = ltt('info', trace)
        self.assertIn('a\\u009b2Jb', result.out)
        self.assertNotIn('\x9b', result.out)


class Mistakes(CommandTest):
    def test_missing(self):
        self.assert_failed(ltt('info'), 'ltt info: TRACE is missing')
        self.assert_failed(ltt('info', self.path('x')), 'no such directory')


class Events(CommandTest):
    DESCRIPTION = """<facility name="f"><type name="state"><enum size="1">
        <label name="Idle" value="0"/><label name="Broken" value="-3"/></enum></type>
      <event name="bare"><description>Without
          a payload</description></event>
      <event name="change"><description>A door moves</description><struct>
        <field name="door"><description>Its number</description><uint size="2"/></field>
        <field name="states"><sequence lengthsize="1"><typeref name="state"/></sequence></field>
        <field name="at"><struct><field name="x"><description>From the left</description><float size="4"/></field></struct>
        </field></struct></event>
      <event name="plain"><string/></event></facility>"""

    def setUp(self):
        super().setUp()
        self.trace = self.path('described')
        write(self.trace, self.DESCRIPTION, {'cpu/0': [[(10**18, 'plain', b'x\0')]]})

    def test_text(self):
        result = ltt('info', '--events', self.trace)
        self.assert_done(result)
        self.assertEqual(result.out, """\
f.bare
    Without a payload
f.change  door:uint16 states:enum[] at:struct{x:float32}
    A door moves
    door: Its number
    states: Idle=0 Broken=-3
    at.x: From the left
f.plain  string
""")

    def test_json(self):
        result = ltt('info', '--events', '--json', self.trace)
        self.assert_done(result)
        labels = [{'name': 'Idle', 'value': 0}, {'name': 'Broken', 'value': -3}]
        at = {'kind': 'struct', 'fields': [{'name': 'x', 'description': 'From the left',
                                            'type': {'kind': 'float', 'bits': 32}}]}
        fields = [{'name': 'door', 'description': 'Its number', 'type': {'kind': 'uint', 'bits': 16}},
                  {'name': 'states', 'description': None,
                   'type': {'kind': 'sequence', 'element': {'kind': 'enum', 'bits': 8, 'labels': labels}}},
                  {'name': 'at', 'description': None, 'type': at}]
        got = json.loads(result.out)['events']
        self.assertEqual(' '.join(got[0].pop('description').split()), 'Without a payload')
        self.assertEqual(got, [{'name': 'f.bare', 'type': None},
                               {'name': 'f.change', 'description': 'A door moves',
                                'type': {'kind': 'struct', 'fields': fields}},
                               {'name': 'f.plain', 'description': None, 'type': {'kind': 'string'}}])

    def test_of_all_samples(self):
        """Text and JSON list the same types, and the text contains each field of the JSON."""
        for trace in samples():
            text, found = ltt('info', '--events', trace), ltt('info', '--events', '--json', trace)
            events = json.loads(found.out)['events']
            lines = [line for line in text.lines if line[0] != ' ']
            self.assertEqual([line.split()[0] for line in lines], [event['name'] for event in events])
            for line, event in zip(lines, events):
                for field in (event['type'] or {}).get('fields', []):
                    self.assertIn('%s:' % field['name'], line)
