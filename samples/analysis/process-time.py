#!/usr/bin/env python3
"""CPU time of each process, from core.schedchange."""
import collections

import events

EPILOG = """A process runs from the schedchange that switches to it to the next schedchange of that CPU. The time before
the first and after the last schedchange of a CPU is not counted. Names come from control/processes, if the trace has
this file."""


class Process:
    def __init__(self):
        self.time_ns = 0
        self.turns = 0
        self.preempted = 0
        self.longest_ns = 0
        self.name = ''

    def add(self, duration_ns, state):
        self.time_ns += duration_ns
        self.turns += 1
        self.preempted += state == 'Running'
        self.longest_ns = max(self.longest_ns, duration_ns)


def measure(options):
    processes, since, total_ns = collections.defaultdict(Process), {}, 0
    processes[0].name = 'idle'
    for event in events.read(options, 'core.schedchange', ['processes.process', 'tracer.process_start']):
        if event.name != 'core.schedchange':
            processes[event.data['pid']].name = event.data['name']
            continue
        if event.tracefile in since:
            pid, start_ns = since[event.tracefile]
            processes[pid].add(event.time_ns - start_ns, event.data['out_state'])
            total_ns += event.time_ns - start_ns
        since[event.tracefile] = (event.data['in'], event.time_ns)
    return processes, total_ns, len(since)


def main():
    parser = events.Parser(__doc__, EPILOG)
    parser.add_argument('-n', type=int, default=0, metavar='N', dest='most', help='only the N processes with the most time')
    options = parser.parse_args()
    processes, total_ns, n_cpus = measure(options)
    ran = sorted(((pid, process) for pid, process in processes.items() if process.turns),
                 key=lambda item: (-item[1].time_ns, item[0]))
    print('%s on %d CPU%s, %d processes\n' % (events.show_duration(total_ns), n_cpus, 's' * (n_cpus != 1), len(ran)))
    events.show_table(['pid', 'time', '%', 'turns', 'preempted', 'longest', '<name'],
                      [[pid, events.show_duration(process.time_ns),
                        '%.1f' % (100 * process.time_ns / total_ns if total_ns else 0), process.turns,
                        process.preempted, events.show_duration(process.longest_ns), process.name]
                       for pid, process in ran[:options.most or None]])


events.run(main)
