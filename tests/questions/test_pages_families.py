"""Each question of a family has its own public page, which lists its siblings."""

import dataclasses

import pytest
from django.test import Client

from questions.desk.publish import publish
from questions.models import Change, Question, StudyModule
from questions.pages.reads.lists import question_list
from questions.pages.reads.machines.heads import question_head
from questions.pages.reads.machines.sitemap import question_entries
from questions.pages.reads.questions import find_question, question_page
from questions.versions.save import save_draft
from tests.support.bank import NOW, add_questions, changed, make_exam
from tests.support.variants import variants

pytestmark = pytest.mark.django_db


def publish_drafts(exam, drafts):
    for place, each in enumerate(drafts):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)
        exam.refresh_from_db()


@pytest.fixture
def exam():
    """Return an exam: 1 and 2 are variants, 3 to 8 are lone questions and 9 is a variant that was written later."""
    exam = make_exam()
    publish_drafts(exam, variants(50, size=2))
    add_questions(exam, 6, domains=("d1",))
    late = variants(50)[2]
    publish(save_draft(exam, late, Question(exam=exam, key=late.key, place=2)), NOW, Change.FIRST)
    return exam


def related(exam, number):
    return [(line.number, line.is_variant) for line in question_page(find_question(exam.slug, number)).related]


def test_siblings_are_the_first_related_questions(exam):
    assert related(exam, 1)[:3] == [(2, True), (9, True), (3, False)]
    assert related(exam, 9)[:2] == [(1, True), (2, True)]
    assert not any(is_variant for _, is_variant in related(exam, 4)[:1])


def test_lists_show_a_family_together(exam):
    lines = question_list(exam, {}, "1").lines
    assert [line.number for line in lines] == [1, 2, 9, 3, 4, 5, 6, 7, 8]
    assert [line.number for line in lines if line.is_variant] == [2, 9]
    assert Client().get(f"/exams/{exam.slug}/questions/").content.decode().count("data-variant") == 2


def test_each_variants_page_is_its_own_canonical_page_and_in_the_sitemap_once(exam):
    paths = [entry.path for entry in question_entries(exam)]
    assert len(paths) == len(set(paths)) == 9
    for number in (1, 2, 9):
        url = question_page(find_question(exam.slug, number)).url
        assert url in paths
        body = Client().get(url).content.decode()
        assert 'rel="canonical"' in body
        assert url in body.partition('rel="canonical"')[2].partition(">")[0]


def test_a_page_says_when_the_other_options_would_be_right(exam):
    body = Client().get(question_page(find_question(exam.slug, 1)).url).content.decode()
    assert body.count("data-right-if") == 3


def test_a_variants_description_begins_with_what_sets_it_apart(exam):
    pages = [question_page(find_question(exam.slug, number)) for number in (1, 2, 9)]
    said = [question_head(page, "https://site.example").description for page in pages]
    assert len(set(said)) == 3
    assert all(page.clause and text.startswith(page.clause[:40]) for page, text in zip(pages, said, strict=True))
    plain = "It runs in us-central1, never elsewhere."
    marked = plain.replace("us-central1", "`us-central1`").replace("never", "*never*")
    page = dataclasses.replace(pages[0], clause=marked)
    assert question_head(page, "https://site.example").description.startswith(plain)
    lone = question_page(find_question(exam.slug, 4))
    assert question_head(lone, "https://site.example").description.startswith(f"{exam.slug.upper()} question 4")


def test_a_withdrawn_sibling_is_not_related(exam):
    Question.objects.filter(number=2).update(withdrawn_at=NOW)
    assert related(exam, 1)[0] == (9, True)


def test_a_variants_page_takes_no_more_statements_than_a_lone_questions(exam, django_assert_num_queries):
    lone, variant = find_question(exam.slug, 4), find_question(exam.slug, 1)
    with django_assert_num_queries(2):
        question_page(lone)
    with django_assert_num_queries(2):
        question_page(variant)


def test_a_question_links_to_the_domain_of_the_module_that_teaches_it():
    exam = make_exam()
    for number, slug in ((1, "data"), (2, "pipelines")):
        StudyModule.objects.create(exam=exam, domain=exam.domains.first(), number=number, slug=slug, changed_at=NOW)
    publish_drafts(exam, [changed(variants()[0], modules=("pipelines#02-caching",))])
    links = question_page(find_question(exam.slug, 1)).names.modules
    assert [link.url for link in links] == [
        "/exams/pmle/modules/2-pipelines/#02-caching",
        "/exams/pmle/modules/1-data/",
    ]
