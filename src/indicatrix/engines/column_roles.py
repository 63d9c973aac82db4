"""Which columns of a table hold what: truth, answers, groups, weights."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence, Sized
from dataclasses import dataclass, replace
from typing import Any

from ..evaluate import OPTION_NAMES, options_of
from ..settings.options import PER_ROW, Options
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import did_you_mean, listing, short

OF_COMPARISONS = ("measures", "averages", "undefined", "baseline", "level", "method", "margin", "correction", "seed", "clusters")
HINTS = {
    "weight": "name the column of weights with sample_weight=",
    "weights": "name the column of weights with sample_weight=",
    "y_true": "name the column of true labels with true=",
    "y_pred": "name the column of predictions with pred=",
}
NAMED_STRATA = ("judge", "prediction")  # that need no column
SHOWN = 20  # how many columns a message lists
OF_BINS = ("classes", "positive", "missing")  # options that binned scores read
WHICH_CLASSES = "Which classes are the columns of score=? Give a mapping, {'cat': 'p_cat', …}, or classes= in their order."


@dataclass(frozen=True)
class ColumnRoles:
    """The columns that are read, by what they hold, and the options of ``evaluate`` for every batch.

    It is plain data, which processes can send to each other.
    """

    true: tuple[str, ...]  # one column of labels or of lists, or one column for each label
    answers: tuple[tuple[str, tuple[str, ...]], ...]  # the name of each prediction, and its columns
    scored: bool = False  # the answers are scores
    wide: bool = False  # there is one column for each label (or target), on both sides
    by: tuple[tuple[str, str], ...] = ()  # the name of each axis, and its column
    sample_weight: str | None = None
    mask: tuple[str, ...] = ()
    options: Options = Options()  # noqa: RUF009 - a tuple
    bits: int | None = None  # of binned scores; None: decisions are counted
    separator: str | None = None  # between the labels of one text, where a row has several
    gold: tuple[str, ...] = ()  # true labels of some rows; the columns of the truth are then what a judge says
    design: str | None = None  # the column of strata, "judge" or "prediction"

    @property
    def strata(self) -> tuple[str, ...]:
        """The column of strata, if there is one."""
        return () if self.design in (None, *NAMED_STRATA) else (str(self.design),)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns to read, each once."""
        weight = () if self.sample_weight is None else (self.sample_weight,)
        answers = (column for _, columns in self.answers for column in columns)
        return tuple(
            dict.fromkeys((*self.true, *answers, *(c for _, c in self.by), *weight, *self.mask, *self.gold, *self.strata))
        )

    @property
    def label_columns(self) -> tuple[str, ...]:
        """The columns that hold the name of a label in each cell (or a list of them)."""
        both = dict.fromkeys((*self.true, *self.gold, *self._labels_of_answers))
        return () if self.wide and self.options.targets is None else tuple(both)

    @property
    def _labels_of_answers(self) -> tuple[str, ...]:
        return () if self.scored else tuple(column for _, columns in self.answers for column in columns)

    @property
    def number_columns(self) -> tuple[str, ...]:
        """The columns that hold numbers: scores and weights."""
        scores = (column for _, columns in self.answers for column in columns) if self.scored else ()
        return (*dict.fromkeys(scores), *(() if self.sample_weight is None else (self.sample_weight,)))

    @property
    def needs_classes(self) -> bool:
        """Whether all classes must be known before the first batch is counted."""
        options = self.options
        if options.targets is not None:
            return bool(self.targets_without_classes)
        decides = self.bits is not None or options.decide is not None  # between two classes, and a batch may lack one
        return decides and options.classes is None and not self.wide

    def with_classes(self, classes: Iterable[Any]) -> ColumnRoles:
        """Return the roles with these classes fixed; a mapping adds those of some targets."""
        both = {**(self.options.classes or {}), **classes} if isinstance(classes, Mapping) else tuple(classes)
        return replace(self, options=self.options._replace(classes=both))

    @property
    def targets_without_classes(self) -> dict[Any, tuple[str, ...]]:
        """The columns of labels of each target whose classes are found in the data."""
        fixed = (self.options.classes, self.options.known)
        if any(given is not None and not isinstance(given, Mapping) for given in fixed):
            return {}  # they are those of all targets
        answers = () if self.scored else tuple(columns for _, columns in self.answers)
        return {
            name: tuple(columns[i] for columns in (self.true, *answers))
            for i, name in enumerate(self.options.targets or ())
            if not any(name in (given or {}) for given in fixed)
        }

    def check_columns(self, known: Sequence[str], where: str) -> None:
        """Refuse a column that a table does not have; ``where`` names the table."""
        for column in self.columns:
            if column not in known:
                question = did_you_mean(column, known)
                raise ValueError(
                    f"{where} has no column {short(column)}.{' ' if question else ''}{question} Its columns are "
                    f"{listing(tuple(known), SHOWN)}."
                )


