"""evaluate_file(): the evaluation of rows in files, however large these are.

Files of the same examples in the same order, each with its own predictions, are read side by side.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from ...words.call_mistakes import answers_mistakes
from ...words.wording import short
from ..arrow_columns import one_array
from ..column_roles import bits_of, roles_of
from .checkpoint import Checkpoint, Place, run_facts
from .csv_files import CsvForm
from .file_run import BEGINNING, FileRun, Progress, Reporter
from .found_files import FoundFile, find_files
from .rows_of_file import Piece

SECONDS = 30.0  # between two checkpoints
Answer = tuple[str, tuple[str, ...]]  # the name of a prediction, and its columns


@answers_mistakes
def evaluate_file(
    paths: Any,
    *,
    true: Any,
    pred: Any = None,
    score: Any = None,
    scores: bool | int = False,
    by: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    gold: Any = None,
    design: str | None = None,
    separator: str | None = None,
    format: str | None = None,
    filesystem: Any = None,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    bad: str = "error",
    progress: bool | Callable[[Progress], Any] = False,
    checkpoint: str | os.PathLike[str] | None = None,
    checkpoint_every: float = SECONDS,
    **options: Any,
) -> Any:
    r"""Return the evaluation of columns of files, which may be larger than memory.

    It reads Parquet, Arrow (files and streams, Feather), CSV and JSON lines, the last two also packed with gzip or zstd, batch by
    batch, and only the columns that are named. The result is that of ``ix.evaluate`` on all rows at once. It needs pyarrow:
    ``pip install 'indicatrix[files]'``.

    Parameters
    ----------
    paths : str, bytes, path or iterable of them
        A file, a folder with all files below it, a pattern of files or folders such as ``"rows/*.parquet"``, or a list of them. A
        file that several of them mean, or a link, is read once. Hidden files are left out, as in a shell; a name that begins
        with an underscore must be named. The folders of a partitioned data set, site=3/month=5/ anywhere in the path of a file,
        are columns, too; a column of the same name must say the same. "s3://…" and the like are read through pyarrow or fsspec.
    true : str or iterable of str
        The column of true labels. A column of lists holds label sets. Several columns are 0/1, one for each label.
    pred : str, iterable of str or mapping, optional
        The column of predictions, or of several labels as many columns as in true=. Several columns of predictions, in a list or
        by name, ``{"lr": "pred_lr", "rf": "pred_rf"}``, are counted together, as ``ix.inference.paired_counts`` does.
    score : str, iterable of str or mapping, optional
        Scores instead of predictions: the column of the positive class, or a column for each class, ``{"cat": "p_cat", …}`` or a
        list in the order of classes=. With decide= they become decisions.
    scores : bool or int, default False
        True makes a binned sweep of the scores, as ``ix.scores.binned`` does, for areas and thresholds. A number is its bits=.
    by : str, iterable of str or mapping, optional
        Columns of groups, each an axis. A mapping gives the axes other names, ``{"site": "hospital_id"}``.
    sample_weight : str, optional
        The column of weights.
    mask : str or iterable of str, optional
        The column that is True where a row was observed; for several labels also a column for each.
    gold : str or iterable of str, optional
        The column of true labels of some rows, empty where nobody looked; true= is then what a judge says.
    design : str, optional
        The column of the strata within which the gold rows were chosen at random, or "judge".
    separator : str, optional
        What stands between several labels in one text: ";" for texts such as red;big.
    format : str, optional
        "parquet", "arrow", "csv" or "jsonl". Default: what the name of each file ends with; CSV if that is not known.
    filesystem : file system, optional
        A file system of pyarrow or of fsspec, in which the paths are.
    delimiter : str, optional
        The character between the columns of CSV files. Default: detected from the header.
    encoding : str, default 'utf-8'
        The encoding of CSV files.
    bad : str, default 'error'
        What a row does that cannot be counted, such as a missing label, a score that is NaN or a broken line: "error" stops with
        its file, row group and row; "count" leaves it out, and ``.bad_rows`` of the result says how many and where.
    progress : bool or callable, default False
        True shows rows, rows per second and the time left in a line on standard error. A function is called with a ``Progress``,
        the last time with the share 1.
    checkpoint : str or path, optional
        A file that keeps what was counted, so that the same call goes on after an interruption, with the same result. It is
        also written on Ctrl-C or if a file cannot be read. The checkpoint of other files or other options is refused; one that
        cannot be written, because the disk is full, is a RuntimeWarning, and the run goes on.
    checkpoint_every : float, default 30
        The seconds between two checkpoints.
    **options
        What ``evaluate`` takes, such as classes=, positive=, decide=, missing=, cost=, moments=, replicates=.

    Returns
    -------
    Evaluation, PairedCounts or Sweep
        An evaluation of one prediction; of several a joint, which ``ix.compare`` takes; and with scores= a binned sweep. Labels
        of CSV files are integers if all of them are whole numbers, of which 1 and 1.0 are the same; bools if all are True or
        False; otherwise text. Spaces around a cell do not belong to it, unless it is quoted. A blank text is missing. Next to a
        file with types, Parquet for example, they are what the column is there.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import indicatrix as ix
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "rows.csv"
    >>> _ = path.write_text("animal,model,site\ncat,cat,x\ndog,dog,x\ndog,cat,y\n")
    >>> ix.evaluate_file(path, true="animal", pred="model", by="site").values("recall", per="site").tolist()
    [1.0, 0.0]
    """
    need_pyarrow()
    if bad not in ("error", "count"):
        raise ValueError(f"bad={bad!r} is unknown. Use 'error' to stop at a bad row, or 'count' to leave it out and count it.")
    if scores is not False and score is None:
        raise TypeError("scores= makes a binned sweep; name the columns of scores with score=.")
    bits = bits_of(scores)
    columns = {"true": true, "pred": pred, "score": score, "by": by, "sample_weight": sample_weight, "mask": mask}
    columns |= {"gold": gold, "design": design}
    roles = roles_of("evaluate_file", **columns, bits=bits, separator=separator, **options)
    files = find_files(paths, filesystem=filesystem, format=format)
    reporter = Reporter(progress)
    run = FileRun(files, roles, CsvForm(encoding, delimiter), bad == "count", reporter)
    kept = None
    if checkpoint is not None:
        facts = run_facts(files, roles, {"bad": bad, "delimiter": delimiter, "encoding": encoding, "format": format})
        kept = Checkpoint(checkpoint, facts, checkpoint_every)
    try:
        return run.count(kept)
    finally:
        reporter.end()


def need_pyarrow() -> None:
    """Refuse to go on without pyarrow."""
    try:
        import pyarrow  # noqa: F401 - to say that it is missing
    except ImportError:
        raise ImportError("Reading files needs pyarrow, which is not installed: pip install 'indicatrix[files]'") from None


@dataclass
class PairedRun(FileRun):
    """A run over several inputs at once: truth, groups and weights are those of the first input.

    Each part is the run over one input, with one answer. The rows of all parts must have the same truth, and the same groups
    and weights where they have them, so that a file in another order is an error, not a wrong result. Memory holds one piece of
    each.
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
            self._check_rows(held, n)
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

    def _check_rows(self, held: list[Any], n: int) -> None:
        """Refuse rows whose truth, groups or weights are not those of the first part."""
        truth = self.parts[0].roles.true
        for k, (_, _, piece) in enumerate(held[1:], 1):
            own = self.parts[k].roles
            same = [(c, c) for c in own.columns if c not in (*own.true, *_answer(self.parts[k])[1])]
            for column, other in (*zip(truth, own.true, strict=True), *same):
                one, two = (
                    _plain(batch.column(c).slice(0, n)) for batch, c in ((held[0][2].batch, column), (piece.batch, other))
                )
                if not one.equals(two):
                    self._refuse_rows(k, held[0][2], "" if column in truth else f" of column {column!r}", one, two)

    def _refuse_rows(self, k: int, piece: Piece, where: str, *both: Any) -> None:
        one, two = (column.to_pylist() for column in both)
        row = next((i for i, (a, b) in enumerate(zip(one, two, strict=True)) if a != b), None)
        if row is None:
            return  # 1 and 1.0, of other types
        raise ValueError(
            f"Data row {piece.first + row}{where} is {short(one[row])} in {self._name(0)} and {short(two[row])} in "
            f"{self._name(k)}: the rows are not the same examples in the same order. Sort them in the same way, or compare them "
            "without pairs."
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
