"""What was counted of files so far, and checkpoints of it for a run that was interrupted.

A checkpoint says of which files, and with which options. Options are told apart by digests of their values: the text of a large
array is cut in its middle, so that it says too little.
"""

from __future__ import annotations

import hashlib
import os
import pickle
import secrets
import time
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import is_dataclass, replace
from fractions import Fraction
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import numpy as np

from ...encode.plain_forms import Labels
from ...evaluate import OPTION_NAMES
from ...settings.options import PER_ROW
from ...storage.formats import CHECKPOINT, FORMATS, NAMES, check_replaceable, from_data, read_file, with_format, write_file
from ...storage.json_values import dict_in, fields, list_in, text_in, whole_in
from ...tally.states.replicates import replicates_of
from ...words.wording import short
from ..column_roles import ColumnRoles
from ..counted_batches import PENDING
from ..partitions import evaluate_batch, holds_lists, names_positive_late, read_batch, sum_states
from ..stream import Stream
from .bad_rows import BadRows
from .found_files import FoundFile
from .text_classes import NumberSpellings

STATES = {"evaluation": "Evaluation", "joint": "PairedCounts", "binned": "Sweep"}  # what a checkpoint calls each class
PLAIN = (type(None), bool, int, float, complex, str, bytes, Fraction)
VERSION = 3  # of the format
FIELDS = ("run", "file", "rows", "total", "bad", "numbers", "state")  # what it holds
COLUMNS = (
    "true",
    "answers",
    "by",
    "sample_weight",
    "mask",
    "bits",
    "separator",
    "gold",
    "design",
)  # what the roles say about columns


class CountedRows:
    """The sum of the states of batches; plain labels are counted in place."""

    def __init__(self, roles: ColumnRoles) -> None:
        self.roles = roles
        given = {name: getattr(roles.options, name) for name in OPTION_NAMES if name not in PER_ROW}
        if names_positive_late(roles):
            given["positive"] = None  # named after the last batch
        self._stream = Stream(**given) if len(roles.answers) == 1 and roles.bits is None else None
        self._states: list[Any] = []
        self._row = 0  # the number of the next row, for replicates

    def add(self, batch: Any) -> None:
        """Count a batch; one that is refused changes nothing."""
        if self._stream is None or holds_lists(batch, self.roles):
            self._states.append(evaluate_batch(batch, self._roles_with_number()))
            self._row += batch.num_rows
            if len(self._states) >= PENDING:
                self._states = [sum_states(self._states)]
            return
        true, answers, rows = read_batch(batch, self.roles)
        (answer,) = answers.values()
        self._stream.update(_plain(true), _plain(answer), **rows)

    def _roles_with_number(self) -> ColumnRoles:
        """Return the roles with the number of the first row, if replicates are asked for."""
        asked = replicates_of(self.roles.options.replicates)
        if asked is None:
            return self.roles
        here = replace(asked, first_row=asked.first_row + self._row)
        return replace(self.roles, options=self.roles.options._replace(replicates=here))

    @property
    def state(self) -> Any:
        """The sum of all batches so far, without the name of a positive class that a batch may lack."""
        self._states = [sum_states(self._states)] if self._states else []
        counted = [] if self._stream is None or not self._stream.n else [self._stream.evaluation]
        return sum_states([*self._states, *counted])

    def to_json(self) -> dict[str, Any]:
        """Return the state as plain data."""
        state = self.state
        return {called: with_format(state) for called, kind in STATES.items() if kind == type(state).__name__}

    @property
    def n(self) -> int:
        """How many rows were counted."""
        counted: int = sum(state.n for state in self._states)
        return counted + (0 if self._stream is None else self._stream.n)

    def load(self, data: Any) -> None:
        """Take a state that ``to_json`` returned as the first one."""
        kinds = [*data] if isinstance(data, dict) else []
        if kinds == ["evaluation"] and self._stream is not None:
            self._stream.load_state_dict(dict_in(data["evaluation"], "the state"))
            tally, options = self._stream.evaluation.tally, self.roles.options
            plain = (tally.targets, tally.grouping) == (None, "target")
            if not plain and not options.targets and options.hierarchy is None:
                raise ValueError(f"what was counted has columns for each {tally.grouping}, and this run has none")
        elif kinds in (["joint"], ["binned"]):
            name = NAMES[STATES[kinds[0]]]
            self._states = [from_data(name, FORMATS[name].versions[-1], dict_in(data[kinds[0]], "the state"))]
        else:
            raise ValueError(
                f"what was counted is {short(kinds or data)}, not an evaluation, a joint or binned scores of this run"
            )
        self._row = self.n


