"""A small OpenID Connect provider on 127.0.0.1: discovery, an authorisation that always succeeds, tokens, userinfo."""

from __future__ import annotations

import base64
import hashlib
import json
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

import jwt

CLIENT, SECRET = "courseiva-of-the-test", "secret-of-the-test"
KEY = "key-of-the-provider-" + "k" * 32


@dataclass
class Provider:
    """The provider's state: who signs in next, what was requested, and what went wrong."""

    url: str = ""
    person: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    """Additional claims in the userinfo response."""
    audience: str = CLIENT
    codes: dict[str, dict[str, str]] = field(default_factory=dict)
    refused: list[str] = field(default_factory=list)

    def authorise(self, query: str) -> str:
        """Sign somebody in, and return the address the browser is sent back to."""
        asked = dict(parse_qsl(query))
        wanted = {"client_id": CLIENT, "response_type": "code", "code_challenge_method": "S256"}
        assert wanted.items() <= asked.items()
        assert {"openid", "email"} <= set(asked["scope"].split())
        code = secrets.token_urlsafe(8)
        self.codes[code] = asked
        return f"{asked['redirect_uri']}?{urlencode({'code': code, 'state': asked['state']})}"

    def token(self, form: dict[str, str]) -> dict[str, Any] | None:
        """Return tokens for a code, once, to the client that asked for it and can prove that it did."""
        asked = self.codes.pop(form.get("code", ""), None)
        digest = hashlib.sha256(form.get("code_verifier", "").encode()).digest()
        proof = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        known = (form.get("client_id"), form.get("client_secret")) == (CLIENT, SECRET)
        if not asked or not known or proof != asked["code_challenge"] or form["redirect_uri"] != asked["redirect_uri"]:
            self.refused.append("token")
            return None
        now = int(time.time())
        claims = {"iss": self.url, "aud": self.audience, "iat": now, "exp": now + 60, "jti": secrets.token_hex(8)}
        return {
            "access_token": "access-of-the-test",
            "token_type": "Bearer",
            "id_token": jwt.encode(claims | self.person, KEY, "HS256"),
        }


@contextmanager
def oidc_provider() -> Iterator[Provider]:
    """Run a provider until the block ends."""
    provider = Provider()

    class Answers(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path == "/.well-known/openid-configuration":
                paths = {
                    "authorization_endpoint": "a",
                    "token_endpoint": "t",
                    "userinfo_endpoint": "u",
                    "jwks_uri": "j",
                }
                known = {name: f"{provider.url}/{path}" for name, path in paths.items()}
                return self._answer(known | {"issuer": provider.url})
            if self.path == "/u" and self.headers["Authorization"] == "Bearer access-of-the-test":
                return self._answer(provider.person | provider.userinfo)
            return self._answer(None)

        def do_POST(self) -> None:
            sent = self.rfile.read(int(self.headers["Content-Length"])).decode()
            self._answer(provider.token({name: values[0] for name, values in parse_qs(sent).items()}))

        def log_message(self, *_: object) -> None:
            """Log nothing."""

        def _answer(self, told: dict[str, Any] | None) -> None:
            body = json.dumps(told or {"error": "invalid_grant"}).encode()
            self.send_response(200 if told else 400)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

    with ThreadingHTTPServer(("127.0.0.1", 0), Answers) as server:
        provider.url = f"http://127.0.0.1:{server.server_port}"
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield provider
        server.shutdown()


def query_of(address: str) -> str:
    return urlsplit(address).query
