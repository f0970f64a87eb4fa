"""An open trace."""
from __future__ import annotations

import itertools
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Any, NamedTuple, Union

from ltt import _html, _ltt
from ltt._latency import Latency
from ltt._result import Result
from ltt._select import Time, seconds, selection
from ltt._span import Span
from ltt._table import Table

Path = Union[str, bytes, 'os.PathLike[str]', 'os.PathLike[bytes]']
Pattern = Union[str, Iterable[str]]
Cpus = Union[int, str, Iterable[int]]


class Problem(NamedTuple):
    """A problem of a trace, such as damage. str() returns the line that `ltt check` prints."""

    tracefile: str | None
    block: int | None
    byte: int | None
    message: str
    text: str

    def __str__(self) -> str:
        return self.text


class Field(NamedTuple):
    """A field of an event type."""

    name: str
    type: str
    description: str | None
    labels: dict[str, int]


def fields(event_type: _ltt.EventType) -> list[Field]:
    """The fields of an event type."""
    return [Field(*field) for field in event_type._fields]  # pylint: disable=protected-access


class Trace:
    """An open trace, from ltt.open(). Its methods may be called in several threads."""

    def __init__(self, paths: Sequence[Path], offsets: Mapping[int, int], rules: list[str], quiet: bool = False) -> None:
        """quiet: issue no warnings: the caller reads `problems`."""
        self._paths = [os.fsdecode(path) for path in paths]
        self._core = _ltt.Trace(paths, dict(offsets), rules, quiet)

    # ---- closing ----

    def close(self) -> None:
        """Closes the trace. Its events, columns and Arrow streams remain valid."""
        self._core.close()

    @property
    def closed(self) -> bool:
        """Whether close() was called."""
        return self._core.closed

    def __enter__(self) -> Trace:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None,
                 traceback: TracebackType | None) -> None:
        self.close()

    # ---- events ----

    def events(self, pattern: Pattern | None = None, *, start: Time | None = None, end: Time | None = None,
               filter: str | None = None, cpus: Cpus | None = None,  # pylint: disable=redefined-builtin
               hidden: bool = False) -> _ltt.Events:
        """Iterates over events in order of time.

        pattern: globs of names, "http.*", separated by commas or in a list; None: all events
        start, end: from `start` on, before `end`: text as for `ltt dump --from` ("+1.5" is after the
            start of the trace, "-2" before its end), nanoseconds (int), seconds (float) or datetime
        filter: a condition, as for `ltt dump --filter` (doc/filter.md)
        cpus: 3, [0, 1] or "0,2-5"
        hidden: also builtin and tracer events
        """
        return self._core.events(selection(pattern, start, end, filter, cpus, hidden))

    # ---- tables ----

    @property
    def tables(self) -> list[str]:
        """Names of the tables: one for each event type, without hidden ones."""
        return [name for name, is_hidden in self._core.tables() if not is_hidden]

    def table(self, type: str, columns: Sequence[str] | None = None, *,  # pylint: disable=redefined-builtin
              start: Time | None = None, end: Time | None = None,
              filter: str | None = None, cpus: Cpus | None = None,  # pylint: disable=redefined-builtin
              ordered: bool = False, threads: int = 0, batch_rows: int = 0,
              partitions: Sequence[str] | None = None) -> Table:
        """The events of one type as columns: time, cpu, pid, tid, and the fields (doc/tables.md).

        columns: names of the columns; None: all
        start, end, filter, cpus: as for events()
        ordered: rows in order of time; else in order of the tracefiles, which is faster
        threads: number of threads that decode; 0: one per processor
        batch_rows: approximate number of rows in a batch; 0: 65,536
        partitions: read only these, from partitions(); None: all
        """
        if ordered and partitions is not None:
            raise _ltt.InvalidError('partitions have no merged order: expected partitions or ordered, not both')
        # The name lets the library check the filter. Only the table has the name of a further version of an event type.
        pattern = type if any(type == event_type.name for event_type in self.types) else None
        return Table(self._core, type, columns, selection(pattern, start, end, filter, cpus, True), threads, ordered,
                     batch_rows, partitions)

    def partitions(self, *, start: Time | None = None, end: Time | None = None, cpus: Cpus | None = None,
                   part_bytes: int = 0) -> list[str]:
        """Divides the trace into parts that can be read independently, also by other machines that have
        access to the files. Each event is in exactly one part. ltt.fleet reads many traces this way.

        A part is a line of text: tracefile, first block, number of blocks, times of the first and of the
        last event, in seconds.

        start, end, cpus: omit parts without events of this selection
        part_bytes: approximate size of a part; 0: 4 MiB
        """
        return self._core.partitions(selection(None, start, end, None, cpus, True), part_bytes)

    # ---- pairs and spans ----

    def latency(self, begin_event: str, end_event: str, /, *, by: str | None = None, group: str | None = None,
                longest: int = 10, start: Time | None = None, end: Time | None = None,
                filter: str | None = None, cpus: Cpus | None = None) -> Latency:  # pylint: disable=redefined-builtin
        """Measures the time from each begin event to the end event with the same key.

        by: the key: "FIELD" of both events, "FIELD=FIELD" of the first and of the last; "thread", "pid",
            "tid" or "cpu"; None: as the event description declares, else the thread
        group: also measures the pairs with each value of this field
        longest: how many of the longest pairs to list
        start, end, filter, cpus: as for events(); the filter must hold for both events
        """
        selected = selection([begin_event, end_event], start, end, filter, cpus, False)
        return Latency(begin_event, end_event,
                       *self._core.latency(begin_event, end_event, by, group, selected, longest))

    def spans(self, pattern: Pattern | None = None, *, start: Time | None = None, end: Time | None = None,
              filter: str | None = None, cpus: Cpus | None = None) -> Iterator[Span]:  # pylint: disable=redefined-builtin
        """Iterates over spans (doc/chrome.md) in the order in which they end.

        The arguments select events as for events().
        """
        return itertools.starmap(Span, self._core.spans(selection(pattern, start, end, filter, cpus, False)))

    # ---- SQL ----

    def sql(self, query: str, *, hidden: bool = False, threads: int = 0) -> Result:
        """Runs an SQL query on the tables of `ltt sql` (doc/sql.md), such as http_request for
        http.request.

        Runs all statements, and returns the result of the last one that has a result.

        hidden: include builtin and tracer events in the table `events`
        """
        return Result(self._core.sql(query, hidden, threads))

    # ---- properties ----

    @property
    def paths(self) -> list[str]:
        """The paths that were opened."""
        return list(self._paths)

    @property
    def problems(self) -> list[Problem]:
        """The problems found so far, each once. Reading the trace may find more."""
        return [Problem(*problem) for problem in self._core.problems()]

    def symbol(self, address: int, pid: int, time_ns: int = 2 ** 64 - 1) -> str | None:
        """The function at an address in the code of a process: "main+0x1a", or "libc.so.6+0x2724a" if its name is unknown.

        time_ns: when the address was recorded; by default the end of the trace. None is returned if no file is known
            to be mapped there.
        """
        return self._core.symbol(address, pid, time_ns)

    @property
    def types(self) -> list[_ltt.EventType]:
        """The event types that the trace describes."""
        return self._core.types()

    @property
    def info(self) -> dict[str, Any]:
        """The output of `ltt info --json`; times are nanoseconds."""
        return self._core.info()

    def stat(self, pattern: Pattern | None = None, *, start: Time | None = None, end: Time | None = None,
             filter: str | None = None, cpus: Cpus | None = None,  # pylint: disable=redefined-builtin
             hidden: bool = False, interval_ns: int = 0, threads: int = 0) -> dict[str, Any]:
        """Counts events. Returns the output of `ltt stat --json`; times are nanoseconds.

        interval_ns: also counts by windows of this length
        """
        return self._core.stat(selection(pattern, start, end, filter, cpus, hidden), interval_ns, threads)

    def __repr__(self) -> str:
        return '<ltt.Trace %s%s>' % (', '.join(self._paths), ' (closed)' if self.closed else '')

    def _repr_html_(self) -> str:
        if self.closed:
            return _html.table(['trace'], [[repr(self)]])
        info = self.info
        rows: list[list[object]] = [['path', '\n'.join(self._paths)]]
        if info['start'] is not None:
            rows += [['start', seconds(info['start'])], ['duration', '%s s' % seconds(info['end'] - info['start'])]]
        rows += [['tracefiles', '\n'.join(file['name'] for file in info['tracefiles'])],
                 ['event types', '\n'.join(event_type.name for event_type in self.types)],
                 ['problems', '\n'.join(map(str, self.problems))]]
        return _html.table(['trace', ''], rows)


