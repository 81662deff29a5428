"""PB-OEL as a classifier of River: `predict_one`, `predict_proba_one`, `learn_one`."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

from river import base

from .errors import LocalError
from .local import LabelledSample, LocalAssessor
from .types import AssessmentReceipt

Label = bool | str | int
#: Readings by channel, as River has features.
Features = dict[Hashable, Any]


class PbOelClassifier(base.Classifier):
    """
    Any method of pb-oel behind River's words, in a process of its own.

    `learn_one` is told the true level, as River has it. With `rho` below 1 a simulated reviewer passes on only that
    share of the labels; of the others the method learns whether it was right. With the stream's length as `horizon`
    and its first samples as `warm_up`, the accuracy is that of `pb-oel run` with the same seed.

    >>> from river import evaluate, metrics
    >>> stream = [({"depth": float(i % 7), "oxygen": float(i % 3)}, i % 2) for i in range(200)]
    >>> model = PbOelClassifier([0, 1], seed=1)
    >>> accuracy = evaluate.progressive_val_score(stream, model, metrics.Accuracy())
    >>> model.close()

    :param levels: the labels, safest first
    :param channels: the features that are used, in this order; those of the first sample when left out
    :param method: a name of `pb-oel methods`, or the path of a module
    :param seed: seed of the method and of the simulated reviewer
    :param rho: share of the labels that are learned as they are, 0 to 1
    :param horizon: number of samples to come, where it is known
    :param warm_up: samples and labels to start from, such as `first_of_each_level(stream)`
    :param options: options of the method
    :param command: the words that start `pb-oel`
    """

    def __init__(
        self,
        levels: Sequence[Label],
        channels: Sequence[str] | None = None,
        method: str = "pb-oel",
        seed: int = 1,
        rho: float = 1.0,
        horizon: int | None = None,
        warm_up: Sequence[tuple[Features, Label]] | None = None,
        options: dict[str, Any] | None = None,
        command: Sequence[str] | None = None,
    ) -> None:
        self.levels = levels
        self.channels = channels
        self.method = method
        self.seed = seed
        self.rho = rho
        self.horizon = horizon
        self.warm_up = warm_up
        self.options = options
        self.command = command
        self._assessor: LocalAssessor | None = None
        self._names: list[Hashable] = list(channels or ())
        self._pending: defaultdict[Hashable, deque[AssessmentReceipt]] = defaultdict(deque)
        #: What the latest sample was asked for, so that its level and its probabilities come from one assessment.
        self._latest: tuple[Hashable, set[str]] = (None, set())

    @property
    def _multiclass(self) -> bool:
        return True

    def predict_one(self, x: Features, **kwargs: Any) -> Label:
        """Assesses a sample and gives its level. `learn_one` with the same sample answers the assessment."""
        return self.levels[self._assess(x, "level")["level"]]

    def predict_proba_one(self, x: Features, **kwargs: Any) -> dict[Label, float]:
        """How much weight stands behind each level. Beside `predict_one` for the same sample it is no new assessment."""
        return dict(zip(self.levels, self._assess(x, "probabilities")["probabilities"], strict=True))

    def learn_one(self, x: Features, y: Label) -> None:
        """Tells the true level of the oldest unanswered sample that equals `x`; one that was not assessed is first."""
        if y not in self.levels:
            raise LocalError(f"label {y!r}: expected one of {', '.join(map(repr, self.levels))}")
        key = self._key(x)
        if not self._pending[key]:
            self._assess(x, "learn")
        assessment = self._pending[key].popleft()
        if not self._pending[key]:
            del self._pending[key]
        self._latest = (None, set())
        self._started(x).label(assessment, self.levels.index(y))

    def close(self) -> None:
        """Ends the process. The next sample starts a new model."""
        if self._assessor:
            self._assessor.close()
        self._assessor = None
        self._pending.clear()
        self._latest = (None, set())

    def __getstate__(self) -> dict[str, Any]:
        """A copy has the settings. What was learned lives in the process and cannot be copied: a copy would lose it."""
        if self._assessor:
            raise LocalError("a model that has begun cannot be copied or pickled; clone() makes a fresh one")
        return self.__dict__

    def _assess(self, x: Features, wish: str) -> AssessmentReceipt:
        key = self._key(x)
        latest, wishes = self._latest
        if latest == key and wish not in wishes:
            wishes.add(wish)
            return self._pending[key][-1]
        assessment = self._started(x).assess([x.get(name) for name in self._names])
        self._pending[key].append(assessment)
        self._latest = (key, {wish})
        return assessment

    def _key(self, x: Features) -> Hashable:
        if not self._names:
            self._names = list(x)
        return tuple(x.get(name) for name in self._names)

    def _started(self, x: Features) -> LocalAssessor:
        if self._assessor is None:
            self._key(x)
            self._assessor = LocalAssessor(
                [str(level) for level in self.levels],
                channels=[str(name) for name in self._names],
                method=self.method,
                seed=self.seed,
                options=self.options,
                rho=self.rho,
                horizon=self.horizon,
                warm_up=[self._labelled(sample, level) for sample, level in self.warm_up or ()],
                command=self.command,
            )
        return self._assessor

    def _labelled(self, x: Features, level: Label) -> LabelledSample:
        return {"x": [float(x[name]) for name in self._names], "level": self.levels.index(level)}


def first_of_each_level(stream: Iterable[tuple[Features, Any]]) -> list[tuple[Features, Label]]:
    """
    The first sample of each level in the order of the stream: what `pb-oel run` warms a method up with.

    >>> first_of_each_level([({"a": 1.0}, 0), ({"a": 2.0}, 0), ({"a": 3.0}, 1)])
    [({'a': 1.0}, 0), ({'a': 3.0}, 1)]
    """
    found: dict[Label, tuple[Features, Label]] = {}
    for x, level in stream:
        found.setdefault(level, (x, level))
    return list(found.values())
