"""The samples for Dask and DuckDB count a fleet's events as `ltt dump` prints them."""
import os
import sys
import unittest
from collections import defaultdict

sys.path.append(os.path.dirname(os.path.abspath(__file__)))
from command import SOURCE, CommandTest, run, thorough  # noqa: E402  pylint: disable=wrong-import-position
from fleet_expected import PYTHON, has, traces_once  # noqa: E402  pylint: disable=wrong-import-position
from recording import USE  # noqa: E402  pylint: disable=wrong-import-position


@thorough
class Engines(CommandTest):
    def check(self, sample, *words):
        folder, expected = traces_once()
        counts = defaultdict(lambda: [0, 0])
        for row in expected.rows['http.response']:
            counts[row['host']][0] += 1
            counts[row['host']][1] += row['took']
        result = run('env', 'PYTHONPATH=' + os.path.join(USE, 'python'), PYTHON, os.path.join(SOURCE, 'samples/fleet', sample),
                     'http.response', *words, folder + '/*')
        self.assertEqual((result.status, result.err), (0, ''))
        self.assertEqual(result.lines, ['%s\t%d\t%d' % (host, *counts[host]) for host in sorted(counts)])

    @unittest.skipUnless(has('duckdb'), 'duckdb is not installed in build/venv: run `sh tests/run.sh`')
    def test_duckdb(self):
        self.check('with_duckdb.py', 'SELECT host, count(*), sum(took) FROM events GROUP BY host ORDER BY host')

    @unittest.skipUnless(has('dask'), 'dask is not installed in build/venv: run `sh tests/run.sh`')
    def test_dask(self):
        self.check('with_dask.py', 'took')


if __name__ == '__main__':
    unittest.main()
