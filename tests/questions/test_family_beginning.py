"""A family can be started from nothing or from a single question, and variants added and removed."""

import pytest
from django.urls import reverse

from questions.desk import decide as desk
from questions.desk.errors import Older
from questions.desk.many import families
from questions.desk.publish import publish
from questions.models import Change, Desk, DeskEntry, Family, Question
from questions.versions.errors import NotNow
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.family import shared_of
from questions.versions.save import save_draft
from tests.support.bank import NOW, changed, draft, make_exam
from tests.support.editing import EDITORS, MODERATORS, REVIEWERS, act, address, browser_of, person, save
from tests.support.hooks import parsed
from tests.support.html_forms import form_of
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
ADD = "/admin/questions/family/add/"
NEW = families.NewVariant("Another need", "A new need decides it.")


@pytest.fixture
def family(exam):
    for place, each in enumerate(variants()):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)
    return Family.objects.get()


@pytest.fixture
def lone(exam):
    text = changed(variants()[0], family="", clause="", key="lone")
    question = save_draft(exam, text, Question(exam=exam, key=text.key))
    publish(question, NOW, Change.FIRST)
    return question


@pytest.fixture
def edna():
    return person("edna", EDITORS)


@pytest.fixture
def editor(edna):
    return browser_of(edna)


def rows(family):
    return list(family.questions.order_by("place", "pk"))


def states(family):
    return {(row.revision, row.desk) for row in rows(family)}


def variant_page(of):
    name = "family" if isinstance(of, Family) else "question"
    return reverse(f"admin:questions_{name}_variant", args=[of.pk])


def family_page(family):
    return reverse("admin:questions_family_change", args=[family.pk])


def send(editor, page, form="variant-form", **changes):
    fields = form_of(editor.get(page).content.decode(), form)
    return editor.post(page, fields | {name.replace("__", "-"): text for name, text in changes.items()})


def member_form(editor, family, name, question):
    return form_of(editor.get(family_page(family)).content.decode(), f"{name}-{question.pk}")


