"""The predictions of pairwise classifiers: the two labels, 1 and 0, or scores (sec:ovo)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...algebra.arrays import Array
from ...encode.decisions import decide
from ...encode.factorize import factorize
from ...encode.plain_forms import Labels, is_missing
from ...encode.vocabulary import distinct, missing_rows
from ...words.wording import short

Two = tuple[Any, Any]


@dataclass(frozen=True)
class PairPredictions:
    """The predictions of one pairwise classifier."""

    pair: Two
    form: Labels
    argument: str
    indicators: bool | None  # True: 1 and 0 for the first and the second class; False: their labels; None: not known
    in_array: bool = False
    told: bool = False  # these predictions can be read in only one way

    def decisions(self, cut: float | None) -> tuple[Array, Array]:
        """Return where the first class of the pair is predicted, and where the prediction is missing."""
        if cut is not None:
            scores = self._scores()
            unknown = np.isnan(scores)
            table = np.where(unknown, np.zeros((), scores.dtype), scores)[:, None]
            return decide(table, cut, self.argument)[:, 0] & ~unknown, unknown
        form = factorize(self.form, self.argument)
        absent = missing_rows(form)
        first, second = (True, False) if self.indicators else self.pair
        if form.categories is None:
            is_first, is_second = form.values == first, form.values == second
        else:  # the code -1, a missing label, selects the last entry
            is_first, is_second = (np.array([*(c == x for c in form.categories), False])[form.values] for x in (first, second))
        missing = np.zeros(len(form), bool) if absent is None else absent
        odd = ~(is_first | is_second | missing)
        if odd.any():
            self._refuse(form, int(odd.argmax()))
        return is_first, missing

    def _scores(self) -> Array:
        values = self.form.values
        plain = self.form.categories is None and np.asarray(values).dtype.kind in "biufO"
        try:
            if not plain:
                raise TypeError
            if np.asarray(values).dtype == object:
                values = [np.nan if is_missing(v) else 0.0 + v for v in values]  # adding text to a number is an error
            values = np.asarray(values)
            return values if values.dtype.kind == "f" else values.astype(np.float64)
        except TypeError:
            raise TypeError(
                f"decide= turns scores into decisions, but {self.argument} does not hold numbers. Drop decide=."
            ) from None

    def read(self) -> PairPredictions:
        """Return the predictions as labels or as 1 and 0, where only one is possible.

        If both are possible and differ, this stays open.
        """
        if self.indicators is not None:
            return self
        form = factorize(self.form, self.argument)
        found = distinct(form)
        bits = all(isinstance(x, bool | int | float) and x in (0, 1) for x in found)
        if not bits or any(x not in self.pair for x in found):
            return replace(self, form=form, indicators=bits, told=True)
        differ = any((x == self.pair[0]) != (x == 1) for x in found)
        if differ and any(isinstance(x, bool) for x in found):
            raise TypeError(
                f"{self.argument} holds True and False, which may be the labels {self.pair} or mean first and second class. "
                "Give labels of the same type as the classes, or scores with decide=0.5."
            )
        return replace(self, form=form, indicators=None if differ else True)

    def _refuse(self, form: Labels, row: int) -> None:
        value = form.values[row].item() if form.categories is None else form.categories[form.values[row]]
        where = self.argument.replace(":", str(row)) if self.in_array else f"{self.argument}[{row}]"
        a, b = map(short, self.pair)
        what = f"1 for {a}, 0 for {b}" if self.in_array else f"{a} or {b}, or 1 and 0"
        hint = " For scores pass decide=." if isinstance(value, float) else ""
        raise ValueError(f"{where} = {short(value)}: this classifier predicts {what}.{hint}")

    def check_missing(self, absent: Array, missing: str) -> None:
        """Raise an error for missing predictions where the pair is judged.

        For other examples the classifier needs no prediction.
        """
        if missing != "mask" and absent.any():
            raise ValueError(
                f"{self.argument} has no prediction for example {int(absent.argmax())}, whose true class is one of its two "
                f"({int(absent.sum())} such). Fill them, or pass missing='mask' to leave them out: one column cannot abstain."
            )


def read_alike(columns: dict[Two, PairPredictions]) -> dict[Two, PairPredictions]:
    """Return the columns with the meaning of 0 and 1.

    Where it is open, they mean the same as for the pairs that have only one meaning.
    """
    found = {pair: column.read() for pair, column in columns.items()}
    kinds = {column.indicators for column in found.values() if column.told}
    for (a, b), column in found.items():
        if column.indicators is None and len(kinds) != 1:
            raise ValueError(
                f"{column.argument} holds 0 or 1, which may be labels, or 1 may mean the first class, {a!r}. For labels, give "
                f"the pair as {(b, a)!r}, where both mean the same; if 1 means the first class, pass decide=0.5 for all pairs."
            )
    meant = next(iter(kinds), None)
    return {pair: replace(c, indicators=meant) if c.indicators is None else c for pair, c in found.items()}
