"""Data sets are read or fetched whole or not at all, and classifiers are trained once."""

from __future__ import annotations

import gzip
import hashlib
import json
import shutil
from dataclasses import replace
from importlib import resources
from importlib.metadata import version
from pathlib import Path

import numpy as np
import pytest
from needed_data import FOLDER, needs_data

from paper import training
from paper.data import ORIGINS, Data, DataSet, MissingData, Origin, fetch, read, verify

RNG = np.random.default_rng(5)
SMALL = DataSet(RNG.normal(size=(60, 4)).round(6), RNG.integers(0, 2, (60, 3)).astype(np.uint8), ("a", "b", "c"), "memory")


def origin_of(given: DataSet) -> Origin:
    order = given.X[:, 0].argsort()  # no two are equal, so this is the order of rows
    in_order = DataSet(given.X[order], given.Y[order], given.labels, given.source)
    return Origin("small", 1, 1, given.Y.shape[1], given.checksum, in_order.checksum)


def write(path: Path, given: DataSet) -> Path:
    lines = [",".join(["w", "x", "y", "z", *given.labels])]
    lines += [",".join(map(str, [*x.tolist(), *y.tolist()])) for x, y in zip(given.X, given.Y, strict=True)]
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    return path


@pytest.mark.slow
def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    found = read(write(tmp_path / "small.csv.gz", SMALL), origin_of(SMALL))
    assert np.array_equal(found.X, SMALL.X)
    assert np.array_equal(found.Y, SMALL.Y)
    assert (found.labels, found.checksum) == (SMALL.labels, SMALL.checksum)
    assert verify(found, origin_of(SMALL)) is found


@pytest.mark.slow
def test_other_numbers_and_other_orders_are_told_apart() -> None:
    order = RNG.permutation(60)
    with pytest.raises(MissingData, match=r"small from memory has the right rows in another order; folds are cut by position"):
        verify(replace(SMALL, X=SMALL.X[order], Y=SMALL.Y[order]), origin_of(SMALL))
    for changed in (
        replace(SMALL, X=SMALL.X + 1e-5),
        replace(SMALL, Y=1 - SMALL.Y),
        replace(SMALL, X=SMALL.X[:-1], Y=SMALL.Y[:-1]),
    ):
        with pytest.raises(
            MissingData, match=r"has other numbers than expected \((60|59) rows, 4 features, 3 labels\)\.\nGive a folder"
        ):
            verify(changed, origin_of(SMALL))
    # Digits beyond single precision and the sign of zero do not matter.
    zeros = replace(SMALL, X=np.where(SMALL.X > 0, 0.0, SMALL.X))
    assert replace(zeros, X=np.where(zeros.X == 0, -0.0, zeros.X * (1 + 1e-12))).checksum == zeros.checksum


@pytest.mark.one_fast_case
@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"no gzip",
        gzip.compress(b""),
        gzip.compress(b"w,x\n1,2\n1,2,3\n"),
        gzip.compress(b"w,x\n1,two\n"),
        gzip.compress(b"w,x,y\n1,2\n"),
        gzip.compress(b"w,x\n\xff\xfe\n"),
        gzip.compress(b"w,x\n" + b"1.234567,0\n" * 1000)[:-30],
    ],
    ids=["empty", "not gzipped", "nothing in it", "ragged", "text", "short rows", "no text", "cut off"],
)
def test_broken_files_are_named(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "emotions.csv.gz").write_bytes(content)
    with pytest.raises(
        MissingData, match=r"emotions\.csv\.gz cannot be read as the emotions data: .+\.\nPut a complete copy there"
    ):
        Data(tmp_path).multilabel("emotions")


