"""Common code of the tests of `ltt attach`."""
import os
import shutil
import signal
import subprocess

from recording import BUILD, Case, call, program

LTT = os.path.join(BUILD, 'bin/ltt')


class Program:
    """A tracee (tests/stress/tracee.c)."""

    def __init__(self, case, *words, **options):
        options.setdefault('env', {name: value for name, value in os.environ.items() if name != 'LTT_ATTACH'})
        self.process = subprocess.Popen([str(word) for word in words or [program('tracee')]], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, **options)
        case.addCleanup(self.close)
        self.pid = self.process.pid
        self.answer('ready')

    def answer(self, expected='done'):
        said = self.process.stdout.readline()
        if said != expected + '\n':
            raise AssertionError('it said %r where %r was expected' % (said, expected))

    def do(self, *words, expected='done'):
        self.process.stdin.write(' '.join(map(str, words)) + '\n')
        self.process.stdin.flush()
        self.answer(expected)

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()

    def sizes(self):
        """The number of lines of its memory map, and of its open files."""
        with open('/proc/%d/maps' % self.pid, encoding='utf-8') as file:
            return len(file.readlines()), len(os.listdir('/proc/%d/fd' % self.pid))


class Attach(Case):
    def attach(self, *words, **options):
        """Starts `ltt attach`, and waits until it has attached."""
        process = subprocess.Popen([*options.pop('before', ()), options.pop('ltt', LTT), 'attach', '-o', self.trace,
                                    *map(str, words)],
                                   stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                   text=True, cwd=self.folder, **options)
        self.addCleanup(self.close, process)
        said = []
        while not said or ': attached to ' not in said[-1]:
            said.append(process.stderr.readline())
            self.assertTrue(said[-1], said)
        process.said = said
        return process

    def named(self):
        """Starts a tracee with a unique name; returns both."""
        name = 't-' + os.path.basename(self.folder)[-8:]
        return shutil.copy(program('tracee'), self.path(name)), name

    def detach(self, process, status=0, signum=signal.SIGINT):
        """Ends it. Returns: its messages after it attached."""
        process.send_signal(signum)
        said = process.communicate(timeout=120)[1]
        self.assertEqual(process.returncode, status, said)
        return said

    def wait_for_event(self, process):
        """Waits until the trace of a running `ltt attach` contains an event of the program."""
        found = ''
        while not found:
            self.assertIsNone(process.poll())
            with subprocess.Popen([LTT, 'dump', '--event=demo.pair', self.trace], stdout=subprocess.PIPE,
                                  stderr=subprocess.DEVNULL, text=True) as dump:
                found = dump.stdout.readline()
                dump.kill()

    def fails(self, *words, status=2, **options):
        said = call(LTT, 'attach', '-o', self.trace, *words, status=status, **options)
        self.assertFalse(os.path.exists(self.trace), said)
        return said

    def numbers(self, trace=None):
        """The first and last number of each thread; the numbers must be contiguous."""
        spans = {}
        for who, numbers in self.pairs(trace).items():
            self.assertEqual(numbers, list(range(numbers[0], numbers[0] + len(numbers))), 'thread %#x' % who)
            spans[who] = (numbers[0], numbers[-1])
        return spans
