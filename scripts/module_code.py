"""Runs the Python in the texts of the study modules, block by block, and compares what it prints with the comments.

`make notebooks` calls it, in a venv with requirements-notebooks.txt, where every block runs that isn't in ``NOT_RUN``.
A test runs those whose packages the site has too. The blocks of a module share their names, as a reader would expect.
The site's own parser of modules (questions/modules/rules/text.py) isn't used: it needs packages that this venv lacks.
"""

from __future__ import annotations

import ast
import builtins
import contextlib
import io
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures"
FENCED = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)
CLOUD, CONTAINER, FRAGMENT = "needs the cloud", "needs a training container", "is to be read with its text"
NOT_RUN = {
    ("01", 1): CLOUD, ("02", 1): CLOUD, ("02", 2): CLOUD, ("03", 2): CLOUD, ("03", 3): CLOUD,
    ("04", 5): "downloads a network", ("05", 4): CONTAINER, ("06", 1): CLOUD, ("06", 2): CLOUD, ("06", 3): CLOUD,
    ("07", 2): CLOUD, ("07", 3): CLOUD, ("07", 4): CLOUD, ("07", 5): CLOUD, ("07", 6): "its package needs older ones",
    ("08", 3): CLOUD, ("10", 2): CLOUD, ("10", 6): FRAGMENT, ("10", 8): CLOUD, ("12", 2): CLOUD,
}  # fmt: skip
"""By the module's two digits and the block's number, with the reason. These are only compiled."""
NUMBER = re.compile(r"-?\d+(?:\.\d+)?")


@dataclass(frozen=True)
class Block:
    """A block of code: its module's two digits, and its number there, from 1."""

    module: str
    number: int
    code: str

    @property
    def name(self) -> str:
        return f"module {self.module}, block {self.number}"

    @property
    def imports(self) -> set[str]:
        """The packages that it imports anywhere."""
        nodes = list(ast.walk(ast.parse(self.code)))
        whole = {alias.name for node in nodes if isinstance(node, ast.Import) for alias in node.names}
        parts = {node.module or "" for node in nodes if isinstance(node, ast.ImportFrom)}
        return {name.split(".")[0] for name in whole | parts}


def blocks() -> Iterator[Block]:
    """All blocks, in the order of the modules. Raises SyntaxError if one isn't Python."""
    for path in sorted(FIXTURES.glob("*/modules/*.md")):
        for number, code in enumerate(FENCED.findall(path.read_text(encoding="utf-8")), 1):
            compile(code, f"{path.name}, block {number}", "exec")
            yield Block(path.name[:2], number, code)


def runs_here(block: Block, names: dict[str, Any]) -> bool:
    """Whether its packages are installed and the names that it takes from blocks before it are there."""
    if (block.module, block.number) in NOT_RUN or not all(find_spec(name) for name in block.imports):
        return False
    return free_names(block.code) <= names.keys() | set(dir(builtins)) | {"__name__"}


def free_names(code: str) -> set[str]:
    """The names that code uses and doesn't define."""
    used: set[str] = set()
    defined: set[str] = set()
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else defined).add(node.id)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            defined.add(node.name)
        elif isinstance(node, ast.arg):
            defined.add(node.arg)
        elif isinstance(node, ast.alias):
            defined.add((node.asname or node.name).split(".")[0])
    return used - defined


def run(block: Block, names: dict[str, Any]) -> list[str]:
    """Run a block with these names and add its own; returns where it prints other numbers than its comments say.

    A comment that begins with a number, a list or a tuple says what its line prints; words may follow. The block is
    written to the current folder, because packages such as kfp read the source of a function that they are given.
    """
    lines, wrong = block.code.splitlines(), []
    file = Path(f"module_{block.module}_block_{block.number}.py").absolute()
    file.write_text(block.code, encoding="utf-8")
    for statement in ast.parse(block.code).body:
        printed = io.StringIO()
        with contextlib.redirect_stdout(printed):
            exec(compile(ast.Module([statement], []), str(file), "exec", dont_inherit=True), names)  # noqa: S102
        said = lines[(statement.end_lineno or 1) - 1].partition("  # ")[2]
        got = NUMBER.findall(printed.getvalue())
        if printed.getvalue() and re.match(r"[-\d\[(]", said) and NUMBER.findall(said)[: len(got)] != got:
            wrong.append(f"{block.name} prints {printed.getvalue().strip()}, and its comment says {said}")
    return wrong


def run_all() -> tuple[list[Block], list[str]]:
    """Run what runs here, in a folder of its own; returns the blocks that ran, and what is wrong."""
    ran, wrong, names, module = [], [], dict[str, Any](), ""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for block in blocks():
            if block.module != module:
                module, names = block.module, {"__name__": "module"}
            if runs_here(block, names):
                ran.append(block)
                try:
                    wrong += run(block, names)
                except Exception as fault:  # noqa: BLE001 - whatever a reader would meet is reported
                    wrong.append(f"{block.name}: {type(fault).__name__}: {fault}")
    return ran, wrong


def main() -> int:
    """Print what ran and what is wrong; returns 1 if a block fails, or is neither run nor in ``NOT_RUN``."""
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
    ran, wrong = run_all()
    left = [each.name for each in blocks() if each not in ran and (each.module, each.number) not in NOT_RUN]
    wrong += [f"{name} didn't run" for name in left]
    print("\n".join([f"{len(ran)} blocks of code in the modules' texts ran, {len(NOT_RUN)} aren't meant to", *wrong]))
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
