"""Every value of every sample trace is what `ltt dump --format=json` prints: by iteration and by columns."""
import os
import unittest
import warnings
from collections import defaultdict

import ltt
from support import BASE, TraceTest, column_names, dump, same, samples, time_ns

try:
    import pyarrow
    import arrow_rows
except ImportError:
    pyarrow = None


def cpu_of(event):
    name = event['tracefile']
    return int(name[4:]) if name.startswith('cpu/') else None


def data_of(event):
    """The fields of an event of a dump; an event that is no struct is `value`."""
    return event['data'] if isinstance(event['data'], dict) else {'value': event['data']}


class Values(TraceTest):
    def each(self, check, least):
        """Calls check() with each trace and the events of its dump. It returns how much it has compared."""
        self.assertGreater(len(samples()), 20)
        n_compared = 0
        for path in samples():
            with self.subTest(trace=os.path.basename(path)), warnings.catch_warnings(record=True) as caught:
                warnings.simplefilter('always')
                events, messages = dump(path, '--all')
                try:
                    trace = ltt.open(path)
                except ltt.Error as error:
                    self.assertEqual((events, messages), ([], [str(error)]))
                    continue
                with trace:
                    n_compared += check(trace, events)
                    for _ in trace.events(hidden=True):  # for problems in tracefiles that check() did not read
                        pass
                    self.assertEqual([str(problem) for problem in trace.problems], list(dict.fromkeys(messages)))
                    self.assertEqual([str(warning.message) for warning in caught], list(dict.fromkeys(messages)))
        self.assertGreater(n_compared, least)

    def check_events(self, trace, expected):
        events = list(trace.events(hidden=True))
        self.assertEqual(len(events), len(expected))
        for event, line in zip(events, expected):
            self.assertEqual((event.time_ns, event.tracefile, event.name),
                             (time_ns(line['time']), line['tracefile'], line['event']))
            self.assertEqual((event.pid, event.tid), (line.get('pid'), line.get('tid')))
            self.assertEqual((event.facility, event.cpu), (line['event'].split('.')[0], cpu_of(line)))
            self.assertTrue(same(event.data, line['data']), (event, line))
            fields = {'value': event.data} if list(event) == ['value'] and event.data != dict(event) else event.data
            self.assertEqual(repr(dict(event)), repr(fields))
            self.assertEqual(repr({name: event[name] for name in event}), repr(fields))
        return len(events)

    def test_events(self):
        self.each(self.check_events, 5000)

    def check_columns(self, trace, events):
        """Rows in order of time, if they are in one table."""
        expected = defaultdict(list)
        for event in events:
            expected[event['event']].append(event)
        n_rows = 0
        for name, lines in expected.items():
            if name + '_2' in trace.tables:
                continue
            rows = list(trace.table(name, ordered=True))
            self.assertEqual(len(rows), len(lines))
            for row, line in zip(rows, lines):
                self.assertEqual([row.pop(column) for column in BASE],
                                 [time_ns(line['time']), cpu_of(line), line.get('pid'), line.get('tid')])
                row = {column: value for column, value in row.items() if value is not None}
                if list(row) == ['value'] and isinstance(row['value'], dict):
                    row = column_names(row['value'])
                self.assertTrue(same(row, column_names(data_of(line))), (row, line))
            n_rows += len(rows)
        return n_rows

    def test_columns(self):
        self.each(self.check_columns, 5000)

    def check_arrow(self, trace, _):
        n_rows = 0
        for name in trace.tables:
            table = trace.table(name)
            whole = pyarrow.table(table)
            whole.validate(full=True)
            self.assertEqual((whole.schema, whole.column_names), (pyarrow.schema(table), table.columns))
            got = [{**base, **data} for base, data in arrow_rows.rows(whole)]
            rows = [{column: value for column, value in row.items() if column in BASE or value is not None}
                    for row in table]
            self.assertEqual(len(got), len(rows))
            for one, other in zip(got, rows):
                self.assertTrue(same(other, one), (one, other))
            n_rows += len(rows)
        return n_rows

    @unittest.skipIf(pyarrow is None, 'pyarrow is not installed')
    def test_arrow(self):
        """pyarrow gets the rows that iteration over the table gives."""
        self.each(self.check_arrow, 5000)


if __name__ == '__main__':
    unittest.main()
