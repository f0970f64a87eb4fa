"""Many traces as one table, with which Spark, Dask and DuckDB read the traces of a fleet in place.

    from ltt import fleet

    paths = fleet.find(["traces/*"])
    schema = fleet.schema(paths, "http.request")
    for part in fleet.parts(paths):                                # on any machine with access to the files
        for batch in fleet.read(part, "http.request", schema):     # a pyarrow.RecordBatch
            ...

A part is a value that can be pickled. The parts contain the events of all traces, each once, whatever the
size of a part. parts() reads only info/, control/ and eventdefs/ of a directory, and the sizes of its
tracefiles. An archive is one part.

The columns are `host`, `trace` and `time_ns`, and then those of the table of a trace (doc/tables.md) without
`time`. All query engines have their types: enums are strings, and unsigned integers have the next larger
signed type, or decimal128(20, 0) for 64 bits.

losses() reports everything that could not be recorded or read, with a row for each reason. The module needs
pyarrow.
"""
from __future__ import annotations

import contextlib
import glob
import itertools
import os
import tempfile
import urllib.parse
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.compute as pc  # type: ignore[import-untyped]

from ltt import _fleet_types
from ltt._ltt import Error, InvalidError
from ltt._select import Time
from ltt._trace import Cpus, Trace

DEFAULT_PART_BYTES = 64 * 1024 * 1024

LOSSES = pa.schema([('host', pa.string()), ('trace', pa.string()), ('kind', pa.string()), ('tracefile', pa.string()),
                    ('block', pa.int64()), ('events', pa.int64()), ('message', pa.string())])


class Piece(NamedTuple):
    """Part `number` of a tracefile that is divided into `of` parts; a whole trace if `tracefile` is None.

    is_first: losses() reports the trace with this piece
    """

    path: str
    tracefile: str | None
    number: int
    of: int
    piece_bytes: int
    is_first: bool = True


class Part(NamedTuple):
    """The input of one task: pieces of one or several traces."""

    pieces: tuple[Piece, ...]


class Description(NamedTuple):
    """The description of a trace, without its events."""

    hosts: frozenset[str]
    block_bytes: int
    schema: pa.Schema | None
    key: tuple[object, ...]


def find(patterns: str | Iterable[str]) -> list[str]:
    """The traces that match glob patterns: directories and archives, sorted, each once, also if it has several names.

    Raises ltt.InvalidError if a pattern matches nothing.
    """
    found: dict[str, str] = {}  # the first name of each
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        matches = glob.glob(pattern)
        if not matches:
            raise InvalidError('%s: no such trace' % pattern)
        for match in matches:
            file = os.path.realpath(match)
            found[file] = min(match, found.get(file, match))
    return sorted(found.values())


def _opened(path: str) -> Trace:
    """An open trace, without warnings: losses() reports its problems, and a selected CPU may be one of other
    traces only."""
    return Trace([path], {}, [], quiet=True)


@contextlib.contextmanager
def _head(path: str) -> Iterator[Trace]:
    """Opens a trace without its folder cpu/, through a directory of links to the other folders. Opens all of an
    archive."""
    if not os.path.isdir(path):
        with _opened(path) as trace:
            yield trace
        return
    with tempfile.TemporaryDirectory(prefix='ltt-fleet-') as view:
        for name in ('info', 'control', 'eventdefs'):
            if os.path.isdir(os.path.join(path, name)):
                os.symlink(os.path.abspath(os.path.join(path, name)), os.path.join(view, name))
        with _opened(view) as trace:
            yield trace


def _hosts(info: dict[str, Any]) -> frozenset[str]:
    """The machines of a trace: several, if it was merged from theirs"""
    entries = (entry.split(':') for entry in info['system'].get('hosts', '').split())
    found = frozenset(urllib.parse.unquote(entry[0]) or 'unknown' for entry in entries if len(entry) == 3)
    return found if len(found) > 1 else frozenset((_host(info),))


def _host(info: dict[str, Any]) -> str:
    """The machine of a trace that has only one"""
    return str(info['system'].get('node_name', ''))


def _has_hosts(info: dict[str, Any]) -> bool:
    return any('host' in file for file in info['tracefiles'])


def describe(path: str, event: str) -> Description | None:
    """Reads the description of a trace and of an event type. None if it cannot be read; losses() reports the reason"""
    try:
        with _head(path) as trace:
            info = trace.info
            system = info['system']
            schema = pa.schema(trace.table(event)) if any(event == type_.name for type_ in trace.types) else None
            key = tuple(sorted((facility['name'], facility['checksum']) for facility in info['facilities']))
            return Description(_hosts(info), int(system['ltt_block_size']), schema,
                               (key, system['arch_size']))
    except (Error, OSError):
        return None


