"""Exemplar averages follow the composition of the sample (ex:exemplar_skew, prop:exemplar_skew)."""

from __future__ import annotations

from itertools import pairwise

import indicatrix as ix

from ..record import Record, experiment

# The paper gives the two scores but no labels. Ours: one of two labels found; one label found with two wrong ones.
TYPE_1 = ({"sea", "sun"}, {"sea"})
TYPE_2 = ({"dog"}, {"dog", "cat", "elk"})
N = 10


@experiment("ex:exemplar_skew", "Exemplar averages drift with the mixture of label sets")
def mixture(record: Record) -> None:
    """Mix two types of examples in all shares from 0 to 1, their predictions unchanged."""
    evaluations = [_mixture(k) for k in range(N + 1)]
    scores = [float(ev.score("f1", "exemplar")) for ev in evaluations]
    record.claim("exemplar F1 of type 1", paper="0.667", ours=scores[-1])
    record.claim("exemplar F1 of type 2", paper="0.500", ours=scores[0])
    between = [k / N * scores[-1] + (1 - k / N) * scores[0] for k in range(N + 1)]
    record.holds(
        "exemplar F1 of a mixture is the linear mixture of the two",
        all(abs(a - b) < 1e-12 for a, b in zip(scores, between, strict=True)),
    )
    record.holds("exemplar F1 rises with every step of the share of type 1", all(a < b for a, b in pairwise(scores)))
    record.claim("exemplar F1 drifts from, to", paper="0.500, 0.667", ours=(min(scores), max(scores)))
    evidence = evaluations[N // 2].skew_conditions().prior_free("f1", "exemplar")
    record.holds("exemplar F1 depends on the composition of the sample", not evidence)
    record.note(
        f"Is exemplar F1 free of the priors, as the library sees it? {evidence}. Examples with two true labels and with one have "
        "different means."
    )
    record.table(
        "Exemplar F1 by the share of type 1", ["share of type 1", "exemplar F1"], [[k / N, x] for k, x in enumerate(scores)]
    )


def _mixture(k: int) -> ix.Evaluation:
    """Return the evaluation of k examples of type 1 and N - k of type 2."""
    pairs = [TYPE_1] * k + [TYPE_2] * (N - k)
    return ix.evaluate([truth for truth, _ in pairs], [guess for _, guess in pairs])
