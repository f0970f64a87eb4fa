"""Losses by reason: what `ltt record` says of them, and what of that the trace keeps."""
import json
import os
import subprocess
import unittest

from cli.test_record_program import LTT, Record
from recording import call, program

CAN_UNSHARE = subprocess.run(['unshare', '-rm', 'true'], stderr=subprocess.DEVNULL, check=False).returncode == 0


class Reasons(Record):
    def large(self, trace=None):
        return json.loads(call(LTT, 'stat', '--json', trace or self.trace))['too_large']

    def test_larger_than_a_block(self):
        err = self.record('--block-size=4K', '--', 'sh', '-c', '%s strings >&2' % program('ordeal'))
        lost = self.lost()
        self.assertIn(': EVENTS LOST: %d could not be written\n' % lost, err)
        self.assertIn(': the event was larger than a block: %d events; record with a larger --block-size\n' % lost, err)
        self.assertIn(': too large: demo.open: %d events, the largest with 12,192 bytes\n' % lost, err)
        self.assertEqual(self.losses(), {'too_large': lost})
        self.assertEqual(self.large(), [{'name': 'demo.open', 'events': lost, 'largest': 12192}])
        text = call(LTT, 'stat', self.trace)
        self.assertRegex(text, r'\nlost +events +%% +why\n  too_large +%d +100.0  the event was larger than a block\n' % lost)
        self.assertRegex(text, r'\ntoo large +events +largest\n  demo.open +%d  11.9 KiB\n' % lost)

    def test_a_full_disk(self):
        if not CAN_UNSHARE:
            self.skipTest('no name space of its own to mount a file system in')
        small, self.trace = self.path('small'), self.path('kept')
        os.mkdir(small)
        done = subprocess.run(['unshare', '-rm', 'sh', '-c',
                               'mount -t tmpfs -o size=2m none %s && %s record -o %s/trace --block-size=64K -- '
                               '%s -n 100000; cp -r %s/trace %s'
                               % (small, LTT, small, program('storm'), small, self.trace)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120, check=True)
        lost = self.lost()
        self.assertIn('trace: the file system was full: {:,} events; free space there, or keep only the last events with '
                      '--flight SIZE\n'.format(lost), done.stderr.decode())
        self.assertEqual(self.losses(), {'disk_full': lost})

    def test_between_vfork_and_exec(self):
        err = self.record('--', 'sh', '-c', '%s vfork >&2' % program('ordeal'))
        self.assertIn(': the event was traced between vfork and exec: 80 events; trace before vfork or after exec\n', err)
        self.assertEqual(self.losses(), {'vfork': 80})

    def test_nothing_is_lost(self):
        err = self.record('--', program('storm'))
        self.assertNotIn('LOST', err)
        self.assertEqual((self.losses(), self.large()), ({}, []))
        self.assertNotIn('\nlost', call(LTT, 'stat', self.trace))
        self.assertEqual(self.events('--all', '--event=losses.*'), [])


class Kept(Record):
    """The reasons are events like others of the tracer: hidden, copied, cut and merged with the rest."""

    def setUp(self):
        super().setUp()
        self.record('--block-size=4K', '--', 'sh', '-c', '%s strings >&2' % program('ordeal'))
        self.reasons = {'too_large': self.lost()}

    def test_hidden(self):
        self.assertEqual(self.events('--event=processes.none'), [])
        names = {event['event'] for event in self.events()}
        self.assertFalse([name for name in names if name.startswith('losses.')])
        self.assertEqual([event['event'] for event in self.events('--all', '--event=losses.*')],
                         ['losses.lost', 'losses.too_large'])

    def test_windows(self):
        """They are counted where they stand: behind the program's last event."""
        stat = json.loads(call(LTT, 'stat', '--json', '--to', '+0', self.trace))
        self.assertEqual((stat['lost'], stat['lost_by_reason'], stat['too_large']), (0, {}, []))
        stat = json.loads(call(LTT, 'stat', '--json', '--cpu', '0-8191', self.trace))
        self.assertEqual((stat['lost'], stat['lost_by_reason']), (self.reasons['too_large'], {}))

    def test_parts_and_copies(self):
        out = self.path('out.tar.gz')
        call(LTT, 'pack', self.trace, '-o', out)
        self.assertEqual(self.losses(out), self.reasons)
        for name, words in (('cut', ('--filter', 'fd == 1')), ('repair', ('--repair',))):
            out = self.path(name)
            call(LTT, 'check' if name == 'repair' else name, *words, '-o', out, self.trace)
            self.assertEqual(self.losses(out), self.reasons, name)

    def test_merged(self):
        """What two recordings lost is added up."""
        first, self.trace = self.trace, self.path('second')
        self.record('--block-size=4K', '--', 'sh', '-c', '%s vfork >&2' % program('ordeal'))
        out = self.path('merged')
        call(LTT, 'merge', '-o', out, first, self.trace)
        self.assertEqual(self.losses(out), dict(self.reasons, vfork=80))


class Facilities(Record):
    """--facility that no program has."""

    def test_nothing_matches(self):
        err = self.record('--facility', 'job,demi', '--', program('storm'))
        self.assertIn('\nltt record: --facility job: no program has it; there were: demo\n', err)
        self.assertIn('\nltt record: --facility demi: no program has it; did you mean demo? There were: demo\n', err)

    def test_one_of_them_matches(self):
        err = self.record('--facility', 'd?mo,job', '--', program('storm'))
        self.assertIn('\nltt record: --facility job: no program has it; there were: demo\n', err)
        self.assertNotIn('--facility d?mo', err)
        self.assertNotEqual(self.events('--event=demo.*'), [])

    def test_all_match(self):
        self.assertNotIn('--facility', self.record('--facility', 'demo,d*', '--', program('storm')))

    def test_there_is_none(self):
        """That no process was traced is enough."""
        self.assertNotIn('--facility', self.record('--facility', 'job', '--', 'true'))


class Untraced(Record):
    """Nothing was traced, and the program is not to blame for not being built with the probe."""

    def test_a_library_is_missing(self):
        source = self.path('main.c')
        with open(source, 'w', encoding='utf-8') as file:
            file.write('int one(void);\nint main(void)\n{\n\treturn one();\n}\n')
        with open(self.path('one.c'), 'w', encoding='utf-8') as file:
            file.write('int one(void);\nint one(void)\n{\n\treturn 1;\n}\n')
        library = self.path('libone.so')
        call('cc', '-shared', '-fPIC', '-o', library, self.path('one.c'))
        call('cc', '-o', self.path('main'), source, library)
        os.remove(library)
        err = self.record('--', self.path('main'), status=127)
        self.assertIn('nothing was traced: `%s` ended with status 127: a program or a shared library was not found\n'
                      % self.path('main'), err)
        self.assertNotIn('built with libltt-probe', err)

    def test_a_shell_that_finds_nothing(self):
        self.assertIn('a program or a shared library was not found', self.record('--', 'sh', '-c', 'no-such-program', status=127))
        err = self.record_again('--', 'sh', '-c', '/etc/passwd', status=126)
        self.assertIn('ended with status 126: a program could not be executed\n', err)

    def record_again(self, *words, **options):
        self.trace = self.path('again')
        return self.record(*words, **options)


if __name__ == '__main__':
    unittest.main()
