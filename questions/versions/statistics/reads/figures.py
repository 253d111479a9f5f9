"""Item statistics for editors: one question, and possible miskeys."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce

from courseiva.common.masks import slots_of
from questions.versions.models.drafts import Question
from questions.versions.models.versions import QuestionVersion
from questions.versions.reads.public import public_address
from questions.versions.statistics.health.reads import LETTERS, OptionCurves, curves_of, health_of
from questions.versions.statistics.health.rules import HealthFigures
from questions.versions.statistics.models import SECONDS_BINS, ItemHealth, VersionStatistics
from questions.versions.statistics.rules import (
    LEAST_ANSWERS,
    ItemCounts,
    ItemFigures,
    OptionCounts,
    OptionFigures,
    item_figures,
    strength,
)

# The figures only need the solution's key, not its text.
WITHOUT = (
    "version__solution__text", "version__solution__html", "version__stem_html", "version__options_html",
)  # fmt: skip


def counts_of_live() -> QuerySet[VersionStatistics]:
    """The counts of a question's live version, or of the one it is measured as; for a subquery."""
    root = Coalesce(OuterRef("live_version__measured_as"), OuterRef("live_version"))
    return VersionStatistics.objects.filter(version=root)


@dataclass(frozen=True)
class OptionLine:
    """An option in the version's words, with its figures; ``letter`` as in its curve."""

    text: str
    figures: OptionFigures
    letter: str


@dataclass(frozen=True)
class MeasuredVersions:
    """A version with those that only reworded it, newest first: they share their counts. None if nothing is counted.

    ``health`` is None until the nightly run has measured it.
    """

    versions: Sequence[QuestionVersion]
    is_live: bool
    figures: ItemFigures | None
    options: Sequence[OptionLine]
    health: HealthFigures | None = None
    curves: OptionCurves | None = None

    @property
    def newest(self) -> QuestionVersion:
        """The version whose text is shown."""
        return self.versions[0]


@dataclass(frozen=True)
class VariantLine:
    """A live variant of the question's family: its first exposures, and how many were right."""

    question_id: int
    title: str
    n: int
    right: int


@dataclass(frozen=True)
class QuestionStatistics:
    """A question's page, newest version first. ``public_url`` is "" if it has no public page.

    ``variants`` are its family's live questions, including itself; none for a single question.
    """

    question: Question
    measured: Sequence[MeasuredVersions]
    public_url: str
    variants: Sequence[VariantLine] = ()
    least: int = LEAST_ANSWERS

    @property
    def family_n(self) -> int:
        """First exposures of the whole family. Each learner is in it once: a second variant isn't counted."""
        return sum(line.n for line in self.variants)

    @property
    def family_right(self) -> int:
        """How many of the family's first exposures were right."""
        return sum(line.right for line in self.variants)


@dataclass(frozen=True)
class RadarLine:
    """A version with a distractor that looks like the key; if there are several, the one with the strongest
    evidence."""

    version: QuestionVersion
    option: OptionLine
    figures: ItemFigures
    evidence: float

    @property
    def strength(self) -> str:
        """How hard it is to explain by chance, in one word."""
        return strength(self.evidence)


@dataclass(frozen=True)
class Radar:
    """Questions, strongest evidence first.

    ``judged`` of the ``live`` questions have enough answers to be considered.
    """

    lines: Sequence[RadarLine]
    judged: int
    live: int
    least: int = LEAST_ANSWERS


def measured_versions() -> QuerySet[VersionStatistics]:
    """Statistics with everything for their figures and names, in two queries."""
    related = ("version__solution", "version__question__exam", "version__domain")
    rows = VersionStatistics.objects.select_related(*related).defer(*WITHOUT)
    return rows.prefetch_related("version__option_statistics")


