"""Signs: words that say little alone and much together. Each family of words has points; enough of them hold a text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from discussion.screening.rules.parts import ADVERT, INSULT, LEAK, VOTE_BEGGING, Hit
from discussion.screening.rules.source_text import SourceText
from discussion.screening.rules.vocabulary import foreign_signs, leak_signs, sign_words
from discussion.screening.rules.words import Mark, Marks

FAMILIES = {**leak_signs.FAMILIES, **sign_words.FAMILIES, **foreign_signs.FAMILIES}
WINDOW = 240  # characters within which signs count together
AHEAD = 12  # marks that are looked at beyond the window for what speaks against


@dataclass(frozen=True)
class Topic:
    """The points a rule needs, and the families that give or (below nought) take them; each counts once.

    ``off_topic`` points are let off where not a word of the text is about the subject of the exam.
    """

    rule: str
    needed: int
    points: dict[str, int]
    off_topic: int = 0


def _topic(rule: str, needed: int, prefix: str, off_topic: int = 0) -> Topic:
    """The topic of all families that begin with a prefix; their names end in their points."""
    names = [name for name in FAMILIES if name.startswith(f"{prefix}:")]
    return Topic(rule, needed, {name: int(name.rpartition(":")[2]) for name in names}, off_topic)


TOPICS = (
    _topic(LEAK, 5, "leak", 1),
    _topic(ADVERT, 3, "advert", 1),
    _topic(ADVERT, 3, "foreign"),
    _topic(INSULT, 3, "insult", 1),
    _topic(VOTE_BEGGING, 3, "votes"),
)


def signs(source: SourceText, marks: Marks) -> Iterator[Hit]:
    """The first place at which a topic has the points it needs, for each topic."""
    on_topic = bool(marks.get("on_topic"))
    for topic in TOPICS:
        needed = topic.needed - (0 if on_topic else topic.off_topic)
        found = sorted(
            ((mark, name) for name in topic.points for mark in marks.get(name, ()) if not source.in_code[mark.start]),
            key=_place,
        )
        span = _enough(topic, needed, found)
        if span:
            yield Hit(topic.rule, *source.span(*span))


def _place(pair: tuple[Mark, str]) -> tuple[int, int]:
    return pair[0].start, pair[0].end


def _enough(topic: Topic, needed: int, found: list[tuple[Mark, str]]) -> tuple[int, int] | None:
    """The span of the first window of marks with enough points."""
    counts = dict.fromkeys(topic.points, 0)
    total = first = 0
    for last, (mark, name) in enumerate(found):
        counts[name] += 1
        total += topic.points[name] if counts[name] == 1 else 0
        while first < last and mark.end - found[first][0].start > WINDOW:
            left = found[first][1]
            counts[left] -= 1
            total -= topic.points[left] if counts[left] == 0 else 0
            first += 1
        following = found[last + 1 : last + 1 + AHEAD]
        against = {each for ahead, each in following if topic.points[each] < 0 and ahead.start - mark.end < WINDOW / 2}
        later = sum(topic.points[each] for each in against if not counts[each])
        if total + later >= needed:
            return found[first][0].start, mark.end
    return None
