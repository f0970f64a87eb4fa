"""Randomly damaged traces: compared with doc/read_trace.py, which was written from the document alone.

LTT_DAMAGE_SEEDS=FIRST:LAST tries these seeds instead: LTT_DAMAGE_SEEDS=0:20000 scons test ONLY=two_readers_agree
"""
import json
import os
import random
import shutil
from collections import Counter

from command import ltt, sample, samples, some
from damage import DamagedByChance, second_reading
from damage_fields import DamagedFields

N_SEEDS, N_FIELD_SEEDS = some(300), some(200)


def seeds(n=N_SEEDS):
    """The range of seeds to try, by default the first @n."""
    first, last = os.environ.get('LTT_DAMAGE_SEEDS', '0:%d' % n).split(':')
    return range(int(first), int(last))


class Agreement(DamagedByChance):
    """Compares the readers on the damaged trace."""

    def assert_readers_agree(self):
        """Returns: the exit status of both"""
        result = self.dump()
        status, lines = second_reading(self.trace)
        self.assertEqual(result.lines, lines)
        self.assertEqual(result.status, status, result.err)
        self.assertEqual(bool(result.err), bool(status))
        self.assertTrue(all(line.startswith('ltt dump: ') for line in result.err.splitlines()))
        checked = ltt('check', '--json', self.trace)
        self.assertGreaterEqual(checked.status, status)
        if status < 2:
            self.assertEqual(bool(json.loads(checked.out)['problems']), checked.status == 1)
        return status

    def try_seeds(self, to_try, names, damage):
        """Returns: a Counter of the exit statuses"""
        statuses = Counter()
        for seed in to_try:
            name = names[seed % len(names)]
            self.trace = self.copy(sample(name))
            damage(name, random.Random(seed))
            with self.subTest(seed=seed, trace=name):
                statuses[self.assert_readers_agree()] += 1
            shutil.rmtree(self.trace)
        return statuses


class AtRandom(Agreement):
    def test_two_readers_agree(self):
        statuses = self.try_seeds(seeds(), self.TRACES, lambda _, dice: self.damage(dice))
        # Some damage is reported, and some events remain readable.
        self.assertGreater(statuses[0], 0)
        self.assertGreater(statuses[1], len(seeds()) // 2)

    def test_xml(self):
        """Damaged XML must not crash a command; other tests check the messages."""
        for seed in range(N_SEEDS // 3):
            dice = random.Random(seed)
            self.trace = self.copy(sample(self.TRACES[seed % len(self.TRACES)]))
            names = ['info/system.xml'] + ['eventdefs/' + name
                                           for name in os.listdir(os.path.join(self.trace, 'eventdefs'))]
            path = dice.choice(names)
            content = bytearray(self.read(path))
            dice.choice((self.flip, self.set_bytes, self.truncate, self.scramble))(content, dice)
            with open(os.path.join(self.trace, path), 'wb') as file:
                file.write(content)
            with self.subTest(seed=seed, path=path):
                result = self.dump()
                self.assertEqual(bool(result.err), result.status != 0)
                if result.status == 0:
                    self.assertTrue(result.lines)
            shutil.rmtree(self.trace)


class InFields(Agreement, DamagedFields):
    def test_fields_two_readers_agree(self):
        names = [os.path.basename(path) for path in samples()]
        to_try = seeds(N_FIELD_SEEDS)
        statuses = self.try_seeds(to_try, names, self.damage_fields)
        # Each exit status occurs.
        self.assertGreater(statuses[0], len(to_try) // 10)
        self.assertGreater(statuses[1], len(to_try) // 4)
        self.assertGreater(statuses[2], 0)

    def test_types_of_the_events_of_blocks(self):
        """In the historical dialect they must be exactly those of the builtin facility, even if other ones have the same bytes."""
        said = 'facility core: event block_start: expected the type that it has in the facility builtin'
        for old, new, is_wrong in (('block_id><uint size=4/>', 'block_id><uint size=medium/>', True),
                                   ('name=block_id>', 'name=id>', True),
                                   ('<event name=block_start>', '<event name=block_first>', True),
                                   ('<uint size=4/></field></struct></type>', '<uint size="4"/></field></struct></type>', False)):
            self.trace = self.copy(sample('dialect-2.3'))
            path = os.path.join(self.trace, 'eventdefs/core.xml')
            text = self.read('eventdefs/core.xml').decode()
            self.assertIn(old, text)
            with open(path, 'w', encoding='utf-8') as file:
                file.write(text.replace(old, new))
            with self.subTest(new=new):
                self.assertEqual(self.assert_readers_agree(), int(is_wrong))
                self.assertEqual(said in self.dump().err, is_wrong)
            shutil.rmtree(self.trace)
