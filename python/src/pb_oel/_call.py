"""A request that is not sent yet, so that both clients share every operation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Generic, Literal, TypeVar

T = TypeVar("T")


@dataclass(frozen=True)
class Call(Generic[T]):
    """A request; `T` is the type of its answer."""

    method: str
    path: str
    answer: Literal["json", "bytes", "nothing"]
    query: Mapping[str, object] = field(default_factory=dict)
    body: Any = None

    @property
    def parameters(self) -> dict[str, str]:
        """The query as text: parameters that were left out are left out, and truth is said as JSON says it."""
        given = {name: value for name, value in self.query.items() if value is not None}
        return {name: str(value).lower() if isinstance(value, bool) else str(value) for name, value in given.items()}
