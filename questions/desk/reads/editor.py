"""What the editor page shows besides the text: state, permissions, history, versions, findings, suggestions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings

from questions.catalogue.models import Concept, Exam
from questions.desk.models import DeskEntry, Waiver
from questions.desk.reads.family import changes_of, members_of
from questions.lint.reads import known_names, with_pictures_of
from questions.lint.rules import BASIC, REFUSE, WARN, Problem, lint
from questions.lint.rules.registry import fingerprint
from questions.versions.models.drafts import Clue, Desk, Question
from questions.versions.models.versions import Change, QuestionVersion, Solution
from questions.versions.reads.drafts import draft_of, draft_of_version, with_draft
from questions.versions.reads.public import printed_name, public_address
from questions.versions.rules.draft import DraftQuestion
from questions.versions.rules.draft_diff import FieldChange, changes

PUBLISH = "questions.publish_question"
MOST_OFFERS = 3
DESK = "desk"  # shown instead of a version number for what is on the desk
Choice = tuple[str, str]


@dataclass(frozen=True)
class Choices:
    """The choices in an exam; concepts by domain."""

    domains: list[Choice]
    concepts: list[tuple[str, list[Choice]]]
    modules: list[Choice]


@dataclass(frozen=True)
class Warned:
    """A waived warning with its waiver."""

    problem: Problem
    waiver: Waiver


@dataclass(frozen=True)
class Findings:
    """Lint's findings on a draft, with those waived for exactly this text listed separately.

    ``lacking`` is what even a basic question needs.
    """

    refused: list[Problem]
    warned: list[Problem]
    waived: list[Warned]
    lacking: list[Problem]

    @property
    def only_basic(self) -> bool:
        """Whether it is complete enough for a basic question but not a full one."""
        return bool(self.refused) and not self.lacking


@dataclass(frozen=True)
class May:
    """What this person can do with the question now. ``why_not`` says why they can't publish it."""

    submit: bool = False
    send_back: bool = False
    publish: bool = False
    why_not: str = ""
    discard: bool = False
    withdraw: bool = False
    put_back: bool = False
    retire: bool = False


@dataclass(frozen=True)
class EditorPage:
    """A question on the desk. ``changed`` compares it with what is live; ``kinds`` are the possible kinds of change.

    ``new_key`` are the right options if they differ from the live ones. ``siblings`` are its family's questions,
    including itself; empty for a single question. ``beside`` is what the others' drafts change.
    """

    question: Question
    live: QuestionVersion | None
    may: May
    entries: Sequence[DeskEntry]
    authors: list[str]
    versions: Sequence[QuestionVersion]
    changed: list[FieldChange]
    kinds: list[Choice]
    new_key: tuple[int, ...]
    public_url: str
    siblings: Sequence[Question]
    beside: Sequence[tuple[Question, list[FieldChange]]]

    @property
    def was_full(self) -> bool:
        """Whether a version of it was a full question; then it must stay one."""
        return any(not version.is_basic for version in self.versions)

    @property
    def in_review(self) -> bool:
        """Whether it is in review; saving makes it a draft again."""
        return self.question.desk == Desk.REVIEW

    @property
    def mend(self) -> DeskEntry | None:
        """What the last reviewer asked for, until it is resubmitted."""
        if self.question.desk != Desk.SENT_BACK:
            return None
        return next((entry for entry in self.entries if entry.act == "sent_back"), None)


def find_draft(question_id: int) -> Question:
    """A question with everything its draft consists of. Raises Question.DoesNotExist."""
    rows = with_draft(Question.objects.select_related("exam", "live_version__domain"))
    return rows.get(pk=question_id)


def choices_of(exam: Exam) -> Choices:
    """The exam's domains by printed name, its concepts and its modules; three queries."""
    domains = exam.domains.annotate(printed_as=printed_name("pk"))
    by_domain: dict[int, tuple[str, list[Choice]]] = {}
    for domain in domains:
        by_domain[domain.pk] = (f"{domain.number} {domain.printed_as or domain.key}", [])
    for concept in Concept.objects.filter(domain__exam=exam).order_by("name"):
        by_domain[concept.domain_id][1].append((concept.key, concept.name))
    return Choices(
        domains=[(domain.key, by_domain[domain.pk][0]) for domain in domains],
        concepts=[group for group in by_domain.values() if group[1]],
        modules=[(module.slug, str(module)) for module in exam.modules.lines()],
    )


