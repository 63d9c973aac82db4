"""Panoptic and surface evaluations merge and are saved: any split gives the same, and a file gives it back."""

import math

import numpy as np
import pytest

import indicatrix as ix
from indicatrix.storage.formats import load_as, with_format, write_file

NAMES = [f"image {k}" for k in range(6)]
SITES = list("aabbcc")
MEASURES = {"objects": "ap", "segments": "pq", "distances": "hausdorff"}  # one of each kind
RNG = np.random.default_rng(0)
TRUTH = [RNG.integers(0, 2 + k % 3, (5, 7)) for k in range(6)]  # some images lack a class
FOUND = [np.where(RNG.random((5, 7)) < 0.7, one, RNG.integers(0, 2 + k % 3, (5, 7))) for k, one in enumerate(TRUTH)]


def panoptic(at, **options):
    sides = [[(side[k], side[k]) for k in at] for side in (TRUTH, FOUND)]
    return ix.panoptic(*sides, images=[NAMES[k] for k in at], by={"site": [SITES[k] for k in at]}, **options)


def surfaces(at, **options):
    sides = [[side[k] for k in at] for side in (TRUTH, FOUND)]
    return ix.vision.surface_distances(*sides, images=[NAMES[k] for k in at], by={"site": [SITES[k] for k in at]}, **options)


MADE = {
    "panoptic": lambda at: panoptic(at, things=[1, 2]),
    "pixels": surfaces,
    "areas": lambda at: surfaces(at, elements="areas", one_sided=3, spacing=(0.3, 2)),
    "diagonal": lambda at: surfaces(at, one_sided="diagonal", classes=[1, 3, 9]),
}


def numbers(result):
    if isinstance(result, ix.types.PanopticEvaluation):
        return [result.pq(per=("site", "class")), result.sq(per="class"), result.rq(per="image")]
    ways = (
        result.hausdorff(90, per=("site", "class")),
        result.surface_dice(1, per="class"),
        result.average_distance(per="image"),
    )
    return [*ways]


@pytest.mark.parametrize("kind", MADE)
def test_parts_add_up_in_any_order_and_a_file_gives_them_back(kind, tmp_path):
    make, path = MADE[kind], tmp_path / "x.json"
    whole = make(range(6))
    parts = [make([k]) for k in np.random.default_rng(1).permutation(6)]
    assert any(part.classes != whole.classes for part in parts) or kind == "diagonal"
    total = sum(parts)
    assert total == whole
    assert sum(parts[1:], parts[0]) == total != sum(parts[1:])
    assert whole != "whole"
    total.save(path)
    read = ix.load(path)
    assert read == whole
    for ours, theirs in zip(numbers(read), numbers(whole), strict=True):
        np.testing.assert_array_equal(ours, theirs)
    assert read.compare(whole, MEASURES[read.reads], "macro", draws=20).value == 0
    nothing = make([])
    assert nothing + whole == whole + nothing == whole
    nothing.save(path)
    assert ix.load(path) == nothing


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: panoptic([0]) + panoptic([0]), "Both evaluations have the images 'image 0'. Name the images"),
        (lambda: panoptic([0]) + ix.panoptic([], [], images=[]), "One has the axes 'site', the other"),
        (lambda: panoptic([0], things=[1]) + panoptic([1], things=[0]), "The class . is a thing in one and stuff in the other"),
        (lambda: surfaces([0]) + surfaces([1], elements="areas"), "another one_sided= or elements="),
        (lambda: surfaces([0]).compare(surfaces([0], one_sided=2), "hausdorff", "macro"), "another one_sided= or elements="),
        (lambda: panoptic([0]).compare(panoptic([1]), "pq", "macro"), "not evaluated on the same images and classes"),
    ],
)
def test_what_does_not_fit_together(call, message):
    with pytest.raises(ValueError, match=message):
        call()


@pytest.mark.parametrize("kind", ["panoptic", "pixels"])
def test_other_things_are_not_added_or_compared(kind):
    one, other = MADE[kind]([0]), MADE["pixels" if kind == "panoptic" else "panoptic"]([1])
    for wrong in (other, 1, "x"):
        with pytest.raises(TypeError):
            one + wrong
        with pytest.raises(TypeError, match="compare\\(\\) takes another"):
            one.compare(wrong, MEASURES[one.reads], "macro")


