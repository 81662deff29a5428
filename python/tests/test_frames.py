"""Data frames of pandas, polars and Arrow."""

from __future__ import annotations

from typing import Any

import pandas
import polars
import pyarrow
import pytest
from pb_oel import Client, LocalAssessor, PbOelError
from pb_oel.frames import assess_frame

READINGS = {"depth": [1.0, 2.0, 3.0], "oxygen": [20.9, None, 20.7], "note": ["x", "y", "z"]}
KINDS = {"pandas": pandas.DataFrame, "polars": polars.DataFrame, "arrow": pyarrow.table}


def columns_of(frame: Any) -> dict[str, list[Any]]:
    if isinstance(frame, pandas.DataFrame):
        return {name: frame[name].tolist() for name in frame.columns}
    found: dict[str, list[Any]] = frame.to_pydict() if isinstance(frame, pyarrow.Table) else frame.to_dict(as_series=False)
    return found


@pytest.mark.parametrize("kind", KINDS)
def test_the_same_kind_comes_back_and_goes_into_the_log(service: Client, name: str, kind: Any) -> None:
    boat = service.create(name, channels=["depth", "oxygen"], levels=["safe", "unsafe"])
    found = assess_frame(boat, KINDS[kind](READINGS), channels=["depth", "oxygen"])
    assert type(found) is type(KINDS[kind](READINGS))
    columns = columns_of(found)
    assert columns["note"] == ["x", "y", "z"]
    assert [columns["assessment"][0], columns["assessment"][2]] == [0, 1]
    assert "oxygen" in columns["problem"][1]
    assert pandas.isna(columns["level"][1])
    boat.label(0, "unsafe")
    history = boat.history(kind)
    assert type(history) is type(found)
    past = columns_of(history)
    assert past["depth"] == [1.0, 3.0]
    assert past["level"][0] == "unsafe"


def test_the_index_of_pandas_stays_and_no_column_is_lost() -> None:
    frame = pandas.DataFrame({"a": [1.0, 2.0]}, index=[10, 5])
    with LocalAssessor(["safe", "unsafe"]) as tank:
        found = assess_frame(tank, frame)
        assert found.index.tolist() == [10, 5]
        assert found["assessment"].tolist() == [0, 1]
        assert "assessment" not in frame.columns
        with pytest.raises(PbOelError, match="'b' is no column"):
            assess_frame(tank, pandas.DataFrame({"a": [1.0]}), channels=["b"])
        with pytest.raises(PbOelError, match="'level' would be overwritten"):
            assess_frame(tank, pandas.DataFrame({"a": [1.0], "level": [1]}), channels=["a"])


def test_history_says_which_kinds_there_are(service: Client, name: str) -> None:
    boat = service.create(name, channels=["depth"], levels=["safe", "unsafe"])
    boat.assess([1.0])
    with pytest.raises(PbOelError, match="pandas, polars or arrow"):
        boat.history("excel")  # type: ignore[arg-type]
