"""``ix.evaluate_frame`` equals ``ix.evaluate`` on the same columns, whichever library holds them."""

from __future__ import annotations

import datetime as dt
import sys
from collections.abc import Callable
from typing import Any

import narwhals as nw
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from loops import for_each

import indicatrix as ix

RNG = np.random.default_rng(0)
N = 40
WORDS = ["ant", "bee", "cat"]


def draw(names: list[Any]) -> list[Any]:
    return [names[k] for k in RNG.integers(0, len(names), N)]


def draw_lists() -> list[list[str]]:
    return [[w for w in WORDS if RNG.random() < 0.4] for _ in range(N)]


DATA: dict[str, list[Any]] = {
    "animal": draw(WORDS),
    "lr": draw(WORDS),
    "rf": draw(WORDS),
    "flag": draw([False, True]),
    "said": draw([False, True]),
    "code": draw([3, 7]),
    "guess": draw([3, 7]),
    "p": RNG.random(N).round(2).tolist(),
    "p_ant": RNG.random(N).tolist(),
    "p_bee": RNG.random(N).tolist(),
    "p_cat": RNG.random(N).tolist(),
    "weight": RNG.integers(1, 5, N).tolist(),
    "seen": draw([True, True, False]),
    "site": draw(["x", "y"]),
    "day": draw([dt.date(2026, 1, 31), dt.date(2026, 2, 1)]),
    "hour": draw([dt.datetime(2026, 1, 31, 5), dt.datetime(2026, 1, 31, 6)]),
    "tags": draw_lists(),
    "tags_lr": draw_lists(),
    "tags_rf": draw_lists(),
    "red": draw([0, 1]),
    "blue": draw([0, 1]),
    "red_lr": draw([0, 1]),
    "blue_lr": draw([0, 1]),
    "red_rf": draw([0, 1]),
    "blue_rf": draw([0, 1]),
}


def chunks(data: dict[str, Any]) -> pa.Table:
    whole = pa.table(data)
    return pa.concat_tables([whole[:13], whole[13:]])


def dictionaries(data: dict[str, Any]) -> pa.Table:
    words = ("animal", "lr", "rf", "site")
    return pa.table({k: pa.array(v).dictionary_encode() if k in words else pa.array(v) for k, v in data.items()})


def categories(data: dict[str, Any]) -> pd.DataFrame:
    return pd.DataFrame(data).astype({k: pd.CategoricalDtype(WORDS) for k in ("animal", "lr", "rf")})


MAKERS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "pandas": pd.DataFrame,
    "pandas of other rows": lambda data: pd.DataFrame(data, index=np.arange(N)[::-1]),
    "pandas categories": categories,
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "pandas on Arrow": lambda data: pa.table(data).to_pandas(types_mapper=pd.ArrowDtype),
    "polars": pl.DataFrame,
    "polars lazy": pl.LazyFrame,
    "polars categories": lambda data: pl.DataFrame(data).with_columns(pl.col("animal", "lr", "rf").cast(pl.Categorical)),
    "polars enums": lambda data: pl.DataFrame(data).with_columns(pl.col("animal", "lr", "rf").cast(pl.Enum(WORDS))),
    "arrow": pa.table,
    "arrow chunks": chunks,
    "arrow dictionaries": dictionaries,
    "arrow batch": pa.record_batch,
}
FRAMES = {name: make(DATA) for name, make in MAKERS.items()}
every_frame = for_each("df", FRAMES.values(), ids=FRAMES)


def sets(name: str) -> list[set[str]]:
    return [set(row) for row in DATA[name]]


def stack(*names: str) -> Any:
    return np.column_stack([DATA[name] for name in names])


