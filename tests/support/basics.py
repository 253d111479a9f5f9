"""Basic questions for tests, as small as a question can be."""

from __future__ import annotations

from questions.catalogue.rules.sources import OWN_WORK, Source
from questions.desk.publish import Publishing, publish_draft
from questions.models import Change, Exam, Question, QuestionVersion
from questions.versions.rules.draft import DraftOption, DraftQuestion
from questions.versions.save import save_draft
from tests.support.bank import NOW, changed, draft

NOTHING = ("quick_answer", "principle", "trap", "detail", "takeaway", "example")


def basic(n: int, domain: str = "d1", options: int = 2) -> DraftQuestion:
    """Return a true-or-false statement, or a question with this many options; the first is right."""
    words = ("True", "False") if options == 2 else tuple(f"Choice {slot} of {n}" for slot in range(1, options + 1))
    return changed(
        draft(n, domain),
        key=f"basic-{n}",
        concepts=(),
        clues=(),
        key_concepts=(),
        exam_tips=(),
        **dict.fromkeys(NOTHING, ""),
        options=tuple(DraftOption(slot, text, slot == 1, "", "") for slot, text in enumerate(words, 1)),
        sources=(Source(OWN_WORK, "", None),),
    )


def publish_basic(exam: Exam, *drafts: DraftQuestion) -> list[QuestionVersion]:
    """Publish basic questions the way an editor does."""
    found = []
    for each in drafts:
        row = save_draft(exam, each, Question(exam=exam, key=each.key))
        found.append(publish_draft(row, each, NOW, Publishing(Change.FIRST, basic=True), None))
    return found