@pytest.mark.slow
def test_missing_data_say_how_to_get_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    how = r"\nGive a folder with yeast\.csv\.gz by --data or INDICATRIX_DATA, or connect: it is OpenML's number 40597\."
    with pytest.raises(MissingData, match=r"^The data set yeast was not fetched\." + how):
        Data(fetch=False).multilabel("yeast")
    with pytest.raises(MissingData, match=r"^The data set yeast is not in .+ and was not fetched\." + how):
        Data(tmp_path, fetch=False).multilabel("yeast")
    monkeypatch.setenv("https_proxy", "http://127.0.0.1:9")  # nobody listens there
    monkeypatch.setattr("urllib.request._opener", None)  # which remembers the proxies of its first use
    data = Data(cache=tmp_path / "cache")
    for _ in range(2):
        with pytest.raises(MissingData, match=r"^The data set yeast could not be fetched \(.*refused.*\)\." + how):
            data.multilabel("yeast")
        monkeypatch.setattr("sklearn.datasets.fetch_openml", None)  # the second answer needs no network


def test_wrong_names_and_folders_are_errors(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"No data set is called 'iris'; there are yeast, emotions, mammography\."):
        Data().multilabel("iris")
    with pytest.raises(ValueError, match=r"The folder of data '.*nowhere' does not exist; check --data and INDICATRIX_DATA"):
        Data(tmp_path / "nowhere")


@pytest.mark.slow
def test_the_environment_names_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("INDICATRIX_DATA", str(tmp_path))
    monkeypatch.setenv("INDICATRIX_CACHE", str(tmp_path / "cache"))
    assert (Data.here().folder, Data.here().storage) == (tmp_path, tmp_path / "cache")
    (tmp_path / "other").mkdir()
    assert Data.here(tmp_path / "other").folder == tmp_path / "other"
    assert Data(cache=tmp_path / "mine").storage == tmp_path / "mine"
    monkeypatch.delenv("INDICATRIX_DATA")
    monkeypatch.delenv("INDICATRIX_CACHE")
    assert Data.here().folder is None
    assert Data().storage.name == "indicatrix"


def as_kept_by_scikit_learn(home: Path) -> Path:
    """Lay out the first rows of emotions, as OpenML sends them, where scikit-learn keeps them."""
    answers = resources.files("sklearn.datasets.tests.data.openml") / "id_40589"
    places = {
        "api-v1-jdl-dn-emotions-l-2-dv-3.json.gz": ["api/v1/json/data/list/data_name/emotions/limit/2/data_version/3"],
        "api-v1-jd-40589.json.gz": ["api/v1/json/data/40589"],
        "api-v1-jdf-40589.json.gz": ["api/v1/json/data/features/40589"],
        "api-v1-jdq-40589.json.gz": ["api/v1/json/data/qualities/40589"],
        "data-v1-dl-4644182.arff.gz": ["data/v1/download/4644182/emotions.arff", "data/v1/download/4644182"],
    }
    for name, paths in places.items():
        for path in paths:
            place = home / "openml" / "openml.org" / f"{path}.gz"
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes((answers / name).read_bytes())
    return home


@pytest.mark.slow
def test_columns_from_openml_are_features_and_labels(tmp_path: Path) -> None:
    found = fetch(ORIGINS["emotions"], as_kept_by_scikit_learn(tmp_path))
    assert (found.X.shape, found.X.dtype, found.Y.shape, found.Y.dtype) == ((13, 72), np.float64, (13, 6), np.uint8)
    assert found.labels[:2] == ("amazed.suprised", "happy.pleased")
    assert found.Y[:3].tolist() == [[0, 1, 1, 0, 0, 0], [1, 0, 0, 0, 0, 1], [0, 1, 0, 0, 0, 1]]


@pytest.mark.slow
@needs_data
def test_columns_from_openml_are_those_in_the_folder(tmp_path: Path) -> None:
    found, whole = fetch(ORIGINS["emotions"], as_kept_by_scikit_learn(tmp_path)), Data(FOLDER).multilabel("emotions")
    assert np.array_equal(found.X, whole.X[:13])
    assert np.array_equal(found.Y, whole.Y[:13])


@pytest.mark.slow
def test_what_openml_sends_is_checked(tmp_path: Path) -> None:
    as_kept_by_scikit_learn(tmp_path / "openml")
    with pytest.raises(
        MissingData, match=r"emotions from OpenML 40589 has other numbers than expected \(13 rows, 72 features, 6 labels\)"
    ):
        Data(cache=tmp_path).multilabel("emotions")
    with pytest.raises(
        MissingData, match=r"OpenML now has number 40589 as emotions version 3; the experiments use number 7\.\nGive"
    ):
        fetch(replace(ORIGINS["emotions"], identity=7), tmp_path / "openml")


