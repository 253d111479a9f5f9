"""Which pictures a question names, and which of its texts can show one."""

from __future__ import annotations

import re
from collections.abc import Iterator

from courseiva.common.rich_text import PICTURE
from questions.versions.rules.draft import ANSWER_PARTS, DraftQuestion

REFERENCE = re.compile(PICTURE)
IMAGE = re.compile(r"!\[([^\]\[]*)\](?:\(\s*<?([^()\s>]*)>?[^()]*\)|\[[^\]]*\])")
"""Anything Markdown would read as an image."""
CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)(?!`).+?\2", re.S)


def without_code(text: str) -> str:
    """The text without code, where images are only mentioned."""
    return CODE.sub(" ", text) if "`" in text or "~~~" in text else text


def names_in(text: str) -> list[str]:
    """The names of the pictures in a text."""
    return [name for _, name in REFERENCE.findall(without_code(text))] if "](picture:" in text else []


def prompt_pictures(draft: DraftQuestion) -> set[str]:
    """Pictures shown before the answer: in the stem and options."""
    return {name for text in (draft.stem, *(option.text for option in draft.options)) for name in names_in(text)}


def solution_pictures(draft: DraftQuestion) -> set[str]:
    """Pictures that may only be shown with the solution."""
    texts = [*(getattr(draft, name) for name in ANSWER_PARTS), *(option.why for option in draft.options)]
    return {name for text in texts for name in names_in(text)}


def pictures_of(draft: DraftQuestion) -> set[str]:
    """All pictures the question shows anywhere."""
    return prompt_pictures(draft) | solution_pictures(draft)


def may_show(path: str) -> bool:
    """Whether the text at this path can show a picture; elsewhere its description would appear instead.

    Titles, clues, “right if” (shown later than the rest of a solution) and the parts repeated in lists and hints can't.
    """
    of_option = path.startswith("options[") and path.endswith((".text", ".why"))
    return path == "stem" or path in ANSWER_PARTS or of_option


def images_in(text: str) -> Iterator[tuple[str, str]]:
    """Description and URL of everything Markdown reads as an image, ours or not."""
    if "![" in text:
        yield from IMAGE.findall(without_code(text))
