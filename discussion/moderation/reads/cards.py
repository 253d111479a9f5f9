"""A comment as shown to moderators: evidence, context, its author's record, reports, and who has claimed it."""

from __future__ import annotations

import datetime as dt
import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from math import ceil
from typing import Any

from django.db.models import Count, F, Max, Q, QuerySet, Window
from django.db.models.functions import RowNumber

from discussion.comments.models.comments import READABLE, WAITING, Comment, Hit, Kind, State
from discussion.comments.models.moderation import (
    Claim,
    CommentReport,
    Harm,
    KeptText,
    Reason,
    Suspension,
    legible,
)
from discussion.comments.rules.references import option_words
from discussion.screening.rules.parts import FIRST_POST, INVISIBLE, RATE, REASONS
from discussion.screening.rules.text import UNSEEN
from questions.versions.reads.public import public_address

CONTEXT_REPLIES = 2
"""Enough to see what a comment answers. The whole conversation is a link away, and four cards should fit a screen."""
MOST_EVIDENCE = 80
"""A longer stretch isn't evidence but the comment itself, which the card shows anyway."""
LONG, LINES = 280, 3
"""Texts with more characters or lines are cut in the queue, until the card is opened."""
OF_THE_RECORD = {FIRST_POST, RATE}
"""Rules about the author: they match the whole text, so nothing in it is highlighted."""
TURNS_TEXT = re.compile("[\u202a-\u202e\u2066-\u2069]")


@dataclass(frozen=True)
class Stretch:
    """A piece of the text; ``why`` says what the rules found in it, and is empty if nothing."""

    text: str
    why: str
    rules: list[str]


@dataclass(frozen=True)
class Finding:
    """A reason for holding, with the words that show it; none if it is about the whole comment or its author.

    ``is_of_then``: about the author's record at the time of posting.
    """

    rule: str
    reason: str
    evidence: list[str]
    is_of_then: bool = False


@dataclass(frozen=True)
class Record:
    """The decisions on an author's comments, and suspensions. ``withdrawn`` were deleted before a decision."""

    approved: int
    rejected: int
    spam: int
    waiting: int
    withdrawn: int
    suspensions: int
    suspended_until: dt.datetime | None


@dataclass(frozen=True)
class ReportLine:
    """Readers' reports of one kind: how many, and what they added."""

    harm: Harm
    count: int
    texts: list[str]
    is_grave: bool


@dataclass(frozen=True)
class Card:
    """Everything needed for a decision. ``since`` is how long it has waited, in the queue.

    ``taken_for`` is for how many more seconds another moderator's claim lasts.
    """

    comment: Comment
    text: str
    earlier: list[KeptText]
    since: dt.datetime | None
    name: str
    question_name: str
    question_url: str
    stretches: list[Stretch]
    findings: list[Finding]
    options: list[str]
    reports: list[ReportLine]
    record: Record | None
    replies: list[Comment]
    claim: Claim | None
    is_mine: bool
    is_own: bool
    taken_for: int
    lock_reason: str | None
    slow_minutes: int

    @property
    def is_long(self) -> bool:
        """Whether the queue's card shows only its beginning."""
        return len(self.text) > LONG or self.text.count("\n") >= LINES

    @property
    def is_live(self) -> bool:
        """Whether everybody can read it now."""
        return self.comment.is_readable

    @property
    def decided_for(self) -> str:
        """The moderator's reason as authors read it; "" where there is none."""
        return str(dict(Reason.choices).get(self.comment.state_reason, ""))

    @property
    def is_harm(self) -> bool:
        """Whether everybody can read it and it is reported as a leak or abuse."""
        return self.is_live and any(line.is_grave for line in self.reports)

    @property
    def waits(self) -> bool:
        """Whether a moderator has to decide on it."""
        return bool(self.reports) if self.comment.deleted_at else self._is_undecided

    @property
    def _is_undecided(self) -> bool:
        return self.comment.state == State.HELD or (self.is_live and bool(self.reports))

    @property
    def is_removable(self) -> bool:
        """Whether it isn't waiting but can still be removed."""
        return self.is_live and not self.waits and not self.is_own

    @property
    def is_editable(self) -> bool:
        """Whether its text can be edited."""
        return (self.is_live or self.waits) and not self.is_own and not self.comment.deleted_at

    @property
    def is_taken(self) -> bool:
        return self.taken_for > 0

    @property
    def is_correction(self) -> bool:
        """Whether it is a correction: editors decide if it is right; approving sends it to them."""
        return self.comment.kind == Kind.CORRECTION


