"""The traces of a fleet in Apache Spark, 4.1 or later (doc/spark.md).

    import ltt.spark

    ltt.spark.register(spark)
    requests = spark.read.format("ltt").option("event", "http.request").load("traces/*")
    requests.where("time_ns >= 1700000000000000000").groupBy("host").count().show()

The driver reads info/, control/ and eventdefs/ of each trace. A task reads a part of ltt.fleet.
"""
from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyspark.sql import SparkSession
from pyspark.sql.datasource import (DataSource, DataSourceReader, EqualTo, Filter, GreaterThan, GreaterThanOrEqual, In,
                                    InputPartition, LessThan, LessThanOrEqual)
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

from ltt import fleet
from ltt._ltt import InvalidError

_MAX_TIME_NS = 2 ** 63 - 1

_OPTIONS = ('path', 'paths', 'event', 'table', 'columns', 'partbytes', 'start', 'end', 'cpus', 'filter', 'hosts', 'damage')


class _Part(InputPartition):
    def __init__(self, part: fleet.Part) -> None:
        super().__init__(part)


class _Options:
    """The options of a reader, after their check."""

    def __init__(self, options: Mapping[str, str]) -> None:
        given = {name.lower(): value for name, value in options.items()}
        for name in given:
            if name not in _OPTIONS:
                raise InvalidError('option "%s": expected one of %s' % (name, ', '.join(_OPTIONS)))
        if 'path' not in given:
            raise InvalidError('load() needs the path or a glob pattern of traces')
        self.paths = fleet.find(given['path'].split(','))
        self.is_losses = self._choice(given, 'table', ('events', 'losses')) == 'losses'
        self.event = given.get('event', '')
        if not self.event and not self.is_losses:
            raise InvalidError('option "event" is missing, such as "http.request"')
        self.columns = _words(given.get('columns'))
        self.part_bytes = int(given.get('partbytes', fleet.DEFAULT_PART_BYTES))
        self.start, self.end = given.get('start'), given.get('end')
        self.cpus, self.filter, self.hosts = given.get('cpus'), given.get('filter'), _words(given.get('hosts'))
        self.is_strict = self._choice(given, 'damage', ('report', 'fail')) == 'fail'

    @staticmethod
    def _choice(given: Mapping[str, str], name: str, values: tuple[str, ...]) -> str:
        value = given.get(name, values[0])
        if value not in values:
            raise InvalidError('option "%s": expected %s, got "%s"' % (name, ' or '.join(values), value))
        return value


def _words(text: str | None) -> list[str] | None:
    return None if text is None else [word.strip() for word in text.split(',')]


class _Reader(DataSourceReader):
    """The request of a query. Spark pickles it for the tasks."""

    def __init__(self, options: _Options, schema: StructType) -> None:
        self.options = options
        self.schema = schema
        self.start_ns = 0
        self.end_ns: int | None = None
        self.cpus: set[Any] | None = None
        self.hosts: set[Any] | None = None

    def _push(self, item: Filter) -> bool:
        """Accepts a condition. Returns False if Spark must evaluate it"""
        name = '.'.join(getattr(item, 'attribute', ()))
        value = getattr(item, 'value', None)
        values = set(value) if isinstance(item, In) and value is not None else {value}
        values.discard(None)  # nothing equals NULL
        if name == 'time_ns' and isinstance(value, int) and self.options.start is self.options.end is None:
            return self._push_time(item, value)
        if name == 'cpu' and isinstance(item, (EqualTo, In)) and self.options.cpus is None:
            self.cpus = values if self.cpus is None else self.cpus & values
            return True
        if name == 'host' and isinstance(item, (EqualTo, In)):
            self.hosts = values if self.hosts is None else self.hosts & values
            return True
        return False

    def _push_time(self, item: Filter, value: int) -> bool:
        if isinstance(item, (GreaterThan, GreaterThanOrEqual, EqualTo)):
            self.start_ns = max(self.start_ns, value + isinstance(item, GreaterThan))
        if isinstance(item, (LessThan, LessThanOrEqual, EqualTo)):
            end_ns = value + (not isinstance(item, LessThan))
            if end_ns <= _MAX_TIME_NS:  # else it holds for all times
                self.end_ns = end_ns if self.end_ns is None else min(self.end_ns, end_ns)
        return isinstance(item, (GreaterThan, GreaterThanOrEqual, EqualTo, LessThan, LessThanOrEqual))

    def pushFilters(self, filters: list[Filter]) -> Iterable[Filter]:
        if self.options.is_losses:
            return filters
        return [item for item in filters if not self._push(item)]

    def _hosts(self) -> set[Any] | None:
        chosen = None if self.options.hosts is None else set(self.options.hosts)
        return chosen if self.hosts is None else self.hosts if chosen is None else self.hosts & chosen

    def partitions(self) -> Sequence[InputPartition]:
        options = self.options
        made = (fleet.whole(options.paths) if options.is_losses else
                fleet.parts(options.paths, part_bytes=options.part_bytes, hosts=self._hosts()))
        return [_Part(part) for part in made]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        options = self.options
        if partition.value is None:  # Spark's only task if there are no parts
            return
        if options.is_losses:
            for row in fleet.losses(partition.value, options.event or None):
                yield tuple(row[name] for name in self.schema.fieldNames())
            return
        schema = to_arrow_schema(self.schema, timezone='UTC')
        cpus = None if self.cpus is None else sorted(cpu for cpu in self.cpus if cpu >= 0)
        if cpus == [] or self.start_ns > _MAX_TIME_NS or self.end_ns is not None and self.end_ns <= self.start_ns:
            return
        yield from fleet.read(partition.value, options.event, schema, start=options.start or self.start_ns or None,
                              end=self.end_ns if options.end is None else options.end, filter=options.filter,
                              cpus=options.cpus if cpus is None else cpus, hosts=self._hosts(), strict=options.is_strict)


class Traces(DataSource):
    """The format "ltt"."""

    @classmethod
    def name(cls) -> str:
        return 'ltt'

    def schema(self) -> StructType:
        options = _Options(self.options)
        if options.is_losses:
            return from_arrow_schema(fleet.LOSSES)
        schema = fleet.schema(options.paths, options.event)
        for name in options.columns or []:
            if name not in schema.names:
                raise InvalidError('%s has no column "%s"; it has %s' % (options.event, name, ', '.join(schema.names)))
        return from_arrow_schema(pa.schema([schema.field(name) for name in options.columns or schema.names]))

    def reader(self, schema: StructType) -> DataSourceReader:
        options = _Options(self.options)
        if not options.is_losses:
            fleet.check_selection(options.paths, start=options.start, end=options.end, filter=options.filter, cpus=options.cpus)
        return _Reader(options, schema)


def register(spark: SparkSession) -> None:
    """Registers the format "ltt" in a session, and enables Spark to pass conditions to it."""
    spark.conf.set('spark.sql.python.filterPushdown.enabled', 'true')
    spark.dataSource.register(Traces)
