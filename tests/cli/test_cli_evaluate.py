"""`indicatrix evaluate`, end to end: every option, every error, and the same numbers as the library."""

from __future__ import annotations

import contextlib
import csv
import gzip
import json
import math
import os
import signal
import subprocess
import sys
from typing import Any

import pytest
from commands import environment, here
from loops import for_each

import indicatrix as ix
from indicatrix.algebra.average import averages_over
from indicatrix.encode.decisions import ROW_RULES

AVERAGES = averages_over("class", "example")  # those that the report shows
HEADER = ("id", "true", "pred", "site", "w", "p_ant", "p_cat", "p_dog")
ROWS = [
    (1, "cat", "cat", "x", 1, 0.1, 0.8, 0.1),
    (2, "dog", "dog", "x", 1, 0.1, 0.1, 0.8),
    (3, "dog", "cat", "y", 2, 0.2, 0.6, 0.2),
    (4, "ant", "ant", "y", 1, 0.9, 0.05, 0.05),
    (5, "cat", "dog", "x", 1, 0.2, 0.3, 0.5),
    (6, "dog", "dog", "y", 0.5, 0.1, 0.2, 0.7),
]
TRUE, PRED, SITE, WEIGHT = ([row[i] for row in ROWS] for i in (1, 2, 3, 4))
SCORES = [row[5:] for row in ROWS]
LABELS = ("--true", "true", "--pred", "pred")
BITS = [(1, 0, 1, 0, 0.9, 0.2), (0, 1, 1, 1, 0.6, 0.7), (0, 0, 0, 0, 0.1, 0.3)]


def call(folder, *arguments, stdin=""):
    return here("evaluate", *arguments, cwd=folder, stdin=stdin)


def process(folder, *arguments, stdin=None):
    command = [sys.executable, "-m", "indicatrix", "evaluate", *arguments]
    return subprocess.run(command, cwd=folder, input=stdin, capture_output=True, encoding="utf-8", env=environment(), check=False)


