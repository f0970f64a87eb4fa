"""The manual: every command has a page with the options of its help, and all pages render."""
import glob
import os
import re
import sys

from command import BUILD, SOURCE, CommandTest, run
from install.installed import InstalledTest

sys.path.insert(0, os.path.join(SOURCE, 'doc/man'))
from new_page import command_help, command_summaries, page  # noqa: E402  pylint: disable=wrong-import-position
import pages  # noqa: E402  pylint: disable=wrong-import-position

LTT = os.path.join(BUILD, 'bin/ltt')
ADVICE = '`python3 doc/man/new_page.py COMMAND > doc/man/ltt-COMMAND.1` begins one'


def sources():
    return sorted(glob.glob(os.path.join(SOURCE, 'doc/man/*.[1-8]')))


def page_name(path):
    """("ltt-dump", "1")"""
    return tuple(os.path.basename(path).rsplit('.', 1))


def options_of(text):
    """The options that a page explains: (short, long, word for the argument), in order.

    The word for an optional argument is "[=WORD]".
    """
    items = re.findall(r'(?m)^\.It (?:Fl (\w) , )?Fl -([\w-]+)( Ns Op = Ns)?(?: Ar (.+))?$', text)
    return [(short, name, '[=%s]' % word if is_optional else word) for short, name, is_optional, word in items]


class Commands(CommandTest):
    def test_each_has_a_page(self):
        commands = {name[4:] for name, section in map(page_name, sources()) if section == '1' and name.startswith('ltt-')}
        self.assertEqual(commands, set(command_summaries(LTT)), ADVICE)

    def test_first_line_is_that_of_the_list(self):
        for command, summary in command_summaries(LTT).items():
            text = pages.make(os.path.join(SOURCE, 'doc/man/ltt-%s.1' % command), '0')
            self.assertEqual(re.search(r'(?m)^\.Nd (.+)', text)[1], summary, command)

    def test_kinds_are_those_of_the_help(self):
        for command in ('import', 'export'):
            kinds = re.findall(r'(?m)^  (\S+)', run(LTT, 'help', command).out.split('Kinds:\n')[1].split('\n\n')[0])
            text = pages.make(os.path.join(SOURCE, 'doc/man/ltt-%s.1' % command), '0')
            self.assertEqual(sorted(kinds), sorted(kind for item in re.findall(r'(?m)^\.It Cm (.+)$', text)
                                                    for kind in item.split(' , ')), command)

    def test_options_are_those_of_the_help(self):
        for command in command_summaries(LTT):
            said = command_help(command, LTT)
            text = pages.make(os.path.join(SOURCE, 'doc/man/ltt-%s.1' % command), '0')
            self.assertEqual(sorted(options_of(text)),
                             sorted(option[:3] for option in said.options + said.shared), 'ltt-%s.1' % command)

    def test_no_option_of_the_help_is_missed(self):
        """new_page.Help, like the shell completion, parses all options of a help text."""
        for command in command_summaries(LTT):
            said = command_help(command, LTT)
            lines = [line for line in run(LTT, 'help', command).lines if re.match(r' +(-\w, )?--\w', line)]
            self.assertEqual(len(lines), len(said.options + said.shared), command)

    def test_pages_begun(self):
        """The output of doc/man/new_page.py is valid mdoc."""
        for command, summary in command_summaries(LTT).items():
            said = command_help(command, LTT)
            path = self.path('ltt-%s.1' % command)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(page(command, summary, said))
            text = pages.make(path, '0')
            self.assertEqual(sorted(options_of(text)), sorted(option[:3] for option in said.options + said.shared))
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text)
            self.assert_done(run('mandoc', '-T', 'lint', '-W', 'warning', path), '')


class Pages(InstalledTest):
    def test_render(self):
        """Pages render with man, without warnings of man or mandoc."""
        folder = os.path.join(self.prefix, 'share/man')
        for path in sources():
            name, section = page_name(path)
            installed = '%s/man%s/%s.%s' % (folder, section, name, section)
            with self.subTest(page=name):
                self.assertEqual(self.call('man', '-M', folder, '-w', section, name).strip(), installed)
                self.assert_done(run('mandoc', '-T', 'lint', '-W', 'warning', installed), '')
                result = run('env', 'MANWIDTH=80', 'man', '--warnings', '-E', 'UTF-8', '-l', installed)
                self.assertEqual((result.status, result.err), (0, ''))
                self.assertIn(name.upper() + '(%s)' % section, result.lines[0])
                self.assertNotIn('@', re.sub(r'[\w.]+@[\w.]+', '', result.lines[-1]))

    def test_references(self):
        """Cross-references lead to existing pages, and ltt(1) lists all pages of section 1."""
        known = set(map(page_name, sources()))
        for path in sources():
            for name, section in re.findall(r'(?m)^\.(?:It )?Xr (\S+) (\d)', pages.make(path, '0')):
                if 'ltt' in name:
                    self.assertIn((name, section), known, path)

    def test_headers(self):
        """libltt(3) names every public header."""
        text = self.call('man', '-M', os.path.join(self.prefix, 'share/man'), '3', 'libltt')
        for path in glob.glob(os.path.join(SOURCE, 'libltt/include/ltt/*.h')):
            if not os.path.basename(path).startswith('ltt-probe'):
                self.assertIn(os.path.basename(path), text)
