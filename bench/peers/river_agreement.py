"""Compares our ADWIN, Hoeffding tree, ARF and SRP with River's on the same streams and prints a Markdown table.

    python3 -m venv .venv && .venv/bin/pip install river
    .venv/bin/python bench/peers/river_agreement.py dive electricity.csv.gz weather.csv.gz

needs `node` >= 24 on the PATH. Streams are generators of ours or .csv files with the label last. --samples and --seeds
make it longer or shorter; River's ensembles take minutes for what ours do in a second.

The column "ours, as River" is `compat: 'river'`, which must agree: detectors in every place, trees in (almost) every
prediction, ensembles, whose random numbers differ, in mean accuracy. "ours, canonical" is our default. River runs with
its own defaults. Exit code 1 if an accuracy of the first kind is more than 0.01 off, or a detector differs.
"""

import argparse
import csv
import json
import pathlib
import platform
import statistics
import subprocess
import sys
import tempfile
import time

import river
from river import drift, ensemble, forest, tree

TOLERANCE = 0.01

# The keys are those of river-agreement.ts.
DETECTORS = {
    "ADWIN": lambda: drift.ADWIN(),
    "ADWIN δ=0.01": lambda: drift.ADWIN(delta=0.01),
    "ADWIN δ=1e-5": lambda: drift.ADWIN(delta=1e-5),
    "ADWIN clock=1": lambda: drift.ADWIN(clock=1),
}
TREES = {
    "HoeffdingTree": lambda: tree.HoeffdingTreeClassifier(),
    "HoeffdingTree mc": lambda: tree.HoeffdingTreeClassifier(leaf_prediction="mc"),
    "HoeffdingTree nb": lambda: tree.HoeffdingTreeClassifier(leaf_prediction="nb"),
    "HoeffdingTree gini": lambda: tree.HoeffdingTreeClassifier(split_criterion="gini"),
    "HoeffdingTree g=50 δ=0.01": lambda: tree.HoeffdingTreeClassifier(grace_period=50, delta=0.01),
}
ENSEMBLES = {
    "ARF": lambda seed: forest.ARFClassifier(n_models=10, seed=seed),
    "SRP": lambda seed: ensemble.SRPClassifier(n_models=10, seed=seed),
}


def read(path):
    with open(path, newline="") as file:
        rows = [[float(cell) for cell in row] for row in csv.reader(file)]
    return [dict(enumerate(row[:-2])) for row in rows], [int(row[-2]) for row in rows], [int(row[-1]) for row in rows]


def prequential(model, xs, ys):
    predictions = []
    start = time.perf_counter()
    for x, y in zip(xs, ys):
        predictions.append(model.predict_one(x) or 0)
        model.learn_one(x, y)
    seconds = time.perf_counter() - start
    right = sum(p == y for p, y in zip(predictions, ys))
    return {"predictions": predictions, "accuracy": right / len(ys), "samplesPerSecond": len(ys) / seconds}


def drifts_in(detector, values):
    places = []
    for i, value in enumerate(values):
        detector.update(value)
        if detector.drift_detected:
            places.append(i)
    return places


def mean_accuracy(runs):
    return statistics.mean(run["accuracy"] for run in runs)


def mean_speed(runs):
    return statistics.mean(run["samplesPerSecond"] for run in runs)


def compare_detectors(stream, errors, report):
    for name, make in DETECTORS.items():
        theirs = drifts_in(make(), errors)
        like, ours = stream["ours"][f"{name} river"], stream["ours"][f"{name} canonical"]
        same = "every signal the same" if like == theirs else f"DIFFERENT: {like[:5]} … and {theirs[:5]} …"
        report(name, f"{len(like)} drifts", f"{len(theirs)} drifts", same, f"{len(ours)} drifts", "", like == theirs)


def compare_trees(stream, xs, ys, report):
    for name, make in TREES.items():
        theirs = prequential(make(), xs, ys)
        like, ours = stream["ours"][f"{name} river"], stream["ours"][f"{name} canonical"]
        same = sum(a == b for a, b in zip(like["predictions"], theirs["predictions"])) / len(ys)
        gap = like["accuracy"] - theirs["accuracy"]
        report(
            name,
            f"{like['accuracy']:.4f}",
            f"{theirs['accuracy']:.4f}",
            f"{gap:+.4f}, {100 * same:.2f} % of predictions the same",
            f"{ours['accuracy']:.4f}",
            f"{ours['samplesPerSecond'] / theirs['samplesPerSecond']:.0f}×",
            abs(gap) <= TOLERANCE,
        )


def compare_ensembles(stream, xs, ys, seeds, report):
    for name, make in ENSEMBLES.items():
        theirs = [prequential(make(seed), xs, ys) for seed in range(1, seeds + 1)]
        like, ours = stream["ours"][f"{name} river"], stream["ours"][f"{name} canonical"]
        gap = mean_accuracy(like) - mean_accuracy(theirs)
        report(
            f"{name} (10), mean of {seeds}",
            f"{mean_accuracy(like):.4f}",
            f"{mean_accuracy(theirs):.4f}",
            f"{gap:+.4f}",
            f"{mean_accuracy(ours):.4f}",
            f"{mean_speed(ours) / mean_speed(theirs):.0f}×",
            abs(gap) <= TOLERANCE,
        )


def main():
    parser = argparse.ArgumentParser(description="Compares our learners and ADWIN with River's.")
    parser.add_argument("streams", nargs="+", help="dive, or paths to .csv or .csv.gz")
    parser.add_argument("--samples", type=int, default=10_000, help="of each stream, from its beginning (10000)")
    parser.add_argument("--seeds", type=int, default=3, help="runs of each ensemble (3)")
    parser.add_argument("--only", default="", help="part of the names of what to compare")
    options = parser.parse_args()
    for table in (DETECTORS, TREES, ENSEMBLES):
        for name in [name for name in table if options.only not in name]:
            del table[name]
    script = pathlib.Path(__file__).with_name("river-agreement.ts")
    agreed = True
    with tempfile.TemporaryDirectory() as folder:
        command = ["node", script, folder, str(options.samples), str(options.seeds), *options.streams]
        document = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
        print(f"River {river.__version__}, Python {platform.python_version()}, Node {document['node']}\n")
        print("| stream | samples | what | ours, as River | River | difference | ours, canonical | speed | |")
        print("|---|--:|---|--:|--:|---|--:|--:|---|")
        for number, stream in enumerate(document["results"]):

            def report(what, like, theirs, difference, ours, speed, good):
                nonlocal agreed
                agreed = agreed and good
                name = pathlib.Path(stream["address"]).name
                cells = [name, stream["samples"], what, like, theirs, difference, ours, speed, "" if good else "✗"]
                print("|", " | ".join(str(cell) for cell in cells), "|", flush=True)

            xs, ys, errors = read(pathlib.Path(folder) / f"{number}.csv")
            compare_detectors(stream, errors, report)
            compare_trees(stream, xs, ys, report)
            compare_ensembles(stream, xs, ys, options.seeds, report)
    return 0 if agreed else 1


if __name__ == "__main__":
    sys.exit(main())
