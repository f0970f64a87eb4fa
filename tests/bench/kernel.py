"""The cost of recording events of the kernel, compared with perf, trace-cmd and LTTng: a system call makes two events."""
import os
import resource
import shutil
import subprocess

import measuring

INSTANCES = '/sys/kernel/tracing/instances'
CALLS = 1000000
# The sets of events, as `ltt record` and the others name them.
SETS = (('raw_syscalls', ('raw_syscalls:*',)), ('raw_syscalls,sched:*', ('raw_syscalls:*', 'sched:*')))


def run(command):
    """Returns: what the program prints, and the CPU seconds of the command without those of the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    call_ns, program_s = map(float, out.split()[:2])
    return call_ns, max(0.0, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - program_s)


def commands(build, folder):
    """Yields: the name, the words before the program, and what is written."""
    for selection, events in SETS:
        trace = os.path.join(folder, 'kernel')
        yield 'ltt record --kernel=%s' % selection, [os.path.join(build, 'bin/ltt'), 'record', '--kernel=' + selection, '--only-program',
                                                     '--kernel-buffer=64M', '-o', trace, '--'], trace
        recording = os.path.join(folder, 'perf.data')
        yield 'perf record -e %s' % ','.join(events), ['perf', 'record', '-q', '-e', ','.join(events), '-m', '4096', '-o', recording, '--'], recording
        recording = os.path.join(folder, 'trace.dat')
        words = [word for event in events for word in ('-e', event)]
        yield 'trace-cmd record %s' % ' '.join(words), ['trace-cmd', 'record', '-q', '-F', '-b', '65536', *words, '-o', recording], recording


def remove(path):
    if os.path.isdir(path):
        shutil.rmtree(path)
    elif os.path.exists(path):
        os.remove(path)


def measure(name, command, program, written, alone_ns):
    """A row of the table."""
    if shutil.which(command[0]) is None:
        return [name, 'not installed', '', '', '']
    try:
        call_ns, drain_s = run(command + program)
    except subprocess.CalledProcessError as error:
        return [name, 'fails: ' + ' '.join(error.stderr.split()), '', '', '']
    row = [name, '%.0f' % call_ns, '%.0f' % ((call_ns - alone_ns) / 2), '%.2f' % (drain_s * 1e6 / 2 / CALLS), '%.1f' % (measuring.size(written) / 2 / CALLS)]
    remove(written)
    return row


def show_drain(build, folder):
    """The recorder alone, on pages in memory."""
    trace = os.path.join(folder, 'drained')
    results = []
    for _ in range(3):
        results.append(subprocess.run([os.path.join(build, 'bench/drain'), trace, str(CALLS)], stdout=subprocess.PIPE, check=True, text=True).stdout.split())
        remove(trace)
    event_ns, n_events, n_lost = min(results, key=lambda result: float(result[0]))
    print('\nThe recorder converts an event in %s ns of CPU time, which is %.1f million events a second (%s events, %s lost)' % (
        event_ns, 1000 / float(event_ns), n_events, n_lost), flush=True)


def show(build, folder):
    if not os.access(INSTANCES, os.W_OK):
        print('\nevents of the kernel: not measured, needs the right to use ' + INSTANCES, flush=True)
        return
    program = [os.path.join(build, 'bench/calls'), str(CALLS)]
    alone_ns = run(program)[0]
    rows = [['not recorded', '%.0f' % alone_ns, '', '', '']]
    rows += [measure(name, command, program, written, alone_ns) for name, command, written in commands(build, folder)]
    print('\n### Events of the kernel, %d calls of getppid()\n' % CALLS)
    print(measuring.table(['', 'ns a call', 'added ns an event', 'CPU s of the recorder for a million events', 'bytes an event'], rows))
    if not os.path.isdir('/lib/modules/%s' % os.uname().release):
        print('\nLTTng: not measured, there are no modules for this kernel')
    show_drain(build, folder)