@pytest.mark.slow
def test_every_average_is_that_of_evaluate() -> None:
    expected = ix.evaluate(DATA["animal"], DATA["lr"], by={"site": DATA["site"]}, sample_weight=DATA["weight"], mask=DATA["seen"])
    for df in FRAMES.values():
        found = ix.evaluate_frame(df, true="animal", pred="lr", by="site", sample_weight="weight", mask="seen")
        for measure in ("f1", "mcc", "recall", "specificity"):
            for average in ("micro", "macro", "weighted", "exemplar", "site", ("site", "macro")):
                for undefined in ("exclude", 0):
                    assert found.score(measure, average, undefined=undefined) == expected.score(
                        measure, average, undefined=undefined
                    )
        assert found.classes == expected.classes
        assert np.array_equal(found.confusion, expected.confusion)


@every_frame
def test_bools_integers_and_label_columns(df: Any) -> None:
    assert ix.evaluate_frame(df, true="flag", pred="said") == ix.evaluate(DATA["flag"], DATA["said"])
    assert ix.evaluate_frame(df, true="code", pred="guess", positive=7).score("f1") == ix.f1(
        DATA["code"], DATA["guess"], positive=7
    )
    wide = ix.evaluate_frame(df, true=["red", "blue"], pred=["red_lr", "blue_lr"], mask="seen")
    expected = ix.evaluate(stack("red", "blue"), stack("red_lr", "blue_lr"), classes=["red", "blue"], mask=DATA["seen"])
    assert wide == expected
    cells = ix.evaluate_frame(df, true=["red", "blue"], pred=["red_lr", "blue_lr"], mask=["seen", "flag"])
    assert cells == ix.evaluate(
        stack("red", "blue"), stack("red_lr", "blue_lr"), classes=["red", "blue"], mask=stack("seen", "flag")
    )


@every_frame
def test_columns_of_lists_are_label_sets(df: Any) -> None:
    found = ix.evaluate_frame(df, true="tags", pred="tags_lr", by={"place": "site"})
    expected = ix.evaluate(sets("tags"), sets("tags_lr"), by={"place": DATA["site"]})
    for average in ("micro", "macro", "weighted", "exemplar", "place"):
        assert found.score("f1", average) == expected.score("f1", average)
    assert found.classes == expected.classes == tuple(WORDS)
    some = ix.evaluate_frame(df, true="tags", pred="tags_lr", classes=["cat", "ant", "bee", "elk"])
    assert some == ix.evaluate(sets("tags"), sets("tags_lr"), classes=["cat", "ant", "bee", "elk"])
    with pytest.raises(ValueError, match="'cat' is not in classes"):
        ix.evaluate_frame(df, true="tags", pred="tags_lr", classes=["ant", "bee"])
    with pytest.raises(TypeError, match="true= is a column of lists, and pred is not"):
        ix.evaluate_frame(df, true="tags", pred="lr")


@every_frame
def test_scores_are_swept_or_decided(df: Any) -> None:
    swept = ix.evaluate_frame(df, true="flag", score="p", by="site", sample_weight="weight")
    assert swept.auc == ix.auc(swept) == ix.auc(DATA["flag"], DATA["p"], sample_weight=DATA["weight"])
    assert swept.average_precision == ix.average_precision(swept)
    assert ix.evaluate_frame(df, true="flag", score="p", decide=0.3) == ix.evaluate(DATA["flag"], DATA["p"], decide=0.3)
    P, columns = stack("p_ant", "p_bee", "p_cat"), {"ant": "p_ant", "bee": "p_bee", "cat": "p_cat"}
    decided = ix.evaluate(DATA["animal"], P, classes=WORDS, decide="argmax")
    assert ix.evaluate_frame(df, true="animal", score=columns, decide="argmax") == decided
    assert ix.evaluate_frame(df, true="animal", score=[*columns.values()], classes=WORDS, decide="argmax") == decided
    area = ix.auc(ix.evaluate_frame(df, true="animal", score=columns), average="macro")
    assert area == ix.auc(DATA["animal"], P, classes=WORDS, average="macro")


