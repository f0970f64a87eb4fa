#!/usr/bin/env python3
"""Top talkers: the most frequent values of a field, or those with the largest sum of another field."""
import collections

import events

EPILOG = """examples:
  top.py --field name --event core.file_open TRACE       the files that are opened most often
  top.py --field pid TRACE                               the processes with the most events
  top.py --field path --sum bytes --event 'io.*' TRACE   the files with the most bytes

FIELD is a field of the data, at any depth, such as rect.width; or event, tracefile, pid or tid."""


def value_of(event, path):
    if path in ('event', 'tracefile', 'pid', 'tid'):
        return event.name if path == 'event' else getattr(event, path)
    return event.get(path)


def main():
    parser = events.Parser(__doc__, EPILOG)
    parser.add_argument('--field', required=True, metavar='FIELD', help='the field whose values are counted')
    parser.add_argument('--event', metavar='GLOB[,GLOB]', help='only events with matching names')
    parser.add_argument('--sum', metavar='FIELD', help='add up this field instead of counting events')
    parser.add_argument('-n', type=int, default=10, metavar='N', dest='most', help='print N values; the default is 10')
    options = parser.parse_args()
    counts, sums, missing = collections.Counter(), collections.Counter(), 0
    for event in events.read(options, options.event):
        value = value_of(event, options.field)
        amount = value_of(event, options.sum) if options.sum else 1
        if value is None or not isinstance(amount, (int, float)):
            missing += 1
            continue
        value = str(value)
        counts[value] += 1
        sums[value] += amount
    total = sum(sums.values())
    order = sorted(sums, key=lambda value: (-sums[value], value))[:options.most]
    headings = [options.sum, '%', 'events', '<' + options.field] if options.sum else ['events', '%', '<' + options.field]
    rows = []
    for value in order:
        share = '%.1f' % (100 * sums[value] / total if total else 0)
        rows.append(([sums[value]] if options.sum else []) +
                    ([share, counts[value]] if options.sum else [counts[value], share]) + [value])
    events.show_table(headings, rows)
    print('\n%d values in %d events; %d events do not have the field%s'
          % (len(sums), sum(counts.values()), missing, 's' if options.sum else ''))


events.run(main)
