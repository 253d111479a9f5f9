"""Search finds published questions by any form of their words, ranks them and never finds reserved ones."""

import dataclasses
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from questions.desk.publish import publish
from questions.models import (
    Change,
    Concept,
    Exam,
    GlossaryTerm,
    Question,
    QuestionVersion,
    SearchEntry,
    SearchWord,
    StudyModule,
)
from questions.modules.rules.html import module_html
from questions.versions.reads.public import public_questions
from questions.versions.save import save_draft
from questions.versions.search import index, reads
from questions.versions.search.models import DraftEntry
from questions.versions.search.reads import have_trigrams
from questions.versions.search.rules.asking import terms_of
from questions.versions.search.rules.excerpts import excerpt
from questions.versions.search.trigrams import make_trigrams
from tests.support.bank import CANARY, NOW, add_questions, draft, make_exam
from tests.support.hooks import parsed, states

pytestmark = pytest.mark.django_db

WORD = "zqsynchrotron"
INDEXES = (SearchEntry, DraftEntry, SearchWord)


@pytest.fixture
def exam() -> Exam:
    exam = make_exam()
    add_questions(exam, 1)
    return exam


def say(number: int, **fields: str) -> None:
    """Replace fields of a public question and index them."""
    QuestionVersion.objects.filter(live_of__number=number).update(**fields)
    SearchEntry.objects.filter(version__live_of__number=number).delete()
    index.catch_up()


def explain(number: int, words: str) -> None:
    """Replace the explanation of a public question and index it."""
    solution = QuestionVersion.objects.get(live_of__number=number).solution
    solution.text["explanation"] = words
    solution.save()
    say(number)


def found(text: str) -> list[int]:
    answer = Client().get("/search/", {"q": text})
    assert answer.status_code == 200
    return [int(number) for number in re.findall(r'<a href="/exams/pmle/questions/(\d+)-', answer.text)]


def add_module(exam: Exam, body: str) -> None:
    StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d1"), number=1, slug="m", title="A module", summary="About.", body=body,
        html=module_html(body),
    )  # fmt: skip
    index.catch_up()


def test_a_word_of_title_or_stem_is_found_in_any_case(exam: Exam) -> None:
    say(2, stem=f"The {WORD} hums.")
    say(3, title=WORD.title())
    assert sorted(found(WORD.upper())) == [2, 3]
    assert found(f"{WORD} hums") == [2]


@pytest.mark.parametrize("state", ["withdrawn_at", "retired_at"])
def test_withdrawn_and_retired_questions_are_not_found(exam: Exam, state: str) -> None:
    say(2, stem=f"The {WORD} hums.")
    Question.objects.filter(number=2).update(**{state: NOW})
    assert found(WORD) == []


def test_reserved_questions_are_not_found(exam: Exam) -> None:
    [version] = add_questions(exam, 1, pool="reserved", domains=("d1",))
    QuestionVersion.objects.filter(pk=version.pk).update(title=WORD, stem=WORD)
    index.rebuild()
    assert found(WORD) == []
    assert not SearchEntry.objects.filter(version=version).exists()
    assert WORD not in Client().get("/search/", {"q": version.title}).text


def test_an_older_version_and_a_draft_are_not_found(exam: Exam) -> None:
    Question.objects.filter(number=1).update(stem=WORD, title=WORD)
    assert found(WORD) == []


def test_questions_made_reserved_or_replaced_are_hidden_before_the_index_is_updated(exam: Exam) -> None:
    say(2, stem=f"The {WORD} hums.")
    say(3, stem=f"The {WORD} hums.")
    Question.objects.filter(number=2).update(pool="reserved")
    Question.objects.filter(number=3).update(live_version=None)
    assert found(WORD) == []


def test_options_and_explanations_are_searched(exam: Exam) -> None:
    say(2, options=[{"slot": n, "text": f"Use {WORD} {n}"} for n in range(1, 5)])
    explain(3, f"Because the {WORD} hums.")
    assert found(WORD) == [2, 3]  # a match in the options ranks above one in the explanation


def test_a_match_only_in_the_explanation_is_shown_folded(exam: Exam) -> None:
    explain(3, f"Because the {WORD} hums.")
    page = parsed(Client().get("/search/", {"q": WORD}))
    [closed] = page.select("details.spoiler")
    assert not closed.has_attr("open")
    assert [mark.text for mark in closed.select("mark")] == [WORD]
    assert [mark for mark in page.select("mark") if not mark.find_parent("details")] == []
    assert parsed(Client().get("/search/", {"q": f"{WORD} situation"})).select("details.spoiler mark")
    assert not parsed(Client().get("/search/", {"q": "situation deciding"})).select("details.spoiler")


def test_an_explanation_of_a_reserved_question_is_not_found(exam: Exam) -> None:
    [version] = add_questions(exam, 1, pool="reserved", domains=("d1",))
    assert version.solution.text["explanation"].startswith(CANARY)
    index.rebuild()
    assert version.question_id not in {entry.version.question_id for entry in SearchEntry.objects.filter(concept=None)}


