"""One self-contained HTML page with everything: no script, no other file, nothing from the network."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from importlib.resources import files

from ..claim import NOTABLE, Claim
from ..record import Record, Table
from ..run import Outcome
from ..select import part
from .markdown import PARTS
from .show import explain, sentence, show, show_ours, show_paper, summary

FOLDED = 30  # rows beyond which a table starts closed
COUNTED = {
    "agrees": "agree",
    "declared": "are only declared, not computed",
    "differs": "differ, with a reason",
    "holds": "hold and are ours alone",
    "fails": "fail",
    "missing": "experiments lack something",
}


def page(outcomes: Sequence[Outcome], pictures: Mapping[str, str]) -> str:
    """Return the page; ``pictures`` has the SVG of every figure by its name."""
    style = files(__package__).joinpath("page.css").read_text(encoding="utf-8")
    by_part = {title: [o for o in outcomes if part(o.experiment) == name] for name, title in PARTS.items()}
    body = [line for title, chosen in by_part.items() if chosen for line in _part(title, chosen, pictures)]
    contents = [line for title, chosen in by_part.items() if chosen for line in _contents(title, chosen)]
    return "\n".join(
        [
            '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>The paper, recomputed by indicatrix</title>\n<style>\n{style}</style>\n</head>",
            '<body>\n<div class="layout">\n<nav aria-label="Experiments">',
            *contents,
            "</nav>\n<main>",
            *_opening(outcomes),
            *body,
            "</main>\n</div>\n</body>\n</html>\n",
        ]
    )


def _opening(outcomes: Sequence[Outcome]) -> Iterator[str]:
    counted = summary(outcomes)
    yield "<h1>The paper, recomputed</h1>"
    yield (
        '<p class="lead">Every table, example and figure of <i>A Unified Algebraic Framework for Classification Performance '
        "Evaluation</i> (R. C. Prati), computed again with indicatrix, and the entries of its errata. "
        f"{escape(sentence(counted))}</p>"
    )
    numbers = "".join(f"<li><b>{counted[k]:,}</b>{word}</li>" for k, word in COUNTED.items() if counted[k] or k != "missing")
    yield f'<ul class="numbers">{numbers}</ul>'
    yield '<label class="only"><input type="checkbox" id="differences"> show only what differs</label>'


def _contents(title: str, outcomes: Iterable[Outcome]) -> Iterator[str]:
    yield f"<h2>{escape(title.partition(':')[0])}</h2>\n<ol>"
    for outcome in outcomes:
        label = outcome.experiment.label
        yield f'<li><a href="#{_anchor(label)}"><span>{escape(label)}</span>{_badge(outcome)}</a></li>'
    yield "</ol>"


def _badge(outcome: Outcome) -> str:
    counted = summary([outcome])
    if counted["fails"]:
        return f'<span class="badge fails">{counted["fails"]} fail</span>'
    if outcome.missing:
        return '<span class="badge differs">not run</span>'
    if counted["differs"]:
        return f'<span class="badge differs">{counted["differs"]} of {len(outcome.record.claims)} differ</span>'
    return f'<span class="badge agrees">{len(outcome.record.claims)}</span>'


def _part(title: str, outcomes: Iterable[Outcome], pictures: Mapping[str, str]) -> Iterator[str]:
    yield f"<h2>{escape(title)}</h2>"
    for outcome in outcomes:
        experiment, record = outcome.experiment, outcome.record
        yield f'<section class="experiment" id="{_anchor(experiment.label)}">'
        yield f"<h3>{escape(experiment.title)} <code>{escape(experiment.label)}</code></h3>"
        if outcome.missing:
            yield f'<p class="missing">Not run to the end: {escape(outcome.missing)}</p>'
        yield from _figures(record, pictures)
        yield from _all_claims(record.claims)
        for table in record.tables:
            yield from _fold(len(table.rows), f"{table.title}, {len(table.rows):,} rows", _table(table))
        yield from (f'<p class="note">{escape(note)}</p>' for note in record.notes)
        yield "</section>"


def _all_claims(claims: Sequence[Claim]) -> Iterator[str]:
    """Give the claims; of many, only those that differ or fail are open, and the rest is folded."""
    notable = [claim for claim in claims if claim.verdict in NOTABLE]
    if len(claims) > FOLDED and notable:
        yield from _fold(0, "", _claims(notable))
    if claims:
        yield from _fold(len(claims), f"all {len(claims):,} values and statements", _claims(claims))


def _figures(record: Record, pictures: Mapping[str, str]) -> Iterator[str]:
    for picture in record.pictures:
        image = pictures[picture.name]
        image = _own_names(image[image.index("<svg") :], picture.name)
        yield f'<figure role="img" aria-label="{escape(picture.caption, quote=True)}">{image}'
        yield f"<figcaption>{escape(picture.caption)}</figcaption></figure>"


def _own_names(image: str, name: str) -> str:
    """Return a picture whose inner names are unique: two pictures on one page must not share any."""
    image = re.sub(r'\bid="', f'id="{name}-', image)
    return re.sub(r'(url\(#|href="#)', rf"\g<1>{name}-", image)


def _fold(rows: int, title: str, lines: Iterable[str]) -> Iterator[str]:
    if rows > FOLDED:
        yield f"<details><summary>{escape(title)}</summary>"
    yield '<div class="wide">'
    yield from lines
    yield "</div>" + ("</details>" if rows > FOLDED else "")


def _claims(claims: Iterable[Claim]) -> Iterator[str]:
    yield "<table><thead><tr><th></th><th>paper</th><th>ours</th><th>verdict</th><th></th></tr></thead><tbody>"
    for claim in claims:
        verdict = claim.verdict
        yield (
            f'<tr class="{verdict}"><td>{escape(claim.what)}</td><td class="value">{escape(show_paper(claim))}</td>'
            f'<td class="value">{escape(show_ours(claim))}</td><td><span class="verdict">{verdict}</span></td>'
            f'<td class="why">{escape(explain(claim))}</td></tr>'
        )
    yield "</tbody></table>"


def _table(table: Table) -> Iterator[str]:
    header = "".join(f"<th>{escape(str(name))}</th>" for name in table.header)
    yield f"<table><caption>{escape(table.title)}</caption><thead><tr>{header}</tr></thead><tbody>"
    for row in table.rows:
        yield "<tr>" + "".join(f'<td class="value">{escape(show(x))}</td>' for x in row) + "</tr>"
    yield "</tbody></table>"
    if table.note:
        yield f'<p class="note">{escape(table.note)}</p>'


def _anchor(label: str) -> str:
    return label.replace(":", "-")
