"""All of a learner's data, for their export.

Every query is by the learner's own keys. Questions appear as the learner saw them: title and options only if a finished
session or a marked answer showed them; any other item, including a withheld one, has only its position and the
learner's own choice. No key, no rationale: ``Solution`` is never read. The number of queries doesn't grow with the
number of rows, and long lists are streamed.
"""

from __future__ import annotations

import calendar
import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.auth import get_user_model
from django.db.models import Exists, F, OuterRef, Q

from courseiva.common.masks import order_slots, places_from_mask
from practice.learners.models import (
    DrillPreset,
    ExamPlan,
    FreshStart,
    Highlight,
    Learner,
    ModuleRead,
    Note,
    SectionRead,
    Star,
)
from practice.learners.trial.models import TrialMiss
from practice.readiness.models import Forecast, ReadinessSnapshot, Standing
from practice.readiness.plan.reminders.rules import weekdays_of
from practice.reviews.models import CardTurn, ReviewCard
from practice.sessions.ending.outages.models import TimeCredit
from practice.sessions.models import Confidence, LateAnswer, PracticeSession, SessionItem
from practice.sessions.scoring.models import RegradeNotice
from questions.reports.models import ContentReport
from questions.versions.reads.breakdowns import LETTERS

Row = dict[str, Any]
Section = tuple[str, str | Row | Iterable[Row] | None]
# How many rows are in memory at a time: an export is streamed, however long the history.
CHUNK = 500
SESSION = {"session_uuid": F("session__uuid"), "exam_slug": F("session__exam__slug"), "mode": F("session__mode")}
QUESTION = {
    "question": F("version__question_id"),
    "number": F("version__question__number"),
    "version_number": F("version__number"),
    "title": F("version__title"),
    "options": F("version__options"),
}
PLAN_KEPT = ("feed_token", "remind_on", "reminded_on")
MARKS = (
    "changes", "seconds", "flagged", "hint_opened", "revealed", "seen_before", "variant_seen", "first_exposure",
    "miss_class", "displayed_at", "answered_at", "checked_at",
)  # fmt: skip


def export_sections(user_id: int | None, learner: Learner | None, now: dt.datetime) -> Iterator[Section]:
    """The whole export, section by section; each list is read lazily."""
    yield "exported_at", now.isoformat()
    yield "account", _account(user_id) if user_id else None
    yield "learner", _facts(learner) if learner else None
    yield "reports", _reports(user_id) if user_id else []
    if learner is None:
        return
    titles = _shown_titles(learner)
    yield "stars", _on_questions(Star.objects.filter(learner=learner).order_by("pk"), titles, "made_at")
    notes = Note.objects.filter(learner=learner).order_by("pk")
    yield "notes", _on_questions(notes, titles, "text", "changed_at")
    yield "highlights", _highlights(learner)
    turns = CardTurn.objects.filter(learner=learner).order_by("pk")
    yield "flashcards_turned", _on_questions(turns, titles, "at", "knew")
    cards = ReviewCard.objects.filter(learner=learner)
    columns = ("stability", "difficulty", "reviewed_at", "due_at", "reviews", "lapses")
    yield "review_cards", _on_questions(cards, titles, *columns)
    yield from _plans_and_predictions(learner)
    yield "sessions", _sessions(learner)
    yield "time_given_back", _credits(learner)
    yield "answers", export_answers(learner)
    yield "regrades", _regrades(learner)
    starts = FreshStart.objects.filter(learner=learner).order_by("pk")
    drawn = TrialMiss.objects.filter(learner=learner).order_by("pk")
    yield (
        "trial",
        _named(drawn.values("missed", "arm", "drawn_at", "forecast", "forecast_at", exam_slug=F("exam__slug"))),
    )
    yield "fresh_starts", _named(starts.values("at", exam_slug=F("exam__slug")))


