"""The requests about one system, which both clients send."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Literal, cast

from . import operations
from ._call import Call
from ._client_base import LIST_LIMIT
from .types import AnswerReceipt, AssessmentReceipt, GivenAnswer, GivenSample, Problem

#: Readings by the name of their channel, or in the order of the channels. `None` is a missing reading.
Row = Mapping[str, float | None] | Sequence[float | None]
#: An assessment, or its number.
Assessed = AssessmentReceipt | int
Mode = Literal["full", "partial", "unknown"]


def sample_of(row: Row, *, at: str | int | None = None, key: str | None = None, mode: Mode | None = None) -> GivenSample:
    """A row as the service takes it."""
    values: Any = dict(row) if isinstance(row, Mapping) else list(row)
    rest = {name: value for name, value in (("at", at), ("key", key), ("mode", mode)) if value is not None}
    return cast(GivenSample, {"values": values, **rest})


def answer_of(
    assessment: Assessed,
    kind: Literal["confirm", "reject", "label"],
    level: int | str | None = None,
    *,
    correction: bool = False,
    by: str | None = None,
    key: str | None = None,
) -> GivenAnswer:
    """An answer as the service takes it."""
    number = assessment if isinstance(assessment, int) else assessment["assessment"]
    rest = {"level": level, "correction": correction or None, "by": by, "key": key}
    given = {name: value for name, value in rest.items() if value is not None}
    return cast(GivenAnswer, {"assessment": number, "kind": kind, **given})


def assess_one(system: str, sample: GivenSample) -> Call[AssessmentReceipt]:
    return cast(Call[AssessmentReceipt], operations.assess(system, sample))


def assess_list(system: str, rows: Iterable[Row]) -> Iterator[Call[list[AssessmentReceipt | Problem]]]:
    """As many requests as the rows need."""
    rest = iter(rows)
    while part := [sample_of(row) for row in islice(rest, LIST_LIMIT)]:
        yield cast(Call[list[AssessmentReceipt | Problem]], operations.assess(system, part))


def answer(system: str, given: GivenAnswer) -> Call[AnswerReceipt]:
    return cast(Call[AnswerReceipt], operations.answer(system, given))
