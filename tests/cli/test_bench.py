"""`scons bench` still measures: its reading half, with hardly any events."""
import os
import subprocess
import sys

from command import SOURCE, CommandTest
from recording import USE


class Bench(CommandTest):
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
