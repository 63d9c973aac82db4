"""``indicatrix measure``: it says what the library says, and errors say what to do."""

from __future__ import annotations

import json
import math
import re
from fractions import Fraction

import click
import pytest
from commands import printed, refused
from hypothesis import example, given
from hypothesis import strategies as st
from loops import examples, for_each

import indicatrix as ix
from indicatrix.cli.arguments import in_words, number, read_measure
from indicatrix.cli.arguments import settings as settings_of
from indicatrix.cli.measure import facts, floors, measure, value
from indicatrix.theory.explain.known_formula import complete, same_as

COUNTS = (3, 2, 5, 11)


def data(*args: str) -> dict:
    """Return the JSON of a command; infinite ends of a range are not numbers there."""
    return json.loads(printed("measure", *args, "--json"), parse_constant=pytest.fail)


def test_a_name_is_printed_with_all_that_is_known() -> None:
    shown = printed(
        "measure", "f_beta(beta=2)", "--counts", "3,2,5,11", "--floor", "3", "--sizes", "2,1,1", "--eta", "0.9,0.6,0.1"
    )
    m, known = ix.f_beta.at(beta=2), ix.properties("f_beta(beta=2)")
    assert shown.startswith(f"f_beta(beta=2): {m.doc}\n")
    for name, evidence in known.evidence.items():
        assert name == "threshold" or f"\n  {name:<18}  {evidence}\n" in shown
    assert "a = (1, 0, 0, 0), b = (1, 1/5, 4/5, 0)" in shown
    assert ix.catalogue.references()[m.source]["title"] in shown
    assert all(name in shown for name in m.known_as.values())
    assert "At tp=3, fp=2, fn=5, tn=11:\n  value  15/37 ≈ 0.405405\n" in shown
    assert "Always wrong on 3 classes with 2, 1, 1 examples:\n  micro     0 (a floor, no prediction does worse)\n" in shown
    best = ix.theory.optimal_threshold(m, [0.9, 0.6, 0.1])
    assert f"positive from {best.threshold:.6g} on; f_beta(beta=2) is then {best.value:.6g}, the best of all decisions" in shown


@pytest.mark.slow
def test_the_json_is_what_the_library_computes() -> None:
    known = data("mcc", "--counts", "3,2,5,11", "--floor", "10", "--no-proofs")
    p = ix.properties("mcc", prove=False)
    assert {name: one["holds"] for name, one in known["properties"].items()} == {
        name: getattr(p, name) for name in p.evidence if name != "threshold"
    }
    assert known["value"]["value"] == float(ix.mcc(ix.Counts(*COUNTS)))
    assert known["value"]["exact"] is None
    assert Fraction(known["floors"]["averages"]["micro"]["exact"]) == ix.theory.floor("mcc", 10)
    assert (known["range"], known["better"], known["aliases"]) == ([-1, 1], "higher", list(ix.mcc.aliases))
    assert known["threshold"] == {"value": None, "erm_consistent": None, "note": known["threshold"]["note"]}
    assert known["coefficients"] is None
    assert known["source"]["doi"] == ix.catalogue.references()[ix.mcc.source]["doi"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("formula", "name"),
    [
        ("2*tp/(2*tp+fp+fn)", "f1"),
        ("tp/(tp+fn) + tn/(tn+fp) - 1", "informedness"),
        ("5*tp/(5*tp+4*fn+fp)", "f_beta(beta=2)"),
        ("(tp*tn-fp*fn)/sqrt(tpos*tneg*ppos*pneg)", "mcc"),
        ("fp+fn", "hamming_distance"),
    ],
)
def test_a_formula_is_recognized_and_has_the_facts_of_what_it_is(formula: str, name: str) -> None:
    found = ix.measure(formula)
    same = list(same_as(found))
    twin = same[0][0]
    assert str(twin) == name
    assert all(ix.theory.equivalent(found, m).holds for m, _ in same)
    made = complete(found, same, None)
    assert [getattr(made, fact) for fact in ("better", "range", "known_as", "source")] == [
        getattr(twin, fact) for fact in ("better", "range", "known_as", "source")
    ]
    assert complete(found, same, "neither").better == "neither"


def test_a_formula_is_printed_with_its_name() -> None:
    shown = printed("measure", "tp/(tp+fn) + tn/(tn+fp) - 1", "--no-proofs")
    assert "this is      informedness (proof: both cancel to the same rational function of tp, fp, fn, tn)\n" in shown
    assert "range        [-1, 1], higher is better\n" in shown
    assert "threshold           prevalence; not ERM-consistent (" in shown
    assert "declared" not in shown  # nobody declared a range


@pytest.mark.slow
def test_a_new_formula_says_what_is_derived() -> None:
    shown = printed("measure", "tp/(tp+w*fp)", "--set", "w=1/3", "--no-proofs")
    assert shown.startswith("tp / (tp + w * fp); w=1/3\n\nrange  [0, 1], higher is better\n")
    assert "[0, ∞), higher is better\n" in printed("measure", "tp*tp/(tp+fp)", "--no-proofs")
    assert "[1, 1], no direction is better\n" in printed("measure", "1", "--no-proofs")
    never = printed("measure", "0/0", "--no-proofs")
    assert "not known: it has no value at the counts that were tried. --better chooses one.\n" in never
    assert "[0, 1], lower is better\n" in printed("measure", "abs(tp - fp)/n", "--better", "lower", "--no-proofs")


