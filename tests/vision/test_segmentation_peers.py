"""Segmentation, outlines and segments against other programs, where the conventions are the same."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import indicatrix as ix
from fuzz import outlines, segments

PANOPTIC = json.loads(Path(__file__).with_name("panopticapi_numbers.json").read_text(encoding="utf-8"))["numbers"]


@pytest.mark.parametrize("seed", PANOPTIC)
def test_panoptic_numbers_of_cocos_program(seed):
    """panopticapi is not on PyPI: the file has its numbers; ``python -m fuzz.segments`` runs it."""
    assert segments.differences(int(seed), PANOPTIC[seed]) == []


@pytest.mark.filterwarnings("ignore:Please import")  # it uses an old name of SciPy
@pytest.mark.parametrize("seed", range(8))
def test_outlines_of_surface_distance(seed):
    assert outlines.differences(seed, "surface_distance") == []


@pytest.mark.slow
def test_torchmetrics_where_conventions_agree():
    """Its mean IoU and Dice are those per image; its Hausdorff distance fails for images that are not square."""
    import torch
    from torchmetrics.functional.detection import panoptic_quality
    from torchmetrics.functional.segmentation import dice_score, hausdorff_distance, mean_iou

    rng = np.random.default_rng(0)
    true, pred = rng.integers(0, 4, (2, 5, 8, 9))
    tensors = torch.tensor(pred), torch.tensor(true)
    how = {"num_classes": 4, "input_format": "index"}
    ev = ix.segmentation(true, pred, classes=range(4))
    assert ev.score("jaccard", ("image", "macro")) == pytest.approx(float(mean_iou(*tensors, **how).mean()), rel=1e-6)
    assert ev.score("f1", ("image", "macro")) == pytest.approx(
        float(dice_score(*tensors, **how, average="macro").mean()), rel=1e-6
    )
    pooled = dice_score(*(x.reshape(1, -1, 9) for x in tensors), **how, average="macro")
    assert ev.score("f1", "macro") == pytest.approx(float(pooled.mean()), rel=1e-6)

    one, two = (np.kron(rng.random((2, 3, 3)), np.ones((1, 2, 2))) > 0.5).astype(int)
    hot = [torch.tensor(np.stack([1 - x, x])[None]) for x in (two, one)]
    theirs = hausdorff_distance(*hot, num_classes=2, include_background=False, input_format="one-hot")
    assert ix.vision.surface_distances([one], [two]).hausdorff() == pytest.approx(float(theirs.mean()), rel=1e-5)

    classes, instances = rng.integers(0, 3, (12, 12)), rng.integers(0, 2, (12, 12))
    found = np.where(rng.random((12, 12)) < 0.8, classes, 0), np.where(rng.random((12, 12)) < 0.9, instances, 1)
    maps = (torch.tensor(np.stack(side, -1))[None] for side in (found, (classes, instances)))
    theirs = panoptic_quality(*maps, things={0, 1}, stuffs={2}, return_sq_and_rq=True)
    ours = ix.panoptic([(classes, instances)], [found], things=[0, 1])
    assert [ours.pq(), ours.sq(), ours.rq()] == pytest.approx(theirs.tolist(), rel=1e-6)