@every_frame
def test_several_predictions_are_compared_pair_by_pair(df: Any) -> None:
    found = ix.evaluate_frame(
        df, true="animal", pred=["lr", "rf"], measures="f1", averages="macro", by="site", sample_weight="weight"
    )
    predictions = {"lr": DATA["lr"], "rf": DATA["rf"]}
    expected = ix.compare(DATA["animal"], predictions, "f1", "macro", by={"site": DATA["site"]}, sample_weight=DATA["weight"])
    assert str(found) == str(expected)
    assert found.joint is not None
    named = ix.evaluate_frame(df, true="animal", pred={"a": "lr", "b": "rf"}, measures="f1", averages="macro")
    assert named.names == ("a", "b")
    labels = {"lr": ["red_lr", "blue_lr"], "rf": ["red_rf", "blue_rf"]}
    wide = ix.evaluate_frame(df, true=["red", "blue"], pred=labels, measures="f1", averages=["micro", "macro"])
    tables = {name: stack(*columns) for name, columns in labels.items()}
    assert str(wide) == str(ix.compare(stack("red", "blue"), tables, "f1", ["micro", "macro"], classes=["red", "blue"]))
    lists = ix.evaluate_frame(df, true="tags", pred=["tags_lr", "tags_rf"], measures="f1", averages="macro")
    assert str(lists) == str(ix.compare(sets("tags"), {"tags_lr": sets("tags_lr"), "tags_rf": sets("tags_rf")}, "f1", "macro"))


@every_frame
def test_dates_are_groups_and_labels(df: Any) -> None:
    found = ix.evaluate_frame(df, true="animal", pred="lr", by=["day", "hour"])
    expected = ix.evaluate(DATA["animal"], DATA["lr"], by={"day": [str(d) for d in DATA["day"]]})
    assert found.values("recall", per="day").names == expected.values("recall", per="day").names
    assert np.array_equal(found.values("recall", per="day"), expected.values("recall", per="day"), equal_nan=True)
    assert len(found.values("recall", per="hour")) == 2
    assert ix.evaluate_frame(df, true="day", pred="day").classes == ("2026-01-31", "2026-02-01")


DAYS = [dt.date(2026, 1, 31), dt.date(2026, 2, 1), dt.date(2026, 1, 31)]
TEXTS = ["2026-01-31", "2026-02-01", "2026-01-31"]


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table])
def test_dates_in_cells_and_in_lists_are_text_and_saved(make: Any, tmp_path: Any) -> None:
    lists, texts = ([[d[0]], d[:2], d[1:2]] for d in (DAYS, TEXTS))
    df = make(
        {"day": DAYS, "time": [dt.time(5), dt.time(6, 7, 8), dt.time(5)], "lists": lists, "gaps": [lists[0], None, lists[2]]}
    )
    found = ix.evaluate_frame(df, true="day", pred="day", by="time")
    assert found == ix.evaluate(TEXTS, TEXTS, by={"time": ["05:00:00", "06:07:08", "05:00:00"]})
    found.save(tmp_path / "days.json")
    assert ix.load(tmp_path / "days.json") == found
    assert ix.evaluate_frame(df, true="lists", pred="lists") == ix.evaluate([*map(set, texts)], [*map(set, texts)])
    assert ix.evaluate_frame(df, true="gaps", pred="lists", missing="mask").classes == ("2026-01-31", "2026-02-01")


def test_dates_in_objects_and_categories_of_pandas_are_text() -> None:
    moments = [dt.datetime(2026, 1, 31, 5), dt.datetime(2026, 1, 31, 6), dt.datetime(2026, 1, 31, 5)]
    df = pd.DataFrame({"at": moments, "kind": pd.Categorical(DAYS), "gap": [DAYS[0], None, pd.NaT], "mixed": [DAYS[0], "a", "b"]})
    df["object"] = pd.Series(moments, dtype=object)
    assert ix.evaluate_frame(df, true="at", pred="object").score("recall", "micro") == 1
    assert ix.evaluate_frame(df, true="kind", pred="kind") == ix.evaluate(pd.Categorical(TEXTS), pd.Categorical(TEXTS))
    assert ix.evaluate_frame(df, true="gap", pred="kind", missing="mask").tally.n == 3
    assert ix.evaluate_frame(df, true="mixed", pred="mixed").classes == ("2026-01-31", "a", "b")


