"""A value that leaves undefined values out stands next to the one that counts them as 0, where the two are far apart."""

from __future__ import annotations

from loops import for_each

import indicatrix as ix
from indicatrix.report.text import value_as_zero

TRUE = ["a"] * 40 + ["b"] * 5 + ["c"] * 4
CONSTANT = ["a"] * 49  # b and c are never predicted
EV = ix.evaluate(TRUE, CONSTANT, by={"site": [1, 2] * 24 + [1]})


def test_a_constant_classifier_shows_both_numbers_everywhere() -> None:
    score = EV.score("precision", "macro")
    both = f"{score:.3f} (as 0: {score.under(0):.3f})"
    assert score.under(0) < score / 2
    shown = {
        "report": str(EV),
        "notebook": EV._repr_html_(),
        "table": str(EV.table("precision")),
        "html": EV.table("precision").html(),
        "markdown": EV.table("precision").markdown(),
        "latex": EV.table("precision").latex(),
        "compare": str(ix.compare({"constant": EV, "right": ix.evaluate(TRUE, TRUE)}, "precision", "macro")),
    }
    for form, text in shown.items():
        assert both in text, form
    with_ends = f"(as 0: {score.under(0):.2f})"
    for text in (str(EV.table("precision", "macro", interval=True)), EV.report(interval=True)):
        assert with_ends in text
    assert float(EV.table("precision", "macro").to_dict()["macro"][0]) == score  # programs read one number


@for_each("measure", [m for m in dict.fromkeys(ix.algebra.MEASURES.values()) if not m.averages])
@for_each("average", ["micro", "macro", "weighted", "exemplar", ("site", "macro")])
def test_both_are_shown_exactly_where_they_differ(measure: ix.Measure, average: object) -> None:
    score = EV.score(measure, average)
    zero = EV.score(measure, average, undefined=0)
    far = score == score and abs(score) < float("inf") and abs(zero - score) > 0.01
    assert (value_as_zero(score) is not None) == far
    assert ("(as 0: " in str(EV.table(measure, [average]))) == far
    assert value_as_zero(zero) is None
    assert "(as 0: " not in str(EV.table(measure, [average], undefined=0))
