"""``indicatrix measure``: all about one measure, or about a formula."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import click

from ..algebra.measure import Measure
from ..algebra.value_range import Range
from ..report.table_forms import Table
from .completion import complete_measures
from .measures.quantities import four_counts, interval, number, settings, sizes_of_classes
from .options import DIRECTIONS, add_forms, examples
from .output import Form, draw, heading, json_text, write


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
@click.option(
    "--counts", metavar="TP,FP,FN,TN", help="Its exact value at these counts: integers, decimals or fractions such as 1/2."
)
@click.option(
    "--floor", type=click.IntRange(min=2), metavar="M", help="The score of a classifier of M classes that is always wrong."
)
@click.option(
    "--sizes", metavar="N,N,…", help="The same with these numbers of examples per class, which the macro average needs."
)
@click.option("--eta", metavar="P,P,…", help="The best threshold for examples that are positive with these probabilities.")
@click.option("--set", "parameters", multiple=True, metavar="NAME=NUMBER", help="A parameter: beta=2. Repeatable.")
@click.option(
    "--better", type=DIRECTIONS, help="The direction of a formula that is not a known measure; by default it is derived."
)
@click.option("--no-proofs", is_flag=True, help="Exact trials instead of proofs; the answers are the same.")
@add_forms
def measure(measure: str, parameters: tuple[str, ...], better: str | None, form: Form, **options: Any) -> None:
    """Print what a measure is and what its formula implies, each answer with its evidence.

    NAME is a measure of the catalogue, such as f1 or 'f_beta(beta=2)'. FORMULA is arithmetic on tp, fp, fn, tn; if it starts
    with a minus, put it last, after --.
    """
    from .measures import measure_facts
    from .measures.measure_argument import read_measure

    questions = Questions.read(options)
    found = read_measure(measure, settings(parameters))
    if found.reads.formula:
        known = _all_facts(found, questions, better=better, prove=not options["no_proofs"])
    else:
        questions.refuse(f"{found} reads the whole confusion matrix")
        known = measure_facts.facts(found)
    if form == "json":
        write(json_text(known))
    elif form == "csv":
        rows = [("what", known["what"]), *_facts(known, not found.name)]
        rows += _properties(known) if "properties" in known else []
        rows += [(f"{title} {name}", text) for title, some in _answers(known) for name, text in some]
        write(draw(Table(("fact", "text"), [row for row in rows if row[1]], left=2), form))
    else:
        write("\n\n".join(_sections(known, form, not found.name)))


def _all_facts(found: Measure, questions: Questions, *, better: str | None, prove: bool) -> dict[str, Any]:
    """Return all that is known about a measure of four counts."""
    from ..explanation.known_formula import complete, same_as
    from ..theory.formula.properties import properties
    from .measures import measure_facts

    if found.name and better is not None:
        raise ValueError(f"--better: {found.name} already has a direction, {found.better}. Leave --better out.")
    same = list(same_as(found))
    whole = found if found.name else complete(found, same, better)
    facts = {**measure_facts.facts(whole), "same_as": [{"measure": str(m), "says": _reason(str(why))} for m, why in same]}
    return {**facts, **measure_facts.implications(properties(whole, prove=prove)), **questions.answers(whole)}


@dataclass(frozen=True)
class Questions:
    """Further questions about the measure: its value at counts, its floors, its best threshold."""

    counts: tuple[Any, ...] | None
    floor: int | None
    sizes: list[int] | None
    eta: list[float] | None

    @classmethod
    def read(cls, options: dict[str, Any]) -> Questions:
        """Return the questions that the options ask."""
        counts, m, sizes, eta = (options[name] for name in ("counts", "floor", "sizes", "eta"))
        listed = None if sizes is None else sizes_of_classes(sizes)
        if listed is not None and len(listed) != (m or len(listed)):
            raise ValueError(f"--sizes has {len(listed)} sizes for the {m} classes of --floor. Give one for each class.")
        if listed is not None and len(listed) < 2:
            raise ValueError("--sizes has 1 size, but a problem has 2 classes or more. Give one size for each class.")
        probabilities = None if eta is None else [float(number(part, option="--eta")) for part in eta.split(",")]
        m = len(listed) if m is None and listed is not None else m
        return cls(None if counts is None else four_counts(counts), m, listed, probabilities)

    def refuse(self, why: str) -> None:
        """Refuse all questions, for the reason given, if the measure is not a function of four counts."""
        for name in ("counts", "sizes", "floor", "eta"):
            if getattr(self, name) is not None:
                raise ValueError(f"--{name}: {why}, so it has no value at four counts. Leave it out.")

    def answers(self, found: Measure) -> dict[str, Any]:
        """Return the answers to the questions about a measure."""
        from .measures import measure_facts

        answers: dict[str, Any] = {}
        if self.counts is not None:
            answers["value"] = measure_facts.value(found, self.counts)
        if self.floor is not None:
            answers["floors"] = measure_facts.floors(found, self.floor, self.sizes)
        if self.eta is not None:
            if found.averages:
                raise ValueError(f"--eta: {found} exists only as {found.averages[0]} average. Leave --eta out.")
            answers["best_threshold"] = measure_facts.best_threshold(found, self.eta)
        return answers


WITHOUT_DIRECTION = {"neither": "no direction is better", "unknown": "which direction is better is not known"}


def _reason(text: str) -> str:
    return text.removeprefix("yes ")


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