def cards_of(since: Mapping[int, dt.datetime | None], moderator_id: int, now: dt.datetime) -> list[Card]:
    """The cards of these comments in this order, with how long each has waited. Eight queries, however many."""
    found = {row.pk: row for row in _with_people(Comment.objects.filter(legible(), pk__in=since))}
    comments = [found[pk] for pk in since if pk in found]
    facts = _Facts(
        since=since,
        hits=_hits(comments),
        reports=_reports(comments),
        records=records_of({row.author_id for row in comments if row.author_id}, now),
        replies=_replies(comments),
        claims={row.comment_id: row for row in _claims(comments, now)},
        kept=_kept(comments),
    )
    return [_card(row, facts, moderator_id, now) for row in comments]


def stretches(text: str, hits: Iterable[Hit]) -> list[Stretch]:
    """The text split where evidence starts and ends; overlapping findings make one piece.

    Invisible characters are named where they hide something.
    """
    pieces, place = [], 0
    for start, end, rules in _regions(hits, len(text)):
        pieces += [_stretch(text[place:start], []), _stretch(text[start:end], rules)]
        place = end
    return [piece for piece in [*pieces, _stretch(text[place:], [])] if piece.text]


def _regions(hits: Iterable[Hit], length: int) -> list[tuple[int, int, list[str]]]:
    """Where words show something and what: start, end and rules. Places that share a character are one."""
    spans = [hit for hit in hits if hit.rule not in OF_THE_RECORD and 0 <= hit.start < hit.end <= length]
    found: list[tuple[int, int, set[str]]] = []
    for hit in sorted(spans, key=lambda hit: (hit.start, hit.end)):
        if found and hit.start < found[-1][1]:
            start, end, rules = found.pop()
            found.append((start, max(end, hit.end), rules | {hit.rule}))
        else:
            found.append((hit.start, hit.end, {hit.rule}))
    return [(start, end, sorted(rules)) for start, end, rules in found]


def _stretch(text: str, rules: list[str]) -> Stretch:
    unseen = UNSEEN if INVISIBLE in rules else TURNS_TEXT
    shown = unseen.sub(lambda match: f"[U+{ord(match.group()):04X}]", text)
    return Stretch(shown, " ".join(_reason(rule) for rule in rules), rules)


@dataclass(frozen=True)
class _Facts:
    """The results of each query, by comment, author or parent."""

    since: Mapping[int, dt.datetime | None]
    hits: dict[int, list[Hit]]
    reports: dict[int, list[CommentReport]]
    records: dict[int | None, Record]
    replies: dict[int | None, list[Comment]]
    claims: dict[int, Claim]
    kept: dict[int, list[KeptText]]


def _card(comment: Comment, facts: _Facts, moderator_id: int, now: dt.datetime) -> Card:
    question, version = comment.question, comment.version
    thread = getattr(question, "thread", None)
    words = option_words(version.options_html)
    url = public_address(version, question)
    claim = facts.claims.get(comment.pk)
    is_mine = claim is not None and claim.moderator_id == moderator_id
    kept = facts.kept[comment.pk]
    text = kept[-1].text if comment.deleted_at else comment.text
    return Card(
        comment=comment,
        text=text,
        earlier=[each for each in kept if not each.is_deleted],
        since=facts.since[comment.pk],
        name=comment.author.get_short_name() if comment.author else "",
        question_name=f"{question.exam.code} question {question.number}" if url else f"{question.exam.code}, reserved",
        question_url=url,
        stretches=stretches(text, facts.hits[comment.pk]),
        findings=_findings(text, facts.hits[comment.pk]),
        options=[f"{{option:{slot}}}: {words[slot]}" for slot in comment.slots if slot in words],
        reports=_report_lines(facts.reports[comment.pk]),
        record=facts.records.get(comment.author_id),
        replies=[reply for reply in facts.replies[comment.parent_id] if reply.pk != comment.pk],
        claim=claim,
        is_mine=is_mine,
        is_own=comment.author_id == moderator_id,
        taken_for=ceil((claim.until - now).total_seconds()) if claim and not is_mine else 0,
        lock_reason=thread.reason if thread and thread.locked_at else None,
        slow_minutes=thread.slow_minutes if thread else 0,
    )


def _with_people(rows: QuerySet[Comment]) -> QuerySet[Comment]:
    return rows.select_related(
        "author",
        "version",
        "question__exam",
        "question__live_version",
        "question__thread",
        "parent__author",
        "state_by",
    )


