"""Read and analyse LTT traces.

    import ltt

    with ltt.open("trace") as t:
        for e in t.events("http.*", start="+1", filter="status >= 500"):
            print(e.time_ns, e.tid, e["path"])
        requests = t.table("http.request", columns=["time", "path"])

Errors are exceptions: ltt.Error with the message of the command `ltt`. Damage issues a warning,
ltt.TraceWarning, and is listed in Trace.problems; the rest of the trace is read. The manual is doc/python.md.
"""
from ltt._latency import Change, Latency, Pair
from ltt._ltt import (Batch, Batches, Column, Distribution, Error, Event, Events, EventType, InvalidError, SelectionWarning,
                      TraceWarning)
from ltt._result import Result
from ltt._span import Span
from ltt._table import Table
from ltt._trace import Field, Problem, Trace, fields, open, sync  # pylint: disable=redefined-builtin

__all__ = ['Batch', 'Batches', 'Change', 'Column', 'Distribution', 'Error', 'Event', 'EventType', 'Events', 'Field',
           'InvalidError', 'Latency', 'Pair', 'Problem', 'Result', 'SelectionWarning', 'Span', 'Table', 'Trace', 'TraceWarning',
           'fields', 'open', 'sync']
