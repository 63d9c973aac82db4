"""A sample of mutants: every folder of the library has its share, drawn from a seed."""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from .mutations import Mutation, mutations
from .repository import LIBRARY, ROOT, files

AT_LEAST = 2  # mutants of each folder, however small


@dataclass(frozen=True)
class Mutant:
    """A fault in a module of the library."""

    module: str  # its path below the library's folder
    mutation: Mutation
    text: str  # the line where it stands

    @property
    def name(self) -> str:
        """What tells it from all others: the module, the place and the change."""
        return f"{self.module}:{self.mutation.line}+{self.mutation.start} {self.mutation.change}"

    @property
    def key(self) -> tuple[str, str, str]:
        """What names it in the file of equivalent mutants: the module, the text of the line and the change.

        The line may move.
        """
        return self.module, self.text, self.mutation.change

    @property
    def folder(self) -> str:
        """The folder that it counts for."""
        return folder_of(self.module)

    def __str__(self) -> str:
        return f"{self.module}:{self.mutation.line}  {self.mutation.kind}: {self.mutation.change}"


def modules() -> list[str]:
    """Return the paths of the library's modules below its folder."""
    return [str(Path(path).relative_to(LIBRARY)) for path in files(f"{LIBRARY}/**/*.py")]


def every_mutant(some: Iterable[str] | None = None) -> list[Mutant]:
    """Return all mutants of the library, or of some modules, in the order of the modules and lines."""
    found = []
    for module in modules() if some is None else some:
        source = (ROOT / LIBRARY / module).read_text("utf-8")
        lines = source.splitlines()
        found += [Mutant(module, fault, lines[fault.line - 1].strip()) for fault in mutations(source)]
    return found


def folder_of(module: str) -> str:
    """Return the folder that a module counts for.

    Folders with several rooms count by room, and modules at the top by themselves.

    >>> folder_of("theory/result/exact_scores.py"), folder_of("tally/tally.py"), folder_of("evaluate.py")
    ('theory/result', 'tally', 'evaluate.py')
    """
    parts = Path(module).parts
    rooms = parts[0] in ("settings", "theory") and len(parts) > 2
    return "/".join(parts[:2]) if rooms else parts[0]


def sample(every: list[Mutant], count: int, seed: int) -> list[Mutant]:
    """Return so many mutants; each folder has a share by its number of statements.

    In a folder a statement is drawn first, then its fault. Both are drawn by their texts, so that the sample stays the same where
    the library does: a test that is written for a survivor is tried on it again.
    """
    folders: dict[str, dict[tuple[str, int], list[Mutant]]] = {}
    for mutant in every:
        statements = folders.setdefault(mutant.folder, {})
        statements.setdefault((mutant.module, mutant.mutation.statement), []).append(mutant)
    chosen = []
    for folder, share in shares({name: len(statements) for name, statements in folders.items()}, count).items():
        ranked = sorted(folders[folder].values(), key=lambda faults: lot(seed, *faults[0].key[:2]))
        chosen += [min(faults, key=lambda fault: lot(seed, *fault.key)) for faults in ranked[:share]]
    return chosen


def lot(seed: int, *texts: str) -> str:
    """Return what a seed draws for texts: as good as random, and the same for the same texts."""
    return hashlib.sha256("\0".join([str(seed), *texts]).encode()).hexdigest()


def shares(sizes: dict[str, int], count: int) -> dict[str, int]:
    """Return how many of ``count`` each folder has: in proportion to its size, but a few of each.

    >>> shares({"large": 90, "small": 10, "tiny": 1}, 20)
    {'large': 16, 'small': 3, 'tiny': 1}
    """
    least = {name: min(AT_LEAST, size) for name, size in sizes.items()}
    rest = max(0, count - sum(least.values()))
    room = {name: sizes[name] - least[name] for name in sizes}
    total = sum(room.values()) or 1
    exact = {name: least[name] + min(1, rest / total) * room[name] for name in sizes}
    whole = {name: int(share) for name, share in exact.items()}
    for name in sorted(sizes, key=lambda name: whole[name] - exact[name])[: max(0, count - sum(whole.values()))]:
        whole[name] += 1
    return {name: min(whole[name], sizes[name]) for name in sizes}


def equivalent() -> dict[tuple[str, str, str], str]:
    """Return the mutants that no test could notice, by module, line and change, with the reason."""
    entries = tomllib.loads((Path(__file__).parent / "equivalent.toml").read_text("utf-8")).get("equivalent", [])
    return {(entry["module"], entry["line"], entry["change"]): entry["reason"] for entry in entries}
