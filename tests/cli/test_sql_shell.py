"""ltt sql: the shell on a terminal, scripts, formats, mistakes, and what a query must not do."""
import gzip
import json
import os
import pty
import random
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess

import small_trace
from command import ALL, DATA, ENVIRONMENT, LTT, SANITIZER_STATUS, CommandTest, ltt, sample

# A query that runs until it is cancelled.
ENDLESS = 'WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c) SELECT count(*) FROM c'


class Terminal:
    """The shell on a terminal of its own."""

    def __init__(self, folder, trace, state=None):
        self.text = ''
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            environment = dict(ENVIRONMENT, TERM='dumb', XDG_STATE_HOME=state or folder, HOME=folder)
            os.execve(LTT, [LTT, 'sql', trace], environment)

    def expect(self, text):
        """Reads until a text comes, and returns what was before it."""
        while text not in self.text:
            ready, _, _ = select.select([self.file], [], [], 60)
            if not ready:
                raise AssertionError('%r does not come: %r' % (text, self.text))
            try:
                self.text += os.read(self.file, 4096).decode('utf-8')
            except OSError as error:
                raise AssertionError('%r does not come: %r' % (text, self.text)) from error
        before, self.text = self.text.split(text, 1)
        return before

    def type(self, text):
        os.write(self.file, text.encode('utf-8'))

    def end(self):
        status = os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])
        os.close(self.file)
        return status


class Shell(CommandTest):
    def setUp(self):
        super().setUp()
        self.terminal = Terminal(self.folder, sample('sparse-cpus'))
        self.terminal.expect('ltt> ')

    def test_statements_and_commands(self):
        self.terminal.type('SELECT count(*) AS n\n')
        self.terminal.expect('...> ')
        self.terminal.type('FROM core_irq_entry;\n')
        self.assertIn('155', self.terminal.expect('ltt> '))
        self.terminal.type('.tables\n')
        self.assertIn('core_irq_exit', self.terminal.expect('ltt> '))
        self.terminal.type('.mode csv\n')
        self.terminal.expect('ltt> ')
        self.terminal.type("SELECT 'a,b' AS x;\n")
        self.assertIn('"a,b"', self.terminal.expect('ltt> '))
        self.terminal.type('.quit\n')
        self.assertEqual(self.terminal.end(), 0)
        with open(self.path('ltt/sql-history'), encoding='utf-8') as file:
            self.assertIn('core_irq_entry', file.read())

    def test_a_relative_folder_is_ignored(self):
        """The history is then in the default folder, as the XDG Base Directory Specification demands."""
        terminal = Terminal(self.folder, sample('sparse-cpus'), 'relative-state')
        terminal.expect('ltt> ')
        terminal.type('SELECT 4711;\n.quit\n')
        self.assertEqual(terminal.end(), 0)
        with open(self.path('.local/state/ltt/sql-history'), encoding='utf-8') as file:
            self.assertIn('4711', file.read())
        self.assertFalse(os.path.exists('relative-state'))

    def test_a_mistake_does_not_end_it(self):
        self.terminal.type('SELECT cuont(*) FROM events;\n')
        self.assertIn('no such function', self.terminal.expect('ltt> '))
        self.terminal.type('SELECT 6 * 7;\n')
        self.assertIn('42', self.terminal.expect('ltt> '))
        self.terminal.type('.quit\n')
        self.assertEqual(self.terminal.end(), 2)

    def test_interrupts(self):
        """Ctrl-C stops a query, and drops the lines that were typed."""
        self.terminal.type(ENDLESS + ';\n')
        self.terminal.expect('FROM c;')
        for _ in range(600):
            os.kill(self.terminal.pid, signal.SIGINT)
            if select.select([self.terminal.file], [], [], 0.1)[0]:
                self.terminal.text += os.read(self.terminal.file, 4096).decode('utf-8')
            if 'cancelled' in self.terminal.text:
                break
        self.terminal.expect('cancelled')
        self.terminal.expect('ltt> ')
        self.terminal.type('SELECT 6 * 7;\n')
        self.terminal.expect('42')
        self.terminal.type('.quit\n')
        self.assertEqual(self.terminal.end(), 2)


