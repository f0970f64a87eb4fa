"""The scripts of samples/analysis, on traces with known results."""
import glob
import os
import struct
import sys

from command import SOURCE, CommandTest, run, sample
from recording import USE
from small_trace import write

MODULE = os.path.join(USE, 'python')
FOLDER = os.path.join(SOURCE, 'samples/analysis')
SCRIPTS = ('interrupts', 'process-time', 'top')
CORE = ('<facility name="core">'
        '<event name="schedchange"><struct><field name="out"><uint size="4"/></field>'
        '<field name="in"><uint size="4"/></field><field name="out_state"><enum size="4">Running Waiting</enum></field>'
        '</struct></event>'
        '<event name="irq_entry"><struct><field name="irq_id"><uint size="4"/></field></struct></event>'
        '<event name="irq_exit"/>'
        '<event name="io"><struct><field name="path"><string/></field><field name="bytes"><uint size="4"/></field>'
        '</struct></event>'
        '<event name="mark"><uint size="1"/></event>'
        '</facility>')
SECOND = 10**9


def entry(time, number):
    return time, 'irq_entry', struct.pack('<I', number)


def leave(time):
    return time, 'irq_exit', b''


def change(time, before, after, state=1):
    return time, 'schedchange', struct.pack('<III', before, after, state)


def io(time, path, size):
    return time, 'io', path.encode() + b'\0' + struct.pack('<I', size)


class Analysis(CommandTest):
    def trace(self, tracefiles):
        write(self.path('trace'), CORE, {name: [events] for name, events in tracefiles.items()})
        return self.path('trace')

    def script(self, name, *arguments):
        return run('env', 'PYTHONPATH=' + MODULE, sys.executable, os.path.join(FOLDER, name + '.py'), *arguments)

    def assert_shows(self, text, name, *arguments):
        self.assert_done(self.script(name, *arguments), text)


class ProcessTime(Analysis):
    def test_times(self):
        trace = self.trace({
            'cpu/0': [change(1000, 0, 10), change(4000, 10, 20, 0), change(5000, 20, 10), change(7500, 10, 0)],
            'cpu/1': [change(2000, 10, 20), change(2500, 20, 0)]})
        expected = ('7.00 us on 2 CPUs, 2 processes\n'
                    '\n'
                    'pid     time     %  turns  preempted  longest  name\n'
                    ' 10  5.50 us  78.6      2          1  3.00 us\n'
                    ' 20  1.50 us  21.4      2          0  1.00 us\n')
        self.assert_shows(expected, 'process-time', trace)
        self.assert_shows(''.join(expected.splitlines(True)[:-1]), 'process-time', '-n1', trace)

    def test_of_one_cpu(self):
        trace = self.trace({'cpu/0': [change(1000, 0, 10), change(2000, 10, 0)], 'cpu/1': [change(1, 1, 30), change(9, 30, 1)]})
        self.assertEqual(self.script('process-time', '--cpu', '1', trace).lines[-1].split()[:3], ['30', '8', 'ns'])


class Interrupts(Analysis):
    def test_rates(self):
        """The third second has no events."""
        trace = self.trace({'cpu/0': [entry(10 * SECOND, 1), entry(10 * SECOND + 5, 33), entry(11 * SECOND - 1, 33)],
                            'cpu/1': [entry(11 * SECOND, 33), entry(13 * SECOND, 1)]})
        self.assert_shows('irq  interrupts  name\n'
                          ' 33           3\n'
                          '  1           2\n'
                          '\n'
                          'per second, in intervals of 1 s\n'
                          '        from   all    33     1\n'
                          '10.000000000  3.00  2.00  1.00\n'
                          '11.000000000  1.00  1.00  0.00\n'
                          '13.000000000  1.00  0.00  1.00\n', 'interrupts', trace)
        narrow = self.script('interrupts', '-n', '1', '--interval', '0.5', trace).lines
        self.assertEqual(narrow[5:8], ['        from   all    33  others', '10.000000000  4.00  2.00    2.00',
                                       '10.500000000  2.00  2.00    0.00'])

    def test_names(self):
        """Names from the description of the machine."""
        write(self.path('named'), '<facility name="interrupts"><event name="interrupt"><struct>'
              '<field name="number"><uint size="4"/></field><field name="count"><uint size="4"/></field>'
              '<field name="controller"><string/></field><field name="name"><string/></field></struct></event></facility>',
              {'control/interrupts': [[(1, 'interrupt', struct.pack('<II', 33, 0) + b'APIC\0disk\0')]]})
        trace = self.trace({'cpu/0': [entry(10 * SECOND, 33)]})
        self.assertEqual(self.script('interrupts', trace, self.path('named')).lines[1], ' 33           1  disk')

    def test_nothing(self):
        trace = self.trace({'cpu/0': [leave(5)]})
        self.assert_shows('no interrupts\n', 'interrupts', trace)
        result = self.script('interrupts', '--interval', '0', trace)
        self.assertEqual(result.status, 2)
        self.assertIn('--interval 0: expected seconds above 0', result.err)