def printed(folder, *arguments, **options):
    done = call(folder, *arguments, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.removesuffix("\n")


def as_json(folder, *arguments, **options):
    return json.loads(printed(folder, *arguments, "--json", **options))["evaluations"]


def values(content):
    return {(s["measure"], s["average"]): s["value"] for s in content["scores"]}


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    made = tmp_path_factory.mktemp("files")
    better = [(*row[:2], "dog" if row[0] == 3 else row[2], *row[3:]) for row in ROWS]
    for name, header, rows in (
        ("a.csv", HEADER, ROWS),
        ("b.csv", HEADER, better),
        ("bits.csv", ("y_sea", "y_sun", "z_sea", "z_sun", "p_sea", "p_sun"), BITS),
        ("binary.csv", ("true", "pred", "p"), [(0, 1, 0.6), (1, 1, 0.9), (1, 0, 0.4), (0, 0, 0.5)]),
        ("missing.csv", ("true", "pred"), [("a", "a"), ("", "b"), ("b", "a")]),
        ("silent.csv", ("true", "pred"), [("a", "a"), ("b", ""), ("b", "a")]),
        ("holes.csv", ("y_a", "z_a", "w", "site"), [(1, 1, 1, "x"), ("", 0, "", ""), (0, "maybe", -1, "x")]),
    ):
        with (made / name).open("w", encoding="utf-8", newline="") as file:
            csv.writer(file).writerows([header, *rows])
    (made / "empty.csv").write_text("", "utf-8")
    (made / "strange.csv").write_text("site,color\nx,red\n", "utf-8")
    (made / "header.csv").write_text("true,pred\n", "utf-8")
    (made / "ragged.csv").write_text("true,pred\na,b\na\n", "utf-8")
    (made / "latin.csv").write_bytes("true,pred\na,b\na,café\n".encode("latin-1"))
    (made / "nul.csv").write_bytes(b"true,pred\na,b\na,\0b\n")
    (made / "twice.csv").write_text("true,pred,true\na,b,c\n", "utf-8")
    (made / "unclear.csv").write_text("true;a,pred;b\n1;2,1;2\n", "utf-8")
    (made / "quote.csv").write_text('true,pred\na,"b\nc,d\n', "utf-8")
    (made / "other.json").write_text("{}", "utf-8")
    ix.evaluate(TRUE, PRED).save(made / "saved.json")
    return made


def test_the_report_is_the_librarys(folder):
    expected = str(ix.evaluate(TRUE, PRED))
    assert printed(folder, "a.csv", *LABELS) == expected
    assert printed(folder, "-", *LABELS, stdin=(folder / "a.csv").read_text("utf-8")) == expected
    assert printed(folder, "saved.json") == expected


@pytest.mark.slow
def test_a_process_prints_what_the_command_prints_here(folder):
    for arguments in (("a.csv", "b.csv"), ("a.csv", "--by", "site"), ("-", "--json"), ("a.csv", "--fail-under", "macro f1=0.8")):
        stdin = (folder / "a.csv").read_text("utf-8")
        one, other = (run(folder, *arguments, *LABELS, stdin=stdin) for run in (process, call))
        assert (one.returncode, one.stdout, one.stderr) == (other.returncode, other.stdout, other.stderr)


def test_measures_and_averages_give_the_librarys_table(folder):
    measures, averages = ["f1", "f_beta(beta=2)", "tp / (tp + fp)"], ["macro", "exemplar"]
    options = [x for m in measures for x in ("--measure", m)] + [x for a in averages for x in ("--average", a)]
    expected = ix.evaluate(TRUE, PRED).table(measures, averages)
    assert printed(folder, "a.csv", *LABELS, *options) == str(expected)
    (content,) = as_json(folder, "a.csv", *LABELS, *options)
    assert values(content) == {(str(m), a): float(expected[m, a]) for m in expected.measures for a in averages}
    markdown = printed(folder, "a.csv", *LABELS, "-m", "f1", "-a", "macro", "--markdown")
    assert markdown.splitlines() == ["|  | macro |", "| --- | ---: |", "| f1 | 0.722 |"]


def test_measures_with_one_version_are_shown_under_it(folder):
    (content,) = as_json(folder, "a.csv", *LABELS, "-m", "multiclass_mcc", "-m", "exact_match", "-m", "f1", "-a", "macro")
    ev = ix.evaluate(TRUE, PRED)
    assert values(content) == {
        ("multiclass_mcc", None): ev.score("multiclass_mcc"),
        ("exact_match", "exemplar"): ev.score("exact_match"),
        ("f1", "macro"): ev.score("f1", "macro"),
    }


def test_classes_positive_weights_and_groups_are_the_librarys(folder):
    options = ("--classes", "dog,cat,ant", "--positive", "cat", "--weight", "w", "--by", "site", "-m", "recall")
    (content,) = as_json(folder, "a.csv", *LABELS, *options, "-a", "binary", "-a", "weighted", "-a", "site")
    ev = ix.evaluate(TRUE, PRED, classes=["dog", "cat", "ant"], positive="cat", sample_weight=WEIGHT, by={"site": SITE})
    assert content["classes"] == ["dog", "cat", "ant"]
    assert content["positive"] == "cat"
    assert values(content) == {("recall", a): float(ev.score("recall", a)) for a in ("binary", "weighted", "site")}
    parts = ev.split("site")
    for group in content["groups"]["site"]:
        part = parts[group["group"]]
        assert group["examples"] == part.n
        expected = {("recall", a): part.score("recall", a) for a in ("binary", "weighted")}
        assert values(group) == {key: None if math.isnan(score) else float(score) for key, score in expected.items()}


def test_the_report_has_a_table_of_groups(folder):
    report = printed(folder, "a.csv", *LABELS, "--by", "site")
    assert report.rstrip("\n") == str(ix.evaluate(TRUE, PRED, by={"site": SITE}))
    header, x, y, remark = report.rpartition("\n\nsite ")[2].split("\n\n")[0].splitlines()
    assert header.split()[:3] == ["examples", "macro", "precision"]
    assert (x.split()[:2], y.split()[:2]) == (["x", "3"], ["y", "3"])
    assert remark == "Undefined values are excluded (as 0: counted as 0): in site 'x', 'y'."
    chosen = printed(folder, "a.csv", *LABELS, "--by", "site", "-m", "recall", "-a", "macro")
    assert "Undefined values are excluded (as 0: counted as 0): in site 'x', 'y'." in chosen.splitlines()


@pytest.mark.parametrize("undefined", ["exclude", "0", "1", "nan"])
def test_conventions_are_the_librarys(folder, undefined):
    (content,) = as_json(folder, "a.csv", *LABELS, "--by", "site", "-m", "recall", "-a", "macro", "--undefined", undefined)
    meant = int(undefined) if undefined.isdigit() else undefined
    part = ix.evaluate(TRUE, PRED, by={"site": SITE}).split("site")["x"].score("recall", "macro", undefined=meant)
    (found,) = content["groups"]["site"][0]["scores"]
    assert found["value"] == (None if math.isnan(part) else float(part))
    assert (found["undefined_units"], found["undefined_in_words"]) == (["ant"], "class 'ant'")


@pytest.mark.parametrize("undefined", ["0", "nan"])
def test_the_report_has_the_convention_asked_for(folder, undefined):
    """Of one site the class ant has no examples, so that its scores are undefined."""
    ev = ix.evaluate(TRUE[:3], PRED[:3], classes=["ant", "cat", "dog"])
    ev.save(folder / "three.json")
    meant = int(undefined) if undefined.isdigit() else undefined
    report = printed(folder, "three.json", "--undefined", undefined)
    assert report == ev.report(undefined=meant) != str(ev)
    assert ("counted as 0:" if meant == 0 else "kept as nan:") in report
    macro = next(line for line in report.splitlines() if line.startswith("macro "))
    assert macro.split()[2] == ("–" if meant == "nan" else f"{ev.score('recall', 'macro', undefined=meant):.3f}")
    assert "Worth knowing" not in report  # findings speak of averages that leave undefined values out
    done = call(folder, "three.json", "--undefined", "raise")
    assert (done.returncode, done.stdout) == (2, "")
    assert "undefined for 'ant'" in done.stderr


def test_integers_are_a_binary_problem(folder):
    ev = ix.evaluate([0, 1, 1, 0], [1, 1, 0, 0])
    assert printed(folder, "binary.csv", *LABELS) == str(ev)
    (content,) = as_json(folder, "binary.csv", *LABELS, "-m", "f1", "-a", "binary")
    assert (content["classes"], content["positive"]) == ([0, 1], 1)
    assert values(content) == {("f1", "binary"): ev.score("f1")}


NUMBERS = {"top_k": 2, "hit_in_top": 2}  # of rules that count classes; the others have a threshold
RULES: dict[str, Any] = {"argmax": "argmax", "0.5": 0.5, "top2": ix.top_k(2)}
RULES |= {repr(rule): rule for rule in (make(NUMBERS.get(name, 0.6)) for name, make in ROW_RULES.items())}


@pytest.mark.parametrize("rule", RULES)
def test_scores_are_decided_on_as_the_library_does(folder, rule):
    meant = RULES[rule]
    (content,) = as_json(folder, "a.csv", "--true", "true", "--score", "p_*", "--decide", rule)
    classes = ["ant", "cat", "dog"]
    ev = ix.evaluate(TRUE, SCORES, classes=classes, decide=meant)
    assert values(content) == {(m, a): float(ev.score(m, a)) for m, a in values(content)}
    assert len(values(content)) == 6 * len(AVERAGES)
    assert content["from_scores"] == {
        "macro auc": ix.auc(TRUE, SCORES, classes=classes, average="macro"),
        "macro average_precision": ix.average_precision(TRUE, SCORES, classes=classes, average="macro"),
        "log_loss": ix.log_loss(TRUE, SCORES, classes=classes),
        "brier": ix.brier(TRUE, SCORES, classes=classes),
    }


def test_measures_of_every_kind_go_one_way(folder):
    given = ("a.csv", "--true", "true", "--score", "p_*", "--decide", "argmax", "-m", "auc", "-m", "f1", "-m", "brier")
    ev = ix.evaluate(TRUE, SCORES, classes=["ant", "cat", "dog"], decide="argmax", by={"site": SITE})
    (content,) = as_json(folder, *given, "-a", "macro", "--by", "site", "--interval")
    assert values(content) == {(m, "macro"): float(ev.score(m, "macro")) for m in ("auc", "f1", "brier")}
    for part in content["groups"]["site"]:
        own = ev.split("site")[part["group"]]
        shown = {s["measure"]: s["value"] for s in part["scores"]}
        assert shown == pytest.approx({m: float(own.score(m, "macro")) for m in shown}, nan_ok=True)
    table = printed(folder, *given, "-a", "macro")
    assert [line.split()[0] for line in table.splitlines()[1:]] == ["auc", "f1", "brier"]
    call(folder, *given, "--html", "every.html")
    assert "brier" in (folder / "every.html").read_text("utf-8")
    checks = ("--fail-under", "macro auc=0.999", "--fail-under", "brier=0.001")
    done = call(folder, *given, *checks)
    assert [line.split(" of ")[0] for line in done.stderr.splitlines()] == ["Check failed: macro auc", "Check failed: brier"]


def test_measures_of_scores_need_no_decisions(folder):
    ev = ix.evaluate(TRUE, SCORES, classes=["ant", "cat", "dog"], decide="argmax", by={"site": SITE})
    given = ("a.csv", "--true", "true", "--score", "p_*", "-m", "auc", "-m", "brier", "--by", "site")
    (content,) = as_json(folder, *given)
    assert content["recipe"] == {}
    assert values(content) == {(m, a): float(ev.score(m, a)) for m, a in values(content)}
    assert {("auc", "macro"), ("brier", "micro")} <= {*values(content)}
    one = ("binary.csv", "--true", "true", "--score", "p")
    (content,) = as_json(folder, *one, "-m", "auc", "-m", "brier")
    assert {*values(content)} == {("auc", "binary"), *(("brier", a) for a in ("binary", "micro", "exemplar"))}
    printed(folder, *one, "-m", "auc", "--fail-under", "auc=0.1")
    for wrong, words in {
        ("-m", "f1"): "f1 reads decisions. How do the scores become decisions? Add --decide argmax",
        ("-m", "auc", "-m", "f1"): "f1 reads decisions",
        ("-m", "auc", "--fail-under", "f1=0.1"): "f1 reads decisions",
        ("-m", "auc", "--save", "x.json"): "--save writes counts of decisions",
        ("-m", "auc", "--html", "x.html"): "--html writes counts of decisions",
        (): "or name measures that read the scores: -m auc",
    }.items():
        done = call(folder, *one, *wrong)
        assert (done.returncode, words in done.stderr) == (2, True), done.stderr


def test_one_column_of_scores_speaks_for_the_positive_class(folder):
    y, p = [0, 1, 1, 0], [0.6, 0.9, 0.4, 0.5]
    report = printed(folder, "binary.csv", "--true", "true", "--score", "p", "--decide", "0.5")
    assert report.startswith(str(ix.evaluate(y, p, decide=0.5)))
    assert "auc                0.500" in report
    checks = ("--fail-under", f"auc={ix.auc(y, p)}", "--fail-under", f"log_loss={ix.log_loss(y, p)}")
    printed(folder, "binary.csv", "--true", "true", "--score", "p", "--decide", "0.5", *checks)


def test_columns_of_scores_can_be_named_one_by_one_and_their_classes_too(folder):
    named = ("--score", "p_dog,p_ant,p_cat", "--classes", "dog,ant,cat")
    (content,) = as_json(folder, "a.csv", "--true", "true", *named, "--decide", "argmax", "--by", "site", "--weight", "w")
    table = [(dog, ant, cat) for ant, cat, dog in SCORES]
    options = {"classes": ["dog", "ant", "cat"], "by": {"site": SITE}, "sample_weight": WEIGHT}
    ev = ix.evaluate(TRUE, table, decide="argmax", **options)
    assert values(content) == {(m, a): float(ev.score(m, a)) for m, a in values(content)}


def test_scores_that_are_no_probabilities_have_no_losses(folder, tmp_path):
    (tmp_path / "logits.csv").write_text("true,s.a,s.b\na,2.5,-1\nb,0,0.5\n", "utf-8")
    (content,) = as_json(tmp_path, "logits.csv", "--true", "true", "--score", "s.*", "--decide", "argmax")
    assert list(content["from_scores"]) == ["macro auc", "macro average_precision"]
    assert "data row 1 has 2.5: a probability lies in [0, 1]" in content["left_out"]
    report = printed(tmp_path, "logits.csv", "--true", "true", "--score", "s.*", "--decide", "argmax")
    assert report.endswith(content["left_out"])
    (tmp_path / "late.csv").write_text("true,s.a,s.b\na,0.5,0.5\nb,0,1\na,1,0\nb,0,1.5\na,-1,2\n", "utf-8")
    (content,) = as_json(tmp_path, "late.csv", "--true", "true", "--score", "s.*", "--decide", "argmax")
    assert "data row 4 has 1.5: a probability lies in [0, 1]" in content["left_out"]


def test_several_labels_are_matched_by_the_rest_of_their_columns(folder):
    true, pred, scores = ([row[i : i + 2] for row in BITS] for i in (0, 2, 4))
    ev = ix.evaluate(true, pred, classes=["sea", "sun"])
    assert printed(folder, "bits.csv", "--multilabel", "y_", "--pred", "z_") == str(ev)
    (content,) = as_json(folder, "bits.csv", "--multilabel", "y_", "--score", "p_", "--decide", "0.5", "-m", "f1")
    decided = ix.evaluate(true, scores, classes=["sea", "sun"], decide=0.5)
    assert values(content) == {(m, a): float(decided.score(m, a)) for m, a in values(content)}
    assert content["from_scores"]["brier"] == ix.brier(true, scores)


def test_missing_labels_are_masked_or_abstentions_as_asked(folder):
    masked = ix.evaluate(["a", None, "b"], ["a", "b", "a"], missing="mask")
    assert printed(folder, "missing.csv", *LABELS, "--missing", "mask") == str(masked)
    table = printed(folder, "missing.csv", *LABELS, "--missing", "mask", "-m", "f1", "-a", "micro")
    assert table.endswith("Nothing was observed of 1 of 3 examples of missing.csv.")
    declined = ix.evaluate(["a", "b", "b"], ["a", None, "a"], missing="abstain")
    assert printed(folder, "silent.csv", *LABELS, "--missing", "abstain") == str(declined)
    both = printed(folder, "silent.csv", *LABELS, "--missing", "mask,abstain")
    assert both == str(ix.evaluate(["a", "b", "b"], ["a", None, "a"], missing=("mask", "abstain")))


def test_text_may_be_packed_in_another_encoding_and_separated_otherwise(folder, tmp_path):
    text = "true;pred\né;é\nb;é\n"
    (tmp_path / "rows.csv.gz").write_bytes(gzip.compress(text.encode("cp1252")))
    expected = str(ix.evaluate(["é", "b"], ["é", "é"]))
    assert printed(tmp_path, "rows.csv.gz", *LABELS, "--encoding", "cp1252", "--delimiter", ";") == expected
    assert printed(tmp_path, "-", *LABELS, "--delimiter", "tab", stdin="\ufeff" + text.replace(";", "\t")) == expected


def test_parquet_is_read_where_pyarrow_is_there(folder, tmp_path):
    pa, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    parquet.write_table(pa.table({"true": [0, 1, 1], "pred": [0, 1, 0]}), tmp_path / "rows.parquet")
    assert printed(tmp_path, "rows.parquet", *LABELS, "--positive", "0") == str(ix.evaluate([0, 1, 1], [0, 1, 0], positive=0))


def test_files_are_compared_side_by_side_and_nothing_is_marked(folder):
    text = printed(folder, "a.csv", "b.csv", *LABELS, "-m", "f1", "-m", "error_rate", "-m", "prevalence", "-a", "macro")
    a, b = ix.evaluate(TRUE, PRED), ix.load(folder / "saved.json")
    assert a == b
    assert [line.split() for line in text.splitlines()] == [
        ["a.csv", "b.csv"],
        ["macro", "f1", "0.722", "0.841"],
        ["macro", "error_rate", "0.222", "0.111"],
        ["macro", "prevalence", "0.333", "0.333"],
        [],
        ["No", "star:", "the", "differences", "were", "not", "tested.", "indicatrix", "compare", "tests", "them."],
    ]
    markdown = printed(folder, "saved.json", "b.csv", *LABELS, "-m", "f1", "-a", "macro", "--markdown")
    assert markdown.splitlines()[2] == "| macro f1 | 0.722 | 0.841 |"
    lines = printed(folder, "a.csv", "saved.json", *LABELS).splitlines()
    assert [line.split("  ")[0] for line in lines[1:-2]] == ["accuracy", "macro f1", "multiclass_mcc"]


def test_groups_are_compared_side_by_side(folder):
    text = printed(folder, "a.csv", "b.csv", *LABELS, "-m", "recall", "-a", "micro", "--by", "site")
    assert [line.split() for line in text.splitlines()[4:6]] == [
        ["site", "x:", "micro", "recall", "0.667", "0.667"],
        ["site", "y:", "micro", "recall", "0.667", "1.000"],
    ]


def test_compared_files_share_their_classes_and_doubts_are_said(folder, tmp_path):
    (tmp_path / "few.csv").write_text("true,pred\na,a\nb,b\n", "utf-8")
    (tmp_path / "more.csv").write_text("true,pred\na,a\nb,c\n", "utf-8")
    (tmp_path / "long.csv").write_text("true,pred\na,a\nb,b\nb,b\n", "utf-8")
    (tmp_path / "unlike.csv").write_text("true,pred\na,a\na,a\n", "utf-8")
    (tmp_path / "numbers.csv").write_text("true,pred\n0,1\n1,1\n", "utf-8")
    few, more = as_json(tmp_path, "few.csv", "more.csv", *LABELS, "-m", "specificity", "-a", "macro", "--undefined", "0")
    assert few["classes"] == more["classes"] == ["a", "b", "c"]
    ev = ix.evaluate(["a", "b"], ["a", "b"], classes=["a", "b", "c"])
    assert values(few) == {("specificity", "macro"): ev.score("specificity", "macro")}
    text = printed(tmp_path, "few.csv", "more.csv", *LABELS, "-m", "recall", "-a", "macro")
    assert text.endswith("Undefined values are excluded (as 0: counted as 0): in macro recall.")
    assert "different numbers of examples: 2, 3" in printed(tmp_path, "few.csv", "long.csv", *LABELS)
    assert "not about the same examples" in printed(tmp_path, "few.csv", "unlike.csv", *LABELS)
    done = call(tmp_path, "few.csv", "numbers.csv", *LABELS)
    assert (done.returncode, done.stdout) == (2, "")
    assert "labels of different types" in done.stderr


def test_an_evaluation_is_saved_and_read_back(folder, tmp_path):
    out = tmp_path / "ev.json"
    printed(folder, "a.csv", *LABELS, "--by", "site", "--save", str(out))
    assert ix.load(out) == ix.evaluate(TRUE, PRED, by={"site": SITE})
    assert [p.name for p in tmp_path.iterdir()] == ["ev.json"]
    assert printed(folder, str(out), "--by", "site") == printed(folder, "a.csv", *LABELS, "--by", "site")


def test_the_report_page_is_written_next_to_the_text(folder, tmp_path):
    out = tmp_path / "page.html"
    chosen = ("-m", "f1", "-a", "macro", "--undefined", "0", "--interval", "0.9")
    done = call(folder, "a.csv", *LABELS, *chosen, "--html", str(out))
    assert (done.returncode, done.stderr) == (0, f"The report page is in {out}.\n")
    assert done.stdout == printed(folder, "a.csv", *LABELS, *chosen) + "\n"
    options = {"measures": ["f1"], "averages": ["macro"], "undefined": 0, "level": 0.9, "title": "a.csv"}
    assert out.read_text("utf-8") == ix.evaluate(TRUE, PRED).to_html(**options)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("macro f1=0.8", "macro f1 of a.csv is 0.722222, under 0.8."),
        ("f1 macro=0.8", "macro f1 of a.csv is 0.722222, under 0.8."),
        ("micro error_rate=0.1", "micro error_rate of a.csv is 0.222222, above 0.1."),
        ("macro tp/max(0, tp - 100)=0.1", "is undefined."),
    ],
)
def test_a_failed_check_is_one_line_and_exit_code_1(folder, check, said):
    done = call(folder, "a.csv", *LABELS, "-m", "f1", "-a", "macro", "--fail-under", check, "--fail-under", "micro recall=0.1")
    assert done.returncode == 1
    assert "0.722" in done.stdout
    assert done.stderr.startswith("Check failed: ")
    assert done.stderr.endswith(f"{said}\n")
    assert done.stderr.count("\n") == 1


