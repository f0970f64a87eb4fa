"""The speed of importing perf recordings, compared with `perf script`.

The recordings are real ones whose samples are repeated, each a microsecond after the one before, in
bursts of one CPU as perf writes them; branch stacks, which virtual machines do not record, are
made. They are in the page cache. A figure is the sum of user and system CPU time, the minimum of
several alternating runs: wall time depends on other load.
"""
import os
import random
import shutil
import struct
import subprocess

from measuring import table
from read import anonymous_mb, run

DATA = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../data/perf')
SAMPLE = 9
HEADER = struct.Struct('<IHH')
DATA_AT, FEATURES_AT = 40, 72
ROUND = HEADER.pack(68, 0, HEADER.size)
SAMPLES_IN_A_ROUND = 5000
SAMPLES_IN_A_BURST = 500
IMPORT_TARGET, EXPORT_TARGET = 10, 2


def records(content, begin, end):
    while begin < end:
        kind, _, size = HEADER.unpack_from(content, begin)
        yield kind, content[begin:begin + size]
        begin += size


def bursts(bodies, cpu_at):
    """Groups samples by CPU; cpu_at None: samples have no CPU."""
    groups = {}
    for body in bodies:
        groups.setdefault(struct.unpack_from('<I', body, cpu_at)[0] if cpu_at else 0, []).append(body)
    return [groups[cpu] for cpu in sorted(groups)]


