"""Two readers, one written from the format document alone, agree on random traces."""

import os
import subprocess
import tempfile
import unittest

from command import some

BUILD = os.environ['LTT_BUILD']
LTT = os.path.join(BUILD, 'bin', 'ltt')
READER = os.path.join(os.environ['LTT_SOURCE'], 'doc', 'read_trace.py')


def output_of(*command):
    """Standard output of a command that must succeed without messages."""
    return subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout


class RandomTraces(unittest.TestCase):
    def test_both_readers_agree(self):
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([os.path.join(BUILD, 'tests', 'test-roundtrip'), 'every'], check=True,
                           stdout=subprocess.DEVNULL,
                           env=dict(os.environ, LTT_KEEP_TRACES=folder))
            traces = sorted(os.listdir(folder))
            self.assertGreater(len(traces), 60)
            for name in traces[::len(traces) // some(36)]:
                trace = os.path.join(folder, name)
                ours = output_of(LTT, 'dump', '--all', '--format=json', trace)
                theirs = output_of('python3', READER, trace)
                self.assertEqual(ours.splitlines(), theirs.splitlines(), name)
