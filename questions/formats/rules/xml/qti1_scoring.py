"""Scoring of a QTI 1.2 item (its ``resprocessing``): which choice scores best, and its feedback."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal, InvalidOperation

from questions.formats.rules.items import CannotTake
from questions.formats.rules.reading.xml_tree import Node

Links = dict[str, list[str]]
FULL = "SCORE.max"  # Blackboard's name for an item's full points


def best_choice(item: Node, response: str, idents: list[str], *, single: bool) -> tuple[frozenset[str], Links]:
    """The right options, and the feedback linked to each option. Raises CannotTake.

    In choose-one, each option is tried on its own. In choose-several, the sets named by the conditions are tried, plus
    the set of all options that score on their own.
    """
    processings = list(item.nodes("resprocessing"))
    _spell_out(processings)
    rules = [rule for processing in processings for rule in processing.nodes("respcondition")]
    alone = {ident: score(rules, response, frozenset([ident])) for ident in idents}
    best: frozenset[str]
    if single:
        top = max(alone.values(), default=Decimal(0))
        best = frozenset(ident for ident, points in alone.items() if points == top and points > 0)
    else:
        named = {_named(rule, set(idents)) for rule in rules}
        tried = {frozenset(i for i, points in alone.items() if points > 0), *named} - {frozenset()}
        ranked = sorted(tried, key=lambda chosen: (score(rules, response, chosen), len(chosen), sorted(chosen)))
        best = ranked[-1] if ranked and score(rules, response, ranked[-1]) > 0 else frozenset()
    if not best:
        raise CannotTake("gives no option any points")
    return best, {ident: _links(rules, response, ident, idents) for ident in idents}


def _spell_out(processings: list[Node]) -> None:
    """Replace variables in rules by the declared points, or 100."""
    for processing in processings:
        declared = [value for value in map(_maximum, processing.walk("decvar")) if value]
        for change in processing.walk("setvar"):
            if change.text().strip() == FULL:
                change.parts = [str(max(declared, default=Decimal(100)))]


def _maximum(declaration: Node) -> Decimal:
    try:
        most = Decimal(declaration.get("maxvalue", "0"))
    except InvalidOperation:
        return Decimal(0)
    return most if most.is_finite() and most > 0 else Decimal(0)


def score(rules: Iterable[Node], response: str, chosen: frozenset[str]) -> Decimal:
    """The points for a choice; rules are applied in order until one says to stop."""
    points = Decimal(0)
    for rule in rules:
        condition = rule.first("conditionvar")
        if condition is None or not holds(condition, response, chosen):
            continue
        for change in rule.nodes("setvar"):
            points = _changed(points, change)
        if rule.get("continue", "No").lower() != "yes":
            break
    return points


def _changed(points: Decimal, change: Node) -> Decimal:
    try:
        value = Decimal(change.text().strip() or "0")
    except InvalidOperation:
        return points
    if not value.is_finite() or abs(value) > 10**9:
        return points
    action = change.get("action", "Set").lower()
    if action == "add":
        return points + value
    if action == "subtract":
        return points - value
    return value if action == "set" else points


def holds(condition: Node, response: str, chosen: frozenset[str]) -> bool:
    """Whether all parts of a condition hold."""
    return all(_part_holds(part, response, chosen) for part in condition.nodes())


def _part_holds(part: Node, response: str, chosen: frozenset[str]) -> bool:
    if part.name == "varequal":
        respident = part.get("respident", response) or response
        return respident == response and part.text().strip() in chosen
    if part.name == "varsubset":
        return {each.strip() for each in part.text().split(",")} <= chosen
    if part.name == "and":
        return holds(part, response, chosen)
    if part.name == "or":
        return any(_part_holds(each, response, chosen) for each in part.nodes())
    if part.name == "not":
        return not holds(part, response, chosen)
    return part.name == "other"


def _named(rule: Node, idents: set[str], *, asked: bool = True) -> frozenset[str]:
    """The options a condition requires: those named outside a ``not``."""
    found: set[str] = set()
    for part in rule.nodes():
        if part.name == "varequal" and asked:
            found |= {part.text().strip()} & idents
        elif part.name == "varsubset" and asked:
            found |= {each.strip() for each in part.text().split(",")} & idents
        else:
            found |= _named(part, idents, asked=asked != (part.name == "not"))
    return frozenset(found)


def _links(rules: list[Node], response: str, ident: str, idents: list[str]) -> list[str]:
    """Feedback specific to this option: from rules that name it and hold for it alone."""
    found: list[str] = []
    for rule in rules:
        condition = rule.first("conditionvar")
        names = {each.text().strip() for each in condition.walk("varequal")} if condition else set()
        if condition and names == {ident} and holds(condition, response, frozenset([ident])):
            found += [each.get("linkrefid") for each in rule.nodes("displayfeedback")]
    return list(dict.fromkeys(found))
