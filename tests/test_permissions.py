"""Each group of staff can do what it should and no more, and no address accepts a form without declared responses."""

from __future__ import annotations

from tests.support.pages import ADMIN, DISCUSSION, MODERATION, REVIEWERS_ACTS, Row, admin_rows, posted, rows
from tests.support.walk import answer
from tests.support.world import (
    EDITOR,
    GROUP_PERSONAS,
    LEARNER,
    MODERATOR,
    PERSONAS,
    STAFF,
    World,
)

OF_ADMIN = [*ADMIN, *admin_rows()]
OF_ADMIN = [*OF_ADMIN, *posted(OF_ADMIN)]
OF_THREADS = [row for row in DISCUSSION if row.title != "GET thread (of a running mock)"]
"""Rows left out because they need a session of the persona's own."""
SHARED = (
    "admin:index", "admin:login", "admin:logout", "admin:jsi18n", "admin:autocomplete", "admin:view_on_site",
    "admin:password_change", "admin:questions_", "admin:practice_regrade", "admin:discussion_listentry", "admin/",
)  # fmt: skip
"""Prefixes of the admin addresses that editors and reviewers share; all others are the administrator's alone."""
ADMINISTRATORS = ("admin:questions_exam_",)
"""Addresses that begin like those but aren't shared."""
REVIEWERS_ALONE = {
    *(row.title for row in ADMIN if row.key == "admin:practice_regrade_new"),
    *(f"POST admin:questions_question_act ({act})" for act in REVIEWERS_ACTS),
}
APPS = {"discussion", "practice", "questions"}
SIGN_IN = ("/accounts/login/", "/admin/login/")


def of_group(row: Row, group: str) -> int:
    """Return the status for a person whose only rights are this group's."""
    if row in MODERATION:
        return row.status(STAFF if group == MODERATOR else LEARNER)
    if row in OF_THREADS:
        return row.status(STAFF)
    if group == MODERATOR:
        return row.status(LEARNER)
    if row.key == "admin:app_list":
        return 200 if row.variant in APPS else 404
    may = (
        row.key.startswith(SHARED)
        and not row.key.startswith(ADMINISTRATORS)
        and not (group == EDITOR and row.title in REVIEWERS_ALONE)
    )
    return row.status(STAFF) if may else 403


class TestInTheSmallWorld:
    def test_each_group_gets_exactly_its_rights(self, world: World) -> None:
        cases = [(group, row) for group in GROUP_PERSONAS for row in (*OF_ADMIN, *MODERATION, *OF_THREADS)]
        got = {(group, row.title): answer(world, row, group).status_code for group, row in cases}
        expected = {(group, row.title): of_group(row, group) for group, row in cases}
        assert {case: (status, expected[case]) for case, status in got.items() if status != expected[case]} == {}

    def test_every_address_that_takes_a_form_has_a_row_for_it(self, world: World) -> None:
        declared = {row.key for row in rows() if row.method == "POST"}
        others = [row for row in rows() if row.key not in declared and not row.only_debug]
        taken = {row.key for row in others for persona in PERSONAS if takes_a_form(world, row, persona)}
        assert taken == set(), "give each of these a row with the method POST in tests/support/pages.py"
        assert others


def test_the_groups_differ_in_what_they_may_do() -> None:
    """The test above relies on these differences."""
    acts = {group: {row.title for row in OF_ADMIN if of_group(row, group) in (200, 302)} for group in GROUP_PERSONAS}
    assert acts["reviewer"] - acts[EDITOR] == {
        "GET admin:practice_regrade_new",
        "POST admin:practice_regrade_new (nothing chosen)",
        *(f"POST admin:questions_question_act ({act})" for act in REVIEWERS_ACTS),
    }
    users = [row for row in OF_ADMIN if row.key.startswith(("admin:accounts_", "admin:auth_", "admin:mfa_"))]
    assert {of_group(row, group) for row in users for group in ("editor", "reviewer")} == {403}
    assert {of_group(row, MODERATOR) for row in OF_ADMIN if row.key != "admin:login"} == {302}


def takes_a_form(world: World, row: Row, persona: str) -> bool:
    """Return whether an empty POST gets past a 405, a sign-in page and a refusal that a GET would meet too."""
    response = answer(world, row, persona, "POST")
    status = response.status_code
    to_sign_in = status == 302 and response.headers["Location"].startswith(SIGN_IN)
    return not (status == 405 or to_sign_in or (status in (403, 404) and status == row.status(persona)))
