"""`scons bench` runs: reading and importing, with few events."""
import os
import subprocess
import sys
import unittest

from command import SOURCE, CommandTest, thorough
from recording import USE


class Bench(CommandTest):
    @thorough
    def test_tables(self):
        done = subprocess.run([sys.executable, os.path.join(SOURCE, 'tests/bench/bench.py'), '--build', USE, '--only',
                               'read', '--events', '500', '--runs', '1', '--dir', self.folder],
                              stdout=subprocess.PIPE, text=True, check=True)
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in done.stdout.splitlines()
                if line.startswith('|')]
        self.assertEqual(sum(row[0] == '`ltt dump`' and float(row[1]) > 0 for row in rows), 3)
        self.assertEqual(sum(row[0] == '`babeltrace2`' and float(row[1]) > 0 for row in rows), 3)
        self.assertEqual([row[0] for row in rows[:3:2]], ['worst of all kinds', 'merge, against `babeltrace2 -o dummy`'])
        self.assertTrue({row[4] for row in rows[2:12]} <= {'yes', 'no'})
        self.assertEqual(os.listdir(self.folder), [])

    @unittest.skipUnless(os.path.isdir(os.path.join(USE, 'python')), 'built without python3-dev')
    def test_questions(self):
        """All tools give the same answers; the bench fails otherwise."""
        done = subprocess.run([sys.executable, os.path.join(SOURCE, 'tests/bench/bench.py'), '--build', USE, '--only',
                               'sql', '--events', '5000', '--runs', '1', '--dir', self.folder], cwd=SOURCE,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in done.stdout.splitlines()
                if line.startswith('|')]
        self.assertEqual([row[0] for row in rows[2:8]], ['count', 'window of 1 ms', 'one of three values, sum',
                                                         'group by enum, average', 'group by string',
                                                         'join of requests and responses'])
        self.assertTrue(all(float(cell) >= 0 for row in rows[2:8] for cell in row[1:]))
        self.assertTrue(all(float(row[1]) > 0 for row in rows[10:]))
        self.assertEqual(os.listdir(self.folder), [])

    def test_imports(self):
        done = subprocess.run([sys.executable, os.path.join(SOURCE, 'tests/bench/bench.py'), '--build', USE, '--only',
                               'import', '--events', '20000', '--runs', '1', '--dir', self.folder],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        rows = [[cell.strip() for cell in line.strip('|').split('|')] for line in done.stdout.splitlines()
                if line.startswith('|')]
        kinds = [row for row in rows if len(row) == 6][2:]
        self.assertEqual(len(kinds), 7)
        self.assertEqual([row[3] for row in kinds], sorted((row[3] for row in kinds), key=float), 'the worst comes first')
        self.assertEqual(rows[2][1], kinds[0][3])
        self.assertEqual(os.listdir(self.folder), [])
