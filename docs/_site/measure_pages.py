"""One page for each measure, and their index; facts come from the catalogue and from tested tables."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any

from calls import directive, function, signature
from elsewhere import names_elsewhere
from latex import latex
from level_lines import pictures
from measure_averages import averages
from names import MEASURES, kinds, linker, written
from prose import entries, explained, html, html_table, marked, page, raw, searched_as, sections, table
from relatives import relatives
from signs import formula

import indicatrix as ix
from indicatrix.public_names import HOMES, USUAL, load_public, place
from indicatrix.theory.explain.explain import Explanation
from indicatrix.theory.formula.measure_notes import glosses, notes_on
from indicatrix.theory.formula.sentences import COUNTS, GLOSSES

WORDS = ("score", "index", "coefficient")  # people add them to the names of measures
FEW = 4  # rows of a library on a page
GUIDES = {  # to what a measure reads
    "counts": ("choose/which-measure", "Which measure"),
    "matrix": ("guides/classes", "Several classes"),
    "ranking": ("guides/thresholds", "Thresholds and scores"),
    "scores": ("guides/thresholds", "Thresholds and scores"),
    "objects": ("guides/detection", "Detection"),
    "segments": ("guides/segmentation", "Segmentation"),
    "distances": ("guides/segmentation", "Segmentation"),
}
TRIALS = re.compile(r" \(\d+ trials\)")


def pages() -> Iterator[tuple[str, str]]:
    """Yield the path of each page in the manual, without its ending, and its text."""
    yield "measures/index", index()
    yield "measures/calling", calling()
    for measure in MEASURES.values():
        yield f"measures/{measure.name}", measure_page(measure)


def title(measure: ix.Measure) -> str:
    """Return the title of a page: the name, and what it is.

    >>> title(ix.f1)
    'f1: Harmonic mean of precision and recall'
    """
    words = re.split(r"(?<!e\.g)(?<!i\.e)[.;:] |\.$", measure.doc or "")[0]
    return f"{measure.name}: {words}" if words else measure.name


def measure_page(measure: ix.Measure) -> str:
    """Return the page of a measure."""
    link = linker(home=written(measure.name))
    notes = _notes(measure)
    parts = [
        *_opening(measure),
        *_facts(measure, notes, link),
        "## How to call it",
        *_call(measure),
        *averages(measure),
        *_listed("When to use it", notes["use"], link),
        *_listed("When it misleads", notes["misleads"], link),
        *_level_lines(measure),
        *_properties(notes),
        *_relatives(measure),
        *_elsewhere(measure, link),
        *_see_also(measure),
        *_literature(measure),
    ]
    return page(title(measure), *parts)


@cache
def _explanation(measure: ix.Measure) -> Explanation:
    return ix.explain(measure)


def _notes(measure: ix.Measure) -> dict[str, Any]:
    """Return the notes on a measure: of counts those that come with the library."""
    if measure.reads.formula:
        return notes_on(measure)
    found = _explanation(measure)
    facts = [fact for fact in found.facts if not fact.startswith("Source: ")]
    return {"facts": facts, "use": found.use, "misleads": found.misleads, "properties": {}}


def _opening(measure: ix.Measure) -> Iterator[str]:
    yield searched_as(searched(measure))
    aliases = [f"{_spaced(alias)} (`{alias}`)" if "_" in alias else f"`{alias}`" for alias in measure.aliases]
    also = f"; also called {', '.join(aliases)}" if aliases else ""
    yield f"In Python `{place(measure.name)}`{also}."  # a paragraph, to which entries of the index lead
    if measure.formula:
        yield f"$$\n{measure_latex(measure)}\n$$"
        counts = [(name, words) for name, words in COUNTS.items() if re.search(rf"\b{name}\b", measure.formula)]
        said = "; ".join(f"{name}: {meaning}" for name, meaning in counts)
        params = "; ".join(f"{name} is {value:g} by default" for name, value in measure.params.items())
        yield f"{said}.{f' {params}.' if params else ''}"
    else:
        yield from formula(measure.name)


def measure_latex(measure: ix.Measure) -> str:
    """Return the formula of a measure in LaTeX."""
    return latex(measure.formula)


def searched(measure: ix.Measure) -> list[str]:
    """Return under what the search finds a measure: aliases, names of averages, functions elsewhere.

    >>> searched(ix.jaccard)[:3]
    ['jaccard', 'iou', 'critical_success_index']
    """
    names = [measure.name, *measure.aliases, *(_spaced(name) for name in (measure.name, *measure.aliases))]
    names += [part for name in measure.known_as.values() for part in (name, name.replace("-", " "))]
    for _, there, _ in names_elsewhere().get(measure.name, ()):
        names += re.findall(r"^(\w+)(?:\(|$)", there)
    if measure.name in USUAL:
        names += [f"{_spaced(name)} {word}" for name in (measure.name, *measure.aliases) for word in WORDS if word not in name]
    return list(dict.fromkeys(name for name in names if name and name not in ("load", "ConfusionMatrix", "MetricFrame")))


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def _facts(measure: ix.Measure, notes: dict[str, Any], link: Any) -> Iterator[str]:
    low, high = (_end(end) for end in measure.range)
    better = {"higher": "Higher is better.", "lower": "Lower is better."}.get(measure.better, "Neither end is better.")
    rows = [
        f"**Range**: {low} to {high}. {better}",
        f"**Computed from** {measure.reads.what}; group [{measure.group}](index.md#{_anchor(measure.group)}).",
        *(f"**Note**: {marked(fact, link)}" for fact in notes.get("facts", ())[1:] if not fact.startswith("It is a function of")),
    ]
    yield "\n".join(f"- {row}" for row in rows)


def _end(end: float) -> str:
    return f"{end:g}".replace("-", "−") if math.isfinite(end) else "−∞" if end < 0 else "∞"


def _anchor(group: str) -> str:
    return re.sub(r"\W+", "-", group.lower())


def _listed(heading: str, sentences: Any, link: Any) -> Iterator[str]:
    if sentences:
        yield f"## {heading}"
        yield "\n".join(f"- {marked(sentence, link)}" for sentence in sentences)


def _level_lines(measure: ix.Measure) -> Iterator[str]:
    if not measure.reads.formula or measure.averages:
        return
    svg, words = pictures(measure)
    if svg:
        yield "## Level lines"
        yield raw(f'<figure class="levels">{svg}<figcaption>{escape(words)} The dot is the perfect result.</figcaption></figure>')


def _properties(notes: dict[str, Any]) -> Iterator[str]:
    """Yield what the formula implies: each property with what it means, or an example against it."""
    found = notes["properties"]
    if not found:
        return
    yield "## What its formula implies"
    items = "".join(f'<li class="{"yes" if said is True else "no"}">{_said(name, said)}</li>' for name, said in found.items())
    yield raw(f'<ul class="properties">{items}</ul>')
    yield "{py:obj}`ix.properties <indicatrix.properties>` has the evidence, and looks for proofs."


def _said(name: str, said: Any) -> str:
    """Return a property in words; its name stands out."""
    text = html(glosses()[name] if said is True else TRIALS.sub("", said))
    short = GLOSSES[name][0]
    return re.sub(rf"^((?:Not )?{re.escape(short)})", r"<strong>\1</strong>", text, count=1, flags=re.IGNORECASE)


def _relatives(measure: ix.Measure) -> Iterator[str]:
    found = list(relatives(measure)) if measure.reads.formula else []
    if not found:
        return
    yield "## Close relatives"
    equal = [f"- [{name}]({name}.md) = {said.replace(measure.name, f'`{measure.name}`')}" for name, said in found if said]
    if equal:
        yield "\n".join(equal)
    alike = [f"[{name}]({name}.md)" for name, said in found if not said]
    if alike:
        yield f"These order all results as it does, or the other way round, so none of them tells more: {', '.join(alike)}."


def _see_also(measure: ix.Measure) -> Iterator[str]:
    """Yield the guide to what a measure reads, and the other measures of its group."""
    path, said = GUIDES[measure.reads.name]
    others = [f"[{m.name}]({m.name}.md)" for m in ix.catalogue(group=measure.group) if m.name != measure.name]
    same = f" In the group [{measure.group}](index.md#{_anchor(measure.group)}): {', '.join(others)}." if others else ""
    yield "## See also"
    yield f"[{said}](../{path}.md).{same}"


def _elsewhere(measure: ix.Measure, link: Any) -> Iterator[str]:
    rows = names_elsewhere().get(measure.name, [])
    cautions = [said for said in _explanation_of_names(measure) if not said.startswith(("Also called", "Its averages", "In "))]
    if not rows and not cautions:
        return
    yield "## In other libraries"
    yield from (marked(said, link) for said in cautions)
    if rows:
        yield html_table(("library", "there", "here"), _few_of_each(rows))
        yield "Tests compare the numbers. [Coming from other libraries](../project/coming-from.md) says what differs and why."


def _few_of_each(rows: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
    """Return some rows of each library, those of a library together."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for library, there, here in rows:
        found.setdefault(library, []).append((library, *(f"<code>{escape(call)}</code>" for call in (there, here))))
    return [row for some in found.values() for row in some[:FEW]]


