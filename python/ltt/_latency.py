"""The time from one event to another."""
from __future__ import annotations

from typing import NamedTuple

from ltt import _html
from ltt._ltt import Distribution, duration_text

_HEADS = ('count', 'min', 'mean', '50 %', '90 %', '99 %', '99.9 %', 'max')


class Pair(NamedTuple):
    """One of the longest pairs."""

    begin_ns: int
    end_ns: int
    key: str
    group: str | None
    begin_tracefile: str
    end_tracefile: str
    pid: int | None  # pid and tid are those of the begin event
    tid: int | None

    @property
    def duration_ns(self) -> int:
        """The time from the begin event to the end event."""
        return self.end_ns - self.begin_ns


class Change(NamedTuple):
    """The difference of two sets of durations: the result of a Mann-Whitney U test."""

    later_is_longer: float  # probability that a duration of the later set is longer; 0.5: no change
    p: float  # probability of such a difference, or a larger one, by chance


def _duration(duration_ns: float | None) -> str:
    return '' if duration_ns is None else duration_text(int(duration_ns))


def _cells(durations: Distribution) -> list[object]:
    times = [durations.min_ns, durations.mean_ns, *durations.percentiles.values(), durations.max_ns]
    return [durations.count, *map(_duration, times)]


def _by_name(groups: list[tuple[str | None, Distribution]]) -> dict[str | None, Distribution]:
    """Values can have the same text: bytes that are not UTF-8, or functions of the same name. The further ones get a number."""
    found: dict[str | None, Distribution] = {}
    numbers: dict[str | None, int] = {}  # the next one of a name
    for name, durations in groups:
        unique = name
        while unique in found:
            number = numbers.get(name, 2)
            unique, numbers[name] = '%s_%d' % (name, number), number + 1
        found[unique] = durations
    return found


class Latency:
    """The time from one event to another, from Trace.latency()."""

    def __init__(self, begin: str, end: str, durations: Distribution, counts: dict[str, int], key_name: str,
                 groups: list[tuple[str | None, Distribution]],
                 longest: list[tuple[int, int, str, str | None, str, str, int | None, int | None]]) -> None:
        self.begin, self.end = begin, end
        self.durations = durations
        self.counts = counts  # pairs, and events that are in none
        self.key_name = key_name  # what events were paired by
        # By the text of the field `group`, most pairs first; None: pairs without it. A group with the text of an earlier one
        # gets a number: "read", "read_2".
        self.groups = _by_name(groups)
        self.longest = [Pair(*pair) for pair in longest]

    @property
    def percentiles(self) -> dict[float, int | None]:
        """The 50th, 90th, 99th and 99.9th percentile, in nanoseconds."""
        return self.durations.percentiles

    def percentile(self, percent: float) -> int | None:
        """Nanoseconds that `percent` of the pairs do not exceed."""
        return self.durations.percentile(percent)

    def histogram(self, max_rows: int = 40) -> list[tuple[int, int, int]]:
        """A list of (from_ns, to_ns, number of pairs)."""
        return self.durations.histogram(max_rows)

    def compare(self, later: Latency) -> Change | None:
        """Tests whether the pairs of another run are longer; None if there are too few for the test."""
        change = self.durations.compare(later.durations)
        return None if change is None else Change(*change)

    def __len__(self) -> int:
        return self.durations.count

    def __repr__(self) -> str:
        return '<ltt.Latency %s to %s by %s: %s>' % (self.begin, self.end, self.key_name, ', '.join(
            '%s %s' % (head, cell) for head, cell in zip(_HEADS, _cells(self.durations))))

    def _repr_html_(self) -> str:
        rows = [['', *_cells(self.durations)]]
        rows += [[name if name is not None else '(none)', *_cells(durations)] for name, durations in self.groups.items()]
        return _html.table(['', *_HEADS], rows, '%s to %s by %s' % (self.begin, self.end, self.key_name))
