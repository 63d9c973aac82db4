"""Arrays on an accelerator: which they are, their namespace, and the way to main memory.

A library is considered only if the caller has imported it. Arrays in main memory are read as NumPy arrays, as ever.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ..algebra.arrays import Array, namespace

LARGE = 1 << 20  # bytes of a tensor that is worth two copies
MAIN_MEMORY = frozenset({"cpu", "meta"})  # what libraries call it; "meta" tensors hold no data at all


def place_of(x: Any) -> tuple[str, Any] | None:
    """Return the library and the device of an array on an accelerator; None for anything else.

    A tensor that is sparse, or whose sign is kept apart from its data, counts as something else: it is read in main memory.
    """
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        plain = x.layout is torch.strided and not x.is_neg() and not x.is_complex()
        return ("torch", x.device) if plain and x.device.type not in MAIN_MEMORY else None
    cupy = sys.modules.get("cupy")
    if cupy is not None and isinstance(x, cupy.ndarray):
        return "cupy", x.device.id
    jax: Any = sys.modules.get("jax")
    if jax is not None and isinstance(x, jax.Array):
        places = list(x.devices())
        return ("jax", places[0]) if len(places) == 1 and places[0].platform not in MAIN_MEMORY else None
    return None


def common_place(*arrays: Any) -> tuple[str, Any] | None:
    """Return the library and the device of several arrays, if they have them in common; otherwise None."""
    place = place_of(arrays[0])
    return place if place is not None and all(place_of(x) == place for x in arrays[1:]) else None


def namespace_of(x: Any) -> Any:
    """Return the array-API namespace of an array, which is remembered for its type."""
    found = _namespaces.get(type(x))
    if found is None:
        found = _namespaces[type(x)] = namespace(x)
    return found


_namespaces: dict[type, Any] = {}


def detach(x: Any) -> Any:
    """Return a tensor without its history of gradients; any other array as it is."""
    return x.detach() if hasattr(x, "detach") else x


def contiguous(x: Any) -> Any:
    """Return an array of torch or CuPy in one piece."""
    return x.contiguous() if hasattr(x, "contiguous") else namespace_of(x).ascontiguousarray(x)


def address(x: Any) -> int:
    """Return where the numbers of an array of torch or CuPy begin in the memory of its device."""
    return int(x.data_ptr() if hasattr(x, "data_ptr") else x.data.ptr)


def to_host(x: Any) -> Array:
    """Return an array of any device as a NumPy array; bfloat16 and the like become float32."""
    if isinstance(x, np.ndarray):
        return x
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(x, torch.Tensor):
        return tensor_to_numpy(x, torch)
    return np.asarray(x.get() if hasattr(x, "get") else x)  # CuPy copies only on request


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


def is_kind(x: Any, kind: str) -> bool:
    """Return whether an array holds a kind of number of the array API, such as "integral" or "bool"."""
    return bool(namespace_of(x).isdtype(x.dtype, kind))


def holds_labels(x: Any) -> bool:
    """Return whether an array holds integers or bools."""
    return is_kind(x, "integral") or is_kind(x, "bool")


def has_long_integers(xp: Any) -> bool:
    """Return whether integers have 64 bits; those of JAX have 32 unless the caller asks for more."""
    return bool(xp.zeros(1, dtype=xp.int64).dtype == xp.int64) if "jax" in xp.__name__ else True


def on_device_of(values: Array, like: Any) -> Any:
    """Return a small NumPy array as an array next to another one."""
    xp = namespace_of(like)
    return xp.asarray(values, device=like.device)


def count_codes(codes: Any, size: int) -> Any:
    """Return how often each of the integers 0 to size - 1 occurs, as an array next to the codes.

    No tensor waits for its device.
    """
    xp = namespace_of(codes)
    if hasattr(codes, "scatter_add_"):
        if codes.device.type == "cpu" and codes.shape[0] > size:
            return xp.bincount(codes, minlength=size)
        return xp.zeros(size, dtype=xp.int64, device=codes.device).scatter_add_(0, codes, xp.ones_like(codes))
    if "jax" in xp.__name__:
        return xp.bincount(codes, length=size)
    if hasattr(xp, "bincount"):
        return xp.bincount(codes, minlength=size)
    edges = xp.searchsorted(xp.sort(codes), xp.arange(size + 1, dtype=codes.dtype, device=codes.device))
    return edges[1:] - edges[:-1]
