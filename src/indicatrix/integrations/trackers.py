"""Evaluations in trackers and model cards: scores under keys, and the files of an evaluation.

Their libraries load at first use.

The outputs of a model and their labels, counted batch by batch.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..algebra.average import average_name
from ..algebra.score import Undefined
from ..catalogue.listing import read_score
from ..encode.device_arrays import tensor_to_numpy
from ..engines.stream import Stream, name_of, scores_of
from ..evaluation import Evaluation
from ..inference.intervals.interval import Interval
from ..inference.intervals.of_score import interval_or_reason, level_of
from ..words.call_mistakes import answers_mistakes


@answers_mistakes
def flat_scores(
    ev: Evaluation,
    *scores: Any,
    interval: float | bool | None = None,
    undefined: Undefined = "exclude",
    prefix: str = "",
) -> dict[str, float]:
    """Return scores of an evaluation as plain floats, under keys that every tracker takes.

    The key is the name of the score with one underscore for what is not a letter, a digit, an underscore or a dot:
    "macro f1" becomes "macro_f1". An undefined score stays NaN.

    Parameters
    ----------
    ev : Evaluation
        What was counted.
    *scores : str or pair
        Names of scores such as "macro f1". Default: those of ``ev.table()``.
    interval : float or bool, optional
        A level such as 0.95, or True for it: then "macro_f1_low" and "macro_f1_high" follow "macro_f1". A score that has no
        interval has no such keys.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    prefix : str, default ''
        What every key starts with, such as "test/".

    Returns
    -------
    dict
        Keys and plain floats.

    Examples
    --------
    >>> import indicatrix as ix
    >>> ev = ix.from_confusion([[40, 10], [5, 45]])
    >>> ix.integrations.flat_scores(ev, "macro f1", "micro f_beta(beta=2)", prefix="test/")
    {'test/macro_f1': 0.849624060150376, 'test/micro_f_beta_beta_2': 0.85}
    >>> {key: round(x, 3) for key, x in ix.integrations.flat_scores(ev, "macro f1", interval=True).items()}
    {'macro_f1': 0.85, 'macro_f1_low': 0.767, 'macro_f1_high': 0.908}
    """
    names = scores or usual_scores(ev)
    found = scores_of(ev, names, undefined)
    if not interval:
        return flatten(found, prefix)
    level, entries = level_of(interval), list[tuple[str, Any]]()
    for name, score in zip(found, dict.fromkeys(names), strict=True):
        ends = interval_or_reason(ev, *read_score(score), level, undefined)
        low_high = [(f"{name} low", ends.low), (f"{name} high", ends.high)] if isinstance(ends, Interval) else []
        entries += [(name, found[name]), *low_high]
    return flatten(entries, prefix)


def usual_scores(ev: Evaluation) -> tuple[Any, ...]:
    """Return the scores of ``ev.table()`` as pairs of a measure and an average."""
    return tuple(ev.table().scores)


def flatten(scores: Mapping[str, Any] | Iterable[tuple[str, Any]], prefix: str = "") -> dict[str, float]:
    """Return named scores as plain floats under keys; two names with one key are refused.

    >>> flatten({"macro f1": 0.5, "site-wise recall": float("nan")})
    {'macro_f1': 0.5, 'site_wise_recall': nan}
    """
    keys: dict[str, str] = {}
    values: dict[str, float] = {}
    for name, value in scores.items() if isinstance(scores, Mapping) else scores:
        key = key_of_group(prefix) + key_of(name)
        if keys.setdefault(key, name) != name:
            raise ValueError(f"The scores {keys[key]!r} and {name!r} have the same key, {key!r}. Ask for them in two calls.")
        values[key] = float(value)
    return values


def key_of(score: Any) -> str:
    """Return the key of a score: its name, with one underscore for all that some tracker refuses.

    >>> key_of("weighted f_beta(beta=0.5)"), key_of("macro tp / (tp + fn)")
    ('weighted_f_beta_beta_0.5', 'macro_tp_tp_fn')
    """
    return re.sub(r"[^\w.]+", "_", score if isinstance(score, str) else name_of(score)).strip("_")


def key_of_group(prefix: str) -> str:
    """Return what comes before the keys of several scores, without what some tracker refuses.

    Slashes and hyphens stay: they make groups.

    >>> key_of_group("test/"), key_of_group("test (fold 3): ")
    ('test/', 'test_fold_3_')
    """
    return re.sub(r"[^\w./-]+", "_", prefix)


def load_library(name: str, extra: str) -> Any:
    """Return the module of an optional library, or say which extra of this package brings it."""
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != name.partition(".")[0]:
            raise
        raise ModuleNotFoundError(f"This needs {name}: pip install 'indicatrix[{extra}]'.", name=error.name) from None


@contextmanager
def saved_files(ev: Evaluation, report: str) -> Iterator[list[Path]]:
    """Write ``evaluation.json``, which ``ix.load`` reads, and ``report.txt``; they are gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        evaluation, text = Path(folder, "evaluation.json"), Path(folder, "report.txt")
        ev.save(evaluation)
        text.write_text(f"{report}\n", encoding="utf-8")
        yield [evaluation, text]


