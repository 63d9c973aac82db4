"""Results in a file that grows while cells are simulated, and the tables that are made of it."""

from __future__ import annotations

import csv
from collections.abc import Callable, Collection, Iterable
from dataclasses import fields
from pathlib import Path
from statistics import median
from typing import Any

from .possible import inside_by_chance
from .scores import Set, sets
from .simulation import LEAST, WITHIN, Cell

FEW = 3  # errors, below which the coverage of a share has large steps
COLUMNS = [field.name for field in fields(Cell)]


def read(path: Path) -> list[Cell]:
    """Return the cells of a file; none if it does not exist yet."""
    if not path.exists():
        return []
    with path.open(encoding="utf-8", newline="") as file:
        return [Cell(**{k: _read(k, v) for k, v in row.items()}) for row in csv.DictReader(file)]


def _read(column: str, text: str) -> Any:
    kind = {field.name: field.type for field in fields(Cell)}[column]
    return {"str": str, "int": int, "float": float}[str(kind)](text)


def append(path: Path, cells: Iterable[Cell]) -> None:
    """Write more cells to a file."""
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS, lineterminator="\n")
        if new:
            writer.writeheader()
        writer.writerows(cell.as_row() for cell in cells)


def todo(chosen: Iterable[Set], done: Iterable[Cell], scores: Collection[str] | None = None) -> list[tuple[Set, list[str]]]:
    """Return the scores of sets that a file does not have yet; those that are named, or all."""
    have: dict[tuple[str, str, int], set[str]] = {}
    for cell in done:
        have.setdefault(_set_of(cell), set()).add(cell.score)
    found = []
    for some in chosen:
        known = have.get(_set_of(some), set())
        found.append((some, [name for name in some.scores if name not in known and (scores is None or name in scores)]))
    return [(some, names) for some, names in found if names]


PAGE = Path(__file__).parent / "page.md.in"  # with a place for the tables


def page(cells: list[Cell], tried: str) -> str:
    """Return the page of the documentation; ``tried`` says what any method can do."""
    most = [max(cell.samples for cell in own) for own in _sets(cells)]
    samples = f"{min(most):,}" if min(most) == max(most) else f"{min(most):,} to {max(most):,}"
    error = 2 * (0.95 * 0.05 / min(most)) ** 0.5
    text = "\n".join(f"- {line}" for line in _aims(cells))
    if misled := _misled(cells):
        text += "\n\nBelow .90 without a note:\n\n" + "\n".join(f"- {line}" for line in misled)
    return PAGE.read_text(encoding="utf-8").format(samples=samples, error=error, summary=text, tried=tried, table=table(cells))


def _sets(cells: list[Cell]) -> list[list[Cell]]:
    """Return the cells of each population and size."""
    found: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in cells:
        found.setdefault(_set_of(cell), []).append(cell)
    return [*found.values()]


def summary(cells: list[Cell]) -> str:
    """Return what the aims are, and how many cells reach them."""
    return "\n".join([*_aims(cells), *(f"  {line}" for line in _misled(cells))])


def _set_of(cell: Cell | Set) -> tuple[str, str, int]:
    """Return the kind of data, the population and the number of examples."""
    return (
        (cell.kind, cell.population, cell.n) if isinstance(cell, Cell) else (cell.population.kind, str(cell.population), cell.n)
    )


def _with_interval(cells: list[Cell]) -> list[Cell]:
    """Return the cells whose score has an interval in at least a quarter of the samples."""
    most = {_set_of(own[0]): max(cell.samples for cell in own) for own in _sets(cells)}
    return [cell for cell in cells if cell.samples and 4 * cell.samples >= most[_set_of(cell)]]


