"""Exact sizes and powers of McNemar's tests: ``python -m benchmarks.mcnemar``.

Of n examples, some are right for one classifier only. How many there are is binomial, and how many of these the first one has
right is binomial again; so each rate of rejection is a finite sum, without samples.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy import stats

LEVEL = 0.05
APART = np.arange(0.1, 0.501, 0.02)  # shares of examples that only one classifier has right


def exact(b: Any, c: Any) -> Any:
    """Return p-values of the exact test."""
    return np.minimum(2 * stats.binom.cdf(np.minimum(b, c), b + c, 0.5), 1)


def mid_p(b: Any, c: Any) -> Any:
    """Return p-values of the mid-p test, the default of the library."""
    least = np.minimum(b, c)
    return np.minimum(2 * stats.binom.cdf(least, b + c, 0.5) - stats.binom.pmf(least, b + c, 0.5), 1)


def asymptotic(b: Any, c: Any) -> Any:
    """Return p-values of the chi-squared test."""
    return stats.chi2.sf((b - c) ** 2 / np.maximum(b + c, 1), 1)


@cache
def _rejected(test: Callable[[Any, Any], Any], apart: int) -> Any:
    first = np.arange(apart + 1)
    return test(first, apart - first) < LEVEL


def rate(test: Callable[[Any, Any], Any], n: int, apart: float, gain: float = 0.0) -> float:
    """Return how often a test rejects, where the first classifier is ahead by ``gain``.

    ``apart`` is the share of examples that only one of them has right.

    >>> [round(rate(test, 100, 0.26), 3) for test in (exact, mid_p, asymptotic)]
    [0.03, 0.045, 0.053]
    """
    ahead, times = 0.5 + gain / apart / 2, stats.binom.pmf(np.arange(n + 1), n, apart)
    return float(
        sum(
            share * stats.binom.pmf(np.arange(k + 1), k, ahead)[_rejected(test, k)].sum()
            for k, share in enumerate(times)
            if share > 1e-12
        )
    )


def behind(n: int, gain: float) -> tuple[float, float]:
    """Return by how much mid-p finds less than the chi-squared test: on average, and at most."""
    differences = [rate(asymptotic, n, x, gain) - rate(mid_p, n, x, gain) for x in APART if x > gain]
    return float(np.mean(differences)), float(np.max(differences))


def main() -> None:
    """Print sizes, and powers at effects that shrink with the root of n."""
    for n in (50, 100, 200, 1000):
        sizes = {test.__name__: max(rate(test, n, x) for x in APART) for test in (exact, mid_p, asymptotic)}
        mean, most = behind(n, 1.05 / n**0.5)
        texts = ", ".join(f"{name} {size:.3f}" for name, size in sizes.items())
        print(f"n = {n}: largest size {texts}; mid-p is behind by {mean:.3f} on average and {most:.3f} at most")


if __name__ == "__main__":
    main()
