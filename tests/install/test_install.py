"""`scons install`: installs exactly the expected files, and programs can be built against them."""
import collections
import contextlib
import importlib.util
import io
import json
import os

from command import SOURCE, CommandTest, expected_events, is_hidden, run, sample
from install.installed import HERE, InstalledTest, names, scons, tree, version


def load_installer():
    """Loads package/install.py by path, because a test folder has the same name."""
    spec = importlib.util.spec_from_file_location('installer', os.path.join(SOURCE, 'package/install.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def manifest(lib='lib'):
    """The expected files under PREFIX, in the form of installed.tree()."""
    expected = {'bin/ltt': 0o755, 'libexec/ltt/ltt-sql': 0o755,
                'libexec/ltt/ltt-preload.so': 0o755, 'libexec/ltt/ltt-view': 0o755}
    for library in ('libltt', 'libltt-probe', 'libltt-sql', 'libltt-view'):
        shared = '%s.so.%s' % (library, version())
        expected['%s/%s' % (lib, shared)] = 0o755
        expected['%s/%s.so.%s' % (lib, library, version().split('.', maxsplit=1)[0])] = shared
        expected['%s/%s.so' % (lib, library)] = shared
        expected['%s/%s.a' % (lib, library)] = 0o644
        expected['%s/pkgconfig/%s.pc' % (lib, library[3:])] = 0o644
    groups = {
        'include/ltt': names('libltt/include/ltt/*.h'),
        'share/ltt/eventdefs': names('eventdefs/*.xml'),
        'share/ltt/schemas': names('schemas/*.rng') + ['catalog.xml'],
        'share/ltt/viewer': names('build/share/ltt/viewer/*'),
        'share/doc/ltt': names('doc/*.md') + ['read_trace.py', 'README.md', 'LICENSE'],
        'share/bash-completion/completions': ['ltt'],
        'share/zsh/site-functions': ['_ltt'],
    }
    for section in '1357':
        groups['share/man/man' + section] = names('doc/man/*.' + section)
    for folder, files in groups.items():
        for name in files:
            executable = os.access(os.path.join(SOURCE, 'doc', name), os.X_OK)
            expected['%s/%s' % (folder, name)] = 0o755 if executable else 0o644
    return expected


class Manifest(CommandTest):
    def test_exactly_what_belongs_there(self):
        """Installs to DESTDIR, with modes independent of the umask, and without compiling."""
        result = scons('install', 'DESTDIR=' + self.folder, 'PREFIX=/usr', 'LIBDIR=/usr/lib/some-linux', umask=0o077)
        self.assert_done(result)
        self.assertEqual(tree(self.folder), {'usr/' + path: what for path, what in manifest('lib/some-linux').items()})
        for path, folders, _ in os.walk(self.path('usr')):
            self.assertEqual(os.stat(path).st_mode & 0o7777, 0o755, path)
        made = {line.split()[0] for line in result.lines}
        self.assertLessEqual(made, {'INSTALL', 'GEN'})
        with open(self.path('usr/lib/some-linux/pkgconfig/ltt.pc'), encoding='utf-8') as file:
            text = file.read()
        self.assertNotIn(self.folder, text)
        self.assertIn('libdir=${prefix}/lib/some-linux\n', text)

    def test_the_dynamic_linker(self):
        """The installation updates the cache of the linker, or prints the necessary command."""
        result = scons('install', 'PREFIX=' + self.folder)
        self.assert_done(result)
        self.assertIn('LD_LIBRARY_PATH=%s/lib' % self.folder, result.lines[-1])
        installer = load_installer()
        conf, included = self.path('ld.so.conf'), self.path('more.conf')
        with open(conf, 'w', encoding='utf-8') as file:
            file.write('# folders\ninclude more*.conf nothing/*.conf\n/some/lib\n')
        with open(included, 'w', encoding='utf-8') as file:
            file.write('/opt/x/lib/ # ours\n')
        self.assertEqual(installer.linker_folders(conf), ['/opt/x/lib', '/some/lib'])
        self.assertIn('/usr/lib', installer.linker_folders('/etc/ld.so.conf'))
        for command, said in (('true', '  LDCONFIG\n' if os.geteuid() == 0 else 'run ldconfig as root'),
                              ('false', 'run ldconfig as root')):
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                installer.refresh_linker('/opt/x/lib', conf, command)
            self.assertIn(said, out.getvalue())

    def test_uninstall(self):
        """Removes the installed files, and no files of the user."""
        self.assert_done(scons('install', 'PREFIX=' + self.folder))
        own = self.path('include/ltt/my-own.h')
        with open(own, 'w', encoding='utf-8'):
            pass
        self.assert_done(scons('uninstall', 'PREFIX=' + self.folder))
        self.assertEqual(tree(self.folder), {'include/ltt/my-own.h': os.stat(own).st_mode & 0o7777})
        self.assertFalse(os.path.exists(self.path('share/ltt')))

    def test_over_an_installation_in_use(self):
        """Files are replaced, not overwritten: a running program keeps its mapped library."""
        library = self.path('lib/libltt.so.' + version())
        self.assert_done(scons('install', 'PREFIX=' + self.folder))
        with open(library, 'r+b') as file:
            file.write(b'not a library')
            self.assert_done(scons('install', 'PREFIX=' + self.folder))
            file.seek(0)
            self.assertEqual(file.read(13), b'not a library')
        with open(library, 'rb') as file:
            self.assertEqual(file.read(4), b'\x7fELF')

    def test_where_it_cannot(self):
        with open(self.path('file'), 'w', encoding='utf-8'):
            pass
        result = scons('install', 'PREFIX=' + self.path('file'))
        self.assertEqual(result.status, 2)
        self.assertIn(self.path('file') + ': could not be changed: Not a directory', result.err)


class Reading(InstalledTest):
    """Programs that read traces."""

    def expect_dump(self, program, trace):
        """The expected output of samples/read-trace.c for the field "in"."""
        lines = []
        for event in expected_events(trace):
            number = event['data'].get('in') if isinstance(event['data'], dict) else None
            if not is_hidden(event):
                lines.append('%s %s%s' % (event['time'], event['event'], ' in=%d' % number if number is not None else ''))
        self.assertEqual(self.call(program, trace, 'in').splitlines(), lines)

    def test_c(self):
        for compiler in (['gcc'], ['gcc', '-std=c99'], ['clang', '-std=c11']):
            program = self.build(compiler, os.path.join(SOURCE, 'samples/read-trace.c'), *self.flags('--cflags', '--libs', 'ltt'))
            self.expect_dump(program, sample('sparse-cpus'))
        needed = self.call('readelf', '-d', program)
        self.assertIn('[libltt.so.%s]' % version().split('.')[0], needed)
        result = run('env', 'LD_LIBRARY_PATH=' + self.environment['LD_LIBRARY_PATH'], program, self.path('none'), 'in')
        self.assertEqual(result.status, 1)
        self.assertIn('none: no such directory', result.err)

    def test_c_with_the_static_library(self):
        flags = ['-l:libltt.a' if flag == '-lltt' else flag for flag in self.flags('--static', '--cflags', '--libs', 'ltt')]
        program = self.build(['gcc'], os.path.join(SOURCE, 'samples/read-trace.c'), *flags)
        self.assertNotIn('libltt', self.call('readelf', '-d', program))
        self.expect_dump(program, sample('sparse-cpus'))

    def test_cxx(self):
        counts = collections.Counter(event['event'] for event in expected_events(sample('every-type')))
        expected = ''.join('%s %d\n' % pair for pair in sorted(counts.items()))
        for compiler in (['g++', '-std=c++11'], ['clang++', '-std=c++17']):
            program = self.build(compiler, os.path.join(HERE, 'count-events.cc'), *self.flags('--cflags', '--libs', 'ltt'))
            self.assertEqual(self.call(program, sample('every-type')), expected)

    def test_sample_of_the_build(self):
        self.expect_dump(os.path.join(SOURCE, os.environ['LTT_USE'], 'samples/read-trace'), sample('one-cpu'))


class Tracing(InstalledTest):
    """Traced programs, built with only the installed files."""

    def test_from_the_description_to_the_dump(self):
        self.assertEqual(self.call('ltt', 'compile', '--header', self.path('greeting-trace.h'),
                                   os.path.join(HERE, 'greeting.xml')), '')
        flags = self.flags('--cflags', '--libs', 'ltt-probe')
        static = ['-l:libltt-probe.a' if flag == '-lltt-probe' else flag
                  for flag in self.flags('--static', '--cflags', '--libs', 'ltt-probe')]
        self.assertNotIn('glib', ' '.join(flags + static))
        for number, (compiler, linked) in enumerate(((['gcc', '-std=c11'], flags), (['g++', '-x', 'c++'], flags),
                                                     (['gcc'], static))):
            with self.subTest(compiler=compiler, flags=linked):
                program = self.build(compiler, os.path.join(HERE, 'traced.c'), '-I' + self.folder, *linked)
                trace = self.path('trace-%d' % number)
                self.call(program, trace)
                self.call('ltt', 'check', trace)
                events = [json.loads(line) for line in self.call('ltt', 'dump', '--format=json', trace).splitlines()]
                self.assertEqual([event['data'] for event in events if event['event'] == 'greeting.hello'],
                                 [{'whom': 'world', 'number': i} for i in range(3)])

    def test_probe_needs_libc_alone(self):
        needed = self.call('readelf', '-d', os.path.join(self.prefix, 'lib/libltt-probe.so'))
        self.assertEqual([line.split('[')[1] for line in needed.splitlines() if '(NEEDED)' in line], ['libc.so.6]'])


class Data(InstalledTest):
    """Descriptions and schemas, found through pkg-config and the catalogue."""

    def test_event_descriptions(self):
        folder = self.call('pkg-config', '--variable=eventdefsdir', 'ltt').strip()
        files = [os.path.join(folder, name) for name in names('eventdefs/*.xml')]
        self.assertEqual(self.call('ltt', 'compile', *files), '')

    def test_schemas_by_name(self):
        """Found by URI, system identifier or public identifier, as editors do."""
        catalog = os.path.join(self.call('pkg-config', '--variable=schemasdir', 'ltt').strip(), 'catalog.xml')
        catalogs = 'XML_CATALOG_FILES=' + catalog
        for name, public in (('eventdefs', 'Event Descriptions'), ('system', 'System'), ('bookmarks', 'Bookmarks')):
            urn = 'urn:ltt:schema:' + name
            schema = 'file://%s/share/ltt/schemas/%s.rng' % (self.prefix, name)
            found = run('xmlcatalog', catalog, urn, '-//LTT//RELAX NG %s//EN' % public)
            self.assertEqual([line.replace('file://', '') for line in found.lines], 2 * [schema[len('file://'):]])
            files = {'eventdefs': 'eventdefs/core.xml', 'system': 'tests/data/ltt/one-cpu/info/system.xml'}
            if name in files:
                run('env', catalogs, 'xmllint', '--nonet', '--noout', '--relaxng', urn, os.path.join(SOURCE, files[name]))
                for file in files.values():
                    result = run('env', catalogs, 'xmllint', '--nonet', '--noout', '--relaxng', urn,
                                 os.path.join(SOURCE, file))
                    self.assertEqual(result.status == 0, file == files[name], result.err)

    def test_version(self):
        for package in ('ltt', 'ltt-probe'):
            self.assertEqual(self.call('pkg-config', '--modversion', package).strip(), version())
