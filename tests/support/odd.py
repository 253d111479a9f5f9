"""What a fuzz test sends besides fields: headers, cookies, methods and bodies that no browser would send."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.test import Client
from hypothesis import strategies as st

from practice.learners.reads.identity import GUEST_COOKIE

DIGITS = "9" * 5000
CODECS = ["utf-7", "rot13", "base64", "undefined", "idna", "utf-16", "latin-1", "nope", "UTF-8", "a\x00b", DIGITS]
KINDS = [
    "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "multipart/form-data",
    "multipart/form-data; boundary=" + "x" * 300, "application/json", "text/plain", "x/y; a*=nope''b", ";;;",
    "\xff", "",
]  # fmt: skip
VALUES = [
    "",
    "\xff",
    "x" * 9000,
    "http://[",
    "null",
    DIGITS,
    "-1",
    "nan",
    '"',
    "*",
    "a,b;q=z",
    "\x00",
    "true",
    "{",
    "%",
]
HEADERS = [
    "HTTP_ACCEPT", "HTTP_ACCEPT_ENCODING", "HTTP_ACCEPT_LANGUAGE", "HTTP_AUTHORIZATION", "HTTP_HOST", "HTTP_ORIGIN",
    "HTTP_REFERER", "HTTP_RANGE", "HTTP_IF_MODIFIED_SINCE", "HTTP_IF_NONE_MATCH", "HTTP_IF_UNMODIFIED_SINCE",
    "HTTP_IF_MATCH", "HTTP_HX_REQUEST", "HTTP_HX_CURRENT_URL", "HTTP_HX_TARGET", "HTTP_HX_TRIGGER", "HTTP_HX_PROMPT",
    "HTTP_HX_BOOSTED", "HTTP_X_CSRFTOKEN", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST", "HTTP_X_FORWARDED_PROTO",
    "HTTP_X_REQUEST_ID", "HTTP_X_REQUESTED_WITH", "HTTP_SEC_FETCH_SITE", "HTTP_SEC_FETCH_MODE", "HTTP_EXPECT",
    "HTTP_TRANSFER_ENCODING", "HTTP_USER_AGENT", "HTTP_COOKIE", "CONTENT_LENGTH", "REMOTE_ADDR", "QUERY_STRING",
    "SCRIPT_NAME",
]  # fmt: skip
METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "FOO", "get", "\xff"]
COOKIES = ["", '"abcdefgh\\000ijkl"', '"\\777"', "a:b:c", "x" * 9000, "\xff\xfe", DIGITS, ";;=", '"', "a" * 32]
BODIES = [
    b"", b"\x00", b"\xff\xfe", b"=&=&;", b"a=" + b"1" * 5000, b"[" * 5000, b'{"a":' * 3000, DIGITS.encode(), b"NaN",
    b'{"writer": 1e999, "items": [NaN]}', b'{"writer": 1, "items": [{"p": 1, "seq": ' + DIGITS.encode() + b"}]}",
    b'{"zone": "\\ud800", "writer": 1, "items": [{"p": "\\ud800"}]}', b"--x\r\n", b"--x--", b"writer=%ff&check=%00",
    b'--x\r\nContent-Disposition: form-data; name="text"; filename="\x00"\r\n\r\na\r\n--x--\r\n',
    b"--x\r\nContent-Disposition: form-data; name*=nope''a\r\n\r\na\r\n--x--\r\n",
    b'--x\r\nContent-Disposition: form-data; name="a"\r\nContent-Transfer-Encoding: base64\r\n\r\n!\r\n--x--\r\n',
]  # fmt: skip
values = st.one_of(st.sampled_from(VALUES), st.binary(max_size=30).map(lambda raw: raw.decode("latin-1")))
kinds = st.one_of(
    st.sampled_from(KINDS), st.builds("{}; charset={}".format, st.sampled_from(KINDS), st.sampled_from(CODECS))
)
bodies = st.one_of(st.sampled_from(BODIES), st.binary(max_size=200))


def send_odd(draw: Any, client: Client, address: str) -> tuple[Any, str]:
    """Send a request of any method with odd headers and cookies and any body; returns a description of it too."""
    names = [settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, GUEST_COOKIE, "messages", "other"]
    environ = draw(st.dictionaries(st.sampled_from(HEADERS), values, max_size=3))
    own = {name: morsel.value for name, morsel in client.cookies.items()}
    spoilt = draw(st.dictionaries(st.sampled_from(names), st.sampled_from(COOKIES), max_size=2))
    environ.setdefault("HTTP_COOKIE", "; ".join(f"{name}={value}" for name, value in (own | spoilt).items()))
    method, kind, body = draw(st.sampled_from(METHODS)), draw(kinds), draw(bodies)
    client.handler.enforce_csrf_checks = draw(st.booleans())
    told = f"{method} {address} {kind[:80]!r} {body[:80]!r} { {name: value[:80] for name, value in environ.items()} }"
    return client.generic(method, address, body, content_type=kind, **environ), told
