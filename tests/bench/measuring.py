"""Common code of the benchmarks: Markdown tables, and a description of the machine."""
import platform
import time


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