class Repeated:
    """A test recording with this many additional samples; the sections after its records move."""

    def __init__(self, name, title, time_at=24, cpu_at=None, share=1):
        self.name, self.title, self.time_at, self.cpu_at, self.share = name, title, time_at, cpu_at, share
        self.fields = []

    def write(self, path, samples):
        with open(os.path.join(DATA, self.name), 'rb') as file:
            content = file.read()
        begin, size = struct.unpack_from('<QQ', content, DATA_AT)
        bodies = [bytearray(record) for kind, record in records(content, begin, begin + size) if kind == SAMPLE]
        last = max(struct.unpack_from('<Q', body, self.time_at)[0] for body in bodies)
        groups = bursts(bodies, self.cpu_at)
        head, tail = bytearray(content[:begin]), bytearray(content[begin + size:])
        with open(path, 'wb') as file:
            file.write(head)
            file.write(content[begin:begin + size])
            for i in range(samples):
                group = groups[i // SAMPLES_IN_A_BURST % len(groups)]
                body = group[i % len(group)]
                struct.pack_into('<Q', body, self.time_at, last + (i + 1) * 1000)
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


class Branches:
    """Samples with branch stacks, as `perf record -b` writes them: 32 branches each."""
    title, share, fields = 'branch stacks of 32 branches', 10, ['-F', '+brstack']
    SAMPLE_TYPE = 1 | 2 | 4 | 1 << 8 | 1 << 11  # ip, thread, time, period, branch stack

    def write(self, path, samples):
        attr = struct.pack('<IIQQQQ', 0, 96, 0, 4000, self.SAMPLE_TYPE, 0) + bytes([0, 0, 4, 0, 0, 0, 0, 0])
        attr = (attr + bytes(24) + struct.pack('<Q', 1 << 3)).ljust(96, b'\0')
        dice = random.Random(1)
        stacks = [b''.join(struct.pack('<QQQ', dice.randrange(1 << 47), dice.randrange(1 << 47), 2 | dice.randrange(99) << 4)
                           for _ in range(32)) for _ in range(64)]
        size = HEADER.size + 8 + 8 + 8 + 8 + 8 + len(stacks[0])
        data_at = 104 + len(attr) + 16
        with open(path, 'wb') as file:
            file.write(b'PERFILE2' + struct.pack('<12Q', 104, len(attr) + 16, 104, len(attr) + 16, data_at, samples * size,
                                                 0, 0, 0, 0, 0, 0) + attr + bytes(16))
            for i in range(samples):
                file.write(HEADER.pack(SAMPLE, 2, size) + struct.pack('<QIIQQQ', 0x401000 + i % 4096, 10, 11, 10 ** 9 + i * 1000,
                                                                      1, 32) + stacks[i % len(stacks)])


class SystemCalls:
    """Samples of raw_syscalls:sys_enter and sys_exit, in turns, as `perf trace record` makes them."""
    title, share, fields = 'system calls', 1, []
    SAMPLE_TYPE = 1 << 16 | 1 << 0 | 1 << 1 | 1 << 2 | 1 << 7 | 1 << 8 | 1 << 10  # ..., period, raw
    FORMATS = (('sys_enter', 'long id', 8, 'unsigned long args[6]', 48), ('sys_exit', 'long id', 8, 'long ret', 8))

    @staticmethod
    def format(number, name, first, first_size, second, second_size):
        """Returns: the format file of a tracepoint."""
        common = (('unsigned short common_type', 0, 2), ('unsigned char common_flags', 2, 1),
                  ('unsigned char common_preempt_count', 3, 1), ('int common_pid', 4, 4))
        own = ((first, 8, first_size), (second, 8 + first_size, second_size))
        common, own = ('\n'.join('\tfield:%s;\toffset:%d;\tsize:%d;\tsigned:%d;' % (*field, 'unsigned' not in field[0])
                                 for field in fields) for fields in (common, own))
        return ('name: %s\nID: %d\nformat:\n%s\n\n%s\n\nprint fmt: "NR %%ld", REC->id\n'
                % (name, number, common, own)).encode()

    def tracing(self):
        """Returns: the feature TRACING_DATA."""
        def sized(text):
            return struct.pack('<Q', len(text)) + text
        page = b''.join(b'\tfield: %s;\toffset:%d;\tsize:%d;\tsigned:%d;\n' % field for field in (
            (b'u64 timestamp', 0, 8, 0), (b'local_t commit', 8, 8, 1), (b'int overwrite', 8, 1, 1), (b'char data', 16, 4080, 1)))
        formats = [self.format(100 + i, *form) for i, form in enumerate(self.FORMATS)]
        return (b'\x17\x08\x44tracing0.6\0\0\x08' + struct.pack('<I', 4096) + b'header_page\0' + sized(page)
                + b'header_event\0' + sized(b'-') + struct.pack('<I', 0) + struct.pack('<I', 1) + b'raw_syscalls\0'
                + struct.pack('<I', len(formats)) + b''.join(map(sized, formats)) + struct.pack('<IIQ', 0, 0, 0))

    def samples(self, count):
        """Yields: records, in bursts of one of four CPUs."""
        raws = (struct.pack('<HBBi7Q', 100, 0, 0, 11, 1, 3, 4, 5, 6, 7, 8), struct.pack('<HBBiQQ', 101, 0, 0, 11, 1, 4096))
        for i in range(count):
            raw = struct.pack('<I', len(raws[i % 2]) + 4) + raws[i % 2] + bytes(4)
            body = struct.pack('<QQIIQIIQ', 1 + i % 2, 0xffffffff81000000, 10, 11 + i // SAMPLES_IN_A_BURST % 4,
                               10 ** 9 + i * 500, i // SAMPLES_IN_A_BURST % 4, 0, 1) + raw
            yield HEADER.pack(SAMPLE, 2, HEADER.size + len(body)) + body

    def write(self, path, samples):
        tracing = self.tracing()
        attrs_at = 104 + 16
        data_at = attrs_at + 2 * (96 + 16)
        attrs = b''.join(
            (struct.pack('<IIQQQQ', 2, 96, 100 + i, 1, self.SAMPLE_TYPE, 0) + struct.pack('<Q', 1 << 18)).ljust(96, b'\0')
            + struct.pack('<QQ', 104 + 8 * i, 8) for i in range(2))
        with open(path, 'wb') as file:
            file.write(bytes(104) + struct.pack('<QQ', 1, 2) + attrs)
            size = 0
            for record in self.samples(samples):
                size += file.write(record)
            file.write(struct.pack('<QQ', data_at + size + 16, len(tracing)) + tracing)
            file.seek(0)
            file.write(b'PERFILE2' + struct.pack('<12Q', 104, 96 + 16, attrs_at, len(attrs), data_at, size, 0, 0, 1 << 1,
                                                 0, 0, 0))


# Fewer samples than other kinds, because these are large.
KINDS = (Repeated('file-callgraph.data', 'call chains'),
         Repeated('offline-cpu.data', 'samples of 40 bytes: ip, thread, time, period'),
         Repeated('file-tracepoints.data', 'tracepoints', time_at=32, cpu_at=40),
         Repeated('addr-weight-datasrc.data', 'data sources'),
         Repeated('dwarf-regs-stack.data', 'registers and stacks', share=10),
         Branches(), SystemCalls())


class Import:
    """The figures of one recording."""

    def __init__(self, build, folder, kind, samples, runs):
        self.ltt = os.path.join(build, 'bin', 'ltt')
        self.recording, self.trace, self.again = (os.path.join(folder, 'import.' + part)
                                                  for part in ('data', 'trace', 'again'))
        self.kind, self.samples, self.runs = kind, max(samples // kind.share, 1), runs

    def make(self):
        return [self.ltt, 'import', self.recording, '-o', self.trace]

    def memory(self, samples):
        self.kind.write(self.recording, samples // self.kind.share)
        most = anonymous_mb(self.make())
        shutil.rmtree(self.trace)
        os.unlink(self.recording)
        return most

    def measure(self):
        """Returns: CPU time per sample in ns, by operation."""
        export = [self.ltt, 'export', '--to', 'perf', '-o']
        commands = {'import': self.make(), 'export': [*export, '-', self.trace]}
        if shutil.which('perf'):
            commands['script'] = ['perf', 'script', '-i', self.recording, *self.kind.fields]
        self.kind.write(self.recording, self.samples)
        took = dict.fromkeys(commands, float('inf'))
        for _ in range(self.runs):
            shutil.rmtree(self.trace, ignore_errors=True)
            for name, command in commands.items():
                took[name] = min(took[name], run(command)[1])
        subprocess.run([*export, self.again, self.trace], check=True)
        subprocess.run(['cmp', self.recording, self.again], check=True)
        os.unlink(self.again)
        shutil.rmtree(self.trace)
        os.unlink(self.recording)
        return {name: cpu * 1e9 / self.samples for name, cpu in took.items()}


def show(build, folder, samples, runs, title=None):
    """Title None: all kinds of recordings."""
    print('\n## Imports, perf.data of %d samples, large ones of a tenth\n' % samples)
    figures = []
    for kind in (kind for kind in KINDS if title in (None, kind.title)):
        took = Import(build, folder, kind, samples, runs).measure()
        figures.append((took.get('script', float('nan')) / took['import'], took['export'] / took['import'], kind.title, took))
    figures.sort(key=lambda figure: figure[0])
    rows = [['worst: `perf script` / import', '%.1f' % figures[0][0], 'at least %d' % IMPORT_TARGET],
            ['worst: export / import', '%.1f' % max(figure[1] for figure in figures), 'under %d' % EXPORT_TARGET]]
    print(table(['CPU time', 'ratio', 'target'], rows), end='\n\n')
    rows = [[title, '%.0f' % took['import'], '%.0f' % took.get('script', float('nan')), '%.1f' % script, '%.0f' % took['export'],
             '%.1f' % export] for script, export, title, took in figures]
    print(table(['ns of CPU a sample', 'import', '`perf script`', '/ import', 'export', '/ import'], rows), end='\n\n', flush=True)
    if title is not None:
        return
    rows = []
    for kind in KINDS[:2]:
        one = Import(build, folder, kind, samples, runs)
        rows.append([kind.title, *('%.1f' % one.memory(number) for number in (samples // 4, samples))])
    print(table(['memory of the import, MB', '%d samples' % (samples // 4), '%d samples' % samples], rows), flush=True)
