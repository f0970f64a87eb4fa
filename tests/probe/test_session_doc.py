"""doc/session.md gives the offsets of the session state that the header defines."""
import os
import re
import subprocess
import unittest

import recording

ROW = re.compile(r'^\| (\d+) \| (\d+) \| (\w+) \|', re.MULTILINE)
PROGRAM = """#include "session/session-layout.h"
#include <stdio.h>
int main(void)
{
%s	return 0;
}
"""


class Layout(recording.Case):
    def layout(self, kind, names):
        """(offset, size, name) of members of a struct, by the compiler."""
        lines = ''.join('\tprintf("%%zu %%zu %s\\n", offsetof(struct %s, %s), sizeof(((struct %s *)0)->%s));\n'
                        % (name, kind, name, kind, name) for name in names)
        with open(self.path('layout.c'), 'w', encoding='utf-8') as file:
            file.write(PROGRAM % lines)
        folders = [os.path.join(recording.SOURCE, folder) for folder in ('libltt/include', 'libltt')]
        recording.call('cc', '-I', folders[0], '-I', folders[1], '-o', self.path('layout'), self.path('layout.c'))
        said = subprocess.run([self.path('layout')], stdout=subprocess.PIPE, text=True, check=True).stdout
        return [tuple(line.split()) for line in said.splitlines()]

    def test_page_and_header_agree(self):
        with open(os.path.join(recording.SOURCE, 'doc/session.md'), encoding='utf-8') as file:
            head, files = file.read().split('\n## A tracefile\n')
        with open(os.path.join(recording.SOURCE, 'libltt/session/session-layout.h'), encoding='utf-8') as file:
            header = re.sub(r'/\*.*?\*/', '', file.read(), flags=re.DOTALL)
        for kind, page in (('lttp_head', head), ('lttp_file', files)):
            with self.subTest(kind=kind):
                rows = ROW.findall(page)
                self.assertEqual(rows, self.layout(kind, [name for _, _, name in rows]))
                members = re.search(r'struct %s \{(.*?)\n\};' % kind, header, re.DOTALL).group(1)
                names = re.findall(r'(\w+)(?:\[\w*\])?;', members)
                self.assertEqual({name for name in names if not name.startswith('reserved')},
                                 {name for _, _, name in rows})
        version = re.search(r'LTTP_SESSION_VERSION +(\d+)', header).group(1)
        self.assertIn('This is version %s.' % version, head)
        self.assertIn('At byte %s follow' % re.search(r'sizeof\(struct lttp_head\) == (\d+)', header).group(1), files)


if __name__ == '__main__':
    unittest.main()
