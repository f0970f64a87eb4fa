"""`ltt dump A B` and `ltt merge`: several traces on one timeline."""
import heapq
import json
import os
import random
import re
import shutil
import struct
import unittest
from collections import Counter

from command import CommandTest, as_json, expected_events, is_hidden, ltt, sample, time_ns
from damage import DamagedByChance
from small_trace import write

# Traces whose blocks can be copied: same byte order and equivalent sizes.
ALIKE = (('tracer', 'two-versions'), ('load-in-cpu-file', 'one-cpu'), ('clock-set-back', 'wrapping-ids'),
         ('one-cpu', 'crashed', 'clock-set-back'), ('crashed', 'crashed'), ('worked-block', 'every-type'),
         ('flight-recorder', 'flight-recorder'))

# Traces whose events must be rewritten: another byte order, other sizes, or the historical dialect.
UNLIKE = (('one-cpu', 'big-endian'), ('big-endian', 'every-type'), ('every-type', 'unquoted', 'big-endian'),
          ('one-cpu', 'sparse-cpus'), ('sparse-cpus', 'flight-recorder'), ('one-cpu', 'numbers'),
          ('big-endian', 'tracer', 'load-in-cpu-file'), ('sparse-cpus', 'dialect-2.2', 'every-type'),
          ('dialect-2.2', 'dialect-2.3'), ('dialect-2.2', 'crashed'))


def renamed(event, number, first_cpu):
    folder, name = event['tracefile'].split('/')
    if folder == 'cpu':
        name = str(int(name) + first_cpu)
    elif number > 1 or name == 'facilities':
        name += '.%d' % number
    return dict(event, tracefile='%s/%s' % (folder, name))


def host_of(name):
    with open(os.path.join(sample(name), 'info/system.xml'), encoding='utf-8') as file:
        found = re.search('node_name="([^"]*)"', file.read())
    return found.group(1) if found else 'unknown'


def rank(tracefile):
    folder, name = tracefile.split('/')
    return (1, int(name), '') if folder == 'cpu' else (0, 0, name)


def joined(*names):
    """The expected dump of several traces: a simple merge of the expected files of each trace."""
    files, first_cpu = {}, 0
    hosts = [host_of(name) for name in names]
    for number, name in enumerate(names, 1):
        path = sample(name)
        for event in expected_events(path):
            event = renamed(event, number, first_cpu)
            if len(set(hosts)) > 1:
                event['host'] = hosts[number - 1]
            files.setdefault(event['tracefile'], []).append(event)
        cpus = [int(cpu) for cpu in os.listdir(os.path.join(path, 'cpu'))]
        first_cpu += max(cpus) + 1 if cpus else 0
    heads = [(time_ns(events[0]), rank(name), 0, name) for name, events in files.items()]
    heapq.heapify(heads)
    while heads:
        _, order, at, name = heapq.heappop(heads)
        if not is_hidden(files[name][at]):
            yield files[name][at]
        if at + 1 < len(files[name]):
            heapq.heappush(heads, (time_ns(files[name][at + 1]), order, at + 1, name))