class Scripts(CommandTest):
    def script(self, text, *options):
        done = subprocess.run([LTT, 'sql', *options, sample('sparse-cpus')], input=text.encode('utf-8'), stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, env=ENVIRONMENT, timeout=120, check=False)
        self.assertNotIn(done.returncode, (SANITIZER_STATUS, -11), done.stderr)
        return done.returncode, done.stdout.decode('utf-8'), done.stderr.decode('utf-8')

    def test_from_a_pipe(self):
        text = '.mode csv\nCREATE VIEW x AS\n  SELECT count(*) AS n FROM core_irq_entry;\nSELECT n FROM x; SELECT 1'
        self.assertEqual(self.script(text), (0, 'n\n155\n1\n1\n', ''))

    def test_the_first_mistake_ends_it(self):
        status, out, err = self.script('SELECT 1;\nSELECT * FROM nothing_of_that_kind;\nSELECT 2;')
        self.assertEqual((status, out.split()), (2, ['1', '---', '1']))
        self.assertIn('nothing_of_that_kind', err)

    def test_a_statement_of_megabytes(self):
        status, out, err = self.script("SELECT '%s';" % ('x' * 2000000))
        self.assertEqual((status, out), (2, ''))
        self.assertIn('too big', err)

    def test_formats(self):
        query = "SELECT 1 AS a, 'x|\"y' AS b, NULL AS c, 0.1 AS d, x'ff' AS e"
        for name, expected in (('text', 'a   b       c    d  e\n---  ----  ---  ---  ---\n  1  x|"y       0.1  ff\n'),
                               ('csv', 'a,b,c,d,e\n1,"x|""y",,0.1,ff\n'),
                               ('json', '{"a":1,"b":"x|\\"y","c":null,"d":0.1,"e":"ff"}\n'),
                               ('markdown', '| a | b | c | d | e |\n')):
            out = ltt('sql', '--format', name, sample('one-cpu'), query).out
            if name == 'markdown':
                self.assertIn('x\\|"y', out)
            elif name == 'text':
                self.assertEqual(out.split(), expected.split())
            else:
                self.assertEqual(out, expected)

    def test_queries_without_a_space(self):
        """A statement is no name of a trace; a word that only begins like one is."""
        trace = sample('one-cpu')
        for query in ('VALUES(1)', 'values(1)', 'SELECT(1)', 'select+1', "Select'1'", 'WITH\ta(x)AS(VALUES(1))SELECT*FROM\ra',
                      'explain\fvalues(1)', 'SELECT(1);', 'EXPLAIN/**/VALUES(1)', 'pragma\ntable_list'):
            result = ltt('sql', '--format=csv', trace, query)
            self.assertEqual((result.status, result.err), (0, ''), query)
            self.assertTrue(result.out, query)
        for query in ('VACUUM', 'begin', 'DROP/**/VIEW/**/x', 'PRAGMA"user_version"', 'INSERT/**/INTO/**/types/**/VALUES(1)'):
            self.assert_failed(ltt('sql', trace, query), 'ltt sql: ')
            self.assertNotIn('directory', ltt('sql', trace, query).err, query)
        for path in ('values', 'values-1', 'select.tar', 'with_errors', 'end/1', 'selects', 'explain2', 'no-such-trace'):
            result = ltt('sql', trace, path)
            self.assertEqual(result.status, 2)
            if path != 'values':
                self.assertIn('no such directory', result.err, path)
        self.copy(trace, 'values')
        result = ltt('sql', '--format=csv', 'values', 'values(2)', cwd=self.folder)
        self.assertEqual((result.lines, result.err), (['column1', '2'], ''))

    def test_equal_names_of_columns(self):
        """An object of JSON has each name once."""
        out = ltt('sql', '--format', 'json', sample('one-cpu'), 'SELECT 1 AS a, 2 AS a, 3 AS a_1, 4 AS b').out
        self.assertEqual(out, '{"a":1,"a_1":2,"a_1_1":3,"b":4}\n')

    def test_control_bytes_do_not_reach_a_terminal(self):
        out = ltt('sql', sample('one-cpu'), "SELECT char(27) || '[31m' AS x").out
        self.assertNotIn('\x1b', out)

    def test_saved_tables(self):
        path = self.path('events.sqlite')
        result = ltt('sql', '-o', path, sample('sparse-cpus'))
        self.assertEqual(result.status, 0, result.err)
        database = sqlite3.connect(path)
        self.assertEqual(database.execute('SELECT count(*) FROM events').fetchone(), (1200,))
        self.assertEqual(database.execute('SELECT count(*) FROM core_irq_entry').fetchone(), (155,))
        again = ltt('sql', '-o', path, sample('sparse-cpus'))
        self.assertEqual(again.status, 2)
        self.assertIn('exists', again.err.lower())

    def test_saved_tables_and_other_files(self):
        """Neither a file of the name, nor one of the temporary name, is overwritten."""
        trace = sample('sparse-cpus')
        for name in ('events', 'out.part0'):
            with open(self.path(name), 'w', encoding='utf-8') as file:
                file.write('precious')
        os.symlink('nowhere', self.path('link'))
        for name in ('events', 'link'):
            self.assert_failed(ltt('sql', '-o', self.path(name), trace), name + ': File exists')
        self.assert_failed(ltt('sql', '-o', '', trace), '-o FILE is missing; see `ltt sql --help`')
        self.assert_failed(ltt('sql', '-o', self.path('no', 'such'), trace), 'no/such: No such file or directory')
        self.assertEqual(ltt('sql', '-o', self.path('out'), trace).status, 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ['events', 'link', 'out', 'out.part0'])
        for name in ('events', 'out.part0'):
            with open(self.path(name), encoding='utf-8') as file:
                self.assertEqual(file.read(), 'precious')

    def test_damage_is_reported_once(self):
        """With the exit status of ltt dump, also if the trace is read twice."""
        path = sample(os.listdir(os.path.join(os.path.dirname(sample('one-cpu')), '../ltt-damaged'))[0].split('.')[0])
        dumped = ltt('dump', path)
        result = ltt('sql', path, 'SELECT count(*) FROM events; SELECT count(*) FROM events')
        self.assertEqual(result.status, dumped.status)
        lines = [line for line in result.err.splitlines() if 'block' in line]
        self.assertEqual(len(lines), len(set(lines)))

    def test_several_traces(self):
        result = ltt('sql', '--format', 'csv', sample('one-cpu'), sample('sparse-cpus'),
                     'SELECT trace, host, count(*) FROM events GROUP BY 1, 2 ORDER BY 3')
        self.assertEqual([line.split(',')[2] for line in result.lines], ['count(*)', '300', '1200'])

    def on_another_host(self, trace, name):
        """A copy of a trace with another name of the machine."""
        copy = self.copy(trace, name)
        path = os.path.join(copy, 'info/system.xml')
        with open(path, encoding='utf-8') as file:
            text = file.read()
        with open(path, 'w', encoding='utf-8') as file:
            file.write(re.sub('node_name="[^"]*"', 'node_name="%s"' % name, text))
        return copy

    def check_places(self, table, *traces):
        """Rows of several traces have the trace and host of their begin event; `SELECT *` of one trace omits them."""
        numbers = 'count(*), min(time), max(time) FROM ' + table
        result = ltt('sql', '--format=csv', *traces, 'SELECT trace, host, %s GROUP BY 1, 2 ORDER BY 1' % numbers)
        self.assertEqual(result.status, 0, result.err)
        alone = [ltt('sql', '--format=csv', trace, 'SELECT ' + numbers).lines[1] for trace in traces]
        self.assertEqual(result.lines[1:], ['%s,%s,%s' % (trace, os.path.basename(trace), line)
                                            for trace, line in zip(traces, alone) if line != '0,,'], table)
        self.assertNotIn('host', ltt('sql', '--format=csv', traces[0], 'SELECT * FROM %s LIMIT 1' % table).lines[0])

    def test_derived_rows_of_several_traces(self):
        one, other = self.on_another_host(sample('one-cpu'), 'a'), self.on_another_host(sample('sparse-cpus'), 'b')
        for table in ('spans', "pairs('core.irq_entry', 'core.irq_exit', 'cpu')", "pairs('core.irq_entry', 'core.irq_exit')"):
            self.check_places(table, one, other)

    def sched(self):
        """A trace of the scheduler."""
        recording, trace = self.path('recording'), self.path('trace')
        with gzip.open(os.path.join(DATA, 'states/sched.data.gz')) as packed, open(recording, 'wb') as file:
            shutil.copyfileobj(packed, file)
        self.assert_done(ltt('import', recording, '-o', trace))
        return trace

    def test_states_of_several_traces(self):
        trace = self.sched()
        for table in ('sched', 'thread_state'):
            self.check_places(table, *(self.on_another_host(trace, '%s-%d' % (table, i)) for i in range(2)))

    def test_threads_of_two_recordings_of_a_machine(self):
        """Nothing that a thread did goes from one recording to the next one, as it would if they overlapped."""
        first, second = self.sched(), self.path('second')
        shutil.copytree(first, second)
        for table in ('sched', 'thread_state', "pairs('sched.sched_switch', 'raw_syscalls.sys_enter', 'thread')"):
            query = 'SELECT count(*), sum(dur), sum(dur % 1000003) FROM ' + table
            alone = ltt('sql', '--format=csv', first, query).lines[1]
            both = ltt('sql', '--format=csv', '--offset', '2=10', first, second, query + ' GROUP BY trace ORDER BY trace')
            self.assertEqual(both.lines[1:], [alone, alone], table)


