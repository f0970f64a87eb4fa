"""The example of doc/instrument.md compiles and runs."""
import os
import re
import textwrap

from codegen.compiling import GCC, GXX, CompileTest
from command import SOURCE

CALLS = r"""
#include "draw.h"
int main(void)
{
    void (*line)(enum draw_line_colour, size_t, const struct draw_point *) = trace_draw_line;
    struct draw_point points[1];
    points[0].x = 1;
    points[0].y = 2;
    line(draw_line_colour_GREEN, 1, points);
    return 0;
}
"""


FILL = r"""
#include "draw.h"
int main(void)
{
%s    return 0;
}
"""


def block_after(words, number=1):
    """The indented block with this number after a given text."""
    with open(os.path.join(SOURCE, 'doc', 'instrument.md'), encoding='utf-8') as file:
        text = file.read().split(words, 1)[1]
    blocks = re.finditer(r'(?m)(^    .*\n|^\n(?=    ))+', text)
    return textwrap.dedent([block[0] for block in blocks][number - 1]).lstrip('\n')


class Guide(CompileTest):
    def test_five_minutes(self):
        self.header('words-trace', block_after('`words.xml` describes'))
        self.write('words.c', block_after('`words.c`:'))
        program = self.program(GCC, 'words', self.path('words.c'))
        self.write('input', 'three  words here\n')
        self.assertEqual(self.do(program, 'input', 'missing'), ''.join((
            'words 0 696e70757400\n', 'words 1 030000000000000000\n', '       3 input\n',
            'words 0 6d697373696e6700\n', 'words 1 000000000000000001\n')))

    def test_types(self):
        self.header('draw', '<facility name="draw">%s</facility>' % block_after('in the facility `draw`'))
        declarations = block_after('in the facility `draw`', 2).replace(' ' * 8, '\t').split('\n\n')
        self.assertEqual(len(declarations), 3)
        for declaration in declarations[:2]:
            self.assertIn(declaration.strip(), self.read('draw.h'))
        self.assertIn(' '.join(declarations[2].split()).replace(';', ' {'),
                      ' '.join(self.read('draw.h').split()))
        for compiler in (GCC, GXX):
            program = self.program(compiler, 'draw', self.write('main.c', CALLS))
            self.assertEqual(self.do(program), 'draw 0 0101000100000002000000\n')

    def test_codes(self):
        self.header('draw', '<facility name="draw">%s</facility>' % block_after('For this event of `draw`'))
        self.assertIn(block_after('For this event of `draw`', 2).replace(' ' * 8, '\t').strip(), self.read('draw.h'))
        source = self.write('main.c', FILL % block_after('For this event of `draw`', 3))
        for compiler in (GCC, GXX):
            self.assertEqual(self.do(self.program(compiler, 'draw', source)), 'draw 0 0174696c65732e706e6700\n')
