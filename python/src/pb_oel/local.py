"""An assessor in a process of its own: no server to run, nothing kept after the end."""

from __future__ import annotations

import json
import subprocess
import tempfile
import weakref
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import IO, Any, Literal, TypedDict, cast

from ._system_calls import Assessed, Mode, Row, answer_of, sample_of
from .command import find_command
from .errors import LocalError
from .types import AssessmentReceipt, GivenAnswer, Problem


class LabelledSample(TypedDict):
    """A sample whose level is known."""

    x: list[float]
    level: int


class LocalAssessor:
    """
    An assessor over `pb-oel assess`.

    >>> with LocalAssessor(["safe", "unsafe"], channels=["depth", "oxygen"], seed=1) as boat:
    ...     assessment = boat.assess({"depth": 120.5, "oxygen": 20.9})
    ...     boat.label(assessment, "safe")
    ...     boat.assess([121.0, 20.8])["assessment"]
    1

    :param levels: names, safest first
    :param channels: names in the order of the readings; those of the first sample when left out
    :param method: a name of `pb-oel methods`, or the path of a module; that of the command when left out
    :param options: options of the method; `pb-oel methods pb-oel` lists them
    :param missing: what becomes of a sample without a reading: `reject`, or `hold` the last one
    :param rho: learn as `pb-oel run` does. Every answer is then a label. This share of them is learned, and of the
        others only right or wrong is.
    :param horizon: with `rho`, the number of samples to come
    :param warm_up: with `rho`, labelled samples to start from
    :param command: the words that start `pb-oel`
    """

    def __init__(
        self,
        levels: Sequence[str],
        *,
        channels: Sequence[str] | None = None,
        method: str | None = None,
        seed: int = 1,
        options: Mapping[str, Any] | None = None,
        missing: Literal["reject", "hold"] = "reject",
        rho: float | None = None,
        horizon: int | None = None,
        warm_up: Iterable[LabelledSample] | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self.levels = list(levels)
        self.channels = list(channels) if channels is not None else None
        words = [*find_command(command), "assess", "--levels", str(len(self.levels)), "--seed", str(seed)]
        words += ["--missing", missing] + ([] if method is None else ["--method", method])
        words += [word for name, value in (options or {}).items() for word in ("--set", f"{name}={json.dumps(value)}")]
        words += [] if rho is None else ["--rho", repr(rho)]
        words += [] if horizon is None else ["--horizon", str(horizon)]
        self._folder = tempfile.TemporaryDirectory(prefix="pb-oel-")
        if warm_up is not None:
            file = Path(self._folder.name, "warm-up.json")
            file.write_text(json.dumps(list(warm_up)))
            words += ["--warm-up", str(file)]
        self._told = Path(self._folder.name, "stderr.txt").open("w+")
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=self._told, text=True, encoding="utf8")
        # An assessor that nobody closes ends with the program, or when it is forgotten.
        self._end = weakref.finalize(self, end, self._process, self._told, self._folder)

    def assess(self, row: Row, *, mode: Mode | None = None) -> AssessmentReceipt:
        """Assesses one sample."""
        self.channels = self.channels or (list(row) if isinstance(row, Mapping) else None)
        sample = sample_of(self._in_order(row), mode=mode)
        return self._named(cast(AssessmentReceipt, self._ask(cast(dict[str, Any], sample))))

    def assess_many(self, rows: Iterable[Row]) -> list[AssessmentReceipt | Problem]:
        """Assesses rows in order; the first that is refused ends it with an error."""
        return [self.assess(row) for row in rows]

    def confirm(self, assessment: Assessed) -> None:
        """Says that an assessment was right."""
        self._learn(answer_of(assessment, "confirm"))

    def reject(self, assessment: Assessed) -> None:
        """Says that an assessment was wrong."""
        self._learn(answer_of(assessment, "reject"))

    def label(self, assessment: Assessed, level: int | str) -> None:
        """Says what the true level was, by its name or its index."""
        self._learn(answer_of(assessment, "label", level if isinstance(level, int) else self._index(level)))

    def close(self) -> None:
        """Ends the process."""
        self._end()

    def __enter__(self) -> LocalAssessor:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def _index(self, level: str) -> int:
        if level not in self.levels:
            raise LocalError(f"level {level!r}: expected one of {', '.join(self.levels)}")
        return self.levels.index(level)

    def _in_order(self, row: Row) -> Sequence[float | None]:
        """The process knows channels by their place alone, so that their names may hold anything."""
        if not isinstance(row, Mapping):
            return row
        channels = self.channels or []
        if unknown := [name for name in row if name not in channels]:
            raise LocalError(f"channel {unknown[0]!r}: expected one of {', '.join(channels)}")
        return [row.get(name) for name in channels]

    def _named(self, assessment: AssessmentReceipt) -> AssessmentReceipt:
        assessment["levelName"] = self.levels[assessment["level"]]
        if held := assessment.get("degraded"):
            assessment["degraded"] = [self._channel(name) for name in held]
        return assessment

    def _channel(self, name: str) -> str:
        place = int(name.removeprefix("channel-")) - 1
        return self.channels[place] if self.channels else name

    def _learn(self, answer: GivenAnswer) -> None:
        self._ask(cast(dict[str, Any], answer))

    def _ask(self, line: dict[str, Any]) -> dict[str, Any]:
        if not self._end.alive:
            raise LocalError("the assessor is closed")
        stdin, stdout = cast(IO[str], self._process.stdin), cast(IO[str], self._process.stdout)
        try:
            # Numbers that JSON does not know would reach the process as words that it cannot read.
            text = json.dumps(line, allow_nan=False, default=plain)
        except ValueError as error:
            raise LocalError(f"{error}: a reading is a finite number, or None where it is missing") from error
        try:
            stdin.write(f"{text}\n")
            stdin.flush()
            answer = stdout.readline()
        except BrokenPipeError:
            answer = ""
        if answer == "":
            raise LocalError(self._last_words())
        found = cast(dict[str, Any], json.loads(answer))
        if "status" in found:
            raise LocalError(f"{found['title']}: {found.get('detail', '')}")
        return found

    def _last_words(self) -> str:
        status = self._process.wait()
        self._told.seek(0)
        return self._told.read().strip() or f"pb-oel assess ended with exit code {status}"


def plain(value: Any) -> Any:
    """A number of NumPy as a plain one."""
    if hasattr(value, "item"):
        return value.item()
    raise ValueError(f"{value!r} is no number")


def end(process: subprocess.Popen[str], told: IO[str], folder: tempfile.TemporaryDirectory[str]) -> None:
    """Ends a process: first by the end of its input, then by force."""
    cast(IO[str], process.stdin).close()
    try:
        process.wait(timeout=5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    cast(IO[str], process.stdout).close()
    told.close()
    folder.cleanup()