def figures_of(row: VersionStatistics) -> ItemFigures:
    """The figures for a row of ``measured_versions``, including options nobody chose."""
    version = row.version
    key = slots_of(version.solution.key_mask)
    stored = {option.slot: option for option in version.option_statistics.all()}
    options = []
    for slot in (option["slot"] for option in version.options):
        counts = OptionCounts(slot, slot in key)
        if slot in stored:
            mine = stored[slot]
            counts = OptionCounts(slot, slot in key, mine.n, mine.rest_n, mine.rest_sum, mine.by_rest)
        options.append(counts)
    item = ItemCounts(
        n=row.n,
        right=row.right,
        rest_n=row.rest_n,
        rest_sum=row.rest_sum,
        rest_squares=row.rest_squares,
        rest_right_n=row.rest_right_n,
        rest_right_sum=row.rest_right_sum,
        by_rest=row.by_rest,
        by_seconds=row.by_seconds,
        options=options,
        choose=version.choose,
    )
    return item_figures(item, SECONDS_BINS)


def question_statistics(question_id: int) -> QuestionStatistics | None:
    """A question's page; in five queries, however many versions it has, plus one for a family."""
    question = Question.objects.select_related("exam", "live_version").filter(pk=question_id).first()
    if question is None:
        return None
    groups: dict[int, list[QuestionVersion]] = {}
    for version in question.versions.order_by("-number"):
        groups.setdefault(version.measured_as_id or version.pk, []).append(version)
    rows = {row.pk: row for row in measured_versions().filter(version__in=groups)}
    health = {row.pk: row for row in ItemHealth.objects.filter(version__in=groups)}
    live = question.live_version
    return QuestionStatistics(
        question=question,
        measured=[_measured(versions, question, rows.get(root), health.get(root)) for root, versions in groups.items()],
        public_url=public_address(live, question) if live else "",
        variants=_variants(question),
    )


def _variants(question: Question) -> list[VariantLine]:
    if question.family_id is None:
        return []
    live = QuestionVersion.objects.filter(live_of__family=question.family_id).order_by("live_of__place", "pk")
    counts = VersionStatistics.objects.filter(version=Coalesce(OuterRef("measured_as_id"), OuterRef("pk")))
    rows = live.annotate(n=Subquery(counts.values("n")), right=Subquery(counts.values("right")))
    return [
        VariantLine(question_id, title, n or 0, right or 0)
        for question_id, title, n, right in rows.values_list("question_id", "title", "n", "right")
    ]


def radar() -> Radar:
    """Live questions with a distractor that looks like the key; in three queries, however large the bank."""
    live = Question.objects.filter(live_version__isnull=False, retired_at=None)
    roots = live.values(root=Coalesce("live_version__measured_as_id", "live_version_id"))
    rows = list(measured_versions().filter(version__in=roots, rest_n__gte=LEAST_ANSWERS))
    lines = [line for row in rows if (line := _radar_line(row))]
    lines.sort(key=lambda line: (-line.evidence, line.version.pk))
    return Radar(lines, judged=len(rows), live=live.count())


def _measured(
    versions: Sequence[QuestionVersion],
    question: Question,
    row: VersionStatistics | None,
    health: ItemHealth | None,
) -> MeasuredVersions:
    figures = figures_of(row) if row and row.n else None
    return MeasuredVersions(
        versions=versions,
        is_live=any(version.pk == question.live_version_id for version in versions),
        figures=figures,
        options=_lines(versions[0], figures) if figures else [],
        health=health_of(health, figures) if health and figures else None,
        curves=curves_of(row) if row and figures else None,
    )


def _lines(version: QuestionVersion, figures: ItemFigures) -> list[OptionLine]:
    words = {option["slot"]: option["text"] for option in version.options}
    lettered = zip(LETTERS, figures.options, strict=False)
    return [OptionLine(words[option.slot], option, letter) for letter, option in lettered]


def _radar_line(row: VersionStatistics) -> RadarLine | None:
    figures = figures_of(row)
    suspects = [line for line in _lines(row.version, figures) if line.figures.evidence is not None]
    if not suspects:
        return None
    strongest = max(suspects, key=lambda line: line.figures.evidence or 0.0)
    return RadarLine(row.version, strongest, figures, strongest.figures.evidence or 0.0)
