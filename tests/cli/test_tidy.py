"""tests/tidy.py runs clang-tidy again only for files whose contents or headers have changed."""
import os

from command import SOURCE, CommandTest
from tidy import Tidy


class Cache(CommandTest):
    def setUp(self):
        super().setUp()
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(self.folder)
        os.makedirs('include/ltt')
        os.symlink(os.path.join(SOURCE, '.clang-tidy'), '.clang-tidy')
        self.write('include/ltt/a.h', '#include <stddef.h>\n')
        self.write('b.h', '#include <ltt/a.h>\n')
        self.write('c.c', '#include "b.h"\n')
        self.finding = None
        self.commands = []

    def write(self, path, text):
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)

    def run_tidy(self, command):
        self.commands.append(command)
        return self.finding

    def count_runs(self, flags=()):
        """Returns the number of clang-tidy runs for c.c."""
        before = len(self.commands)
        result = Tidy(['-Iinclude'], list(flags)).check('c.c', self.run_tidy)
        runs = len(self.commands) - before
        self.assertEqual(result, self.finding if runs else None)
        return runs

    def test_changes(self):
        self.assertEqual((self.count_runs(), self.count_runs()), (1, 0))
        self.write('c.c', '#include "b.h"\nint c;\n')
        self.assertEqual((self.count_runs(), self.count_runs()), (1, 0))
        self.write('include/ltt/a.h', '')
        self.assertEqual((self.count_runs(), self.count_runs()), (1, 0))
        self.assertEqual((self.count_runs(['-DX']), self.count_runs(['-DX'])), (1, 0))

    def test_findings_are_reported_again(self):
        self.finding = 'c.c:1: a bug'
        self.assertEqual((self.count_runs(), self.count_runs()), (1, 1))
        self.finding = None
        self.assertEqual((self.count_runs(), self.count_runs()), (1, 0))