@pytest.mark.slow
@pytest.mark.parametrize(("limit", "code"), [("0.8", 1), ("0.7", 0)])
def test_a_check_is_made_also_if_nobody_reads_the_scores(folder, limit, code):
    """The reader closes the pipe before anything is written, so every write meets a broken pipe."""
    read, write = os.pipe()
    os.close(read)
    command = [sys.executable, "-m", "indicatrix", "evaluate", "a.csv", *LABELS, "--fail-under", f"macro f1={limit}"]
    done = subprocess.run(command, cwd=folder, stdout=write, stderr=subprocess.PIPE, encoding="utf-8", check=False)
    os.close(write)
    assert done.returncode == code
    assert done.stderr == (f"Check failed: macro f1 of a.csv is 0.722222, under {limit}.\n" if code else "")


def test_every_check_of_every_file_is_made(folder):
    done = call(
        folder, "a.csv", "b.csv", *LABELS, "--fail-under", "macro f1=0.8", "--fail-under", "binary mcc=1", "--positive", "cat"
    )
    assert done.returncode == 1
    assert [line.split(" is ")[0] for line in done.stderr.splitlines()] == [
        "Check failed: macro f1 of a.csv",
        "Check failed: binary mcc of a.csv",
        "Check failed: binary mcc of b.csv",
    ]
    printed(folder, "a.csv", *LABELS, "--positive", "ant", "--fail-under", "f1=1", "--fail-under", "macro error_rate=0.5")


