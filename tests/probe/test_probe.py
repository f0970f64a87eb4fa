"""The exact bytes that the probe writes, and the return values of its functions."""
import ctypes
import json
import os
import shutil
import struct
import subprocess
import unittest

import recording
from recording import call, program

PAIR_BYTES = 22
BLOCK_START, BLOCK_END, HEARTBEAT = 1, 2, 3
THREAD, EVENTS_LOST, CLOCK = 4, 5, 6
DEMO_TICK, DEMO_PAIR, DEMO_OPEN, DEMO_POINTS = 11, 12, 13, 14
DEMO_SAID = 'start 0\nerrno 1234\nagain -16\nthere -17\n'


def words(data, at):
    """The id and the time delta of the event at an offset."""
    return struct.unpack_from('<HI', data, at)


def on_aarch64(name):
    """The words that run a program for AArch64."""
    return [program(name)] if recording.emulator(name) else ['qemu-aarch64', program(name)]


def has_sequences():
    """Whether libc has registered restartable sequences. No emulator has them."""
    try:
        return recording.emulator('demo') is None and ctypes.c_uint.in_dll(ctypes.CDLL(None), '__rseq_size').value != 0
    except ValueError:
        return False


class Bytes(recording.Case):
    """One small trace, byte by byte."""

    def setUp(self):
        super().setUp()
        self.said = call(program('demo', recording.BUILD), self.trace, preexec_fn=recording.on_one_cpu)

    def cpu_file(self):
        names = os.listdir(os.path.join(self.trace, 'cpu'))
        self.assertEqual(len(names), 1)
        with open(os.path.join(self.trace, 'cpu', names[0]), 'rb') as file:
            return file.read()

    def test_returns_and_errno(self):
        self.assertEqual(self.said, DEMO_SAID)

    def test_layout_of_a_block(self):
        data = self.cpu_file()
        at = 0
        self.assertEqual(len(data), 256 << 10)
        self.assertEqual(words(data, 0), (BLOCK_START, 0))
        self.assertEqual(struct.unpack_from('<I', data, 22), (0,))
        base = struct.unpack_from('<Q', data, 14)[0]
        self.assertEqual(words(data, 26), (CLOCK, 0))
        self.assertEqual(struct.unpack_from('<Q', data, 32)[0], base)
        self.assertEqual(data[40:48], data[6:14], 'the clock line begins at the block_start')
        self.assertEqual(words(data, 64), (THREAD, 0))
        at = 78
        expected = [
            (DEMO_TICK, b''),
            (DEMO_PAIR, struct.pack('<QQ', 0x0123456789abcdef, 0xfedcba9876543210)),
            (DEMO_OPEN, b'/etc/passwd\0' + struct.pack('<iH', 3, 0x8000)),
            (DEMO_OPEN, b'\0' + struct.pack('<iH', -1, 0xffff)),
            (DEMO_POINTS, b'\0'),
            (DEMO_POINTS, b'\2' + struct.pack('<h', 0) + b'\0' + struct.pack('<d', 0) +
             struct.pack('<h', -1) + b'odd\0' + struct.pack('<d', 0.25)),
        ]
        for number, payload in expected:
            self.assertEqual(words(data, at)[0], number)
            self.assertEqual(data[at + 6:at + 6 + len(payload)], payload)
            at += 6 + len(payload)
        last = struct.unpack_from('<I', data, len(data) - 4)[0]
        self.assertEqual(words(data, last)[0], BLOCK_END)
        self.assertEqual(struct.unpack_from('<I', data, len(data) - 8)[0], len(data), 'closed')
        # The last three events are pairs of 22 bytes.
        for i in range(3):
            pair = last - PAIR_BYTES * (3 - i)
            self.assertEqual(words(data, pair)[0], DEMO_PAIR)
            self.assertEqual(struct.unpack_from('<QQ', data, pair + 6), (i, 3 * i))

    def test_events(self):
        events = self.events()
        self.assertEqual([event['event'] for event in events],
                         ['demo.tick', 'demo.pair', 'demo.open', 'demo.open', 'demo.points', 'demo.points',
                          'demo.points', 'demo.open', 'demo.pair', 'demo.pair', 'demo.pair'])
        self.assertEqual(events[6]['data'],
                         [{'x': -i, 'name': 'odd' if i % 2 else '', 'weight': i / 4} for i in range(255)])
        self.assertEqual(events[7]['data']['path'], 'x' * 99999)
        self.check()

    def test_too_long_a_sequence_is_lost(self):
        self.assertEqual(self.lost(), 1)
        self.assertEqual(self.losses(), {'no_place': 1})

    def test_facilities_and_processes(self):
        for name in ('tracer', 'losses'):
            with open(os.path.join(recording.SOURCE, 'eventdefs/%s.xml' % name), 'rb') as file:
                shipped = file.read()
            with open(os.path.join(self.trace, 'eventdefs/%s.xml' % name), 'rb') as file:
                self.assertEqual(file.read(), shipped)
        with open(os.path.join(recording.SOURCE, 'tests/probe/demo.xml'), 'rb') as file:
            demo = file.read()
        with open(os.path.join(self.trace, 'eventdefs/demo.xml'), 'rb') as file:
            self.assertEqual(file.read(), demo)
        loads = self.events('--all', '--event=builtin.facility_load')
        self.assertEqual([(load['data']['name'], load['data']['base_code']) for load in loads],
                         [('tracer', 4), ('losses', 9), ('demo', 11)])
        sums = call(recording.LTT, 'compile', '--checksum',
                    *(os.path.join(self.trace, 'eventdefs/%s.xml' % name) for name in ('tracer', 'losses', 'demo')))
        for load in loads:
            self.assertIn('%08x' % load['data']['checksum'], sums)
        started, left = self.events('--all', '--event=tracer.process_*')
        self.assertEqual(started['data']['name'], recording.kernel_name('demo', recording.BUILD))
        self.assertEqual(started['data']['executable'], recording.executable('demo', recording.BUILD))
        self.assertEqual(left['data']['pid'], started['data']['pid'])

    def test_nothing_else_is_left(self):
        found = sorted(os.path.relpath(os.path.join(folder, name), self.trace)
                       for folder, _, names in os.walk(self.trace) for name in names)
        self.assertEqual([name for name in found if not name.startswith('cpu/')],
                         ['control/facilities', 'control/processes', 'eventdefs/demo.xml', 'eventdefs/losses.xml',
                          'eventdefs/tracer.xml', 'info/system.xml'])

    def test_system_xml(self):
        system = call(recording.LTT, 'info', '--json', self.trace)
        for word in ('"node_name": "%s"' % os.uname().nodename, '"arch_size": "LP64"'):
            self.assertIn(word.replace(': ', ':'), system.replace(': ', ':'))
        call('xmllint', '--noout', '--relaxng', os.path.join(recording.SOURCE, 'schemas/system.rng'),
             os.path.join(self.trace, 'info/system.xml'))


