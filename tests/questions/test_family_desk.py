"""A family at the desk has one revision and one state and is published whole, but each question can be withdrawn."""

import dataclasses
import datetime as dt
import threading

import pytest
from django.db import connection, transaction

from courseiva.accounts.models import User
from questions.bank_files.load import Site
from questions.desk import decide as desk
from questions.desk.errors import NotPublishable, Older
from questions.desk.publish import publish
from questions.models import Change, Desk, DeskEntry, Family, Question, QuestionVersion
from questions.versions.errors import NotNow
from questions.versions.reads.drafts import draft_of
from questions.versions.rules.family import shared_of
from questions.versions.save import save_draft
from tests.support.bank import NOW
from tests.support.variants import variants

pytestmark = [pytest.mark.long("many questions"), pytest.mark.django_db]
LATER = NOW + dt.timedelta(hours=1)
SEMANTIC = desk.Publishing(Change.SEMANTIC, "Sharper.")


@pytest.fixture
def alice():
    return User.objects.create_user(email="alice@example.com", password="x")


@pytest.fixture
def bob():
    return User.objects.create_user(email="bob@example.com", password="x")


@pytest.fixture
def family(exam):
    for place, draft in enumerate(variants()):
        publish(save_draft(exam, draft, Question(exam=exam, key=draft.key, place=place)), NOW, Change.FIRST)
    return Family.objects.get()


def rows(family):
    return list(family.questions.order_by("place"))


def shared(family, **changes):
    return dataclasses.replace(shared_of(draft_of(rows(family)[0])), **changes)


def own(question, **changes):
    return dataclasses.replace(draft_of(Question.objects.get(pk=question.pk)), **changes)


def states(family):
    return {(row.revision, row.desk) for row in rows(family)}


def versions(family):
    return [row.versions.count() for row in rows(family)]


def one_shared_text(family):
    return len({shared_of(draft_of(row)) for row in rows(family)}) == 1


def test_shared_text_is_saved_into_each_question_at_once(family, alice):
    desk.keep_family(family.pk, shared(family, stem="New scene. {clause} What now?"), 0, alice, LATER)
    assert [row.stem for row in rows(family)] == [f"New scene. Need {n} of 1 decides it. What now?" for n in (1, 2, 3)]
    assert Family.objects.get().stem == "New scene. {clause} What now?"
    assert states(family) == {(1, Desk.DRAFT)}
    assert versions(family) == [1, 1, 1]
    assert all(list(row.authors.all()) == [alice] for row in rows(family))


def test_unchanged_shared_text_changes_nothing_and_a_stale_one_is_refused(family, alice, bob):
    desk.keep_family(family.pk, shared(family), 0, alice, LATER)
    assert states(family) == {(0, Desk.NOTHING)}
    desk.keep(rows(family)[2].pk, own(rows(family)[2], trap="Other."), 0, alice, LATER)
    with pytest.raises(Older):
        desk.keep_family(family.pk, shared(family, stem="Late. {clause}"), 0, bob, LATER)
    assert Family.objects.get().stem != "Late. {clause}"


def test_a_variants_own_words_put_the_whole_family_on_the_desk(family, alice):
    desk.keep(rows(family)[1].pk, own(rows(family)[1], trap="Other."), 0, alice, LATER)
    assert states(family) == {(1, Desk.DRAFT)}
    with pytest.raises(Older):
        desk.keep(rows(family)[0].pk, own(rows(family)[0], trap="Other."), 0, alice, LATER)


def test_text_that_a_family_shares_cannot_be_changed_in_one_question(family, alice):
    first = rows(family)[0]
    for changes in ({"pool": "reserved"}, {"domain": "d2"}, {"stem": f"Mine. {first.clause}"}):
        with pytest.raises(NotNow):
            desk.keep(first.pk, own(first, **changes), 0, alice, LATER)
    assert states(family) == {(0, Desk.NOTHING)}
    assert {row.pool for row in rows(family)} == {"open"}


def test_a_family_changes_pool_as_a_whole(family, alice, bob):
    desk.keep_family(family.pk, shared(family, pool="reserved"), 0, alice, LATER)
    desk.submit(rows(family)[0].pk, 1, alice, LATER)
    desk.release(rows(family)[0].pk, 1, bob, LATER, SEMANTIC)
    assert {version.pool for version in QuestionVersion.objects.filter(number=2)} == {"reserved"}
    assert {row.pool for row in rows(family)} == {"reserved"}


def test_publishing_a_shared_edit_makes_a_version_of_each_question_at_once(family, alice, bob):
    desk.keep_family(family.pk, shared(family, stem="New scene. {clause} What now?"), 0, alice, LATER)
    desk.submit(rows(family)[1].pk, 1, alice, LATER)
    assert states(family) == {(1, Desk.REVIEW)}
    desk.release(rows(family)[2].pk, 1, bob, LATER, SEMANTIC)
    assert versions(family) == [2, 2, 2]
    assert states(family) == {(1, Desk.NOTHING)}
    assert all(row.live_version.stem == row.stem for row in rows(family))
    assert not any(row.authors.exists() for row in rows(family))
    assert DeskEntry.objects.filter(act="published").count() == 3


def test_publishing_a_variants_own_words_keeps_its_siblings_versions(family, alice, bob):
    second = rows(family)[1]
    desk.keep(second.pk, own(second, trap="Other."), 0, alice, LATER)
    desk.submit(second.pk, 1, alice, LATER)
    desk.release(second.pk, 1, bob, LATER, SEMANTIC)
    assert versions(family) == [1, 2, 1]
    assert states(family) == {(1, Desk.NOTHING)}


