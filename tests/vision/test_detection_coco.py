"""Our numbers are those of COCO's own program, and of LVIS's, on random data sets; `python -m fuzz.detections` has more."""

import contextlib
import json
import math

import numpy as np
import pytest
from loops import for_each
from pycocotools import mask as coco_mask

import indicatrix as ix
from fuzz.detections import KINDS, differences, federated_data_set, main, random_data_set
from indicatrix.vision.read.mask_reader import masks_of_polygons
from indicatrix.vision.shapes.run_lengths import lengths_of_texts, masks_of_arrays, masks_of_lengths


@for_each("kind", KINDS)
@for_each("first", range(1000, 1020, 5))
def test_the_numbers_are_those_of_coco(kind, first):
    assert [line for seed in range(first, first + 5) for line in differences(seed, kind)] == []


@pytest.mark.slow
def test_the_command_compares_many_and_says_so(capsys):
    assert main(3) == 0
    assert "3 data sets, 0 numbers differ" in capsys.readouterr().out


def test_files_give_what_dicts_give(tmp_path):
    truth, results = random_data_set(3, "boxes")
    for name, content in (("truth", truth), ("results", results)):
        (tmp_path / name).write_text(json.dumps(content), "utf-8")
    found = ix.detection(tmp_path / "truth", str(tmp_path / "results")).summary()
    assert repr(found) == repr(ix.detection(truth, {"annotations": results}).summary())


@pytest.mark.parametrize("seed", range(3))
def test_masks_are_read_and_intersected_as_in_coco(seed):
    rng = np.random.default_rng(seed)
    high, wide = 50, 70
    size = np.tile([high, wide], (12, 1))
    shapes = [[rng.uniform(-9, 75, 2 * rng.integers(3, 8)) for _ in range(rng.integers(1, 4))] for _ in range(12)]
    theirs = [coco_mask.merge(coco_mask.frPyObjects([part.tolist() for part in parts], high, wide)) for parts in shapes]
    drawn, read = masks_of_polygons(shapes, size), masks_of_lengths(lengths_of_texts([rle["counts"] for rle in theirs]), size)
    a, b = (x.ravel() for x in np.meshgrid(np.arange(12), np.arange(12), indexing="ij"))
    for crowd in (False, True):
        expected = coco_mask.iou(theirs, theirs, [crowd] * 12).ravel()
        assert np.array_equal(drawn.overlaps(a, read, b, np.full(144, crowd)), expected)
    for masks in (drawn, read):
        assert masks.area.tolist() == coco_mask.area(theirs).tolist()
        assert masks.boxes.tolist() == coco_mask.toBbox(theirs).astype(int).tolist()


def test_only_overlaps_below_the_least_are_left_out():
    rng = np.random.default_rng(0)
    pictures = np.zeros((30, 40, 40), bool)
    for picture in pictures:
        (x, y), (w, h) = rng.integers(0, 12, 2), rng.integers(12, 28, 2)
        picture[y : y + h, x : x + w] = True
    masks = masks_of_arrays(pictures)
    a, b = (x.ravel() for x in np.meshgrid(np.arange(30), np.arange(30)))
    for crowd in (np.zeros(900, bool), np.ones(900, bool)):
        exact = masks.overlaps(a, masks, b, crowd)
        for least in (0.3, 0.5, 0.75):
            found = masks.overlaps(a, masks, b, crowd, least)
            assert np.array_equal(found[exact >= least], exact[exact >= least])
            assert (found[exact < least] < least).all()


def test_a_mask_is_the_same_in_every_form():
    rng = np.random.default_rng(0)
    pictures = [rng.random((9, 7)) < 0.5 for _ in range(4)]
    texts = [coco_mask.encode(np.asfortranarray(p, np.uint8)) for p in pictures]
    lists = [{"size": [9, 7], "counts": lengths_of_texts([text["counts"]]).flat.tolist()} for text in texts]
    truth = [{"masks": [pictures[0], texts[1], lists[2], pictures[3].astype(int)], "labels": [1, 1, 2, 2]}]
    for found in (pictures, texts, lists):
        result = ix.detection(truth, [{"masks": found, "labels": [1, 1, 2, 2], "scores": [0.9, 0.8, 0.7, 0.6]}], kind="masks")
        assert result.ap() == 1


def lvis_numbers(truth, results, path):
    from lvis import LVIS, LVISEval, LVISResults

    path.write_text(json.dumps(truth), "utf-8")
    objects = LVIS(str(path))
    run = LVISEval(objects, LVISResults(objects, [dict(row) for row in results]), "bbox")
    with contextlib.suppress(SystemExit):
        run.run()
    return [math.nan if x == -1 else float(x) for x in run.get_results().values()]


@pytest.mark.filterwarnings("ignore:The .warn. method")
@pytest.mark.parametrize("seed", range(12))
def test_the_numbers_are_those_of_lvis(seed, tmp_path, monkeypatch):
    monkeypatch.setattr(np, "float", float, raising=False)  # LVIS's program is older than NumPy 2
    truth, results = federated_data_set(seed)
    if not results:
        pytest.skip("LVIS's program cannot read an empty list")
    theirs = lvis_numbers(truth, results, tmp_path / "truth.json")
    ours = [float(x) for x in ix.detection(truth, results, federated=True).summary().values()]
    assert ours == pytest.approx(theirs, abs=1e-9, nan_ok=True)
