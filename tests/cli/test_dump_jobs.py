"""`ltt dump -j`: output, messages and exit status do not depend on the number of threads."""
import os
import re
import shutil
import subprocess

from command import ENVIRONMENT, LTT, CommandTest, ltt, samples, some_of
from small_trace import write

DESCRIPTION = '''<facility name="f">
  <event name="tick"><uint size="2"/></event>
  <event name="named"><struct><field name="path"><string/></field><field name="n"><uint size="4"/></field></struct></event>
  <event name="blob"><sequence lengthsize="4"><uint size="1"/></sequence></event>
</facility>'''
BLOCK = 512 * 1024
EVENTS_OF_A_BLOCK = 3000
BLOCKS = 4
JOBS = (2, 3, 16)


def event(time, number):
    if number % 7 == 0:
        path = b'/a/path/%d' % number if number % 700 else b'long' * 2000
        return time, 'named', path + b'\0' + number.to_bytes(4, 'little')
    return time, 'tick', (number % 65536).to_bytes(2, 'little')


def block(cpu, number):
    """Interleaved times of two CPUs; each last block has an event that exceeds a batch."""
    first = (number * EVENTS_OF_A_BLOCK) * 200
    events = [event(10 ** 9 + first + i * 200 + (i * 37 + cpu * 61) % 190, i) for i in range(EVENTS_OF_A_BLOCK)]
    if number == BLOCKS - 1:
        blob = bytes(range(256)) * 400
        events.append((10 ** 9 + first + EVENTS_OF_A_BLOCK * 200, 'blob', len(blob).to_bytes(4, 'little') + blob))
        events.append((10 ** 9 + first + EVENTS_OF_A_BLOCK * 200, 'tick', b'\1\2'))
    return events


class Jobs(CommandTest):
    def setUp(self):
        super().setUp()
        self.trace = self.path('trace')
        write(self.trace, DESCRIPTION, {'cpu/%d' % cpu: [block(cpu, number) for number in range(BLOCKS)] for cpu in (0, 1)},
              block_size=BLOCK)

    def damage(self, name, number):
        """Overwrites more bytes of a block than any but its last events have."""
        with open(os.path.join(self.trace, name), 'r+b') as file:
            file.seek(number * BLOCK + 20000)
            file.write(b'\xff\0' * 6000)

    def assert_same(self, *arguments):
        one = ltt('dump', '-j1', *arguments)
        for jobs in JOBS:
            more = ltt('dump', '-j%d' % jobs, *arguments)
            self.assertEqual((more.status, more.err), (one.status, one.err))
            self.assertTrue(more.raw == one.raw, '-j%d %r: other output' % (jobs, arguments))
        return one

    def test_formats(self):
        for arguments in ((), ('--all',), ('--format=json',), ('--format=csv',), ('--format=csv', '--event=f.named'),
                          ('--time=start',), ('--time=delta',), ('--time=date',), ('--fields=n',),
                          ('--filter', 'n > 100'), ('--from=+0.0005', '--to=+0.0011'), ('--format=none',), ('--digest',)):
            with self.subTest(arguments=arguments):
                self.assertEqual(self.assert_same(*arguments, self.trace).status, 0)
        self.assertEqual(len(ltt('dump', self.trace).lines), 2 * (EVENTS_OF_A_BLOCK * BLOCKS + 2))

    def test_samples(self):
        for trace in some_of(samples('ltt', 'ltt-extra', 'ltt-damaged')):
            with self.subTest(trace=os.path.basename(trace)):
                self.assert_same('--all', trace)

    def test_traces_with_blocks_of_different_sizes(self):
        other = self.path('other')
        write(other, DESCRIPTION, {'cpu/0': [[(10 ** 9 + number * 20000 + i * 100, 'tick', b'\0\0') for i in range(200)]
                                             for number in range(100)]})
        self.assertEqual(self.assert_same(self.trace, other, other).status, 0)

    def test_damage(self):
        """Blocks damaged in the middle, some of them at the same time in both files."""
        for name, number in (('cpu/0', 0), ('cpu/1', 0), ('cpu/1', 2), ('cpu/0', 3)):
            self.damage(name, number)
        one = self.assert_same(self.trace)
        self.assertEqual(one.status, 1)
        self.assertEqual(len(one.err.splitlines()), 4)

    def test_output_is_written_before_the_damage_behind_it_is_told(self):
        self.damage('cpu/1', 1)
        texts = []
        for jobs in (1, *JOBS):
            with open(self.path('both'), 'w+b') as both:
                subprocess.run([LTT, 'dump', '-j%d' % jobs, self.trace], stdout=both, stderr=both, env=ENVIRONMENT, check=False)
                both.seek(0)
                texts.append(both.read())
        lines = texts[0].splitlines()
        told = [i for i, line in enumerate(lines) if line.startswith(b'ltt dump: ')]
        self.assertEqual(len(told), 1)
        self.assertTrue(EVENTS_OF_A_BLOCK < told[0] < len(lines) - EVENTS_OF_A_BLOCK)
        for text in texts[1:]:
            self.assertTrue(text == texts[0], 'other order')

    def test_a_reader_that_leaves(self):
        for jobs in (1, *JOBS):
            with subprocess.Popen([LTT, 'dump', '-j%d' % jobs, self.trace], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                  env=ENVIRONMENT) as process:
                self.assertIn(b'f.named', process.stdout.readline())
                process.stdout.close()
                self.assertEqual(process.stderr.read(), b'')
                self.assertEqual(process.wait(), 0)

    def test_a_full_disk(self):
        with open('/dev/full', 'wb') as full:
            for jobs in (1, *JOBS):
                result = ltt('dump', '-j%d' % jobs, self.trace, stdout=full)
                self.assertEqual((result.status, result.err),
                                 (2, 'ltt dump: standard output: could not write: No space left on device\n'))

    def test_refused(self):
        for jobs in ('0', '-2'):
            result = ltt('dump', '-j', jobs, self.trace)
            self.assertEqual(result.status, 2)
            self.assertTrue(re.fullmatch('ltt dump: --jobs: %s: expected a number of threads, 1 or more\n' % jobs,
                                         result.err), result.err)

    def tearDown(self):
        shutil.rmtree(self.trace)
        super().tearDown()
