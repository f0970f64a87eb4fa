#!/usr/bin/env python3
"""Latency from one event to another: minimum, median, maximum and a histogram."""
import collections

import events

EPILOG = """examples:
  latency.py core.irq_entry core.irq_exit --group irq_id TRACE
  latency.py jobs.begin jobs.end --by job TRACE
  latency.py http_server.request http_server.response --by connection --longest 10 TRACE

An end event is paired with the latest begin event that has no end yet."""


class Latencies:
    """The latencies of one group."""

    def __init__(self):
        self.pairs = []  # (duration, begin, place)
        self.unfinished = 0

    def histogram(self):
        """Yields a row for each power of two nanoseconds."""
        counts = collections.Counter(duration.bit_length() for duration, _, _ in self.pairs)
        most = max(counts.values())
        for bits in range(min(counts), max(counts) + 1):
            yield [events.show_duration(1 << bits >> 1), events.show_duration(1 << bits), counts[bits],
                   events.show_bar(counts[bits], most)]

    def show(self, longest):
        ordered = sorted(self.pairs)

        def at(part):
            return events.show_duration(ordered[min(int(len(ordered) * part), len(ordered) - 1)][0])

        print('%d pair%s: least %s, median %s, 99 %% below %s, most %s\n'
              % (len(ordered), 's' * (len(ordered) != 1), at(0), at(0.5), at(0.99), at(1)))
        events.show_table(['from', 'to', 'pairs', '<'], self.histogram())
        if longest:
            print()
            events.show_table(['longest', 'begun', '<place'],
                              [[events.show_duration(duration), events.show_time(begin), place]
                               for duration, begin, place in ordered[:-longest - 1:-1]])


def measure(options):
    """Returns latencies by value of the group field, and the number of end events without a begin event."""
    groups, open_by_key, strays = collections.OrderedDict(), {}, 0
    for event in events.read(options, '%s,%s' % (options.begin, options.end)):
        if options.by == 'cpu':
            key = event.tracefile
        elif options.by == 'thread':
            key = (event.pid, event.tid)
        else:
            key = events.field(event, options.by)
        began = open_by_key.setdefault(key, [])
        if event.name == options.end and began:
            begin, group = began.pop()
            place = event.tracefile if options.by == 'cpu' else '%s %s' % (options.by, key)
            groups[group].pairs.append((event.time_ns - begin.time_ns, begin.time_ns, place))
        elif event.name == options.end and options.begin != options.end:
            strays += 1
        if event.name == options.begin:
            group = events.field(event, options.group) if options.group else None
            groups.setdefault(group, Latencies())
            began.append((event, group))
    for began in open_by_key.values():
        for _, group in began:
            groups[group].unfinished += 1
    return groups, strays


def main():
    parser = events.Parser(__doc__, EPILOG, [('BEGIN', 'name of the begin event, such as core.irq_entry'),
                                             ('END', 'name of the end event; may be the same')])
    parser.add_argument('--by', default='cpu', metavar='cpu|thread|FIELD',
                        help='pair events of the same CPU (default), the same thread, or with the same value of a field')
    parser.add_argument('--group', metavar='FIELD', help='a histogram for each value of this field of the begin event')
    parser.add_argument('--longest', type=int, default=0, metavar='N', help='also list the N longest latencies')
    options = parser.parse_args()
    groups, strays = measure(options)
    shown = False
    for group, latencies in groups.items():
        if not latencies.pairs:
            continue
        print('%s%s to %s%s' % ('\n' if shown else '', options.begin, options.end,
                                ', %s %s' % (options.group, group) if options.group else ''))
        latencies.show(options.longest)
        shown = True
    unfinished = sum(latencies.unfinished for latencies in groups.values())
    if not shown:
        print('no pairs')
    print('%sbegin events without an end: %d, end events without a begin: %d'
          % ('\n' if shown else '', unfinished, strays))


events.run(main)
