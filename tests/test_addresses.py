"""Every address has a row in tests/support/pages.py, and each persona gets there what the row says and no more.

The same walk checks the headers that guard a page, that no hidden comment shows, the demo's notice, and the names
in templates.
"""

from __future__ import annotations

import pytest
from django.core.cache import cache
from pytest_django.plugin import DjangoDbBlocker

from tests.support.bank import CANARY
from tests.support.names import OPTIONAL, Names
from tests.support.pages import OfSession, patterns, rows
from tests.support.walk import Walk, answer, walk
from tests.support.world import GUEST, LEARNER, OWNERS, PERSONAS, STAFF, STRANGER, World

ROWS = rows()
POST_ONLY = {row.key for row in ROWS if row.method == "POST"} - {row.key for row in ROWS if row.method == "GET"}
OF_A_SITTING = [row for row in ROWS if isinstance(row.address, OfSession)]


def test_every_url_pattern_has_a_row_and_every_row_a_pattern() -> None:
    keys = {row.key for row in ROWS}
    assert patterns() - keys == set(), "give each of these a row in tests/support/pages.py"
    assert keys - patterns() == set(), "no address of the site is called so any more"


def test_each_row_has_a_unique_title() -> None:
    assert len({row.title for row in ROWS}) == len(ROWS)


@pytest.fixture(scope="class")
def names() -> Names:
    """Collect the undefined names that templates use while ``walked`` is made."""
    return Names()


@pytest.fixture(scope="class")
def walked(standing_world: World, names: Names, django_db_blocker: DjangoDbBlocker) -> Walk:
    """Request every row as every persona."""
    with django_db_blocker.unblock(), names.watched():
        cache.clear()
        return walk(standing_world, ROWS, PERSONAS)


@pytest.mark.django_db
class TestInTheSmallWorld:
    def test_each_row_gives_each_persona_the_status_it_names(self, walked: Walk) -> None:
        cases = [(persona, row) for persona in PERSONAS for row in ROWS]
        expected = {(persona, row.title): 404 if row.only_debug else row.status(persona) for persona, row in cases}
        got = {case: seen.status for case, seen in walked.items()}
        assert {case: status for case, status in got.items() if status >= 500} == {}
        assert {case: status for case, status in got.items() if status != expected[case]} == {}

    def test_each_response_has_the_headers_that_guard_it(self, walked: Walk) -> None:
        assert {case: seen.wrong_headers for case, seen in walked.items() if seen.wrong_headers} == {}

    @pytest.mark.parametrize("persona", [STRANGER, GUEST, LEARNER])
    def test_no_page_feed_export_or_form_shows_others_a_hidden_comment(self, walked: Walk, persona: str) -> None:
        of_persona = {case: seen.hidden for case, seen in walked.items() if case[0] == persona}
        assert len(of_persona) == len(ROWS)
        assert {case: words for case, words in of_persona.items() if words} == {}

    def test_no_page_of_a_real_site_says_that_it_is_the_demo(self, walked: Walk) -> None:
        pages = [row.title for row in ROWS if row.walked(STRANGER) and not row.follows and not row.only_debug]
        assert [title for title in pages if walked[STRANGER, title].says_demo] == []
        assert len(pages) > 50

    def test_every_name_in_a_template_is_defined(self, walked: Walk, names: Names) -> None:
        assert len(walked) > len(ROWS)
        assert sorted(names.printed) == [], "define it, ask with {% if %}, or give it a |default"
        assert sorted(names.reckoned - OPTIONAL) == [], "a slip, or optional: then it goes into OPTIONAL"
        assert sorted(OPTIONAL - names.reckoned) == [], "it is always there: take it out of OPTIONAL"

    def test_a_post_only_address_refuses_get(self, world: World) -> None:
        rows_ = [row for row in ROWS if row.key in POST_ONLY]
        got = {
            (persona, row.title): answer(world, row, persona, "GET").status_code for persona in OWNERS for row in rows_
        }
        # The admin's own pages redirect people who aren't staff before they look at the method.
        assert {case: status for case, status in got.items() if status != 405 and "admin:" not in case[1]} == {}

    def test_another_learners_session_is_not_found(self, world: World) -> None:
        """Others get 404. Without a login the session may be the reader's own, after their login ended."""
        got = {}
        for owner, others in ((GUEST, (LEARNER, STAFF, STRANGER)), (LEARNER, (STAFF,)), (STAFF, (LEARNER,))):
            for row in OF_A_SITTING:
                address = row.address(world, owner)
                got |= {
                    (owner, row.title, other): answer(world, row, other, address=address).status_code
                    for other in others
                }
        assert {case: status for case, status in got.items() if status != 404} == {}
        assert {row.key for row in OF_A_SITTING} >= {"session", "save", "results", "note"}

    def test_without_a_login_a_learners_session_reveals_nothing(self, world: World) -> None:
        got = {}
        for row in OF_A_SITTING:
            for persona in (GUEST, STRANGER):
                response = answer(world, row, persona, address=row.address(world, LEARNER))
                to_sign_in = response.status_code == 302 and response.headers["Location"].startswith("/accounts/login/")
                if not to_sign_in and response.status_code not in (403, 404):
                    got[persona, row.title] = response.status_code
                assert CANARY not in response.content.decode()
        assert got == {}
