"""Worker for Vowpal Wabbit (see serve.py): --cbify turns labels into right/wrong feedback on the chosen level."""

import functools
import gc
import pathlib
import platform
import statistics
import time

import vowpalwabbit

from serve import head, resident, serve


@functools.cache
def text_file(path, samples, scaling):
    """The stream in VW's format, beside its .csv; `z` standardises with the mean and deviation of the whole stream."""
    xs, ys = head(path, samples)
    if scaling == "z":
        columns = list(zip(*xs))
        means = [statistics.fmean(column) for column in columns]
        deviations = [statistics.pstdev(column) or 1 for column in columns]
        xs = [[(v - m) / s for v, m, s in zip(x, means, deviations)] for x in xs]
    target = pathlib.Path(path).with_suffix(f".{scaling}.{samples}.vw")
    with open(target, "w") as file:
        for x, y in zip(xs, ys):
            file.write(f"{y + 1} |c {' '.join(f'{i}:{value:.7g}' for i, value in enumerate(x))}\n")
    return target, max(ys) + 1


def learn(path, samples, seed, scaling, settings):
    """Reads the whole file in C++; the loss is the share of wrong choices."""
    file, levels = text_file(path, samples, scaling)
    return vowpalwabbit.Workspace(f"--cbify {levels} -d {file} --quiet --random_seed {seed} {' '.join(settings)}")


def run(path, samples, seed, scaling, *settings):
    text_file(path, samples, scaling)
    start = time.perf_counter()
    model = learn(path, samples, seed, scaling, settings)
    seconds = time.perf_counter() - start
    count = model.get_weighted_examples()
    accuracy = 1 - model.get_sum_loss() / count
    model.finish()
    return {"seconds": seconds, "samples": int(count), "accuracy": accuracy}


def memory(_task, path, samples, seed, scaling, *settings):
    """Resident memory per model, of five kept at once: its weights are not Python's to count."""
    learn(path, samples, seed, scaling, settings).finish()
    gc.collect()
    before = resident()
    models = [learn(path, samples, seed, scaling, settings) for _ in range(5)]
    gc.collect()
    return {"bytes": (resident() - before) / len(models)}


serve(
    {"right-wrong": run, "memory": memory},
    {"Python": platform.python_version(), "Vowpal Wabbit": vowpalwabbit.__version__},
)
