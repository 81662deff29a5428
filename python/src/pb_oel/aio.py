"""The client for `asyncio`: the same words, awaited."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from functools import cached_property
from types import TracebackType
from typing import Any, TypeVar, cast

import httpx

from . import _system_calls as calls
from . import operations
from ._call import Call
from ._client_base import ClientBase, read, request, unreachable, wait_of
from ._system_calls import Assessed, Mode, Row
from .types import AnswerReceipt, AssessmentReceipt, Guarantee, NewSystem, Problem, Question, SystemDetail, SystemSummary

T = TypeVar("T")


class AsyncClient(ClientBase):
    """
    A service at a URL, for `asyncio`. Arguments are those of `Client`.

        async with AsyncClient() as service:
            boat = await service.create("boat", channels=["depth"], levels=["safe", "unsafe"])
            assessment = await boat.assess({"depth": 120.5})
            await boat.confirm(assessment)
    """

    @cached_property
    def _http(self) -> httpx.AsyncClient:
        return httpx.AsyncClient(**self._settings)

    async def call(self, call: Call[T]) -> T:
        """Sends any request of `pb_oel.operations`."""
        attempt = 0
        while True:
            try:
                response = await self._http.request(**request(call))
            except httpx.TransportError as error:
                raise unreachable(error, self._http.base_url) from error
            wait = wait_of(call, response, attempt, self._retries)
            if wait is None:
                return read(call, response)
            await asyncio.sleep(wait)
            attempt += 1

    async def systems(self) -> list[SystemSummary]:
        """All systems that the token may see."""
        return (await self.call(operations.list_systems()))["systems"]

    def system(self, id: str) -> AsyncSystem:
        """A system that exists. Nothing is sent."""
        return AsyncSystem(self, id)

    async def create(self, id: str, channels: Iterable[str], levels: Iterable[str], **rest: Any) -> AsyncSystem:
        """Creates a system, as `Client.create` does."""
        body = cast(NewSystem, {"id": id, "channels": list(channels), "levels": list(levels), **rest})
        await self.call(operations.create_system(body))
        return AsyncSystem(self, id)

    async def close(self) -> None:
        """Closes the connections."""
        await self._http.aclose()

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        await self.close()


class AsyncSystem:
    """One system of a service, as `System` is."""

    def __init__(self, client: AsyncClient, id: str) -> None:
        self._client = client
        self.id = id

    async def assess(
        self, row: Row, *, at: str | int | None = None, key: str | None = None, mode: Mode | None = None
    ) -> AssessmentReceipt:
        """Assesses one sample. The answer comes when it is on disk."""
        return await self._client.call(calls.assess_one(self.id, calls.sample_of(row, at=at, key=key, mode=mode)))

    async def assess_many(self, rows: Iterable[Row]) -> list[AssessmentReceipt | Problem]:
        """Assesses rows in order. A row that was refused has its problem document in the place of an assessment."""
        return [answer for call in calls.assess_list(self.id, rows) for answer in await self._client.call(call)]

    async def confirm(self, assessment: Assessed, **rest: Any) -> AnswerReceipt:
        """Says that an assessment was right."""
        return await self._client.call(calls.answer(self.id, calls.answer_of(assessment, "confirm", **rest)))

    async def reject(self, assessment: Assessed, **rest: Any) -> AnswerReceipt:
        """Says that an assessment was wrong."""
        return await self._client.call(calls.answer(self.id, calls.answer_of(assessment, "reject", **rest)))

    async def label(self, assessment: Assessed, level: int | str, **rest: Any) -> AnswerReceipt:
        """Says what the true level was, by its name or its index."""
        return await self._client.call(calls.answer(self.id, calls.answer_of(assessment, "label", level, **rest)))

    async def detail(self) -> SystemDetail:
        """Everything about the system now."""
        return await self._client.call(operations.get_system(self.id))

    async def guarantee(self) -> Guarantee:
        """What is promised and what has been reached."""
        return await self._client.call(operations.get_guarantee(self.id))

    async def questions(self, limit: int = 50) -> list[Question]:
        """What reviewers are asked, the most valuable question first."""
        return (await self._client.call(operations.get_queue(self.id, limit=limit)))["questions"]
