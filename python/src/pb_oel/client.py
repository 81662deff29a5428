"""The client of a running service."""

from __future__ import annotations

import time
from collections.abc import Iterable
from functools import cached_property
from types import TracebackType
from typing import TYPE_CHECKING, Any, TypeVar, cast

import httpx

from . import _system_calls as calls
from . import operations
from ._call import Call
from ._client_base import ClientBase, read, request, unreachable, wait_of
from ._system_calls import Assessed, Mode, Row
from .types import (
    AnswerReceipt,
    AssessmentReceipt,
    Guarantee,
    NewSystem,
    Problem,
    Question,
    SystemDetail,
    SystemSummary,
)

if TYPE_CHECKING:
    from .frames import Kind

T = TypeVar("T")


class Client(ClientBase):
    """
    A service at a URL.

        with Client("http://127.0.0.1:8400") as service:
            boat = service.create("boat", channels=["depth", "oxygen"], levels=["safe", "unsafe"])
            assessment = boat.assess({"depth": 120.5, "oxygen": 20.9})
            boat.label(assessment, "safe")
    """

    @cached_property
    def _http(self) -> httpx.Client:
        return httpx.Client(**self._settings)

    def call(self, call: Call[T]) -> T:
        """Sends any request of `pb_oel.operations`."""
        attempt = 0
        while True:
            try:
                response = self._http.request(**request(call))
            except httpx.TransportError as error:
                raise unreachable(error, self._http.base_url) from error
            wait = wait_of(call, response, attempt, self._retries)
            if wait is None:
                return read(call, response)
            time.sleep(wait)
            attempt += 1

    def systems(self) -> list[SystemSummary]:
        """All systems that the token may see."""
        return self.call(operations.list_systems())["systems"]

    def system(self, id: str) -> System:
        """A system that exists. Nothing is sent."""
        return System(self, id)

    def create(self, id: str, channels: Iterable[str], levels: Iterable[str], **rest: Any) -> System:
        """
        Creates a system.

        :param levels: names, safest first
        :param rest: further fields of a new system, such as `method="pb-oel-plus"` or `seed=7`
        """
        body = cast(NewSystem, {"id": id, "channels": list(channels), "levels": list(levels), **rest})
        self.call(operations.create_system(body))
        return System(self, id)

    def close(self) -> None:
        """Closes the connections."""
        self._http.close()

    def __enter__(self) -> Client:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


class System:
    """One system of a service."""

    def __init__(self, client: Client, id: str) -> None:
        self._client = client
        self.id = id

    def assess(
        self, row: Row, *, at: str | int | None = None, key: str | None = None, mode: Mode | None = None
    ) -> AssessmentReceipt:
        """
        Assesses one sample. The answer comes when it is on disk.

        :param row: readings by channel, or in the order of the channels
        :param at: clock of the sensor, ISO 8601 or milliseconds since 1970
        :param key: a name of your own: a sample that is sent again under its key is taken once
        """
        return self._client.call(calls.assess_one(self.id, calls.sample_of(row, at=at, key=key, mode=mode)))

    def assess_many(self, rows: Iterable[Row]) -> list[AssessmentReceipt | Problem]:
        """Assesses rows in order. A row that was refused has its problem document in the place of an assessment."""
        return [answer for call in calls.assess_list(self.id, rows) for answer in self._client.call(call)]

    def confirm(self, assessment: Assessed, **rest: Any) -> AnswerReceipt:
        """Says that an assessment was right. `rest`: `correction`, `by`, `key`."""
        return self._client.call(calls.answer(self.id, calls.answer_of(assessment, "confirm", **rest)))

    def reject(self, assessment: Assessed, **rest: Any) -> AnswerReceipt:
        """Says that an assessment was wrong."""
        return self._client.call(calls.answer(self.id, calls.answer_of(assessment, "reject", **rest)))

    def label(self, assessment: Assessed, level: int | str, **rest: Any) -> AnswerReceipt:
        """Says what the true level was, by its name or its index."""
        return self._client.call(calls.answer(self.id, calls.answer_of(assessment, "label", level, **rest)))

    def detail(self) -> SystemDetail:
        """Everything about the system now."""
        return self._client.call(operations.get_system(self.id))

    def guarantee(self) -> Guarantee:
        """What is promised and what has been reached."""
        return self._client.call(operations.get_guarantee(self.id))

    def questions(self, limit: int = 50) -> list[Question]:
        """What reviewers are asked, the most valuable question first."""
        return self._client.call(operations.get_queue(self.id, limit=limit))["questions"]

    def history(self, kind: Kind = "pandas", *, detail: bool = False) -> Any:
        """
        All samples with their times and true levels as a data frame.

        :param kind: `pandas`, `polars` or `arrow`
        :param detail: adds what was assessed and who answered
        """
        from .frames import frame_of

        return frame_of(self._client.call(operations.export_samples(self.id, format="parquet", detail=detail)), kind)