def editor_page(question: Question, user: Any) -> EditorPage:
    """Everything around the form, in a constant number of queries; ``question`` comes from ``find_draft``."""
    authors = list(question.authors.all())
    live = question.live_version
    current = draft_of(question)
    published = published_draft(live.pk) if live else None
    return EditorPage(
        question=question,
        live=live,
        may=_may(question, user, any(author.pk == user.pk for author in authors)),
        entries=list(question.desk_entries.select_related("by", "version")),
        authors=[_name(author) for author in authors],
        versions=list(
            question.versions.select_related("published_by").defer("stem", "options_html").order_by("-number")
        ),
        changed=changes(published, current) if published else [],
        kinds=_kinds(published, current),
        new_key=current.right_slots if published and current.right_slots != published.right_slots else (),
        public_url=public_address(live, question) if live else "",
        siblings=list(question.family.questions.order_by("place", "pk")) if question.family else [],
        beside=_beside(question),
    )


def _beside(question: Question) -> list[tuple[Question, list[FieldChange]]]:
    """The siblings whose drafts differ from what is live: they are published together."""
    if question.family_id is None:
        return []
    others = [each for each in members_of(question.family_id) if each.pk != question.pk]
    changed = changes_of(others)
    return [(each, changed[each.pk]) for each in others if each.pk in changed]


def findings_of(draft: DraftQuestion, exam: Exam, question_id: int | None) -> Findings:
    """Lint's findings on what is typed, refusals first; waivers are valid while their text stays the same."""
    known = with_pictures_of(known_names(exam), draft)
    problems = lint(draft, known)
    waivers = {}
    if question_id is not None:
        rows = Waiver.objects.filter(question=question_id).select_related("by")
        waivers = {waiver.fingerprint: waiver for waiver in rows}
    found = Findings([], [], [], lint(draft, known, REFUSE, BASIC))
    for problem in problems:
        waiver = waivers.get(fingerprint(draft, problem)) if problem.severity == WARN else None
        if waiver:
            found.waived.append(Warned(problem, waiver))
        else:
            (found.warned if problem.severity == WARN else found.refused).append(problem)
    return found


def clue_offers(exam: Exam, phrases: Sequence[str], but: int | None) -> dict[str, list[str]]:
    """What other questions say about why each of these phrases matters; one query."""
    rows = Clue.objects.filter(question__exam=exam, phrase__in=phrases).exclude(why="").order_by("-pk")
    if but is not None:
        rows = rows.exclude(question=but)
    offers: dict[str, list[str]] = {}
    for phrase, why in rows.values_list("phrase", "why"):
        kept = offers.setdefault(phrase, [])
        if why not in kept and len(kept) < MOST_OFFERS:
            kept.append(why)
    return offers


def draft_named(question: Question, name: str) -> DraftQuestion | None:
    """The draft on the desk, or the text of the version with this number; None if there is no such version."""
    if name == DESK:
        return draft_of(question)
    if not name.isdecimal() or len(name) > 4:
        return None
    version = question.versions.filter(number=int(name)).first()
    return published_draft(version.pk) if version else None


def published_draft(version_id: int) -> DraftQuestion:
    """The text a version was published from."""
    parts = ("version__question", "version__hint", "version__domain", "version__family")
    return draft_of_version(Solution.objects.select_related(*parts).get(version=version_id))


def _name(user: Any) -> str:
    return str(user.get_full_name())


def _may(question: Question, user: Any, wrote: bool) -> May:
    reviews = user.has_perm(PUBLISH)
    review, is_live = question.desk == Desk.REVIEW, question.live_version_id is not None
    in_use = is_live and question.retired_at is None
    barred = wrote and not settings.PUBLISH_OWN_QUESTIONS
    why_not = ""
    if review and not reviews:
        why_not = "no reviewer"
    elif review and barred:
        why_not = "author"
    return May(
        submit=not review,
        send_back=review and reviews,
        publish=review and reviews and not barred,
        why_not=why_not,
        discard=question.desk in (Desk.DRAFT, Desk.SENT_BACK),
        withdraw=in_use and question.withdrawn_at is None,
        put_back=in_use and question.withdrawn_at is not None,
        retire=in_use and reviews,
    )


def _kinds(published: DraftQuestion | None, draft: DraftQuestion) -> list[Choice]:
    if published is None:
        return [(Change.FIRST.value, Change.FIRST.label)]
    key = published.right_slots != draft.right_slots
    kinds = [Change.KEY] if key else [Change.TYPO, Change.SEMANTIC]
    return [(kind.value, kind.label) for kind in kinds]
