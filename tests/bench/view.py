"""The server and the page of `ltt view`: a trace of 100 million events, and one with 10,000 threads.

A question is a window of the time in 1,200 pixels: its length is 10^-x of the trace with x from 0 to 6, its place random.
A program of a hundred lines asks the server, one question after the other. CPU is the time of all threads of the server
for one question: on a busy machine it is more reliable than wall time. The page runs in Chromium (viewer/tests/speed.mjs).
"""
import http.client
import json
import os
import random
import shutil
import struct
import subprocess
import sys
import time
import urllib.parse

from measuring import table

SOURCE = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
QUESTIONS, PIXELS, LANES, LONGEST = 200, 1200, 100, 6
THREADS, CPUS, BLOCK_EVENTS = 10000, 4, 2500
TARGET_MS = 100
SPEED = os.path.join(SOURCE, 'viewer/tests/speed.mjs')
HEADS = ['trace', 'question', 'p50 CPU ms', 'p95 CPU ms', 'p50 ms', 'p95 ms', 'target', 'met']


class Server:
    def __init__(self, build, trace):
        self.process = subprocess.Popen([os.path.join(build, 'bin/ltt'), 'view', '--no-browser', '--no-cache', trace],
                                        stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip()
        parts = urllib.parse.urlsplit(self.url)
        self.path, self.connection = parts.path, http.client.HTTPConnection(parts.netloc)

    def ask(self, name, /, **parameters):
        self.connection.request('GET', '%sapi/%s?%s' % (self.path, name, urllib.parse.urlencode(parameters)))
        response = self.connection.getresponse()
        body = response.read()
        if response.status != 200:
            raise AssertionError('%s: %s' % (name, body))
        return json.loads(body)

    def wait(self):
        while self.ask('progress')['stage'] not in ('ready', 'failed'):
            time.sleep(0.2)

    def used_mb(self):
        with open('/proc/%d/status' % self.process.pid, encoding='ascii') as status:
            return next(int(line.split()[1]) for line in status if line.startswith('VmHWM')) / 1000

    def cpu_s(self):
        return time.clock_gettime(~self.process.pid << 3 | 2)  # the clock of another process: clock_getcpuclockid(3)

    def end(self):
        self.connection.close()
        self.process.terminate()
        self.process.communicate()


def windows(length):
    """The windows of the questions."""
    choose = random.Random(1)
    for _ in range(QUESTIONS):
        width = max(int(length * 10 ** -choose.uniform(0, LONGEST)), 1)
        begin = choose.randrange(length - width + 1)
        yield {'from': begin, 'to': begin + width, 'pixels': PIXELS}


def share(numbers, percent):
    return sorted(numbers)[len(numbers) * percent // 100] * 1000


def measure(server, name, lanes):
    """A row of the table: the times of a question."""
    wall, cpu, words = [], [], ','.join(str(lane) for lane in lanes)
    for window in windows(server.ask('trace')['length']):
        started, used = time.monotonic(), server.cpu_s()
        server.ask(name, lanes=words, **window)
        wall.append(time.monotonic() - started)
        cpu.append(server.cpu_s() - used)
    p95 = share(wall, 95)
    return ['`api/%s`, %d lanes' % (name, len(lanes)), *('%.1f' % number for number in (share(cpu, 50), share(cpu, 95), share(wall, 50), p95)),
            TARGET_MS, 'yes' if p95 <= TARGET_MS else 'no']


def make_threads(path, n_events):
    """Writes a trace of the kernel in which 4 CPUs run 10,000 threads. Every hundredth switch is to a random thread: most
    threads wait for long."""
    from switch_trace import DESCRIPTION, READY, SLEEP  # pylint: disable=import-outside-toplevel
    import small_trace  # pylint: disable=import-outside-toplevel
    choose, tracefiles = random.Random(1), {}
    for cpu in range(CPUS):
        running, time_ns, events, asleep = 0, 1000 + cpu, [], list(range(100 + cpu, 100 + THREADS, CPUS))
        while len(events) < n_events // CPUS:
            at = choose.randrange(len(asleep)) if choose.random() < 0.01 else choose.randrange(50)
            following = asleep[at]
            events.append((time_ns, 'wakeup', struct.pack('<I', following)))
            events.append((time_ns + 300, 'switch', struct.pack('<3I', running, following, SLEEP if running else READY)))
            if running:
                asleep[at] = running
            else:
                del asleep[at]
            running, time_ns = following, time_ns + choose.randrange(1000, 100000)
        tracefiles['cpu/%d' % cpu] = [events[at:at + BLOCK_EVENTS] for at in range(0, len(events), BLOCK_EVENTS)]
    small_trace.write(path, DESCRIPTION, tracefiles, block_size=1 << 16)


def use_page(server):
    """What viewer/tests/speed.mjs measures; None without Chromium."""
    if not os.path.exists('/usr/bin/chromium') or not os.path.isdir(os.path.join(SOURCE, 'viewer/node_modules')):
        return None
    return json.loads(subprocess.run(['node', SPEED, server.url], stdout=subprocess.PIPE, check=True).stdout)


def show_trace(build, title, path, asked):
    """Returns: rows of the server, and a row of the page."""
    server = Server(build, path)
    try:
        started = time.monotonic()
        server.wait()
        read_s = time.monotonic() - started
        lanes = server.ask('lanes')['lanes']
        some = [lane['id'] for lane in random.Random(2).sample(lanes, min(LANES, len(lanes)))]
        rows = [[title, *measure(server, name, some)] for name in asked]
        page = use_page(server)
        used = '%.0f' % server.used_mb()
    finally:
        server.end()
    if page is None:
        return rows, [title, '%.1f' % read_s, used, *['-'] * 6]
    return rows, [title, '%.1f' % read_s, used, '%.0f' % page['first'], '%.0f' % page['median'], '%.0f' % page['p95'],
                  '%.0f' % page['exact'], '%.0f' % page['rate'], '%.0f' % page['megabytes']['page']]


def show(build, folder, n_events):
    """Prints the tables. @n_events: a tenth of the events of the larger trace"""
    sys.path.insert(0, os.path.join(SOURCE, 'tests'))
    os.environ['LTT_BUILD'] = os.path.abspath(build)
    import big_trace  # pylint: disable=import-outside-toplevel
    path, rows, pages = os.path.join(folder, 'trace'), [], []
    for title, make, asked in (
            ('%d million events' % (n_events // 100000), lambda: big_trace.write(
                path, max(n_events * 10 // big_trace.EVENTS // big_trace.CPUS, 1)), ('spans',)),
            ('10,000 threads, %g million events' % (n_events / 2.5e6), lambda: make_threads(path, n_events * 2 // 5), ('states', 'spans'))):
        make()
        of_server, of_page = show_trace(build, title, path, asked)
        rows += of_server
        pages.append(of_page)
        shutil.rmtree(path)
    print('\n%s\n' % table(HEADS, rows))
    print(table(['trace', 'read, s', 'server, MB', 'first picture, ms', 'zoom and pan p50, ms', 'p95, ms', 'exact p95, ms', 'frames/s', 'page, MB'], pages))
