"""Compares our drift detectors with River's, value by value, on random streams of errors.

    python3 -m venv .venv && .venv/bin/pip install river
    .venv/bin/python bench/peers/river_detectors.py            needs `node` >= 24 on the PATH

    .venv/bin/python bench/peers/river_detectors.py --record > packages/core/src/drift/golden/river.json

Prints, per detector, the number of values whose signal (none, warning, drift) differs. Lines in parentheses are our
canonical behaviour where River deviates from it; they are expected to differ, the others are not. Exit code 1 if one of
the others does.
"""

import json
import pathlib
import platform
import random
import subprocess
import sys

import river
from river import drift

DETECTORS = {
    "HDDM_A": lambda: drift.binary.HDDMA(),
    "HDDM_A two-sided": lambda: drift.binary.HDDMA(two_sided_test=True),
    "HDDM_W": lambda: drift.binary.HDDMW(),
    "HDDM_W two-sided": lambda: drift.binary.HDDMW(two_sided_test=True),
    "HDDM_W (canonical q)": lambda: drift.binary.HDDMW(),
    "DDM": lambda: drift.binary.DDM(),
    "EDDM": lambda: drift.binary.EDDM(),
    "EDDM (canonical warning)": lambda: drift.binary.EDDM(),
    "PageHinkley up": lambda: drift.PageHinkley(threshold=10, mode="up"),
    "PageHinkley both": lambda: drift.PageHinkley(threshold=10),
    # With a window of twice the recent part there is nothing to draw, so both see the same older values.
    "KSWIN 60/30": lambda: drift.KSWIN(window_size=60, stat_size=30, seed=1),
    "ADWIN": lambda: drift.ADWIN(),
    "ADWIN every value": lambda: drift.ADWIN(delta=0.05, clock=1),
    "KSWIN 60/30 (canonical window)": lambda: drift.KSWIN(window_size=60, stat_size=30, seed=1),
}


def streams(count, length):
    """Error streams: stationary ones, and ones whose error rate jumps or slides every few hundred values."""
    made = []
    for seed in range(count):
        rng = random.Random(seed)
        values, rate, target = [], rng.random(), rng.random()
        for _ in range(length):
            if seed % 3 == 1 and rng.random() < 1 / 400:
                rate = rng.random()
            if seed % 3 == 2:
                if rng.random() < 1 / 600:
                    target = rng.random()
                rate += (target - rate) / 100
            values.append(1 if rng.random() < rate else 0)
        made.append(values)
    return made


def river_signals(make, stream):
    detector = make()
    signals = []
    for value in stream:
        detector.update(value)
        if detector.drift_detected:
            signals.append("d")
        elif getattr(detector, "warning_detected", False):
            signals.append("w")
        else:
            signals.append("n")
    return "".join(signals)


def changes(signals):
    """Where the signal changes, and to what: 0n153w160d161n."""
    return "".join(f"{i}{s}" for i, s in enumerate(signals) if i == 0 or s != signals[i - 1])


def record():
    """Prints River's signals on six streams that change, for the tests."""
    data = [stream for seed, stream in enumerate(streams(9, 2000)) if seed % 3 > 0]
    names = [name for name in DETECTORS if "(" not in name]
    result = {
        "command": "python bench/peers/river_detectors.py --record",
        "river": river.__version__,
        "python": platform.python_version(),
        "streams": ["".join(map(str, stream)) for stream in data],
        "signals": {name: [changes(river_signals(DETECTORS[name], stream)) for stream in data] for name in names},
    }
    print(json.dumps(result, indent=2))


def main():
    if "--record" in sys.argv:
        return record()
    data = streams(30, 3000)
    script = pathlib.Path(__file__).with_name("river-detectors.ts")
    run = subprocess.run(["node", script], input=json.dumps(data), capture_output=True, text=True, check=True)
    ours = json.loads(run.stdout)
    print(f"river {river.__version__}, Python {platform.python_version()}")
    print(f"{'detector':<32}{'values':>8}{'drifts':>8}{'warnings':>10}{'differ':>8}  first (stream, value)")
    unexpected = 0
    for name, make in DETECTORS.items():
        values = drifts = warnings = differ = 0
        first = ""
        for number, (stream, mine) in enumerate(zip(data, ours[name])):
            theirs = river_signals(make, stream)
            values += len(theirs)
            drifts += theirs.count("d")
            warnings += theirs.count("w")
            different = [i for i, pair in enumerate(zip(mine, theirs)) if pair[0] != pair[1]]
            differ += len(different)
            if different and not first:
                first = f"({number}, {different[0]}): ours {mine[different[0]]}, River's {theirs[different[0]]}"
        print(f"{name:<32}{values:>8}{drifts:>8}{warnings:>10}{differ:>8}  {first}")
        if "(" not in name:
            unexpected += differ
    return 1 if unexpected else 0


if __name__ == "__main__":
    sys.exit(main())
