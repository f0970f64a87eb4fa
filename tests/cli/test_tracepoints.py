"""Tracepoints as text: compared with `perf script`.

With tracefs and perf (root, `mount -t tracefs nodev /sys/kernel/tracing`) it tests every tracepoint
of the machine: with random samples in generated recordings, and with samples recorded live.
"""
import collections
import glob
import os
import random
import re
import shutil
import struct
import subprocess
import sys
import unittest

from cli.test_perf_made import CPU, ID, IP, RAW, TID, TIME, Recording
from command import ALL, ltt
from perf_recordings import PerfTest

EVENTS = '/sys/kernel/tracing/events'
FIELD = re.compile(r'\tfield:([^;]*);\toffset:(\d+);\tsize:(\d+);\tsigned:(\d);')
LINE = re.compile(r'(\d+\.\d{9})  \S+  (?!perf|tracer|builtin)(\S+)(?:  pid=\d+ tid=\d+(?: comm=(?:"[^"]*"|\S+))?)?(?:  (.*))?$')
SAMPLES = 4
AT_ONCE = 500

# Formats that perf 6.1 prints differently, as patterns. The first match is the reason.
REASONS = (
    ('perf reads behind the end of an array that is shorter than its length says', r'__print_hex'),
    ('perf cuts a size_t to 32 bits', r'%[-#0-9.]*z[dux]'),
    ('perf writes %c as >c<', r'%c'),
    ('perf does not know %*pbl', r'%\*pbl'),
    ('perf has (a & b) | c for a & (b | c)', r'REC->\w+ & \(0x\w+ \|'),
    ('perf does not pad a value that has no name', r'%-?\d+s'),
    ('perf takes a name that has no value in the format for 0', None),
    ('perf shows the bytes of a pointer to text as text', r'const char \*'),
    ('perf has a - b + c for a - (b + c)', r'REC->\w+ - REC->\w+ \+'),
    ('perf has !a ? b : c for a ? b : c', r'!REC->\w+ \?'),
    ('perf takes bit 63 of flags for a sign', r'1ULL << 63'),
    ('perf shifts an int as if it had 64 bits', r'<< REC->\w+'),
    ('perf evaluates a statement expression in part', r'\(\{'),
)
KNOWN = set('''REC sizeof unsigned signed int long short char const void struct u8 u16 u32 u64 s8 s16 s32 s64 __u8 __u16 __u32 __u64
 __s32 __s64 bool gfp_t size_t dev_t page uint32_t uint64_t loff_t'''.split())


def has_unknown_name(form):
    text = re.sub(r'"(\\.|[^"\\])*"', '""', form[form.index('print fmt:') + len('print fmt:'):])
    names = re.findall(r'(?<![\w>])([A-Za-z_]\w*)(?!\w*\()', re.sub(r'REC->\w+|__get_\w+\(\w+\)', '', text))
    return any(name not in KNOWN and not re.fullmatch(r'__print_\w+|__builtin_expect|U?L?L', name) for name in names)


def reason(form, of_perf):
    if of_perf.startswith('[FAILED TO PARSE]'):
        return 'perf cannot parse the format'
    for words, pattern in REASONS:
        if re.search(pattern, form) if pattern else has_unknown_name(form):
            return words
    return None


class Tracepoint:
    def __init__(self, system, form):
        self.system = system
        self.form = form
        self.name = '%s:%s' % (system, re.search(r'name: (\S+)', form).group(1))
        self.number = int(re.search(r'ID: (\d+)', form).group(1))
        self.fields = [(declaration, int(offset), int(size), signed == '1')
                       for declaration, offset, size, signed in FIELD.findall(form)]

    def number_by(self, dice, size, signed):
        """Small numbers, single bits and random ones; not negative ones, because perf loses the sign."""
        bits = 8 * size - (1 if signed else 0)
        value = dice.choice((0, dice.randrange(16), 1 << dice.randrange(bits), dice.getrandbits(bits),
                             dice.getrandbits(bits) & dice.getrandbits(bits)))
        return value.to_bytes(size, 'little')

    def text_by(self, dice, length):
        return bytes(dice.choice(b'abcdefghijklmnop_/.:0123') for _ in range(length))

    def array_by(self, dice, declaration):
        if 'char' in declaration and 'unsigned' not in declaration:
            return self.text_by(dice, dice.randrange(20)) + b'\0'
        width = next((width for words, width in ((('long', '64'), 8), (('int', '32'), 4), (('short', '16'), 2))
                      if any(word in declaration for word in words)), 1)
        return dice.randbytes(width * dice.randrange(1, 4))

    def raw(self, dice):
        end = max(offset + size for _, offset, size, _ in self.fields)
        raw, behind = bytearray(end), b''
        raw[:2] = struct.pack('<H', self.number)
        for declaration, offset, size, signed in self.fields:
            if ' common_' in declaration:
                continue
            if declaration.startswith(('__data_loc', '__rel_loc')):
                data = self.array_by(dice, declaration)
                origin = offset + 4 if declaration.startswith('__rel') else 0
                content = struct.pack('<HH', end + len(behind) - origin, len(data))
                behind += data
            elif re.match(r'char \w+\[', declaration):
                content = self.text_by(dice, dice.randrange(size)).ljust(size, b'\0')
            elif size in (1, 2, 4, 8) and '[' not in declaration:
                content = self.number_by(dice, size, signed)
            else:
                content = dice.randbytes(size)
            raw[offset:offset + size] = content
        return bytes(raw) + behind


def tracepoints():
    points = []
    for path in sorted(glob.glob(EVENTS + '/*/*/format')):
        system = path.split('/')[-3]
        if system != 'ftrace':
            with open(path, encoding='utf-8') as file:
                points.append(Tracepoint(system, file.read()))
    return points


