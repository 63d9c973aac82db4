"""Evaluations in MLflow: scores, files, and metrics for its own evaluation of models."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..algebra.derived.derived_facts import needed_direction
from ..algebra.score import Undefined
from ..catalogue.listing import read_score
from ..engines.stream import name_of, scores_of
from ..evaluate import evaluate
from ..evaluation import Evaluation
from ..words.call_mistakes import answers_mistakes
from .trackers import flat_scores, key_of, load_library, saved_files


@answers_mistakes
def log_mlflow(
    ev: Evaluation,
    *scores: Any,
    interval: float | bool | None = None,
    undefined: Undefined = "exclude",
    prefix: str = "",
    step: int | None = None,
    run_id: str | None = None,
    folder: str = "evaluation",
) -> dict[str, float]:
    """Log the scores of an evaluation to MLflow, with the saved evaluation and the report as artifacts.

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
    run_id : str, optional
        The run. Default: the active run; without one, MLflow starts one.
    folder : str, default 'evaluation'
        The folder of the artifacts ``evaluation.json``, which ``ix.load`` reads, and ``report.txt``.

    Returns
    -------
    dict
        The scores that were logged, as ``ix.integrations.flat_scores`` gives them.

    Examples
    --------
    ::

        with mlflow.start_run():
            ix.integrations.log_mlflow(ev, "macro f1", "micro recall", interval=True)
    """
    mlflow = load_library("mlflow", "mlflow")
    found = flat_scores(ev, *scores, interval=interval, undefined=undefined, prefix=prefix)
    mlflow.log_metrics(found, step=step, run_id=run_id)
    with saved_files(ev, ev.report(undefined=undefined, interval=interval)) as files:
        for file in files:
            mlflow.log_artifact(str(file), folder, run_id=run_id)
    return found


@answers_mistakes
def mlflow_metrics(*scores: Any, undefined: Undefined = "exclude", **options: Any) -> list[Any]:
    """Return metrics for ``mlflow.models.evaluate(…, extra_metrics=…)``, one for each score.

    Parameters
    ----------
    *scores : str or pair
        Names of scores such as "macro f1".
    undefined : str or number, default 'exclude'
        What an undefined value does: 'exclude' leaves it out of the average, a number replaces it, 'nan' keeps it,
        'raise' is an error.
    **options
        What ``ix.evaluate`` takes: positive=, classes=, …

    Returns
    -------
    list of EvaluationMetric
        Each made by ``mlflow.models.make_metric``; the names are the keys of ``ix.integrations.flat_scores``.

    Examples
    --------
    ::

        extra = ix.integrations.mlflow_metrics("macro f1", "macro mcc")
        mlflow.models.evaluate(data=df, targets="y", predictions="p", extra_metrics=extra)
    """
    make_metric = load_library("mlflow.models", "mlflow").make_metric

    def eval_fn_of(score: Any) -> Callable[..., float]:
        def eval_fn(predictions: Any, targets: Any) -> float:
            return float(scores_of(evaluate(targets, predictions, **options), (score,), undefined)[name_of(score)])

        return eval_fn

    directions = {key_of(score): needed_direction(read_score(score)[0]) for score in scores}
    return [
        make_metric(eval_fn=eval_fn_of(score), greater_is_better=directions[key_of(score)] == "higher", name=key_of(score))
        for score in scores
    ]
