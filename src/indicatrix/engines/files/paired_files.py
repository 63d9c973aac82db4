"""Files of the same examples in the same order, each with its own predictions, read side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...words.wording import short
from ..arrow_columns import one_array
from .checkpoint import Place
from .file_run import BEGINNING, FileRun
from .found_files import FoundFile
from .rows_of_file import Piece

Answer = tuple[str, tuple[str, ...]]  # the name of a prediction, and its columns


@dataclass
class PairedRun(FileRun):
    """A run over several inputs at once: truth, groups and weights are those of the first input.

    Each part is the run over one input, with one answer. The rows of all parts must have the same truth, so that a file in
    another order is an error, not a wrong result. Memory holds one piece of each.
    """

    parts: list[FileRun] = field(default_factory=list)

    @classmethod
    def of(cls, parts: list[FileRun]) -> PairedRun:
        """Return the run over inputs that are read side by side."""
        _check_formats(parts)
        first = parts[0]
        answers = tuple((_answer(part)[0], _new_names(part)) for part in parts)
        files = [file for part in parts for file in part.files]
        return cls(files, replace(first.roles, answers=answers), first.dialect, reporter=first.reporter, parts=parts)

    def pieces(self, columns: tuple[str, ...], start: Place = BEGINNING) -> Iterator[tuple[Place, FoundFile, Piece]]:
        """Yield rows of all parts, joined to one batch with the columns of all."""
        del start  # there is no checkpoint to start from
        streams = [part.pieces(part.roles.columns) for part in self.parts]
        held: list[Any] = [None] * len(streams)
        while True:
            held = [next(stream, None) if one is None else one for stream, one in zip(streams, held, strict=True)]
            if all(one is None for one in held):
                return
            self._check_lengths(held)
            n = min(len(piece.batch) for _, _, piece in held)
            self._check_truth(held, n)
            place, file, piece = held[0]
            yield place, file, piece._replace(batch=self._join([p.batch.slice(0, n) for _, _, p in held], columns))
            held = [_after(one, n) for one in held]

    def _join(self, batches: list[Any], columns: tuple[str, ...]) -> Any:
        """Return one batch: columns of the first part, and the predictions of each under its own names."""
        import pyarrow as pa

        found = {name: batches[0].column(name) for name in self.parts[0].roles.columns}
        for part, batch, (_, names) in zip(self.parts, batches, self.roles.answers, strict=True):
            found |= {name: batch.column(column) for name, column in zip(names, _answer(part)[1], strict=True)}
        batch = pa.table({name: one_array(found[name]) for name in columns}).combine_chunks()
        return self._with_values(batch, columns)

    def _check_lengths(self, held: list[Any]) -> None:
        if None in held:
            longer = next(i for i, one in enumerate(held) if one is not None)
            raise ValueError(
                f"{self._name(held.index(None))} has fewer rows than {self._name(longer)}, so they are not the same examples. "
                "Compare them without pairs, or write the predictions into one file."
            )

    def _check_truth(self, held: list[Any], n: int) -> None:
        truth = self.parts[0].roles.true
        for k, (_, _, piece) in enumerate(held[1:], 1):
            for column, other in zip(truth, self.parts[k].roles.true, strict=True):
                one, two = (
                    _plain(batch.column(c).slice(0, n)) for batch, c in ((held[0][2].batch, column), (piece.batch, other))
                )
                if not one.equals(two):
                    self._refuse_truth(k, held[0][2], one.to_pylist(), two.to_pylist())

    def _refuse_truth(self, k: int, piece: Piece, one: list[Any], two: list[Any]) -> None:
        row = next((i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b), 0)
        raise ValueError(
            f"Data row {piece.first + row} is {short(one[row])} in {self._name(0)} and {short(two[row])} in {self._name(k)}: the "
            "rows are not the same examples in the same order. Sort them in the same way, or compare them without pairs."
        )

    def _name(self, k: int) -> str:
        return self.parts[k].files[0].name


def _answer(part: FileRun) -> Answer:
    (answer,) = part.roles.answers
    return answer


def _new_names(part: FileRun) -> tuple[str, ...]:
    """Return names for the columns of predictions that no other part has."""
    name, columns = _answer(part)
    return tuple(f"{name}: {column}" for column in columns)


def _after(one: tuple[Place, FoundFile, Piece], n: int) -> tuple[Place, FoundFile, Piece] | None:
    """Return what is left of a piece after its first rows; None if nothing is left."""
    place, file, piece = one
    if len(piece.batch) == n:
        return None
    return place, file, piece._replace(batch=piece.batch.slice(n), first=piece.first + n)


def _plain(column: Any) -> Any:
    """Return a column whose values can be compared with those of another dictionary."""
    import pyarrow as pa

    column = one_array(column)
    return column.dictionary_decode() if pa.types.is_dictionary(column.type) else column


def _check_formats(parts: list[FileRun]) -> None:
    """Refuse inputs of different kinds: text has no types, and 1 and '1' are different labels."""
    formats = {file.format == "csv" for part in parts for file in part.files}
    if len(formats) > 1:
        raise ValueError(
            "Files of text and files with types cannot be paired: 1 and '1' are different labels. Convert one of them."
        )
