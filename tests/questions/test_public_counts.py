"""Pages show the same with and without stored counts of public questions."""

import dataclasses
import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from questions.desk.decide import put_back, retire, withdraw
from questions.models import Concept, Exam, ListPart, PublicCounts, Question
from questions.pages.counted import reads
from questions.pages.counted.count import count_all, count_public
from questions.pages.counted.reads import (
    FRESH,
    counted_exams,
    counts_now,
    dated_exams,
    dates_now,
    dates_of,
    kept_counts,
    order_now,
)
from questions.pages.counted.rules import PART, SHOWN, TOGETHER
from questions.pages.reads import sample
from questions.pages.reads.exams import concept_page, exam_lines
from questions.pages.reads.feeds import feed_of
from questions.pages.reads.lists import PER_PAGE, question_list
from questions.pages.reads.sample import number_of_the_day
from questions.versions.reads.public import public_questions
from tests.questions.test_large_banks import analyze, prefer_indexes
from tests.questions.test_pages_families import publish_drafts
from tests.support.bank import NOW, add_outline, add_questions, draft, make_exam, publish_all
from tests.support.database_work import work_done
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


@pytest.fixture
def exam():
    """Return an exam with families, both kinds, a logging concept, and reserved, withdrawn and retired questions."""
    exam = make_exam()
    Concept.objects.filter(key="c2").update(name="Logging")
    add_questions(exam, 5)
    publish_drafts(exam, variants(500, size=3))
    add_questions(exam, 1, kind="multiple")
    add_questions(exam, 1, pool="reserved", domains=("d1", "d2"))
    editor = User.objects.create_user(email="e@e.example")
    first, second = Question.objects.filter(exam=exam, number__isnull=False).order_by("number")[:2]
    withdraw(first.pk, editor, NOW, "Wrong.")
    retire(second.pk, editor, NOW, "Old.")
    return exam


@pytest.fixture
def mixed(exam):
    """Return the exam with an outline and more questions on c1 than its page shows: of all difficulties, naming
    objectives and sharing concepts as often as each other or not."""
    add_outline(exam)
    add_mixed(exam, 30)
    return exam


def add_mixed(exam, n):
    start, domain = exam.questions.count() + 1, exam.domains.get(key="d1")
    levels, named = ("easy", "medium", "hard", "hard"), (("1.1.a", "2.1"), ("1.1.b",), ("9.9", "1.1.a"), (), ("3.1",))
    drafts = [
        dataclasses.replace(
            draft(at), concepts=("c1", *{f"c{2 + at % 3}", f"c{3 + at % 4}"}), difficulty=levels[at % 4],
            objectives=named[at % 5],
        )
        for at in range(start, start + n)
    ]  # fmt: skip
    publish_all(exam, [(domain, text) for text in drafts])


def kept(exam):
    """Return the exam with its stored counts, as a page reads it."""
    return counted_exams().get(pk=exam.pk)


def anew(exam):
    """Return the counts as computed now."""
    return counts_now(exam, order_now(exam))


def concepts(exam):
    """Return the addresses of the concepts' pages."""
    return [reverse("concept", args=[exam.slug, f"c{n}"]) for n in range(1, 7)]


def addresses(exam):
    """Return the addresses of pages that show counts or a part of the list."""
    number = exam.questions.filter(number__isnull=False, retired_at=None, withdrawn_at=None)[0].number
    own = [reverse(name, args=[exam.slug]) for name in ("exam", "collections", "study-guide", "questions")]
    lists = [f"{reverse('questions', args=[exam.slug])}?{asked}" for asked in ("page=2", "kind=single", "domain=d1")]
    sets = [reverse("collection", args=[exam.slug, each]) for each in ("troubleshooting", "choose-several")]
    maps = [reverse("sitemap"), reverse("sitemap-site"), reverse("sitemap-exam", args=[exam.slug])]
    about = [reverse("domain", args=[exam.slug, "d1"]), reverse("concept", args=[exam.slug, "c2"])]
    question = Question.objects.get(exam=exam, number=number).get_absolute_url()
    return [reverse("exams"), *own, *lists, *sets, *maps, *about, question]


