"""Search: what is published, by its words; on PostgreSQL in any form of a word, ranked, and through the index."""

import re

import pytest
from django.db import connection
from django.test import Client

from questions.models import Concept, Exam, Question, QuestionVersion, StudyModule
from questions.pages.reads.lists import OF_MODULES, OF_QUESTIONS
from questions.pages.reads.words import saying
from questions.versions.reads.public import public_questions
from questions.versions.rules.excerpts import excerpt
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import parsed, states

pytestmark = pytest.mark.django_db

WORD = "zqsynchrotron"


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 1)
    return exam


def say(number: int, **fields: str) -> None:
    QuestionVersion.objects.filter(live_of__number=number).update(**fields)


def found(text: str) -> list[int]:
    answer = Client().get("/search/", {"q": text})
    assert answer.status_code == 200
    return [int(number) for number in re.findall(r'<a href="/exams/pmle/questions/(\d+)-', answer.text)]


def add_module(exam: Exam, body: str) -> None:
    StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=1, slug="m", title="A module", summary="About.", body=body
    )


def test_a_word_of_title_or_stem_is_found_in_any_case(exam: Exam) -> None:
    say(2, stem=f"The {WORD} hums.")
    say(3, title=WORD.title())
    assert sorted(found(WORD.upper())) == [2, 3]
    assert found(f"{WORD} hums") == [2]


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_what_is_withdrawn_or_retired_is_not_found(exam: Exam, state: str) -> None:
    say(2, stem=f"The {WORD} hums.")
    Question.objects.filter(number=2).update(**{state: NOW})
    assert found(WORD) == []


def test_what_is_reserved_is_not_found(exam: Exam) -> None:
    [version] = add_questions(exam, 1, pool="reserved", domains=("d1",))
    QuestionVersion.objects.filter(pk=version.pk).update(title=WORD, stem=WORD)
    assert found(WORD) == []
    assert WORD not in Client().get("/search/", {"q": version.title}).text


def test_an_older_version_and_a_draft_are_not_found(exam: Exam) -> None:
    Question.objects.filter(number=1).update(stem=WORD, title=WORD)
    assert found(WORD) == []


def test_a_solution_is_not_searched(exam: Exam) -> None:
    assert found("zqcanary") == []


def excerpts(text: str) -> list[str]:
    return [str(each) for each in parsed(Client().get("/search/", {"q": text})).select(".excerpt")]


def test_a_question_is_found_by_its_number_and_a_reserved_one_has_none(exam: Exam) -> None:
    for text in ("3", "#3", "q3", "Question 3"):
        assert found(text) == [3]
    assert found("999999") == []
    Question.objects.filter(number=3).update(pool="reserved")
    assert found("3") == []


def test_an_excerpt_shows_the_words_marked_where_they_stand(exam: Exam) -> None:
    say(2, stem=f"{'Before. ' * 60}The {WORD} **hums** <b>&</b> runs. {'After. ' * 60}")
    [shown] = excerpts(f"{WORD} hum")
    assert f"<mark>{WORD}</mark>" in shown
    assert "<mark>hums</mark>" in shown
    assert "&lt;b" in shown
    assert len(parsed(shown).text) < 260


@pytest.mark.parametrize(
    ("text", "asked", "marked"),
    [
        ("We log models and logs.", "logging", ["log", "logs"]),
        ("Nothing of it.", "absent", []),
        ("A cat, concatenated.", "cat", ["cat"]),
        ("Kept and dropped", "kept -dropped", ["Kept"]),
        ("(a.b) [c]", "(a.b", ["a", "b"]),
        ("", "word", []),
    ],
)
def test_what_an_excerpt_marks(text: str, asked: str, marked: list[str]) -> None:
    pieces = excerpt(text, asked)
    assert [piece.text for piece in pieces if piece.is_marked] == marked
    assert "".join(piece.text for piece in pieces) == text


def test_an_excerpt_is_cut_between_words() -> None:
    words = [f"w{n}" for n in range(200)]
    shown = "".join(piece.text for piece in excerpt(" ".join(words), "w100"))
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert set(shown.strip("… ").split()) <= set(words)


def test_concepts_and_the_text_of_modules_are_found(exam: Exam) -> None:
    Concept.objects.filter(key="c4").update(name=f"About {WORD} things")
    add_module(exam, f"## One\n\nA {WORD} stands here.")
    html = Client().get("/search/", {"q": WORD}).text
    assert "/exams/pmle/concepts/c4/" in html
    assert "/exams/pmle/modules/1-m/" in html
    assert states(html) == []


@pytest.mark.parametrize("text", ["'", "a & | !", '"', "\\", "%", "(((", "-", "x" * 100, "ünïcode ✓", ":*"])
def test_whatever_is_typed_is_answered(exam: Exam, text: str) -> None:
    assert isinstance(found(text), list)
    assert Client().get("/exams/pmle/questions/", {"q": text, "concept": "c1"}).status_code == 200


def test_the_list_of_an_exam_searches_the_same_way(exam: Exam) -> None:
    say(5, stem=f"The {WORD} hums.")
    html = Client().get("/exams/pmle/questions/", {"q": WORD, "concept": "c5", "kind": "single"}).text
    assert re.findall(r'<a href="/exams/pmle/questions/(\d+)-', html) == ["5"]


@pytest.mark.usefixtures("needs_postgres")
def test_other_forms_of_a_word_are_found_and_the_best_comes_first(exam: Exam) -> None:
    say(2, stem="They tried monitoring pipelines once.")
    say(6, title="Monitored pipeline", stem="A pipeline to monitor.")
    say(4, stem="Pipelines, and how they are monitored.")
    assert found("monitor pipeline")[0] == 6
    assert sorted(found("monitor pipeline")) == [2, 4, 6]
    assert sorted(found('"monitoring pipelines"')) == [2, 6]
    assert sorted(found("pipelines -tried")) == [4, 6]


@pytest.mark.usefixtures("needs_postgres")
@pytest.mark.parametrize(
    ("rows", "fields", "index"),
    [
        (public_questions, OF_QUESTIONS, "question_words"),
        (Concept.objects.all, ["name"], "concept_words"),
        (StudyModule.objects.all, OF_MODULES, "module_words"),
    ],
)
def test_a_search_reads_the_index(exam: Exam, rows, fields, index: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL enable_nestloop = off")
    assert index in saying(rows(), WORD, fields, "pk").explain()
