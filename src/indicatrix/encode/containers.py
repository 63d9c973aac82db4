"""The containers of callers, read into four plain forms.

Only libraries that the caller has imported are considered.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ..algebra.wording import type_of
from .library_readers import READERS
from .numpy_reader import as_numpy, from_numpy, from_sequence
from .plain_forms import IMAGES, Form


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
