"""Names of the code at the addresses of a recording of perf."""
import collections
import os
import re
import subprocess
import unittest

from cli.test_perf_made import Recording
from command import ltt
from perf_recordings import PerfTest

COMM, FORK, SAMPLE, MMAP2, KSYMBOL, BUILD_ID = 3, 7, 9, 10, 17, 67
KERNEL, USER = 1, 2
EXEC = 1 << 13
HOSTNAME = 3
PROGRAM_AT = 0xffffffffc0001000


class Mapped(Recording):
    """A recording with mappings. Files of mappings do not exist, so a name is that of the file and an offset."""

    def __init__(self):
        super().__init__()
        self.attr()

    def end(self, time, pid):
        """The identity of a record."""
        return self.pack('IIQQII', pid, pid, time, 1, 0, 0)

    def text(self, name):
        return name.encode() + bytes(8 - len(name) % 8)

    def map(self, time, pid, address, length, path):
        return self.record(MMAP2, self.pack('IIQQQIIQQII', pid, pid, address, length, 0, 0, 0, 0, 0, 5, 2) +
                           self.text(path) + self.end(time, pid))

    def fork(self, time, parent, pid, when=None):
        return self.record(FORK, self.pack('IIIIQ', pid, parent, pid, parent, time if when is None else when) +
                           self.end(time, parent))

    def name(self, time, pid, name, misc=0):
        return self.record(COMM, self.pack('II', pid, pid) + self.text(name) + self.end(time, pid), misc)

    def symbol(self, time, address, length, name, is_end=0):
        """The begin or end of a program of BPF."""
        return self.record(KSYMBOL, self.pack('QIHH', address, length, 1, is_end) + self.text(name) + self.end(time, 0))

    def at(self, time, pid, address, mode=USER):
        """A sample."""
        return self.record(SAMPLE, self.pack('QIIQQII', address, pid, pid, time, 1, 0, 0), mode)


class Names(PerfTest):
    def names(self, recording):
        """The name of each sample, in the order of time."""
        trace, _ = self.import_content(recording.content())
        lines = ltt('dump', '--event=perf.cpu_clock', '--fields=ip', trace).lines
        return [match and match.group(1) for match in (re.search(r'ip=0x\w+ \((.*)\)$', line) for line in lines)]

    def check(self, recording, names):
        """The text and the flame graph have these names."""
        self.assertEqual(self.names(recording), names)
        graph = collections.Counter()
        for line in ltt('flame', '--of=samples', '--folded', '-o', '-', self.path('trace')).lines:
            stack, count = line.rsplit(' ', 1)
            graph[stack.split(';')[-1]] += int(count)
        functions = [name if name.startswith(('file', 'program')) else name.partition('+')[0] for name in names if name]
        del graph['[unknown]']
        self.assertEqual(graph, collections.Counter(functions))


