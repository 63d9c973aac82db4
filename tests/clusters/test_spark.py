"""Spark: partitions in any order give what the rows give in memory, also if an executor dies."""

from __future__ import annotations

import os
import shutil
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from rows_of_all_kinds import CASES, in_memory, parts, rows

import indicatrix as ix

pytest.importorskip("pyspark")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),  # of the sockets between Python and Java
]


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Any]]:
    """Give a function that starts Spark on a master; it is stopped after the test."""
    if shutil.which("java") is None and "JAVA_HOME" not in os.environ:
        absent = "Spark needs Java, which is not installed: .ci/install_programs, or apt-get install default-jre-headless"
        pytest.fail(absent) if os.environ.get("CI") else pytest.skip(absent)
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    started = []

    def start(master: str) -> Any:
        settings = {
            "spark.ui.enabled": "false",
            "spark.driver.host": "127.0.0.1",
            "spark.driver.bindAddress": "127.0.0.1",
            "spark.sql.shuffle.partitions": "4",
            "spark.executor.memory": "512m",
            "spark.log.level": "ERROR",
            "spark.ui.showConsoleProgress": "false",
            "spark.sql.codegen.wholeStage": "false",  # nothing here runs long enough to be worth compiling
            "spark.driver.extraJavaOptions": "-XX:TieredStopAtLevel=1",
            "spark.executor.extraJavaOptions": "-XX:TieredStopAtLevel=1",
        }
        started.append(SparkSession.builder.master(master).config(map=settings).getOrCreate())
        return started[0]

    yield start
    for one in started:
        one.stop()


def write(table: pa.Table, folder: Path, seed: int) -> str:
    """Write the parts of a table as files, of which Spark reads each as a partition; return their folder."""
    folder.mkdir()
    for number, part in enumerate(parts(table, seed)):
        pq.write_table(part, folder / f"{number}.parquet")
    return str(folder)


def test_any_partitions_give_the_evaluation_of_all_rows(session: Callable[[str], Any], tmp_path: Path) -> None:
    spark, table = session("local[2]"), rows()
    spark.conf.set("spark.sql.files.openCostInBytes", str(1 << 30))  # a partition for each file
    df = spark.read.parquet(write(table, tmp_path / "rows", 1))
    assert df.rdd.getNumPartitions() > 5
    different = [case for case, given in CASES.items() if ix.evaluate_spark(df, **given) != in_memory(table, given)]
    assert different == []
    empty = ix.evaluate_spark(df.limit(0), true="animal", pred="model", classes=["ant", "bee"])
    assert empty == ix.evaluate([], [], classes=["ant", "bee"])
    with pytest.raises(ValueError, match=r"^In partition \d+: .*\[\d+\] is missing: .* pass missing='mask'"):
        ix.evaluate_spark(df, true="animal_or_none", pred="model")
    with pytest.raises(ValueError, match=r"The frame has no column 'modell'\. Did you mean model\?"):
        ix.evaluate_spark(df, true="animal", pred="modell")
    with pytest.raises(TypeError, match="evaluate_spark reads a Spark data frame"):
        ix.evaluate_spark(table, true="animal", pred="model")


def test_an_executor_that_dies_in_the_middle_changes_nothing(session: Callable[[str], Any], tmp_path: Path) -> None:
    spark, table = session("local-cluster[2,1,512]"), rows()
    spark.conf.set("spark.sql.files.openCostInBytes", str(1 << 30))
    names = ["animal", "model", "site", "weight"]
    df = spark.read.parquet(write(table.select(names), tmp_path / "rows", 1))

    flag = str(tmp_path / "killed")

    def read(batches: Iterator[Any]) -> Iterator[Any]:
        """Give the batches on; the executor that reads the third partition first is killed."""
        from pyspark import TaskContext

        if TaskContext.get().partitionId() == 2 and not os.path.exists(flag):
            process = os.getppid()
            while Path(f"/proc/{process}/comm").read_text(encoding="utf-8") != "java\n":
                process = int(
                    Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()[1]
                )  # its parent
            Path(flag).touch()
            os.kill(process, signal.SIGKILL)
        yield from batches

    assert ix.evaluate_spark(df.mapInArrow(read, df.schema), **CASES["weights"]) == in_memory(table, CASES["weights"])
    assert os.path.exists(flag)
