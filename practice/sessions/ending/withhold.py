"""Which reserved solutions a finished mock may show: those of questions that were really displayed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from practice.sessions.ending.rules import Sight, displayed
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.shown import shown_questions
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion


def withhold(session: PracticeSession, items: Sequence[SessionItem], ended: dt.datetime) -> None:
    """Mark a mock's reserved questions whose solutions stay withheld; the caller stores the items.

    Questions that weren't displayed stay unseen. A mock without any answer shows no reserved solution, however long it
    was open. What an earlier session has shown isn't withheld again.
    """
    if session.mode != Mode.MOCK:
        return
    reserved = QuestionVersion.objects.filter(pk__in=[item.version_id for item in items], pool=Pool.RESERVED)
    question_of = dict(reserved.values_list("pk", "question_id"))
    if not question_of:
        return
    shown = shown_questions(session.learner_id).filter(version__question_id__in=question_of.values())
    known = set(shown.values_list("version__question_id", flat=True))
    seen, is_empty = _displayed(session, items, ended), not any(item.selected for item in items)
    met = []
    for item in items:
        question = question_of.get(item.version_id)
        if question is None or question in known:
            continue
        if item.position not in seen:
            item.displayed_at = None
        item.withheld = is_empty or item.position not in seen
        if not item.withheld:
            met.append(question)
    open_up(session.learner_id, met)


def open_up(learner_id: int, questions: Iterable[int]) -> None:
    """Let the learner's earlier sessions show these questions, now that one session has shown them."""
    earlier = SessionItem.objects.filter(withheld=True, session__in=PracticeSession.objects.filter(learner=learner_id))
    among = QuestionVersion.objects.filter(question_id__in=list(questions))
    earlier.filter(version__in=among).update(withheld=False)


def _displayed(session: PracticeSession, items: Sequence[SessionItem], ended: dt.datetime) -> set[int]:
    sights = [
        Sight(item.position, item.seconds, bool(item.displayed_at or item.seconds), bool(item.selected))
        for item in items
    ]
    last = max((item.answered_at for item in items if item.answered_at), default=session.started_at)
    # Not below zero, although the clock may have been set back in between.
    spent = [max(0.0, (end - session.started_at).total_seconds() - session.stood_seconds) for end in (ended, last)]
    return displayed(sights, *spent)
