"""Storing the glossary: rows are updated from the file."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

from questions.catalogue.models import GlossaryTerm
from questions.catalogue.rules.glossary import GlossaryFile


@transaction.atomic
def store_glossary(file: GlossaryFile) -> None:
    """Update the rows from the file; a file without terms (a bank without a glossary) changes nothing."""
    if not file.terms:
        return
    GlossaryTerm.objects.exclude(key__in=file.terms).delete()
    stored = {row.key: row for row in GlossaryTerm.objects.all()}
    for key, term in file.terms.items():
        facts = asdict(term) | {"checked_on": file.checked_on}
        facts["source"] = term.source or (file.source if term.former else "")
        row = stored.get(key) or GlossaryTerm(key=key)
        if row.pk is None or any(getattr(row, name) != value for name, value in facts.items()):
            for name, value in facts.items():
                setattr(row, name, value)
            row.save()