def _explanation_of_names(measure: ix.Measure) -> tuple[str, ...]:
    from indicatrix.theory.explain.advice import names_elsewhere as sentences

    return tuple(sentences(measure))


def _call(measure: ix.Measure) -> Iterator[str]:
    """Yield how a measure is called; another page explains what all measures of counts take."""
    if measure.name in HOMES:
        yield function(written(measure.name), load_public(measure.name))
    elif measure.reads.name in ("counts", "matrix"):
        found = sections(measure)
        kept = {"": "", "Parameters": _own(measure, found["Parameters"]), "Examples": found["Examples"]}
        kept = {title: text for title, text in kept.items() if text or not title}
        yield directive("function", written(measure.name), signature(measure), kept)
        yield "[What every measure takes](calling.md): labels or an evaluation, an average, and all that `evaluate` takes."
    else:
        yield function(written(measure.name), measure)


def _own(measure: ix.Measure, section: str) -> str:
    """Return the entries of the parameters that other measures do not have."""
    own = [f"{names} : {kind}\n    {said}" for names, kind, said in entries(section) if names in measure.settable]
    return "\n".join(own)


def calling() -> str:
    """Return the page on what all measures of counts take: the arguments of one of them."""
    found = sections(ix.f1)
    shown = {"": "", **{title: found[title] for title in ("Parameters", "Returns", "Examples")}}
    return page("How measures are called", CALLING, *explained(shown, linker(), kinds), "The names of averages are those of F1.")


