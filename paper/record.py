"""Record: what an experiment writes down, claims, tables and figures; ``experiment`` registers the function that does it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from .claim import Claim, agree

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from .data import Data


@dataclass(frozen=True)
class Table:
    """A table as the paper has it, recomputed: rows of cells, text or numbers."""

    title: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    note: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure to be drawn on demand: its file's name, what draws it, what it shows."""

    name: str
    draw: Callable[[], Figure]
    caption: str


@dataclass
class Record:
    """What one experiment writes down, in its order; ``data`` gives it the data sets and the trained classifiers."""

    label: str
    data: Data
    claims: list[Claim] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def claim(
        self, what: str, *, paper: Any, ours: Any, agrees: bool | None = None, differs: str = "", errata: str = ""
    ) -> Claim:
        """Write down and return the paper's value beside ours.

        A value printed in the paper is given as its text, "0.727", "[0.264, 0.423]" or "53/90", and compared to the digits
        printed; anything else must be equal, or ``agrees`` says what was found. ``differs`` is the reason why a difference is
        known and expected, ``errata`` the label of its explanation; a difference without a reason is a failure.
        """
        found = agree(paper, ours) if agrees is None else bool(agrees)
        made = Claim(what, paper, ours, found, differs, errata)
        self.claims.append(made)
        return made

    def holds(self, statement: str, ours: Any, *, paper: bool = True, differs: str = "", errata: str = "") -> Claim:
        """Write down whether a statement of the paper holds."""
        return self.claim(statement, paper=paper, ours=bool(ours), differs=differs, errata=errata)

    def finds(self, statement: str, ours: Any) -> Claim:
        """Write down whether a statement holds that is ours and not the paper's: what is right instead, what the library does."""
        made = Claim(statement, None, bool(ours), bool(ours), said=False)
        self.claims.append(made)
        return made

    def refuses(self, statement: str, call: Callable[[], Any]) -> Claim:
        """Write down whether the library refuses, as the statement says, what cannot be computed."""
        try:
            call()
        except (ValueError, TypeError):
            return self.finds(statement, ours=True)
        return self.finds(statement, ours=False)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[Any]], *, note: str = "") -> None:
        """Write down a table."""
        self.tables.append(Table(title, header, rows, note))

    def figure(self, name: str, draw: Callable[[], Figure], caption: str) -> None:
        """Write down a figure; it is drawn only if someone wants to see it."""
        self.pictures.append(Picture(name, draw, caption))

    def note(self, text: str) -> None:
        """Write down in plain words what a reader should know: a protocol that was chosen, a seed, where data came from."""
        self.notes.append(text)


@dataclass(frozen=True)
class Experiment:
    """A table, example or figure of the paper, or an entry of its errata, and the function that recomputes it."""

    label: str  # "tab:floors", "ex:dof", "fig:skew"; "A2" for errata
    title: str
    run: Callable[[Record], None]


EXPERIMENTS: dict[str, Experiment] = {}


def experiment(label: str, title: str) -> Callable[[Callable[[Record], None]], Callable[[Record], None]]:
    """Register the function below as the experiment of a label."""

    def register(run: Callable[[Record], None]) -> Callable[[Record], None]:
        if label in EXPERIMENTS and EXPERIMENTS[label].run.__module__ != run.__module__:
            raise ValueError(f"Two experiments are called {label!r}.")
        EXPERIMENTS[label] = Experiment(label, title, run)
        return run

    return register
