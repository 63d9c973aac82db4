# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .trackers import card_results, flat_scores, log_tensorboard, log_wandb
from .trainer import hf, keras_callback
from .mlflow import log_mlflow, mlflow_metrics

__all__ = [
    "card_results",
    "flat_scores",
    "hf",
    "keras_callback",
    "log_mlflow",
    "log_tensorboard",
    "log_wandb",
    "mlflow_metrics",
]
