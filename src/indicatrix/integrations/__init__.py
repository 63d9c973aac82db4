"""Scores in training frameworks and trackers: Hugging Face, Keras, MLflow, W&B, TensorBoard."""

from __future__ import annotations

from ..public_names import load_at_first_use

HOMES = {  # each name, and the module that defines it; `make docs` writes the stub from it
    "card_results": "trackers",
    "flat_scores": "trackers",
    "hf": "trainer",
    "keras_callback": "trainer",
    "log_mlflow": "mlflow",
    "log_tensorboard": "trackers",
    "log_wandb": "trackers",
    "mlflow_metrics": "mlflow",
}
__all__ = sorted(HOMES)
__getattr__ = load_at_first_use(__name__, HOMES)


def __dir__() -> list[str]:
    return __all__
