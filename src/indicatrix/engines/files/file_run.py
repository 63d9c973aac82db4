"""One run over files: every row in order, as batches that are ready to count.

How far the reading of files is: rows, rows per second, and the time that is left.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from ...compare.paired_counts import PairedCounts
from ...corrected_evaluation import refuse_markers
from ...evaluation import Evaluation
from ...words.call_mistakes import answers_mistakes
from ...words.wording import listing
from ..arrow_columns import as_texts, is_number_column, is_text_column, one_array, split_labels
from ..column_roles import ColumnRoles
from ..partitions import classes_of, evaluate_batch, finish, labels_in, labels_of
from .bad_rows import BadRows, add_bad_row, find_bad_rows
from .checkpoint import Checkpoint, CountedRows, Place, RunState
from .csv_files import CsvForm
from .found_files import FoundFile
from .rows_of_file import Piece, Rows, Wanted, open_rows
from .text_classes import (
    NumberSpellings,
    check_spellings,
    integers,
    label_like,
    label_values,
    refuse_numbers_as_labels,
    texts_in,
    values_for_text,
    whole_number,
)

BEGINNING = Place()
GROUPED = 4  # times as many rows in a batch: the state of many groups is large, and each batch adds one


@dataclass
class FileRun:
    """What is read, and how; the files are read in their order."""

    files: list[FoundFile]
    roles: ColumnRoles
    dialect: CsvForm = field(default_factory=CsvForm)
    count_bad: bool = False  # rows that cannot be counted are left out; otherwise they are an error
    reporter: Reporter = field(default_factory=lambda: Reporter(None))
    bad: BadRows = field(default_factory=BadRows)
    as_values: frozenset[str] = frozenset()  # columns of text files whose texts are integers, or bools if they hold labels
    spellings: NumberSpellings | None = None  # of labels of text files, as long as it is not known what they mean
    numbers: dict[str, str] = field(default_factory=dict)  # columns that are numbers in a file with types, and that file
    features: frozenset[str] = frozenset()  # groups whose numbers may be fractions, and whose cells may be empty
    opened: list[Rows] = field(default_factory=list)  # the first file, if it is open: who reads it first takes it

    def learn_classes(self) -> None:
        """Find the classes first, where a batch does not show them: texts may stand for integers or bools."""
        classes, roles = self.roles.options.classes, self.roles
        if classes is not None and all(type(c) in (int, bool) for c in classes):
            self.as_values = frozenset(roles.label_columns)
        by = tuple(column for _, column in roles.by)
        self._learn_numbers()
        late = len(roles.answers) > 1  # a joint does not take other names after it was counted
        if not (roles.needs_classes or (late and self._has_text)):
            self._spell_numbers()
            return
        if roles.options.targets is not None:
            each = (labels_of(piece.batch, roles) for _, _, piece in self.pieces(roles.label_columns))
            self.roles = roles.with_classes(classes_of(set().union(*each), roles))
            return
        found: dict[str, set[Any]] = {column: set() for column in (*roles.label_columns, *by)}
        for _, _, piece in self.pieces(tuple(found)) if found else ():  # columns of 0 and 1 have no labels to find
            for column, labels in found.items():
                labels |= labels_in(piece.batch, column)
        labels = set().union(*(found[column] for column in roles.label_columns))
        if classes is None:
            gold = {*roles.gold} or {*roles.true[: roles.design is not None]}  # labels that are there are true
            named = [set().union(*(found[c] for c in roles.label_columns if (c in gold) == own)) for own in (True, False)]
            refuse_markers(*named)
        if self._only_text:
            where = f"{self.files[0].name}, a label"
            meaning: Mapping[Any, Any] | None = label_values(labels | {*(classes or ())}, where)
            if meaning is None and classes is None:
                check_spellings(labels, where)
            names = [column for column in by if integers(found[column], f"{self.files[0].name}, column {column!r}") is not None]
            self.as_values |= {*names, *(roles.label_columns if meaning is not None else ())}
            labels = labels if meaning is None else {*meaning.values()}
            if meaning is not None:
                positive = roles.options.positive
                named = meaning.get(positive, positive) if isinstance(positive, str) else positive
                roles = replace(roles, options=roles.options._replace(positive=named))
                self.roles = roles = roles if classes is None else roles.with_classes(meaning[c] for c in classes)
        if roles.needs_classes:
            self.roles = roles.with_classes(classes_of(labels, roles))

    def _learn_numbers(self) -> None:
        """Find the columns that are numbers or bools in a file with types: texts of others mean the same."""
        typed = next((file for file in self.files if file.format != "csv"), None)
        if typed is None or not self._has_text:
            return
        columns = tuple(dict.fromkeys((*self.roles.label_columns, *(column for _, column in self.roles.by))))
        with open_rows(typed, self.dialect, columns) as rows:
            self.roles.check_columns(rows.columns, typed.name)
            for piece in islice(rows.pieces(Wanted(columns)), 1):
                self.numbers = {column: typed.name for column in columns if is_number_column(piece.batch.column(column).type)}
        self.as_values |= self.numbers.keys()

    def _spell_numbers(self) -> None:
        """Count all spellings of a number as one label, unless given classes say that labels are texts."""
        options = self.roles.options
        given = [] if options.classes is None else [*options.classes]
        if self._only_text and not self.roles.wide and all(whole_number(c) is not None for c in given):
            check_spellings(given, "classes=")
            self.spellings = NumberSpellings(texts_in([*given, *options]))

    @property
    def _only_text(self) -> bool:
        return all(file.format == "csv" for file in self.files)

    @property
    def _has_text(self) -> bool:
        return any(file.format == "csv" for file in self.files)

    def pieces(self, columns: tuple[str, ...], start: Place = BEGINNING) -> Iterator[tuple[Place, FoundFile, Piece]]:
        """Yield the rows of all files after a place."""
        sizes = [file.size or 0 for file in self.files]
        total = self.reporter.resumed = start.total
        for i, file in enumerate(self.files):
            if i < start.file:
                continue
            skip = start.rows if i == start.file else 0
            opened = (
                nullcontext(self.opened.pop()) if i == 0 and self.opened else open_rows(file, self.dialect, self.roles.columns)
            )
            with opened as rows:
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
                    yield (
                        Place(i, end, total, share),
                        file,
                        piece._replace(batch=self._prepare(piece.batch, rows, columns, file.name)),
                    )

    def _prepare(self, batch: Any, rows: Rows, columns: tuple[str, ...], where: str) -> Any:
        """Return a batch with lists for texts of several labels, and values where all texts spell values.

        Features become texts first.
        """
        for column in self.features.intersection(columns):
            batch = batch.set_column(batch.schema.get_field_index(column), column, as_texts(batch.column(column)))
        name = str if rows.typed or self.spellings is None else self.spellings.name
        for column in self.roles.label_columns if self.roles.separator is not None else ():
            if column in columns:
                lists = split_labels(batch.column(column), self.roles.separator or "", blank_is_none=not rows.typed, name=name)
                batch = batch.set_column(batch.schema.get_field_index(column), column, lists)
        return batch if rows.typed else self._with_values(batch, columns, where)

    def _with_values(self, batch: Any, columns: tuple[str, ...], where: str = "") -> Any:
        """Return a batch with values where all texts of a column spell them, and one spelling of each number."""
        labels = () if self.spellings is None else self.roles.label_columns
        for column in self.as_values.union(labels).intersection(columns):
            named = one_array(batch.column(column))
            if is_text_column(named.type):
                named = _rename(named, self._names_in(column))
                self._check_numbers(named, column, where)
                batch = batch.set_column(batch.schema.get_field_index(column), column, named)
        return batch

    def _check_numbers(self, named: Any, column: str, where: str) -> None:
        """Refuse texts that stay texts, where a file with types has numbers or bools."""
        if column in self.numbers and is_text_column(named.type) and len(named.dictionary):
            texts = listing([text for text in named.dictionary.to_pylist() if label_values([text]) is None] or ["…"])
            raise ValueError(
                f"{where}, column {column!r}: not every cell is a whole number or a bool ({texts}), and {self.numbers[column]} "
                "has no texts there. Labels and groups must be of one type in all files: convert one of the columns."
            )

    def _names_in(self, column: str) -> Callable[[list[str]], Mapping[str, Any] | None]:
        """Return what gives the texts of a column their names."""
        if column not in self.as_values:
            assert self.spellings is not None
            name = self.spellings.name
            return lambda texts: {text: name(text) for text in texts}
        return label_values if column in self.roles.label_columns else integers

    def count(self, checkpoint: Checkpoint | None = None) -> Any:
        """Return the state of all rows."""
        self.learn_classes()
        counted = RunState(CountedRows(self.roles), self.bad, self.spellings)
        start = BEGINNING if checkpoint is None else checkpoint.load(counted)
        last = self._count_from(start, counted, checkpoint)
        if last == BEGINNING:
            name = self.files[0].name if len(self.files) == 1 else f"{self.files[0].name} and the other files"
            raise ValueError(f"{name} has columns but no rows. Give a file with one example per row.")
        if last.share != 1:
            self.reporter.report(self.files[-1].name, last.total, 1.0)
        if checkpoint is not None:
            checkpoint.save(Place(len(self.files), 0, last.total), counted, now=True)
        return self._finish(counted.rows.state)

    def _count_from(self, start: Place, counted: RunState, checkpoint: Checkpoint | None) -> Place:
        """Count all rows after a place; return the last one. If it is stopped, a checkpoint keeps the counts."""
        done, whole = start, True
        try:
            for place, file, piece in self.pieces(self.roles.columns, start):
                with interrupted_after():
                    whole = False  # half of a piece may have been added
                    self._count(counted.rows, file, piece)
                    done, whole = place, True
                if checkpoint is not None:
                    checkpoint.save(done, counted)
        except BaseException:
            if checkpoint is not None and whole and done != start:
                checkpoint.save(done, counted, now=True)
            raise
        return done

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
                kind = ValueError if isinstance(wrong, ValueError) else TypeError
                named = file.name in str(wrong) or not self._is_about_rows(batch)
                raise kind(str(wrong) if named else f"{file.name}: {wrong}") from wrong
            for row in np.flatnonzero(bad).tolist():
                text = piece.place(file.name, row if numbers is None else int(numbers[row])) + explain(row)
                if not self.count_bad:
                    raise ValueError(text) from None
                add_bad_row(self.bad, text)
            counted.add(batch.take(_indices(np.flatnonzero(~bad))))

    def _is_about_rows(self, batch: Any) -> bool:
        """Return whether a batch without rows has no error: otherwise, the options have it, and not the file."""
        try:
            evaluate_batch(batch.slice(0, 0), self.roles)
        except (ValueError, TypeError):
            return False
        return True

    def _finish(self, state: Any) -> Any:
        """Return the state with the names that are known only after the last row."""
        roles, name = self.roles, self.files[0].name
        self._refuse_scores(state)
        if isinstance(state, Evaluation) and self._only_text and roles.options.targets is not None:
            for target in roles.options.targets:
                check_spellings((label for of, label in state.classes if of == target), f"{name}, a label of {target!r}")
        elif isinstance(state, Evaluation) and self._only_text and not roles.wide:
            state = values_for_text(state, None if self.spellings is None else self.spellings.of_names, name)
            positive = roles.options.positive
            if isinstance(positive, str) and state.classes:
                roles = replace(roles, options=roles.options._replace(positive=label_like(positive, state.classes[0])))
        state = finish(state, roles)
        if not self.count_bad:
            return state
        if isinstance(state, PairedCounts):
            return replace(state, evaluations=tuple(replace(ev, bad_rows=self.bad) for ev in state.evaluations))
        return replace(state, bad_rows=self.bad)

    def _refuse_scores(self, state: Any) -> None:
        """Refuse scores that were read as labels, because no class was named that tells what is meant."""
        roles = self.roles
        if self._only_text and roles.options.classes is None and not (roles.scored or roles.wide or roles.options.targets):
            counted = state.evaluations if isinstance(state, PairedCounts) else (state,)
            for ev, (_, columns) in zip(counted, roles.answers, strict=True):
                refuse_numbers_as_labels(ev, roles.true[0], columns[0], self.files[0].name)


def _indices(rows: Any) -> Any:
    import pyarrow as pa

    return pa.array(rows, pa.int64())


def _rename(column: Any, names_of: Callable[[list[str]], Mapping[str, Any] | None]) -> Any:
    """Return a column of texts with other names; as it is without names, or with integers over 64 bits."""
    import pyarrow as pa

    codes = column if pa.types.is_dictionary(column.type) else column.dictionary_encode()
    texts = codes.dictionary.to_pylist()
    meaning = names_of(texts)
    names = [] if meaning is None else [meaning[text] for text in texts]
    if meaning is None or names == texts or any(type(name) is int and abs(name) >= 2**63 for name in names):
        return column
    places = {name: at for at, name in enumerate(dict.fromkeys(names))}
    indices = codes.indices
    if len(places) < len(names):  # two texts have the same name
        indices = pa.array([places[name] for name in names], pa.int32()).take(indices)
    named = pa.DictionaryArray.from_arrays(indices, pa.array([*places]))
    return named.dictionary_decode() if pa.types.is_boolean(named.type.value_type) else named


@contextlib.contextmanager
def interrupted_after() -> Iterator[None]:
    """Let Ctrl-C wait until the block is done, so that nothing is counted by half.

    Where the program has its own way with Ctrl-C, or in another thread than the main one, nothing is changed.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        yield
        return
    waiting: list[Any] = []
    signal.signal(signal.SIGINT, lambda *given: waiting.append(given))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if waiting:
        raise KeyboardInterrupt


