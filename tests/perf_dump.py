"""perf_dump.py - the records of a recording as perf itself reads them: `perf script -D` prints each one.

    0x830@recording [0x30]: event: 9                                      when perf reads the record
    .  0000:  09 00 00 00 01 00 30 00 66 bd 9e 97 ff ff ff ff  ......
    47162575895 0x830 [0x30]: PERF_RECORD_SAMPLE(IP, 0x1): 198/198: 0xffffffff979ebd66 period: 5025125 addr: 0
                                                                          when it delivers it, in order of time
"""
import re
import shutil
import subprocess
import sys

READ = re.compile(rb'^(0x[0-9a-f]+)@.* \[(0x[0-9a-f]+)\]: event: (\d+)\n\.\n.*\n\.  0000: ((?: [0-9a-f]{2})+)', re.M)
DELIVERED = re.compile(rb'^((?:-?\d+ )+)(0x[0-9a-f]+) \[0x[0-9a-f]+\]: PERF_RECORD_(\w+)(.*)', re.M)
SAMPLE = re.compile(rb'\(IP, 0x[0-9a-f]+\): (-?\d+)/(-?\d+): (0x[0-9a-f]+|0) period: (\d+) addr: (0x[0-9a-f]+|0)')
NO_CPU = 0xffffffff


class Dumped:
    """A record: offset in the file, type, size, misc; the members below are None if perf prints none."""

    def __init__(self, found):
        self.offset, self.size = int(found[1], 16), int(found[2], 16)
        self.type = int(found[3])
        self.misc = int.from_bytes(bytes.fromhex(found[4].decode())[4:6], sys.byteorder)  # perf has converted it
        self.time = self.cpu = self.pid = self.tid = self.ip = self.period = self.addr = None

    def deliver(self, numbers, rest):
        """@numbers: the CPU, if the samples have one, and the time"""
        if len(numbers) == 2 and 0 <= numbers[0] != NO_CPU:
            self.cpu = numbers[0]
        if numbers[-1] >= 0:
            self.time = numbers[-1]
        sample = SAMPLE.match(rest)
        if sample:
            self.pid, self.tid, self.period = int(sample[1]), int(sample[2]), int(sample[4])
            self.ip, self.addr = int(sample[3], 16), int(sample[5], 16)


def perf_dump(path):
    """Returns: (nullable): the records by offset; None if perf reports an error, or hangs"""
    try:
        result = subprocess.run(['perf', 'script', '-D', '--no-itrace', '-i', path], stdin=subprocess.DEVNULL, check=False,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    except subprocess.TimeoutExpired:
        return None
    if result.returncode != 0:
        return None
    records = {}
    for found in READ.finditer(result.stdout):
        record = Dumped(found)
        records[record.offset] = record
    for found in DELIVERED.finditer(result.stdout):
        record = records.get(int(found[2], 16))
        if record is not None:
            record.deliver([int(number) for number in found[1].split()], found[4])
    return records


def has_perf():
    return shutil.which('perf') is not None
