"""Text that a family shares can be changed on the family's page in the editor but not on a variant's page."""

import dataclasses

import pytest

from questions.desk.publish import publish
from questions.models import Change, Desk, Family, Question, QuestionSource, StudyModule
from questions.versions.reads.drafts import draft_of
from questions.versions.save import save_draft
from tests.support.bank import NOW, changed, draft
from tests.support.editing import EDITORS, LOOK, address, browser_of, person, save, sent
from tests.support.hooks import codes, parsed
from tests.support.html_forms import form_of
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


@pytest.fixture
def family(exam):
    for place, each in enumerate(variants()):
        publish(save_draft(exam, each, Question(exam=exam, key=each.key, place=place)), NOW, Change.FIRST)
    return Family.objects.get()


@pytest.fixture
def editor():
    return browser_of(person("edna", EDITORS))


def rows(family):
    return list(family.questions.order_by("place"))


def page_of(family):
    return f"/admin/questions/family/{family.pk}/change/"


def send(editor, family, **changes):
    fields = form_of(editor.get(page_of(family)).content.decode(), "family-form")
    return editor.post(page_of(family), fields | {name.replace("__", "-"): text for name, text in changes.items()})


def test_a_variants_own_words_are_saved_and_nothing_else_changes(family, editor):
    second, before = rows(family)[1], variants()[1]
    save(
        editor, address(second), trap="Another trap.", clause="A tighter need decides.", clues__0__phrase="tighter need"
    )
    after = draft_of(Question.objects.get(pk=second.pk))
    stem = before.stem.replace(before.clause, "A tighter need decides.")
    clues = (dataclasses.replace(before.clues[0], phrase="tighter need"),)
    assert after == changed(before, trap="Another trap.", clause="A tighter need decides.", stem=stem, clues=clues)


@pytest.mark.parametrize(
    "sent_along",
    [
        {"stem": "Mine alone."},
        {"pool": "reserved"},
        {"kind": "multiple"},
        {"domain": "d2"},
        {"options__0__text": "Mine alone"},
        {"options__2__right_if": "Mine alone"},
        {"options__1__slot": "9"},
        {"options__3__DELETE": "on"},
    ],
)
def test_shared_text_cannot_be_changed_on_a_variant(family, editor, sent_along):
    second = rows(family)[1]
    save(editor, address(second), trap="Another trap.", **sent_along)
    assert draft_of(Question.objects.get(pk=second.pk)) == changed(variants()[1], trap="Another trap.")


def test_each_variant_has_its_own_key_and_reasons(family, editor):
    second = rows(family)[1]
    save(editor, address(second), options__1__right=None, options__3__right="on", options__3__why="Now it is this one.")
    after = draft_of(Question.objects.get(pk=second.pk))
    assert after.right_slots == (4,)
    assert after.options[3].why == "Now it is this one."


@pytest.mark.parametrize("clause", ["", "one region"])
def test_a_clause_is_required_and_must_occur_once(family, editor, clause):
    response = save(editor, address(rows(family)[0]), json=True, clause=clause)
    assert "id_clause" in response.json()["errors"]
    assert draft_of(rows(family)[0]) == variants()[0]


def test_the_page_of_a_variant_links_to_its_family_and_siblings(family, editor):
    first, second, _ = rows(family)
    response = editor.get(address(first))
    body = response.content.decode()
    assert list(response.context["page"].siblings) == rows(family)
    assert page_of(family) in body
    assert address(second) in body


def test_a_variants_preview_shows_its_own_clause(family, editor):
    fields = sent(editor, address(rows(family)[0]), clause="A tighter need decides.")
    found = editor.post(LOOK, fields).json()
    assert "A tighter need decides." in found["session"]


def test_saving_the_family_saves_all_its_questions(family, editor):
    response = send(
        editor, family, stem="Another scene. {clause} What now?", options__0__text="A new share", pool="reserved"
    )
    assert response.status_code == 302
    for row, text in zip(rows(family), variants(), strict=True):
        assert row.stem == f"Another scene. {text.clause} What now?"
        assert (row.pool, row.desk, row.revision) == ("reserved", Desk.DRAFT, 1)
        options = draft_of(row).options
        assert options[0].text == "A new share"
        assert [(o.right, o.why) for o in options] == [(o.right, o.why) for o in text.options]


@pytest.mark.parametrize(
    ("changes", "where"),
    [
        ({"stem": "No place."}, "stem"),
        ({"stem": "{clause} and {clause}"}, "stem"),
        ({"stem": "{clause} Need 2 of 1 decides it."}, "stem"),
        ({"domain": "nowhere"}, "domain"),
        ({"pool": "hidden"}, "pool"),
    ],
)
def test_invalid_input_is_reported_and_nothing_is_stored(family, editor, changes, where):
    response = send(editor, family, **changes)
    assert list(response.context["form"].shared.errors) == [where]
    assert [draft_of(row) for row in rows(family)] == variants()


def test_an_option_with_a_right_if_cannot_be_marked_never_right(family, editor):
    response = send(editor, family, options__2__never="A misconception.")
    assert [list(errors) for errors in response.context["form"].options.errors] == [[], [], ["never"], []]


def test_a_stale_family_page_is_reported(family, editor):
    fields = form_of(editor.get(page_of(family)).content.decode(), "family-form")
    send(editor, family, stem="First. {clause} What?")
    response = editor.post(page_of(family), fields | {"stem": "Second. {clause} What?"})
    assert response.status_code == 409
    assert Family.objects.get().stem == "First. {clause} What?"
    again = form_of(response.content.decode(), "family-form")
    assert (again["base"], again["stem"]) == (["1"], ["Second. {clause} What?"])


