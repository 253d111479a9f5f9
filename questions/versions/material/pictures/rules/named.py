"""Which pictures a question names, and in which of its texts a picture can stand."""

from __future__ import annotations

import re
from collections.abc import Iterator

from courseiva.common.rich_text import PICTURE
from questions.versions.rules.draft import ANSWER_PARTS, DraftQuestion

REFERENCE = re.compile(PICTURE)
IMAGE = re.compile(r"!\[([^\]\[]*)\](?:\(\s*<?([^()\s>]*)>?[^()]*\)|\[[^\]]*\])")
"""Whatever Markdown would read as an image."""
CODE = re.compile(r"(`{3,}|~{3,}).*?(?:\1|\Z)|(`+)(?!`).+?\2", re.S)


def without_code(text: str) -> str:
    """The text without what stands in code, where an image is only spoken of."""
    return CODE.sub(" ", text) if "`" in text or "~~~" in text else text


def names_in(text: str) -> list[str]:
    """The names of the pictures in a text."""
    return [name for _, name in REFERENCE.findall(without_code(text))] if "](picture:" in text else []


def prompt_pictures(draft: DraftQuestion) -> set[str]:
    """What is shown before the answer: the pictures of the stem and of the options."""
    return {name for text in (draft.stem, *(option.text for option in draft.options)) for name in names_in(text)}


def solution_pictures(draft: DraftQuestion) -> set[str]:
    """What may be shown only with the solution."""
    texts = [*(getattr(draft, name) for name in ANSWER_PARTS), *(option.why for option in draft.options)]
    return {name for text in texts for name in names_in(text)}


def pictures_of(draft: DraftQuestion) -> set[str]:
    """All pictures that the question shows somewhere."""
    return prompt_pictures(draft) | solution_pictures(draft)


def may_show(path: str) -> bool:
    """Whether the text of this path can show a picture; elsewhere its words would stand in its place.

    Not in titles, clues and the parts that lists and hints repeat, nor in “right if”, which is told later than the
    rest of a solution.
    """
    of_option = path.startswith("options[") and path.endswith((".text", ".why"))
    return path == "stem" or path in ANSWER_PARTS or of_option


def images_in(text: str) -> Iterator[tuple[str, str]]:
    """Words and address of everything that Markdown reads as an image, ours or not."""
    if "![" in text:
        yield from IMAGE.findall(without_code(text))