def _plain(labels: Any) -> Any:
    """Return labels that are numbers as an array."""
    return labels.values if isinstance(labels, Labels) and labels.categories is None else labels


class Place(NamedTuple):
    """Where a run is."""

    file: int = 0
    rows: int = 0  # of this file that were read
    total: int = 0  # rows that were read of all files
    share: float | None = None  # of all files


class RunState(NamedTuple):
    """What a run has counted, and what it knows about the rows."""

    rows: CountedRows
    bad: BadRows
    spellings: NumberSpellings | None = None


class Checkpoint:
    """A file that holds how far a run came; it is written every few seconds, completely or not at all.

    A disk that is full does not end the run: it goes on without the file, and says so once.
    """

    def __init__(self, path: str | os.PathLike[str], facts: dict[str, Any], seconds: float) -> None:
        self.path, self.facts, self.seconds = check_replaceable(path), facts, seconds
        self.written = time.monotonic()
        self.failed = False

    def load(self, counted: RunState) -> Place:
        """Take up what was counted before; return where to go on."""
        if not self.path.exists():
            return Place()

        def read(_form: str, _version: int, data: dict[str, Any]) -> Place:
            run, file, rows, total, bad, numbers, state = fields(data, FIELDS, "the checkpoint")
            difference = _difference(run, self.facts)
            if difference:
                raise ValueError(f"it is of another run: {difference}. Name another file, or remove this one to start again")
            place = Place(whole_in(file, "'file'"), whole_in(rows, "'rows'"), whole_in(total, "'total'"))
            if place.file > self.facts["number"] or (place.file == self.facts["number"] and place.rows):
                raise ValueError(f"it is at row {place.rows} of file {place.file}, and there are {self.facts['number']} files")
            if place.rows > place.total or (place.file == 0 and place.rows < place.total):
                raise ValueError(f"it is at row {place.rows} of file {place.file} after {place.total} rows")
            count, first = fields(bad, ("count", "first"), "what is bad")
            texts = [text_in(text, "a text of a number") for text in list_in(numbers, "the texts of numbers")]
            counted.bad.count = whole_in(count, "the number of bad rows")
            counted.bad.first = [text_in(text, "a bad row") for text in list_in(first, "the bad rows")]
            if state is not None:
                counted.rows.load(state)
            if counted.rows.n + counted.bad.count != place.total:
                raise ValueError(
                    f"{place.total} rows were read, but {counted.rows.n} were counted and {counted.bad.count} were left out"
                )
            if counted.spellings is not None:
                counted.spellings.load(texts)
            return place

        return read_file(self.path, {CHECKPOINT: (VERSION,)}, "checkpoint", read)

    def save(self, place: Place, counted: RunState, *, now: bool = False) -> None:
        """Write how far the run came, if enough time has passed or ``now``."""
        if not now and time.monotonic() - self.written < self.seconds:
            return
        facts = {
            "run": self.facts,
            "file": place.file,
            "rows": place.rows,
            "total": place.total,
            "bad": {"count": counted.bad.count, "first": counted.bad.first},
            "numbers": [] if counted.spellings is None else counted.spellings.texts,
            "state": counted.rows.to_json() if place.rows or place.file else None,
        }
        try:
            write_file(self.path, {"format": CHECKPOINT, "version": VERSION, **facts})
        except OSError as wrong:
            self._say_failure(wrong)
        self.written = time.monotonic()

    def _say_failure(self, wrong: OSError) -> None:
        if not self.failed:
            self.failed = True
            warnings.warn(
                f"The checkpoint {self.path} cannot be written: {wrong.strerror or wrong}. The run goes on; if it is "
                "interrupted, the next one starts from an earlier checkpoint, or from the beginning.",
                RuntimeWarning,
                stacklevel=2,
            )


