"""The editors' list of questions: every column and filter in one query."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import (
    Case,
    Count,
    ExpressionWrapper,
    F,
    FloatField,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    When,
)
from django.db.models.functions import Cast, Coalesce, NullIf, Sqrt

from courseiva.common.quick.statements import composed_once
from questions.reports.models import ContentReport, ReportState
from questions.versions.models.drafts import Question, QuestionSource
from questions.versions.rules.draft import ANSWER_PARTS
from questions.versions.statistics.reads.figures import counts_of_live

LONG = ("stem", *ANSWER_PARTS, "key_concepts", "exam_tips")
LONG_OF_VERSION = ("stem", "options", "stem_html", "options_html", "change_note")


def questions_to_edit(questions: QuerySet[Question]) -> QuerySet[Question]:
    """With ``reports_open``, ``facility``, ``discrimination``, ``answers`` and ``reviewed_on`` on every row."""
    measured = counts_of_live()
    reports = ContentReport.objects.filter(version__question=OuterRef("pk"), state=ReportState.OPEN).order_by()
    sources = QuestionSource.objects.filter(question=OuterRef("pk")).order_by().values("question")
    rows = questions.select_related("exam", "domain__exam", "live_version").defer(
        *LONG, *(f"live_version__{name}" for name in LONG_OF_VERSION)
    )
    return rows.annotate(
        reports_open=Coalesce(
            Subquery(reports.values("version__question").annotate(n=Count("pk")).values("n")),
            0,
            output_field=IntegerField(),
        ),
        answers=Subquery(measured.values("n")[:1]),
        facility=Subquery(measured.values(share=Cast(F("right"), FloatField()) / NullIf(F("n"), 0))[:1]),
        discrimination=Subquery(measured.values(r=_correlation())[:1]),
        reviewed_on=Subquery(sources.annotate(last=Max("as_of")).values("last")),
    )


@composed_once
def rows_to_edit(questions: Collection[int]) -> QuerySet[Question]:
    """The questions with these ids, as ``questions_to_edit`` has them, in no order."""
    return questions_to_edit(Question.objects.filter(pk__in=questions)).order_by()


def _correlation() -> Case:
    """``item_figures.rest_correlation`` as an expression; null if undefined."""
    n, part, total, part_total, squares = (
        Cast(F(name), FloatField()) for name in ("rest_n", "rest_right_n", "rest_sum", "rest_right_sum", "rest_squares")
    )
    spread = ExpressionWrapper((n * part - part * part) * (n * squares - total * total), output_field=FloatField())
    above = ExpressionWrapper(n * part_total - part * total, output_field=FloatField())
    return Case(When(rest_n__gt=0, then=above / NullIf(Sqrt(spread), 0.0)), default=None, output_field=FloatField())


def naming(questions: QuerySet[Question], number: str) -> QuerySet[Question]:
    """Questions whose drafts name this objective or one of its points.

    The list of numbers is searched as text, which both databases support: each number is in quotation marks.
    """
    rows = questions.alias(objectives_text=Cast("objectives", TextField()))
    return rows.filter(Q(objectives_text__contains=f'"{number}"') | Q(objectives_text__contains=f'"{number}.'))
