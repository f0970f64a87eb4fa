"""Names of the code at the addresses of a recording of perf."""
import re
import unittest

from cli.test_perf_made import Recording
from command import ltt
from perf_recordings import PerfTest

MMAP2, SAMPLE = 10, 9
USER = 2


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

    def at(self, time, pid, address, mode=USER):
        """A sample."""
        return self.record(SAMPLE, self.pack('QIIQQII', address, pid, pid, time, 1, 0, 0), mode)


class Names(PerfTest):
    def names(self, recording):
        """The name of each sample, in the order of time. The flame graph must have the same ones."""
        trace, _ = self.import_content(recording.content())
        lines = ltt('dump', '--event=perf.cpu_clock', '--fields=ip', trace).lines
        found = [match and match.group(1) for match in (re.search(r'ip=0x\w+ \((.*)\)$', line) for line in lines)]
        folded = ltt('flame', '--of=samples', '--folded', '-o', '-', trace).lines
        counts = {}
        for name in found:
            frame = name.partition('+')[0] if name and not name.startswith('file') else name or '[unknown]'
            counts[frame] = counts.get(frame, 0) + 1
        graph = {}
        for line in folded:
            stack, count = line.rsplit(' ', 1)
            frame = stack.split(';')[-1]
            graph[frame] = graph.get(frame, 0) + int(count)
        self.assertEqual(graph, counts)
        return found


class Files(Names):
    def test_a_file_that_returns_to_its_place(self):
        """A file in between had a part of the place; it no longer has it."""
        recording = Mapped()
        recording.map(100, 50, 0x400000, 0x5000, '/file-a').at(200, 50, 0x403010)
        recording.map(300, 50, 0x402000, 0x3000, '/file-b').at(400, 50, 0x403010)
        recording.map(500, 50, 0x400000, 0x5000, '/file-a').at(600, 50, 0x403010)
        self.assertEqual(self.names(recording), ['file-a+0x3010', 'file-b+0x1010', 'file-a+0x3010'])


if __name__ == '__main__':
    unittest.main()
