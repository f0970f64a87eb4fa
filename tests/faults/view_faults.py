"""view_faults.py - let each system call of the server of `ltt view` fail, one at a time, and see what a client gets.

usage: view_faults.py [--build BUILD] [--every N]

strace(1) counts the calls of each thread, so a fault meets the N-th call of every thread: of the main one, and of that of each
connection. After each fault:

	- the server starts, or ends with status 2 and a message
	- an answer with status 200 is the one without the fault, or the server tells a problem of the trace, in its messages or in
	  api/progress; another one has a text,
	  or the connection is closed
	- the server does not end before it is interrupted, and then with status 0 or 1. libmicrohttpd may abort then, with a message

The last line counts faults and what broke these rules. Exit status 1: something did.
"""
import argparse
import collections
import http.client
import os
import re
import signal
import subprocess
import sys
import tempfile
import urllib.parse

import faults
import record_faults
from tally import tally

ERRORS = dict(record_faults.ERRORS, accept4=('ECONNABORTED', 'EMFILE'), accept=('ECONNABORTED',), recvfrom=('ECONNRESET',), sendto=('EPIPE',),
              setsockopt=('EINVAL',), getsockname=('ENOBUFS',), writev=('EPIPE',))
PROGRESS = 'api/progress'
REQUESTS = ('', PROGRESS, 'api/trace', 'api/density?from=0&to=9999999999999999999&pixels=10', 'api/events?n=5', 'api/lanes', 'api/none')
LIMIT_S = 60
CLOSED = (0, b'')
# A fault that ends the server closes all connections.
MAX_CLOSED = 20


class Server:
    def __init__(self, build, folder):
        self.ltt, self.folder = os.path.join(build, 'bin/ltt'), folder

    def ask(self, url):
        """Returns: the status and the body; CLOSED without an answer"""
        parts = urllib.parse.urlsplit(url)
        connection = http.client.HTTPConnection(parts.netloc, timeout=LIMIT_S)
        try:
            connection.request('GET', '%s?%s' % (parts.path, parts.query))
            answer = connection.getresponse()
            return answer.status, answer.read()
        except (http.client.HTTPException, ConnectionError):
            return CLOSED
        finally:
            connection.close()

    def wait_until_read(self, url):
        """Waits until the server has read the trace. The fault may close the connection of a request."""
        n_closed = 0
        while n_closed < MAX_CLOSED:
            answer = self.ask(url + PROGRESS)
            if answer == CLOSED:
                n_closed += 1
            elif b'ing"' not in answer[1]:  # counting, drawing
                return

    def run(self, *options):
        """Returns: the answers, the exit status and the messages."""
        with subprocess.Popen(['strace', '-f', '-qq', *options, self.ltt, 'view', '--no-cache', '--no-browser', faults.DATA + '/ltt/every-type'],
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as server:
            url = server.stdout.readline().strip()
            if url:
                self.wait_until_read(url)
            answers = [self.ask(url + request) for request in REQUESTS] if url else []
            if url:
                subprocess.run(['pkill', '-INT', '-P', str(server.pid)], check=False)
            err = server.communicate(timeout=LIMIT_S)[1]
        return answers, server.returncode, err

    @staticmethod
    def judge(plain, answers, status, err):
        if not answers:
            return None if status == 2 and err.strip() else 'does not start: status %s: %s' % (status, err)
        if status == -signal.SIGABRT and 'libmicrohttpd' in err:
            return None
        if status not in (0, 1, -signal.SIGINT):
            return 'ends with %s: %s' % (status, err)
        has_failed = b'"failed"' in dict(zip(REQUESTS, answers))[PROGRESS][1]
        for request, expected, got in zip(REQUESTS, plain, answers):
            if got not in (CLOSED, expected) and not has_failed and not (status == 1 and err.strip()) and (got[0] == 200 or not got[1]):
                return '%s: answers %s %r' % (request, got[0], got[1][:100])
        return None

    def try_all(self, every, first=0):
        """Yields (call, number, errno, what went wrong or None) for each fault, or for every N-th one."""
        log = os.path.join(self.folder, 'log')
        plain, status, err = self.run('-o', log)
        assert status == 0, err
        counts = collections.Counter()
        with open(log, encoding='utf-8', errors='replace') as file:
            for (_, call), n in collections.Counter(re.findall(r'(?m)^(\d+) +(\w+)\(', file.read())).items():
                counts[call] = max(counts[call], n)
        subprocess.run(['strace', '-f', '-qq', '-o', log, self.ltt, 'view', '--help'], stdout=subprocess.DEVNULL, check=False)
        with open(log, encoding='utf-8', errors='replace') as file:
            start = collections.Counter(re.findall(r'(?m)^(?:\d+ +)?(\w+)\(', file.read()))
        # The numbers of the main thread, and those of the few calls of a connection.
        tried = [(call, number, error) for call in sorted(counts) if call in ERRORS for number in range(1, counts[call] + 1)
                 if number > start[call] or (number <= 8 and call in ('read', 'openat', 'pread64', 'close', 'recvfrom', 'sendto', 'sendmsg', 'poll') and start[call] == 0)
                 for error in ERRORS[call]]
        for call, number, error in tried[first::every]:
            ended = self.run('-e', 'inject=%s:error=%s:when=%d' % (call, error, number), '-e', 'trace=' + call, '-e', 'signal=none', '-o', '/dev/null')
            yield call, number, error, self.judge(plain, *ended)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build')
    parser.add_argument('--every', type=int, default=1, help='try every N-th fault')
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix='ltt-faults-') as folder:
        tried = (('view: %s number %d, %s' % (call, number, error), wrong)
                 for call, number, error, wrong in Server(os.path.abspath(options.build), folder).try_all(options.every))
        status = tally('faults of a server', tried)
    sys.exit(status)


if __name__ == '__main__':
    main()
