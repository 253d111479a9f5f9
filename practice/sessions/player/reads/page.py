"""The page of a running session. For a mock it loads only prompts, nothing that could give away a key."""

from __future__ import annotations

import datetime as dt
import uuid
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from django.db.models import QuerySet

from courseiva.common.masks import order_slots
from courseiva.common.quick.statements import composed_once
from practice.learners.reads.identity import Owner, owners_in_turn
from practice.sessions.errors import NotYours
from practice.sessions.models import UNLISTED, Mode, PracticeSession, SessionItem
from practice.sessions.reads.shown import items_of
from practice.sessions.reads.siblings import contrastable, kept_back
from practice.sessions.rules import left_at
from practice.sessions.scoring.reads import keys_in_force
from questions.catalogue.models import BlueprintDomain
from questions.versions.models.versions import Hint, QuestionVersion
from questions.versions.reads.breakdowns import LETTERS, Breakdown, breakdown_of, concept_names

PROMPT = ("id", "title", "kind", "choose", "difficulty", "domain_id", "question_id", "stem_html", "options_html")
BLOCK = 10
"""Without script only a button saves, and nobody should have to scroll past sixty questions to it."""
CLOSED = "-"


def base_of(chosen: Sequence[int], flagged: bool) -> str:
    """An answer as a page was rendered with it: the places chosen, and f for a flag; a marked one is closed."""
    return ",".join(map(str, chosen)) + ("f" if flagged else "")


@dataclass(frozen=True)
class OptionView:
    """An option at its place on this learner's page."""

    place: int
    letter: str
    html: str
    chosen: bool
    struck: bool


@dataclass(frozen=True)
class ItemView:
    """One question of the session as this learner sees it."""

    position: int
    kind: str
    choose: int
    stem_html: str
    options: list[OptionView]
    flagged: bool
    confidence: int | None
    checked: bool
    is_correct: bool | None
    base: str
    seconds: int
    head: str = ""
    hint: dict[str, object] | None = None
    breakdown: Breakdown | None = None
    contrast: bool = False

    @property
    def answered(self) -> bool:
        """Whether enough options are chosen; anything already marked counts as answered."""
        return self.chosen >= (1 if self.checked else self.choose)

    @property
    def incomplete(self) -> bool:
        """Whether some options are chosen, but too few."""
        return bool(self.chosen) and not self.answered

    @property
    def chosen(self) -> int:
        return sum(option.chosen for option in self.options)

    @property
    def too_many(self) -> bool:
        """Whether more options are chosen than asked for; the page says so, but never refuses the choice."""
        return self.chosen > self.choose

    @property
    def ends_block(self) -> bool:
        """Without JavaScript, the button is repeated after every tenth question."""
        return self.position % BLOCK == 0

    @property
    def name(self) -> str:
        """The accessible name of its cell on the answer sheet."""
        state = "answered" if self.answered else "incomplete" if self.incomplete else "unanswered"
        states = [state] + (["flagged"] if self.flagged else [])
        return f"Question {self.position}, {', '.join(states)}"

    @property
    def instruction(self) -> str:
        words = {1: "one", 2: "two", 3: "three"}
        return f"Choose {words.get(self.choose, self.choose)}"


@dataclass(frozen=True)
class SessionPage:
    """A running session.

    ``here`` is the question where the learner left off, ``latest`` the writer of the newest save.
    """

    session: PracticeSession
    items: list[ItemView]
    remaining_ms: int | None
    paused: bool
    here: int = 1
    latest: int = 0
    unanswered_positions: list[int] = field(default_factory=list)

    @property
    def base(self) -> str:
        """The state the page is rendered with, for a save without JavaScript."""
        return ";".join(item.base for item in self.items)

    @property
    def answered(self) -> int:
        return sum(item.answered for item in self.items)

    @property
    def incomplete(self) -> list[int]:
        """The positions with too few options chosen."""
        return [item.position for item in self.items if item.incomplete]

    @property
    def flagged(self) -> list[int]:
        return [item.position for item in self.items if item.flagged]

    @property
    def marked(self) -> dict[int, tuple[Breakdown, bool]]:
        """By position, the breakdown of each marked question, and whether a variant can follow; empty for a mock."""
        return {item.position: (item.breakdown, item.contrast) for item in self.items if item.breakdown}


def session_of(session_uuid: uuid.UUID, owner: Owner | None) -> PracticeSession:
    """The owner's session with exam, guide and learner. Raises NotYours."""
    if owner is None:
        raise NotYours
    for each in owners_in_turn(owner):
        for session in _sessions(session_uuid, each.user_id, each.guest_key):
            return session
    raise NotYours


@composed_once
def _sessions(session_uuid: uuid.UUID, user_id: int | None, guest_key: str | None) -> QuerySet[PracticeSession]:
    rows = PracticeSession.objects.select_related("exam", "blueprint", "learner")
    return rows.exclude(mode__in=UNLISTED).filter(uuid=session_uuid, **Owner(user_id, guest_key).of_row).order_by()


