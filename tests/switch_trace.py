"""switch_trace.py - the events of a trace with switches of threads."""
import os
import random
import struct

from command import SOURCE

NUMBER = '<field name="%s"><uint size="4"/></field>'
DESCRIPTION = '''<facility name="k">
<event name="switch" ltt:state="switch out=prev in=next state=state"><struct>%s%s%s</struct></event>
<event name="wakeup" ltt:state="wakeup thread=tid"><struct>%s</struct></event>
<event name="irq" ltt:state="irq_entry number=irq"><struct>%s</struct></event><event name="irq_end" ltt:state="irq_exit"/>
<event name="tick"/></facility>''' % tuple(NUMBER % name for name in ('prev', 'next', 'state', 'tid', 'irq'))
with open(os.path.join(SOURCE, 'eventdefs/tracer.xml'), encoding='utf-8') as file:
    THREADS = file.read()  # a second description, for with_threads()
READY, SLEEP, DISK, STOPPED, DEAD = 0x100, 1, 2, 4, 0x20


def make_scheduler(seed, n, n_cpus=2, n_threads=9):
    """Events of CPUs that run, preempt, block and interrupt threads. Some events are missing, so that others contradict."""
    choose, time = random.Random(seed), 1000
    running, ready, asleep = [0] * n_cpus, [], list(range(100, 100 + n_threads))
    events = {'cpu/%d' % cpu: [] for cpu in range(n_cpus)}

    def add(cpu, name, *numbers):
        if choose.random() > 0.0005:
            events['cpu/%d' % cpu].append((time, name, struct.pack('<%dI' % len(numbers), *numbers)))

    for _ in range(n):
        time += choose.choice((1, 5, 40, 400, 3000))
        cpu, what = choose.randrange(n_cpus), choose.random()
        if what < 0.15:
            add(cpu, 'irq', choose.randrange(4))
            time += choose.randrange(1, 50)
            add(cpu, 'irq_end')
        elif what < 0.4 and asleep:
            ready.append(asleep.pop(choose.randrange(len(asleep) if choose.random() < 0.2 else min(3, len(asleep)))))
            add(cpu, 'wakeup', ready[-1])
        elif what < 0.9 and (ready or running[cpu]):
            out, state = running[cpu], choose.choice((READY, SLEEP, SLEEP, SLEEP, DISK, STOPPED, DEAD))
            running[cpu] = ready.pop(choose.randrange(len(ready))) if ready else 0
            if out and state == READY:
                ready.append(out)
            elif out:
                asleep.insert(0, out)
            add(cpu, 'switch', out, running[cpu], state if out else READY)
        else:
            add(cpu, 'tick')
    return events


def with_threads(events, pid=7):
    """The events of a CPU, and which thread it runs after each switch. Only then a wake-up has a known waker."""
    for time, name, payload in events:
        yield time, name, payload
        if name == 'switch':
            yield time, 'thread', struct.pack('<2I', pid, struct.unpack_from('<I', payload, 4)[0])
