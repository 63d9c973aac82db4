"""Data frames: columns by name, from pandas, Polars, Arrow and whatever narwhals reads.

Columns of data frames as the library reads them, through narwhals: dates and times become text.
"""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np

from ..compare.compare import compare
from ..encode.containers import from_numpy
from ..encode.plain_forms import Table
from ..evaluate import OPTION_NAMES, evaluate
from ..scores.score_input import OF_SWEEPS
from ..scores.thresholds.sweep import sweep
from ..settings.options import PER_ROW
from ..words.call_mistakes import answers_mistakes
from ..words.names_elsewhere import refuse_unknown
from ..words.wording import did_you_mean, listing, short, type_of
from .arrow_columns import read_label_lists
from .column_roles import HINTS as OF_COLUMNS
from .column_roles import (
    NAMED_STRATA,
    OF_COMPARISONS,
    WHICH_CLASSES,
    ColumnRoles,
    check_answers,
    check_width,
    classes_of_scores,
    columns_in,
    roles_of,
)
from .partitions import COUNT, evaluate_distinct, finish, is_countable

ROWS = (list, tuple, set, frozenset, np.ndarray)  # Python objects that hold the labels of one row
HINTS = {
    **OF_COLUMNS,
    "scores": "name the column of scores with score=",
    "average": "an average belongs to a score: evaluate_frame(…).score('f1', 'macro')",
    **dict.fromkeys(OF_COMPARISONS, "it is for a comparison: give several columns in pred="),
}


@answers_mistakes
def evaluate_frame(
    df: Any,
    *,
    true: Any,
    pred: Any = None,
    score: Any = None,
    by: Any = None,
    sample_weight: Any = None,
    mask: Any = None,
    gold: Any = None,
    design: str | None = None,
    **options: Any,
) -> Any:
    """Return the evaluation of columns of a data frame; several columns of predictions are compared.

    It reads pandas, Polars, DuckDB, Arrow tables and batches, and what narwhals supports; only the columns that are named. Of a
    lazy frame or a relation, plain labels are counted by the engine that has the rows: only distinct rows with counts become
    known here. ``df.pipe(ix.evaluate_frame, true="label", pred="model")`` is the same. It needs narwhals:
    ``pip install 'indicatrix[frames]'``.

    Parameters
    ----------
    df : data frame
        A pandas, Polars or Arrow table, a record batch or a reader of them, which is read to its end, a lazy frame, a relation of
        DuckDB, or another that narwhals reads.
    true : str or iterable of str
        The column of true labels. A column of lists holds label sets. Several columns are 0/1, one for each label.
    pred : str, iterable of str or mapping, optional
        The column of predictions, or of several labels as many columns as in true=. Several columns of predictions, in a list or
        by name, ``{"lr": "pred_lr", "rf": "pred_rf"}``, are compared on the same rows.
    score : str, iterable of str or mapping, optional
        Scores instead of predictions: the column of the positive class, or a column for each class, ``{"cat": "p_cat", …}`` or a
        list in the order of classes=. With decide= they become decisions.
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
    **options
        What ``evaluate`` takes, such as classes=, positive=, decide=, missing=; for a comparison what ``compare`` takes, such as
        measures=, averages= and level=.

    Returns
    -------
    Evaluation, Comparison or Sweep
        An evaluation of one prediction; a comparison of several; and of scores without decide= a sweep, for areas and curves.
        Dates and times are labels in the form 2026-01-31.

    Examples
    --------
    >>> import indicatrix as ix
    >>> import pandas as pd
    >>> df = pd.DataFrame({"animal": ["cat", "dog", "dog"], "model": ["cat", "dog", "cat"], "site": ["x", "x", "y"]})
    >>> ix.evaluate_frame(df, true="animal", pred="model", by="site").values("recall", per="site").tolist()
    [1.0, 0.0]
    >>> df.pipe(ix.evaluate_frame, true="animal", pred="model").score("f1", "macro")
    0.6666666666666666
    """
    several = _name_predictions(pred, true)
    allowed = [name for name in OPTION_NAMES if name not in PER_ROW] + ([*OF_COMPARISONS] if several else [])
    refuse_unknown("evaluate_frame", options, allowed, HINTS)
    check_answers(pred, score)
    answers = several or {"pred" if score is None else "score": pred if score is None else score}
    rows = {
        "by": by if isinstance(by, Mapping) else {name: name for name in columns_in(by)},
        "sample_weight": sample_weight,
        "mask": mask,
        "gold": gold,
        "design": None if design in NAMED_STRATA else design,
    }
    used = [*columns_in(true), *(c for given in (*answers.values(), *rows.values()) for c in columns_in(given))]
    opened = _open(df, used)
    if score is None and not several and _is_lazy(opened):
        counted = evaluate_lazy(opened, roles_of("evaluate_frame", true=true, pred=pred, **{**rows, "design": design}, **options))
        if counted is not None:
            return counted
    frame = _Columns.of(opened, used)
    more = frame.read_rows(rows)
    if design is not None:
        more["design"] = {"strata": design if design in NAMED_STRATA else more["design"]}
    if score is not None and not isinstance(score, str) and isinstance(true, str):
        y, found = frame.vector(true), {"score": frame.score_table(score, options)}
    else:
        y, found = frame.labels(true, answers, options)
    if several:
        measures, averages = options.pop("measures", None), options.pop("averages", None)
        return compare(y, found, measures, averages, **more, **options)
    (answer,) = found.values()
    if score is None or options.get("decide") is not None or options.get("tnorm") is not None:
        return evaluate(y, answer, **more, **options)
    refuse_unknown("evaluate_frame", options, OF_SWEEPS, dict.fromkeys(options, "it is for decisions; name decide=, too"))
    return sweep(y, answer, **more, **options)


