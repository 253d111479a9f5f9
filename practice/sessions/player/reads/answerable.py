"""The question behind a public page's form."""

from __future__ import annotations

from questions.versions.models.drafts import Pool, Question


def answerable(exam_slug: str, number: str) -> Question | None:
    """The public, live question with that number, with what its verdict needs; None for any other."""
    rows = Question.objects.select_related(
        "exam", "live_version__domain", "live_version__solution", "live_version__question"
    )
    return rows.filter(
        exam__slug=exam_slug,
        number=int(number) if number.isdecimal() and len(number) < 9 else 0,
        pool=Pool.PUBLIC,
        live_version__isnull=False,
        withdrawn_at=None,
        retired_at=None,
    ).first()
