"""One run over files: every row in order, as batches that are ready to count."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

import numpy as np

from ...comparison.joint import Joint
from ...evaluation import Evaluation
from ..arrow_columns import is_text_column, one_array, split_labels
from ..column_roles import ColumnRoles
from ..record_batches import classes_of, finish, labels_in, labels_of
from .bad_rows import BadRows, add_bad_row, find_bad_rows
from .checkpoint import Checkpoint
from .counted_rows import CountedRows
from .csv_files import Dialect
from .found_files import FoundFile
from .progress import Reporter
from .rows_of_file import Piece, Rows, Wanted, open_rows
from .text_classes import integers, integers_for_text

GROUPED = 4  # times as many rows in a batch: the state of many groups is large, and each batch adds one


class Place(NamedTuple):
    """Where a run is: the file, the rows of it that were read, and the share of all files."""

    file: int
    rows: int
    share: float | None


@dataclass
class FileRun:
    """What is read, and how; the files are read in their order."""

    files: list[FoundFile]
    roles: ColumnRoles
    dialect: Dialect = field(default_factory=Dialect)
    count_bad: bool = False  # rows that cannot be counted are left out; otherwise they are an error
    reporter: Reporter = field(default_factory=lambda: Reporter(None))
    bad: BadRows = field(default_factory=BadRows)
    as_integers: frozenset[str] = frozenset()  # columns of text files whose texts are integers

    def learn_classes(self) -> None:
        """Find the classes first, where a batch alone does not show them: texts may stand for integers."""
        classes, roles = self.roles.options.classes, self.roles
        if classes is not None and all(type(c) is int for c in classes):
            self.as_integers = frozenset(roles.label_columns)
        by = tuple(column for _, column in roles.by)
        late = len(roles.answers) > 1  # a joint does not take other names after it was counted
        if not (roles.needs_classes or (late and self._has_text)):
            return
        if roles.options.targets is not None:
            each = (labels_of(piece.batch, roles) for _, _, piece in self.pieces(roles.label_columns))
            self.roles = roles.with_classes(classes_of(set().union(*each), roles))
            return
        found: dict[str, set[Any]] = {column: set() for column in (*roles.label_columns, *by)}
        for _, _, piece in self.pieces(tuple(found)):
            for column, labels in found.items():
                labels |= labels_in(piece.batch, column)
        labels = set().union(*(found[column] for column in roles.label_columns))
        if self._has_text:
            meaning = integers(labels | {*(classes or ())}, f"{self.files[0].name}, a label")
            names = [column for column in by if integers(found[column], f"{self.files[0].name}, column {column!r}") is not None]
            self.as_integers |= {*names, *(roles.label_columns if meaning is not None else ())}
            labels = labels if meaning is None else {*meaning.values()}
            if meaning is not None and classes is not None:
                self.roles = roles = roles.with_classes(meaning[c] for c in classes)
        if roles.needs_classes:
            self.roles = roles.with_classes(classes_of(labels, roles))

    @property
    def _has_text(self) -> bool:
        return any(file.format == "csv" for file in self.files)

    def pieces(self, columns: tuple[str, ...], start: tuple[int, int] = (0, 0)) -> Iterator[tuple[Place, FoundFile, Piece]]:
        """Yield the rows of all files after a place."""
        sizes = [file.size or 0 for file in self.files]
        total = 0
        for i, file in enumerate(self.files):
            if i < start[0]:
                continue
            skip = start[1] if i == start[0] else 0
            with open_rows(file, self.dialect, self.roles.columns) as rows:
                self.roles.check_columns(rows.columns, file.name)
                times = GROUPED if self.roles.by else 1
                wanted = Wanted(columns, self.roles.number_columns, skip, self.count_bad, self.roles.separator is None, times)
                for piece in rows.pieces(wanted):
                    here = rows.share()
                    whole = sum(sizes)
                    share = None if here is None or not whole else (sum(sizes[:i]) + here * sizes[i]) / whole
                    total += len(piece.batch)
                    self.reporter.report(file.name, total, share)
                    end = piece.first + len(piece.batch) - 1
                    yield Place(i, end, share), file, piece._replace(batch=self._prepared(piece.batch, rows, columns))

    def _prepared(self, batch: Any, rows: Rows, columns: tuple[str, ...]) -> Any:
        """Return a batch with lists for texts of several labels, and integers where all texts are integers."""
        for column in self.roles.label_columns if self.roles.separator is not None else ():
            if column in columns:
                lists = split_labels(batch.column(column), self.roles.separator or "", blank_is_none=not rows.typed)
                batch = batch.set_column(batch.schema.get_field_index(column), column, lists)
        return batch if rows.typed else self._with_integers(batch, columns)

    def _with_integers(self, batch: Any, columns: tuple[str, ...]) -> Any:
        """Return a batch with integers in the columns of which all texts are integers."""
        for column in self.as_integers.intersection(columns):
            whole = _whole_numbers(batch.column(column))
            if whole is not None:
                batch = batch.set_column(batch.schema.get_field_index(column), column, whole)
        return batch

    def count(self, checkpoint: Checkpoint | None = None) -> Any:
        """Return the state of all rows."""
        self.learn_classes()
        counted = CountedRows(self.roles)
        start = (0, 0) if checkpoint is None else checkpoint.load(counted, self.bad)
        some = start != (0, 0)
        for place, file, piece in self.pieces(self.roles.columns, start):
            self._count(counted, file, piece)
            some = True
            if checkpoint is not None:
                checkpoint.save(place.file, place.rows, counted, self.bad)
        if not some:
            name = self.files[0].name if len(self.files) == 1 else f"{self.files[0].name} and the other files"
            raise ValueError(f"{name} has columns but no rows. Give a file with one example per row.")
        if checkpoint is not None:
            checkpoint.save(len(self.files), 0, counted, self.bad, now=True)
        return self._finished(counted.state)

    def _count(self, counted: CountedRows, file: FoundFile, piece: Piece) -> None:
        batch, first = piece.batch, piece.first
        numbers = None  # of the rows that are left, if some are not
        if piece.bad:
            for row, why in sorted(piece.bad.items()):
                add_bad_row(self.bad, f"{piece.place(file.name, row - first)}: {why}")
            numbers = np.array([i for i in range(len(batch)) if first + i not in piece.bad], np.int64)
            batch = batch.take(_indices(numbers))
        try:
            counted.add(batch)
        except (ValueError, TypeError) as wrong:
            bad, explain = find_bad_rows(batch, self.roles)
            if not bad.any():
                raise type(wrong)(str(wrong)) from wrong
            for row in np.flatnonzero(bad).tolist():
                text = piece.place(file.name, row if numbers is None else int(numbers[row])) + explain(row)
                if not self.count_bad:
                    raise ValueError(text) from None
                add_bad_row(self.bad, text)
            counted.add(batch.take(_indices(np.flatnonzero(~bad))))

    def _finished(self, state: Any) -> Any:
        """Return the state with the names that are known only after the last row."""
        text = all(file.format == "csv" for file in self.files) and not self.roles.wide
        if isinstance(state, Evaluation) and text and self.roles.options.targets is None:
            state = integers_for_text(state, self.files[0].name)
        state = finish(state, self.roles)
        if not self.count_bad:
            return state
        if isinstance(state, Joint):
            return replace(state, evaluations=tuple(replace(ev, bad_rows=self.bad) for ev in state.evaluations))
        return replace(state, bad_rows=self.bad)


def _indices(rows: Any) -> Any:
    import pyarrow as pa

    return pa.array(rows, pa.int64())


def _whole_numbers(column: Any) -> Any:
    """Return texts of plain integers as integers; None if some are not, or are too long for 64 bits."""
    import pyarrow as pa

    column = one_array(column)
    if not is_text_column(column.type):
        return None
    column = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    meaning = integers(column.dictionary.to_pylist())
    if meaning is None or any(abs(value) >= 2**63 for value in meaning.values()):
        return None
    return pa.DictionaryArray.from_arrays(column.indices, pa.array([*meaning.values()], pa.int64()))
