"""Each state of an answer has its class name on a marked answer sheet."""

import pytest

from practice.sessions.reads.history import SheetCell
from practice.templatetags.practice_pages import cell_classes


@pytest.mark.parametrize(
    ("cell", "classes"),
    [
        (SheetCell(True, True), "cell is-answered is-right"),
        (SheetCell(True, False), "cell is-answered is-wrong"),
        (SheetCell(False, False), "cell is-wrong"),
        (SheetCell(True, None), "cell is-answered"),
        (SheetCell(False, None), "cell"),
        (SheetCell(True, True, is_flagged=True), "cell is-answered is-right is-flagged"),
        (SheetCell(False, False, is_flagged=True, is_late=True), "cell is-wrong is-flagged is-late"),
    ],
)
def test_each_state_has_its_class_name(cell: SheetCell, classes: str) -> None:
    assert cell_classes(cell) == classes
