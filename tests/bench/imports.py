"""How fast a recording of perf becomes a trace, beside perf that prints it.

The recordings are real ones whose samples are repeated, each a microsecond after the one before. They are in the page
cache, and each figure is the least of several runs.
"""
import os
import shutil
import struct
import subprocess

from measuring import table
from read import anonymous_mb, run

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../data/perf')
KINDS = (('file-callgraph.data', 'samples with call chains'),
         ('offline-cpu.data', 'samples of 40 bytes: ip, thread, time, period'))
SAMPLE = 9
HEADER = struct.Struct('<IHH')
DATA_AT, FEATURES_AT, TIME_AT = 40, 72, 24
ROUND = HEADER.pack(68, 0, HEADER.size)
SAMPLES_IN_A_ROUND = 5000


def records(content, begin, end):
    while begin < end:
        kind, _, size = HEADER.unpack_from(content, begin)
        yield kind, content[begin:begin + size]
        begin += size


def repeat(name, path, samples):
    """Writes the recording with so many samples more; what stands behind the records moves."""
    with open(os.path.join(DATA, name), 'rb') as file:
        content = file.read()
    begin, size = struct.unpack_from('<QQ', content, DATA_AT)
    bodies = [bytearray(record) for kind, record in records(content, begin, begin + size) if kind == SAMPLE]
    last = max(struct.unpack_from('<Q', body, TIME_AT)[0] for body in bodies)
    head, tail = bytearray(content[:begin]), bytearray(content[begin + size:])
    with open(path, 'wb') as file:
        file.write(head)
        file.write(content[begin:begin + size])
        for i in range(samples):
            body = bodies[i % len(bodies)]
            struct.pack_into('<Q', body, TIME_AT, last + (i + 1) * 1000)
            file.write(body)
            if i % SAMPLES_IN_A_ROUND == SAMPLES_IN_A_ROUND - 1:
                file.write(ROUND)
        added = file.tell() - begin - size
        for i in range(sum(bin(word).count('1') for word in struct.unpack_from('<4Q', content, FEATURES_AT))):
            struct.pack_into('<Q', tail, 16 * i, struct.unpack_from('<Q', tail, 16 * i)[0] + added)
        file.write(tail)
        struct.pack_into('<Q', head, DATA_AT + 8, size + added)
        file.seek(0)
        file.write(head)


class Import:
    """The figures of one recording."""

    def __init__(self, build, folder, name, samples, runs):
        self.ltt = os.path.join(build, 'bin', 'ltt')
        self.recording, self.trace, self.again = (os.path.join(folder, 'import.' + part)
                                                  for part in ('data', 'trace', 'again'))
        self.name, self.samples, self.runs = name, samples, runs

    def make(self):
        return [self.ltt, 'import', self.recording, '-o', self.trace]

    def memory(self, samples):
        repeat(self.name, self.recording, samples)
        most = anonymous_mb(self.make())
        shutil.rmtree(self.trace)
        return most

    def measure(self):
        """Returns: rows of what took how long. The commands take turns, so that a machine that is slow for a while is so for all."""
        export = [self.ltt, 'export', '--to', 'perf', '-o']
        commands = [('`ltt import`', self.make()), ('`ltt export --to perf`', [*export, '-', self.trace])]
        if shutil.which('perf'):
            commands.append(('`perf script`', ['perf', 'script', '-i', self.recording]))
        repeat(self.name, self.recording, self.samples)
        took = {name: float('inf') for name, _ in commands}
        for _ in range(self.runs):
            shutil.rmtree(self.trace, ignore_errors=True)
            for name, command in commands:
                took[name] = min(took[name], run(command)[0])
        subprocess.run([*export, self.again, self.trace], check=True)
        subprocess.run(['cmp', self.recording, self.again], check=True)
        os.unlink(self.again)
        shutil.rmtree(self.trace)
        return [[name, '%.0f' % (time * 1e9 / self.samples), '%.1f' % (time / took['`ltt import`'])]
                for name, time in took.items()]


def show(build, folder, samples, runs):
    print('\n## Imports, perf.data of %d samples\n' % samples)
    memory = []
    for name, title in KINDS:
        one = Import(build, folder, name, samples, runs)
        print(table([title, 'ns a sample', '/ import'], one.measure()), end='\n\n', flush=True)
        memory.append([title, *('%.1f' % one.memory(number) for number in (samples // 4, samples))])
        os.unlink(one.recording)
    print(table(['memory of the import, MB', '%d samples' % (samples // 4), '%d samples' % samples], memory), flush=True)
