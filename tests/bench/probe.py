"""The cost of an event in a traced program: runs build/bench/probe and, if installed, LTTng-UST."""
import os
import subprocess

import lttng
from measuring import table

KINDS = (('none', 'no payload'), ('two', 'two 64-bit fields'), ('eight', 'array of 64 bytes'),
         ('many', 'array of 256 bytes'), ('text', 'string of 20 bytes'))


def measure(program, folder):
    """Returns: {measurement: {name: number}}."""
    said = subprocess.run([program, folder], stdout=subprocess.PIPE, text=True, check=True).stdout
    found = {}
    for line in said.splitlines():
        what, *words = line.split()
        found[what] = dict(zip(words[::2], map(float, words[1::2])))
    return found


def flight_table(found, clock, peer):
    heads = ['flight recorder, `--clock %s`' % clock, 'floor', 'event', '/ floor', 'median', 'p99.9']
    if peer:
        heads += ['LTTng-UST', '/ event']
    rows = []
    for kind, title in KINDS:
        one = found['%s-%s' % (clock, kind)]
        row = [title, '%.1f' % one['floor'], '%.1f' % one['event'], '%.2f' % (one['event'] / one['floor']),
               '%.0f' % one['median'], '%.0f' % one['p99.9']]
        if peer:
            row += ['%.1f' % peer[kind], '%.1f' % (peer[kind] / one['event'])]
        rows.append(row)
    return table(heads, rows)


def other_table(found):
    threads = found['threads']
    rows = [['512 MiB of new pages, room made by `ltt record`', found['new-fed']],
            ['512 MiB of new pages, the program alone', found['new-alone']],
            ['%d threads, each on a CPU (floor: one thread)' % threads['number'], threads]]
    rows = [[title, '%.1f' % one['floor'], '%.1f' % one['event'], '%.2f' % (one['event'] / one['floor'])]
            for title, one in rows]
    for name, title in (('off', 'tracing off'), ('unselected', 'another process of the slot is attached')):
        if name in found:
            rows.append([title, '', '%.1f' % found[name]['event'], ''])
    return table(['two 64-bit fields, `--clock ordered`', 'floor', 'event', '/ floor'], rows)


def show(build, folder):
    peer = lttng.measure(os.path.join(build, 'bench', 'lttng'))
    found = measure(os.path.join(build, 'bench', 'probe'), folder)
    print('\n## Tracing, ns an event\n')
    for clock in ('ordered', 'fast'):
        print(flight_table(found, clock, peer), end='\n\n')
    print(other_table(found), flush=True)
    if not peer:
        print('\nLTTng-UST is not installed: not measured.')
