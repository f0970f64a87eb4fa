"""The events of one type as columns."""
from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ltt import _html
from ltt._ltt import Batch, Batches, Column, InvalidError
from ltt._select import Selection

if TYPE_CHECKING:
    from ltt import _ltt

_HTML_ROWS = 20


class Table:
    """The events of one type as columns, from Trace.table().

    Libraries that read Arrow accept it without a conversion: pyarrow.table(t), polars.DataFrame(t),
    and `from t` in DuckDB. table[name] is a Column: numpy.asarray(table["bytes"]) does not copy it.

    Nothing is read before it is needed. Arrow streams and batches() read the trace each time, with
    constant memory; len(), table[name] and iteration over rows read it once and keep the columns.
    """

    def __init__(self, core: _ltt.Trace, name: str, columns: Sequence[str] | None, selection: Selection, threads: int,
                 ordered: bool, batch_rows: int, partitions: Sequence[str] | None = None) -> None:
        self._core = core
        self._request = (name, columns, selection, threads, ordered, batch_rows, partitions)
        self._name = name
        kinds = dict(core.columns(name))
        chosen = list(kinds) if columns is None else list(columns)
        for column in chosen:
            if not isinstance(column, str):
                raise TypeError('the name of a column is a str, not %r' % column)
            if column not in kinds:
                raise InvalidError('%s has no column "%s"; it has %s' % (name, column, ', '.join(kinds)))
        self._kinds = {column: kinds[column] for column in chosen}
        core.schema(*self._request)  # finds mistakes in the request
        self._kept: tuple[Batches, list[Batch]] | None = None
        self._columns: dict[str, Column] = {}

    @property
    def name(self) -> str:
        """Name of the table: that of the event type."""
        return self._name

    @property
    def columns(self) -> list[str]:
        """Names of the columns."""
        return list(self._kinds)

    @property
    def kinds(self) -> dict[str, str]:
        """Types of the columns, by name: "time", "uint32", "string", "enum" ..."""
        return dict(self._kinds)

    def batches(self) -> Batches:
        """Reads the rows in batches."""
        return self._core.batches(*self._request)

    def _need(self) -> tuple[Batches, list[Batch]]:
        if self._kept is None:
            reading = self.batches()
            self._kept = (reading, list(reading))
        return self._kept

    def __len__(self) -> int:
        return sum(map(len, self._need()[1]))

    def __getitem__(self, name: str) -> Column:
        if name not in self._kinds:
            raise KeyError('%s has no column %r; it has %s' % (self._name, name, ', '.join(self._kinds)))
        column = self._columns.get(name)
        if column is None:
            reading, batches = self._need()
            column = self._columns[name] = reading.column(batches, self.columns.index(name))
        return column

    def __contains__(self, name: object) -> bool:
        return name in self._kinds

    def __iter__(self) -> Iterator[dict[str, Any]]:
        """Rows, as dicts."""
        names = self.columns
        for batch in self._need()[1]:
            # zip() of no columns has no rows.
            rows = zip(*(batch[name].to_list() for name in names)) if names else itertools.repeat((), len(batch))
            for row in rows:
                yield dict(zip(names, row))

    def to_dict(self) -> dict[str, list[Any]]:
        """All columns as lists of Python objects."""
        return {name: self[name].to_list() for name in self._kinds}

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """The rows, for libraries that read Arrow."""
        return self._core.stream(*self._request)

    def __arrow_c_schema__(self) -> object:
        """The types of the columns, for libraries that read Arrow."""
        return self._core.schema(*self._request)

    def __repr__(self) -> str:
        return '<ltt.Table %s: %s>' % (self._name, ', '.join('%s %s' % item for item in self._kinds.items()))

    def _repr_html_(self) -> str:
        rows: list[list[Any]] = []
        for batch in self.batches():
            columns = [batch[name] for name in self._kinds]
            rows += [[column[i] for column in columns] for i in range(min(len(batch), _HTML_ROWS + 1 - len(rows)))]
            if len(rows) > _HTML_ROWS:
                break
        is_cut = len(rows) > _HTML_ROWS
        note = 'the first %d rows' % _HTML_ROWS if is_cut else '%d rows' % len(rows)
        heads = ['%s\n%s' % item for item in self._kinds.items()]
        return _html.table(heads, rows[:_HTML_ROWS], '%s: %s' % (self._name, note))
