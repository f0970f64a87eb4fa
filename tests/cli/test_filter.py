"""Filters on the command line: random ones, compared with an evaluation of the JSON, and messages for mistakes.

The evaluation uses only the JSON, which has no types. If that is ambiguous - a label or a string,
the width of a float - the expression is skipped.
"""
import fnmatch
import json
import os
import random
import re
import subprocess
import unittest
from fractions import Fraction

from command import ALL, BUILD, SOURCE, CommandTest, expected_lines, ltt, sample, samples, some, some_of

SPECIAL = ('event', 'facility', 'time', 'cpu', 'pid', 'tid')
OPERATORS = {'==': lambda a, b: a == b, '!=': lambda a, b: a != b, '<': lambda a, b: a < b,
             '<=': lambda a, b: a <= b, '>': lambda a, b: a > b, '>=': lambda a, b: a >= b}


ANY = '*'            # a step of a path: each element
LENGTH = 'length()'  # the last step of a path: the number of elements


class Unclear(Exception):
    """The JSON does not determine the correct result."""


class Float:
    """A float of the JSON."""

    def __init__(self, text):
        self.text, self.value = text, Fraction(text)


class Number:
    """A number of the expression."""

    def __init__(self, text):
        self.text = text
        self.is_whole = text.startswith('0x') or not set(text) & set('.e')
        self.value = Fraction(int(text, 0)) if self.is_whole else Fraction(text)


def quoted(text):
    escapes = {'"': '\\"', '\\': '\\\\', '\n': '\\n', '\t': '\\t'}
    return '"' + ''.join(escapes.get(c, c if ord(c) >= 32 else '\\%03o' % ord(c)) for c in text) + '"'


def far_apart(a, b):
    return abs(a - b) > max(abs(a), abs(b)) / 10 ** 5


def compare_numbers(operator, left, right):
    a, b = (x.value if isinstance(x, (Float, Number)) else Fraction(x) for x in (left, right))
    floats = isinstance(left, Float) + isinstance(right, Float)
    same = floats == 1 and isinstance(right, Number) and not right.is_whole and a == b
    if floats and not same and not far_apart(a, b):
        raise Unclear
    return OPERATORS[operator](a, b)


def compare(operator, left, right):
    """`left` is a value of an event, `right` of an event or the expression; None is a missing value."""
    if left is None or right is None or isinstance(left, (dict, list)) or isinstance(right, (dict, list)):
        return False
    for value in (left, right):
        if isinstance(value, str) and ('\ufffd' in value or value in ('NaN', 'Infinity', '-Infinity')):
            raise Unclear
    if operator == '=~':
        return isinstance(left, str) and re.match(fnmatch.translate(right), left, re.DOTALL) is not None
    if isinstance(left, str) and isinstance(right, str):
        return OPERATORS[operator](left.encode(), right.encode())
    if isinstance(left, str) or isinstance(right, str):
        if isinstance(left, int) and operator != '!=':
            return False
        raise Unclear
    return compare_numbers(operator, left, right)


def follow(data, path):
    for step in path:
        if isinstance(step, str) and isinstance(data, dict) and step in data:
            data = data[step]
        elif step == LENGTH:
            if isinstance(data, str):
                raise Unclear # a string has a length in bytes, a label of an enum has none
            return len(data) if isinstance(data, list) else None
        elif isinstance(step, int) and isinstance(data, list) and step < len(data):
            data = data[step]
        else:
            return None
    return data


def value_of(event, operand):
    if not isinstance(operand, tuple):
        return operand
    if operand == ('time',):
        return Fraction(event['time'])
    if operand == ('facility',):
        return event['event'].split('.')[0]
    if operand == ('cpu',):
        folder, name = event['tracefile'].split('/')
        return int(name) if folder == 'cpu' else None
    if operand[0] in SPECIAL:
        return event.get(operand[0])
    if operand[0] == 'data':
        found = follow(event['data'], operand[1:])
        if found is not None and not isinstance(found, (dict, list)):
            return found
    return follow(event['data'], operand)


