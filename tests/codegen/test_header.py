"""`ltt compile --header`: its output, and when it writes nothing."""
import os

from codegen.compiling import ONE_EVENT, CompileTest
from command import ltt


class Header(CompileTest):
    """`ltt compile --header`: output files and refusals."""

    def refuse(self, *words, header='-'):
        """The command must fail on app.xml with a one-line message that contains these words."""
        self.assert_failed(ltt('compile', '--header', header, self.path('app.xml')), *words)

    def test_standard_output_and_file_are_the_same(self):
        self.header('app', ONE_EVENT % ('app', 'e'))
        self.assert_done(ltt('compile', '--header', '-', self.path('app.xml')), self.read('app.h'))

    def test_nothing_is_written_for_a_wrong_description(self):
        xml = self.write('app.xml', ONE_EVENT % ('app', 'e') + ONE_EVENT % ('bad', '5'))
        self.assertEqual(ltt('compile', '--header', self.path('app.h'), xml).status, 2)
        self.assertFalse(os.path.exists(self.path('app.h')))

    def test_warnings_do_not_prevent_it(self):
        xml = self.write('app.xml', '<facility name="app"><event name="e" colour="red"/></facility>')
        self.assertEqual(ltt('compile', '--header', self.path('app.h'), xml).status, 1)
        self.assertIn('trace_app_e(void)', self.read('app.h'))

    def test_facilities_that_have_no_header(self):
        self.write('app.xml', ONE_EVENT % ('builtin', 'e'))
        self.refuse('facility "builtin": ')
        self.write('app.xml', ONE_EVENT % ('app', 'e') * 2)
        self.refuse('facility "app" is described twice')

    def test_file_that_cannot_be_written(self):
        self.write('app.xml', ONE_EVENT % ('app', 'e'))
        self.refuse('missing/app.h: could not create: No such file or directory',
                    header=self.path('missing', 'app.h'))
        if os.path.exists('/dev/full'):
            self.refuse('/dev/full: could not write: No space left on device', header='/dev/full')

    def check_too_long(self, fields):
        """A short description of a header of gigabytes."""
        xml = '<struct>%s</struct>' % fields
        for i in range(40):
            name = 'n' * 250 + str(i)
            xml = '<struct><field name="%s">%s</field></struct>' % (name, xml)
        self.write('app.xml', '<facility name="app"><event name="e">%s</event></facility>' % xml)
        self.refuse('facility "app": its header would be longer than 67108864 bytes')

    def test_names_too_long(self):
        self.check_too_long(''.join('<field name="f%d"><enum size="1">A</enum></field>' % i
                                    for i in range(20000)))

    def test_expressions_too_long(self):
        self.check_too_long('<field name="s"><string/></field>' +
                            ''.join('<field name="f%d"><uint size="1"/></field>' % i
                                    for i in range(20000)))
