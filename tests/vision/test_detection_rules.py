"""Rules of detection that hand-made cases show: who is matched with whom, and what counts."""

import numpy as np
import pytest

import indicatrix as ix

BOX = [[0, 0, 10, 10]]


def found(shapes, labels, scores, kind="boxes"):
    return [{kind: shapes, "labels": labels, "scores": scores}]


def test_points_that_were_not_labeled_do_not_make_a_person_larger():
    person = np.zeros((17, 3))
    person[5:12] = [[400 + 5 * k, 430 - 5 * k, 2] for k in range(7)]
    truth = [{"keypoints": [person, np.zeros((17, 3))], "labels": [1, 1]}]
    result = ix.detection(truth, found([person], [1], [1.0], "keypoints"), kind="keypoints")
    assert result.scene.truth.area.tolist() == [900, 0]
    assert result.scene.truth.ignore.tolist() == [False, True]  # nobody can tell whether the second was found
    assert result.ar() == 1


@pytest.mark.parametrize("matching", ["coco", "voc", "optimal"])
def test_of_objects_that_share_a_box_a_prediction_finds_its_own_class(matching):
    truth = [{"boxes": BOX * 2, "labels": ["cat", "dog"]}]
    result = ix.detection(truth, found(BOX * 2, ["cat", "dog"], [0.9, 0.8]), matching=matching)
    assert np.asarray(result.confusion(0.5)).tolist() == np.diag([1, 1, 0]).tolist()


@pytest.mark.parametrize("matching", ["coco", "optimal"])
def test_of_objects_that_overlap_enough_a_prediction_finds_its_own_class(matching):
    truth = [{"boxes": [[0, 0, 10, 10], [0, 0, 10, 9]], "labels": ["cat", "dog"]}]
    near = found([[0, 0, 10, 9.2], [0, 0, 10, 9.9]], ["cat", "dog"], [0.9, 0.8])
    assert np.asarray(ix.detection(truth, near, matching=matching).confusion(0.5)).tolist() == np.diag([1, 1, 0]).tolist()


def test_counts_at_a_score_have_no_limit_unless_one_is_given():
    n = 130
    boxes = [[20 * k, 0, 20 * k + 10, 10] for k in range(n)]
    labels = [k % 120 // 119 for k in range(n)]  # 129 of one class, one of another
    truth, all_found = [{"boxes": boxes, "labels": labels}], found(boxes, labels, np.linspace(1, 0.1, n).tolist())
    result = ix.detection(truth, all_found)
    assert np.trace(np.asarray(result.confusion(0))) == n
    assert result.at(0).score("recall", "micro") == result.at(0, across_classes=True).score("recall", "micro") == 1
    assert result.best().value == 1
    assert not result.worst(score=0)
    assert result.ar() < 1  # COCO's 100
    assert np.trace(np.asarray(result.confusion(0, max_detections=5))) == 6
    assert np.trace(np.asarray(ix.detection(truth, all_found, max_detections=7).confusion(0))) == 8


def test_what_a_limit_cuts_off_takes_no_object_away():
    truth = [{"boxes": BOX, "labels": [1]}]
    result = ix.detection(truth, found([[0, 0, 10, 8], *BOX], [1, 1], [0.9, 0.8]), matching="optimal")
    assert result.ar(0.5, max_detections=1) == 1
    across = ix.detection(truth, found([[50, 0, 60, 10], *BOX, [0, 0, 10, 9]], [2, 2, 1], [0.9, 0.8, 0.7]))
    table = np.asarray(across.confusion(0, max_detections=1))
    assert table.tolist() == [[1, 0, 0], [0, 0, 0], [0, 1, 0]]


def test_one_overlap_is_asked_for_where_there_is_one_answer():
    result = ix.detection([{"boxes": BOX, "labels": [1]}], found(BOX, [1], [0.9]))
    for ask in (result.pr, result.best, result.worst, result.errors):
        with pytest.raises(ValueError, match=r"give one threshold"):
            ask(iou=[0.9, 0.5])


def test_the_best_score_of_an_optimal_matching_is_refused_with_advice():
    result = ix.detection([{"boxes": BOX, "labels": [1]}], found(BOX, [1], [0.9]), matching="optimal")
    for ask in (result.worst, result.to_html, result.plot.worst):
        with pytest.raises(ValueError, match=r"score=0\.5"):
            ask()


def federated(frequencies):
    lists = {"neg_category_ids": [], "not_exhaustive_category_ids": []}
    categories = [{"id": k, "name": str(k), **({"frequency": x} if x else {})} for k, x in enumerate(frequencies)]
    boxes = [{"id": k, "image_id": 1, "category_id": k, "bbox": [20 * k, 0, 5, 5], "area": 25} for k in range(len(categories))]
    truth = {"images": [{"id": 1, **lists}], "categories": categories, "annotations": boxes}
    return ix.detection(truth, [{**boxes[0], "score": 0.5}], federated=True).summary()


def test_a_frequency_group_holds_the_classes_that_say_so():
    numbers = federated(["r", "f"])
    assert (numbers["AP"], numbers["APr"], numbers["APf"]) == (0.5, 1, 0)
    assert np.isnan(numbers["APc"])
    unknown = federated([None, None])
    assert unknown["AP"] == 0.5
    assert all(np.isnan(unknown[f"AP{group}"]) for group in "rcf")


@pytest.mark.parametrize("other", [None, "frequent"])
def test_a_category_without_its_frequency_is_named(other):
    with pytest.raises(ValueError, match=r"category 1 .*'r', 'c' or 'f'"):
        federated(["r", other])


def test_where_every_object_is_missed_finding_them_is_worth_everything():
    truth, nothing = [{"boxes": BOX, "labels": [1]}], found([], [], [])
    assert ix.detection(truth, nothing).errors().costs["missed"] == 1
    assert ix.detection(truth, found([[50, 50, 60, 60]], [1], [0.9])).errors().costs["missed"] == 1
