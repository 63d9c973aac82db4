"""Settings that are arguments of ``evaluate``: what asks for each, what it changes and refuses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class ArgumentSetting:
    """A setting that arguments of ``evaluate`` ask for.

    ``module``, in ``settings/arguments/``, says what the setting changes. It has one of these functions, or both:
    ``change_labels(labels, options)`` changes labels before they are encoded, ``change_problem(problem, options)`` changes the
    indicators, what their cells count or what of them was observed. A setting without a module says how examples are summed.
    """

    setting: str  # its row in the table of settings
    arguments: tuple[str, ...]
    module: str | None = None
    missing: str | None = None  # the value of missing= that also asks for it
    refuses: Mapping[str, str] = field(default_factory=dict)  # the settings it does not go together with, and why

    def is_requested(self, options: Mapping[str, Any]) -> bool:
        """Return whether options of ``evaluate`` ask for it."""
        if any(options.get(name) is not None for name in self.arguments):
            return True
        return self.missing is not None and self.missing in _values(options.get("missing"))


def _values(missing: Any) -> set[Any]:
    """Return what ``missing=`` says: of both sides, of each, or of each target."""
    found: set[Any] = set()
    for value in missing.values() if isinstance(missing, Mapping) else (missing,):
        found.update(side for side in (value if isinstance(value, tuple) else (value,)) if isinstance(side, str))
    return found


# In the order in which they take effect.
ARGUMENT_SETTINGS = (
    ArgumentSetting("soft_outputs", ("decide",)),
    ArgumentSetting(
        "open_set",
        ("known", "unknown"),
        "open_set",
        refuses={
            "soft_truth": "whether an example is unknown depends on its one true class, which memberships do not have",
            "ordinal": "the unknown class has no place in the order",
            "hierarchy": "the unknown class has no place in the taxonomy",
        },
    ),
    ArgumentSetting("abstention", ("abstain",), "abstention", missing="abstain"),
    ArgumentSetting(
        "hierarchy",
        ("hierarchy",),
        "hierarchy",
        refuses={
            "soft_truth": "nothing says how the memberships of children add up to that of their parent",
            "ordinal": "a taxonomy makes its own columns, and so does an order",
            "targets": "columns are grouped by depth or by target, not by both; evaluate that target by itself",
        },
    ),
    ArgumentSetting("ordinal", ("ordinal",), "ordinal"),
    ArgumentSetting("soft_truth", ("tnorm", "negation"), "complements"),
    ArgumentSetting("cost", ("cost",), "cost_matrices"),
    ArgumentSetting("masks", ("mask",), missing="mask"),
    ArgumentSetting("targets", ("targets",)),
    ArgumentSetting("folds", ("by",)),
    ArgumentSetting("weights", ("sample_weight",)),
)
