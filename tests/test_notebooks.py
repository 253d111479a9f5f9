"""Check cheaply what can be checked of the study modules' notebooks without running them (`make notebooks`)."""

import ast
import json
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
NOTEBOOKS = sorted(ROOT.glob("fixtures/*/modules/*.ipynb"))
NAMED_OTHERWISE = {
    "agentplatform": "google-cloud-aiplatform",
    "google-cloud-aiplatform-v1": "google-cloud-aiplatform",
    "sklearn": "scikit-learn",
    "tensorflow": "tensorflow-cpu",
}


def _imported(source: str) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {f"{node.module}.{alias.name}" for alias in node.names}
    return names


def _package(name: str) -> str:
    parts = name.split(".")
    depth = {"google": 2 if parts[1:2] != ["cloud"] else 3}.get(parts[0], 1)
    package = "-".join(parts[:depth]).replace("_", "-")
    return NAMED_OTHERWISE.get(package, package)


def _required() -> set[str]:
    lines = (ROOT / "requirements-notebooks.txt").read_text().splitlines()
    return {line.split("==")[0] for line in lines if not line.startswith("#")}


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_what_a_notebook_imports_is_among_the_requirements(path):
    cells = json.loads(path.read_text())["cells"]
    names = {name for cell in cells if cell["cell_type"] == "code" for name in _imported("".join(cell["source"]))}

    assert {_package(name) for name in names if name.split(".")[0] not in sys.stdlib_module_names} <= _required()


def test_every_requirement_is_pinned():
    lines = (ROOT / "requirements-notebooks.txt").read_text().splitlines()

    assert [line for line in lines if not line.startswith("#") and "==" not in line] == []


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_cloud_cells_are_switched_off(path):
    sources = ["".join(cell["source"]) for cell in json.loads(path.read_text())["cells"]]

    assert not any(line.startswith("RUN_IN_CLOUD = True") for source in sources for line in source.splitlines())
