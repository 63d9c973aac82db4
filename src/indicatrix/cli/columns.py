"""The role of each column: truth, predictions or scores, groups, weights.

Columns that were not named are found by names that everyone uses, and the command says which it took. Nothing is guessed: an
unclear request, or two columns that could be meant, is an error.
"""

from __future__ import annotations

from dataclasses import replace
from fnmatch import fnmatchcase
from os.path import commonprefix

from ..engines.column_roles import NAMED_STRATA, SHOWN, ColumnRoles
from ..engines.files.rows_of_file import Rows
from ..settings.options import Options
from ..words.wording import close_names, listing
from .asked import Asked, split_names
from .output import tell

# Usual names; case, spaces, dots and hyphens do not matter.
TRUTH = (
    *("y_true", "true", "true_label", "true_class", "truth", "ground_truth", "gold", "gold_label"),
    *("label", "labels", "target", "actual", "y"),
)
PREDICTED = (
    *("y_pred", "pred", "preds", "pred_label", "prediction", "predictions", "predicted", "predicted_label", "predicted_class"),
    *("y_predicted", "y_hat", "yhat"),
)
NO_TRUTH = "What is the truth? Give --true COLUMN, or --multilabel PREFIX for 0/1 columns."
NO_PREDICTION = "What was predicted? Give --pred COLUMN, or --score COLUMNS with --decide."
FEW = 5  # usual names in a message


def with_usual_columns(rows: Rows, asked: Asked) -> Asked:
    """Return what is asked with the columns of the truth and of the prediction; say which were found."""
    if asked.multilabel is not None:
        return asked
    named, found = {*asked.named_columns}, dict[str, str]()  # by option
    if asked.true is None:
        found["--true"] = _usual(rows, "--true", TRUTH, named, NO_TRUTH)
    if not asked.pred and not asked.score:
        found["--pred"] = _usual(rows, "--pred", PREDICTED, {*named, *found.values()}, NO_PREDICTION)
    if found:
        meant = {"--true": "the truth", "--pred": "the prediction"}
        roles = " and ".join(f"{meant[option]} is column {column!r}" for option, column in found.items())
        tell(f"{rows.name}: {roles}. Name {'another' if len(found) == 1 else 'others'} with {' and '.join(found)}.")
    pred = (found["--pred"],) if "--pred" in found else asked.pred
    return replace(asked, true=found.get("--true", asked.true), pred=pred)


def _usual(rows: Rows, option: str, usual: tuple[str, ...], named: set[str], question: str) -> str:
    """Return the one column with a usual name; none, or several, is an error that lists the choices."""
    fitting = [column for column in rows.columns if _plain(column) in usual and column not in named]
    if not fitting:
        raise ValueError(
            f"{question} {rows.name} has no column with a usual name, such as {listing(usual[:FEW])}. Its columns are "
            f"{listing(rows.columns, SHOWN)}."
        )
    if len(fitting) > 1:
        choices = " or ".join(f"{option} {column}" for column in fitting[:SHOWN])
        raise ValueError(f"{question} {rows.name} has the columns {listing(fitting, SHOWN)}. Choose one: {choices}.")
    return fitting[0]


def _plain(column: str) -> str:
    return column.translate(dict.fromkeys(map(ord, " -."), "_")).strip("_").casefold()


def strata_of(asked: Asked) -> str | None:
    """Return the column of strata that is named, if there is one."""
    return None if asked.design in NAMED_STRATA else asked.design


def roles_in(rows: Rows, asked: Asked) -> ColumnRoles:
    """Return the roles of the columns of a file; classes of scores are found when labels are known."""
    named = (
        ("--true", asked.true),
        ("--weight", asked.weight),
        ("--gold", asked.gold),
        ("--design", strata_of(asked)),
        *(("--by", name) for name in asked.by),
    )
    for option, name in named:
        if name is not None:
            _check_column(rows, option, name)
    answers = asked.score or asked.pred
    wide = asked.multilabel is not None
    if wide:
        truth, columns = _wide_columns(rows, asked)
        classes: tuple[str, ...] | None = tuple(truth)
    else:
        for name in asked.pred:
            _check_column(rows, "--pred", name)
        truth, classes = {"": asked.true or ""}, None if asked.score else asked.classes
        columns = [_score_columns(rows, text) for text in asked.score] or [(name,) for name in asked.pred]
    return ColumnRoles(
        tuple(truth.values()),
        tuple(zip(answers, columns, strict=True)),
        scored=bool(asked.score),
        wide=wide,
        by=tuple((name, name) for name in asked.by),
        sample_weight=asked.weight,
        gold=() if asked.gold is None else (asked.gold,),
        design=asked.design,
        options=Options(missing=asked.missing, classes=classes),
        separator=asked.separator,
    )


