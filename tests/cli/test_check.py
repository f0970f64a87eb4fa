"""`ltt check`: problems as text and as JSON, and states that are not problems."""
import json
import os

from command import CommandTest, expected_events, is_hidden, ltt, sample, samples


def expected_problems(trace):
    with open(trace + '.problems', encoding='utf-8') as file:
        return sorted((name, int(block), int(byte)) for name, block, byte in (line.split() for line in file))


class Check(CommandTest):
    def check(self, trace):
        result = ltt('check', '--json', trace)
        return result, json.loads(result.out)

    def test_sound_traces(self):
        for trace in samples():
            with self.subTest(trace=os.path.basename(trace)):
                result, found = self.check(trace)
                self.assert_done(result)
                self.assertEqual(found['problems'], [])
                self.assertEqual(found['events'], sum(not is_hidden(event) for event in expected_events(trace)))
                self.assert_done(ltt('check', trace))

    def test_keys_are_the_contract(self):
        found = self.check(sample('damage'))[1]
        self.assertEqual(list(found), ['problems', 'open_blocks', 'events', 'lost', 'lost_by_reason',
                                       'lost_process_events', 'too_large'])
        self.assertEqual(list(found['problems'][0]), ['tracefile', 'block', 'byte', 'message'])

    def test_every_problem_has_its_place(self):
        for trace in samples('ltt-damaged'):
            with self.subTest(trace=os.path.basename(trace)):
                result, found = self.check(trace)
                self.assertEqual(result.status, 1)
                places = {(problem['tracefile'], problem['block'], problem['byte']) for problem in found['problems']}
                self.assertLessEqual(set(expected_problems(trace)), places)
                for problem in found['problems']:
                    self.assertIn(problem['message'], result.err)
                self.assertEqual(len(result.err.splitlines()), len(found['problems']))

    def test_people_are_told_the_same(self):
        for trace in samples('ltt-damaged'):
            result = ltt('check', trace)
            machine, found = self.check(trace)
            self.assertEqual((result.status, result.err), (1, machine.err))
            self.assertIn('%d problems' % len(found['problems']), result.lines[-1])
            self.assertIn('%d events' % found['events'], result.lines[-1])

    def test_open_blocks_are_named_but_no_problem(self):
        for name in ('crashed', 'crashed-at-once'):
            result, found = self.check(sample(name))
            self.assert_done(result)
            self.assertGreater(found['open_blocks'], 0)
            text = ltt('check', sample(name))
            self.assert_done(text)
            self.assertIn('open block', text.out)
            self.assertIn('no problems', text.lines[-1])

    def test_ids_at_the_ends_of_a_block_must_agree(self):
        trace = self.copy(sample('one-cpu'))
        path = os.path.join(trace, 'cpu/0')
        block_size = int(json.loads(ltt('info', '--json', trace).out)['system']['ltt_block_size'])
        with open(path, 'r+b') as file:
            file.seek(block_size - 4)
            last = int.from_bytes(file.read(4), 'little')
            file.seek(last + 6 + 16)
            file.write(b'\x63\0\0\0')
        result, found = self.check(trace)
        self.assertEqual(result.status, 1)
        self.assertEqual([(problem['tracefile'], problem['block'], problem['byte']) for problem in found['problems']],
                         [('cpu/0', 0, last)])
        self.assertIn('block_id 99', found['problems'][0]['message'])

    def test_what_is_no_trace(self):
        self.assert_failed(ltt('check', self.path('missing')), 'ltt check: ', 'no such directory')
        self.assert_failed(ltt('check'), 'TRACE is missing')
