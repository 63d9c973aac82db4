"""Columns that were not named are found by names that everyone uses.

The command says which it took. Nothing is guessed: two columns that could be meant are an error.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from ...algebra.wording import listing
from ..output import tell
from .columns import SHOWN, RowsFile
from .request import Request

# Case, spaces, dots and hyphens do not matter.
TRUTH = (
    *("y_true", "true", "true_label", "true_class", "truth", "ground_truth", "gold", "gold_label"),
    *("label", "labels", "target", "actual", "y"),
)
PREDICTED = (
    *("y_pred", "pred", "preds", "pred_label", "prediction", "predictions", "predicted", "predicted_label", "predicted_class"),
    *("y_predicted", "y_hat", "yhat"),
)
ROLES = {"--true": "the truth", "--pred": "the prediction"}
NO_TRUTH = "What is the truth? Give --true COLUMN, or --multilabel PREFIX for 0/1 columns."
NO_PREDICTION = "What was predicted? Give --pred COLUMN, or --score COLUMNS with --decide."
FEW = 5  # usual names in a message


def with_usual_columns(source: RowsFile, requests: Sequence[Request]) -> list[Request]:
    """Return requests that name the columns of the truth and of the prediction; say which were found.

    The requests differ in their predictions only.
    """
    first = requests[0]
    if first.multilabel is not None:
        return [*requests]
    named = {*first.by, first.weight, first.true, *(one.pred for one in requests)}
    found: dict[str, str] = {}  # by option
    if first.true is None:
        found["--true"] = _found(source, "--true", TRUTH, named, NO_TRUTH)
    if first.pred is None and first.score is None:
        found["--pred"] = _found(source, "--pred", PREDICTED, {*named, *found.values()}, NO_PREDICTION)
    if found:
        roles = " and ".join(f"{ROLES[option]} is column {column!r}" for option, column in found.items())
        tell(f"{source.name}: {roles}. Name {'another' if len(found) == 1 else 'others'} with {' and '.join(found)}.")
    return [replace(one, true=found.get("--true", one.true), pred=found.get("--pred", one.pred)) for one in requests]


def _found(source: RowsFile, option: str, usual: Iterable[str], named: set[str | None], question: str) -> str:
    """Return the one column with a usual name; none, or several, is an error that lists the choices."""
    usual = tuple(usual)
    fitting = [column for column in source.columns if _plain(column) in usual and column not in named]
    if not fitting:
        raise ValueError(
            f"{question} {source.name} has no column with a usual name, such as {listing(usual[:FEW])}. Its columns are "
            f"{listing(source.columns, SHOWN)}."
        )
    if len(fitting) > 1:
        choices = " or ".join(f"{option} {column}" for column in fitting[:SHOWN])
        raise ValueError(f"{question} {source.name} has the columns {listing(fitting, SHOWN)}. Choose one: {choices}.")
    return fitting[0]


def _plain(column: str) -> str:
    for character in " -.":
        column = column.replace(character, "_")
    return column.strip("_").casefold()