def expand(data, path):
    """Expands a path with ANY."""
    if ANY not in path:
        return [path]
    at = path.index(ANY)
    found = follow(data, path[:at])
    if not isinstance(found, list):
        return []
    return [more for i in range(len(found)) for more in expand(data, path[:at] + (i,) + path[at + 1:])]


def paths_of(event, operand):
    if operand[0] != 'data':
        return expand(event['data'], operand)
    return [('data',) + path for path in expand(event['data'], operand[1:])] or expand(event['data'], operand)


def holds(event, tree):
    kind = tree[0]
    if kind == '!':
        return not holds(event, tree[1])
    if kind in ('&&', '||'):
        # Evaluates both sides, so that a short circuit does not hide an unclear one.
        sides = [holds(event, tree[1]), holds(event, tree[2])]
        return all(sides) if kind == '&&' else any(sides)
    if kind == 'in':
        return any([holds(event, ('==', tree[1], element)) for element in tree[2]])
    if ANY in tree[1]:
        return any([holds(event, (kind, path, tree[2])) for path in paths_of(event, tree[1])])
    left, right = value_of(event, tree[1]), value_of(event, tree[2])
    if isinstance(left, Fraction):
        return OPERATORS[kind](left, right.value)
    return compare(kind, left, right)


def path_text(path):
    if path[-1] == LENGTH:
        return 'length(%s)' % path_text(path[:-1])
    return ''.join('[%s]' % step if isinstance(step, int) or step == ANY else '.' + step for step in path)[1:]


def text_of(operand):
    if isinstance(operand, tuple):
        return path_text(operand)
    return operand.text if isinstance(operand, Number) else quoted(operand)


def spelled(tree, choose):
    kind = tree[0]
    if kind == '!':
        return '!(%s)' % spelled(tree[1], choose)
    if kind in ('&&', '||'):
        return '(%s %s %s)' % (spelled(tree[1], choose), kind, spelled(tree[2], choose))
    if kind == 'in':
        return '%s in (%s)' % (text_of(tree[1]), ', '.join(map(text_of, tree[2])))
    left, right = text_of(tree[1]), text_of(tree[2])
    turned = {'<': '>', '<=': '>=', '>': '<', '>=': '<='}
    if kind != '=~' and choose.random() < 0.2:
        return '%s %s %s' % (right, turned.get(kind, kind), left)
    return choose.choice(['%s %s %s', '%s%s%s']) % (left, kind, right)


def leaves(data, path=()):
    if isinstance(data, dict):
        for name, value in data.items():
            yield from leaves(value, path + (name,))
    elif isinstance(data, list):
        for index, value in enumerate(data[:3]):
            yield from leaves(value, path + (index,))
    else:
        yield path, data