class Kinds(recording.Case):
    """The same program built and run in other ways."""

    def names(self, **options):
        return [event['event'] for event in self.events(**options)]

    def demo(self, *arguments, name='demo', **environment):
        said = call(program(name, recording.BUILD), self.trace, *arguments, env=dict(os.environ, **environment),
                    preexec_fn=recording.on_one_cpu)
        self.assertEqual(said, DEMO_SAID)

    def test_as_cpp(self):
        self.demo(name='demo-cpp')
        self.check()
        self.assertEqual(len(self.events()), 11)

    def test_in_a_lane(self):
        self.demo(LTT_TRACE_RSEQ='0')
        self.check()
        self.assertEqual(len(self.events()), 11)
        self.assertEqual(self.lost(), 1)
        cpus = os.sysconf('SC_NPROCESSORS_CONF')
        self.assertTrue(all(int(name) >= cpus for name in os.listdir(os.path.join(self.trace, 'cpu'))))

    def test_small_blocks(self):
        """A string that exceeds a block is lost."""
        self.demo(0, 4096, 10000)
        report = self.check()
        self.assertEqual(self.lost(), 2)
        self.assertEqual(report['events'], 7 + 10000)
        numbers = [event['data']['a'] for event in self.events('--event=demo.pair')][1:]
        self.assertEqual(numbers, list(range(10000)))

    def test_flight_recorder(self):
        self.demo(100000, 4096, 100000)
        self.check()
        numbers = [event['data']['a'] for event in self.events('--event=demo.pair')]
        self.assertEqual(numbers, list(range(numbers[0], 100000)))
        self.assertGreater(len(numbers), 24 * 170)
        for name in os.listdir(os.path.join(self.trace, 'cpu')):
            self.assertEqual(os.path.getsize(os.path.join(self.trace, 'cpu', name)), 25 * 4096)

    def test_another_linker(self):
        """The probe finds the rseq registration of libc even if the linker has resolved weak references to NULL."""
        files = []
        for number, name in enumerate(('demo', 'demo-linked')):
            trace = '%s-%d' % (self.trace, number)
            call(program(name), trace)
            info = json.loads(call(recording.LTT, 'info', '--json', trace))
            cpus = int(info['system']['cpu'])
            files.append({int(file['name'][4:]) >= cpus for file in info['tracefiles'] if file['name'].startswith('cpu/')})
        self.assertEqual(files, [{not has_sequences()}] * 2)

    def test_wrong_options(self):
        for arguments in ((0, 5000), (0, 2048), (0, 1 << 27)):
            said = call(program('demo'), self.trace, *arguments)
            self.assertTrue(said.startswith('start -22\n'), said)
            self.assertFalse(os.path.exists(self.trace))


@unittest.skipUnless(os.path.exists(program('demo-aarch64')) and shutil.which('qemu-aarch64'),
                     'no cross compiler when this was built, or no qemu-aarch64')
