"""Records what three published methods say of one stream, so that our tests can compare sample by sample.

    python3.11 -m venv .venv && .venv/bin/pip install numpy==1.26.4 scipy==1.17.1
    node bench/peers/flip-stream.ts | PYTHONPATH=scikit-multiflow-0.5.3/src .venv/bin/python \\
        bench/peers/published_rivals.py > packages/core/src/rivals/golden/published.json

Each line of the input is one sample: [x1, x2, level]. OAdaC2 is that of scikit-multiflow 0.5.3, run from its unpacked
sources, because it has no wheel for this Python. ROALE-DI and CPSSDS are written here after the pseudo-code of their
papers, in the simplest way: naive Bayes keeps all its samples, and SciPy does the Kolmogorov-Smirnov tests.

Draws are replaced on both sides, because random numbers differ: a member learns a sample 1 + floor(lambda) times, at
most four times; n of m samples are those at floor(i * m / n).
"""

import json
import math
import platform
import sys
from unittest.mock import MagicMock

import numpy as np
import scipy
from scipy.stats import ks_2samp

FROM, TO = 1400, 2600  # The levels are turned round in the middle.


def chosen(count, total):
    return [i * total // count for i in range(count)]


# --- OAdaC2 -----------------------------------------------------------------------------------------------------------

# Parts of scikit-multiflow that are compiled, or draw; online_adac2.py uses none of them.
for name in ["lazy", "metrics", "metrics.measure_collection", "evaluation", "visualization"]:
    sys.modules[f"skmultiflow.{name}"] = MagicMock()
from skmultiflow.bayes import NaiveBayes  # noqa: E402
from skmultiflow.meta.online_adac2 import OnlineAdaC2Classifier  # noqa: E402


class EvenDraws(np.random.RandomState):
    def poisson(self, lam):
        return min(1 + math.floor(lam), 4)


def oadac2(samples):
    model = OnlineAdaC2Classifier(base_estimator=NaiveBayes(), n_estimators=4, random_state=EvenDraws(1))
    levels, scores = [], []
    for i, (x, level) in enumerate(samples):
        row = np.array([x])
        proba = model.predict_proba(row)[0] if i > 0 else [0.0]
        levels.append(int(np.argmax(proba)))
        # Scores of both signs are no distribution, here and there.
        scores.append(max(proba) if len(proba) == 2 and min(proba) >= 0 and max(proba) > 0 else None)
        model.partial_fit(row, np.array([level]), classes=[0, 1])
    return {"levels": "".join(map(str, levels)), "confidences": [round(s, 12) if s else None for s in scores]}


# --- Naive Bayes ------------------------------------------------------------------------------------------------------


class Bayes:
    """All samples are kept; mean and variance are taken anew for each question."""

    def __init__(self, levels):
        self.samples = [[] for _ in range(levels)]
        self.known = [None] * levels

    def learn(self, x, level):
        self.samples[level].append(x)
        self.known[level] = None

    def predict(self, x):
        total = sum(map(len, self.samples))
        if total == 0:
            return np.full(len(self.samples), 1 / len(self.samples))
        scores = np.array([self.score(np.array(x), level, total) for level in range(len(self.samples))])
        odds = np.exp(scores - scores.max())
        return odds / odds.sum()

    def score(self, x, level, total):
        count = len(self.samples[level])
        if count == 0:
            return -math.inf
        if self.known[level] is None:
            rows = np.array(self.samples[level])
            self.known[level] = rows.mean(axis=0), rows.var(axis=0, ddof=1) if count > 1 else np.zeros(rows.shape[1])
        mean, variance = self.known[level]
        score = math.log(count / total)
        for at in range(len(x)):
            off = (x[at] - mean[at]) ** 2
            if variance[at] > 0:
                score -= 0.5 * (math.log(2 * math.pi * variance[at]) + off / variance[at])
            elif off > 0:
                score += math.log(1e-300)
        return score


# --- ROALE-DI ---------------------------------------------------------------------------------------------------------


class Roale:
    """Zhang, Liu & Liu 2022, with label ratio r, block I, step s, threshold theta, group D and imbalance sigma."""

    def __init__(self, first, levels, sigma, r=0.05, block=150, s=0.01, theta=0.5, group=10):
        self.K, self.sigma, self.r, self.I, self.s, self.theta, self.D = levels, sigma, r, block, s, theta, group
        self.stable, self.E, self.w = Bayes(levels), [Bayes(levels)], [1 / group]
        self.H, self.U = [[0] * levels], [[] for _ in range(levels)]
        for x, level in first:
            self.stable.learn(x, level)
            self.E[0].learn(x, level)
            self.H[0][level] += 1
            self.push(x, level)
        self.ratio, self.sigmas, self.A = [0.0] * levels, [0.0] * levels, []
        self.margin, self.bought = 2 * theta / levels, 0

    def push(self, x, level):
        self.U[level].append(x)
        if len(self.U[level]) > self.r * self.I / self.K:
            self.U[level].pop(0)

    def scores(self, x):
        return 0.5 * self.stable.predict(x) + sum(w * e.predict(x) for w, e in zip(self.w, self.E))

    def judge(self, x):
        return int(np.argmax(self.scores(x)))

    def learn(self, x, level):
        second, first = np.sort(self.scores(x))[-2:]
        bought = False
        if first - second <= self.margin:
            self.margin *= 1 - self.s
            bought = True
            self.push(x, level)
            for one in [self.stable, *self.E]:
                one.learn(x, level)
            if self.judge(x) == level:
                self.margin *= 1 - self.s
        elif self.sigmas[self.judge(x)] >= 1:  # Probabilities of the test are 0 or 1.
            bought = True
            self.push(x, level)
            for one in self.E:
                one.learn(x, level)
            if self.judge(x) != level:
                self.reinforce(x, level)
        self.bought += bought
        self.A.append((x, level, bought))
        if len(self.A) == self.I:
            self.end_block()
            self.A = []

    def reinforce(self, x, level):
        if self.ratio[level] < 1 / self.K:
            for j, one in enumerate(self.E):
                self.w[j] *= 1 + 1 / self.D if int(np.argmax(one.predict(x))) == level else 1 - 1 / self.D

    def end_block(self):
        self.margin = 2 * self.theta / self.K
        drawn = [self.A[i] for i in chosen(int(self.r * self.I), self.I)]
        counts, newcomer = [0] * self.K, Bayes(self.K)
        for x, level, bought in drawn:
            self.bought += not bought
            counts[level] += 1
            if self.judge(x) == level:
                self.margin *= 1 - self.s
            else:
                self.reinforce(x, level)
            newcomer.learn(x, level)
        for level in range(self.K):
            lacking = int(self.r * self.I / self.K - counts[level])
            for x in self.U[level][-lacking:] if lacking > 0 else []:
                newcomer.learn(x, level)
        for x, level, _ in drawn:
            self.push(x, level)
        place = len(self.E) if len(self.E) <= self.D else self.w.index(min(self.w))
        self.w = [w * (1 - 1 / self.D) for w in self.w]
        for values, value in [(self.E, newcomer), (self.w, 1 / self.D), (self.H, counts)]:
            values[place : place + 1] = [value]
        damped = [sum(w * h[level] for w, h in zip(self.w, self.H)) for level in range(self.K)]
        self.ratio = [one / sum(damped) for one in damped]
        self.sigmas = [1 if one == 0 else max(self.sigma / (self.K * one), self.sigma) for one in self.ratio]


def roale(first, samples, sigma):
    model = Roale(first, 3, sigma)
    levels, blocks = [], []
    for x, level in samples:
        levels.append(model.judge(x))
        model.learn(x, level)
        if not model.A:
            blocks.append({"weights": list(map(float, model.w)), "margin": model.margin, "bought": model.bought})
    return {"levels": "".join(map(str, levels)), "blocks": blocks}


# --- CPSSDS -----------------------------------------------------------------------------------------------------------


def p_values(model, calibration, rows, levels):
    strange = [[1 - model.predict(x)[y] for x, y in calibration if y == level] for level in range(levels)]
    answers = [1 - model.predict(x) for x in rows]
    return [
        [sum(a >= answer[level] for a in strange[level]) / len(strange[level]) if strange[level] else 0.0 for answer in answers]
        for level in range(levels)
    ]


def cpssds(first, samples, levels=2, chunk=100, share=0.2, kept=10):
    """Tanha et al. 2022; the first samples are the first chunk, without an unlabelled part."""
    cut = round(0.3 * len(first))
    calibration, before, model = first[:cut], [], Bayes(levels)
    for x, level in first[cut:]:
        model.learn(x, level)
    store = [[x for x, y in first if y == level][-kept:] for level in range(levels)]
    said, drifts, certain = [], [], []
    for start in range(0, len(samples), chunk):
        part = samples[start : start + chunk]
        said += [int(np.argmax(model.predict(x))) for x, _ in part]
        at = chosen(round(share * chunk), chunk)
        labelled, unlabelled = [part[i] for i in at], [x for i, (x, _) in enumerate(part) if i not in at]
        cut = round(0.3 * len(labelled))
        p1 = p_values(model, calibration, before, levels)
        p2 = p_values(model, calibration, unlabelled, levels)
        drift = bool(before) and np.mean([ks_2samp(a, b).pvalue for a, b in zip(p1, p2)]) < 0.05
        sets = [[level for level in range(levels) if p1[level][i] >= 1] for i in range(len(before))]
        informative = [(x, one[0]) for x, one in zip(before, sets) if len(one) == 1]
        if drift:
            drifts.append(start + chunk)
            model = Bayes(levels)
            seen = {level for _, level in labelled[cut:]}
            informative = [(x, level) for level in range(levels) if level not in seen for x in store[level]]
        else:
            certain.append(len(informative))
        for x, level in labelled[cut:] + informative:
            model.learn(x, level)
        for x, level in labelled:
            store[level] = [*store[level], x][-kept:]
        calibration, before = labelled[:cut], unlabelled
    return {"levels": "".join(map(str, said)), "drifts": drifts, "certain": certain}


lines = [json.loads(line) for line in sys.stdin][FROM:TO]
# Two levels with wrong labels among them; three levels of which one is rare.
two = [([a, b], 1 - level if i % 7 == 0 else level) for i, (a, b, level) in enumerate(lines)]
three = [([a, b], 2 if a > 0.8 else level) for a, b, level in lines]
# Two levels that the second channel tells apart. It is moved at 550, and for 100 samples level 1 does not appear.
moved = [([a, b + 2 * (i >= 550)], int(b > 0 and not 550 <= i < 650)) for i, (a, b, _) in enumerate(lines)]
result = {
    "command": "node bench/peers/flip-stream.ts | python bench/peers/published_rivals.py",
    "versions": {"python": platform.python_version(), "numpy": np.__version__, "scipy": scipy.__version__},
    "scikit-multiflow": "0.5.3",
    "from": FROM,
    "to": TO,
    "oadac2": oadac2(two),
    "roale-di": {"rare levels are asked about": roale(three[:50], three[50:], 1), "not": roale(three[:50], three[50:], 0)},
    "cpssds": cpssds(moved[:50], moved[50:1150]),
}
print(json.dumps(result))
