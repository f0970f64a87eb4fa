"""reproduce.py - build a source tarball twice, in different surroundings, and compare all results.

usage: reproduce.py TARBALL FOLDER

`scons try-reproducible` runs it. The two builds differ in folder, umask, time zone, locale, user's home, number of jobs and
order of files in a directory as far as the file system varies it. Compares programs, libraries, manual,
Python package, viewer and Debian packages byte by byte. Exit status 1: they differ.
"""
import hashlib
import os
import shutil
import subprocess
import sys

SURROUNDINGS = (
    ('first', 0o022, {'TZ': 'UTC', 'LC_ALL': 'C.UTF-8', 'HOME': '/nonexistent'}, 2),
    ('second-with-a-longer-name', 0o077, {'TZ': 'Asia/Kathmandu', 'LC_ALL': 'C', 'HOME': '/'}, 4),
)
# What users get. Object files and other intermediate results are not compared.
RESULTS = ('bin', 'lib', 'libexec', 'share', 'python', 'samples', 'deb')


def build(tarball, folder, umask, environment, jobs):
    """Unpacks and builds. Returns the folder of the results."""
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run(['tar', '-xf', tarball, '--strip-components=1', '-C', folder], check=True)
    if shutil.which('npm'):
        subprocess.run(['npm', 'ci', '--silent', '--ignore-scripts', '--prefix', 'viewer'], cwd=folder, check=True)
    command = ['scons', '-Q', '-j%d' % jobs]
    for target in ([], ['deb']):
        done = subprocess.run(command + target, cwd=folder, umask=umask, env=dict(os.environ, CCACHE_DISABLE='1', **environment),
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
        if done.returncode != 0:
            sys.exit('%s: status %d\n%s' % (folder, done.returncode, done.stdout[-3000:]))
    return os.path.join(folder, 'build')


def digests(root):
    """Path -> digest of each result."""
    found = {}
    for result in RESULTS:
        for folder, _, names in os.walk(os.path.join(root, result)):
            for name in names:
                path = os.path.join(folder, name)
                with open(path, 'rb') as file:
                    found[os.path.relpath(path, root)] = hashlib.sha256(file.read()).hexdigest()
    return found


def main():
    tarball, folder = sys.argv[1:]
    first, second = (digests(build(tarball, os.path.join(folder, name), *surroundings)) for name, *surroundings in SURROUNDINGS)
    differing = sorted(path for path in first.keys() | second.keys() if first.get(path) != second.get(path))
    for path in differing:
        print('differs: %s' % path)
    print('%d files, %d differ' % (len(first), len(differing)))
    sys.exit(1 if differing or not first else 0)


if __name__ == '__main__':
    main()
