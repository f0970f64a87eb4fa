"""The speed of the Python package: fields a second by iteration and by columns, beside babeltrace2's bt2.

Each figure is CPU time of all threads of a process, after its start, and the least of several runs. The table is also
a program: fields.py iterate|columns|bt2 TRACE TABLE EVENTS COLUMN... prints the seconds and the number of fields.
"""
import importlib
import itertools
import os
import subprocess
import sys
import time

from measuring import table

# The table of each kind, a field for iteration, and two columns.
KINDS = (('pair', 'bench.pair', 'a', ('time', 'a')), ('string', 'bench.opened', 'path', ('time', 'flags')))
TARGETS = {'iterate': 3, 'columns': 50}
# bt2 takes some microseconds an event.
BT2_EVENTS = 200000


def iterate(trace, name, events, field):
    """Gets one field of each event."""
    import ltt  # pylint: disable=import-outside-toplevel

    number = 0
    for event in itertools.islice(ltt.open(trace).events(name), events):
        event[field]  # pylint: disable=pointless-statement
        number += 1
    return number


def columns(trace, name, _, *fields):
    """Has buffers of some columns."""
    import ltt  # pylint: disable=import-outside-toplevel

    found = ltt.open(trace).table(name, fields, threads=1)
    return sum(len(memoryview(found[field])) for field in fields)


def bt2(trace, name, events, field):
    """The same as iterate(), of the trace as CTF."""
    import bt2 as babeltrace2  # pylint: disable=import-outside-toplevel,import-error

    number = 0
    for message in babeltrace2.TraceCollectionMessageIterator(trace):
        if isinstance(message, babeltrace2._EventMessageConst) and message.event.name == name.replace('.', ':'):  # pylint: disable=protected-access
            message.event.payload_field[field]  # pylint: disable=pointless-statement
            number += 1
            if number == events:
                break
    return number


def measure(build, python, way, trace, name, events, fields, runs):
    """Returns: million fields a second; None: it cannot run."""
    best = None
    for _ in range(runs):
        done = subprocess.run([python, __file__, way, trace, name, str(events), *fields], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True, check=False,
                              env=dict(os.environ, PYTHONPATH=os.path.join(build, 'python')))
        if done.returncode != 0:
            return None
        seconds, number = done.stdout.split()
        best = max(best or 0, int(number) / float(seconds) / 1e6)
    return best


def show(build, folder, events, runs):
    ltt = os.path.join(build, 'bin/ltt')
    rows = []
    for kind, name, field, some in KINDS:
        trace = os.path.join(folder, kind)
        subprocess.run([ltt, 'record', '-o', trace, '--', os.path.join(build, 'bench/traced'), kind, str(events), '2'],
                       check=True, stderr=subprocess.DEVNULL)
        subprocess.run([ltt, 'export', '--to', 'ctf', '-o', trace + '.ctf', trace], check=True)
        for title, python, way, path, chosen, most in (
                ('by iteration', sys.executable, 'iterate', trace, [field], events),
                ('by columns, one thread', sys.executable, 'columns', trace, some, events),
                ('by iteration, `bt2`', '/usr/bin/python3', 'bt2', trace + '.ctf', [field], BT2_EVENTS)):
            found = measure(build, python, way, path, name, most, chosen, runs)
            if found is not None:
                target = TARGETS.get(way)
                rows.append(['`%s`: %s' % (name, title), '%.2f' % found, 'at least %d' % target if target else '',
                             ('yes' if found >= target else 'no') if target else ''])
    print('\n## Python, million fields a second, %d events\n' % events)
    print(table(['', 'is', 'target', 'met'], rows), end='\n\n', flush=True)


def main():
    way, trace, name, events, *fields = sys.argv[1:]
    importlib.import_module('bt2' if way == 'bt2' else 'ltt')  # its start is not measured
    start = time.process_time()
    number = {'iterate': iterate, 'columns': columns, 'bt2': bt2}[way](trace, name, int(events), *fields)
    print(time.process_time() - start, number)


if __name__ == '__main__':
    main()
