"""perf_recordings.py - recordings of perf and their traces."""
import glob
import json
import os
import shutil
import subprocess

from cli.test_import import ImportTest
from command import DATA, ltt

FOLDER = os.path.join(DATA, 'perf')
RECORDINGS = sorted(glob.glob(os.path.join(FOLDER, '*.data')))
DIRECTORY = os.path.join(FOLDER, 'threads-dir.data')
PROGRAMS = os.path.join(FOLDER, 'bpf-programs.data')
PIPE = os.path.join(FOLDER, 'pipe-tracepoint-callgraph.data')
KILLED = os.path.join(FOLDER, 'unterminated.data')
COMPRESSED = [os.path.join(FOLDER, name) for name in ('file-zstd81.data', 'file-zstd83.data')]
PLAIN = [path for path in RECORDINGS if path not in [DIRECTORY, PIPE, *COMPRESSED]]


def nanoseconds(text):
    return int(text.replace('.', ''))


class PerfTest(ImportTest):
    def events(self, trace, *options):
        return [json.loads(line) for line in ltt('dump', '--format=json', *options, trace).lines]

    def records(self, trace):
        """All events that are records, in the order of the file."""
        events = [event for event in self.events(trace) if not event['event'].startswith('perf_file.')]
        return sorted(events, key=lambda event: event['data']['record']['offset'])

    def of_file(self, trace, name):
        return [event['data'] for event in self.events(trace, '--event', 'perf_file.' + name)]

    def exported(self, trace, *options):
        out = self.path('exported')
        if os.path.exists(out):
            os.unlink(out)
        self.assert_done(ltt('export', '--to', 'perf', '-o', out, *options, trace))
        return out

    def imported(self, recording, status=0):
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        result = ltt('import', recording, '-o', trace)
        self.assertEqual(result.status, status, result.err)
        return trace, result.err

    def import_content(self, content, status=0):
        """Imports a plain file; its export must be identical. Returns the trace and the messages."""
        path = self.path('recording')
        with open(path, 'wb') as file:
            file.write(content)
        trace, said = self.imported(path, status)
        self.assert_done(ltt('check', trace), None)
        self.assertEqual(self.read(self.exported(trace)), content)
        return trace, said


def can_record():
    if shutil.which('perf') is None:
        return False
    return subprocess.run(['perf', 'record', '-q', '-e', 'cpu-clock:u', '-o', '/dev/null', 'true'], check=False,
                          stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode == 0
