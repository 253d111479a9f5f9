"""Runs each notebook of the study modules to its end; cells that need the cloud are switched off by their flag.

`make notebooks` calls it, in a venv with requirements-notebooks.txt. Given paths, it runs only those.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, CellTimeoutError, DeadKernelError

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
SECONDS_A_CELL = 600


def fault_of(path: Path) -> str:
    """Run one notebook in its own folder; returns the failing cell and its error, or nothing."""
    notebook = nbformat.read(path, as_version=4)
    begun = [0]

    def begin(cell: Any, cell_index: int) -> None:
        begun.append(cell_index)

    with tempfile.TemporaryDirectory() as folder:
        client = NotebookClient(
            notebook,
            timeout=SECONDS_A_CELL,
            kernel_name="python3",
            resources={"metadata": {"path": folder}},
            on_cell_start=begin,
        )
        try:
            client.execute()
        except CellExecutionError as fault:
            return f"cell {begun[-1]}: {fault.ename}: {fault.evalue}"
        except (CellTimeoutError, DeadKernelError) as fault:
            return f"cell {begun[-1]}: {type(fault).__name__}: {fault}"
    return ""


def main(names: list[str]) -> int:
    """Print a line for each notebook, with its seconds; returns 1 if one fails."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    faults = 0
    for path in [Path(name) for name in names] or sorted(FIXTURES.glob("*/modules/*.ipynb")):
        start = time.monotonic()
        fault = fault_of(path)
        faults += bool(fault)
        print(f"{path.name:<52} {time.monotonic() - start:6.1f} s  {fault or 'ran to its end'}", flush=True)
    return int(faults > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