def _literature(measure: ix.Measure) -> Iterator[str]:
    found = ix.catalogue.references().get(measure.source)
    if found is None:
        return
    text = marked(f"{found['authors']} ({found['year']}). {found['title']}. {found['in']}.")
    doi = found.get("doi", "")
    quoted = doi.replace("<", "%3C").replace(">", "%3E").replace("(", "%28").replace(")", "%29")
    yield "## Literature"
    yield f"{text}{f' [doi:{marked(doi)}](https://doi.org/{quoted})' if doi else ''}"
    if "unsure" in found:
        yield marked(f"Sources differ: {found['unsure']}")


def index() -> str:
    """Return the index: a table for each group, and a field that leaves out rows without its words."""
    parts = [INTRODUCTION, SEARCH]
    for group in ix.catalogue.groups():
        some = ix.catalogue(group=group)
        parts.append(f"({_anchor(group)})=\n## {group[:1].upper()}{group[1:]}")
        rows = [(f"[{m.name}]({m.name}.md)", ", ".join(_spaced(a) for a in m.aliases), marked(m.doc or "")) for m in some]
        parts.append(table(("measure", "also called", "what it is"), rows))
    return page("Measures", *parts)


INTRODUCTION = f"""\
Each of the {len(MEASURES)} measures has a page: formula, range, averages, when to use it and when it misleads, what its formula
implies, and what it is called elsewhere. [Which measure](../choose/which-measure.md) helps to choose one; in Python,
{{py:obj}}`ix.catalogue <indicatrix.catalogue>` searches them, {{py:obj}}`ix.explain <indicatrix.explain>` prints such a page."""
CALLING = """\
A measure takes labels, scores with `decide=`, an evaluation, or counts. Several scores of the same data come from one evaluation,
`ev = ix.evaluate(y_true, y_pred)`: then `ev.score("f1", "macro")` reads the labels no second time."""
SEARCH = """\
```{raw} html
<p class="filter-measures"><label>Show measures with
<input type="search" id="filter-measures" placeholder="dice, kappa, negatives …"></label> <span role="status"></span></p>
```"""
