"""`ltt dump --follow`: traces while they are recorded, one step at a time."""
import contextlib
import glob
import json
import os
import random
import re
import shutil
import signal
import subprocess

from command import ENVIRONMENT, CommandTest, ltt, sample, samples
from driving import LTT, Driven
from recording import on_one_cpu, program

DELAY = 20


def time_ns(event):
    seconds, fraction = event['time'].split('.')
    return int(seconds) * 10**9 + int(fraction)


class Follow(Driven):
    def follow(self, *options):
        return self.start('dump', '--follow', '--delay', DELAY, '--format=json', '--event=demo.*', *options,
                          self.trace)

    def follow_early(self):
        """Starts a follower, and waits until it has seen the trace without the facility of the program."""
        process = self.follow()
        self.assertIn(b'--event: demo.*: the trace has no such event so far', process.stderr.readline())
        return process

    @staticmethod
    def read(follower, n):
        return [json.loads(follower.stdout.readline()) for _ in range(n)]

    def end(self, follower, status=0, err=b''):
        """Returns the rest of the output."""
        out = follower.stdout.read()
        self.assertEqual((follower.wait(timeout=120), follower.stderr.read()), (status, err))
        return [json.loads(line) for line in out.splitlines()]

    def assert_as_dumped(self, followed, *options):
        """Compares with `ltt dump`; times in open blocks may differ by a nanosecond."""
        dumped = self.events(*options)
        self.assertEqual(len(followed), len(dumped))
        for got, expected in zip(followed, dumped):
            self.assertLessEqual(abs(time_ns(got) - time_ns(expected)), 1)
            self.assertEqual(dict(got, time=''), dict(expected, time=''))


class StepByStep(Follow):
    def test_each_step_shows_before_the_next(self):
        """The facility and the tracefiles appear after the start of the follower."""
        recorder = self.record()
        follower = self.follow_early()
        self.tell(recorder, '\n')
        followed = []
        for number, n in enumerate((1, 3, 2000, 1)):
            self.drive(recorder, n)
            events = self.read(follower, n)
            self.assertEqual([event['data'] for event in events], [{'a': number, 'b': i} for i in range(n)])
            followed += events
        recorder.communicate(timeout=120)
        followed += self.end(follower)
        self.assert_as_dumped(followed, '--event=demo.*')

    def test_small_blocks(self):
        """Some hundred blocks, most of them complete at the time of reading.

        A process can be preempted while it writes an event about itself. The delay is longer than
        that, so that no such event is late.
        """
        recorder = self.record('--block-size=4K')
        follower = self.start('dump', '--follow', '--delay', 2000, '--format=json', '--all', self.trace)
        self.tell(recorder, '\n')
        for n in (1000, 1, 20000):
            self.drive(recorder, n)
        recorder.communicate(timeout=120)
        self.assert_as_dumped(self.end(follower), '--all')

    def test_a_program_that_is_killed(self):
        recorder = self.record()
        follower = self.follow_early()
        self.tell(recorder, '\n')
        self.drive(recorder, 5)
        pid = self.read(follower, 1)[0]['pid']
        os.kill(pid, signal.SIGKILL)
        self.assertEqual([event['data']['b'] for event in self.end(follower)], [1, 2, 3, 4])

    def test_all_are_killed(self):
        """The recording has no end mark, and all its processes are dead."""
        recorder = self.record()
        follower = self.follow_early()
        self.tell(recorder, '\n')
        self.drive(recorder, 3)
        pid = self.read(follower, 1)[0]['pid']
        recorder.kill()
        recorder.wait()
        self.assertIsNone(follower.poll())
        os.kill(pid, signal.SIGKILL)
        self.assertEqual([event['data']['b'] for event in self.end(follower)], [1, 2])

    def test_a_program_without_a_recorder(self):
        driven = subprocess.Popen([program('driven'), self.trace], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.close, driven)
        self.drive(driven, 4)
        follower = self.follow()
        self.assertEqual([event['data']['b'] for event in self.read(follower, 4)], [0, 1, 2, 3])
        self.drive(driven, 2)
        driven.communicate(timeout=120)
        self.assertEqual([event['data'] for event in self.end(follower)], [{'a': 1, 'b': 0}, {'a': 1, 'b': 1}])