def excerpts(text: str) -> list[str]:
    return [str(each) for each in parsed(Client().get("/search/", {"q": text})).select(".excerpt")]


def test_a_question_is_found_by_its_number_and_a_reserved_one_has_none(exam: Exam) -> None:
    for text in ("3", "#3", "q3", "Question 3"):
        assert found(text) == [3]
    assert found("999999") == []
    Question.objects.filter(number=3).update(pool="reserved")
    assert found("3") == []


def test_a_product_is_found_by_its_current_and_former_name(exam: Exam) -> None:
    GlossaryTerm.objects.create(key="lamps", name="Lampworks", former="Glow AI", status="current")
    for text in ("lampworks", "glow ai", '"Glow AI"'):
        [link] = parsed(Client().get("/search/", {"q": text})).select('a[href^="/glossary/#"]')
        assert link["href"] == "/glossary/#lamps"
    assert states(Client().get("/search/", {"q": "glow -ai"}).text) == ["none-fits"]


def test_an_excerpt_highlights_the_words_in_place(exam: Exam) -> None:
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
def test_an_excerpt_highlights_the_words_that_match(text: str, asked: str, marked: list[str]) -> None:
    pieces = excerpt(text, asked)
    assert [piece.text for piece in pieces if piece.is_marked] == marked
    assert "".join(piece.text for piece in pieces) == text


def test_an_excerpt_is_from_the_place_with_most_of_the_words() -> None:
    text = f"A store. {'Between. ' * 40}The feature store drifts. {'After. ' * 40}"
    assert [piece.text for piece in excerpt(text, "feature store drift") if piece.is_marked] == [
        "feature",
        "store",
        "drifts",
    ]


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
def test_any_query_gets_a_response(exam: Exam, text: str) -> None:
    assert isinstance(found(text), list)
    assert Client().get("/exams/pmle/questions/", {"q": text, "concept": "c1"}).status_code == 200


def test_an_exams_list_is_searched_like_the_whole_site(exam: Exam) -> None:
    say(5, stem=f"The {WORD} hums.")
    html = Client().get("/exams/pmle/questions/", {"q": WORD, "concept": "c5", "kind": "single"}).text
    assert re.findall(r'<a href="/exams/pmle/questions/(\d+)-', html) == ["5"]


def test_other_forms_of_a_word_are_found_and_the_best_match_comes_first(exam: Exam) -> None:
    say(2, stem="They tried monitoring pipelines once.")
    say(6, title="Monitored pipeline", stem="A pipeline to monitor.")
    say(4, stem="Pipelines, and how they are monitored.")
    assert found("monitor pipeline")[0] == 6
    assert sorted(found("monitor pipeline")) == [2, 4, 6]
    assert sorted(found('"monitoring pipelines"')) == [2, 6]
    assert sorted(found("pipelines -tried")) == [4, 6]


def test_very_common_words_do_not_narrow_the_search(exam: Exam) -> None:
    say(2, stem="Monitoring pipelines.")
    assert found("how to monitor a pipeline") == [2]


def test_a_name_is_found_with_and_without_punctuation(exam: Exam) -> None:
    say(2, stem="Send it through Pub/Sub to an n1-standard-4 machine.")
    for text in ("Pub/Sub", "pub sub", "n1-standard-4", "PUB/SUB n1"):
        assert found(text) == [2]
    assert found("sub/pub") == []


def test_a_module_section_is_found_with_its_anchor(exam: Exam) -> None:
    add_module(exam, f"## One\n\nNothing.\n\n## Two\n\nA **{WORD}** & more stands here.")
    page = parsed(Client().get("/search/", {"q": WORD}))
    [link] = page.select('a[href^="/exams/pmle/modules/"]')
    assert link["href"] == "/exams/pmle/modules/1-m/#02-two"
    [mark] = page.select(".excerpt mark")
    assert mark.text == WORD


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("pipelien", 2),
        ("kuberntes", 3),
        ("bigqeury", 4),
        ("kears", 5),
        ("quantizaton", 6),
        ("pipel", 2),
    ],
)
def test_a_search_for_a_mistyped_word_finds_the_intended_one(exam: Exam, typed: str, number: int) -> None:
    for place, word in enumerate(("pipeline", "Kubernetes", "BigQuery", "Keras", "quantization"), 2):
        say(place, stem=f"Some {word} here.")
    assert found(typed) == [number]
    html = Client().get("/search/", {"q": f"some {typed}"}).text
    assert states(html) == ["nearest"]
    assert found(f"some {typed}") == [number]


def test_if_nothing_is_similar_the_words_that_match_are_offered(exam: Exam) -> None:
    assert states(Client().get("/search/", {"q": "xqzwvut"}).text) == ["none-fits"]
    say(2, stem="Zebra.")
    say(3, stem="Giraffe.")
    page = parsed(Client().get("/search/", {"q": "zebra giraffe"}))
    assert [link["href"] for link in page.select('[data-state="none-fits"] a[href^="/search/"]')] == [
        "/search/?q=zebra",
        "/search/?q=giraffe",
    ]