def export_answers(learner: Learner) -> Iterator[Row]:
    """A row for each question of each session, oldest first, in two queries."""
    late: dict[tuple[int, int], list[LateAnswer]] = defaultdict(list)
    for answer in LateAnswer.objects.filter(session__learner=learner):
        late[answer.session_id, answer.position].append(answer)
    items = SessionItem.objects.filter(session__learner=learner).order_by("session__started_at", "session", "position")
    columns = (*MARKS, "session_id", "position", "option_order", "selected", "first_selected", "struck", "confidence",
               "withheld")  # fmt: skip
    found = items.values(*columns, "is_correct", ended=F("session__finished_at"), **SESSION, **QUESTION)
    for item in found.iterator(chunk_size=CHUNK):
        yield _answer(item, late[item["session_id"], item["position"]])


def _answer(item: Mapping[str, Any], late: list[LateAnswer]) -> Row:
    order = item["option_order"]
    row = {
        "session": item["session_uuid"],
        "exam": item["exam_slug"],
        "mode": item["mode"],
        "position": item["position"],
    }
    row["chosen"] = _letters(item["selected"], order)
    if item["withheld"] or not (item["ended"] or item["checked_at"]):
        return row
    texts = {option["slot"]: option["text"] for option in item["options"]}
    row |= {
        "chosen_words": [texts[slot] for slot in order_slots(order) if item["selected"] >> slot & 1],
        "correct": item["is_correct"],
        "question": item["question"],
        "number": item["number"],
        "version": item["version_number"],
        "title": item["title"],
        "first_chosen": _letters(item["first_selected"], order),
        "struck_out": _letters(item["struck"], order),
        "confidence": Confidence(item["confidence"]).label if item["confidence"] else None,
        "late_answers": [{"chosen": _letters(a.selected, order), "received_at": a.received_at} for a in late],
    }
    return row | {name: item[name] for name in MARKS}


def _letters(mask: int, order: str) -> list[str]:
    return [LETTERS[place] for place in places_from_mask(mask, order)]


def _account(user_id: int) -> Row:
    found = get_user_model().objects.values("email", "display_name", "date_joined", "last_login").get(pk=user_id)
    addresses = EmailAddress.objects.filter(user=user_id).order_by("pk").values("email", "verified", "primary")
    return {**found, "addresses": list(addresses)}


def _facts(learner: Learner) -> Row:
    names = ("time_zone", "chosen_zone", "time_factor", "created_at")
    facts = {name: getattr(learner, name) for name in names}
    return {"is_guest": learner.user_id is None, "exam": learner.exam.code if learner.exam else None} | facts


def _reports(user_id: int) -> Iterator[Row]:
    """The reports this user sent, with the version each is about and the option's text."""
    rows = ContentReport.objects.filter(reporter=user_id).select_related("version").order_by("made_at", "pk")
    for report in rows:
        yield {
            "question": report.version.question_id,
            "version": report.version.number,
            "title": report.version.title,
            "option": report.option_text,
            "kind": report.kind,
            "text": report.text,
            "made_at": report.made_at,
            "state": report.state,
            "outcome": report.outcome,
            "answered_at": report.answered_at,
        }


def _shown_titles(learner: Learner) -> dict[int, str]:
    """The title as this learner last saw it, by question."""
    shown = SessionItem.objects.filter(Q(session__finished_at__isnull=False) | Q(checked_at__isnull=False))
    rows = shown.filter(session__learner=learner, withheld=False).order_by("version__number").distinct()
    return {question: title for question, title, _ in rows.values_list(
        "version__question_id", "version__title", "version__number"
    )}  # fmt: skip


def _on_questions(rows: Any, titles: dict[int, str], *columns: str) -> Iterator[Row]:
    for row in rows.values("question_id", *columns):
        question = row.pop("question_id")
        yield {"question": question, "title": titles.get(question), **row}


