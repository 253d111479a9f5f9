"""What a formula of ours is made of, as a browser sees it."""

from __future__ import annotations

from collections.abc import Mapping

from courseiva.common.texts.formulas import mathml

BOX = {"class", "tabindex", "role", "aria-label"}
OTHERS = {"b", "i", "em", "code"}  # these aren't MathML, and may appear elsewhere too


def is_of_a_formula(tag: str, attributes: Mapping[str, str | None]) -> bool:
    """Whether an element is one that a formula of ours is made of, with nothing on it that isn't."""
    if tag == "span" and (attributes.get("class") or "").startswith("formula"):
        return set(attributes) <= BOX
    return tag in mathml.ELEMENTS - OTHERS and set(attributes) <= {*mathml.ATTRIBUTES, "alttext", "class"}
