"""The cost of recording events of the kernel, beside perf: a system call makes two events."""
import os
import resource
import shutil
import subprocess

import measuring

INSTANCES = '/sys/kernel/tracing/instances'
CALLS = 1000000


def run(command):
    """Returns: the number that the program prints, and the CPU seconds of the command and the program."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, text=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return float(out.split()[0]), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def size(path):
    """The bytes of a file, or of all files of a folder."""
    if os.path.isdir(path):
        return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)
    return os.path.getsize(path) if os.path.exists(path) else 0


def show(build, folder):
    if not os.access(INSTANCES, os.W_OK):
        print('\nevents of the kernel: not measured, needs the right to use ' + INSTANCES, flush=True)
        return
    program = [os.path.join(build, 'bench/calls'), str(CALLS)]
    trace, recording = os.path.join(folder, 'kernel'), os.path.join(folder, 'perf.data')
    commands = [('not recorded', []),
                ('ltt record --kernel=raw_syscalls', [os.path.join(build, 'bin/ltt'), 'record', '--kernel=raw_syscalls', '--only-program',
                                                     '--kernel-buffer=64M', '-o', trace, '--'])]
    if shutil.which('perf'):
        commands.append(('perf record -e raw_syscalls:*', ['perf', 'record', '-q', '-e', 'raw_syscalls:*', '-m', '4096', '-o', recording, '--']))
    rows = []
    for name, command in commands:
        try:
            call_ns, cpu = run(command + program)
        except subprocess.CalledProcessError:
            rows.append([name, 'failed', '', '', ''])
            continue
        alone_ns = call_ns if not rows else alone_ns
        n_bytes = size(trace) + size(recording)
        rows.append([name, '%.0f' % call_ns, '%.0f' % ((call_ns - alone_ns) / 2), '%.2f' % cpu, '%.1f' % (n_bytes / 2 / CALLS)])
        shutil.rmtree(trace, ignore_errors=True)
        if os.path.exists(recording):
            os.remove(recording)
    print('\n### Events of the kernel, %d calls of getppid()\n' % CALLS)
    print(measuring.table(['', 'ns a call', 'added ns an event', 'CPU s of all', 'bytes an event'], rows), flush=True)
