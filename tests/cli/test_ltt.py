"""`ltt`: help, version, mistyped commands."""
import re

from command import CommandTest, ltt

COMMANDS = ('info', 'dump', 'check', 'compile')


class Help(CommandTest):
    def test_lists_the_commands(self):
        result = ltt('help')
        self.assert_done(result)
        listed = re.findall(r'^  (\w+) +\S', result.out, re.M)
        for name in COMMANDS:
            self.assertIn(name, listed)
        self.assert_done(ltt('--help'), result.out)

    def test_without_a_word_is_the_same_and_a_failure(self):
        self.assert_failed_with(ltt(), ltt('help').out)

    def assert_failed_with(self, result, text):
        self.assertEqual((result.status, result.raw, result.err), (2, b'', text))

    def test_of_a_command(self):
        for name in re.findall(r'^  (\w+) +\S', ltt('help').out, re.M):
            with self.subTest(command=name):
                result = ltt('help', name)
                self.assert_done(result)
                self.assertTrue(result.out.startswith('usage: ltt %s ' % name), result.out)
                self.assertIn('--help', result.out)
                self.assertTrue(all(len(line) <= 100 for line in result.lines))
                self.assert_done(ltt(name, '--help'), result.out)
                self.assert_done(ltt(name, '-h'), result.out)

    def test_version(self):
        result = ltt('--version')
        self.assert_done(result)
        self.assertRegex(result.out, r'^ltt [0-9]+\.[0-9]+\.[0-9]+\n$')


class Mistakes(CommandTest):
    def test_nearest_command_is_suggested(self):
        for word, meant in (('dmup', 'dump'), ('inof', 'info'), ('chekc', 'check'), ('dum', 'dump'), ('dumpp', 'dump')):
            self.assert_failed(ltt(word), 'ltt: %s: no such command; did you mean `ltt %s`?' % (word, meant))
        self.assert_failed(ltt('help', 'dmup'), 'did you mean `ltt dump`?')

    def test_nothing_is_suggested_for_nonsense(self):
        for word in ('xyzzy', '', 'a-very-long-word-that-is-like-no-command-of-ltt'):
            self.assert_failed(ltt(word), 'ltt: %s: no such command; `ltt help` lists them' % word)

    def test_options_come_behind_the_command(self):
        self.assert_failed(ltt('--all', 'dump'), 'ltt: --all: no such option; the command must come first')
