"""What the README and the quick start show is what the commands do."""
import fnmatch
import os
import re

from command import BUILD, ENVIRONMENT, SOURCE, CommandTest, run


def examples():
    """Command lines of the README and the lines under each, up to the end of its block."""
    with open(os.path.join(SOURCE, 'README.md'), encoding='utf-8') as file:
        blocks = re.findall(r'(?m)^    \$ (.+)\n((?:    (?!\$).*\n|\n(?=    (?!\$)))*)', file.read())
    return [(command, [line[4:] for line in lines.split('\n')[:-1]]) for command, lines in blocks]


class Readme(CommandTest):
    def test_examples_give_what_they_show(self):
        """A line "..." stands for any lines."""
        path = os.path.join(BUILD, 'bin') + os.pathsep + ENVIRONMENT['PATH']
        shown = [example for example in examples() if not example[0].startswith('ltt record')]
        self.assertGreater(len(shown), 8)
        for command, lines in shown:
            with self.subTest(command=command):
                got = run('sh', '-c', 'PATH=%s; exec 2>&1; %s' % (path, command), cwd=SOURCE).out
                pattern = '\n'.join(lines + ['']).replace('[', '[[]').replace('?', '[?]')
                pattern = pattern.replace('*', '[*]').replace('...\n', '*').replace('  *', '*')
                self.assertTrue(fnmatch.fnmatchcase(got, pattern), got)


class QuickStart(CommandTest):
    def test_on_what_is_built(self):
        """Twice, as it may be run twice; nothing is left behind."""
        for _ in range(2):
            result = run('env', 'LTT_BUILT=' + BUILD, 'TMPDIR=' + self.folder, 'sh',
                         os.path.join(SOURCE, 'samples/quickstart.sh'), cwd=self.folder)
            self.assertEqual(result.status, 0, result.err)
            for words in ('$ ltt info trace', 'processes.process  name=', 'trace: no problems',
                          'hash_files.file_open', '"event":"'):
                self.assertIn(words, result.out)
            self.assertEqual(os.listdir(self.folder), [])
