"""Typing mistakes: each causes a message that helps."""
import os
import shutil

from command import DATA, CommandTest, expected_events, ltt, sample


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
                          'a trace directory contains this file'),
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


SEE = 'see `ltt info --events`'


class Names(CommandTest):
    """Names that a trace does not have are warned of, wherever they are given."""

    def assert_warned(self, result, command, *said):
        self.assertEqual((result.err, result.status),
                         (''.join('ltt %s: %s\n' % (command, line) for line in said), 1 if said else 0))

    def filtered(self, expression, *said, trace='one-cpu', events=()):
        options = ['--event', ','.join(events)] if events else []
        result = ltt('dump', *options, '--filter', expression, sample(trace))
        self.assert_warned(result, 'dump', *('--filter: ' + line for line in said))

    def test_every_command(self):
        trace = sample('one-cpu')
        for command, more in (('dump', ()), ('dump', ('--format=none',)), ('dump', ('--follow',)), ('stat', ()),
                              ('stat', ('--json',)), ('cut', ('-o', self.path('cut'))), ('compare', (trace,)),
                              ('export', ('--to', 'csv', '-o', '-')), ('export', ('--to', 'ctf', '-o', self.path('ctf')))):
            for option, word, said in (
                    ('--event', 'core.fileopen', 'core.fileopen: the trace has no such event; did you mean core.file_open?'),
                    ('--filter', 'fdd == 3', 'fdd: the trace has no such field; did you mean fd?'),
                    ('--filter', 'out_state == "Runing"', 'Runing: out_state has no such label; did you mean Running?'),
                    ('--filter', 'in == "12"', 'in is a number, and "12" is a string: they cannot be compared')):
                result = ltt(command, option, word, *more, trace)
                self.assertEqual(result.status, 1, result.err)
                self.assertIn('ltt %s: %s: %s\n' % (command, option, said), result.err)
                for path in ('cut', 'ctf'):
                    shutil.rmtree(self.path(path), ignore_errors=True)

    def test_events(self):
        trace = sample('one-cpu')
        self.assert_warned(ltt('dump', '--event', 'net.*,core.irq_*,zzz', trace), 'dump',
                           *('--event: %s: the trace has no such event; %s' % (name, SEE) for name in ('net.*', 'zzz')))
        self.assert_warned(ltt('dump', '--event', 'core.*,builtin.block_start,*.irq_exit', trace), 'dump')
        self.filtered('event == "core.schedchnage" || !(event != "core.irq_exit")',
                      'core.schedchnage: the trace has no such event; did you mean core.schedchange?')
        self.filtered('event =~ "net.*" || facility =~ "c*"', 'net.*: the trace has no such event; ' + SEE)
        self.filtered('facility in ("core", "coer")', 'coer: the trace has no such facility; did you mean core?')
        self.filtered('event < "no such event"')

    def test_fields(self):
        self.filtered('fdd == 3 && fd != 4 || 1 < fdd', 'fdd: the trace has no such field; did you mean fd?')
        self.filtered('nothing_like_it == 3', 'nothing_like_it: the trace has no such field; ' + SEE)
        self.filtered('evnet == "core.irq_exit"', 'evnet: the trace has no such field; did you mean event?')
        self.filtered('data.fd == 3')
        self.filtered('fd == in', 'fd and in: no event has both; ' + SEE)
        self.filtered('fd == 3', 'fd: no selected event has such a field; ' + SEE, events=['core.irq_*'])
        self.filtered('fd == 3', events=['core.irq_*', 'core.file_open'])
        trace = 'every-type'
        names = {name for event in expected_events(sample(trace)) if isinstance(event['data'], dict)
                 for name in event['data']}
        self.assertGreater(len(names), 4)
        for name in names - {'time', 'event', 'cpu', 'pid', 'tid', 'facility'}:
            result = ltt('dump', '--filter', 'data.%s == 1' % name, sample(trace))
            self.assertNotIn('no such field', result.err)

    def test_threads(self):
        for name, value in (('pid', '7'), ('tid', '0'), ('comm', '"sh"')):
            self.filtered('fd == 3 || !(%s == %s)' % (name, value), name + ': the trace does not record threads')
            self.filtered('%s != %s' % (name, value), trace='tracer')

    def test_paths(self):
        for path, meant in (('p[3].x', None), ('data.p[0].y', None), ('p[*].x', None), ('p[0].z', 'p[0].x'),
                            ('p[*].yy', 'p[*].y'), ('data.p[2].z', 'data.p[2].x'), ('p.x', ''), ('data[0]', '')):
            end = '; did you mean %s?' % meant if meant else '; ' + SEE
            said = [] if meant is None else ['%s: the trace has no such field%s' % (path, end)]
            self.filtered(path + ' == 1', *said, trace='sparse-cpus')

    def test_labels(self):
        self.filtered('out_state in ("Zombie", "Run")', 'Run: out_state has no such label; did you mean Running?')
        self.filtered('out_state =~ "Wait*" && out_state != 17 && out_state < "no such label"')
        self.filtered('out_state =~ "wait*"', 'wait*: out_state has no such label; ' + SEE)
        self.filtered('"zombie" != out_state', 'zombie: out_state has no such label; did you mean Zombie?')

    def test_kinds(self):
        for expression, said in (
                ('name == 3', 'name is a string, and 3 is a number'),
                ('fd =~ "3*"', 'fd is a number, and "3*" is a string'),
                ('name == fd', 'name is a string, and fd is a number'),
                ('time < name', 'time is a number, and name is a string'),
                ('length(fd) == 3', 'length(fd) is the length of a value that has none, and 3 is a number'),
                ('data == 3', 'data is a struct, and 3 is a number')):
            self.filtered(expression, said + ': they cannot be compared')
        self.filtered('p == 3', 'p is a sequence, and 3 is a number: they cannot be compared', trace='sparse-cpus')
        self.filtered('length(p) == 3 || length(label) > 1', trace='sparse-cpus')

    def test_fields_to_print(self):
        trace = sample('one-cpu')
        self.assert_warned(ltt('dump', '--fields', 'fdd,n*', trace), 'dump',
                           '--fields: fdd: the trace has no such field; did you mean fd?')
        self.assert_warned(ltt('dump', '--fields', 'in', '--event', 'core.file_open', trace), 'dump',
                           '--fields: in: no selected event has such a field; ' + SEE)

    def test_cpus(self):
        trace = sample('sparse-cpus')
        for command in (['dump'], ['stat'], ['compare', trace], ['latency', 'core.irq_entry', 'core.irq_exit'],
                        ['export', '--to', 'csv', '-o', '-'],
                        ['export', '--to', 'arrow', '--event', 'core.irq_exit', '-o', '-'], ['cut', '-o', self.path('part')]):
            self.assert_warned(ltt(*command, '--cpu', '99', trace), command[0],
                               '--cpu: 99: the trace has no such CPU; it has 0-2,4,6-7')
        self.assertIn('--cpu: 99: the trace has no such CPU', ltt('flame', '--of', 'spans', '-o', '-', '--cpu', '99', trace).err)
        self.assert_warned(ltt('bookmark', 'add', '--at', '+0', '--cpu', '3', self.copy(sample('one-cpu'), 'marked'), 'x'),
                           'bookmark', '--cpu: 3: the trace has no such CPU; it has 0')

    def test_ranges_of_cpus(self):
        """The machine has 8 CPUs, of which 3 and 5 were idle: they have no tracefiles."""
        trace = sample('sparse-cpus')
        result = ltt('dump', '--cpu', '3,5-63,5,7,8', trace)
        self.assertEqual({line.split()[1] for line in result.lines}, {'cpu/6', 'cpu/7'})
        self.assert_warned(result, 'dump', '--cpu: 8: the trace has no such CPU; it has 0-2,4,6-7')
        self.assert_done(ltt('dump', '--cpu', '3', trace), '')

    def test_a_name_of_one_of_several_traces(self):
        traces = [sample('one-cpu'), sample('sparse-cpus')]
        for command in ('dump', 'compare'):
            for options in (['--event', 'named.draw'], ['--filter', 'label == "x"'], ['--filter', 'p[0].x == 1']):
                self.assertEqual(ltt(command, *options, *traces).err, '', (command, options))
            result = ltt(command, '--filter', 'lable == "x"', *traces)
            self.assertEqual((result.err, result.status),
                             ('ltt %s: --filter: lable: the trace has no such field; did you mean label?\n' % command, 1))

    def test_while_it_is_followed(self):
        self.assert_warned(ltt('dump', '--follow', '--filter', 'fdd == 1', sample('one-cpu')), 'dump',
                           '--filter: fdd: the trace has no such field so far; did you mean fd?',
                           '--filter: fdd: the trace has no such field; did you mean fd?')

    def test_one_that_a_file_loads_for_itself(self):
        trace = sample('load-in-cpu-file')
        for name in {line.split()[2] for line in ltt('dump', trace).lines}:
            self.assertEqual(ltt('dump', '--event', name, trace).err, '')


