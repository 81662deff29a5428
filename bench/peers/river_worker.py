"""Worker for River (see serve.py). Models have River's defaults, which are those of MOA and ours but for names."""

import platform
import time

import river
from river import drift, ensemble, forest, tree

from serve import head, serve, traced_bytes

MODELS = {
    "tree": lambda seed: tree.HoeffdingTreeClassifier(),
    "arf": lambda seed: forest.ARFClassifier(n_models=10, seed=seed),
    "srp": lambda seed: ensemble.SRPClassifier(n_models=10, seed=seed),
}
DETECTORS = {
    "adwin": lambda: drift.ADWIN(),
    "hddm-a": lambda: drift.binary.HDDMA(),
    "hddm-w": lambda: drift.binary.HDDMW(),
}


def dicts(path, samples):
    xs, ys = head(path, samples)
    return [dict(enumerate(x)) for x in xs], ys


def train(model, xs, ys):
    right = 0
    for x, y in zip(xs, ys):
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    return right


def run_model(name):
    def run(path, samples, seed):
        xs, ys = dicts(path, samples)
        model = MODELS[name](int(seed))
        start = time.perf_counter()
        right = train(model, xs, ys)
        return {"seconds": time.perf_counter() - start, "samples": len(ys), "accuracy": right / len(ys)}

    return run


def run_detector(name):
    def run(path, samples, _seed):
        _, values = head(path, samples)
        detector = DETECTORS[name]()
        drifts = 0
        start = time.perf_counter()
        for value in values:
            detector.update(value)
            if detector.drift_detected:
                drifts += 1
        return {"seconds": time.perf_counter() - start, "samples": len(values), "drifts": drifts}

    return run


def memory(name, path, samples, seed):
    xs, ys = dicts(path, samples)

    def make():
        model = MODELS[name](int(seed))
        train(model, xs, ys)
        return model

    return traced_bytes(make)


serve(
    {
        **{name: run_model(name) for name in MODELS},
        **{name: run_detector(name) for name in DETECTORS},
        "memory": memory,
    },
    {"Python": platform.python_version(), "River": river.__version__},
)
