"""Pictures in imported files: texts name a file next to them, whose bytes become one of our pictures.

A reader writes ``![words](file:ADDRESS)`` where its format shows an image. The code that has the bytes (the reader or
its package) attaches them to the item by that address. ``with_pictures`` makes pictures from them.
"""

from __future__ import annotations

import base64
import binascii
import dataclasses
import posixpath
import re
from collections.abc import Callable, Iterator
from urllib.parse import quote, unquote

from courseiva.common import rich_text
from questions.formats.rules.items import CannotTake, Found, Item, ItemOption, Skipped
from questions.versions.material.pictures.rules.encode import (
    NAME,
    BadPicture,
    Encoded,
    Limits,
    check,
    encode,
    has_hidden_bytes,
    is_ours,
    size_of,
)
from questions.versions.material.pictures.rules.named import names_in, pictures_of, without_code

FILE = re.compile(r"!\[([^\]\[]*)\]\(file:([^\s()<>]+)\)")
MARKDOWN_FILE = re.compile(r"!\[([^\]\[]*)\]\(\s*<?(?!picture:|file:)([^\s()<>]+)>?(?:\s+\"[^\"]*\")?\s*\)")
ELSEWHERE = re.compile(r"(?:[a-z][a-z0-9+.-]*:)?//|(?!data:image/)[a-z][a-z0-9+.-]+:", re.IGNORECASE)
DATA = re.compile(r"data:image/[a-z.+-]+;base64,(.*)", re.DOTALL | re.IGNORECASE)
OF_A_PACKAGE = re.compile(r"^(?:@@PLUGINFILE@@|\$IMS-CC-FILEBASE\$|%24IMS-CC-FILEBASE%24)/?")
ROOTS = ("", "web_resources", "static", "course/static", "Uploaded Media", "pictures")
"""Folders where packages keep files that texts name without a folder: Canvas, Open edX, and ours."""
NEEDS_MEDIA = "needs an image or other media, which are not stored"
NOT_IN_FILE = "shows an image that isn’t in the file; if it comes in a package or archive, import that"
NOT_DESCRIBED = "an image has no description; write one before publishing"
Look = Callable[[str], bytes | None]


def is_a_file(address: str) -> bool:
    """Whether an image's address can be a file next to the text, or is the image itself; another site's is neither."""
    return bool(address) and not ELSEWHERE.match(address)


def reference(address: str, words: str) -> str:
    """A reference to an image file, until its bytes are found."""
    said = " ".join(words.replace("[", "(").replace("]", ")").split())
    return f"![{said}](file:{quote(unquote(address), safe='/:;,+=@$')})"


def with_references(markdown: str) -> str:
    """Another system's Markdown with a reference for each image file next to it."""
    return MARKDOWN_FILE.sub(
        lambda image: reference(image.group(2), image.group(1)) if is_a_file(image.group(2)) else image.group(),
        markdown,
    )


def attached(item: Item, look: Look) -> Item:
    """The item with the bytes of the files and pictures that it names and that are available."""
    known = dict(item.files)
    wanted = [address for text in _texts(item) for _, address in FILE.findall(text)]
    wanted += [f"pictures/{name}" for name in _own(item)]
    found = [(each, content) for each in dict.fromkeys(wanted) if each not in known and (content := look(each))]
    return dataclasses.replace(item, files=(*item.files, *found)) if found else item


def beside(folder: str, look: Look) -> Look:
    """Look up a file as named in this folder of a package: from there, or from one of ``ROOTS``."""

    def found(address: str) -> bytes | None:
        path = OF_A_PACKAGE.sub("", unquote(address)).partition("?")[0].lstrip("/")
        for root in (folder, *ROOTS, posixpath.dirname(folder)):
            content = look(posixpath.normpath(posixpath.join(root, path)))
            if content is not None:
                return content
        return None

    return found


def with_pictures(found: Found, limits: Limits) -> Found:
    """An item with our pictures in place of files; a missing one that its question needs makes it a skip."""
    if isinstance(found, Skipped) or not any("](file:" in text or "](picture:" in text for text in _all_texts(found)):
        return found
    taking = _Taking(found, limits)
    try:
        item = taking.item()
    except CannotTake as refusal:
        return Skipped(found.line, found.kind, str(refusal))
    warnings = tuple(dict.fromkeys((*found.warnings, *taking.warnings)))
    return dataclasses.replace(item, warnings=warnings, pictures=tuple(taking.taken.values()), files=())


