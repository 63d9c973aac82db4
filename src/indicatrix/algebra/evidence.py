"""Evidence: an answer and its reason: a proof, a witness or a number of trials, not just a tolerance."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from ..words.call_mistakes import answers_mistakes


@answers_mistakes
@dataclass(frozen=True)
class Evidence:
    """Whether a law holds, and why; true in an ``if``.

    A witness is one or more points and the values there. It shows a no, or a yes for which one example is enough
    (``complete``). Trials are exact, unless ``digits`` says to how many digits irrational values were compared.

    Attributes
    ----------
    holds : bool or None
        The answer; None where neither a proof nor trials decide.
    witness : tuple or None
        Points and the values there that show the answer.
    trials : int
        The number of exact trials.
    digits : int or None
        To how many digits irrational values were compared; None if all was exact.
    proof : str
        How it was proved for all counts; "" without a proof.
    note : str
        What else there is to say, such as an exception; "" if there is nothing.
    """

    holds: bool | None  # None: it could not be decided, and ``note`` says why
    witness: tuple[Any, ...] | None = None
    trials: int = 0
    digits: int | None = None
    proof: str = ""
    note: str = ""

    def __bool__(self) -> bool:
        return bool(self.holds)

    def __str__(self) -> str:
        answer = {True: "yes", False: "no", None: "undecided"}[self.holds]
        reasons = [self.proof and f"proof: {_cut(self.proof)}", self.witness and f"witness: {_cut(_show(self.witness))}"]
        if self.trials and not self.proof and not self.witness:
            how = "exact" if self.digits is None else f"to {self.digits} digits"
            reasons.append(f"{self.trials} trials, {how}")
        why = "; ".join(r for r in (*reasons, self.note) if r)
        return f"{answer} ({why})" if why else answer


def _cut(text: str, length: int = 110) -> str:
    return text if len(text) <= length else f"{text[: length - 1]}…"


def _show(x: Any, digits: int = 6) -> str:
    if isinstance(x, tuple):
        parts = [_show(part, digits) for part in x]
        if digits == 6 and len(set(parts)) < len(parts):  # numbers that differ should look different
            parts = [_show(part, 30) for part in x]
        return f"({', '.join(parts)})"
    if isinstance(x, Fraction):
        return str(x)
    if hasattr(x, "_mpf_"):
        return str(x.context.nstr(x, digits))
    return f"{x:.{min(digits, 17)}g}" if isinstance(x, float) else repr(x)