class Dump(CommandTest):
    def test_of_several(self):
        for names in ALIKE + (('one-cpu', 'big-endian'), ('sparse-cpus', 'dialect-2.2', 'every-type'), ('one-cpu',) * 4):
            with self.subTest(traces=names):
                result = ltt('dump', '--format=json', *map(sample, names))
                self.assertEqual(as_json(result.out), list(joined(*names)))

    def test_offsets(self):
        one, other = sample('one-cpu'), sample('crashed')
        plain = as_json(ltt('dump', '--format=json', one, other).out)
        moved = as_json(ltt('dump', '--format=json', '--offset=1=1.000000001', '--offset', '2=-0.5', one, other).out)
        by_file = {}
        for event in plain:
            shift = 1000000001 if event['tracefile'] == 'cpu/0' else -500000000
            by_file.setdefault(event['tracefile'], []).append(time_ns(event) + shift)
        for event in moved:
            self.assertEqual(time_ns(event), by_file[event['tracefile']].pop(0))
        self.assertEqual([time_ns(event) for event in moved], sorted(time_ns(event) for event in moved))
        single = as_json(ltt('dump', '--format=json', '--offset=1=+2000ms', one).out)
        self.assertEqual([time_ns(event) - 2 * 10**9 for event in single],
                         [time_ns(event) for event in expected_events(one) if not is_hidden(event)])

    def test_offsets_out_of_range(self):
        """Times are clamped, with a message; those in range are exact, also next to them."""
        path = sample('one-cpu')
        own = [time_ns(event) for event in as_json(ltt('dump', '--format=json', '--all', path).out)]
        rest = '; times below 0 are read as 0, and those above 9223372036.854775807 as 9223372036.854775807\n'
        for offset in ('-%.9f' % 1050000001, '+%.9f' % 9000000000, '-1050000000.144722862', '-%d.%09d' % divmod(own[len(own) // 2], 10**9),
                       '+%d.%09d' % divmod(2**63 - 1 - own[len(own) // 2], 10**9), '-9223372036.854775807'):
            shift = int(offset.replace('.', ''))
            result = ltt('dump', '--format=json', '--all', '--offset=1=' + offset, path)
            self.assertEqual(result.status, 1)
            self.assertEqual(result.err, 'ltt dump: %s: an offset of %s s gives times out of range: expected -%d.%09d to +%d.%09d%s'
                             % (path, offset, *divmod(min(own), 10**9), *divmod(2**63 - 1 - max(own), 10**9), rest))
            self.assertEqual([time_ns(event) for event in as_json(result.out)],
                             [min(max(time + shift, 0), 2**63 - 1) for time in own], offset)
            self.assertEqual(ltt('stat', '--offset=1=' + offset, path).err, result.err.replace('dump', 'stat'))
        self.assert_done(ltt('dump', '--offset=1=-1050000000', path))
        self.assert_done(ltt('dump', '--offset=1=+8000000000', path))

    def test_offsets_in_open_blocks_out_of_range(self):
        """Rates after the last time value, also those of earlier blocks, are those of the trace itself."""
        for name in ('crashed', 'crashed-at-once', 'clock-set-back', 'flight-recorder', 'dialect-2.2', 'tracer', 'every-type'):
            own = [time_ns(event) for event in as_json(ltt('dump', '--format=json', '--all', sample(name)).out)]
            for number in (1, len(own) // 3, len(own) // 2, len(own) - 1):
                result = ltt('dump', '--format=json', '--all', '--offset=1=-%d.%09d' % divmod(own[number], 10**9), sample(name))
                self.assertEqual(sorted(time_ns(event) for event in as_json(result.out)),
                                 sorted(max(time - own[number], 0) for time in own), name)

    def test_selection(self):
        """CPUs by their new numbers, windows on the common timeline, a column for each field of a common type."""
        names = ('one-cpu', 'crashed')
        paths = list(map(sample, names))
        events = list(joined(*names))
        self.assertEqual(as_json(ltt('dump', '--format=json', '--cpu=1', *paths).out),
                         [event for event in events if event['tracefile'] == 'cpu/1'])
        window = ('--from', events[100]['time'], '--to', events[-100]['time'])
        self.assertEqual(as_json(ltt('dump', '--format=json', *window, *paths).out),
                         [event for event in events if events[100]['time'] <= event['time'] < events[-100]['time']])
        self.assertEqual(len(ltt('dump', '--from=+0', *paths).lines), len(events))
        table = ltt('dump', '--format=csv', '--event=core.irq_entry', *paths)
        self.assert_done(table)
        self.assertEqual(table.lines[0], 'time,tracefile,event,irq_id,kernel')
        self.assertEqual(len(table.lines) - 1, sum(event['event'] == 'core.irq_entry' for event in events))

    def test_damage_is_told_with_the_new_name(self):
        result = ltt('dump', sample('one-cpu'), sample('damage'))
        self.assertEqual(result.status, 1)
        self.assertRegex(result.err, r'(?m)^ltt dump: cpu/1: block 1: byte 156: ')

    def test_problems_name_their_trace(self):
        trace = self.copy(sample('one-cpu'))
        with open(os.path.join(trace, 'eventdefs/broken.xml'), 'w', encoding='utf-8') as file:
            file.write('<facility')
        result = ltt('dump', sample('one-cpu'), trace)
        self.assertIn('ltt dump: %s/eventdefs/broken.xml: line 1' % trace, result.err)

    def test_usage(self):
        for offset in ('5', '0=1', '3=1', '2=x', '=1', '2='):
            self.assert_failed(ltt('dump', '--offset', offset, sample('one-cpu'), sample('crashed')),
                               '--offset %s: expected N=S, the number of a trace from 1 to 2' % offset)
        self.assert_failed(ltt('dump', '--offset=1=1', '--offset=2=1', '--offset=1=2', sample('one-cpu'), sample('crashed')),
                           '--offset 1=2: the offset of trace 1 was given before')
        self.assert_failed(ltt('dump', sample('one-cpu'), self.path('nothing')), 'nothing: no such directory')
        self.assert_failed(ltt('dump', '--follow', sample('one-cpu'), sample('crashed')), '--follow requires a single trace')


class Merge(CommandTest):
    def merge(self, paths, *options, name='merged'):
        result = ltt('merge', '-o', self.path(name), *paths, *options)
        # Some of the samples begin in 1970, which is reported.
        said = [line for line in result.err.splitlines() if 'times are not wall-clock times' not in line]
        self.assertEqual((result.status, result.out, said), (0, '', []))
        return self.path(name)

    def test_dumps_as_the_traces_do_together(self):
        for number, names in enumerate(ALIKE + UNLIKE):
            for offset in ([], ['--offset', '2=-0.000001234']):
                with self.subTest(traces=names, offset=offset):
                    paths = list(map(sample, names))
                    merged = self.merge(paths, *offset, name='%d%s' % (number, ''.join(offset)))
                    self.assertEqual(ltt('dump', '--format=json', merged).out,
                                     ltt('dump', '--format=json', *paths, *offset).out)
                    check = ltt('check', merged)
                    self.assertEqual((check.status, check.err), (0, ''))

    def test_of_unlike_traces(self):
        """Byte order of the first trace, largest sizes, version 2.0; rewritten events are complete."""
        for names, expected in ((('big-endian', 'one-cpu'), ('big', 'LP64', '0')),
                                (('dialect-2.2', 'numbers'), ('LITTLE_ENDIAN', 'ILP64', '0')),
                                (('sparse-cpus', 'big-endian'), ('little', 'ILP32', '0'))):
            merged = self.merge(list(map(sample, names)), name='-'.join(names))
            system = json.loads(ltt('info', '--json', merged).out)['system']
            self.assertEqual(tuple(system[key] for key in ('endian', 'arch_size', 'ltt_minor_version')), expected)
            self.assertEqual(json.loads(ltt('stat', '--json', merged).out)['events'],
                             sum(json.loads(ltt('stat', '--json', sample(name)).out)['events'] for name in names))

    def test_what_is_in_it(self):
        """The first trace's system with the CPUs of all, each facility once, all tracefiles."""
        merged = self.merge([sample('one-cpu'), sample('crashed'), sample('one-cpu')])
        info = ltt('info', merged).out
        self.assertRegex(info, r'cpu +5\n')
        self.assertRegex(info, r'2: from cpu/1 on: vaucluse, kernel \S+, times \+0\.000000000\n')
        self.assertEqual(sorted(os.listdir(os.path.join(merged, 'cpu'))), ['0', '1', '2', '3', '4'])
        self.assertEqual(sorted(os.listdir(os.path.join(merged, 'control'))),
                         ['facilities', 'facilities.1', 'facilities.2', 'facilities.3'])
        self.assertEqual(len(re.findall(r'(?m)^  core +\d', info)), 1)

    def test_times_that_rest_on_the_frequency(self):
        """Times in open blocks with one time value, in a trace with another cycle_frequency."""
        crashed = self.copy(sample('crashed-at-once'))
        system = os.path.join(crashed, 'info/system.xml')
        with open(system, encoding='utf-8') as file:
            text = file.read()
        with open(system, 'w', encoding='utf-8') as file:
            file.write(text.replace(' ltt_block_size', ' cycle_frequency="2000000"\n ltt_block_size', 1))
        self.assertNotEqual(ltt('dump', crashed).out, ltt('dump', sample('crashed-at-once')).out)
        paths = [sample('one-cpu'), crashed]
        self.assertEqual(ltt('dump', self.merge(paths)).out, ltt('dump', *paths).out)

    def test_larger_blocks(self):
        """All blocks get the largest size; padding fills the smaller ones."""
        merged = self.merge([sample('worked-block'), sample('every-type')])
        sizes = [re.search('ltt_block_size="(.*?)"', self.read(path)).group(1)
                 for path in (sample('worked-block'), sample('every-type'), merged)]
        self.assertEqual((sizes[0] == sizes[1], sizes[2]), (False, max(sizes, key=int)))

    def test_events_that_become_larger_than_their_block(self):
        """A sequence of 32-bit longs doubles, and the block size grows with it."""
        description = ('<facility name="f"><event name="e"><sequence lengthsize="4"><int size="long"/></sequence></event>'
                       '</facility>')
        traces = []
        for arch_size, code, count in (('ILP32', 'i', 1005), ('LP64', 'q', 2)):
            traces.append(self.path(arch_size))
            payload = struct.pack('<I%d%s' % (count, code), count, *range(-1, count - 1))
            write(traces[-1], description, {'cpu/0': [[(10**9, 'e', payload)]] * 2}, arch_size=arch_size)
        for number, paths in enumerate((traces, traces[::-1])):
            merged = self.merge(paths, name='merged%d' % number)
            self.assertIn('ltt_block_size="8192"', self.read(merged))
            self.assertEqual(ltt('dump', '--format=json', merged).out, ltt('dump', '--format=json', *paths).out)
            self.assertEqual(len(ltt('dump', merged).lines), 4)
        cut = self.path('cut')
        self.assert_done(ltt('cut', '-o', cut, *traces))
        self.assertEqual(ltt('dump', '--format=json', cut).out, ltt('dump', '--format=json', *traces).out)

    @staticmethod
    def read(trace):
        with open(os.path.join(trace, 'info/system.xml'), encoding='utf-8') as file:
            return file.read()

    def test_bookmarks(self):
        one, other = self.copy(sample('one-cpu'), 'one'), self.copy(sample('crashed'), 'other')
        for trace, name in ((one, 'first'), (other, 'second')):
            with open(os.path.join(trace, 'info/bookmarks.xml'), 'w', encoding='utf-8') as file:
                file.write('<bookmarks><location name="%s" cpu="0" time="1050000000.5">text</location></bookmarks>' % name)
        merged = self.merge([one, other], '--offset=2=1')
        with open(os.path.join(merged, 'info/bookmarks.xml'), encoding='utf-8') as file:
            text = file.read()
        self.assertRegex(text, r'name="first" cpu="0" time="1050000000\.50*"')
        self.assertRegex(text, r'name="second" cpu="1" time="1050000001\.50*"')

    def test_damage(self):
        """Damage is reported, and readable events are merged."""
        merged = self.path('merged')
        for other in ('worked-block', 'numbers'):  # both copied and rewritten
            paths = sample('damage'), sample(other)
            result = ltt('merge', '-o', merged, *paths)
            self.assert_failed(result, 'cpu/0: block 1: byte 156: ', status=1)
            self.assertEqual(ltt('dump', merged).out, ltt('dump', *paths).out)
            self.assertEqual(ltt('check', merged).status, 0)
            shutil.rmtree(merged)

    def test_a_loaded_facility_without_events(self):
        """The load is copied, so its description is needed, even if control/facilities does not list it."""
        trace = self.copy(sample('load-in-cpu-file'))
        size = os.path.getsize(os.path.join(trace, 'control/facilities'))
        with open(os.path.join(trace, 'control/facilities'), 'wb') as file:
            file.write(bytes(size))
        ltt('merge', '-o', self.path('merged'), trace, sample('one-cpu'))
        checked = ltt('check', self.path('merged'))
        self.assertEqual((checked.status, checked.err), (0, ''))
        loads = re.findall('builtin.facility_load  name="([a-z]*)"', ltt('dump', '--all', self.path('merged')).out)
        self.assertEqual(sorted(set(loads)), ['core', 'disk', 'left', 'right'])

    def test_refusals(self):
        merged = self.path('merged')
        own = [time_ns(event) for event in as_json(ltt('dump', '--format=json', '--all', sample('one-cpu')).out)]
        least, greatest = ('%d.%09d' % divmod(time, 10**9) for time in (min(own), 2**32 * 10**9 - 1 - max(own)))
        for offset in ('-2000000000.000000000', '+8000000000.000000000', '+%.9f' % (float(greatest) + 1)):
            for names in (('one-cpu',), ('big-endian', 'one-cpu')):
                result = ltt('merge', '-o', merged, *map(sample, names), '--offset=%d=%s' % (len(names), offset))
                self.assert_failed(result, 'ltt merge: %s: an offset of %s s gives times out of range: expected -%s to +%s\n' %
                                   (sample('one-cpu'), offset, least, greatest))
                self.assertEqual(len(result.err.splitlines()), 1)
                self.assertEqual(os.listdir(self.folder), [])
        for number, offset in enumerate(('-' + least, greatest)):
            self.merge([sample('one-cpu')], '--offset=1=' + offset, name='limit%d' % number)
            self.assertEqual(ltt('dump', '--offset=1=' + offset, sample('one-cpu')).out, ltt('dump', self.path('limit%d' % number)).out)
        os.mkdir(merged)
        self.assert_failed(ltt('merge', '-o', merged, sample('one-cpu')), 'already exists')
        self.assert_failed(ltt('merge', sample('one-cpu')), '-o DIR is missing')
        self.assertEqual(os.listdir(merged), [])


class Machines(CommandTest):
    """Traces with the boot id of their machine, and merges of merges."""

    def of_machine(self, name, boot, to=None, attributes=''):
        trace = self.copy(sample(name), to or '%s-%s' % (name, boot))
        path = os.path.join(trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text.replace(' ltt_block_size', ' boot_id="%s" %s ltt_block_size' % (boot, attributes), 1))
        return trace

    def merge(self, name, *paths, status=0):
        """Merges; the dump equals that of the parts, and the trace has no problems."""
        merged = self.path(name)
        result = ltt('merge', '-o', merged, *paths)
        self.assertEqual((result.status, result.out), (status, ''), result.err)
        for options in (('--format=json',), ('--format=csv',), ('--digest',)):
            self.assertEqual(ltt('dump', *options, merged).out, ltt('dump', *options, *paths).out)
        check = ltt('check', merged)
        self.assertEqual((check.status, check.err), (0, ''))
        return merged

    def tracefiles(self, trace):
        return sorted(name for folder in ('control', 'cpu') for name in os.listdir(os.path.join(trace, folder)))

    def test_cpus_of_one_machine_keep_their_numbers(self):
        for number, names in enumerate(ALIKE + UNLIKE):
            if any(name.startswith('dialect') for name in names):
                continue
            with self.subTest(traces=names):
                paths = [self.of_machine(name, 'x', '%d-%d' % (number, i)) for i, name in enumerate(names)]
                merged = self.merge('merged-%d' % number, *paths)
                cpus = {cpu for path in paths for cpu in os.listdir(os.path.join(path, 'cpu'))}
                self.assertEqual(set(os.listdir(os.path.join(merged, 'cpu'))), cpus)
                events = Counter()
                for path in paths:
                    events.update(event['tracefile'] for event in as_json(ltt('dump', '--format=json', path).out))
                self.assertEqual(Counter(event['tracefile'] for event in as_json(
                    ltt('dump', '--format=json', merged).out)), events)

    def test_threads_and_losses_of_one_machine(self):
        """Threads remain known, and running totals of losses are added."""
        paths = [self.of_machine('tracer', 'x', name) for name in ('one', 'two')]
        merged = self.merge('merged', *paths)
        one, both = (json.loads(ltt('stat', '--json', trace).out) for trace in (paths[0], merged))
        self.assertEqual(both['lost'], 2 * one['lost'])
        self.assertEqual(both['by_process'], {pid: 2 * n for pid, n in one['by_process'].items()})
        self.assertEqual([process['name'] for process in both['processes']], ['worker'])
        again = self.merge('again', merged, paths[0])
        self.assertEqual(json.loads(ltt('stat', '--json', again).out)['lost'], 3 * one['lost'])

    def test_machines_side_by_side(self):
        """Two traces of one machine with one of another between them."""
        paths = [self.of_machine('one-cpu', 'x'), self.of_machine('crashed', 'y'), self.of_machine('clock-set-back', 'x')]
        merged = self.merge('merged', *paths)
        self.assertEqual(sorted(os.listdir(os.path.join(merged, 'cpu'))), list('012345'))
        self.assertEqual(len(ltt('dump', '--cpu=0', merged).lines),
                         sum(len(ltt('dump', '--cpu=0', path).lines) for path in paths[::2]))
        self.assertIsNone(json.loads(ltt('info', '--json', merged).out)['system'].get('boot_id'))
        # The machine is no longer unique: a further trace of x has separate CPUs.
        further = self.merge('further', merged, self.of_machine('one-cpu', 'x', 'more'))
        self.assertEqual(sorted(os.listdir(os.path.join(further, 'cpu'))), list('0123456'))

    def test_merges_of_merges(self):
        """Merges of any depth, also of the same trace."""
        for boot in ('', 'x'):
            with self.subTest(boot=boot):
                one, two = self.of_machine('tracer', boot, 'one' + boot), self.of_machine('crashed', boot, 'two' + boot)
                merged = one
                for depth in range(4):
                    merged = self.merge('right%s%d' % (boot, depth), merged, two)
                    merged = self.merge('left%s%d' % (boot, depth), one, merged)
                both = self.merge('both' + boot, merged, merged, one)
                names = self.tracefiles(both)
                self.assertEqual(len(names), len(set(names)))
                stat = json.loads(ltt('stat', '--json', both).out)
                # Without a boot id each trace is of a machine of its own.
                self.assertEqual([process['name'] for process in stat['processes']],
                                 ['worker'] * (1 if boot else 11))

    def test_names_of_all_processes(self):
        described = ('<facility name="processes"><event name="process"><struct><field name="name"><string/></field>'
                     '<field name="pid"><uint size="4"/></field></struct></event></facility>')
        for name, pid in (('one', 100), ('two', 200)):
            write(self.path(name), described, {'control/processes': [[(10**18, 'process', b'%s\0' % name.encode() +
                                                                       struct.pack('<I', pid))]]})
        merged = self.merge('merged', sample('tracer'), self.path('one'), self.path('two'))
        chrome = json.loads(ltt('export', '--to=chrome', '-o', '-', merged).out)
        self.assertTrue(chrome)
        self.assertEqual([event['data']['name'] for event in as_json(ltt(
            'dump', '--format=json', '--event=processes.process', merged).out)], ['one', 'two'])

    def test_lanes(self):
        """Lanes follow all CPUs, are labelled as lanes, and belong to no CPU."""
        text = 'cpu="8" lanes="2"'
        for boot in ('x', 'y'):
            trace = self.of_machine('sparse-cpus', boot)
            path = os.path.join(trace, 'info/system.xml')
            with open(path, encoding='utf-8') as file:
                system = re.sub(r'cpu="?\d+"?', text, file.read(), count=1)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(system)
        trace, other = self.path('sparse-cpus-x'), self.path('sparse-cpus-y')
        self.assertEqual(json.loads(ltt('info', '--json', trace).out)['system']['cpu'], '6')
        self.assertRegex(ltt('info', trace).out, r'(?m)^  cpu +6$')
        self.assertRegex(ltt('info', trace).out, r'(?m)^  lane/0 \(cpu/6\) ')
        shown = {line.split('  ')[1] for line in ltt('dump', trace).lines}
        self.assertEqual(shown, {'cpu/0', 'cpu/1', 'cpu/2', 'cpu/4', 'lane/0', 'lane/1'})
        self.assertIn('lane/1', ltt('stat', trace).out)
        self.assertEqual(ltt('dump', '--cpu=5-9', trace).out, '')
        for second, cpus in ((trace, 6), (other, 10)):
            merged = self.merge('of-%d' % cpus, trace, second)
            info = json.loads(ltt('info', '--json', merged).out)
            self.assertEqual(info['system']['cpu'], str(cpus))
            self.assertEqual(info['system']['lanes'], '4')
            self.assertEqual([file['name'] for file in info['tracefiles']][-4:], ['cpu/%d' % (cpus + i) for i in range(4)])
            lanes = [line for line in ltt('dump', merged).lines if '  lane/' in line]
            self.assertEqual(len(lanes), 2 * sum('  lane/' in line for line in ltt('dump', trace).lines))
            self.assertEqual(len(ltt('dump', '--cpu=0-99', merged).lines) + len(lanes), len(ltt('dump', merged).lines))


class ByChance(DamagedByChance):
    def test_unlike_traces(self):
        """Rewriting preserves all visible events, and the merged trace has no problems."""
        for seed in range(20):
            dice = random.Random(seed)
            name = self.TRACES[seed % len(self.TRACES)]
            # Rare byte orders and sizes.
            first = sample('numbers' if name == 'big-endian' else 'big-endian')
            with self.subTest(seed=seed, trace=name):
                self.trace, merged = self.copy(sample(name), 'damaged-%d' % seed), self.path('merged-%d' % seed)
                self.damage(dice)
                result = ltt('merge', '-o', merged, first, self.trace)
                self.assertIn(result.status, (0, 1), result.err)
                self.assertEqual(ltt('dump', merged).out, ltt('dump', first, self.trace).out)
                self.assertEqual(ltt('check', merged).status, 0)


if __name__ == '__main__':
    unittest.main()