class TestAddingAVariant:
    def test_a_new_variant_shares_the_familys_text_and_the_whole_family_is_a_draft(self, family, editor, edna):
        response = send(editor, variant_page(family), title="Another need", clause="A new need decides it.")
        *old, new = rows(family)
        assert response.headers["Location"] == address(new)
        written = draft_of(new)
        assert shared_of(written) == shared_of(draft_of(old[0]))
        assert (written.clause, written.title, written.key) == (
            "A new need decides it.",
            "Another need",
            "another-need",
        )
        assert written.right_slots == ()
        assert {option.why for option in written.options} == {""}
        assert written.sources == draft_of(old[0]).sources
        assert states(family) == {(1, Desk.DRAFT)}
        assert [draft_of(row) for row in old] == variants()
        assert list(new.authors.all()) == [edna]
        assert list(DeskEntry.objects.filter(act="begun").values_list("question", flat=True).order_by("question")) == [
            row.pk for row in rows(family)
        ]

    @pytest.mark.parametrize(
        ("changes", "where"),
        [
            ({"title": ""}, "title"),
            ({"title": "t" * 121}, "title"),
            ({"clause": "   "}, "clause"),
            ({"clause": "one region"}, "clause"),
            ({"clause": "{clause}"}, "clause"),
            ({"clause": "Need 2 of 1 decides it."}, "clause"),
            ({"clause": "[" * 5000}, "clause"),
            ({"clause": "a\x00b"}, "clause"),
        ],
    )
    def test_an_invalid_variant_is_reported_and_the_input_stays(self, family, editor, changes, where):
        typed = {"title": "Another need", "clause": "A new need decides it."} | changes
        response = send(editor, variant_page(family), **typed)
        assert list(response.context["form"].errors) == [where]
        assert response.context["form"].data["title"] == typed["title"]
        assert len(rows(family)) == 3

    def test_a_stale_page_is_reported_and_can_be_sent_again(self, family, editor, edna):
        page = variant_page(family)
        fields = form_of(editor.get(page).content.decode(), "variant-form")
        desk.keep(rows(family)[0].pk, changed(draft_of(rows(family)[0]), trap="Other."), 0, edna, NOW)
        fields |= {"title": "Another need", "clause": "A new need decides it."}
        response = editor.post(page, fields)
        assert response.status_code == 409
        again = form_of(response.content.decode(), "variant-form")
        assert again["clause"] == ["A new need decides it."]
        assert editor.post(page, again).status_code == 302
        assert len(rows(family)) == 4

    @pytest.mark.parametrize("base", ["", "x", "-1", "9" * 40])
    def test_an_invalid_state_counts_as_stale(self, family, editor, base):
        response = send(editor, variant_page(family), title="Another need", clause="A new one.", base=base)
        assert response.status_code == 409
        assert len(rows(family)) == 3

    def test_a_family_in_review_goes_back_to_being_a_draft(self, family, edna):
        first = rows(family)[0]
        desk.keep(first.pk, changed(draft_of(first), trap="Other."), 0, edna, NOW)
        desk.submit(first.pk, 1, edna, NOW)
        families.add_variant(family.pk, 1, NEW, edna, NOW)
        assert states(family) == {(2, Desk.DRAFT)}

    def test_a_new_variant_is_published_by_review_and_keeps_its_siblings_statistics(self, family, edna):
        new = families.add_variant(family.pk, 0, NEW, edna, NOW)
        text = changed(
            variants(size=4)[3], key=new.key, title="Another need", clause=NEW.clause,
            stem=draft_of(new).stem, clues=(changed(variants()[0].clues[0], phrase="new need", confirms=(4,)),),
        )  # fmt: skip
        desk.keep(new.pk, text, 1, edna, NOW)
        desk.submit(new.pk, 2, edna, NOW)
        desk.release(new.pk, 2, person("bob"), NOW, desk.Publishing(Change.FIRST))
        assert [row.versions.count() for row in rows(family)] == [1, 1, 1, 1]
        assert states(family) == {(2, Desk.NOTHING)}

    def test_only_editors_may_add_a_variant(self, family, lone):
        for who in (person("sam"), person("mo", MODERATORS)):
            for page in (variant_page(family), variant_page(lone), ADD):
                assert browser_of(who).get(page).status_code == 403
                assert browser_of(who).post(page).status_code == 403


