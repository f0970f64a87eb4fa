"""`ltt check --repair`: the copy has all readable events and no problems, and counts the missing events."""
import json
import os
import random
import shutil

from command import CommandTest, ltt, sample, samples, some, some_of
from damage import DamagedByChance

# For a longer test: LTT_CUT_SEEDS=1000 scons test ONLY=test_repair
N_SEEDS = int(os.environ.get('LTT_CUT_SEEDS', some(16)))


def snapshot(trace):
    """Name -> contents of all files."""
    found = {}
    for folder, _, names in os.walk(trace):
        for name in names:
            with open(os.path.join(folder, name), 'rb') as file:
                found[os.path.join(folder, name)] = file.read()
    return found


class RepairTest(CommandTest):
    def repair(self, trace, *options):
        shutil.rmtree(self.path('clean'), ignore_errors=True)
        return ltt('check', '--repair', '-o', self.path('clean'), *options, trace)

    def assert_repaired(self, trace):
        """Returns the reported losses: tracefile -> number of events."""
        before = snapshot(trace)
        checked = json.loads(ltt('check', '--json', trace).out)
        lost = json.loads(ltt('stat', '--json', trace).out)['lost']
        result = self.repair(trace, '--json')
        self.assertEqual(result.status, 1 if checked['problems'] else 0, result.err)
        self.assertEqual(len(result.err.splitlines()), len(checked['problems']))
        said = json.loads(result.out)
        gone = {loss['tracefile']: loss['events'] for loss in said.pop('gone')}
        self.assertEqual(said, checked)
        clean = ltt('check', self.path('clean'))
        self.assert_done(clean)
        for form in ('json', 'text'):
            copied = ltt('dump', '-f', form, self.path('clean'))
            self.assert_done(copied)
            self.assertEqual(copied.lines, ltt('dump', '-f', form, trace).lines)
        self.assertEqual(json.loads(ltt('stat', '--json', self.path('clean')).out)['lost'], lost + sum(gone.values()))
        self.assertEqual(snapshot(trace), before)
        return gone


class Samples(RepairTest):
    def test_sound_and_crashed(self):
        for trace in some_of(samples()):
            with self.subTest(trace=os.path.basename(trace)):
                self.assertEqual(self.assert_repaired(trace), {})

    def test_sound_blocks_are_copied(self):
        self.assert_repaired(sample('flight-recorder'))
        for name in ('cpu/0', 'cpu/1'):
            with open(self.path('clean', name), 'rb') as clean, open(os.path.join(sample('flight-recorder'), name), 'rb') as own:
                self.assertEqual(sorted(iter(lambda file=clean: file.read(2048), b'')),
                                 sorted(iter(lambda file=own: file.read(2048), b'')))

    def test_crashed_blocks_are_finished(self):
        for name in ('crashed', 'crashed-at-once', 'tracer'):
            self.assert_repaired(sample(name))
            self.assertEqual(json.loads(ltt('check', '--json', self.path('clean')).out)['open_blocks'], 0, name)
            for event in ('start', 'end'):
                own, clean = (json.loads(ltt('info', '--json', trace).out)[event]
                              for trace in (sample(name), self.path('clean')))
                self.assertEqual(own, clean)

    def test_damage(self):
        trace = sample('damage')
        with open(trace + '.problems', encoding='utf-8') as file:
            n_problems = len(file.readlines())
        gone = self.assert_repaired(trace)
        self.assertEqual(list(gone), ['cpu/0'])
        self.assertTrue(n_problems / 2 < gone['cpu/0'] <= n_problems, gone)
        events = [json.loads(line) for line in ltt('dump', '--all', '-f', 'json', self.path('clean')).lines]
        self.assertEqual([event['data']['total'] for event in events if event['event'] == 'tracer.events_lost'],
                         [gone['cpu/0']])

    def test_people_are_told(self):
        result = self.repair(sample('damage'))
        self.assertEqual(result.lines[-2:], ['cpu/0: at least 12 events gone',
                                             '%s: a clean copy, 15 events, at least 12 events gone' % self.path('clean')])
        self.assertTrue(self.repair(sample('one-cpu')).out.endswith('/clean: a clean copy, 300 events\n'))