def test_a_word_found_only_in_hidden_text_is_not_suggested(exam: Exam) -> None:
    say(2, stem="The zqsynchrotron hums.")
    Question.objects.filter(number=2).update(withdrawn_at=NOW)
    html = Client().get("/search/", {"q": "zqsynchrotrom"}).text
    assert states(html) == ["none-fits"]
    assert WORD not in html


@pytest.mark.parametrize(("text", "expected"), [("concept", 5), ("situation", 4), ("3", 2), ("xqzwvut", 7)])
def test_a_search_takes_a_fixed_number_of_statements(exam: Exam, text: str, expected: int) -> None:
    with CaptureQueriesContext(connection) as queries:
        found(text)
    # On PostgreSQL, one more statement asks whether it can compare mistyped words.
    assert len(queries) == expected + (text == "xqzwvut" and connection.vendor == "postgresql")


def test_the_updated_index_equals_a_rebuilt_one(exam: Exam) -> None:
    """The index follows when questions are republished or made reserved, a concept is renamed and a module changes."""
    add_module(exam, f"## One\n\nA {WORD} stands here.")
    concept = Concept.objects.get(key="c1")
    concept.name = "Renamed concept"
    concept.save()
    index.index_concepts(Concept.objects.all())
    for number, pool in ((1, "open"), (2, "reserved")):
        text = dataclasses.replace(draft(number, f"d{number}", pool), title="Another title")
        publish(save_draft(exam, text, Question.objects.get(number=number)), NOW, Change.SEMANTIC)
    StudyModule.objects.update(html=module_html("## Two\n\nOther words."))
    index.index_module(StudyModule.objects.get())
    kept = derived()
    index.rebuild()
    assert derived() == kept
    assert ("hums" in dict(kept[1]), "renamed" in dict(kept[1]), WORD in dict(kept[1])) == (False, True, False)
    with CaptureQueriesContext(connection) as queries:
        assert index.catch_up() == 0
    assert not [each for each in queries if each["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]


def derived() -> tuple[list, list]:
    """Return what the index holds, apart from its own ids."""
    entries = SearchEntry.objects.values_list("version", "concept", "module", "anchor", "title", "prompt", "solution")
    return sorted(map(str, entries)), sorted(SearchWord.objects.values_list("word", "entries"))


def test_the_test_bank_is_indexed_as_on_the_site(exam: Exam) -> None:
    """This way, tests whose bank is made in bulk find what the site would find."""
    add_questions(exam, 1, pool="reserved", kind="multiple")

    def kept() -> list[list[tuple]]:
        fields = [[each.attname for each in model._meta.concrete_fields if not each.primary_key] for model in INDEXES]
        return [
            sorted(model.objects.values_list(*names), key=repr) for model, names in zip(INDEXES, fields, strict=True)
        ]

    made = kept()
    assert all(made)
    assert index.catch_up() == 0
    index.rebuild()
    assert kept() == made


def test_a_word_gone_from_the_index_is_no_longer_suggested(exam: Exam) -> None:
    say(2, stem="A zebra.")
    assert found("zebar") == [2]
    SearchEntry.objects.all().delete()
    index.rebuild()
    say(2, stem="A giraffe.")
    index.rebuild()
    assert not SearchWord.objects.filter(word="zebra").exists()
    assert found("zebar") == []


@pytest.mark.usefixtures("needs_postgres")
def test_mistyped_words_are_still_corrected_without_the_extension(exam: Exam) -> None:
    say(2, stem="Some pipeline here.")
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")
    assert found("pipelien") == [2]
    assert make_trigrams()
    assert have_trigrams()


@pytest.mark.usefixtures("needs_postgres")
def test_without_the_right_to_create_extensions_search_still_works(exam: Exam) -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP EXTENSION pg_trgm CASCADE")
        cursor.execute("CREATE ROLE zq_no_rights")
        cursor.execute("SET LOCAL ROLE zq_no_rights")
        assert not make_trigrams()
        cursor.execute("RESET ROLE")
    assert not have_trigrams()


@pytest.mark.usefixtures("needs_postgres")
@pytest.mark.parametrize("used", ["search_entry_titles", "search_entry_words"])
def test_a_search_uses_the_indexes(exam: Exam, used: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL enable_seqscan = off")
        cursor.execute("SET LOCAL enable_indexscan = off")
        cursor.execute("SET LOCAL enable_nestloop = off")
        with CaptureQueriesContext(connection) as queries:
            reads.hits(terms_of(WORD), public_questions())
        cursor.execute(f"EXPLAIN {queries[0]['sql']}")
        assert any(used in line for (line,) in cursor.fetchall())


def test_matches_beyond_the_ranked_ones_are_not_counted(exam: Exam, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reads.hits, "__defaults__", (3,))
    say(5, title="Deciding words")
    html = Client().get("/search/", {"q": "deciding words"}).text
    assert states(html) == ["cut"]
    assert len(found("deciding words")) == 3
    assert found("deciding words")[0] == 5
