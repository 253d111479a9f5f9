"""Converting an image file to a picture: decoded, scaled down, re-encoded without metadata.

A picture is named after its content, ``<hash>-<width>x<height>.<png or jpg>``: a text that names it states its size,
and the content for a name never changes.
"""

from __future__ import annotations

import hashlib
import io
import re
import struct
import zlib
from dataclasses import dataclass

from PIL import Image, ImageOps, UnidentifiedImageError

from courseiva.common.rich_text import PICTURE_NAME
from questions.versions.material.pictures.rules.metadata import PNG_SIGN, has_tail, is_bare

READABLE = ("PNG", "JPEG", "GIF", "WEBP")
SVG = re.compile(rb"\A\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*|<!DOCTYPE[^>]*>\s*)*<(?:\w+:)?svg[\s>]", re.S)
HEAD_BYTES = 4096
"""An SVG's root follows a declaration and comments at most; the regular expression must not search megabytes."""
NAME = re.compile(PICTURE_NAME)
JPEG_QUALITY = 90
"""Below it, text in screenshots shows fringes; above it, files grow quickly for no visible gain."""
HIDDEN = 16
"""Bytes at the end of a JPEG's pixels: enough that some pixel depends on them, whatever the picture."""
MOST_PIXELS = 100_000_000
"""For a picture restored from one of our copies, whatever the site's current limit."""
# What Pillow raises for a broken file depends on the format and on where it is broken.
DAMAGE: tuple[type[Exception], ...] = (
    *(OSError, SyntaxError, ValueError, EOFError, KeyError, IndexError, TypeError, OverflowError),
    *(struct.error, zlib.error, MemoryError),
)
BOMBS = (Image.DecompressionBombError, Image.DecompressionBombWarning)


class BadPicture(ValueError):
    """A refused file; the message says why for the person who chose it, ``code`` for programs."""

    def __init__(self, code: str, words: str) -> None:
        super().__init__(words)
        self.code = code


@dataclass(frozen=True)
class Limits:
    """The maximum file size, the maximum number of pixels, and the longest side after scaling."""

    bytes: int = 5 * 2**20
    pixels: int = 24_000_000
    side: int = 1600

    @property
    def megabytes(self) -> str:
        """The maximum file size, as in "5" or "7.5"."""
        return f"{self.bytes / 2**20:g}"


DEFAULT = Limits()


@dataclass(frozen=True)
class Encoded:
    """A picture in its stored form."""

    name: str
    content: bytes


def encode(content: bytes, limits: Limits = DEFAULT) -> Encoded:
    """A PNG, JPEG, GIF or WebP file as a picture: JPEG stays JPEG, everything else becomes PNG. Raises BadPicture.

    It is decoded and encoded again, so only what can be seen is kept.
    """
    if len(content) > limits.bytes:
        raise BadPicture("too-large", f"is larger than {limits.megabytes} MB")
    if SVG.match(content[:HEAD_BYTES]):
        raise BadPicture("svg", "is an SVG, which can carry scripts; export it as a PNG")
    with _opened(content, limits.pixels) as image:
        if getattr(image, "is_animated", False):
            raise BadPicture("animated", "is animated; only still pictures can be shown")
        kind = "JPEG" if image.format == "JPEG" else "PNG"
        try:
            small = _scaled(ImageOps.exif_transpose(image), limits.side)
        except DAMAGE as error:
            raise _damaged() from error
        written = _written(small, kind)
        return Encoded(_name(written, kind, small.size), written)


def check(name: str, content: bytes) -> None:
    """Raises BadPicture unless this is byte for byte the picture with this name, and contains nothing else."""
    if not NAME.fullmatch(name):
        raise BadPicture("name", "has a name that no picture has")
    if hashlib.sha256(content).hexdigest()[:32] != name[:32]:
        raise BadPicture("changed", "isn’t what its name says: the file was changed or damaged")
    with _opened(content, MOST_PIXELS) as image:
        if not is_bare(content) or _name(content, image.format or "", image.size) != name:
            raise BadPicture("changed", "isn’t what its name says: the file was changed or damaged")


def is_ours(name: str, content: bytes) -> bool:
    """Whether it's the picture with this name, and nothing more."""
    try:
        check(name, content)
    except BadPicture:
        return False
    return not has_hidden_bytes(content)


def has_hidden_bytes(content: bytes) -> bool:
    """Whether a bare picture has bytes at the end of its compressed pixels that change nothing in it."""
    if content.startswith(PNG_SIGN):
        return has_tail(content)
    cut = content[: -2 - HIDDEN] + content[-2:]  # the content without the last bytes before the end marker
    try:
        with Image.open(io.BytesIO(content)) as whole, Image.open(io.BytesIO(cut)) as shorter:
            return whole.tobytes() == shorter.tobytes()
    except DAMAGE:
        return False  # the bytes were needed, so they were part of the picture


def size_of(name: str) -> tuple[int, int]:
    """Width and height, from the name."""
    width, height = name.partition("-")[2].partition(".")[0].split("x")
    return int(width), int(height)


def _opened(content: bytes, most: int) -> Image.Image:
    """The decoded image. Its size is checked first: a small file can unpack to gigabytes."""
    try:
        image = Image.open(io.BytesIO(content), formats=READABLE)
        if image.width * image.height > most:
            raise BadPicture("too-many-pixels", _too_many(image.size, most))
        image.load()
    except BOMBS as error:
        raise BadPicture("too-many-pixels", _too_many(None, most)) from error
    except UnidentifiedImageError as error:
        raise BadPicture("unreadable", "isn’t a PNG, JPEG, GIF or WebP image") from error
    except BadPicture:
        raise
    except DAMAGE as error:
        raise _damaged() from error
    return image


def _too_many(size: tuple[int, int] | None, most: int) -> str:
    has = f" ({size[0]} × {size[1]})" if size else ""  # noqa: RUF001
    return f"has too many pixels{has}; at most {most / 1e6:g} million are allowed"


def _damaged() -> BadPicture:
    return BadPicture("damaged", "is damaged and can’t be read")


def _scaled(image: Image.Image, side: int) -> Image.Image:
    """Converted to colours both formats support, and scaled to the longest side."""
    clear = image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info
    grey = image.mode in ("1", "L", "LA", "I", "I;16") and not clear
    plain = image.convert("RGBA" if clear else "L" if grey else "RGB")
    if max(plain.size) > side:
        plain.thumbnail((side, side), Image.Resampling.LANCZOS)
    plain.info.clear()  # anything left there would be written again
    return plain


def _written(image: Image.Image, kind: str) -> bytes:
    out = io.BytesIO()
    if kind == "JPEG":
        image.convert("L" if image.mode == "L" else "RGB").save(out, kind, quality=JPEG_QUALITY, optimize=True)
    else:
        image.save(out, kind, optimize=True)
    return out.getvalue()


def _name(content: bytes, kind: str, size: tuple[int, int]) -> str:
    suffix = {"JPEG": "jpg", "PNG": "png"}.get(kind, "")
    return f"{hashlib.sha256(content).hexdigest()[:32]}-{size[0]}x{size[1]}.{suffix}"