class Top(Analysis):
    def test_counts_and_sums(self):
        trace = self.trace({'cpu/0': [io(1, '/a', 10), io(2, '/b', 500), io(3, '/a', 20), leave(4)],
                            'cpu/1': [io(1, '/a', 1), (2, 'mark', b'\7'), io(9, '/c', 0)]})
        self.assert_shows('events     %  path\n'
                          '     3  60.0  /a\n'
                          '     1  20.0  /b\n'
                          '     1  20.0  /c\n'
                          '\n'
                          '3 values in 5 events; 2 events do not have the field\n', 'top', '--field', 'path', trace)
        self.assert_shows('bytes     %  events  path\n'
                          '  500  94.2       1  /b\n'
                          '   31   5.8       3  /a\n'
                          '\n'
                          '3 values in 5 events; 0 events do not have the fields\n',
                          'top', '--field', 'path', '--sum', 'bytes', '--event', 'core.io', '-n', '2', trace)
        self.assert_shows('events     %  tracefile\n'
                          '     4  57.1  cpu/0\n'
                          '     3  42.9  cpu/1\n'
                          '\n'
                          '2 values in 7 events; 0 events do not have the field\n', 'top', '--field=tracefile', trace)
        odd = self.copy(trace, 'odd')
        with open(os.path.join(odd, 'cpu/0'), 'r+b') as file:
            data = file.read().replace(b'/b', b'\x1b\x07')
            file.seek(0)
            file.write(data)
        self.assertEqual(self.script('top', '--field=path', odd).lines[2], '     1  20.0  \\u001b\\u0007')
        self.assertEqual(self.script('top', '--field=value', trace).lines[1], '     1  100.0  7')
        self.assertEqual(self.script('top', '--field=event', '--filter', 'bytes >= 10', trace).lines[1],
                         '     3  100.0  core.io')


class All(Analysis):
    def test_each_is_run_here(self):
        found = {os.path.basename(path)[:-3] for path in glob.glob(FOLDER + '/*.py')}  # with-perf.sh: test_merge.py
        self.assertEqual(found, set(SCRIPTS) | {'events'})

    def test_help(self):
        for name in SCRIPTS:
            result = self.script(name, '--help')
            self.assert_done(result)
            self.assertIn('usage: %s.py' % name, result.out)
            self.assertIn('TRACE', result.out)

    def test_what_is_no_trace(self):
        for name, words in (('process-time', []), ('interrupts', []), ('top', ['--field=x'])):
            result = self.script(name, *words, self.path('nothing'))
            self.assertEqual((result.status, result.err), (2, '%s.py: %s: no such directory\n' % (name, self.path('nothing'))))

    def test_without_the_module(self):
        result = run('env', 'PYTHONPATH=', sys.executable, '-S', os.path.join(FOLDER, 'top.py'), '--field=x', 'trace')
        self.assert_failed_with(result, 'top.py: needs the Python package ltt: set PYTHONPATH to build/python')

    def assert_failed_with(self, result, message):
        self.assertEqual((result.status, result.out), (1, ''))
        self.assertIn(message, result.err)

    def test_damage(self):
        """Problems are messages, and the other events are read."""
        result = self.script('top', '--field=event', sample('damage'))
        self.assertEqual(result.status, 0)
        self.assertIn('top.py: cpu/0: block 4: byte 32: event id 999: no loaded facility covers it\n', result.err)

    def test_a_closed_pipe(self):
        result = run('env', 'PYTHONPATH=' + MODULE, 'bash', '-c',
                     'set -o pipefail; "$0" "$1" --field=event "$2" | true', sys.executable,
                     os.path.join(FOLDER, 'top.py'), sample('sparse-cpus'))
        self.assertEqual(result.err, '')
