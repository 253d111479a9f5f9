"""Every staff form accepts junk or reports what is wrong with it, and none causes a server error."""

from __future__ import annotations

import random
from urllib.parse import urljoin

import pytest
from django.db import transaction

from tests.questions.test_editor_fuzz import JUNK
from tests.support.hooks import parsed
from tests.support.html_forms import Form, forms_of
from tests.support.pages import ADMIN, Row, admin_rows
from tests.support.walk import answer
from tests.support.world import STAFF, World

SEED, ROUNDS = 20261129, 2
FAULTS = ".errorlist, .errornote, [data-code], [role=alert], .messagelist"
"""Selector for the places where a page reports an error."""
COUNTS = ("", "x", "-1", "²", "1e309", "9" * 400, "999999999", "\ud7ff", "1001")
"""Values sent in place of the number of rows in a form."""
OURSELVES = ("/logout/", "/password_change/", "/accounts/", "/display/")
OF_DESK = ("admin:questions_", "admin:practice_regrade", "admin:practice_reopening", "admin:discussion_listentry")
NO_FORMS = ("_history", "_delete", "_changelist")
PAGES = [
    row
    for row in (*ADMIN, *admin_rows())
    if row.page
    and row.method == "GET"
    and row.status(STAFF) == 200
    and row.key.startswith(OF_DESK)
    and not row.key.endswith(NO_FORMS)
]


@pytest.mark.long("many requests")
class TestInTheSmallWorld:
    def test_every_page_with_a_form_is_found(self, world: World) -> None:
        titles = {row.title for row in PAGES if posted(world, row)}
        for name in ("questions_import", "questions_import_columns", "questions_question_change",
                     "questions_exam_change", "practice_regrade_new", "questions_family_change",
                     "discussion_listentry_add"):  # fmt: skip
            assert any(name in title for title in titles), name

    @pytest.mark.parametrize("row", PAGES, ids=lambda row: row.title)
    def test_junk_is_reported_and_never_causes_a_server_error(self, world: World, row: Row) -> None:
        chance = random.Random(f"{SEED}{row.title}")
        for address, form in posted(world, row):
            counts = [name for name in form.fields if name.endswith(("-TOTAL_FORMS", "-INITIAL_FORMS"))]
            for fields in [
                *(counted(form, name, chance) for name in counts),
                *(spoilt(form, chance) for _ in range(ROUNDS)),
            ]:
                with transaction.atomic():
                    page = world.client(STAFF).post(address, fields)
                    transaction.set_rollback(True)
                assert page.status_code < 500, (address, fields)
                if page.status_code == 200 and "_save" in fields:
                    assert parsed(page).select(FAULTS), (address, fields)


def posted(world: World, row: Row) -> list[tuple[str, Form]]:
    """Return the forms that a page posts, with their addresses."""
    page = answer(world, row, STAFF)
    url = row.address(world, STAFF)
    forms = forms_of(page.content.decode())
    addresses = [(urljoin(url, form.action or url), form) for form in forms if form.method == "post" and form.fields]
    return [(address, form) for address, form in addresses if not any(part in address for part in OURSELVES)]


def counted(form: Form, name: str, chance: random.Random) -> dict[str, list[str]]:
    return form.fields | pressed(form) | {name: [chance.choice(COUNTS)]}


def pressed(form: Form) -> dict[str, list[str]]:
    """Return the button that saves, if it has a name."""
    return {name: form.buttons[name][:1] for name in ("_save",) if name in form.buttons}


def spoilt(form: Form, chance: random.Random) -> dict[str, list[str]]:
    """Return the form's data with some fields filled with junk, dropped or sent twice."""
    fields = form.fields | pressed(form)
    for name in chance.sample(sorted(fields), k=min(len(fields), chance.randint(1, 5))):
        way = chance.random()
        junk = [chance.choice(JUNK).encode("utf-8", "replace").decode() for _ in range(2)]
        if way < 0.2:
            del fields[name]
        else:
            fields[name] = junk[:1] if way < 0.8 else junk
    return fields
