"""The key of a QTI 2 or 3 item that declares none, from rules that give points for one response.

Only ``match`` of the whole response with base values is read: with any other condition, the key stays unknown.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal, InvalidOperation

from questions.formats.rules.items import CannotTake
from questions.formats.rules.reading.xml_tree import Node

BRANCHES = ("responseIf", "responseElseIf", "responseElse")
SCORE = "score"


def matched(node: Node, response: str) -> set[str]:
    """The values whose branches give the most points; none if no branch gives any. Raises CannotTake."""
    best, found = Decimal(0), list[frozenset[str]]()
    for branch in _branches(node):
        points = _points_of(branch)
        if points <= 0 or points < best:
            continue
        if points > best:
            best, found = points, []
        found.append(_values(branch, response))
    if len(found) > 1 and any(len(values) > 1 for values in found):
        raise CannotTake("gives full points to several sets of answers")
    return set().union(*found)


def _branches(node: Node) -> Iterator[Node]:
    """The branches of the rules. Raises CannotTake for a nested one, which has more conditions than its own."""
    processing = node.first("responseProcessing")
    for condition in processing.nodes("responseCondition") if processing else ():
        for branch in condition.nodes(*BRANCHES):
            if any(branch.walk("responseCondition")):
                raise _open()
            yield branch


def _points_of(branch: Node) -> Decimal:
    """What a branch adds to the score: its base values; any other expression counts as a point."""
    found = Decimal(0)
    for outcome in branch.nodes("setOutcomeValue"):
        if outcome.get("identifier").casefold() == SCORE:
            stated = [points(value.text().strip()) for value in outcome.walk("baseValue")]
            found += sum(stated, Decimal(0)) if stated else Decimal(1)
    return found


def _values(branch: Node, response: str) -> frozenset[str]:
    """The values that the whole response must equal. Raises CannotTake for any other condition."""
    match = next(branch.nodes(), None)
    if match is None or match.name != "match":
        raise _open()
    sides = list(match.nodes())
    asked = [side for side in sides if side.name == "variable" and side.get("identifier") == response]
    others = [side for side in sides if side not in asked]
    if len(asked) != 1 or len(others) != 1:
        raise _open()
    stated = list(others[0].nodes()) if others[0].name == "multiple" else others
    if not stated or any(value.name != "baseValue" for value in stated):
        raise _open()
    return frozenset(value.text().strip() for value in stated)


def _open() -> CannotTake:
    return CannotTake("has its right answer only in rules that aren’t a plain match")


def points(value: str) -> Decimal:
    """A number of points; 0 for anything else."""
    try:
        found = Decimal(value)
    except InvalidOperation:
        return Decimal(0)
    return found if found.is_finite() else Decimal(0)
