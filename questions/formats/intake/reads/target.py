"""Where a file is imported to, its items' names there, and the choice for existing questions."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

from django.contrib.auth.models import AbstractBaseUser

from questions.catalogue.models import Concept, Exam, StudyModule
from questions.formats.errors import ImportRefused
from questions.formats.models import ImportJob
from questions.formats.rules.items import Item, digest, qti_identifier
from questions.versions.rules.family import Shared

NAME_LENGTH = 150
"""The column holds 200, and identical names get a number appended."""
LEAVE, UPDATE, BESIDE = "leave", "update", "new"
MATCHING = (LEAVE, UPDATE, BESIDE)


@dataclass
class Choice:
    """What happens to an existing question with an item's permanent name and different content.

    It is left alone, updated on the desk, or the item becomes a separate draft. With ``bases``, by question, only those
    are updated, and only if the draft still has the previewed revision. ``source`` is for new drafts without one: a
    URL, or OWN_WORK.
    """

    matching: str = LEAVE
    bases: dict[str, int] | None = None
    source: str = ""


@dataclass
class Target:
    """Where a file is imported to, and the names that exist there."""

    exam: Exam
    source: str
    domain: str
    domains: dict[str, str]
    concepts: set[str]
    modules: set[str]
    keys: set[str]
    permanent: dict[str, str]  # a file's possible names for existing questions -> key
    names: dict[str, str]  # digest -> name of the items already read from this file
    numbers: dict[str, int]  # name -> the last number given to a duplicate in this file
    families: dict[str, set[Shared | None]] = field(default_factory=dict)  # how members looked; None if in use
    choice: Choice = field(default_factory=Choice)
    batch: ImportJob | None = None
    by: AbstractBaseUser | None = None

    @property
    def note(self) -> str:
        """The import's line in each question's history."""
        return f"Imported from {self.source}."

    @classmethod
    def of(cls, slug: str, source: str, domain: str = "") -> Target:
        """Raises ImportRefused if the exam or domain doesn't exist."""
        exam = Exam.objects.filter(slug=slug).first()
        if exam is None:
            raise ImportRefused(f"There’s no exam “{slug}”.")
        keys = list(exam.domains.values_list("key", flat=True))
        if not keys or (domain and domain not in keys):
            raise ImportRefused(f"Exam “{slug}” has no domain “{domain}”. It has: {', '.join(keys) or 'none'}.")
        printed = exam.domains.values_list("printed__name", "key")
        names = {name.casefold(): key for name, key in printed if name} | {key: key for key in keys}
        taken = set(exam.questions.values_list("key", flat=True))
        return cls(
            exam=exam,
            source=source[:200],
            domain=domain or keys[0],
            domains={} if domain else names,
            concepts=set(Concept.objects.filter(domain__exam=exam).values_list("key", flat=True)),
            modules=set(StudyModule.objects.filter(exam=exam).values_list("slug", flat=True)),
            keys=taken,
            permanent={qti_identifier(key): key for key in taken} | {key: key for key in taken},
            names={},
            numbers={},
        )


def name_of(target: Target, item: Item) -> str:
    """The item's name in its file; other content under the same name gets a number."""
    content = digest(item)
    if content in target.names:
        return target.names[content]
    base = " ".join(item.name.split())
    if len(base) > NAME_LENGTH:
        base = "name-" + hashlib.sha256(base.encode()).hexdigest()
    name, count = base, target.numbers.get(base, 0)
    while name in target.numbers:  # continues from the last number: a file may have one title for everything
        count += 1
        name = f"{base} ({count})"
    target.numbers[name] = 1
    target.numbers[base] = max(count, 1)
    target.names[content] = name
    return name


def key_here(target: Target, item: Item, name: str) -> str:
    """The key of the question that an item's id names; "" if none.

    Only a file's first item with an id stands for that question; others with the same id become separate drafts.
    """
    return target.permanent.get(item.id, "") if item.id and name == item.id else ""
