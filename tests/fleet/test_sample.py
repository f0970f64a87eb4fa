"""samples/fleet: a job of several machines, which are network namespaces, with different clocks."""
import json
import os
import re
import shutil
import subprocess
import sys
import unittest

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from cluster import can_make  # noqa: E402  pylint: disable=wrong-import-position
from command import SOURCE, CommandTest, ltt, thorough  # noqa: E402  pylint: disable=wrong-import-position
from fleet_expected import PYTHON, environment, has  # noqa: E402  pylint: disable=wrong-import-position
from recording import USE  # noqa: E402  pylint: disable=wrong-import-position

CLOCK_STEP_S = 0.137
RULE = 'fleet.message_send:id=fleet.message_receive:id'


@unittest.skipUnless(can_make(), 'network namespaces need root')
class Job(CommandTest):
    def run_sample(self, **settings):
        done = subprocess.run(['sh', os.path.join(SOURCE, 'samples/fleet/run.sh'), self.path('out'), '3', '60'], check=False, timeout=300,
                              env=dict(environment(), LTT_BUILT=USE, **settings), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, encoding='utf-8')
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        return done.stdout

    def test_clocks(self):
        """The clocks of the machines are found, and in the merged trace no message is received before it is sent."""
        self.run_sample()
        shipped = [self.path('out/shipped/machine-%d.tar.zst' % i) for i in range(4)]
        report = ltt('sync', '--by', RULE, *shipped)
        for index, line in enumerate(report.lines[2:5]):
            offset, bound, unit = re.match(r' +\d+ +([-+][\d.]+) +\S+ +([\d.]+) (us|ms)', line).groups()
            limit = float(bound) * {'us': 1e-6, 'ms': 1e-3}[unit]
            self.assertLess(abs(float(offset) + CLOCK_STEP_S * (index + 1)), limit + 1e-6, report.out)
        sent, tasks = set(), []
        for line in ltt('dump', '--format=json', self.path('out/merged')).lines:
            event = json.loads(line)
            if event['event'] == 'fleet.message_send':
                sent.add(event['data']['id'])
            elif event['event'] == 'fleet.message_receive':
                self.assertIn(event['data']['id'], sent)
            elif event['event'] == 'fleet.task_end':
                tasks.append(event['data']['task'])
        self.assertEqual(sorted(tasks), list(range(1, 61)))

    @thorough
    @unittest.skipUnless(has('pyspark') and has('chdb') and shutil.which('java'), 'pyspark or chdb is not installed in build/venv, or there is no Java')
    def test_ten_questions(self):
        """Spark and ClickHouse agree; ask.py fails otherwise."""
        out = self.run_sample(PYTHON=PYTHON)
        self.assertEqual(len(re.findall(r'(?m)^[A-Z].*\?$', out)), 10, out)
        tasks = re.search(r'How many tasks did each machine perform\?\n((?:    \S+ \d+\n)+)', out)[1]
        self.assertEqual(sum(int(line.split()[1]) for line in tasks.splitlines()), 60)


if __name__ == '__main__':
    unittest.main()
