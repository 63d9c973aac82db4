"""Evaluations in Weights & Biases: scores and files."""

from __future__ import annotations

from typing import Any

from ..algebra.score import Undefined
from ..evaluation import Evaluation
from ..words.call_mistakes import answers_mistakes
from .trackers import flat_scores, load_library, saved_files


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
