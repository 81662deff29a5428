"""Data frames of pandas, polars and Arrow, in and out."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal, Protocol, TypeVar, cast

import narwhals as nw

from ._system_calls import Row
from .errors import PbOelError
from .types import AssessmentReceipt, Problem

Kind = Literal["pandas", "polars", "arrow"]
Frame = TypeVar("Frame")

#: The columns of an assessment, each with how it is found.
COLUMNS = ("assessment", "level", "levelName", "likely", "safeSide", "confidence", "trained")


class Assesses(Protocol):
    """A `System` or a `LocalAssessor`."""

    def assess_many(self, rows: Iterable[Row]) -> list[AssessmentReceipt | Problem]: ...


def assess_frame(assessor: Assesses, frame: Frame, channels: Sequence[str] | None = None) -> Frame:
    """
    Assesses the rows of a data frame in order, and gives the frame with what was found as further columns:
    `assessment`, `level`, `levelName`, `likely`, `safeSide`, `confidence`, `trained`. A row that was refused is empty
    there, and `problem` says why. Missing readings (`None`, `NaN`, null) are missing.

    :param frame: of pandas, polars or Arrow; the answer is of the same kind, with the same index
    :param channels: the columns that are channels; all when left out
    """
    table = nw.from_native(cast(Any, frame), eager_only=True)
    names = list(channels if channels is not None else table.columns)
    if absent := [name for name in names if name not in table.columns]:
        raise PbOelError(f"channel {absent[0]!r} is no column; the columns are {', '.join(table.columns)}")
    taken = [name for name in (*COLUMNS, "problem") if name in table.columns]
    if taken:
        raise PbOelError(f"column {taken[0]!r} would be overwritten: rename it first")
    found = cast(list[dict[str, Any]], assessor.assess_many(rows_of(table, names)))
    columns: dict[str, list[Any]] = {name: [one.get(name) for one in found] for name in COLUMNS}
    problems = [one.get("detail", one["title"]) if "title" in one else None for one in found]
    if any(problems):
        columns["problem"] = problems
    backend = nw.get_native_namespace(table)
    series = [nw.new_series(name, values, backend=backend) for name, values in columns.items()]
    return cast(Frame, aligned(table, series).to_native())


def aligned(table: Any, series: list[Any]) -> Any:
    """The table with further columns, row by row, whatever its index is."""
    if nw.get_native_namespace(table).__name__ != "pandas":
        return table.with_columns(*series)
    native = table.to_native()
    return nw.from_native(native.assign(**{one.name: one.to_native().to_numpy() for one in series}), eager_only=True)


def rows_of(table: Any, names: Sequence[str]) -> Iterator[dict[str, float | None]]:
    """The rows by channel; what is no finite number stays as it is, so that the assessor says what is wrong."""
    for row in table.select(*names).iter_rows():
        yield {name: reading(value) for name, value in zip(names, row, strict=True)}


def reading(value: Any) -> Any:
    """
    A reading as JSON has it.

    >>> [reading(value) for value in (1, 2.5, None, float("nan"))]
    [1, 2.5, None, None]
    """
    plain = value.item() if hasattr(value, "item") else value
    return None if isinstance(plain, float) and math.isnan(plain) else plain


def frame_of(parquet: bytes, kind: Kind) -> Any:
    """A Parquet file as a data frame."""
    if kind == "polars":
        import polars

        return polars.read_parquet(io.BytesIO(parquet))
    if kind not in ("pandas", "arrow"):
        raise PbOelError(f"kind {kind!r}: expected pandas, polars or arrow")
    import pyarrow.parquet

    table = pyarrow.parquet.read_table(io.BytesIO(parquet))
    return table if kind == "arrow" else table.to_pandas()
