from __future__ import annotations

import re
from collections.abc import Iterator

from discussion.screening.rules.parts import LINK, LOOKALIKE_LINK, Hit
from discussion.screening.rules.source_text import SourceText

# Endings that make a bare name an address, and those that do only with a path behind, being words or file endings too.
_STRONG = frozenset(
    """
    academy agency ai app biz blog br buzz ca cc center ch cloud club cn co com cyou de dev digital education es
    eu example expert fr fun guru help host icu in info io jp kr life link live ltd me mobi net nl online org
    page pl pro pub ro rocks ru school services shop site solutions space store stream su support surf team tech
    test today top tools training tr tube tv ua uk us uz vip vn wang website win work world wtf xyz zone рф
    invalid
    """.split()  # noqa: SIM905 (a list of words reads better so)
)
_NEEDS_PATH = frozenset(
    """
    ai at be by cloud co dev do em es fm ga gd gg gl gle help host id in io is it la link live ly me ml my nu
    page ph pro pw re sh so space st support team tk to today tools top training us work world zone
    """.split()  # noqa: SIM905 (a list of words reads better so)
)
# Host names that stand in honest sentences without being links: platform names, labels, example hosts.
_TECHNICAL = re.compile(
    r"(?:.*\.)?(?:googleapis\.com|gserviceaccount\.com|gcr\.io|pkg\.dev|k8s\.io|kubernetes\.io|google\.internal"
    r"|run\.app|gke\.io|docker\.io|quay\.io|istio\.io|knative\.dev|x-k8s\.io|tensorflow\.org|appspot\.com|cloudfunctions\.net|asp\.net|vb\.net|ado\.net|ml\.net|keras\.io|socket\.io|draw\.io)"
    r"|cloud\.google\.com|console\.cloud\.google\.com|example\.(?:com|org|net)|metadata\.google\.internal"
)
_LOCAL = re.compile(
    r"(?:localhost|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|0\.0\.0\.0|[^/]*\.(?:internal"
    r"|local|svc)\b"
    r"|[^/]*(?:googleapis\.com|run\.app|pkg\.dev|gcr\.io|githubusercontent\.com|kubernetes\.io|k8s\.io)\b|(?:www"
    r"|cloud|console\.cloud|accounts)\.google\.com|example\.(?:com|org|net)|<|\$|\{|\[)"
)
_SCHEME = re.compile(
    r"(?<![a-z0-9])(h(?:tt|xx|\*\*|\+\+|--|__)ps?|ftps?"
    r"|uggcf?)\s{0,2}[\[(]?[:;][\])]?\s{0,2}/\s?/?\s{0,2}([^\s<>\"')\]]{1,500})"
)
_WWW = re.compile(r"(?<![a-z0-9@.])www\d?\s?[.,]\s?[^\W_][^\s<>\"')\]]{2,300}")
_MARKDOWN = re.compile(r"\[([^\[\]\n]{0,300})\]\(\s{0,3}<?([^()\s<>]{1,500})")
_FORUM = re.compile(r"\[(?:url|link|img)\b|<a\s{1,3}href|<img\b|^\[[^\[\]\n]{1,60}\]:\s{0,3}\S", re.M)
_HOST = re.compile(
    r"(?<![\w@.\-/`])(?:[^\W_](?:[^\W_]|-){0,62}\.){1,8}([^\W\d_]{2,24})(?![\w\-(@]|\.[\w])(/[^\s<>\"')\]]*)?"
)
_BRACKETED_DOT = re.compile(
    r"(?<![\w-])[^\W_][\w-]{1,62}\s?[(\[{<*]\s?(?:dot|d0t|punkt|punto|point|ponto|\.)\s?[)\]}>*]\s?[^\W\d_]{2,24}"
)
_SPOKEN_DOT = re.compile(r"(?<![\w-])([^\W_][\w-]{1,62})\s{1,3}(?:dot|d0t|punkt|punto|ponto)\s{1,3}([a-z]{2,10})\b")
_SPACED_DOT = re.compile(
    r"(?<![\w-])([^\W_][\w-]{2,62})(?:\s{1,2}\.\s{0,2}|\s?\.\s{1,2}|\s?,\s?)([a-z]{2,7})\b(?=\s*(/\S)?)"
)
_SPACED_ENDINGS = frozenset(
    ("com", "net", "org", "info", "ru", "xyz", "online", "shop", "site", "io", "example", "co", "biz")
)
_NO_NAME = frozenset(
    ("a", "an", "the", "in", "of", "or", "and", "vs", "to", "asp", "core", "with", "for", "use", "plain", "microsoft")
)
_INSTEAD = re.compile(
    r"\b(?:put|add|insert) (?:in )?(?:the )?(?:dots?|points?|slash(?:es)?)\b|"
    r"\b(?:without the|(?:remove|delete|minus|ignore|take out|drop) (?:the |all )?)\s?(?:spaces?|blanks?|dots?|dashes"
    r"|brackets"
    r"|stars|asterisks)\b"
    r"|\b(?:type|put|copy) it (?:in )?(?:by hand|together|yourself|into your browser)|\blinks? (?:is "
    r"|are )?in (?:my |the )?(?:bio|profile)\b"
    r"|\((?:\s?)(?:dot|slash|punkt|punto|ponto)\s?\)|\[\s?slash\s?\]|\bdot \w{2,12} slash \w"
    r"|\b(?:first (?:hit|result)|thank me later|you'll thank me|you will thank me)\b"
    r"|\b(?:google|search|search for|look up|look for) (?:for )?\"[^\"\n]{4,60}\"[^.\n]{0,30}"
    r"\b(?:hit|result|thank|all|complete|full|there|site|page)\b"
    r"|\b(?:eats|blocks|removes|filters|deletes|hides) (?:the |my |all )?(?:links?|urls?)\b"
)
_ODD = re.compile(
    r"\bh\s?t\s?t\s?p\s?s?\s(?=:)|&#0*46;|&period;|(?<=\w)%2e(?=\w)|\b\w{3,} ?dotcom\b|(?<!\S)\.(?:com|example"
    r"|org|info|xyz)\b"
    r"|(?<![\w.])(?:\d{1,3}\.){3}\d{1,3}(?::\d{2,5})?/[a-z]|\btiny ?url\b|\bbit ?ly\b|[^\W_]-dot-[^\W_]"
)
_ENCODED = re.compile(r"(?<![A-Za-z0-9+/])(?:aHR0c|d3d3L|SFRUU)[A-Za-z0-9+/]{8,}={0,2}|\b68747470[0-9a-f]{10,}")
_ADDRESS = re.compile(r"(?:h\w{2}ps?://)?(?:www\.)?((?:[\w-]{1,63}\.){1,8}[^\W\d_]{2,24})")
_NUMBERS = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|0x[0-9a-f]+|\d{8,10}(?=[/:]|\Z)")