def with_words_alone(item: Item) -> Item:
    """The item for a format that has no pictures: their descriptions replace them."""
    options = tuple(
        ItemOption(rich_text.with_words_alone(o.text), o.right, rich_text.with_words_alone(o.feedback))
        for o in item.options
    )
    stem, explanation = rich_text.with_words_alone(item.stem), rich_text.with_words_alone(item.explanation)
    return dataclasses.replace(item, stem=stem, options=options, explanation=explanation, pictures=())


class _Taking:
    """Makes the pictures of one item."""

    def __init__(self, item: Item, limits: Limits) -> None:
        self.source, self.limits = item, limits
        self.files = dict(item.files)
        self.taken: dict[str, Encoded] = {}
        self.warnings: list[str] = []

    def item(self) -> Item:
        """The item with its texts changed. Raises CannotTake."""
        for name in _own(self.source):
            self._take_back(name)
        options = tuple(
            ItemOption(self._text(o.text, needed=True), o.right, self._text(o.feedback)) for o in self.source.options
        )
        stem, explanation = self._text(self.source.stem, needed=True), self._text(self.source.explanation)
        return dataclasses.replace(self.source, stem=stem, options=options, explanation=explanation)

    def _take_back(self, name: str) -> None:
        content = self.files.get(f"pictures/{name}")
        if content is None:
            return  # it may already be on the site; a draft's checks say if it isn't
        width, height = size_of(name)
        if len(content) > self.limits.bytes or width * height > self.limits.pixels:
            raise CannotTake("has a picture that is larger than this site allows")
        try:
            check(name, content)
        except BadPicture as refusal:
            raise CannotTake(f"has a picture that {refusal}") from refusal
        if has_hidden_bytes(content):
            raise CannotTake("has a picture whose data can’t be shown; add the picture again")
        self.taken[name] = Encoded(name, content)

    def _picture(self, address: str, content: bytes) -> Encoded:
        """The file as a picture; one of ours, which a package names, byte for byte. Raises BadPicture."""
        name = posixpath.basename(unquote(address))
        if NAME.fullmatch(name) and len(content) <= self.limits.bytes:
            width, height = size_of(name)
            if width * height <= self.limits.pixels and is_ours(name, content):
                return Encoded(name, content)
        return encode(content, self.limits)

    def _text(self, text: str, *, needed: bool = False) -> str:
        return FILE.sub(lambda image: self._shown(*image.groups(), needed=needed), text) if "](file:" in text else text

    def _shown(self, words: str, address: str, *, needed: bool) -> str:
        content = self.files.get(address) or _embedded(address)
        try:
            picture = self._picture(address, content) if content else None
        except BadPicture as refusal:
            if needed:
                raise CannotTake(f"has an image that {refusal}") from refusal
            picture = None
        if picture is None and needed:
            raise CannotTake(NOT_IN_FILE)
        if picture is None:
            self.warnings.append("an image in the feedback was not stored")
            return words
        if not words:
            self.warnings.append(NOT_DESCRIBED)
        self.taken[picture.name] = picture
        return f"![{words}](picture:{picture.name})"


def _embedded(address: str) -> bytes | None:
    data = DATA.fullmatch(unquote(address))
    try:
        return base64.b64decode(data.group(1), validate=True) if data else None
    except binascii.Error:
        return None


def _own(item: Item) -> set[str]:
    """Our own pictures that it names."""
    names = {name for text in _texts(item) for name in names_in(text)}
    return names | (pictures_of(item.draft) if item.draft else set())


def _texts(item: Item) -> Iterator[str]:
    for text in _all_texts(item):
        if "![" in text:
            yield without_code(text)


def _all_texts(item: Item) -> Iterator[str]:
    yield from (item.stem, item.explanation)
    for option in item.options:
        yield from (option.text, option.feedback)
    if item.draft:
        yield from (text for _, text in item.draft.prose())
