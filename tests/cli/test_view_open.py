"""`ltt view`: the browser that it opens."""
import os
import unittest
import urllib.parse

from command import is_root, ltt, sample
from viewing import ViewTest

NOBODY = 65534
STAND_IN = '''#!/bin/sh
{ printf '%%s\\n' "$*"; grep SigBlk /proc/self/status; } > %s
'''


class Open(ViewTest):
    def open(self, *words):
        """Returns: the server, and the path in the address that the browser gets"""
        said, folder = self.path('said'), self.path('bin')
        os.mkdir(folder)
        os.mkfifo(said)
        with open(os.path.join(folder, 'xdg-open'), 'w', encoding='ascii') as file:
            file.write(STAND_IN % said)
        os.chmod(os.path.join(folder, 'xdg-open'), 0o755)
        server = self.view(*words, DISPLAY=':7', PATH='%s:%s' % (folder, os.environ['PATH']))
        with open(said, encoding='ascii') as file:
            self.url, self.blocked = file.read().splitlines()
        parts = urllib.parse.urlsplit(self.url)
        self.assertEqual((parts.scheme, parts.netloc), ('http', server.host))
        return server, parts

    def test_redirected_once(self):
        """The arguments of the browser have no token; the address in them leads to the page once."""
        server, parts = self.open(sample('one-cpu'))
        self.assertNotIn(server.path.strip('/'), self.url)
        status, headers, _ = server.request(parts.path)
        self.assertEqual((status, headers['Location'], headers['Cache-Control']), (303, server.path, 'no-store'))
        status, _, body = server.request(parts.path)
        self.assertEqual((status, body.split('. ')[1]), (403, 'Open the address that it printed.\n'))
        self.assertEqual(server.request(server.path)[0], 200)

    def test_refused(self):
        """A ticket is no token, and pages of other sites cannot use it."""
        server, parts = self.open(sample('one-cpu'))
        name = parts.path.split('/')[-1]
        for path, headers in (('/%s/' % name, {}), ('/open/', {}), ('/open/' + name[:-1], {}), (parts.path + '0', {}),
                              (parts.path + '/', {}), ('/open/' + server.path.strip('/'), {}),
                              (parts.path, {'Host': 'example.org'}), (parts.path, {'Origin': 'http://example.org'}),
                              (parts.path, {'Origin': 'http://' + server.host}), (parts.path, {'Origin': 'null'})):
            self.assertEqual(server.request(path, **headers)[0], 403, path)
        self.assertEqual(server.request(parts.path)[0], 303)

    @unittest.skipUnless(is_root(), 'only root can become another user')
    def test_another_user(self):
        """It gets nothing, and the browser still gets the page."""
        server, parts = self.open(sample('one-cpu'))
        self.assertEqual(server.request('/')[0], 403)  # loads modules, which the user may not be able to read
        os.seteuid(NOBODY)
        try:
            self.assertEqual(server.request(parts.path)[0], 403)
        finally:
            os.seteuid(0)
        self.assertEqual(server.request(parts.path)[0], 303)

    def test_nobody_gets_the_address(self):
        """The server ends if there is no room for the address and no browser."""
        with open('/dev/full', 'wb') as full:
            result = ltt('view', '--no-browser', sample('one-cpu'), stdout=full)
        self.assertEqual(result.status, 2)
        self.assertIn('No space left on device', result.err)

    def test_options_and_signals(self):
        """What --align adds to the address stays; the browser can be ended by signals."""
        server, parts = self.open('--align', 'core.irq_entry:2', sample('one-cpu'), sample('sparse-cpus'))
        self.assertEqual(parts.fragment, 'panel=compare&align=core.irq_entry%3A2')
        self.assertTrue(server.url.endswith('#' + parts.fragment))
        self.assertEqual(int(self.blocked.split()[1], 16), 0)


if __name__ == '__main__':
    unittest.main()
