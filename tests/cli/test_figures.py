"""The figures in README.md are those of doc/bench.md."""
import os
import re
import unittest
from decimal import ROUND_HALF_UP, Decimal

from command import SOURCE


def read(name):
    with open(os.path.join(SOURCE, name), encoding='utf-8') as file:
        return file.read()


def quoted(readme):
    """The figures of README.md: numbers in its section on costs, and in lines of prose that have a number of ns.

    An indented line belongs to an example, whose output other tests compare.
    """
    costs = re.search(r'(?ms)^## What it costs\n(.*?)^## ', readme)[1]
    lines = [line for line in readme.replace(costs, '').splitlines() if re.search(r'^(?!    ).*\d ns\b', line)]
    return re.findall(r'(?<![\w.])\d+(?:\.\d+)?(?![\w.-]*\w)', costs + '\n'.join(lines))


class Figures(unittest.TestCase):
    def test_numbers_of_the_readme_are_in_the_bench_page(self):
        measured = {Decimal(number) for number in re.findall(r'(?<![\w.])\d+(?:\.\d+)?(?!\w)', read('doc/bench.md'))}
        rounded = measured | {number.quantize(Decimal(1), ROUND_HALF_UP) for number in measured}
        found = quoted(read('README.md'))
        self.assertGreater(len(found), 15)
        for number in found:
            self.assertIn(Decimal(number), rounded)

    def test_what_is_quoted(self):
        text = 'It costs 26 ns.\n    all  65  0 ns\nUse 4 threads.\n## What it costs\n\n64-bit fields, babeltrace2: 22 bytes, 1.5 and 488.\n\n## Next\n'
        self.assertEqual(sorted(quoted(text)), ['1.5', '22', '26', '488'])
