"""The assessor in a process of its own."""

from __future__ import annotations

import pytest
from pb_oel import CommandMissing, LocalAssessor, LocalError
from pb_oel.command import VARIABLE


def test_learns_from_labels() -> None:
    with LocalAssessor(["safe", "unsafe"], channels=["pressure, bar"], method="pb-oel", options={"networks": 3}) as tank:
        for i in range(60):
            tank.label(tank.assess({"pressure, bar": float(i % 2) * 10}), i % 2)
        found = [tank.assess([value], mode="full") for value in (0.0, 10.0)]
    assert [one["likely"] for one in found] == [0, 1]
    assert len(found[0]["experts"]) == 3
    assert found[1]["levelName"] in ("safe", "unsafe")


def test_names_held_channels_and_takes_answers_once() -> None:
    with LocalAssessor(["safe", "unsafe"], channels=["a", "b"], missing="hold") as tank:
        first, second = tank.assess({"a": 1.0, "b": 2.0}), tank.assess({"a": 1.5})
        assert second["degraded"] == ["b"]
        tank.confirm(first)
        tank.reject(second)
        with pytest.raises(LocalError, match="answered"):
            tank.reject(first)


def test_refuses_what_is_wrong_and_goes_on() -> None:
    with LocalAssessor(["safe", "unsafe"], channels=["a", "b"]) as tank:
        for row in ({"a": 1.0}, {"a": 1.0, "c": 2.0}, [1.0], [1.0, float("nan")]):
            with pytest.raises(LocalError):
                tank.assess(row)
        assert tank.assess([1.0, 2.0])["assessment"] == 0
        with pytest.raises(LocalError, match="safe, unsafe"):
            tank.label(0, "odd")
    with pytest.raises(LocalError, match="closed"):
        tank.assess([1.0, 2.0])


def test_says_why_the_process_ended() -> None:
    with LocalAssessor(["safe"]) as tank, pytest.raises(LocalError, match="--levels"):
        tank.assess([1.0])


def test_says_how_to_install_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    monkeypatch.setenv("PATH", "")
    with pytest.raises(CommandMissing, match="npm install -g pb-oel"):
        LocalAssessor(["safe", "unsafe"])
