"""Check how the database work for lists and searches of questions grows with the bank."""

from __future__ import annotations

import pytest
from django.db import connection

from courseiva.accounts.models import User
from questions.desk.decide import withdraw
from questions.models import Change, Concept, Question, QuestionVersion
from questions.pages.errata.reads.errata import errata_page, latest_erratum
from questions.pages.reads.lists import filtered
from questions.pages.reads.questions import RELATED, _near, find_question, question_page
from questions.versions.reads.public import public_questions, unit_number
from questions.versions.search.reads import hits, other_entries
from questions.versions.search.rules.asking import terms_of
from tests.questions.test_pages_families import publish_drafts
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.database_work import work_done, work_of
from tests.support.variants import variants

pytestmark = pytest.mark.long("many questions")


def analyze() -> None:
    """Update the planner's statistics, which are current in a large bank."""
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def prefer_indexes() -> None:
    """Have PostgreSQL use indexes as it would in a large bank; it reads small tables from end to end."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SET LOCAL enable_seqscan = off")


@pytest.mark.django_db
def test_ordering_by_family_grows_linearly_if_no_question_is_in_one() -> None:
    exam = make_exam()
    rows = filtered(exam, {}).annotate(unit=unit_number()).order_by("unit", "number").values("pk")
    add_questions(exam, 20)
    analyze()
    small = work_of(rows)
    add_questions(exam, 60)
    analyze()
    assert work_of(rows) <= 6 * small  # there are four times as many questions, and they are sorted


def near(exam, question):
    """Return the statement that finds the questions related to this one."""
    version = question.live_version
    return _near.__wrapped__(exam.pk, version.pk, version.domain_id, question.pk, question.number, version.family_id)


@pytest.mark.django_db
def test_related_questions_are_found_by_number_not_by_sorting_the_domain() -> None:
    exam = make_exam()
    add_questions(exam, 40, domains=("d1",))
    analyze()
    small = work_of(near(exam, exam.questions.get(number=20)))
    add_questions(exam, 120, domains=("d1",))
    analyze()
    assert work_of(near(exam, exam.questions.get(number=20))) <= 1.5 * small


@pytest.mark.django_db
def test_errata_are_found_by_indexes_that_hold_nothing_else() -> None:
    exam, work = make_exam(), []
    add_questions(exam, 20)
    QuestionVersion.objects.filter(question__number=1).update(change=Change.KEY)
    exam.questions.filter(number=2).update(retired_at=NOW)
    exam.questions.filter(number=3).update(withdrawn_at=NOW)
    prefer_indexes()
    for more in (0, 60):
        add_questions(exam, more)
        analyze()
        work.append(work_done(lambda: [errata_page("1"), latest_erratum(exam)]))
    assert [line.question for line in errata_page("1").lines] == [3, 2, 1]
    assert work[1] <= 2 * work[0]  # there are four times as many questions


@pytest.mark.django_db
def test_a_search_for_a_word_in_every_question_does_not_read_the_whole_bank() -> None:
    exam, terms, work = make_exam(), terms_of("situation"), []
    for more in (20, 60):
        add_questions(exam, more)
        analyze()
        work.append(work_done(lambda: (hits(terms, public_questions(), most=25), other_entries(terms))))
    assert work[1] <= 2 * work[0]  # there are four times as many questions, and each match is still counted


@pytest.mark.django_db
def test_related_questions_are_siblings_and_then_the_next_that_share_a_concept() -> None:
    exam = make_exam()
    rare = Concept.objects.create(domain=exam.domains.get(number=1), key="rare", name="Rare")
    add_questions(exam, 4, domains=("d1",))
    publish_drafts(exam, variants(50, size=3))
    add_questions(exam, 7, domains=("d1", "d2"))
    for question in exam.questions.filter(number__in=(2, 5, 9)):
        question.live_version.concepts.set([rare])
    withdraw(exam.questions.get(number=10).pk, User.objects.create_user(email="e@e.example"), NOW, "Wrong.")
    for question in exam.questions.exclude(number=10):
        found = [line.number for line in question_page(find_question(exam.slug, question.number)).related]
        assert found == expected(exam, question), question.number


def expected(exam, question):
    """Return what the rule selects, computed in Python."""
    own = question.live_version
    concepts = set(own.concepts.all())
    rows = []
    for other in Question.objects.filter(exam=exam, withdrawn_at=None).exclude(pk=question.pk):
        version = other.live_version
        is_sibling = own.family_id is not None and version.family_id == own.family_id
        if version.domain_id == own.domain_id and (is_sibling or concepts & set(version.concepts.all())):
            rows.append((not is_sibling, other.number < question.number, other.number))
    return [number for *_, number in sorted(rows)][:RELATED]
