"""The structure of the source: allowed includes, and the folders described in the documents."""
import functools
import glob
import os
import re
import subprocess
import unittest

from command import SOURCE
from recording import USE

MOST_LINES = 400

# The rooms of libltt-probe, which includes no headers of other rooms.
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
                if name != 'tracepoint/format-priv.h':  # of the kernel, for perf as well
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
        """Other rooms use attributes that the importer writes (doc/format.md, 8.7, 8.8 and 9.1)."""
        formats = [path.rstrip('/').split('/')[-1] for path in sources('libltt/formats/*/')]
        formats.remove('arrow')  # also the memory layout of the columns in table/
        named = re.compile('(?<![a-z])(%s)(?![a-z])' % '|'.join(formats), re.IGNORECASE)
        lists = ('libltt/include/ltt/ltt-import.h', 'libltt/include/ltt/ltt-export.h')
        for path in sources('libltt/**/*.[ch]'):
            if path.startswith('libltt/formats/') or path in lists or path.endswith('xml/shipped-data.c'):
                continue
            for number, line in enumerate(read(path).splitlines(), 1):
                line = re.sub(r'perf_event|PERF_[A-Z]', '', line)  # the system call of Linux
                self.assertIsNone(named.search(line), '%s:%d: %s' % (path, number, line))

    def test_ltt_h_includes_every_header(self):
        names = {os.path.basename(path) for path in sources('libltt/include/ltt/*.h')}
        expected = {name for name in names if not name.startswith('ltt-probe')} - {'ltt.h', 'ltt-sql.h', 'ltt-view.h'}
        self.assertEqual(set(re.findall(r'(?m)^#include <ltt/(.*)>', read('libltt/include/ltt/ltt.h'))), expected)

    def test_programs_see_the_public_headers_only(self):
        for path in sources('tools/**/*.[ch]', 'preload/*.[ch]', 'samples/**/*.[ch]'):
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
        """The first comment of a file begins with its name."""
        for path in sources('libltt/**/*.[ch]', 'tools/**/*.[ch]', 'preload/*.[ch]', 'samples/**/*.c'):
            self.assertTrue(read(path).startswith('/* %s - ' % os.path.basename(path)) or
                            read(path).startswith('/* %s\n' % os.path.basename(path)), path)

    def test_the_library_does_not_speak(self):
        """The library prints no messages and does not exit."""
        for path in sources('libltt/**/*.c'):
            for word in ('printf', 'puts', 'perror', 'exit', 'abort', 'g_print', 'g_printerr', 'g_warning',
                         'g_error', 'g_critical', 'g_message'):
                if path.split('/')[1] not in OF_THE_PROBE or word not in ('exit', 'abort'):
                    self.assertIsNone(re.search(r'(?<![\w>.])%s\(' % word, read(path)), '%s: %s' % (path, word))

    def test_keys_of_strangers_do_not_collide(self):
        """The hashes of GLib are known: keys of a trace can collide in them (ltt-hash.h). These are no such keys."""
        colours = ('libltt/analysis/flame-svg.c', 'libltt/view/tsp/styles.c')
        threads = ('libltt/analysis/state-threads.c', 'libltt/view/states.c')
        for path in sources('libltt/**/*.[ch]', 'tools/**/*.[ch]', 'python/**/*.[ch]'):
            if path not in colours + threads + ('libltt/include/ltt/ltt-hash.h',):
                self.assertIsNone(re.search(r'g_(str|int|int64|double)_hash', read(path)), path)


def find_circles(uses):
    """Strongly connected components of more than one file (Tarjan's algorithm)."""
    number, least, stack, circles = {}, {}, [], []

    def visit(file):
        number[file] = least[file] = len(number)
        stack.append(file)
        for used in sorted(uses.get(file, ())):
            if used not in number:
                visit(used)
            if used in stack:
                least[file] = min(least[file], least[used])
        if least[file] == number[file]:
            circle = stack[stack.index(file):]
            del stack[stack.index(file):]
            if len(circle) > 1:
                circles.append(tuple(sorted(circle)))

    for file in sorted(uses):
        if file not in number:
            visit(file)
    return sorted(circles)