class Places(RepairTest):
    """Damage of one kind each."""

    def setUp(self):
        super().setUp()
        self.trace = self.copy(sample('tracer'))

    def patch(self, name, at, content):
        with open(os.path.join(self.trace, name), 'r+b') as file:
            file.seek(at)
            file.write(content)

    def test_final_word_alone(self):
        """All events up to the block_end are readable: no losses."""
        self.trace = self.copy(sample('flight-recorder'), 'flight')
        self.patch('cpu/0', 2048 - 4, b'\xff' * 4)
        self.assertEqual(self.assert_repaired(self.trace), {})

    def test_on_top_of_what_was_lost(self):
        """One more than the 7 that the tracer recorded."""
        blocks = os.path.getsize(os.path.join(self.trace, 'cpu/0')) // 256
        self.patch('cpu/0', (blocks - 1) * 256 + 26, b'\xff\xff')
        self.assertEqual(self.assert_repaired(self.trace), {'cpu/0': 1})
        lines = ltt('dump', '--all', '--event', 'tracer.events_lost', self.path('clean')).lines
        self.assertEqual([line.split('total=')[1] for line in lines], ['7', '8'])

    def test_torn_block(self):
        for content, gone in ((b'\1' + bytes(99), {'cpu/0': 1}), (bytes(100), {})):
            size = os.path.getsize(os.path.join(self.trace, 'cpu/0')) // 256 * 256
            self.patch('cpu/0', size, content)
            self.assertEqual(self.assert_repaired(self.trace), gone)

    def test_facilities_are_missing(self):
        os.remove(os.path.join(self.trace, 'control/facilities'))
        gone = self.assert_repaired(self.trace)
        self.assertEqual(set(gone), {'control/processes', 'cpu/0'})

    def test_descriptions(self):
        with open(os.path.join(self.trace, 'eventdefs/zzz.xml'), 'w', encoding='utf-8') as file:
            file.write('<facility name="disk"><event name="other"/></facility><facility name="x"><oops></facility>')
        with open(os.path.join(self.trace, 'info/bookmarks.xml'), 'w', encoding='utf-8') as file:
            file.write('<bookmarks><location name="a" time="1"/><location name="b"/></bookmarks>')
        self.assertEqual(self.assert_repaired(self.trace), {})
        self.assertEqual([bookmark['name'] for bookmark in
                          json.loads(ltt('info', '--json', self.path('clean')).out)['bookmarks']], ['a'])

    def test_nothing_is_left_of_the_first_block(self):
        """The 7 losses of the tracer do not count as losses before the beginning."""
        os.remove(os.path.join(self.trace, 'eventdefs/disk.xml'))
        self.assertEqual(self.assert_repaired(self.trace), {'cpu/0': 3})

    def test_numbers_of_the_system(self):
        path = os.path.join(self.trace, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(text.replace('ltt_minor_version="0"', 'ltt_minor_version="9"'))
        os.rename(os.path.join(self.trace, 'cpu/0'), os.path.join(self.trace, 'cpu/4000'))
        self.assertEqual(self.assert_repaired(self.trace), {})
        system = json.loads(ltt('info', '--json', self.path('clean')).out)['system']
        self.assertEqual((system['ltt_minor_version'], system['cpu']), ('0', '4001'))

    def test_historical_without_core(self):
        self.trace = self.copy(sample('dialect-2.2'), 'old')
        for name in os.listdir(os.path.join(self.trace, 'eventdefs')):
            os.remove(os.path.join(self.trace, 'eventdefs', name))
        self.assert_repaired(self.trace)


class ByChance(DamagedByChance, RepairTest):
    def test_tracefiles(self):
        for seed in range(N_SEEDS):
            dice = random.Random(1000 + seed)
            name = self.TRACES[seed % len(self.TRACES)]
            self.trace = self.copy(sample(name))
            self.damage(dice)
            with self.subTest(seed=seed, trace=name):
                self.assert_repaired(self.trace)
            shutil.rmtree(self.trace)

    def test_descriptions(self):
        for seed in range(N_SEEDS // 3):
            dice = random.Random(seed)
            self.trace = self.copy(sample(self.TRACES[seed % len(self.TRACES)]))
            path = 'eventdefs/' + dice.choice(sorted(os.listdir(os.path.join(self.trace, 'eventdefs'))))
            content = bytearray(self.read(path))
            dice.choice((self.flip, self.set_bytes, self.truncate, self.scramble))(content, dice)
            with open(os.path.join(self.trace, path), 'wb') as file:
                file.write(content)
            with self.subTest(seed=seed, path=path):
                self.assert_repaired(self.trace)
            shutil.rmtree(self.trace)


class Mistakes(RepairTest):
    def test_wrong_usage(self):
        self.assert_failed(ltt('check', '--repair', sample('one-cpu')), '-o DIR is missing')
        self.assert_failed(ltt('check', '-o', self.path('x'), sample('one-cpu')), '--repair')
        self.assert_failed(ltt('check', '--repair', '-o', self.path('x'), self.path('missing')), 'no such directory')
        result = ltt('check', '--repair', '-o', self.folder, sample('one-cpu'))
        self.assertEqual(result.status, 2)
        self.assertIn('already exists', result.err)
        self.assertEqual(os.listdir(self.folder), [])
