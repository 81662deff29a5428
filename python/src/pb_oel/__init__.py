"""
Real-time safety assessment that learns from right-or-wrong answers.

`Client` and `AsyncClient` speak to a running service. `LocalAssessor` needs none. `pb_oel.river` has the classifier for
River, `pb_oel.frames` takes data frames, `pb_oel.operations` has every operation of the service.
"""

from . import operations, types
from .aio import AsyncClient, AsyncSystem
from .client import Client, System
from .errors import CommandMissing, LocalError, NotReachable, PbOelError, ServiceError
from .local import LabelledSample, LocalAssessor

__all__ = [
    "AsyncClient",
    "AsyncSystem",
    "Client",
    "CommandMissing",
    "LabelledSample",
    "LocalAssessor",
    "LocalError",
    "NotReachable",
    "PbOelError",
    "ServiceError",
    "System",
    "operations",
    "types",
]
