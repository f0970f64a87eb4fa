"""tidy.py - run clang-tidy, except on files that it has already found clean.

The digest of a clean file is stored in build/tidy. The digest covers the file, the headers of this
project that it includes, the configuration and the version of clang-tidy, but no header of the
system.
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

    def __init__(self, private, flags):
        self.include_folders = [flag[2:] for flag in private if flag.startswith('-I')]
        self.flags = private + flags
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
        stamp = os.path.join(STAMPS, path)
        if not os.path.exists(stamp):
            return False
        with open(stamp, encoding='ascii') as file:
            return file.read() == digest

    def check(self, path, run):
        """Returns what clang-tidy reports of one file, None if it is clean. `run` runs a command."""
        digest = self.digest(path)
        if self.is_clean(path, digest):
            return None
        said = run(['clang-tidy', '--quiet', path, '--', *self.flags])
        if said is None:
            stamp = os.path.join(STAMPS, path)
            os.makedirs(os.path.dirname(stamp), exist_ok=True)
            with open(stamp, 'w', encoding='ascii') as file:
                file.write(digest)
        return said
