"""The sample programs and their traces."""
import os

from recording import USE, Case, call, LTT

SAMPLES = os.path.join(USE, 'samples')


def fnv(data):
    value = 0xcbf29ce484222325
    for byte in data:
        value = (value ^ byte) * 0x100000001b3 % 2**64
    return value


class Samples(Case):
    def record(self, name, *arguments):
        return call(LTT, 'record', '-o', self.trace, '--', os.path.join(SAMPLES, name), *arguments)

    def test_hash_files(self):
        contents = {'empty': b'', 'one': b'x', 'large': bytes(range(256)) * 300}
        folder = self.path('files')
        os.makedirs(os.path.join(folder, 'below'))
        for name, data in contents.items():
            with open(os.path.join(folder, 'below', name), 'wb') as file:
                file.write(data)
        total = 0
        for data in contents.values():
            total ^= fnv(data)
        out = self.record('hash-files', folder, 3)
        self.assertIn('3 files, %d bytes, %016x\n' % (sum(map(len, contents.values())), total), out)
        self.check()
        opened = {}
        done = {}
        chunks = {}
        for event in self.events('--event=hash_files.*'):
            data, tid = event['data'], event['tid']
            if event['event'] == 'hash_files.file_open':
                opened[tid] = os.path.basename(data['path'])
            elif event['event'] == 'hash_files.chunk':
                self.assertEqual(data['offset'], chunks.get(opened[tid], 0))
                chunks[opened[tid]] = data['offset'] + data['bytes']
            elif event['event'] == 'hash_files.file_done':
                done[opened[tid]] = (data['bytes'], data['hash'])
        self.assertEqual(done, {name: (len(data), fnv(data)) for name, data in contents.items()})
        self.assertEqual(chunks, {name: len(data) for name, data in contents.items() if data})

    def test_echo(self):
        echo, port = os.path.join(SAMPLES, 'echo'), 20000 + os.getpid() % 20000
        call(LTT, 'record', '-o', self.trace, '--', 'sh', '-c', '%s server %d & %s client localhost %d 50 0; wait' % (echo, port, echo, port))
        self.check()
        numbers = [{(event['data']['client'], event['data']['number']) for event in self.events('--event=echo.' + name)}
                   for name in ('request_send', 'request_receive', 'reply_send', 'reply_receive')]
        self.assertEqual(len(numbers[0]), 50)
        # The first requests can be lost, because the server may not have started.
        self.assertTrue(numbers[0] >= numbers[1] == numbers[2] == numbers[3])
        self.assertIn(50, [number for _, number in numbers[3]])

    def test_http_server(self):
        self.assertIn('180 answered, 20 not found\n', self.record('http-server', 50, 4))
        self.check()
        requests = self.events('--event=http_server.request')
        responses = self.events('--event=http_server.response')
        self.assertEqual(sorted(event['data']['connection'] for event in requests), list(range(200)))
        self.assertEqual(sorted(event['data']['connection'] for event in responses), list(range(200)))
        self.assertEqual(sum(event['data']['status'] == 404 for event in responses), 20)