def _reason(rule: str) -> str:
    return REASONS.get(rule, rule)


def _findings(text: str, hits: list[Hit]) -> list[Finding]:
    """One line for each rule, in the order of the text; words that several rules found are quoted once."""
    evidence: dict[str, list[str]] = {hit.rule: [] for hit in hits}
    for start, end, rules in _regions(hits, len(text)):
        first = next(rule for rule in evidence if rule in rules)
        words = text[start:end]
        if len(words) <= MOST_EVIDENCE and words not in evidence[first]:
            evidence[first].append(words)
    return [Finding(rule, _reason(rule), quoted, rule in OF_THE_RECORD) for rule, quoted in evidence.items()]


def _report_lines(reports: list[CommentReport]) -> list[ReportLine]:
    """The reports by reason, most serious first."""
    by_reason: dict[str, list[str]] = {}
    for report in reports:
        by_reason.setdefault(report.reason, []).append(report.text)
    return [
        ReportLine(
            harm,
            len(by_reason[harm]),
            list(dict.fromkeys(filter(None, by_reason[harm]))),
            harm in (Harm.LEAK, Harm.ABUSE),
        )
        for harm in Harm
        if harm in by_reason
    ]


def _hits(comments: list[Comment]) -> dict[int, list[Hit]]:
    found: dict[int, list[Hit]] = defaultdict(list)
    for hit in Hit.objects.filter(comment__in=comments).order_by("start", "end", "rule"):
        found[hit.comment_id].append(hit)
    return found


def _reports(comments: list[Comment]) -> dict[int, list[CommentReport]]:
    found: dict[int, list[CommentReport]] = defaultdict(list)
    for report in CommentReport.objects.filter(comment__in=comments, closed_at=None).order_by("pk"):
        found[report.comment_id].append(report)
    return found


def _kept(comments: list[Comment]) -> dict[int, list[KeptText]]:
    """Texts withdrawn by their authors, latest last."""
    found: dict[int, list[KeptText]] = defaultdict(list)
    for kept in KeptText.objects.filter(comment__in=comments).exclude(text="").order_by("pk"):
        found[kept.comment_id].append(kept)
    return found


def _claims(comments: list[Comment], now: dt.datetime) -> QuerySet[Claim]:
    return Claim.objects.filter(comment__in=comments, until__gt=now).select_related("moderator")


def records_of(authors: Collection[int], now: dt.datetime) -> dict[int | None, Record]:
    """The record of each author who has written something, in two queries."""
    counts = Comment.objects.filter(author__in=authors).values("author").order_by("author")
    counts = counts.annotate(
        approved=Count("pk", filter=READABLE),
        rejected=Count("pk", filter=Q(state=State.REMOVED)),
        spam=Count("pk", filter=Q(state=State.SPAM)),
        waiting=Count("pk", filter=WAITING),
        withdrawn=Count("pk", filter=Q(pk__in=KeptText.objects.filter(is_deleted=True).values("comment"))),
    )
    suspensions = Suspension.objects.filter(user__in=authors, lifted_at=None).values("user").order_by("user")
    times: dict[int, Any] = {row["user"]: row for row in suspensions.annotate(n=Count("pk"), until=Max("until"))}
    return {
        row["author"]: Record(
            approved=row["approved"],
            rejected=row["rejected"],
            spam=row["spam"],
            waiting=row["waiting"],
            withdrawn=row["withdrawn"],
            suspensions=times[row["author"]]["n"] if row["author"] in times else 0,
            suspended_until=_still(times.get(row["author"]), now),
        )
        for row in counts
    }


def _still(suspension: dict[str, Any] | None, now: dt.datetime) -> dt.datetime | None:
    until: dt.datetime | None = suspension["until"] if suspension else None
    return until if until and until > now else None


def _replies(comments: list[Comment]) -> dict[int | None, list[Comment]]:
    """The latest public replies, by the comment they answer."""
    parents = {row.parent_id for row in comments if row.parent_id}
    place = Window(RowNumber(), partition_by=F("parent"), order_by=F("pk").desc())
    rows = Comment.objects.filter(READABLE, parent__in=parents).annotate(place=place)
    rows = rows.filter(place__lte=CONTEXT_REPLIES + 1).select_related("author").order_by("pk")
    found: dict[int | None, list[Comment]] = defaultdict(list)
    for row in rows:
        found[row.parent_id].append(row)
    return found
