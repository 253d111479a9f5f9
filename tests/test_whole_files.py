"""A file that isn't read has no test that would have run."""

import re
from pathlib import Path

import pytest

from tests.support.whole_files import markers_of_file, refused

FILES = sorted(Path(__file__).parent.rglob("test_*.py"))


@pytest.mark.parametrize(
    ("expression", "markers"),
    [
        ("not soak and not long", {"soak", "long"}),
        ("long and not soak", {"soak"}),
        ("gate and alone", set()),
        ("not soak or long", set()),
        ("not (soak and long)", set()),
        ("", set()),
    ],
)
def test_only_markers_that_no_selected_test_may_carry_are_refused(expression: str, markers: set[str]) -> None:
    assert refused(expression) == markers


@pytest.mark.parametrize(
    ("text", "markers"),
    [
        ("pytestmark = pytest.mark.soak\n", {"soak"}),
        ('pytestmark = [pytest.mark.slow("many requests"), pytest.mark.django_db]\n', {"slow", "django_db"}),
        ("pytestmark = [\n    pytest.mark.soak,\n    pytest.mark.alone,\n]\nx = pytest.mark.slow\n", {"soak", "alone"}),
        ("pytestmark = pytest.mark.django_db\n\n\n@pytest.mark.soak\ndef test_one():\n    pass\n", {"django_db"}),
        ("class TestOne:\n    pytestmark = pytest.mark.soak\n", set()),
    ],
)
def test_only_what_a_file_gives_to_all_of_its_tests_counts(text: str, markers: set[str]) -> None:
    assert markers_of_file(text) == markers


def test_each_file_gives_its_tests_the_markers_that_are_read_from_it(request: pytest.FixtureRequest) -> None:
    """Compares the text with what pytest found in the files that this run has collected."""
    modules = {item.path: item.getparent(pytest.Module) for item in request.session.items}
    for path, module in modules.items():
        assert module
        assert markers_of_file(path.read_text()) == {mark.name for mark in module.iter_markers()}, path


def test_nothing_else_gives_a_marker_to_a_whole_file() -> None:
    others = re.compile(r"^pytestmark\b(?! = (pytest\.mark|\[))", re.MULTILINE)
    assert [path for path in FILES if others.search(path.read_text())] == []