def sent_by_openml(home: Path, origin: Origin, whole: DataSet) -> None:
    """Lay out a whole data set in OpenML's format where scikit-learn keeps what it fetched."""
    no, yes = ("'-1'", "1") if origin.labels == 1 else ('"FALSE"', '"TRUE"')
    features = [f"feature{k}" for k in range(whole.X.shape[1])]
    targets = [f"target{k}" for k in range(origin.labels)]
    lines = ["@relation 'x'", *(f"@attribute '{name}' numeric" for name in features)]
    lines += [*(f"@attribute '{name}' {{{no},{yes}}}" for name in targets), "@data"]
    values = [[*map(repr, x), *(yes if label else no for label in y)] for x, y in zip(whole.X.tolist(), whole.Y, strict=True)]
    arff = "\n".join([*lines, *map(",".join, values)]).encode()
    kind = {"is_ignore": "false", "is_row_identifier": "false", "number_of_missing_values": "0"}
    columns = [{"name": name, "data_type": "numeric", "is_target": "false", **kind} for name in features]
    columns += [{"name": name, "data_type": "nominal", "is_target": "true", **kind} for name in targets]
    about = {
        "id": str(origin.identity),
        "description": "",
        "name": origin.name,
        "version": str(origin.version),
        "format": "ARFF",
        "status": "active",
    }
    about |= {"default_target_attribute": ",".join(targets), "md5_checksum": hashlib.md5(arff).hexdigest()}
    about |= {"file_id": "1", "url": "https://www.openml.org/data/v1/download/1/x.arff"}
    listed = {"did": origin.identity, "name": origin.name, "version": origin.version, "status": "active"}
    answers = {
        f"api/v1/json/data/list/data_name/{origin.name}/limit/2/data_version/{origin.version}": {"data": {"dataset": [listed]}},
        f"api/v1/json/data/{origin.identity}": {"data_set_description": about},
        f"api/v1/json/data/features/{origin.identity}": {
            "data_features": {"feature": [{"index": str(k), **column} for k, column in enumerate(columns)]}
        },
    }
    rows = [{"name": "NumberOfInstances", "value": str(len(whole.X))}]
    answers[f"api/v1/json/data/qualities/{origin.identity}"] = {"data_qualities": {"quality": rows}}
    files = {path: json.dumps(answer).encode() for path, answer in answers.items()}
    for path, content in {**files, "data/v1/download/1/x.arff": arff, "data/v1/download/1": arff}.items():
        place = home / "openml" / "openml.org" / f"{path}.gz"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(gzip.compress(content, 1))


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("name", ["emotions", "mammography"])
def test_fetched_data_are_those_in_the_folder(tmp_path: Path, name: str) -> None:
    whole = read(FOLDER / f"{name}.csv.gz", ORIGINS[name])
    sent_by_openml(tmp_path / "openml", ORIGINS[name], whole)
    data = Data(cache=tmp_path)
    X, Y = data.mammography() if name == "mammography" else (data.multilabel(name).X, data.multilabel(name).Y)
    assert np.array_equal(X, whole.X)
    assert np.array_equal(Y.reshape(whole.Y.shape), whole.Y)


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize(("name", "shape"), [("yeast", (2417, 103, 14)), ("emotions", (593, 72, 6))])
def test_the_folder_of_data_is_what_it_was(name: str, shape: tuple[int, ...]) -> None:
    found = Data(FOLDER).multilabel(name)
    assert (*found.X.shape, found.Y.shape[1]) == shape
    assert found.checksum == ORIGINS[name].sha256
    order = RNG.permutation(len(found.X))
    with pytest.raises(MissingData, match="right rows in another order"):
        verify(replace(found, X=found.X[order], Y=found.Y[order]), ORIGINS[name])


@pytest.mark.slow
@needs_data
def test_equal_rows_in_another_order_are_recognized() -> None:
    X, y = Data(FOLDER).mammography()  # it has many equal rows
    assert (X.shape, y.sum()) == ((11183, 6), 260)
    order = RNG.permutation(len(y))
    with pytest.raises(MissingData, match="right rows in another order"):
        verify(DataSet(X[order], y[order, None], ("class",), "memory"), ORIGINS["mammography"])


