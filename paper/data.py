"""The data sets that no library ships: read from a folder, or fetched once and kept."""

from __future__ import annotations

import gzip
import hashlib
import os
import warnings
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

FOLDER, CACHE = "INDICATRIX_DATA", "INDICATRIX_CACHE"

Array = np.ndarray[Any, np.dtype[Any]]


class MissingData(Exception):  # noqa: N818
    """A data set is missing; the message says which one and how to get it."""


@dataclass(frozen=True)
class Origin:
    """The name of a data set at OpenML, and checksums of its numbers, in the paper's order and sorted."""

    name: str
    version: int
    identity: int
    labels: int
    sha256: str
    sha256_sorted: str

    @property
    def file(self) -> str:
        """Return the name of its file in a folder of data."""
        return f"{self.name}.csv.gz"


ORIGINS = {
    origin.name: origin
    for origin in (
        Origin(
            "yeast",
            4,
            40597,
            14,
            "401e59f695b6d685ec817460455bd8af09fc7bb4ce24f230e2a2c0fb11280e2f",
            "765a1d5c2a06293197981b12f722418e6ad5e01a5b28349e73e2f50d9d5d979a",
        ),
        Origin(
            "emotions",
            3,
            40589,
            6,
            "911a3fd7c7269ba432d0273a712da6d27c5803b08c4b7dca61999089762f3b0b",
            "6880d92402fea973a8b115b34d7042c4157c57e4433efc49862ee7997771be9c",
        ),
        Origin(
            "mammography",
            1,
            310,
            1,
            "01a5377e657249d2566c7e63dd652c5ef24b8382bf58248b5021ed6b52731c76",
            "b5461eef1a53a9f0c332f912b6004dbf7435e34915ba03462aaf03245689ce7b",
        ),
    )
}


@dataclass(frozen=True, eq=False)
class DataSet:
    """Features, one 0/1 column for each label, the labels' names, and where they were read."""

    X: Array
    Y: Array
    labels: tuple[str, ...]
    source: str

    @property
    def checksum(self) -> str:
        """Return the SHA-256 of the numbers, in the order of the rows."""
        return _checksum(self.X, self.Y)


@dataclass(frozen=True)
class Data:
    """Where data come from, and where fetched data and trained classifiers are kept.

    ``folder`` has files such as yeast.csv.gz, and may have the predictions of classifiers; what it lacks is fetched from OpenML
    unless ``fetch`` is False. ``cache`` is the folder to keep things in, by default the user's. With ``retrain`` every
    classifier is trained once more. ``progress`` is called with a text, how much is done, and out of how much. ``trained``
    holds what was trained for this run.
    """

    folder: Path | None = None
    cache: Path | None = None
    retrain: bool = False
    fetch: bool = True
    progress: Callable[[str, int, int], None] | None = None
    trained: dict[Path, dict[str, Array]] = field(default_factory=dict, repr=False, compare=False)
    _held: dict[str, DataSet | MissingData] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if self.folder is not None and not Path(self.folder).is_dir():
            raise ValueError(
                f"The folder of data {str(self.folder)!r} does not exist; check --data and {FOLDER}, or leave both out."
            )

    @classmethod
    def here(cls, folder: str | os.PathLike[str] | None = None, **options: Any) -> Data:
        """Return the data in a folder, or in the folder that INDICATRIX_DATA names."""
        named = folder or os.environ.get(FOLDER)
        return cls(Path(named) if named else None, **options)

    @property
    def storage(self) -> Path:
        """Return the folder to keep things in: ``cache``, INDICATRIX_CACHE, or the user's cache folder."""
        named = self.cache or os.environ.get(CACHE)
        if named:
            return Path(named)
        from platformdirs import user_cache_dir

        return Path(user_cache_dir("indicatrix"))

    def multilabel(self, name: str) -> DataSet:
        """Return "yeast" or "emotions", with one column of 0 and 1 for each label."""
        return self._get(name)

    def mammography(self) -> tuple[Array, Array]:
        """Return the features and classes of the mammography data; 1 is the minority, calcification."""
        held = self._get("mammography")
        return held.X, held.Y[:, 0]

    def say(self, text: str, done: int, total: int) -> None:
        """Report to ``progress`` how much of a long task is done."""
        if self.progress is not None:
            self.progress(text, done, total)

    def _get(self, name: str) -> DataSet:
        if name not in ORIGINS:
            raise ValueError(f"No data set is called {name!r}; there are {', '.join(ORIGINS)}.")
        if name not in self._held:
            try:
                self._held[name] = self._load(ORIGINS[name])
            except MissingData as missing:  # held as well: several experiments ask, and a network answers slowly
                self._held[name] = missing
        held = self._held[name]
        if isinstance(held, MissingData):
            raise MissingData(*held.args)
        return held

    def _load(self, origin: Origin) -> DataSet:
        if self.folder is not None and (self.folder / origin.file).is_file():
            return verify(read(self.folder / origin.file, origin), origin)
        if not self.fetch:
            raise MissingData(_how_to_get(origin, self.folder, "was not fetched"))
        self.say(f"fetching {origin.name}", 0, 1)
        return verify(fetch(origin, self.storage / "openml", self.folder), origin)