def links(source: SourceText) -> Iterator[Hit]:
    """Addresses with a scheme, www or an ending that makes them one; in code only full addresses of strangers."""
    text, prose = source.plain, source.prose
    for match in _SCHEME.finditer(text):
        inside = source.in_code[match.start()]
        if not (inside and _LOCAL.match(match[2])) and not _is_local(match[2]):
            yield _hit(source, LINK, match)
    for match in _MARKDOWN.finditer(prose):
        if not match[2].startswith(("/", "#")) or match[2].startswith("//"):
            yield _hit(source, LINK, match)
    for pattern in (_WWW, _FORUM):
        for match in pattern.finditer(prose):
            yield _hit(source, LINK, match)
    for match in _HOST.finditer(prose):
        if _is_address(source, match):
            yield _hit(source, LINK, match)


def _is_local(host: str) -> bool:
    """Whether an address leads nowhere outside the reader's own machine."""
    return bool(re.match(r"(?:localhost|127\.0\.0\.1|0\.0\.0\.0)(?:[:/]|\Z)", host))


def _is_address(source: SourceText, match: re.Match[str]) -> bool:
    """Whether a dotted name is an address, rather than a product, a file or a missing space after a full stop."""
    ending, path = match[1], match[2]
    host = match[0][: match.end(1) - match.start()]
    written = source.written(match.start(1), match.end(1))
    if _TECHNICAL.match(host + "/") or not (written.islower() or written.isupper() or path):
        return False
    if path and len(path) > 1:
        return ending in _STRONG or ending in _NEEDS_PATH
    name = host[: -len(ending) - 1].rpartition(".")[2]
    if ending in _NEEDS_PATH:
        return ending in _STRONG and ("-" in name or (host.count(".") > 1 and len(name) > 2)) and written.islower()
    return ending in _STRONG and len(name) > 1


