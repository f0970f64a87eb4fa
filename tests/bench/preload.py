"""The cost of `ltt record --preload` in a program, beside other tracers of libc where they are installed."""
import glob
import os
import shutil
import subprocess

import lttng
import measuring

CALLS = {'malloc': 500000, 'lock': 500000, 'read': 200000}
TITLES = {'malloc': 'malloc() and free()', 'lock': 'pthread_mutex_lock() and unlock()', 'read': 'read() of one byte'}
WRAPPERS = '/usr/lib/*/liblttng-ust-libc-wrapper.so*'


def run(command, program, kind, calls):
    """Returns: ns of CPU time for a call, or None"""
    done = subprocess.run([*command, program, kind, str(calls)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                          text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.replace('.', '', 1).isdigit()]
    return float(lines[0]) if done.returncode == 0 and lines else None


def recorded(build, folder, program, kind, calls):
    sets = {'malloc': 'malloc', 'lock': 'lock', 'read': 'io'}[kind]
    trace = os.path.join(folder, 'preload')
    try:
        return run([os.path.join(build, 'bin/ltt'), 'record', '--flight', '4M', '--preload', sets, '-o', trace, '--'],
                   program, kind, calls)
    finally:
        shutil.rmtree(trace, ignore_errors=True)


def loaded(build, program, kind, calls):
    """With the library, but nothing is recorded."""
    return run(['env', 'LD_PRELOAD=' + os.path.abspath(os.path.join(build, 'libexec/ltt/ltt-preload.so'))], program, kind, calls)


def with_lttng(program, calls):
    """Returns: ns of malloc() and free() with the wrapper of LTTng-UST, or None."""
    wrappers = sorted(glob.glob(WRAPPERS))
    if not wrappers:
        return None
    said = lttng.run(['env', 'LD_PRELOAD=' + wrappers[0], program, 'malloc', str(calls)], 'lttng_ust_libc:*')
    return float(said) if said else None


def show_functions(build, folder):
    """Programs that are compiled with -finstrument-functions, beside uftrace."""
    program, calls = os.path.join(build, 'bench/functions'), 2000000
    trace, other = os.path.join(folder, 'functions'), os.path.join(folder, 'uftrace')
    commands = [('not recorded', [], None),
                ('ltt record --preload functions', [os.path.join(build, 'bin/ltt'), 'record', '--preload', 'functions', '-o', trace, '--'], trace),
                ('uftrace record', ['uftrace', 'record', '--no-libcall', '--no-event', '-b', '64m', '-d', other], other)]
    rows = []
    for name, command, written in commands:
        if command and not shutil.which(command[0]):
            rows.append([name, 'not installed', ''])
            continue
        done = subprocess.run([*command, program, str(calls)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, check=True)
        rows.append([name, done.stdout.split()[0], '%.1f' % (measuring.size(written) / calls) if written else ''])
        if written:
            shutil.rmtree(written)
    print('\n## Functions of a program compiled with `-finstrument-functions`\n')
    print(measuring.table(['', 'ns of CPU time for a call', 'bytes'], rows), flush=True)


def show(build, folder):
    program = os.path.join(build, 'bench/preload')
    rows = []
    for kind, calls in CALLS.items():
        plain = run([], program, kind, calls)
        row = [TITLES[kind], plain, loaded(build, program, kind, calls), recorded(build, folder, program, kind, calls),
               with_lttng(program, calls) if kind == 'malloc' else None,
               run(['ltrace', '-e', {'malloc': 'malloc+free', 'lock': 'pthread_mutex_lock+pthread_mutex_unlock'}.get(kind, kind),
                    '-o', '/dev/null'], program, kind, calls // 200) if shutil.which('ltrace') else None]
        rows.append([row[0], *('' if ns is None else '%.1f' % ns for ns in row[1:]),
                     '' if plain is None or row[3] is None else '%.1f' % (row[3] / plain)])
    print('\n## `ltt record --preload`, ns of CPU time\n')
    print(measuring.table(['', 'plain', 'library loaded', 'recorded', 'LTTng-UST', 'ltrace', 'recorded / plain'], rows), flush=True)
    show_functions(build, folder)