class Names(Follow):
    """Names of threads that start after the first printed event, in text and in filters."""

    def record_two(self):
        """Starts a recording of two programs: the second has another name and starts after next()."""
        os.symlink(program('driven'), self.path('second-name'))
        recorder = self.start('record', '-o', self.trace, '--', 'sh', '-c', 'echo ready; read line; %s; echo next; exec ./second-name'
                              % program('driven'))
        self.assertEqual(recorder.stdout.readline(), b'ready\n')
        self.tell(recorder, '\n')
        self.drive(recorder, 2)
        return recorder

    def finish(self, recorder):
        self.tell(recorder, 'end\n')
        self.assertEqual(recorder.stdout.readline(), b'next\n')
        self.drive(recorder, 3)
        recorder.communicate(timeout=120)

    def test_text(self):
        recorder = self.record_two()
        follower = self.start('dump', '--follow', '--delay', DELAY, '--event=demo.*', self.trace)
        lines = [follower.stdout.readline() for _ in range(2)]
        self.finish(recorder)
        lines += follower.stdout.readlines()
        names = [re.search(rb' comm=(\S+)', line) for line in lines]
        self.assertEqual([name and name[1] for name in names], [b'driven'] * 2 + [b'second-name'] * 3, lines)
        self.assertEqual((follower.wait(timeout=120), follower.stderr.read()), (0, b''))

    def test_filter(self):
        recorder = self.record_two()
        follower = self.follow('--filter', 'comm == "second-name" || b == 1')
        events = self.read(follower, 1)
        self.finish(recorder)
        events += self.end(follower)
        self.assertEqual([event['data']['b'] for event in events], [1, 0, 1, 2])


