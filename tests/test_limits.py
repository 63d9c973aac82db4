"""What is refused because of its size: the error says the size, and what is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import indicatrix as ix
from indicatrix.cli.measures.measure_argument import read_measure
from indicatrix.comparison import differences
from indicatrix.settings.arguments import taxonomy_closure, taxonomy_distance

# --- texts that are read as expressions

Reader = Callable[[str], Any]
READERS: dict[str, tuple[Reader, str, str]] = {  # what reads a text, what stands before a parameter, and after it
    "formula": (ix.measure, "tp * (", ")"),
    "measure": (lambda text: ix.evaluate([0, 1], [0, 1]).score(text, "micro"), "f_beta(beta=", ")"),
    "parameter of a formula": (lambda text: ix.evaluate([0, 1], [0, 1]).score(text, "micro"), "tp/(tp+b*fp); b=", ""),
    "matrix": (lambda text: ix.evaluate([0, 1], [0, 1]).score(text), "multiclass_kappa(weights=", ")"),
    "area": (ix.explain, "partial_auc(max_fpr=", ")"),
    "scorer": (ix.scorer, "partial_auc(max_fpr=", ")"),
    "t-norm": (lambda text: ix.evaluate([[0.1, 0.9]], [[0.2, 0.8]], tnorm=text), "hamacher(p=", ")"),
    "ordinal": (lambda text: ix.evaluate([0, 1], [0, 1], ordinal=text, tnorm="product"), "exponential(gamma=", ")"),
    "command line": (lambda text: read_measure(text, {}), "f_beta(beta=", ")"),
}


@pytest.mark.parametrize("reader", READERS)
@pytest.mark.parametrize("depth", [59, 70, 300, 3_000, 30_000, 300_000])
@pytest.mark.parametrize("brackets", ["-", "()", "[]", "abs()"])
def test_a_text_of_any_depth_is_read_or_refused_with_a_reason(reader: str, depth: int, brackets: str) -> None:
    read, before, after = READERS[reader]
    close = brackets[-1] if brackets.endswith((")", "]")) else ""
    text = before + brackets.removesuffix(close) * depth + "1" + close * depth + after
    said = ""
    try:
        read(text)
    except (ValueError, TypeError) as error:  # a TypeError where the parameter is a list and should be a number
        said = str(error)
    assert 0 < len(said) < 600 or (not said and depth < 200)


# --- taxonomies


@pytest.mark.parametrize(
    "edges", [[(None, 0), *((i, i + 1) for i in range(99))], [(i, j) for j in range(1, 100) for i in (j - 1, j // 2)]]
)
def test_ancestors_beyond_the_limit_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch, edges: Any) -> None:
    t = ix.taxonomy([edge for edge in edges if edge[0] != edge[1]], root=None)
    monkeypatch.setattr(taxonomy_closure, "MOST", 4_000)
    assert ix.evaluate([99, 3], [99, 4], hierarchy=t).aggregate().tp == 104
    for labels in (list(range(100)), [{i} for i in range(100)]):
        with pytest.raises(
            ValueError, match=r"their ancestors have at least [45],\d{3} entries, more than 4,000, because .* in batches"
        ):
            ix.evaluate(labels, labels, hierarchy=t)
    monkeypatch.setattr(taxonomy_distance, "MOST", 50)
    with pytest.raises(ValueError, match=r"between 100 classes would take .* GiB. Name the classes that you need, at most 50:"):
        t.distance()
    assert t.distance([3, 4]).tolist() == [[0, 1], [1, 0]]


# --- comparisons


@pytest.mark.parametrize("counted", [False, True])
def test_more_tests_than_anybody_waits_for_are_refused_with_their_number(monkeypatch: pytest.MonkeyPatch, counted: bool) -> None:
    monkeypatch.setattr(differences, "MOST_TESTS", 12)
    y = [0, 1] * 10
    guesses = {name: [0] * k + y[k:] for k, name in enumerate("abcde")}
    made = {name: ix.evaluate(y, guess) for name, guess in guesses.items()}
    given: tuple[Any, ...] = (made,) if counted else (y, guesses)
    asked = {"level": 0.95} if counted else {}  # evaluations are tested only on request
    with pytest.raises(
        ValueError, match=r"^5 classifiers make 10 pairs, and with 2 scores 20 tests, more than 12\. Name the one .*'a' makes 8"
    ):
        ix.compare(*given, ["f1", "recall"], "macro", **asked)
    assert len(ix.compare(*given, "f1", "macro", **asked).differences) == 10
    assert len(ix.compare(*given, ["f1", "recall"], "macro", baseline="b", **asked).differences) == 8
    with pytest.raises(
        ValueError, match=r"^5 classifiers make 4 pairs, and with 4 scores 16 tests, more than 12\. Name fewer measures"
    ):
        ix.compare(*given, ["f1", "recall"], ["micro", "macro"], baseline="b", **asked)
    assert len(ix.compare(made, ["f1", "recall"], ["micro", "macro"]).rows) == 4
