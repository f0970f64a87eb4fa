"""The examples of the documents and of the quick start print the documented output."""
import glob
import os

from command import BUILD, ENVIRONMENT, SOURCE, CommandTest, run, thorough
from documents import Example, File, Mistake, blocks, examples, fits, steps
from install.installed import installation
from recording import USE

DOCUMENTS = ['README.md', 'CONTRIBUTING.md'] + sorted('doc/' + os.path.basename(path) for path in
                                                      glob.glob(os.path.join(SOURCE, 'doc/*.md')))


# Their examples need packages of tests/requirements.txt.
WITH_PACKAGES = ('doc/clickhouse.md', 'doc/spark.md')
TAKE_LONG = ('doc/spark.md',)


class Documents(CommandTest):
    """A test for each document: runs its examples in order, in a copy of the source tree's layout, with the installed files available."""

    def setUp(self):
        super().setUp()
        self.work = self.path('work')
        self.other_machine = self.path('other')
        os.mkdir(self.work)
        os.mkdir(self.other_machine)
        for name in ('doc', 'eventdefs', 'libltt', 'samples', 'schemas', 'tests'):
            os.symlink(os.path.join(SOURCE, name), os.path.join(self.work, name))
        os.symlink(os.path.join(SOURCE, os.environ.get('LTT_USE', 'build')), os.path.join(self.work, 'build'))
        prefix = installation()
        self.environment = {
            'PYTHONPATH': os.path.join(USE, 'python'),
            'PATH': os.pathsep.join([os.path.join(BUILD, 'bin'), os.path.join(SOURCE, 'build/venv/bin'), os.path.join(SOURCE, 'tests/stand-ins'),
                                     ENVIRONMENT['PATH']]),
            'PKG_CONFIG_PATH': prefix + '/lib/pkgconfig',
            'LD_LIBRARY_PATH': prefix + '/lib',
            'LTT_OTHER_MACHINE': self.other_machine,
        }

    def shell(self, command):
        """Both outputs of a command line."""
        settings = ['%s=%s' % item for item in self.environment.items()]
        result = run('env', *settings, 'sh', '-c', 'exec 2>&1\n' + command, cwd=self.work)
        self.assertNotIn('Sanitizer', result.out)
        return result

    def check(self, document):
        with open(os.path.join(SOURCE, document), encoding='utf-8') as file:
            has_python = '\n    >>> ' in file.read()
        if (has_python or document in WITH_PACKAGES) and not os.path.exists(os.path.join(SOURCE, 'build/venv/bin/python3')):
            self.skipTest('the packages of tests/requirements.txt are not installed in build/venv')
        for step in steps(document):
            if isinstance(step, File):
                with open(os.path.join(self.work, step.name), 'w', encoding='utf-8') as file:
                    file.write(step.text)
                continue
            result = self.shell(step.command)
            if not fits(step, result.out):
                self.fail('%s: $ %s\n%s' % (document, step.command, result.out or '(nothing)'))
        if has_python:  # examples of the interactive interpreter, by its module doctest
            result = self.shell('python3 -X dev -m doctest -o ELLIPSIS -o NORMALIZE_WHITESPACE ' + document)
            self.assertEqual((result.status, result.out), (0, ''), result.out)


def add_test(document):
    name = 'test_' + os.path.basename(document)[:-len('.md')].lower().replace('-', '_')

    def test(self):
        self.check(document)

    setattr(Documents, name, thorough(test) if document in TAKE_LONG else test)


for each in DOCUMENTS:
    add_test(each)


class Notation(CommandTest):
    """The notation of examples in tests/documents.py."""

    def test_blocks(self):
        text = ('Text\n\n    a\n\n    b\n\n\nText\n\n<!-- file x.c -->\n\n    c\n        d\n<!-- numbers differ -->\n\n'
                'Text\n\n    e\n')
        self.assertEqual(list(blocks(text)), [(None, ['a', '', 'b']), ('file x.c', ['c', '    d']), (None, ['e'])])

    def test_examples(self):
        self.assertEqual(examples(['no', '$ a', '> b', 'c', '> d', '', '$ e'], False),
                         [Example('a\nb', ['c', '> d', ''], False), Example('e', [], False)])

    def test_fitting(self):
        for lines, differ, got, does in (
                (['a', 'b'], False, 'a\nb\n', True), (['a', 'b'], False, 'a\nb', True),
                (['a', 'b'], False, 'a\n', False), (['a'], False, 'a\nb\n', False), ([], False, '', True),
                ([], False, 'a\n', False), (['a', '...'], False, 'a\n', True), (['...', 'c'], False, 'a\nb\nc\n', True),
                (['...', 'c'], False, 'c\nd\n', False), (['a.c'], False, 'abc\n', False),
                (['12  1.5 KiB in cpu/1'], True, '3   40 bytes in cpu/0\n', True), (['12 a'], True, 'x a\n', False),
                (['12 a'], False, '13 a\n', False), (['9f6c7f6ab8428213'], True, 'a06c7f6ab842821f\n', True)):
            self.assertEqual(fits(Example('x', lines, differ), got), does, (lines, got))

    def test_mistakes_in_a_document(self):
        for number, text in enumerate(('<!-- run it -->\n\n    $ a\n', '<!-- numbers differ -->\n\n    a\n')):
            path = self.path('%d.md' % number)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            self.assertRaises(Mistake, steps, path)


class QuickStart(CommandTest):
    def test_on_what_is_built(self):
        """Runs twice, and leaves no files."""
        for _ in range(2):
            result = run('env', 'LTT_BUILT=' + BUILD, 'TMPDIR=' + self.folder, 'sh',
                         os.path.join(SOURCE, 'samples/quickstart.sh'), cwd=self.folder)
            self.assertEqual(result.status, 0, result.err)
            for words in ('$ ltt info trace', 'processes.process  name=', 'trace: no problems',
                          'hash_files.file_open', 'p99', 'busy', '"event":"'):
                self.assertIn(words, result.out)
            self.assertEqual(os.listdir(self.folder), [])
