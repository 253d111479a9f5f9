"""News of an exam: questions published or revised, latest first."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from questions.catalogue.models import Exam
from questions.pages.counted.reads import newest_ids
from questions.versions.reads.addresses import question_address
from questions.versions.reads.public import public_questions


@dataclass(frozen=True)
class FeedEntry:
    """A question as last published. ``number`` doesn't change with revisions, so that readers see one entry."""

    number: int
    url: str
    title: str
    what: str
    summary_html: str
    published_at: dt.datetime


@dataclass(frozen=True)
class Feed:
    """An exam's feed; its date is that of its newest entry."""

    exam: Exam
    entries: list[FeedEntry]

    @property
    def updated_at(self) -> dt.datetime:
        """The date of the newest entry; for an empty feed, the earliest possible date."""
        return self.entries[0].published_at if self.entries else dt.datetime.fromtimestamp(0, dt.UTC)


def feed_of(exam: Exam) -> Feed:
    """The last published or revised questions that can be read now; one query, which sorts the bank unless stored dates
    were loaded with the exam."""
    columns = (
        "number",
        "live_version__title",
        "live_version__number",
        "live_version__change_note",
        "live_version__stem_html",
        "live_version__published_at",
    )
    rows = public_questions().filter(pk__in=newest_ids(exam)).order_by("-live_version__published_at", "-number")
    return Feed(exam, [_entry(exam, *row) for row in rows.values_list(*columns)])


def _entry(exam: Exam, number: int, title: str, version: int, note: str, stem: str, at: dt.datetime) -> FeedEntry:
    what = "New" if version == 1 else f"Revised{f': {note}' if note else ''}"
    return FeedEntry(number, question_address(exam.slug, number, title), title, what, stem, at)
