"""Records how River's forests meet a change, so that our tests can compare.

    python3 -m venv .venv && .venv/bin/pip install river==0.26.1
    node bench/peers/flip-stream.ts | .venv/bin/python bench/peers/river_rivals.py > packages/core/src/rivals/golden/river.json

Each line of the input is one sample: [x1, x2, level]. The levels are turned round in the middle. For each method the
mean accuracy over the seeds is printed, in windows before and after the change, with its mechanism and without.
"""

import json
import platform
import sys

import river
from river import drift, ensemble, forest, tree

SEEDS = range(10)
WINDOWS = {"before": (1000, 2000), "change": (2000, 2300), "after": (2300, 3000), "end": (3000, 4000)}


def hoeffding():
    return tree.HoeffdingTreeClassifier(grace_period=50, delta=0.01)


METHODS = {
    "arf": lambda seed: forest.ARFClassifier(n_models=10, seed=seed),
    "arf, no drift detection": lambda seed: forest.ARFClassifier(
        n_models=10, seed=seed, drift_detector=drift.NoDrift(), warning_detector=drift.NoDrift()
    ),
    "srp": lambda seed: ensemble.SRPClassifier(model=hoeffding(), n_models=10, seed=seed),
    "srp, no drift detection": lambda seed: ensemble.SRPClassifier(
        model=hoeffding(), n_models=10, seed=seed, disable_detector="drift"
    ),
}


def play(model, samples):
    right = []
    for x, level in samples:
        right.append(int((model.predict_one(x) or 0) == level))
        model.learn_one(x, level)
    return {name: sum(right[a:b]) / (b - a) for name, (a, b) in WINDOWS.items()}


samples = []
for line in sys.stdin:
    first, second, level = json.loads(line)
    samples.append(({0: first, 1: second}, level))
methods = {}
for name, make in METHODS.items():
    runs = [play(make(seed), samples) for seed in SEEDS]
    methods[name] = {window: sum(run[window] for run in runs) / len(runs) for window in WINDOWS}
    print(name, methods[name], file=sys.stderr)
print(
    json.dumps(
        {
            "command": "node bench/peers/flip-stream.ts | python bench/peers/river_rivals.py",
            "river": river.__version__,
            "python": platform.python_version(),
            "seeds": len(SEEDS),
            "windows": WINDOWS,
            "methods": methods,
        },
        indent=2,
    )
)
