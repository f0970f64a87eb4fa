"""support.py - for the tests of the Python package: samples, and what the command ltt says of them.

They run by themselves, too:

    PYTHONPATH=build/python:python/tests build/venv/bin/python -m unittest discover python/tests
"""
import glob
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import warnings

import ltt

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
LTT = os.path.join(os.environ.get('LTT_BUILD', os.path.join(SOURCE, 'build')), 'bin/ltt')
BASE = ('time', 'cpu', 'pid', 'tid')
sys.path.append(os.path.join(SOURCE, 'tests'))


def samples(*folders):
    """All traces of tests/data."""
    return [path for folder in folders or ('ltt', 'ltt-extra', 'ltt-damaged', 'bookmarks')
            for path in sorted(glob.glob(os.path.join(SOURCE, 'tests/data', folder, '*'))) if os.path.isdir(path)]


def sample(name):
    return next(path for path in samples() if os.path.basename(path) == name)


def command(*words):
    """Output, and messages without the name of the command."""
    environment = {name: value for name, value in os.environ.items() if name != 'LD_PRELOAD'}
    done = subprocess.run([LTT, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding='utf-8', env=environment,
                          check=False)
    prefix = 'ltt %s: ' % words[0]
    return done.stdout, [line[len(prefix):] for line in done.stderr.splitlines() if line.startswith(prefix)]


def dump(path, *options):
    """The events that `ltt dump --format=json` prints, and its messages."""
    out, messages = command('dump', '--format=json', *options, path)
    return [json.loads(line) for line in out.splitlines()], messages


def time_ns(text):
    """A time of a dump."""
    seconds, fraction = text.split('.')
    return int(seconds) * 10**9 + int(fraction)


def column_names(data):
    """Fields under the names of their columns."""
    named = {}
    for name, value in data.items():
        while name in BASE or name in named:
            name = 'field_' + name
        named[name] = value
    return named


def same(value, expected):
    """Whether a Python value is what JSON says: bytes are lists, and floats of 4 bytes have fewer digits."""
    if isinstance(value, bytes):
        return list(value) == expected
    if isinstance(value, float):
        number = float(expected)
        return (value != value if number != number else
                value in (number, struct.unpack('f', struct.pack('f', number))[0] if abs(number) < 3.5e38 else number))
    if isinstance(value, list):
        return isinstance(expected, list) and len(value) == len(expected) and all(map(same, value, expected))
    if isinstance(value, dict):
        return isinstance(expected, dict) and list(value) == list(expected) and all(
            same(item, expected[name]) for name, item in value.items())
    return type(value) is type(expected) and value == expected


class TraceTest(unittest.TestCase):
    """A test with a folder of its own, in which warnings of traces are errors."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix='ltt-test-')
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        catcher = warnings.catch_warnings()
        catcher.__enter__()
        self.addCleanup(catcher.__exit__, None, None, None)
        warnings.simplefilter('error', ltt.TraceWarning)

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def open(self, *names, **options):
        """Opens samples; the trace is closed after the test."""
        trace = ltt.open([sample(name) for name in names], **options)
        self.addCleanup(trace.close)
        return trace

    def merge_hosts(self):
        """Traces of the machines a and b with the same processes, and the trace that was merged from them."""
        for name in 'ab':
            shutil.copytree(sample('tracer'), self.path(name))
            with open(self.path(name, 'info/system.xml'), encoding='utf-8') as file:
                text = re.sub(' (node_name|boot_id)="[^"]*"', '', file.read())
            with open(self.path(name, 'info/system.xml'), 'w', encoding='utf-8') as file:
                file.write(text.replace(' ltt_block_size', ' node_name="%s" boot_id="%s" ltt_block_size' % (name, name), 1))
        command('merge', '-o', self.path('merged'), self.path('a'), self.path('b'))
        return self.path('a'), self.path('b'), self.path('merged')
