"""ltt compile --offline: structs are written with exact bytes, and read back from traces of any version."""
import glob
import os
import subprocess

from codegen.compiling import CXX, WARNINGS, CompileTest
from codegen.test_cases import CASES, name_of
from command import BUILD, SOURCE, ltt, run, thorough

SEED = 1901
FACILITIES = 12
ARCHITECTURES = 8  # two byte orders, four sets of sizes
SANITIZE = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all']
# The standard allows designated initializers in C++.
CLANG = ('clang', '-x', 'c', '-std=gnu17', '-O0', *SANITIZE)
CLANGXX = ('clang++', *CXX, '-std=gnu++20', '-O0', *SANITIZE)
LIBRARY = os.path.join(BUILD, 'lib', 'libltt.a')
INCLUDE = os.path.join(SOURCE, 'libltt', 'include')


def pkg_config(*words):
    return subprocess.run(['pkg-config', *words], stdout=subprocess.PIPE, text=True, check=True).stdout.split()


class OfflineTest(CompileTest):
    def offline(self, name, xml):
        """Generates NAME.h from a description, given as a path or as text."""
        if not os.path.exists(xml):
            xml = self.write(name + '.xml', xml)
        self.assert_done(ltt('compile', '--offline', self.path(name + '.h'), xml), '')

    def build(self, compiler, source, *warnings):
        """Returns: the path of a program that is linked with libltt and its sanitizers"""
        made = self.path('main')
        self.do(*compiler, *warnings, '-Werror', '-I', self.folder, '-I', INCLUDE, *pkg_config('--cflags', 'glib-2.0'),
                source, '-x', 'none', LIBRARY,
                *pkg_config('--libs', 'glib-2.0', 'libxml-2.0', 'libzstd', 'zlib'), '-larchive', '-o', made)
        return made


@thorough
class Headers(OfflineTest):
    """Every case and every shipped description compiles without warnings."""

    def check(self, xml):
        self.offline('case', xml)
        for compiler in (('gcc', '-x', 'c', '-std=c11', '-Wstrict-prototypes'), ('clang', '-x', 'c', '-std=c11'),
                         ('g++', *CXX, '-std=c++11', '-Wuseless-cast', '-Wold-style-cast'),
                         ('clang++', *CXX, '-std=c++17')):
            with self.subTest(name_of(xml), compiler=compiler[0]):
                self.do(*compiler, *WARNINGS, '-isystem', INCLUDE,
                        *[flag.replace('-I', '-isystem') for flag in pkg_config('--cflags', 'glib-2.0')],
                        '-fsyntax-only', self.write('case.c', '#include "%s"\n' % self.path('case.h')))

    def test_cases(self):
        for xml in CASES:
            self.check(xml)

    def test_what_ships(self):
        for xml in sorted(glob.glob(os.path.join(SOURCE, 'eventdefs', '*.xml'))):
            self.check(xml)

    def test_both_kinds_at_once(self):
        xml = self.write('app.xml', '<facility name="app"><event name="e"><uint size="4"/></event></facility>')
        self.assert_done(ltt('compile', '--header', self.path('app.h'), '--offline', self.path('off.h'), xml), '')
        self.assertIn('trace_app_e(uint32_t value)', self.read('app.h'))
        self.assertIn('write_app_e(LttPayload *ltt_payload', self.read('off.h'))
        twice = self.write('twice.xml', self.read('app.xml') * 2)
        self.assert_failed(ltt('compile', '--offline', '-', twice), '--offline: facility "app" is described twice')


class Random(OfflineTest):
    """Random facilities: the bytes of structs written once, and of structs read and written again."""

    def check(self, architecture, compiler):
        result = run(os.path.join(BUILD, 'tests', 'random-structs'), SEED + architecture, FACILITIES, self.folder,
                     architecture)
        self.assert_done(result, '')
        expected = self.read('calls.expect').splitlines()
        self.assertGreater(len(expected), 200)
        program = self.build(compiler, self.path('structs.c'), '-Wall', '-Wextra', '-Wno-missing-field-initializers')
        lines = self.do(program, self.path('calls.ltt')).splitlines()
        self.assertEqual(lines[:len(expected)], expected)
        self.assertEqual(lines[len(expected):], expected)


