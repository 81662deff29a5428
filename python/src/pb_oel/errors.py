"""What can go wrong, each with a name."""

from __future__ import annotations

from .types import Problem


class PbOelError(Exception):
    """Any error of this package."""


class ServiceError(PbOelError):
    """The service refused a request. `problem` is its problem document (RFC 9457)."""

    def __init__(self, status: int, problem: Problem) -> None:
        super().__init__(f"{status} {problem['title']}: {problem.get('detail', 'no detail was given')}")
        self.status = status
        self.problem = problem


class NotReachable(PbOelError):
    """No answer came from the service. A sample or answer that was sent may have been taken or not."""


class CommandMissing(PbOelError):
    """The `pb-oel` command is not on this machine."""


class LocalError(PbOelError):
    """The local process refused a line, or ended."""
