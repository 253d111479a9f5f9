"""Fills the editors' desk of a dump with drafts and versions, and its discussion with comments in all states."""

from __future__ import annotations

import dataclasses
import datetime as dt
from typing import TYPE_CHECKING, Any

from discussion.mail.follow import follow
from discussion.mail.settle import send_corrections
from discussion.models import Act, Comment, Harm, Kind, Reason, State
from discussion.moderation.acts.decide import decide, edit_out, lock_thread, suspend
from discussion.moderation.acts.decide_many import Choice, decide_all
from discussion.reactions.report import report_comment
from discussion.reactions.vote import vote
from discussion.threads.post import Draft, delete, post
from questions.desk import decide as write
from questions.models import Change, ContentReport, Question, QuestionVersion, ReportKind, ReportState
from questions.reports.reads.reporters import Reporter
from questions.reports.report import Answer, Complaint, answer_report, report
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.draft import DraftQuestion

if TYPE_CHECKING:
    from filling import Site

TALKED_OF = "tides-aalborg"
DRAFT, IN_REVIEW, SENT_BACK, NEW = "tides-cadiz", "tides-dover", "cargo-cadiz", "a-quay-without-a-crane"
EDITED, KEY_CHANGED, WITHDRAWN, RETIRED = "tides-aalborg", "cargo-bergen", "cargo-faro", "cargo-hamina"


def _question(site: Site, key: str) -> Question:
    return Question.objects.get(exam=site.exam, key=key)


def _live(site: Site, key: str) -> QuestionVersion:
    version = _question(site, key).live_version
    assert version
    return version


def _edit(site: Site, key: str, now: dt.datetime, **changes: Any) -> Question:
    question = _question(site, key)
    changed = dataclasses.replace(draft_of(question), **changes)
    return write.keep(question.pk, changed, question.revision, site.users["edith"], now)


def desk(site: Site) -> None:
    """Publish two questions in a second version and one in a third, and leave a draft in each state."""
    now, edith, rolf = site.at(days=8.5), site.users["edith"], site.users["rolf"]
    _publish(site, EDITED, Change.TYPO, now, takeaway="Aalborg acts within the hour (tides).")
    _publish(site, EDITED, Change.SEMANTIC, site.at(days=8), explanation="A ship off Aalborg pays by the minute.")
    _publish(site, KEY_CHANGED, Change.KEY, site.at(days=7), options=_other_key(draft_of(_question(site, KEY_CHANGED))))
    now = site.at(days=2)
    _edit(site, DRAFT, now, trap="Waiting in Cadiz for a table that nobody prints.")
    for key in (IN_REVIEW, SENT_BACK):
        question = _edit(site, key, now, detail=f"The book of the harbour names {key} twice.")
        write.submit(question.pk, question.revision, edith, now, "Please read.")
    question = _question(site, SENT_BACK)
    write.send_back(question.pk, question.revision, rolf, now, "Say which book it is.")
    pattern = draft_of(_question(site, "cargo-kiel"))
    fresh = write.begin(site.exam, _moved(pattern, "Kiel", "Zadar", NEW), edith, now)
    write.comment(fresh.pk, rolf, now, "Where is Zadar?")
    write.withdraw(_question(site, WITHDRAWN).pk, rolf, now, "The price list changed.")
    write.retire(_question(site, RETIRED).pk, rolf, now, "The harbour closed.")


def _publish(site: Site, key: str, change: Change, now: dt.datetime, **changes: Any) -> None:
    question = _edit(site, key, now, **changes)
    write.submit(question.pk, question.revision, site.users["edith"], now)
    question.refresh_from_db()
    write.release(question.pk, question.revision, site.users["rolf"], now, write.Publishing(change, f"{change.label}."))


def _other_key(draft: DraftQuestion) -> tuple[Any, ...]:
    """Return the options with the next one right."""
    at = next(place for place, option in enumerate(draft.options) if option.right)
    turned = (at + 1) % len(draft.options)
    return tuple(dataclasses.replace(option, right=place == turned) for place, option in enumerate(draft.options))


def _moved(draft: DraftQuestion, old: str, new: str, key: str) -> DraftQuestion:
    """Return the same question about another harbour."""

    def moved(value: Any) -> Any:
        if isinstance(value, str):
            return value.replace(old, new)
        if isinstance(value, tuple):
            return tuple(moved(each) for each in value)
        if dataclasses.is_dataclass(value) and not isinstance(value, type):
            names = [part.name for part in dataclasses.fields(value)]
            return dataclasses.replace(value, **{name: moved(getattr(value, name)) for name in names})
        return value

    changed: DraftQuestion = dataclasses.replace(moved(draft), key=key)
    return changed


