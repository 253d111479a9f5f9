"""Check the list that editors keep, the box to try a text in, and the commands about screening."""

from __future__ import annotations

import csv
import json

import pytest
from django.core.management import call_command
from django.urls import reverse

from discussion.models import Act, ListEntry, Reason, State
from discussion.moderation.acts.decide import decide
from discussion.screening.hold import editors_list
from discussion.screening.reads import records_of_rules
from discussion.screening.rules.classifier import SIZE
from discussion.screening.rules.parts import DUMP_SITE, LEAK, LIKELY_HARM, LINK, Listed
from discussion.screening.rules.screen import starting_list
from tests.discussion.conftest import in_group, person, row
from tests.support.bank import NOW
from tests.support.hooks import codes, parsed

pytestmark = pytest.mark.long("many requests")

BOX = "admin:discussion_listentry_try"


def entry(kind, text, exam=None):
    return ListEntry.objects.create(kind=kind, text=text, exam=exam)


def test_a_new_site_starts_with_a_short_list():
    assert {each.rule for each in starting_list()} == {LEAK, DUMP_SITE, LINK}
    assert len(starting_list()) == len(set(starting_list())) < 100


def test_an_exams_entry_applies_only_to_that_exam(exam, version, alice, say):
    ListEntry.objects.all().delete()
    entry(LEAK, "purple zebra", exam)
    entry(DUMP_SITE, "zebrabank")
    assert set(editors_list(version.question_id)) == {Listed(LEAK, "purple zebra"), Listed(DUMP_SITE, "zebrabank")}
    assert set(editors_list(version.question_id + 1)) == {Listed(DUMP_SITE, "zebrabank")}
    held = say(alice, "Here the replica is a purple  Zebra to me, since reads are few.")
    assert (held.state, list(held.hits.values_list("rule", "text"))) == (State.HELD, [(LEAK, "purple  Zebra")])


def test_only_editors_and_moderators_open_the_list(client_of, alice, client):
    address = reverse("admin:discussion_listentry_changelist")
    for member in (in_group("ed", "Editors", is_staff=True), in_group("mo", "Moderators", is_staff=True)):
        assert client_of(member).get(address).status_code == 200
        assert client_of(member).get(reverse(BOX)).status_code == 200
    for stranger in (alice, person("clerk", is_staff=True)):
        assert client_of(stranger).get(address).status_code in (302, 403)
        assert client_of(stranger).get(reverse(BOX)).status_code in (302, 403)
    assert client.get(reverse(BOX)).status_code == 302


def test_an_editor_adds_an_entry_once(client_of, exam):
    editor = client_of(in_group("ed", "Editors", is_staff=True))
    address = reverse("admin:discussion_listentry_add")
    for count in (1, 1):
        editor.post(address, {"kind": LEAK, "text": "purple zebra", "exam": ""})
        assert ListEntry.objects.filter(text="purple zebra").count() == count


def test_the_box_tries_an_entry_before_it_is_listed(client_of, exam):
    editor = client_of(in_group("ed", "Editors", is_staff=True))
    text = "Here the replica is a purple zebra to me, since reads are few."
    sent = {"text": text, "level": "new", "exam": exam.pk, "kind": LEAK, "entry": ""}
    assert parsed(editor.post(reverse(BOX), sent)).select_one("[data-state=shown]")
    page = parsed(editor.post(reverse(BOX), sent | {"entry": "purple zebra"}))
    assert [each["data-rule"] for each in page.select("[data-rule]")] == [LEAK]
    assert page.select_one("[data-rule] q").text == "purple zebra"
    assert not ListEntry.objects.filter(text="purple zebra").exists()


@pytest.mark.parametrize("text", ["*", "* *", "-"])
def test_an_entry_needs_a_letter_or_a_number(client_of, version, text):
    editor = client_of(in_group("ed", "Editors", is_staff=True))
    count = ListEntry.objects.count()
    page = editor.post(reverse("admin:discussion_listentry_add"), {"kind": LEAK, "text": text, "exam": ""})
    assert codes(page.context["adminform"].form) == {"text": ["no-word"]}
    assert ListEntry.objects.count() == count
    sent = {"text": "A remark.", "level": "new", "kind": LEAK, "entry": text}
    assert codes(editor.post(reverse(BOX), sent).context["form"]) == {"entry": ["no-word"]}


