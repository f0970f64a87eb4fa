"""coverage.py - run the tests on a build with counters and report what they reach.

usage: coverage.py BUILD USE [PART OF A TEST'S NAME]

Each process adds to the counters of its program in a file that it maps, so that processes that are
killed or that leave by _exit() count, too. BUILD/branches.txt lists the branches that no test takes
(branches.py says which are counted). Exit status 1: less than the limits is covered.
"""
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

import branches

SOURCE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# In percent, of all files under libltt.
LIMITS = {'lines': 92, 'branches': 85}


def call(*words):
    return subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout


def run_tests(build, use, only, profiles):
    """Runs the tests. Those that fail because of the counters, such as a limit on open files, are printed only."""
    for name in ('share', 'bench'):
        link = os.path.join(build, name)
        if not os.path.lexists(link):
            os.symlink(os.path.abspath(os.path.join(use, name)), link)
    environment = dict(os.environ, LLVM_PROFILE_FILE=os.path.join(profiles, '%m%c.profraw'))
    run = subprocess.run([sys.executable, os.path.join(SOURCE, 'tests/harness.py'), '--build', build, '--use', build, '--only', only],
                         env=environment, stdout=subprocess.PIPE, text=True, check=False)
    with open(os.path.join(build, 'tests.log'), 'w', encoding='utf-8') as log:
        log.write(run.stdout)
    print('\n'.join(line for line in run.stdout.splitlines() if line.startswith('FAILED')))
    print(run.stdout.splitlines()[-1])


def objects(build):
    """All programs and libraries with counters."""
    found = []
    for folder in ('bin', 'libexec/ltt', 'tests', 'probe', 'samples', 'python/ltt', 'fuzz', 'replay'):
        for path in sorted(glob.glob(os.path.join(build, folder, '*'))):
            with open(path, 'rb') as file:
                if not os.path.islink(path) and file.read(4) == b'\x7fELF' and '__llvm_covmap' in call('readelf', '-SW', path):
                    found.append(path)
    return found


def main():
    build, use, only = (sys.argv[1:] + [''])[:3]
    profiles = tempfile.mkdtemp(prefix='ltt-coverage-', dir='/dev/shm')
    try:
        run_tests(build, use, only, profiles)
        data = os.path.join(build, 'tests.profdata')
        subprocess.run(['llvm-profdata', 'merge', '-failure-mode=all', '-o', data, *glob.glob(profiles + '/*.profraw')], check=True)
    finally:
        shutil.rmtree(profiles)
    programs = objects(build)
    common = ['-instr-profile', data, programs[0], *[word for path in programs[1:] for word in ('-object', path)],
              '-ignore-filename-regex', r'^(\./)?(build|tests|tools|preload|python|samples)/|^/']
    with open(os.path.join(build, 'report.txt'), 'w', encoding='utf-8') as report:
        report.write(call('llvm-cov', 'report', '-show-region-summary=false', '-show-functions=false', *common))
    call('llvm-cov', 'show', '-format=html', '-show-branches=count', '-output-dir', os.path.join(build, 'html'), *common)
    export = json.loads(call('llvm-cov', 'export', '-skip-functions', *common))['data'][0]
    files = branches.of_export(export, SOURCE)
    with open(os.path.join(build, 'branches.txt'), 'w', encoding='utf-8') as report:
        report.write(branches.report(files))
    count, missed, left_out = branches.total(files)
    print('%d branches of macros that no input decides are not counted' % left_out)
    lines = export['totals']['lines']
    reached = {'lines': (lines['covered'], lines['count']), 'branches': (count - missed, count)}
    short = False
    for kind, (covered, every) in reached.items():
        percent = 100 * covered / every
        short = short or percent < LIMITS[kind]
        print('%s: %.1f %% of %d (at least %d %%)' % (kind, percent, every, LIMITS[kind]))
    sys.exit(1 if short else 0)


if __name__ == '__main__':
    main()