STEP = 0.2  # seconds between two states of the line
WIDTH = 30  # of the bar
CLEAR = "\r\x1b[K"


def bar(share: float) -> str:
    """Return a bar for the share of the work that is done, to stand before a text.

    >>> bar(0.5)
    '[###############---------------]  50%  '
    """
    done = min(max(share, 0.0), 1.0)
    full = int(done * WIDTH)
    return f"[{'#' * full}{'-' * (WIDTH - full)}] {done:4.0%}  "


@answers_mistakes
class Progress(NamedTuple):
    """A moment of a run.

    Attributes
    ----------
    file : str
        The file that is read.
    rows : int
        How many rows were read.
    share : float or None
        Which share of all files was read, if that is known.
    seconds : float
        How long it has taken.
    resumed : int
        How many of the rows an earlier run had counted, whose checkpoint this one goes on from.
    """

    file: str
    rows: int
    share: float | None
    seconds: float
    resumed: int = 0

    @property
    def left(self) -> float | None:
        """The seconds that are probably left, if the share is known."""
        own = self.rows - self.resumed  # rows, which took the seconds
        return None if not self.share or not own else self.seconds * (1 - self.share) / self.share * (self.rows / own)

    @property
    def text(self) -> str:
        """The rows, the rate and the time left.

        >>> Progress("a.csv", 4_000_000, 0.5, 2.0).text
        'a.csv: 4,000,000 rows, 2.0 million rows/s, 2 s left'
        """
        rate = (self.rows - self.resumed) / self.seconds if self.seconds else 0
        speed = f", {rate / 1e6:.1f} million rows/s" if rate >= 1e5 else f", {rate:,.0f} rows/s" if rate else ""
        left = "" if self.left is None else f", {_time(self.left)} left"
        return f"{self.file}: {self.rows:,} rows{speed}{left}"


