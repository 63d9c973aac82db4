"""Scores in training frameworks and trackers: Hugging Face, Keras, MLflow, W&B, TensorBoard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..public_names import load_at_first_use

if TYPE_CHECKING:
    from .keras import keras_callback as keras_callback
    from .mlflow import log_mlflow as log_mlflow
    from .mlflow import mlflow_metrics as mlflow_metrics
    from .model_card import card_results as card_results
    from .scores_as_floats import flat_scores as flat_scores
    from .tensorboard import log_tensorboard as log_tensorboard
    from .trainer import hf as hf
    from .wandb import log_wandb as log_wandb

HOMES = {
    "card_results": "model_card",
    "flat_scores": "scores_as_floats",
    "hf": "trainer",
    "keras_callback": "keras",
    "log_mlflow": "mlflow",
    "log_tensorboard": "tensorboard",
    "log_wandb": "wandb",
    "mlflow_metrics": "mlflow",
}
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


__getattr__ = load_at_first_use(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
