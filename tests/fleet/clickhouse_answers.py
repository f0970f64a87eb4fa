"""clickhouse_answers.py - makes tables by `ltt export --to clickhouse-ddl` in ClickHouse, fills them, and prints answers as JSON.

usage: clickhouse_answers.py LTT FOLDER TRACE...     the traces become tables of one database
       clickhouse_answers.py LTT FOLDER --each TRACE...     each its own; prints the number of rows of each event type
"""
import json
import os
import subprocess
import sys

from chdb import session

ROWS = '''#!/bin/sh
event=$1
shift
exec %s export --to arrow --event "$event" -o - "$@"
'''


class Database:
    """ClickHouse, with a folder of scripts for executable()."""

    def __init__(self, ltt, folder):
        self.ltt, self.folder, self.refused = ltt, folder, []
        scripts = os.path.join(folder, 'scripts')
        os.mkdir(scripts)
        script = os.path.join(scripts, 'ltt-rows')
        with open(script, 'w', encoding='utf-8') as file:
            file.write(ROWS % ltt)
        os.chmod(script, 0o755)
        config = os.path.join(folder, 'config.xml')
        with open(config, 'w', encoding='utf-8') as file:
            file.write('<clickhouse><user_scripts_path>%s/</user_scripts_path></clickhouse>' % scripts)
        self.session = session.Session('%s/database?config-file=%s' % (folder, config))

    def export(self, *words):
        return subprocess.run([self.ltt, 'export', *words], check=False, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout

    def ask(self, query):
        text = self.session.query(query, 'JSONCompactEachRow').bytes().decode('utf-8', 'replace')
        return [json.loads(line) for line in text.splitlines()]

    def load(self, traces):
        """Makes and fills the tables. Returns: the event types"""
        for statement in self.export('--to', 'clickhouse-ddl', '-o', '-', *traces).decode().split(';\n'):
            if statement.strip():
                self.session.query(statement)
        out = os.path.join(self.folder, 'tables')
        self.export('--to', 'arrow', '--split', '-o', out, *traces)
        names = sorted(name[:-len('.arrow')] for name in os.listdir(out))
        for name in names:
            try:
                self.session.query("INSERT INTO %s FROM INFILE '%s/%s.arrow' FORMAT ArrowStream" % (table(name), out, name))
            except Exception as error:  # pylint: disable=broad-exception-caught
                if 'non-positive list size 0' not in str(error):
                    raise
                self.refused.append(name)
            os.remove('%s/%s.arrow' % (out, name))
        os.rmdir(out)
        return names


def table(name):
    return name.replace('.', '_').replace('-', '_')


def answer(database, traces):
    database.load(traces)
    names = [row[0] for row in database.ask("SELECT name FROM system.columns WHERE table = 'http_request' ORDER BY position")]
    columns = dict({name: name for name in names}, time='toUnixTimestamp64Nano(time)', key='hex(key)', body='hex(body)',
                   cause="(cause.tag, cause.code, cause.text)", corners='arrayMap(c -> (c.x, c.side), corners)', at='(at.row, at.name)')
    settings = ' SETTINGS output_format_json_quote_64bit_integers = 0'
    places = 'toString(intDiv(id, 2)), id'
    executable = "executable('ltt-rows http.request %s', 'ArrowStream', 'id UInt64, trace LowCardinality(String)')" % ' '.join(traces[:3])
    return {
        'names': names,
        'rows': database.ask('SELECT %s FROM http_request%s' % (', '.join('%s AS c%d' % (columns[name], i) for i, name in enumerate(names)),
                                                                settings)),
        'counts': {name: database.ask('SELECT count() FROM ' + table(name) + settings)[0][0]
                   for name in ('http.request', 'http.response', 'http.tick')},
        'sums': database.ask('''SELECT count(), toString(sum(toUInt128(id))), toString(sum(toUInt128(window))), sum(delta), sum(load), sum(bytes),
            countIf(status = 'OK'), sum(retries), toString(sum(toUInt128(at.row))), sum(cause.code) FROM http_request''' + settings)[0],
        'in_place': [database.ask('SELECT trace, toString(sum(toUInt128(id))) FROM %s GROUP BY trace ORDER BY trace%s' % (source, settings))
                     for source in (executable, 'http_request WHERE trace IN (%s)' % ', '.join(map(repr, traces[:3])))],
        'places': database.ask('SELECT %s FROM http_request ORDER BY id DESC LIMIT 1%s' % (places, settings)),
    }


def main():
    ltt, folder, *traces = sys.argv[1:]
    database = Database(ltt, folder)
    if traces[0] != '--each':
        print(json.dumps(answer(database, traces)))
        return
    counts = {}
    for number, trace in enumerate(traces[1:]):
        database.session.query('CREATE DATABASE d%d' % number)
        database.session.query('USE d%d' % number)
        database.refused = []
        names = database.load([trace])
        counts[trace] = {'rows': {name: int(database.ask('SELECT count() FROM ' + table(name))[0][0]) for name in names},
                         'size 0': database.refused}
    print(json.dumps(counts))


if __name__ == '__main__':
    main()
