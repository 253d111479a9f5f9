"""The page of one marked question of a session, with the chain that follows it."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import QuerySet

from courseiva.common.quick.statements import composed_once
from courseiva.common.rich_text import render_marked
from practice.notebook.reads.chains import Chain, chains_of
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.reads.breakdown import broken_down, may_be_shown
from practice.sessions.reads.shown import items_of
from practice.sessions.reads.siblings import contrastable
from practice.sessions.results.reads.results import FILTERS, ResultRow, result_rows
from practice.sessions.scoring.reads import keys_in_force
from questions.catalogue.models import BlueprintDomain
from questions.versions.models.drafts import Pool
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.breakdowns import Breakdown


@dataclass(frozen=True)
class ItemPage:
    """One marked question. ``before`` and ``after`` are positions within ``show``; ``place`` counts from 1."""

    session: PracticeSession
    item: SessionItem
    version: QuestionVersion
    breakdown: Breakdown
    row: ResultRow
    rows: list[ResultRow]
    domain: str
    show: str
    show_name: str
    place: int
    total: int
    before: int | None
    after: int | None
    chain: Chain
    is_regraded: bool

    @property
    def public_url(self) -> str:
        """The URL of its public page; "" if it has none."""
        question = self.version.question
        is_public = question.pool == Pool.PUBLIC and question.number and question.live_version_id
        return question.get_absolute_url() if is_public and not question.retired_at else ""

    @property
    def head(self) -> str:
        """Domain, difficulty and how many to choose, for the domain bar."""
        words = {1: "one", 2: "two", 3: "three"}
        choose = f"choose {words.get(self.version.choose, self.version.choose)}"
        return " · ".join(part for part in (self.domain, self.version.get_difficulty_display(), choose) if part)

    @property
    def stem_html(self) -> str:
        """The stem with the words this learner has highlighted."""
        marks = self.chain.notebook.highlights
        return render_marked(self.version.stem, marks) if marks else self.version.stem_html

    @property
    def redo(self) -> bool:
        """Whether a drill of missed questions is offered at the end of this walk."""
        return self.show in ("wrong", "through") and any(
            row.is_correct is False and not row.withheld for row in self.rows
        )

    @property
    def is_outdated(self) -> bool:
        """Whether a newer version has been published since."""
        return self.version.question.live_version_id not in (None, self.version.pk)


def item_page(session: PracticeSession, position: int, show: str, now: dt.datetime) -> ItemPage | None:
    """The page of a question that may be shown with its solution; None for any other."""
    items = [each for each in items_of(session) if session.finished_at or each.checked_at]
    item = next((each for each in items if each.position == position), None)
    if item is None or not may_be_shown(session, item):
        return None
    keys = keys_in_force(each.version_id for each in items)
    version, breakdown = broken_down(session, item, keys[item.version_id])
    rows = result_rows(session, items, keys)
    readable = [row for row in rows if not row.withheld]
    show = show if show in FILTERS else "all"
    places = [row.position for row in readable if row.fits(show)]
    if position not in places:
        show, places = "all", [row.position for row in readable]
    at = places.index(position)
    turns = bool(contrastable(session.learner_id, [version]))
    return ItemPage(
        session=session,
        item=item,
        version=version,
        breakdown=breakdown,
        row=next(row for row in rows if row.position == position),
        rows=rows,
        domain=_domain_name(session, version),
        show=show,
        show_name=FILTERS[show].lower(),
        place=at + 1,
        total=len(places),
        before=places[at - 1] if at else None,
        after=places[at + 1] if at + 1 < len(places) else None,
        chain=chains_of(session, {position: (breakdown, turns)}, now)[position],
        is_regraded=keys[item.version_id].is_regraded,
    )


def _domain_name(session: PracticeSession, version: QuestionVersion) -> str:
    names = _names(version.domain_id, session.blueprint_id if session.mode == Mode.MOCK else None)
    return names[0] if names else ""


@composed_once
def _names(domain: int, blueprint: int | None) -> QuerySet[BlueprintDomain, str]:
    rows = BlueprintDomain.objects.filter(domain=domain)
    rows = rows.filter(blueprint=blueprint) if blueprint else rows.filter(blueprint__is_current=True)
    return rows.values_list("name", flat=True)[:1]
