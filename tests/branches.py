"""branches.py - count the branches of the library that tests reach, except those that no test can reach.

llvm-cov also counts the branches inside the macros of GLib. A test cannot reach both sides of those in LEFT_OUT:

    g_new() ...         __builtin_constant_p() and the size of the type choose the function, when the compiler runs
    GUINT32_SWAP ...    the same, for constants
    g_assert() ...      the other side is an error of the caller or in libltt, and ends the program

All others count, including allocations that can fail and system calls that never do.
"""
import os
import re
from collections import namedtuple

LEFT_OUT = re.compile(r'g_(try_)?(new0?|renew)$|GU?INT(16|32|64)_|g_assert|g_return_(val_)?if_fail$')

# Sides of conditions; `places` are the lines whose conditions have one that was not taken.
Branches = namedtuple('Branches', 'count missed left_out places')


def merged(entries):
    """(place, times true, times false) -> place: sums. A function in several programs occurs several times."""
    sums = {}
    for place, true, false in entries:
        before = sums.get(place, (0, 0))
        sums[place] = (before[0] + true, before[1] + false)
    return sums


def of_file(data, text):
    """The branches of a file: `data` is its object in the export of llvm-cov, `text` its source."""
    lines = text.split('\n')
    entries, left_out = [], set()
    for line, column, end_line, end_column, true, false, *_ in data['branches']:
        entries.append(((line, column, end_line, end_column), true, false))
    for expansion in data['expansions']:
        line, column = expansion['source_region'][:2]
        macro = re.match(r'\w*', lines[line - 1][column - 1:])[0]
        for branch in expansion['branches']:
            place = (line, column, *branch[:4])
            if LEFT_OUT.match(macro):
                left_out.add(place)
            else:
                entries.append((place, branch[4], branch[5]))
    sums = merged(entries)
    missed = {place: times.count(0) for place, times in sums.items() if 0 in times}
    return Branches(2 * len(sums), sum(missed.values()), 2 * len(left_out), sorted({place[0] for place in missed}))


def of_export(export, source):
    """Name of a file -> its branches, for all files of an export."""
    found = {}
    for data in export['files']:
        name = os.path.normpath(data['filename'])
        with open(os.path.join(source, name), encoding='utf-8') as file:
            found[name] = of_file(data, file.read())
    return found


def total(files):
    """Number of branches, of missed ones, and of those left out."""
    return tuple(sum(getattr(branches, field) for branches in files.values()) for field in ('count', 'missed', 'left_out'))


def report(files):
    """A line for each file, most missed branches first, with the lines that have them."""
    order = sorted(files.items(), key=lambda item: (-item[1].missed, item[0]))
    rows = ['%7s %7s %9s  file: lines with a branch that no test takes' % ('count', 'missed', 'left out')]
    rows += ['%7d %7d %9d  %s: %s' % (branches.count, branches.missed, branches.left_out, name, ' '.join(map(str, branches.places)))
             for name, branches in order]
    return '\n'.join(rows) + '\n'
