"""The time of one call of each SQL function, counted in instructions: it grows linearly with the size of the arguments.

A call cannot be cancelled. What is not linear has a limit (test_sql_shell.py, test_those_that_replace_others and test_paths).
"""
import os
import re
import shutil
import sqlite3
import subprocess
import unittest

from command import ENVIRONMENT, SOURCE, CommandTest, ltt, sample, thorough

LTT_SQL = os.path.join(os.environ.get('LTT_USE', os.path.join(SOURCE, 'build')), 'bin/ltt')
MANY = 12
BYTES = 8192
TEXT, DIGITS, JSON, PATH, NUMBER = 't', 'd', 'j', "'$[#-1]'", '3'
# Their second argument is limited: with a long one they take quadratic time.
SHORT_SECOND = {'like', 'glob', 'trim', 'ltrim', 'rtrim', 'json_patch'}


def forms(name, n_arguments):
    """The arguments of calls to try; those that fail take no time."""
    n = n_arguments if n_arguments >= 0 else MANY
    if name in SHORT_SECOND:
        yield ["'%ab_'", TEXT, "'b'"][:n] if name in ('like', 'glob') else [JSON if name == 'json_patch' else TEXT, "'[1]'"][:n]
        return
    for first in (TEXT, DIGITS, JSON):
        yield [first] * n
        for other in (PATH, NUMBER, "'x'"):
            yield [first] + [other] * (n - 1)
            yield [first] + [PATH if i % 2 == 0 else other for i in range(n - 2)] if n % 2 else [first] + [PATH, other] * (n // 2)
            yield [other] * (n - 1) + [first]


@unittest.skipUnless(shutil.which('valgrind'), 'needs the Debian package valgrind')
class Functions(CommandTest):
    def count(self, calls, n_bytes):
        """Returns: the instructions of all calls, with texts of as many bytes."""
        query = ("WITH v AS MATERIALIZED (SELECT hex(zeroblob(%d)) AS d, replace(hex(zeroblob(%d)), '0', 'a') AS t,"
                 "'[' || replace(hex(zeroblob(%d)), '00', '1,') || '1]' AS j) SELECT " % (n_bytes // 2, n_bytes // 2, n_bytes // 2))
        path = self.path('callgrind.out')
        script = ';'.join(query + ', '.join('(%s) IS NULL' % call for call in calls[i:i + 50]) + ' FROM v'
                          for i in range(0, len(calls), 50))
        done = subprocess.run(['valgrind', '--tool=callgrind', '--trace-children=yes', '--callgrind-out-file=' + path, LTT_SQL, 'sql', '-j', '1',
                               sample('one-cpu'), script], env=ENVIRONMENT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False)
        self.assertEqual(done.returncode, 0, done.stderr[-500:])
        return int(re.findall(rb'Collected : (\d+)', done.stderr)[-1])

    def choose(self, calls):
        """Returns: those that succeed. The functions are mostly those of SQLite."""
        database = sqlite3.connect(':memory:')
        query = "WITH v AS MATERIALIZED (SELECT '0000' AS d, 'aaaa' AS t, '[1,1]' AS j) SELECT %s FROM v"
        chosen = []
        for call in calls:
            try:
                list(database.execute(query % call))
                chosen.append(call)
            except sqlite3.Error as error:
                if 'no such function' in str(error) and ltt('sql', sample('one-cpu'), query % call).status == 0:
                    chosen.append(call)
        return chosen

    @thorough
    def test_each(self):
        result = ltt('sql', '--format=csv', sample('one-cpu'), "SELECT DISTINCT name, narg FROM pragma_function_list "
                     "WHERE type = 's' AND narg <> 0 AND narg < 16 AND name NOT GLOB '*blob' AND name NOT GLOB 'sqlite_*' ORDER BY 1, 2")
        functions = [line.split(',') for line in result.lines[1:]]
        self.assertGreater(len(functions), 80)
        calls = {}
        for name, n in functions:
            texts = {'"%s"(%s)' % (name, ', '.join(form)) for form in forms(name, int(n))}
            calls[name, n] = self.choose(sorted(texts))
        for name in ('json_remove', 'json_extract', 'json_set', 'max', 'replace', 'instr', 'printf', 'upper', 'strftime', 'substr', '->'):
            self.assertTrue(any(calls[key] for key in calls if key[0] == name), name)
        every = [call for texts in calls.values() for call in texts]
        few, some, many = (self.count(every, n) for n in (16, BYTES, 2 * BYTES))
        print('# %d calls: %d instructions a byte' % (len(every), (many - some) / BYTES), (many - few) / (some - few))
        self.assertLess((many - few) / (some - few), 2.1)


if __name__ == '__main__':
    unittest.main()