class Files(Names):
    def test_a_file_that_returns_to_its_place(self):
        """A file in between had a part of the place; it no longer has it."""
        recording = Mapped()
        recording.map(100, 50, 0x400000, 0x5000, '/file-a').at(200, 50, 0x403010)
        recording.map(300, 50, 0x402000, 0x3000, '/file-b').at(400, 50, 0x403010)
        recording.map(500, 50, 0x400000, 0x5000, '/file-a').at(600, 50, 0x403010)
        self.check(recording, ['file-a+0x3010', 'file-b+0x1010', 'file-a+0x3010'])

    def test_a_process_with_the_id_of_another(self):
        """Each has the mappings of its own parent."""
        recording = Mapped().map(1, 50, 0x400000, 0x1000, '/file-50').map(2, 70, 0x400000, 0x1000, '/file-70')
        recording.map(3, 60, 0x400000, 0x1000, '/file-60').at(100, 60, 0x400010)
        recording.fork(200, 50, 60).at(300, 60, 0x400010)
        recording.map(400, 60, 0x400000, 0x1000, '/file-own').at(500, 60, 0x400010)
        recording.fork(600, 70, 60).at(700, 60, 0x400010).at(800, 50, 0x400010)
        self.check(recording, ['file-60+0x10', 'file-50+0x10', 'file-own+0x10', 'file-70+0x10', 'file-50+0x10'])

    def test_a_process_with_the_id_and_the_program_of_another(self):
        recording = Mapped().map(1, 60, 0x400000, 0x1000, '/file').at(100, 60, 0x400010).fork(200, 50, 60)
        recording.at(300, 60, 0x400010).map(400, 60, 0x400000, 0x1000, '/file').at(500, 60, 0x400010)
        self.assertEqual(self.names(recording), ['file+0x10', 'file+0x10', 'file+0x10'])

    def test_a_later_mapping_of_another_process(self):
        """Without a mapping at its time, an address has the name of a later one of the same process only."""
        recording = Mapped().at(100, 60, 0x400010).map(200, 60, 0x400000, 0x1000, '/file-old')
        recording.fork(300, 50, 60).at(400, 60, 0x400010)
        self.assertEqual(self.names(recording), ['file-old+0x10', None])

    def test_another_program(self):
        """It has none of the mappings that its process or a parent of it had before."""
        recording = Mapped().map(1, 50, 0x400000, 0x5000, '/file-old').fork(100, 50, 60).name(150, 60, 'thread')
        recording.at(200, 60, 0x403010).name(300, 60, 'new', EXEC).map(301, 60, 0x400000, 0x2000, '/file-new')
        recording.at(400, 60, 0x401010).at(500, 60, 0x403010).name(600, 50, 'new', EXEC).at(700, 50, 0x403010)
        self.assertEqual(self.names(recording), ['file-old+0x3010', 'file-new+0x1010', None, None])

    def test_many_forks(self):
        """A process has the mappings of its parent, also if that has them from its own one."""
        recording = Mapped().map(100, 50, 0x400000, 0x5000, '/file-a')
        for i in range(40):
            recording.fork(200 + i, 50 + i, 51 + i)
        self.check(recording.at(300, 90, 0x403010), ['file-a+0x3010'])

    def test_a_synthesized_fork(self):
        """The process is older than the record says, and all of its own mappings are recorded."""
        recording = Mapped().map(1, 50, 0x400000, 0x5000, '/file-50').map(2, 60, 0x400000, 0x1000, '/file-60')
        recording.fork(200, 50, 60, 0).at(300, 60, 0x400010).at(400, 60, 0x403010)
        self.assertEqual(self.names(recording), ['file-60+0x10', None])


class Kernel(Names):
    def test_a_program_in_place_of_another(self):
        recording = Mapped().map(1, 50, 0x400000, 0x1000, '/file')
        recording.symbol(1000, PROGRAM_AT, 0x100, 'bpf_one').at(2000, 50, PROGRAM_AT + 16, KERNEL)
        recording.symbol(3000, PROGRAM_AT, 0x100, 'bpf_one', 1)
        recording.symbol(4000, PROGRAM_AT - 0x100, 0x200, 'bpf_two').at(5000, 50, PROGRAM_AT + 16, KERNEL)
        self.check(recording, ['bpf_one+0x10', 'bpf_two+0x110'])

    def test_a_program_in_place_of_a_module(self):
        recording = Mapped().map(1, 2 ** 32 - 1, PROGRAM_AT, 0x1000, '/file.ko').at(2000, 50, PROGRAM_AT + 16, KERNEL)
        recording.symbol(3000, PROGRAM_AT, 0x100, 'bpf_one').at(4000, 50, PROGRAM_AT + 16, KERNEL)
        self.check(recording, ['file.ko+0x10', 'bpf_one+0x10'])

    def test_a_program_whose_begin_comes_later(self):
        recording = Mapped().map(1, 50, 0x400000, 0x1000, '/file').at(2000, 50, PROGRAM_AT + 16, KERNEL)
        self.assertEqual(self.names(recording.symbol(3000, PROGRAM_AT, 0x100, 'bpf_one')), ['bpf_one+0x10'])