def test_dictionaries_of_arrow_in_pandas_are_labels_and_groups() -> None:
    df = pa.table({name: pa.array(["a", "b", "b", "a"]).dictionary_encode() for name in ("y", "z", "site")})
    kept = df.to_pandas(types_mapper=pd.ArrowDtype)
    one, two = (ix.evaluate_frame(frame, true="y", pred="z", by="site") for frame in (df, kept))
    assert one.classes == two.classes == ("a", "b")
    assert [*map(str, one.values("recall", per="site"))] == [*map(str, two.values("recall", per="site"))]


def test_a_reader_of_batches_is_read_to_its_end_with_the_named_columns() -> None:
    whole = pa.table({**{k: DATA[k] for k in ("animal", "lr", "day")}, "twice": DATA["p"]})
    doubled = whole.append_column("twice", whole["twice"])  # not asked for, so it does not matter
    for batches in (doubled.to_batches(max_chunksize=7), []):
        reader = pa.RecordBatchReader.from_batches(doubled.schema, batches)
        rows = whole if batches else whole[:0]
        assert ix.evaluate_frame(reader, true="animal", pred="lr", by="day") == ix.evaluate_frame(
            rows, true="animal", pred="lr", by="day"
        )
    with pytest.raises(ValueError, match=r"no column 'animl'\. Did you mean animal\? It has 'animal', 'lr', 'day'"):
        ix.evaluate_frame(doubled.to_reader(), true="animl", pred="lr")


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, pa.table, lambda d: pd.DataFrame(d).convert_dtypes()])
def test_missing_values_are_refused_or_masked(make: Any) -> None:
    df = make({"t": ["a", "b", None, "b"], "p": ["a", "a", "b", "b"], "x": [1, None, 0, 1], "y": [1, 0, 0, 1]})
    with pytest.raises(ValueError, match=r"y_true\[2\] is missing"):
        ix.evaluate_frame(df, true="t", pred="p")
    assert ix.evaluate_frame(df, true="t", pred="p", missing="mask").score("f1", "macro") == ix.f1(
        ["a", "b", "b"], ["a", "a", "b"], average="macro"
    )
    assert ix.evaluate_frame(df, true=["x", "y"], pred=["y", "x"], missing="mask").n == 4
    lists = make({"t": [["a"], None, []], "p": [["a"], ["b"], ["b"]]})
    found = ix.evaluate_frame(lists, true="t", pred="p", missing="mask")
    assert found == ix.evaluate([{"a"}, None, set()], [{"a"}, {"b"}, {"b"}], missing="mask")


def test_pipe_and_lazy_frames_read_only_the_named_columns() -> None:
    df, lazy = FRAMES["pandas"], FRAMES["polars lazy"]
    assert df.pipe(ix.evaluate_frame, true="animal", pred="lr") == ix.evaluate(DATA["animal"], DATA["lr"])
    spoilt = lazy.with_columns(pl.col("rf").cast(pl.Int64).alias("broken"))  # fails if it is read
    assert spoilt.pipe(ix.evaluate_frame, true="animal", pred="lr") == ix.evaluate(DATA["animal"], DATA["lr"])
    with pytest.raises(nw.exceptions.InvalidOperationError, match="conversion from"):
        ix.evaluate_frame(spoilt, true="animal", pred="broken")


def test_labels_that_stand_twice_in_a_list_count_once() -> None:
    df = pl.DataFrame({"t": [["a", "a"], ["b"]], "p": [["b", "a", "a"], ["b"]]})
    assert ix.evaluate_frame(df, true="t", pred="p") == ix.evaluate([{"a"}, {"b"}], [{"a", "b"}, {"b"}])


def test_predictions_may_have_any_name() -> None:
    names = {"true": "tags_lr", "score": "tags_rf"}
    found = ix.evaluate_frame(FRAMES["polars"], true="tags", pred=names, measures="f1", averages="macro")
    assert str(found) == str(ix.compare(sets("tags"), {n: sets(c) for n, c in names.items()}, "f1", "macro"))
    with pytest.raises(TypeError, match=r"and pred\['score'\] is not"):
        ix.evaluate_frame(FRAMES["polars"], true="tags", pred={"true": "tags_lr", "score": "lr"})


