"""documents.py - find the examples in the documents, to run them.

In an indented block of a document, a line "$ COMMAND" is an example. Lines "> ..." after it continue
the command. The other lines, up to the next example or the end of the block, are its expected output.
In them, a line "..." matches any number of lines. Other blocks are ignored.

A comment before a block, which is not rendered, qualifies it:

    <!-- numbers differ -->     numbers and the units of sizes may differ in the output
    <!-- file NAME -->          the block is the file NAME, for the examples after it
"""
import collections
import os
import re

from command import SOURCE

# `command`: for the shell. `lines`: its output. `numbers_differ`: whether numbers may differ.
Example = collections.namedtuple('Example', 'command lines numbers_differ')
File = collections.namedtuple('File', 'name text')

NUMBER = re.compile(r'\b(?:[0-9a-f]{16}|\d[\d,.]*)(?: (?:bytes?|[KMG]iB)\b)?')


class Mistake(Exception):
    pass


def blocks(text):
    """The indented blocks of a document, without the indentation: (mark or None, lines)"""
    mark, block = None, []
    for line in text.splitlines() + ['end']:
        if line.startswith('    ') or block and not line:
            block.append(line[4:])
            continue
        if block:
            while not block[-1]:
                block.pop()
            yield mark, block
            mark, block = None, []
        if line:
            comment = re.fullmatch(r'<!-- (.*) -->', line)
            mark = comment[1] if comment else None


def examples(lines, numbers_differ):
    found = []
    for line in lines:
        if line.startswith('$ '):
            found.append(Example(line[2:], [], numbers_differ))
        elif line.startswith('> ') and found and not found[-1].lines:
            found[-1] = found[-1]._replace(command=found[-1].command + '\n' + line[2:])
        elif found:
            found[-1].lines.append(line)
    return found


def steps(name):
    """The files and examples of a document, in order; `name` is its path in the source tree."""
    found = []
    with open(os.path.join(SOURCE, name), encoding='utf-8') as document:
        text = document.read()
    for mark, lines in blocks(text):
        if mark is None or mark == 'numbers differ':
            made = examples(lines, mark is not None)
            if mark and not made:
                raise Mistake('%s: "%s" stands before a block without examples' % (name, mark))
            found += made
        elif mark.startswith('file '):
            found.append(File(mark[len('file '):], '\n'.join(lines + [''])))
        else:
            raise Mistake('%s: <!-- %s -->: expected "numbers differ" or "file NAME"' % (name, mark))
    return found


def without_numbers(text):
    """Replaces each number by 0 and runs of blanks by one, because numbers determine column widths."""
    return re.sub('  +', ' ', NUMBER.sub('0', text))


def fits(example, got):
    """Returns whether a command printed the output in the document."""
    wanted = [line if line.strip() != '...' else '...' for line in example.lines]
    while wanted and not wanted[-1]:
        wanted.pop()
    pattern = ''.join('(?:.*\n)*' if line == '...' else
                      re.escape(without_numbers(line) if example.numbers_differ else line) + '\n' for line in wanted)
    got = without_numbers(got) if example.numbers_differ else got
    return re.fullmatch(pattern, got.rstrip('\n') + '\n' if got.strip('\n') else '') is not None