def _aims(cells: list[Cell]) -> list[str]:
    known = _with_interval(cells)
    can = [cell for cell in known if cell.can_be_as_aimed]
    near = [cell for cell in known if cell.nearby == cell.nearby]
    widths = [_middle([c.width for c in some]) for some in ([c for c in known if c.n >= 100], known)]
    exact = sum(inside_by_chance(cell.samples, 0.95, WITHIN) for cell in known) / max(len(known), 1)
    lines = [
        f"Pointwise: {len(known):,} cells; {_aimed(known)} cover between {WITHIN[0]} and {WITHIN[1]}. Coverage of exactly .95 "
        f"in every cell would seem to in {exact:.1%}, because it is counted in so few samples.",
        f"Pointwise, by the number of examples: {_by_size(known)}.",
        f"Possible: in {len(can):,} the score has enough different values that an interval can; of these {_aimed(can)} do.",
        f"Possible, by the number of examples: {_by_size(can)}.",
    ]
    if (anew := [cell for cell in known if cell.seed]) and len(anew) < len(known):
        lines.append(f"Drawn anew: {len(anew):,} cells, from a seed that no method was tried with; {_aimed(anew)} inside.")
    if near:
        inside = sum(cell.as_aimed_nearby for cell in near) / len(near)
        lines.append(
            f"Mean coverage: {len(near):,} cells have neighbors; over these, {inside:.1%} cover between {WITHIN[0]} and "
            f"{WITHIN[1]} on average, and {_aimed(near)} pointwise."
        )
    errors = {_set_of(some): some.rare_errors for some in sets() if some.population.kind == "one class"}
    of_one_class = [cell for cell in known if _set_of(cell) in errors]
    for name, own in (
        (f"at least {FEW}", [cell for cell in of_one_class if errors[_set_of(cell)] >= FEW]),
        ("fewer", [cell for cell in of_one_class if errors[_set_of(cell)] < FEW]),
    ):
        if own:
            lines.append(
                f"One class for each, {name} errors expected on the rarest class: {len(own):,} cells, {_aimed(own)} inside."
            )
    if less := len(cells) - len(known):
        lines.append(f"{less} other cells have no interval in most samples: it is refused, or the score has no value.")
    return [
        *lines,
        f"Of all {len(known):,}, {_share(known, lambda c: c.coverage < WITHIN[0])} cover less and "
        f"{_share(known, lambda c: c.coverage > WITHIN[1])} more.",
        f"{len(_misled(cells))} cover less than {LEAST:g} without a note.",
        f"Median width for 100 examples or more: {widths[0]} of the ideal; of all cells: {widths[1]}.",
    ]


def _share(cells: list[Cell], holds: Callable[[Cell], bool]) -> str:
    return f"{sum(map(holds, cells)) / len(cells):.1%}" if cells else "none"


def _by_size(cells: list[Cell]) -> str:
    return ", ".join(f"{_aimed([c for c in cells if c.n == n])} at {n:,}" for n in sorted({c.n for c in cells}))


def _misled(cells: list[Cell]) -> list[str]:
    known = _with_interval(cells)
    return [f"{c.kind}: {c.population}, n = {c.n}, {c.score}: {_short(c.coverage)}" for c in known if c.misleads]


def _aimed(cells: list[Cell]) -> str:
    return _share(cells, lambda cell: cell.as_aimed)


def table(cells: list[Cell]) -> str:
    """Return a Markdown table: for each kind, score and size what all populations have together."""
    compared = {"percentile": "bootstrap", "delta": "delta"} if any(cell.delta == cell.delta for cell in cells) else {}
    columns = [
        "",
        "n",
        "cells",
        "can be",
        "as aimed",
        "coverage",
        "mean",
        "low misses",
        "high misses",
        "width ÷ ideal",
        "with a note",
    ]
    columns += compared.values()
    lines = ["| " + " | ".join(columns) + " |", "|---" * len(columns) + "|"]
    groups: dict[tuple[str, str, int], list[Cell]] = {}
    for cell in _with_interval(cells):
        if cell.coverage == cell.coverage:
            groups.setdefault((cell.kind, cell.score, cell.n), []).append(cell)
    for (kind, score, n), own in groups.items():
        can, aimed = sum(cell.can_be_as_aimed for cell in own), sum(cell.as_aimed for cell in own)
        spans = (_span([getattr(cell, name) for cell in own]) for name in ("coverage", "nearby", "low_misses", "high_misses"))
        width, noted = _middle([cell.width for cell in own]), _middle([cell.noted for cell in own])
        others = (_span([getattr(cell, name) for cell in own]) for name in compared)
        lines.append(
            "| " + " | ".join([f"{kind}: {score}", *map(str, (n, len(own), can, aimed)), *spans, width, noted, *others]) + " |"
        )
    return "\n".join(lines)


def _known(numbers: Iterable[float]) -> list[float]:
    return [x for x in numbers if x == x]


def _span(numbers: Iterable[float]) -> str:
    known = _known(numbers)
    return f"{_short(min(known))}–{_short(max(known))}" if known else ""


def _middle(numbers: Iterable[float]) -> str:
    known = _known(numbers)
    return _short(median(known)) if known else ""


def _short(share: float) -> str:
    return f"{share:.3f}".removeprefix("0") if share < 1 else f"{share:.2f}"