def is_a_users(session_uuid: uuid.UUID) -> bool:
    """Whether this session belongs to somebody with an account."""
    return PracticeSession.objects.filter(uuid=session_uuid, learner__user__isnull=False).exists()


def session_page(session: PracticeSession, now: dt.datetime, *, prompts_alone: bool = False) -> SessionPage:
    """The whole session with every prompt. A drill adds hints, and breakdowns of checked questions.

    ``prompts_alone``: only prompts, whatever the mode. No hint, key or solution is read from the database.
    """
    items = items_of(session)
    versions = {version.pk: version for version in _prompts([item.version_id for item in items])}
    heads, hints, broken = {}, {}, {}
    if session.mode != Mode.MOCK:
        heads = _heads(session, versions)
    if session.mode != Mode.MOCK and not prompts_alone:
        hints = {hint.version_id: hint.html for hint in Hint.objects.filter(version__in=versions)}
        broken = checked_breakdowns(session, items)
    if prompts_alone:
        for item in items:  # right or wrong would give away the key; the device itself knows what was checked
            item.checked_at = item.is_correct = None
    views = [
        _view(item, versions[item.version_id], heads, hints, *broken.get(item.position, (None, False)))
        for item in items
    ]
    return SessionPage(
        session=session,
        items=views,
        remaining_ms=remaining_ms(session, now),
        paused=session.paused_at is not None,
        here=left_at((item.writer, item.sequence, item.position) for item in items),
        latest=max((item.writer for item in items), default=0),
        unanswered_positions=[view.position for view in views if not view.chosen],
    )


@composed_once
def _prompts(versions: Collection[int]) -> QuerySet[QuestionVersion]:
    return QuestionVersion.objects.only(*PROMPT).filter(pk__in=versions).order_by()


def remaining_ms(session: PracticeSession, now: dt.datetime) -> int | None:
    """Milliseconds left by the server's clock; None if untimed; a paused clock stands still.

    Never more than at the start, however the server's clock was changed since.
    """
    if session.deadline is None:
        return None
    moment = max(session.paused_at or now, session.started_at)
    return max(0, int((session.deadline - moment).total_seconds() * 1000))


def checked_breakdowns(session: PracticeSession, items: list[SessionItem]) -> dict[int, tuple[Breakdown, bool]]:
    """By position, the breakdowns of a drill's already marked items, and whether a variant can follow."""
    checked = [item for item in items if item.checked_at]
    if not checked:
        return {}
    versions = {version.pk: version for version in _solved([item.version_id for item in checked])}
    names = concept_names(list(versions.values()))
    keys, turning = keys_in_force(versions), contrastable(session.learner_id, versions.values())
    back = kept_back(session.learner_id, versions.values())
    broken = {}
    for item in checked:
        version, masks = versions[item.version_id], keys[item.version_id].masks
        breakdown = breakdown_of(version, item.option_order, item.selected, names, masks, back[version.pk])
        broken[item.position] = (replace(breakdown, seconds=item.seconds), version.pk in turning)
    return broken


@composed_once
def _solved(versions: Collection[int]) -> QuerySet[QuestionVersion]:
    return QuestionVersion.objects.select_related("solution", "question").filter(pk__in=versions).order_by()


def _heads(session: PracticeSession, versions: dict[int, QuestionVersion]) -> dict[int, str]:
    domains = {version.domain_id for version in versions.values()}
    printed = BlueprintDomain.objects.filter(domain__in=domains, blueprint__is_current=True)
    names = dict(printed.values_list("domain_id", "name"))
    return {pk: f"{names.get(v.domain_id, '')} · {v.difficulty}" for pk, v in versions.items()}


def _view(
    item: SessionItem,
    version: QuestionVersion,
    heads: dict[int, str],
    hints: dict[int, dict[str, object]],
    breakdown: Breakdown | None,
    contrast: bool,
) -> ItemView:
    options = [
        OptionView(
            place=place,
            letter=LETTERS[place],
            html=version.options_html[str(slot)],
            chosen=bool(item.selected >> slot & 1),
            struck=bool(item.struck >> slot & 1),
        )
        for place, slot in enumerate(order_slots(item.option_order))
    ]
    return ItemView(
        position=item.position,
        kind=version.kind,
        choose=version.choose,
        stem_html=version.stem_html,
        options=options,
        flagged=item.flagged,
        confidence=item.confidence,
        checked=item.checked_at is not None,
        is_correct=item.is_correct,
        base=CLOSED if item.checked_at else base_of([o.place for o in options if o.chosen], item.flagged),
        seconds=item.seconds,
        head=heads.get(version.pk, ""),
        hint=hints.get(version.pk),
        breakdown=breakdown,
        contrast=contrast,
    )
