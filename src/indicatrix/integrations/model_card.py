"""Evaluations in model cards of the Hugging Face Hub."""

from __future__ import annotations

from typing import Any

from ..algebra.average import average_name
from ..algebra.score import Undefined
from ..catalogue.named_scores import read_score
from ..engines.stream import name_of, scores_of
from ..evaluation import Evaluation
from ..words.call_mistakes import answers_mistakes
from .trackers import load_library, usual_scores


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
