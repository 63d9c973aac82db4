"""The containers of callers, read into four plain forms: frames, arrays, tensors, sequences.

Only libraries that the caller has imported are considered: a container is recognized through ``sys.modules``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..algebra.arrays import Array
from ..words.wording import type_of
from .numpy_reader import as_numpy, from_numpy, from_sequence, twofold
from .plain_forms import IMAGES, Form, Labels, Sparse, Table, is_missing

LARGE = 1 << 20  # bytes of a tensor that is worth two copies


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
        target = getattr(x.dtype, "numpy_dtype", None)
        if target is not None and target.kind in "biuf" and not x.isna().any():
            return from_numpy(x.to_numpy(dtype=target), argument)
        return from_numpy(x.to_numpy(dtype=object, na_value=None), argument)
    return from_numpy(np.asarray(x), argument)


def _from_polars(x: Any, pl: Any, argument: str) -> Form | None:
    if isinstance(x, pl.DataFrame):
        whole = np.column_stack([_plain_column(x[c]) for c in x.columns]) if x.width else np.empty((x.height, 0))
        table = from_numpy(whole, argument)
        return Table(table.values, tuple(x.columns)) if isinstance(table, Table) else table
    if not isinstance(x, pl.Series):
        return None
    if x.dtype == pl.Enum:
        return _from_polars_enum(x, pl, declared=True)
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
    types = pa.types
    if types.is_string(x.type) or types.is_large_string(x.type) or types.is_binary(x.type) or types.is_large_binary(x.type):
        x = x.dictionary_encode()
    if isinstance(x, pa.ChunkedArray):
        x = x.unify_dictionaries().combine_chunks() if types.is_dictionary(x.type) else x.combine_chunks()
        x = x.combine_chunks() if isinstance(x, pa.ChunkedArray) else x
    if types.is_dictionary(x.type):
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
    return Sparse(csr.indptr, csr.indices, csr.data, csr.shape[1])


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


def tensor_to_numpy(x: Any, torch: Any) -> Array:
    """Return a dense tensor of any device as a NumPy array; bfloat16 and the like become float32."""
    # A lazily conjugated or negated view exports its storage without the sign, so both are resolved first.
    x = x.resolve_conj().resolve_neg()
    x = _from_gpu(x, torch) if x.is_cuda and x.nbytes >= LARGE else x.cpu()
    known = (torch.float16, torch.float32, torch.float64)
    return np.asarray((x.float() if x.dtype.is_floating_point and x.dtype not in known else x).numpy())


def _from_gpu(x: Any, torch: Any) -> Any:
    """Return a large tensor of a GPU in main memory.

    It goes through pinned memory, which torch keeps for the next one: a GPU writes there several times as fast as elsewhere.
    """
    return torch.empty(x.shape, dtype=x.dtype, pin_memory=True).copy_(x).clone()


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
