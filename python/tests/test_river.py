"""River's own evaluation, unchanged, over our class."""

from __future__ import annotations

import copy
from collections.abc import Iterator

import pytest
from conftest import Labelled, accuracy_of_run
from pb_oel import LocalError
from pb_oel.river import Features, PbOelClassifier, first_of_each_level
from river import compose, evaluate, metrics, preprocessing


@pytest.fixture
def model() -> Iterator[PbOelClassifier]:
    with_two = PbOelClassifier(["safe", "unsafe"], seed=1)
    yield with_two
    with_two.close()


@pytest.mark.parametrize(("rho", "method"), [(0.05, "pb-oel"), (1.0, "rvfl-hddm-np")])
def test_progressive_val_score_is_the_accuracy_of_pb_oel_run(dive: Labelled, rho: float, method: str) -> None:
    model = PbOelClassifier(
        [0, 1, 2], method=method, seed=3, rho=rho, horizon=len(dive), warm_up=first_of_each_level(dive)
    )
    score = evaluate.progressive_val_score(iter(dive), model, metrics.Accuracy())
    model.close()
    assert score.get() == accuracy_of_run(rho, method)


def test_works_behind_a_scaler_of_river_with_late_answers(dive: Labelled) -> None:
    model = PbOelClassifier([0, 1, 2], seed=1)
    pipeline = compose.Pipeline(preprocessing.StandardScaler(), model)
    score = evaluate.progressive_val_score(iter(dive[:400]), pipeline, metrics.Accuracy(), delay=10)
    model.close()
    assert score.get() > 0.6


def test_level_and_probabilities_come_from_one_assessment(model: PbOelClassifier) -> None:
    x: Features = {"a": 1.0, "b": 2.0}
    level, probabilities = model.predict_one(x), model.predict_proba_one(x)
    assert sum(map(len, model._pending.values())) == 1
    assert level in probabilities
    assert sum(probabilities.values()) == pytest.approx(1)
    model.predict_one(x)
    assert sum(map(len, model._pending.values())) == 2
    model.learn_one(x, "safe")
    model.learn_one(x, "safe")
    assert not model._pending


def test_metrics_of_probabilities_are_given_them(dive: Labelled) -> None:
    model, twin, expected = PbOelClassifier([0, 1, 2]), PbOelClassifier([0, 1, 2]), metrics.CrossEntropy()
    score = evaluate.progressive_val_score(iter(dive[:100]), model, metrics.CrossEntropy())
    for x, level in dive[:100]:
        expected.update(level, twin.predict_proba_one(x))
        twin.learn_one(x, level)
    model.close()
    twin.close()
    assert score.get() == expected.get()


def test_clone_is_fresh_and_a_copy_is_refused_once_begun(model: PbOelClassifier) -> None:
    assert copy.deepcopy(model).levels == ["safe", "unsafe"]
    first = model.predict_proba_one({"a": 1.0})
    model.learn_one({"a": 1.0}, "unsafe")
    with pytest.raises(LocalError, match="clone"):
        copy.deepcopy(model)
    fresh = model.clone()
    assert fresh.predict_proba_one({"a": 1.0}) == first
    fresh.close()


def test_says_which_labels_there_are(model: PbOelClassifier) -> None:
    with pytest.raises(LocalError, match="'safe', 'unsafe'"):
        model.learn_one({"a": 1.0}, "odd")
