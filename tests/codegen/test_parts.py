"""Payloads that the probe copies from memory: sizes, positions and lengths of all kinds."""
import json
import os
import platform
import unittest

from codegen.compiling import GCC, GXX, CompileTest
from codegen.test_random import PROBE
from command import SOURCE, ltt

# Sizes of single arrays around each size at which the copy uses another method.
ARRAYS = (1, 2, 15, 16, 17, 31, 33, 63, 64, 65, 127, 128, 129, 191, 192, 193, 255, 256, 257, 300)

# The longest text of an event parts.text that fits into a block of 4096 bytes.
FITTING = 3907

XML = """<facility name="parts">
  <event name="text"><struct>
    <field name="case"><uint size="4"/></field>
    <field name="size"><uint size="4"/></field>
    <field name="text"><string/></field>
    <field name="behind"><uint size="2"/></field>
  </struct></event>
  <event name="bytes"><struct>
    <field name="case"><uint size="4"/></field>
    <field name="bytes"><sequence lengthsize="4"><uint size="1"/></sequence></field>
    <field name="behind"><uint size="2"/></field>
  </struct></event>
  <event name="array"><array size="100"><uint size="8"/></array></event>
  <event name="two"><struct>
    <field name="a"><string/></field>
    <field name="b"><string/></field>
  </struct></event>
  <event name="quiet"/>
%s
</facility>
""" % '\n'.join('<event name="only%d"><array size="%d"><uint size="1"/></array></event>' % (n, n) for n in ARRAYS)

# The source is at every distance before an unreadable page.
PROGRAM = r"""
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include "parts.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { PAGE = 4096, READABLE = 4 * PAGE, SIZES = 300, BEHIND = 0xbeef };
enum { LONG = FITTING - 5, SEVERAL_BLOCKS = 3 * PAGE };

#ifdef WITHOUT_AVX
extern uint8_t lttp_section_has_avx;
#endif

static char *end;

/* So many letters, up to @gap bytes before the end of what can be read. */
static char *letters(size_t size, size_t gap)
{
    char *text = end - gap - size;

    for (size_t i = 0; i < size; i++)
        text[i] = (char)('a' + i % 26);
    return text;
}

static void trace_sizes(void)
{
    for (uint32_t size = 0; size < SIZES; size++) {
        char *text = letters(size, 1);

        text[size] = 0;
        trace_parts_text(0, size, text, BEHIND);
        trace_parts_text_n(1, size, text, SIZE_MAX, BEHIND);
        trace_parts_text_n(2, size, text, size + 1, BEHIND);
        trace_parts_text_n(3, size, letters(size, 0), size, BEHIND);
        trace_parts_text_n(4, size / 2, letters(size, 0), size / 2, BEHIND);
        text = letters(size, 33);
        text[size] = 0;
        trace_parts_text_n(5, size, text, size + 20, BEHIND);
        trace_parts_bytes(0, size, (const uint8_t *)letters(size, 0), BEHIND);
        trace_parts_bytes(1, size, (const uint8_t *)letters(size, 33), BEHIND);
    }
}

/* Each 0, 5 and 33 bytes before the end of what can be read. */
static void trace_arrays(void)
{
    for (size_t i = 0; i < 3; i++) {
        static const size_t gaps[] = {0, 5, 33};
        const size_t gap = gaps[i];

ARRAYS
    }
}

int main(int argc, char **argv)
{
    struct ltt_probe_options options;
    uint64_t array[100];
    char *map = (char *)mmap(NULL, READABLE + PAGE, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    end = map + READABLE;
    memset(&options, 0, sizeof(options));
    options.size_bytes = sizeof(options);
    options.block_bytes = 4096;
    options.clock = (uint32_t)atoi(argv[2]);
    if (argc != 3 || mprotect(end, PAGE, PROT_NONE) != 0 || trace_parts_quiet_enabled() ||
        ltt_probe_start(argv[1], &options) != 0 || !trace_parts_quiet_enabled())
        return 1;
#ifdef WITHOUT_AVX
    lttp_section_has_avx = 0;
#endif
    trace_sizes();
    trace_arrays();
    for (uint64_t i = 0; i < 100; i++)
        array[i] = i * i;
    trace_parts_array(array);
    trace_parts_two(NULL, "b");
    trace_parts_two_n(NULL, 5, end, 0);
    trace_parts_two_n("a\0z", 3, "bcd", 2);
    trace_parts_bytes(2, (size_t)1 << 33, NULL, 0); /* more than its length can say */
    trace_parts_bytes(2, 5000, (const uint8_t *)map, 0); /* more than a block holds */
    for (uint32_t size = LONG; size < SEVERAL_BLOCKS; size++)
        trace_parts_text_n(6, size, letters(size, 0), size, BEHIND);
    ltt_probe_stop();
    return trace_parts_quiet_enabled();
}
""".replace('FITTING', str(FITTING)).replace('ARRAYS', '\n'.join('        trace_parts_only%d((const uint8_t *)letters(%d, gap));' % (n, n) for n in ARRAYS))


