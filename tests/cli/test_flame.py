"""`ltt flame`: folded stacks against spans from the events of `ltt dump` and against perf, and the picture."""
import json
import os
import re
import shutil
import struct
import subprocess
import unittest
import xml.etree.ElementTree as ElementTree
from collections import Counter
from decimal import Decimal

import small_trace
from command import CommandTest, ltt, sample, samples
from perf_recordings import PerfTest, can_record
from recording import USE
from cli.test_chrome import by_name, nanoseconds

SVG = '{http://www.w3.org/2000/svg}'


def folded(*words):
    result = ltt('flame', '--folded', '-o', '-', *words)
    return Counter({line.rsplit(' ', 1)[0]: int(line.rsplit(' ', 1)[1]) for line in result.lines}), result


class Flame(CommandTest):
    def test_spans_of_samples(self):
        """The weight of a stack is the time of its spans, without the time of those inside."""
        n_checked = 0
        for trace in samples():
            events = [json.loads(line, parse_float=Decimal) for line in ltt('dump', '--format=json', trace).lines]
            names = {line.split()[0] for line in ltt('info', '--events', trace).lines}
            roles = [by_name(event['event'], names) for event in events]
            if not any(roles) or any('tid' in event for event in events):
                continue
            expected, stacks = Counter(), {}

            def end(track, stack, time):
                path = [track] + [began[1] for began in stack]
                duration = max(0, time - stack.pop()[2])
                expected[';'.join(path)] += duration
                if stack:
                    expected[';'.join(path[:-1])] -= duration

            for event, role in zip(events, roles):
                stack = stacks.setdefault(event['tracefile'], [])
                if role and role[0]:
                    stack.append((role[2], role[1], nanoseconds(event)))
                elif role and any(began[0] == role[2] for began in stack):
                    while stack[-1][0] != role[2]:
                        end(event['tracefile'], stack, nanoseconds(event))
                    end(event['tracefile'], stack, nanoseconds(event))
            for track, stack in stacks.items():
                while stack:
                    end(track, stack, max(map(nanoseconds, events)))
            got, result = folded('--of', 'spans', trace)
            self.assertIn(result.status, (0, 1))
            self.assertEqual(got, Counter({stack: weight for stack, weight in expected.items() if weight > 0}), trace)
            n_checked += 1
        self.assertGreater(n_checked, 3)

    def trace(self, description, events, **more):
        path = self.path('trace')
        small_trace.write(path, description, {'cpu/0': [events]}, **more)
        return path

    def test_more_open_spans_than_the_limit(self):
        """Spans that are left out are reported."""
        events = [(1000 + i, 'a_begin', b'') for i in range(1003)]
        trace = self.trace('<facility name="f"><event name="a_begin"/><event name="a_end"/></facility>', events,
                           block_size=65536)
        for words in (('flame', '--folded', '-o', '-', trace), ('sql', trace, 'select count(*) from spans')):
            result = ltt(*words)
            self.assertEqual(result.status, 1)
            self.assertIn('3 spans are left out', result.err)

    def test_the_picture(self):
        trace = self.trace('<facility name="f"><event name="a_begin"/><event name="a_end"/><event name="b_begin"/>'
                           '<event name="b_end"/></facility>',
                           [(1000, 'a_begin', b''), (1200, 'b_begin', b''), (1500, 'b_end', b''), (2000, 'a_end', b'')])
        picture = self.path('flame.svg')
        self.assert_done(ltt('flame', trace, '-o', picture, '--title', 'a <title> & "more"'))
        root = ElementTree.parse(picture).getroot()
        frames = {frame.get('data-name'): frame for frame in root.iter(SVG + 'g')}
        self.assertEqual(set(frames), {'all', 'cpu/0', 'f.a', 'f.b'})
        widths = {name: float(frame.get('data-w')) for name, frame in frames.items()}
        self.assertEqual(widths['f.a'], widths['all'])
        self.assertAlmostEqual(widths['f.b'], widths['f.a'] * 0.3, delta=0.01)
        self.assertEqual(frames['f.b'].find(SVG + 'title').text, 'f.b (0.000000 s, 30.00 %)')
        self.assertIn('a <title> & "more"', [text.text for text in root.iter(SVG + 'text')])
        with open(picture, encoding='utf-8') as file:
            text = file.read()
        self.assertEqual(re.findall('https?://[^"]*', text), ['http://www.w3.org/2000/svg'])
        self.assertNotIn('href', text)
        # A file is not overwritten.
        self.assertEqual(ltt('flame', trace, '-o', picture).status, 2)

    @unittest.skipUnless(shutil.which('node'), 'node is not installed')
    def test_the_script_is_valid(self):
        picture = ltt('flame', sample('one-cpu'), '-o', '-').out
        script = re.search(r'<!\[CDATA\[(.*)\]\]>', picture, re.DOTALL)[1]
        result = subprocess.run(['node', '--check', '-'], input=script, text=True, stderr=subprocess.PIPE, check=False)
        self.assertEqual((result.returncode, result.stderr), (0, ''))

    def test_overlapping_spans_with_a_key(self):
        number = lambda value: struct.pack('<I', value)
        trace = self.trace('<facility name="f"><event name="q"><uint size="4"/></event><event name="a"><struct>'
                           '<field name="id"><uint size="4"/></field></struct></event><event name="b" ltt:ends="a" ltt:key="id">'
                           '<struct><field name="id"><uint size="4"/></field></struct></event></facility>',
                           [(1000, 'a', number(1)), (1100, 'a', number(2)), (1500, 'b', number(1)), (1700, 'b', number(2))])
        self.assertEqual(folded(trace)[0], {'asynchronous;f.a': 1100})

    def test_a_sum_that_has_no_room(self):
        """Three spans of 136 years: the sum is cut off, and said to be."""
        path, end, n = self.path('ages'), (2 ** 32 - 1) * 10 ** 9, 3
        small_trace.write(path, '<facility name="f"><event name="work"><uint size="4"/></event><event name="done" ltt:ends="work"/>'
                          '</facility>', {'cpu/%d' % cpu: [[(1000, 'work', bytes(4))], [(end, 'done', b'')]] for cpu in range(n)})
        message = 'ltt flame: the sum of the times is more than 292 years: larger ones are shown as that\n'
        for options in (('--folded', '-o', '-'), ('-o', self.path('ages.svg'))):
            result = ltt('flame', *options, path)
            self.assertEqual((result.status, result.err), (1, message))
        found, _ = folded(path)
        self.assertEqual(set(found.values()), {end - 1000})

    def test_no_spans(self):
        result = ltt('flame', '-o', '-', '--folded', sample('numbers'))
        self.assertEqual((result.status, result.out), (1, ''))
        self.assertIn('no spans are selected', result.err)

    def test_spans_without_length(self):
        """An empty graph of such spans is not said to have none."""
        path = self.path('instants')
        small_trace.write(path, '<facility name="f"><event name="a_begin"/><event name="a_end"/></facility>', {'cpu/0': [[
            (1000, 'a_begin', b''), (1000, 'a_end', b'')]]})
        result = ltt('flame', '--folded', '-o', '-', path)
        self.assertEqual((result.status, result.out, result.err), (1, '', 'ltt flame: all selected spans have a length of 0 ns\n'))

    def test_usage(self):
        for words in ([], ['-o', ''], ['-o', '-', '--of', 'nothing']):
            self.assertEqual(ltt('flame', sample('one-cpu'), *words).status, 2)