def nanoseconds(text):
    return int(text.replace('.', ''))


def of_perf(path):
    """Time -> text. A text may contain newlines. stdbuf preserves the output of a perf that crashes."""
    out = subprocess.run(['stdbuf', '-oL', 'perf', 'script', '-i', path, '--ns', '-F', 'time,trace'], check=False, stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL).stdout.decode(errors='replace')
    texts, time = {}, None
    for line in out.split('\n'):
        match = re.match(r' *(\d+\.\d{9}): ?(.*)', line)
        if match:
            time = nanoseconds(match.group(1))
            texts.setdefault(time, []).append(match.group(2))
        elif time is not None and line:
            texts[time][-1] += '\\n' + line
    return texts


def symbols():
    """Name -> addresses: a name may have several."""
    found = {}
    with open('/proc/kallsyms', encoding='utf-8') as file:
        for words in map(str.split, file):
            found.setdefault(words[2], set()).add(int(words[0], 16))
    return found


@unittest.skipUnless(shutil.which('perf') and glob.glob(EVENTS + '/sched/sched_switch/format'), 'no perf, or tracefs is not mounted')
class Tracepoints(PerfTest):
    def of_ltt(self, path):
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        self.assertIn(ltt('import', path, '-o', trace).status, (0, 1))
        texts = {}
        for line in ltt('dump', trace).out.split('\n'):
            match = LINE.match(line)
            if match:
                texts.setdefault(nanoseconds(match.group(1)), []).append((match.group(2), match.group(3) or ''))
        return texts

    def recording(self, points, dice):
        """Returns a file, and time -> tracepoint of its samples."""
        recording, systems, samples = Recording(), {}, {}
        for number, point in enumerate(points, 1):
            recording.attr(ids=(number,), kind=2, config=point.number, sample_type=IP | TID | TIME | ID | CPU | RAW)
            systems.setdefault(point.system, []).append(point.form.encode())
        for number, point in enumerate(points, 1):
            for _ in range(SAMPLES):
                time = 1000 * (len(samples) + 1)
                samples[time] = point
                recording.sample(time, number=number, raw=point.raw(dice))
        recording.tracing([(system.encode(), forms) for system, forms in systems.items()])
        path = self.path('recording')
        with open(path, 'wb') as file:
            file.write(recording.content())
        return path, samples

    def compare(self, points, dice, found):
        """Removes tracepoints that crash perf, and retries with the others."""
        path, samples = self.recording(points, dice)
        theirs, ours = of_perf(path), self.of_ltt(path)
        missing = next((point for time, point in samples.items() if time not in theirs), None)
        for time, point in samples.items():
            self.assertIn(time, ours, point.name)
            if time in theirs:
                found.setdefault(point.name, []).append((point, theirs[time][0].strip(), ours[time][0][1].strip()))
        if missing is not None:
            found[missing.name] = [(missing, '[FAILED TO PARSE] perf dies of it', '')]
            self.compare(points[points.index(missing) + 1:], dice, found)

    def test_samples_of_chance(self):
        points, dice, found = tracepoints(), random.Random(7), {}
        for start in range(0, len(points), AT_ONCE):
            self.compare(points[start:start + AT_ONCE], dice, found)
        self.assertEqual(len(found), len(points))
        reasons, unexplained = collections.Counter(), []
        for name, samples in found.items():
            differing = [(theirs, mine) for _, theirs, mine in samples if theirs != mine]
            why = reason(samples[0][0].form, differing[0][0]) if differing else 'agree'
            reasons[why] += 1
            if why is None:
                unexplained.append((name, *differing[0]))
        for why, count in reasons.most_common():
            print('# %d of %d tracepoints: %s' % (count, len(points), why), file=sys.stderr)
        self.assertEqual(unexplained, [])
        self.assertGreater(reasons['agree'], len(points) * 9 // 10)

    def is_same(self, theirs, mine, addresses):
        """perf prints symbols of this machine for addresses in the recording."""
        theirs, mine = theirs.split(), mine.split()
        for word, own in zip(theirs, mine):
            symbol = re.search(r'([A-Za-z_][\w.]*)(?:\+0x([0-9a-f]+))?\W*$', word)
            address = re.search(r'0x([0-9a-f]+)\W*$', own)
            if word != own and not (symbol and address and int(address.group(1), 16) - int(symbol.group(2) or '0', 16) in
                                    addresses.get(symbol.group(1), ())):
                return '?' in own  # of a name without a value
        return len(theirs) == len(mine)

    def test_what_occurs(self):
        path = self.path('recorded')
        command = ['perf', 'record', '-q', '-a', '-m', '2M', '-o', path]
        for system in ('sched', 'kmem', 'irq', 'timer', 'signal', 'task', 'writeback', 'workqueue', 'raw_syscalls', 'filelock'):
            if os.path.isdir(os.path.join(EVENTS, system)):
                command += ['-e', system + ':*']
        done = subprocess.run(command + ['sh', '-c', 'for i in %s; do ls -lR /etc /proc/self | sort | tail -1; done' % ('1 2 3' if ALL else '1')], check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        if done.returncode != 0:
            self.skipTest('perf may not record tracepoints here')
        theirs, ours, addresses = of_perf(path), self.of_ltt(path), symbols()
        differing = {point.name.replace(':', '.') for point in tracepoints() if reason(point.form, '') is not None}
        compared = [(texts[0].strip(), *ours[time][0]) for time, texts in theirs.items() if len(texts) == len(ours[time]) == 1]
        for text, name, mine in compared:
            self.assertTrue(self.is_same(text, mine, addresses) or name in differing, (text, name, mine))
        self.assertGreater(len([text for text, name, mine in compared if self.is_same(text, mine, addresses)]), 1000)


del PerfTest
