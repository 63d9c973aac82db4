"""A binary problem is one column: with two, micro precision becomes accuracy (sec:binary)."""

from __future__ import annotations

from fractions import Fraction

import indicatrix as ix

from ..record import Record, experiment


@experiment("B8", "One column or two for two classes")
def binary_columns(record: Record) -> None:
    """Compute precision of five binary predictions from one column and from two."""
    truth, guess = [0, 1, 1, 0, 1], [0, 1, 0, 1, 1]
    ev = ix.evaluate(truth, guess)
    one, two, accuracy = ev.exact("precision"), ev.exact("precision", "micro"), ev.exact("exact_match")
    record.table(
        "Precision, and accuracy",
        ["encoding", "value"],
        [["one column", one], ["two columns, micro", two], ["accuracy", accuracy]],
    )
    record.finds("one column gives precision, 2/3", one == Fraction(2, 3))
    record.finds("two columns give accuracy, 3/5", two == accuracy == Fraction(3, 5))
    record.finds(
        "ours: without an average, labels 0/1 mean the positive class", ix.precision(truth, guess) == ev.score("precision")
    )