class TestAddingToALoneQuestion:
    def test_the_question_and_its_copy_become_a_family_with_a_place_for_the_clause(self, lone, editor):
        response = send(
            editor, variant_page(lone), first="Need 1 of 1 decides it.", title=NEW.title, clause=NEW.clause, key="kin"
        )
        family = Family.objects.get()
        first, new = rows(family)
        assert response.headers["Location"] == address(new)
        assert (family.key, family.stem) == ("kin", variants()[0].stem.replace("Need 1 of 1 decides it.", "{clause}"))
        assert draft_of(first) == changed(variants()[0], key="lone", family="kin")
        assert shared_of(draft_of(new)) == shared_of(draft_of(first))
        assert states(family) == {(1, Desk.DRAFT)}

    def test_copied_words_are_found_with_any_line_endings(self, lone, editor):
        Question.objects.update(stem="One need\nhas  a line end. What now?")
        send(editor, variant_page(lone), first="need has a\r\nline", title=NEW.title, clause=NEW.clause)
        assert Question.objects.get(key="lone").clause == "need\nhas  a line"

    @pytest.mark.parametrize(
        ("changes", "where"),
        [
            ({"first": "not in it"}, ["first"]),
            ({"first": "i"}, ["first"]),
            ({"first": ""}, ["first"]),
            ({"clause": "one region"}, ["clause"]),
            ({"clause": "Need 1 of 1 decides it."}, ["clause"]),
            ({"key": "No such key!"}, ["key"]),
            ({"key": "f9"}, ["key"]),
            ({"key": "", "first": "\x00", "title": "", "clause": ""}, ["key", "first", "title", "clause"]),
        ],
    )
    def test_invalid_input_is_reported_and_nothing_is_stored(self, exam, lone, editor, changes, where):
        Family.objects.create(exam=exam, key="f9", stem="x {clause}")
        typed = {"first": "Need 1 of 1 decides it.", "title": NEW.title, "clause": NEW.clause} | changes
        response = send(editor, variant_page(lone), **typed)
        assert list(response.context["form"].errors) == where
        assert Question.objects.get().family is None

    def test_discarding_the_draft_leaves_a_single_question_and_no_family(self, lone, edna):
        families.add_to_lone(lone.pk, 0, "kin", "Need 1 of 1 decides it.", NEW, edna, NOW)
        desk.discard(lone.pk, 1, edna, NOW)
        assert draft_of(Question.objects.get()) == changed(variants()[0], family="", clause="", key="lone")
        assert not Family.objects.exists()

    def test_joining_keeps_the_statistics_of_an_unchanged_prompt(self, lone, edna):
        new = families.add_to_lone(lone.pk, 0, "kin", "Need 1 of 1 decides it.", NEW, edna, NOW)
        second = variants()[1]
        text = changed(second, key=new.key, family="kin", clause=NEW.clause, stem=draft_of(new).stem)
        text = changed(text, clues=(changed(second.clues[0], phrase="new need"),))
        desk.keep(new.pk, text, 1, edna, NOW)
        desk.submit(new.pk, 2, edna, NOW)
        desk.release(new.pk, 2, person("bob"), NOW, desk.Publishing(Change.FIRST))
        version = lone.versions.get(number=2)
        assert (version.change, version.family.key) == (Change.TYPO, "kin")

    def test_a_question_in_a_family_links_to_its_familys_page_and_a_retired_one_does_not(self, family, lone, editor):
        assert editor.get(variant_page(rows(family)[0])).headers["Location"] == variant_page(family)
        desk.retire(lone.pk, person("bob"), NOW, "Out of date.")
        assert editor.get(variant_page(lone)).status_code == 404
        assert variant_page(lone) not in editor.get(address(lone)).content.decode()

    def test_the_second_of_two_editors_is_refused(self, lone, edna):
        families.add_to_lone(lone.pk, 0, "kin", "Need 1 of 1 decides it.", NEW, edna, NOW)
        with pytest.raises(Older):
            families.add_to_lone(lone.pk, 0, "kin", "Need 1 of 1 decides it.", NEW, edna, NOW)
        with pytest.raises(NotNow):
            families.add_to_lone(lone.pk, 1, "kin2", "Need 1 of 1 decides it.", NEW, edna, NOW)

    def test_pages_link_to_the_form_for_a_new_variant(self, family, lone, editor):
        assert variant_page(lone) in editor.get(address(lone)).content.decode()
        for page in (address(rows(family)[0]), family_page(family)):
            assert variant_page(family) in editor.get(page).content.decode()
        assert ADD in editor.get("/admin/questions/family/").content.decode()


BLANK = {
    "domain": "d1",
    "stem": "A new scene. {clause} What now?",
    "options__0__text": "One way",
    "options__0__right_if": "One turn.",
    "options__3__text": "Another way",
    "variants__0__title": "First need",
    "variants__0__clause": "A first need.",
    "variants__1__title": "Second need",
    "variants__1__clause": "A second need.",
}