def bits_of(scores: bool | int) -> int | None:
    """Return the bits of a binned sweep that scores= asks for; None if it asks for none.

    >>> bits_of(False), bits_of(True), bits_of(12)
    (None, 20, 12)
    """
    return None if scores is False else 20 if scores is True else scores


def roles_of(
    caller: str,
    *,
    true: Any,
    pred: Any = None,
    score: Any = None,
    by: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    bits: int | None = None,
    separator: str | None = None,
    gold: Any = None,
    design: str | None = None,
    **options: Any,
) -> ColumnRoles:
    """Return the roles that named columns have; ``caller`` is in the errors.

    Parameters
    ----------
    caller : str
        The function that the user called.
    true : str or iterable of str
        The column of true labels, or one column for each label.
    pred, score : str, iterable of str or mapping, optional
        The predictions, or the scores, one of them. Several predictions are named in a list or a mapping.
    by : str, iterable of str or mapping, optional
        Columns of groups.
    sample_weight, mask : str, optional
        The columns of weights and of what was observed.
    bits : int, optional
        How many bits of scores are kept where these are binned.
    separator : str, optional
        What stands between the labels of one text.
    gold : str or iterable of str, optional
        The column of true labels of some rows, or one column for each label.
    design : str, optional
        The column of the strata within which the gold rows were chosen, or "judge".
    **options
        What ``evaluate`` takes.

    Returns
    -------
    ColumnRoles
        What every batch of rows is read with.

    Examples
    --------
    >>> roles_of("evaluate_file", true="y", pred="yhat", by="site").columns
    ('y', 'yhat', 'site')
    """
    allowed = [name for name in OPTION_NAMES if name not in PER_ROW]
    refuse_unknown(caller, options, allowed, HINTS)
    check_answers(pred, score)
    wide = not isinstance(true, str)
    truth = tuple(names_of(true, "true"))
    if score is not None:
        answers, classes = _scores(score, truth, wide, options)
        options = {**options, "classes": classes}
    else:
        answers = _predictions(pred, truth, wide)
    if wide and options.get("targets") is None and options.get("classes") is None:
        options = {**options, "classes": truth}
    if options.get("targets") is True:
        options = {**options, "targets": truth}
    groups = by if isinstance(by, Mapping) else {name: name for name in names_of(by, "by")}
    roles = ColumnRoles(
        truth,
        answers,
        score is not None,
        wide,
        tuple((str(axis), column) for axis, column in groups.items()),
        None if sample_weight is None else _one(sample_weight, "sample_weight"),
        tuple(names_of(mask, "mask")),
        options_of(
            {k: tuple(v) if k == "classes" and v is not None and not isinstance(v, Mapping) else v for k, v in options.items()}
        ),
        bits,
        separator,
        tuple(names_of(gold, "gold")),
        None if design is None else _one(design, "design"),
    )
    _check_options(roles)
    return roles


def check_answers(pred: Any, score: Any) -> None:
    """Refuse predictions together with scores, and neither of them."""
    if (pred is None) == (score is None):
        raise TypeError("Name the predictions with pred=, or the scores with score=, one of them.")


def check_width(true: Sized, columns: Sized, argument: str) -> None:
    """Refuse answers that have more or fewer columns than the truth."""
    if len(columns) != len(true):
        raise ValueError(f"true= names {len(true)} columns, and {argument} {len(columns)}. Give a column for each label.")


def classes_of_scores(score: Any, classes: Any) -> Any:
    """Return the classes of columns of scores: names of a mapping, or the given ones; None if unknown."""
    if not isinstance(score, Mapping):
        return classes
    if classes is not None and [*classes] != [*score]:
        raise ValueError(f"classes={classes!r} and score= name different classes. Leave classes= out.")
    return [*score]