def talk(site: Site) -> None:
    """Post comments in every state, votes, reports of comments and errors, and close a thread."""
    _comments(site)
    _content_reports(site)


def _say(site: Site, who: str, text: str, days: float, kind: Kind = Kind.TIP, parent: Comment | None = None) -> Comment:
    version, author = _live(site, TALKED_OF), site.users[who]
    made = post(version, author.pk, Draft(kind, text), site.at(days=days), parent.pk if parent else None)
    made.refresh_from_db()
    return made


def _approved(site: Site, who: str, text: str, days: float, **more: Any) -> Comment:
    made = _say(site, who, text, days, **more)
    if made.state == State.HELD:  # an author with an approved comment is not held
        decide(made, Act.APPROVE, site.users["mona"], site.at(days=days - 0.1))
    return made


def _comments(site: Site) -> None:
    tip = _approved(site, "finn", "Look for **late by** in the stem: everything else waits. {option:1}", 6.5)
    reply = _approved(site, "emil", "That helped me with the pilots as well.", 6.3, parent=tip)
    _approved(site, "dora", "In Aalborg the tide table hangs beside the door.", 6.1)
    _approved(site, "clara", "Why does nobody call the harbour master first?", 6.1, kind=Kind.QUESTION)
    _approved(site, "ben", "The explanation says minute, and the sources say hour.", 6, kind=Kind.CORRECTION)
    stub = _approved(site, "anna", "I take this back in a moment.", 5.8)
    _approved(site, "finn", "Please leave it as it stands.", 5.6, parent=stub)
    delete(stub.pk, site.users["anna"].pk, site.at(days=5.4))
    _hidden(site)
    vote(tip.pk, site.users["anna"].pk, True, site.at(days=4))
    vote(tip.pk, site.users["ben"].pk, True, site.at(days=4))
    follow(tip, site.users["clara"].pk, site.at(days=4))
    report_comment(reply.pk, site.users["anna"].pk, Harm.OTHER, "It says the same as the tip.", site.at(days=3))
    send_corrections(site.at(days=1))


def _hidden(site: Site) -> None:
    """Leave comments removed, marked as spam, edited and held; suspend an author and close another thread."""
    mona = site.users["mona"]
    removed = _say(site, "emil", "I had this very question in my exam on Tuesday.", 5.3)
    decide(removed, Act.REJECT, mona, site.at(days=5.2), Reason.LEAK)
    spam = _say(site, "finn", "All answers for little money at dumps.example, write to me", 5.1)
    decide_all([spam.pk], Choice(Act.SPAM), mona, site.at(days=5))
    cut = _say(site, "clara", "Call my uncle in Aalborg, 0045 555 0100, he knows tides.", 4.9)
    edit_out(cut, "Somebody in Aalborg knows tides.", mona, site.at(days=4.8), Reason.PERSONAL)
    _say(site, "anna", "Held until somebody reads it: see https://harbours.example/more", 4.7)
    now = site.at(days=2)
    suspend(site.users["emil"].pk, now + dt.timedelta(days=30), mona, now, "Exam content, again.")
    lock_thread(_question(site, "cargo-aalborg").pk, mona, now, "Closed while the key is checked.")


def _content_reports(site: Site) -> None:
    """Send error reports, one of a guest and one on a reserved question, and leave one in each state."""
    now, rolf = site.at(days=6), site.users["rolf"]
    version, reserved = _live(site, "cargo-kiel"), _live(site, "tides-bergen")
    words = "The stem does not say which quay it is."
    report(version, Complaint(ReportKind.WORDING, words, 1), Reporter(network="192.0.2.1"), now)

    def told(who: str, about: QuestionVersion, kind: ReportKind) -> ContentReport:
        return report(about, Complaint(kind, f"{words} ({who})"), Reporter(user_id=site.users[who].pk), now)

    answers = {
        "anna": Answer(ReportState.ACCEPTED, "The next version says it.", "The stem names the quay."),
        "ben": Answer(ReportState.DECLINED, "It does, in its first words."),
        "clara": Answer(ReportState.DUPLICATE, ""),
    }
    for who, answer in answers.items():
        answer_report(told(who, version, ReportKind.WORDING).pk, answer, 0, rolf, site.at(days=5))
    told("finn", reserved, ReportKind.KEY)
