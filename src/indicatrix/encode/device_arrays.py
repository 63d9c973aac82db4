"""Arrays on an accelerator: which they are, their namespace, and the way to main memory.

A library is considered only if the caller has imported it. Arrays in main memory are read as NumPy arrays, as ever.

Kernels in CUDA C, compiled at the first use by the library that holds the arrays.

This is torch or CuPy. Both bring NVIDIA's run-time compiler, so nothing else has to be installed. Where it is missing or fails,
the callers take plain array operations, which give the same counts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..algebra.arrays import Array, namespace
from ..words.wording import packaged_text

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


TYPES = {  # in CUDA C
    "bool": "unsigned char",
    "uint8": "unsigned char",
    "int8": "signed char",
    "uint16": "unsigned short",
    "int16": "short",
    "uint32": "unsigned int",
    "int32": "int",
    "uint64": "unsigned long long",
    "int64": "long long",
    "float32": "float",
    "float64": "double",
}
SHARED = 48 << 10  # bytes of shared memory that a block has without asking; more are set once, when a kernel is made
HALF = 1 << 30
AMPERE = 8  # the major number of its compute capability


def type_in_c(x: Any) -> str | None:
    """Return the C type of the numbers of an array; None for a type that kernels do not read."""
    return TYPES.get(str(x.dtype).rpartition(".")[2])


def are_usable(*arrays: Any) -> bool:
    """Return whether kernels can be run on these arrays."""
    place = place_of(arrays[0])
    return place is not None and _are_usable_at(place) and all(type_in_c(x) is not None for x in arrays)


@cache
def _are_usable_at(place: tuple[str, Any]) -> bool:
    """Return whether a kernel can be compiled and run at a place; it is tried once."""
    library, device = place
    if library not in ("torch", "cupy") or (library == "torch" and device.type != "cuda"):
        return False
    module = sys.modules[library]
    try:
        if library == "torch":
            if module.version.hip is not None:  # the kernels count on warps of 32 threads
                return False
            out = module.zeros(32, dtype=module.int32, device=device)
        else:
            out = module.zeros(32, dtype=module.int32)
        source = 'extern "C" __global__ void number(int* out) { out[threadIdx.x] = threadIdx.x; }'
        _launch(place, _compile(place, source, "number", 0), (1, 32), [out], 0)
        return [int(x) for x in out] == [*range(32)]
    except Exception:  # whatever is missing or fails there, plain operations do not need it
        return False


@cache
def _source(package: str, file: str) -> str:
    return packaged_text(package, file)


@cache
def _compile(place: tuple[str, Any], source: str, name: str, shared: int) -> Any:
    library, device = place
    module = sys.modules[library]
    if library == "torch":
        with module.cuda.device(device):
            kernel = module.cuda._compile_kernel(source, name)
            if shared > SHARED:
                kernel.set_shared_memory_config(shared)
            return kernel
    with module.cuda.Device(device):
        kernel = module.RawKernel(source, name)
        if shared > SHARED:
            kernel.max_dynamic_shared_size_bytes = shared
        return kernel


def _launch(place: tuple[str, Any], kernel: Any, size: tuple[int, int], args: Sequence[Any], shared: int) -> None:
    library, device = place
    module = sys.modules[library]
    grid, block = (size[0], 1, 1), (size[1], 1, 1)
    if library == "torch":
        with module.cuda.device(device):
            kernel(grid, block, tuple(args), shared_mem=shared)
        return
    with module.cuda.Device(device):
        kernel(grid, block, tuple(np.int32(x) if isinstance(x, int) else x for x in args), shared_mem=shared)


class Kernel:
    """A kernel of a file of CUDA C, for arrays at one place."""

    def __init__(self, place: tuple[str, Any], source: str, name: str, most_shared: int) -> None:
        self.place, self.kernel = place, _compile(place, source, name, most_shared)

    def __call__(self, size: tuple[int, int], *args: Any, shared: int = 0) -> None:
        """Run this many blocks of this many threads, with arrays and integers below 2**31 as arguments."""
        _launch(self.place, self.kernel, size, args, shared)


def kernel_for(like: Any, file: tuple[str, str], name: str, macros: dict[str, Any], *, most_shared: int = 0) -> Kernel:
    """Return a kernel of a file of a package, for arrays at the place of one of them.

    ``macros`` are its types and constants; ``most_shared`` is how many bytes of shared memory a block of it may have.
    """
    place = place_of(like)
    assert place is not None
    return _kernel(place, file, name, tuple(macros.items()), most_shared)


@cache
def _kernel(place: tuple[str, Any], file: tuple[str, str], name: str, macros: tuple[tuple[str, Any], ...], shared: int) -> Kernel:
    defined = "".join(f"#define {key} {value}\n" for key, value in macros)
    return Kernel(place, defined + _source(*file), name, shared)


def halves(x: int) -> tuple[int, int]:
    """Return an integer of up to 60 bits in two parts, because the libraries pass 32 bits.

    WHOLE joins them in a kernel.

    >>> [high * 2**30 + low for high, low in map(halves, (-100, 10**12))]
    [-100, 1000000000000]
    """
    return x // HALF, x % HALF


def processors(like: Any) -> int:
    """Return how many multiprocessors the device of an array has."""
    return _facts(place_of(like))[0]


def shared_memory(like: Any) -> int:
    """Return how many bytes of shared memory a block may have on the device of an array."""
    return _facts(place_of(like))[1]


def multiplies_bits(like: Any) -> bool:
    """Return whether the device of an array multiplies matrices of bits: GPUs from Ampere on do."""
    return _facts(place_of(like))[2] >= AMPERE


@cache
def _facts(place: tuple[str, Any]) -> tuple[int, int, int]:
    library, device = place
    module = sys.modules[library]
    if library == "torch":
        facts = module.cuda.get_device_properties(device)
        return int(facts.multi_processor_count), int(getattr(facts, "shared_memory_per_block_optin", SHARED)), int(facts.major)
    there = module.cuda.Device(device)
    named, capability = there.attributes, int(there.compute_capability)  # 90 is 9.0
    return int(named["MultiProcessorCount"]), int(named["MaxSharedMemoryPerBlockOptin"]), capability // 10
