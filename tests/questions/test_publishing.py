"""Versions never change, derived HTML can be rebuilt and numbers are never reused."""

import dataclasses

import pytest
from django.core.management import call_command

from questions.desk.errors import NotPublishable
from questions.desk.publish import Publishing, publish, publish_draft, publish_new
from questions.models import Change, DraftEntry, Hint, Question, QuestionVersion, SearchEntry, SearchWord, Solution
from questions.versions.reads.drafts import canonical, digest, draft_of, with_draft
from questions.versions.save import save_draft
from tests.support.bank import NOW, changed, draft, make_exam
from tests.support.variants import variants

pytestmark = pytest.mark.django_db


def store(exam, text):
    question = save_draft(exam, text, Question.objects.filter(key=text.key).first())
    return with_draft(Question.objects.all()).get(pk=question.pk)


@pytest.mark.parametrize("kind", ["single", "multiple"])
def test_a_draft_is_read_back_as_stored(exam, kind):
    text = draft(1, kind=kind)
    assert draft_of(store(exam, text)) == canonical(text)
    assert digest(draft_of(store(exam, text))) == digest(text)


def test_a_second_version_leaves_the_first_unchanged(exam):
    question = store(exam, draft(1))
    first = publish(question, NOW, Change.FIRST)
    before = QuestionVersion.objects.values().get(pk=first.pk), Solution.objects.values().get(pk=first.pk)
    question = store(exam, changed(draft(1), stem="New deciding words 1 stand here. What now?", explanation="Anew."))
    second = publish(question, NOW, Change.SEMANTIC, "Clearer.")
    assert (QuestionVersion.objects.values().get(pk=first.pk), Solution.objects.values().get(pk=first.pk)) == before
    question.refresh_from_db()
    assert (second.number, question.live_version, question.number) == (2, second, 1)


def test_a_published_version_is_stored_with_its_formulas_as_mathml(exam):
    options = dataclasses.replace(draft(1).options[0], text="Set $y$"), *draft(1).options[1:]
    stem = "Is $x^2$ enough with deciding words 1? What now?"
    text = changed(draft(1), stem=stem, options=options, explanation=r"Half is $\frac{1}{2}$.")
    pk = publish(store(exam, text), NOW, Change.FIRST).pk
    version = QuestionVersion.objects.select_related("solution").get(pk=pk)
    assert '<math alttext="x^2"><msup>' in version.stem_html
    assert '<math alttext="y"><mi>' in version.options_html["1"]
    assert r'<math alttext="\frac{1}{2}"><mfrac>' in version.solution.html["explanation"]


def test_numbers_are_never_reused(exam):
    first, second = (store(exam, draft(n)) for n in (1, 2))
    publish(first, NOW, Change.FIRST)
    publish(store(exam, draft(3, pool="reserved")), NOW, Change.FIRST)
    Question.objects.filter(pk=first.pk).update(retired_at=NOW)
    publish(second, NOW, Change.FIRST)
    publish(first, NOW, Change.TYPO)
    assert dict(Question.objects.values_list("key", "number")) == {"q1": 1, "q2": 2, "q3": None}
    exam.refresh_from_db()
    assert exam.highest_number == 2


def test_a_draft_that_lint_refuses_is_not_published_and_nothing_is_stored(exam):
    question = store(exam, changed(draft(1), quick_answer="Option B is it."))
    with pytest.raises(NotPublishable, match="by letter"):
        publish(question, NOW, Change.FIRST)
    assert not QuestionVersion.objects.exists()


def test_the_key_is_only_in_the_solution(exam):
    version = publish(store(exam, draft(1)), NOW, Change.FIRST)
    assert Solution.objects.get(version=version).key_mask == 1 << 1
    prompt = QuestionVersion.objects.values().get(pk=version.pk)
    assert "right" not in str(prompt["options"])
    assert "zqcanary" not in str(prompt)
    assert "zqcanary" not in str(version.hint.html)


def test_rerender_rebuilds_all_html_from_the_facts(exam):
    version = publish(store(exam, draft(1)), NOW, Change.FIRST)
    before = [
        QuestionVersion.objects.values("stem_html", "options_html").get(pk=version.pk), version.hint.html,
        Solution.objects.get(pk=version.pk).html,
    ]  # fmt: skip
    QuestionVersion.objects.update(stem_html="", options_html={})
    type(version.hint).objects.update(html={})
    Solution.objects.update(html={})
    call_command("rerender")
    fresh = QuestionVersion.objects.get(pk=version.pk)
    after = [
        {"stem_html": fresh.stem_html, "options_html": fresh.options_html}, fresh.hint.html,
        Solution.objects.get(pk=version.pk).html,
    ]  # fmt: skip
    assert after == before


def test_a_digest_does_not_depend_on_the_order_of_unordered_fields(exam):
    text = draft(1)
    turned = dataclasses.replace(text, options=text.options[::-1])
    assert digest(turned) == digest(text)
    assert digest(changed(text, trap="Another trap.")) != digest(text)


def stored(exam):
    """Return what publishing wrote for each question, without row ids."""
    found = {}
    for question in with_draft(Question.objects.filter(exam=exam)):
        version = QuestionVersion.objects.get(question=question)
        entries = SearchEntry.objects.filter(version=version)
        assert (question.live_version, question.family_id) == (version, version.family_id)
        found[question.key] = (
            draft_of(question),
            (question.number, question.place, question.desk, question.loaded_digest),
            (version.domain.key, *version.concepts.values_list("key", flat=True)),
            {name: value for name, value in vars(version).items() if not name.endswith("id") and name[0] != "_"},
            Hint.objects.values("clues", "html").get(version=version),
            Solution.objects.values("key_mask", "text", "html").get(version=version),
            list(entries.values("title", "prompt", "solution")),
            DraftEntry.objects.filter(question=question).values("title", "names", "prompt", "rest").get(),
        )
    return found


def test_storing_in_bulk_equals_storing_one_by_one(exam, django_assert_max_num_queries):
    texts = [draft(1), draft(2, pool="reserved"), draft(3, kind="multiple"), *variants(60, size=2)]
    texts = [canonical(text) for text in texts]
    for place, text in enumerate(texts):
        question = save_draft(exam, text, Question(exam=exam, key=text.key, place=place, loaded_digest=text.key))
        publish_draft(question, text, NOW, Publishing(Change.FIRST, "Loaded."), None, known=None)
    words = dict(SearchWord.objects.values_list("word", "entries"))
    other = make_exam("other")
    rows = [Question(exam=other, key=each.key, place=n, loaded_digest=each.key) for n, each in enumerate(texts)]
    with django_assert_max_num_queries(36):
        publish_new(other, list(zip(rows, texts, strict=True)), NOW, "Loaded.")
    assert stored(other) == stored(exam)
    assert dict(SearchWord.objects.values_list("word", "entries")) == {word: 2 * n for word, n in words.items()}
    exam.refresh_from_db()
    other.refresh_from_db()
    assert other.highest_number == exam.highest_number == 4