for number in range(ARCHITECTURES):
    setattr(Random, 'test_architecture_%d' % number, lambda self, number=number: self.check(number, CLANG))
setattr(Random, 'test_as_cxx', lambda self: self.check(3, CLANGXX))

# Versions of an event in a trace and in a program.
OLD = """<facility name="app">
  <event name="gone"/>
  <event name="e"><struct>
    <field name="unknown"><string/></field>
    <field name="wide"><uint size="8"/></field>
    <field name="name"><string/></field>
    <field name="points"><sequence lengthsize="1"><struct>
      <field name="x"><int size="2"/></field><field name="z"><uint size="1"/></field>
    </struct></sequence></field>
    <field name="one"><union typecodesize="1">
      <field name="number"><uint size="4"/></field><field name="other"><string/></field>
    </union></field>
  </struct></event>
  <event name="text"><string/></event>
</facility>"""
NEW = """<facility name="app">
  <event name="text"><string/></event>
  <event name="e"><struct>
    <field name="name"><string/></field>
    <field name="wide"><int size="2"/></field>
    <field name="one"><union typecodesize="2">
      <field name="added"><uint size="1"/></field><field name="number"><uint size="8"/></field>
    </union></field>
    <field name="points"><sequence lengthsize="4"><struct>
      <field name="x"><int size="8"/></field>%s
    </struct></sequence></field>
  </struct></event>
</facility>"""
ADDED = '<field name="y"><int size="4"/></field>'

WRITE = r"""
#include "old.h"
#include <ltt/ltt.h>

static LttPayload payload;
static LttTracefileWriter *file;
static guint64 cycles;

static void put(guint32 base, guint index)
{
    if (!ltt_tracefile_writer_event(file, ++cycles, (guint16)(base + index), payload.bytes->data, payload.bytes->len, NULL))
        g_assert_not_reached();
}

int main(int argc, char **argv)
{
    static const struct app_e_points points[] = {{-7, 9}, {300, 8}};
    struct app_e e = {"u", 12345, "n", {2, points}, {app_e_one_code_number, {99}}};
    const struct app_text text = {"words"};
    LttSystem *system = ltt_system_new();
    LttTraceWriter *writer;
    GPtrArray *remarks = g_ptr_array_new_with_free_func((GDestroyNotify)ltt_remark_free);
    GPtrArray *facilities = ltt_eventdefs_read(argv[argc - 1], remarks, NULL);
    guint32 base;

    ltt_system_set(system, "cpu", "1");
    ltt_system_set(system, "arch_size", "LP64");
    ltt_system_set(system, "endian", "big");
    ltt_system_set(system, "ltt_major_version", "2");
    ltt_system_set(system, "ltt_minor_version", "0");
    ltt_system_set(system, "ltt_block_size", "4096");
    if (!ltt_system_seal(system, NULL))
        return 1;
    writer = ltt_trace_writer_new(argv[1], system, NULL, NULL);
    if (!ltt_trace_writer_load(writer, facilities->pdata[0], &base, NULL))
        return 1;
    file = ltt_trace_writer_open(writer, "cpu/0", NULL);
    ltt_payload_init(&payload, ltt_trace_writer_get_arch(writer));
    write_app_e(&payload, &e);
    put(base, app_e_index);
    write_app_text(&payload, &text);
    put(base, app_text_index);
    ltt_payload_reset(&payload);
    put(base, app_gone_index);
    e.wide = 40000; /* too large for the other version */
    write_app_e(&payload, &e);
    put(base, app_e_index);
    e.wide = 1;
    e.one.code = app_e_one_code_other;
    e.one.u.other = "o";
    write_app_e(&payload, &e);
    put(base, app_e_index);
    /* What no description allows is refused. */
    e.points.length = 256;
    write_app_e(&payload, &e);
    if (ltt_tracefile_writer_event(file, ++cycles, (guint16)(base + app_e_index), payload.bytes->data, payload.bytes->len, NULL))
        return 1;
    e.points.length = 0;
    e.one.code = 2;
    write_app_e(&payload, &e);
    if (ltt_tracefile_writer_event(file, ++cycles, (guint16)(base + app_e_index), payload.bytes->data, payload.bytes->len, NULL))
        return 1;
    ltt_payload_clear(&payload);
    if (!ltt_trace_writer_close(writer, NULL))
        return 1;
    ltt_trace_writer_free(writer);
    ltt_system_free(system);
    g_ptr_array_unref(facilities);
    g_ptr_array_unref(remarks);
    return 0;
}
"""

