"""Completion in bash and zsh, compared with `ltt help`."""
import os
import shutil
import sys
import unittest

from command import BUILD, DATA, ENVIRONMENT, SOURCE, CommandTest, run
from install.installed import InstalledTest
from install.terminal import Terminal

sys.path.insert(0, os.path.join(SOURCE, 'doc/man'))
from new_page import command_help, command_summaries  # noqa: E402  pylint: disable=wrong-import-position

BASH = os.path.join(SOURCE, 'package/bash-completion/ltt')
ZSH = os.path.join(SOURCE, 'package/zsh/_ltt')
LIBRARY = '/usr/share/bash-completion/bash_completion'
LTT = os.path.join(BUILD, 'bin/ltt')
HAS_ZSH = shutil.which('zsh')

# Sets the words of a command line like bash, with "=" as a separate word, and prints the answers.
ASK = r'''
[[ -z $2 ]] || source "$2"
source "$1" && shift 2 && cd "$1" && shift
COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)) COMP_LINE="$*" COMP_POINT=${#COMP_LINE}
_ltt
printf '%s\n' "${COMPREPLY[@]}"
'''


class Bash(CommandTest):
    def answers(self, *words, library='', program=LTT):
        result = run('bash', '--norc', '--noprofile', '-c', ASK, 'bash', BASH, library, DATA, program, *words)
        # Outside of a completion, the compopt of bash fails.
        said = [line for line in result.err.splitlines() if 'compopt: not currently executing' not in line]
        self.assertEqual((result.status, said), (0, []))
        return sorted(line for line in result.lines if line)

    def test_commands(self):
        commands = list(command_summaries(LTT))
        self.assertEqual(self.answers(''), sorted(commands + ['help']))
        self.assertEqual(self.answers('help', ''), sorted(commands))
        self.assertEqual(self.answers('che'), ['check'])
        self.assertEqual(self.answers('-'), ['--help', '--version'])
        self.assertEqual(self.answers('nothing', '-'), [])

    def test_options_are_those_of_the_help(self):
        for command in command_summaries(LTT):
            said = command_help(command, LTT)
            options = [text for short, name, _, _ in said.options + said.shared
                       for text in ('-' + short, '--' + name) if text != '-']
            self.assertEqual(self.answers(command, '-'), sorted(options), command)
            self.assertEqual(self.answers(command, '--'), sorted(text for text in options if text[1] == '-'))

    def test_values(self):
        formats = ['csv', 'json', 'none', 'text']
        self.assertEqual(self.answers('dump', '--format', ''), formats)
        self.assertEqual(self.answers('dump', '-f', 'j'), ['json'])
        self.assertEqual(self.answers('dump', '--format', '=', ''), formats)
        self.assertEqual(self.answers('dump', '--format', '=', 't'), ['text'])
        self.assertEqual(self.answers('dump', '--from', ''), [])
        self.assertEqual(self.answers('record', '--clock', ''), ['fast', 'ordered'])
        self.assertLess({'USR1', 'USR2', 'HUP'}, set(self.answers('record', '--snapshot-on', '')))
        self.assertLessEqual({'csv', 'ctf', 'json', 'qemu-replay'}, set(self.answers('export', '--to', '')))
        self.assertEqual(self.answers('export', '-t', 'ct'), ['ctf'])
        self.assertIn('revent', self.answers('import', '--from', ''))

    def test_a_program_to_run(self):
        for library in [''] + [LIBRARY] * os.path.exists(LIBRARY):
            self.assertIn('bash', self.answers('record', '-o', 'x', '--', 'bas', library=library))
            self.assertIn('bash', self.answers('record', '-o', 'x', 'bas', library=library))
            self.assertIn('bash', self.answers('record', '--kernel', 'bas', library=library), 'its value follows "="')
            self.assertEqual(self.answers('record', '-o', 'x', '--', 'ls', 'ltt/spa', library=library),
                             ['ltt/sparse-cpus', 'ltt/sparse-cpus.jsonl'])
            self.assertNotIn('--flight', self.answers('record', '-o', 'x', '--', 'ls', '-', library=library))

    def test_files(self):
        """A TRACE is a folder or an archive, XML a description, DIR a folder."""
        for library in [''] + [LIBRARY] * os.path.exists(LIBRARY):
            self.assertEqual(self.answers('dump', 'ltt/spa', library=library), ['ltt/sparse-cpus'])
            self.assertEqual(self.answers('dump', '--format', 'json', 'ltt/every-type', library=library),
                             ['ltt/every-type'], 'every-type.jsonl is not a trace')
            self.assertEqual(self.answers('compile', '--check', 'schemas/right/', library=library),
                             ['schemas/right/' + name for name in ('bookmarks', 'eventdefs', 'system')])
            self.assertEqual(self.answers('record', '-o', 'lt', library=library), ['ltt', 'ltt-damaged', 'ltt-extra'])

    def test_archives(self):
        for name in ('foo.tar.gz', 'foo.tgz', 'foo.tar', 'foo.tar.zst', 'foo.txt'):
            with open(self.path(name), 'w', encoding='utf-8'):
                pass
        for library in [''] + [LIBRARY] * os.path.exists(LIBRARY):
            self.assertEqual(self.answers('dump', self.path('foo'), library=library),
                             sorted(self.path(name) for name in ('foo.tar.gz', 'foo.tgz', 'foo.tar', 'foo.tar.zst')))

    def test_what_is_in_the_trace(self):
        trace = 'ltt/sparse-cpus'
        events = ['core.file_open', 'core.irq_entry', 'core.irq_exit', 'core.schedchange', 'named.bare', 'named.draw',
                  'named.move']
        self.assertEqual(self.answers('dump', trace, '--event', ''), events)
        self.assertEqual(self.answers('dump', '-f', 'csv', trace, '--event', 'core.irq'), events[1:3])
        self.assertEqual(self.answers('dump', trace, '--event', '=', 'core.f'), events[:1])
        self.assertEqual(self.answers('dump', trace, '--event', 'core.*,named.b'), ['core.*,named.bare'])
        fields = ['fd', 'in', 'irq_id', 'kernel', 'label', 'name', 'out', 'out_state', 'p', 'x', 'y']
        self.assertEqual(self.answers('dump', trace, '--fields', ''), fields)
        self.assertEqual(self.answers('dump', trace, '--fields', 'fd,out'), ['fd,out', 'fd,out_state'])
        self.assertEqual(self.answers('dump', trace, '--cpu', ''), ['0', '1', '2', '4', '6', '7'])
        self.assertEqual(self.answers('dump', trace, '--cpu', '1,4,7'), ['1,4,7'])
        self.assertEqual(self.answers('dump', '--event', ''), [], 'no trace yet')

    def ask_inside(self, at, *words, folder=DATA):
        """The answers for word number @at of a line on which more words follow."""
        ask = ASK.replace('$(($# - 1))', str(at))
        result = run('bash', '--norc', '--noprofile', '-c', ask, 'bash', BASH, '', folder, LTT, *words)
        self.assertEqual(result.status, 0)
        return sorted(line for line in result.lines if line)

    def test_a_trace_behind_the_options(self):
        trace = 'ltt/sparse-cpus'
        self.assertEqual(self.ask_inside(3, 'dump', '--event', 'core.irq', '--all', trace), ['core.irq_entry', 'core.irq_exit'])
        self.assertEqual(self.ask_inside(3, 'dump', '--fields', 'out', trace), ['out', 'out_state'])
        self.assertEqual(self.ask_inside(3, 'stat', '--filter', 'ke', trace), ['kernel'])
        self.assertEqual(self.ask_inside(3, 'stat', '--filter', "'in == 3 && fac", trace), ['in == 3 && facility'])
        self.assertEqual(self.ask_inside(3, 'dump', '--cpu', '', trace), ['0', '1', '2', '4', '6', '7'])

    def test_a_trace_that_is_typed_last(self):
        """The newest trace in the folder determines the answers."""
        for number, name in enumerate(('one-cpu', 'sparse-cpus')):
            shutil.copytree(os.path.join(DATA, 'ltt', name), self.path(name))
            os.utime(self.path(name + '/info/system.xml'), (10**9 + number, 10**9 + number))
        self.assertEqual(self.ask_inside(3, 'dump', '--event', 'named.', folder=self.folder),
                         ['named.bare', 'named.draw', 'named.move'])
        self.assertEqual(self.ask_inside(3, 'dump', '--filter', '"out_', folder=self.folder), ['out_state'])

    def test_a_quoted_trace(self):
        shutil.copytree(os.path.join(DATA, 'ltt/one-cpu'), self.path("a trace"))
        for word in (self.path('a\\ trace'), '"%s"' % self.path('a trace'), "'%s'" % self.path('a trace')):
            self.assertEqual(self.answers('dump', word, '--event', 'core.sched'), ['core.schedchange'])

    def test_names_from_strangers_are_not_run(self):
        """Neither names of traces nor words of the line are executed."""
        for word in ('$(touch %s)' % self.path('bad'), '`touch %s`' % self.path('bad'), ';touch ' + self.path('bad')):
            self.answers('dump', word, '--event', '')
            self.answers('dump', '--event', word)
            self.answers(word, '-')
            self.answers('-', program=word)
        self.assertEqual(os.listdir(self.folder), [])


