"""abi.py - the binary interface of the shared libraries, and how it differs from the recorded one.

usage: abi.py BUILD        record the interface of BUILD/lib as the one that programs are linked with

tests/data/abi has one description for each library, as abidw (libabigail) writes it, compressed. It
contains the functions and the types of the public headers. `scons abi` runs this program.
"""
import gzip
import os
import subprocess
import sys

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
RECORDED = os.path.join(SOURCE, 'tests/data/abi')
HEADERS = os.path.join(SOURCE, 'libltt/include/ltt')
LIBRARIES = ('libltt', 'libltt-probe', 'libltt-sql', 'libltt-view')

# The bits of the exit status of abidiff.
FAILED = 1 | 2
CHANGED = 4


def describe(library):
    """The description of a library's interface, as XML: without paths and lines of the sources."""
    return subprocess.run(
        ['abidw', '--headers-dir', HEADERS, '--drop-private-types', '--no-corpus-path', '--no-comp-dir-path', '--no-show-locs',
         '--no-elf-needed', library], stdout=subprocess.PIPE, check=True).stdout


def differences(recorded, described):
    """What changed from one file with a description to another, as text; '' if only functions were added."""
    run = subprocess.run(['abidiff', '--no-added-syms', recorded, described],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if run.returncode & FAILED or run.returncode < 0:
        raise RuntimeError('abidiff: status %d\n%s' % (run.returncode, run.stdout))
    return run.stdout if run.returncode & CHANGED else ''


def path_of(library):
    return os.path.join(RECORDED, library + '.abi.gz')


def main():
    for library in LIBRARIES:
        described = describe(os.path.join(sys.argv[1], 'lib', library + '.so'))
        with open(path_of(library), 'wb') as raw, gzip.GzipFile('', 'wb', 9, raw, 0) as file:
            file.write(described)


if __name__ == '__main__':
    main()
