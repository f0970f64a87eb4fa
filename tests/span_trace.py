"""span_trace.py - events of nested and asynchronous spans, for small_trace.write()."""
import random

DESCRIPTION = '''<facility name="f">
<event name="a_begin"/><event name="a_end"/><event name="b_begin"/><event name="b_end"/><event name="tick"/>
<event name="work"><struct><field name="id"><uint size="4"/></field></struct></event>
<event name="done" ltt:ends="work" ltt:key="id"><struct><field name="id"><uint size="4"/></field></struct></event>
</facility>'''


def make_events(seed, n):
    """Nested spans of all lengths, asynchronous ones, and single events."""
    choose, time, stack, working, events = random.Random(seed), 1000, [], [], []
    for number in range(n):
        time += choose.choice((1, 7, 50, 400, 20000))
        what = choose.random()
        if what < 0.3 and len(stack) < 4:
            stack.append(choose.choice('ab'))
            events.append((time, stack[-1] + '_begin', b''))
        elif what < 0.58 and stack:
            events.append((time, stack.pop() + '_end', b''))
        elif what < 0.7:
            working.append((seed << 24 | number).to_bytes(4, 'little'))
            events.append((time, 'work', working[-1]))
        elif what < 0.82 and working:
            events.append((time, 'done', working.pop(choose.randrange(len(working)))))
        else:
            events.append((time, 'tick', b''))
    return events


def blocks(events, each):
    return [events[at:at + each] for at in range(0, len(events), each)]
