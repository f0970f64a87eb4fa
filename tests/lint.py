#!/usr/bin/env python3
"""lint.py - static checks of the sources: layout, headers, pyflakes, cppcheck; clang-tidy.

usage: lint.py lint       run all checks and print what they report; exit status 1 if anything
       lint.py tidy       run clang-tidy, which takes some minutes (tests/tidy.py)
       lint.py format     format all C files

Each tool's configuration is checked in: .clang-format, .clang-tidy, .cppcheck-suppress.
"""
import os
import subprocess
import sys
import sysconfig
import time
from concurrent.futures import ThreadPoolExecutor
from functools import partial

from tidy import Tidy, generated_folders

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def files(*folders, ending):
    """All files under some folders with these suffixes, sorted."""
    found = []
    for folder in folders:
        for path, _, names in os.walk(folder):
            found += [os.path.join(path, name) for name in names if name.endswith(ending)]
    return sorted(found)


def run(command):
    """Returns the output of a command that failed, None for one that succeeded."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    said = [line for line in done.stdout.splitlines() if not line.endswith('warnings generated.')]
    return '\n'.join(said or ['%s: status %d' % (' '.join(command), done.returncode)]) if done.returncode else None


def pkg_config(*packages):
    return subprocess.run(['pkg-config', '--cflags', *packages], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.split()


def groups(names, size):
    return [names[start:start + size] for start in range(0, len(names), size)]


PROGRAMS = ('libltt', 'tools', 'preload', 'python', 'samples')
PRIVATE = ['-Ilibltt/include', '-Ilibltt', '-Ibuild/obj/libltt', '-DLTT_BUILDING']


def lint():
    """Name and commands of each step; a command does not depend on any other."""
    programs = files(*PROGRAMS, ending='.c')
    everything = files('libltt', 'tools', 'preload', 'python', 'tests', 'samples', ending=('.c', '.h'))
    scripts = files('tests', 'samples', ending='.sh') + ['.ci/run']
    glib = ['--library=gtk', '--library=posix', '--library=gnu', '-Dg_autoptr(type)=type *', '-Dg_auto(type)=type',
            '-DG_DEFINE_EXTENDED_ERROR(type, name)=', '-DG_GNUC_PRINTF(format, first)=']
    yield 'layout', [['clang-format', '--dry-run', '--Werror', *names] for names in groups(everything, 50)]
    yield 'scripts', [['sh', '-n', name] for name in scripts]
    yield 'pyflakes', [['pyflakes3', *files('package', 'python', 'samples', 'tests', 'libltt', ending='.py')]]
    # Each public header compiles alone, with only the public folder in the include path.
    yield 'public headers as C and as C++', [
        [*language, '-fsyntax-only', '-Wall', '-Wextra', '-Werror', '-Ilibltt/include', *pkg_config('glib-2.0'),
         '-include', header, '/dev/null']
        for header in files('libltt/include', ending='.h')
        for language in (['gcc', '-std=c11', '-x', 'c'], ['g++', '-std=c++11', '-x', 'c++'])]
    yield 'cppcheck', [['cppcheck', '--quiet', '--error-exitcode=1', '--inline-suppr', '--std=c11',
                        '--suppressions-list=.cppcheck-suppress', '--enable=warning,portability,performance',
                        *glib, *PRIVATE, *names] for names in groups(programs, 20)]


def tidy():
    """The step clang-tidy: a function call for each file, the largest files first."""
    flags = ['-std=gnu11', '-DLTT_VERSION="lint"', '-DPy_LIMITED_API=0x030b0000', '-isystem', sysconfig.get_path('include'),
             *pkg_config('glib-2.0', 'libxml-2.0', 'libarchive', 'libzstd', 'zlib', 'sqlite3', 'libedit', 'libmicrohttpd', 'pangocairo')]
    # The programs of single commands, in folders below tools, share its headers.
    checker = Tidy(PRIVATE + ['-Itools'] + ['-I' + folder for folder in generated_folders()], flags)
    names = sorted(files(*PROGRAMS, ending='.c'), key=os.path.getsize, reverse=True)
    return 'clang-tidy', [partial(checker.check, name, run) for name in names]


def look(steps):
    """Runs the calls of each step in parallel; returns the exit status."""
    good = True
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, calls in steps:
            start = time.monotonic()
            said = [text for text in pool.map(lambda call: call(), calls) if text]
            print('%-6s %s (%.1f s)' % ('FAIL' if said else 'ok', name, time.monotonic() - start), *said, sep='\n'
                  if said else ' ', flush=True)
            good = good and not said
    return 0 if good else 1


def lint_all():
    return look([(name, [partial(run, command) for command in commands]) for name, commands in lint()])


def format_all():
    return subprocess.run(['clang-format', '-i', *files('libltt', 'tools', 'preload', 'python', 'tests', 'samples', ending=('.c', '.h'))],
                          check=False).returncode


if __name__ == '__main__':
    os.chdir(SOURCE)
    actions = {'lint': lint_all, 'tidy': lambda: look([tidy()]), 'format': format_all}
    if len(sys.argv) != 2 or sys.argv[1] not in actions:
        sys.exit(__doc__)
    sys.exit(actions[sys.argv[1]]())