def schema(paths: Sequence[str], event: str) -> pa.Schema:
    """The union of the columns of an event type in all traces.

    Raises ltt.InvalidError if no trace has the type, or if a field has types that do not agree.
    """
    seen: dict[tuple[object, ...], str] = {}
    union: pa.Schema | None = None
    for path in paths:
        description = describe(path, event)
        if description is None or description.schema is None or description.key in seen:
            continue
        portable = _fleet_types.portable_schema(description.schema, len(description.hosts) > 1)
        try:
            union = portable if union is None else _fleet_types.unite(union, portable)
        except TypeError as error:
            others = ', '.join(seen.values())
            raise InvalidError('%s: %s: %s in %s; read the traces of each version separately' % (
                path, event, error, others)) from None
        seen[description.key] = path
    if union is None:
        raise InvalidError('%s: none of %d traces has this event type' % (event, len(paths)))
    return union


# ---- planning ----

def _pieces(path: str, part_bytes: int) -> Iterator[tuple[Piece, int]]:
    """The pieces of a trace, each with its size in bytes."""
    if not os.path.isdir(path):
        yield Piece(path, None, 0, 1, part_bytes), os.path.getsize(path)
        return
    description = describe(path, '')
    if description is None:
        yield Piece(path, None, 0, 1, part_bytes), 0
        return
    is_first = True
    for folder in ('control', 'cpu'):
        if not os.path.isdir(os.path.join(path, folder)):
            continue
        for name in sorted(os.listdir(os.path.join(path, folder))):
            size = os.path.getsize(os.path.join(path, folder, name))
            per_piece = max(part_bytes // description.block_bytes, 1) * description.block_bytes
            n_pieces = max(-(-size // per_piece), 1)
            for index in range(n_pieces):
                yield (Piece(path, '%s/%s' % (folder, name), index, n_pieces, per_piece, is_first),
                       min(per_piece, max(size - index * per_piece, 0)))
                is_first = False


def parts(paths: Sequence[str], *, part_bytes: int = DEFAULT_PART_BYTES, hosts: Iterable[str] | None = None) -> list[Part]:
    """Divides traces into parts of about `part_bytes` each; small tracefiles and traces share one.

    hosts: only traces of these machines. read() checks the machine of an archive
    """
    made: list[Part] = []
    pieces: list[Piece] = []
    n_bytes = 0
    wanted = None if hosts is None else set(hosts)
    for path in paths:
        if wanted is not None and os.path.isdir(path):
            description = describe(path, '')
            if description is not None and not description.hosts & wanted:
                continue
        for piece, size in _pieces(path, max(part_bytes, 1)):
            if pieces and n_bytes + size > part_bytes:
                made.append(Part(tuple(pieces)))
                pieces, n_bytes = [], 0
            pieces.append(piece)
            n_bytes += size
    return made + ([Part(tuple(pieces))] if pieces else [])


def _partitions(trace: Trace, pieces: Iterable[Piece]) -> list[str] | None:
    """The partitions of the library for pieces of one trace; None: all"""
    chosen: list[str] = []
    every: dict[int, list[str]] = {}
    for piece in pieces:
        if piece.tracefile is None:
            return None
        if piece.piece_bytes not in every:
            every[piece.piece_bytes] = trace.partitions(part_bytes=piece.piece_bytes)
        of_file = [text for text in every[piece.piece_bytes] if text.rsplit(' ', 4)[0] == piece.tracefile]
        # A trace that is still being recorded may have grown: its last piece is the rest.
        is_last = piece.number + 1 == piece.of
        chosen += of_file[piece.number:] if is_last else of_file[piece.number:piece.number + 1]
    return chosen


# ---- reading ----

def check_selection(paths: Iterable[str], *, start: Time | None = None, end: Time | None = None,
                    filter: str | None = None, cpus: Cpus | None = None) -> None:  # pylint: disable=redefined-builtin
    """Raises ltt.InvalidError if read() would reject these arguments, before any part is read.

    Opens the description of the first directory that can be opened, and no archive.
    """
    for path in (path for path in paths if os.path.isdir(path)):
        try:
            with _head(path) as trace:
                trace.events(start=start, end=end, filter=filter, cpus=cpus)
                return
        except InvalidError:
            raise
        except (Error, OSError):
            continue


def _batches(trace: Trace, path: str, pieces: Iterable[Piece], event: str, schema: pa.Schema,  # pylint: disable=redefined-outer-name
             wanted: set[str] | None, selected: dict[str, Any]) -> Iterator[pa.RecordBatch]:
    """The events of pieces of one trace"""
    if wanted is not None and not _hosts(trace.info) & wanted or not any(event == type_.name for type_ in trace.types):
        return
    is_merged = _has_hosts(trace.info)
    names = _fleet_types.fleet_names(dict(trace._core.columns(event)), is_merged)  # pylint: disable=protected-access
    constants = {'trace': path, **({} if is_merged else {'host': _host(trace.info)})}
    columns = [names[name] for name in schema.names if name in names]
    if is_merged and wanted is not None and 'host' not in columns:
        columns.append('host')
    table = trace.table(event, columns, threads=1, partitions=_partitions(trace, pieces), **selected)
    for batch in pa.RecordBatchReader.from_stream(table):
        if is_merged and wanted is not None:
            batch = batch.filter(pc.is_in(batch.column('host').dictionary_decode(), pa.array(sorted(wanted), pa.string())))
        yield _fleet_types.conform(batch, schema, names, constants)


def read(part: Part, event: str, schema: pa.Schema, *,  # pylint: disable=redefined-outer-name
         start: Time | None = None, end: Time | None = None,
         filter: str | None = None, cpus: Cpus | None = None,  # pylint: disable=redefined-builtin
         hosts: Iterable[str] | None = None, strict: bool = False) -> Iterator[pa.RecordBatch]:
    """Reads the events of a part as pyarrow.RecordBatch. Only the columns of `schema` are decoded.

    schema: from schema(), or some of its fields in any order
    start, end, filter, cpus: as for Trace.events()
    hosts: only traces of these machines
    strict: raise ltt.Error at damage. Otherwise the events before the damage are read, and losses() reports it

    Raises ltt.InvalidError if an argument is wrong, and ltt.Error if a limit is reached.
    """
    wanted = None if hosts is None else set(hosts)
    selected = {'start': start, 'end': end, 'filter': filter, 'cpus': cpus}
    for path, pieces in itertools.groupby(part.pieces, lambda piece: piece.path):
        is_open = False
        try:
            with _opened(path) as trace:
                is_open = True
                yield from _batches(trace, path, pieces, event, schema, wanted, selected)
                if strict and trace.problems:
                    raise Error(str(trace.problems[0]))
        except Error as error:
            # losses() reports a trace that cannot be opened, and damage, but neither a mistake of the caller nor a limit.
            if strict or is_open and error.kind not in ('io', 'corrupt'):
                raise


# ---- what is missing ----

def _losses_of(trace: Trace, path: str, event: str | None) -> Iterator[dict[str, Any]]:
    counts = trace.stat()
    reasons = counts['lost_by_reason']
    hosts = {file['name']: file['host'] for file in counts['tracefiles'] if 'host' in file}
    if hosts:  # the machines of the reasons are not known
        for file in counts['tracefiles']:
            if file['lost'] > 0:
                yield {'kind': 'lost', 'host': file['host'], 'tracefile': file['name'], 'events': file['lost'],
                       'message': '; '.join(['events that were not recorded', *('%d of the trace: %s' % item[::-1] for item in reasons.items())])}
    else:
        for reason, number in reasons.items():
            yield {'kind': 'lost', 'events': number, 'message': 'reason: %s' % reason}
        rest = counts['lost'] - sum(reasons.values())
        if rest > 0:
            yield {'kind': 'lost', 'events': rest, 'message': 'events that were not recorded'}
    for problem in trace.problems:
        row = {'kind': 'damage', 'tracefile': problem.tracefile, 'block': problem.block, 'message': problem.message}
        yield {**row, 'host': hosts.get(problem.tracefile)} if hosts else row
    if event is not None:
        description = describe(path, event)
        if event in trace.tables and description is not None and description.schema is None:
            yield {'kind': 'version', 'events': len(trace.table(event)),
                   'message': '%s: described in a cpu file only: schema() does not include its columns' % event}
        for table in trace.tables:
            if table.startswith(event + '_') and table[len(event) + 1:].isdigit():
                yield {'kind': 'version', 'events': len(trace.table(table)),
                       'message': '%s: the types of its fields differ from those of %s' % (table, event)}


def losses(part: Part, event: str | None = None) -> Iterator[dict[str, Any]]:
    """Reports what the traces of a part lack, as rows of LOSSES. Reads the whole traces. If a trace is divided into
    several parts, the one that has its first piece reports it.

    kind: "lost": events that were not recorded; "damage": a place that cannot be read; "unreadable": a trace
    that cannot be opened; "version": events of a type whose fields have other types, or are not in the schema

    event: the event type to report versions of
    """
    for path in dict.fromkeys(piece.path for piece in part.pieces if piece.is_first):
        row = {'host': None, 'trace': path, 'tracefile': None, 'block': None, 'events': None}
        try:
            with _opened(path) as trace:
                row['host'] = None if _has_hosts(trace.info) else _host(trace.info)
                for loss in _losses_of(trace, path, event):
                    yield {**row, **loss}
        except Error as error:
            yield {**row, 'kind': 'unreadable', 'message': str(error)}


def whole(paths: Sequence[str]) -> list[Part]:
    """A part for each trace, for losses()."""
    return [Part((Piece(path, None, 0, 1, 0),)) for path in paths]
