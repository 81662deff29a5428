"""What both clients share: how requests are made and answers are read."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import httpx

from ._call import Call
from .errors import NotReachable, ServiceError
from .types import Problem

T = TypeVar("T")

#: Most samples or answers in one request.
LIST_LIMIT = 10_000


class ClientBase:
    """
    The settings of a client.

    :param token: what `pb-oel serve --new-token` has printed; it goes in a header, never in an address
    :param timeout: seconds to wait for an answer
    :param verify: whether the certificate of a service with TLS is checked, or the path of the authority's certificate
    :param retries: how often a request that the service was too busy to take is sent again
    """

    def __init__(
        self,
        url: str = "http://127.0.0.1:8400",
        *,
        token: str | None = None,
        timeout: float = 30.0,
        verify: bool | str = True,
        retries: int = 5,
    ) -> None:
        headers = {"authorization": f"Bearer {token}"} if token else {}
        address = url.rstrip("/")
        self._settings: dict[str, Any] = {"base_url": address, "headers": headers, "timeout": timeout, "verify": verify}
        self._retries = retries


def request(call: Call[Any]) -> dict[str, Any]:
    """The arguments of a request."""
    return {
        "method": call.method,
        "url": call.path,
        "params": call.parameters,
        **({} if call.body is None else {"json": call.body}),
    }


def read(call: Call[T], response: httpx.Response) -> T:
    """The answer to a call, or the error it tells of."""
    if not response.is_success:
        raise ServiceError(response.status_code, problem_of(response))
    if call.answer == "nothing":
        return cast(T, None)
    return cast(T, response.json() if call.answer == "json" else response.content)


def problem_of(response: httpx.Response) -> Problem:
    """The problem document of a response. A proxy between may answer without one."""
    try:
        problem = response.json()
    except ValueError:
        problem = None
    if isinstance(problem, dict) and "title" in problem:
        return cast(Problem, problem)
    return cast(Problem, {"title": response.reason_phrase, "status": response.status_code, "detail": response.text[:200]})


def wait_of(call: Call[Any], response: httpx.Response, attempt: int, retries: int) -> float | None:
    """
    Seconds to wait before the request is sent again, or `None`. A service that says `Retry-After` has taken nothing,
    so that sending again does not double a sample; unless it says that it does not know (`Unconfirmed`). Then only a
    request with keys is sent again.
    """
    after = response.headers.get("retry-after", "")
    if response.status_code not in (429, 503) or attempt >= retries or not after.isdigit():
        return None
    if problem_of(response)["title"] == "Unconfirmed" and not is_repeatable(call):
        return None
    return min(float(after), 30.0)


def is_repeatable(call: Call[Any]) -> bool:
    """Whether a request changes nothing, or is recognised when it comes twice."""
    entries = call.body if isinstance(call.body, list) else [call.body]
    return call.method == "GET" or all(isinstance(entry, dict) and "key" in entry for entry in entries)


def unreachable(error: httpx.TransportError, url: httpx.URL) -> NotReachable:
    return NotReachable(f"{url} did not answer: {error or type(error).__name__}")
