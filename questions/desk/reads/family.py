"""What the family page shows besides the form: each question's state, findings and possible actions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from questions.lint.reads import known_names
from questions.lint.rules import REFUSE, Problem, lint, lint_families
from questions.versions.models.drafts import Question
from questions.versions.models.versions import Solution
from questions.versions.reads.drafts import draft_of, draft_of_version, with_draft
from questions.versions.rules.draft_diff import FieldChange, changes


@dataclass(frozen=True)
class Member:
    """A question of a family. ``errors`` keep it from review; ``live`` is its version number, if it has one.

    ``changed`` is how its draft differs from its live version.
    """

    question: Question
    live: int | None
    errors: int
    beside: list[Problem]
    changed: list[FieldChange]

    @property
    def may_withdraw(self) -> bool:
        """Whether it is in use."""
        return self.live is not None and self.question.withdrawn_at is None

    @property
    def may_put_back(self) -> bool:
        """Whether it is withdrawn."""
        return self.live is not None and self.question.withdrawn_at is not None


def members_of(family_id: int) -> list[Question]:
    """A family's questions in order, without retired ones, in a constant number of queries."""
    rows = with_draft(Question.objects.filter(family=family_id, retired_at=None))
    return list(rows.select_related("exam", "live_version", "domain", "family").order_by("place", "pk"))


def family_page(members: Sequence[Question]) -> list[Member]:
    """Each question with its findings, alone and as part of the family."""
    drafts = {each.pk: draft_of(each) for each in members}
    known = known_names(members[0].exam)
    found = list(lint_families(drafts.values()))
    changed = changes_of(members)
    return [
        Member(
            each,
            each.live_version.number if each.live_version else None,
            len(lint(drafts[each.pk], known, REFUSE)),
            [problem for draft, problem in found if draft.key == each.key],
            changed.get(each.pk, []),
        )
        for each in members
    ]


def changes_of(members: Sequence[Question]) -> dict[int, list[FieldChange]]:
    """By question, how its draft differs from its live version; unchanged ones are left out."""
    parts = ("version__question", "version__hint", "version__domain", "version__family")
    solutions = Solution.objects.select_related(*parts).filter(version__live_of__in=members)
    solutions = solutions.prefetch_related("version__concepts")
    live = {solution.version.question_id: draft_of_version(solution) for solution in solutions}
    found = {each.pk: changes(live[each.pk], draft_of(each)) for each in members if each.pk in live}
    return {pk: lines for pk, lines in found.items() if lines}