def lookalike_links(source: SourceText) -> Iterator[Hit]:
    """Addresses that are spelt out, encoded, or imitate another one."""
    for match in _spelt_out(source):
        yield _hit(source, LOOKALIKE_LINK, match)
    for match in _ENCODED.finditer(source.original):
        yield Hit(LOOKALIKE_LINK, *match.span())
    for match in _disguised(source):
        yield _hit(source, LOOKALIKE_LINK, match)


def _spelt_out(source: SourceText) -> Iterator[re.Match[str]]:
    """Addresses whose dots are words, brackets or gaps, and instructions for putting one together."""
    for pattern in (_BRACKETED_DOT, _INSTEAD, _ODD):
        yield from pattern.finditer(source.prose)
    for match in _SPOKEN_DOT.finditer(source.prose):
        if match[1] not in _NO_NAME and match[2] in _STRONG and match[2] not in ("work", "in", "at", "me"):
            yield match
    for match in _SPACED_DOT.finditer(source.prose):
        if _is_spaced_address(source, match):
            yield match


def _disguised(source: SourceText) -> Iterator[re.Match[str]]:
    """Addresses that are not what they seem."""
    for match in _SCHEME.finditer(source.plain):
        local = source.in_code[match.start()] and _LOCAL.match(match[2])
        odd = match[1] not in ("http", "https", "ftp", "ftps")
        if not local and (odd or _imitates(source, *match.span(2))):
            yield match
    for match in _MARKDOWN.finditer(source.prose):
        shown, target = _ADDRESS.search(match[1]), _ADDRESS.match(match[2])
        if shown and not (target and target[1].endswith(shown[1].removeprefix("www."))):
            yield match
    for match in _HOST.finditer(source.prose):
        if match[1] in _STRONG and not _TECHNICAL.match(match[0]) and _imitates(source, *match.span()):
            yield match


def _is_spaced_address(source: SourceText, match: re.Match[str]) -> bool:
    """Whether a name, a dot and an ending with gaps between them are an address and not the end of a sentence."""
    if match[2] not in _SPACED_ENDINGS or match[1] in _NO_NAME or match[1].isdigit():
        return False
    if not source.written(match.start(2), match.end(2)).islower():
        return False
    gap = match[0][len(match[1]) : -len(match[2])]
    return (
        bool(match[3]) or (gap[0] == " " and match[2] != "net") or match[2] in ("com", "org", "info", "example", "xyz")
    )


def _imitates(source: SourceText, start: int, end: int) -> bool:
    """Whether an address has letters of another alphabet, digits for letters, a name before an @, or bare numbers."""
    host = re.split(r"[/?#]", source.plain[start:end], maxsplit=1)[0]
    name = source.written(start, start + len(host))
    swapped = re.search(r"[a-z](?:0|1|3)(?:0|1|3)?[a-z]{2}", host)
    brand = re.search(r"goo|g00|micros|amaz|paypa|kubern|cl[o0]ud|v[e3]rt", host)
    return (
        any(each.isalpha() and not each.isascii() for each in name)
        or "xn--" in host
        or "@" in host
        or bool(_NUMBERS.match(host))
        or bool(swapped and brand)
        or bool(
            re.search(
                r"(?:google|microsoft|amazon|aws|kubernetes)(?:\.com)?[.-][\w.-]*\.(?!com\b|dev\b|org\b)", host + "."
            )
        )
    )


def _hit(source: SourceText, rule: str, match: re.Match[str]) -> Hit:
    return Hit(rule, *source.span(*match.span()))
