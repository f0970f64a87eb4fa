"""Headers in programs of several files, languages, libraries and facilities."""
import os

from codegen.compiling import COMPILERS, GCC, GXX, ONE_EVENT, STUB, CompileTest
from command import SOURCE, run

STRING_EVENT = '<facility name="%s"><event name="%s"><string/></event></facility>'


class Together(CompileTest):
    """One facility in several files and libraries, and several facilities in one program."""

    def test_several_files_have_one_facility(self):
        self.header('app', ONE_EVENT % ('app', 'e'))
        first = self.write('first.c', """
            #include "app.h"
            #include "app.h"
            int second(void);
            int main(void)
            {
                trace_app_e(1);
                return second() + (int)stub_count_facilities() - 1;
            }""")
        second = self.write('second.c', """
            #include "app.h"
            int second(void);
            int second(void) { trace_app_e(2); return 0; }""")
        program = self.program(GCC, 'both', first, second)
        self.assertEqual(self.do(program), 'app 0 01000000\napp 0 02000000\n')

    def test_c_and_cxx(self):
        self.header('app', '<facility name="app"><event name="e"><struct><field name="s"><struct>'
                    '<field name="nothing"><struct/></field><field name="x"><uint size="4"/></field>'
                    '</struct></field></struct></event></facility>')
        first = self.write('first.c', """
            #include "app.h"
            void second(const struct app_e_s *s);
            int main(void)
            {
                struct app_e_s s;
                memset(&s, 0, sizeof(s));
                s.x = 5;
                trace_app_e(&s);
                second(&s);
                return (int)stub_count_facilities() - 1;
            }""")
        second = self.write('second.cpp', """
            extern "C" {
            #include "app.h"
            void second(const struct app_e_s *s);
            }
            void second(const struct app_e_s *s) { trace_app_e(s); }""")
        program = self.link(GXX, 'both', self.compile(GCC, first), self.compile(GXX, second), self.stub())
        self.assertEqual(self.do(program), 'app 0 05000000\n' * 2)

    def test_shared_library_has_its_own(self):
        self.header('app', ONE_EVENT % ('app', 'e'))
        library = self.write('library.c', """
            #include "app.h"
            void library(void);
            void library(void) { trace_app_e(2); }""")
        program = self.write('program.c', """
            #include "app.h"
            void library(void);
            int main(void)
            {
                trace_app_e(1);
                library();
                return (int)stub_count_facilities() - 2;
            }""")
        self.do('gcc', '-shared', self.compile(GCC, library, '-fPIC'), '-o', 'library.so')
        program = self.link(GCC, 'program', self.compile(GCC, program), './library.so', self.stub())
        self.assertEqual(self.do(program), 'app 0 01000000\napp 0 02000000\n')

    def test_names_that_run_together_the_same_way(self):
        """trace_a_b_c() of two facilities, in two files of one program"""
        self.header('one', STRING_EVENT % ('a', 'b_c'))
        self.header('two', STRING_EVENT % ('a_b', 'c'))
        for compiler in (GCC, GXX):
            first = self.write('first.c', """
                #include "one.h"
                void second(void);
                int main(void) { trace_a_b_c("1"); second(); return 0; }""")
            second = self.write('second.c', """
                #include "two.h"
                void second(void);
                void second(void) { trace_a_b_c("2"); }""")
            program = self.program(compiler, 'both', first, second)
            self.assertEqual(self.do(program), 'a 0 3100\na_b 0 3200\n')

    def test_two_versions_in_one_file(self):
        self.header('one', ONE_EVENT % ('app', 'e'))
        self.header('two', ONE_EVENT % ('app', 'f'))
        source = self.write('both.c', '#include "one.h"\n#include "two.h"\n')
        result = run('gcc', '-I', STUB, '-fsyntax-only', source)
        self.assertEqual(result.status, 1)
        self.assertIn('#error "two versions of the facility app"', result.err)

    def test_two_versions_in_one_program(self):
        """Each file uses its own version."""
        self.header('one', ONE_EVENT % ('app', 'e'))
        self.header('two', STRING_EVENT % ('app', 'e'))
        first = self.write('first.c', """
            #include "one.h"
            void second(void);
            int main(void) { trace_app_e(1); second(); return (int)stub_count_facilities() - 2; }""")
        second = self.write('second.c', """
            #include "two.h"
            void second(void);
            void second(void) { trace_app_e("2"); }""")
        program = self.program(GCC, 'both', first, second)
        self.assertEqual(self.do(program), 'app 0 01000000\napp 0 3200\n')

    def test_beside_the_reading_library(self):
        """A facility may have names like those of the library, such as ltt_facility_new()."""
        cflags = run('pkg-config', '--cflags', 'glib-2.0').out.split()
        for name in ('new', 'free', 'get_name'):
            self.header(name, ONE_EVENT % (name, 'e'))
            source = self.write('main.c', """
                #include <ltt/ltt.h>
                #include "%s.h"
                void trace(void);
                void trace(void) { trace_%s_e(1); }""" % (name, name))
            for compiler in (GCC, GXX):
                self.compile(compiler, source, *cflags, warnings=['-Wall', '-Werror'],
                             probe=os.path.join(SOURCE, 'libltt/include'))

    def test_the_header_of_the_probe_has_no_warnings(self):
        self.header('app', '<facility name="app"><event name="e"/><event name="f"><string/></event>'
                    '<event name="g"><uint size="8"/></event></facility>')
        source = self.write('main.c', """
            #include "app.h"
            void trace(void);
            void trace(void) { trace_app_e(); trace_app_f("x"); trace_app_g(1); }\n""")
        for compiler in COMPILERS:
            with self.subTest(compiler=compiler):
                self.compile(compiler, source, '-Wsign-conversion', probe=os.path.join(SOURCE, 'libltt/include'))

    def test_several_facilities_in_one_header(self):
        xml = self.write('two.xml', ONE_EVENT % ('one', 'e') + ONE_EVENT % ('two', 'e'))
        self.header('two', xml)
        source = self.write('main.c', """
            #include "two.h"
            int main(void) { trace_one_e(1); trace_two_e(2); return 0; }""")
        self.assertEqual(self.do(self.program(GCC, 'main', source)),
                         'one 0 01000000\ntwo 0 02000000\n')
