"""Typing mistakes: each gets a helpful message."""
import os
import pty
import shutil
import subprocess

from command import DATA, ENVIRONMENT, LTT, CommandTest, expected_events, ltt, sample


END = b'\x01'


class Traces(CommandTest):
    """A path that does not exist, or that suggests another one."""

    def setUp(self):
        super().setUp()
        self.trace = self.copy(sample('one-cpu'), 'my-trace')
        os.makedirs(self.path('empty'))
        with open(self.path('foo.tar.gz'), 'wb'):
            pass
        shutil.copytree(self.trace, self.path('folder/of/traces/first'))
        shutil.copytree(self.trace, self.path('folder/of/traces/second'))

    def test_what_may_be_meant(self):
        for given, said in (
                ('my-trac', 'my-trac: no such directory; did you mean my-trace?'),
                ('folder/of/traces/secnd', 'no such directory; did you mean folder/of/traces/second?'),
                ('my-trace/cpu/0', 'did you mean my-trace?'),
                ('my-trace/info', 'did you mean my-trace?'),
                ('folder/of/traces', 'did you mean folder/of/traces/first?'),
                ('empty', 'empty/info/system.xml: could not open: No such file or directory; '
                          'a trace is a directory that has this file'),
                ('foo.tar.g', 'foo.tar.g: no such directory; did you mean foo.tar.gz?')):
            for command in (['dump'], ['info'], ['check'], ['stat'], ['bookmark', 'list'],
                            ['export', '--to', 'ctf', '-o', 'x']):
                self.assert_failed(ltt(*command, given, cwd=self.folder), 'ltt %s: ' % command[0], said)

    def test_nothing_is_like_it(self):
        for given in ('something-else', 'folder/of/', '/', 'no/such'):
            result = ltt('dump', given, cwd=self.folder)
            self.assertEqual(result.status, 2)
            self.assertNotIn('did you mean', result.err)

    def test_recordings_of_other_tools(self):
        for name, kind in (('perf/file-tracepoints.data', 'perf'), ('perf/threads-dir.data', 'perf'),
                           ('revent/headerless-24.revent', 'revent'), ('qemu/q7.2-serial.rr', 'qemu-replay')):
            path = os.path.join(DATA, name)
            for command in (['dump'], ['check'], ['compare', self.trace], ['bookmark', 'list']):
                self.assert_failed(ltt(*command, path),
                                   'ltt %s: %s: is a %s recording, not a trace; convert it with `ltt import %s -o DIR`\n'
                                   % (command[0], path, kind, path))

    def test_a_trace_that_is_damaged_is_meant(self):
        with open(os.path.join(self.trace, 'info/system.xml'), 'w', encoding='utf-8'):
            pass
        result = ltt('dump', self.trace)
        self.assertEqual(result.status, 2)
        self.assertNotIn('did you mean', result.err)
        self.assertNotIn('a trace is', result.err)


