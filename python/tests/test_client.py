"""The client against the real service."""

from __future__ import annotations

import asyncio

import generate
import pytest
from pb_oel import AsyncClient, Client, NotReachable, ServiceError, operations




def test_assesses_and_learns(service: Client, name: str) -> None:
    boat = service.create(name, channels=["depth", "oxygen"], levels=["safe", "unsafe"], seed=7)
    first = boat.assess({"depth": 1.0, "oxygen": 20.9}, at="2026-11-15T10:00:00Z")
    boat.label(first, "unsafe", by="alice")
    second = boat.assess([2.0, 20.8])
    boat.confirm(second)
    boat.reject(second["assessment"], correction=True)
    detail = boat.detail()
    assert detail["configuration"]["seed"] == 7
    assert (detail["counts"]["labels"], detail["counts"]["corrections"]) == (1, 1)
    assert boat.guarantee()["rounds"] == 2
    assert name in [one["id"] for one in service.systems()]


def test_asks_questions_until_they_are_answered(service: Client, name: str) -> None:
    boat = service.create(name, channels=["depth"], levels=["safe", "unsafe"])
    boat.assess([1.0])
    (question,) = boat.questions()
    boat.confirm(question["assessment"])
    assert boat.questions() == []


def test_a_key_is_taken_once(service: Client, name: str) -> None:
    boat = service.create(name, channels=["depth"], levels=["safe", "unsafe"])
    first, again = boat.assess([1.0], key="n1"), boat.assess([1.0], key="n1")
    assert again["assessment"] == first["assessment"]
    assert again["repeated"]
    assert boat.detail()["samples"] == 1


def test_more_rows_than_one_request_holds(service: Client, name: str) -> None:
    tank = service.create(name, channels=["a"], levels=["safe", "unsafe"], method="no-change")
    found = tank.assess_many([float(i)] for i in range(10_003))
    assert [one.get("assessment") for one in found] == list(range(10_003))


def test_a_refused_row_does_not_stop_the_others(service: Client, name: str) -> None:
    tank = service.create(name, channels=["a"], levels=["safe", "unsafe"])
    found = tank.assess_many([[1.0], [1.0, 2.0], [3.0]])
    assert ["title" in one for one in found] == [False, True, False]


def test_problems_have_names(service: Client, name: str) -> None:
    with pytest.raises(ServiceError, match=name) as told:
        service.system(name).assess([1.0])
    assert told.value.status == 404
    with pytest.raises(ServiceError, match="levels") as told:
        service.create(name, channels=["a"], levels=["safe"])
    assert told.value.problem["status"] == 400


def test_says_that_nobody_listens() -> None:
    with Client("http://127.0.0.1:9") as nobody, pytest.raises(NotReachable, match="127.0.0.1:9"):
        nobody.systems()


def test_every_operation_without_arguments_is_answered(service: Client) -> None:
    assert service.call(operations.health())["status"] == "ok"
    assert "pb-oel" in [method["name"] for method in service.call(operations.list_methods())["methods"]]
    assert b"pb_oel_" in service.call(operations.metrics())


def test_async(url: str, name: str) -> None:
    async def both() -> list[int]:
        async with AsyncClient(url) as service:
            boat = await service.create(name, channels=["depth"], levels=["safe", "unsafe"])
            found = await asyncio.gather(*(boat.assess([float(i)]) for i in range(20)))
            await boat.confirm(found[0])
            await boat.reject(found[1])
            await boat.label(found[2], "safe")
            assert (await boat.guarantee())["rounds"] == 3
            assert len(await boat.questions()) == 17
            assert len(await boat.assess_many([[1.0], [2.0]])) == 2
            assert (await boat.detail())["samples"] == 22
            assert name in [one["id"] for one in await service.systems()]
            with pytest.raises(ServiceError, match="404"):
                await service.system("nobody").detail()
            return sorted(one["assessment"] for one in found)

    assert asyncio.run(both()) == list(range(20))


def test_generated_files_are_fresh(service: Client) -> None:
    document = service._http.get("/openapi.json").json()
    assert (generate.PACKAGE / "operations.py").read_text() == generate.operations(document)
    assert (generate.PACKAGE / "types.py").read_text() == generate.type_files(document)
