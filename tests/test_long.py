"""Only certain files may use the marker ``long``, and whatever carries it still runs before a change lands."""

from __future__ import annotations

import re
from pathlib import Path

TESTS = Path(__file__).parent
CI = TESTS.parent / ".ci" / "run"
MAY = {
    "courseiva/test_error_reports.py": "many processes",
    "courseiva/test_fuzz_quick.py": "many requests",
    "courseiva/test_guards.py": "many requests",
    "courseiva/test_metrics.py": "many processes",
    "courseiva/test_settings.py": "many processes",
    "courseiva/test_site_owner.py": "many processes",
    "courseiva/test_sso.py": "many processes",
    "courseiva/test_starting.py": "many processes",
    "practice/test_account_edges.py": "many requests",
    "practice/test_anchors.py": "simulation",
    "practice/test_builder.py": "many requests",
    "practice/test_calibration.py": "simulation",
    "practice/test_check.py": "simulation",
    "practice/test_growth.py": "many requests",
    "practice/test_harvesting.py": "many requests",
    "practice/test_people.py": "simulation",
    "practice/test_sibling_weights.py": "simulation",
    "questions/test_editor.py": "many requests",
    "questions/test_editor_fuzz.py": "many requests",
    "questions/test_family_formats.py": "whole bank",
    "questions/test_own_bank.py": "whole bank",
    "questions/test_staff_forms.py": "many requests",
    "questions/test_text_caps.py": "whole bank",
    "upgrade/test_upgrade.py": "old release",
}
"""The reason why each file's long tests are long. No test that existed in 0.1.0 carries the marker."""
SHOWS = {
    "old release": re.compile("RELEASES"),
    "many requests": re.compile(r"\bclient\b|Client\(|\.post\(|\brun_all\("),
    "whole bank": re.compile("FIXTURES"),
    "many processes": re.compile(r"run_python|subprocess"),
    "simulation": re.compile("simulat|random|default_rng", re.IGNORECASE),
}
"""What a file contains if the reason applies to it."""
MARKED = re.compile(r"pytest\.mark\.long\b(?:\(\"([a-z ]+)\"\))?")


def marked() -> dict[str, set[str]]:
    """Return for each file the reasons its markers give, an empty one where a marker gives none."""
    texts = {path: path.read_text() for path in TESTS.rglob("*.py") if path != Path(__file__)}
    found = {str(path.relative_to(TESTS)): set(MARKED.findall(text)) for path, text in texts.items()}
    return {name: reasons for name, reasons in found.items() if reasons}


def test_only_these_files_have_long_tests_each_for_its_reason() -> None:
    assert marked() == {name: {reason} for name, reason in MAY.items()}


def test_each_reason_is_one_of_the_five_and_shows_in_the_file() -> None:
    assert [name for name, reason in MAY.items() if not SHOWS[reason].search((TESTS / name).read_text())] == []


def test_a_marker_without_a_reason_is_seen() -> None:
    assert MARKED.findall("@pytest." + "mark.long\n@pytest." + 'mark.long("whole bank")') == ["", "whole bank"]


def test_make_test_long_runs_what_make_test_leaves_out() -> None:
    recipes = dict(re.findall(r"^(test|test-long):.*\n\t(.*)", (TESTS.parent / "Makefile").read_text(), re.MULTILINE))
    told = {name: set(re.findall(r'-m "([^"]+)"', recipe)[0].split(" and ")) for name, recipe in recipes.items()}
    assert told == {"test": {"not soak", "not long"}, "test-long": {"not soak", "long"}}


def test_both_tiers_run_on_each_database_before_a_change_lands() -> None:
    commands = re.findall(r"^tier .*?\b(make test\S*(?: SERVERS_ONLY=1)?)$", CI.read_text(), re.MULTILINE)
    assert commands == ["make test", "make test-long", "make test SERVERS_ONLY=1", "make test-long SERVERS_ONLY=1"]
