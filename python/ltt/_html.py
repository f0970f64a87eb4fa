"""HTML tables for notebooks. Text from a trace is escaped."""
from __future__ import annotations

import html
from collections.abc import Iterable, Sequence


def _cell(value: object, tag: str) -> str:
    right = ' style="text-align: right"' if isinstance(value, (int, float)) else ''
    text = '' if value is None else html.escape(str(value)).replace('\n', '<br>')
    return '<%s%s>%s</%s>' % (tag, right, text, tag)


def _row(values: Iterable[object], tag: str) -> str:
    return '<tr>%s</tr>' % ''.join(_cell(value, tag) for value in values)


def table(heads: Sequence[str], rows: Iterable[Sequence[object]], caption: str = '') -> str:
    """A table; None is an empty cell, and a line feed in text begins a line."""
    return '<table>%s<thead>%s</thead><tbody>%s</tbody></table>' % (
        '<caption>%s</caption>' % html.escape(caption) if caption else '', _row(heads, 'th'),
        ''.join(_row(row, 'td') for row in rows))
