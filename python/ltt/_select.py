"""Converts arguments that select events to the form of the options of `ltt`."""
from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import Optional, Union

# (globs, start, end, filter, cpus, all): the selection of the C module.
Selection = tuple[Optional[str], Optional[str], Optional[str], Optional[str], Optional[str], bool]

# As `ltt dump --from` takes it ("+1.5", "-2"); nanoseconds; seconds; a date.
Time = Union[str, int, float, datetime.datetime]

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def seconds(time_ns: int) -> str:
    """Formats nanoseconds as seconds."""
    return '%s%d.%09d' % ('-' if time_ns < 0 else '', *divmod(abs(time_ns), 10**9))


def time_text(time: Time | None) -> str | None:
    """A time in the form of `--from`."""
    if time is None or isinstance(time, str):
        return time
    if isinstance(time, datetime.datetime):
        time = (time.astimezone(datetime.timezone.utc) - _EPOCH) // datetime.timedelta(microseconds=1) * 1000
    elif isinstance(time, float):
        time = round(time * 1e9)
    # No event is before 1970, and "-1" in `--from` is one second before the end.
    return seconds(max(time, 0))


def selection(pattern: str | Iterable[str] | None, start: Time | None, end: Time | None, condition: str | None,
              cpus: int | str | Iterable[int] | None, hidden: bool) -> Selection:
    """Converts the arguments of methods to a selection of the C module."""
    if pattern is not None and not isinstance(pattern, str):
        pattern = ','.join(pattern)
    if isinstance(cpus, int):
        cpus = str(cpus)
    elif cpus is not None and not isinstance(cpus, str):
        cpus = ','.join(map(str, cpus))
    return (pattern, time_text(start), time_text(end), condition, cpus, hidden)