@pytest.mark.slow
def test_markdown_has_the_same_names_and_answers() -> None:
    args = ("f1", "--no-proofs", "--counts", "3,2,5,11", "--floor", "3")
    plain, marked = printed("measure", *args).splitlines(), printed("measure", *args, "--markdown").splitlines()
    rows = [line[2:-2].replace("\\", "").split(" | ", 1) for line in marked if re.match(r"\| +[^ |-]|\|  \| \w", line)]
    titles = [line[2:-2] for line in marked if line.startswith("**")]
    expected = [line.split() for line in plain if line]
    assert sorted(expected) == sorted([*map(str.split, titles), *(f"{name} {said}".split() for name, said in rows)])


def test_a_function_of_the_confusion_matrix_has_facts_but_no_properties() -> None:
    shown = printed("measure", "multiclass_mcc")
    assert shown.startswith(f"multiclass_mcc: {ix.multiclass_mcc.doc}\n")
    assert "implies" not in shown
    assert data("multiclass_mcc")["group"] == "confusion matrix"


@for_each("one", ix.catalogue(of="counts"))
def test_every_measure_has_its_value_facts_and_floors(one: ix.Measure) -> None:
    for counts in (COUNTS, (0, 0, 0, 0), (1, 0, 0, 4), (Fraction(1, 2), Fraction(1, 3), 2, 0)):
        at, expected = value(one, counts), float(one(ix.Counts(*map(Fraction, counts))))
        assert at["value"] == (expected if math.isfinite(expected) else None)
        assert at["exact"] is None or float(Fraction(at["exact"])) == expected
        assert at["value"] is not None or at["says"].startswith(("undefined", "∞", "-∞"))
    said = {**facts(one), "floors": floors(one, 4, [5, 2, 2, 1])}
    assert json.loads(json.dumps(said, allow_nan=False)) == said
    assert said["source"]["title"]
    for average, at in said["floors"]["averages"].items():
        if at["exact"] is not None:
            assert Fraction(at["exact"]) == ix.theory.floor(one, 4, average=average, sizes=[5, 2, 2, 1], n=10)


def test_parameters_are_as_exact_as_they_are_written() -> None:
    for spelled, given_ in (("f_beta(beta=1/3)", {}), ("f_beta", settings_of(("beta=1/3",)))):
        found = read_measure(spelled, given_)
        assert str(found) == "f_beta(beta=1/3)"
        assert found(ix.Counts(*map(Fraction, COUNTS))) == Fraction(30, 53)
    assert str(read_measure("f_beta", settings_of(("beta=0.5",)))) == str(ix.f_beta.at(beta=0.5))


@pytest.mark.slow
def test_a_name_is_compared_with_all_measures_but_itself() -> None:
    assert [m.name for m, _ in same_as(ix.f1)] == ["f_beta", "tversky"]
    assert list(same_as(ix.mcc)) == []


def test_a_formula_that_is_hardly_ever_defined_is_no_other() -> None:
    assert list(same_as(ix.measure("sqrt(-tp)"))) == []
    first, why = next(same_as(ix.measure("2/((tp+fp)/tp + (tp+fn)/tp)")))  # undefined where tp is 0
    assert (first.name, why.note) == ("f1", "at (0, 0, 1, 0) only f1 is defined")


@given(st.fractions(0, 10**6))
@example(Fraction(3, 4))
@example(Fraction(1, 3))
@example(Fraction(7))
@examples(50)
def test_numbers_are_read_as_they_are_written(x: Fraction) -> None:
    assert number(str(x), option="--counts") == x
    shown = in_words(x)
    assert Fraction(shown.split()[0]) == x
    short = Fraction(f"{float(x):.6g}")
    assert shown == (str(x) if x.denominator == 1 else f"{x} {'=' if short == x else '≈'} {float(short):.6g}")


@given(st.sampled_from(ix.catalogue(of="counts")))
def test_names_aliases_and_spellings_name_their_measure(one: ix.Measure) -> None:
    for name in (one.name, str(one), *one.aliases):
        assert read_measure(f" {name} ", {}) == one


