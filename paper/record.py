"""Record: the claims, tables and figures of an experiment; ``experiment`` registers its function."""

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
    """A figure to be drawn on demand: the name of its file, the function that draws it, a caption."""

    name: str
    draw: Callable[[], Figure]
    caption: str


@dataclass
class Record:
    """What one experiment writes down, in order; ``data`` has the data sets and trained classifiers."""

    label: str
    data: Data
    claims: list[Claim] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    pictures: list[Picture] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def claim(
        self,
        what: str,
        *,
        paper: Any,
        ours: Any,
        agrees: bool | None = None,
        differs: str = "",
        pinned: Any = None,
        errata: str = "",
    ) -> Claim:
        """Write down and return the paper's value and ours.

        A value printed in the paper is given as its text, "0.727", "[0.264, 0.423]" or "53/90", and compared to the digits
        printed. Anything else must be equal, or ``agrees`` says what was found. ``differs`` is the reason of a known difference;
        it needs ``pinned``, our value, which is compared in the same way, and may have ``errata``, the label of its
        explanation. A difference without a reason, and one that leaves its pin, is a failure.
        """
        found = agree(paper, ours) if agrees is None else bool(agrees)
        return self._keep(Claim(what, paper, ours, found, differs, errata if differs else "", pinned))

    def holds(
        self,
        statement: str,
        ours: Any,
        *,
        paper: bool = True,
        differs: str = "",
        pinned: str | tuple[str, ...] = "",
        errata: str = "",
    ) -> Claim:
        """Write down whether a statement of the paper holds; with ``differs``, ours must be the opposite.

        A reason with numbers of ours needs ``pinned``, its whole text as it is known: other numbers are a failure.
        """
        found, known = bool(ours), not paper if differs else None
        return self._keep(
            Claim(statement, paper, found, found == paper, differs, errata if differs else "", known, known_reason=pinned)
        )

    def declares(self, what: str, *, paper: Any, ours: Any, differs: str = "", pinned: Any = None, errata: str = "") -> Claim:
        """Write down the paper's value and ours, where ours stands in a table of ours and is not computed."""
        found = agree(paper, ours)
        return self._keep(Claim(what, paper, ours, found, differs, errata if differs else "", pinned, kind="declared"))

    def finds(self, statement: str, ours: Any) -> Claim:
        """Write down whether a statement holds that is ours alone, such as what is right instead."""
        return self._keep(Claim(statement, None, bool(ours), bool(ours), kind="ours"))

    def refuses(self, statement: str, call: Callable[[], Any]) -> Claim:
        """Write down whether the library refuses what cannot be computed, as the statement says."""
        try:
            call()
        except (ValueError, TypeError):
            return self.finds(statement, ours=True)
        return self.finds(statement, ours=False)

    def table(self, title: str, header: Sequence[str], rows: Sequence[Sequence[Any]], *, note: str = "") -> None:
        """Write down a table."""
        self.tables.append(Table(title, header, rows, note))

    def figure(self, name: str, draw: Callable[[], Figure], caption: str) -> None:
        """Write down a figure; it is drawn only when it is written to a file."""
        self.pictures.append(Picture(name, draw, caption))

    def note(self, text: str) -> None:
        """Write down what a reader should know: a protocol that was chosen, a seed, the origin of data."""
        self.notes.append(text)

    def _keep(self, claim: Claim) -> Claim:
        self.claims.append(claim)
        return claim


@dataclass(frozen=True)
class Experiment:
    """A table, example or figure of the paper, or an entry of its errata, and its function."""

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
