"""The siblings of a marked question: which can be shown next, whose keys it must not reveal, and what the trial holds
back or puts in their place.

Reads related to the trial use the clock, because code that draws questions doesn't always have the time at hand.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils import timezone

from practice.learners.models import Learner
from practice.learners.trial.models import TrialMiss
from practice.learners.trial.rules import KEPT_BACK, LATEST, PLAIN
from practice.sessions.models import SessionItem
from practice.sessions.reads.units import locked_among, shown_units
from practice.sessions.scoring.reads import keys_in_force
from questions.versions.models.drafts import Pool, Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.rules.family import right_if_kept_back


def kept_back(learner_id: int, versions: Iterable[QuestionVersion]) -> dict[int, int]:
    """By version id, the mask of options whose "right if" must not be shown yet; ``question`` must be loaded.

    These are the keys of siblings the learner has neither answered nor declined, or of any sibling while one of the
    family is in the learner's unfinished mock. No query if no version belongs to a family.
    """
    versions = list(versions)
    families = {version.question.family_id or 0 for version in versions} - {0}
    if not families:
        return {version.pk: 0 for version in versions}
    live = Question.objects.filter(family__in=families, live_version__isnull=False)
    siblings = list(live.filter(withdrawn_at=None, retired_at=None).values_list("family_id", "pk", "live_version_id"))
    locked, met = locked_among(list(families), learner=learner_id), _met(learner_id, {pk for _, pk, _ in siblings})
    keys = keys_in_force(version for _, _, version in siblings)
    untold: dict[int, list[int]] = {family: [] for family in families}
    for family, question, version in siblings:
        if question not in met or family in locked:
            untold[family] += keys[version].masks
    masks = {family: right_if_kept_back(among) for family, among in untold.items()}
    return {version.pk: masks.get(version.question.family_id or 0, 0) for version in versions}


def _met(learner_id: int, questions: set[int]) -> set[int]:
    """Questions that were answered, declined or shown with their solution."""
    items = SessionItem.objects.filter(session__learner=learner_id, session__discarded_at=None, withheld=False)
    shown = Q(session__finished_at__isnull=False, displayed_at__isnull=False)
    items = items.filter(Q(checked_at__isnull=False) | shown, version__question__in=questions)
    return set(items.values_list("version__question_id", flat=True))


def contrastable(learner_id: int, versions: Iterable[QuestionVersion]) -> set[int]:
    """Those of these versions (questions loaded) with a variant to show, or what the trial drew instead. No query if
    none has one.

    Not while one of the family is in an unfinished mock, and for a reserved family only after a finished session has
    shown one of it.
    """
    versions = [version for version in versions if version.question.family_id]
    if not versions:
        return set()
    families = {version.question.family_id or 0 for version in versions}
    closed = locked_among(list(families), learner=learner_id)
    plain = plain_questions(learner_id, families)
    instead = {family for family, question in plain.items() if question and family not in closed}
    usable: dict[int, set[int]] = {}
    rows = usable_siblings(learner_id).filter(family__in=families - closed - set(plain))
    for family, question in rows.values_list("family_id", "pk"):
        usable.setdefault(family, set()).add(question)
    follows = {v.pk for v in versions if usable.get(v.question.family_id or 0, set()) - {v.question_id}}
    return follows | {v.pk for v in versions if v.question.family_id in instead}


def usable_siblings(learner_id: int) -> QuerySet[Question]:
    """Live questions in families that this learner may be shown after another one of the family."""
    rows = Question.objects.filter(live_version__isnull=False, withdrawn_at=None, retired_at=None, family__isnull=False)
    met = Q(family_id__in=shown_units(learner_id))
    rows = rows.exclude(pk__in=kept_questions(learner_id, LATEST))
    return rows.filter(Q(pool=Pool.PUBLIC, live_version__pool=Pool.PUBLIC) | met)


def kept_questions(learner: Learner | int | None, since: dt.timedelta = KEPT_BACK) -> QuerySet[TrialMiss, Any]:
    """The variants that no session may show this learner yet, as a subquery of ids; with ``LATEST``, that no chain
    may."""
    return kept_after(learner, timezone.now() - since)


def kept_after(learner: Learner | int | None, moment: dt.datetime) -> QuerySet[TrialMiss, Any]:
    """Those kept back after this moment."""
    rows = TrialMiss.objects.filter(drawn_at__gt=moment)
    rows = rows.filter(learner=learner) if learner else rows.none()
    return rows.order_by().values("kept")


def plain_questions(learner_id: int, families: Iterable[int]) -> dict[int, int | None]:
    """By family drawn for the plain arm, its plain question; None if that has been displayed since.

    No query on a site without the trial.
    """
    if not settings.EVIDENCE:
        return {}
    rows = TrialMiss.objects.filter(learner=learner_id, family__in=list(families), arm=PLAIN)
    found = dict(rows.filter(drawn_at__gt=timezone.now() - LATEST).values_list("family_id", "plain_id"))
    if not found:
        return {}
    seen = SessionItem.objects.filter(session__learner=learner_id, displayed_at__isnull=False)
    met = set(seen.filter(version__question__in=found.values()).values_list("version__question_id", flat=True))
    return {family: None if question in met else question for family, question in found.items()}


def drawn_plain(learner_id: int, questions: set[int]) -> set[int]:
    """Those of these questions whose family was drawn for the plain arm; no query without any."""
    if not settings.EVIDENCE or not questions:
        return set()
    rows = TrialMiss.objects.filter(learner=learner_id, arm=PLAIN, drawn_at__gt=timezone.now() - LATEST)
    families = rows.filter(family__questions__in=questions)
    return set(families.values_list("family__questions", flat=True)) & questions
