"""The registry of measures may be listed while measures are registered."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import pytest

import indicatrix as ix


@pytest.fixture
def impatient() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.parametrize("view", [iter, dict.keys, dict.values, dict.items], ids=["iter", "keys", "values", "items"])
def test_a_loop_sees_the_measures_of_its_start(view: object) -> None:
    loops = {
        iter: iter,
        dict.keys: ix.algebra.MEASURES.keys,
        dict.values: ix.algebra.MEASURES.values,
        dict.items: ix.algebra.MEASURES.items,
    }
    before = len(ix.algebra.MEASURES)
    seen = 0
    for _ in iter(ix.algebra.MEASURES) if view is iter else loops[view]():  # type: ignore[index, operator]
        seen += 1
        ix.measure("tp/(tp+fp)", name=f"new_{seen}")
    assert seen == before
    assert len(ix.algebra.MEASURES) == 2 * before


@pytest.mark.usefixtures("impatient")
def test_one_thread_registers_while_another_lists() -> None:
    failures: list[BaseException] = []
    done = threading.Event()

    def list_measures() -> None:
        try:
            while not done.is_set():
                ix.catalogue()
                dir(ix)
                {m: m for m in ix.algebra.MEASURES.values()}
        except BaseException as error:
            failures.append(error)

    lister = threading.Thread(target=list_measures)
    lister.start()
    for i in range(300):
        ix.measure("tp/(tp+fp)", name=f"new_{i}")
    done.set()
    lister.join()
    assert not failures