def _time(seconds: float) -> str:
    whole = round(seconds)
    return f"{whole} s" if whole < 100 else f"{whole // 60} min" if whole < 6000 else f"{whole / 3600:.1f} h"


class Reporter:
    """Calls what the caller gave with the progress; True draws a line on standard error."""

    def __init__(self, progress: Any) -> None:
        if not (isinstance(progress, bool) or progress is None or callable(progress)):
            raise TypeError(f"progress={progress!r} must be True, False or a function of an ix.types.Progress.")
        self.start = time.monotonic()
        self.tell: Callable[[Progress], Any] | None = self._draw if progress is True else (progress or None)
        self.drawn = 0.0
        self.resumed = 0  # rows that an earlier run had counted

    def report(self, file: str, rows: int, share: float | None) -> None:
        """Say how far the run is, given the rows that this run and an earlier one have read."""
        if self.tell is not None:
            self.tell(Progress(file, rows, share, time.monotonic() - self.start, self.resumed))

    def _draw(self, now: Progress) -> None:
        if now.seconds - self.drawn >= STEP:
            self.drawn = now.seconds
            sys.stderr.write(f"{CLEAR}{'' if now.share is None else bar(now.share)}{now.text}")
            sys.stderr.flush()

    def end(self) -> None:
        """Take the line off the screen."""
        if self.drawn:
            sys.stderr.write(CLEAR)
            sys.stderr.flush()