class Maker:
    """Makes expressions of the names and values that a trace has."""

    def __init__(self, lines, seed):
        self.choose = random.Random(seed)
        self.events = [json.loads(line, parse_float=Float) for line in lines]
        # Each event type has the same weight, regardless of its number of events.
        by_name = {}
        for event in self.events:
            by_name.setdefault(event['event'], []).append(event)
        self.by_name = by_name
        self.names = sorted(by_name)

    def some_leaf(self):
        for _ in range(50):
            event = self.choose.choice(self.by_name[self.choose.choice(self.names)])
            found = list(leaves(event['data']))
            if found:
                path, value = self.choose.choice(found)
                if not path or isinstance(path[0], int) or path[0] in SPECIAL + ('data',):
                    path = ('data',) + path
                elif self.choose.random() < 0.2:
                    path = ('data',) + path
                return path, value
        return ('nothing',), 0

    def number(self, value):
        if isinstance(value, Float):
            return Number(self.choose.choice([value.text, value.text, '0.5', '-1e3', '12']))
        near = value + self.choose.choice([0, 0, 0, 1, -1, 1000, -2 ** 63, 2 ** 63])
        return Number(self.choose.choice([str(near), str(near), '%d.0' % near, '%d.5' % near,
                                          hex(near) if 0 <= near < 2 ** 64 else str(near), '0', '-1']))

    def glob(self, text):
        if not text:
            return self.choose.choice(['', '*', '?'])
        plain = ''.join('?' if c in '*?[]\\' else c for c in text)
        at = self.choose.randrange(len(plain))
        return self.choose.choice([plain, plain[:at] + '*', '*' + plain[at:], '*' + plain[at] + '*',
                                   plain[:at] + '?' + plain[at + 1:], '?' + plain, plain + '?'])

    def leaf(self):
        operators = list(OPERATORS)
        event = self.choose.choice(self.by_name[self.choose.choice(self.names)])
        which = self.choose.random()
        if which < 0.08:
            return self.choose.choice(['==', '!=', '<']), ('event',), event['event']
        if which < 0.12:
            return '=~', self.choose.choice([('event',), ('facility',)]), self.glob(event['event'])
        if which < 0.2:
            digits = self.choose.choice([event['time'], event['time'] + '5', event['time'][:-3],
                                         event['time'].split('.')[0]])
            return self.choose.choice(operators), ('time',), Number(digits)
        if which < 0.26:
            return self.choose.choice(operators), ('cpu',), Number(str(self.choose.randrange(4)))
        if which < 0.3 and 'pid' in event:
            name = self.choose.choice(['pid', 'tid'])
            return self.choose.choice(operators), (name,), Number(str(event[name]))
        path, value = self.some_leaf()
        if which < 0.36:
            other, _ = self.some_leaf()
            return self.choose.choice(operators), path, other
        lists = [i for i, step in enumerate(path) if isinstance(step, int)]
        if lists and which < 0.42:
            return self.choose.choice(operators), path[:lists[-1]] + (LENGTH,), Number(str(self.choose.randrange(4)))
        if lists and which < 0.6:
            path = tuple(ANY if i in lists[self.choose.randrange(len(lists)):] else step for i, step in enumerate(path))
        if which > 0.9:
            elements = [value] + [other for _, other in (self.some_leaf(), self.some_leaf())
                                  if isinstance(other, str) == isinstance(value, str)]
            return 'in', path, [x if isinstance(x, str) else self.number(x) for x in elements]
        if isinstance(value, str):
            if self.choose.random() < 0.4:
                return '=~', path, self.glob(value)
            return self.choose.choice(operators), path, value
        return self.choose.choice(operators), path, self.number(value)

    def tree(self, depth):
        which = self.choose.random()
        if depth == 0 or which < 0.3:
            return self.leaf()
        if which < 0.45:
            return '!', self.tree(depth - 1)
        return self.choose.choice(['&&', '||']), self.tree(depth - 1), self.tree(depth - 1)