def test_nobody_can_publish_a_family_in_which_they_worked_on_a_question(family, alice):
    second = rows(family)[1]
    desk.keep(second.pk, own(second, trap="Other."), 0, alice, LATER)
    desk.submit(second.pk, 1, alice, LATER)
    with pytest.raises(NotNow):
        desk.release(rows(family)[0].pk, 1, alice, LATER, SEMANTIC)


def test_if_one_sibling_is_refused_none_is_published(family, alice, bob):
    desk.keep_family(family.pk, shared(family, stem="New scene. {clause} What now?"), 0, alice, LATER)
    desk.submit(rows(family)[0].pk, 1, alice, LATER)
    Question.objects.filter(pk=rows(family)[2].pk).update(trap="")
    with pytest.raises(NotPublishable):
        desk.release(rows(family)[0].pk, 1, bob, LATER, SEMANTIC)
    assert versions(family) == [1, 1, 1]
    assert states(family) == {(1, Desk.REVIEW)}


def test_two_siblings_with_the_same_key_cannot_be_sent_to_review(family, alice):
    second = rows(family)[1]
    options = tuple(dataclasses.replace(o, right=o.slot == 1) for o in draft_of(second).options)
    clues = tuple(dataclasses.replace(clue, confirms=(1,)) for clue in draft_of(second).clues)
    desk.keep(second.pk, own(second, options=options, clues=clues), 0, alice, LATER)
    with pytest.raises(NotPublishable):
        desk.submit(second.pk, 1, alice, LATER)


def test_swapping_two_siblings_keys_changes_both(family, alice, bob):
    for slot, row in ((2, rows(family)[0]), (1, rows(family)[1])):
        options = tuple(dataclasses.replace(o, right=o.slot == slot) for o in draft_of(row).options)
        desk.keep(row.pk, own(row, options=options), rows(family)[0].revision, alice, LATER)
    desk.submit(rows(family)[0].pk, 2, alice, LATER)
    desk.release(rows(family)[0].pk, 2, bob, LATER, desk.Publishing(Change.KEY))
    found = QuestionVersion.objects.filter(number=2).order_by("question__place").values_list("change", flat=True)
    assert list(found) == ["key", "key"]


def test_discarding_a_draft_leaves_each_question_as_published(family, exam, alice):
    new = dataclasses.replace(variants(size=4)[3], key="q1-new")
    save_draft(exam, new, Question(exam=exam, key=new.key, place=3))
    desk.keep_family(family.pk, shared(family, stem="New scene. {clause} What now?"), 0, alice, LATER)
    desk.discard(rows(family)[1].pk, 1, alice, LATER)
    assert [row.key for row in rows(family)] == ["q1-1", "q1-2", "q1-3"]
    assert all(row.live_version.stem == row.stem for row in rows(family))
    assert Family.objects.get().stem.startswith(variants()[0].stem.partition(" ")[0])
    assert states(family) == {(2, Desk.NOTHING)}


def test_an_earlier_version_is_restored_into_the_current_family(family, alice, bob):
    first = rows(family)[0]
    desk.keep_family(family.pk, shared(family, stem="New scene. {clause} What now?"), 0, alice, LATER)
    desk.submit(first.pk, 1, alice, LATER)
    desk.release(first.pk, 1, bob, LATER, SEMANTIC)
    desk.keep(first.pk, own(first, trap="Other."), 1, alice, LATER)
    desk.restore(first.versions.get(number=1), 2, alice, LATER)
    first.refresh_from_db()
    assert (first.trap, first.stem) == (variants()[0].trap, "New scene. Need 1 of 1 decides it. What now?")
    assert one_shared_text(family)
    assert states(family) == {(3, Desk.DRAFT)}


def test_a_family_is_valid_without_a_withdrawn_or_retired_variant(family, alice, bob):
    first, second, third = rows(family)
    desk.withdraw(first.pk, alice, LATER, "The answer is doubted.")
    desk.retire(second.pk, bob, LATER, "Out of date.")
    assert [row.withdrawn_at is None for row in rows(family)] == [False, True, True]
    desk.keep_family(family.pk, shared(family, stem="New scene. {clause} What now?"), 0, alice, LATER)
    desk.submit(third.pk, 1, alice, LATER)
    desk.release(third.pk, 1, bob, LATER, SEMANTIC)
    assert versions(family) == [2, 1, 2]


def test_a_single_question_is_edited_on_its_own(exam, family, alice):
    lone = dataclasses.replace(variants(7)[0], family="", clause="", key="lone")
    question = desk.begin(exam, lone, alice, NOW)
    desk.keep(question.pk, own(question, trap="Other."), 0, alice, LATER)
    assert states(family) == {(0, Desk.NOTHING)}


def test_a_version_records_its_family(family, alice):
    assert {version.family for version in QuestionVersion.objects.all()} == {family}
    assert Site.of(family.exam).drafts["q1-2"] == draft_of(rows(family)[1]) == variants()[1]


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has one writer")
def test_saves_of_two_siblings_wait_for_each_other_and_the_second_is_warned(exam, family, alice, bob):
    """Each save locks the family first; two saves that each locked a sibling first could deadlock."""
    first, _, third = rows(family)
    told = []

    def late():
        try:
            desk.keep(third.pk, own(third, trap="Late."), 0, bob, LATER)
        except Older as error:
            told.append(error)
        finally:
            connection.close()

    other = threading.Thread(target=late)
    with transaction.atomic():
        desk.keep(first.pk, own(first, trap="Early."), 0, alice, LATER)
        other.start()
        other.join(0.5)
        assert other.is_alive()
    other.join()
    assert len(told) == 1
    assert states(family) == {(1, Desk.DRAFT)}
