"""The cost of an event that is off: one load and one branch; and headers from before ABI 2."""
import os
import platform
import re
import subprocess
import unittest

import recording

USER = """#include "probe/demo-trace.h"
#include <stdio.h>

__attribute__((noinline, used)) void user(uint64_t a, uint64_t b)
{
	trace_demo_pair(a, b);
}
"""
MAIN = """
int main(void)
{
	puts("ready");
	fflush(stdout);
	while (getchar() != EOF)
		user(1, 2);
	return 0;
}
"""
INSTRUCTION = re.compile(r'^\s+([0-9a-f]+):\s+(.*?)(?:\s+[#<].*)?$')


class Compiled(recording.Case):
    def build(self, compiler, text, *flags):
        source, made = self.path('user.c'), self.path('made')
        with open(source, 'w', encoding='utf-8') as file:
            file.write(text)
        folders = [os.path.join(recording.SOURCE, folder) for folder in ('libltt/include', 'tests')]
        recording.call(compiler, '-O2', *['-I' + folder for folder in folders], *flags, '-o', made, source,
                       os.path.join(recording.USE, 'lib/libltt-probe.a'), '-lpthread')
        return made


@unittest.skipUnless(platform.machine() == 'x86_64', 'reads x86-64')
class OffCheck(Compiled):
    def off_path(self, made):
        """The instructions that user() executes while tracing is off."""
        text = subprocess.run(['objdump', '-d', '--no-show-raw-insn', '--disassemble=user', made],
                              stdout=subprocess.PIPE, check=True, text=True).stdout
        code = [match.groups() for match in map(INSTRUCTION.match, text.splitlines()) if match]
        places = {at: i for i, (at, _) in enumerate(code)}
        path, i = [], 0
        while not path or not path[-1].startswith('ret'):
            words = code[i][1].split()
            i += 1
            if words[0] not in ('endbr64', 'nop', 'jmp') and not words[0].startswith('nop'):
                path.append(' '.join(words))
            if words[0] in ('je', 'jmp'):  # the switch is 0
                i = places[words[1]]
        return path

    def test_one_load_and_one_branch(self):
        for compiler in ('gcc', 'clang'):
            for flags in (['-fPIE', '-pie'], ['-fno-pie', '-no-pie'], ['-static'], ['-fPIC', '-shared']):
                with self.subTest(compiler=compiler, flags=flags):
                    path = self.off_path(self.build(compiler, USER + ('' if '-shared' in flags else MAIN), *flags))
                    loads = [line for line in path if '(' in line or re.search(r'0x[0-9a-f]+,%e', line)]
                    branches = [line for line in path if line.startswith('j')]
                    others = [line for line in path if line not in loads + branches]
                    self.assertEqual((len(loads), len(branches)), (1, 1), path)
                    for line in others:
                        self.assertRegex(line, r'^(test|ret|(sub|add) \$0x[0-9a-f]+,%rsp)')

    def test_the_switches_are_alone_on_their_page(self):
        for flags in (['-fPIE', '-pie'], ['-fno-pie', '-no-pie'], ['-static'], ['-static-pie'], ['-flto'],
                      ['-Wl,--gc-sections', '-fdata-sections']):
            with self.subTest(flags=flags):
                text = subprocess.run(['nm', '-S', self.build('gcc', USER + MAIN, *flags)], stdout=subprocess.PIPE,
                                      check=True, text=True).stdout
                at, size = re.search('^([0-9a-f]+) ([0-9a-f]+) [a-zA-Z] ltt_probe_switches$', text, re.MULTILINE).groups()
                self.assertEqual((int(at, 16) % 4096, int(size, 16)), (0, 4096))


class Programs(Compiled):
    def listed(self, made, status=1):
        """Returns the output of `ltt attach --list` for the program."""
        with subprocess.Popen([made], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
            self.assertEqual(process.stdout.readline(), b'ready\n')
            said = recording.call(recording.LTT, 'attach', '--list')
            refused = recording.call(recording.LTT, 'attach', '-o', self.path('attached%d' % process.pid), '--pid', process.pid,
                                     '--duration=1ms', status=status)
            process.stdin.close()
        return re.search(r'(?m)^ *%d +\d+  made +(.*)$' % process.pid, said)[1], refused

    def test_static_programs(self):
        for flags in (['-static'], ['-static-pie'], ['-flto', '-O2']):
            with self.subTest(flags=flags):
                self.assertRegex(self.listed(self.build('gcc', USER + MAIN, *flags))[0], '^ready +demo$')

    def test_an_old_header(self):
        """A program with a header from before `ltt attach` can be recorded."""
        with open(os.path.join(recording.SOURCE, 'tests/probe/demo-trace.h'), encoding='utf-8') as file:
            header = file.read()
        header = header.replace('LTT_PROBE_DEFINE_FACILITY(', 'LTT_PROBE_FACILITY(').replace(
            'ltt_probe_on_demo_0x6f1de5b0()', 'ltt_probe_on(&DEMO)')
        made = self.build('gcc', header + USER.replace('#include "probe/demo-trace.h"\n', '') + MAIN)
        listed, said = self.listed(made, 2)
        self.assertRegex(listed, '^old header')
        self.assertIn('generate them again with `ltt compile --header`', said)
        subprocess.run([recording.LTT, 'record', '-o', self.trace, '--', made], input=b'xyz', check=True,
                       stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.assertEqual(len(self.events('--event=demo.pair')), 3)


if __name__ == '__main__':
    unittest.main()
