"""How fast a recording of perf becomes a trace, beside perf that prints it.

The recording is a real one whose samples are repeated, each a microsecond after the one before. It is in the page cache,
and each figure is the least of several runs.
"""
import os
import shutil
import struct
import subprocess

from measuring import table
from read import anonymous_mb, seconds

RECORDING = os.path.join(os.path.dirname(os.path.abspath(__file__)), '../data/perf/file-callgraph.data')
SAMPLE = 9
PERF_RUNS = 2
HEADER = struct.Struct('<IHH')
DATA_AT, FEATURES_AT, TIME_AT = 40, 72, 24
ROUND = HEADER.pack(68, 0, HEADER.size)
SAMPLES_IN_A_ROUND = 5000


def records(content, begin, end):
    while begin < end:
        kind, _, size = HEADER.unpack_from(content, begin)
        yield kind, content[begin:begin + size]
        begin += size


def repeat(path, samples):
    """Writes the recording with so many samples more; what stands behind the records moves."""
    with open(RECORDING, 'rb') as file:
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


def show(build, folder, samples, runs):
    ltt = os.path.join(build, 'bin', 'ltt')
    recording, trace, again = (os.path.join(folder, name) for name in ('perf.data', 'perf.trace', 'again.data'))
    repeat(recording, samples)
    print('\n## Imports, a perf.data of %d samples with call chains, %.0f MB\n' % (samples, os.path.getsize(recording) / 1e6))

    def fresh(command, made):
        least = float('inf')
        for _ in range(runs):
            shutil.rmtree(made, ignore_errors=True)
            least = min(least, seconds(command, 1))
        return least

    took = [('`ltt import`', fresh([ltt, 'import', recording, '-o', trace], trace))]
    took.append(('`ltt export --to perf`', seconds([ltt, 'export', '--to', 'perf', '-o', '-', trace], runs)))
    subprocess.run([ltt, 'export', '--to', 'perf', '-o', again, trace], check=True)
    subprocess.run(['cmp', recording, again], check=True)
    shutil.rmtree(trace)
    memory = anonymous_mb([ltt, 'import', recording, '-o', trace])
    if shutil.which('perf'):
        took.append(('`perf script`', seconds(['perf', 'script', '-i', recording], PERF_RUNS)))
    print(table(['', 'ns a sample', '/ import'],
                [[name, '%.0f' % (time * 1e9 / samples), '%.1f' % (time / took[0][1])] for name, time in took]))
    print('\nmemory of the import: %.1f MB' % memory, flush=True)
