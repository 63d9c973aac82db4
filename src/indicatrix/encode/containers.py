"""The containers of callers, read into four plain forms: frames, arrays, tensors, sequences.

Python sequences and NumPy arrays come first. Of other libraries only those that the caller has imported are considered: their
containers are recognized through ``sys.modules``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..words.wording import short, type_of
from .device_arrays import tensor_to_numpy
from .factorize import code_arrow_texts, whole_numbers
from .plain_forms import IMAGES, Form, Labels, Sets, Sparse, Table, is_missing, pieces, plain_bools


def as_numpy(x: Any, argument: str) -> Array:
    """Return an array of another library as a NumPy array."""
    try:
        return np.asarray(x) if hasattr(x, "__array__") else np.from_dlpack(x)
    except Exception as error:
        raise TypeError(
            f"{argument} is {type_of(x)} that NumPy cannot read ({error}); convert it to a NumPy array first."
        ) from error


def from_numpy(x: Array, argument: str) -> Form:
    """Return a NumPy array as a form: labels have one dimension, tables two."""
    if x.dtype.kind not in "biufUSOT":
        raise TypeError(
            f"{argument} has dtype {x.dtype}, which cannot hold labels. Convert it first, for example with .astype(str)."
        )
    if x.dtype.kind == "f" and x.dtype.itemsize > 8:
        x = _as_float64(x, argument)
    x = plain_bools(x)
    if x.ndim == 1:
        if x.dtype == object and isinstance(next((v for v in x if v is not None), None), set | frozenset | list | tuple):
            return from_sequence(x.tolist(), argument)
        return Labels(x)
    if x.ndim == 2:
        if x.dtype.kind in "USOT":
            return Table(_as_floats(x, argument))
        return Table(x)
    images = f" {IMAGES}; scores of the classes of pixels too, with class_axis=." if x.ndim > 2 else ""
    raise ValueError(
        f"{argument} has {x.ndim} dimensions, shape {x.shape}. Labels have one dimension, indicator matrices and scores have "
        f"two.{images}"
    )


def _as_float64(x: Array, argument: str) -> Array:
    narrow = x.astype(np.float64)
    if not np.array_equal(narrow, x, equal_nan=True):
        raise TypeError(f"{argument} has dtype {x.dtype} and numbers that float64 cannot hold. Convert it first.")
    return narrow


def _as_floats(x: Array, argument: str) -> Array:
    """Return a 2-D object array of numbers and missing values as floats; text in a matrix is an error."""
    if x.dtype == object:
        try:
            rows = [[np.nan if is_missing(v) else v for v in row] for row in x.tolist()]
            return np.array(rows, dtype=np.float64).reshape(x.shape)
        except (TypeError, ValueError):
            pass
    what = "text" if x.dtype.kind in "UST" else "objects"
    raise TypeError(
        f"{argument} is a two-dimensional array of {what}. For one label per example give one column or vector "
        "(.ravel() of an array); for several labels per example give a list of sets or a 0/1 matrix."
    )


def from_sequence(x: Sequence[Any], argument: str) -> Form:
    """Return a list or tuple as a form: labels, sets, or the rows of a table."""
    if len(x) and type(x[0]) is str:  # the most common case: no need to check all types, coding finds what is not a label
        return Labels(x if isinstance(x, list) else list(x))
    numbers = whole_numbers(x)
    if numbers is not None:
        return Labels(numbers)
    types: set[type] = set()
    for block in pieces(x):
        types.update(map(type, block))
    kinds = {t for t in types if t is not type(None)}
    if kinds and all(issubclass(t, set | frozenset) for t in kinds):
        return Sets(x)
    if any(issubclass(t, set | frozenset) for t in kinds):
        raise TypeError(f"{argument} mixes sets with other rows. Give a set of labels for every example; set() for no label.")
    if any(issubclass(t, list | tuple | np.ndarray) for t in kinds):
        return _from_nested(x, argument)
    return Labels(x if isinstance(x, list) else list(x))


def _from_nested(x: Sequence[Any], argument: str) -> Form:
    for i, row in enumerate(x):
        if not isinstance(row, list | tuple) and not (isinstance(row, np.ndarray) and row.ndim):
            raise TypeError(
                f"{argument} mixes rows with single values: {argument}[{i}] is {short(row)}. Give one label for every example, "
                "or a row of one length for every example."
            )
    if any(np.ndim(row) > 1 for row in x if isinstance(row, np.ndarray)):
        raise ValueError(f"{argument} is a list of arrays with several dimensions. {IMAGES}; a matrix has rows of one dimension.")
    widths = {len(row) for row in x}
    try:
        table = np.array([list(row) for row in x])
        if table.ndim == 2 and table.dtype.kind in "biuf":
            return Table(table)
        if table.ndim == 2 and table.dtype == object:
            return Table(_as_floats(table, argument))
    except (TypeError, ValueError):
        table = np.empty(0)
    if table.ndim > 2:
        return from_numpy(table, argument)
    if len(widths) > 1:
        raise ValueError(
            f"{argument} has rows of different lengths ({', '.join(map(str, sorted(widths)[:4]))}). For label sets give sets, "
            "[{'a', 'b'}, {'c'}]; for a matrix give rows of one length."
        )
    raise TypeError(f"{argument} is a list of rows that are not numbers. For label sets give sets: [{{'a', 'b'}}, {{'c'}}].")


def twofold(argument: str, row: int, column: int) -> ValueError:
    """Return the error for a sparse matrix that stores an entry more than once."""
    return ValueError(f"{argument} stores the entry [{row}, {column}] more than once. Store each entry once.")


def _from_masked(x: Any, module: Any, argument: str) -> Form | None:
    if not isinstance(x, module.MaskedArray):
        return None
    if not module.is_masked(x):
        return from_numpy(np.asarray(x), argument)
    filled = np.asarray(x).astype(object)
    filled[module.getmaskarray(x)] = None
    return from_numpy(filled, argument)


def _from_pandas(x: Any, pd: Any, argument: str) -> Form | None:
    if isinstance(x, pd.DataFrame):
        nullable = any(isinstance(t, pd.api.extensions.ExtensionDtype) for t in x.dtypes)
        values = x.to_numpy(dtype=object, na_value=None) if nullable else x.to_numpy()
        table = from_numpy(values, argument)
        unnamed = isinstance(x.columns, pd.RangeIndex) and (x.columns.start, x.columns.step) == (0, 1)  # positions, not names
        return Table(table.values, tuple(x.columns.tolist())) if isinstance(table, Table) and not unnamed else table
    if not isinstance(x, pd.Series | pd.Index | pd.api.extensions.ExtensionArray):
        return None
    if isinstance(x.dtype, pd.CategoricalDtype):
        categorical = x if isinstance(x, pd.Categorical) else x.array
        names = tuple(categorical.categories.tolist())
        return Labels(np.asarray(categorical.codes), names, declared=True, ordered=bool(categorical.ordered))
    if isinstance(x.dtype, pd.api.extensions.ExtensionDtype):
        texts = _arrow_texts(x if isinstance(x, pd.api.extensions.ExtensionArray) else x.array, pd)
        if texts is not None:
            return _from_arrow(texts, sys.modules["pyarrow"], argument)
        target = getattr(x.dtype, "numpy_dtype", None)
        if target is not None and target.kind in "biuf" and not x.isna().any():
            return from_numpy(x.to_numpy(dtype=target), argument)
        return from_numpy(x.to_numpy(dtype=object, na_value=None), argument)
    return from_numpy(np.asarray(x), argument)


def _arrow_texts(x: Any, pd: Any) -> Any:
    """Return texts of pandas that Arrow keeps, as they lie in memory; None for anything else."""
    kept = isinstance(x.dtype, pd.StringDtype) and x.dtype.storage == "pyarrow"
    kept = kept or (isinstance(x.dtype, pd.ArrowDtype) and str(x.dtype.pyarrow_dtype) in TEXTS)
    return x.__arrow_array__() if kept and "pyarrow" in sys.modules else None


def _from_polars(x: Any, pl: Any, argument: str) -> Form | None:
    if isinstance(x, pl.DataFrame):
        whole = np.column_stack([_plain_column(x[c]) for c in x.columns]) if x.width else np.empty((x.height, 0))
        table = from_numpy(whole, argument)
        return Table(table.values, tuple(x.columns)) if isinstance(table, Table) else table
    if not isinstance(x, pl.Series):
        return None
    if x.dtype == pl.Enum:
        return _from_polars_enum(x, pl, declared=True)
    if x.dtype == pl.String and "pyarrow" in sys.modules:
        return _from_arrow(x.to_arrow(), sys.modules["pyarrow"], argument)
    if x.dtype in (pl.Categorical, pl.String):
        names = x.cast(pl.String)
        return _from_polars_enum(names.cast(pl.Enum(names.drop_nulls().unique().sort())), pl, declared=False)
    return from_numpy(_plain_column(x), argument)


def _from_polars_enum(x: Any, pl: Any, declared: bool) -> Form:
    codes = x.to_physical().cast(pl.Int32).fill_null(-1).to_numpy()
    return Labels(codes, tuple(x.dtype.categories.to_list()), declared, ordered=declared)


def _plain_column(x: Any) -> Array:
    """Return a column as NumPy; with nulls, as objects, because integers would become floats."""
    if x.null_count() or str(x.dtype) in ("Int128", "UInt128"):  # NumPy has no such integers
        return np.array([*x.to_list(), None], dtype=object)[:-1]
    return np.asarray(x.to_numpy())


TEXTS = ("string", "large_string", "binary", "large_binary")  # types of Arrow whose values lie one after the other
VIEWS = {"string_view": "large_string", "binary_view": "large_binary"}


def _from_arrow(x: Any, pa: Any, argument: str) -> Form | None:
    if isinstance(x, pa.Table | pa.RecordBatch):
        whole = (
            np.column_stack([_arrow_column(x.column(i)) for i in range(x.num_columns)])
            if x.num_columns
            else np.empty((x.num_rows, 0))
        )
        table = from_numpy(whole, argument)
        return Table(table.values, tuple(x.schema.names)) if isinstance(table, Table) else table
    if not isinstance(x, pa.Array | pa.ChunkedArray):
        return None
    if str(x.type) in VIEWS:
        x = x.cast(VIEWS[str(x.type)])
    if str(x.type) in TEXTS:
        coded = code_arrow_texts(x.chunks if isinstance(x, pa.ChunkedArray) else [x])
        if coded is not None:
            return coded
        x = x.dictionary_encode()
    if isinstance(x, pa.ChunkedArray):
        x = x.unify_dictionaries().combine_chunks() if pa.types.is_dictionary(x.type) else x.combine_chunks()
        x = x.combine_chunks() if isinstance(x, pa.ChunkedArray) else x
    if pa.types.is_dictionary(x.type):
        return _from_dictionary(x, pa)
    return from_numpy(_arrow_column(x), argument)


def _from_dictionary(x: Any, pa: Any) -> Form:
    indices = x.indices.cast(pa.int64()) if pa.types.is_unsigned_integer(x.indices.type) else x.indices
    codes = np.asarray((indices.fill_null(-1) if indices.null_count else indices).to_numpy(zero_copy_only=False))
    names = x.dictionary.to_pylist()
    absent = [is_missing(name) for name in names]  # a dictionary may hold a null or a NaN among its values
    if any(absent):
        codes = np.array([*np.where(absent, -1, np.cumsum(np.logical_not(absent)) - 1), -1])[codes]
        names = [name for name, gone in zip(names, absent, strict=True) if not gone]
    return Labels(codes, tuple(names), declared=x.type.ordered, ordered=x.type.ordered)


def _arrow_column(x: Any) -> Array:
    if x.null_count:
        return np.array([*x.to_pylist(), None], dtype=object)[:-1]
    return np.asarray(x.to_numpy() if hasattr(x, "chunks") else x.to_numpy(zero_copy_only=False))


def _from_scipy(x: Any, sparse: Any, argument: str) -> Form | None:
    if not sparse.issparse(x):
        return None
    if x.ndim != 2:
        raise ValueError(f"{argument} is a sparse array of {x.ndim} dimension(s); a sparse indicator matrix has two.")
    csr = x.tocsr()
    if x.format == "coo" and csr.nnz < x.nnz:  # the conversion has merged entries
        _refuse_duplicates(x, argument)
    used = slice(csr.indptr[-1])  # there may be room for more entries behind them
    return Sparse(csr.indptr, csr.indices[used], plain_bools(csr.data[used]), csr.shape[1])


def _refuse_duplicates(coo: Any, argument: str) -> None:
    rows, columns = (np.asarray(axis, dtype=np.int64) for axis in (coo.row, coo.col))
    order = np.lexsort((columns, rows))
    rows, columns = rows[order], columns[order]
    twice = (np.diff(rows) == 0) & (np.diff(columns) == 0)
    if twice.any():
        raise twofold(argument, int(rows[:-1][twice][0]), int(columns[:-1][twice][0]))


def _from_torch(x: Any, torch: Any, argument: str) -> Form | None:
    if not isinstance(x, torch.Tensor):
        return None
    x = x.detach()
    if x.layout is not torch.strided:
        if x.ndim != 2:
            raise ValueError(f"{argument} is a sparse tensor of {x.ndim} dimension(s); a sparse indicator matrix has two.")
        return _from_sparse_tensor(x.cpu().to_sparse_coo(), torch, argument)
    try:
        values = tensor_to_numpy(x, torch)
    except (RuntimeError, TypeError) as error:
        raise TypeError(f"{argument} is a tensor that cannot be read ({error}); convert it to a NumPy array first.") from error
    return from_numpy(values, argument)


def _from_sparse_tensor(x: Any, torch: Any, argument: str) -> Form:
    whole = x.coalesce()  # sorted by row; PyTorch's own compressed rows would print a warning
    rows, columns = whole.indices().numpy()
    if whole._nnz() < x._nnz():
        every = x._indices().numpy()
        places, count = np.unique(every, axis=1, return_counts=True)
        raise twofold(argument, *map(int, places[:, count > 1][:, 0]))
    indptr = np.concatenate(([0], np.cumsum(np.bincount(rows, minlength=x.shape[0]))))
    return Sparse(indptr, columns, tensor_to_numpy(whole.values(), torch), x.shape[1])


# SciPy's sparse module is looked up separately: SciPy may be imported without it.
READERS: dict[str, Callable[[Any, Any, str], Form | None]] = {
    "numpy.ma": _from_masked,
    "pandas": _from_pandas,
    "polars": _from_polars,
    "pyarrow": _from_arrow,
    "scipy.sparse": _from_scipy,
    "torch": _from_torch,
}


def read(x: Any, argument: str) -> Form:
    """Return a caller's container in one of the four forms; ``argument`` names it in errors.

    >>> read(["cat", "ant"], "y_true")
    Labels(values=['cat', 'ant'], categories=None, declared=False)
    """
    if type(x) is np.ndarray:
        return from_numpy(x, argument)
    if isinstance(x, Form):  # already read
        return x
    if isinstance(x, list | tuple):
        return from_sequence(x, argument)
    for library, reader in READERS.items():
        module = sys.modules.get(library)
        if module is not None:
            form = reader(x, module, argument)
            if form is not None:
                return form
    if isinstance(x, np.ndarray):  # a subclass: np.matrix, a unit array
        return from_numpy(np.asarray(x), argument)
    if isinstance(x, Sequence) and not isinstance(x, str | bytes):
        try:
            return from_sequence(list(x), argument)
        except MemoryError:
            raise ValueError(f"{argument} has {len(x)} entries, more than memory holds.") from None
    if hasattr(x, "__array_interface__") and not hasattr(x, "__array__"):  # an image of Pillow
        raise TypeError(f"{argument} is {type_of(x)}. {IMAGES}, as lists: ix.segmentation([y_true], [y_pred]).")
    if hasattr(x, "__dlpack__") or hasattr(x, "__array__"):
        return from_numpy(as_numpy(x, argument), argument)
    raise TypeError(
        f"{argument} is {type_of(x)}; give a list, a NumPy array, a pandas, Polars or Arrow column, a tensor, "
        "a SciPy sparse matrix or a list of sets."
    )


def is_table(x: Any) -> bool:
    """Return whether a container has two dimensions: an array, a data frame, a tensor.

    >>> is_table(np.zeros((2, 3))), is_table([[1, 2]])
    (True, False)
    """
    return len(getattr(x, "shape", ())) == 2