def _as_list(texts: str | Iterable[str] | None) -> list[str]:
    return [texts] if isinstance(texts, str) else list(texts or ())


def open(path: Path | Iterable[Path], *, offsets: Mapping[int, int] | None = None,  # pylint: disable=redefined-builtin
         sync: str | Iterable[str] | None = None) -> Trace:  # pylint: disable=redefined-outer-name
    """Opens a trace: a directory or an archive. Joins several paths to one trace, on one timeline.

    offsets: nanoseconds that are added to the times of a trace, by its index among the paths
    sync: one or more rules of `ltt sync`. The times of all traces are converted to the clock of the
        first by messages between their machines, as with `ltt dump --sync`. Trace.info["conversions"]
        has the offsets and bounds

    Raises ltt.Error if a path cannot be read, or if no messages relate a clock to the first.
    """
    paths = [path] if isinstance(path, (str, bytes, os.PathLike)) else list(path)
    rules = _as_list(sync)
    if rules and offsets:
        raise _ltt.InvalidError('sync and offsets exclude each other')
    if rules and len(paths) < 2:
        raise _ltt.InvalidError('sync needs two traces or more')
    return Trace(paths, offsets or {}, rules)


def sync(paths: Iterable[Path], by: str | Iterable[str], *, wander_ppm: float = 0) -> dict[str, Any]:
    """Relates the clocks of several traces by messages (doc/sync.md). Returns the output of `ltt sync --json`.

    by: "SEND:FIELD=RECEIVE:FIELD", the event types at both ends of a message and the fields that identify
        it; several rules in a list
    wander_ppm: the change of the rates of the clocks, in parts per million, that the bounds allow for; 0: 1

    For a clock without a result, an ltt.TraceWarning states the reason. sync() converts no times; open()
    with the same rules does.
    """
    return _ltt.sync(list(paths), _as_list(by), wander_ppm)
