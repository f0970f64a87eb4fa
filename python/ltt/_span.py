"""Spans: named intervals between two events."""
from __future__ import annotations

from typing import Any, NamedTuple

from ltt._ltt import Event


class Span(NamedTuple):
    """A named interval between two events, from Trace.spans()."""

    id: int  # from 1 on, in the order of the begin events
    parent: int  # id of the span around it; 0: none
    depth: int  # number of spans around it
    name: str
    begin_ns: int
    end_ns: int
    is_async: bool  # it has a key, and may overlap others
    outcome: str  # "finished"; "cut": it ends with the span around it; "open" at the end of the trace
    key: str | None
    begin: Event
    end: Event | None  # None unless finished

    @property
    def duration_ns(self) -> int:
        """The time from its begin to its end."""
        return self.end_ns - self.begin_ns

    @property
    def pid(self) -> int | None:
        """The process of its begin; None if unknown."""
        return self.begin.pid

    @property
    def tid(self) -> int | None:
        """The thread of its begin; None if unknown."""
        return self.begin.tid

    @property
    def comm(self) -> str | None:
        """The name of the thread of its begin, at that time; None if unknown."""
        return self.begin.comm

    @property
    def args(self) -> dict[str, Any]:
        """The fields of both events. A field of the end event gets the prefix "end_" if the begin
        event has that name, too."""
        args = dict(self.begin)
        if self.end is not None:
            for name, value in self.end.items():
                args['end_' + name if name in args else name] = value
        return args