class RandomFilters(CommandTest):
    def ask(self, trace, lines, seed, count, tally):
        maker = Maker(lines, seed)
        status = ltt('dump', '--format=none', trace).status  # some have warnings
        for _ in range(count):
            tree = maker.tree(3)
            try:
                chosen = [holds(event, tree) for event in maker.events]
            except Unclear:
                tally['unclear'] += 1
                continue
            expression = spelled(tree, maker.choose)
            expected = [line for line, is_chosen in zip(lines, chosen) if is_chosen]
            result = ltt('dump', '--all', '--format=json', '--filter', expression, trace)
            self.assertEqual(result.lines, expected, expression)
            self.assertIn(result.status, (status, 1), expression)  # 1: the filter can never be true, which is reported
            tally['asked'] += 1
            tally['some'] += 0 < len(expected) < len(lines)

    def test_sample_traces(self):
        tally = dict.fromkeys(['asked', 'some', 'unclear'], 0)
        for seed, trace in enumerate(some_of(samples())):
            with self.subTest(trace=os.path.basename(trace)):
                self.ask(trace, expected_lines(trace), seed, 14, tally)
        self.assertGreater(tally['some'], tally['unclear'])
        self.assertGreater(tally['some'], 100 if ALL else 30)

    def test_random_traces(self):
        tally = dict.fromkeys(['asked', 'some', 'unclear'], 0)
        subprocess.run([os.path.join(BUILD, 'tests/test-roundtrip'), 'every'], check=True,
                       stdout=subprocess.DEVNULL, env=dict(os.environ, LTT_KEEP_TRACES=self.folder))
        names = sorted(os.listdir(self.folder))
        for seed, name in enumerate(names[::len(names) // some(18)]):
            with self.subTest(trace=name):
                trace = self.path(name)
                lines = ltt('dump', '--all', '--format=json', trace).lines
                self.ask(trace, lines, 1000 + seed, 30, tally)
        self.assertGreater(tally['some'], some(60))


class Filters(CommandTest):
    def names(self, trace, *options):
        result = ltt('dump', '--format=json', *options, trace)
        self.assert_done(result)
        return [json.loads(line)['event'] for line in result.lines]

    def test_builtin_events_stay_hidden(self):
        trace = sample('one-cpu')
        self.assertEqual(self.names(trace, '--filter', 'facility == "builtin"'), [])
        self.assertIn('builtin.block_start', self.names(trace, '--all', '--filter', 'facility == "builtin"'))
        self.assertIn('builtin.block_start', self.names(trace, '--event', '*block_start', '--filter', '1 == 1'))

    def test_goes_with_the_other_options(self):
        trace = sample('sparse-cpus')
        events = [json.loads(line) for line in expected_lines(trace)]
        middle = events[len(events) // 2]['time']
        result = ltt('dump', '--all', '--format=json', '--from', middle, '--cpu', '1-7', '--event', 'core.*',
                     '--filter', 'cpu != 2', trace)
        expected = [line for line, event in zip(expected_lines(trace), events)
                    if event['time'] >= middle and event['event'].startswith('core.') and
                    event['tracefile'] in ('cpu/1', 'cpu/4', 'cpu/6', 'cpu/7')]
        self.assertEqual(result.lines, expected)
        self.assertTrue(expected)

    def test_a_lane_has_no_cpu(self):
        trace = self.copy(sample('sparse-cpus'))
        system = os.path.join(trace, 'info/system.xml')
        with open(system, encoding='utf-8') as file:
            text = file.read()
        # The last two of the CPUs' numbers, 6 and 7, are lanes then.
        with open(system, 'w', encoding='utf-8') as file:
            file.write(re.sub(r'cpu="?\d+"?', 'cpu="8" lanes="2"', text, count=1))
        result = ltt('dump', '--format=json', '--filter', 'cpu >= 0', trace)
        files = {json.loads(line)['tracefile'] for line in result.lines}
        self.assertEqual(files, {'cpu/0', 'cpu/1', 'cpu/2', 'cpu/4'})

    def test_mistakes_are_pointed_at(self):
        result = ltt('dump', '--filter', 'in == == 3', sample('one-cpu'))
        self.assertEqual(result.err, 'ltt dump: --filter: byte 6: "==" is out of place: '
                                     'expected a field, a number or a string\n'
                                     '  in == == 3\n'
                                     '        ^\n')
        self.assertEqual((result.status, result.raw), (2, b''))

    def test_control_bytes_of_a_mistake_are_not_shown(self):
        result = ltt('dump', '--filter', 'a \x1b[2J\n b', sample('one-cpu'))
        self.assertEqual(result.status, 2)
        self.assertFalse(re.search('[\x00-\x09\x0b-\x1f]', result.err), repr(result.err))

    def test_expressions_of_the_document(self):
        with open(os.path.join(SOURCE, 'doc/filter.md'), encoding='utf-8') as file:
            blocks = re.findall(r'(?:^    .*\n)+', file.read(), re.MULTILINE)
        lines = [line.strip() for block in blocks if '$ ltt' not in block for line in block.splitlines()]
        self.assertGreater(len(lines), 10)
        for line in lines:
            result = ltt('dump', '--format=none', '--filter', line, sample('one-cpu'))
            self.assertLess(result.status, 2, result.err)  # 1: the trace does not have the field

    def test_very_long_filters(self):
        result = ltt('dump', '--filter', ' || '.join('a == %d' % n for n in range(9000)), sample('one-cpu'))
        self.assertEqual(result.status, 2)
        self.assertIn('byte 65536: the filter is too long here: expected at most 65536 bytes', result.err)
        self.assertEqual(self.names(sample('one-cpu'), '--filter',
                                    ' || '.join('fd == %d.5' % n for n in range(3000))), [])


if __name__ == '__main__':
    unittest.main()
