"""A study module as a file: front matter in YAML, a body in Markdown, and a notebook.

A file with a refused fault gives no module; every fault has a file, a line and a reason.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from questions.catalogue.rules.glossary import TOKEN, Glossary, UnknownTerm, expand
from questions.catalogue.rules.sources import Source, source
from questions.catalogue.rules.yaml_fields import BadField, BadYaml, list_of, mapping, plain, read_yaml
from questions.lint.rules import REFUSE, WARN
from questions.modules.rules.lint import check_faults, faults_of, python_faults, word_count
from questions.modules.rules.text import CHECK, SECTION, Fault, anchor_of, blocks_of, front_end
from questions.versions.rules.draft import DraftQuestion

FIELDS = {"number", "slug", "domain", "title", "summary", "notebook", "sources"}
MOST_MODULES = 99
"""Files begin with two digits, so that a folder lists them in the guide's order."""
CELL_KINDS = {"markdown", "code", "raw"}


@dataclass(frozen=True)
class Bank:
    """What a module can refer to: the exam's domains, and its questions by id."""

    domains: Collection[str]
    questions: Mapping[str, DraftQuestion]


@dataclass(frozen=True)
class ModuleFile:
    """A module from its file, with product names filled in; ``notebook`` is the notebook's text."""

    number: int
    slug: str
    domain: str
    title: str
    summary: str
    body: str
    sources: tuple[Source, ...]
    notebook: str
    sections: tuple[str, ...]
    checks: tuple[str, ...]
    words: int


@dataclass(frozen=True)
class ModuleFault:
    """A fault in a file, with its place."""

    path: Path
    fault: Fault

    def __str__(self) -> str:
        return f"{self.path}:{self.fault.line}: {self.fault.reason} [module, {self.fault.severity}]"


class _Refused(ValueError):
    """The file can't be read further; its faults."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__()
        self.faults = faults


def slug_of(path: Path) -> str:
    """A module's slug: its file name after the number."""
    return path.stem.partition("-")[2]


def sections_of(path: Path, glossary: Glossary) -> set[str]:
    """A module file's sections as questions refer to them, module#section; none if unreadable."""
    try:
        *_, body, _ = _split(path.read_text(encoding="utf-8"))
        blocks, _ = blocks_of(expand(body, glossary, introduce=True))
    except (UnicodeDecodeError, _Refused, UnknownTerm):
        return set()
    titles = [block.text for block in blocks if block.kind == SECTION]
    return {f"{slug_of(path)}#{anchor_of(place, title)}" for place, title in enumerate(titles, 1)}


def read_module_file(path: Path, glossary: Glossary, bank: Bank) -> tuple[ModuleFile | None, list[ModuleFault]]:
    """Read one module: the module, or None if a fault refuses it, and every fault found."""
    try:
        front, lines, body, first_line = _split(path.read_text(encoding="utf-8"))
        facts = _facts(front, lines, path, bank)
    except UnicodeDecodeError:
        return None, [ModuleFault(path, Fault(1, "is not UTF-8"))]
    except _Refused as refusal:
        return None, [ModuleFault(path, fault) for fault in refusal.faults]
    faults = _unknown_terms(body, first_line, glossary)
    for name in ("title", "summary"):
        faults += _unknown_terms(facts[name], lines[name], glossary)
    if not faults:
        facts |= {name: expand(facts[name], glossary) for name in ("title", "summary")}
        body = expand(body, glossary, introduce=True)
    blocks, torn = blocks_of(body, first_line)
    faults += [*torn, *faults_of(blocks), *check_faults(blocks, facts["domain"], bank.questions)]
    found = [ModuleFault(path, fault) for fault in sorted(faults, key=lambda fault: fault.line)]
    notebook, broken = _notebook(path.with_suffix(".ipynb"))
    found += [ModuleFault(path.with_suffix(".ipynb"), fault) for fault in broken]
    if any(each.fault.severity == REFUSE for each in found):
        return None, found
    sections = tuple(block.text for block in blocks if block.kind == SECTION)
    checks = tuple(block.text for block in blocks if block.kind == CHECK)
    words = word_count(blocks)
    return ModuleFile(**facts, body=body, notebook=notebook, sections=sections, checks=checks, words=words), found


def _split(text: str) -> tuple[Any, dict[str, int], str, int]:
    """The front matter with its lines, the body, and the body's first line. Raises _Refused."""
    lines = text.splitlines()
    end = front_end(lines)
    if end is None:
        raise _Refused(Fault(1, "has no front matter between two lines ---"))
    try:
        front, places = read_yaml("\n".join(lines[1:end]) + "\n")
    except BadYaml as error:
        raise _Refused(Fault(error.line + 1, error.reason)) from error
    return front, {name: line + 1 for name, line in places.items()}, "\n".join(lines[end + 1 :]), end + 2


def _facts(front: Any, lines: dict[str, int], path: Path, bank: Bank) -> dict[str, Any]:
    """The fields of the front matter. Raises _Refused."""
    try:
        row = mapping(front, "", FIELDS)
        facts = {name: plain(row[name], name) for name in ("slug", "domain", "title", "summary")}
        number = row["number"]
        if not isinstance(number, int) or isinstance(number, bool) or not 1 <= number <= MOST_MODULES:
            raise BadField("number", f"must be a whole number from 1 to {MOST_MODULES}")
        if facts["domain"] not in bank.domains:
            raise BadField("domain", f"“{facts['domain']}” is not a domain of the exam")
        name = f"{number:02}-{facts['slug']}"
        if path.stem != name or plain(row["notebook"], "notebook") != f"{name}.ipynb":
            raise BadField("slug", f"the file must be {name}.md, and its notebook {name}.ipynb")
        rows = list_of(row["sources"], "sources")
        if not rows:
            raise BadField("sources", "names none")
        sources = tuple(source(value, f"sources[{i}]") for i, value in enumerate(rows))
    except BadField as bad:
        where = next((lines[at] for at in (bad.path, bad.path.rpartition(".")[0]) if at in lines), 1)
        raise _Refused(Fault(where, f"{bad.path or 'front matter'}: {bad.reason}")) from bad
    return {**facts, "number": number, "sources": sources}


def _unknown_terms(text: str, first_line: int, glossary: Glossary) -> list[Fault]:
    return [
        Fault(number, f"“{match.group(1)}” is not in the glossary")
        for number, line in enumerate(text.splitlines(), first_line)
        for match in TOKEN.finditer(line)
        if match.group(1) not in glossary
    ]


def _notebook(path: Path) -> tuple[str, list[Fault]]:
    """A notebook's text and faults: it must be a valid notebook, and its code must parse."""
    try:
        text = path.read_text(encoding="utf-8")
        cells = json.loads(text)["cells"]
        sources = [(cell["cell_type"], "".join(cell["source"])) for cell in cells]
    except FileNotFoundError:
        return "", [Fault(1, "the notebook is missing")]
    except json.JSONDecodeError as error:
        return "", [Fault(error.lineno, f"is not JSON: {error.msg}")]
    except (KeyError, TypeError, ValueError):
        return "", [Fault(1, "is not a notebook: it needs cells, each with its kind and source")]
    faults = []
    for place, (kind, cell) in enumerate(sources, 1):
        if kind not in CELL_KINDS:
            faults.append(Fault(1, f"cell {place}: “{kind}” is not a kind of cell"))
        if kind == "code":
            faults += [Fault(1, f"cell {place}, its line {f.line}: {f.reason}") for f in python_faults(cell, 1)]
    if not any(kind == "code" for kind, _ in sources):
        faults.append(Fault(1, "holds no code", WARN))
    return text, faults
