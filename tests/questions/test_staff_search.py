"""Editors find drafts by any text, number, concept or objective, and the index follows every way to write a draft."""

from __future__ import annotations

import dataclasses

import pytest
from django.core.management import call_command
from django.test import Client

from questions.desk import decide as desk
from questions.models import Concept, Desk, DraftEntry, Question, SearchEntry
from questions.versions.reads.drafts import draft_of
from tests.support.bank import NOW, add_outline, add_questions, draft, make_exam
from tests.support.editing import EDITORS, LIST, browser_of, person

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
ODD = ["", " ", "'", '"', "-", "a'b\" OR 1", "x" * 5000, "()*:&|!", "%", "\x00", "é" * 300]


@pytest.fixture
def client(alice):
    return browser_of(alice)


def found(client, text, **query):
    response = client.get(LIST, {"q": text, **query})
    assert response.status_code == 200
    return {row.pk for row in response.context["cl"].result_list}


class TestWhatIsFound:
    @pytest.mark.parametrize(
        "field", ["stem", "title", "quick_answer", "explanation", "principle", "trap", "detail", "takeaway", "example"]
    )
    def test_every_text_of_a_reserved_draft_is_found(self, client, exam, alice, field):
        text = dataclasses.replace(draft(1, pool="reserved"), **{field: "Xylograph."})
        question = desk.begin(exam, text, alice, NOW)
        desk.begin(exam, draft(2), alice, NOW)
        assert found(client, "xylograph") == {question.pk}

    @pytest.mark.parametrize("field", ["key_concepts", "exam_tips"])
    @pytest.mark.parametrize("pool", ["open", "reserved"])
    def test_key_concepts_and_exam_tips_of_a_never_published_draft_are_found(self, client, exam, alice, field, pool):
        text = dataclasses.replace(draft(1, pool=pool), **{field: ("Lamps.", "A xylograph.")})
        question = desk.begin(exam, text, alice, NOW)
        desk.begin(exam, draft(2), alice, NOW)
        assert question.live_version is None
        assert found(client, "xylograph") == found(client, '"a xylo"') == {question.pk}

    @pytest.mark.parametrize("part", ["phrase", "why"])
    def test_clues_are_found(self, client, exam, alice, part):
        whole = draft(1)
        clue = dataclasses.replace(whole.clues[0], **{part: "A xylograph."})
        question = desk.begin(exam, dataclasses.replace(whole, clues=(clue,)), alice, NOW)
        assert found(client, "xylograph") == {question.pk}

    @pytest.mark.parametrize("part", ["text", "tempts", "why", "right_if", "never"])
    def test_every_text_of_an_option_and_the_sources_is_found(self, client, exam, alice, part):
        whole = draft(1)
        first = dataclasses.replace(whole.options[1], **{part: "A xylograph."})
        source = dataclasses.replace(whole.sources[0], says="A zither.")
        text = dataclasses.replace(whole, options=(whole.options[0], first, *whole.options[2:]), sources=(source,))
        question = desk.begin(exam, text, alice, NOW)
        assert found(client, "xylograph") == found(client, "zither") == {question.pk}

    def test_prefixes_phrases_and_exclusions_work(self, client, exam, alice):
        one = desk.begin(exam, dataclasses.replace(draft(1), trap="Quantised training."), alice, NOW)
        two = desk.begin(exam, dataclasses.replace(draft(2), trap="Training quantiles."), alice, NOW)
        assert found(client, "quanti") == {one.pk, two.pk}
        assert found(client, '"quantised training"') == {one.pk}
        assert found(client, "quanti -quantiles") == {one.pk}
        assert found(client, "quanti nowhere") == set()

    def test_a_public_number_is_found_alone_and_after_its_exam(self, client, exam):
        add_questions(exam, 1)
        add_questions(make_exam("ace"), 1)
        numbered = {(each.exam.code, each.number): each.pk for each in Question.objects.select_related("exam")}
        assert {numbered["PMLE", 3], numbered["ACE", 3]} <= found(client, "3")
        assert found(client, "pmle 3") >= {numbered["PMLE", 3]}
        assert numbered["ACE", 3] not in found(client, "pmle 3")
        assert found(client, "#3") >= {numbered["PMLE", 3]}

    def test_concepts_and_objectives_are_found_by_number_and_by_words(self, client, exam):
        add_questions(exam, 1)
        add_outline(exam)
        rows = list(Question.objects.order_by("pk"))
        rows[0].concepts.add(Concept.objects.get(key="c2"))
        Concept.objects.filter(key="c2").update(name="Sliding windows")
        Question.objects.filter(pk=rows[1].pk).update(objectives=["2.1.a"])
        Question.objects.filter(pk=rows[2].pk).update(objectives=["2.10", "1.2.1"])
        call_command("rebuild_search", verbosity=0)
        assert found(client, "sliding windows") == {rows[0].pk}
        assert found(client, "2.1") == {rows[1].pk}
        assert found(client, "2.1.A") == {rows[1].pk}
        assert found(client, "printed 2") == {rows[1].pk}

    @pytest.mark.parametrize(
        "text", ["", " ", "'", '"', "-", "a'b\" OR 1", "x" * 5000, "()*:&|!", "%", "\x00", "é" * 300]
    )
    def test_any_text_can_be_searched_for(self, client, exam, alice, text):
        desk.begin(exam, draft(1), alice, NOW)
        found(client, text)

    def test_a_filter_narrows_the_search(self, client, exam, alice):
        rows = [desk.begin(exam, dataclasses.replace(draft(n), trap="Xylograph."), alice, NOW) for n in (1, 2)]
        Question.objects.filter(pk=rows[1].pk).update(desk=Desk.REVIEW)
        assert found(client, "xylograph", desk__exact="review") == {rows[1].pk}


