"""What every Python worker does: reads requests line by line and answers each with one line of JSON."""

import csv
import functools
import gc
import json
import os
import sys
import tracemalloc


@functools.cache
def rows(path):
    """Channels and level of every row of an exported stream."""
    with open(path, newline="") as file:
        cells = [[float(cell) for cell in row] for row in csv.reader(file)]
    return [row[:-1] for row in cells], [int(row[-1]) for row in cells]


def head(path, samples):
    xs, ys = rows(path)
    return xs[: int(samples)], ys[: int(samples)]


def resident():
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def traced_bytes(make):
    """Live bytes that the object `make` returns keeps, by tracemalloc, which sees NumPy's arrays too."""
    gc.collect()
    tracemalloc.start()
    kept = make()
    gc.collect()
    size = tracemalloc.get_traced_memory()[0]
    tracemalloc.stop()
    del kept
    return {"bytes": size}


def serve(tasks, versions):
    """Answers `<task> <word> …` by `tasks[task](*words)` until standard input ends."""
    print(json.dumps(versions), flush=True)
    for line in sys.stdin:
        task, *words = line.split(" ")
        print(json.dumps(tasks[task](*[word.strip() for word in words])), flush=True)
