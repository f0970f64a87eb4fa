"""The structure of the source: which files may include which, and what the documents say of folders."""
import glob
import os
import re
import unittest

from command import SOURCE

# The rooms of libltt-probe, which includes nothing of the others.
OF_THE_PROBE = ('session', 'probe')


def read(*path):
    with open(os.path.join(SOURCE, *path), encoding='utf-8') as file:
        return file.read()


def sources(*patterns):
    """Paths in the source tree."""
    return sorted(os.path.relpath(path, SOURCE) for pattern in patterns
                  for path in glob.glob(os.path.join(SOURCE, pattern), recursive=True))


def includes(path):
    return re.findall(r'(?m)^#include "([^"]+)"', read(path))


def levels():
    """The rooms of libltt, lowest first."""
    return re.findall(r"'(\w+)'", re.search(r'rooms = \(([^)]*)\)', read('libltt/SConscript'))[1])


class Levels(unittest.TestCase):
    def test_nothing_includes_what_is_above_it(self):
        order = levels()
        for path in sources('libltt/**/*.[ch]'):
            own = path.split('/')[1]
            if own in ('include',) + OF_THE_PROBE:
                continue
            allowed = set(order[:order.index(own) + 1])
            for name in includes(path):
                self.assertIn(name.split('/')[0], allowed, '%s includes %s' % (path, name))

    def test_what_knows_a_foreign_file_knows_nothing_of_traces(self):
        for path in sources('libltt/formats/*/file/*.[ch]'):
            own = os.path.dirname(path)[len('libltt/'):]
            for name in includes(path):
                self.assertIn(os.path.dirname(name), ('base', own), '%s includes %s' % (path, name))

    def test_public_headers_and_the_probe_need_nothing_else(self):
        for path in sources('libltt/include/ltt/*.h'):
            self.assertEqual(includes(path), [], path)
        for room, allowed in (('session', {'session'}), ('probe', {'session', 'probe'})):
            for path in sources('libltt/%s/*.[ch]' % room):
                for name in includes(path):
                    self.assertIn(name.split('/')[0], allowed, '%s includes %s' % (path, name))
                self.assertNotIn('<glib', read(path), path)

    def test_a_format_is_named_in_its_folder_only(self):
        """Other rooms ask for attributes that the importer wrote (doc/format.md, 8.7, 8.8 and 9.1)."""
        formats = [path.rstrip('/').split('/')[-1] for path in sources('libltt/formats/*/')]
        formats.remove('arrow')  # also the memory layout of the columns in table/
        named = re.compile('(?<![a-z])(%s)(?![a-z])' % '|'.join(formats), re.IGNORECASE)
        lists = ('libltt/include/ltt/ltt-import.h', 'libltt/include/ltt/ltt-export.h')
        for path in sources('libltt/**/*.[ch]'):
            if path.startswith('libltt/formats/') or path in lists or path.endswith('xml/shipped-data.c'):
                continue
            for number, line in enumerate(read(path).splitlines(), 1):
                self.assertIsNone(named.search(line), '%s:%d: %s' % (path, number, line))

    def test_ltt_h_includes_every_header(self):
        names = {os.path.basename(path) for path in sources('libltt/include/ltt/*.h')}
        expected = {name for name in names if not name.startswith('ltt-probe')} - {'ltt.h'}
        self.assertEqual(set(re.findall(r'(?m)^#include <ltt/(.*)>', read('libltt/include/ltt/ltt.h'))), expected)

    def test_programs_see_the_public_headers_only(self):
        for path in sources('tools/*.[ch]', 'samples/**/*.[ch]'):
            for name in includes(path):
                self.assertFalse('/' in name or name.endswith('-priv.h'), '%s includes %s' % (path, name))

    def test_private_headers_refuse_strangers(self):
        for path in sources('libltt/**/*.h'):
            if path.split('/')[1] in ('include',) + OF_THE_PROBE:
                continue
            self.assertTrue(path.endswith('-priv.h'), path)
            self.assertRegex(read(path), '#ifndef LTT_BUILDING\n#error "([a-z/]+/)?%s is private to libltt' %
                             path.split('/')[-1], path)

    def test_each_file_says_what_it_is(self):
        """Its first comment begins with its name."""
        for path in sources('libltt/**/*.[ch]', 'tools/*.[ch]', 'samples/**/*.c'):
            self.assertTrue(read(path).startswith('/* %s - ' % os.path.basename(path)) or
                            read(path).startswith('/* %s\n' % os.path.basename(path)), path)

    def test_the_library_does_not_speak(self):
        """Nor does it end the program; the probe has no GLib to speak with."""
        for path in sources('libltt/**/*.c'):
            for word in ('printf', 'puts', 'perror', 'exit', 'abort', 'g_print', 'g_printerr', 'g_warning',
                         'g_error', 'g_critical', 'g_message'):
                if path.split('/')[1] not in OF_THE_PROBE or word not in ('exit', 'abort'):
                    self.assertIsNone(re.search(r'(?<![\w>.])%s\(' % word, read(path)), '%s: %s' % (path, word))


class Documents(unittest.TestCase):
    def test_levels_in_contributing(self):
        text = re.search(r'a lower one: (.*?)\. Public', read('CONTRIBUTING.md'), re.DOTALL)[1]
        self.assertEqual(re.findall('`(.*?)`', text), levels())

    def test_folders_in_the_readme(self):
        named = set(re.findall(r'`libltt/(\w+)/`', read('README.md')))
        self.assertEqual(named, set(levels()) | {'probe'})

    def test_links(self):
        """To files that are there."""
        for path in sources('*.md', 'doc/*.md'):
            text = re.sub(r'(?m)^    .*', '', read(path))
            for target in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)', text):
                self.assertTrue(os.path.exists(os.path.join(SOURCE, os.path.dirname(path), target)),
                                '%s: %s' % (path, target))
