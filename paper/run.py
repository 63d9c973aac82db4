"""Running experiments: each gives an outcome, also where something it needs is missing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from .claim import Claim
from .data import Data, MissingData
from .record import Experiment, Record


@dataclass(frozen=True)
class Outcome:
    """What an experiment wrote down, how long it took, and what was missing, if anything was."""

    experiment: Experiment
    record: Record
    seconds: float
    missing: str = ""

    @property
    def failed(self) -> list[Claim]:
        """Return the claims that stopped agreeing."""
        return [claim for claim in self.record.claims if claim.failed]


def run(experiments: Iterable[Experiment], data: Data) -> Iterator[Outcome]:
    """Run experiments one after the other and give the outcome of each."""
    for experiment in experiments:
        record, start, missing = Record(experiment.label, data), time.perf_counter(), ""
        try:
            experiment.run(record)
        except MissingData as lacking:
            missing = str(lacking)
        except ModuleNotFoundError as lacking:
            missing = f"{lacking.name} is not installed. In the folder of the repository: pip install -e '.[paper]'"
        yield Outcome(experiment, record, time.perf_counter() - start, missing)