class Typed(InstalledTest):
    """The installed completion, at a terminal."""

    def terminal(self, shell, commands):
        environment = dict(ENVIRONMENT, **self.environment, HOME=self.folder)
        return Terminal(shell, commands, environment, DATA)

    def lines(self, terminal):
        for keys, line in (
                ('ltt che\t', 'ltt check '),
                ('ltt help inf\t', 'ltt help info '),
                ('ltt record -o x -- printen\tHOM', 'ltt record -o x -- printenv HOM'),
                ('ltt check --js\tltt/one-\t', 'ltt check --json ltt/one-cpu/'),
                ('ltt compile --checks\tschemas/rig\t', 'ltt compile --checksum schemas/right/'),
                ('ltt dump --format=j\tltt/sparse-\t', 'ltt dump --format=json ltt/sparse-cpus/'),
                ('ltt dump ltt/sparse-cpus --event core.irq_en\t', 'ltt dump ltt/sparse-cpus --event core.irq_entry'),
                # The cursor goes back over the trace.
                ('ltt dump --event core.irq_en ltt/sparse-cpus' + '\x02' * 16 + '\t',
                 'ltt dump --event core.irq_entry ltt/sparse-cpus'),
                ("ltt dump ltt/sparse-cpus --filter 'fd == 3 && out_st\t", "ltt dump ltt/sparse-cpus --filter 'fd == 3 && out_state"),
                ('ltt dump ltt/sparse-cpus --event named.bare,core.irq_en\t',
                 'ltt dump ltt/sparse-cpus --event named.bare,core.irq_entry')):
            # A shell may append a removable separator and close a quote.
            self.assertEqual(terminal.complete(keys).replace(', ', ' ').rstrip(" ,'"), line.rstrip(' '), keys)

    def test_bash(self):
        source = 'source %s/share/bash-completion/completions/ltt' % self.prefix
        with self.terminal('bash', source) as terminal:
            self.lines(terminal)
        if os.path.exists(LIBRARY):
            with self.terminal('bash', 'source %s; %s' % (LIBRARY, source)) as terminal:
                self.lines(terminal)

    @unittest.skipUnless(os.path.exists(LIBRARY), 'bash-completion is not installed')
    def test_bash_loads_it(self):
        """As bash-completion finds it by the program's name."""
        with self.terminal('bash', 'XDG_DATA_DIRS=%s/share; source %s' % (self.prefix, LIBRARY)) as terminal:
            self.assertEqual(terminal.complete('ltt che\t'), 'ltt check ')

    @unittest.skipUnless(HAS_ZSH, 'zsh is not installed')
    def test_zsh(self):
        with self.terminal('zsh', 'fpath=(%s/share/zsh/site-functions $fpath); compinit -u -D' % self.prefix) as terminal:
            self.lines(terminal)


class Zsh(CommandTest):
    @unittest.skipUnless(HAS_ZSH, 'zsh is not installed')
    def test_options_are_those_of_the_help(self):
        script = 'source <(sed \'$d\' %s); _ltt_read_help "$(%s help $1)"; print -rl -- $specs' % (ZSH, LTT)
        for command in command_summaries(LTT):
            said = command_help(command, LTT)
            result = run('zsh', '-fc', 'typeset -a specs forms; ' + script, 'zsh', command)
            self.assert_done(result)
            for short, name, word, description in said.options + said.shared:
                text = description.replace('[', '\\[').replace(']', '\\]')
                equals = '=-' if word.startswith('[=') else '=' if word else ''
                self.assertIn('--%s%s[%s]' % (name, equals, text), result.out)
                if short:
                    self.assertIn('-%s[%s]' % (short, text), result.out)