SCORE = ("--true", "true", "--score")
WRONG = {
    "no such file": (("nope.csv", *LABELS), "There is no file nope.csv"),
    "no saved file": (("nope.json",), "There is no file nope.json"),
    "empty": (("empty.csv", *LABELS), "empty.csv is empty. Give a file whose first line names the columns"),
    "header only": (("header.csv", *LABELS), "has columns but no rows"),
    "wrong column": (
        ("a.csv", "--true", "tru", "--pred", "pred"),
        "no column 'tru'. Did you mean 'true'? Its columns are 'id', 'true'",
    ),
    "wrong groups": (("a.csv", *LABELS, "--by", "sight"), "--by: a.csv has no column 'sight'. Did you mean 'site'?"),
    "ragged": (
        ("ragged.csv", *LABELS),
        "ragged.csv, data row 2: the number of cells is 1, but the header has 2.",
    ),
    "encoding": (("latin.csv", *LABELS), "byte 19 is 0xe9. Name its encoding, for example --encoding cp1252"),
    "unknown encoding": (("a.csv", *LABELS, "--encoding", "klingon"), "--encoding 'klingon' is unknown"),
    "nul": (("nul.csv", *LABELS), "nul.csv, line 3 holds a NUL byte"),
    "two columns": (("twice.csv", *LABELS), "two columns 'true', the 1st and the 3rd"),
    "delimiter": (("unclear.csv", *LABELS), "could be separated by ',' or ';'. Choose one, for example --delimiter ','"),
    "long delimiter": (("a.csv", *LABELS, "--delimiter", "::"), "is not one character"),
    "quote": (("quote.csv", *LABELS), "Check that every quotation mark is closed"),
    "measure": (("a.csv", *LABELS, "-m", "precison"), "There is no measure 'precison'. Did you mean precision"),
    "formula": (("a.csv", *LABELS, "-m", "tp/(tp+"), "tp/(tp+"),
    "average": (("a.csv", *LABELS, "-a", "makro"), "--average 'makro' is unknown. Did you mean macro?"),
    "average of one": (
        ("a.csv", *LABELS, "-m", "multiclass_mcc", "-a", "macro"),
        "only in one version. Leave --average out",
    ),
    "no positive": (("a.csv", *LABELS, "-a", "binary"), "--average binary needs a positive class"),
    "strange positive": (
        ("a.csv", *LABELS, "--positive", "elk"),
        "--positive 'elk' is not a class of a.csv; the classes are 'ant'",
    ),
    "check": (("a.csv", *LABELS, "--fail-under", "macro f1"), "--fail-under 'macro f1' is not a check"),
    "check of what": (("a.csv", *LABELS, "--fail-under", "macro f11=1"), "There is no measure 'f11'"),
    "check without direction": (
        ("a.csv", *LABELS, "--fail-under", "macro prevalence=1"),
        "Neither higher nor lower values of prevalence are better",
    ),
    "check without average": (("a.csv", *LABELS, "--fail-under", "f1=0.3"), "which average? Write 'macro f1=0.3'"),
    "check without scores": (
        ("a.csv", *LABELS, "--fail-under", "auc=0.3"),
        "a.csv has no auc; auc reads scores, and this evaluation has none",
    ),
    "classes": (
        ("a.csv", *LABELS, "--classes", "cat,dog"),
        "data row 4, column 'true': the label 'ant' is not in --classes 'cat', 'dog'",
    ),
    "undefined": (("a.csv", *LABELS, "--undefined", "often"), "--undefined 'often' is not a convention"),
    "raise": (
        ("a.csv", *LABELS, "--undefined", "raise", "-m", "0/(tp-tp)", "-a", "micro"),
        "undefined for 'micro'. Choose --undefined",
    ),
    "missing truth": (("missing.csv", *LABELS), "data row 2, column 'true' is empty. Fill it, or pass --missing mask"),
    "missing both": (("missing.csv", *LABELS, "--missing", "abstain"), "pass --missing mask,abstain"),
    "missing prediction": (("silent.csv", *LABELS), "column 'pred' is empty. Fill it, or pass --missing abstain"),
    "missing how": (("a.csv", *LABELS, "--missing", "guess"), "'guess' is not one of"),
    "no truth": (("strange.csv", "--pred", "site"), "What is the truth? Give --true COLUMN"),
    "no prediction": (("strange.csv", "--true", "site"), "What was predicted? Give --pred COLUMN"),
    "no prediction of labels": (("a.csv", "--multilabel", "y_"), "What was predicted? Give --pred PREFIX"),
    "two predictions": (("a.csv", *LABELS, "--score", "p_*", "--decide", "argmax"), "Give only one of them"),
    "two truths": (("a.csv", *LABELS, "--multilabel", "y_"), "--true names one column of labels, --multilabel"),
    "no rule": (("a.csv", *SCORE, "p_*"), "Add --decide argmax"),
    "no scores": (("a.csv", *LABELS, "--decide", "0.5"), "Name the columns of scores with --score"),
    "strange rule": (("a.csv", *SCORE, "p_*", "--decide", "best"), "--decide 'best' is not a rule"),
    "text scores": (
        ("a.csv", *SCORE, "p_ant,site,p_cat", "--decide", "argmax"),
        "data row 1, column 'site' is 'x', which is not a number",
    ),
    "prefix of scores": (("a.csv", *SCORE, "p_", "--decide", "argmax"), "Write 'p_*' for all of them"),
    "pattern of nothing": (("a.csv", *SCORE, "q_*", "--decide", "argmax"), "no column 'q_*'"),
    "no column of scores": (("a.csv", *SCORE, ",", "--decide", "argmax"), "names no column"),
    "lost class": (("a.csv", *SCORE, "p_ant,p_dog", "--decide", "argmax"), "None of them is for the label 'cat'"),
    "classes for scores": (
        ("a.csv", *SCORE, "p_*", "--decide", "argmax", "--classes", "a,b"),
        "2 classes for the 3 columns of scores",
    ),
    "one score": (
        ("a.csv", *SCORE, "p_cat", "--decide", "0.5"),
        "decides between two classes, but the classes are 'ant', 'cat', 'dog'",
    ),
    "score of what": (("-", *SCORE, "p", "--decide", "0.5"), "For which class is the score 'p'? Give --positive b"),
    "scores abstain": (("a.csv", *SCORE, "p_*", "--decide", "0.5", "--missing", "abstain"), "For scores use --decide"),
    "no such prefix": (("bits.csv", "--multilabel", "x_", "--pred", "z_"), "no column of bits.csv starts with 'x_'"),
    "one prefix": (("bits.csv", "--multilabel", "y_", "--pred", "y_"), "are both 'y_'"),
    "no partner": (
        ("bits.csv", "--multilabel", "y_", "--pred", "z_se"),
        "'y_sea', 'y_sun' have no partner that starts with 'z_se'",
    ),
    "classes of labels": (("bits.csv", "--multilabel", "y_", "--pred", "z_", "--classes", "a"), "does not go with --multilabel"),
    "empty bit": (
        ("holes.csv", "--multilabel", "y_", "--pred", "z_"),
        "row 2, column 'y_a' is empty. Fill it, or pass --missing mask",
    ),
    "no bit": (("holes.csv", "--multilabel", "y_", "--pred", "z_", "--missing", "mask"), "data row 3, column 'z_a' is 'maybe'"),
    "empty group": (
        ("holes.csv", "--true", "w", "--pred", "w", "--by", "site", "--missing", "mask"),
        "data row 2, column 'site' is empty",
    ),
    "empty weight": (
        ("holes.csv", "--true", "z_a", "--pred", "z_a", "--weight", "w"),
        "column 'w' is empty: every row needs a weight",
    ),
    "reserved group": (("-", "--true", "true", "--pred", "p", "--by", "class"), "cannot be called 'class'"),
    "several saves": (("a.csv", "b.csv", *LABELS, "--save", "ev.json"), "Save each with a separate call"),
    "save over": (("a.csv", *LABELS, "--save", "a.csv"), "would overwrite the file that is read"),
    "save nowhere": (("a.csv", *LABELS, "--save", "no/such/ev.json"), "the folder does not exist"),
    "several pages": (("a.csv", "b.csv", *LABELS, "--html", "ev.html"), "--html writes the page of one evaluation, but"),
    "page over": (("a.csv", *LABELS, "--html", "a.csv"), "--html a.csv would overwrite the file that is read"),
    "page over another": (("a.csv", *LABELS, "--html", "b.csv"), "the name of a page must end with .html"),
    "page nowhere": (("a.csv", *LABELS, "--html", "no/such/ev.html"), "the folder does not exist"),
    "two outputs": (("a.csv", *LABELS, "--json", "--markdown"), "Give only one of them"),
    "stdin twice": (("-", "-", *LABELS), "can be read only once"),
    "no saved evaluation": (("other.json",), "other.json is not a saved evaluation"),
    "rows of saved": (("saved.json", "--weight", "w"), "--weight is about rows, but saved evaluations contain only counts"),
    "groups of saved": (("saved.json", "--by", "site"), "was saved without this grouping; it has no grouping"),
    "groups of several": (("a.csv", "b.csv", *LABELS, "--by", "site"), "Choose scores with --measure and --average"),
    "no file": ((), "Missing argument"),
}


