# Written by `make docs` from the lists of public names and the registered measures, for type checkers and editors.

from .trackers import card_results as card_results
from .trackers import flat_scores as flat_scores
from .trainer import hf as hf
from .keras import keras_callback as keras_callback
from .mlflow import log_mlflow as log_mlflow
from .trackers import log_tensorboard as log_tensorboard
from .trackers import log_wandb as log_wandb
from .mlflow import mlflow_metrics as mlflow_metrics

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
