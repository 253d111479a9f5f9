"""Loading study modules from their files into rows."""

from __future__ import annotations

import datetime as dt
import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.db import transaction
from django.db.models import F

from questions.catalogue.models import Exam, StudyModule
from questions.catalogue.rules.glossary import Glossary
from questions.lint.rules import REFUSE
from questions.modules.reads import outline_key, signpost_key
from questions.modules.rules.file import Bank, ModuleFile, read_module_file, slug_of
from questions.modules.rules.html import module_html
from questions.modules.rules.load_report import LoadReport
from questions.versions.search.index import index_module

PARKED = 10_000  # added to numbers while modules swap places
SAME_NAMES = ("number", "slug", "title", "summary", "body", "words", "notebook")
Pair = tuple[ModuleFile, StudyModule | None]


def load_modules(
    exam: Exam, folder: Path, glossary: Glossary, bank: Bank, now: dt.datetime, report: LoadReport
) -> None:
    """Store a folder's modules, all or nothing per file; missing ones are reported and kept."""
    rows: list[ModuleFile] = []
    paths = sorted(folder.glob("*.md"))
    for path in paths:
        row, faults = read_module_file(path, glossary, bank)
        report.refused += [str(each) for each in faults if each.fault.severity == REFUSE]
        report.warnings += [str(each) for each in faults if each.fault.severity != REFUSE]
        rows += [row] if row else []
    stored = list(StudyModule.objects.filter(exam=exam))
    slugs = {slug_of(path) for path in paths}
    pairs = _paired(rows, stored, slugs)
    taken = {module.pk for _, module in pairs if module}
    left = [module for module in stored if module.pk not in taken]
    report.gone += [f"module {module}" for module in left if module.slug not in slugs]
    clashes = _twice([*(row.number for row in rows), *(module.number for module in left)])
    clashes += _twice([row.slug for row in rows])
    if clashes:
        named = ", ".join(clashes)
        report.refused.append(f"{folder}: {named}: would name two modules; no module was stored [module, {REFUSE}]")
        return
    with transaction.atomic():
        _store(exam, pairs, now, report)


def rerender_module(module: StudyModule) -> None:
    """Rebuild the derived HTML of a module from its body."""
    StudyModule.objects.filter(pk=module.pk).update(html=module_html(module.body))
    # The keys contain the file's digest, which doesn't change when the module is rendered again, so nothing else would
    # drop them within the hour.
    cache.delete_many(key(module.pk, module.loaded_digest) for key in (outline_key, signpost_key))


def _paired(rows: list[ModuleFile], stored: list[StudyModule], slugs: set[str]) -> list[Pair]:
    """Each file with its row: by slug, else by number if no file has that row's slug any more."""
    by_slug = {module.slug: module for module in stored}
    renamed = {module.number: module for module in stored if module.slug not in slugs}
    return [(row, by_slug.get(row.slug) or renamed.get(row.number)) for row in rows]


def _twice(names: list[Any]) -> list[str]:
    return [str(name) for name, count in Counter(names).items() if count > 1]


def _store(exam: Exam, pairs: list[Pair], now: dt.datetime, report: LoadReport) -> None:
    moved = [module.pk for row, module in pairs if module and module.number != row.number]
    # Numbers are unique within an exam: two modules swapping places would collide.
    StudyModule.objects.filter(pk__in=moved).update(number=F("number") + PARKED)
    domains = {domain.key: domain for domain in exam.domains.all()}
    for row, module in pairs:
        facts = _facts(row)
        digest = hashlib.sha256(json.dumps([row.domain, facts]).encode()).hexdigest()
        if module and module.loaded_digest == digest:
            report.counts["modules unchanged"] += 1
            continue
        facts |= {"domain": domains[row.domain], "html": module_html(row.body)}
        facts |= {"loaded_digest": digest, "changed_at": now}
        if module:
            StudyModule.objects.filter(pk=module.pk).update(**facts)
            module.refresh_from_db()
        index_module(module or StudyModule.objects.create(exam=exam, **facts))
        report.counts["modules changed" if module else "modules new"] += 1


def _facts(row: ModuleFile) -> dict[str, Any]:
    return {name: getattr(row, name) for name in SAME_NAMES} | {"sources": [each.facts() for each in row.sources]}
