"""programs.py - link the programs of a build to shared libraries, so that a changed object replaces a small one only.

libmutant-FOLDER.so has the objects of libltt/FOLDER. Traced programs use those of session/ and probe/, all others those of
all folders but probe/. The objects of session/ and probe/ are compiled again with default visibility, because programs of
the tests call their private functions.
"""
import glob
import os
import subprocess

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
# Libraries of their own, which use libltt.
APART = ('sql', 'view')
# Parts of libltt-probe. The recorder has session/, too.
PROBE = ('session', 'probe')
PACKAGES = ('glib-2.0', 'libxml-2.0', 'libzstd', 'zlib', 'libdw', 'libelf', 'sqlite3')
# Programs of the tests and samples that are linked to libltt-probe.
TRACED = ('tests/probe/demo', 'tests/probe/demo-cpp', *('tests/stress/' + name for name in (
    'bracket', 'daemon', 'driven', 'hostile', 'ordeal', 'pingpong', 'session', 'storm', 'threads', 'tracee')))
SAMPLES = ('echo', 'fleet', 'hash-files', 'http-server', 'slow-server')
SANITIZE = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']


def package_flags(kind):
    return subprocess.run(['pkg-config', kind, *PACKAGES], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


class Programs:
    """The objects of a build, and how to compile and link them. Programs of build/sanitize have sanitizers. Of the programs
    of unit tests, only those are linked whose names have one of the parts `tests`."""

    def __init__(self, build, folder, tests):
        self.build, self.folder = os.path.join(SOURCE, build), folder
        self.made = os.path.join(self.build, 'obj')
        self.sanitize = SANITIZE if os.path.basename(self.build) == 'sanitize' else []
        self.compiler = ['clang', '-std=gnu11', '-O1', '-g0', '-fPIC', '-w', *self.sanitize, '-Ilibltt/include', '-Ilibltt',
                         '-I' + self.made + '/libltt', '-DLTT_BUILDING', '-DLTT_VERSION="0.1.0"', *package_flags('--cflags'), '-c']
        self.libraries = [*package_flags('--libs'), '-larchive', '-lstdc++', '-lm', '-lcunit', '-ledit', '-lpthread']
        self.objects = self.library_objects()
        self.rooms = sorted({name.split('/')[1] for name in self.objects})
        for room in self.rooms:
            self.link_library(folder, room, self.objects)
        self.link_programs(tests)

    def with_source(self, pattern):
        """Source without its ending -> object file. A build keeps the objects of files that were moved or removed."""
        found = {}
        for path in sorted(glob.glob(os.path.join(self.made, pattern), recursive=True)):
            name = os.path.splitext(os.path.relpath(path, self.made))[0]
            if any(os.path.exists(os.path.join(base, name + ending)) for base in (SOURCE, self.made) for ending in ('.c', '.cc')):
                found[name] = path
        return found

    def library_objects(self):
        """Those of libltt and libltt-probe, without those of APART."""
        found = {name: path for name, path in self.with_source('libltt/**/*.os').items() if name.split('/')[1] not in APART}
        found.pop('libltt/make-offline', None)
        for name in found:
            if name.split('/')[1] in PROBE:
                source = next(path for path in (os.path.join(base, name + '.c') for base in (SOURCE, self.made)) if os.path.exists(path))
                found[name] = os.path.join(self.folder, name.replace('/', '-') + '.o')
                if not self.compile(source, found[name]):
                    raise ValueError(source + ' does not compile')
        return found

    def compile(self, path, made, text=None):
        """Compiles a file, or the text that replaces it. Returns whether it compiles."""
        if text is None:
            with open(path, encoding='utf-8') as file:
                text = file.read()
        # From standard input, so that the objects of equal code are equal.
        run = subprocess.run([*self.compiler, '-I' + os.path.dirname(path), '-x', 'c', '-', '-o', made], cwd=SOURCE, input=text, text=True,
                             stderr=subprocess.DEVNULL, check=False)
        return run.returncode == 0

    def link(self, *words):
        subprocess.run(['clang', *self.sanitize, *words], cwd=SOURCE, check=True)

    def link_library(self, folder, room, objects):
        """Links the objects of a folder of libltt."""
        self.link('-shared', '-Wl,-soname,libmutant-%s.so,-z,nodelete,-z,now' % room, '-o', os.path.join(folder, 'libmutant-%s.so' % room),
                  *[path for name, path in objects.items() if name.split('/')[1] == room])

    def link_programs(self, tests):
        """Links what the tests run, in a folder with the layout of the build. What is not linked is that of the build."""
        for name in ('bin', 'libexec/ltt', 'tests', 'probe', 'samples'):
            os.makedirs(os.path.join(self.folder, name))
        for name in ('share', 'python', 'replay', 'lib', 'bench', 'obj', 'probe/*', 'samples/*', 'libexec/ltt/*'):
            for path in glob.glob(os.path.join(self.build, name)):
                os.symlink(path, os.path.join(self.folder, os.path.relpath(path, self.build)))
        library = ['-Wl,--no-as-needed', *self.mutable(room for room in self.rooms if room != 'probe'), *self.libraries]
        probe = ['-Wl,--no-as-needed', *self.mutable(PROBE), '-lpthread', '-lstdc++']
        sql = self.with_source('libltt/sql/**/*.os').values()
        tools = [path for name, path in self.with_source('tools/*.o').items() if name not in ('tools/ltt', 'tools/apart-main')]
        self.program('bin/ltt', self.made + '/tools/ltt.o', *tools, *library)
        self.program('libexec/ltt/ltt-sql', self.made + '/tools/apart-sql.o', *self.with_source('tools/sql/*.o').values(), *tools, *sql, *library)
        support = self.with_source('tests/unit/support*.o').values()
        for name, path in self.with_source('tests/unit/test-*.o').items():
            if not any(part in os.path.basename(name) for part in tests):
                continue
            self.program('tests/' + os.path.basename(name), path, *support, *sql, *library)
        for name in TRACED:
            self.program('probe/' + os.path.basename(name), os.path.join(self.made, name + '.o'), *probe)
        for name in SAMPLES:
            self.program('samples/' + name, os.path.join(self.made, 'samples', name, name + '.o'), *probe)

    def program(self, name, *words):
        path = os.path.join(self.folder, name)
        if os.path.lexists(path):
            os.unlink(path)
        self.link('-o', path, *words)

    def mutable(self, rooms):
        return [os.path.join(self.folder, 'libmutant-%s.so' % room) for room in rooms]

    def link_mutant(self, folder, name, made):
        """Makes the libraries with another object in place of the one of a source."""
        mutated = name.split('/')[1]
        for room in self.rooms:
            if room != mutated:
                os.symlink(os.path.join(self.folder, 'libmutant-%s.so' % room), os.path.join(folder, 'libmutant-%s.so' % room))
        self.link_library(folder, mutated, dict(self.objects, **{name: made}))
