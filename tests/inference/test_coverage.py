"""A small version of ``python -m benchmarks.coverage``, and what its published cells must say."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from benchmarks.coverage import any_method
from benchmarks.coverage.__main__ import DOCUMENT, FILE
from benchmarks.coverage.populations import OfKinds, Population, source_of
from benchmarks.coverage.possible import (
    inside_by_chance,
    possible_coverage,
    possible_given_margins,
    possible_of_share,
    within_reach,
)
from benchmarks.coverage.results import append, page, read, summary, table, todo
from benchmarks.coverage.scores import Set, sets
from benchmarks.coverage.simulation import WITHIN, simulate
from indicatrix.inference.stats.proportions import PROPORTIONS

SAMPLES = 100
NOISE = 3 * math.sqrt(0.05 * 0.95 / SAMPLES)  # standard errors of a share of 0.95
EASY = [
    Set(Population("one class", 3, 0.5, 0.2), 1000),
    Set(Population("several labels", 3, 0.5, 0.2), 1000),
    Set(Population("scores", 2, 0.5, 0.75), 1000),
    Set(Population("clusters", 2, 0.5, 0.2), 2000),
    Set(Population("weights", 2, 0.5, 0.2), 1000),
    Set(Population("raters", 3, 0.5, 0.2), 100),
]


@pytest.mark.slow
@pytest.mark.parametrize("some", EASY, ids=lambda some: some.population.kind)
def test_default_intervals_cover_where_there_are_many_examples(some: Set) -> None:
    for cell in simulate(some, SAMPLES, compared=0, seed=3):
        assert WITHIN[0] - NOISE < cell.coverage <= 1, cell


def test_a_run_goes_on_where_it_was(tmp_path: Path) -> None:
    file, some = tmp_path / "cells.csv", Set(Population("one class", 2, 0.5, 0.2), 30)
    assert [some for some, _ in todo(sets(), read(file))] == [*sets()]
    cells = simulate(some, 3, compared=1)
    append(file, cells)
    assert [cell.as_row() for cell in read(file)] == [cell.as_row() for cell in cells]
    assert some not in [left for left, _ in todo(sets(), read(file))]
    assert len(todo(sets(), read(file))) == len([*sets()]) - 1


def test_a_run_may_ask_for_some_scores_and_add_others_later(tmp_path: Path) -> None:
    file, some = tmp_path / "cells.csv", Set(Population("one class", 2, 0.5, 0.2), 30)
    append(file, simulate(some, 3, compared=0, scores=["recall"]))
    assert todo([some], read(file), ["recall"]) == []
    assert todo([some], read(file), ["recall", "f1"]) == [(some, ["f1"])]
    [(_, left)] = todo([some], read(file))
    assert set(left) == set(some.scores) - {"recall"}


def test_equal_samples_are_kept_once_in_the_order_in_which_they_came() -> None:
    source = source_of(Population("one class", 2, 0.02, 0.03))
    assert isinstance(source, OfKinds)
    samples, drawn = source.draw(np.random.default_rng(2), 10, 300), np.random.default_rng(2).multinomial(10, source.chances, 300)
    assert len(samples.distinct) < 100
    assert (samples.counts[samples.drawn] == drawn).all()
    assert samples.times.sum() == 300
    first = samples.first(7)
    assert [first.distinct[k].n for k in first.drawn] == [10] * 7
    assert [samples.distinct[k] for k in samples.drawn[:7]] == [first.distinct[k] for k in first.drawn]


@pytest.mark.parametrize("kind", ["one class", "weights", "raters"])
def test_samples_are_weighted_as_those_of_another_population(kind: str) -> None:
    source, rng = source_of(Population(kind, 2, 0.1, 0.2)), np.random.default_rng(5)
    assert isinstance(source, OfKinds)
    other = source.near(rng, 20)
    samples = source.draw(rng, 20, 20_000)
    assert other.chances.sum() == pytest.approx(1)
    weights = samples.times * source.likelier(other, samples.counts)
    assert weights @ samples.counts / weights.sum() == pytest.approx(20 * other.chances, abs=0.25)


def test_the_mean_over_neighbors_of_a_share_has_no_steps() -> None:
    cells = [simulate(Set(Population("one class", 2, 0.5, 0.03), n), 2000, 0, scores=["accuracy"])[0] for n in (100, 150)]
    for cell, exact in zip(cells, [possible_of_share(cell.n, 0.97) for cell in cells], strict=True):
        assert cell.coverage == pytest.approx(exact, abs=0.02)
        assert cell.nearby == pytest.approx(0.955, abs=0.02)


def test_the_same_seed_gives_the_same_cells() -> None:
    some = Set(Population("one class", 2, 0.1, 0.2), 30)
    assert simulate(some, 5, 2, seed=1) == simulate(some, 5, 2, seed=1) != simulate(some, 5, 2, seed=2)


def test_tables_name_every_score(tmp_path: Path) -> None:
    cells = simulate(Set(Population("one class", 2, 0.5, 0.2), 100), 5, 2)
    assert all(f"one class: {cell.score} |" in table(cells) for cell in cells)
    assert f"{len(cells)} cells" in summary(cells)


@pytest.mark.parametrize("n", [1, 5, 30, 100])
@pytest.mark.parametrize("share", [0.5, 0.8, 0.97])
def test_what_is_possible_for_a_share_is_the_exact_coverage_of_mid_p(n: int, share: float) -> None:
    covered = 0.0
    for k in range(n + 1):
        low, high = PROPORTIONS["mid_p"](k, n, 0.95)
        covered += math.comb(n, k) * share**k * (1 - share) ** (n - k) * (low <= share <= high)
    assert possible_of_share(n, share) == pytest.approx(covered)


@pytest.mark.parametrize("method", ["mid_p", "wilson", "jeffreys", "clopper_pearson"])
@pytest.mark.parametrize("n", [2, 3, 10, 30])
def test_no_interval_covers_as_aimed_where_none_can(method: str, n: int) -> None:
    ends, out_of_reach = [PROPORTIONS[method](k, n, 0.95) for k in range(n + 1)], 0
    for share in np.linspace(0.005, 0.3, 60):
        sums = [math.comb(n, k) * share**k * (1 - share) ** (n - k) for k in range(n + 1)]
        neighbors = {(a, b): sum(sums[a : b + 1]) for a in range(n + 1) for b in range(a, n + 1)}
        found = [(a, b) for (a, b), covered in neighbors.items() if WITHIN[0] <= covered <= WITHIN[1]]
        assert within_reach(n, share, WITHIN) == bool(found)
        sided = [(a, b) for a, b in found if sum(sums[:a]) <= 0.04 and sum(sums[b + 1 :]) <= 0.04]
        assert within_reach(n, share, WITHIN, 0.04) == bool(sided)
        covers = sum(p for p, (low, high) in zip(sums, ends, strict=True) if low <= share <= high)
        if not found:
            out_of_reach += 1
            assert not WITHIN[0] <= covers <= WITHIN[1]
    assert out_of_reach


@pytest.mark.parametrize("samples", [250, 400])
def test_a_counted_coverage_lies_between_the_limits_as_often_as_is_said(samples: int) -> None:
    counted = np.random.default_rng(0).binomial(samples, 0.95, 20_000) / samples
    inside = ((counted >= WITHIN[0]) & (counted <= WITHIN[1])).mean()
    assert inside_by_chance(samples, 0.95, WITHIN) == pytest.approx(inside, abs=0.01)


def test_many_values_can_be_covered_as_often_as_they_should() -> None:
    values = np.random.default_rng(0).normal(size=2000)
    assert possible_coverage(values) == pytest.approx(0.95, abs=0.002)
    assert possible_coverage(np.round(values)) > 0.975


def test_one_rare_class_makes_the_steps_of_a_score_of_rates() -> None:
    rare, equal = Population("one class", 2, 0.02, 0.2), Population("one class", 2, 0.5, 0.2)
    steps = []
    for population in (rare, equal):
        source, rng = source_of(population), np.random.default_rng(1)
        samples = source.draw(rng, 100, 20).distinct
        steps.append(
            [possible_given_margins(population, name, samples, 0.8, 0.5) for name in ("recall", "balanced_accuracy", "f1")]
        )
    assert steps[0][0] == pytest.approx(steps[0][1], abs=0.01)
    assert steps[0][0] > 0.975 > steps[1][1] > 0.93
    assert steps[0][2] == steps[1][2] == 0.5  # F1 is not a score of rates


def test_the_page_says_what_the_cells_say() -> None:
    cells = simulate(Set(Population("one class", 2, 0.5, 0.2), 100), 40, 0)
    text = page(cells, "What any can.")
    assert "from 40 samples" in text
    assert "What any can." in text
    assert all(line in text for line in table(cells).splitlines())
    assert all(line.strip() in text for line in summary(cells).splitlines())


def test_what_any_method_does_is_told_of_the_same_samples(tmp_path: Path) -> None:
    file, some = tmp_path / "any.csv", Set(Population("one class", 2, 0.02, 0.03), 30)
    found = any_method.try_all((some, "recall"), simulations=40)
    assert found.coverage["default"] == found.coverage["mid_p"] > found.coverage["percentile"]
    assert math.isnan(any_method.try_all((some, "f1"), simulations=3).coverage["jeffreys"])
    any_method.append(file, replace(found, coverage=found.coverage | {"default": 0.99, "bca": 0.94}))
    any_method.append(file, replace(found, coverage=found.coverage | {"default": 0.95, "bca": 0.9}))
    text = any_method.sentence(any_method.read(file))
    assert "2 cells: the default is inside in 50%" in text
    assert "at least one of all in 100%" in text
    known = {(str(some.population), some.n, name) for some, name in any_method.asked()}
    assert {(x.population, x.n, x.score) for x in any_method.read()} <= known


def test_the_page_says_of_the_usual_methods_what_the_published_cells_say() -> None:
    """The page says that the best of all stays below 90%, and that no other alone has more inside than the default."""
    tried = any_method.read()
    assert np.mean([x.inside() for x in tried]) < 0.9
    for n in {x.n for x in tried}:
        own = {name: np.mean([x.inside((name,)) for x in tried if x.n == n]) for name in any_method.METHODS}
        assert max(own.values()) == own["default"], own
    assert any_method.sentence(tried) in DOCUMENT.read_text(encoding="utf-8")


def test_the_published_cells_that_cover_too_rarely_have_a_note() -> None:
    assert not [cell for cell in read(FILE) if cell.samples >= SAMPLES and cell.misleads]


def test_the_aims_tell_cells_with_many_errors_from_others_and_from_those_without_intervals() -> None:
    many, few = (simulate(Set(Population("one class", 2, p, 0.2), n), 20, 0)[0] for p, n in ((0.5, 100), (0.02, 30)))
    refused = replace(few, score="cramer_v", samples=2, coverage=0.5, without_note=0.5, noted=0.0)
    text = summary([many, few, refused])
    assert "at least 3 errors expected on the rarest class: 1 cells" in text
    assert "fewer errors expected on the rarest class: 1 cells" in text
    assert "1 other cells have no interval in most samples" in text
    assert "cramer_v" not in table([many, few, refused])
    assert "0 cover less than 0.9 without a note" in text
