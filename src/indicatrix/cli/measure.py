"""``indicatrix measure``: all about one measure, or about a formula, as text or plain data."""

from __future__ import annotations

import math
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import click

from ..algebra.average import AVERAGES
from ..algebra.counts import Counts
from ..algebra.derived.derived_facts import SIGNS, about_direction
from ..algebra.derived.range_and_direction import Range
from ..algebra.evidence import Evidence
from ..algebra.measure import Measure
from ..catalogue.listing import references
from ..report.table_forms import Table
from ..theory.explain.known_formula import complete, same_as
from ..theory.formula.closed_thresholds import USE_OPTIMAL
from ..theory.formula.measure_notes import Floor, floor, has_property
from ..theory.formula.optimal_threshold import optimal_threshold
from ..theory.formula.properties import Properties, properties
from .arguments import exact, four_counts, in_words, interval, plain, probabilities, read_measure, settings, sizes_of_classes
from .options import DIRECTIONS, add_forms, complete_measures, examples, option
from .output import Form, draw, heading, json_text, write

Known = dict[str, Any]
WITHOUT_DIRECTION = {"neither": "no direction is better", "unknown": "which direction is better is not known"}


@click.command(
    epilog=examples(
        "measure mcc --counts 40,10,5,45",
        "measure 'f_beta(beta=2)' --floor 10",
        "measure 'tp/(tp+fn) + tn/(tn+fp) - 1'",
        "measure f1 --eta 0.9,0.6,0.4,0.1 --json",
        "measure --no-proofs -- '-fp/n'",
    ),
)
@click.argument("measure", metavar="NAME|FORMULA", shell_complete=complete_measures)
@option("--counts TP,FP,FN,TN", "Its exact value at these counts: integers, decimals or fractions such as 1/2.", read=four_counts)
@option("--floor M", "The score of a classifier of M classes that is always wrong.", type=click.IntRange(min=2))
@option(
    "--sizes N,N,…", "The same with these numbers of examples per class, which the macro average needs.", read=sizes_of_classes
)
@option("--eta P,P,…", "The best threshold for examples that are positive with these probabilities.", read=probabilities)
@option("--set NAME=NUMBER...", "A parameter: beta=2. Repeatable.", read=settings)
@option("--better", "The direction of a formula that is not a known measure; by default it is derived.", type=DIRECTIONS)
@option("--no-proofs", "Exact trials instead of proofs; the answers are the same.", is_flag=True)
@add_forms
def measure(measure: str, set: Known, better: str | None, no_proofs: bool, form: Form, **questions: Any) -> None:
    """Print what a measure is and what its formula implies, each answer with its evidence.

    NAME is a measure of the catalogue, such as f1 or 'f_beta(beta=2)'. FORMULA is arithmetic on tp, fp, fn, tn; if it starts
    with a minus, put it last, after --.
    """
    sizes, m = questions["sizes"], questions["floor"]
    if sizes is not None and len(sizes) != (m or len(sizes)):
        raise ValueError(f"--sizes has {len(sizes)} sizes for the {m} classes of --floor. Give one for each class.")
    found = read_measure(measure, set)
    if found.reads.formula:
        questions["floor"] = m if sizes is None else len(sizes)
        known = _all_facts(found, better, prove=not no_proofs) | _answers_about(found, **questions)
    else:
        for name, given in questions.items():
            if given is not None:
                raise ValueError(f"--{name}: {found} reads {found.reads.what}, so it has no value at four counts. Leave it out.")
        known = facts(found)
    if form == "json":
        write(json_text(known))
    elif form == "csv":
        rows = [("what", known["what"]), *_facts(known, not found.name)]
        rows += _properties(known) if "properties" in known else []
        rows += [(f"{title} {name}", text) for title, some in _answers(known) for name, text in some]
        write(draw(Table(("fact", "text"), [row for row in rows if row[1]], left=2), form))
    else:
        write("\n\n".join(_sections(known, form, not found.name)))


def _all_facts(found: Measure, better: str | None, *, prove: bool) -> Known:
    """Return all that is known about a measure of four counts."""
    if found.name and better is not None:
        raise ValueError(f"--better: {found.name} already has a direction, {found.better}. Leave --better out.")
    same = [*same_as(found)]
    whole = found if found.name else complete(found, same, better)
    equal = [{"measure": str(m), "says": str(why).removeprefix("yes ")} for m, why in same]
    return {**facts(whole), "same_as": equal, **implications(properties(whole, prove=prove))}


