"""A cluster of a master and two workers, each in its own network namespace: the same answer, also if a worker is killed."""
import json
import os
import shutil
import sys
import time
import unittest
from collections import defaultdict

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from cluster import Cluster, can_make  # noqa: E402  pylint: disable=wrong-import-position
from command import SOURCE, CommandTest, thorough  # noqa: E402  pylint: disable=wrong-import-position
from fleet_expected import PYTHON, environment, has, traces_once  # noqa: E402  pylint: disable=wrong-import-position

SCRIPT = os.path.join(SOURCE, 'tests/fleet/cluster_answers.py')
LOCAL = ('PATH', 'PYTHONPATH', 'PYSPARK_PYTHON', 'LC_ALL')


@thorough
@unittest.skipUnless(has('pyspark') and shutil.which('java'), 'pyspark is not installed in build/venv, or there is no Java')
@unittest.skipUnless(can_make(), 'network namespaces need root')
class Machines(CommandTest):
    def expect(self):
        sums = defaultdict(lambda: [0, 0, 0])
        for row in traces_once()[1].rows['http.request']:
            for index, value in enumerate((row['bytes'], 1, row['id'])):
                sums[row['host']][index] += value
        return sums

    def ask(self, victim=None, text=None):
        """Runs the job. victim: the machine whose processes are killed once a task of it has begun"""
        sign = self.path('sign')
        if victim is not None:
            with open(sign, 'w', encoding='utf-8'):
                pass
        settings = {name: value for name, value in environment().items() if name in LOCAL}
        with Cluster(PYTHON, 2, settings) as cluster:
            job = cluster.driver(SCRIPT, cluster.master, cluster.driver_address, traces_once()[0] + '/*', sign)
            if victim is not None:
                self.assertGreater(self.kill_in_mid_job(cluster, job, victim, text, sign), 0)
                os.remove(sign)
            out, err = job.communicate(timeout=300)
            self.assertEqual(job.returncode, 0, err[-4000:])
            answer = json.loads(out.splitlines()[-1])
            answer['rows'] = {host: sorted(map(int, rest)) for host, *rest in answer['rows']}
            return answer, cluster.addresses

    def kill_in_mid_job(self, cluster, job, victim, text, sign):
        """Waits for a task on the machine. Returns: the number of processes killed"""
        while job.poll() is None:
            with open(sign, encoding='utf-8') as file:
                begun = {int(line) for line in file.read().split()}
            if begun & set(cluster.processes_of(victim)):
                return cluster.kill(victim, text)
            time.sleep(0.05)
        self.fail(job.stderr.read()[-4000:])
        return 0

    def check(self, answer):
        self.assertEqual(answer['rows'], {host: sorted(values) for host, values in self.expect().items()})

    def test_two_workers(self):
        answer, addresses = self.ask()
        self.check(answer)
        self.assertTrue(set(addresses[2:]) <= set(answer['executors']), answer['executors'])

    def test_kill_a_task(self):
        answer, _ = self.ask(2, 'pyspark.daemon')
        self.check(answer)

    def test_kill_a_machine(self):
        answer, _ = self.ask(3)
        self.check(answer)


if __name__ == '__main__':
    unittest.main()