class TestFilters:
    def test_the_list_is_filtered_by_author_or_reviewer(self, client, exam, alice):
        bob = person("bob", EDITORS)
        mine, theirs = desk.begin(exam, draft(1), alice, NOW), desk.begin(exam, draft(2), bob, NOW)
        desk.comment(mine.pk, bob, NOW, "Nice.")
        assert found(client, "", author=alice.pk) == {mine.pk}
        assert found(client, "", author=bob.pk) == {mine.pk, theirs.pk}

    def test_the_list_is_filtered_by_an_exams_concepts_and_objectives(self, client, exam, alice):
        add_outline(exam)
        text = dataclasses.replace(draft(1, "d2"), objectives=("2.1.a",))
        question, other = desk.begin(exam, text, alice, NOW), desk.begin(exam, draft(2), alice, NOW)
        concept = Concept.objects.get(key="c2")
        assert found(client, "", concept=concept.pk) == found(client, "", objective="2.1") == {question.pk}
        assert found(client, "", objective="none") == {other.pk}
        specs = client.get(LIST, {"exam__id__exact": exam.pk}).context["cl"].filter_specs
        offered = {spec.parameter_name for spec in specs if hasattr(spec, "parameter_name")}
        assert {"concept", "objective", "author"} <= offered

    @pytest.mark.parametrize("name", ["author", "concept", "objective", "work", "live", "exam__id__exact"])
    def test_junk_in_the_address_causes_no_server_error(self, client, exam, name):
        for junk in ("x", "9" * 400, "-1", "'", "\x00", "%", "²"):
            assert client.get(LIST, {name: junk}).status_code in {200, 302}


class TestInStep:
    def test_a_changed_draft_is_found_only_by_its_new_words(self, client, exam, alice):
        question = desk.begin(exam, dataclasses.replace(draft(1), trap="Xylograph."), alice, NOW)
        stored = draft_of(Question.objects.get(pk=question.pk))
        desk.keep(question.pk, dataclasses.replace(stored, trap="Zither."), 0, alice, NOW)
        assert (found(client, "zither"), found(client, "xylograph")) == ({question.pk}, set())
        desk.discard(question.pk, 1, alice, NOW)
        assert not DraftEntry.objects.exists()

    def test_the_index_is_the_same_after_deletion_and_rebuild(self, exam, alice):
        add_questions(exam, 1)
        for n in (20, 21):
            desk.begin(exam, draft(n, pool="reserved"), alice, NOW)
        columns = ("question", "title", "names", "prompt", "rest")
        before = list(DraftEntry.objects.order_by("question").values_list(*columns))
        assert len(before) == 8
        call_command("rebuild_search", verbosity=0)
        assert list(DraftEntry.objects.order_by("question").values_list(*columns)) == before

    def test_the_public_never_finds_what_only_a_draft_says(self, exam, alice):
        desk.begin(exam, dataclasses.replace(draft(1), trap="Xylograph."), alice, NOW)
        call_command("rebuild_search", verbosity=0)
        assert not SearchEntry.objects.exclude(version=None).exists()
        assert "Situation 1" not in Client().get("/search/", {"q": "xylograph"}).content.decode()
