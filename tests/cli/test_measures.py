"""The programs that measure the tests: coverage of branches (branches.py) and mutants (tests/mutants)."""
import os
import sys
import tempfile
import unittest

SOURCE = os.environ.get('LTT_SOURCE', os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
sys.path[:0] = [os.path.join(SOURCE, 'tests'), os.path.join(SOURCE, 'tests/mutants')]

import branches
import mutations
import programs


class CountedBranches(unittest.TestCase):
    TEXT = 'int *f(int a)\n{\n\tg_assert(a > 0);\n\treturn a == MIN(a, 5) ? g_new(int, a) : NULL;\n}\n'

    def counted(self, plain, expansions):
        data = {'branches': plain, 'expansions': [{'source_region': where, 'branches': inside} for where, inside in expansions]}
        return branches.of_file(data, self.TEXT)

    def test_macros_that_no_input_decides_are_left_out(self):
        self.assertEqual(self.counted([], [([3, 2, 3, 10], [[1, 5, 1, 9, 7, 0]]), ([4, 26, 4, 31], [[9, 1, 9, 5, 0, 7], [9, 8, 9, 9, 0, 0]])]),
                         (0, 0, 6, []))

    def test_other_macros_count(self):
        self.assertEqual(self.counted([[4, 9, 4, 21, 3, 4]], [([4, 14, 4, 17], [[1, 1, 1, 5, 7, 0]])]), (4, 1, 0, [4]))

    def test_a_function_in_two_programs_counts_once(self):
        self.assertEqual(self.counted([[4, 9, 4, 21, 3, 0], [4, 9, 4, 21, 0, 2]], []), (2, 0, 0, []))
        self.assertEqual(self.counted([[4, 9, 4, 21, 3, 0], [4, 9, 4, 21, 1, 0]], []), (2, 1, 0, [4]))


class Mutants(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix='ltt-measures-')
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, text=''):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text)
        return path

    def test_objects_without_a_source_are_ignored(self):
        """An object whose source was moved is still in the build folder, and would define the same functions twice."""
        for name in ('libltt/reader/block.os', 'libltt/reader/moved.os', 'libltt/session/made-xml.os', 'libltt/session/made-xml.c'):
            self.write(name)
        build = programs.Programs.__new__(programs.Programs)
        build.made = self.folder
        self.assertEqual(sorted(build.with_source('libltt/**/*.os')), ['libltt/reader/block', 'libltt/session/made-xml'])

    def test_changes_of_a_file(self):
        path = self.write('file.c', 'int f(int a)\n{\n\tif (a < 5) /* a < 6 */\n\t\treturn g("a < 7");\n\th(a);\n\treturn 0;\n}\n')
        found = mutations.of_file(path)
        self.assertEqual([mutant.what for mutant in found], ['< -> <=', 'statement removed'])
        self.assertIn('if (a <= 5) /*', mutations.apply(found[0]))
        self.assertIn('\t;\n', mutations.apply(found[1]))

    def test_known_mutants_have_a_key_and_a_reason(self):
        path = self.write('list', '# What this is:\n# a list.\n\nfile.c: < -> <=: if (a < 5)\n    The callers pass\n    4.\n')
        self.assertEqual(mutations.equivalent(path), {'file.c: < -> <=: if (a < 5)': 'The callers pass 4.'})
        source = self.write('file.c', '\tif (a < 5)\n')
        self.assertEqual(mutations.of_file(source)[0].key, 'file.c: < -> <=: if (a < 5)')

    def test_known_mutants_exist(self):
        """An entry for a line that was changed since is removed."""
        sources = [os.path.join(folder, name) for folder, _, names in os.walk(os.path.join(SOURCE, 'libltt')) for name in names
                   if name.endswith('.c')]
        known = mutations.equivalent(os.path.join(SOURCE, 'tests/mutants/mutants.equivalent'))
        files = {key.split(':')[0] for key in known}
        keys = {mutant.key for path in sources if os.path.basename(path) in files for mutant in mutations.of_file(path)}
        self.assertEqual(set(known) - keys, set())


if __name__ == '__main__':
    unittest.main()
