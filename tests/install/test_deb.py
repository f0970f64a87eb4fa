"""`scons deb`: the packages contain all installed files, can be installed, work, and can be removed.

dpkg installs them into a separate root, whose status file lists their dependencies as on this
machine.
"""
import atexit
import functools
import glob
import hashlib
import os
import re
import shutil
import tempfile

from command import ENVIRONMENT, SOURCE, CommandTest, run, thorough
from install import test_install
from install.installed import HERE, InstalledTest, names, scons, tree, version

OUT = os.path.join(SOURCE, 'build/deb')
PACKAGES = ['libltt-dev', 'libltt-probe-dev', 'libltt-probe0', 'libltt-sql0', 'libltt-view0', 'libltt0', 'ltt', 'python3-ltt']
STANZA = ''.join('%s: ${%s}\\n' % (field, field) for field in ('Package', 'Status', 'Maintainer', 'Architecture',
                                                             'Multi-Arch', 'Version')) + 'Description: x\\n\\n'
# The paths of files that differ from those of `scons install`.
MOVED = {
    'share/zsh/site-functions/_ltt': 'share/zsh/vendor-completions/_ltt',
    'share/doc/ltt/read_trace.py': 'share/doc/ltt/examples/read_trace.py',
}


def need(result):
    if result.status != 0:
        raise AssertionError(result.err)
    return result.out


def triplet():
    return need(run('dpkg-architecture', '-qDEB_HOST_MULTIARCH')).strip()


@functools.lru_cache
def packages():
    """The paths of the packages that `scons deb` makes."""
    need(scons('deb'))
    return sorted(glob.glob(OUT + '/*'))


def hashes():
    """Path -> hash of each package."""
    found = {}
    for path in packages():
        with open(path, 'rb') as file:
            found[path] = hashlib.sha256(file.read()).hexdigest()
    return found


def field(path, name):
    return need(run('dpkg-deb', '-f', path, name)).strip()


def depends_on(paths):
    """Packages that these need, by name."""
    words = ','.join(field(path, 'Depends') for path in paths).split(',')
    return {re.match(r' *([^ :]+)', word)[1] for word in words} - set(PACKAGES)


def dpkg(root, *words):
    """Runs dpkg without the path exclusions of this machine."""
    search = 'PATH=%s:/usr/sbin:/sbin' % ENVIRONMENT['PATH']
    result = run('env', search, 'dpkg', '--force-not-root', '--root=' + root, '--log=/dev/null', '--path-include=/*',
                 *words)
    if result.status != 0 or 'warning' in result.err:
        raise AssertionError(result.out + result.err)
    return result.out


@functools.lru_cache
def installed_root():
    """A shared root with all packages installed, which tests only read."""
    root = tempfile.mkdtemp(prefix='ltt-test-')
    atexit.register(shutil.rmtree, root, ignore_errors=True)
    admin = os.path.join(root, 'var/lib/dpkg')
    for folder in ('info', 'updates', 'triggers'):
        os.makedirs(os.path.join(admin, folder))
    status = need(run('dpkg-query', '-W', '-f', STANZA, *sorted(depends_on(packages()))))
    with open(admin + '/status', 'w', encoding='utf-8') as file:
        file.write(status.replace('Multi-Arch: \n', ''))
    for name, machine, multi in re.findall(r'Package: (.*)\n.*\n.*\nArchitecture: (.*)\nMulti-Arch: (same)?', status):
        with open('%s/info/%s.list' % (admin, name + (':' + machine if multi else '')), 'w', encoding='utf-8') as file:
            file.write('/.\n')
    dpkg(root, '-i', *packages())
    return root


@thorough
class Packages(CommandTest):
    def test_names(self):
        machine = need(run('dpkg', '--print-architecture')).strip()
        self.assertEqual([os.path.basename(path) for path in packages()],
                         ['%s_%s_%s.deb' % (name, version(), machine) for name in PACKAGES])

    def test_again_they_are_the_same(self):
        """Identical bytes at another time and with another umask."""
        before = hashes()
        need(scons('deb', umask=0o077))
        self.assertEqual(hashes(), before)

    def test_owners_and_times(self):
        dates = set()
        for path in packages():
            for line in run('dpkg-deb', '-c', path).lines:
                mode, owner, _, date = line.split()[:4]
                self.assertEqual((owner, mode[4:].replace('x', '-') if mode[0] != 'l' else 'r--r--'),
                                 ('root/root', 'r--r--'), line)
                dates.add(date)
        self.assertEqual(len(dates), 1, dates)

    def test_dependencies(self):
        """Dependencies of shared objects follow from the libraries they are linked with."""
        needed = {name: field(path, 'Depends') for name, path in zip(PACKAGES, packages())}
        self.assertRegex(needed['libltt-probe0'], r'^libc6 \(>= [\d.]+\)$')
        for name in ('libltt0', 'ltt'):
            for package in ('libc6', 'libglib2.0-0', 'libxml2'):
                self.assertRegex(needed[name], r'\b%s \(>= [\d.]+\)' % re.escape(package))
        for name, library in (('libltt-dev', 'libltt0'), ('libltt-probe-dev', 'libltt-probe0')):
            self.assertIn('%s (= %s)' % (library, version()), needed[name])
        for package in ('libglib2.0-dev', 'libxml2-dev'):
            self.assertIn(package, needed['libltt-dev'])
            self.assertNotIn(package, needed['libltt-probe-dev'])

    def test_lintian(self):
        result = run('lintian', '--no-cfg', '--allow-root', '--fail-on', 'error,warning', *packages())
        self.assertEqual((result.status, result.out), (0, ''), result.err)


