"""Kernels in CUDA C, compiled at the first use by the library that holds the arrays.

This is torch or CuPy. Both bring NVIDIA's run-time compiler, so nothing else has to be installed. Where it is missing or fails,
the callers take plain array operations, which give the same counts.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from ..words.packaged_text import packaged_text
from .device_arrays import place_of

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