class Damaged(Follow):
    def damage(self, trace, rng):
        """Changes bytes of the session state and at the ends of blocks."""
        for name in rng.sample(['info/session', 'control/facilities', 'control/processes', 'cpu'], 2):
            path = os.path.join(trace, name)
            path = glob.glob(path + '/*')[0] if name == 'cpu' else path
            with open(path, 'r+b') as file:
                size = file.seek(0, os.SEEK_END)
                for _ in range(rng.choice((1, 3, 20))):
                    if name == 'info/session':
                        at = rng.choice((rng.randrange(1000, 1100), rng.randrange(2170, 2400), rng.randrange(115520, 116540)))
                    else:
                        at = rng.choice((rng.randrange(30), size - 1 - rng.randrange(8), rng.randrange(5000)))
                    file.seek(at)
                    file.write(bytes([rng.choice((0, 255, rng.randrange(256)))]))
                if rng.random() < 0.2:
                    file.truncate(rng.randrange(size + 1))

    def test_by_chance(self):
        """Follows a damaged abandoned recording; the follower always ends."""
        driven = subprocess.Popen([program('driven'), self.trace], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.addCleanup(self.close, driven)
        self.drive(driven, 500)
        driven.kill()
        driven.wait()
        followers = []
        for seed in range(12):
            copy = self.path('copy%d' % seed)
            shutil.copytree(self.trace, copy)
            self.damage(copy, random.Random(seed))
            followers.append(subprocess.Popen([LTT, 'dump', '--follow', '--delay', '4', '--digest', copy], env=ENVIRONMENT,
                                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE))
        for seed, follower in enumerate(followers):
            said = follower.communicate(timeout=120)[1].decode('utf-8', 'replace')
            self.assertIn(follower.returncode, (0, 1, 2), 'seed %d: %s' % (seed, said))
            self.assertNotIn('Sanitizer', said, 'seed %d' % seed)


class Options(Follow):
    def recorded(self):
        recorder = self.record()
        self.tell(recorder, '\n')
        self.drive(recorder, 10)
        return recorder

    def test_selection_and_formats(self):
        recorder = self.recorded()
        filtered = self.follow('--filter', 'b > 6 || a == 1')
        table = self.start('dump', '-F', '--delay', DELAY, '-f', 'csv', '--event=demo.pair', self.trace)
        none = self.start('dump', '-F', '--delay', DELAY, '--digest', '--event=demo.pair', self.trace)
        self.assertEqual([event['data']['b'] for event in self.read(filtered, 3)], [7, 8, 9])
        lines = [table.stdout.readline().split(b',') for _ in range(11)]
        self.assertEqual(lines[0], [b'time', b'tracefile', b'event', b'pid', b'tid', b'a', b'b\n'])
        self.assertEqual([line[-1] for line in lines[1:]], [b'%d\n' % i for i in range(10)])
        self.drive(recorder, 2)
        self.assertEqual([event['data'] for event in self.read(filtered, 2)], [{'a': 1, 'b': 0}, {'a': 1, 'b': 1}])
        recorder.communicate(timeout=120)
        self.assertEqual(self.end(filtered), [])
        self.assertEqual(none.stdout.read().split()[0], b'12')
        self.assertEqual(table.stdout.read().count(b'\n'), 2)

    def test_windows(self):
        recorder = self.recorded()
        events = self.read(self.follow(), 10)
        window = self.follow('--from', events[2]['time'], '--to', events[7]['time'])
        self.assertEqual([event['data']['b'] for event in self.end(window)], [2, 3, 4, 5, 6])
        later = self.follow('--from', '%d.0' % (time_ns(events[9]) // 10**9 + 3600))
        recorder.communicate(timeout=120)
        self.assertEqual((later.stdout.read(), later.wait(timeout=120)), (b'', 0))
        self.assertRegex(later.stderr.read(), rb'^ltt dump: --from: [0-9.]+ is after the end of [^\n]*\n$')

    def await_following(self, process):
        """Waits until a follower has opened the state of the recording, which it keeps open."""
        wanted = {os.path.join(self.trace, 'info', name) for name in ('session', 'lock')}
        folder = '/proc/%d/fd' % process.pid
        files = set()
        while process.poll() is None and not wanted <= files:
            files = set()
            for name in os.listdir(folder):
                with contextlib.suppress(FileNotFoundError):
                    files.add(os.readlink(os.path.join(folder, name)))

    def test_times_after_the_start(self):
        """They count from the first event of a program, for which the follower waits."""
        options = ('--all', '--event=builtin.block_start', '--to=+0.001')
        recorder = self.record()
        follower = self.start('dump', '--follow', '--delay', 500, '--format=json', *options, self.trace)
        around = self.start('dump', '--follow', '--delay', 500, '--format=json', '--all', '--event=builtin.block_start',
                            '--around=+0,1ms', self.trace)
        self.await_following(follower)
        self.await_following(around)
        self.tell(recorder, '\n')
        self.drive(recorder, 10)
        followed = self.end(follower)
        centre = self.end(around)
        recorder.communicate(timeout=120)
        self.assertTrue([event for event in followed if event['tracefile'].startswith('cpu/')])
        self.assert_as_dumped(followed, *options)
        self.assertTrue([event for event in centre if event['tracefile'].startswith('cpu/')])

    def test_a_start_that_never_comes(self):
        """The follower ends with the recording; times count from the start of the recording then."""
        recorder = self.record()
        follower = self.follow('--from', '+0')
        self.await_following(follower)
        recorder.communicate(timeout=120)
        self.assertEqual((follower.stdout.read(), follower.wait(timeout=120)), (b'', 0))

    def test_signals_end_it_while_it_waits_for_the_start(self):
        self.record()
        follower = self.start('dump', '--follow', '--delay', DELAY, '--format=json', '--from=+0', self.trace)
        self.await_following(follower)
        follower.send_signal(signal.SIGINT)
        self.assertEqual(self.end(follower), [])

    def test_signals_end_it_quietly(self):
        recorder = self.recorded()
        for number in (signal.SIGINT, signal.SIGTERM):
            follower = self.follow()
            self.read(follower, 10)
            follower.send_signal(number)
            self.assertEqual(self.end(follower), [])
        recorder.communicate(timeout=120)

    def test_a_closed_pipe_ends_it_quietly(self):
        recorder = self.recorded()
        follower = self.follow()
        self.read(follower, 10)
        follower.stdout.close()
        self.assertEqual((follower.wait(timeout=120), follower.stderr.read()), (0, b''))
        recorder.communicate(timeout=120)

    def test_a_flight_recorder(self):
        """Blocks overwritten before the start of the follower are not reported as missed; later events are printed.

        One CPU, because the file of a CPU that the program has left keeps old events.
        """
        recorder = self.record('--flight', '32K', '--block-size=4K', preexec_fn=on_one_cpu)
        self.tell(recorder, '\n')
        self.drive(recorder, 20000)
        follower = self.follow()
        numbers = [self.read(follower, 1)[0]['data']['b']]
        self.assertGreater(numbers[0], 10000)
        numbers += [event['data']['b'] for event in self.read(follower, 19999 - numbers[0])]
        self.assertEqual(numbers, list(range(numbers[0], 20000)))
        for number in range(1, 6):
            self.drive(recorder, 300)
            self.assertEqual([event['data'] for event in self.read(follower, 300)],
                             [{'a': number, 'b': i} for i in range(300)])
        recorder.communicate(timeout=120)
        self.assertEqual(self.end(follower), [])
        for path in glob.glob(self.trace + '/cpu/*'):
            self.assertLessEqual(os.path.getsize(path), 32768)


    def test_a_flight_recorder_that_is_copied(self):
        """A snapshot makes the writers continue in the other half of the file. One CPU, so one file."""
        cpus = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, cpus)
        os.sched_setaffinity(0, {min(cpus)})
        recorder = self.record('--flight', '32K', '--block-size=4K')
        self.tell(recorder, '\n')
        self.drive(recorder, 20000)
        follower = self.follow()
        first = self.read(follower, 1)[0]['data']['b']
        self.read(follower, 19999 - first)
        for number in range(1, 12):
            subprocess.run([LTT, 'snapshot', self.trace, '-o', self.path('copy%d' % number)], check=True)
            self.drive(recorder, 300)
            self.assertEqual([event['data'] for event in self.read(follower, 300)],
                             [{'a': number, 'b': i} for i in range(300)])
        late = self.follow()
        numbers = [(event['data']['a'], event['data']['b']) for event in self.read(late, 900)]
        self.assertEqual(numbers, [(numbers[0][0] + (numbers[0][1] + i) // 300, (numbers[0][1] + i) % 300)
                                   for i in range(900)])
        recorder.communicate(timeout=120)
        self.assertEqual(self.end(follower), [])
        self.assertEqual(self.end(late)[-1]['data'], {'a': 11, 'b': 299})
        for path in glob.glob(self.trace + '/cpu/*'):
            self.assertLessEqual(os.path.getsize(path), 32768)


class NotRecorded(CommandTest):
    def test_ends_where_the_trace_does(self):
        for path in samples()[:6] + [sample('crashed')]:
            with self.subTest(trace=path):
                plain = ltt('dump', '--format=json', path)
                followed = ltt('dump', '--follow', '--format=json', path)
                self.assertEqual((followed.status, followed.err, followed.raw), (plain.status, plain.err, plain.raw))

    def test_usage(self):
        for delay in ('0', '-5', '3', '3600001'):
            self.assert_failed(ltt('dump', '--follow', '--delay', delay, sample('one-cpu')),
                               '--delay %s: expected milliseconds from 4 to 3600000' % delay)
        self.assert_failed(ltt('dump', '--follow', self.path('nothing')), 'no such directory')

    def test_a_state_that_is_none(self):
        for content, said in ((b'', 'is not the state of a recording'), (b'x' * 5000, 'is not the state of a recording'),
                              (b'LTTsess\n' + b'\x63\0\0\0' + b'\0' * 5000, 'has another version'),
                              (b'LTTsess\n\x06\0\0\0\x04\x03\x02\x01' + b'\0' * 5000, 'are invalid')):
            trace = self.copy(sample('one-cpu'), 'trace%d' % len(os.listdir(self.folder)))
            with open(os.path.join(trace, 'info/session'), 'wb') as file:
                file.write(content)
            self.assert_failed(ltt('dump', '--follow', trace), said)
            self.assert_done(ltt('dump', trace))