def run_facts(files: list[FoundFile], roles: ColumnRoles, reading: dict[str, Any]) -> dict[str, Any]:
    """Return what a run is: its files with their sizes and times, its columns and its options."""
    options = {**roles.options._asdict(), **reading}
    columns = {name: getattr(roles, name) for name in COLUMNS}
    listed = [file.facts for file in files]
    shown = listed if len(listed) <= 1000 else []  # of more files only the digest
    return {
        "files": shown,
        "number": len(files),
        "digest": digest(listed),
        "columns": _described(columns),
        "options": _described(options),
    }


def _described(values: dict[str, Any]) -> dict[str, list[str]]:
    """Return the digest of each value, which tells runs apart, and a text for messages."""
    return {name: [digest(value), short(value, 200)] for name, value in values.items()}


def _difference(before: Any, now: dict[str, Any]) -> str:
    """Return how two runs differ, in words; "" if they are the same."""
    files, number, whole, *both = fields(before, ("files", "number", "digest", "columns", "options"), "the run")
    for values, what in zip(both, ("columns", "options"), strict=True):
        for name, (own, shown) in now[what].items():
            (given,) = fields(values, (name,), "the run")
            then = list_in(given, "an option")
            if then[:1] != [own]:
                text = then[1] if then[1:] and then[1] != shown else "another"
                return f"{name} was {text} and is {shown}" if text != "another" else f"{name} has other values, {shown}"
    if whole == now["digest"] and number == now["number"]:
        return ""
    for old, new in zip(list_in(files, "the files"), now["files"], strict=False):
        if old != new:
            return f"the file {new[0]} was changed" if old[:1] == new[:1] else f"the file {new[0]} was {old[0]}"
    return "the files are others"


def digest(value: Any) -> str:
    """Return a text that changes with any value in an option.

    >>> digest([1, 2]) == digest([1, 2]), digest([1, 2]) == digest([1, 3]), digest([1]) == digest(["1"])
    (True, False, False)
    """
    found = hashlib.sha256()
    for part in _parts(value):
        found.update(len(part).to_bytes(8, "little") + part)
    return found.hexdigest()


def _parts(value: Any) -> Iterator[bytes]:
    """Yield the bytes of a value, the same for the same value."""
    name = type(value).__name__
    if type(value) in PLAIN:
        yield f"{name} {value!r}".encode("utf-8", "surrogatepass")
    elif isinstance(value, np.ndarray | np.generic):
        yield from _array_parts(np.asarray(value))
    elif isinstance(value, set | frozenset):
        yield from _joined("set", sorted(map(digest, value)))
    elif isinstance(value, Mapping):
        yield from _joined("mapping", [part for pair in value.items() for part in pair])
    elif isinstance(value, list | tuple):
        yield from _joined("list", value)
    elif isinstance(value, FunctionType):
        cells = [cell.cell_contents for cell in value.__closure__ or ()]
        yield from _joined("function", [value.__code__, value.__defaults__, value.__kwdefaults__, cells])
    elif isinstance(value, CodeType):
        yield from _joined("code", [value.co_code, value.co_consts, value.co_names])
    elif is_dataclass(value) and not isinstance(value, type):
        yield from _joined(name, [getattr(value, one) for one in value.__dataclass_fields__])
    elif hasattr(value, "__array__"):  # a table or a column of another library
        yield from _joined(name, [np.asarray(value), [*getattr(value, "columns", ())]])
    elif getattr(value, "__dict__", None) and not isinstance(value, type):
        yield from _joined(name, [vars(value)])
    else:
        yield _pickled(value)


def _pickled(value: Any) -> bytes:
    """Return the bytes of anything else; of what Python cannot write, a text that no other run has."""
    try:
        return pickle.dumps(value)
    except (pickle.PicklingError, TypeError, AttributeError):
        return f"{value!r} {secrets.token_hex()}".encode()


def _array_parts(array: np.ndarray[Any, Any]) -> Iterator[bytes]:
    if array.dtype.hasobject:
        yield from _joined(f"array {array.shape}", array.ravel().tolist())
    else:
        yield f"array {array.shape} {array.dtype.str}".encode()
        yield np.ascontiguousarray(array).tobytes()


def _joined(name: str, values: Any) -> Iterator[bytes]:
    """Yield the bytes of several values, and where they end."""
    yield f"{name} {len(values)}".encode()
    for value in values:
        yield from _parts(value)
