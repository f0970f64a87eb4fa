#!/usr/bin/env python3
"""Runs the fuzz targets on the kept corpus, and keeps the inputs that reach more.

usage: corpus.py [--seconds N] [--fast] [--folder FOLDER] [--keep] [--report] [TARGET...]

For example, after `scons fuzz`:
    python3 tests/fuzz/corpus.py --seconds 600 --keep trace sql

tests/fuzz/corpus/TARGET.tar.xz is the kept corpus: for each branch, an input that reaches it, as few and as small as
possible. A run of a target starts from it, from the initial inputs (seeds.py), from those that once failed
(tests/fuzz/corpus/TARGET/), and from those that earlier runs found in FOLDER, build/fuzz/corpus by default. It ends
after N seconds, or at an input that fails, which is then FOLDER/TARGET/failed-...: fix the fault and add the input to
tests/fuzz/corpus/TARGET. --fast runs targets without the address sanitizer, which execute up to ten times as many
inputs; what they find is tried with it by --keep and by the next run. --keep merges all inputs into a new kept corpus.
--report prints a line for each target, from the logs of all its runs in FOLDER; with --fast, of those without the
sanitizer, which count fewer branches. Without a target, it handles all of them.

The same inputs make the same file.
"""
import argparse
import glob
import io
import lzma
import os
import re
import resource
import shutil
import subprocess
import sys
import tarfile

import seeds

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT = os.path.join(HERE, 'corpus')
FUZZERS = os.path.join(seeds.SOURCE, 'build/fuzz')

# Bounds of a kept corpus: of one input, and of the file.
MOST_INPUT_BYTES = 128 * 1024
MOST_FILE_BYTES = 150 * 1000

# Many targets write files; a disk would be slow.
TEMPORARY = '/dev/shm'

LIMITS = ['-timeout=60', '-rss_limit_mb=3000']
# Without the stack of each allocation, and with few freed ones kept, a target executes more inputs. A replay reports both.
SANITIZER = 'malloc_context_size=0:quarantine_size_mb=16'


