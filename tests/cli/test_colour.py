"""`ltt dump --color`: colours on terminals, and elsewhere only on request."""
import os
import pty
import re
import subprocess

import small_trace
from command import ENVIRONMENT, LTT, CommandTest, ltt, sample

TRACE = sample('sparse-cpus')


def on_terminal(*arguments, **settings):
    """Returns the output of `ltt` on a terminal."""
    ours, theirs = pty.openpty()
    environment = {**ENVIRONMENT, 'TERM': 'xterm', 'NO_COLOR': '', **settings}
    process = subprocess.Popen([LTT, *arguments], stdin=subprocess.DEVNULL, stdout=theirs, stderr=subprocess.PIPE,
                               env=environment)
    os.close(theirs)
    shown = b''
    while True:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # Linux returns EIO when the other side is closed
            break
        if not piece:
            break
        shown += piece
    os.close(ours)
    said = process.communicate()[1]
    if process.returncode != 0 or said:
        raise AssertionError(said)
    return shown.replace(b'\r\n', b'\n').decode()


def plain(text):
    return re.sub('\x1b\\[[0-9]*m', '', text)


class Colour(CommandTest):
    def test_shades(self):
        """Time and event have attributes, which end before the next blank or newline."""
        text = ltt('dump', '--color=always', TRACE).out
        self.assertGreater(len(text), 65536, 'so that it is written in pieces')
        # Each write resets the attributes at its end, and the next write sets them again.
        text = re.sub('\x1b\\[m\x1b\\[[12]m', '', text)
        expected = re.sub(r'(?m)^(\S+)(  \S+  )([\w.]+)', '\x1b[2m\\1\x1b[m\\2\x1b[1m\\3\x1b[m', ltt('dump', TRACE).out)
        self.assertEqual(text, expected)

    def test_when(self):
        as_it_is = ltt('dump', TRACE).out
        self.assertNotIn('\x1b', as_it_is)
        self.assertEqual(on_terminal('dump', TRACE), ltt('dump', '--color=always', TRACE).out)
        for arguments, settings in ((['--color=never'], {}), ([], {'NO_COLOR': '1'}), ([], {'TERM': 'dumb'})):
            self.assertEqual(on_terminal('dump', TRACE, *arguments, **settings), as_it_is)
        self.assertIn('\x1b', on_terminal('dump', '--color=always', TRACE, NO_COLOR='1'))

    def test_only_text(self):
        for form in ('json', 'csv'):
            self.assertEqual(ltt('dump', '--color=always', '--format', form, TRACE).raw,
                             ltt('dump', '--format', form, TRACE).raw)

    def test_with_bookmarks(self):
        trace = os.path.join(os.path.dirname(os.path.dirname(TRACE)), 'bookmarks/one-cpu')
        text = ltt('dump', '--color=always', '--bookmarks', trace).out
        self.assertEqual(plain(text), ltt('dump', '--bookmarks', trace).out)
        self.assertIn('bookmark', text)

    def test_a_wrong_word(self):
        self.assert_failed(ltt('dump', '--color=alwys', TRACE),
                           'ltt dump: --color: alwys: expected auto, always or never; did you mean always?')
        self.assert_failed(ltt('dump', '--color', 'green', TRACE), '--color: green: expected auto, always or never\n')


class ForeignText(CommandTest):
    def test_control_characters(self):
        """A terminal gets none of a string of the trace; a pipe gets all bytes."""
        trace, text = self.path('trace'), 'a\x1b[2J\u009b31m\x7f\u00e9\r\tb'
        small_trace.write(trace, '<facility name="f"><event name="s"><struct><field name="t"><string/></field></struct></event></facility>',
                          {'cpu/0': [[(1000, 's', text.encode() + b'\0')]]})
        safe = 'a\ufffd[2J\ufffd31m\ufffd\u00e9\ufffd\tb'
        for arguments in (('dump', '--format=csv', '--event=f.s', trace), ('sql', '--format=csv', trace, 'SELECT t FROM f_s')):
            self.assertIn(text.encode(), ltt(*arguments).raw)
            self.assertIn(safe, on_terminal(*arguments))
        for arguments in (('dump', trace), ('dump', '--format=json', trace), ('sql', trace, 'SELECT t FROM f_s')):
            self.assertNotRegex(plain(on_terminal(*arguments)), '[\x00-\x08\x0b-\x1f\x7f-\x9f]')
