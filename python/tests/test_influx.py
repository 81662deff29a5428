"""The official Python client of InfluxDB writes to the service unchanged."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from influxdb_client.client.influxdb_client import InfluxDBClient
from influxdb_client.client.write.point import Point
from influxdb_client.client.write_api import SYNCHRONOUS
from influxdb_client.rest import ApiException
from pb_oel import Client

MOMENT = datetime(2026, 11, 15, 10, tzinfo=UTC)


@pytest.mark.parametrize("packed", [False, True])
def test_points_become_a_sample(service: Client, url: str, name: str, packed: bool) -> None:
    tank = service.create(name, channels=["pressure", "pump.temperature"], levels=["safe", "unsafe"])
    with InfluxDBClient(url=url, token="none", org="plant", enable_gzip=packed) as influx:
        assert influx.ping()
        points = [
            Point("tank").tag("site", "north").field("pressure", 1.5).time(MOMENT),
            Point("pump").field("temperature", 20).field("note", "text").time(MOMENT),
        ]
        for _ in range(2):
            influx.write_api(write_options=SYNCHRONOUS).write(bucket=name, record=points)
    detail = tank.detail()
    # Written twice, taken once.
    assert detail["samples"] == 1
    assert detail["lastValues"] == [1.5, 20]


def test_the_client_tells_what_is_wrong(service: Client, url: str, name: str) -> None:
    service.create(name, channels=["pressure"], levels=["safe", "unsafe"])
    with InfluxDBClient(url=url, token="none", org="plant") as influx, pytest.raises(ApiException) as told:
        influx.write_api(write_options=SYNCHRONOUS).write(bucket=name, record="tank level=1")
    assert told.value.status == 400
    assert "pressure" in told.value.message
