"""A learner's browser over a real connection, with the standard library: starts a mock as a guest, saves, submits."""

from __future__ import annotations

import contextlib
import http.client
import json
from typing import Any
from urllib.parse import urlencode

TOKEN = "a" * 32
"""A browser's half of the CSRF pair is whatever its cookie says; the test sends the same in the header."""
PATIENCE = 20


class Refused(Exception):
    """Raised if the site answered with an error."""

    def __init__(self, status: int, body: bytes) -> None:
        super().__init__(f"{status}: {body[:200]!r}")
        self.status, self.body = status, body


class Player:
    """One guest on a persistent connection. A request that gets no answer raises OSError or HTTPException."""

    def __init__(self, port: int, secure: bool = False) -> None:
        self.port = port
        self.scheme = "https" if secure else "http"
        self.csrf = "__Host-csrftoken" if secure else "csrftoken"
        self.cookies = {self.csrf: TOKEN}
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        self.session = ""

    def close(self) -> None:
        """Drop the connection; the next request opens another."""
        with contextlib.suppress(OSError):
            self.connection.close()

    def send(self, method: str, path: str, body: bytes = b"", kind: str = "", **more: str) -> tuple[int, Any, bytes]:
        """Send a request as a page of the site does; returns status, headers and body."""
        headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in self.cookies.items()),
            "Origin": f"{self.scheme}://127.0.0.1:{self.port}",
            "Sec-Fetch-Site": "same-origin",
            "X-CSRFToken": self.cookies.get(self.csrf, ""),
            **({"X-Forwarded-Proto": "https"} if self.scheme == "https" else {}),
            **({"Content-Type": kind} if kind else {}),
            **{name.replace("_", "-"): value for name, value in more.items()},
        }
        try:
            self.connection.request(method, path, body or None, headers)
            response = self.connection.getresponse()
            content = response.read()
        except (OSError, http.client.HTTPException):
            self.close()
            raise
        for line in response.headers.get_all("Set-Cookie") or []:
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return response.status, response.headers, content

    def post(self, path: str, **fields: str) -> str:
        """Send a form; returns the address it redirects to."""
        status, headers, body = self.send("POST", path, urlencode(fields).encode(), "application/x-www-form-urlencoded")
        if status != 302:
            raise Refused(status, body)
        return str(headers["Location"])

    def sign_in(self, email: str, password: str) -> None:
        """Sign in with an address and a password."""
        self.post("/accounts/login/", login=email, password=password)

    def start(self, count: int, **more: str) -> str:
        """Start a mock; returns the address of its session."""
        fields = {"blueprint": "june-2026", "count": str(count), "time_factor": "1", "conditions": "exam"}
        sent = urlencode(fields).encode()
        status, headers, body = self.send(
            "POST", "/practice/pmle/mock/", sent, "application/x-www-form-urlencoded", **more
        )
        if status != 302:
            raise Refused(status, body)
        self.session = str(headers["Location"])
        return self.session

    def claim(self) -> dict[str, Any]:
        """Become the session's writer; returns what the server holds."""
        return self._json("claim/", {})

    def save(self, writer: int, items: list[dict[str, Any]], **more: str) -> dict[str, Any]:
        """Save a batch; returns the acknowledgement."""
        return self._json("save/", {"writer": writer, "items": items}, **more)

    def finish(self, **more: str) -> str:
        """Submit; returns the address of the results."""
        status, headers, body = self.send("POST", f"{self.session}finish/", b"", "", **more)
        if status != 302:
            raise Refused(status, body)
        return str(headers["Location"])

    def _json(self, name: str, value: dict[str, Any], **more: str) -> dict[str, Any]:
        sent = json.dumps(value).encode()
        status, _, body = self.send("POST", self.session + name, sent, "application/json", **more)
        if status != 200:
            raise Refused(status, body)
        return dict(json.loads(body))
