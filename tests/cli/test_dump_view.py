"""`ltt dump --fields` and `--time`: selected fields, and forms of times."""
import csv
import fnmatch
import io
import json
import os
import re
import random
import struct
from datetime import datetime, timezone
from decimal import Decimal

import small_trace
from command import DATA, ENVIRONMENT, CommandTest, ltt, sample, samples



def chosen(data, globs):
    return {name: value for name, value in data.items() if any(fnmatch.fnmatchcase(name, glob) for glob in globs)}


def fields_of(events):
    return sorted({name for event in events if isinstance(event['data'], dict) for name in event['data']})


class Fields(CommandTest):
    def test_json_has_those_that_were_asked_for(self):
        chance = random.Random(1)
        for trace in samples():
            everything = [json.loads(line) for line in ltt('dump', '--all', '-f', 'json', trace).lines]
            names = fields_of(everything)
            for _ in range(2):
                globs = [name if chance.random() < 0.7 else name[0] + '*' for name in chance.sample(names, min(3, len(names)))]
                shown = ltt('dump', '--all', '-f', 'json', '--fields', ','.join(globs), trace)
                self.assert_done(shown)
                self.assertEqual(len(shown.lines), len(everything))
                for line, whole in zip(shown.lines, everything):
                    event, data = json.loads(line), whole['data']
                    if isinstance(data, dict) and event['data'] != data:
                        self.assertEqual(event['data'], chosen(data, globs), (trace, globs, whole))
                    elif isinstance(data, dict) and chosen(data, globs) != data:
                        self.assertEqual(len(data), 1, 'a union: ' + line)
                    self.assertEqual({**event, 'data': data}, whole)

    def test_columns_of_csv(self):
        for name, event, globs in (('sparse-cpus', 'core.schedchange', ['out_*', 'in']),
                                   ('sparse-cpus', 'core.file_open', ['name']), ('sparse-cpus', 'named.draw', ['label', 'zzz']),
                                   ('sparse-cpus', 'core.schedchange', ['zzz'])):
            whole = list(csv.DictReader(io.StringIO(ltt('dump', '-f', 'csv', '--event', event, sample(name)).out)))
            result = ltt('dump', '-f', 'csv', '--event', event, '--fields', ','.join(globs), sample(name))
            self.assertEqual(result.status, int('zzz' in globs), result.err)
            rows = list(csv.DictReader(io.StringIO(result.out)))
            self.assertGreater(len(rows), 10)
            self.assertEqual(rows, [{**{key: row[key] for key in ('time', 'tracefile', 'event')}, **chosen(
                dict(list(row.items())[3:]), globs)} for row in whole])

    def test_data_of_csv(self):
        trace = sample('one-cpu')
        rows = list(csv.DictReader(io.StringIO(ltt('dump', '-f', 'csv', '--fields', 'name,in', trace).out)))
        self.assertEqual([json.loads(row['data']) for row in rows],
                         [chosen(json.loads(line)['data'], ['name', 'in']) for line in ltt('dump', '-f', 'json', trace).lines])

    def test_text(self):
        trace = sample('one-cpu')
        for line in ltt('dump', '--fields', 'name', trace).lines:
            self.assertRegex(line, r'^\d+\.\d{9}  cpu/0  core\.\w+(  name=".*")?$')
        self.assertEqual(ltt('dump', '--fields', '*', trace).out, ltt('dump', trace).out)

    def test_a_mistake(self):
        for globs in ('', 'a,,b', ','):
            self.assert_failed(ltt('dump', '--fields', globs, sample('one-cpu')),
                               'ltt dump: --fields: "%s" is not a list of names' % globs)


class Recordings(CommandTest):
    def dumped(self, *options):
        self.assert_done(ltt('import', os.path.join(DATA, 'perf/file-tracepoints.data'), '-o', self.path('trace')))
        return ltt('dump', *options, self.path('trace')).lines

    def test_text_leaves_out_what_a_description_hides(self):
        brief = self.dumped('--event', 'perf.*,sched.*')
        self.assertFalse([line for line in brief if 'record={' in line or 'common_' in line or 'identifier=' in line])
        for options in (['--fields', '*'], ['--all']):
            whole = ltt('dump', '--event', 'perf.*,sched.*', *options, self.path('trace')).lines
            self.assertEqual([line.split('  ')[:3] for line in whole], [line.split('  ')[:3] for line in brief])
            for line in whole:
                self.assertIn('record={misc=0x', line)
        self.assertIn('record', json.loads(ltt('dump', '-f', 'json', '--event', 'perf.*', self.path('trace')).lines[0])['data'])

    def test_text_reads_as_its_description_says(self):
        lines = self.dumped('--event', 'sched.sched_switch')
        self.assertTrue(lines[0].endswith('  prev_comm=perf prev_pid=167 prev_prio=120 prev_state=R+ ==> '
                                          'next_comm=migration/0 next_pid=16 next_prio=0'), lines[0])
        fields = ltt('dump', '--event', 'sched.sched_switch', '--fields', 'prev_state,prev_comm', self.path('trace')).lines
        self.assertTrue(fields[0].endswith('  prev_comm="perf" prev_state=R+'), fields[0])
        plain = ltt('dump', '--event', 'sched.sched_switch', '--fields', 'prev_state', '--all', self.path('trace')).lines
        self.assertRegex(plain[0], r'  prev_state=\d+$')

    def test_text_counts_long_rows_of_bytes(self):
        trace = self.path('trace')
        self.assert_done(ltt('import', os.path.join(DATA, 'perf/dwarf-regs-stack.data'), '-o', trace))
        short, full = (ltt('dump', '--event', 'perf.cpu_clock*', *options, trace).lines for options in ([], ['--full']))
        self.assertRegex(short[0], r'stack_user=\{octets=<\d+ bytes> used=\d+\}')
        count = int(re.search(r'<(\d+) bytes>', short[0]).group(1))
        self.assertEqual(len(re.search(r'octets=\[([^]]*)\]', full[0]).group(1).split()), count)
        self.assert_failed(ltt('dump', '--full', '-f', 'json', trace), 'ltt dump: --full requires --format=text')


