"""The methods of correction by name, as files hold them."""

from __future__ import annotations

from typing import Any

from .by_gold import ByGold
from .by_noise import ByErrorRates, ByNoise
from .by_raters import ByRaters
from .by_reference import ByProbabilities, ByReference

METHODS: dict[str, Any] = {
    "gold": ByGold,
    "noise": ByNoise,
    "error rates": ByErrorRates,
    "probabilities": ByProbabilities,
    "reference": ByReference,
    "raters": ByRaters,
}
