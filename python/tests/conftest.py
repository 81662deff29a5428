"""The real service and the real command, started for the tests."""

from __future__ import annotations

import csv
import itertools
import json
import re
import subprocess
from collections.abc import Hashable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pb_oel import Client
from pb_oel.command import find_command

Labelled = list[tuple[dict[Hashable, Any], int]]


@pytest.fixture(scope="session")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a service with an empty store."""
    folder = tmp_path_factory.mktemp("service")
    words = [*find_command(), "serve", "--port", "0", "--store", str(folder / "plant.db")]
    told = folder / "stderr.txt"
    with told.open("w") as stderr:
        process = subprocess.Popen(words, stderr=stderr, stdout=subprocess.DEVNULL, cwd=folder)
    try:
        yield address(process, told)
    finally:
        process.terminate()
        process.wait(timeout=30)


def address(process: subprocess.Popen[bytes], told: Path) -> str:
    while process.poll() is None:
        if found := re.search(r"listens on (\S+)", told.read_text()):
            return found[1]
        try:
            process.wait(timeout=0.05)
        except subprocess.TimeoutExpired:
            continue
    raise AssertionError(told.read_text())


@pytest.fixture(scope="session")
def service(url: str) -> Iterator[Client]:
    with Client(url) as client:
        yield client


@pytest.fixture
def name() -> str:
    """A name that no other system has."""
    return f"system-{next(NUMBERS)}"


NUMBERS = itertools.count()


def command(*words: str) -> str:
    return subprocess.run([*find_command(), *words], capture_output=True, text=True, check=True).stdout


@pytest.fixture(scope="session")
def dive() -> Labelled:
    """The first samples of the simulated dive, as `pb-oel run dive:samples=800` sees them."""
    rows = csv.DictReader(command("data", "export", "dive:samples=800").splitlines())
    return [({n: float(v) for n, v in row.items() if n != "label"}, int(row["label"])) for row in rows]


def accuracy_of_run(rho: float, method: str = "pb-oel") -> float:
    """What `pb-oel run` reaches on the same samples."""
    words = ("run", "dive:samples=800", "--rho", str(rho), "--seed", "3", "--method", method, "--json")
    result: dict[str, Any] = json.loads(command(*words))
    return float(result["runs"][0]["accuracy"])
