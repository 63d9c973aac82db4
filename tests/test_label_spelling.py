"""Labels that differ in case or in spaces are shown apart, and named; labels without a partner are doubted."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from click.testing import CliRunner

import indicatrix as ix
from indicatrix.cli.app import commands
from indicatrix.report.grid import label, labels, name_text
from indicatrix.report.page.page_data import label_text

TRUE, PRED = ["dog", "dog ", "cat", "cat", "dog"], ["dog", "dog", "cat", "cat", "dog "]
EV = ix.evaluate(TRUE, PRED, by={"site": ["x", "x ", "x", "x ", "x"]})
TWINS = "Classes differ only in upper and lower case or in spaces"
FOREIGN = "no predicted label occurs among the true labels: 'Cat'; they differ only in upper and lower case or in spaces"


@pytest.mark.parametrize("show", [name_text, label, label_text, lambda name: labels([name])[0]])
def test_a_space_at_an_end_is_seen(show: Any) -> None:
    names = ["dog", "dog ", " dog", " ", "", "dog\t", "a dog"]
    shown = [show(name) for name in names]
    assert len({*shown}) == len(names)
    assert shown[0] == "dog"
    assert shown[1] == "'dog '"
    assert shown[-1] == "a dog"
    assert all(text == text.strip() and text for text in shown)


SHOWN = {
    "report": lambda: EV.report(),
    "notebook": lambda: EV._repr_html_().replace("&#x27;", "'"),
    "values": lambda: repr(EV.values("recall")),
    "page": lambda: EV.to_html(),
    "findings": lambda: str(EV.findings()),
    "one-vs-all": lambda: str(
        ix.tasks.one_vs_all(["dog", "dog "], [[1.0, 0.0], [0.0, 1.0]], classes=["dog", "dog "]).table(["f1"])
    ),
}


@pytest.mark.parametrize("place", SHOWN)
def test_both_labels_are_shown_apart(place: str) -> None:
    text = SHOWN[place]()
    assert "'dog '" in text
    assert "dog" in text.replace("'dog '", "")


def test_errors_show_labels_apart() -> None:
    with pytest.raises(ValueError, match=r"^'dog  ' is not a class; the classes are 'cat', 'dog', 'dog '\."):
        EV.only(["dog  "])


def test_groups_are_shown_apart() -> None:
    for text in (str(EV.compare_groups("recall", "site", average="micro")), str(EV.folds("recall", "micro", axis="site"))):
        assert "'x '" in text


def test_plots_show_labels_apart() -> None:
    drawn = EV.plot.confusion()
    ticks = [tick.get_text() for tick in (*drawn.get_xticklabels(), *drawn.get_yticklabels())]
    assert ticks.count("dog") == ticks.count("'dog '") == 2


def test_labels_that_differ_in_case_or_space_are_a_finding() -> None:
    kinds = {finding.kind: finding for finding in EV.findings()}
    assert kinds["alike"].text == f"{TWINS}: 'dog' and 'dog '."
    assert kinds["alike"].numbers == {"classes": 2.0}
    assert TWINS in EV.report()
    several = ix.evaluate(["a", "A", "b", "B", "c c", "c  c", "d", "D"], ["a", "A", "b", "B", "c c", "c  c", "d", "D"])
    (found,) = [finding for finding in several.findings() if finding.kind == "alike"]
    assert found.text == f"{TWINS}: 'A' and 'a'; 'B' and 'b'; 'D' and 'd'; and 1 more."
    assert f"{TWINS.replace('Classes', 'Classes of 1')}: 'dog' and 'dog '." in str(ix.compare([EV, EV], "f1", "macro"))


@pytest.mark.parametrize(
    "ev",
    [
        ix.evaluate(["cat", "dog"], ["cat", "dog"]),
        ix.evaluate([1, 2], [2, 1]),
        ix.evaluate(TRUE, PRED, classes=["cat", "dog", "dog "]),  # who names them knows that they are two
    ],
)
def test_other_labels_are_no_finding(ev: ix.Evaluation) -> None:
    assert "alike" not in {finding.kind for finding in ev.findings()}


def test_the_command_line_names_labels_that_differ_in_case(tmp_path: Any) -> None:
    (tmp_path / "rows.csv").write_text("y,p\ncat,cat\nCat,cat\ndog,dog\n", "utf-8")
    said = CliRunner().invoke(commands, ["evaluate", str(tmp_path / "rows.csv"), "--true", "y", "--pred", "p"])
    assert "'Cat' and 'cat'" in said.output
    assert "name the classes with --classes" in " ".join(said.output.split())


@pytest.mark.parametrize("average", ["micro", "macro", "weighted", "exemplar"])
def test_a_score_of_0_without_a_common_label_says_so(average: str) -> None:
    score = ix.f1(["cat"], ["Cat"], average=average)
    assert score == 0
    assert score.note.startswith(f"{average} f1; ")
    assert FOREIGN in score.note
    assert FOREIGN in repr(score)
    assert pickle.loads(pickle.dumps(score)).note == score.note
    assert ix.evaluate(["cat"], ["Cat"]).score("f1", average).doubt == FOREIGN


def test_without_an_average_the_error_says_so() -> None:
    with pytest.raises(
        ValueError, match=r"^Name an average.*No predicted label occurs among the true labels: 'Cat'; they differ"
    ):
        ix.f1(["cat"], ["Cat"])
    with pytest.raises(ValueError, match=r"^Name an average for f1.*each class\.$"):
        ix.f1(["cat", "dog"], ["cat", "cat"])


@pytest.mark.parametrize(
    ("true", "pred", "options"),
    [
        ([0, 1], [1, 0], {}),  # every label is known, and every prediction is wrong
        (["a", "b"], ["b", "a"], {"average": "macro"}),
        (["a", "b"], ["c", "c"], {"average": "macro", "classes": ["a", "b", "c"]}),  # who names the classes knows them
        ([1, 1], [0, 0], {}),
        ([{"a"}], [{"b"}], {"average": "macro"}),
    ],
)
def test_a_score_of_0_of_known_labels_is_just_0(true: Any, pred: Any, options: Any) -> None:
    score = ix.f1(true, pred, **options)
    assert score == 0
    assert not score.doubt


def test_other_values_have_no_doubt() -> None:
    assert not ix.f1(["a", "b"], ["a", "c"], average="macro").doubt
    assert ix.evaluate(["cat"], ["Cat"]).findings()[0].kind == "labels"
    assert "alike" not in {finding.kind for finding in ix.evaluate(["cat"], ["Cat"]).findings()}  # it is said once
