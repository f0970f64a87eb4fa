"""counter_trace.py - the events of a trace with counters."""
import random
import struct

DESCRIPTION = '''<facility name="f">
<event name="level"><struct><field name="low" ltt:role="counter"><int size="8"/></field>
<field name="high" ltt:role="counter"><uint size="8"/></field><field name="no"><uint size="1"/></field></struct></event>
<event name="load"><struct><field name="share" ltt:role="counter"><float size="8"/></field></struct></event>
<event name="tick"/></facility>'''


def make_events(seed, n):
    choose, time, events = random.Random(seed), 1000, []
    for _ in range(n):
        time += choose.choice((1, 7, 50, 400, 20000))
        name = choose.choice(('level', 'load', 'tick', 'tick'))
        if name == 'level':
            payload = struct.pack('<qQB', choose.randrange(-2 ** 63, 2 ** 63), choose.randrange(2 ** 64), 7)
        else:
            payload = struct.pack('<d', choose.uniform(-1, 1) * 10 ** choose.randrange(-9, 20)) if name == 'load' else b''
        events.append((time, name, payload))
    return events
