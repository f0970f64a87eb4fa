"""A traced process overwrites the session state and the tracefiles, while other processes are recorded."""
import os
import resource
import shutil
import subprocess
import unittest

import recording
from recording import BUILD, STRESS, USE, program

# Three well-behaved programs, sequential and parallel, while the hostile one runs. Prints their
# status; that of the recording must be 7.
SCRIPT = """%(hostile)s %(seed)d %(what)s & mad=$!
(%(storm)s -n 3000 -t 2 -s 500; echo first $?) & one=$!
%(other)s -n 2000; echo second $?
wait $one
%(storm)s -n 2000 -p 2; echo third $?
kill -9 $mad
exit 7"""
# Observers run at the same time. A pipe that they hold open shows their end.
LOOKING = """%(hostile)s %(seed)d %(what)s & mad=$!
(%(ltt)s dump --follow %(trace)s > /dev/null; echo follow $?) &
%(storm)s -n 3000 -t 2 -s 500
for i in 1 2 3; do
  %(ltt)s snapshot %(trace)s -o %(now)s.$i; echo snapshot $?
  rm -rf %(now)s.$i
done
kill -9 $mad
exit 7"""
SAID = ['first 0', 'second 0', 'third 0']
DAMAGE = (b'Sanitizer', b'runtime error', b'CRITICAL', b'internal error')

FILE_BYTES_MAX = 1 << 30


def limit_files():
    """Limits the file size, so that a failure does not fill the disk."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (FILE_BYTES_MAX, FILE_BYTES_MAX))


class Hostile(recording.Case):
    def round(self, seed, what, *options, build=USE, other=None):
        """Returns the output of the well-behaved programs. The recorder must end normally."""
        trace = self.path('trace')
        shutil.rmtree(trace, ignore_errors=True)
        script = SCRIPT % {'hostile': program('hostile'), 'storm': program('storm'), 'other': other or program('storm'),
                           'seed': seed, 'what': what}
        done = subprocess.run([os.path.join(build, 'bin/ltt'), 'record', '-o', trace, '--block-size=4K', *options, '--',
                               'sh', '-c', script], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, timeout=120, check=False, preexec_fn=limit_files)
        self.assertEqual(done.returncode, 7, done.stderr)
        for word in DAMAGE:
            self.assertNotIn(word, done.stderr)
        self.assertIn('ltt record: %s: ' % trace, done.stderr.decode())
        return sorted(done.stdout.decode().splitlines())

    def rounds(self, what, *options, innocents_live=True):
        for seed in range(1, 3 * STRESS + 1):
            for build in (USE, BUILD):
                with self.subTest(seed=seed, what=what, build=os.path.basename(build)):
                    said = self.round(seed, what, *options, build=build, other=program('storm', BUILD) if innocents_live else None)
                    self.assertEqual(len(said), len(SAID))
                    if innocents_live:
                        self.assertEqual(said, SAID)

    def test_state(self):
        self.rounds('state')

    def test_a_part_of_the_state(self):
        self.rounds('region')

    def test_state_of_a_flight_recorder(self):
        self.rounds('state', '--flight=64K')

    def test_tracefiles(self):
        self.rounds('files')

    def test_files_change_their_length(self):
        """Well-behaved programs can then die of SIGBUS (doc/session.md)."""
        self.rounds('truncate', innocents_live=False)

    def test_observers(self):
        """Snapshots and --follow succeed or fail with a message, and end with the recording."""
        for seed in range(1, 2 * STRESS + 1):
            for what in ('state', 'truncate'):
                with self.subTest(seed=seed, what=what):
                    self.look(seed, what)

    def look(self, seed, what):
        trace, ltt = self.path('trace'), os.path.join(BUILD, 'bin/ltt')
        shutil.rmtree(trace, ignore_errors=True)
        script = LOOKING % {'hostile': program('hostile'), 'storm': program('storm'), 'seed': seed, 'what': what,
                            'trace': trace, 'ltt': ltt, 'now': self.path('now')}
        done = subprocess.run([ltt, 'record', '-o', trace, '--block-size=4K', '--', 'sh', '-c', script],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120,
                              check=False, preexec_fn=limit_files)
        self.assertEqual(done.returncode, 7, done.stderr)
        for word in DAMAGE:
            self.assertNotIn(word, done.stderr)
        for line in done.stdout.decode().splitlines():
            self.assertIn(line, ('snapshot 0', 'snapshot 1', 'snapshot 2', 'follow 0', 'follow 1', 'follow 2'))


if __name__ == '__main__':
    unittest.main()
