"""Options that have one entry for each document, while an example is a span or a token."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...algebra.arrays import Array
from ...encode.weights import check_by, check_mask, check_weights, read_groupings
from ...settings.cost_matrices import LabelCosts
from ...settings.example_costs import ExampleCosts
from ...settings.paper_settings import refuse
from ...tally.states.group_counts import Summed
from ...tally.tally import MANY_GROUPED, Tally, empty


def check_options(options: Mapping[str, Any], n: int, what: str) -> dict[str, Any]:
    """Return the options, after checking those with one entry per document."""
    given = {k: v for k, v in options.items() if v is not None}
    refuse("structured", given)
    if "by" in given:
        given["by"] = read_groupings(given["by"])
    if isinstance(given.get("cost"), ExampleCosts):
        raise ValueError(
            "Spans are the examples here, and they have no costs of their own. Weight documents with sample_weight=."
        )
    if "cost" in given and not isinstance(given["cost"], LabelCosts):
        raise ValueError(
            "A cost matrix has no entry for a span that only one side has. Give costs per type: "
            "cost=ix.tasks.label_costs(fp=…, fn=…)."
        )
    one_each: dict[str, Any] = {k: given[k] for k in ("mask", "sample_weight") if k in given}
    one_each |= {f"by[{axis!r}]": ids for axis, ids in dict(given.get("by", {})).items()}
    for argument, ids in one_each.items():
        if not hasattr(ids, "__len__") or len(ids) != n:
            raise ValueError(f"{argument} must have one entry for each of the {n} {what}.")
    if "sample_weight" in given:
        given["sample_weight"] = check_weights(given["sample_weight"], n, signed=bool(given.get("signed_weights")))
    if "mask" in given:
        seen = check_mask(given["mask"], n, 1)
        given["mask"] = None if seen is None else seen[:, 0]
    if "by" in given:
        given["by"] = {axis: [names[c] for c in codes.tolist()] for axis, (names, codes) in check_by(given["by"], n).items()}
    return given


def expand_to_rows(options: Mapping[str, Any], document: Array) -> dict[str, Any]:
    """Return the options with their entries per document repeated for each row."""
    out = dict(options)
    for name in ("mask", "sample_weight"):
        if name in out:
            out[name] = out[name][document]
    if "by" in out:
        at = document.tolist()
        out["by"] = {axis: [ids[i] for i in at] for axis, ids in out["by"].items()}
    return out


def with_all_documents(tally: Tally, keys: Iterable[tuple[Any, ...]], *, pairs: bool) -> Tally:
    """Return the tally with a unit for each of these groups of documents, also for those without spans."""
    nothing = empty(len(tally.classes))
    few = tally.keep_pairs or len(tally.classes) <= MANY_GROUPED
    if not (pairs and few) or any(isinstance(part, Summed) for part in tally.parts.values()):
        nothing = nothing.summed()  # in the same form as the counts of documents with spans
    new = [key for key in dict.fromkeys(keys) if key not in tally.parts]
    if not new:
        return tally
    parts, sizes = {**tally.parts, **dict.fromkeys(new, nothing)}, {**tally.sizes, **dict.fromkeys(new, 0)}
    return tally.with_parts(parts, tally.declined, sizes=sizes)


def groups_of_documents(by: Mapping[str, list[Any]] | None) -> list[tuple[Any, ...]]:
    """Return the group of each document along all axes; nothing where there is no axis."""
    return list(zip(*by.values(), strict=True)) if by else []
