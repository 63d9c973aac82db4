"""Print what a stream of batches costs, ours and torchmetrics', in the same run.

79 batches of 128 rows, updates and one compute of macro F1; torchmetrics is told not to check its input, as training loops do.
On the CPU the least processor time of several runs, on one thread; ``python -m benchmarks.streams cuda`` has tensors of a GPU,
and the least time until it has done its work.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import torch
from torchmetrics.classification import MulticlassF1Score, MultilabelF1Score

import indicatrix as ix

BATCHES, ROWS, REPEATS = 79, 128, 7


def fill(make: Callable[[], Any], batches: list[tuple[Any, Any]]) -> Callable[[], Any]:
    """Return a call that makes a stream, gives it all batches, and computes."""

    def call() -> Any:
        stream = make()
        for batch in batches:
            stream.update(*batch)
        return stream.compute()

    return call


def least(call: Callable[[], Any], device: str) -> float:
    """Return the least milliseconds of several runs."""
    best = float("inf")
    clock = time.process_time if device == "cpu" else time.perf_counter  # compute() waits for the device
    for _ in range(REPEATS):
        start = clock()
        call()
        best = min(best, clock() - start)
    return best * 1000


def cases(device: str) -> Iterator[tuple[str, Callable[[], Any], Callable[[], Any], Callable[[], Any]]]:
    """Yield the name of a case, and the calls of ix.Stream, ix.torch.Stream and torchmetrics."""
    rng = np.random.default_rng(0)
    for m in (2, 10, 100):
        true = [rng.integers(0, m, ROWS) for _ in range(BATCHES)]
        scores = [rng.random((ROWS, m), dtype=np.float32) for _ in true]
        for name, preds, decide in (("labels", [s.argmax(axis=1) for s in scores], None), ("scores", scores, "argmax")):
            arrays = list(zip(true, preds, strict=True))
            tensors = [(torch.from_numpy(p).to(device), torch.from_numpy(t).to(device)) for t, p in arrays]
            yield (
                f"{m} classes, {name}",
                fill(lambda decide=decide: ix.Stream("macro f1", decide=decide), arrays),  # type: ignore[misc]
                fill(lambda m=m: ix.torch.Stream("macro f1", classes=m), tensors),  # type: ignore[misc]
                fill(lambda m=m: MulticlassF1Score(m, average="macro", validate_args=False).to(device), tensors),  # type: ignore[misc]
            )
    labels = [(rng.random((ROWS, 14)) < 0.3).astype(np.int64) for _ in range(BATCHES)]
    arrays = [(t, rng.random((ROWS, 14), dtype=np.float32)) for t in labels]
    tensors = [(torch.from_numpy(p).to(device), torch.from_numpy(t).to(device)) for t, p in arrays]
    yield (
        "14 labels, scores",
        fill(lambda: ix.Stream("macro f1", decide=0.5), arrays),
        fill(lambda: ix.torch.Stream("macro f1", kind="multilabel", decide=0.5), tensors),
        fill(lambda: MultilabelF1Score(14, average="macro", validate_args=False).to(device), tensors),
    )


def main(device: str = "cpu") -> None:
    """Print the table; the ratios are torchmetrics' time divided by ours."""
    torch.set_num_threads(1)
    print(f"{BATCHES} batches of {ROWS} rows, ms on {device}: ix.Stream (in main memory), ix.torch.Stream, torchmetrics (ratios)")
    for name, ours, on_device, peer in cases(device):
        a, b, c = (least(call, device) for call in (ours, on_device, peer))
        print(f"{name:24s} {a:8.2f} {b:8.2f} {c:8.2f}   {c / a:6.1f} x {c / b:6.1f} x")


if __name__ == "__main__":
    main(*sys.argv[1:])