def test_columns_may_be_numbers_in_pandas() -> None:
    df = pd.DataFrame({0: DATA["animal"], 1: DATA["lr"]})
    assert ix.evaluate_frame(df, true=0, pred=1) == ix.evaluate(DATA["animal"], DATA["lr"])


@for_each(
    ("call", "message"),
    [
        (
            lambda df: ix.evaluate_frame(df, true="animl", pred="lr"),
            r"The frame has no column 'animl'\. Did you mean animal\? It has 'animal', 'lr'",
        ),
        (lambda df: ix.evaluate_frame(df, true="animal", pred="lr", by="sit"), r"no column 'sit'\. Did you mean site\?"),
        (lambda df: ix.evaluate_frame(df, true="animal", pred="lr", sample_weight="w8"), r"no column 'w8'"),
        (lambda df: ix.evaluate_frame(df, true="animal"), r"pred=, or the scores with score="),
        (lambda df: ix.evaluate_frame(df, true="animal", pred="lr", score="p"), r"pred=, or the scores with score="),
        (lambda df: ix.evaluate_frame(df, true=["red", "blue"], pred=["red_lr"]), r"true= names 2 columns, and pred 1"),
        (
            lambda df: ix.evaluate_frame(df, true=["red", "red"], pred=["red_lr", "blue_lr"]),
            r"true= names the column 'red' twice",
        ),
        (
            lambda df: ix.evaluate_frame(df, true="animal", pred="lr", weight="weight"),
            r"no weight=; name the column of weights with",
        ),
        (lambda df: ix.evaluate_frame(df, true="animal", pred="lr", measures="f1"), r"it is for a comparison"),
        (
            lambda df: ix.evaluate_frame(df, true="animal", pred="lr", clases=WORDS),
            r"^evaluate_frame takes no clases=\. Did you mean classes\?",
        ),
        (
            lambda df: ix.evaluate_frame(df, true="animal", score=["p_ant", "p_bee", "p_cat"]),
            r"Which classes are the columns of score=",
        ),
        (lambda df: ix.evaluate_frame(df, true="flag", score="p", cost=[[0, 1], [1, 0]]), r"it is for decisions; name decide="),
        (lambda df: ix.evaluate_frame(DATA, true="animal", pred="lr"), r"reads a data frame, and this is a dict\. For arrays"),
        (lambda df: ix.evaluate_frame(pd.DataFrame([[1, 2]], columns=["a", "a"]), true="a", pred="a"), r"same name.*Rename one"),
        (lambda df: ix.evaluate_frame(pa.table([[1], [2]], names=["a", "a"]), true="a", pred="a"), r"same name.*Rename one"),
    ],
)
def test_errors_say_what_is_possible(call: Any, message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        call(FRAMES["polars"])


def test_without_narwhals_the_error_has_the_install_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "narwhals.stable.v2", None)
    with pytest.raises(ImportError, match=r"pip install 'indicatrix\[frames\]'"):
        ix.evaluate_frame(FRAMES["pandas"], true="animal", pred="lr")


def test_columns_of_lists_are_read_without_a_loop_over_rows() -> None:
    """A thousand times the rows is counted in operations on whole columns: no call per row."""
    rows = pl.DataFrame({"t": DATA["tags"], "p": DATA["tags_lr"]})
    calls = [_calls(rows), _calls(pl.concat([rows] * 50))]
    assert calls[1] < 3 * calls[0]


def _calls(df: Any) -> int:
    seen = 0

    def count(frame: Any, event: str, arg: Any) -> None:
        nonlocal seen
        seen += event in ("call", "c_call")

    ix.evaluate_frame(df, true="t", pred="p")  # loads what is loaded once
    sys.setprofile(count)
    try:
        ix.evaluate_frame(df, true="t", pred="p")
    finally:
        sys.setprofile(None)
    return seen
