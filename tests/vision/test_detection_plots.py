"""Plots of detections draw their numbers and objects; the worst images are those with the most errors."""

import matplotlib
import numpy as np
import pytest
from matplotlib import pyplot as plt

import indicatrix as ix
from fuzz.detections import random_data_set
from indicatrix.vision.shapes.run_lengths import masks_of_arrays

matplotlib.use("Agg")
HOSTILE = ["<script>", "$x^2$ costs $5", "x" * 300, "a\nb"]


def result(kind="boxes", seed=8):
    return ix.detection(*random_data_set(seed, kind), kind=kind)


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def test_the_worst_images_have_the_most_errors_and_the_counts_fit():
    made = result()
    score = made.best("f1").threshold
    every = made.worst(100, score=score)
    counts = made.at(score=score).aggregate("image")
    errors = dict(zip(counts.names[0], (counts.fp + counts.fn).tolist(), strict=True))
    assert {case.image: case.errors for case in every} == {name: n for name, n in errors.items() if n}
    assert [case.errors for case in every] == sorted((case.errors for case in every), reverse=True)
    assert [case.image for case in made.worst(2)] == [case.image for case in every[:2]]
    for case in every:
        own = made.images.index(case.image)
        assert (made.scene.predictions.image[np.append(case.found, case.false).astype(int)] == own).all()
        assert (made.scene.truth.image[case.missed] == own).all()


def test_an_optimal_matching_tells_the_positions_that_were_given():
    truth = [{"boxes": [[0, 0, 10, 10]], "labels": [0]}]
    found = [{"boxes": [[50, 50, 60, 60], [0, 0, 10, 7]], "labels": [0, 0], "scores": [0.1, 0.9]}]
    made = ix.detection(truth, found, matching="optimal")
    assert made.worst(score=0.5) == ()
    (case,) = made.worst(score=0.0)
    assert (case.found.tolist(), case.false.tolist()) == ([1], [0])


@pytest.mark.parametrize("k", [0, True, 1.5])
def test_how_many_images_is_a_whole_number(k):
    with pytest.raises(ValueError, match="must be a whole number of images"):
        result().worst(k)


@pytest.mark.parametrize("kind", ["boxes", "masks", "keypoints", "oriented", "instances"])
def test_objects_of_every_kind_are_drawn(kind):
    if kind == "instances":
        maps = np.kron(np.random.default_rng(0).integers(0, 4, (2, 3, 3, 3)), np.ones((9, 9), int))
        made = ix.vision.instances(*maps)
        boxes = made.scene.truth.shapes.boxes
        assert [(w * h >= area) for (_, _, w, h), area in zip(boxes, made.scene.truth.area, strict=True)] == [True] * len(boxes)
    elif kind == "oriented":
        turned = {"oriented": [[15, 15, 14, 8, 30]], "labels": [0]}
        made = ix.detection([turned], [{"oriented": [[40, 15, 14, 8, 0]], "labels": [0], "scores": [1]}], kind=kind)
    else:
        made = result(kind)
    drawn = made.plot.worst(lambda _: np.zeros((240, 240, 3), np.uint8), 2, score=0.5)
    cases = made.worst(2, score=0.5)
    assert len(drawn) == len(cases) > 0
    assert drawn[0].figure.get_figwidth() == pytest.approx(4.4 * len(cases))
    for ax, case in zip(drawn, cases, strict=True):
        shown = len(case.false) + len(case.missed) + (len(case.found) if len(case.found) <= 8 else 0)
        ignored = (made.scene.truth.ignore & (made.scene.truth.image == made.images.index(case.image))).sum()
        assert len(ax.texts) == shown + ignored
        assert ax.get_title(loc="left").endswith(f"{len(case.found)} found, {len(case.false)} false, {len(case.missed)} missed")


def test_a_mask_is_its_own_picture():
    pictures = np.random.default_rng(0).random((5, 7, 9)) < 0.4
    masks = masks_of_arrays(pictures)
    assert all(np.array_equal(masks.picture(k), pictures[k]) for k in range(5))


def test_numbers_of_the_plots_are_those_of_the_evaluation(tmp_path):
    made = result()
    curves = made.plot.pr(ious=[0.5, 0.9])
    assert f"overlap 0.9, AP {made.pr(iou=0.9).area:.3f}" in [text.get_text() for text in curves.get_legend().get_texts()]
    bars = [bar.get_width() for bar in made.plot.classes(0.5).patches]
    assert bars == pytest.approx(np.nan_to_num(made.ap(0.5, per="class")).tolist())
    costs = made.errors().costs.values()
    assert [bar.get_width() for bar in made.plot.errors().patches] == pytest.approx([*costs])
    written = [text.get_text() for text in made.plot.confusion(0.5).texts]
    assert [int(x) for x in written] == made.confusion(0.5).astype(int).ravel().tolist()
    mine = plt.subplots()[1]
    assert made.plot.errors(ax=mine) is mine
    plt.imsave(tmp_path / "x.png", np.zeros((9, 9, 3)))
    assert made.plot.image(made.images[0], tmp_path / "x.png", ax=mine) is mine


@pytest.mark.filterwarnings("ignore:Glyph .* missing from:UserWarning")
@pytest.mark.slow
def test_labels_are_plain_text_and_empty_results_say_so():
    one = {"boxes": [[0, 0, 9, 9]] * 4, "labels": HOSTILE}
    none = {"boxes": [], "labels": [], "scores": []}
    made = ix.detection([one], [none], images=["$a$\n" * 20])
    for ax in (made.plot.classes(), made.plot.errors(), *made.plot.worst(), made.plot.pr(), made.plot.confusion(0.5)):
        ax.figure.canvas.draw()
        assert all(not text.get_parse_math() or "$" not in text.get_text() for text in ax.texts)
    empty = ix.detection([], [])
    assert empty.plot.worst() == []
    empty.plot.errors().figure.canvas.draw()
    empty.plot.classes().figure.canvas.draw()


def test_a_notebook_shows_tables_with_plain_labels():
    one = {"boxes": [[0, 0, 9, 9]] * 4, "labels": HOSTILE}
    made = ix.detection([one], [{**one, "scores": [0.9, 0.8, 0.7, 0.6]}])
    shown = made._repr_html_()
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown
    assert "average precision at an overlap of 0.5" in shown
    assert "costs in AP" in shown
    assert dict(zip(*made.to_dict().values(), strict=True)) == pytest.approx({**made.summary()}, nan_ok=True)
    assert made.errors()._repr_html_() == made.errors().table().html()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda d: d.plot.image("nowhere"), "There is no image 'nowhere'"),
        (lambda d: d.plot.worst({}), "has no picture of the image"),
        (lambda d: d.plot.worst([1, 2]), "has 2 pictures for"),
        (lambda d: d.plot.worst(axes=[]), "axes= has 0 axes for"),
        (lambda d: d.plot.worst(lambda _: np.zeros(3)), r"A picture of shape \(3,\) cannot be drawn"),
        (lambda d: d.plot.worst(lambda _: "nowhere.png"), "There is no picture 'nowhere.png'"),
        (lambda d: ix.plots.objects({"lost": []}), "Objects cannot be 'lost' here"),
    ],
)
def test_what_cannot_be_drawn(call, message):
    with pytest.raises((ValueError, FileNotFoundError), match=message):
        call(result())