class Events(CommandTest):
    def said(self, *arguments):
        """Returns the messages of a command on a terminal; the command still succeeds."""
        ours, theirs = pty.openpty()
        done = subprocess.run([LTT, *arguments], stdout=subprocess.DEVNULL, stderr=theirs, env=ENVIRONMENT, check=False)
        os.write(theirs, END)
        os.close(theirs)
        said = b''
        while not said.endswith(END):
            said += os.read(ours, 65536)
        os.close(ours)
        self.assertEqual(done.returncode, 0)
        return said.decode()[:-1].replace('\r\n', '\n')

    def test_names_that_no_event_has(self):
        trace = sample('one-cpu')
        for command in (['dump'], ['dump', '--format=none']):
            self.assertEqual(self.said(*command, '--event', 'core.fileopen', trace),
                             'ltt dump: --event: core.fileopen: the trace has no such event; did you mean '
                             'core.file_open?\n')
        self.assertEqual(self.said('dump', '--event', 'net.*,core.irq_*,zzz', trace), ''.join(
            'ltt dump: --event: %s: the trace has no such event; `ltt info --events` lists those that it has\n' % name
            for name in ('net.*', 'zzz')))
        self.assertEqual(self.said('dump', '--event', 'core.*,builtin.block_start,*.irq_exit', trace), '')

    def test_fields_that_no_event_has(self):
        trace = sample('every-type')
        for expression, said in (('fdd == 3 && fd != 4 || 1 < fdd', '--filter: fdd: the trace has no such field; did you mean fd?\n'),
                                 ('nothing_like_it == 3', '--filter: nothing_like_it: the trace has no such field; '
                                                          '`ltt info --events` lists those that it has\n'),
                                 ('data.fd == 3 && data == 3', '')):
            self.assertEqual(self.said('dump', '--filter', expression, sample('one-cpu')),
                             'ltt dump: ' + said if said else '')
        names = {name for event in expected_events(trace) if isinstance(event['data'], dict) for name in event['data']}
        self.assertGreater(len(names), 4)
        for name in names - {'time', 'event', 'cpu', 'pid', 'tid', 'facility'}:
            self.assertEqual(self.said('dump', '--filter', 'data.%s == 1' % name, trace), '', name)

    def test_paths(self):
        trace = sample('sparse-cpus')
        for path, strange in (('p[3].x', False), ('data.p[0].y', False), ('p.x', True), ('p[0].z', True), ('data[0]', True)):
            self.assertEqual('no such field' in self.said('dump', '--filter', path + ' == 1', trace), strange, path)

    def test_times(self):
        trace = sample('one-cpu')
        start, end = '1050000000.144274091', '1050000000.145717168'
        for arguments, said in (
                (['--from', '+0.001', '--to', '+0.0005'],
                 '--from: +0.001 is not before --to, +0.0005: no event can be selected'),
                (['--from', '+5'], '--from: +5 is after the end of the trace, ' + end),
                (['--to', '0.001'], '--to: 0.001 is not after the start of the trace, %s; did you mean +0.001?' % start),
                (['--to', '1040000000'], '--to: 1040000000 is not after the start of the trace, ' + start),
                (['--from', '0.001'], '--from: 0.001 is before the start of the trace, %s; did you mean +0.001?' % start),
                (['--from', '1040000000', '--to', '1060000000'], ''), (['--from', '+0.001', '--to', '-0'], '')):
            self.assertEqual(self.said('dump', *arguments, trace), 'ltt dump: %s\n' % said if said else '', arguments)

    def test_cpus(self):
        self.assertEqual(self.said('dump', '--cpu', '0,17', sample('sparse-cpus')), '')
        self.assertEqual(self.said('stat', '--cpu', '5,17', sample('crashed')),
                         'ltt stat: --cpu: 5,17: the trace has no events of these CPUs; it has 0,1,2\n')

    def test_to_programs_they_are_questions(self):
        for command in ('dump', 'stat'):
            for question in (['--event', 'core.fileopen'], ['--filter', 'fdd == 3'], ['--from', '+5'], ['--cpu', '99']):
                self.assertEqual(ltt(command, *question, sample('one-cpu')).err, '')

    def test_one_that_a_file_loads_for_itself(self):
        trace = sample('load-in-cpu-file')
        for name in {line.split()[2] for line in ltt('dump', trace).lines}:
            self.assertEqual(self.said('dump', '--event', name, trace), '')

    def test_sets_of_characters(self):
        trace = sample('one-cpu')
        for glob, name in (('core.irq_[a-e]*', 'core.irq_entry core.irq_exit'), ('core.irq_[!e]*', ''),
                           ('core.irq_e[xy]it', 'core.irq_exit'), ('core.irq_ex?t', 'core.irq_exit')):
            shown = {line.split()[2] for line in ltt('dump', '--event', glob, trace).lines}
            self.assertEqual(shown, set(name.split()), glob)


class Options(CommandTest):
    def test_values(self):
        trace = sample('one-cpu')
        for arguments, said in (
                (['stat', '-j', 'x', trace], 'ltt stat: -j: "x": expected a number\n'),
                (['stat', '-jx y', trace], 'ltt stat: -j: "x y": expected a number\n'),
                (['stat', '--jobs=9999999999', trace], 'ltt stat: --jobs: "9999999999": expected a number\n'),
                (['dump', trace, '--from'], 'ltt dump: --from: T is missing; see `ltt dump --help`\n'),
                (['record', '-o'], 'ltt record: -o: DIR is missing; see `ltt record --help`\n'),
                (['dump', '--to', '1x', trace], 'ltt dump: --to: "1x" is not a time: expected seconds with up to nine '
                                                'decimals, with + in front after the start, with - before the end\n')):
            result = ltt(*arguments)
            self.assertEqual((result.status, result.raw, result.err), (2, b'', said))

    def test_what_may_be_meant(self):
        trace = sample('one-cpu')
        for arguments, word, meant in (
                (['dump', '--json', trace], '--json', '--format=json'),
                (['stat', '--format=json', trace], '--format=json', '--json'),
                (['export', '--output-format', 'ctf', trace], '--output-format', None),
                (['dump', '--begin', '+1', trace], '--begin', '--from'),
                (['dump', '--end=+1', trace], '--end=+1', '--to'),
                (['dump', '-e', 'core.*', trace], '-e', '--event'),
                (['info', '-j', trace], '-j', '--json'),
                (['dump', '-z', trace], '-z', None)):
            said = 'did you mean %s?' % meant if meant else '`ltt %s --help` lists them' % arguments[0]
            self.assert_failed(ltt(*arguments), 'ltt %s: %s: no such option; %s\n' % (arguments[0], word, said))

    def test_of_ltt_itself(self):
        for word, meant in (('-v', '--version'), ('-V', '--version'), ('--versoin', '--version'), ('--hlep', '--help')):
            self.assert_failed(ltt(word), 'ltt: %s: no such option; did you mean `ltt %s`?' % (word, meant))
        self.assert_failed(ltt('version'), 'ltt: version: no such command; did you mean `ltt --version`?')
        self.assert_failed(ltt('hlep'), 'ltt: hlep: no such command; did you mean `ltt help`?')
