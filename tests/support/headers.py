"""Checks the headers every response must have, for any reader and address."""

from __future__ import annotations

import re
from collections.abc import Mapping

from courseiva.serving.middleware.watching import HEADERS, POLICY

POLICY_HEADER = "Content-Security-Policy"
ALWAYS = {
    **{name: value for name, value in HEADERS.items() if name != POLICY_HEADER},
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
}
OF_FRAMES = {"DENY": "'none'", "SAMEORIGIN": "'self'"}
SOURCES = {"'none'", "'self'", "data:"}
AN_OWN_FRAME = {"frame-src": "'self'", "frame-ancestors": "'self'", "form-action": "'none'"}
"""What a page may allow beyond the usual policy: to frame one of our pages, or to be framed by one."""


def wrong_headers(headers: Mapping[str, str]) -> list[str]:
    """Return what is wrong with the headers; an empty list if nothing is."""
    wrong = [name for name, value in ALWAYS.items() if headers.get(name) != value]
    kind = headers.get("Content-Type") or ""
    if re.match(r"text/|.*[/+]xml", kind) and not kind.lower().replace('"', "").endswith("; charset=utf-8"):
        wrong.append(f"Content-Type {kind}")
    if "cookie" in headers.get("Vary", "").lower() and not re.search(
        "no-store|public", headers.get("Cache-Control", "")
    ):
        wrong.append(f"Cache-Control {headers.get('Cache-Control')}")
    return wrong + wrong_policy(headers.get(POLICY_HEADER, ""), headers.get("X-Frame-Options"))


def wrong_policy(text: str, frames: str | None) -> list[str]:
    """Return the errors in a content security policy and in the older header on frames, if it was sent."""
    given = dict(re.findall(r"([a-z-]+) ([^;]+)(?:; |$)", text))
    words = {word for value in given.values() for word in value.split()}
    wrong = [f"source {word}" for word in sorted(words - SOURCES)]
    wrong += [f"directive {name}" for name in given.keys() - {*POLICY, *AN_OWN_FRAME}]
    for name, value in POLICY.items():
        if given.get(name) not in {value, AN_OWN_FRAME.get(name, value)}:
            wrong.append(f"{name} {given.get(name)}")
    if frames and OF_FRAMES.get(frames) != given.get("frame-ancestors"):
        wrong.append(f"X-Frame-Options {frames}")
    return wrong