STDIN = "true,p,class\na,0.5,x\nb,0.2,y\n"


@pytest.mark.one_fast_case
@for_each("name", WRONG)
def test_what_is_wrong_is_said_in_two_lines_with_what_to_do(folder, name):
    arguments, said = WRONG[name]
    done = call(folder, *arguments, stdin=STDIN)
    told = done.stderr
    assert (done.returncode, done.stdout) == (2, "")
    assert told.startswith("Error: ")
    assert said in told
    assert told.count("\n") <= 2
    assert "Traceback" not in told
    assert not (folder / "ev.json").exists()


@pytest.mark.slow
@pytest.mark.posix
def test_an_interrupted_reading_leaves_no_file(tmp_path):
    process = subprocess.Popen(
        [sys.executable, "-m", "indicatrix", "evaluate", "-", *LABELS, "--save", "ev.json"],
        cwd=tmp_path,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a shell's background job ignores it
    )
    assert process.stdin is not None
    process.stdin.write(b"true,pred\n" + b"a,b\n" * 500_000)  # returns when all but a pipe's buffer was read
    process.send_signal(signal.SIGINT)
    with contextlib.suppress(BrokenPipeError):
        process.stdin.close()  # ends a read that began just before the signal, which Python would see only afterwards
    process.wait()
    with process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert (process.returncode, process.stdout.read(), process.stderr.read()) == (130, b"", b"\nInterrupted.\n")
    assert list(tmp_path.iterdir()) == []


