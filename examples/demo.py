"""Evaluate the example predictions that come with the project and print what a first user sees."""

from __future__ import annotations

import csv
from pathlib import Path

import indicatrix as ix

DATA = Path(__file__).parent / "data"


def read(name: str) -> tuple[list[str], list[str]]:
    """Return the true and the predicted column of a file."""
    with (DATA / name).open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [row["true"] for row in rows], [row["predicted"] for row in rows]


def title(text: str) -> None:
    """Print a heading."""
    print(f"\n{text}\n{'─' * len(text)}\n")


def main() -> None:
    """Print the report of one multiclass and one multilabel problem."""
    title("Handwritten digits: one class per image (examples/data/digits.csv)")
    ev = ix.evaluate(*read("digits.csv"))
    print(ev)

    title("Properties of the same digits: several labels per image (examples/data/properties.csv)")
    labels = ([set(filter(None, row.split(";"))) for row in column] for column in read("properties.csv"))
    print(ix.evaluate(*labels))

    title("A measure of your own")
    youden = ix.measure("tp/(tp+fn) + tn/(tn+fp) - 1", range=(-1, 1))
    print(f'ix.measure("{youden}")\n')
    print(ev.table([youden, "mcc"], ["micro", "macro", "weighted"]))
    known = ix.properties(youden)
    print("\nWhat its formula implies, with evidence:")
    for name in ("decomposable", "skew_invariant", "monotone", "symmetric_roles"):
        print(f"  {name:<16} {known.evidence[name]}")
    print("\nThe README continues from here.")


if __name__ == "__main__":
    main()
