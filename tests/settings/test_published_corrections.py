"""Published numbers of corrected scores, each with its source."""

from __future__ import annotations

import numpy as np
import pytest

import indicatrix as ix


def labels(*counts):
    """Return labels, each as often as it says; None where nobody looked."""
    return [label for label, times in counts for _ in range(times)]


def test_truescore_audits_an_eval():
    """github.com/SaifPunjwani/truescore, README, output of examples/01_audit_an_eval.py on examples/data/support_eval.csv.

    It prints: corrected 0.7150 [0.6836, 0.7463], judge only 0.8383 [0.8265, 0.8493]. Of 4,000 answers the judge passed 3,353; of
    these 416 were passed by a person and 90 were not, of the others 15 and 79.
    """
    judge = labels((1, 3353), (0, 647))
    human = labels((1, 416), (0, 90), (None, 2847), (1, 15), (0, 79), (None, 553))
    ev = ix.evaluate(None, judge, gold=human)
    found = ev.interval("prevalence", method="delta")
    assert float(found.value) == pytest.approx(0.7150, abs=5e-5)
    assert (found.low, found.high) == pytest.approx((0.6836, 0.7463), abs=1e-4)
    assert ix.evaluate(judge, judge).score("prevalence") == pytest.approx(0.8383, abs=1e-4)
    same = ix.evaluate(judge, judge, gold=human)  # the judge says what the prediction says already
    assert float(same.score("prevalence")) == pytest.approx(float(found.value), abs=1e-12)
    wilson = ev.interval("prevalence")
    assert (wilson.low, wilson.high) == pytest.approx((0.6826, 0.7453), abs=1e-3)


def test_reporting_llm_judges():
    """Lee and others 2025, arXiv:2511.21140, github.com/UW-Madison-Lee-Lab/LLM-judge-reporting, README.

    p = 0.4 of 1,000, specificity 0.7 and sensitivity 0.9, each from 200: 0.1667 [0.0564, 0.2627]. The value is the same here.
    Theirs adds 2 examples to each rate and shifts the middle; the plain delta interval is [0.0642, 0.2691], and our default,
    which ends inside of [0, 1] by itself, is [0.089, 0.291].
    """
    seen = labels((1, 400), (0, 600))
    rates = ix.evaluate(labels((0, 200), (1, 200)), labels((0, 140), (1, 60), (0, 20), (1, 180)))
    ev = ix.evaluate(seen, seen, noise=rates)
    plain, found = ev.interval("prevalence", method="delta"), ev.interval("prevalence")
    assert float(found.value) == pytest.approx(1 / 6, abs=1e-12)
    assert (plain.low, plain.high) == pytest.approx((0.0642, 0.2691), abs=3e-4)
    assert (found.low, found.high) == pytest.approx((0.089, 0.291), abs=2e-3)


def test_hepatic_scans_of_begg_and_greenes():
    """Begg and Greenes 1983, Biometrics 39:207-215, from Drum and Christacopoulos 1972, Journal of Nuclear Medicine 13:908-915.

    650 scans: of 429 positive ones 231 were diseased, 32 healthy and 166 not verified, of 221 negative ones 27, 54 and 140 (data
    set hepatic_pvb of the R package PVBcorrect). Sensitivity and specificity are .836 and .738, of verified scans alone .895 and
    .628. Zhou's standard errors are .0245 and .0389.
    """
    scan = labels((1, 429), (0, 221))
    liver = labels((1, 231), (0, 32), (None, 166), (1, 27), (0, 54), (None, 140))
    ev = ix.evaluate(liver, scan, unverified="post-stratify")
    for measure, value, error, verified in (("recall", 0.8365, 0.0245, 0.895), ("specificity", 0.7384, 0.0389, 0.628)):
        found = ev.interval(measure, method="delta")
        assert float(found.value) == pytest.approx(value, abs=5e-5)
        assert (found.high - found.low) / 2 / 1.959964 == pytest.approx(error, abs=2e-4)
        here = [k for k, x in enumerate(liver) if x is not None]
        alone = ix.evaluate([liver[k] for k in here], [scan[k] for k in here])
        assert alone.score(measure) == pytest.approx(verified, abs=5e-4)
    missing = np.array([np.nan if x is None else x for x in liver])
    assert ix.evaluate(None, scan, gold=missing) == ix.evaluate(None, scan, gold=liver)