class TestFromBlank:
    def test_a_new_familys_variants_are_drafts_that_share_the_rest(self, exam, editor, edna):
        response = send(editor, ADD, "family-form", **BLANK)
        family = Family.objects.get()
        assert response.headers["Location"] == family_page(family)
        assert (family.key, family.stem) == ("first-need", BLANK["stem"])
        assert [(row.key, row.clause) for row in rows(family)] == [
            ("first-need", "A first need."),
            ("second-need", "A second need."),
        ]
        first = draft_of(rows(family)[0])
        assert [(o.slot, o.text, o.right_if) for o in first.options] == [
            (1, "One way", "One turn."),
            (2, "Another way", ""),
        ]
        assert first.stem == BLANK["stem"].replace("{clause}", BLANK["variants__0__clause"])
        assert states(family) == {(0, Desk.DRAFT)}
        assert {who for row in rows(family) for who in row.authors.all()} == {edna}
        assert editor.get(family_page(family)).status_code == 200
        send(editor, variant_page(family), title="Third need", clause="A third need.")
        assert states(family) == {(1, Desk.DRAFT)}

    @pytest.mark.parametrize(
        ("changes", "part", "where"),
        [
            ({"stem": "No place."}, "shared", ["stem"]),
            ({"stem": "A first need. {clause}"}, "variants", ["clause"]),
            ({"domain": "nowhere"}, "shared", ["domain"]),
            ({"kind": "many"}, "shared", ["kind"]),
            ({"key": "no key"}, "shared", ["key"]),
            ({"key": "taken"}, "shared", ["key"]),
            ({"options__3__text": ""}, "shared", ["__all__"]),
            ({"options__0__never": "Both."}, "options", ["never"]),
            ({"options__0__concept": "none such"}, "options", ["concept"]),
            ({"variants__1__clause": "A first need."}, "variants", ["clause"]),
            ({"variants__1__clause": ""}, "variants", ["clause"]),
            ({"variants__0__title": ""}, "variants", ["title"]),
        ],
    )
    def test_an_invalid_variant_is_reported_and_the_input_stays(self, exam, editor, changes, part, where):
        Family.objects.create(exam=exam, key="taken", stem="x {clause}")
        response = send(editor, ADD, "family-form", **(BLANK | changes))
        found = getattr(response.context["form"], part).errors
        found = [name for errors in found for name in errors] if part != "shared" else list(found)
        assert found == where
        again = form_of(response.content.decode(), "family-form")
        assert again["stem"] == [(BLANK | changes)["stem"]]
        assert again["variants-0-clause"] == ["A first need."]
        assert not Question.objects.exists()

    @pytest.mark.parametrize(
        "fields",
        [
            {},
            {"options-TOTAL_FORMS": "9" * 9, "variants-TOTAL_FORMS": "-1"},
            {"options-0-text": "\x00", "variants-0-clause": "\x01", "stem": "[" * 9000, "exam": "none"},
            {"options-0-slot": "99", "base": "x", "action": "juggle", "variants-9-clause": "x"},
        ],
    )
    def test_junk_input_shows_the_form_again(self, exam, editor, fields):
        response = editor.post(ADD, fields)
        assert response.status_code == 200
        assert not Question.objects.exists()

    def test_changing_the_exam_keeps_the_input(self, exam, editor):
        other = make_exam("other")
        response = send(editor, ADD, "family-form", **BLANK, exam="other", action="show")
        assert response.context["work"].exam == other
        assert form_of(response.content.decode(), "family-form")["stem"] == [BLANK["stem"]]
        assert not Question.objects.exists()


class TestRemovingAVariant:
    def test_a_family_is_still_valid_after_a_variant_is_withdrawn(self, family, editor):
        for question in rows(family)[1:]:
            fields = member_form(editor, family, "withdraw", question) | {"text": "The answer is doubted."}
            page = reverse("admin:questions_question_act", args=[question.pk, "withdraw"])
            assert editor.post(page, fields).headers["Location"] == family_page(family)
        assert [row.withdrawn_at is None for row in rows(family)] == [True, False, False]
        assert states(family) == {(0, Desk.NOTHING)}
        member_form(editor, family, "put_back", rows(family)[2])
        assert [member.may_put_back for member in editor.get(family_page(family)).context["members"]] == [
            False,
            True,
            True,
        ]

    def test_a_variant_is_not_withdrawn_without_a_reason_and_the_page_says_so(self, family, editor):
        first = rows(family)[0]
        page = reverse("admin:questions_question_act", args=[first.pk, "withdraw"])
        response = editor.post(page, {"family": "1", "text": " "}, follow=True)
        assert [message.extra_tags for message in response.context["messages"]] == ["no-reason-to-withdraw"]
        assert response.redirect_chain[-1][0] == family_page(family)
        assert rows(family)[0].withdrawn_at is None

    def test_an_unpublished_variant_is_removed_and_the_others_remain(self, family, editor, edna):
        new = families.add_variant(family.pk, 0, NEW, edna, NOW)
        page = reverse("admin:questions_question_act", args=[new.pk, "remove"])
        response = editor.post(page, member_form(editor, family, "remove", new))
        assert response.headers["Location"] == family_page(family)
        assert [draft_of(row) for row in rows(family)] == variants()
        assert states(family) == {(2, Desk.DRAFT)}

    def test_removing_the_last_variant_removes_its_family(self, exam, editor):
        send(editor, ADD, "family-form", **BLANK)
        for question in rows(Family.objects.get()):
            response = act(editor, question, "remove", family="1")
        assert response.redirect_chain[-1][0] == "/admin/questions/question/"
        assert not Family.objects.exists()

    def test_a_published_or_single_question_cannot_be_removed(self, family, lone, editor, edna):
        for question in (rows(family)[0], lone):
            assert "variant-published" in {
                m.extra_tags.split()[0] for m in act(editor, question, "remove").context["messages"]
            }
            with pytest.raises(NotNow):
                families.remove_variant(question.pk, question.revision, edna, NOW)
        assert Question.objects.count() == 4

    def test_removing_from_a_stale_page_is_refused(self, family, edna):
        new = families.add_variant(family.pk, 0, NEW, edna, NOW)
        with pytest.raises(Older):
            families.remove_variant(new.pk, 0, edna, NOW)
        assert len(rows(family)) == 4


