"""tidy.py - run clang-tidy, except on files that it has already found clean.

`scons lint` leaves out its analyzer, which takes nine tenths of the time; `scons tidy` runs all checks
of .clang-tidy.

The digest of a clean file is stored in build/tidy/quick or build/tidy/full. The digest covers the
file, the headers of this project that it includes, the configuration and the version of clang-tidy,
but no header of the system.
"""
import glob
import hashlib
import os
import re
import subprocess

STAMPS = 'build/tidy'


def generated_folders():
    """Where `ltt compile` has written headers."""
    return sorted({os.path.dirname(path) for path in glob.glob('build/obj/**/*.h', recursive=True)})


class Tidy:
    """@private: compiler flags for the project's own headers; @flags: all other flags"""

    def __init__(self, private, flags, is_full):
        self.include_folders = [flag[2:] for flag in private if flag.startswith('-I')]
        self.flags = private + flags
        self.is_full = is_full
        version = subprocess.run(['clang-tidy', '--version'], stdout=subprocess.PIPE, check=True).stdout
        with open('.clang-tidy', 'rb') as configuration:
            self.common = hashlib.sha256(version + configuration.read() + ' '.join(self.flags).encode()).digest()
        self.included = {}

    def find_included(self, path):
        """The project's headers that a file includes directly."""
        if path not in self.included:
            with open(path, encoding='utf-8') as file:
                names = re.findall(r'(?m)^\s*#\s*include\s+["<]([^">]+)[">]', file.read())
            places = [os.path.dirname(path)] + self.include_folders
            found = (next((os.path.join(place, name) for place in places
                           if os.path.exists(os.path.join(place, name))), None) for name in names)
            self.included[path] = [header for header in found if header]
        return self.included[path]

    def digest(self, path):
        digest = hashlib.sha256(self.common)
        seen, queue = set(), [path]
        while queue:
            at = queue.pop()
            if at in seen:
                continue
            seen.add(at)
            with open(at, 'rb') as file:
                digest.update(at.encode() + b'\0' + file.read() + b'\0')
            queue += self.find_included(at)
        return digest.hexdigest()

    def is_clean(self, path, digest):
        """A full check of a file makes the quick one unnecessary."""
        for depth in ('full',) if self.is_full else ('full', 'quick'):
            stamp = os.path.join(STAMPS, depth, path)
            if os.path.exists(stamp):
                with open(stamp, encoding='ascii') as file:
                    if file.read() == digest:
                        return True
        return False

    def check(self, path, run):
        """Returns what clang-tidy reports of one file, None if it is clean. `run` runs a command."""
        digest = self.digest(path)
        if self.is_clean(path, digest):
            return None
        checks = [] if self.is_full else ['--checks=-clang-analyzer-*']
        said = run(['clang-tidy', '--quiet', *checks, path, '--', *self.flags])
        if said is None:
            stamp = os.path.join(STAMPS, 'full' if self.is_full else 'quick', path)
            os.makedirs(os.path.dirname(stamp), exist_ok=True)
            with open(stamp, 'w', encoding='ascii') as file:
                file.write(digest)
        return said
