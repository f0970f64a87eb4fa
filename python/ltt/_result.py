"""Results of SQL queries."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from ltt import _html
from ltt._ltt import Query

_HTML_ROWS = 100


class Result:
    """The rows of an SQL query, tuples, from Trace.sql().

    Rows are computed on demand and kept, so a result can be iterated over several times. If the
    query has failed or was interrupted, using the result fails each time. rows() keeps no rows. pandas.DataFrame(result, columns=result.columns) takes a result.
    """

    def __init__(self, query: Query) -> None:
        self._query = query
        self._kept: list[tuple[Any, ...]] = []

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return self._query.columns

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """Iterates over the rows that are not kept yet, and does not keep them."""
        return self._query

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        index = 0
        while True:
            while index < len(self._kept):
                yield self._kept[index]
                index += 1
            row = next(self._query, None)
            if row is None:
                return
            self._kept.append(row)

    def __len__(self) -> int:
        self._kept.extend(self._query)
        return len(self._kept)

    def __getitem__(self, index: int) -> tuple[Any, ...]:
        if index < 0 or index >= len(self._kept):
            self._kept.extend(self._query)
        return self._kept[index]

    def to_dict(self) -> dict[str, list[Any]]:
        """The columns, by name, as lists. A column with the name of an earlier one gets a number: "time", "time_2"."""
        found: dict[str, list[Any]] = {}
        for i, name in enumerate(self.columns):
            unique, number = name, 2
            while unique in found:
                unique, number = '%s_%d' % (name, number), number + 1
            found[unique] = [row[i] for row in self]
        return found

    def __repr__(self) -> str:
        return '<ltt.Result: %s>' % ', '.join(self.columns)

    def _repr_html_(self) -> str:
        rows: list[tuple[Any, ...]] = []
        for row in self:
            if len(rows) == _HTML_ROWS:
                return _html.table(self.columns, rows, 'the first %d rows' % _HTML_ROWS)
            rows.append(row)
        return _html.table(self.columns, rows)
