"""Worker for NumPy: `python numpy_worker.py plain|batched|blas` (see serve.py)."""

import platform
import sys
import time

import numpy as np

import numpy_plain
import numpy_well
from serve import head, serve, traced_bytes

np.seterr(over="ignore")  # exp of a far outlier, whose logistic is 0 as it should be
NETWORKS = {"plain": numpy_plain.Networks, "batched": numpy_well.Batched, "blas": numpy_well.Networks}[sys.argv[1]]


def standardised(path, samples):
    """Standardised by the first sample of each level, as in the paper."""
    xs, ys = head(path, samples)
    X, y = np.array(xs), np.array(ys)
    warm = X[[int(np.flatnonzero(y == level)[0]) for level in np.unique(y)]]
    return (X - warm.mean(axis=0)) / (warm.std(axis=0) + 0.01), y


def make(path, samples, seed):
    X, y = standardised(path, samples)
    levels = int(y.max()) + 1
    rng = np.random.default_rng(int(seed))
    return X, y, levels, rng, NETWORKS(rng, X.shape[1], levels)


def step(path, samples, seed):
    X, y, _, _, networks = make(path, samples, seed)
    start = time.perf_counter()
    for z, level in zip(X, y):
        networks.step(z, level)
    return {"seconds": time.perf_counter() - start, "samples": len(y)}


def warm(networks, X, y):
    """The first sample of each level, in the order of the stream."""
    for i in np.sort(np.unique(y, return_index=True)[1]):
        networks.predict(X[i])
        networks.teach(X[i], y[i])


def loop(path, samples, seed):
    X, y, levels, rng, networks = make(path, samples, seed)
    warm(networks, X, y)
    start = time.perf_counter()
    accuracy = numpy_plain.pb_oel(networks, rng, X, y, levels)
    return {"seconds": time.perf_counter() - start, "samples": len(y), "accuracy": float(accuracy)}


def memory(_task, path, samples, seed):
    X, y, levels, rng, _ = make(path, samples, seed)

    def train():
        networks = NETWORKS(rng, X.shape[1], levels)
        numpy_plain.pb_oel(networks, rng, X, y, levels)
        return networks

    return traced_bytes(train)


serve(
    {"rvfl-step": step, "pb-oel": loop, "memory": memory},
    {"Python": platform.python_version(), "NumPy": np.__version__},
)
