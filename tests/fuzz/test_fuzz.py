"""The fuzz targets without a fuzzer: earlier findings, the initial and the kept corpus, and random damage."""
import glob
import os
import random
import sys

from command import BUILD, ENVIRONMENT, SOURCE, CommandTest, run, some

HERE = os.path.join(SOURCE, 'tests/fuzz')
sys.path.insert(0, HERE)
import corpus  # noqa: E402  pylint: disable=wrong-import-position
import seeds  # noqa: E402  pylint: disable=wrong-import-position

# One process tries many inputs, so that the search for leaks takes little of its time.
WITH_LEAKS = ENVIRONMENT['ASAN_OPTIONS'] + ':detect_leaks=1:malloc_context_size=30'

# Targets that write files or read all of a trace several times are slower.
N_DAMAGED = {'analysis': 60, 'edit': 60, 'export': 30, 'import': 25, 'states': 60, 'trace': 120}
N_DAMAGED_OTHERS = 300

# Inputs of the kept corpus, as many as take about a second.
N_KEPT = {'analysis': 120, 'edit': 100, 'export': 25, 'import': 40, 'states': 110, 'trace': 250}
N_KEPT_OTHERS = 400


def sample(contents, most):
    """At most so many of the contents, at equal distances."""
    step = max(1, -(-len(contents) // most))
    return contents[::step]


def damaged(contents, dice):
    """One of the inputs, with bytes changed, removed, duplicated, or inserted from another input."""
    content = bytearray(dice.choice(contents))
    for _ in range(dice.randrange(1, 6)):
        start = dice.randrange(len(content) + 1)
        end = min(len(content), start + dice.choice((1, 1, 2, 4, 8, 64)))
        other = dice.choice(contents)
        place = dice.randrange(len(other) + 1)
        content[start:end] = dice.choice((
            bytes([dice.randrange(256)] * (end - start)), dice.randbytes(end - start), b'', content[start:end] * 2,
            other[place:place + dice.choice((1, 4, 16, 100))], dice.choice((b'\0', b'\xff', b'\x7f', b'\x80')) * (end - start)))
    return bytes(content)


class Fuzz(CommandTest):
    def check(self, target, contents):
        paths = seeds.write(self.folder, target, contents)
        result = run('env', 'ASAN_OPTIONS=' + WITH_LEAKS, os.path.join(BUILD, 'replay', target), *paths)
        self.assertEqual((result.status, result.out), (0, '%d\n' % len(paths)), result.err[-2000:])

    def check_all(self, target):
        contents = seeds.seeds()[target]
        self.assertTrue(contents)
        kept = sample(corpus.kept(target), some(N_KEPT.get(target, N_KEPT_OTHERS)))
        self.check(target, [b''] + contents + corpus.failed(target) + kept)
        dice = random.Random(target)
        self.check(target, [damaged(contents, dice) for _ in range(some(N_DAMAGED.get(target, N_DAMAGED_OTHERS)))])

    def test_each_target_has_a_test(self):
        names = [os.path.basename(path)[len('fuzz-'):-len('.c')] for path in glob.glob(os.path.join(HERE, 'fuzz-*.c'))]
        self.assertEqual(sorted(names), sorted(seeds.seeds()))
        for name in names:
            self.assertTrue(hasattr(self, 'test_' + name), name)

    def test_analysis(self):
        self.check_all('analysis')

    def test_archive(self):
        self.check_all('archive')

    def test_edit(self):
        self.check_all('edit')

    def test_eventdefs(self):
        self.check_all('eventdefs')

    def test_export(self):
        self.check_all('export')

    def test_filter(self):
        self.check_all('filter')

    def test_sql(self):
        self.check_all('sql')

    def test_import(self):
        self.check_all('import')

    def test_info(self):
        self.check_all('info')

    def test_perf(self):
        self.check_all('perf')

    def test_print(self):
        self.check_all('print')

    def test_qemu(self):
        self.check_all('qemu')

    def test_readable(self):
        self.check_all('readable')

    def test_revent(self):
        self.check_all('revent')

    def test_states(self):
        self.check_all('states')

    def test_symbols(self):
        self.check_all('symbols')

    def test_tracepoint(self):
        self.check_all('tracepoint')

    def test_trace(self):
        self.check_all('trace')

    def test_view(self):
        self.check_all('view')