def _check_column(rows: Rows, option: str, name: str) -> None:
    if name not in rows.columns:
        _suspect_delimiter(rows, option, name)
        several = split_names(name)
        if option == "--pred" and len(several) > 1 and {*several} <= {*rows.columns}:
            repeated = " ".join(f"--pred {one}" for one in several)
            raise ValueError(f"--pred {name!r} names several columns. Repeat --pred to compare them: {repeated}.")
        close = close_names(name, rows.columns, cutoff=0.5)
        hint = f" Did you mean {close[0]!r}?" if close else ""
        raise ValueError(f"{option}: {rows.name} has no column {name!r}.{hint} Its columns are {listing(rows.columns, SHOWN)}.")


def _suspect_delimiter(rows: Rows, option: str, name: str) -> None:
    """Refuse a file with one column that looks like several, separated by another character."""
    only = rows.columns[0]
    for character in "|: ;,\t" if len(rows.columns) == 1 else "":
        if name in (part.strip() for part in only.split(character)):
            raise ValueError(
                f"{option}: {rows.name} has no column {name!r}; its only column is {only!r}. If these are several columns, "
                f"add --delimiter {'tab' if character == chr(9) else repr(character)}."
            )


def _score_columns(rows: Rows, text: str) -> tuple[str, ...]:
    """Return the columns of scores that a list of names and patterns with a star gives.

    They are in the order of the list; those of one pattern are in the order of the file.
    """
    found: dict[str, None] = {}
    for item in split_names(text):
        hits = [item] if item in rows.columns else [c for c in rows.columns if "*" in item and fnmatchcase(c, item)]
        if not hits and any(c.startswith(item) for c in rows.columns):
            raise ValueError(
                f"--score: {rows.name} has no column {item!r}, but columns that start with it. "
                f"Write {item + '*'!r} for all of them."
            )
        if not hits:
            _check_column(rows, "--score", item)
        found |= dict.fromkeys(hits)
    if not found:
        raise ValueError(f"--score {text!r} names no column. The columns of {rows.name} are {listing(rows.columns, SHOWN)}.")
    return tuple(found)


def _wide_columns(rows: Rows, asked: Asked) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """Return the 0/1 column of each label, and those of each prediction, matched by their endings."""
    option = "--pred" if asked.pred else "--score"
    prefix, *others = (text.rstrip("*") for text in (asked.multilabel or "", *(asked.pred or asked.score)))
    if prefix in others:
        raise ValueError(
            f"--multilabel and {option} are both {prefix!r}. Give two prefixes, of the true and of the predicted columns."
        )
    # What follows each prefix, and the column.
    groups: dict[str, dict[str, str]] = {p: {} for p in (prefix, *others)}
    for column in rows.columns:
        # The longer prefix wins, so that y_ and y_pred_ tell columns apart.
        mine = max((p for p in groups if column.startswith(p)), key=len, default=None)
        if mine is not None and column not in (*asked.by, asked.weight):
            groups[mine][column.removeprefix(mine)] = column
    for name, found in groups.items():
        if not found:
            given = "--multilabel" if name == prefix else option
            raise ValueError(
                f"{given}: no column of {rows.name} starts with {name!r}. Its columns are {listing(rows.columns, SHOWN)}."
            )
    for other in others:
        for name, partner in ((prefix, other), (other, prefix)):
            alone = [c for rest, c in groups[name].items() if rest not in groups[partner]]
            if alone:
                raise ValueError(
                    f"{rows.name}: {listing(alone, SHOWN)} {'has' if len(alone) == 1 else 'have'} no partner that starts with "
                    f"{partner!r}. Columns are matched by what follows the prefixes {prefix!r} and {other!r}."
                )
    return groups[prefix], [tuple(groups[other][rest] for rest in groups[prefix]) for other in others]


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