def test_the_familys_page_says_what_keeps_each_variant_from_review(family, editor, edna):
    families.add_variant(family.pk, 0, NEW, edna, NOW)
    *old, new = editor.get(family_page(family)).context["members"]
    assert [member.errors for member in old] == [0, 0, 0]
    assert new.errors > 0


def test_two_variants_with_the_same_key_are_marked_on_the_familys_page(family, editor, edna):
    second = rows(family)[1]
    text = draft_of(second)
    text = changed(text, options=tuple(changed(o, right=o.slot == 1) for o in text.options))
    desk.keep(second.pk, text, 0, edna, NOW)
    page = editor.get(family_page(family))
    assert 'data-rule="family-key"' in page.content.decode()


def test_in_a_clause_code_is_shown_as_code_and_a_tag_as_text(family, editor):
    Question.objects.filter(pk=rows(family)[0].pk).update(clause="It must run `pip <x>` in <b>seconds</b>.")
    for page, where in ((family_page(family), ".ed-member-clause"), (variant_page(family), "main li")):
        [cell] = [each for each in parsed(editor.get(page)).select(where) if "pip" in each.text]
        assert [code.text for code in cell.select("code")] == ["pip <x>"]
        assert "`" not in cell.text
        assert "<b>seconds</b>" in cell.text


@pytest.mark.parametrize("size", [1, 4])
def test_the_statement_count_of_the_familys_page_does_not_grow_with_its_size(
    exam, editor, size, django_assert_num_queries
):
    for place, each in enumerate(variants(size=size)):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)
    page = family_page(Family.objects.get())
    editor.get(page)
    with django_assert_num_queries(19):
        editor.get(page)


def test_a_variant_is_written_and_published_through_the_pages(lone, editor):
    """Using forms alone, turn a lone question into a family and publish it."""
    send(editor, variant_page(lone), first="Need 1 of 1 decides it.", title=NEW.title, clause=NEW.clause)
    new = Question.objects.get(title=NEW.title)
    rich = draft(5)
    answer = {name: getattr(rich, name) for name in ("quick_answer", "explanation", "principle", "trap", "takeaway")}
    reasons = {f"options__{place}__why": f"Said once of {place} for the new need." for place in range(4)}
    clue = {"clues__0__phrase": "A new need", "clues__0__why": "It differs here.", "clues__0__confirms": ["2"]}
    tips = {"exam_tips": "A tip of its own."}
    response = save(editor, address(new), action="submit", options__1__right="on", **answer, **reasons, **clue, **tips)
    assert response.status_code == 302
    assert Question.objects.get(pk=new.pk).desk == Desk.REVIEW
    reviewer = browser_of(person("bob", EDITORS, REVIEWERS))
    act(reviewer, new, "publish", change="first")
    assert {row.live_version.family.key for row in rows(Family.objects.get())} == {"lone"}
