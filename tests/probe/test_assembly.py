"""Assembly takes the offsets of fields from offsetof, so that a struct and the code that uses it cannot differ."""
import glob
import os
import re
import unittest

import recording

# A number as displacement: on x86-64, as in 8(%%rdi); on AArch64, as in [x9, #8]. Strides of vector
# copies and arithmetic such as (%%r8,%%rax) are not fields.
DISPLACEMENT = re.compile(r'(?:^|[\s,:])-?(?:0x)?[0-9a-f]*\d\(%[^,)]*\)|\[.*,\s*#?-?(?:0x)?\d+\]')
VECTOR = re.compile(r'^v?mov(?:ups|aps|dqu)\s')
# The size of a struct as a factor: shlq $6, %%rcx also locates a field. A shift by 32 packs two
# halves of a word.
SCALE = re.compile(r'^(?:shl|sal|imul)[lq] \$(?!32,)|\blsl #(?!32\b)\d')
LITERAL = re.compile(r'"((?:[^"\\]|\\.)*)"')


def instructions(text):
    """The lines of assembly in a C file."""
    for literal in LITERAL.findall(text):
        yield from (line.strip() for line in literal.replace('\\t', '').split('\\n') if re.search(r'[%#[]', line))


def bare_numbers(text):
    return [line for line in instructions(text)
            if (DISPLACEMENT.search(line) and not VECTOR.match(line)) or SCALE.search(line)]


class Offsets(unittest.TestCase):
    def test_no_bare_number_is_an_offset(self):
        found, seen = [], 0
        for path in glob.glob(os.path.join(recording.SOURCE, 'libltt/**/*.[ch]'), recursive=True):
            with open(path, encoding='utf-8') as file:
                text = file.read()
            if re.search(r'__asm__|\bLTTP?_(PROBE_)?SECTION_\w+ *\\\n', text):
                seen += len(list(instructions(text)))
                found += ['%s: %s' % (os.path.relpath(path, recording.SOURCE), line) for line in bare_numbers(text)]
        self.assertEqual(found, [])
        self.assertGreater(seen, 200)

    def test_such_numbers_are_recognised(self):
        for line in ('movq 8(%%rdi), %%rax', 'movl $1, %fs:52(%rdx)', 'cmpq %%rdx, 0x20(%[thread])', 'shlq $6, %%rcx',
                     'ldr x12, [%[thread], #8]', 'add x11, x12, x11, lsl #6'):
            self.assertEqual(bare_numbers('"%s\\n\\t"' % line), [line])
        for line in ('movups 16(%%r8), %%xmm0', 'movq %c[cpus](%%rdi), %%rax', 'movq %[w1], %c[payload]+8(%%rcx)',
                     'shlq $32, %%rdx', 'ldr x12, [x10], #8', 'ldr x12, [x11, %c[gate]]', 'leaq 3b(%%rip), %%rax'):
            self.assertEqual(bare_numbers('"%s\\n\\t"' % line), [])


if __name__ == '__main__':
    unittest.main()
