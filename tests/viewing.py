"""viewing.py - run `ltt view` and ask its server."""
import http.client
import json
import os
import signal
import subprocess
import urllib.parse

from command import ENVIRONMENT, LTT, CommandTest


class Viewer:
    """A running `ltt view`."""

    def __init__(self, test, *words):
        self.test = test
        self.process = subprocess.Popen([LTT, 'view', '--no-browser', *words], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=ENVIRONMENT)
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

    def ask(self, name, **parameters):
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
    def view(self, *words):
        return Viewer(self, *words)


def built(build):
    """Whether the page was built, which takes node."""
    return os.path.exists(os.path.join(build, 'share/ltt/viewer/viewer.js'))
