"""The pinned packages can be installed with the oldest Python that the project says it runs on."""

import re
import tomllib
from importlib.metadata import distribution

import pytest
from packaging.markers import default_environment
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tests.support.subprocesses import BASE

PROMISED = tomllib.loads((BASE / "pyproject.toml").read_text())["project"]["requires-python"]
OLDEST = f"{PROMISED.removeprefix('>=')}.0"
PINNED = re.findall(r"^([\w.-]+)==", (BASE / "requirements-dev.lock").read_text(), re.MULTILINE)


def test_the_supported_pythons_are_given_by_a_lower_bound_alone() -> None:
    assert re.fullmatch(r">=3\.\d+", PROMISED)
    assert len(PINNED) > 100


@pytest.mark.parametrize("name", PINNED)
def test_a_pinned_package_and_what_it_needs_run_on_the_oldest_python(name: str) -> None:
    package = distribution(name)
    assert SpecifierSet(package.metadata["Requires-Python"] or "").contains(OLDEST)
    older = default_environment() | {"python_full_version": OLDEST, "python_version": OLDEST[:4], "extra": ""}
    needed = [
        each for each in map(Requirement, package.requires or []) if not each.marker or each.marker.evaluate(older)
    ]
    assert {canonicalize_name(each.name) for each in needed} <= {canonicalize_name(each) for each in PINNED}
