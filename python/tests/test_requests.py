"""What is sent, and what becomes of answers: without a service."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import httpx
import pytest
from pb_oel import AsyncClient, Client, LocalAssessor, ServiceError, operations
from pb_oel._client_base import read, wait_of
from pb_oel._system_calls import LIST_LIMIT, answer_of, assess_list, sample_of

UNCONFIRMED = {"title": "Unconfirmed", "status": 503}
NOT_READY = {"title": "Not ready", "status": 503}
SAMPLE = operations.assess("tank", {"values": [1.0]})


def answered(status: int, after: str | None = "1", problem: dict[str, Any] | None = None) -> httpx.Response:
    headers = {} if after is None else {"retry-after": after}
    return httpx.Response(status, headers=headers, json=problem or {"title": "x", "status": status})


@pytest.mark.parametrize(
    ("response", "attempt", "wait"),
    [
        (answered(503), 0, 1.0),
        (answered(429, "7"), 4, 7.0),
        (answered(503, "3600"), 0, 30.0),
        (answered(503), 5, None),
        (answered(503, None), 0, None),
        (answered(503, "soon"), 0, None),
        (answered(500), 0, None),
        (answered(507), 0, None),
        (answered(409), 0, None),
    ],
)
def test_waits_only_where_the_service_says_how_long(response: httpx.Response, attempt: int, wait: float | None) -> None:
    assert wait_of(SAMPLE, response, attempt, 5) == wait


@pytest.mark.parametrize(
    ("call", "again"),
    [
        (SAMPLE, False),
        (operations.assess("tank", {"values": [1.0], "key": "k"}), True),
        (operations.assess("tank", [{"values": [1.0], "key": "k"}, {"values": [1.0]}]), False),
        (operations.assess("tank", [{"values": [1.0], "key": "k"}, {"values": [1.0], "key": "l"}]), True),
        (operations.get_system("tank"), True),
        (operations.delete_system("tank", confirm="tank"), False),
    ],
)
def test_what_was_perhaps_taken_is_sent_again_only_under_its_key(call: Any, again: bool) -> None:
    assert wait_of(call, answered(503, problem=UNCONFIRMED), 0, 5) == (1.0 if again else None)
    assert wait_of(call, answered(503, problem=NOT_READY), 0, 5) == 1.0


def service(answers: Callable[[int], httpx.Response]) -> tuple[dict[str, Any], list[httpx.Request]]:
    """The transport of a service that answers the first request, the second and so on, and the requests it got."""
    requests: list[httpx.Request] = []

    def answer(request: httpx.Request) -> httpx.Response:
        requests.append(request)
        return answers(len(requests))

    return {"transport": httpx.MockTransport(answer)}, requests


def test_both_clients_send_again_as_often_as_they_should_and_say_what_was_wrong_then() -> None:
    def busy(number: int) -> httpx.Response:
        return answered(503, "0", {**NOT_READY, "detail": f"attempt {number}"})

    transport, requests = service(busy)
    with Client(token="secret", retries=2) as client:
        client._settings.update(transport)
        with pytest.raises(ServiceError, match="503 Not ready: attempt 3"):
            client.systems()
    assert [one.headers["authorization"] for one in requests] == ["Bearer secret"] * 3

    async def both() -> None:
        async with AsyncClient(retries=2) as client:
            client._settings.update(transport)
            with pytest.raises(ServiceError, match="attempt 6"):
                await client.systems()

    asyncio.run(both())
    assert "authorization" not in requests[-1].headers


def test_parameters_are_said_as_the_service_reads_them() -> None:
    call = operations.export_samples("tank", format="parquet", detail=True)
    assert call.parameters == {"format": "parquet", "detail": "true"}
    assert operations.get_queue("tank", limit=0, free=False).parameters == {"limit": "0", "free": "false"}


def test_a_sample_and_an_answer_have_what_was_given_and_nothing_else() -> None:
    assert sample_of({"a": 1.0}) == {"values": {"a": 1.0}}
    assert sample_of((1.0, None), at=0, key="k", mode="full") == {
        "values": [1.0, None],
        "at": 0,
        "key": "k",
        "mode": "full",
    }
    assert answer_of(3, "label", 0, key="k", by="eva", correction=True) == {
        **{"assessment": 3, "kind": "label", "level": 0},
        **{"key": "k", "by": "eva", "correction": True},
    }
    assert answer_of({"assessment": 0}, "reject") == {"assessment": 0, "kind": "reject"}  # type: ignore[typeddict-item]


def test_rows_go_in_as_many_requests_as_they_need() -> None:
    calls = list(assess_list("tank", ([float(i)] for i in range(LIST_LIMIT + 1))))
    assert [len(call.body) for call in calls] == [10_000, 1]
    assert calls[1].body == [{"values": [10_000.0]}]


def test_answers_are_read_as_what_they_are() -> None:
    assert read(operations.release_question("tank", 0), httpx.Response(204)) is None
    assert read(operations.metrics(), httpx.Response(200, content=b"a 1")) == b"a 1"
    with pytest.raises(ServiceError, match="502 Bad Gateway: <html>") as told:
        read(SAMPLE, httpx.Response(502, text="<html>"))
    assert (told.value.status, told.value.problem["status"]) == (502, 502)


def test_the_process_counts_channels_from_one() -> None:
    local = object.__new__(LocalAssessor)
    local.channels, local.levels = ["a", "b", "c"], ["safe", "odd", "unsafe"]
    assert [local._channel(f"channel-{place}") for place in (1, 2, 3)] == ["a", "b", "c"]
    assert [local._index(level) for level in ("safe", "odd", "unsafe")] == [0, 1, 2]
    local.channels = None
    assert local._channel("channel-2") == "channel-2"