class Aarch64(recording.Case):
    """Without restartable sequences, in lanes."""

    def test_demo(self):
        self.assertEqual(call(*on_aarch64('demo-aarch64'), self.trace), DEMO_SAID)
        self.check()
        self.assertEqual(len(self.events()), 11)

    def test_storm(self):
        """Threads, a forked process, signals, and moves."""
        call(*on_aarch64('storm-aarch64'), '-d', self.trace, '-b', 4096, '-p', 2, '-t', 3, '-n', 2000,
             '-s', 1000, '-m')
        self.check()
        self.assertEqual(self.lost(), 0)
        threads = self.pairs()
        for who, numbers in threads.items():
            self.assert_whole(numbers, who)
        whole = [len(numbers) for who, numbers in threads.items() if not who & recording.SIGNAL_BIT]
        self.assertEqual(whole, [2000] * 6)

    @unittest.skipIf(os.uname().machine == 'aarch64', 'is no other machine')
    def test_in_a_session_of_another_machine(self):
        """An emulated program with another counter is refused and reported, and continues to run."""
        self.session('create')
        call(*on_aarch64('storm-aarch64'), '-n', 10, env=self.traced('storm')['env'])
        subprocess.run(**self.traced('storm', '-n', 10), check=True)
        said = self.session('sum').split('\n')
        self.assertEqual(self.session('finish'), 'closed\n')
        refused = int(said[0].split()[3])
        self.assertEqual(self.check()['events'], 24 - 12 * refused)
        if refused:
            self.assertIn('it may not read the cycle counter', said[1])


class Sessions(recording.Case):
    """Programs that find a session in the environment."""

    def test_globs(self):
        self.session('create', 0, 0, 'x*,de?o')
        subprocess.run(**self.traced('storm', '-n', 10), check=True)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual(self.check()['events'], 12)

    def test_globs_that_leave_it_out(self):
        self.session('create', 0, 0, 'x*,dem')
        subprocess.run(**self.traced('storm', '-n', 10), check=True)
        self.assertEqual(self.session('finish'), 'closed\n')
        self.assertEqual(self.check()['events'], 0)

    def test_late_and_absent(self):
        """A program runs although its session has ended or does not exist."""
        subprocess.run(**self.traced('storm', '-n', 10), check=True)
        self.session('create')
        self.assertEqual(self.session('finish'), 'closed\n')
        subprocess.run(**self.traced('storm', '-n', 10), check=True)
        self.assertEqual(self.check()['events'], 0)

    def test_exit_status_is_told(self):
        self.session('create')
        subprocess.run(**self.traced('storm', '-n', 10, '-p', 2), check=True)
        subprocess.run(**self.traced('storm', '-?', stderr=subprocess.DEVNULL), check=False)
        self.session('finish')
        exits = self.events('--all', '--event=tracer.process_exit')
        starts = self.events('--all', '--event=tracer.process_start')
        self.assertEqual([event['data']['status'] for event in exits], [0, 0, 2])
        self.assertEqual({event['data']['pid'] for event in starts}, {event['data']['pid'] for event in exits})

    def test_stranger_is_refused(self):
        """The probe does not join a session of another version or architecture, and records the refusal."""
        for offset, value, why in ((8, 999, 'version'), (16, 4, 'sizes')):
            self.trace = self.path('trace%d' % offset)
            self.session('create')
            with open(os.path.join(self.trace, 'info/session'), 'r+b') as file:
                file.seek(offset)
                before = file.read(4)
                file.seek(offset)
                file.write(struct.pack('<I', value))
            subprocess.run(**self.traced('storm', '-n', 10), check=True)
            with open(os.path.join(self.trace, 'info/session'), 'r+b') as file:
                file.seek(offset)
                file.write(before)
            said = self.session('sum').split('\n')
            self.assertEqual(said[0].split()[3], '1')
            self.assertIn(recording.kernel_name('storm') + ': ', said[1])
            self.assertIn(why, said[1])
            self.assertEqual(os.listdir(os.path.join(self.trace, 'cpu')), [])

    def test_spoilt_session_state(self):
        """A program runs although the session state is truncated or damaged."""
        for size in (0, 100, 2000, 300000):
            self.trace = self.path('trace%d' % size)
            self.session('create')
            with open(os.path.join(self.trace, 'info/session'), 'r+b') as file:
                file.truncate(size)
            subprocess.run(**self.traced('storm', '-n', 10), check=True)
        for seed in range(40):
            self.trace = self.path('seed%d' % seed)
            self.session('create')
            with open(os.path.join(self.trace, 'info/session'), 'r+b') as file:
                file.seek(65536 + 4 * seed)
                file.write(struct.pack('<I', (0x9e3779b9 * (seed + 1)) & 0xffffffff))
            subprocess.run(**self.traced('storm', '-n', 10, build=recording.BUILD), check=True, timeout=120)


if __name__ == '__main__':
    unittest.main()