@answers_mistakes
def log_wandb(
    ev: Evaluation,
    *scores: Any,
    interval: float | bool | None = None,
    undefined: Undefined = "exclude",
    prefix: str = "",
    step: int | None = None,
    run: Any = None,
    artifact: str = "evaluation",
) -> dict[str, float]:
    """Log the scores of an evaluation to Weights & Biases, with the saved evaluation and the report.

    Parameters
    ----------
    ev : Evaluation
        What was counted.
    *scores : str or pair
        Names of scores such as "macro f1". Default: those of ``ev.table()``.
    interval : float or bool, optional
        A level such as 0.95, or True for it: then the ends of intervals are logged, too.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    prefix : str, default ''
        What every key starts with, such as "test/".
    step : int, optional
        The step of the scores.
    run : wandb run, optional
        What ``wandb.init`` returned. Default: the active run.
    artifact : str, default 'evaluation'
        The name of the artifact with ``evaluation.json``, which ``ix.load`` reads, and ``report.txt``.

    Returns
    -------
    dict
        The scores that were logged, as ``ix.integrations.flat_scores`` gives them.

    Examples
    --------
    ::

        with wandb.init(mode="offline"):
            ix.integrations.log_wandb(ev, "macro f1", "micro recall", interval=True)
    """
    wandb = load_library("wandb", "wandb")
    run = run or wandb.run
    if run is None:
        raise ValueError("There is no active run. Call wandb.init() first, or give run=.")
    found = flat_scores(ev, *scores, interval=interval, undefined=undefined, prefix=prefix)
    run.log(found, step=step)
    made = wandb.Artifact(artifact, type="evaluation")
    with saved_files(ev, ev.report(undefined=undefined, interval=interval)) as files:
        for file in files:
            made.add_file(str(file))
    run.log_artifact(made)
    return found


@answers_mistakes
def log_tensorboard(
    ev: Evaluation,
    writer: Any,
    *scores: Any,
    interval: float | bool | None = None,
    undefined: Undefined = "exclude",
    prefix: str = "",
    step: int | None = None,
) -> dict[str, float]:
    """Log the scores of an evaluation and its report with a ``SummaryWriter``.

    Parameters
    ----------
    ev : Evaluation
        What was counted.
    writer : SummaryWriter
        Of ``torch.utils.tensorboard``, or anything with ``add_scalar`` and ``add_text``.
    *scores : str or pair
        Names of scores such as "macro f1". Default: those of ``ev.table()``.
    interval : float or bool, optional
        A level such as 0.95, or True for it: then the ends of intervals are logged, too.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    prefix : str, default ''
        What every key starts with, such as "test/", which makes a section.
    step : int, optional
        The step of the scores.

    Returns
    -------
    dict
        The scores that were logged, as ``ix.integrations.flat_scores`` gives them.

    Examples
    --------
    ::

        with SummaryWriter("runs/monday") as writer:
            ix.integrations.log_tensorboard(ev, writer, "macro f1", prefix="test/", step=3)
    """
    found = flat_scores(ev, *scores, interval=interval, undefined=undefined, prefix=prefix)
    for key, value in found.items():
        writer.add_scalar(key, value, step)
    report = ev.report(undefined=undefined, interval=interval).replace("\n", "\n    ")
    writer.add_text(f"{key_of_group(prefix)}report", f"    {report}", step)  # four spaces: Markdown shows it as it is
    return found


@answers_mistakes
def card_results(ev: Evaluation, *scores: Any, undefined: Undefined = "exclude", **about: Any) -> list[Any]:
    """Return the scores of an evaluation for the table of results in a model card.

    Parameters
    ----------
    ev : Evaluation
        What was counted.
    *scores : str or pair
        Names of scores such as "macro f1". Default: those of ``ev.table()``.
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    **about
        What ``huggingface_hub.EvalResult`` takes about the task and the data: task_type=, dataset_type=, dataset_name=, …

    Returns
    -------
    list of EvalResult
        For ``ModelCardData(model_name=…, eval_results=…)``.

    Examples
    --------
    ::

        about = {"task_type": "text-classification", "dataset_type": "imdb", "dataset_name": "IMDb"}
        results = ix.integrations.card_results(ev, "macro f1", **about)
        ModelCardData(model_name="tiny", eval_results=results)
    """
    eval_result = load_library("huggingface_hub", "huggingface").EvalResult
    found = scores_of(ev, scores or usual_scores(ev), undefined)
    read = {name_of(score): read_score(score) for score in scores or usual_scores(ev)}
    return [
        eval_result(
            metric_type=str(read[name][0]),
            metric_name=name,
            metric_value=float(value),
            metric_args={} if read[name][1] is None else {"average": average_name(read[name][1])},
            **about,
        )
        for name, value in found.items()
    ]


