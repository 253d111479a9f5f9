"""Fixtures for most tests of the editors' desk: an exam, an editor, and an editor who may also publish."""

import pytest

from tests.support.bank import make_exam
from tests.support.editing import EDITORS, REVIEWERS, person


@pytest.fixture
def exam():
    return make_exam()


@pytest.fixture
def alice():
    return person("alice", EDITORS)


@pytest.fixture
def bob():
    return person("bob", EDITORS, REVIEWERS)