def bytes_of(addresses):
    return {address: Client().get(address).content for address in addresses}


def test_pages_are_the_same_bytes_with_and_without_stored_counts(exam):
    found = addresses(exam)
    without = bytes_of(found)
    count_all(timezone.now())
    with CaptureQueriesContext(connection) as statements:
        assert bytes_of(found) == without
    assert sum("questions_publiccounts" in each["sql"] for each in statements) == len(found)
    assert len(ListPart.objects.get(exam=exam).questions) == kept_counts(kept(exam)).total == 39 - 2


def test_pages_of_concepts_are_the_same_bytes_with_and_without_stored_counts(mixed):
    Concept.objects.create(domain=mixed.domains.get(key="d1"), key="c0", name="A concept without questions")
    found = [*concepts(mixed), reverse("concept", args=[mixed.slug, "c0"])]
    without = bytes_of(found)
    count_all(timezone.now())
    page = concept_page(kept(mixed), "c1")
    assert len(page.questions) == SHOWN < page.question_count
    assert (len(page.tested), len(page.together)) == (3, TOGETHER)
    assert all(n for _, n in page.by_difficulty)
    assert sum(n for _, n in page.by_difficulty) == page.question_count
    assert bytes_of(found) == without


def test_counts_by_the_previous_release_are_completed_on_concept_pages(mixed):
    count_all(timezone.now())
    with_counts = bytes_of(concepts(mixed))
    row = PublicCounts.objects.get()
    del row.counts["about"]
    row.save()
    assert kept_counts(kept(mixed)).about is None
    assert bytes_of(concepts(mixed)) == with_counts


def test_a_concepts_page_takes_six_statements_and_reads_no_more_rows_in_a_larger_bank(mixed, django_assert_num_queries):
    work = []
    for more in (0, 120):
        add_mixed(mixed, more)
        analyze()
        count_all(timezone.now())
        exam = kept(mixed)
        with django_assert_num_queries(6):
            concept_page(exam, "c1")
        work.append(work_done(lambda exam=exam: concept_page(exam, "c1")))
    assert work[1] <= 1.5 * work[0]  # by now the bank is more than three times as large


def test_a_concepts_page_omits_what_was_withdrawn_or_deleted_since_the_count(mixed):
    count_all(timezone.now())
    before = concept_page(kept(mixed), "c1")
    gone = Question.objects.get(exam=mixed, number=before.questions[0].number)
    withdraw(gone.pk, User.objects.get(), NOW, "Wrong.")
    assert concept_page(kept(mixed), "c1").questions == before.questions[1:]
    Concept.objects.filter(name=before.together[0].name).delete()
    assert concept_page(kept(mixed), "c1").together == before.together[1:]


def test_a_page_takes_no_more_statements_with_stored_counts(exam):
    for address in addresses(exam):
        costs = []
        for _ in range(2):
            with CaptureQueriesContext(connection) as statements:
                Client().get(address)
            costs.append(len(statements))
            count_all(timezone.now())
        PublicCounts.objects.all().delete()
        assert costs[1] <= costs[0], address


def test_recounting_includes_what_publishing_and_withdrawing_changed(exam):
    editor, question = User.objects.get(), Question.objects.filter(exam=exam, number__isnull=False).last()
    for change in (
        lambda: add_questions(exam, 2, domains=("d3",)),
        lambda: withdraw(question.pk, editor, NOW, "Wrong."),
        lambda: put_back(question.pk, editor, NOW),
        lambda: retire(question.pk, editor, NOW, "Old."),
    ):
        count_all(timezone.now())
        before = kept_counts(kept(exam))
        change()
        assert kept_counts(kept(exam)) == before != anew(exam)
        count_all(timezone.now())
        assert kept_counts(kept(exam)).stored() == anew(exam).stored()
        assert dates_of(dated_exams().get()) == dates_now(exam)
        assert [part.questions for part in ListPart.objects.order_by("place")] == order_now(exam)


