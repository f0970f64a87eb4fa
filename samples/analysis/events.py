"""events.py - the events of traces, by the Python package ltt, and formatting of numbers, for the analysis scripts.

    parser = events.Parser('What the script is about')
    options = parser.parse_args()
    for event in events.read(options, 'core.irq_*'):
        print(event.time_ns, event.name, event.data)

doc/python.md documents the events.
"""
import argparse
import os
import sys
import warnings

try:
    import ltt
except ImportError:
    sys.exit('%s: needs the Python package ltt: set PYTHONPATH to build/python, or install python3-ltt or the wheel'
             % os.path.basename(sys.argv[0]))

SECOND = 10**9


class Parser(argparse.ArgumentParser):
    """The options of all scripts, which select traces and events."""

    def __init__(self, description, epilog=None, before=()):
        """`before`: (name, help) of arguments that precede the traces"""
        super().__init__(description=description, epilog=epilog, formatter_class=argparse.RawDescriptionHelpFormatter)
        for name, text in before:
            self.add_argument(name.lower(), metavar=name, help=text)
        self.add_argument('trace', nargs='+', metavar='TRACE', help='a trace; several are read on one timeline')
        group = self.add_argument_group('selecting events, as with ltt dump')
        for name, word in (('from', 'T'), ('to', 'T'), ('cpu', 'LIST'), ('filter', 'EXPR')):
            group.add_argument('--' + name, metavar=word, dest='select_' + name)


def read(options, names=None, optional=()):
    """Yields the events whose names match a list of patterns, "core.irq_*,net.rx", or all, in order of time.

    `optional`: names of further events, which the traces need not have"""
    with ltt.open(options.trace) as trace:
        known = {event_type.name for event_type in trace.types}
        names = ','.join([names, *(name for name in optional if name in known)]) if names else None
        yield from trace.events(names, start=options.select_from, end=options.select_to, cpus=options.select_cpu,
                                filter=options.select_filter)


def show_time(time_ns):
    return '%d.%09d' % divmod(time_ns, SECOND)


def show_duration(duration_ns):
    """Three or four digits: 87 ns, 1.52 us, 310 ms, 12.0 s"""
    for unit, name in ((SECOND, 's'), (10**6, 'ms'), (10**3, 'us')):
        if duration_ns >= unit:
            value = duration_ns / unit
            return '%.*f %s' % (2 if value < 10 else 1 if value < 100 else 0, value, name)
    return '%d ns' % duration_ns


def show_bar(part, most, columns=40):
    """Returns a bar of `columns` * `part` / `most` characters, at least one unless `part` is 0."""
    return '#' * max(1, round(columns * part / most)) if part else ''


def show_text(text):
    """Escapes untrusted text from a trace for a terminal."""
    return ''.join(char if char.isprintable() else '\\u%04x' % ord(char) for char in text)


def show_table(headings, rows):
    """Prints aligned columns: to the right, or to the left if the heading begins with "<"."""
    rows = [[show_text(str(cell)) for cell in row] for row in rows]
    texts = [heading.lstrip('<') for heading in headings]
    widths = [max([len(text)] + [len(row[i]) for row in rows]) for i, text in enumerate(texts)]
    for row in [texts] + rows:
        cells = [cell.ljust(width) if heading[0] == '<' else cell.rjust(width)
                 for heading, width, cell in zip(headings, widths, row)]
        print('  '.join(cells).rstrip())


def show_warning(message, *_):
    print('%s: %s' % (os.path.basename(sys.argv[0]), message), file=sys.stderr)


def run(main):
    """Runs a script; a closed pipe or Ctrl-C ends it without a message, an unreadable trace with status 2."""
    warnings.showwarning = show_warning
    try:
        main()
        sys.stdout.flush()
    except ltt.Error as error:
        print('%s: %s' % (os.path.basename(sys.argv[0]), error), file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