CHANGES = [
    ("panoptic", {"things": [True]}, "of 1 classes whether they are things"),
    ("panoptic", {"things": [1, 0, 0, 0]}, "whether a class is a thing is 1"),
    ("panoptic", {"overlaps": {"shape": [6, 4], "kind": "float", "values": ["0x1.9p+9"] * 24}}, "above the number of matches"),
    ("panoptic", {"counts": {"shape": [3, 6, 4], "kind": "int", "values": [-1] * 72}}, "counts are not negative"),
    ("panoptic", {"images": NAMES[:5]}, "has another length than the 5 images"),
    ("areas", {"elements": "pixels"}, "elements of pixels have no sizes"),
    ("pixels", {"elements": "areas"}, "elements of areas have sizes"),
    ("pixels", {"elements": "lines"}, "elements='lines' is unknown"),
    ("pixels", {"one_sided": "-0x1.8p+0"}, "one_sided=-1.5 is unknown"),
    ("pixels", {"classes": ["a"]}, "class holds a number that does not fit the 6 images and 1 classes"),
    ("pixels", {"lengths": {"shape": [1, 2], "kind": "int", "values": [0, 0]}}, "lengths has the shape"),
    ("pixels", {"to_truth": {"shape": [0], "kind": "float", "values": []}}, "to_truth has the shape"),
]


@pytest.mark.parametrize(("kind", "change", "message"), CHANGES)
def test_content_that_no_evaluation_writes_is_refused(kind, change, message, tmp_path):
    made, path = MADE[kind](range(6)), tmp_path / "x.json"
    write_file(path, {**with_format(made), "version": 1, **change})
    with pytest.raises(ValueError, match=message):
        ix.load(path)


@pytest.mark.parametrize("kind", ["panoptic", "pixels"])
def test_a_file_of_version_1_does_not_know_the_truth(kind, tmp_path):
    made, path = MADE[kind](range(6)), tmp_path / "x.json"
    facts = with_format(made)
    write_file(path, {name: 1 if name == "version" else facts[name] for name in facts if name != "truths"})
    old = ix.load(path)
    assert old.truths == ("",) * 6
    assert old.compare(made, MEASURES[old.reads], "macro", draws=10).value == 0
    for truths, message in ((["x"], "the truths of 1 images, and there are 6"), ([1] * 6, "fingerprint of a truth is 1")):
        write_file(path, {**facts, "truths": truths})
        with pytest.raises(ValueError, match=message):
            ix.load(path)


def test_distances_in_a_file_are_sorted_and_occur_once(tmp_path):
    made, path = surfaces([0], classes=[1]), tmp_path / "x.json"
    facts = with_format(made)
    n = len(made.pairs[0][0].to_truth)
    falling = {"shape": [n], "kind": "float", "values": [float(k).hex() for k in range(n, 0, -1)]}
    twice = {name: {**facts[name], "shape": [2], "values": facts[name]["values"] * 2} for name in ("image", "class", "diagonal")}
    twice["lengths"] = {**facts["lengths"], "shape": [2, 2], "values": [*facts["lengths"]["values"], 0, 0]}
    for change, message in (({"to_truth": falling}, "not sorted"), (twice, "image 0 has the distances of class 0 twice")):
        write_file(path, {**facts, "version": 1, **change})
        with pytest.raises(ValueError, match=message):
            ix.load(path)


def test_a_file_of_another_kind_is_refused(tmp_path):
    panoptic([0]).save(tmp_path / "x.json")
    with pytest.raises(ValueError, match="is not a saved surface evaluation"):
        load_as("SurfaceEvaluation", tmp_path / "x.json")
    assert ix.load(tmp_path / "x.json") == panoptic([0])


def test_an_infinite_distance_survives_a_file(tmp_path):
    made = ix.vision.surface_distances([[[0, 1]]], [[[0, 0]]])
    made.save(tmp_path / "x.json")
    assert math.isinf(ix.load(tmp_path / "x.json").hausdorff(per="class")[0])
    made = ix.vision.surface_distances([[[0, 1, 1]]], [[[0, 0, 0]]])  # two infinite distances are in order, too
    made.save(tmp_path / "x.json")
    assert ix.load(tmp_path / "x.json") == made
