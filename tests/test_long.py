"""Only certain files may use the marker ``long``, and whatever carries it still runs before a change lands."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

TESTS = Path(__file__).parent
CI = TESTS.parent / ".ci" / "run"
MAY = {
    "courseiva/test_demo_data.py": "many requests",
    "courseiva/test_error_reports.py": "many processes",
    "courseiva/test_fuzz_quick.py": "many requests",
    "courseiva/test_guards.py": "many requests",
    "courseiva/test_health.py": "many processes",
    "courseiva/test_metrics.py": "many processes",
    "courseiva/test_picture_storage.py": "many processes",
    "courseiva/test_settings.py": "many processes",
    "courseiva/test_site_owner.py": "many processes",
    "courseiva/test_sso.py": "many processes",
    "courseiva/test_starting.py": "many processes",
    "courseiva/test_statements.py": "many questions",
    "courseiva/test_unreadable.py": "many requests",
    "discussion/test_appeals.py": "many requests",
    "discussion/test_authors.py": "many requests",
    "discussion/test_desk_tools.py": "many requests",
    "discussion/test_flags.py": "many requests",
    "discussion/test_many_at_once.py": "many requests",
    "discussion/test_notices.py": "many requests",
    "discussion/test_screening.py": "many texts",
    "discussion/test_screening_list.py": "many requests",
    "discussion/test_talking.py": "many requests",
    "practice/test_account_edges.py": "many requests",
    "practice/test_anchors.py": "simulation",
    "practice/test_basic_questions.py": "many requests",
    "practice/test_beside.py": "many requests",
    "practice/test_blanks.py": "simulation",
    "practice/test_builder.py": "many requests",
    "practice/test_calibration.py": "simulation",
    "practice/test_chain.py": "many requests",
    "practice/test_check.py": "simulation",
    "practice/test_choice.py": "many requests",
    "practice/test_coming_home.py": "simulation",
    "practice/test_contrast_notebook.py": "many requests",
    "practice/test_contrasts.py": "many requests",
    "practice/test_exposure.py": "simulation",
    "practice/test_fresh_start.py": "many requests",
    "practice/test_growth.py": "many requests",
    "practice/test_harvesting.py": "many requests",
    "practice/test_item_health.py": "simulation",
    "practice/test_kept.py": "many requests",
    "practice/test_objective_estimates.py": "many requests",
    "practice/test_outages.py": "many requests",
    "practice/test_pages_readiness.py": "many requests",
    "practice/test_pages_regrades.py": "many processes",
    "practice/test_paper.py": "many requests",
    "practice/test_past.py": "simulation",
    "practice/test_people.py": "simulation",
    "practice/test_picture_access.py": "many requests",
    "practice/test_plan_feed.py": "many requests",
    "practice/test_plan_page.py": "many requests",
    "practice/test_plan_reminders.py": "many requests",
    "practice/test_plan_rules.py": "drawn cases",
    "practice/test_reopening.py": "many requests",
    "practice/test_sampling.py": "simulation",
    "practice/test_share.py": "many requests",
    "practice/test_sibling_weights.py": "simulation",
    "practice/test_sparse_items.py": "migrations",
    "practice/test_taking.py": "many requests",
    "practice/test_time_zones.py": "many requests",
    "practice/test_trial.py": "many requests",
    "practice/test_units.py": "many requests",
    "practice/test_whole_seconds.py": "migrations",
    "questions/lint/test_any_draft.py": "drawn cases",
    "questions/lint/test_command.py": "whole bank",
    "questions/readings/test_options_only.py": "whole bank",
    "questions/test_basic_levels.py": "many requests",
    "questions/test_case_package.py": "many requests",
    "questions/test_desk_home.py": "many requests",
    "questions/test_editor.py": "many requests",
    "questions/test_editor_fuzz.py": "many requests",
    "questions/test_editor_steps.py": "many requests",
    "questions/test_errata.py": "many requests",
    "questions/test_family_beginning.py": "many requests",
    "questions/test_family_desk.py": "many questions",
    "questions/test_family_editor.py": "many requests",
    "questions/test_family_formats.py": "whole bank",
    "questions/test_import_batches.py": "many requests",
    "questions/test_import_jobs.py": "many requests",
    "questions/test_import_matching.py": "many requests",
    "questions/test_large_banks.py": "many questions",
    "questions/test_own_bank.py": "whole bank",
    "questions/test_pages_objectives.py": "many requests",
    "questions/test_public_counts.py": "many requests",
    "questions/test_retired_file.py": "many requests",
    "questions/test_source_check.py": "many requests",
    "questions/test_staff_forms.py": "many requests",
    "questions/test_staff_search.py": "many requests",
    "questions/test_text_caps.py": "whole bank",
    "questions/test_together.py": "many requests",
    "test_architecture.py": "many processes",
    "test_bench.py": "many processes",
    "test_hidden_comments.py": "many requests",
    "upgrade/test_upgrade.py": "old release",
}
"""The reason why each file's long tests are long. No test that existed in 0.1.0 carries the marker; of those on
our own bank, which has grown since, some have a case that does, for its larger exam."""
SHOWS = {
    "old release": re.compile("RELEASES"),
    "migrations": re.compile(r'call_command\("migrate"'),
    "many requests": re.compile(r"\bclient\b|Client\(|\.post\(|\brun_all\("),
    "whole bank": re.compile("FIXTURES"),
    "many processes": re.compile(r"run_python|subprocess"),
    "simulation": re.compile("simulat|random|default_rng", re.IGNORECASE),
    "many questions": re.compile(r"add_questions|publish\("),
    "many texts": re.compile("labelled"),
    "drawn cases": re.compile("hypothesis"),
}
"""What a file contains if the reason applies to it."""
MARKED = re.compile(r"pytest\.mark\.long\b(?:\(\"([a-z ]+)\"\))?")


def marked() -> dict[str, set[str]]:
    """Return for each file the reasons its markers give, an empty one where a marker gives none."""
    texts = {path: path.read_text() for path in TESTS.rglob("*.py") if path != Path(__file__)}
    found = {str(path.relative_to(TESTS)): set(MARKED.findall(text)) for path, text in texts.items()}
    return {name: reasons for name, reasons in found.items() if reasons}


def selection(*target: str) -> set[str]:
    """Return which markers this target of the Makefile asks of its tests."""
    command = subprocess.run(
        ["make", "-n", *target], cwd=TESTS.parent, capture_output=True, text=True, check=True
    ).stdout
    return set(re.findall(r'-m "([^"]+)"', command)[0].split(" and "))


def test_only_these_files_have_long_tests_each_for_its_reason() -> None:
    assert marked() == {name: {reason} for name, reason in MAY.items()}


def test_each_reason_is_a_known_one_and_shows_in_the_file() -> None:
    assert [name for name, reason in MAY.items() if not SHOWS[reason].search((TESTS / name).read_text())] == []


def test_a_marker_without_a_reason_is_seen() -> None:
    assert MARKED.findall("@pytest." + "mark.long\n@pytest." + 'mark.long("whole bank")') == ["", "whole bank"]


def test_make_test_long_runs_what_make_test_leaves_out() -> None:
    assert selection("test") == {"not soak", "not long"}
    assert selection("test-long") == {"not soak", "long"}


def test_files_named_by_hand_run_whole() -> None:
    assert selection("test", "TESTS=tests/test_long.py") == {"not soak"}


def test_both_tiers_run_on_each_database_before_a_change_lands() -> None:
    commands = re.findall(r"^tier .*?\b(make test\S*(?: SERVERS_ONLY=1)?)$", CI.read_text(), re.MULTILINE)
    assert commands == ["make test", "make test-long", "make test SERVERS_ONLY=1", "make test-long SERVERS_ONLY=1"]