def _name_predictions(pred: Any, true: Any) -> dict[str, Any]:
    """Return several predictions by name; nothing if there is one."""
    if isinstance(pred, Mapping):
        return {str(name): columns for name, columns in pred.items()}
    if pred is None or isinstance(pred, str) or not isinstance(pred, Iterable) or not isinstance(true, str):
        return {}
    names = [*pred]
    return {str(name): name for name in names} if len(names) > 1 else {}


def _open(df: Any, used: list[Any]) -> Any:
    """Return a frame as narwhals has it, with the columns that are used, among others."""
    nw = narwhals()
    try:
        frame = nw.from_native(_join_batches(df, used))
    except nw.exceptions.DuplicateError as error:
        raise ValueError(f"Two columns of the frame have the same name ({_one_line(error)}). Rename one of them.") from None
    except TypeError:
        raise TypeError(
            f"evaluate_frame reads a data frame, and this is {type_of(df)}. For arrays and lists use ix.evaluate(y_true, y_pred)."
        ) from None
    if isinstance(frame, nw.Series):
        raise TypeError("evaluate_frame reads a data frame, and this is one column. Use ix.evaluate(y_true, y_pred).")
    _check_names(used, frame.collect_schema().names())
    return frame


def _join_batches(df: Any, used: list[Any]) -> Any:
    """Return batches of Arrow as a table of the columns that are used; anything else as it is."""
    pa = sys.modules.get("pyarrow")  # who has a batch has loaded it
    if pa is None or not isinstance(df, pa.RecordBatch | pa.RecordBatchReader):
        return df
    _check_names(used, df.schema.names)
    chosen = [i for i, name in enumerate(df.schema.names) if name in used]
    batches = [df] if isinstance(df, pa.RecordBatch) else df
    return pa.Table.from_batches([batch.select(chosen) for batch in batches], pa.schema([df.schema.field(i) for i in chosen]))


def _check_names(used: list[Any], known: list[Any]) -> None:
    for name in used:
        if name not in known:
            question = did_you_mean(str(name), map(str, known))
            raise ValueError(
                f"The frame has no column {short(name)}. {question}{' ' if question else ''}It has {listing(known)}."
            )


def _is_lazy(frame: Any) -> bool:
    return isinstance(frame, narwhals().LazyFrame)


