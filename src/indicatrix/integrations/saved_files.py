"""The files of an evaluation for trackers: the saved evaluation and the report."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..evaluation import Evaluation


@contextmanager
def saved_files(ev: Evaluation, report: str) -> Iterator[list[Path]]:
    """Write ``evaluation.json``, which ``ix.load`` reads, and ``report.txt``; they are gone afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        evaluation, text = Path(folder, "evaluation.json"), Path(folder, "report.txt")
        ev.save(evaluation)
        text.write_text(f"{report}\n", encoding="utf-8")
        yield [evaluation, text]