@for_each(
    ("args", "told"),
    [
        (["F1"], "There is no measure 'F1'. Did you mean f1?"),
        (["acuracy"], "There is no measure 'acuracy'. Did you mean accuracy"),
        (["xyzzy"], "There is no measure 'xyzzy'. indicatrix catalogue lists all; --search TEXT finds some."),
        (["balanced accuracy"], "invalid syntax, at character 10, 'a'. Did you mean balanced_accuracy"),
        (["balanced-accuracy"], "'balanced' in 'balanced-accuracy' is not a count; did you mean the measure balanced_accuracy?"),
        (["tp/(tp+"], "is neither a measure nor a formula: '(' was never closed, at character 4, '('. Write arithmetic"),
        (
            ["tp/(tp+fpp)"],
            "'fpp' in 'tp/(tp+fpp)' is not a count; did you mean fp? A parameter needs a value: 'tp/(tp+fpp); fpp=1'.",
        ),
        (["tp/zeta"], "'zeta' in 'tp/zeta' is not a count; counts are tp fp fn tn tpos tneg ppos pneg n. A parameter"),
        (["tp.real"], "the attribute .real is not allowed in a formula"),
        (["__import__('os')"], "There is no measure '__import__'."),
        ([" "], "The measure is empty. Give a name such as f1, or a formula"),
        (["+".join(["tp"] * 400)], "A formula has at most 1000 characters; this one has 1199."),
        (["f_beta(2)"], "Name the parameters of f_beta: f_beta(beta=1)."),
        (["f_beta(beta=-1)"], "beta=-1 is outside [0, inf], where f_beta is defined."),
        (["f_beta", "--set", "gamma=1"], "f_beta has no parameter 'gamma'. It takes beta."),
        (["f_beta", "--set", "beta=1", "--set", "beta=2"], "--set gives beta twice"),
        (["f_beta", "--set", "beta"], "--set 'beta' is not a name and a number. Write NAME=NUMBER, e.g. --set beta=2."),
        (["f_beta", "--set", "beta=two"], "--set beta: 'two' is not a number. Write 3, 0.5 or 1/2."),
        (
            ["f_beta(beta=2)", "--set", "beta=3"],
            "--set beta: 'f_beta(beta=2)' already has a value for it. Leave one",
        ),
        (["tp/(tp+w*fp); w=2", "--set", "w=3"], "--set w: 'tp/(tp+w*fp); w=2' already has a value for it."),
        (["f1", "--set", "beta=1"], "--set beta: f1 has no parameters."),
        (["tp+fp", "--set", "w=1"], "--set w: the formula 'tp+fp' has no such parameter. Leave it out."),
        (["multiclass_mcc", "--set", "w=1"], "--set w: multiclass_mcc has no parameters."),
        (["multiclass_mcc", "--floor", "3"], "--floor: multiclass_mcc reads the whole confusion matrix"),
        (["f1", "--counts", "1,2,3"], "--counts '1,2,3' has 3 numbers, not 4. Write TP,FP,FN,TN"),
        (["f1", "--counts", "1,2,x,3"], "--counts, fn: 'x' is not a number."),
        (["f1", "--counts", "1,2,1/0,3"], "--counts, fn: '1/0' is not a number."),
        (["f1", "--counts", "1,-2,3,4"], "--counts: fp is -2, but a count cannot be negative. Write 0 or more."),
        (["f1", "--floor", "1"], "1 is not in the range x>=2."),
        (["f1", "--floor", "3", "--sizes", "1,2"], "--sizes has 2 sizes for the 3 classes of --floor. Give one for each class."),
        (["f1", "--sizes", "5"], "--sizes has 1 size, but a problem has 2 classes or more. Give one size for each class."),
        (["f1", "--sizes", "5,0"], "--sizes: number 2 is 0, but a class has 1, 2, 3, … examples."),
        (["f1", "--eta", "0.5,2"], "eta[1] is 2.0; conditional probabilities lie within [0, 1]."),
        (["prevalence", "--eta", "0.5"], "Neither higher nor lower values of prevalence are better."),
        (["exact_match", "--eta", "0.5"], "--eta: exact_match exists only as exemplar average. Leave --eta out."),
        (["1e400*tp"], "The constant 1e400 in '1e400*tp' is beyond the range of floats"),
        (["f1", "--better", "lower"], "--better: f1 already has a direction, higher. Leave --better out."),
    ],
)
def test_every_wrong_argument_is_told_with_what_to_do(args: list[str], told: str) -> None:
    with pytest.raises((click.ClickException, ValueError, TypeError)) as wrong:
        measure.main(args, standalone_mode=False)
    assert told in (wrong.value.format_message() if isinstance(wrong.value, click.ClickException) else str(wrong.value))


@pytest.mark.slow
def test_wrong_arguments_leave_no_traceback() -> None:
    assert refused("measure", "F1") == "There is no measure 'F1'. Did you mean f1?"
    assert refused("measure", "f1", "--counts", "1,2,3").startswith("--counts '1,2,3' has 3 numbers, not 4.")
    assert refused("measure", "f_beta(beta=-1)") == "beta=-1 is outside [0, inf], where f_beta is defined."


def test_the_range_and_the_direction_of_a_formula_are_derived():
    for text, ends, closed, better in (
        ("5*fn + fp", [0, None], [True, False], "lower"),
        ("(tp - fp*0.25)/n", [-0.25, 1], [True, True], "higher"),
        ("1/(1 + fp)", [0, 1], [False, True], "higher"),
        ("abs(tp - fp)/n", [0, 1], [True, True], "unknown"),
    ):
        known = json.loads(printed("measure", text, "--json"))
        assert (known["range"], known["closed"], known["better"]) == (ends, closed, better)
    assert "[0, ∞), lower is better" in printed("measure", "5*fn + fp")
    assert "which direction is better is not known" in printed("measure", "abs(tp - fp)/n")
