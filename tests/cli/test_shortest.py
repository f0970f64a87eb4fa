"""Floating-point numbers: a million of them compared with Python, which uses another algorithm."""
import os
import random
import struct
import subprocess
import unittest

from command import BUILD, some

PROGRAM = os.path.join(BUILD, 'tests/test-shortest')


def printed(kind, form, patterns):
    data = struct.pack('<%d%s' % (len(patterns), form), *patterns)
    run = subprocess.run([PROGRAM, '--' + kind], input=data, stdout=subprocess.PIPE, check=True)
    return run.stdout.decode('ascii').splitlines()


def name(value):
    return {'nan': 'NaN', 'inf': 'Infinity', '-inf': '-Infinity'}.get(repr(value), repr(value))


def shortest_float(bits):
    """The shortest decimal of a float of 4 bytes, in exact integer arithmetic."""
    value = struct.unpack('<f', struct.pack('<I', bits))[0]
    mantissa, exponent = bits & 0x7fffff, bits >> 23 & 0xff
    if exponent == 0xff or value == 0:
        return name(value)
    # In quarters of the last place: the value and the limits of its rounding interval.
    if exponent:
        mantissa += 0x800000
    power = max(exponent, 1) - 150 - 2
    below = 1 if mantissa == 0x800000 and exponent > 1 else 2
    middle, low, high = 4 * mantissa, 4 * mantissa - below, 4 * mantissa + 2
    numerator, denominator = (2 ** power, 1) if power >= 0 else (1, 2 ** -power)
    digits_before = len(str(middle * numerator // denominator))
    for ten in range(digits_before + 1, -60, -1):
        # Multiples of 10**ten around the value.
        up, down = (10 ** ten, 1) if ten >= 0 else (1, 10 ** -ten)
        scale = up * denominator
        candidate = middle * numerator * down // scale
        inside = []
        for multiple in (candidate, candidate + 1):
            at = multiple * scale
            if low * numerator * down < at < high * numerator * down or (
                    mantissa % 2 == 0 and at in (low * numerator * down, high * numerator * down)):
                inside.append((abs(at - middle * numerator * down), multiple % 2, multiple))
        inside = [entry for entry in inside if entry[2] > 0]
        if inside:
            return '-' * (bits >> 31) + repr(float('%de%d' % (min(inside)[2], ten)))
    raise AssertionError(bits)


class Shortest(unittest.TestCase):
    def setUp(self):
        self.random = random.Random(20030410)

    def test_a_million_doubles(self):
        patterns = [self.random.getrandbits(64) for _ in range(some(800_000))]
        patterns += [struct.unpack('<Q', struct.pack('<d', self.random.randrange(10 ** self.random.randrange(1, 20))
                                                     / 10 ** self.random.randrange(12)))[0]
                     for _ in range(some(200_000))]
        self.compare(patterns)

    def test_powers_of_two_and_their_neighbours(self):
        patterns = [(exponent << 52) + step for exponent in range(2047) for step in (-1, 0, 1)]
        patterns += [(1 << bit) + step for bit in range(52) for step in (-1, 0, 1)]
        self.compare([pattern for pattern in patterns if pattern >= 0])

    def compare(self, patterns):
        values = struct.unpack('<%dd' % len(patterns), struct.pack('<%dQ' % len(patterns), *patterns))
        wrong = [(hex(bits), text, name(value))
                 for bits, text, value in zip(patterns, printed('doubles', 'Q', patterns), values)
                 if text != name(value)]
        self.assertEqual(wrong[:10], [])

    def test_floats(self):
        patterns = [self.random.getrandbits(32) for _ in range(30_000)]
        patterns += [(exponent << 23) + step for exponent in range(256) for step in (0, 1, 2)]
        patterns += [(exponent << 23) - 1 for exponent in range(1, 256)]
        patterns += [1 << bit for bit in range(23)]
        wrong = [(hex(bits), text, shortest_float(bits))
                 for bits, text in zip(patterns, printed('floats', 'I', patterns))
                 if text != shortest_float(bits)]
        self.assertEqual(wrong[:10], [])