class Machines(Names):
    """Two machines with processes of the same ids."""

    def setUp(self):
        super().setUp()
        self.traces = []
        for name in ('one', 'two'):
            recording = Mapped().map(1, 50, 0x400000, 0x1000, '/file-' + name).symbol(1000, PROGRAM_AT, 0x100, 'bpf_' + name)
            recording.features[HOSTNAME] = recording.pack('I', 8) + name.encode().ljust(8, b'\0')
            recording.at(2000, 50, 0x400010).at(3000, 50, PROGRAM_AT + 16, KERNEL)
            trace, _ = self.import_content(recording.content())
            self.traces.append(self.path(name))
            os.rename(trace, self.traces[-1])
        self.assert_done(ltt('merge', '-o', self.path('merged'), *self.traces), None)

    def test_text(self):
        for traces in (self.traces, [self.path('merged')]):
            lines = ltt('dump', '--event=perf.cpu_clock', '--fields=ip', *traces).lines
            self.assertEqual([line.partition('(')[2] for line in lines],
                             ['file-one+0x10)', 'file-two+0x10)', 'bpf_one+0x10)', 'bpf_two+0x10)'])

    def test_flame_graph(self):
        lines = ltt('flame', '--of=samples', '--folded', '-o', '-', self.path('merged')).lines
        self.assertEqual([line.split(';')[::2] for line in lines], [['one', 'bpf_one 1'], ['one', 'file-one+0x10 1'],
                                                                    ['two', 'bpf_two 1'], ['two', 'file-two+0x10 1']])

    def test_sql(self):
        for traces in (self.traces, [self.path('merged')]):
            lines = ltt('sql', '--format=csv', *traces, 'SELECT host, ip_symbol FROM perf_cpu_clock ORDER BY time, host').lines
            self.assertEqual(lines[1:], ['one,file-one+0x10', 'two,file-two+0x10', 'one,bpf_one+0x10', 'two,bpf_two+0x10'])


class Programs(Names):
    def compile(self, *options):
        """Makes a program. Returns: its path, and the address of each of its symbols"""
        path = self.path('program')
        with open(path + '.c', 'w', encoding='utf-8') as file:
            file.write('int puts(const char *); int main(void) { return puts("") + puts("a"); }')
        subprocess.run(['gcc', '-O0', '-no-pie', '-Wl,-z,lazy', *options, path + '.c', '-o', path], check=True)
        lines = subprocess.run(['nm', path], check=True, stdout=subprocess.PIPE).stdout.decode().splitlines()
        return path, {line.split()[2]: int(line.split()[0], 16) for line in lines if line[0] != ' '}

    def test_a_function_without_a_size(self):
        """It ends with its section."""
        path, symbols = self.compile('-fcf-protection=none')
        sections = subprocess.run(['readelf', '-SW', path], check=True, stdout=subprocess.PIPE).stdout.decode()
        plt = int(re.search(r' \.plt +PROGBITS +(\w+)', sections).group(1), 16)
        recording = Mapped().map(1, 50, 0x400000, 0x10000, path)
        for number, address in enumerate((symbols['_init'], symbols['_init'] + 4, plt, plt + 0x10, symbols['main'] + 1)):
            recording.at(100 + number, 50, address)
        self.check(recording, ['_init', '_init+0x4', 'program+0x%x' % (plt - 0x400000),
                               'program+0x%x' % (plt + 0x10 - 0x400000), 'main+0x1'])

    def test_a_build_id_without_a_size(self):
        """Old releases of perf do not write it. It has 20 bytes, or fewer with zeros after them."""
        for build_id in (bytes(range(1, 21)), bytes(range(1, 17))):
            path, symbols = self.compile('-Wl,--build-id=0x' + build_id.hex())
            for recorded, name in ((build_id, 'main'), (b'\x55' + build_id[1:], 'program+0x%x' % (symbols['main'] - 0x400000))):
                recording = Mapped().map(1, 50, 0x400000, 0x10000, path).at(100, 50, symbols['main'])
                recording.record(BUILD_ID, recording.pack('i24s', -1, recorded) + recording.text(path), USER)
                self.assertEqual(self.names(recording), [name])


if __name__ == '__main__':
    unittest.main()
