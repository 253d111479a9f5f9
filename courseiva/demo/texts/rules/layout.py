"""Which elements a stylesheet sets apart from their neighbours, although their markup is inline; pure.

A small CSS parser, enough for our own styles: whatever a rule says at any window width counts.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
RULE = re.compile(r"([^{};]+)\{([^{}]*)\}")
SAID = re.compile(r"(?:^|;)\s*(display|position):\s*([\w-]+)")
# With these values of ``display``, a sentence continues, or the element isn't shown at all.
NO_BOX = frozenset(("contents", "inline", "inline-block", "none"))
CHOICE = re.compile(r":(?:is|where)\(([^()]*)\)")
# Conditions other than tag and classes are ignored here.
CONDITION = re.compile(r"(?<!:):[\w-]+(?:\((?:[^()]|\([^()]*\))*\))?|\[[^\]]*\]")
COMBINATOR = re.compile(r"\s*[>+~]\s*|\s+")
PIECE = re.compile(r"(\.?)(-?[\w-]+)")


@dataclass(frozen=True)
class Element:
    """An element, as far as our selectors can match it."""

    tag: str
    classes: frozenset[str] = frozenset()


Path = Sequence[Element]  # an element with its ancestors, outermost first
Selectors = Mapping[str, Sequence[Path]]  # each filed under a class or tag of its last element


@dataclass(frozen=True)
class Layout:
    """Selectors for boxes that are set apart, for those whose children are, and for elements in neither group."""

    boxes: Selectors = field(default_factory=dict)
    rows: Selectors = field(default_factory=dict)
    placed: Selectors = field(default_factory=dict)

    def sets_apart(self, path: Path) -> bool:
        """Whether the path's last element is a separate box, or one in a row; visually hidden words are neither."""
        if _any_fits(self.placed, path):
            return False
        return _any_fits(self.boxes, path) or (len(path) > 1 and _any_fits(self.rows, path[:-1]))


def _any_fits(selectors: Selectors, path: Path) -> bool:
    names = (path[-1].tag, *path[-1].classes)
    return any(_fits(selector, path) for name in names for selector in selectors.get(name, ()))


def _fits(selector: Path, path: Path) -> bool:
    """Whether the selector matches the last of the path; combinators between its ancestors are ignored."""
    wanted = list(selector)
    if not _is(path[-1], wanted.pop()):
        return False
    for each in reversed(path[:-1]):
        if wanted and _is(each, wanted[-1]):
            wanted.pop()
    return not wanted


def _is(element: Element, wanted: Element) -> bool:
    return wanted.tag in ("", element.tag) and wanted.classes <= element.classes


def layout_of(css: str) -> Layout:
    """What a stylesheet says about boxes."""
    found: dict[str, defaultdict[str, list[Path]]] = {kind: defaultdict(list) for kind in ("boxes", "rows", "placed")}
    for selectors, declarations in RULE.findall(COMMENT.sub("", css)):
        for kind in {kind for said in SAID.findall(declarations) for kind in _kinds(*said)}:
            for name, selector in _selectors(selectors):
                found[kind][name].append(selector)
    return Layout(**found)


def _kinds(name: str, value: str) -> Iterator[str]:
    """The layout kinds that a declaration gives an element."""
    if name == "position" and value == "absolute":
        yield "placed"
    if name == "display" and value not in NO_BOX:
        yield "boxes"
    if name == "display" and value.endswith(("flex", "grid")):
        yield "rows"


def _selectors(text: str) -> Iterator[tuple[str, Path]]:
    """A rule's selectors, without those for pseudo-elements and the universal one."""
    for each in _spelt_out(text.strip()):
        selector = [_element(part) for part in COMBINATOR.split(each) if part]
        if selector and "::" not in each:
            yield from ((name, selector) for name in [selector[-1].tag, *selector[-1].classes][:2] if name)


def _spelt_out(text: str) -> Iterator[str]:
    """Each selector of a list, with `:is()` expanded."""
    choice = CHOICE.search(text)
    if choice:
        for option in choice[1].split(","):
            yield from _spelt_out(text[: choice.start()] + option.strip() + text[choice.end() :])
    else:
        yield from (each.strip() for each in CONDITION.sub("", text).split(","))


def _element(text: str) -> Element:
    pieces = PIECE.findall(text)
    return Element(next((name for dot, name in pieces if not dot), ""), frozenset(name for dot, name in pieces if dot))
