"""mutants.py - change the library in small ways, one at a time, and see whether the tests notice.

usage: mutants.py [--sample N] [--seed S] [--jobs N] [--tests NAME...] FILE...      files of libltt, such as libltt/reader/block.c

Takes N of the mutants of all files at random. Each is compiled and linked to a shared library, with which the programs of
build/sanitize and the tests that are named run, cheapest first, until one fails. A mutant is

    killed      a test fails, a sanitizer reports, or a program hangs
    survived    all tests pass: printed with its place; either a test is missing, or the change has no effect
    equivalent  the compiler makes the same code of it, or does not compile it: not counted

The last line is the share that was killed. Run `scons build/sanitize/tests build/sanitize/bin` before.
"""
import argparse
import glob
import hashlib
import os
import random
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor

import mutations

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.join(SOURCE, 'build/sanitize')
OBJECTS = os.path.join(BUILD, 'obj')
SANITIZE = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
# Libraries of their own, which use libltt.
APART = ('sql', 'view')
PACKAGES = ('glib-2.0', 'libxml-2.0', 'libzstd', 'zlib', 'sqlite3')
LIMIT_S = 300


def flags(kind):
    return subprocess.run(['pkg-config', kind, *PACKAGES], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


COMPILE = ['clang', '-std=gnu11', '-O1', '-g0', '-fPIC', '-w', *SANITIZE, '-Ilibltt/include', '-Ilibltt', '-I' + OBJECTS + '/libltt',
           '-DLTT_BUILDING', '-DLTT_VERSION="0.1.0"', *flags('--cflags'), '-c']
LIBRARIES = [*flags('--libs'), '-larchive', '-lm', '-lcunit', '-ledit']


def objects_of(folder, ending):
    return sorted(glob.glob(os.path.join(OBJECTS, folder, '**', '*' + ending), recursive=True))


def library_objects():
    """Source without its ending -> object file: those of libltt, without those of APART."""
    found = {}
    for path in objects_of('libltt', '.os'):
        name = os.path.relpath(path, OBJECTS)[:-len('.os')]
        if name.split('/')[1] not in APART:
            found[name] = path
    return found


def link(*words):
    subprocess.run(['clang', *SANITIZE, *words], cwd=SOURCE, check=True)


def link_library(folder, objects):
    link('-shared', '-Wl,-soname,libmutant.so', '-o', os.path.join(folder, 'libmutant.so'), *objects, *LIBRARIES)


def link_programs(folder):
    """Links what the tests run to libmutant.so, in a folder with the layout of build/sanitize."""
    for name in ('bin', 'libexec/ltt', 'tests'):
        os.makedirs(os.path.join(folder, name))
    for name in ('share', 'samples', 'probe', 'python', 'replay'):
        if os.path.exists(os.path.join(BUILD, name)):
            os.symlink(os.path.join(BUILD, name), os.path.join(folder, name))
    needs = [os.path.join(folder, 'libmutant.so'), *LIBRARIES]
    sql = objects_of('libltt/sql', '.os')
    tools = glob.glob(os.path.join(OBJECTS, 'tools/*.o'))
    shared = [path for path in tools if not os.path.basename(path).startswith(('ltt.', 'apart-'))]
    link('-o', os.path.join(folder, 'bin/ltt'), os.path.join(OBJECTS, 'tools/ltt.o'), *shared, *needs)
    link('-o', os.path.join(folder, 'libexec/ltt/ltt-sql'), os.path.join(OBJECTS, 'tools/apart-sql.o'), *objects_of('tools/sql', '.o'), *shared, *sql, *needs)
    support = glob.glob(os.path.join(OBJECTS, 'tests/unit/support*.o'))
    for test in glob.glob(os.path.join(OBJECTS, 'tests/unit/test-*.o')):
        link('-o', os.path.join(folder, 'tests', os.path.basename(test)[:-2]), test, *support, *sql, *needs)


class Runner:
    def __init__(self, folder, options):
        self.programs, self.tests = folder, options.tests
        self.objects = library_objects()
        link_library(folder, self.objects.values())
        link_programs(folder)
        self.plain = {path: self.compile(path, folder, None) for path in options.files}

    def compile(self, path, folder, text):
        """Returns the digest of the object file, and its path; None: does not compile."""
        made = os.path.join(folder, 'mutant.o')
        # From standard input, so that the objects of equal code are equal.
        if text is None:
            with open(path, encoding='utf-8') as file:
                text = file.read()
        run = subprocess.run([*COMPILE, '-I' + os.path.dirname(path), '-x', 'c', '-', '-o', made], cwd=SOURCE, input=text, text=True,
                             stderr=subprocess.DEVNULL, check=False)
        if run.returncode != 0:
            return None
        with open(made, 'rb') as file:
            return hashlib.sha256(file.read()).hexdigest()

    def is_noticed(self, folder):
        environment = dict(os.environ, LD_LIBRARY_PATH=folder, TMPDIR=folder)
        for test in self.tests:
            command = [sys.executable, os.path.join(SOURCE, 'tests/harness.py'), '--build', self.programs, '--use', os.path.join(SOURCE, 'build'),
                       '--jobs', '1', '--only', test]
            try:
                run = subprocess.run(command, cwd=SOURCE, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                     stderr=subprocess.STDOUT, text=True, timeout=LIMIT_S, check=False)
            except subprocess.TimeoutExpired:
                return 'hangs in ' + test
            if run.returncode != 0:
                failed = [line for line in run.stdout.splitlines() if line.startswith('FAILED')]
                return failed[0] if failed else test
        return None

    def run(self, mutant):
        """Returns 'killed', 'survived' or 'equivalent', and by what."""
        with tempfile.TemporaryDirectory(prefix='ltt-mutant-', dir='/dev/shm', ignore_cleanup_errors=True) as folder:
            digest = self.compile(mutant.path, folder, mutations.apply(mutant))
            if digest in (None, self.plain[mutant.path]):
                return 'equivalent', ''
            changed = dict(self.objects, **{mutant.path[:-2]: os.path.join(folder, 'mutant.o')})
            link_library(folder, changed.values())
            by = self.is_noticed(folder)
            return ('killed', by) if by else ('survived', '')


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--sample', type=int, default=100, help='how many mutants to try')
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument('--jobs', type=int, default=2)
    parser.add_argument('--tests', nargs='+', default=['test-'], help='parts of names of tests, cheapest first')
    parser.add_argument('--files', nargs='+', required=True)
    return parser.parse_args()


def main():
    options = arguments()
    every = [mutant for path in options.files for mutant in mutations.of_file(os.path.join(SOURCE, path))]
    every = [mutant._replace(path=os.path.relpath(mutant.path, SOURCE)) for mutant in every]
    os.chdir(SOURCE)
    sample = random.Random(options.seed).sample(every, min(options.sample, len(every)))
    counts = {'killed': 0, 'survived': 0, 'equivalent': 0}
    folder = tempfile.mkdtemp(prefix='ltt-mutants-', dir='/dev/shm')
    try:
        runner = Runner(folder, options)
        problem = runner.is_noticed(folder)
        if problem:
            sys.exit('the tests fail without a mutant: ' + problem)
        with ThreadPoolExecutor(options.jobs) as pool:
            for mutant, (end, by) in zip(sample, pool.map(runner.run, sample)):
                counts[end] += 1
                print('%-10s %s:%d: %s%s' % (end, mutant.path, mutant.line, mutant.what, '  (%s)' % by if by else ''), flush=True)
    finally:
        shutil.rmtree(folder)
    tried = counts['killed'] + counts['survived']
    print('%d of %d mutants tried: %d killed, %d survived, %d without an effect on the code; %.0f %% killed'
          % (len(sample), len(every), counts['killed'], counts['survived'], counts['equivalent'], 100 * counts['killed'] / max(tried, 1)))


if __name__ == '__main__':
    main()