class Samples(PerfTest):
    def test_recorded_stacks(self):
        """Without the files of the recorded machine: the stacks that perf prints, by their addresses."""
        recording = os.path.join(os.path.dirname(sample('one-cpu')), '../perf/file-callgraph.data')
        trace, _ = self.imported(recording)
        got, result = folded(trace)
        with open(recording + '.script.txt', encoding='utf-8') as file:
            blocks = [block.splitlines() for block in file.read().split('\n\n') if block.strip()]
        depths = Counter()
        for block in blocks:
            lines = [line for line in block if not line.startswith('#')]
            depths[lines[0].split()[0], len(lines) - 1] += 1
        self.assertEqual(Counter({}) + sum((Counter({(stack.split(';')[0], stack.count(';')): n}) for stack, n in got.items()),
                                           Counter()), depths)
        self.assertRegex(result.err, r'ltt flame: \d+ of \d+ frames have no name of a function\n')
        self.assertIn('/usr/bin/busybox: ', result.err)

    @unittest.skipUnless(can_record(), 'perf record is not allowed here')
    def test_functions_as_perf_names_them(self):
        program = os.path.join(USE, 'bin/ltt')
        recording = self.path('perf.data')
        subprocess.run(['perf', 'record', '-q', '-e', 'cpu-clock:u', '-F', '5000', '-g', '-o', recording, '--', program, 'dump',
                        '--digest', '-j', '1', sample('every-type')], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=True)
        trace, _ = self.imported(recording)
        got, _ = folded(trace)
        script = subprocess.run(['perf', 'script', '--no-inline', '--no-demangle', '-F', 'event,ip,sym,dso', '-i', recording],
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                check=True).stdout
        innermost, n_samples = Counter(), 0
        for block in script.split('\n\n'):
            frame = re.search(r'(?m)^\s*[0-9a-f]+ (.*) \((.*)\)', block)
            n_samples += 'cpu-clock' in block  # one without any frame as well
            # Functions of libraries have several names; of this program each has one. perf makes up those of the PLT, or names
            # it after the function before, which has no size.
            if frame and frame[2] == program and frame[1] not in ('[unknown]', '_init') and not frame[1].endswith('@plt'):
                innermost[frame[1]] += 1
        ours = Counter()
        for stack, n in got.items():
            ours[stack.split(';')[-1]] += n
        self.assertEqual(sum(got.values()), n_samples)
        self.assertEqual({name: ours[name] for name in innermost}, innermost)

    @unittest.skipUnless(can_record() and shutil.which('g++'), 'perf record is not allowed here')
    def test_names_of_cpp(self):
        program, source, recording = self.path('program'), self.path('program.cc'), self.path('perf.data')
        with open(source, 'w', encoding='utf-8') as file:
            file.write('namespace a { template <class T> __attribute__((noinline)) T spin(volatile T n) { while (n < 100000000) n = n + 1; '
                       'return n; } }\nint main() { return a::spin<int>(0) == 5; }\n')
        subprocess.run(['g++', '-O1', '-std=c++11', '-Wl,--build-id', source, '-o', program], check=True)
        subprocess.run(['perf', 'record', '-q', '-e', 'cpu-clock:u', '-F', '1000', '-o', recording, '--', program],
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        trace, _ = self.imported(recording)
        self.assertIn('program;int a::spin<int>(int)', folded('--of', 'samples', trace)[0])

    @unittest.skipUnless(can_record(), 'perf record is not allowed here')
    def test_another_version_of_a_file_is_not_used(self):
        program = self.path('program')
        source = self.path('program.c')
        with open(source, 'w', encoding='utf-8') as file:
            file.write('int main(void) { volatile long n = 0; while (n < 100000000) n = n + 1; return 0; }\n')
        subprocess.run(['gcc', '-O1', '-Wl,--build-id', source, '-o', program], check=True)
        recording = self.path('perf.data')
        subprocess.run(['perf', 'record', '-q', '-e', 'cpu-clock:u', '-F', '1000', '-o', recording, '--', program],
                       stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
        trace, _ = self.imported(recording)
        self.assertIn('program;main', folded('--of', 'samples', trace)[0])
        subprocess.run(['gcc', '-O2', '-g', '-Wl,--build-id', source, '-o', program], check=True)
        got, result = folded('--of', 'samples', trace)
        self.assertNotIn('program;main', got)
        self.assertIn('another version: its build id differs', result.err)