def test_only_those_who_may_change_questions_see_families(family, editor):
    assert editor.get("/admin/questions/family/").status_code == 200
    stranger = browser_of(person("sam"))
    assert stranger.get(page_of(family)).status_code == 403
    assert stranger.post(page_of(family)).status_code == 403
    assert editor.get("/admin/questions/family/999/change/").status_code == 404
    assert editor.get("/admin/questions/family/x/change/").status_code == 404


def test_a_save_keeps_fields_that_the_form_shows_only_in_part(exam, editor):
    StudyModule.objects.create(exam=exam, domain=exam.domains.first(), number=1, slug="data", changed_at=NOW)
    plain = draft(1)
    rich = changed(
        plain,
        modules=("data#02-splits",),
        objectives=("1.1.a", "2.2.c"),
        options=tuple(changed(o, right_if="" if o.right else f"Case {o.slot} holds.") for o in plain.options),
        clues=(changed(plain.clues[0], rules_out=(3, 4)),),
        sources=(changed(plain.sources[0], as_of=None, says="That it holds."),),
    )
    question = save_draft(exam, rich, None)
    save(editor, address(question), trap="Another trap.")
    assert draft_of(Question.objects.get(pk=question.pk)) == changed(rich, trap="Another trap.")
    assert QuestionSource.objects.get().as_of is None


class TestVariantsSideBySide:
    def test_clauses_keys_and_clues_of_all_variants_are_saved_together(self, family, editor):
        first, second, _ = rows(family)
        fields = {
            f"v{first.pk}-clause": "A tighter need decides.", f"v{first.pk}-clues-0-phrase": "tighter need",
            f"v{second.pk}-right": ["4"], f"v{second.pk}-title": "Renamed", "options-0-text": "A new share",
        }  # fmt: skip
        page = form_of(editor.get(page_of(family)).content.decode(), "family-form")
        assert editor.post(page_of(family), page | fields).status_code == 302
        one, two, three = (draft_of(row) for row in rows(family))
        assert (one.clause, one.clues[0].phrase) == ("A tighter need decides.", "tighter need")
        assert "A tighter need decides." in one.stem
        assert (two.right_slots, two.title) == ((4,), "Renamed")
        assert {each.options[0].text for each in (one, two, three)} == {"A new share"}
        assert {row.revision for row in rows(family)} == {1}
        assert [option.why for option in three.options] == [option.why for option in variants()[2].options]

    def test_opening_and_saving_the_family_changes_nothing(self, family, editor):
        page = form_of(editor.get(page_of(family)).content.decode(), "family-form")
        editor.post(page_of(family), page)
        assert {(row.desk, row.revision) for row in rows(family)} == {(Desk.NOTHING, 0)}

    @pytest.mark.parametrize(
        ("name", "text", "code"),
        [
            ("clause", "", "required"), ("clause", "{clause}", "place"), ("clause", "Need 2 of 1 decides it.", "taken"),
            ("right", ["9"], "invalid_choice"),
        ],
    )  # fmt: skip
    def test_an_error_is_marked_at_its_variant_and_no_variant_is_saved(self, family, editor, name, text, code):
        first, second, _ = rows(family)
        of = second if code == "taken" else first
        text = rows(family)[0].clause if code == "taken" else text
        page = form_of(editor.get(page_of(family)).content.decode(), "family-form")
        response = editor.post(page_of(family), page | {f"v{of.pk}-{name}": text, "stem": "Kept. {clause} What?"})
        parts = {part.question.pk: part.form for part in response.context["form"].variants}
        assert codes(parts[of.pk])[name] == [code]
        assert "Kept. {clause} What?" in response.content.decode()
        assert [draft_of(row) for row in rows(family)] == variants()

    def test_a_clue_missing_from_every_stem_is_marked(self, family, editor):
        first = rows(family)[0]
        page = form_of(editor.get(page_of(family)).content.decode(), "family-form")
        response = editor.post(page_of(family), page | {f"v{first.pk}-clues-0-phrase": "nowhere to be found"})
        assert codes(response.context["form"].variants[0].clues[0]) == {"phrase": ["elsewhere"]}

    def test_saving_a_page_that_showed_no_variants_leaves_them_unchanged(self, family, editor):
        page = form_of(editor.get(page_of(family)).content.decode(), "family-form")
        older = {name: value for name, value in page.items() if not name.startswith("v")}
        editor.post(page_of(family), older | {"stem": "Another scene. {clause} What now?"})
        assert [draft_of(row).right_slots for row in rows(family)] == [each.right_slots for each in variants()]
        assert rows(family)[0].stem.startswith("Another scene.")

    def test_the_diff_of_a_variant_shows_what_changes_in_its_siblings(self, family, editor):
        first, second, _ = rows(family)
        save(editor, address(second), trap="Another trap.")
        page = editor.get(address(first))
        assert [(each.pk, [c.name for c in lines]) for each, lines in page.context["page"].beside] == [
            (second.pk, ["trap"])
        ]
        assert [box["data-beside"] for box in parsed(page).select("[data-beside]")] == [str(second.pk)]
        of_family = parsed(editor.get(page_of(family)))
        assert [box["data-changed"] for box in of_family.select("[data-changed]")] == [str(second.pk)]