@thorough
class Installed(InstalledTest):
    """With a root that dpkg has installed all packages into."""

    def setUp(self):
        super().setUp()
        self.root = installed_root()
        self.prefix = self.root + '/usr'
        libraries = os.path.join(self.prefix, 'lib', triplet())
        for path in glob.glob(libraries + '/pkgconfig/*.pc'):
            # As if the root were that of the machine.
            with open(path, encoding='utf-8') as file:
                text = file.read()
            self.assertIn('prefix=/usr\nlibdir=${prefix}/lib/%s\n' % triplet(), text)
            with open(self.path(os.path.basename(path)), 'w', encoding='utf-8') as file:
                file.write(text.replace('prefix=/usr\n', 'prefix=%s\n' % self.prefix))
        self.environment.update({
            'PKG_CONFIG_PATH': self.folder,
            'LD_LIBRARY_PATH': libraries,
            'PATH': os.path.join(self.prefix, 'bin') + os.pathsep + ENVIRONMENT['PATH'],
        })

    def test_all_that_scons_install_installs(self):
        expected = set()
        for path in test_install.manifest('lib/' + triplet()):
            path = MOVED.get(path, path) + ('.gz' if path.startswith('share/man/') else '')
            expected.add('usr/' + path)
        expected.remove('usr/share/doc/ltt/LICENSE')
        expected |= {'usr/lib/python3/dist-packages/ltt/' + name
                     for name in names('python/ltt/*.py') + names('python/ltt/*.pyi') + ['py.typed', '_ltt.abi3.so']}
        expected |= {'usr/share/doc/%s/%s' % (name, file) for name in PACKAGES for file in ('copyright', 'changelog.gz')}
        found = {path for path in tree(self.root) if path.startswith('usr/')}
        self.assertEqual(found, expected)

    def test_sums(self):
        self.assertEqual(dpkg(self.root, '--verify'), '')
        listed = dpkg(self.root, '-L', 'ltt').split()
        self.assertIn('/usr/bin/ltt', listed)

    def test_it_works(self):
        """From a description to a dump, with only the files of the packages."""
        self.assertEqual(self.call('ltt', '--version'), 'ltt %s\n' % version())
        self.call('ltt', 'compile', '--header', self.path('greeting-trace.h'), os.path.join(HERE, 'greeting.xml'))
        program = self.build(['gcc'], os.path.join(HERE, 'traced.c'), '-I' + self.folder,
                             *self.flags('--cflags', '--libs', 'ltt-probe'))
        self.assertIn('[libltt-probe.so.0]', self.call('readelf', '-d', program))
        self.call(program, self.path('trace'))
        self.assertRegex(self.call('ltt', 'dump', '--event=greeting.*', self.path('trace')),
                         r'^(\S+  cpu/\d+  greeting\.hello  .*whom="world" number=\d\n){3}$')
        reader = self.build(['gcc'], os.path.join(SOURCE, 'samples/read-trace.c'),
                            *self.flags('--cflags', '--libs', 'ltt'))
        test_install.Reading.expect_dump(self, reader, os.path.join(SOURCE, 'tests/data/ltt/sparse-cpus'))
        found = self.call('man', '-M', self.prefix + '/share/man', '-w', '1', 'ltt-dump').strip()
        self.assertEqual(found, self.prefix + '/share/man/man1/ltt-dump.1.gz')

    def test_python(self):
        found = run('env', 'PYTHONPATH=%s/lib/python3/dist-packages' % self.prefix, 'PYTHONDONTWRITEBYTECODE=1', '/usr/bin/python3', '-c',
                    'import ltt; print(sum(1 for _ in ltt.open("%s").events()))' % os.path.join(SOURCE, 'tests/data/ltt/sparse-cpus'))
        self.assertEqual((found.out, found.err), ('1200\n', ''))

    def test_libraries_are_stripped_of_what_debuggers_want(self):
        for path in glob.glob(self.environment['LD_LIBRARY_PATH'] + '/*.so') + [self.prefix + '/bin/ltt']:
            self.assertNotIn('.debug_info', self.call('readelf', '-S', path))

    def test_removed(self):
        """In a separate root: removal leaves no files of the packages, and removes no others."""
        root = self.path('root')
        shutil.copytree(self.root, root, symlinks=True)
        dpkg(root, '-P', *PACKAGES)
        self.assertEqual([path for path in tree(root) if not path.startswith('var/lib/dpkg/')], [])
        self.assertFalse(os.path.exists(root + '/usr'))


class Lists(CommandTest):
    """package/debian."""

    def test_version(self):
        with open(os.path.join(SOURCE, 'package/debian/changelog'), encoding='utf-8') as file:
            self.assertEqual(re.match(r'libltt \((.*?)\)', file.read())[1], version())

    def test_each_package_has_its_list(self):
        self.assertEqual(names('package/debian/*.install'), [name + '.install' for name in PACKAGES])