class Selections(CommandTest):
    """Times that a trace does not have are noted; an empty result is an answer, with status 0."""

    def noted(self, result, command, said):
        self.assertEqual((result.err, result.status), ('ltt %s: %s\n' % (command, said) if said else '', 0))

    def test_times(self):
        trace = sample('one-cpu')
        span = trace + ', which begins at 1050000000.144274091 and ends at 1050000000.145717168'
        for arguments, said in (
                (['--from', '+0.001', '--to', '+0.0005'],
                 '--from: +0.001 is not before --to, +0.0005: no event can be selected'),
                (['--from', '+5'], '--from: +5 is after the end of ' + span),
                (['--to', '0.001'], '--to: 0.001 is not after the start of %s; did you mean +0.001?' % span),
                (['--to', '1040000000'], '--to: 1040000000 is not after the start of ' + span),
                (['--from', '0.001'], '--from: 0.001 is before the start of %s; did you mean +0.001?' % span),
                (['--around', '50us'], '--around: 50us is before the start of %s; did you mean +50us?' % span),
                (['--around', '5'], '--around: 5 is before the start of ' + span),
                (['--around', '1040000000,1s'], '--around: 1040000000,1s is before the start of ' + span),
                (['--around', '+5,1s'], '--around: +5,1s is after the end of ' + span),
                (['--around', '+0,5ns'], ''), (['--from', '-0'], ''), (['--to', '1050000000.144274092'], ''),
                (['--from', '1040000000', '--to', '1060000000'], ''), (['--from', '+0.001', '--to', '-0'], '')):
            self.noted(ltt('dump', *arguments, trace), 'dump', said)

    def test_every_command(self):
        trace = sample('one-cpu')
        for command in (['dump'], ['dump', '--follow'], ['stat'], ['stat', '--json'], ['compare', trace], ['cut', '-o', self.path('cut')],
                        ['latency', 'core.irq_entry', 'core.irq_exit'], ['flame', '-o', '-', '--of', 'spans'],
                        ['export', '--to', 'chrome', '-o', '-'], ['export', '--to', 'ctf', '-o', self.path('ctf')],
                        ['view', '--no-cache', '--png', self.path('png')], ['view', '--no-cache', '--html', self.path('html')]):
            for time, place in (('+5', 'after the end'), ('1050000000.15', 'after the end'), ('+0', None)):
                result = ltt(*command, '--from', time, trace)
                self.assertEqual('--from: %s is %s of %s, which begins at ' % (time, place, trace) in result.err,
                                 place is not None, (command, time, result.err))
                self.assertEqual(result.err.count('which begins at'), 0 if place is None else 2 if 'compare' in command else 1)
                # There is no picture of nothing.
                self.assertEqual(result.status == 2, '--png' in command and place is not None, result.err)
                for path in ('cut', 'ctf'):
                    shutil.rmtree(self.path(path), ignore_errors=True)

    def test_several_traces(self):
        result = ltt('stat', '--from', '+1h', sample('one-cpu'), sample('sparse-cpus'))
        self.assertIn('--from: +1h is after the end of the traces, which begin at ', result.err)

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
                                                'decimals, or with one of the units ns us ms s m h, with + in front after '
                                                'the start, with - before the end; a date such as 2003-04-10T18:40:00.5; '
                                                'or HH:MM:SS\n')):
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
