"""terminal.py - a shell on a terminal, to test its line editor.

The shell handles keys in order, so the tests do not sleep: the last key is bound to a command that
prints the line.
"""
import os
import pty
import re
import select
import signal

TIMEOUT_S = 60
SHOW = '\x07'  # Ctrl-G: the shell prints its line as <<...>> and empties it
SHELLS = {
    'bash': (['bash', '--norc', '--noprofile', '-i'],
             'show() { printf "\\n<%s>\\n" "<$READLINE_LINE>"; READLINE_LINE=; READLINE_POINT=0; }\n'
             'bind "set enable-bracketed-paste off"; bind "set bell-style none"; bind -x \'"\\C-g": show\'\n'),
    'zsh': (['zsh', '-f', '-i'],
            'show() { print -r -- $\'\\n\'"<<$BUFFER>>"; BUFFER=; }; zle -N show; bindkey "^G" show\n'
            'unset zle_bracketed_paste; unsetopt beep; autoload -Uz compinit; compinit -u -D\n'),
}


class Terminal:
    """A context: ends the shell."""

    def __init__(self, shell, commands, environment, folder):
        words, setup = SHELLS[shell]
        self.got = ''
        self.pid, self.fd = pty.fork()
        if self.pid == 0:
            os.chdir(folder)
            os.execvpe(words[0], words, dict(environment, TERM='dumb', PS1='$ ', HISTFILE='/dev/null'))
        # The quotes distinguish the echo of the line from the answer.
        self.type(setup + commands + '\necho "re"ady\n')
        self.wait_for('ready')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        os.close(self.fd)
        os.kill(self.pid, signal.SIGKILL)
        os.waitpid(self.pid, 0)

    def type(self, keys):
        os.write(self.fd, keys.encode('utf-8'))

    def wait_for(self, pattern):
        """Waits for a match in the output of the shell, and returns it."""
        while True:
            match = re.search(pattern, self.got)
            if match:
                self.got = self.got[match.end():]
                return match
            if not select.select([self.fd], [], [], TIMEOUT_S)[0]:
                raise AssertionError('the shell does not say %r but %r' % (pattern, self.got))
            self.got += os.read(self.fd, 65536).decode('utf-8', 'replace')

    def complete(self, line):
        """Returns the line of the shell after some keys; a tab completes."""
        self.type(line + SHOW)
        return self.wait_for('<<(.*?)>>')[1]
