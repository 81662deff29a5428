"""The networks of numpy_plain.py written for speed: vectorised over the networks, next to no allocation in a step.

P is symmetric, so SciPy's BLAS (`dsymv`, `dsyr`) reads and writes one triangle of it, in place: half the memory
traffic of `P -= np.outer(...)`, which is what bounds the speed. `Batched` is the best that NumPy alone can do.
"""

import numpy as np
from scipy.linalg.blas import dsymv, dsyr

from numpy_plain import Network


class Networks:
    def __init__(self, rng, channels, levels, experts=10, buffer=50, drift=0.001):
        singles = [Network(rng, channels, levels) for _ in range(experts)]
        self.W = np.hstack([network.weights for network in singles])
        self.b = np.concatenate([network.biases for network in singles])
        size, self.nodes, self.channels = singles[0].size, singles[0].size - channels, channels
        self.experts, self.levels, self.ridge = experts, levels, singles[0].ridge
        self.P = [np.asfortranarray(np.eye(size) / self.ridge) for _ in range(experts)]
        self.beta = np.zeros((experts, size, levels))
        self.h = np.empty((experts, size))
        self.Ph = np.empty((experts, size))
        self.hidden = np.empty(experts * self.nodes)
        self.change = np.empty((experts, size, levels))
        self.one_hot = np.eye(levels)
        self.recent_z, self.recent_level = np.empty((buffer, channels)), np.empty(buffer, int)
        self.buffer, self.labelled = buffer, 0
        self.log_bound, self.log_drift = np.log(1 / drift) / 2, np.log(2 / drift) / 2
        self.n, self.total, self.low_n, self.low_total = np.zeros((4, experts))

    def forward(self, z):
        np.dot(z, self.W, out=self.hidden)
        self.hidden += self.b
        np.negative(self.hidden, out=self.hidden)
        np.exp(self.hidden, out=self.hidden)
        self.hidden += 1
        self.h[:, : self.channels] = z
        np.divide(1, self.hidden.reshape(self.experts, self.nodes), out=self.h[:, self.channels :])
        self.outputs = np.matmul(self.h[:, None, :], self.beta)[:, 0]

    def predict(self, z):
        self.forward(z)
        self.confidences = np.maximum(self.outputs, 1e-6)
        self.confidences /= self.confidences.sum(axis=1, keepdims=True)
        return self.outputs.argmax(axis=1)

    def update(self, targets, which=None):
        which = range(self.experts) if which is None else which
        for n in which:
            dsymv(1, self.P[n], self.h[n], y=self.Ph[n], overwrite_y=1, lower=1)
        s = 1 / (1 + np.einsum("ij,ij->i", self.h, self.Ph))
        for n in which:
            dsyr(-s[n], self.Ph[n], a=self.P[n], lower=1, overwrite_a=1)
        errors = (targets - self.outputs) * s[:, None]
        if len(which) == self.experts:
            np.multiply(self.Ph[:, :, None], errors[:, None, :], out=self.change)
            self.beta += self.change
        else:
            for n in which:
                self.beta[n] += np.outer(self.Ph[n], errors[n])

    def teach(self, z, level):
        self.recent_z[self.labelled % self.buffer] = z
        self.recent_level[self.labelled % self.buffer] = level
        self.labelled += 1
        drifted = self.monitor(1 - self.confidences[:, level])
        if drifted.any():
            self.update(self.one_hot[level], np.flatnonzero(~drifted))
            self.refit(np.flatnonzero(drifted))
        else:
            self.update(self.one_hot[level])

    def refit(self, which):
        for n in which:
            self.P[n][:] = np.eye(len(self.P[n])) / self.ridge
            self.beta[n] = 0
        for i in range(max(0, self.labelled - self.buffer), self.labelled):
            self.forward(self.recent_z[i % self.buffer])
            self.update(self.one_hot[self.recent_level[i % self.buffer]], which)

    def monitor(self, values):
        """HDDM_A of all networks at once; where there is drift the detector starts afresh."""
        self.n += 1
        self.total += values
        mean = self.total / self.n
        bound = mean + np.sqrt(self.log_bound / self.n)
        prefix = np.maximum(self.low_n, 1)
        low = self.low_total / prefix
        lower = (self.low_n == 0) | (low + np.sqrt(self.log_bound / prefix) >= bound)
        np.copyto(self.low_n, self.n, where=lower)
        np.copyto(self.low_total, self.total, where=lower)
        gap = mean - self.low_total / self.low_n
        allowed = np.sqrt((self.n - self.low_n) / (self.low_n * self.n) * self.log_drift)
        drifted = (gap >= allowed) & (self.low_n < self.n)
        if drifted.any():
            for state in (self.n, self.total, self.low_n, self.low_total):
                state[drifted] = 0
        return drifted

    def refute(self, level, penalty=-0.5):
        targets = self.confidences.copy()
        targets[:, level] = penalty
        self.update(targets)

    def step(self, z, level):
        self.forward(z)
        self.update(self.one_hot[level])


class Batched(Networks):
    """The same with one array for all P and NumPy alone: batched products and preallocated temporaries."""

    def __init__(self, *settings, **options):
        super().__init__(*settings, **options)
        self.P = np.array(self.P)
        self.outer = np.empty_like(self.P)

    def update(self, targets, which=None):
        if which is not None and len(which) < self.experts:
            for n in which:
                Ph = self.P[n] @ self.h[n]
                gain = Ph / (1 + self.h[n] @ Ph)
                self.P[n] -= np.outer(gain, Ph)
                self.beta[n] += np.outer(gain, np.broadcast_to(targets, self.outputs.shape)[n] - self.outputs[n])
            return
        np.matmul(self.P, self.h[:, :, None], out=self.Ph[:, :, None])
        gain = self.Ph / (1 + np.einsum("ij,ij->i", self.h, self.Ph))[:, None]
        np.multiply(gain[:, :, None], self.Ph[:, None, :], out=self.outer)
        self.P -= self.outer
        np.multiply(gain[:, :, None], (targets - self.outputs)[:, None, :], out=self.change)
        self.beta += self.change
