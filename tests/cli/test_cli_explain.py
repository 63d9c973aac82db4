"""``indicatrix explain``: every measure, function of the matrix, area and formula; near misses."""

from __future__ import annotations

import json

import pytest
from commands import printed, python, refused

import indicatrix as ix

HEAVY = ("sympy", "scipy", "pandas", "pyarrow", "rich", "indicatrix.theory.identify.identify")
LOADED = """
import sys
from indicatrix.cli import main
sys.argv = ["indicatrix", "explain", "f1"]
try:
    main()
finally:
    print(*sys.modules)
"""


@pytest.mark.parametrize(
    "name", ["recall", "mcc", "multiclass_mcc", "auc", "partial_auc(max_fpr=0.1)", "brier", "f_beta(beta=2)"]
)
def test_the_text_is_the_one_of_python_and_json_has_all(name: str) -> None:
    found = ix.explain(name)
    head, *sections = printed("explain", name).rstrip("\n").split("\n\n")
    assert "\n\n".join((head, *sections)) == str(found)
    assert json.loads(printed("explain", name, "--json")) == found.to_dict()
    page = printed("explain", name, "--markdown")
    assert page.startswith(f"**{name}: ")
    assert page.count("\n- ") == sum(len(said) for _, said in found.sections)


def test_parameters_are_set_on_measures_and_areas() -> None:
    assert printed("explain", "f_beta", "--set", "beta=2") == printed("explain", "f_beta(beta=2)")
    assert printed("explain", "partial_auc", "--set", "max_fpr=0.1") == printed("explain", "partial_auc(max_fpr=0.1)")
    assert "has no parameters" in refused("explain", "f1", "--set", "beta=2")


def test_a_formula_is_called_by_its_name() -> None:
    assert printed("explain", "tp/(tp+fn)").startswith("tp / (tp + fn): this is recall. Share of actual positives")


@pytest.mark.parametrize(
    ("name", "advice"),
    [
        ("F1", "Did you mean f1?"),
        ("balanced-acuracy", "did you mean the measure balanced_accuracy?"),
        ("roc_auc_score", "It is scikit-learn's name of auc or partial_auc."),
        ("f2", "Use f_beta(beta=2)."),
        ("compare", "help(ix.compare) explains it."),
        ("aucc", "Did you mean auc?"),
        ("xyzzy", "indicatrix catalogue lists all"),
        ("tp/(tp+fpp)", "did you mean fp?"),
        ("auc(3)", "Write the parameters by name: auc(thresholds=0.1)."),
    ],
)
def test_a_near_miss_gets_a_suggestion(name: str, advice: str) -> None:
    assert advice in refused("explain", name)


def test_names_do_not_steer_a_terminal() -> None:
    assert "\x1b" not in refused("explain", "f\x1b[31m1")


@pytest.mark.slow
def test_a_named_measure_is_explained_without_heavy_libraries() -> None:
    loaded = {*python("-c", LOADED).stdout.splitlines()[-1].split()}
    assert "indicatrix.theory.explain.explain" in loaded
    assert not loaded & {*HEAVY}
