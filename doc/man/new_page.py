#!/usr/bin/env python3
"""Prints the beginning of a manual page for a command, derived from the output of `ltt help COMMAND`.

usage: python3 doc/man/new_page.py COMMAND > doc/man/ltt-COMMAND.1

Expand each line of the help text as the page needs. A test compares the options of the page with
those of the help text, and its first line with the list of commands.
"""
import datetime
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
LTT = os.path.join(HERE, '../../build/bin/ltt')
INDENT = ' ' * 24  # of an option's description


class Help:
    """The parts of a help text.

    forms: the possible arguments of `ltt COMMAND`, without "[OPTION]...", one string a usage line
    about: the lines above the options; notes: those below them options: list of (short or '', long,
    word for the argument or '', description), those of the command shared: list of the same that
    several commands have, under a heading of its own. The word for an optional argument is "[=WORD]".
    """

    OPTION = re.compile(r'  (?:-(.), |    )--([^ []+)(?:(?: |(?=\[=))([^ ]+))?(?:  +(.*))?$')

    def __init__(self, text):
        paragraphs = [part.split('\n') for part in text.rstrip('\n').split('\n\n')]
        self.forms = [re.sub(r'^(?:usage:|      ) ltt [^ ]+ (?:\[OPTION\]\.\.\. ?)?', '', line)
                      for line in paragraphs[0]]
        is_list = [any(self.OPTION.match(line) for line in part) for part in paragraphs]
        first, last = is_list.index(True), len(is_list) - is_list[::-1].index(True)
        self.about, self.notes = paragraphs[1:first], paragraphs[last:]
        self.options = self.read_options(paragraphs[first])
        self.shared = [option for part in paragraphs[first + 1:last] for option in self.read_options(part)]

    def read_options(self, lines):
        found = []
        for line in lines:
            match = self.OPTION.match(line)
            if match:
                found.append([text or '' for text in match.groups()])
            elif found and line.startswith(INDENT):
                found[-1][3] += ' ' * bool(found[-1][3]) + line.strip()
        return [tuple(option) for option in found]


def command_help(command, program=LTT):
    return Help(subprocess.run([program, 'help', command], stdout=subprocess.PIPE, text=True, check=True).stdout)


def command_summaries(program=LTT):
    """Command -> its summary in `ltt help`, in that order."""
    text = subprocess.run([program, 'help'], stdout=subprocess.PIPE, text=True, check=True).stdout
    return dict(re.findall(r'(?m)^  ([a-z][a-z-]*) +(\S.*)$', text))


def sentences(text):
    """One sentence per line, as mdoc requires."""
    return re.sub(r'(?<=[.;:]) +(?=[A-Z])', '\n', ' '.join(text.split()))


def items(options):
    lines = []
    for short, name, word, description in options:
        argument = re.sub(r'^\[=(.+)\]$', r' Ns Op = Ns Ar \1', word) if word.startswith('[') else ' Ar ' + word if word else ''
        lines += ['.It %sFl -%s%s' % ('Fl %s , ' % short if short else '', name, argument),
                  sentences(description[:1].upper() + description[1:]) + '.']
    return lines


def shared_options(said):
    names = [name for _, name, _, _ in said.shared]
    if not said.shared:
        return []
    if 'all' not in names or 'event' not in names:
        return ['.Ss Selecting events', '.Bl -tag -width Ds', *items(said.shared), '.El']
    if 'to' in names:
        return ['@include reading.mdoc']
    return ['@include reading-from.mdoc', '@include reading-rest.mdoc']


def page(command, summary, said):
    lines = [
        '.Dd %s' % datetime.date.today().strftime('%B %-d, %Y'),
        '.Dt LTT-%s 1' % command.upper(), '.Os libltt @VERSION@',
        '.Sh NAME', '.Nm ltt-' + command, '.Nd ' + summary,
        '.Sh SYNOPSIS',
    ]
    for form in said.forms:
        lines += ['.Nm ltt Cm ' + command, '.Op Ar OPTION ...', '.Ar ' + form]
    lines += ['.Sh DESCRIPTION'] + ['\n.Pp\n'.join(sentences('\n'.join(part)) for part in said.about)]
    lines += ['.Sh OPTIONS', '.Bl -tag -width Ds', *items(said.options), '.El', *shared_options(said)]
    lines += ['.Sh EXIT STATUS', '0, 1 and 2 as in', '.Xr ltt 1 .']
    examples = [line.strip() for part in said.notes for line in part if line.startswith('  ltt ')]
    if examples:
        lines += ['.Sh EXAMPLES', '.Bd -literal -offset indent', *examples, '.Ed']
    lines += ['.Sh SEE ALSO', '.Xr ltt 1']
    return '\n'.join(lines) + '\n'


def main():
    summaries = command_summaries()
    if len(sys.argv) != 2 or sys.argv[1] not in summaries:
        sys.exit(__doc__ + '\nCommands: ' + ' '.join(summaries))
    print(page(sys.argv[1], summaries[sys.argv[1]], command_help(sys.argv[1])), end='')


if __name__ == '__main__':
    main()