@dataclass(frozen=True, eq=False)
class _Columns:
    """The columns of a frame that are used, in memory, read through narwhals."""

    frame: Any

    @staticmethod
    def of(frame: Any, used: list[Any]) -> _Columns:
        return _Columns(frame.select(*dict.fromkeys(used)).collect() if _is_lazy(frame) else frame)

    def vector(self, name: Any) -> Any:
        """Return a column as a container that the library reads; dates and times as text."""
        return read_series(self.frame.get_column(name))

    def table(self, columns: list[Any], names: Iterable[Any] | None, argument: str) -> Table:
        """Return several columns as a table, with the names of its columns."""
        if len({*columns}) < len(columns):
            twice = next(name for name in columns if columns.count(name) > 1)
            raise ValueError(f"{argument}= names the column {short(twice)} twice.")
        form = from_numpy(np.column_stack([np.asarray(self.frame.get_column(name).to_numpy()) for name in columns]), argument)
        assert isinstance(form, Table)
        return form if names is None else Table(form.values, tuple(names))

    def read_rows(self, named: Mapping[str, Any]) -> dict[str, Any]:
        """Return what accompanies each row, as far as it is named: groups, weights, a mask."""
        groups, weight, mask = named["by"], named["sample_weight"], named["mask"]
        one = isinstance(mask, str) or not isinstance(mask, Iterable)
        gold, strata = named["gold"], named["design"]
        single = isinstance(gold, str) or not isinstance(gold, Iterable)
        found = {
            "by": {str(axis): self.vector(column) for axis, column in groups.items()} or None,
            "sample_weight": None if weight is None else self.vector(weight),
            "mask": None if mask is None else self.vector(mask) if one else self.table([*mask], None, "mask"),
            "gold": None if gold is None else self.vector(gold) if single else self.table([*gold], None, "gold"),
            "design": None if strata is None else self.vector(strata),
        }
        return {name: value for name, value in found.items() if value is not None}

    def labels(self, true: Any, answers: Mapping[str, Any], options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Return the true labels, and the labels or scores of each answer."""
        said = {name: name if len(answers) == 1 else f"pred[{name!r}]" for name in answers}  # what errors call it
        if not isinstance(true, str) and isinstance(true, Iterable):
            names = [*true]
            for name, given in answers.items():
                check_width(names, columns_in(given), said[name])
            if options.get("targets"):
                sides = [names, *map(columns_in, answers.values())]
                y, *found = ({t: self.vector(column) for t, column in zip(names, side, strict=True)} for side in sides)
                return y, dict(zip(answers, found, strict=True))
            tables = {name: self.table(columns_in(given), names, said[name]) for name, given in answers.items()}
            return self.table(names, names, "true"), tables
        columns = {name: _only(given, said[name]) for name, given in answers.items()}
        if self._holds_lists(true):
            y, *found = self._label_sets({"true": true, **{said[name]: c for name, c in columns.items()}}, options)
            return y, dict(zip(answers, found, strict=True))
        return self.vector(true), {name: self.vector(column) for name, column in columns.items()}

    def score_table(self, given: Any, options: dict[str, Any]) -> Any:
        """Return a column of scores for each class; the names of a mapping are the classes."""
        classes = classes_of_scores(given, options.get("classes"))
        if classes is None:
            raise ValueError(WHICH_CLASSES)
        options["classes"] = classes
        return self.table(columns_in(given), None, "score").values

    def _holds_lists(self, name: Any) -> bool:
        nw, series = narwhals(), self.frame.get_column(name)
        if series.dtype == nw.Object:  # of pandas: Python objects, among them perhaps lists
            return isinstance(next((row for row in series.to_list() if row is not None), None), ROWS)
        return isinstance(series.dtype, nw.List | nw.Array)

    def _label_sets(self, columns: Mapping[str, Any], options: dict[str, Any]) -> list[Any]:
        """Return columns of lists as label sets; with missing lists, as Python sets."""
        for name, column in columns.items():
            if not self._holds_lists(column):
                raise TypeError(f"true= is a column of lists, and {name} is not: the column {short(column)} holds single values.")
        series = {name: self.frame.get_column(column) for name, column in columns.items()}
        if any(one.null_count() for one in series.values()):
            return [[None if row is None else {*map(text_of_date, row)} for row in one.to_list()] for one in series.values()]
        lists = {name: flatten_lists(one) for name, one in series.items()}
        return [*read_label_lists(lists, options.pop("classes", None)).values()]


def _only(given: Any, argument: str) -> Any:
    """Return the name of a column, where there must be one."""
    names = columns_in(given)
    if len(names) != 1:
        raise ValueError(f"true= is one column, and {argument} names {len(names)}. For label columns, name as many in true=.")
    return names[0]


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split())


def evaluate_lazy(frame: Any, roles: ColumnRoles) -> Any:
    """Return the evaluation of a lazy frame, counted by its engine; None if all rows are needed.

    They are needed for scores, weights, lists and several columns of labels, for categories that are declared, and to say which
    row is wrong.

    >>> import narwhals.stable.v2 as nw
    >>> import polars as pl
    >>> from indicatrix.engines.column_roles import roles_of
    >>> frame = nw.from_native(pl.LazyFrame({"y": ["a", "b", "b"], "yhat": ["a", "b", "a"]}))
    >>> evaluate_lazy(frame, roles_of("evaluate_frame", true="y", pred="yhat")).score("recall", "macro")
    0.75
    """
    import narwhals.stable.v2 as nw

    if not is_countable(roles):
        return None
    kinds = frame.select(*roles.columns).collect_schema()
    if not all(kind == nw.String or kind == nw.Boolean or kind.is_integer() for kind in kinds.values()):
        return None
    counted = frame.group_by(*roles.columns).agg(nw.len().alias(COUNT)).collect().to_arrow()
    try:
        return finish(evaluate_distinct(counted, roles, COUNT), roles)
    except (TypeError, ValueError):
        return None


DAY, MOMENT = "%Y-%m-%d", "%Y-%m-%dT%H:%M:%S"
DATES = (dt.date, dt.time)  # a datetime is a date


def narwhals() -> Any:
    """Return the module that reads data frames; without it, the error says how to install it."""
    try:
        import narwhals.stable.v2 as nw
    except ImportError:
        raise ImportError(
            "evaluate_frame needs narwhals, which is not installed: pip install 'indicatrix[frames]'. Or use "
            "ix.evaluate(df['true'], df['pred'])."
        ) from None
    return nw


def read_series(series: Any) -> Any:
    """Return a column as a container that the library reads; dates and times as text such as 2026-01-31.

    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> read_series(nw.from_native(pd.Series([dt.date(2026, 1, 31), None]), series_only=True))
    ['2026-01-31', None]
    """
    nw = narwhals()
    kind = series.dtype
    if kind == nw.Date or kind == nw.Datetime:
        return _native(series.dt.to_string(DAY if kind == nw.Date else f"{MOMENT}%.f"))
    if kind == nw.Object or kind == nw.Time:  # in pandas, Python objects: perhaps dates
        rows = series.to_list()
        return [*map(text_of_date, rows)] if any(isinstance(row, DATES) for row in rows) else _native(series)
    if series.implementation.is_pandas() and isinstance(kind, nw.Categorical | nw.Enum):
        column = series.to_native()
        if not hasattr(column, "cat"):  # a dictionary of Arrow, which pandas keeps as it is
            return series.to_arrow()
        dated = any(isinstance(name, DATES) for name in column.cat.categories)
        return column.cat.rename_categories(text_of_date) if dated else column
    return _native(series)


def text_of_date(value: Any) -> Any:
    """Return a date or a time of Python as text, in the form of a column of them; anything else as it is.

    >>> text_of_date(dt.date(2026, 1, 31)), text_of_date(dt.datetime(2026, 1, 31, 5)), text_of_date(dt.time(5)), text_of_date("a")
    ('2026-01-31', '2026-01-31T05:00:00.000000', '05:00:00', 'a')
    """
    if not isinstance(value, DATES):
        return value
    if value != value:  # the missing time of pandas
        return None
    return value.strftime(f"{MOMENT}.%f") if isinstance(value, dt.datetime) else value.isoformat()


def flatten_lists(series: Any) -> tuple[Any, Any]:
    """Return how many labels each list of a column has, and the labels of all lists one after the other.

    >>> import narwhals.stable.v2 as nw
    >>> import pandas as pd
    >>> flatten_lists(nw.from_native(pd.Series([["a", "b"], [], ["b"]]), series_only=True))
    (array([2, 0, 1]), ['a', 'b', 'b'])
    """
    nw = narwhals()
    if series.dtype == nw.Object:
        rows = series.to_list()
        return np.fromiter(map(len, rows), np.int64, len(rows)), [*map(text_of_date, chain.from_iterable(rows))]
    if series.implementation.is_pandas() or series.implementation.is_polars():
        series = series.cast(nw.List(series.dtype.inner))  # what has a fixed length, too
        sizes = np.asarray(series.list.len().to_numpy(), np.int64)
        some = series.filter(series.list.len() > 0).to_frame()
        return sizes, read_series(some.explode(series.name).get_column(series.name))
    import pyarrow as pa
    from pyarrow.compute import list_flatten, list_value_length

    column = series.to_arrow()
    labels = nw.from_native(pa.chunked_array([list_flatten(column)]), series_only=True)
    return np.asarray(list_value_length(column), np.int64), read_series(labels)


def _native(series: Any) -> Any:
    """Return a column as its own library has it, or as Arrow if this library does not read that one."""
    known = series.implementation.is_pandas() or series.implementation.is_polars() or series.implementation.is_pyarrow()
    return series.to_native() if known else series.to_arrow()
