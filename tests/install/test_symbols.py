"""The shared libraries export what the public headers declare, as listed in tests/data/symbols.

A new function is declared in a public header and added to tests/data/symbols on purpose:
LTT_UPDATE_GOLDEN=1 scons test ONLY=symbols rewrites the lists. A removed or changed function needs
a new version of the library.
"""
import glob
import os
import re
import sys

from command import DATA, SOURCE, CommandTest, run

sys.path.insert(0, os.path.join(SOURCE, 'package'))
from symbols import declared  # noqa: E402  pylint: disable=wrong-import-position

LIBRARIES = os.path.join(os.environ.get('LTT_USE', os.path.join(SOURCE, 'build')), 'lib')


def exported(library):
    """The exported symbols of a shared library, without version names."""
    table = run('nm', '-D', '--defined-only', os.path.join(LIBRARIES, library + '.so')).lines
    return sorted(line.split()[2].split('@')[0] for line in table if line.split()[1] != 'A')


def headers(library):
    """The public headers of a library."""
    paths = glob.glob(os.path.join(SOURCE, 'libltt/include/ltt/*.h'))
    own = {name: [path for path in paths if os.path.basename(path).startswith(name[3:])] for name in ('libltt-probe', 'libltt-sql', 'libltt-view')}
    return own[library] if library in own else [path for path in paths if not any(path in of for of in own.values())]


class Symbols(CommandTest):
    def expect_listed(self, library):
        path = os.path.join(DATA, 'symbols', library + '.txt')
        names = exported(library)
        if os.environ.get('LTT_UPDATE_GOLDEN'):
            with open(path, 'w', encoding='utf-8') as file:
                file.write(''.join(name + '\n' for name in names))
        with open(path, encoding='utf-8') as file:
            listed = file.read().split()
        self.assertEqual((sorted(set(names) - set(listed)), sorted(set(listed) - set(names))), ([], []),
                         '%s.so exports others than %s says: first those that are new, then those that are gone'
                         % (library, path))
        self.assertEqual(listed, sorted(listed))
        return names

    def expect_declared(self, library):
        names = self.expect_listed(library)
        in_headers = []
        for path in headers(library):
            with open(path, encoding='utf-8') as file:
                in_headers += declared(file.read())
        self.assertEqual(sorted(in_headers), names)

    def test_libltt(self):
        self.expect_declared('libltt')

    def test_libltt_sql(self):
        """A program that only reads traces does not link SQLite."""
        self.expect_declared('libltt-sql')
        needed = {name: re.findall(r'NEEDED.*\[(.*)\]', run('readelf', '-d', os.path.join(LIBRARIES, name + '.so')).out)
                  for name in ('libltt', 'libltt-sql')}
        self.assertIn('libsqlite3.so.0', needed['libltt-sql'])
        self.assertIn('libltt.so.0', needed['libltt-sql'])
        self.assertNotIn('libsqlite3.so.0', needed['libltt'])

    def test_libltt_view(self):
        self.expect_declared('libltt-view')

    def test_libltt_probe(self):
        """Functions with LTT_PROBE_API; clone, prctl and vfork replace those of libc, and copies find each other by
        ltt_probe_copies (libltt/probe/copies.h)."""
        names = self.expect_listed('libltt-probe')
        in_headers = []
        for path in headers('libltt-probe'):
            with open(path, encoding='utf-8') as file:
                in_headers += re.findall(r'(?m)^(?:extern )?LTT_PROBE_API [^;(]*?\b(ltt_probe_\w+)', file.read())
        self.assertEqual(sorted(set(in_headers)), [name for name in names if name not in ('clone', 'ltt_probe_copies', 'prctl', 'vfork')])

    def test_versions(self):
        version = re.search(r'\d+\.\d+', run('readelf', '-V', os.path.join(LIBRARIES, 'libltt.so')).out.split('LTT_')[1])
        table = run('nm', '-D', '--defined-only', os.path.join(LIBRARIES, 'libltt.so')).lines
        for line in table:
            if line.split()[1] != 'A':
                self.assertTrue(line.endswith('@@LTT_' + version[0]), line)


class Declared(CommandTest):
    """The declarations that package/symbols.py recognizes."""

    def test_kinds(self):
        text = '''
        /* ltt_in_comment(void); */
        #define LTT_MACRO(x) \\
            ltt_in_macro(x)
        typedef gboolean (*LttFunc)(int a, int (*ltt_not_me)(void));
        typedef struct LttThing { int (*ltt_member)(void); } LttThing;
        int ltt_plain(void);
        const char *const *ltt_stars (const LttThing *, LttFunc);
        G_DEFINE_AUTOPTR_CLEANUP_FUNC(LttThing, ltt_thing_free)
        static inline int ltt_inline(int a) { if (a) { return ltt_called(a); } return 0; }
        void ltt_last(void) G_GNUC_PRINTF(1, 2);
        '''
        self.assertEqual(declared(text), ['ltt_plain', 'ltt_stars', 'ltt_last'])