def test_the_largest_of_many_groups_are_shown(folder):
    rows = "".join(f"a,{'a' if k % 3 else 'b'},{k % 40}\n" for k in range(100))
    text = printed(folder, "-", *LABELS, "--by", "site", "-m", "recall", "-a", "micro", stdin=f"true,pred,site\n{rows}")
    lines = text.splitlines()[3:]
    assert [line.split()[:2] for line in lines[1:31]] == [[str(k), "3" if k < 20 else "2"] for k in range(30)]
    assert lines[32] == "… the 30 largest of 40 groups"


@pytest.mark.parametrize("environment", [{}, {"NO_COLOR": "1"}])
@pytest.mark.slow
@pytest.mark.posix
def test_the_best_is_bold_on_a_terminal_only(folder, environment):
    rows = "".join(f"{k % 3},{k % 3 if k % 4 else 0},{k % 3}\n" for k in range(200))
    (folder / "two.csv").write_text(f"true,one,other\n{rows}", "utf-8")
    import pty

    main, other = pty.openpty()
    command = ["compare", "two.csv", "--true", "true", "--pred", "one", "--pred", "other", "-m", "accuracy"]
    subprocess.run(
        [sys.executable, "-m", "indicatrix", *command],
        cwd=folder,
        stdout=other,
        env={**{k: v for k, v in os.environ.items() if k != "NO_COLOR"}, "TERM": "xterm", **environment},
        check=True,
    )
    os.close(other)
    shown = os.read(main, 10_000).decode()
    os.close(main)
    assert ("\x1b[1m1.000 [0.985, 1.000]*\x1b[0m" in shown) == (not environment)
    assert "1.000 [0.985, 1.000]*" in shown


@pytest.mark.parametrize("form", ["--json", "--csv", "--markdown"])
def test_accuracy_without_an_average_has_the_name_of_none(folder, form):
    run = call(folder, "a.csv", *LABELS, "-m", "accuracy", "-m", "exact_match", "--by", "site", form)
    assert run.returncode == 0, run.stderr
    assert "exemplar" not in run.stdout
    if form == "--json":
        (found,) = json.loads(run.stdout)["evaluations"][0]["scores"]
        assert (found["measure"], found["average"]) == ("accuracy", None)
        assert found["value"] == pytest.approx(4 / 6)
