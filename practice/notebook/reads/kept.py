"""The notebook of an exam: notes, starred questions and highlights, by domain and concept."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.core.paginator import Page, Paginator
from django.db.models import Q
from django.urls import reverse

from practice.learners.models import Highlight, Learner, Note, Star
from practice.learners.reads.zones import zone_of
from practice.notebook.rules import stands_in
from practice.sessions.models import UNLISTED, SessionItem
from practice.start.reads.cards import cards_left, cards_to_come
from questions.catalogue.models import BlueprintDomain, Exam, StudyModule
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion

PER_PAGE = 30
"""Arbitrary; limited by the page's size, since an entry may contain a whole note. The number of statements doesn't
depend on it."""
KINDS = ("all", "notes", "starred", "highlights")


@dataclass(frozen=True)
class NotebookChoice:
    """The requested part of the notebook; "" and "all" mean everything. An entry must contain ``words``."""

    kind: str = "all"
    domain: str = ""
    concept: str = ""
    words: str = ""
    whole: bool = False


@dataclass(frozen=True)
class Marked:
    """A highlight. ``is_earlier``: its text has changed since it was made."""

    pk: int
    text: str
    is_earlier: bool


@dataclass
class Entry:
    """What a learner kept for one question or study module. ``url`` is "" if it can't be opened."""

    title: str
    url: str
    domain: str
    number: int
    concepts: dict[str, str] = field(default_factory=dict)
    is_module: bool = False
    starred: bool = False
    note: str = ""
    noted_at: dt.datetime | None = None
    highlights: list[Marked] = field(default_factory=list)

    @property
    def concept_names(self) -> str:
        return ", ".join(self.concepts.values())

    def has(self, choice: NotebookChoice) -> bool:
        """Whether it matches the choice."""
        kinds = {"notes": bool(self.note), "starred": self.starred, "highlights": bool(self.highlights)}
        said = " ".join([self.title, self.note, *(each.text for each in self.highlights)]).casefold()
        return (
            kinds.get(choice.kind, True)
            and choice.domain in ("", self.domain)
            and (not choice.concept or choice.concept in self.concepts)
            and choice.words.casefold() in said
        )


@dataclass(frozen=True)
class KeptPage:
    """One learner's notebook. ``groups`` are the entries shown by domain, in the exam's order."""

    choice: NotebookChoice
    groups: list[tuple[str, list[Entry]]]
    pages: Page[Entry] | None
    counts: dict[str, int]
    total: int
    found: int
    domains: list[tuple[str, str]]
    concepts: list[tuple[str, str]]
    cards: int
    all_cards: int
    zone: dt.tzinfo


def kept_page(exam: Exam, learner: Learner | None, choice: NotebookChoice, number: str, now: dt.datetime) -> KeptPage:
    """One page of the notebook, or all of it with ``whole``; the number of queries doesn't grow with its size."""
    names = _domain_names(exam)
    entries = entries_of(exam, learner) if learner else []
    found = [entry for entry in entries if entry.has(choice)]
    pages = None if choice.whole else Paginator(found, PER_PAGE).get_page(number)
    shown = found if pages is None else list(pages.object_list)
    groups: dict[str, list[Entry]] = {}
    for entry in shown:
        groups.setdefault(names.get(entry.domain, entry.domain), []).append(entry)
    concepts = {key: name for entry in entries for key, name in entry.concepts.items()}
    return KeptPage(
        choice=choice,
        groups=list(groups.items()),
        pages=pages,
        counts={kind: sum(entry.has(NotebookChoice(kind)) for entry in entries) for kind in KINDS},
        total=len(entries),
        found=len(found),
        domains=[(key, name) for key, name in names.items() if any(entry.domain == key for entry in entries)],
        concepts=sorted(concepts.items(), key=lambda each: each[1]),
        cards=cards_left(learner, exam, now) if learner else 0,
        all_cards=cards_to_come(learner, exam) if learner else 0,
        zone=zone_of(learner),
    )