def columns_in(given: Any) -> list[Any]:
    """Return the columns that an argument names: one, several or none.

    >>> columns_in("y"), columns_in({"cat": "p_cat", "dog": "p_dog"}), columns_in(None)
    (['y'], ['p_cat', 'p_dog'], [])
    """
    if isinstance(given, Mapping):
        return [*given.values()]
    several = isinstance(given, Iterable) and not isinstance(given, str | bytes)
    return [] if given is None else [*given] if several else [given]


def names_of(columns: Any, argument: str) -> list[str]:
    """Return the names of columns, which must be texts, each once."""
    names = columns_in(columns)
    for name in names:
        if not isinstance(name, str):
            raise TypeError(f"{argument}= names a column {short(name)}; the name of a column is text.")
        if names.count(name) > 1:
            raise ValueError(f"{argument}= names the column {short(name)} twice.")
    return names


def _one(column: Any, argument: str) -> str:
    (name,) = names_of([column], argument)
    return name


def _predictions(pred: Any, truth: tuple[str, ...], wide: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the columns of each prediction by its name."""
    if isinstance(pred, Mapping):
        named = {str(name): tuple(names_of(columns, f"pred[{name!r}]")) for name, columns in pred.items()}
    elif wide:
        named = {"pred": tuple(names_of(pred, "pred"))}
    else:
        names = names_of(pred, "pred")
        named = {name: (name,) for name in names} if len(names) > 1 else {"pred": tuple(names)}
    if not named:
        raise ValueError("pred= names no column.")
    for name, columns in named.items():
        check_width(truth, columns, "pred=" if name == "pred" else f"pred[{name!r}]")
    return tuple(named.items())


def _scores(
    score: Any, truth: tuple[str, ...], wide: bool, options: Mapping[str, Any]
) -> tuple[tuple[tuple[str, tuple[str, ...]], ...], Any]:
    """Return the columns of scores, and the classes that they are for, if these are known."""
    columns = tuple(names_of(score, "score"))
    if not columns:
        raise ValueError("score= names no column.")
    if wide:
        check_width(truth, columns, "score=")
    classes = classes_of_scores(score, options.get("classes"))
    if len(columns) > 1 and not wide and classes is None:
        raise ValueError(WHICH_CLASSES)
    return (("score", columns),), None if wide and isinstance(score, Mapping) else classes


def _check_options(roles: ColumnRoles) -> None:
    """Refuse options that do not go with columns."""
    options = roles.options
    if roles.bits is not None and (roles.gold or roles.design is not None):
        raise TypeError("gold= and design= correct decisions, and scores= keeps scores in bins. Leave scores= out, or gold=.")
    if roles.separator is not None and roles.gold:
        raise TypeError(
            "separator= reads an empty text as no labels, so it does not say which rows have gold labels. Use a list."
        )
    if roles.scored and roles.bits is None and options.decide is None and options.tnorm is None:
        raise TypeError(
            "How do the scores become decisions? Give decide='argmax' or a threshold, decide=0.5; or scores=True for a binned "
            "sweep, with areas and thresholds."
        )
    if not roles.scored and options.decide is not None:
        raise TypeError("decide= turns scores into decisions; name the columns of scores with score=.")
    if roles.separator is not None and (roles.wide or roles.scored or not roles.separator or options.missing != "error"):
        raise TypeError(
            "separator= splits the texts of one column of labels, in which an empty text has no labels. It goes with "
            "one column in true= and in pred=, and not with missing=."
        )
    check_bins(roles)
    if options.cost is not None and options.classes is None and options.targets is None:
        raise TypeError(
            "cost= is a table of all classes, and a batch of rows may lack some. Give classes= in the order of cost=."
        )
    if len(roles.answers) > 1 and options.targets is not None:
        raise TypeError("Several predictions are compared on one target. Leave targets= out, or give one prediction.")


def check_bins(roles: ColumnRoles) -> None:
    """Refuse every option that binned scores would not read."""
    if roles.bits is None:
        return
    for name, usual in zip(Options._fields, Options(), strict=True):
        if name not in OF_BINS and getattr(roles.options, name) is not usual:
            raise TypeError(f"{name}= is for decisions, and scores=True makes none. Leave one of them out.")
    if roles.by:
        raise TypeError("by= is for counts, and binned scores have no groups. Evaluate each group by itself, or give decide=.")
