"""Write benchmarks/gpu.md: what counting on a GPU costs.

It is timed next to reading the input once and to torchmetrics, in the same run. ``python -m benchmarks.gpu`` needs an NVIDIA
GPU with 40 GB of free memory.
"""

from __future__ import annotations

import platform
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import torch
import torchmetrics
from torchmetrics.functional import classification as tm

import indicatrix as ix
from indicatrix.encode import device_arrays
from indicatrix.tally.device.margins import class_margins
from indicatrix.tally.device.pair_buffer import add_pairs, buffer_size
from indicatrix.tally.device.tables import count_tables

GPU = torch.device("cuda", 0)
ROWS, SMALL = 10**8, 10**7
PAGE = Path(__file__).with_name("gpu.md")
HEAD = """# Counting on a GPU

`python -m benchmarks.gpu` on one {gpu}; torch {torch}, torchmetrics {torchmetrics}, Python {python}.
Kernels: {kernels}.

Times are milliseconds, the least of {repeats} runs after {warm} seconds that compile and warm up. *Reading* is one pass over the
input by `torch.max`; for areas the unit is `torch.sort` of as many 32-bit keys. *Device* is the work of the device alone, by its
own clock: the table of pairs, or the counts of all columns and of all rows. *Call* is the whole call, from the arrays on the
device to the score in main memory, and so is the time of torchmetrics.

The aim of labels and tables is met by the counting on the device, not by the whole call: that one also finds the classes, copies
the counts, and makes the score in Python, which takes 0.4 ms and more, as long as reading itself. All other aims are about the
call.

torchmetrics checks its input first; *unchecked* is the same with `validate_args=False`, as training loops call it.

| what | reading | device | / reading | aim | call | / reading | torchmetrics | / call | unchecked | / call |
|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|"""


class Row(NamedTuple):
    """One line of the page."""

    what: str
    unit: Callable[[], Any]  # reading, or sorting
    call: Callable[[], Any]
    device: Callable[[], Any] | None = None
    theirs: Callable[[], Any] | None = None
    aim: str = ""


REPEATS, WARM = 30, 0.5


def call_time(call: Callable[[], Any], repeats: int = REPEATS) -> float:
    """Return the least milliseconds of a call, until the device has done its work.

    Other users of the host only add to it.
    """
    times, first = list[float](), time.perf_counter()
    while len(times) < repeats:
        torch.cuda.synchronize()
        start = time.perf_counter()
        call()
        torch.cuda.synchronize()
        if start - first > WARM:  # until then kernels are compiled, and the processor is not yet at its speed
            times.append(time.perf_counter() - start)
    return min(times) * 1000


def device_time(call: Callable[[], Any]) -> float:
    """Return the least milliseconds that the device works."""
    times = []
    for _ in range(REPEATS):
        start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        torch.cuda.synchronize()
        torch.cuda._sleep(200_000)  # the device waits until all of the call is queued
        start.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(start.elapsed_time(end))
    return min(times)


