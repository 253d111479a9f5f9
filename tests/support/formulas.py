"""Tells whether a browser's element belongs to one of our formulas."""

from __future__ import annotations

from collections.abc import Mapping

from courseiva.common.texts.formulas import mathml

BOX = {"class", "tabindex", "role", "aria-label"}
OTHERS = {"b", "i", "em", "code"}  # these aren't MathML, and may appear elsewhere too


def is_of_a_formula(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Return whether our formulas use this element, and all of its attributes."""
    if tag == "span" and (attributes.get("class") or "").startswith("formula"):
        return set(attributes) <= BOX
    return tag in mathml.ELEMENTS - OTHERS and set(attributes) <= {*mathml.ATTRIBUTES, "alttext", "class"}
