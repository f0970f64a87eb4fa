"""`ltt record --preload`: events of programs that are not changed, counted exactly."""
import collections
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import unittest

from recording import LTT, USE, Case, call, program

LIBRARY = os.path.join(USE, 'libexec/ltt/ltt-preload.so')
SIZE = 70000  # the first of the sizes that only the test program allocates


class Preload(Case):
    def record(self, sets, *words, status=7, environment=None):
        """Returns what the program and the command print."""
        words = [str(word) for word in words]
        done = subprocess.run([LTT, 'record', '--preload', sets, '-o', self.trace, '--', *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=120, check=False,
                              env=dict(os.environ, **environment or {}))
        self.assertIn(done.returncode, (status,) if status is not None else (0, 1), done.stderr)
        return done.stdout, done.stderr

    def recorded(self, sets, mode, **options):
        """The events of the test program."""
        self.record(sets, program('preload'), mode, **options)
        self.check()
        self.assertEqual(self.lost(), 0)
        return self.events()

    @staticmethod
    def data(events, *names):
        return [(event['event'], event['data']) for event in events if event['event'] in names]


class Malloc(Preload):
    def allocations(self, events):
        """The (function, size) of each large block in order, and the number of blocks that are freed, by address."""
        made, freed, sizes = [], collections.Counter(), {}
        for name, data in self.data(events, 'malloc.alloc', 'malloc.free', 'malloc.failed'):
            if name == 'malloc.free':
                self.assertIn(data['address'], sizes, 'a block is freed that was not allocated')
                freed[sizes.pop(data['address'])] += 1
            elif name == 'malloc.failed':
                made.append(('failed', data['size']))
            else:
                self.assertNotIn(data['address'], sizes, 'a block is allocated twice')
                sizes[data['address']] = data['size']
                made.append((data['function'], data['size']))
        return [item for item in made if item[1] >= SIZE], freed, sizes

    def test_every_block(self):
        made, freed, left = self.allocations(self.recorded('malloc', 'malloc'))
        self.assertEqual(made[:1000], [('malloc', SIZE + i) for i in range(1000)])
        kept = made[-1]
        self.assertEqual(made[-3][0], kept[0])
        self.assertEqual(made[-2], ('failed', 2**64 - 1))
        self.assertEqual(made[1000:-3], [
            ('calloc', 90003), ('realloc', 90007), ('realloc', 90065), ('posix_memalign', 90011), ('memalign', 90017),
            ('aligned_alloc', 90048), ('valloc', 90023), ('pvalloc', 90031), ('malloc', 90053), ('failed', 2**63 - 1 - 4096)])
        # A block that could not be reallocated is allocated still, with its usable size.
        self.assertEqual(kept[0], 'realloc')
        self.assertGreaterEqual(kept[1], 90053)
        self.assertEqual(sum(size >= SIZE for size in left.values()), 400)
        self.assertEqual(sum(freed[SIZE + i] for i in range(600)), 600)

    def test_callers_are_in_mapped_files(self):
        events = self.recorded('malloc', 'malloc')
        mapped = [event['data'] for event in self.events('--all', '--event=code.mapping')]
        callers = {data['caller'] for _, data in self.data(events, 'malloc.alloc') if data['size'] == SIZE}
        self.assertEqual(len(callers), 1)
        files = [data['filename'] for data in mapped for caller in callers if data['addr'] <= caller < data['addr'] + data['len']]
        self.assertEqual(files, [os.path.realpath(program('preload'))])
        notes = call('readelf', '-n', program('preload'))
        for data in mapped:
            if data['filename'] == files[0] and data['build_id']:
                self.assertIn(bytes(data['build_id']).hex(), notes)

    def test_threads(self):
        events = self.recorded('malloc', 'threads')
        made, freed, _ = self.allocations(events)
        self.assertEqual(collections.Counter(made), {('malloc', SIZE + i): 1000 for i in range(4)})
        self.assertEqual([freed[SIZE + i] for i in range(4)], [1000] * 4)
        owners = {(data['size'], event['tid']) for event in events for data in [event['data']]
                  if event['event'] == 'malloc.alloc' and data['size'] >= SIZE}
        self.assertEqual(len(owners), 4)

    def test_forked_children(self):
        out, _ = self.record('malloc', program('preload'), 'fork')
        parent, child = map(int, out.split())
        self.check()
        blocks = [(event['data']['size'], event['pid']) for event in self.events('--event=malloc.alloc')
                  if event['data']['size'] >= SIZE]
        self.assertEqual(blocks, [(SIZE, parent), (SIZE + 1, child), (SIZE + 1, parent)])
        mapped = {event['data']['pid'] for event in self.events('--all', '--event=code.mapping')}
        self.assertEqual(mapped, {parent, child})
        # The lives of the two blocks with the same address: the child's block ends first.
        lives = json.loads(call(LTT, 'latency', 'malloc.alloc', 'malloc.free', '--filter=pid == %d' % child, '--json', self.trace))
        self.assertEqual((lives['by'], lives['pairs'] > 0), ('address@pid', True))

    def test_executed_programs(self):
        self.record('malloc', program('preload'), 'exec')
        self.check()
        sizes = [event['data']['size'] for event in self.events('--event=malloc.alloc')]
        self.assertEqual(collections.Counter(size for size in sizes if size >= SIZE),
                         {SIZE: 1001, SIZE + 1: 1000, SIZE + 2: 1000, SIZE + 3: 1000})

    def test_only_the_sets_that_are_named(self):
        events = self.recorded('io', 'malloc')
        self.assertEqual(self.data(events, 'malloc.alloc'), [])
        self.assertEqual(sorted(os.listdir(os.path.join(self.trace, 'eventdefs'))),
                         sorted(name for name in os.listdir(os.path.join(self.trace, 'eventdefs'))
                                if not name.startswith(('malloc', 'lock', 'function'))))


class Lock(Preload):
    def test_wait_for_a_mutex(self):
        """1000 locks of a free mutex are no events."""
        events = self.data(self.recorded('lock', 'lock'), 'demo.pair', 'lock.mutex_wait_begin', 'lock.mutex_wait_end')
        self.assertEqual([name for name, _ in events],
                         ['demo.pair', 'lock.mutex_wait_begin', 'demo.pair', 'lock.mutex_wait_end', 'demo.pair'])
        own = [data['a'] for name, data in events if name == 'demo.pair']
        self.assertEqual(own, [1, 3, 2])
        waits = [data for name, data in events if name != 'demo.pair']
        self.assertEqual([data['lock'] for data in waits], [events[0][1]['b']] * 2)
        self.assertEqual(waits[1]['result'], 0)
        self.assertIn('lock.mutex_wait', call(LTT, 'latency', 'lock.mutex_wait_begin', 'lock.mutex_wait_end', self.trace))

    def results(self, mode):
        """Begins are in pairs with the ends in the same thread; returns the (event, result) of the ends."""
        events = self.recorded('lock', mode)
        open_waits, ends = {}, []
        for event in events:
            name, data = event['event'], event['data']
            if name.endswith('_begin'):
                open_waits[event['tid']] = name
            elif name.endswith('_end'):
                self.assertEqual(open_waits.pop(event['tid']), name[:-4] + '_begin')
                ends.append((name[len('lock.'):-len('_wait_end')], data['result']))
        self.assertEqual(open_waits, {})
        return ends, events

    def test_read_write_locks(self):
        self.assertEqual(self.results('rwlock')[0], [('read', 0), ('write', -110)])

    def test_conditions(self):
        ends, events = self.results('condition')
        self.assertEqual([end for end in ends if end[0] == 'condition'], [('condition', -110), ('condition', 0)])
        signals = [data['wakes'] for _, data in self.data(events, 'lock.condition_signal')]
        self.assertEqual(signals, ['one', 'all'])

    def test_semaphores(self):
        self.assertEqual(self.results('semaphore')[0], [('semaphore', 0), ('semaphore', -110)])

    def test_results_do_not_change(self):
        """Times and clocks that a function refuses, also if the lock is free, and cancelled threads."""
        untraced = call(program('refused-locks'))
        self.assertIn('semaphore, no time: Invalid argument\n', untraced)
        self.assertEqual(self.record('lock', program('refused-locks'), status=0)[0], untraced)


class InputAndOutput(Preload):
    def test_sizes_and_errors(self):
        events = self.data(self.recorded('io', 'io'), *['io.%s_%s' % (name, side) for side in ('begin', 'end') for name in (
            'read', 'write', 'sync', 'open', 'close')])
        calls = []
        for (begin, asked), (end, result) in zip(events[::2], events[1::2]):
            self.assertEqual(end, begin.replace('_begin', '_end'))
            calls.append((asked.get('function', begin[3:-6]), asked.get('bytes'), result['result']))
        self.assertEqual(calls, [
            ('write', 10, 10), ('pwrite', 5, 5), ('writev', 7, 7), ('fsync', None, 0), ('fdatasync', None, 0),
            ('pread', 100, 17), ('read', 50, 0), ('read', 8, -9), ('open', None, -2), ('close', None, 0),
            ('send', 9, 9), ('recv', 99, 9), ('recv', 99, -11)])
        self.assertIn('ENOENT', call(LTT, 'dump', '--event=io.open_end', self.trace))
        self.assertIn('/nonexistent/file', call(LTT, 'dump', '--event=io.open_begin', self.trace))

    def test_wrong_pointers(self):
        """They give EFAULT, as without the library."""
        events = self.recorded('io', 'wrong')
        results = [data['result'] for name, data in self.data(events, 'io.write_end', 'io.open_end') if data['result'] != 3]
        self.assertEqual(results.count(-14), 4 * 5 + 2)
        paths = [data['path'] for _, data in self.data(events, 'io.open_begin')]
        self.assertEqual(paths[-7:], 6 * [''] + [9 * '/'])

    def test_spans(self):
        self.recorded('io', 'io')
        folded = call(LTT, 'flame', '--of=spans', '--folded', '-o', '-', self.trace)
        self.assertRegex(folded, r'(?m)^preload;io\.read \d+$')


NGINX = shutil.which('nginx')
CONFIGURATION = '''daemon off; master_process on; worker_processes 2; pid {0}/pid; error_log {0}/errors; user root;
events {{ worker_connections 64; }}
http {{ access_log off; client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/fastcgi;
uwsgi_temp_path {0}/uwsgi; scgi_temp_path {0}/scgi;
server {{ listen unix:{0}/socket; root {0}; }} }}
'''


def ask(path, request):
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        connection.sendall(request)
        with connection.makefile('rb') as answer:
            return answer.read()


class Programs(Preload):
    def pid(self):
        try:
            with open(self.path('pid'), encoding='ascii') as file:
                return int(file.read() or 0)
        except FileNotFoundError:
            return 0

    @unittest.skipUnless(NGINX, 'needs nginx')
    def test_a_server(self):
        """nginx with two workers answers 200 requests, and ends as without the library."""
        for name, text in (('nginx.conf', CONFIGURATION.format(self.folder)), ('page', 5000 * 'x')):
            with open(self.path(name), 'w', encoding='ascii') as file:
                file.write(text)
        server = subprocess.Popen([LTT, 'record', '--preload', 'malloc,lock,io', '-o', self.trace, '--', NGINX, '-c',
                                   self.path('nginx.conf'), '-p', self.folder], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
        self.addCleanup(server.stderr.close)
        self.addCleanup(server.kill)
        while not self.pid(): # it listens before it writes this file
            self.assertIsNone(server.poll())
        for _ in range(200):
            answer = ask(self.path('socket'), b'GET /page HTTP/1.0\r\n\r\n')
            self.assertTrue(answer.startswith(b'HTTP/1.1 200 OK') and answer.endswith(5000 * b'x'), answer[:200])
        os.kill(self.pid(), signal.SIGQUIT)
        said = server.communicate(timeout=60)[1]
        self.assertEqual(server.returncode, 0, said)
        self.check()
        paths = [event['data']['path'] for event in self.events('--event=io.open_begin')]
        self.assertEqual(paths.count(self.path('page')), 200)

    def test_real_programs_behave_as_without(self):
        """Python starts threads and a shell; sort starts threads."""
        words = [sys.executable, '-c', 'import subprocess, threading as t; x = [t.Thread(target=print, args=(i,)) for i in range(3)];'
                 '[(y.start(), y.join()) for y in x]; print(subprocess.run("echo out; echo err >&2; exit 3", shell=True).returncode);'
                 'raise SystemExit(5)']
        plain = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
        out, err = self.record('malloc,lock,io,functions', *words, status=plain.returncode)
        self.assertEqual(out, plain.stdout)
        self.assertTrue(err.startswith(plain.stderr), err)
        self.check()
        alive = {}
        for event in self.events('--event=malloc.alloc,malloc.free'):
            key = event['pid'], event['data']['address']
            if event['event'] == 'malloc.alloc':
                self.assertNotIn(key, alive)
                alive[key] = True
            else:
                alive.pop(key, None)

    def test_a_library_that_is_loaded_later(self):
        """The program keeps its name and arguments. The constructor waits for a thread that calls functions of all sets."""
        for sets in ('io', 'lock', 'malloc', 'functions', 'functions,io,lock,malloc'):
            with self.subTest(sets=sets):
                self.trace = self.path(sets)
                out, _ = self.record(sets, program('preload-host'), 'load', program('preload-plugin.so'), status=None)
                self.assertEqual(out, 'preload-host\nloaded\n')

    def test_handlers_that_leave_functions(self):
        """At the first event of a mapping, too: nothing waits for it, and no descriptor stays open."""
        library = program('kill-at.so')
        plain = subprocess.run([program('preload-host'), 'jump', library], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True)
        out, _ = self.record('functions', program('preload-host'), 'jump', library, status=0)
        self.assertEqual(out, plain.stdout)
        self.check()

    def test_constructors_of_libraries(self):
        """libstdc++ allocates memory in a constructor, before main()."""
        self.record('malloc', program('demo-cpp'), self.path('other'), status=None)
        sizes = [event['data']['size'] for event in self.events('--event=malloc.alloc')]
        self.assertTrue(any(size > 70000 for size in sizes), sizes)

    def test_other_preloaded_libraries(self):
        kill_at = program('kill-at.so')
        self.record('malloc', program('preload'), 'malloc', environment={'LD_PRELOAD': kill_at})
        mapped = call('grep', '-c', 'kill-at.so', '/proc/self/maps', env=dict(os.environ, LD_PRELOAD=kill_at))
        self.assertGreater(int(mapped), 0)

    def test_functions(self):
        out, _ = self.record('functions', program('instrumented'), status=0)
        self.assertEqual(out, '20\n')
        self.check()
        names = [event['event'] for event in self.events()]
        self.assertEqual(collections.Counter(names), {'function.entry': 23, 'function.exit': 23})
        folded = call(LTT, 'flame', '--folded', '-o', '-', self.trace)
        self.assertEqual(sorted(line.rsplit(' ', 1)[0] for line in folded.splitlines()),
                         ['instrumented;main', 'instrumented;main;outer', 'instrumented;main;outer;inner'])

    def test_functions_of_a_changed_file(self):
        """The names of another build are not used."""
        copy = shutil.copy(program('instrumented'), self.path('copy'))
        self.record('functions', copy, status=0)
        shutil.copy(program('preload'), copy)
        text = call(LTT, 'flame', '--folded', '-o', '-', self.trace)
        self.assertRegex(text, r'(?m)^copy;copy\+0x\w+;copy\+0x\w+;copy\+0x\w+ \d+$')
        self.assertIn('its build id differs', text)


class Refusals(Preload):
    def test_static_programs(self):
        name = program('preload-static')
        _, err = self.record('malloc', name, 'malloc')
        self.assertIn('ltt record: %s: --preload has no effect: the program is statically linked\n' % name, err)

    def test_programs_with_other_rights(self):
        if os.getuid() != 0:
            self.skipTest('only root can change the owner of a file')
        copy = shutil.copy(program('preload'), self.path('copy'))
        os.chown(copy, 1, -1)
        os.chmod(copy, 0o4755)
        _, err = self.record('malloc', copy, 'malloc')
        self.assertIn('--preload has no effect: the program runs with the rights of another user', err)

    def test_scripts_of_static_programs(self):
        script = self.path('script')
        with open(script, 'w', encoding='utf-8') as file:
            file.write('#!%s malloc\n' % program('preload-static'))
        os.chmod(script, 0o755)
        self.assertIn('statically linked', self.record('malloc', script)[1])

    def test_mistakes(self):
        for sets in ('', 'mallocs', 'malloc,', 'malloc,,io'):
            _, err = self.record(sets, 'true', status=2)
            self.assertIn('expected malloc, lock, io or functions', err)
        text = call(LTT, 'record', '--preload', 'io', '-o', self.trace, status=2)
        self.assertEqual(text, 'ltt record: --preload requires a program; expected -- PROGRAM ARG...\n')

    def test_exported_symbols(self):
        """Only the replaced functions: nothing of the probe can get in the way of the program's own."""
        names = set(call('nm', '-D', '--defined-only', '--format=just-symbols', LIBRARY).split())
        self.assertLessEqual({'malloc', 'free', 'read', 'pthread_mutex_lock', 'vfork'}, names)
        self.assertEqual([name for name in names if 'ltt' in name or '__wrap' in name], ['ltt_probe_copies'])


if __name__ == '__main__':
    unittest.main()