def pack(contents):
    """A tar file with the inputs in order of their size and bytes, numbered."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode='w', format=tarfile.USTAR_FORMAT) as archive:
        for number, content in enumerate(sorted(contents, key=lambda content: (len(content), content))):
            member = tarfile.TarInfo('%05d' % number)
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return lzma.compress(out.getvalue())


def kept(target):
    """The inputs of the kept corpus, the smallest first."""
    path = os.path.join(KEPT, target + '.tar.xz')
    if not os.path.exists(path):
        return []
    with tarfile.open(path) as archive:
        return [archive.extractfile(member).read() for member in archive]


def failed(target):
    """The inputs that once failed."""
    return [seeds.read(path) for path in sorted(glob.glob(os.path.join(KEPT, target, '*')))]


def pack_bounded(contents):
    """Packs as many inputs as the file may have, the smallest first."""
    contents = sorted(contents, key=len)
    packed = pack(contents)
    while len(packed) > MOST_FILE_BYTES:
        contents = contents[:len(contents) * 7 // 8]
        packed = pack(contents)
    return packed


class Target:
    def __init__(self, name, initial, folder, fast=False):
        self.name = name
        self.program = os.path.join(FUZZERS, 'fast' if fast else '', name)
        self.logs = os.path.join(folder, name, 'fast' if fast else 'log')
        self.initial = initial
        self.folder = os.path.join(folder, name)
        self.found = os.path.join(self.folder, 'found')
        self.start = os.path.join(self.folder, 'start')
        os.makedirs(self.found, exist_ok=True)

    def write_start(self):
        shutil.rmtree(self.start, ignore_errors=True)
        seeds.write(self.folder, 'start', self.initial + failed(self.name) + kept(self.name))

    def fuzz(self, program, log, *arguments):
        """Runs libFuzzer. Returns: its exit status"""
        command = [program, '-artifact_prefix=%s/failed-' % self.folder, *LIMITS, *arguments]
        environment = dict(os.environ, LTT_SOURCE=seeds.SOURCE, ASAN_OPTIONS=SANITIZER)
        if os.path.isdir(TEMPORARY):
            environment['TMPDIR'] = TEMPORARY
        with open(log, 'w', encoding='utf-8') as file:
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            status = subprocess.run(command, stdout=file, stderr=file, env=environment, check=False).returncode
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            file.write('\ncpu: %.1f\n' % (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))
        return status

    def run(self, seconds):
        self.write_start()
        log = '%s-%04d' % (self.logs, len(glob.glob(self.logs + '-*')))
        status = self.fuzz(self.program, log, '-max_total_time=%d' % seconds, '-print_final_stats=1', self.found, self.start)
        if status != 0:
            print('%s: failed; see %s' % (self.name, log), flush=True)
        return status

    def merge(self, *arguments):
        """Returns: the inputs that a merge keeps, without large ones"""
        merged = os.path.join(self.folder, 'merged')
        shutil.rmtree(merged, ignore_errors=True)
        os.makedirs(merged)
        status = self.fuzz(os.path.join(FUZZERS, self.name), os.path.join(self.folder, 'merge.log'), '-set_cover_merge=1', *arguments, merged, self.found, self.start)
        if status != 0:
            sys.exit('%s: the merge failed; see %s/merge.log' % (self.name, self.folder))
        paths = [path for path in glob.glob(os.path.join(merged, '*')) if os.path.getsize(path) <= MOST_INPUT_BYTES]
        return [seeds.read(path) for path in paths]

    def keep(self):
        """Merges by branches; if there is room, by branches and how often an input reaches them."""
        self.write_start()
        contents = self.merge()
        packed = pack(contents)
        if len(packed) > MOST_FILE_BYTES:
            packed = pack_bounded(self.merge('-use_counters=0'))
        with open(os.path.join(KEPT, self.name + '.tar.xz'), 'wb') as file:
            file.write(packed)

    def report(self):
        """Executions and branches of all runs, and the new branches in the last half of the executions."""
        n_runs, cpu, points = 0, 0.0, []
        for path in sorted(glob.glob(self.logs + '-*')):
            with open(path, encoding='utf-8', errors='replace') as file:
                text = file.read()
            points += [(n_runs + int(n), int(cov)) for n, cov in re.findall(r'^#(\d+)\s.*?cov: (\d+)', text, re.M)]
            n_runs = max([n_runs] + [point[0] for point in points])
            cpu += sum(float(seconds) for seconds in re.findall(r'^cpu: ([\d.]+)', text, re.M))
        branches = max((cov for _, cov in points), default=0)
        half = max((cov for n, cov in points if n <= n_runs / 2), default=0)
        path = os.path.join(KEPT, self.name + '.tar.xz')
        print('| `%s` | %s | %s | %d | %.2f | %d inputs, %d kB |' % (
            self.name, format(n_runs, ','), format(branches, ','), branches - half, cpu / 3600, len(kept(self.name)),
            os.path.getsize(path) // 1000 if os.path.exists(path) else 0), flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--seconds', type=int, default=0)
    parser.add_argument('--fast', action='store_true')
    parser.add_argument('--folder', default=os.path.join(FUZZERS, 'corpus'))
    parser.add_argument('--keep', action='store_true')
    parser.add_argument('--report', action='store_true')
    parser.add_argument('targets', nargs='*')
    options = parser.parse_args()
    status = 0
    initial = seeds.seeds()
    for name in options.targets or sorted(initial):
        target = Target(name, initial[name], options.folder, options.fast)
        if options.seconds > 0 and target.run(options.seconds) != 0:
            status = 1
        if options.keep:
            target.keep()
        if options.report:
            target.report()
    sys.exit(status)


if __name__ == '__main__':
    main()