def _highlights(learner: Learner) -> Iterator[Row]:
    version = {"question": F("version__question_id"), "version_number": F("version__number")}
    rows = Highlight.objects.filter(learner=learner).order_by("pk")
    return _named(rows.values("text", "made_at", module_title=F("module__title"), **version))


def _plans_and_predictions(learner: Learner) -> Iterator[Section]:
    exam, session = {"exam_slug": F("exam__slug")}, {"session_uuid": F("session__uuid")}
    said = ("answers", "chance", "low", "high", "count")
    plans = ExamPlan.objects.filter(learner=learner).order_by("pk")
    yield "plans", map(_plan, _named(plans.values("exam_date", "minutes_a_day", "told_at", *PLAN_KEPT, **exam)))
    presets = DrillPreset.objects.filter(learner=learner).order_by("pk")
    yield "drill_presets", _named(presets.values("name", "fields", "made_at", **exam))
    read = ModuleRead.objects.filter(learner=learner).order_by("pk")
    module = {"exam_slug": F("module__exam__slug"), "number": F("module__number"), "title": F("module__title")}
    yield "modules_read", _named(read.values("read_at", **module))
    sections = SectionRead.objects.filter(learner=learner).order_by("pk")
    yield "sections_read", _named(sections.values("anchor", "read_at", **module))
    standings = Standing.objects.filter(learner=learner).order_by("pk")
    yield "standings", _named(standings.values("as_of", "other_answers", "domains", *said, **exam))
    snapshots = ReadinessSnapshot.objects.filter(learner=learner)
    yield "predictions", _named(snapshots.values("at", *said, **exam, **session))
    tested = Forecast.objects.filter(session__learner=learner)
    yield "predictions_tested", _named(tested.values("chance", "low", "high", "score", "passed", **exam, **session))


def _plan(row: Row) -> Row:
    """Reminder days by name. The calendar's address is a secret, so only its existence is exported."""
    row["calendar"] = row.pop("feed_token") is not None
    row["remind_on"] = [calendar.day_name[day] for day in weekdays_of(row["remind_on"])]
    return row


def _sessions(learner: Learner) -> Iterator[Row]:
    rows = PracticeSession.objects.filter(learner=learner).order_by("started_at", "pk")
    found = rows.values(
        "uuid", "mode", "label", "started_at", "deadline", "finished_at", "ended", "discarded_at", "minutes",
        "time_factor", "pausable", "pauses", "paused_seconds", "given_seconds", "reopened_at", "closed_seconds",
        "feedback_each", "ask_confidence", "total", "score",
        exam_slug=F("exam__slug"), exam_guide=F("blueprint__name"),
    )  # fmt: skip
    return _named(found.iterator(chunk_size=CHUNK))


def _credits(learner: Learner) -> Iterator[Row]:
    """Time given back to sessions for outages."""
    rows = TimeCredit.objects.filter(session__learner=learner).order_by("pk")
    outage = {"from": F("outage__began_at"), "to": F("outage__ended_at"), "reason": F("outage__reason")}
    return _named(rows.values("seconds", "at", session_uuid=F("session__uuid"), **outage))


def _regrades(learner: Learner) -> Iterable[Row]:
    """How corrected keys changed this learner's results."""
    withheld = SessionItem.objects.filter(session=OuterRef("session"), position=OuterRef("position"), withheld=True)
    notices = RegradeNotice.objects.filter(~Exists(withheld), session__learner=learner)
    scores = ("old_score", "old_total", "new_score", "new_total")
    facts = {"session_uuid": F("session__uuid"), "reason": F("regrade__reason")}
    return _named(notices.values("position", "was_right", "is_right", *scores, "made_at", **facts))


NAMES = {"exam_slug": "exam", "session_uuid": "session"}  # a column can't have the name of a model field


def _named(rows: Iterable[Any]) -> Iterator[Row]:
    """Each row, with exam and session first."""
    for row in rows:
        yield {NAMES[name]: row.pop(name) for name in NAMES if name in row} | row