@functools.lru_cache(maxsize=None)
def find_uses():
    """Object file -> object files whose symbols it uses, without suffixes."""
    folder = os.path.join(USE, 'obj/libltt')
    objects = [os.path.join(folder, path[len('libltt/'):-1] + 'os') for path in sources('libltt/**/*.c')]
    # A build has one of two folders: with Pango, or without.
    objects = [path for path in objects if os.path.exists(path) or '/view/png/' not in path and '/view/without/' not in path]
    done = subprocess.run(['nm', '-A', '-P', *objects], check=False, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        raise AssertionError('nm: ' + done.stderr)
    lines = done.stdout.splitlines()
    symbols = [(os.path.relpath(line.split(': ')[0], folder)[:-len('.os')], *line.split(': ')[1].split()[:2]) for line in lines]
    defined = {name: file for file, name, kind in symbols if kind.isupper() and kind not in 'UW'}
    uses = {}
    for file, name, kind in symbols:
        if kind in 'UW' and defined.get(name, file) != file:
            uses.setdefault(file, set()).add(defined[name])
    return uses


class Uses(unittest.TestCase):
    """Uses of functions and data between object files."""

    def test_nothing_of_a_higher_room(self):
        self.assertGreater(len(find_uses()), 100)
        order = levels()
        order.insert(order.index('session') + 1, 'probe')
        for file, used in find_uses().items():
            for other in used:
                self.assertLessEqual(order.index(other.split('/')[0]), order.index(file.split('/')[0]),
                                     '%s uses %s' % (file, other))

    def test_no_circles(self):
        self.assertEqual(find_circles(find_uses()), [])

    def test_finding_circles(self):
        uses = {'a': {'b', 'd'}, 'b': {'c'}, 'c': {'a'}, 'd': {'e'}, 'e': {'f'}, 'f': {'e'}, 'g': {'a', 'g2'}}
        self.assertEqual(find_circles(uses), [('a', 'b', 'c'), ('e', 'f')])


class Layout(unittest.TestCase):
    def test_no_file_is_too_long(self):
        for path in sources('libltt/**/*.[ch]', 'tools/**/*.[ch]', 'preload/*.[ch]'):
            if os.path.basename(path) != 'shipped-data.c':
                self.assertLessEqual(read(path).count('\n'), MOST_LINES, path)

    def test_no_comment_end_has_a_line_of_its_own_for_one_line(self):
        """Some formatters move the end of a long comment to its own line."""
        orphan = re.compile(r'(?m)^.*/\*(?:(?!\*/).)*\n[ \t]*\*/')
        for path in sources('libltt/**/*.[ch]', 'tools/**/*.[ch]', 'samples/**/*.[ch]', 'tests/**/*.[ch]'):
            found = orphan.search(read(path))
            self.assertIsNone(found, '%s: %s' % (path, found and found[0]))


class Documents(unittest.TestCase):
    def test_public_headers_can_be_found_from_a_manual_page(self):
        """A page lists a header, or another page that lists it, or a listed header includes it."""
        pages = sources('doc/man/*.[1-9]')
        for page in pages:
            named = (os.path.join('doc', name) for name in re.findall(r'[\w-]+\.md\b', read(page)))
            pages += [name for name in named if name not in pages and os.path.exists(os.path.join(SOURCE, name))]
        text = '\n'.join(map(read, pages))
        folder = 'libltt/include/ltt'
        headers = [os.path.basename(path) for path in sources(folder + '/*.h')]
        reached = [name for name in headers if re.search(r'(?<![\w-])' + re.escape(name), text)]
        for name in reached:
            reached += [other for other in re.findall(r'#include <ltt/([^>]+)>', read(folder, name)) if other not in reached]
        self.assertEqual(sorted(set(headers) - set(reached)), [])

    def test_levels_in_contributing(self):
        text = re.search(r'a lower one: (.*?)\. Public', read('CONTRIBUTING.md'), re.DOTALL)[1]
        self.assertEqual(re.findall('`(.*?)`', text), levels())

    def test_folders_in_contributing(self):
        rows = re.findall(r'^\| `libltt/(\w+)/`', read('CONTRIBUTING.md'), re.MULTILINE)
        named = set(rows)
        self.assertEqual(named, set(levels()) | {'probe'})

    def test_rows_of_tables_are_single_lines(self):
        for path in sources('*.md', 'doc/*.md'):
            for number, line in enumerate(read(path).splitlines(), 1):
                if line.startswith('|'):
                    self.assertTrue(line.endswith('|'), '%s:%d' % (path, number))

    def test_links(self):
        """Links lead to existing files."""
        for path in sources('*.md', 'doc/*.md'):
            text = re.sub(r'(?m)^    .*', '', read(path))
            for target in re.findall(r'\]\(([^)#:]+)(?:#[^)]*)?\)', text):
                self.assertTrue(os.path.exists(os.path.join(SOURCE, os.path.dirname(path), target)),
                                '%s: %s' % (path, target))