def test_dates_missing_from_the_previous_releases_counts_are_looked_up(exam):
    count_all(timezone.now())
    PublicCounts.objects.update(dates=None)
    assert dates_of(dated_exams().get()) == dates_now(exam)


def test_the_sitemap_index_takes_few_statements_and_none_about_questions(exam):
    count_all(timezone.now())
    with CaptureQueriesContext(connection) as statements:
        assert Client().get(reverse("sitemap")).status_code == 200
    assert len(statements) <= 7
    assert not [each for each in statements if '"questions_question' in each["sql"]]


def test_the_feed_is_the_same_with_and_without_stored_dates(exam):
    address = reverse("feed", args=[exam.slug])
    without = bytes_of([address])
    count_all(timezone.now())
    with CaptureQueriesContext(connection) as statements:
        assert bytes_of([address]) == without
    assert len(statements) <= 3
    assert not [each for each in statements if "LIMIT 30" in each["sql"]]
    row = PublicCounts.objects.get()
    del row.dates["newest"]  # as the previous release stores them
    row.save()
    assert bytes_of([address]) == without


def test_the_feed_reads_no_more_rows_in_a_larger_bank(mixed):
    work = []
    for more in (0, 120):
        add_mixed(mixed, more)
        analyze()
        count_all(timezone.now())
        work.append(work_done(lambda: feed_of(dated_exams().get())))
    assert work[1] <= 1.5 * work[0]


def test_a_question_withdrawn_since_the_count_is_not_in_the_feed(exam):
    count_all(timezone.now())
    before = feed_of(dated_exams().get()).entries
    withdraw(Question.objects.get(exam=exam, number=before[0].number).pk, User.objects.get(), NOW, "Wrong.")
    assert feed_of(dated_exams().get()).entries == before[1:]


def test_outdated_counts_are_not_used(exam):
    count_public(exam, timezone.now() - FRESH)
    assert kept_counts(kept(exam)) is None
    add_questions(exam, 1)
    assert exam_lines()[0].question_count == anew(exam).total
    assert question_list(kept(exam), {}, "1").total == anew(exam).total
    number = Question.objects.filter(number__isnull=False, exam=exam).last().number
    assert Client().get(reverse("exam", args=[exam.slug])).context["page"].question_count == anew(exam).total
    page = Client().get(Question.objects.get(exam=exam, number=number).get_absolute_url()).context["page"]
    assert page.question_count == anew(exam).total


def test_a_question_withdrawn_since_the_count_is_on_no_page_of_the_list(exam):
    count_all(timezone.now())
    number = question_list(kept(exam), {}, "2").lines[0].number
    withdraw(Question.objects.get(number=number).pk, User.objects.get(), NOW, "Wrong.")
    assert number not in [line.number for line in question_list(kept(exam), {}, "2").lines]


