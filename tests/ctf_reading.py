"""ctf_reading.py - export traces to CTF, and compare what babeltrace2 reads with `ltt dump --format=json`."""
import json
import os
import re
import shutil
import struct
import subprocess
import unittest

from command import SOURCE, CommandTest, ltt, run

BABELTRACE = shutil.which('babeltrace2')
DEBIAN_PYTHON = '/usr/bin/python3'
READER = os.path.join(SOURCE, 'tests/ctf_events.py')


def can_read_values():
    return os.path.exists(DEBIAN_PYTHON) and subprocess.run(
        [DEBIAN_PYTHON, '-c', 'import bt2'], stderr=subprocess.DEVNULL, check=False).returncode == 0


needs_babeltrace = unittest.skipUnless(BABELTRACE, 'babeltrace2 is not installed')
needs_values = unittest.skipUnless(can_read_values(), 'python3-bt2 is not installed')


def name_of(trace):
    return os.path.basename(trace)


def ctf_name(event):
    return event['event'].replace('.', ':', 1)


def stream_name(event):
    return event['tracefile'].replace('/', '_')


def nanoseconds(text):
    seconds, decimals = text.split('.')
    return int(seconds) * 10 ** 9 + int(decimals)


def in_ctf_order(events):
    """The events as a reader of streams returns them: in order of time."""
    return sorted(events, key=lambda event: nanoseconds(event['time']))


def same_float(value, expected):
    _, width, text = value
    if isinstance(expected, str):
        return text == {'NaN': 'nan', 'Infinity': 'inf', '-Infinity': '-inf'}[expected]
    form = {'single': '<f', 'double': '<d'}[width]
    return struct.pack(form, float(text)) == struct.pack(form, expected)


def same(value, expected):
    """Whether a value that babeltrace2 read equals the value of the JSON."""
    kind = value[0]
    if kind == 'struct':
        members = value[1]
        if isinstance(expected, dict) and [name for name, _ in members] == list(expected):
            if all(same(member, expected[name]) for name, member in members):
                return True
        # A value that is not a struct is inside one where CTF requires it.
        return [name for name, _ in members] == ['value'] and same(members[0][1], expected)
    if kind == 'union':
        return isinstance(expected, dict) and list(expected) == [value[1]] and same(value[2], expected[value[1]])
    if kind == 'array':
        return (isinstance(expected, list) and len(expected) == len(value[1])
                and all(map(same, value[1], expected)))
    if kind == 'enum':
        return expected in value[2] if isinstance(expected, str) else expected == value[1] and not value[2]
    if kind == 'string':
        return bytes.fromhex(value[1]).decode('utf-8', 'replace') == expected
    if kind == 'float':
        return same_float(value, expected)
    return value[1] == expected


class CtfTest(CommandTest):
    def export(self, trace, *options, out='ctf', status=0):
        """Exports a trace; returns the directory and the messages."""
        path = self.path(out)
        shutil.rmtree(path, ignore_errors=True)
        result = ltt('export', '--to', 'ctf', '-o', path, *options, trace)
        self.assertEqual(result.status, status, result.err)
        self.assertEqual(result.raw, b'')
        if status == 0:
            self.assert_done(result)
        self.assertEqual([name for name in os.listdir(self.folder) if '.part' in name], [])
        return path, result.err

    def read_text(self, ctf):
        """Times and names as babeltrace2 prints them."""
        result = run(BABELTRACE, '--clock-seconds', '--no-delta', ctf)
        self.assertEqual(result.status, 0, result.err)
        return re.findall(r'^\[([0-9.]+)\] (?:.*? )??(\w+:\w+): ', result.raw.decode('utf-8', 'replace'), re.M)

    def read_values(self, ctf):
        """Events, and losses by stream: None if babeltrace2 cannot compute the number."""
        result = run(DEBIAN_PYTHON, READER, ctf)
        self.assertEqual(result.status, 0, result.err)
        lines = [json.loads(line) for line in result.lines]
        losses = {}
        for line in lines:
            if 'discarded' in line:
                name = line['stream'][1]
                count = losses.get(name, 0)
                losses[name] = None if None in (count, line['discarded']) else count + line['discarded']
        return [line for line in lines if 'event' in line], losses

    def assert_same_event(self, got, expected):
        self.assertEqual((got['time'], got['event']), (nanoseconds(expected['time']), ctf_name(expected)))
        self.assertEqual(got['stream'][1].split('.')[0], stream_name(expected).split('.')[0])
        folder, file_name = expected['tracefile'].split('/')
        self.assertEqual(got['packet'].get('cpu_id'), int(file_name) if folder == 'cpu' else None)
        if got['context']:
            self.assertEqual(got['context'], {'pid': expected.get('pid', -1), 'tid': expected.get('tid', -1)})
        else:
            self.assertNotIn('pid', expected)
        self.assertTrue(same(got['payload'], expected['data']),
                        '%s\n%r\n%r' % (expected['event'], got['payload'], expected['data']))

    def assert_same_events(self, ctf, expected):
        got, _ = self.read_values(ctf)
        self.assertEqual(len(got), len(expected))
        for one, other in zip(got, in_ctf_order(expected)):
            self.assert_same_event(one, other)