def read(path: Path, origin: Origin) -> DataSet:
    """Return the data set in a gzipped CSV file with a header, whose last columns are the labels, 0 or 1."""
    try:
        with gzip.open(path, "rt", encoding="utf-8") as lines, warnings.catch_warnings():
            warnings.simplefilter("error")  # a file without rows is only warned of
            header = [name.strip().strip('"') for name in next(lines, "").split(",")]
            table = np.loadtxt(lines, delimiter=",", ndmin=2)
        if table.shape[1:] != (len(header),):
            raise ValueError(f"the header names {len(header)} columns, the rows have {table.shape[1]}")
    except (OSError, EOFError, zlib.error, ValueError, UserWarning) as broken:
        text = f"{path} cannot be read as the {origin.name} data: {str(broken).splitlines()[0]}."
        raise MissingData(f"{text}\nPut a complete copy there, or remove the file to have it fetched from OpenML.") from broken
    m = origin.labels
    return DataSet(table[:, :-m], (table[:, -m:] == 1).astype(np.uint8), tuple(header[-m:]), str(path))


def fetch(origin: Origin, home: Path, folder: Path | None = None) -> DataSet:
    """Return the data set from OpenML, or from what scikit-learn kept of it in the folder ``home``."""
    from sklearn.datasets import fetch_openml

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it tries again; what comes of it is checked below
            got = fetch_openml(
                origin.name, version=origin.version, data_home=home, as_frame=False, parser="liac-arff", n_retries=1, delay=0.2
            )
    except (OSError, EOFError, zlib.error, LookupError, TypeError, ValueError) as failed:  # no network, or half an answer
        raise MissingData(_how_to_get(origin, folder, f"could not be fetched ({_in_short(failed)})")) from failed
    if int(got.details["id"]) != origin.identity:
        raise MissingData(
            f"OpenML now has number {got.details['id']} as {origin.name} version {origin.version}; the experiments use number "
            f"{origin.identity}.\nGive a folder with {origin.file} by --data or {FOLDER}."
        )
    truth = np.asarray(got.target).reshape(len(got.data), -1).astype(str)
    names = tuple(got.target_names or (origin.name,))
    Y = np.isin(truth, ("TRUE", "1")).astype(np.uint8)  # noqa: N806
    return DataSet(np.asarray(got.data, float), Y, names, f"OpenML {origin.identity}")


def verify(found: DataSet, origin: Origin) -> DataSet:
    """Return the data set if its numbers are those that the experiments were written for."""
    if found.checksum == origin.sha256:
        return found
    if _checksum(*_sort_rows(found.X, found.Y)) == origin.sha256_sorted:
        what = "has the right rows in another order; folds are cut by position, so every trained classifier would be another one"
    else:
        what = (
            f"has other numbers than expected ({found.X.shape[0]} rows, {found.X.shape[1]} features, {found.Y.shape[1]} labels)"
        )
    raise MissingData(
        f"{origin.name} from {found.source} {what}.\nGive a folder with the right {origin.file} by --data or {FOLDER}."
    )


def _checksum(X: Array, Y: Array) -> str:  # noqa: N803
    # Single precision, so that a last digit lost in printing does not matter; + 0.0, so that -0 is 0.
    content = np.ascontiguousarray(X + 0.0, "<f4").tobytes() + np.ascontiguousarray(Y, "u1").tobytes()
    return hashlib.sha256(f"{X.shape}{Y.shape}".encode() + content).hexdigest()


def _sort_rows(X: Array, Y: Array) -> tuple[Array, Array]:  # noqa: N803
    order = np.lexsort(np.column_stack([X.astype("f4"), Y]).T[::-1])
    return X[order], Y[order]


def _how_to_get(origin: Origin, folder: Path | None, why: str) -> str:
    where = f" is not in {folder} and" if folder is not None else ""
    return (
        f"The data set {origin.name}{where} {why}.\n"
        f"Give a folder with {origin.file} by --data or {FOLDER}, or connect: it is OpenML's number {origin.identity}."
    )


def _in_short(failed: Exception) -> str:
    reason = (
        f"{type(failed).__name__}: {failed}" if isinstance(failed, LookupError) else getattr(failed, "reason", None) or failed
    )
    return (str(reason).splitlines() or [type(failed).__name__])[0]