def test_the_box_asks_for_the_kind_of_a_new_entry(client_of, db):
    editor = client_of(in_group("ed", "Editors", is_staff=True))
    page = editor.post(reverse(BOX), {"text": "A remark.", "level": "new", "kind": "", "entry": "purple zebra"})
    assert codes(page.context["form"]) == {"kind": ["required"]}


HARSH = {"bias": 9.0, "new": 0.0, "known": 0.0, "weights": [0] * SIZE}
"""A model that holds every text."""


def test_the_box_the_tables_and_new_comments_all_use_the_sites_model(client_of, alice, say, settings, tmp_path, capsys):
    path, texts = tmp_path / "weights.json", tmp_path / "texts.csv"
    path.write_text(json.dumps(HARSH))
    settings.SCREENING_WEIGHTS = str(path)
    remark = "Thanks, now I see why the replica isn't needed."
    held = say(alice, remark)
    assert set(held.hits.values_list("rule", flat=True)) == {LIKELY_HARM}
    editor = client_of(in_group("ed", "Editors", is_staff=True))
    page = parsed(editor.post(reverse(BOX), {"text": remark, "level": "new", "entry": ""}))
    assert [each["data-rule"] for each in page.select("[data-rule]")] == [LIKELY_HARM]
    texts.write_text(f'text,label,language,trust\n"{remark}",harmless,en,new\n')
    call_command("screening_tables", str(texts))
    assert "| new | harmless | 1 | 0 | 100.0 |" in capsys.readouterr().out


def test_decisions_train_the_model_but_off_topic_ones_do_not(version, alice, moderator):
    from discussion.screening.train import Labelled, from_decisions

    for text, act, reason in (
        ("Good.", Act.APPROVE, ""),
        ("A leak.", Act.REJECT, Reason.LEAK),
        ("Spam.", Act.SPAM, ""),
        ("Off topic.", Act.REJECT, Reason.OFF_TOPIC),
    ):
        decide(row(version, alice, text, state=State.HELD), act, moderator, NOW, reason)
    row(version, alice, "Nobody decided.")
    row(version, alice, "Waits.", state=State.HELD)
    assert set(from_decisions()) == {Labelled("Good.", False), Labelled("A leak.", True), Labelled("Spam.", True)}


@pytest.mark.django_db
def test_the_tables_count_each_text_at_its_authors_level(tmp_path, capsys):
    texts = [
        ("See https://notes.example/x", "harmful", "en", "new"),
        ("See https://notes.example/x", "harmful", "en", "trusted"),
        ("Thanks, now I see why the replica isn't needed.", "harmless", "de", ""),
    ]
    path = tmp_path / "texts.csv"
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([("text", "label", "language", "trust"), *texts])
    call_command("screening_tables", str(path))
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines() if line.startswith("| ")]
    by_kind = {tuple(cells[:2]): cells[2:5] for cells in lines if len(cells) == 6}
    assert by_kind["new", "harmful"] == ["1", "0", "100.0"]
    assert by_kind["known, trusted", "harmful"] == ["0", "1", "0.0"]
    assert by_kind["new", "harmless"] == by_kind["known, trusted", "harmless"] == ["0", "1", "0.0"]


def test_staff_see_how_often_moderators_agreed_with_each_rule(version, alice, moderator, client_of):
    for n, act in enumerate((Act.SPAM, Act.SPAM, Act.SPAM, Act.APPROVE)):
        held = row(version, alice, f"Held {n}.", state=State.HELD)
        for start in (0, 1):
            held.hits.create(rule=LINK, start=start, end=4, text="Held")
        decide(held, act, moderator, NOW)
    waits = row(version, alice, "Waits.", state=State.HELD)
    waits.hits.create(rule=LEAK, start=0, end=4, text="Wait")
    records = {each.rule: each for each in records_of_rules()}
    assert (records[LINK].decided, records[LINK].removed, records[LINK].precision) == (4, 3, 0.75)
    assert (records[LEAK].decided, records[LEAK].waiting, records[LEAK].precision) == (0, 1, None)
    page = parsed(
        client_of(in_group("mo", "Moderators", is_staff=True)).get(reverse("admin:discussion_listentry_rules"))
    )
    assert [cell.text for cell in page.select(f"[data-rule={LINK}] .figure")] == ["4", "3", "75%", "0"]