def _answers_about(found: Measure, counts: Any, floor: int | None, sizes: Any, eta: Any) -> Known:
    """Return the answers to further questions: the value at counts, the floors, the best threshold."""
    if eta is not None and found.averages:
        raise ValueError(f"--eta: {found} exists only as {found.averages[0]} average. Leave --eta out.")
    return {
        **({} if counts is None else {"value": value(found, counts)}),
        **({} if floor is None else {"floors": floors(found, floor, sizes)}),
        **({} if eta is None else {"best_threshold": best_threshold(found, eta)}),
    }


def facts(found: Measure) -> Known:
    """Return what is declared about a measure: its formula, range, direction, names and source."""
    formula = found.formula
    return {
        "measure": str(found),
        "what": found.doc if found.name else "",
        "formula": formula,
        "parameters": {k: v if isinstance(v, int | float) else str(v) for k, v in found.params.items()},
        "range": [plain(end) for end in found.range],
        "closed": [*getattr(found.range, "closed", map(math.isfinite, found.range))],  # whether it takes these ends
        "better": found.better,
        "no_direction": "" if found.better in SIGNS else about_direction(found, found.better),
        "group": found.group,
        "source": {"key": found.source, **references()[found.source]} if found.source in references() else None,
        "aliases": list(found.aliases),
        "known_as": dict(found.known_as),
        "averages": list(getattr(found, "averages", ())),
    }


def implications(known: Properties) -> Known:
    """Return all properties with their evidence, the coefficients a and b, and the best threshold."""
    evidence = {name: found for name, found in known.evidence.items() if name != "threshold"}
    closed = known.evidence["threshold"]
    both = None if known.a is None or known.b is None else {"a": [*map(str, known.a)], "b": [*map(str, known.b)]}
    return {
        "properties": {name: _as_data(found) for name, found in evidence.items()},
        "coefficients": both,
        "threshold": {
            "value": None if known.threshold is None else str(known.threshold),
            "erm_consistent": known.erm_consistent,
            "note": _with_option(closed.note),
        },
    }


def _with_option(note: str) -> str:
    """Return the reason why a measure has no threshold of a closed form, with the option that finds one."""
    reason = note.removesuffix(USE_OPTIMAL)
    return note if reason == note else f"{reason}--eta finds the best one of a population"


def _as_data(found: Evidence) -> Known:
    data = {"holds": found.holds, "says": str(found), "witness": _numbers(found.witness), "proof": found.proof}
    return {**data, "trials": found.trials, "digits": found.digits, "note": found.note}


def _numbers(x: Any) -> Any:
    """Return a witness as nested lists of numbers.

    A fraction, or a number with more digits than a float has, is a text.
    """
    if isinstance(x, tuple | list):
        return [_numbers(part) for part in x]
    return x if x is None or isinstance(x, int | str) else plain(x) if isinstance(x, float) else str(x)


def value(found: Measure, four: tuple[int | Fraction, ...]) -> Known:
    """Return the value of a measure at four counts: exact, as a float, and in words."""
    at = found(Counts(*map(Fraction, four)))
    return {"counts": [*map(str, four)], "exact": exact(at), "value": plain(at), "says": in_words(at)}


def floors(found: Measure, m: int, sizes: list[int] | None) -> Known:
    """Return the scores of an always wrong classifier of ``m`` classes under each average with a floor."""
    scored: Known = {"classes": m, "sizes": sizes, "averages": {}}
    known = {"example"} if sizes is None else {"class", "example"}  # the floor of a class depends on its size
    for average in (name for name, rule in AVERAGES.items() if rule.weight is None and known.issuperset(rule.per)):
        if AVERAGES[average].pools and sizes is None and not has_property(found, "scale_free"):
            says = f"{found} grows with the number of examples, and so does its {average} floor. Give the class sizes, --sizes."
            scored["averages"][average] = {"exact": None, "value": None, "says": says}
            continue
        try:
            at = floor(found, m, average=average, sizes=sizes, n=None if sizes is None else sum(sizes))
        except ValueError as unknown:
            scored["averages"][average] = {"exact": None, "value": None, "says": str(unknown)}
        else:
            scored["averages"][average] = {"exact": exact(at), "value": plain(at), "says": _floor_in_words(at)}
    return scored


