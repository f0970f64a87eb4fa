"""viewing.py - run `ltt view`, ask its server, and use its page in Chromium."""
import atexit
import http.client
import json
import os
import signal
import subprocess
import unittest
import urllib.parse

from command import BUILD, ENVIRONMENT, LTT, SOURCE, CommandTest

VIEWER = os.path.join(SOURCE, 'viewer')
PICTURES = os.path.join(BUILD, 'pictures')
CLIENT = os.path.join(VIEWER, 'node_modules/tsp-typescript-client')
CHROMIUM = '/usr/bin/chromium'


class Viewer:
    """A running `ltt view`. It opens a browser if the environment has a display."""

    def __init__(self, test, *words, **environment):
        self.test = test
        without = () if 'DISPLAY' in environment else ('--no-browser',)
        self.process = subprocess.Popen([LTT, 'view', *without, *words], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**ENVIRONMENT, **environment})
        test.addCleanup(self.end)
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            test.fail(self.process.communicate()[1])
        parts = urllib.parse.urlsplit(self.url)
        self.host, self.path = parts.netloc, parts.path

    def end(self, signum=signal.SIGINT):
        """Stops it. Returns: what it wrote to standard error"""
        if self.process.stdout.closed:
            return ''
        self.process.send_signal(signum)
        said = self.process.communicate(timeout=120)[1]
        self.test.assertIn(self.process.returncode, (0, 1), said)
        self.test.assertNotIn('Sanitizer', said)
        return said

    def request(self, path, method='GET', **headers):
        """Returns: status, headers and body of a request with this whole path."""
        connection = http.client.HTTPConnection(self.host, timeout=120)
        try:
            connection.putrequest(method, path, skip_host='Host' in headers)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read().decode('utf-8')
        finally:
            connection.close()

    def send(self, method, path, body, **headers):
        """Returns: status, headers and body of a request with a body."""
        connection = http.client.HTTPConnection(self.host, timeout=120)
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            return response.status, dict(response.getheaders()), response.read().decode('utf-8')
        finally:
            connection.close()

    def ask(self, name, /, **parameters):
        """Returns: what api/NAME answers."""
        status, _, body = self.request('%sapi/%s?%s' % (self.path, name, urllib.parse.urlencode(parameters)))
        self.test.assertEqual(status, 200, body)
        return json.loads(body)

    def post(self, name, /, **parameters):
        """Returns: what a POST to api/NAME from the page answers; the text of a refusal"""
        status, _, body = self.request('%sapi/%s?%s' % (self.path, name, urllib.parse.urlencode(parameters)), 'POST',
                                       Origin='http://' + self.host)
        return json.loads(body) if status == 200 else body

    def refusal(self, name, **parameters):
        """Returns: the message of a request that the server does not accept."""
        status, _, body = self.request('%sapi/%s?%s' % (self.path, name, urllib.parse.urlencode(parameters)))
        self.test.assertEqual(status, 400, body)
        return body

    def wait(self):
        """Waits until the whole trace is read. Returns: the last answer"""
        while True:
            progress = self.ask('progress')
            if progress['stage'] in ('ready', 'failed'):
                return progress


class ViewTest(CommandTest):
    def view(self, *words, **environment):
        return Viewer(self, *words, **environment)


def built(build):
    """Whether the page was built, which takes node."""
    return os.path.exists(os.path.join(build, 'share/ltt/viewer/viewer.js'))


@unittest.skipUnless(built(BUILD) and os.path.isdir(CLIENT), 'tsp-typescript-client is not installed')
class TspTest(ViewTest):
    """A client of the Trace Server Protocol."""

    def connect(self, *words):
        """Starts a server and the client. Returns: the experiment of the server"""
        self.server = self.view(*words)
        self.server.wait()
        self.client = subprocess.Popen(['node', os.path.join(VIEWER, 'tests/tsp.mjs'), self.server.url + 'tsp/api'],
                                       stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.addCleanup(self.client.communicate)
        status, (experiment,) = self.call('fetchExperiments')
        self.assertEqual(status, 200)
        return experiment

    def call(self, method, *arguments):
        """Returns: the status and the model of a request of the client."""
        self.client.stdin.write(json.dumps([method, *arguments]) + '\n')
        self.client.stdin.flush()
        status, answer = json.loads(self.client.stdout.readline())
        return status, answer

    def model(self, method, *arguments):
        """Returns: the model of a response that is complete."""
        status, answer = self.call(method, *arguments)
        self.assertEqual((status, answer['status']), (200, 'COMPLETED'), answer)
        return answer['model']


class Browser:
    """Chromium, which the tests of a file share; each use of a page has a context of its own."""
    running = None

    def __init__(self):
        os.makedirs(PICTURES, exist_ok=True)
        self.is_free = True
        self.process = subprocess.Popen(['node', os.path.join(VIEWER, 'tests/page.mjs'), PICTURES], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        atexit.register(self.end)

    @classmethod
    def get(cls):
        """The one that runs; a new one if the use before was given up."""
        if cls.running is None or not cls.running.is_free:
            if cls.running is not None:
                cls.running.end()
            cls.running = Browser()
        return cls.running

    def end(self):
        self.process.stdin.close()
        if not self.is_free:
            self.process.terminate()
        self.process.wait()

    def walk(self, url, steps):
        """Yields the answers of viewer/tests/page.mjs."""
        self.is_free = False
        self.process.stdin.write(json.dumps({'url': url, 'steps': steps}) + '\n')
        self.process.stdin.flush()
        for line in self.process.stdout:
            answer = json.loads(line)
            self.is_free = 'complaints' in answer or 'error' in answer
            yield answer
            if self.is_free:
                return
        yield {'error': 'the browser has ended'}


def walk(test, url, steps, errors=0):
    """Like PageTest.use(), but yields each answer when its step is done; the next step is under way by then."""
    for answer in Browser.get().walk(url, steps):
        test.assertNotIn('error', answer)
        if 'complaints' not in answer:
            yield answer
    complaints = answer['complaints']
    test.assertEqual(len(complaints), errors, complaints)
    for complaint in complaints:
        test.assertIn('status of 400', complaint)


@unittest.skipUnless(built(BUILD) and os.path.exists(CHROMIUM), 'the page is not built, or Chromium is not installed')
class PageTest(ViewTest):
    def use(self, traces, steps, errors=0):
        """The answers to some steps of viewer/tests/page.mjs. The page must report no error, except that the server
        answers @errors requests with an error."""
        return self.use_url(self.view(*traces).url, steps, errors)

    def use_url(self, url, steps, errors=0):
        return list(walk(self, url, steps, errors))
