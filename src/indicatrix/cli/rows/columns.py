"""The role of each column: truth, predictions or scores, groups, weights.

Nothing is guessed: an unclear request is an error.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase
from os.path import commonprefix

from ...algebra.spelling import close_names
from ...algebra.wording import listing
from .request import Request, split_names

SHOWN = 20  # how many columns a message lists


@dataclass(frozen=True)
class RowsFile:
    """What a file is called in messages, its columns, and whether its cells have types."""

    name: str
    columns: tuple[str, ...]
    typed: bool = False


@dataclass(frozen=True)
class Roles:
    """The columns that are read, by their role."""

    truth: tuple[str, ...]  # one column of labels, or one 0/1 column per label
    predicted: tuple[str, ...]  # the same, or scores
    labels: tuple[str, ...] | None = None  # the labels, if there is one 0/1 column per label
    by: tuple[str, ...] = ()
    weight: str | None = None


def check_request(request: Request, *, decides: bool = True) -> None:
    """Refuse options that contradict each other; no file is read.

    Columns that are not named are looked for in the file. ``decides`` says whether scores become decisions here.
    """
    if request.pred and request.score:
        raise ValueError("--pred names predicted labels, --score scores to decide on. Give only one of them.")
    if request.multilabel and not request.pred and not request.score:
        raise ValueError("What was predicted? Give --pred PREFIX, or --score PREFIX with --decide, as --multilabel is the truth.")
    if decides and request.score and request.decide is None:
        raise ValueError("How do the scores become decisions? Add --decide argmax, --decide 0.5 or --decide top3.")
    if request.decide is not None and not request.score:
        raise ValueError("--decide turns scores into decisions. Name the columns of scores with --score.")
    if request.true and request.multilabel:
        raise ValueError("--true names one column of labels, --multilabel the prefix of 0/1 columns. Give only one of them.")
    if request.multilabel and request.classes is not None:
        raise ValueError("--classes does not go with --multilabel, where every 0/1 column is a class. Leave one of them out.")
    if request.separator is not None:
        _check_separator(request)
    if "abstain" in request.missing and (request.score or request.multilabel):
        raise ValueError(
            "--missing abstain needs one predicted label per row. For scores use --decide 'reject_below(0.7)'; in 0/1 columns "
            "a row of zeros abstains."
        )


def _check_separator(request: Request) -> None:
    """Refuse options that do not go with several labels in one cell."""
    if request.multilabel or request.score:
        other = "--multilabel, which takes one 0/1 column per label" if request.multilabel else "--score, which takes numbers"
        raise ValueError(f"--separator splits cells of labels and does not go with {other}. Leave one of them out.")
    if request.missing != "error":
        raise ValueError(
            "--missing does not go with --separator, where an empty cell is an example without labels. Leave it out."
        )


def named_columns(request: Request) -> tuple[str, ...]:
    """Return the columns that the options name in full, without prefixes and patterns."""
    named = [request.true, request.weight, *request.by]
    if not request.multilabel:
        named.append(request.pred)
    return tuple(name for name in named if name is not None)


def roles_of_all(source: RowsFile, requests: Sequence[Request]) -> list[Roles]:
    """Return the roles of the columns of a file for each of several requests."""
    prefixes = tuple(request.pred or "" for request in requests)
    return [roles(source, request, prefixes) for request in requests]


def roles(source: RowsFile, request: Request, prefixes: tuple[str, ...] = ()) -> Roles:
    """Return the roles of the columns of a file.

    ``prefixes`` are those of all predictions that are compared, which tell their columns apart.
    """
    for option, name in (("--true", request.true), ("--weight", request.weight), *(("--by", name) for name in request.by)):
        if name is not None:
            _check_column(source, option, name)
    if request.multilabel is not None:
        return _multilabel_roles(source, request, prefixes)
    assert request.true is not None
    if request.pred is not None:
        _check_column(source, "--pred", request.pred)
        predicted: tuple[str, ...] = (request.pred,)
    else:
        predicted = _score_columns(source, request.score or "")
    return Roles((request.true,), predicted, None, request.by, request.weight)


def _check_column(source: RowsFile, option: str, name: str) -> None:
    if name not in source.columns:
        _suspect_delimiter(source, option, name)
        several = split_names(name)
        if option == "--pred" and len(several) > 1 and {*several} <= {*source.columns}:
            repeated = " ".join(f"--pred {one}" for one in several)
            raise ValueError(f"--pred {name!r} names several columns. Repeat --pred to compare them: {repeated}.")
        close = close_names(name, source.columns, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(
            f"{option}: {source.name} has no column {name!r}.{hint} Its columns are {listing(source.columns, SHOWN)}."
        )


def _suspect_delimiter(source: RowsFile, option: str, name: str) -> None:
    """Refuse a file with one column that looks like several, separated by another character."""
    only = source.columns[0]
    for character in "|: ;,\t" if len(source.columns) == 1 else "":
        if name in (part.strip() for part in only.split(character)):
            raise ValueError(
                f"{option}: {source.name} has no column {name!r}; its only column is {only!r}. If these are several columns, "
                f"add --delimiter {'tab' if character == chr(9) else repr(character)}."
            )


def _score_columns(source: RowsFile, text: str) -> tuple[str, ...]:
    """Return the columns of scores that a list of names and patterns with a star gives.

    They are in the order of the list; those of one pattern are in the order of the file.
    """
    found: dict[str, None] = {}
    for item in split_names(text):
        hits = [item] if item in source.columns else [c for c in source.columns if "*" in item and fnmatchcase(c, item)]
        if not hits and any(c.startswith(item) for c in source.columns):
            raise ValueError(
                f"--score: {source.name} has no column {item!r}, but columns that start with it. "
                f"Write {item + '*'!r} for all of them."
            )
        if not hits:
            _check_column(source, "--score", item)
        found |= dict.fromkeys(hits)
    if not found:
        raise ValueError(f"--score {text!r} names no column. The columns of {source.name} are {listing(source.columns, SHOWN)}.")
    return tuple(found)


def _multilabel_roles(source: RowsFile, request: Request, prefixes: tuple[str, ...]) -> Roles:
    prefix, other = (request.multilabel or "").rstrip("*"), (request.pred or request.score or "").rstrip("*")
    option = "--pred" if request.pred else "--score"
    if prefix == other:
        raise ValueError(
            f"--multilabel and {option} are both {prefix!r}. Give two prefixes, of the true and of the predicted columns."
        )
    named = {*request.by, request.weight}
    # What follows each prefix, and the column.
    groups: dict[str, dict[str, str]] = {p.rstrip("*"): {} for p in (prefix, other, *prefixes)}
    for column in source.columns:
        # The longer prefix wins, so that y_ and y_pred_ tell columns apart.
        mine = max((p for p in groups if column.startswith(p)), key=len, default=None)
        if mine is not None and column not in named:
            groups[mine][column.removeprefix(mine)] = column
    for name, given in ((prefix, "--multilabel"), (other, option)):
        if not groups[name]:
            raise ValueError(
                f"{given}: no column of {source.name} starts with {name!r}. Its columns are {listing(source.columns, SHOWN)}."
            )
    for name, partner in ((prefix, other), (other, prefix)):
        alone = [c for rest, c in groups[name].items() if rest not in groups[partner]]
        if alone:
            raise ValueError(
                f"{source.name}: {listing(alone, SHOWN)} {'has' if len(alone) == 1 else 'have'} no partner that starts with "
                f"{partner!r}. Columns are matched by what follows the prefixes {prefix!r} and {other!r}."
            )
    labels = tuple(groups[prefix])
    return Roles(tuple(groups[prefix].values()), tuple(groups[other][k] for k in labels), labels, request.by, request.weight)


def score_classes(columns: tuple[str, ...], labels: set[str], source: str) -> tuple[str, ...]:
    """Return the classes of columns of scores: their names, or the names without their common beginning.

    >>> score_classes(("p_cat", "p_dog"), {"dog"}, "a.csv")
    ('cat', 'dog')
    """
    common = commonprefix(columns)  # noqa: RUF071 - this compares characters, not parts of paths
    separated = common[: max(common.rfind(c) for c in "_.:/- ") + 1]  # p_car and p_cat begin with p_, not with p_ca
    candidates = [tuple(c.removeprefix(start) for c in columns) for start in dict.fromkeys(("", separated, common))]
    fitting = [names for names in candidates if labels <= set(names)]
    if len(fitting) != 1:
        nearest = max(candidates, key=lambda names: len(labels & set(names)))
        lost = sorted(labels - set(nearest))
        raise ValueError(
            f"{source}: which classes are the columns of scores {listing(columns, SHOWN)}? "
            + (f"None of them is for the label {lost[0]!r}. " if lost else "")
            + "Name their classes in the order of the columns: --classes a,b,c"
        )
    return fitting[0]
