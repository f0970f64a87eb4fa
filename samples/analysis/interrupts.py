#!/usr/bin/env python3
"""Interrupts per second, by interrupt number and interval, from core.irq_entry."""
import collections
from decimal import Decimal

import events

EPILOG = """The first interval begins with the first interrupt. Names come from control/interrupts, if the trace has
this file. Intervals without interrupts are omitted."""


def count(options, interval_ns):
    """(start of the first interval, index of interval -> Counter of numbers, number -> name)"""
    start_ns, intervals, names = None, collections.defaultdict(collections.Counter), {}
    for event in events.read(options, 'core.irq_entry', ['interrupts.interrupt']):
        if event.name == 'interrupts.interrupt':
            names[event.data['number']] = event.data['name']
            continue
        start_ns = event.time_ns if start_ns is None else start_ns
        intervals[(event.time_ns - start_ns) // interval_ns][event.data['irq_id']] += 1
    return start_ns, intervals, names


def rate(n_events, interval_ns):
    return '%.*f' % (0 if n_events * events.SECOND >= 100 * interval_ns else 2, n_events * events.SECOND / interval_ns)


def main():
    parser = events.Parser(__doc__, EPILOG)
    parser.add_argument('-n', type=int, default=8, metavar='N', dest='most',
                        help='columns for the N most frequent interrupts; the default is 8')
    parser.add_argument('--interval', type=Decimal, default=Decimal(1), metavar='S',
                        help='length of an interval in seconds, such as 0.01; the default is 1')
    options = parser.parse_args()
    interval_ns = int(options.interval * events.SECOND)
    if interval_ns < 1:
        parser.error('--interval %s: expected seconds above 0' % options.interval)
    start_ns, intervals, names = count(options, interval_ns)
    total = sum(intervals.values(), collections.Counter())
    numbers = [number for number, _ in sorted(total.items(), key=lambda item: (-item[1], item[0]))]
    if not numbers:
        print('no interrupts')
        return
    events.show_table(['irq', 'interrupts', '<name'],
                      [[number, total[number], names.get(number, '')] for number in numbers])
    columns, others = numbers[:options.most], numbers[options.most:]
    rows = []
    for index, counts in sorted(intervals.items()):
        shown = [sum(counts.values())] + [counts[number] for number in columns]
        shown += [sum(counts[number] for number in others)] if others else []
        rows.append([events.show_time(start_ns + index * interval_ns)] + [rate(n, interval_ns) for n in shown])
    print('\nper second, in intervals of %s s' % options.interval)
    events.show_table(['from', 'all'] + [str(number) for number in columns] + ['others'] * bool(others), rows)


events.run(main)
