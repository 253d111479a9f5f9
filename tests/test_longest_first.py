"""The files listed as the slowest exist."""

from pathlib import Path

import pytest

from tests.support.longest_first import LONGEST


@pytest.mark.parametrize("name", LONGEST)
def test_files_listed_first_exist(name: str) -> None:
    assert (Path(__file__).parent / name).is_file()
