"""memory_faults.py - let each allocation of a command, and of a traced program, fail, one at a time.

usage: memory_faults.py [--build BUILD] [--command NAME] [--every N]

A preloaded library (fail-malloc.c) counts the allocations of a command, and then lets one of them fail in each run. Those of a
start without work are left out: without memory the C library takes another locale. The rules are those of faults.py. GLib ends
a program without memory: there is a message, and nothing has the name of the result. libxml2 2.9, and fontconfig and Pango,
which find the fonts of pictures, do not check all allocations: a crash in their code is such an end, too. A traced program,
which has no GLib, writes the same line and ends with the same status, and its events are in the trace or counted.

The last line counts faults and what broke these rules. Exit status 1: something did.
"""
import argparse
import functools
import os
import re
import signal
import subprocess
import sys
import tempfile

import faults
import record_faults
from tally import tally

# Commands that are programs of their own; their argv[0] is the command.
APART = ('sql', 'view')
# A line of fail-malloc.c about the libraries that may crash.
CRASH = re.compile(r'^fail-malloc: a crash in \S*/(libxml2|libfontconfig|libpango(ft2)?-1\.0)\.so', re.M)
# GLib, on standard output, while it looks for the text of an errno.
GLIB_SAYS = re.compile(rb'\ACould not open converter from .*\n')


def build_library(folder):
    path = os.path.join(folder, 'fail-malloc.so')
    subprocess.run([os.environ.get('CC', 'cc'), '-O2', '-shared', '-fPIC', '-o', path, os.path.join(faults.SOURCE, 'tests/faults/fail-malloc.c')], check=True)
    return path


class Memory:
    def __init__(self, build, folder):
        self.commands, self.recordings = faults.Faults(build, folder), record_faults.Recordings(build, folder)
        self.library, self.log = build_library(folder), os.path.join(folder, 'allocations')

    def environment(self, program, number, kind=''):
        return {'FAIL_MALLOC_KIND': kind, 'LD_PRELOAD': self.library, 'FAIL_MALLOC_IN': program, 'FAIL_MALLOC': str(number), 'FAIL_MALLOC_COUNT': self.log}

    def count(self, run, environment):
        """Returns how a run in this environment ended, and its number of allocations."""
        if os.path.exists(self.log):  # of the runs before
            os.unlink(self.log)
        ended = run(environment=environment)
        with open(self.log, encoding='ascii') as file:
            return ended, max(map(int, file))

    def try_command(self, name, every, first=0, kind=''):
        """Yields (number of the allocation, what went wrong or None) for every N-th one. kind: aligned: only those of blocks"""
        words, result = faults.COMMANDS[name]
        program = words[0] if words[0] in APART else 'ltt'
        _, start = self.count(functools.partial(self.commands.run, [words[0], '--help'], None), self.environment(program, 0, kind))
        plain, n = self.count(functools.partial(self.commands.run, words, result), self.environment(program, 0, kind))
        for number in range(start + 1 + first, n + 1, every):
            ended = self.commands.run(words, result, environment=self.environment(program, number, kind))
            if ended.status == -signal.SIGSEGV and CRASH.search(ended.err):
                ended = ended._replace(status=-signal.SIGABRT)
            if result is None:
                ended = ended._replace(digest=GLIB_SAYS.sub(b'', ended.digest))
            yield number, self.commands.judge(name, 'mmap', ended, plain)

    def try_program(self, words):
        """The same for a traced program: each of its allocations."""
        plain, n = self.count(functools.partial(self.recordings.run, 'program', words=words), self.environment('steady', 0))
        assert not self.recordings.judge(plain), plain
        for number in range(1, n + 1):
            ended = self.recordings.run('program', environment=self.environment('steady', number), words=words)
            yield number, self.recordings.judge(ended)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--command', choices=sorted([*faults.COMMANDS, 'program']))
    parser.add_argument('--every', type=int, default=1, help='try every N-th allocation of a command')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        faults.make_recording(os.path.join(folder, 'perf.data'))
        memory = Memory(os.path.abspath(options.build), folder)
        tried = (('%s: allocation %d' % (name, number), wrong)
                 for name in ([options.command] if options.command else [*faults.commands(options.build), 'program'])
                 for number, wrong in (memory.try_program([]) if name == 'program' else memory.try_command(name, options.every)))
        status = tally('allocations fail', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
