"""PB-OEL as a researcher would write it in NumPy: one object per network, one line per formula."""

import math

import numpy as np


class Network:
    """A random vector functional-link network with recursive least squares."""

    def __init__(self, rng, channels, levels, groups=10, nodes=10, ridge=0.1):
        self.weights, self.biases = [], []
        for _ in range(groups):
            weights = rng.uniform(-1, 1, (channels, nodes))
            if channels >= nodes:
                weights = np.linalg.qr(weights)[0]
            self.weights.append(weights)
            self.biases.append(np.full(nodes, rng.uniform(-1, 1)))
        self.weights, self.biases = np.hstack(self.weights), np.concatenate(self.biases)
        self.size, self.levels, self.ridge = channels + groups * nodes, levels, ridge
        self.reset()

    def reset(self):
        self.P = np.eye(self.size) / self.ridge
        self.beta = np.zeros((self.size, self.levels))

    def features(self, z):
        return np.concatenate([z, 1 / (1 + np.exp(-(z @ self.weights + self.biases)))])

    def predict(self, z):
        self.h = self.features(z)
        self.output = self.h @ self.beta
        return self.output

    def update(self, target):
        Ph = self.P @ self.h
        gain = Ph / (1 + self.h @ Ph)
        self.P -= np.outer(gain, Ph)
        self.beta += np.outer(gain, target - self.output)


class HddmA:
    """Drift detection by Hoeffding's bound, one-sided."""

    def __init__(self, drift=0.001):
        self.drift = drift
        self.reset()

    def reset(self):
        self.n = self.total = self.low_n = self.low_total = 0

    def update(self, value):
        self.n += 1
        self.total += value
        bound = lambda n: math.sqrt(math.log(1 / self.drift) / (2 * n))
        mean = self.total / self.n
        if self.low_n == 0 or self.low_total / self.low_n + bound(self.low_n) >= mean + bound(self.n):
            self.low_n, self.low_total = self.n, self.total
        if self.low_n == self.n:
            return False
        m = (self.n - self.low_n) / (self.low_n * self.n)
        if mean - self.low_total / self.low_n >= math.sqrt(m / 2 * math.log(2 / self.drift)):
            self.reset()
            return True
        return False


class Networks:
    """All base classifiers, one after the other."""

    def __init__(self, rng, channels, levels, experts=10, buffer=50):
        self.networks = [Network(rng, channels, levels) for _ in range(experts)]
        self.monitors = [HddmA() for _ in range(experts)]
        self.buffer, self.recent = buffer, []

    def predict(self, z):
        outputs = np.array([network.predict(z) for network in self.networks])
        clipped = np.maximum(outputs, 1e-6)
        self.confidences = clipped / clipped.sum(axis=1, keepdims=True)
        return outputs.argmax(axis=1)

    def teach(self, z, level):
        target = np.eye(self.confidences.shape[1])[level]
        self.recent = (self.recent + [(z, target)])[-self.buffer :]
        for n, network in enumerate(self.networks):
            if self.monitors[n].update(1 - self.confidences[n, level]):
                network.reset()
                for z, target in self.recent:
                    network.predict(z)
                    network.update(target)
            else:
                network.update(target)

    def refute(self, level, penalty=-0.5):
        for n, network in enumerate(self.networks):
            target = self.confidences[n].copy()
            target[level] = penalty
            network.update(target)

    def step(self, z, level):
        """One prediction and one update of every network, without the rest of the method."""
        self.predict(z)
        for network in self.networks:
            network.update(np.eye(self.confidences.shape[1])[level])


def pb_oel(networks, rng, X, y, levels, rho=0.05, c=0.1, alpha=0.8):
    """The whole loop with a simulated reviewer; the share of right assessments."""
    horizon, experts = len(y), 10
    interval = horizon**alpha
    B = rho / (8 * levels) + (1 - rho) * (math.e - 1)
    gamma = min(1, c * math.sqrt(levels * math.log(experts) / (interval * B)))
    log_weights, rounds, right = np.zeros(experts), 0, 0
    for t in range(horizon):
        full = rng.random() < rho
        votes = networks.predict(X[t])
        q = np.exp(log_weights - log_weights.max())
        q /= q.sum()
        p = np.bincount(votes, weights=q, minlength=levels)
        if not full:
            p = (1 - gamma) * p + gamma / levels
        level = min(np.searchsorted(np.cumsum(p), rng.random(), side="right"), levels - 1)
        correct = level == y[t]
        right += correct
        if full:
            log_weights += gamma / levels * (votes == y[t])
            networks.teach(X[t], y[t])
        elif correct:
            log_weights += gamma / levels / p[level] * (votes == level)
            networks.teach(X[t], level)
        else:
            networks.refute(level)
        rounds += 1
        if rounds > interval:
            log_weights[:], rounds = 0, 0
    return right / horizon
