"""Randomly damaged traces: compared with doc/read_trace.py, which was written from the document alone."""
import json
import os
import random
import shutil
from collections import Counter

from command import ltt, sample
from damage import DamagedByChance, second_reading

N_SEEDS = 300


class AtRandom(DamagedByChance):
    def test_two_readers_agree(self):
        statuses = Counter()
        for seed in range(N_SEEDS):
            dice = random.Random(seed)
            name = self.TRACES[seed % len(self.TRACES)]
            self.trace = self.copy(sample(name))
            self.damage(dice)
            with self.subTest(seed=seed, trace=name):
                result = self.dump()
                status, lines = second_reading(self.trace)
                self.assertEqual(result.lines, lines)
                self.assertEqual(result.status, status, result.err)
                self.assertEqual(bool(result.err), bool(status))
                self.assertTrue(all(line.startswith('ltt dump: ') for line in result.err.splitlines()))
                checked = ltt('check', '--json', self.trace)
                found = json.loads(checked.out)
                self.assertGreaterEqual(checked.status, status)
                self.assertEqual(bool(found['problems']), checked.status == 1)
                statuses[status] += 1
            shutil.rmtree(self.trace)
        # Some damage is reported, and some events remain readable.
        self.assertGreater(statuses[0], 0)
        self.assertGreater(statuses[1], N_SEEDS // 2)

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
