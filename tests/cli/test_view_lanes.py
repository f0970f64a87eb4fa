"""The tree of lanes on the page of `ltt view`, in Chromium."""
import struct
import unittest

import small_trace
from command import thorough
from viewing import PageTest

DESCRIPTION = '<facility name="f"><event name="tick"><struct><field name="n"><uint size="4"/></field></struct></event></facility>'
CPUS, FILES = ['CPU 0', 'CPU 1', 'CPU 2'], ['cpu/0', 'cpu/1', 'cpu/2']


@thorough
class Lanes(PageTest):
    def trace(self):
        path = self.path('trace')
        small_trace.write(path, DESCRIPTION, {'cpu/%d' % cpu: [[(1000 * (i + 1), 'tick', struct.pack('<I', i)) for i in range(5)]] for cpu in range(3)})
        return path

    def test_moved_with_keys(self):
        """Alt and an arrow key move the lane of the focused button, which keeps the focus. The address keeps the order."""
        url = self.view(self.trace()).url
        button = '.label:has-text("CPU 2") button'
        answers = self.use_url(url, [['open', ''], ['key', button, 'Alt+ArrowUp'], ['key', button, 'Alt+ArrowUp'], ['key', button, 'Alt+ArrowUp'],
                                     ['key', '.label:has-text("CPU 0") button', 'Alt+ArrowDown'], ['key', '.label.group:has-text("tracefiles") button', 'Alt+ArrowUp']])
        self.assertEqual(answers[0]['labels'], ['▾ CPUs', *CPUS, '▾ tracefiles', *FILES])
        self.assertEqual(answers[1]['labels'][1:4], ['CPU 0', 'CPU 2', 'CPU 1'])
        self.assertEqual(answers[1]['focus'], 'CPU 2')
        self.assertEqual([answer['labels'][1:4] for answer in answers[2:5]], [['CPU 2', 'CPU 0', 'CPU 1']] * 2 + [['CPU 2', 'CPU 1', 'CPU 0']])
        self.assertEqual(answers[5]['labels'], ['▾ tracefiles', *FILES, '▾ CPUs', 'CPU 2', 'CPU 1', 'CPU 0'])
        self.assertEqual(self.use_url(url, [['open', answers[5]['hash']]])[0]['labels'], answers[5]['labels'])

    def test_moved_with_the_mouse(self):
        """A label is moved to another one of its group only, and pinned lanes among themselves."""
        steps = [['open', ''], ['carry', '.label:has-text("CPU 2")', '.label:has-text("CPU 0")'], ['carry', '.label:has-text("CPU 2")', '.label:has-text("cpu/1")'],
                 ['carry', '.label.group:has-text("tracefiles") .text', '.label.group:has-text("CPUs") .text'], ['picture', 'lanes-moved'],
                 ['open', '#pinned=c0.0,c0.1'], ['carry', '.label[data-key="pin c0.1"]', '.label[data-key="pin c0.0"]']]
        answers = self.use([self.trace()], steps)
        self.assertEqual(answers[1]['labels'][1:4], ['CPU 2', 'CPU 0', 'CPU 1'])
        self.assertEqual(answers[2]['labels'], answers[1]['labels'])
        self.assertEqual(answers[3]['labels'], ['▾ tracefiles', *FILES, '▾ CPUs', 'CPU 2', 'CPU 0', 'CPU 1'])
        self.assertEqual(answers[6]['labels'][:3], ['CPU 1', 'CPU 0', '▾ CPUs'])

    def test_hidden_and_shown_again(self):
        """Lanes and groups are hidden; one button shows all of them."""
        url = self.view(self.trace()).url
        answers = self.use_url(url, [['open', ''], ['key', '.label:has-text("CPU 1") [aria-label^="Hide"]', 'Enter'],
                                     ['key', '.label.group:has-text("tracefiles") [aria-label^="Hide"]', 'Enter'],
                                     ['read', '#unhide', 'show 2 hidden'], ['push', '#unhide'], ['search', '']])
        self.assertEqual(answers[1]['labels'], ['▾ CPUs', 'CPU 0', 'CPU 2', '▾ tracefiles', *FILES])
        self.assertEqual(answers[2]['labels'], ['▾ CPUs', 'CPU 0', 'CPU 2'])
        self.assertEqual(self.use_url(url, [['open', answers[2]['hash']]])[0]['labels'], answers[2]['labels'])
        self.assertEqual(answers[5]['labels'], answers[0]['labels'])


if __name__ == '__main__':
    unittest.main()
