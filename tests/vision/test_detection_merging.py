"""Detections merge and are saved: any split of the images gives the same evaluation, and a file gives it back."""

import json

import numpy as np
import pytest

import indicatrix as ix
from fuzz.detections import federated_data_set, random_data_set
from indicatrix.storage.formats import load_as, with_format, write_file

KINDS = ("boxes", "masks", "keypoints")


def part_of(truth, results, ids):
    """Return the annotations and results of some images."""
    images = [row for row in truth["images"] if row["id"] in ids]
    own = [[row for row in rows if row["image_id"] in ids] for rows in (truth["annotations"], results)]
    return {**truth, "images": images, "annotations": own[0]}, own[1]


def part_with_its_classes(truth, results, ids):
    """Return a part that does not know of classes which are nowhere in its images."""
    own, found = part_of(truth, results, ids)
    named = {row["category_id"] for row in (*own["annotations"], *found)}
    named |= {c for row in own["images"] for name in ("neg_category_ids", "not_exhaustive_category_ids") for c in row[name]}
    return {**own, "categories": [row for row in own["categories"] if row["id"] in named]}, found


def numbers(result):
    return [float(x) for x in result.summary().values()]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", [3, 4])
def test_parts_of_the_images_add_up_in_any_order(seed, kind):
    truth, results = random_data_set(seed, kind)
    whole = ix.detection(truth, results, kind=kind)
    parts = [ix.detection(*part_of(truth, results, {image}), kind=kind) for image in whole.images]
    rng = np.random.default_rng(seed)
    for _ in range(2):
        total = sum(parts[k] for k in rng.permutation(len(parts)))
        assert total == whole
        assert numbers(total) == pytest.approx(numbers(whole), abs=1e-12, nan_ok=True)


def test_federated_parts_add_up():
    truth, results = federated_data_set(18)
    whole = ix.detection(truth, results, federated=True)
    parts = [ix.detection(*part_of(truth, results, {image}), federated=True) for image in whole.images]
    assert sum(parts) == whole
    few = [ix.detection(*part_with_its_classes(truth, results, {image}), federated=True) for image in whole.images[1:]]
    assert any(part.classes != whole.classes for part in few)
    assert sum(few, parts[0]) == whole
    with pytest.raises(ValueError, match="matched in different ways"):
        parts[0] + ix.detection(*part_of(truth, results, {whole.images[1]}))


ONE = {"boxes": [[0, 0, 2, 2]], "labels": ["a"]}


def small(image, label="a", **options):
    one = {**ONE, "labels": [label]}
    return ix.detection([one], [{**one, "scores": [0.5]}], images=[image], **options)


def test_classes_and_axes_of_both_are_there():
    both = small("y", "b", by={"sequence": [1]}) + small("x", "a", by={"sequence": [2]})
    assert (both.classes, both.images, both.scene.by) == (("a", "b"), ("x", "y"), {"sequence": (2, 1)})
    assert both.ap(per="sequence").tolist() == [1, 1]
    assert both != small("y", "b")
    assert both != "both"


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (lambda: small("x"), "Both evaluations have the images 'x'. Name the images of each batch"),
        (lambda: small("y", by={"sequence": [1]}), "Give both the same by="),
        (lambda: small("y", matching="voc"), "matched in different ways"),
        (lambda: small("y", label=1), "mixes label types"),
        (
            lambda: ix.detection(
                [{"oriented": [[0, 0, 1, 1, 0]], "labels": ["a"]}],
                [{"oriented": [], "labels": [], "scores": []}],
                kind="oriented",
                images=["y"],
            ),
            "One has other shapes",
        ),
    ],
)
def test_what_does_not_add(other, message):
    with pytest.raises((ValueError, TypeError), match=message):
        small("x") + other()
    with pytest.raises(TypeError):
        small("x") + 1


@pytest.mark.parametrize("kind", [*KINDS, "oriented", "federated"])
def test_a_file_gives_the_evaluation_back(kind, tmp_path):
    if kind == "federated":
        made = ix.detection(*federated_data_set(5), federated=True)
    elif kind == "oriented":
        turned = {"oriented": [[5, 5, 4, 2, 30]], "labels": [(0, "x")]}
        made = ix.detection([turned], [{**turned, "scores": [1]}], kind=kind, by={"sequence": ["day 1"]}, ious=0.4)
    else:
        made = ix.detection(*random_data_set(8, kind), kind=kind)
    made.save(tmp_path / "x.json")
    read = ix.load(tmp_path / "x.json")
    assert read == made
    assert numbers(read) == pytest.approx(numbers(made), abs=0, nan_ok=True)
    assert read.ap(iou=0.3) == pytest.approx(made.ap(iou=0.3), nan_ok=True)


def test_files_that_are_not_detections(tmp_path):
    path = tmp_path / "x.json"
    small("x").save(path)
    assert ix.load(path) == small("x")
    with pytest.raises(ValueError, match="is not a saved evaluation"):
        load_as("Evaluation", path)
    data = json.loads(path.read_text("utf-8"))
    path.write_text(json.dumps({**data, "kind": "circles"}), "utf-8")
    with pytest.raises(ValueError, match="is damaged or was edited"):
        ix.load(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "circles"}, "the kind of shapes is 'circles'"),
        ({"by": {"s": []}}, "an axis of by has another length"),
        ({"matching": {"rule": "x", "ious": [], "across_classes": False}}, "the rule of matching is 'x'"),
        ({"numbers": [{"nam": "AP"}]}, "a number of the summary has 'nam'"),
        ({"classes": []}, "label holds a number that is not from 0 to -1"),
        ({"frequency": []}, "there are 0 frequencies for 1 classes"),
    ],
)
def test_content_that_no_evaluation_writes_is_refused(change, message, tmp_path):
    path = tmp_path / "x.json"
    write_file(path, {**with_format(small("x")), **change})
    with pytest.raises(ValueError, match=message):
        ix.load(path)


def test_instances_of_label_maps_add_up_and_are_saved(tmp_path):
    rng, names = np.random.default_rng(0), [f"image {k}" for k in range(6)]
    truth = [rng.integers(0, 2 + k, (8, 8)) for k in range(6)]  # not as many in all images
    found = [np.where(rng.random((8, 8)) < 0.6, one, rng.integers(0, 5, (8, 8))) for one in truth]
    whole = ix.vision.instances(truth, found, images=names)
    parts = [ix.vision.instances([truth[k]], [found[k]], images=[names[k]]) for k in rng.permutation(6)]
    whole.save(tmp_path / "whole.json")
    for other in (sum(parts), ix.load(tmp_path / "whole.json")):
        assert other == whole
        assert [other.at(score=0, iou=x).score("f1", "micro") for x in (0.3, 0.5)] == [
            whole.at(score=0, iou=x).score("f1", "micro") for x in (0.3, 0.5)
        ]
    assert sum(parts[1:]) != whole