def entries_of(exam: Exam, learner: Learner) -> list[Entry]:
    """Everything the learner kept for the exam, by domain and title, in seven queries."""
    notes = {note.question_id: note for note in Note.objects.filter(learner=learner, question__exam=exam)}
    stars = set(Star.objects.filter(learner=learner, question__exam=exam).values_list("question_id", flat=True))
    of_exam = Q(version__question__exam=exam) | Q(module__exam=exam)
    marks = list(Highlight.objects.filter(of_exam, learner=learner).select_related("version", "module__domain"))
    of_questions: dict[int, list[Highlight]] = defaultdict(list)
    of_modules: dict[StudyModule, list[Highlight]] = defaultdict(list)
    for mark in marks:
        if mark.version:
            of_questions[mark.version.question_id].append(mark)
        elif mark.module:
            of_modules[mark.module].append(mark)
    entries = []
    for version, live, url in _versions(learner, {*notes, *stars, *of_questions}):
        note = notes.get(version.question_id)
        entries.append(
            Entry(
                title=version.title,
                url=url,
                domain=version.domain.key,
                number=version.domain.number,
                concepts={concept.key: concept.name for concept in version.concepts.all()},
                starred=version.question_id in stars,
                note=note.text if note else "",
                noted_at=note.changed_at if note else None,
                highlights=[_of_version(mark, live) for mark in of_questions[version.question_id]],
            )
        )
    entries += [_of_module(exam, module, found) for module, found in of_modules.items()]
    return sorted(entries, key=lambda entry: (entry.number, entry.is_module, entry.title))


def _of_version(mark: Highlight, live: QuestionVersion | None) -> Marked:
    has_changed = live is not None and live.pk != mark.version_id and not stands_in(mark.text, live.stem_html)
    return Marked(mark.pk, mark.text, has_changed)


def _of_module(exam: Exam, module: StudyModule, marks: Iterable[Highlight]) -> Entry:
    return Entry(
        title=f"Module {module.number}: {module.title}",
        url=reverse("module", args=[exam.slug, module.number, module.slug]),
        domain=module.domain.key,
        number=module.domain.number,
        is_module=True,
        highlights=[Marked(each.pk, each.text, each.module_text != module.loaded_digest) for each in marks],
    )


def _versions(learner: Learner, questions: set[int]) -> Iterable[tuple[QuestionVersion, QuestionVersion | None, str]]:
    """For each question, the version this learner saw last, the live one, and where it can be read again."""
    rows = SessionItem.objects.filter(session__learner=learner, version__question__in=questions, withheld=False)
    rows = rows.filter(Q(session__finished_at__isnull=False) | Q(checked_at__isnull=False), session__discarded_at=None)
    last: dict[int, int] = {}
    places: dict[int, str] = {}
    columns = ("version__question_id", "version_id", "session__uuid", "position", "session__mode")
    rows = rows.order_by("session__started_at", "position")
    for question, version, session, position, mode in rows.values_list(*columns):
        last[question] = version
        if mode not in UNLISTED:
            places[question] = reverse("breakdown", args=[session, position])
    live = Question.objects.select_related("exam", "live_version").in_bulk(list(last))
    shown = QuestionVersion.objects.select_related("domain").prefetch_related("concepts").in_bulk(list(last.values()))
    for question, version in last.items():
        row = live[question]
        public = row.get_absolute_url() if row.pool == Pool.PUBLIC and row.number and row.live_version_id else ""
        yield shown[version], row.live_version, places.get(question, public)


def _domain_names(exam: Exam) -> dict[str, str]:
    rows = BlueprintDomain.objects.filter(blueprint__exam=exam, blueprint__is_current=True)
    names = rows.order_by("domain__number").values_list("domain__key", "domain__number", "name")
    return {key: name or f"Domain {number}" for key, number, name in names}