class Times(CommandTest):
    def times(self, *arguments, **options):
        result = ltt('dump', *arguments, **options)
        self.assert_done(result)
        return [line.split('  ')[0] for line in result.lines]

    def test_from_the_start(self):
        trace = sample('sparse-cpus')
        start = Decimal(json.loads(ltt('info', '--json', trace).out)['start'])
        seconds = [Decimal(time) for time in self.times('--all', trace)]
        self.assertEqual(self.times('--all', '--time', 'start', trace), ['%+.9f' % (time - start) for time in seconds])
        self.assertEqual(self.times('--all', '--time', 'seconds', trace), self.times('--all', trace))

    def test_from_the_line_before(self):
        trace = sample('sparse-cpus')
        seconds = [Decimal(time) for time in self.times('--event', 'core.*', trace)]
        self.assertEqual(self.times('--event', 'core.*', '--time=delta', trace),
                         ['%+.9f' % (time - before) for before, time in zip(seconds[:1] + seconds, seconds)])

    def test_date(self):
        trace = sample('one-cpu')
        seconds = self.times(trace)
        for zone, distance in (('UTC', '+00:00'), ('EST5', '-05:00'), ('<+0530>-5:30', '+05:30')):
            ENVIRONMENT['TZ'] = zone
            self.addCleanup(ENVIRONMENT.pop, 'TZ', None)
            dates = self.times('--time', 'date', trace)
            for date, time in zip(dates, seconds, strict=True):
                self.assertTrue(date.endswith(time[time.index('.'):] + distance), date)
                whole = datetime.fromisoformat(date[:19] + distance).astimezone(timezone.utc)
                self.assertEqual(int(whole.timestamp()), int(time[:time.index('.')]))

    def test_mistakes(self):
        trace = sample('one-cpu')
        for arguments, said in ((['--time', 'dalta'], '--time: dalta: expected seconds, date, start or delta; did you mean delta?'),
                                (['--time', 'delta', '-f', 'json'], '--time=delta requires --format=text'),
                                (['--time', 'date', '--bookmarks'], '--time=date requires --format=text, without --bookmarks')):
            self.assert_failed(ltt('dump', *arguments, trace), 'ltt dump: ' + said)


class ErrorNumbers(CommandTest):
    """Results of the role errno, in both byte orders and sizes."""

    XML = ('<facility name="f"><event name="exit"><struct><field name="ret" ltt:role="errno"><int size="long"/></field>'
           '</struct></event><event name="wrong"><struct><field name="ret" ltt:role="errno"><uint size="4"/></field>'
           '</struct></event></facility>')

    def dump(self, order, arch_size, results, *options, machine='x86_64'):
        width = 'q' if arch_size == 'LP64' else 'i'
        events = [(n, 'exit', struct.pack(order + width, result)) for n, result in enumerate(results)]
        path = os.path.join(self.folder, 'trace-%s' % len(os.listdir(self.folder)))
        small_trace.write(path, self.XML, {'cpu/0': [events]}, order, arch_size, system='machine="%s"' % machine)
        return ltt('dump', *options, path)

    def test_names(self):
        results = (-1, -2, -11, -133, -134, -512, -516, -4095, 0, 2, 4)
        shown = ['-1 (EPERM)', '-2 (ENOENT)', '-11 (EAGAIN)', '-133 (EHWPOISON)', '-134', '-512 (ERESTARTSYS)',
                 '-516 (ERESTART_RESTARTBLOCK)', '-4095', '0', '2', '4']
        for order in '<>':
            for arch_size in ('LP64', 'LP32'):
                dumped = self.dump(order, arch_size, results)
                self.assertEqual([line.split('ret=')[1] for line in dumped.lines], shown, (order, arch_size))

    def test_machines_with_other_numbers(self):
        for machine in ('mips64', 'sparc', 'alpha', 'parisc64'):
            self.assertTrue(self.dump('<', 'LP64', [-2], machine=machine).out.endswith('ret=-2\n'))

    def test_json_has_numbers(self):
        lines = self.dump('<', 'LP64', [-2], '--format=json').lines
        self.assertEqual(json.loads(lines[0])['data'], {'ret': -2})

    def test_info_reports_a_wrong_declaration(self):
        path = os.path.join(self.folder, 'wrong')
        small_trace.write(path, self.XML, {'cpu/0': [[(1, 'wrong', b'\xfe\xff\xff\xff')]]})
        dumped = ltt('dump', path)
        self.assertIn('result "ret" of event "wrong": expected an int', dumped.err)
        self.assertIn('ret=4294967294', dumped.out)
        self.assertIn('ret: a result or a negated error number', ltt('info', '--events', path).out)
