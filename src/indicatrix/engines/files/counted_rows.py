"""What was counted of files so far; it takes batches one by one, and a checkpoint keeps its state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ...encode.plain_forms import Labels
from ...evaluate import OPTION_NAMES
from ...settings.options import PER_ROW
from ...storage.formats import FORMATS, NAMES, from_data, with_format
from ...storage.json_values import dict_in
from ...tally.states.replicates import replicates_of
from ...words.wording import short
from ..column_roles import ColumnRoles
from ..counted_batches import PENDING
from ..partitions import sum_states
from ..record_batches import evaluate_batch, holds_lists, names_positive_late, read_batch
from ..stream import Stream

STATES = {"evaluation": "Evaluation", "joint": "PairedCounts", "binned": "Sweep"}  # what a checkpoint calls each class


class CountedRows:
    """The sum of the states of batches; plain labels are counted in place."""

    def __init__(self, roles: ColumnRoles) -> None:
        self.roles = roles
        given = {name: getattr(roles.options, name) for name in OPTION_NAMES if name not in PER_ROW}
        if names_positive_late(roles):
            given["positive"] = None  # named after the last batch
        self._stream = Stream(**given) if len(roles.answers) == 1 and roles.bits is None else None
        self._states: list[Any] = []
        self._row = 0  # the number of the next row, for replicates

    def add(self, batch: Any) -> None:
        """Count a batch; one that is refused changes nothing."""
        if self._stream is None or holds_lists(batch, self.roles):
            self._states.append(evaluate_batch(batch, self._roles_with_number()))
            self._row += batch.num_rows
            if len(self._states) >= PENDING:
                self._states = [sum_states(self._states)]
            return
        true, answers, rows = read_batch(batch, self.roles)
        (answer,) = answers.values()
        self._stream.update(_plain(true), _plain(answer), **rows)

    def _roles_with_number(self) -> ColumnRoles:
        """Return the roles with the number of the first row, if replicates are asked for."""
        asked = replicates_of(self.roles.options.replicates)
        if asked is None:
            return self.roles
        here = replace(asked, first_row=asked.first_row + self._row)
        return replace(self.roles, options=self.roles.options._replace(replicates=here))

    @property
    def state(self) -> Any:
        """The sum of all batches so far, without the name of a positive class that a batch may lack."""
        self._states = [sum_states(self._states)] if self._states else []
        counted = [] if self._stream is None or not self._stream.n else [self._stream.evaluation]
        return sum_states([*self._states, *counted])

    def to_json(self) -> dict[str, Any]:
        """Return the state as plain data."""
        state = self.state
        return {called: with_format(state) for called, kind in STATES.items() if kind == type(state).__name__}

    @property
    def n(self) -> int:
        """How many rows were counted."""
        counted: int = sum(state.n for state in self._states)
        return counted + (0 if self._stream is None else self._stream.n)

    def load(self, data: Any) -> None:
        """Take a state that ``to_json`` returned as the first one."""
        kinds = [*data] if isinstance(data, dict) else []
        if kinds == ["evaluation"] and self._stream is not None:
            self._stream.load_state_dict(dict_in(data["evaluation"], "the state"))
            tally, options = self._stream.evaluation.tally, self.roles.options
            plain = (tally.targets, tally.grouping) == (None, "target")
            if not plain and not options.targets and options.hierarchy is None:
                raise ValueError(f"what was counted has columns for each {tally.grouping}, and this run has none")
        elif kinds in (["joint"], ["binned"]):
            name = NAMES[STATES[kinds[0]]]
            self._states = [from_data(name, FORMATS[name].versions[-1], dict_in(data[kinds[0]], "the state"))]
        else:
            raise ValueError(
                f"what was counted is {short(kinds or data)}, not an evaluation, a joint or binned scores of this run"
            )
        self._row = self.n


def _plain(labels: Any) -> Any:
    """Return labels that are numbers as an array."""
    return labels.values if isinstance(labels, Labels) and labels.categories is None else labels
