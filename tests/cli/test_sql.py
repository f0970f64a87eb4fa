"""ltt sql: questions about a trace in SQL."""
import json

from command import CommandTest, ltt, sample, samples


def rows(path, query, *options):
    """The rows of a query as a list of lists of values."""
    result = ltt('sql', '--format', 'json', *options, path, query)
    return [list(json.loads(line).values()) for line in result.out.splitlines()]


class Counts(CommandTest):
    def test_every_table_equals_stat(self):
        for path in samples('ltt', 'ltt-extra', 'ltt-damaged'):
            stat = json.loads(ltt('stat', '--all', '--json', path).out)
            expected = stat['by_event']
            names = ltt('sql', path, '.tables all').lines
            types = dict(rows(path, 'SELECT table_name, type FROM types'))
            found = {}
            for name in names:
                if name in types:
                    base = types[name] if types[name] in expected else types[name].rsplit('_', 1)[0]
                    found[base] = found.get(base, 0) + rows(path, 'SELECT count(*) FROM "%s"' % name)[0][0]
            self.assertEqual({name: n for name, n in found.items() if n > 0}, expected, path)
            self.assertEqual(rows(path, 'SELECT count(*) FROM events', '--all')[0][0], stat['events'], path)


class Joins(CommandTest):
    def test_the_hash(self):
        path = sample('sparse-cpus')
        plan = rows(path, 'EXPLAIN QUERY PLAN SELECT count(*) FROM named_move a JOIN named_draw b ON a.cpu = b.cpu')
        self.assertIn('hash(cpu)', str(plan))