@pytest.mark.slow
def test_training_happens_once(tmp_path: Path) -> None:
    runs: list[int] = []

    def train() -> dict[str, np.ndarray]:
        runs.append(1)
        return {"x": np.arange(3), "y": np.array([0.5])}

    data = Data(cache=tmp_path)
    for _ in range(2):
        found = training.keep(data, "name", ("protocol", "data"), train)
        assert (found["x"].tolist(), found["y"].tolist(), len(runs)) == ([0, 1, 2], [0.5], 1)
    assert len(list((tmp_path / "trained").iterdir())) == 1
    training.keep(data, "name", ("another protocol", "data"), train)
    assert len(runs) == 2
    again = Data(cache=tmp_path, retrain=True)
    for _ in range(2):  # again, but once
        training.keep(again, "name", ("protocol", "data"), train)
        assert len(runs) == 3


@pytest.mark.slow
def test_another_version_of_a_library_trains_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data, made = Data(cache=tmp_path), {"x": np.arange(3)}
    training.keep(data, "name", ("p",), lambda: made)
    for changed in training.LIBRARIES:
        monkeypatch.setattr(training, "version", lambda name, changed=changed: "0" if name == changed else version(name))
        assert training.keep(data, "name", ("p",), lambda: {"x": np.zeros(1)})["x"].tolist() == [0]
    monkeypatch.undo()
    assert training.keep(data, "name", ("p",), dict)["x"].tolist() == [0, 1, 2]


@pytest.mark.slow
def test_broken_and_unwritable_places_cost_only_time(tmp_path: Path) -> None:
    data = Data(cache=tmp_path)
    made = {"x": np.arange(1000)}
    training.keep(data, "name", ("p",), lambda: made)
    (path,) = (tmp_path / "trained").iterdir()
    whole = path.read_bytes()
    for broken in (b"", b"nothing", whole[:100], whole[:-60]):
        path.write_bytes(broken)
        assert training.keep(data, "name", ("p",), lambda: made)["x"].tolist() == made["x"].tolist()
        assert path.read_bytes() == whole
    (tmp_path / "file").write_text("no folder", "utf-8")
    assert training.keep(Data(cache=tmp_path / "file"), "name", ("p",), lambda: made) is made


@pytest.mark.slow
def test_results_do_not_depend_on_the_number_of_processes() -> None:
    from sklearn.tree import DecisionTreeClassifier

    told: list[tuple[str, int, int]] = []
    data = Data(progress=lambda *what: told.append(what))
    tree = DecisionTreeClassifier(random_state=0)
    one, two = (training.one_per_label(data, SMALL, tree, "small: tree", n_jobs=jobs) for jobs in (1, 2))
    assert np.array_equal(one, two)
    assert told == [("small: tree", done, 30) for done in range(1, 31)] * 2
    assert one.shape == SMALL.Y.shape


@pytest.mark.slow
@needs_data
@pytest.mark.parametrize("classifier", ["BR-LR", "BR-kNN", "BR-DT"])
def test_training_gives_the_packed_predictions(classifier: str) -> None:
    data = Data(FOLDER)
    packed = training.binary_relevance(data, "emotions")
    assert packed.source == "read from multilabel_preds_kfold10_shuffle42.npz"
    here = training.one_per_label(data, data.multilabel("emotions"), training.estimator_of(classifier), "", n_jobs=1)
    assert np.array_equal(here, packed.by[classifier])


@pytest.mark.slow
@needs_data
def test_incomplete_packed_predictions_are_named(tmp_path: Path) -> None:
    shutil.copy(FOLDER / "emotions.csv.gz", tmp_path)
    (tmp_path / training.PACKED).write_bytes((FOLDER / training.PACKED).read_bytes()[:5000])
    with pytest.raises(
        MissingData, match=r"kfold10_shuffle42\.npz cannot be read, or lacks the 593 predictions for emotions of LR, SVM"
    ):
        training.binary_relevance(Data(tmp_path), "emotions")
