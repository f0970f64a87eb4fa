"""`ltt cut`: a dump of the new trace equals a dump of the original with the same options."""
import json
import os
import random
import shutil
import struct
from decimal import Decimal


import small_trace
from command import SOURCE, CommandTest, expected_events, is_hidden, ltt, sample, samples, some
from damage import DamagedByChance

# For a longer test: LTT_CUT_SEEDS=1000 scons test ONLY=test_cut
N_SEEDS = int(os.environ.get('LTT_CUT_SEEDS', some(16)))
N_SELECTIONS = max(1, N_SEEDS // 16)

FILTERS = ('fd > 0', 'event =~ "*.irq*"', 'out == 1 || in == 1', 'time > 1050000000.5', '!(pid == 7)', 'cpu == 0',
           'name =~ "*a*"', 'facility == "core" && cpu > 0')
GLOBS = ('core.*', '*', '*.irq_entry', 'core.schedchange,net.*', 'disk.*', 'nothing.*')


class CutTest(CommandTest):
    def dump(self, trace, *options, form='json'):
        return ltt('dump', '--format=' + form, *options, trace)

    def cut(self, trace, *options, name='cut'):
        shutil.rmtree(self.path(name), ignore_errors=True)
        return ltt('cut', *options, '-o', self.path(name), trace)

    def assert_same(self, trace, *options):
        """Cuts a trace, and compares the dumps. The new trace must have no problems. Returns the lines."""
        result = self.cut(trace, *options)
        expected = self.dump(trace, *options)
        self.assertEqual((result.status, sorted(result.err.replace('ltt cut', 'ltt dump').splitlines())),
                         (expected.status, sorted(expected.err.splitlines())))
        got = self.dump(self.path('cut'))
        self.assert_done(got)
        # --event can name hidden events.
        self.assertEqual(got.lines, [line for line in expected.lines if not is_hidden(json.loads(line))])
        self.assert_done(ltt('check', self.path('cut')))
        return got.lines


def window(dice, times):
    """Options for a random window, often with its ends at the times of events."""
    ends = [Decimal(dice.choice(times)) + dice.choice((0, 0, 1, -1)) * Decimal('0.000000001') for _ in range(2)]
    low, high = (max(end, Decimal(0)) for end in sorted(ends))
    return dice.choice((['--from=%.9f' % low], ['--to=%.9f' % high],
                        ['--from=%.9f' % low, '--to=%.9f' % high], ['--from=%.9f' % low, '--to=%.9f' % high]))


def selection(dice, cpus):
    return dice.choice(([], [], [], ['--filter', dice.choice(FILTERS)], ['--event', dice.choice(GLOBS)],
                        ['--cpu', dice.choice(cpus)] if cpus else []))


class EveryTrace(CutTest):
    def test_everything(self):
        for trace in samples() + [sample('damage')]:
            with self.subTest(trace=os.path.basename(trace)):
                lines = self.assert_same(trace)
                self.assertEqual(len(lines), sum(not is_hidden(event) for event in expected_events(trace)))

    def test_random_selections(self):
        dice = random.Random(1)
        for trace in samples() + [sample('damage')]:
            times = [event['time'] for event in expected_events(trace)]
            cpus = os.listdir(os.path.join(trace, 'cpu'))
            for number in range(N_SELECTIONS):
                options = window(dice, times) + selection(dice, cpus)
                with self.subTest(trace=os.path.basename(trace), number=number, options=options):
                    self.assert_same(trace, *options)


class Damaged(DamagedByChance, CutTest):
    def dump(self, trace=None, *options, form='json'):  # pylint: disable=keyword-arg-before-vararg
        return CutTest.dump(self, trace or self.trace, *options, form=form)

    def test_by_chance(self):
        for seed in range(N_SEEDS):
            dice = random.Random(seed)
            name = self.TRACES[seed % len(self.TRACES)]
            self.trace = self.copy(sample(name))
            times = [event['time'] for event in expected_events(sample(name))]
            self.damage(dice)
            with self.subTest(seed=seed, trace=name):
                options = window(dice, times) if seed % 3 else []
                expected = self.dump(self.trace, *options)
                result = self.cut(self.trace, *options)
                self.assertEqual(result.status, expected.status, result.err)
                got = self.dump(self.path('cut'))
                self.assert_done(got)
                self.assertEqual(got.lines, expected.lines)
                self.assert_done(ltt('check', self.path('cut')))
            shutil.rmtree(self.trace)


class Blocks(CutTest):
    """The blocks of the new files."""

    def blocks(self, trace, name='cpu/0'):
        size = int(json.loads(ltt('info', '--json', trace).out)['system']['ltt_block_size'])
        with open(os.path.join(trace, name), 'rb') as file:
            content = file.read()
        self.assertEqual(len(content) % size, 0)
        return [content[at:at + size] for at in range(0, len(content), size)]

    def test_whole_blocks_are_copied(self):
        trace = sample('flight-recorder')
        events = [event for event in expected_events(trace) if event['tracefile'] == 'cpu/0']
        starts = [event['time'] for event in events if event['event'] == 'builtin.block_start']
        self.assert_same(trace, '--from', starts[1])
        own, made = self.blocks(trace), self.blocks(self.path('cut'))
        self.assertEqual(len(made), len(own) - 1)
        for block in made:
            self.assertIn(block, own)

    def test_edges_have_the_time_values_that_enclose(self):
        trace = sample('heartbeats')
        values = [event for event in expected_events(trace) if event['tracefile'] == 'cpu/0' and
                  event['event'].startswith('builtin.')]
        times = [event['time'] for event in expected_events(trace)
                 if event['tracefile'] == 'cpu/0' and not is_hidden(event)]
        first, last = times[len(times) // 3], times[2 * len(times) // 3]
        self.assert_same(trace, '--from', first, '--to', last)
        made = [json.loads(line) for line in ltt('dump', '--all', '-f', 'json', '--cpu', '0', self.path('cut')).lines]
        shown = [event['time'] for event in made if not is_hidden(event)]
        self.assertEqual(made[0]['time'], max(value['time'] for value in values if value['time'] <= shown[0]))
        self.assertEqual(made[-1]['time'], min(value['time'] for value in values if value['time'] >= shown[-1]))
        counts = {value['time']: value['data'].get('timestamp', value['data'])['cycle_count'] for value in values}
        for event in made:
            if is_hidden(event):
                value = event['data'].get('timestamp', event['data'])
                self.assertEqual(value['cycle_count'], counts[event['time']])

    def test_few_events_are_packed(self):
        """Sparse events share blocks in the new file."""
        self.assertGreater(len(self.assert_same(sample('flight-recorder'), '--filter', 'irq_id == 7')), 2)
        info = json.loads(ltt('info', '--json', self.path('cut')).out)
        self.assertEqual([file['blocks'] for file in info['tracefiles'] if file['name'].startswith('cpu/')], [1, 1])

    def test_times_that_fall(self):
        """The merged order does not change where removed events had later times."""
        trace = self.path('falling')
        events = {'cpu/0': [[(100, 'e', b'\1'), (110, 'e', b'\2')], [(50, 'e', b'\3'), (60, 'e', b'\4')]],
                  'cpu/1': [[(70, 'e', b'\5'), (105, 'e', b'\6'), (120, 'e', b'\7')]]}
        small_trace.write(trace, '<facility name="f"><event name="e"><uint size="1"/></event></facility>', events)
        for limit in (51, 61, 71, 101, 106, 111):
            self.assert_same(trace, '--to', '0.%09d' % limit)
            self.assert_same(trace, '--filter', 'data != 2', '--to', '0.%09d' % limit)
        self.assert_same(trace, '--filter', 'data > 2')


class State(CutTest):
    """Hidden events."""

    def hidden(self, tracefile, *words):
        events = [json.loads(line) for line in ltt('dump', '--all', '-f', 'json', self.path('cut')).lines]
        return [event for event in events if event['tracefile'] == tracefile and event['event'] in words]

    def test_threads(self):
        lines = self.assert_same(sample('tracer'), '--from', '2.000000025', '--to', '2.0000011')
        self.assertEqual([(event['pid'], event['tid']) for event in map(json.loads, lines)], [(10, 12), (10, 11)])

    def test_processes_that_are_alive(self):
        starts = self.hidden
        self.assert_same(sample('tracer'), '--from', '2.000000025')
        self.assertEqual([event['data']['name'] for event in starts('control/processes', 'tracer.process_start')],
                         ['worker'])
        self.assert_same(sample('tracer'), '--from', '2.000000051')
        self.assertEqual(starts('control/processes', 'tracer.process_start', 'tracer.process_exit'), [])
        self.assert_same(sample('tracer'), '--cpu', '0')
        self.assertEqual(len(starts('control/processes', 'tracer.process_start', 'tracer.process_exit')), 2)

    def test_processes_of_the_start(self):
        """Visible process events are converted to hidden ones."""
        self.assertEqual(ltt('record', '-o', self.path('machine'), '--', 'true').status, 0)
        machine = self.path('machine')
        end = json.loads(ltt('info', '--json', machine).out)['tracefiles']
        last = max(file['last'] for file in end if file['last'])
        before = [json.loads(line) for line in self.dump(machine, '--event', 'processes.process').lines]
        self.assertEqual(self.assert_same(machine, '--from', '%s' % (Decimal(last) + 1)), [])
        kept = [event['data'] for event in self.hidden('control/processes', 'tracer.process_start')]
        self.assertEqual([(data['pid'], data['ppid'], data['name']) for data in kept],
                         [(event['data']['pid'], event['data']['ppid'], event['data']['name']) for event in before])

    def test_losses(self):
        trace = sample('tracer')
        for start in ('2.0', '2.0000005', '2.000001', '2.0000011', '2.000003'):
            self.assert_same(trace, '--from', start)
            self.assertEqual(json.loads(ltt('stat', '--json', self.path('cut')).out)['lost'],
                             json.loads(ltt('stat', '--json', '--from', start, trace).out)['lost'], start)
        for condition in ('time > 2.000001', 'sector == 77', 'time > 2.000005'):
            self.assert_same(trace, '--filter', condition)
            self.assertEqual(json.loads(ltt('stat', '--json', self.path('cut')).out)['lost'], 7, condition)

    def test_bookmarks(self):
        trace = self.copy(sample('sparse-cpus'))
        for words in (['--at=+0.0005', 'in'], ['--at=+0.0007', 'behind'], ['--from=+0', '--to=+0.0005', 'reaching'],
                      ['--from=+0.0001', '--to=+0.0002', 'before'], ['--at=+0.0005', '--cpu', '4', 'cpu'],
                      ['--at-cycle', '0', 'early'], ['--from-cycle', '0', '--to-cycle', str(2 ** 64 - 1), 'wide']):
            self.assert_done(ltt('bookmark', 'add', trace, *words))

        def names():
            return [bookmark['name'] for bookmark in json.loads(ltt('info', '--json', self.path('cut')).out)['bookmarks']]
        self.assert_same(trace)
        self.assertEqual(len(names()), 7)
        self.assert_same(trace, '--from=+0.0004', '--to=+0.0006')
        self.assertEqual(names(), ['in', 'reaching', 'cpu', 'wide'])
        self.assert_same(trace, '--from=+0.0004', '--to=+0.0006', '--cpu=0-2')
        self.assertEqual(names(), ['in', 'reaching', 'wide'])

    def test_what_is_not_loaded_stays_behind(self):
        trace = self.copy(sample('two-versions'))
        with open(os.path.join(trace, 'eventdefs/zzz.xml'), 'w', encoding='utf-8') as file:
            file.write('<facility name="nobody"><event name="e"/></facility>')
        with open(os.path.join(trace, 'info/notes'), 'w', encoding='utf-8') as file:
            file.write('x')
        self.assert_same(trace)
        self.assertEqual(sorted(os.listdir(self.path('cut', 'info'))), ['system.xml'])
        self.assertEqual(len(os.listdir(self.path('cut', 'eventdefs'))), 2)
        for key in ('facilities', 'system'):
            self.assertEqual(json.loads(ltt('info', '--json', self.path('cut')).out)[key],
                             json.loads(ltt('info', '--json', trace).out)[key])


class Parts(CutTest):
    def parts(self, trace, *options):
        shutil.rmtree(self.path('cut'), ignore_errors=True)
        self.assert_done(ltt('cut', *options, '-o', self.path('cut'), trace))
        return [self.path('cut', name) for name in sorted(os.listdir(self.path('cut')))]

    def assert_whole(self, trace, parts, *options):
        got = []
        for part in parts:
            self.assert_done(ltt('check', part))
            got.append(self.dump(part).lines)
        self.assertEqual(sum(got, []), self.dump(trace, *options).lines)

    def test_by_time(self):
        for name in ('flight-recorder', 'sparse-cpus', 'crashed'):
            parts = self.parts(sample(name), '--every', '0.0003s')
            self.assertGreater(len(parts), 2)
            self.assertEqual(os.path.basename(parts[-1]), '%04d' % (len(parts) - 1))
            self.assert_whole(sample(name), parts)
        options = ['--cpu', '1', '--from=+0.0002', '--to=+0.0008']
        self.assert_whole(sample('sparse-cpus'), self.parts(sample('sparse-cpus'), '--every=0.0003s', *options), *options)

    def test_by_size(self):
        parts = self.parts(sample('flight-recorder'), '--every', '4K')
        self.assertGreater(len(parts), 2)
        self.assert_whole(sample('flight-recorder'), parts)
        for part in parts:
            self.assertLess(sum(os.path.getsize(os.path.join(part, 'cpu', name)) for name in '01'), 9 * 2048)
        self.assertEqual(len(self.parts(sample('flight-recorder'), '--every', '1G')), 1)

    def test_long_pauses_make_no_parts(self):
        trace = self.path('pause')
        small_trace.write(trace, '<facility name="f"><event name="e"><uint size="1"/></event></facility>',
                          {'cpu/0': [[(1, 'e', b'\1')], [(10 ** 18, 'e', b'\2')]]})
        parts = self.parts(trace, '--every', '1s')
        self.assertEqual(len(parts), 2)
        self.assert_whole(trace, parts)

    def test_a_block_that_claims_a_long_time_makes_parts_where_its_events_are(self):
        """A damaged time value stretches the events of a block over hours."""
        trace = self.path('stretched')
        events = [(10 ** 9 + i, 'e', b'\1') for i in range(20)]
        small_trace.write(trace, '<facility name="f"><event name="e"><uint size="1"/></event></facility>',
                          {'cpu/0': [events, [(time + 10 ** 6, *rest) for time, *rest in events]]})
        with open(os.path.join(trace, 'cpu/0'), 'r+b') as file:
            file.seek(4096 - 4)
            end, = struct.unpack('<I', file.read(4))
            file.seek(end + 6)
            file.write(struct.pack('<I', 10 ** 5))
        times = {event['time'] for event in map(json.loads, self.dump(trace, '--all').lines)}
        self.assertGreater(max(map(float, times)), 50000)
        parts = self.parts(trace, '--every', '0.001s')
        self.assertGreater(len(parts), 10)
        self.assertLessEqual(len(parts), len(times))
        for part in parts:
            self.assertNotEqual(self.dump(part, '--all').lines, [])
        self.assertEqual(sorted(sum((self.dump(part).lines for part in parts), [])), sorted(self.dump(trace).lines))

    def test_parts_keep_the_names_before_them(self):
        """Names of the first block and of a later one; no part counts the losses of an earlier one."""
        with open(os.path.join(SOURCE, 'eventdefs/tracer.xml'), encoding='utf-8') as file:
            facilities = ['<facility name="f"><event name="name"><uint size="1"/></event><event name="e"><uint size="1"/></event></facility>', file.read()]
        trace, lost = self.path('named'), struct.pack('<Q', 7)
        blocks = [[(1000 * block + 100 * i, 'e', bytes([i])) for i in range(1, 6)] for block in range(1, 9)]
        blocks[0].insert(0, (1050, 'name', b'\1'))
        blocks[3].insert(2, (4250, 'name', b'\2'))
        blocks[2].insert(3, (3350, 'events_lost', lost))
        small_trace.write(trace, facilities, {'cpu/0': blocks, 'cpu/1': [[(500, 'name', b'\3')], [(8900, 'e', b'\6')]]}, system='naming_events="f.name"')
        parts = self.parts(trace, '--every', '1000ns')
        self.assertEqual(len(parts), 9)
        for number, part in enumerate(parts):
            window = ['--from', '%.9f' % ((500 + 1000 * number) / 1e9), '--to', '%.9f' % ((1500 + 1000 * number) / 1e9)]
            names = [time for time in (500, 1050, 4250) if time < 1500 + 1000 * number]
            times = [round(float(json.loads(line)['time']) * 1e9) for line in self.dump(part).lines]
            shown = [round(float(json.loads(line)['time']) * 1e9) for line in self.dump(trace, *window).lines]
            self.assertEqual(times, sorted({*names, *shown}))
            self.assertEqual(json.loads(ltt('stat', '--json', part).out)['lost'], json.loads(ltt('stat', '--json', *window, trace).out)['lost'], number)
            # The whole cut agrees.
            self.assert_done(self.cut(trace, *window, name='one'))
            self.assertEqual(self.dump(self.path('one')).lines, self.dump(part).lines)
            self.assertEqual(ltt('stat', '--json', self.path('one')).out.replace('/one', ''), ltt('stat', '--json', part).out.replace('/cut/%04d' % number, ''))

    def test_parts_of_merged_traces_keep_all_names(self):
        """Events to which later ones refer, and lasting ones, of each trace: in any order, and with an attribute in common."""
        traces = []
        for name, system in (('a', 'naming_events="a.name b.name"'), ('b', 'naming_events="b.name" lasting_events="b.last"'),
                             ('c', '')):
            traces.append(self.path(name))
            events = [(1000, 'name', b''), *((2000 + 1000 * i, 'e', b'') for i in range(3)), (9000, 'last', b'')]
            small_trace.write(traces[-1], '<facility name="%s"><event name="name"/><event name="e"/><event name="last"/></facility>' % name,
                              {'cpu/0': [events]}, system=system)
        for number, order in enumerate((traces, traces[::-1])):
            merged = self.path('merged%d' % number)
            self.assertEqual(ltt('merge', '-o', merged, *order).status, 0)
            for paths in ([merged], order):
                self.assertEqual(self.cut(*paths, '--from', '0.000003000', '--to', '0.000004000').status, 0)
                events = sorted(json.loads(line)['event'] for line in self.dump(self.path('cut')).lines)
                self.assertEqual(events, ['a.e', 'a.name', 'b.e', 'b.last', 'b.name', 'c.e'])
                shutil.rmtree(self.path('cut'))
            parts = self.parts(merged, '--every', '1000ns')
            self.assertEqual(sorted(json.loads(line)['event'] for line in self.dump(parts[-1]).lines),
                             ['a.last', 'a.name', 'b.last', 'b.name', 'c.last'])
            shutil.rmtree(self.path('cut'))

    def test_ceiling(self):
        trace = self.path('many')
        small_trace.write(trace, '<facility name="f"><event name="e"/></facility>',
                          {'cpu/0': [[(10 ** 9 + i * 100, 'e', b'') for i in range(10001)]]}, block_size=128 * 1024)
        self.assert_failed(self.cut(trace, '--every', '0.0000001s'), 'more than 10000 parts')
        self.assertFalse(os.path.exists(self.path('cut')))


class Mistakes(CutTest):
    def test_wrong_usage(self):
        trace = sample('one-cpu')
        for words, message in (([trace], '-o DIR is missing'), (['-o', self.path('x')], 'TRACE'),
                               (['-o', self.folder, trace], 'already exists'),
                               (['--every', '4K', '-o', self.folder, trace], 'already exists'),
                               (['--every', '10K', '-o', self.path('no/x'), trace], 'No such file'),
                               (['--every', '10x', '-o', self.path('x'), trace], 'expected a duration'),
                               (['--every', '0s', '-o', self.path('x'), trace], 'expected a duration'),
                               (['-o', self.path('x'), self.path('missing')], 'no such directory')):
            with self.subTest(words=words):
                self.assert_failed(ltt('cut', *words), message)
        self.assertEqual(os.listdir(self.folder), [])

    def test_an_archive(self):
        self.assert_done(ltt('pack', sample('flight-recorder'), '-o', self.path('t.tar')))
        self.assert_done(self.cut(self.path('t.tar'), '--from=+0.001'))
        self.assertEqual(self.dump(self.path('cut')).out, self.dump(sample('flight-recorder'), '--from=+0.001').out)

    def test_the_original_is_untouched(self):
        trace = self.copy(sample('crashed'))
        before = {name: os.stat(os.path.join(folder, name)).st_mtime_ns
                  for folder, _, names in os.walk(trace) for name in names}
        self.assert_same(trace, '--from=+0.0001')
        self.assertEqual(before, {name: os.stat(os.path.join(folder, name)).st_mtime_ns
                                  for folder, _, names in os.walk(trace) for name in names})