class Mistakes(CommandTest):
    def test_the_nearest_name(self):
        for query, said in (('SELECT * FROM core_irq_entri', 'did you mean core_irq_entry?'),
                            ('SELECT irqid FROM core_irq_entry', 'did you mean irq_id?'),
                            ('SELECT "no such" FROM core_irq_entry', 'no such column'),
                            ("SELECT * FROM pairs('core.irq_entri', 'core.irq_exit')", 'did you mean core.irq_entry?'),
                            ("SELECT * FROM pairs('core.irq_entry', 'core.irq_exit', 'nothing')", 'nothing'),
                            ('SELECT * FROM pairs', 'pairs()'),
                            ('SELECT percentile(time, 101) FROM events', 'from 0 to 100'),
                            ('SELECT bucket(1, 0)', 'above 0'),
                            ('.schem', 'did you mean .schema?')):
            result = ltt('sql', sample('sparse-cpus'), query)
            self.assertEqual(result.status, 2, query)
            self.assertIn(said, result.err, query)

    def test_values_that_a_column_never_has(self):
        """A label that the enum does not have, or an unknown event, causes a warning with the nearest name, and exit status 1."""
        enum = "'%s': core_schedchange.out_state never has this value"
        near = enum + "; did you mean '%s'?"
        zombie, running = near % ('zombi', 'Zombie'), near % ('Runing', 'Running')
        for query, said in (("out_state = 'zombi'", [zombie]), ("'zombi' == out_state", [zombie]), ("s.out_state <> 'zombi'", [zombie]),
                            ("OUT_STATE != 'zombi' /* 'no' */", [zombie]), ("out_state IS NOT 'zombi'", [zombie]),
                            ("out_state IN ('Zombie', 'zombi', 'Runing')", [zombie, running]),
                            ('"s"."out_state" NOT IN (\'Runing\') -- out_state = \'no\'', [running]),
                            ("CASE WHEN out_state = 'Runing' THEN 1 END", [running]), ("out_state = 'it''s'", [enum % "it's"]),
                            ("out_state = ''", [enum % '']),
                            # What is right, or may be:
                            ("out_state = 'Zombie'", []), ("out_state = '77'", []), ("out_state = '-5'", []), ("out_state > 'no'", []),
                            ("out_state || '' = 'no'", []), ("'a' || out_state = 'no'", []), ("out_state = 'no' || ''", []),
                            ("lower(out_state) = 'no'", []), ("out_state LIKE 'no'", []), ("tracefile = 'no'", []),
                            ("out_state COLLATE NOCASE = 'zombie'", []), ("s.tracefile IN ('no')", [])):
            result = ltt('sql', sample('sparse-cpus'), 'SELECT count(*) FROM core_schedchange AS s WHERE ' + query)
            self.assertEqual((result.err, result.status), (''.join('ltt sql: %s\n' % one for one in said), 1 if said else 0), query)
        span = "ltt sql: '%s': spans.name never has this value; did you mean 'core.irq'?\n"
        event = "ltt sql: 'core.irq_entri': %s.type never has this value; did you mean 'core.irq_entry'?\n"
        for query, said in (("SELECT data FROM events WHERE type = 'core.irq_entri'", event % 'events'),
                            ("SELECT sum(type = 'core.irq_entri') FROM types", event % 'types'),
                            ("SELECT 1 FROM spans WHERE state = 'opn'", "ltt sql: 'opn': spans.state never has this value; did you mean 'open'?\n"),
                            ("SELECT * FROM (SELECT 'no' AS type FROM events) WHERE type = 'no' LIMIT 1", ''),
                            ("WITH c(type, b) AS (SELECT type || '!', 1 FROM events) SELECT 1 FROM c WHERE type = 'core.irq_entry!'", ''),
                            ("SELECT 1 FROM events, spans WHERE name = 'core.irk'", span % 'core.irk'),
                            ("SELECT 1 FROM spans JOIN processes p WHERE spans.name IN ('core.irqs') AND p.name > ''", ''),
                            ("SELECT 1 FROM spans s WHERE s.name IN ('core.irq', 'core.irqs')", span % 'core.irqs'),
                            ("SELECT max(name = 'x') FROM spans", "ltt sql: 'x': spans.name never has this value\n"),
                            ("SELECT 1 FROM spans WHERE name = 'core.irq'", ''), ("SELECT 1 FROM spans WHERE args = 'no'", ''),
                            ("SELECT 'a' = 'b', 'type' IN ('x')", '')):
            result = ltt('sql', sample('sparse-cpus'), query)
            self.assertEqual((result.err, result.status), (said, 1 if said else 0), query)

    def test_forbidden(self):
        path = self.path('written')
        for query in ("ATTACH '%s' AS x" % path, "VACUUM INTO '%s'" % path, 'CREATE TABLE x(a)', 'CREATE TEMP TABLE x(a)',
                      'INSERT INTO core_irq_entry(time) VALUES(1)', 'DELETE FROM events', 'UPDATE events SET time = 1',
                      "SELECT load_extension('x')", 'PRAGMA writable_schema = 1', 'PRAGMA temp_store_directory = "/"',
                      'CREATE TRIGGER t AFTER INSERT ON x BEGIN SELECT 1; END', 'DROP TABLE events', 'BEGIN', 'ANALYZE',
                      'CREATE VIRTUAL TABLE x USING fts5(a)', "DELETE FROM sqlite_master", "SELECT writefile('%s', 'x')" % path,
                      "SELECT readfile('/etc/passwd')", 'SELECT * FROM pragma_database_list', "SELECT fts3_tokenizer('x', x'00')"):
            result = ltt('sql', sample('one-cpu'), query)
            self.assertEqual((result.status, result.out), (2, ''), query)
        self.assertFalse(os.path.exists(path))

    def test_drop_view(self):
        """A view can be dropped, also one that hides a table; a table of the trace cannot."""
        result = ltt('sql', sample('one-cpu'), '--format=csv', 'CREATE VIEW v AS SELECT 1 AS a; DROP VIEW v; CREATE VIEW v AS SELECT 2 AS a; SELECT a FROM v; '
                     'DROP VIEW IF EXISTS v; SELECT count(*) AS views FROM sqlite_master WHERE type = \'view\' AND name = \'v\'')
        self.assertEqual((result.status, result.out, result.err), (0, 'a\n2\nviews\n0\n', ''))
        for temporary in ('', 'TEMP '):
            result = ltt('sql', sample('one-cpu'), '--format=csv', 'CREATE %sVIEW types AS SELECT 1 AS a; SELECT * FROM types; DROP VIEW types; '
                         'SELECT count(*) > 1 AS b FROM types' % temporary)
            self.assertEqual((result.status, result.out, result.err), (0, 'a\n1\nb\n1\n', ''))
        for query, said in (('CREATE VIEW v AS SELECT 1; DELETE FROM v', 'cannot modify v because it is a view'),
                            ('DROP VIEW v', 'no such view: v'),
                            ('DROP TABLE events', 'not allowed: a statement can read, create a view, or drop one')):
            result = ltt('sql', sample('one-cpu'), query)
            self.assertEqual((result.status, result.err), (2, 'ltt sql: %s\n' % said), query)

    def test_limits(self):
        """Each query ends with an error before it uses all memory of the machine."""
        for query in ('SELECT length(zeroblob(1000000000))', 'SELECT ' + '(' * 1000 + '1' + ')' * 1000,
                      'SELECT ' + ' + '.join(['1'] * 5000), 'SELECT ' + ', '.join(['1'] * 3000),
                      ' UNION ALL '.join(['SELECT 1'] * 1000),
                      "SELECT 'a' LIKE '%s'" % ('%a' * 1000),
                      "SELECT printf('%.*c', 2000000000, 'x')", "SELECT format('%s%.2000000000c', 'x', 'y')",
                      "SELECT printf('%-*d', -2000000000, 1)",
                      "SELECT hex(zeroblob(30000000)) LIKE '%' || hex(zeroblob(400)) || '1'",
                      "SELECT hex(zeroblob(30000000)) GLOB '*' || hex(zeroblob(400)) || '1'",
                      "SELECT trim(hex(zeroblob(30000000)), hex(zeroblob(30000000)))",
                      "SELECT json_patch(hex(zeroblob(30000000)), hex(zeroblob(30000000)))",
                      "SELECT strftime(replace(hex(zeroblob(%d)), '00', '%s'), 0)" % ((3000000, '%J') if ALL else (1700000, '%Y')),
                      'SELECT length(replace(hex(zeroblob(30000000)), hex(zeroblob(100000)), hex(zeroblob(400000))))',
                      "WITH RECURSIVE c(x) AS (SELECT 'x' UNION ALL SELECT x || x FROM c) SELECT max(length(x)) FROM c"):
            self.assertEqual(ltt('sql', sample('one-cpu'), '.mode csv\n' + query).status, 2, query[:80])

    def test_functions_of_a_row(self):
        """The more functions a statement calls, the shorter are its values: SQLite cannot be stopped between the calls."""
        def ask(n_bytes, selected):
            return ltt('sql', sample('one-cpu'), 'WITH a AS MATERIALIZED (SELECT hex(zeroblob(%d)) AS x) SELECT %s FROM a'
                       % (n_bytes // 2, selected))

        limit = 32 << 20
        for selected in (['length(x)'] * 100, ['x + 1'] * 800, ['-x || - 1'] * 400, ["'+-*/' IN (x, -2)", *['abs(x)'] * 100]):
            self.assert_done(ask(limit // 102 - 100, ', '.join(selected)))
            self.assert_failed(ask(limit // 102 + 2, ', '.join(selected)),
                               'ltt sql: string or blob too big: it can have %d bytes in this statement\n' % (limit // 102))
        result = ltt('sql', sample('one-cpu'), 'CREATE VIEW v AS SELECT %s FROM (SELECT hex(zeroblob(200000)) AS x);'
                     'SELECT * FROM v' % ', '.join('quote(x) AS c%d' % i for i in range(100)))
        self.assertIn('too big', result.err)

    def test_functions_that_are_repeated(self):
        """A column of a subquery is computed for each use of it, and operators of a view count like those of the statement."""
        text = "SELECT hex(zeroblob(%d)) AS x FROM events LIMIT 1 OFFSET 0"
        view = 'CREATE VIEW v AS SELECT %s FROM (%s);' % (', '.join("x || 'a' AS c%d" % i for i in range(1000)), text)
        for query in (view + 'SELECT * FROM v', ';;\n' + view + ';; \n SELECT * FROM v',
                      'SELECT %s FROM (SELECT lower(x) AS y FROM (%s))' % (', '.join(['y < 1'] * 200), text)):
            self.assert_done(ltt('sql', sample('one-cpu'), query.replace('%d', '50000')))
            result = ltt('sql', sample('one-cpu'), query.replace('%d', '500000'))
            self.assertEqual((result.status, 'string or blob too big' in result.err), (2, True), query[:80])

    def test_many_doubts(self):
        """The time to check a list is linear, and the number of warnings is limited."""
        result = ltt('sql', sample('one-cpu'), "SELECT count(*) FROM events WHERE type IN (%s)" % ', '.join("'x%d'" % i for i in range(8000)))
        lines = result.err.splitlines()
        self.assertEqual((result.status, len(lines)), (1, 101))
        self.assertEqual(lines[0], "ltt sql: 'x0': events.type never has this value")
        self.assertEqual(lines[100], 'ltt sql: 7900 more comparisons with texts that the columns never have')

    def test_paths(self):
        """A path passes the elements of an array one by one."""
        for function, part in (('json_remove', ", '$[#-1]'"), ('json_extract', ", '$[#-1]'"), ('json_set', ", '$[#-1]', 1"),
                               ('json_insert', ", '$[#-1]', 1"), ('json_replace', ", '$[#-1]', 1")):
            for n_more, status in ((58, 0), (60, 2)):
                result = ltt('sql', sample('one-cpu'), "WITH RECURSIVE c(x, n) AS (SELECT '1,', 0 UNION ALL SELECT x || x, n + 1 FROM c WHERE n < 21) "
                             "SELECT length(%s('[' || x || '1]'%s)) > 0 FROM c WHERE n = 21"
                             % (function, part * (n_more // part.count(','))))
                self.assertEqual(result.status, status, (function, n_more, result.err))

    def test_decreasing_times(self):
        """A file whose blocks do not show that its times decrease: the query reports it (test_falling_times.py has others)."""
        path = sample('clock-set-back')
        result = ltt('sql', '--format', 'csv', path, 'SELECT time FROM events ORDER BY +time')
        times = [int(line) for line in result.lines[1:]]
        self.assertEqual(times, sorted(times))
        result = ltt('sql', '--format', 'csv', path, 'SELECT time FROM events ORDER BY time')
        if result.status == 2:
            self.assertIn('ORDER BY +time', result.err)
        else:
            self.assertEqual([int(line) for line in result.lines[1:]], times)


class Functions(CommandTest):
    def values(self, query):
        result = ltt('sql', '--format', 'csv', sample('one-cpu'), query)
        self.assertEqual(result.status, 0, result.err)
        return result.lines[-1]

    def test_functions(self):
        numbers = '(SELECT 1 AS x UNION ALL SELECT 2 UNION ALL SELECT 3 UNION ALL SELECT 4)'
        for expression, expected in (('percentile(x, 50)', '2'), ('percentile(x, 0)', '1'), ('percentile(x, 100)', '4'),
                                     ('percentile(x, 75.1)', '4'), ('percentile(x, 25)', '1'), ('median(x)', '2'), ('median(x + 0.5)', '2.5')):
            self.assertEqual(self.values('SELECT %s FROM %s' % (expression, numbers)), expected, expression)
        for expression, expected in (('bucket(17, 10)', '10'), ('bucket(-1, 10)', '-10'), ('bucket(20, 10)', '20'),
                                     ("bucket(2500, '1us')", '2000'), ("bucket('17', '10')", '10'),
                                     ('dur(0)', '0 ns'), ('dur(999)', '999 ns'), ('dur(1250)', '1.25 us'),
                                     ('dur(2500000)', '2.50 ms'), ('dur(12345678901)', '12.3 s'), ('dur(-1500)', '-1.50 us'),
                                     ('dur(999499)', '999 us'), ('dur(999500)', '1.00 ms'), ('dur(-999999999)', '-1.00 s'),
                                     ('dur(12.4)', '12 ns'), ('dur(-0.4)', '0 ns'), ('dur(999.5)', '1.00 us'), ('dur(9223372036854775807)', '9223372037 s'),
                                     ("dur('18446744073709551615')", '18446744074 s'), ('dur(-9e18 - 9e18)', '-18000000000 s'),
                                     ('overlaps(0, 10, 9, 5)', '1'), ('overlaps(0, 10, 10, 5)', '0'), ('overlaps(9223372036854775807, 0, 9223372036854775807, 0)', '1'), ('overlaps(5, 0, 0, 10)', '1'),
                                     ('median(NULL)', ''), ('dur(NULL)', ''), ('bucket(NULL, 1)', '')):
            self.assertEqual(self.values('SELECT %s' % expression), expected, expression)
        for wrong in ("bucket(1, '10 apples')", "bucket(1, 'ms')", 'bucket(1, 0)', 'bucket(1, -5)', "bucket('x', 10)",
                      "overlaps('x', 1, 2, 3)", "bucket(1, '0ms')"):
            self.assertEqual(ltt('sql', sample('one-cpu'), 'SELECT ' + wrong).status, 2, wrong)

    def test_those_that_replace_others(self):
        """They have a limit on their time, and the same results as those of SQLite."""
        numbers = random.Random(13)
        values = ["''", "'a'", "'%'", "'a%b_c'", "'AB'", "'ä'", "'aäbaäb'", "'*[a-c]?'", "'b%%'", "x'61c3a4'", "x''", "x'a4'", '12',
                  '-1.5', 'NULL', "'aaab'", "'_b_'", "CAST(x'61006200' AS TEXT)", "'%d %s'", "'%5.3f|%-8s|%c'", "'%*d%.*s'",
                  "'{\"a\":1}'", "'{\"a\":null,\"b\":2}'"]
        forms = (('instr(%s, %s)', 2), ('replace(%s, %s, %s)', 3), ('%s LIKE %s', 2), ("%s LIKE %s ESCAPE 'a'", 2), ('%s NOT GLOB %s', 2),
                 ('trim(%s, %s)', 2), ('ltrim(%s)', 1), ('rtrim(%s, %s)', 2), ('printf(%s, %s, %s)', 3), ('format(%s, %s)', 2),
                 ('printf(%s, 3, 4, 5)', 1), ("strftime('%Y-%j %f', %s)", 1), ('strftime(%s, %s)', 2), ("strftime('%H', %s, '+1 day', 'utc')", 1),
                 ("json_patch('{\"a\":{}}', %s)", 1), ("json_array(json_patch('{\"a\":{}}', %s))", 1),
                 ("json_array(json_set('{}', '$.a', json('[1, 2]')" + ", '$.b', %s" * 8 + '))', 8),
                 ("json_array(json_extract('[[1],2]'" + ", '$[#-1]', '$[0]'" * 8 + '))', 0),
                 ("json_array(json_remove('[[1],2,[3]]'" + ", '$[#-9]'" * 16 + ", '$[1]'))", 0),
                 ('%s = %s COLLATE NOCASE', 2), ('max(%s, %s COLLATE NOCASE)', 2), ("'aB'||char(0)||'c' < 'Ab'||char(0)||%s COLLATE NOCASE", 1))
        calls = [form.replace('%s', '\1') for form, _ in forms for _ in range(60)]
        while any('\1' in call for call in calls):
            calls = [call.replace('\1', numbers.choice(values), 1) for call in calls]
        database = sqlite3.connect(':memory:')
        wanted, asked = [], []
        for call in calls:
            query = 'SELECT hex(%s), typeof(%s)' % (call, call)
            try:
                wanted.append(list(database.execute(query))[0])
                asked.append(query.replace('SELECT ', 'SELECT %d AS n, ' % len(asked)))
            except sqlite3.OperationalError:
                self.assertEqual(ltt('sql', sample('one-cpu'), query).status, 2, query)
        found = [json.loads(line) for i in range(0, len(asked), 300)
                 for line in ltt('sql', '--format', 'json', sample('one-cpu'), ';'.join(asked[i:i + 300])).lines]
        self.assertEqual(len(found), len(wanted))
        for query, values, row in zip(asked, wanted, found):
            self.assertEqual(tuple(row.values())[1:], values, query)
        self.assertGreater(len(wanted), 500)

    def test_integers_above_those_of_sqlite(self):
        """They are texts, which compare by number."""
        trace = self.path('large')
        numbers = [2 ** 63 - 1, 2 ** 63, 9999999999999999999, 10 ** 19, 2 ** 64 - 1, 5]
        small_trace.write(trace, '<facility name="x"><event name="y"><uint size="8"/></event></facility>', {
            'cpu/0': [[(10 + i, 'y', struct.pack('<Q', number)) for i, number in enumerate(numbers)]]})
        for query, expected in (('SELECT max(value), min(value) FROM x_y', [[str(2 ** 64 - 1), 5]]),
                                ('SELECT value FROM x_y ORDER BY value DESC LIMIT 3', [[str(2 ** 64 - 1)], [str(10 ** 19)], ['9' * 19]]),
                                ("SELECT count(*) FROM x_y WHERE value > '9999999999999999998'", [[3]]),
                                ('SELECT count(*) FROM x_y WHERE value > 100', [[5]]),
                                ("SELECT count(*) FROM x_y WHERE value = '10000000000000000000'", [[1]]),
                                ('SELECT count(*) FROM x_y a JOIN x_y b ON a.value = b.value', [[6]]),
                                ('SELECT count(DISTINCT value) FROM x_y', [[6]])):
            result = ltt('sql', '--format', 'json', trace, query)
            self.assertEqual([list(json.loads(line).values()) for line in result.lines], expected, query)

    def test_functions_of_large_numbers(self):
        """They are exact for texts of integers above 2^63-1, and for integers among reals."""
        for values, half, most in ((('18446744073709551615', '9223372036854775809', '9223372036854775808'), '9223372036854775809', '18446744073709551615'),
                                   ((2**53 + 1, '%d.0' % 2**53), '9007199254740992.0', '9007199254740993'),
                                   ((2**63 - 1, '%d.0' % 2**63, '1.0'), '9223372036854775807', '9.223372036854776e+18'),
                                   (('18446744073709551615', '18446744073709551616.0', -1), '18446744073709551615', '1.8446744073709552e+19'),
                                   ((5, '5.5', 6, '-5.5', -6), '5', '6'), (('-1e999', 0, '1e999'), '0', 'inf'),
                                   (('1.5', '2.5', '0.5'), '1.5', '2.5')):
            listed = ','.join("('%s')" % value if isinstance(value, str) and '.' not in value and 'e' not in value else '(%s)' % value
                              for value in values)
            for order in ('1', '1 DESC'):
                result = self.values('SELECT median(column1), percentile(column1, 100) FROM (SELECT * FROM (VALUES %s) ORDER BY %s)' % (listed, order))
                self.assertEqual(result, half + ',' + most, listed)
        self.assertIn('expected numbers', ltt('sql', sample('one-cpu'), "SELECT median('18446744073709551616x')").err)

    def histogram(self, *values):
        result = ltt('sql', '--format', 'json', sample('one-cpu'), 'SELECT histogram(column1) AS h FROM (VALUES %s)' % ','.join('(%s)' % value for value in values))
        self.assertEqual(result.status, 0, result.err)
        return [line.split(' #')[0] for line in json.loads(result.out)['h'].splitlines()]

    def test_rows_of_histograms(self):
        self.assertEqual(self.histogram(-9, -8, -5, '-4.5', -4, -3, -2, '-1.5', -1, '-0.25', 0, '0.5', 1, '1.9', 2, 'NULL'),
                         ['[-16, -8) 1', '[-8, -4) 3', '[-4, -2) 2', '[-2, -1) 2', '[-1, 0) 2', '[0, 1) 2', '[1, 2) 2', '[2, 4) 1'])
        self.assertEqual(self.histogram(2**63 - 1, "'9223372036854775808'", "'18446744073709551615'", '18446744073709551616.0', '36893488147419103232.0'),
                         ['[4611686018427387904, 9223372036854775808) 1', '[9223372036854775808, 18446744073709551616) 2',
                          '[18446744073709551616, 3.6893488147419103e+19) 1', '[3.6893488147419103e+19, 7.3786976294838206e+19) 1'])
        self.assertEqual(self.histogram('-9223372036854775807 - 1', '-9223372036854775807'), ['[-9223372036854775808, -4611686018427387904) 2'])
        self.assertEqual(self.histogram('1e999', '1.7e308'), ['[8.9884656743115795e+307, Inf] 2'])
        self.assertEqual(self.histogram('-1e999', '-1.7e308'), ['[-Inf, -8.9884656743115795e+307) 2'])
        rng = random.Random(3)
        for _ in range(20):
            numbers = [rng.choice((-1, 1)) * rng.choice((rng.randrange(40), rng.random() * 10, 2 ** rng.randrange(9))) for _ in range(50)]
            found = {}
            for row in self.histogram(*numbers):
                low, high, n = re.fullmatch(r'\[(-?[0-9]+), (-?[0-9]+)\) ([0-9]+)', row).groups()
                found[int(low), int(high)] = int(n)
            self.assertEqual(found, {(low, high): sum(low <= number < high for number in numbers) for low, high in found})
            self.assertEqual(sum(found.values()), len(numbers))

    def test_span_left_join_of_unknown_partitions(self):
        """NULL equals no partition, so the rows of the first side remain whole, as with LEFT JOIN."""
        script = ("CREATE VIEW a AS SELECT column1 AS time, column2 AS dur, column3 AS k, column4 AS x FROM (VALUES (5, 4, NULL, 14), (6, 9, NULL, 15), (5, 4, 1, 16), (0, 2, 'a', 17));"
                  'CREATE VIEW b AS SELECT column1 AS time, column2 AS dur, column3 AS k, column4 AS y FROM (VALUES (5, 2, NULL, 94), (5, 2, 1, 95));'
                  'CREATE VIRTUAL TABLE s USING %s(a PARTITIONED k, b PARTITIONED k); SELECT * FROM s')
        rows = lambda kind: ltt('sql', '--format', 'csv', sample('one-cpu'), script % kind).lines[1:]
        self.assertEqual(rows('span_left_join'), ['5,4,,14,', '6,9,,15,', '5,2,1,16,95', '7,2,1,16,', '0,2,a,17,'])
        self.assertEqual(rows('span_join'), ['5,2,1,16,95'])

    def test_span_join_of_partitions_of_any_type(self):
        """The pairs are those of an ordinary join."""
        left = ('1', '1.2', '2', '9007199254740993', "'1'", "''", "'a'", "x'31'", "x''", '-1.5', '1e300', "'18446744073709551615'")
        right = ('1.0', '1.7', '2', '9007199254740992.0', "'1'", "''", "'a' || char(0) || 'b'", "x'3132'", "x''", '-1.5', '-1e300', '1.8446744073709551615e19')
        views = ''.join('CREATE VIEW %s AS SELECT 7 AS time, 5 AS dur, column1 AS k, 1 AS %s FROM (VALUES (%s));' % (name, column, '), ('.join(values))
                        for name, column, values in (('a', 'x', left), ('b', 'y', right)))
        joined, plain = (ltt('sql', '--format', 'csv', sample('one-cpu'), views + end).lines[1:] for end in (
            'CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED k, b PARTITIONED k); SELECT typeof(k), hex(k) FROM s ORDER BY 1, 2',
            'SELECT typeof(a.k), hex(a.k) FROM a, b WHERE a.k = b.k ORDER BY 1, 2'))
        self.assertEqual(joined, plain)
        self.assertEqual(len(joined), 6)

    def test_span_join_in_a_view(self):
        script = 'CREATE VIEW v AS SELECT time, dur FROM spans; CREATE VIRTUAL TABLE both USING span_join(v, spans); '
        self.assertEqual(ltt('sql', '--format=csv', sample('sparse-cpus'),
                             script + 'CREATE VIEW w AS SELECT * FROM both; SELECT count(*) = (SELECT count(*) FROM both) FROM w').lines[-1], '1')
        result = ltt('sql', sample('sparse-cpus'), script + 'CREATE TEMP VIEW v AS SELECT time, dur FROM both; SELECT count(*) FROM both')
        self.assertEqual((result.status, result.err), (2, 'ltt sql: span_join: one reads itself, or more than 16 read each other\n'))

    def test_span_join_of_a_collation(self):
        """The partitions of a column that sorts without case are joined by their bytes."""
        views = ''.join("CREATE VIEW %s AS SELECT 1 AS time, 9 AS dur, column1 COLLATE NOCASE AS k, 1 AS %s FROM (VALUES ('B'), ('a'), ('C'));" % names
                        for names in (('a', 'x'), ('b', 'y')))
        result = ltt('sql', '--format', 'csv', sample('one-cpu'), views +
                     'CREATE VIRTUAL TABLE s USING span_join(a PARTITIONED k, b PARTITIONED k); SELECT k FROM s ORDER BY k COLLATE BINARY')
        self.assertEqual(result.lines[1:], ['B', 'C', 'a'])

    def test_span_join(self):
        script = ('CREATE VIEW a AS SELECT 0 AS ts, 10 AS dur, 1 AS k, \'p\' AS n UNION ALL SELECT 20, 10, 1, \'q\';'
                  'CREATE VIEW b AS SELECT 3 AS ts, 4 AS dur, 1 AS k, \'x\' AS m UNION ALL SELECT 8, 20, 1, \'y\';'
                  'CREATE VIRTUAL TABLE s USING %s(a PARTITIONED k, b PARTITIONED k); SELECT * FROM s')
        result = ltt('sql', '--format', 'csv', sample('one-cpu'), script % 'span_join')
        self.assertEqual(result.lines, ['ts,dur,k,n,m', '3,4,1,p,x', '8,2,1,p,y', '20,8,1,q,y'])
        result = ltt('sql', '--format', 'csv', sample('one-cpu'), script % 'span_left_join')
        self.assertEqual(result.lines[1:], ['0,3,1,p,', '3,4,1,p,x', '7,1,1,p,', '8,2,1,p,y', '20,8,1,q,y', '28,2,1,q,'])
        result = ltt('sql', sample('one-cpu'), 'CREATE VIRTUAL TABLE s USING span_join(events, types)')
        self.assertIn('expected the columns time and dur', result.err)