READ = r"""
#include "new.h"
#include <ltt/ltt.h>
#include <stdio.h>

static void show(LttOfflineReader *reader, const LttEvent *event)
{
    GError *error = NULL;
    struct app_e e;
    struct app_text text;

    switch (ltt_offline_reader_find(reader, event)) {
    case app_text_index:
        if (read_app_e(reader, event, &e, NULL) || e.name != NULL)
            puts("wrong");
        if (read_app_text(reader, event, &text, &error))
            puts(text.value);
        break;
    case app_e_index:
        read_app_e(reader, event, &e, &error);
        printf("name=%s wide=%d code=%u number=%d points=", e.name, e.wide, e.one.code, (int)e.one.u.number);
        for (gsize i = 0; i < e.points.length; i++)
            printf("(%d)", (int)e.points.items[i].x);
        printf(" %s\n", error != NULL ? error->message : "");
        break;
    default:
        puts("unknown");
        break;
    }
    g_clear_error(&error);
}

int main(int argc, char **argv)
{
    LttTrace *trace = ltt_trace_open(argv[argc - 1], NULL);
    LttMerge *merge = ltt_merge_new(trace, NULL);
    LttOfflineReader *reader = ltt_offline_reader_new(&ltt_offline_app);
    const LttEvent *event;

    while (ltt_merge_next(merge, &event, NULL) == LTT_STEP_EVENT)
        if (event->role == LTT_ROLE_ORDINARY)
            show(reader, event);
    ltt_offline_reader_free(reader);
    ltt_merge_free(merge);
    ltt_trace_free(trace);
    return 0;
}
"""


class Versions(OfflineTest):
    """The trace has another version of the facility than the program."""

    def check(self, added, expected):
        self.offline('old', OLD)
        self.offline('new', NEW % added)
        writer = self.build(CLANG, self.write('write.c', WRITE), '-Wall', '-Wextra')
        self.do(writer, self.path('old.ltt'), self.path('old.xml'))
        reader = self.build(CLANG, self.write('read.c', READ), '-Wall', '-Wextra')
        lines = self.do(reader, self.path('old.ltt')).splitlines()
        self.assertEqual([line.rstrip() for line in lines], expected)

    def test_fields_in_another_order_and_size(self):
        place = 'cpu/0: block 0: byte %d: event app.e: '
        self.check('', ['name=n wide=12345 code=1 number=99 points=(-7)(300)', 'words', 'unknown',
                        'name=n wide=0 code=1 number=99 points=(-7)(300) ' + place % 74 +
                        'number too large in the field wide',
                        'name=n wide=1 code=0 number=0 points=(-7)(300) ' + place % 104 +
                        'unknown member in the field one'])

    def test_missing_field(self):
        lacks = 'its description has no field points[].y of the expected type'
        place = ' cpu/0: block 0: byte %d: event app.e: '
        self.check(ADDED, ['name=n wide=12345 code=1 number=99 points=(-7)(300)' + place % 26 + lacks, 'words',
                           'unknown',
                           'name=n wide=0 code=1 number=99 points=(-7)(300)' + place % 74 +
                           'number too large in the field wide',
                           'name=n wide=1 code=0 number=0 points=(-7)(300)' + place % 104 +
                           'unknown member in the field one'])