def letters(size):
    return ''.join(chr(ord('a') + i % 26) for i in range(size))


def expected():
    """The events that the program traces, except the lost ones."""
    for size in range(300):
        for case in range(6):
            length = size // 2 if case == 4 else size
            yield 'parts.text', {'case': case, 'size': length, 'text': letters(length), 'behind': 0xbeef}
        for case in range(2):
            yield 'parts.bytes', {'case': case, 'bytes': [ord(letter) for letter in letters(size)], 'behind': 0xbeef}
    for _ in range(3):
        for size in ARRAYS:
            yield 'parts.only%d' % size, [ord(letter) for letter in letters(size)]
    yield 'parts.array', [i * i for i in range(100)]
    for a, b in (('', 'b'), ('', ''), ('a', 'bc')):
        yield 'parts.two', {'a': a, 'b': b}
    for size in range(FITTING - 5, FITTING + 1):
        yield 'parts.text', {'case': 6, 'size': size, 'text': letters(size), 'behind': 0xbeef}


@unittest.skipUnless(os.path.exists(PROBE), 'there is no libltt-probe')
class Parts(CompileTest):
    def check(self, compiler, suffix, rseq, clock, *flags, probe=PROBE):
        self.header('parts', XML)
        source = self.write('main' + suffix, PROGRAM)
        made = self.compile(compiler, source, *flags, probe=os.path.join(SOURCE, 'libltt', 'include'))
        program = self.link(compiler, 'main', made, probe, '-Wl,-rpath,' + os.path.dirname(PROBE))
        trace = self.path('parts-%d.ltt' % clock)
        self.do('env', 'LTT_TRACE_RSEQ=' + rseq, program, trace, str(clock))
        dumped = [json.loads(line) for line in ltt('dump', '--format=json', trace).lines]
        self.assertEqual([(event['event'], event['data']) for event in dumped], list(expected()))
        lost = ltt('dump', '--all', '--format=json', '--event', 'tracer.events_lost', trace).lines
        totals = {event['tracefile']: event['data']['total'] for event in map(json.loads, lost)}
        self.assertEqual(sum(totals.values()), 2 + 3 * 4096 - FITTING - 1)
        self.assert_done(ltt('check', trace))

    def test_ordered(self):
        self.check(GCC, '.c', '1', 0)

    def test_fast(self):
        self.check(GCC, '.c', '1', 1)

    @unittest.skipUnless(platform.machine() == 'x86_64', 'there is one way to copy')
    def test_without_avx(self):
        for clock in (0, 1):
            self.check(GCC, '.c', '1', clock, '-DWITHOUT_AVX', probe=PROBE.replace('.so', '.a'))

    def test_in_a_lane(self):
        self.check(GCC, '.c', '0', 0)

    def test_as_cxx(self):
        self.check(GXX, '.cpp', '1', 0)
