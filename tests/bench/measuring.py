"""Common code of the benchmarks: Markdown tables, a description of the machine, and the memory of a command."""
import os
import platform
import subprocess
import time

RSS_INTERVAL_S = 0.01


def table(heads, rows):
    """A table with aligned columns; the first has words, the others numbers."""
    cells = [[str(cell) for cell in row] for row in [heads, *rows]]
    widths = [max(3, *(len(row[i]) for row in cells)) for i in range(len(heads))]
    rule = ['-' * widths[0], *('-' * (width - 1) + ':' for width in widths[1:])]
    lines = [[cell.ljust(width) if i == 0 else cell.rjust(width) for i, (cell, width) in enumerate(zip(row, widths))]
             for row in [cells[0], rule, *cells[1:]]]
    return '\n'.join('| %s |' % ' | '.join(line) for line in lines)


def model():
    """The model name of the processor in /proc/cpuinfo."""
    with open('/proc/cpuinfo', encoding='utf-8') as info:
        for line in info:
            if line.startswith('model name'):
                return line.split(':', 1)[1].strip()
    return platform.machine()


def machine(cpus):
    return '%s, %d CPUs, Linux %s, %s' % (model(), cpus, platform.release(), time.strftime('%Y-%m-%d'))


def size(path):
    """The bytes of a file, or of all files of a folder."""
    if os.path.isdir(path):
        return sum(os.path.getsize(os.path.join(folder, name)) for folder, _, names in os.walk(path) for name in names)
    return os.path.getsize(path) if os.path.exists(path) else 0


def anonymous_mb(command):
    """The peak anonymous memory of a command, by sampling."""
    most = 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        while process.poll() is None:
            try:
                with open('/proc/%d/status' % process.pid, encoding='ascii') as status:
                    most = max([most, *(int(line.split()[1]) for line in status if line.startswith('RssAnon'))])
            except OSError:
                break
            time.sleep(RSS_INTERVAL_S)
    return most / 1024
