"""mutations.py - the small changes to a C file that its tests should notice.

Each changes one token or statement of a function: a comparison, a logical operator, a sum, a result, a condition, a
call. Comments, strings, preprocessor lines and assertions are left as they are.
"""
import os
import re
from collections import namedtuple

Mutant = namedtuple('Mutant', 'path line column start end new what key')

TOKENS = {' < ': ' <= ', ' <= ': ' < ', ' > ': ' >= ', ' >= ': ' > ', ' == ': ' != ', ' != ': ' == ', ' && ': ' || ', ' || ': ' && ',
          ' + 1': '', ' - 1': '', 'return TRUE;': 'return FALSE;', 'return FALSE;': 'return TRUE;',
          'return true;': 'return false;', 'return false;': 'return true;'}
TOKEN = re.compile('|'.join(re.escape(token) for token in sorted(TOKENS, key=len, reverse=True)))
# A condition on a line of its own, and a statement that is a call or an assignment.
CONDITION = re.compile(r'^\t+(?:\} else )?if \((.*)\)(?: \{)?$', re.MULTILINE)
STATEMENT = re.compile(r'^\t+((?:\*?[a-z_][\w.>\[\]-]*(?: [-+|&]?= [^;{}]*)|[a-z_]\w*\([^;{}]*\));)$', re.MULTILINE)
HIDDEN = re.compile(r'(?s:/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^[ \t]*#(?:\\\n|.)*$|\b(?:\w*STATIC_ASSERT\w*|g_assert|g_return_(?:val_)?if_fail)\([^;]*;', re.MULTILINE)


def masked(text):
    """The text with all that is not to be changed replaced by letters of the same number."""
    return HIDDEN.sub(lambda match: re.sub(r'[^\n]', 'x', match[0]), text)


def of_file(path):
    """All mutants of a file."""
    with open(path, encoding='utf-8') as file:
        text = file.read()
    code = masked(text)
    found = []

    def add(start, end, new, what):
        begin = text.rfind('\n', 0, start) + 1
        line = text[begin:text.find('\n', start)].strip()
        place = text.count('\n', 0, start) + 1
        before = sum((mutant.line, mutant.what) == (place, what) for mutant in found)
        key = '%s: %s%s: %s' % (os.path.basename(path), what, ' #%d' % (before + 1) if before else '', line)
        found.append(Mutant(path, place, start - begin + 1, start, end, new, what, key))

    for match in TOKEN.finditer(code):
        if match[0] in (' + 1', ' - 1') and re.match(r'[\w.]', code[match.end():]):
            continue
        add(match.start(), match.end(), TOKENS[match[0]], '%s -> %s' % (match[0].strip(), TOKENS[match[0]].strip() or 'nothing'))
    for match in CONDITION.finditer(code):
        add(match.start(1), match.end(1), '0 && (%s)' % text[match.start(1):match.end(1)], 'condition never holds')
    for match in STATEMENT.finditer(code):
        add(match.start(1), match.end(1), ';', 'statement removed')
    return found


def apply(mutant):
    """The text of the file with the change."""
    with open(mutant.path, encoding='utf-8') as file:
        text = file.read()
    return text[:mutant.start] + mutant.new + text[mutant.end:]


def equivalent(path):
    """The mutants that a file lists as without an effect: key -> reason. The key has no line number, so that it stays."""
    with open(path, encoding='utf-8') as file:
        blocks = [block.splitlines() for block in file.read().split('\n\n') if not block.startswith('#')]
    return {lines[0].strip(): ' '.join(line.strip() for line in lines[1:]) for lines in blocks if lines}
