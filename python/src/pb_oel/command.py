"""Finds the `pb-oel` command, which does the work of everything that runs on this machine."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Sequence

from .errors import CommandMissing

#: An environment variable with the command, where it is not on the PATH: `node packages/cli/bin/pb-oel.js`.
VARIABLE = "PB_OEL_COMMAND"


def find_command(given: Sequence[str] | None = None) -> list[str]:
    """
    The words of the command: those given, those of the environment variable `PB_OEL_COMMAND`, or `pb-oel` on the PATH.

    >>> find_command(["node", "pb-oel.js"])
    ['node', 'pb-oel.js']
    """
    if given:
        return list(given)
    if words := shlex.split(os.environ.get(VARIABLE, "")):
        return words
    if found := shutil.which("pb-oel"):
        return [found]
    raise CommandMissing(f"there is no pb-oel on the PATH: run `npm install -g pb-oel`, or set {VARIABLE}")
