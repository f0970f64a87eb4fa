"""damage.py - damaged copies of traces, and a second reader to compare with."""
import contextlib
import heapq
import importlib.util
import io
import os

from command import SOURCE, CommandTest, ltt


def load_second_reader():
    spec = importlib.util.spec_from_file_location('read_trace', os.path.join(SOURCE, 'doc/read_trace.py'))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SECOND_READER = load_second_reader()


def second_reading(path):
    """Exit status and lines of doc/read_trace.py."""
    SECOND_READER.status = 0
    with contextlib.redirect_stderr(io.StringIO()):
        try:
            events = heapq.merge(*SECOND_READER.Trace(path).tracefiles(), key=lambda event: event[0])
            lines = [line.rstrip('\n') for _, line in events]
            return SECOND_READER.status, lines
        except (OSError, SECOND_READER.Wrong):
            return 2, []


class Damaged(CommandTest):
    """A trace to damage, and assertions on the events read from it."""

    def patch(self, name, at, content):
        with open(os.path.join(self.trace, name), 'r+b') as file:
            file.seek(at)
            file.write(content)

    def read(self, name):
        with open(os.path.join(self.trace, name), 'rb') as file:
            return file.read()

    def dump(self):
        return ltt('dump', '--all', '--format=json', self.trace)

    def assert_both_commands(self, status, *words):
        for result in (self.dump(), ltt('check', self.trace), ltt('info', self.trace)):
            if status == 2:
                self.assert_failed(result, *words)
            else:
                self.assertIn(result.status, (0, 1))
        self.assertEqual(ltt('check', self.trace).status, status)
        for word in words:
            self.assertIn(word, ltt('check', self.trace).err)


class DamagedByChance(Damaged):
    """Damage by seed, so that failures are reproducible."""

    TRACES = ('flight-recorder', 'every-type', 'big-endian', 'crashed', 'two-versions', 'dialect-2.2',
              'load-in-cpu-file', 'tracer', 'wrapping-ids', 'numbers')

    def flip(self, content, dice):
        for _ in range(dice.randrange(1, 9)):
            content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)

    def set_bytes(self, content, dice):
        for _ in range(dice.randrange(1, 5)):
            content[dice.randrange(len(content))] = dice.choice((0, 1, 0x7f, 0x80, 0xff))

    def truncate(self, content, dice):
        del content[dice.randrange(len(content)):]

    def erase(self, content, dice):
        start = dice.randrange(len(content))
        end = min(len(content), start + dice.randrange(1, 600))
        content[start:end] = bytes([dice.choice((0, 0xff))]) * (end - start)

    def scramble(self, content, dice):
        start = dice.randrange(len(content))
        end = min(len(content), start + dice.randrange(1, 300))
        content[start:end] = dice.randbytes(end - start)

    def move(self, content, dice):
        start, to = dice.randrange(len(content)), dice.randrange(len(content))
        piece = content[start:start + dice.randrange(1, 2048)]
        content[to:to + len(piece)] = piece

    def damage(self, dice):
        names = [os.path.join(folder, name) for folder in ('cpu', 'control')
                 for name in sorted(os.listdir(os.path.join(self.trace, folder)))]
        names = [name for name in names if os.path.getsize(os.path.join(self.trace, name))]
        for _ in range(dice.randrange(1, 4)):
            name = dice.choice(names)
            content = bytearray(self.read(name))
            if not content:
                continue
            kind = dice.choice((self.flip, self.flip, self.set_bytes, self.truncate, self.erase, self.scramble,
                                self.move))
            kind(content, dice)
            with open(os.path.join(self.trace, name), 'wb') as file:
                file.write(content)