def read(*arrays: torch.Tensor) -> Callable[[], Any]:
    """Return a call that reads arrays once: the largest number of each, in words of eight bytes."""
    words = [x.reshape(-1).view(torch.uint8)[: x.numel() * x.element_size() // 8 * 8].view(torch.int64) for x in arrays]
    return lambda: [word.max() for word in words]


def labels(m: int, dtype: torch.dtype = torch.int64, *, one_pair: float = 0.0) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random labels, of which a share are one and the same pair."""
    true, pred = (torch.empty(ROWS, dtype=torch.int64, device=GPU).random_(0, m) for _ in range(2))
    if one_pair:
        here = torch.rand(ROWS, device=GPU) < one_pair
        true[here] = pred[here] = 1
    return true.to(dtype), pred.to(dtype)


def of_labels(what: str, m: int, y: torch.Tensor, z: torch.Tensor, aim: str = "") -> Row:
    """Return the row about some labels."""
    buffer = torch.zeros(buffer_size(m), dtype=torch.int64, device=GPU)
    theirs = partial(tm.binary_f1_score, z, y) if m == 2 else partial(tm.multiclass_f1_score, z, y, m)
    average = None if m == 2 else "macro"
    return Row(what, read(y, z), partial(ix.f1, y, z, average=average), partial(add_pairs, buffer, y, z, m), theirs, aim)


def label_rows() -> Iterator[Row]:
    """Yield the rows about labels."""
    for m in (2, 10, 32, 100, 200, 1000):
        aim = "≤ 1.5" if m <= 32 else "≤ 8" if m == 1000 else ""
        yield of_labels(f"10⁸ int64 labels, m = {m:,}", m, *labels(m), aim)
    for m, dtype, share in ((10, torch.uint8, 0.0), (100, torch.int64, 0.9), (1000, torch.int64, 0.9)):
        note = f", {share:.0%} of them one pair" if share else ""
        yield of_labels(f"10⁸ {str(dtype)[6:]} labels, m = {m:,}{note}", m, *labels(m, dtype, one_pair=share))
    for m, name in ((10_000, "10,000"), (100_000, "100,000")):
        y, z = (x[:SMALL] for x in labels(m))
        theirs = partial(tm.multiclass_f1_score, z, y, m) if m == 10_000 else None  # of more, its table takes 80 GB
        ours, device = partial(ix.f1, y, z, average="macro"), partial(class_margins, y, z, m)
        yield Row(f"10⁷ int64 labels, m = {name}", read(y, z), ours, device, theirs)
    y, z = labels(10)
    yield Row("the same, m = 10, `classes=range(10)`", read(y, z), partial(ix.evaluate, y, z, classes=range(10)))
    w = torch.rand(ROWS, dtype=torch.float64, device=GPU)
    ours = partial(ix.f1, y, z, sample_weight=w, average="macro")
    yield Row("the same, m = 10, with float64 weights, exact", read(y, z, w), ours, aim="≤ 10")
    many, seen = [x[:SMALL] for x in labels(10_000)], torch.rand(SMALL, device=GPU) < 0.9
    ours = partial(ix.f1, *many, sample_weight=w[:SMALL], average="macro")
    yield Row("10⁷ int64 labels, m = 10,000, with float64 weights, exact", read(*many, w[:SMALL]), ours)
    ours = partial(ix.f1, *many, mask=seen, average="macro")
    yield Row("10⁷ int64 labels, m = 10,000, a mask", read(*many, seen), ours)
    y, s = y[:SMALL], torch.randn(SMALL, 10, device=GPU)
    ours, theirs = partial(ix.f1, y, s, decide="argmax", average="macro"), partial(tm.multiclass_f1_score, s, y, 10)
    yield Row("10⁷ × 10 float32 scores, argmax", read(y, s), ours, theirs=theirs)


def table_rows() -> Iterator[Row]:
    """Yield the rows about tables."""
    y, z = ((torch.rand(SMALL, 100, device=GPU) < p).to(torch.uint8) for p in (0.1, 0.12))
    theirs = partial(tm.multilabel_f1_score, z, y, 100)

    def both() -> None:
        torch.unique(count_tables(y, z).codes, return_counts=True)

    for average in ("macro", "exemplar"):
        what = f"10⁷ × 100 uint8 multilabel, columns and rows, {average}"
        yield Row(what, read(y, z), partial(ix.f1, y, z, average=average), both, theirs, "≤ 4")
    ours = partial(ix.evaluate, y, z)
    yield Row("the same by `ix.evaluate(y, z)`, with what intervals need", read(y, z), ours, aim="≤ 10")
    s = torch.rand(SMALL, 100, device=GPU)
    ours, theirs = partial(ix.f1, y, s, decide=0.5, average="macro"), partial(tm.multilabel_f1_score, s, y, 100)
    yield Row("10⁷ × 100 float32 multilabel scores, `decide=0.5`", read(y, s), ours, theirs=theirs)
    del s
    a, b = (torch.rand(SMALL, 10, device=GPU) for _ in range(2))
    soft = partial(ix.f1, a, b, tnorm="product", average="macro")
    yield Row("10⁷ × 10 float32 memberships, product, exact sums", read(a, b), soft)


def area_rows() -> Iterator[Row]:
    """Yield the rows about areas; torchmetrics gets probabilities, to which it would turn logits first."""
    chances = torch.rand(ROWS, device=GPU)
    y = (torch.rand(ROWS, device=GPU) < chances).to(torch.int64)
    for name, scores in (("probabilities", chances), ("logits", torch.logit(chances, 1e-7))):
        sort = partial(torch.sort, scores.view(torch.int32))
        for area, peer in ((ix.auc, tm.binary_auroc), (ix.average_precision, tm.binary_average_precision)):
            yield Row(
                f"`ix.{area.name}` of 10⁸ float32 {name}",
                sort,
                partial(area, y, scores),
                None,
                partial(peer, chances, y),
                "≤ 1.3",
            )
    del chances, y
    y, scores = ((torch.rand(SMALL // 10, 100, device=GPU) < 0.1).to(torch.int64), torch.rand(SMALL // 10, 100, device=GPU))
    sort = partial(torch.sort, scores.view(torch.int32).reshape(-1))
    for area, peer in ((ix.auc, tm.multilabel_auroc), (ix.average_precision, tm.multilabel_average_precision)):
        what = f"macro `ix.{area.name}` of 10⁶ × 100 float32 scores"
        yield Row(what, sort, partial(area, y, scores, average="macro"), None, partial(peer, scores, y, 100))


def score_rows() -> Iterator[Row]:
    """Yield the rows about scores and probabilities that are not areas."""
    y, scores = torch.randint(0, 2, (SMALL,), device=GPU), torch.rand(SMALL, device=GPU)
    yield Row("best MCC of 10⁷ float32 scores", read(y, scores), lambda: ix.sweep(y, scores).best("mcc"), aim="≤ 10 ms")
    yield Row("ROC curve of 10⁷ float32 scores, all of its points", read(y, scores), lambda: ix.sweep(y, scores).roc())
    yield Row("bins of 10⁷ float32 scores, `ix.scores.binned`", read(y, scores), partial(ix.scores.binned, y, scores))
    yield Row("`ix.brier` of 10⁷ float32 probabilities", read(y, scores), partial(ix.brier, y, scores), aim="≤ 3 ms")
    yield Row("`ix.log_loss` of 10⁷ float32 probabilities", read(y, scores), partial(ix.log_loss, y, scores))
    theirs = partial(tm.binary_calibration_error, scores, y, 15)
    yield Row("`ix.ece` of 10⁷ float32 probabilities, 15 bins", read(y, scores), partial(ix.ece, y, scores), None, theirs)
    y, table = torch.randint(0, 100, (SMALL // 10,), device=GPU), torch.rand(SMALL // 10, 100, device=GPU)
    marked = torch.rand(table.shape, device=GPU) < 0.1
    yield Row("best MCC of each column of 10⁶ × 100 float32 scores", read(marked, table), partial(best_of_each, marked, table))
    theirs = partial(tm.multiclass_accuracy, table, y, 100, "micro", 5)
    ours = partial(ix.top_k_accuracy, y, table, 5)
    yield Row("`ix.top_k_accuracy` of 10⁶ × 100 float32 scores, k = 5", read(y, table), ours, None, theirs)


def best_of_each(y_true: torch.Tensor, scores: torch.Tensor) -> list[Any]:
    """Return the best threshold of each column."""
    swept = ix.sweep(y_true, scores)
    return [swept.best("mcc", unit) for unit in swept.columns]


def lines() -> Iterator[str]:
    """Yield the lines of the page."""
    yield HEAD.format(
        gpu=torch.cuda.get_device_name(GPU),
        torch=torch.__version__,
        torchmetrics=torchmetrics.__version__,
        python=platform.python_version(),
        kernels="CUDA C, compiled by torch" if device_arrays.are_usable(torch.zeros(1, device=GPU)) else "none",
        repeats=REPEATS,
        warm=WARM,
    )
    for rows in (label_rows, table_rows, area_rows, score_rows):
        for row in rows():
            yield line_of(row)
        torch.cuda.empty_cache()
    y, z = (torch.randint(0, 10, (1000,), device=GPU) for _ in range(2))
    ours, theirs = (
        call_time(partial(ix.f1, y, z, average="macro"), 100),
        call_time(partial(tm.multiclass_f1_score, z, y, 10), 100),
    )
    yield f"\nA call on 1,000 labels takes {ours:.2f} ms, and {theirs:.2f} ms in torchmetrics: the part that is not counting."


def line_of(row: Row) -> str:
    """Return the line of a row, with its times."""
    unit, call = device_time(row.unit), call_time(row.call)
    device = None if row.device is None else device_time(row.device)
    theirs, unchecked = (
        None if row.theirs is None else call_time(partial(row.theirs, validate_args=check)) for check in (True, False)
    )
    cells = [
        row.what,
        f"{unit:.2f}",
        "" if device is None else f"{device:.2f}",
        "" if device is None else f"{device / unit:.2f}",
        row.aim,
        f"{call:.2f}",
        f"{call / unit:.2f}",
        "" if theirs is None else f"{theirs:.2f}",
        "" if theirs is None else f"{theirs / call:.1f}",
        "" if unchecked is None else f"{unchecked:.2f}",
        "" if unchecked is None else f"{unchecked / call:.1f}",
    ]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    page = []
    for line in lines():
        print(line, flush=True)
        page.append(line)
    PAGE.write_text("\n".join(page) + "\n", "utf-8")
