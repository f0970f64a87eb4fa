#!/usr/bin/env python3
"""Measures the cost of tracing and reading on this machine, as Markdown tables; `scons bench` runs it.

usage: bench.py [--build BUILD] [--only probe|read|python|import|sql|kernel|preload|fleet|memory|view] [--events N] [--runs N] [--dir DIR]
"""
import argparse
import os
import shutil
import tempfile

import fields
import fleet
import imports
import kernel
import measuring
import memory
import preload
import probe
import read
import sql
import view


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--build', default='build', help='where bin/ltt and bench/ are')
    parser.add_argument('--only', choices=('probe', 'read', 'python', 'import', 'sql', 'kernel', 'preload', 'fleet', 'memory',
                                           'view'),
                        help='measure one of these alone; fleet, memory and view, which take minutes, are measured only so')
    parser.add_argument('--kind', choices=[kind.title for kind in imports.KINDS], help='import recordings of this kind alone')
    parser.add_argument('--events', type=int, default=10000000, help='events in each trace that is read')
    parser.add_argument('--runs', type=int, default=5, help='of each reading')
    parser.add_argument('--dir', default='/dev/shm', help='where traces are made for the time')
    return parser.parse_args()


def main():
    options = arguments()
    folder = tempfile.mkdtemp(prefix='ltt-bench-', dir=options.dir)
    print(measuring.machine(len(os.sched_getaffinity(0))), flush=True)
    try:
        if options.only in (None, 'probe'):
            probe.show(options.build, folder)
        if options.only in (None, 'read'):
            read.show(options.build, folder, options.events, options.runs)
        if options.only in (None, 'python') and os.path.isdir(os.path.join(options.build, 'python')):
            fields.show(options.build, folder, options.events, options.runs)
        if options.only in (None, 'import'):
            imports.show(options.build, folder, options.events // 10, options.runs, options.kind)
        if options.only in (None, 'sql'):
            sql.show(options.build, folder, options.events, options.runs)
        if options.only in (None, 'kernel'):
            kernel.show(options.build, folder)
        if options.only in (None, 'preload'):
            preload.show(options.build, folder)
        if options.only == 'fleet':
            fleet.show(options.build, folder, options.events, options.runs)
        if options.only == 'memory':
            memory.show(options.build, folder, options.events)
        if options.only == 'view':
            view.show(options.build, folder, options.events)
    finally:
        shutil.rmtree(folder)


if __name__ == '__main__':
    main()
