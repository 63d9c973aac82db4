"""``indicatrix threshold``: every number is that of tune, sweep and evaluate."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from commands import printed, refused
from pyarrow import parquet

import indicatrix as ix

RNG = np.random.default_rng(8)
N = 200
Y = (RNG.random(N) < 0.4).astype(int)
P = np.clip(RNG.normal(0.35 + 0.3 * Y, 0.2), 0, 1).round(3)
W = RNG.integers(1, 4, N)
CLASSES = ("ant", "bee", "cat")
K = RNG.choice(CLASSES, N)
S = np.stack([np.clip(RNG.normal(0.3 + 0.4 * (c == K), 0.2), 0, 1) for c in CLASSES], axis=1).round(3)
ONE = ("threshold", "rows.csv", "--true", "y", "--score", "p")
SEVERAL = ("threshold", "rows.csv", "--true", "k", "--score", "s_*", "--one-vs-all")


def write(path: Path, some: slice) -> None:
    rows = zip(Y[some], P[some], W[some], K[some], *S[some].T, strict=True)
    path.write_text("y,p,w,k,s_ant,s_bee,s_cat\n" + "".join(",".join(map(str, row)) + "\n" for row in rows), encoding="utf-8")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "rows.csv", slice(None))
    write(tmp_path / "test.csv", slice(0, 90))
    return tmp_path


def data(*args: str, cwd: Path) -> dict:
    return json.loads(printed(*args, "--json", cwd=cwd))


@pytest.mark.parametrize("measure", ["f1", "accuracy", "error_rate", "tp/(tp+fp+2*fn)"])
@pytest.mark.parametrize("method", ["auto", "sweep"])
def test_one_column_has_the_threshold_of_tune(folder: Path, measure: str, method: str) -> None:
    best = ix.tune(Y, P, measure, method=method, sample_weight=W)
    shown = data(*ONE, "-m", measure, "--method", method, "--weight", "w", cwd=folder)
    (chosen,) = shown["thresholds"]
    assert (chosen["threshold"], shown["value"], shown["method"]) == (best.rule, best.value, best.method)
    assert chosen["plateaus"] == [[*ends] for ends in best.choices[0].plateaus]
    assert (chosen["closed_form"], chosen["lost"]) == (best.closed_form, best.lost)
    assert f" {best.rule:.6g} " in printed(*ONE, "-m", measure, "--method", method, "--weight", "w", cwd=folder)


def test_columns_of_numbers_are_read_as_those_of_texts(folder: Path) -> None:
    parquet.write_table(pa.table({"y": Y.astype(float), "p": P}), folder / "rows.parquet")
    shown = data("threshold", "rows.parquet", "--true", "y", "--score", "p", "-m", "f1", cwd=folder)
    assert (shown["thresholds"], shown["value"]) == tuple(
        data(*ONE, "-m", "f1", cwd=folder)[key] for key in ("thresholds", "value")
    )


def test_a_formula_has_its_own_direction_or_the_one_that_is_named(folder: Path) -> None:
    cost = ix.tune(Y, P, "5*fn + fp", method="sweep")
    (chosen,) = data(*ONE, "-m", "5*fn + fp", "--method", "sweep", cwd=folder)["thresholds"]
    assert (chosen["threshold"], chosen["value"]) == (cost.rule, cost.value)
    assert "correcting errors raises it" in refused(*ONE, "-m", "abs(tp - fp)/n", cwd=folder)
    best = ix.tune(Y, P, "abs(tp - fp)/n", better="lower")
    (chosen,) = data(*ONE, "-m", "abs(tp - fp)/n", "--better", "lower", cwd=folder)["thresholds"]
    assert (chosen["threshold"], chosen["value"]) == (best.rule, best.value)


def test_a_constraint_is_that_of_tune(folder: Path) -> None:
    best = ix.tune(Y, P, "recall", subject_to="precision >= 0.8 and fpr <= 0.2")
    (chosen,) = data(*ONE, "-m", "recall", "--subject-to", "precision >= 0.8", "--subject-to", "fpr <= 0.2", cwd=folder)[
        "thresholds"
    ]
    assert (chosen["threshold"], chosen["value"], chosen["reached"]) == (best.rule, best.value, best.reached)
    text = printed(*ONE, "-m", "recall", "--subject-to", "precision >= 0.8", cwd=folder)
    assert "that meet precision >= 0.8. A score of at least" in text
    assert "precision >= 0.8  best above" in text.splitlines()[0]
    assert "No threshold meets fpr < 0" in refused(*ONE, "-m", "recall", "--subject-to", "fpr < 0", cwd=folder)


@pytest.mark.parametrize("average", ["micro", "macro", "exemplar"])
def test_several_columns_have_one_threshold_or_one_each(folder: Path, average: str) -> None:
    best = ix.tune(K, S, "f1", average, one_vs_all=True, classes=CLASSES)
    shown = data(*SEVERAL, "-m", "f1", "-a", average, cwd=folder)
    assert [choice["threshold"] for choice in shown["thresholds"]] == [choice.threshold for choice in best.choices]
    assert shown["value"] == best.value


def test_other_measures_intervals_and_other_rows_follow_the_rule(folder: Path) -> None:
    best = ix.tune(Y, P, "f1")
    args = (*ONE, "-m", "f1", "-m", "mcc", "--interval", "0.9", "--test", "test.csv")
    here, there = data(*args, cwd=folder)["evaluations"]
    for shown, rows in ((here, slice(None)), (there, slice(0, 90))):
        ev = ix.evaluate(Y[rows], P[rows], decide=best.rule)
        for found, measure in zip(shown["scores"], ("f1", "mcc"), strict=True):
            own = ev.interval(measure, level=0.9)
            assert (found["value"], found["interval"]["low"], found["interval"]["high"]) == (own.value, own.low, own.high)
    assert "optimistic" not in printed(*args, cwd=folder)
    assert "optimistic" in printed(*ONE, "-m", "f1", cwd=folder)


@pytest.mark.parametrize(
    ("args", "swept"), [(ONE, ix.sweep(Y, P).of()), ((*SEVERAL, "-a", "micro"), ix.sweep(K, S, classes=CLASSES).micro)]
)
def test_a_curve_has_the_values_of_the_sweep(folder: Path, args: tuple[str, ...], swept: object) -> None:
    rows = [*csv.DictReader(io.StringIO(printed(*args, "-m", "f1", "-m", "mcc", "--curve", "7", "--csv", cwd=folder)))]
    assert len(rows) == 7
    assert rows[0]["threshold"] == "inf"
    assert float(rows[-1]["threshold"]) == min(swept.scores)  # type: ignore[attr-defined]
    for row in rows:
        counts = ix.Counts(*(int(row[cell]) for cell in ("tp", "fp", "fn", "tn")))
        assert float(row["f1"]) == pytest.approx(float(ix.f1(counts)), nan_ok=True)
        assert float(row["mcc"]) == pytest.approx(float(ix.mcc(counts)), nan_ok=True)


@pytest.mark.parametrize("form", ["--markdown", "--latex", "--csv"])
def test_every_form_has_the_threshold(folder: Path, form: str) -> None:
    assert f"{ix.tune(Y, P, 'f1').rule:.6g}" in printed(*ONE, "-m", "f1", form, cwd=folder)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("rows.csv", "--true", "y", "-m", "f1"), "Which scores? Name their columns with --score."),
        (("rows.csv", "test.csv", "--true", "y", "--score", "p", "-m", "f1"), "A threshold is chosen on one file."),
        (("ev.json", "-m", "f1", "--score", "p"), "saved evaluations contain only counts"),
        ((*SEVERAL[1:-1], "-m", "f1", "-a", "macro"), "--one-vs-all if each column is a classifier of its own"),
        ((*SEVERAL[1:], "-m", "f1"), "Name an average: 'micro' or 'exemplar' for one threshold"),
        ((*SEVERAL[1:], "-m", "f1", "-a", "macro", "--curve"), "--curve shows one threshold"),
        ((*ONE[1:], "-m", "multiclass_mcc"), "reads the whole confusion matrix"),
        (
            (*ONE[1:], "-m", "coverage"),
            "Neither higher nor lower values of coverage are better. Say which is meant: --better higher or --better lower.",
        ),
        ((*ONE[1:], "-m", "f1", "--method", "closed-form"), "f1 has no closed form here"),
        ((*ONE[1:], "-m", "f1", "-a", "macro"), "says nothing about one score per example"),
        ((*ONE[1:], "-m", "auc"), "auc reads the counts at all thresholds of a score, not the counts of a threshold"),
    ],
)
def test_what_is_unclear_is_refused(folder: Path, args: tuple[str, ...], message: str) -> None:
    assert message in refused("threshold", *args, cwd=folder)