KINDS = ("multiclass", "multilabel")
DecidedRows = tuple[Array, Array, Any, Array | None]  # true labels, outputs, how outputs are decided, which entries are observed


class OutputStream:
    """A stream whose first batch says how the outputs of a model are read.

    ``same_shape`` is the kind of scores that have the shape of their labels, and ``threshold`` decides them.
    """

    def __init__(
        self,
        scores: tuple[Any, ...],
        options: dict[str, Any],
        *,
        kind: str | None,
        same_shape: str | None,
        threshold: float,
        ignore_index: int | None,
        undefined: Undefined,
    ) -> None:
        if kind not in (None, *KINDS):
            raise ValueError(f"kind={kind!r} is unknown. Use 'multiclass' (one label per example) or 'multilabel'.")
        if not scores:
            raise ValueError("Name the scores, such as 'macro f1'.")
        self.scores, self.kind, self.same_shape = scores, kind, same_shape
        self.threshold, self.ignore_index = threshold, ignore_index
        self.options: dict[str, Any] = {"undefined": undefined, **options}
        Stream(*scores, **self.options)  # what is wrong is said now, and not after the first epoch
        self.reset()

    def reset(self) -> None:
        """Forget all batches."""
        self._stream: Stream | None = None

    def update(self, outputs: Any, labels: Any) -> None:
        """Count a batch."""
        outputs, labels = as_array(outputs), as_array(labels)
        kind = self.kind or kind_of(outputs, labels, self.same_shape)
        read = multilabel_rows if kind == "multilabel" else multiclass_rows
        true, pred, rule, mask = read(outputs, labels, self.threshold, self.ignore_index)
        if self._stream is None:
            decide = {} if rule is None else {"decide": rule}
            self._stream = Stream(*self.scores, **decide | self.options)
        self._stream.update(true, pred, mask=mask)

    def compute(self) -> dict[str, Any]:
        """Return the scores of all batches so far, by name."""
        return (self._stream or Stream(*self.scores, **self.options)).compute()


def as_array(x: Any) -> Array:
    """Return an array of any library, or a tensor of any device, as a NumPy array."""
    torch = sys.modules.get("torch")
    return tensor_to_numpy(x.detach(), torch) if torch is not None and isinstance(x, torch.Tensor) else np.asarray(x)


def kind_of(outputs: Array, labels: Array, same_shape: str | None) -> str:
    """Return the kind that the shapes tell; scores of the shape of their labels are ``same_shape``."""
    if outputs.shape != labels.shape or labels.ndim == 1:
        return "multiclass"
    if same_shape is not None and outputs.dtype.kind == "f":
        return same_shape
    raise ValueError(
        f"The outputs and the labels have the same shape, {labels.shape}, which does not tell what they are. Give "
        "kind='multilabel' if every column is a label of its own, or kind='multiclass' for one class per row or token."
    )


def multiclass_rows(outputs: Array, labels: Array, threshold: float, ignore_index: int | None) -> DecidedRows:
    """Return one row for each example or token, without those that are ignored."""
    decided, width = outputs.dtype.kind in "bui", outputs.shape[-1] if outputs.ndim > 1 else 1
    wide = not decided and width > 1
    if wide and labels.shape == outputs.shape:
        labels = labels.argmax(axis=-1)  # one-hot
    true = whole(labels.reshape(-1))
    pred = outputs.reshape(-1, width) if wide else outputs.reshape(-1)
    if len(true) != len(pred):
        raise ValueError(f"The outputs have the shape {outputs.shape} and the labels {labels.shape}; they do not fit together.")
    if ignore_index is not None and (ignored := true == ignore_index).any():
        true, pred = true[~ignored], pred[~ignored]
    return true, pred, None if decided else "argmax" if wide else threshold, None


def multilabel_rows(outputs: Array, labels: Array, threshold: float, ignore_index: int | None) -> DecidedRows:
    """Return one row for each example; entries that are ignored are masked."""
    true = whole(labels)
    observed = np.ones(true.shape, bool) if ignore_index is None else true != ignore_index
    rule = None if outputs.dtype.kind in "bui" else threshold
    return np.where(observed, true, 0), outputs, rule, None if observed.all() else observed


def whole(labels: Array) -> Array:
    """Return labels as integers; losses of binary labels want floats, which hold 0 and 1."""
    if labels.dtype.kind != "f":
        return labels
    if not (found := np.rint(labels) == labels).all():
        raise ValueError(f"The labels are ids or 0 and 1, and {labels[~found].flat[0]} is not a whole number.")
    return labels.astype(np.int64)