def test_a_large_list_is_stored_in_parts_and_an_emptied_part_is_deleted():
    exam = make_exam()
    add_questions(exam, PART // 6 + 1)
    count_all(timezone.now())
    assert [len(part.questions) for part in ListPart.objects.order_by("place")] == [PART, 2]
    pages = [question_list(kept(exam), {}, str(n)).lines for n in range(1, PART // PER_PAGE + 2)]
    PublicCounts.objects.all().delete()
    assert [question_list(kept(exam), {}, str(n)).lines for n in range(1, PART // PER_PAGE + 2)] == pages
    exam.questions.filter(number__gt=PART).update(withdrawn_at=NOW)
    count_all(timezone.now())
    assert [len(part.questions) for part in ListPart.objects.order_by("place")] == [PART]


def test_recounting_an_unchanged_exam_writes_one_row(exam):
    count_all(timezone.now())
    with CaptureQueriesContext(connection) as statements:
        count_public(Exam.objects.get(), timezone.now())
    writes = [each["sql"] for each in statements if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert len(writes) == 1
    assert "questions_publiccounts" in writes[0]
    assert PART % PER_PAGE == 0


def of_the_days(exam, total):
    days = [dt.date(2026, 11, 21) + dt.timedelta(n) for n in range(total)]
    return [number_of_the_day(exam, total, day) for day in days]


def test_the_question_of_each_day_is_the_same_with_and_without_stored_numbers(exam, monkeypatch):
    for module in (reads, sample):
        monkeypatch.setattr(module, "NUMBERS", 7)
    total = public_questions().count()
    without = of_the_days(exam, total)
    count_all(timezone.now())
    assert of_the_days(exam_lines()[0].exam, total) == without
    assert len(set(without)) == total == 37
    row = PublicCounts.objects.get()
    del row.dates["numbers"]  # as the previous release stores them
    row.save()
    assert of_the_days(exam_lines()[0].exam, total) == without


def test_the_question_of_the_day_is_found_without_reading_those_before_it(monkeypatch):
    exam, work = make_exam(), []
    for module in (reads, sample):
        monkeypatch.setattr(module, "NUMBERS", 12)
    prefer_indexes()
    for more in (20, 60):
        add_questions(exam, more)
        analyze()
        count_all(timezone.now())
        [line] = exam_lines()
        last = dt.date.fromordinal(1000 * line.question_count - 1)
        work.append(work_done(lambda line=line, last=last: number_of_the_day(line.exam, line.question_count, last)))
    assert number_of_the_day(line.exam, line.question_count, last) == line.question_count
    assert work[1] <= 1.5 * work[0]


def listed(exam, asked, page="1"):
    """Return a page of the list with these filters, and its number of questions."""
    found = question_list(exam, {name: values.split() for name, values in asked.items()}, page)
    return [line.number for line in found.lines], found.total


@pytest.mark.parametrize(
    "asked",
    [
        {"domain": "d1"},
        {"domain": "d6"},
        {"difficulty": "hard"},
        {"kind": "multiple"},
        {"concept": "c2"},
        {"domain": "d1 d2", "difficulty": "hard"},
        {"domain": "d1", "difficulty": "easy hard", "kind": "single"},
        {"concept": "c1", "difficulty": "hard"},
        {"concept": "c2 c3"},
    ],
)
def test_a_list_with_filters_is_the_same_with_and_without_stored_ids(mixed, asked):
    pages = ("1", "2")
    without = [listed(counted_exams().get(), asked, page) for page in pages]
    assert without[0][0]
    count_all(timezone.now())
    assert [listed(kept(mixed), asked, page) for page in pages] == without
    row = PublicCounts.objects.get()
    del row.counts["cells"]  # as the previous release stores them
    row.save()
    assert [listed(kept(mixed), asked, page) for page in pages] == without


@pytest.mark.parametrize(
    "asked",
    [
        {"domain": "d1"},
        {"difficulty": "hard"},
        {"kind": "single"},
        {"concept": "c1"},
        {"domain": "d1", "difficulty": "hard", "kind": "single"},
    ],
)
def test_the_first_page_of_a_list_with_filters_reads_no_more_rows_in_a_larger_bank(mixed, asked):
    prefer_indexes()
    work = []
    for more in (60, 180):  # the first page is full with either
        add_mixed(mixed, more)
        analyze()
        count_all(timezone.now())
        work.append(work_done(lambda: listed(kept(mixed), asked)))
    assert work[1] <= 1.5 * work[0]


def test_a_question_withdrawn_since_the_count_is_not_in_a_list_with_a_filter(exam):
    count_all(timezone.now())
    [number, *_], total = listed(kept(exam), {"domain": "d2"})
    withdraw(Question.objects.get(exam=exam, number=number).pk, User.objects.get(), NOW, "Wrong.")
    again, still = listed(kept(exam), {"domain": "d2"})
    assert number not in again
    assert still == total