def _floor_in_words(at: Any) -> str:
    if not isinstance(at, Floor):
        return in_words(at)
    worst = f"a {at.orientation}, no prediction does worse" if at.lowest else "some predictions do worse"
    return f"{in_words(Fraction(at))} ({worst})"


def best_threshold(found: Measure, eta: list[float]) -> Known:
    """Return the best threshold for a measure, given the probability of the positive class per example."""
    best = optimal_threshold(found, eta)
    threshold = best.threshold if isinstance(best.threshold, float) else None
    rule = "nothing is predicted positive" if not best.decisions.any() else f"positive from {threshold:.6g} on"
    text = f"{rule}; {found} is then {best.value:.6g}, the best of {best.among}"
    return {"threshold": None if threshold is None else plain(threshold), "value": plain(best.value), "says": text}


def _sections(known: dict[str, Any], form: Form, is_formula: bool) -> Iterator[str]:
    """Yield what is known, one section at a time."""
    yield heading(f"{known['measure']}: {known['what']}" if known["what"] else known["measure"], form)
    yield draw(Table((), _facts(known, is_formula), left=2), form)
    implied = [("What its formula implies:", _properties(known))] if "properties" in known else []
    for title, rows in (*implied, *_answers(known)):
        below = "\n" if form == "text" else "\n\n"
        yield f"{heading(title, form)}{below}{draw(Table((), rows, left=2), form, indent=2)}"


def _facts(known: dict[str, Any], is_formula: bool) -> list[tuple[str, str]]:
    low, high = known["range"]
    ends = interval(Range(float("-inf") if low is None else low, float("inf") if high is None else high, (*known["closed"],)))
    direction = WITHOUT_DIRECTION.get(known["better"], f"{known['better']} is better")
    same = known.get("same_as", [])
    equal = "; ".join(f"{one['measure']} {one['says']}" for one in same)
    rows = [
        ("this is", equal if is_formula else ""),
        ("formula", "" if is_formula else known["formula"]),
        ("range", f"{ends}, {direction}"),
        ("direction", f"{known['no_direction']} --better chooses one." if known["better"] == "unknown" else ""),
        ("group", known["group"]),
        ("also called", ", ".join(known["aliases"])),
        ("established", "; ".join(f"{average}: {name}" for average, name in known["known_as"].items())),
        ("only as", ", ".join(f"{average} average" for average in known["averages"])),
        ("equal to", "" if is_formula else equal),
        ("source", _reference(known["source"])),
    ]
    return [row for row in rows if row[1]]


def _reference(source: dict[str, Any] | None) -> str:
    if source is None:
        return ""
    where = f" {source['in']}." if "in" in source else ""
    return f"{source['authors']} ({source['year']}). {source['title']}.{where}" + (
        f" doi:{source['doi']}" if "doi" in source else ""
    )


def _properties(known: dict[str, Any]) -> list[tuple[str, str]]:
    rows = [(name, found["says"]) for name, found in known["properties"].items()]
    both, threshold = known["coefficients"], known["threshold"]
    if both is not None:
        rows.insert(1, ("", f"a = ({', '.join(both['a'])}), b = ({', '.join(both['b'])})"))
    consistent = {True: "; ERM-consistent", False: "; not ERM-consistent", None: ""}[threshold["erm_consistent"]]
    rows.append(("threshold", f"{threshold['value'] or 'none'}{consistent} ({threshold['note']})"))
    return rows


def _answers(known: dict[str, Any]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Return the sections that answer the options."""
    sections = []
    if "value" in known:
        tp, fp, fn, tn = known["value"]["counts"]
        sections.append((f"At tp={tp}, fp={fp}, fn={fn}, tn={tn}:", [("value", known["value"]["says"])]))
    if "floors" in known:
        m, sizes = known["floors"]["classes"], known["floors"]["sizes"]
        of = f" with {', '.join(map(str, sizes))} examples" if sizes else ""
        rows = [(average, at["says"]) for average, at in known["floors"]["averages"].items()]
        sections.append((f"Always wrong on {m} classes{of}:", rows))
    if "best_threshold" in known:
        sections.append(("In a population with these probabilities:", [("threshold", known["best_threshold"]["says"])]))
    return sections
