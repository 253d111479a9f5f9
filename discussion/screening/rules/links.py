"""Links, disguised links, and contact details."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain

from discussion.screening.rules.parts import CONTACT, LINK, LOOKALIKE_LINK, Context, Hit
from discussion.screening.rules.text import Source

_STRONG = "com|net|org|info|xyz|online|shop|site|example|biz|club|top|ru"
_SCHEME = re.compile(r"(?<![a-z0-9])(h..ps?|ftps?)\s?:\s?/\s?/\s?([^\s<>\"')\]`]{1,500})")
_MARKDOWN = re.compile(r"\[([^\[\]\n]{0,300})\]\(\s{0,3}<?((?:[a-z]+:)?//[^()\s<>]{1,500})")
_BARE = re.compile(
    rf"(?<![\w@./:-])(?:[^\W_][\w-]{{0,62}}\.){{1,8}}(?:(?:{_STRONG})(?![\w-]|\.\w)(?:/[^\s<>\"')\]`]*)?"
    r"|(?:io|co|me|de|fr|es|in|to|ly|gl|cc|dev|app|ai)/[^\s<>\"')\]`]+)"
)
# Names of services and of the local machine, which occur in honest sentences without being links.
_NO_LINK = re.compile(
    r"(?:[\w.-]+\.)?(?:googleapis\.com|gserviceaccount\.com|gcr\.io|pkg\.dev|(?:k8s|kubernetes)\.io|run\.app|asp\.net"
    r"|ado\.net|vb\.net|ml\.net)(?:/|\Z)"
    r"|(?:localhost|127(?:\.\d{1,3}){3}|0\.0\.0\.0)(?::\d{1,5})?(?:[/?#]|[^\w@]*\Z)"
)
_SPELT = re.compile(
    r"(?<![\w-])[^\W_][\w-]{1,62}\s?[(\[{<*]\s?(?:dot|d0t|punkt|punto|point|ponto|\.)\s?[)\]}>*]\s?[a-z]{2,24}\b"
    rf"|(?<![\w-])[^\W_][\w-]{{3,62}}\s(?:dot|d0t)\s(?:{_STRONG}|io|co)\b"
    rf"|(?<![\w-])[^\W_][\w-]{{2,62}}\s\.\s?(?:{_STRONG})\b|\b(?:[a-z] ){{3,20}}[a-z]?\s?\. (?:[a-z] ?){{2,8}}\b"
    r"|\bhttps?\s(?=:)|&#0*46;|(?<=\w)%2e(?=\w)|\b\w{3,} ?dotcom\b|\bdot \w{2,12} slash \w"
    r"|\b(?:without|remove|delete|minus) (?:the |all )?(?:spaces?|blanks?|dots?|brackets|stars)\b"
)
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/])(?:aHR0c|d3d3L)[A-Za-z0-9+/]{8,}={0,2}")
_ODD_HOST = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}(?:\Z|:)|0x[0-9a-f]+|\d{8,10}(?:\Z|:)|xn--|.*\.xn--|.*@")
_SHOWN = re.compile(rf"(?:h..ps?://)?(?:www\.)?((?:[\w-]{{1,63}}\.){{1,8}}(?:{_STRONG}|io|dev))\b")
_MAIL = re.compile(
    r"(?<![\w:.+-])[\w.+-]{2,64}\s?(?:@|\[at\]|\(at\)|\sat\s(?=[\w-]{2,40}\s?(?:dot|\(dot\)|\[dot\])\s))\s?[\w-]{2,63}"
    r"(?:\s?(?:\.|\[dot\]|\(dot\)|\sdot\s)\s?[a-z]{2,24}\b)+"
)
_DIGITS = r"(?:[ ()./\-•]{0,3}\d)"
_PHONE = re.compile(
    rf"(?<![\w.+/-])(?<!\d )(?:(?:\+|00)[1-9]{_DIGITS}{{8,13}}|0[1-9]\d{{1,3}}[ /-]\d{{3,4}}[ -]?\d{{3,6}})(?![\w.])"
    r"|\b(?:call|tel|phone|whatsapp|wa|zap|anruf\w*|llama\w*)\b[\s:.]{1,3}(?:\w{1,20}[ :]{1,2}){0,2}"
    rf"\(?\d{_DIGITS}{{6,12}}"
)


def links(source: Source, context: Context) -> Iterator[Hit]:
    """Every link, except to sites listed by editors."""
    listed = (each.text.strip().lower() for each in context.listed if each.rule == LINK)
    # An entry without a host mustn't allow a URL without one.
    welcome = tuple(filter(None, (_host(site).strip("*.") for site in listed)))
    for pattern, text in ((_SCHEME, source.plain), (_MARKDOWN, source.prose), (_BARE, source.prose)):
        for match in pattern.finditer(text):
            address = match[2] if match.lastindex else match[0]
            if not _NO_LINK.match(address) and not _leads_to(address, welcome):
                yield source.hit(LINK, *match.span())


def _host(address: str) -> str:
    """The host a browser would open: it reads a backslash as a slash, and an entity can stand for one."""
    return re.split(r"[/?#\\&]", address.partition("//")[2] or address, maxsplit=1)[0]


def _leads_to(address: str, sites: tuple[str, ...]) -> bool:
    host = _host(address).removesuffix(".")
    return any(host == site or host.endswith(f".{site}") for site in sites)


def lookalike_links(source: Source) -> Iterator[Hit]:
    """URLs that are spelt out, encoded, or that lead elsewhere than shown."""
    for match in _SPELT.finditer(source.prose):
        yield source.hit(LOOKALIKE_LINK, *match.span())
    for match in _ENCODED.finditer(source.original):
        yield Hit(LOOKALIKE_LINK, *match.span())
    for match in _SCHEME.finditer(source.prose):
        if match[1] not in ("http", "https", "ftp", "ftps") or _is_odd(source, match.start(2), match[2]):
            yield source.hit(LOOKALIKE_LINK, *match.span())
    for match in _BARE.finditer(source.prose):
        if _is_odd(source, match.start(), match[0]):
            yield source.hit(LOOKALIKE_LINK, *match.span())
    for match in _MARKDOWN.finditer(source.prose):
        shown = _SHOWN.search(match[1])
        if shown and not _leads_to(match[2], (shown[1],)):
            yield source.hit(LOOKALIKE_LINK, *match.span())


def _is_odd(source: Source, start: int, address: str) -> bool:
    """Whether a host has letters from another alphabet, a name before an @, an odd ending, or is a bare number."""
    host = _host(address)
    written = source.original[source.places[start] : source.places[start + len(host) - 1] + 1]
    has_odd_end = address[len(host) :].startswith(("\\", "&"))
    return has_odd_end or not written.isascii() or bool(_ODD_HOST.match(host) and not _NO_LINK.match(host))


def contacts(source: Source) -> Iterator[Hit]:
    """Email addresses and phone numbers outside code."""
    for match in chain(_MAIL.finditer(source.prose), _PHONE.finditer(source.prose)):
        if not match[0].endswith("gserviceaccount.com"):
            yield source.hit(CONTACT, *match.span())
