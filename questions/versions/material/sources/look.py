"""Asking a server whether a page exists: politely, and never in a private network."""

from __future__ import annotations

import ipaddress
import socket
import urllib.error
import urllib.request
from collections.abc import Callable
from http.client import HTTPException
from typing import Any
from urllib.parse import urlsplit
from urllib.robotparser import RobotFileParser

from questions.versions.material.sources.rules import FORBIDDEN, ODD, REFUSED, TIMEOUT, UNREACHABLE, Outcome, host_of

SECONDS = 10
"""A server that takes longer is away as far as a reader is concerned, and a run has 30 seconds in all (tasks.py)."""
AGENT = "CourseivaSourceCheck"
NOT_FOR_HEAD = {403, 404, 405, 501}
"""Responses from servers that only support GET."""
MOST_BYTES = 4096
"""The status is what counts; this much is read only so that an answer which breaks off at once is noticed."""
MOST_ROBOTS = 512 * 1024
"""RFC 9309 asks crawlers to read 500 KiB at least."""


class Private(Exception):  # caught in this module, because the page isn't at fault
    """An address in a private network: an editor's text mustn't send the server there."""


class Looker:
    """Checks pages, one server after another; each robots.txt is read once."""

    def __init__(self, contact: str, private: bool = False) -> None:
        self.agent = f"{AGENT}/1.0 (+{contact})" if contact else f"{AGENT}/1.0"
        self.private = private
        self.robots: dict[str, RobotFileParser] = {}
        self.opener = urllib.request.build_opener(_Redirects(self.refuse_private))

    def look(self, url: str) -> Outcome:
        """The outcome; never raises."""
        try:
            if not self._allowed(url):
                return Outcome(trouble=FORBIDDEN)
            found = self._ask(url, "HEAD")
            return self._ask(url, "GET") if found.status in NOT_FOR_HEAD else found
        except Private:
            return Outcome(trouble=REFUSED)
        except TimeoutError:
            return Outcome(trouble=TIMEOUT)
        except (OSError, HTTPException):
            return Outcome(trouble=UNREACHABLE)
        except ValueError:
            return Outcome(trouble=ODD)

    def refuse_private(self, url: str) -> None:
        """Raises Private if the URL resolves to a private network, and OSError if it doesn't resolve."""
        if not host_of(url):
            raise Private
        if self.private:
            return
        for found in socket.getaddrinfo(urlsplit(url).hostname, None):
            if not ipaddress.ip_address(found[4][0]).is_global:
                raise Private

    def _ask(self, url: str, method: str) -> Outcome:
        try:
            with self._open(url, method) as answer:
                answer.read(MOST_BYTES)
                return Outcome(answer.status, url=answer.url)
        except urllib.error.HTTPError as error:
            error.close()
            return Outcome(error.code, url=error.url or url)
        except urllib.error.URLError as error:
            if isinstance(error.reason, TimeoutError):
                raise error.reason from error
            raise

    def _open(self, url: str, method: str) -> Any:
        self.refuse_private(url)
        request = urllib.request.Request(url, method=method, headers={"User-Agent": self.agent, "Accept": "*/*"})  # noqa: S310
        return self.opener.open(request, timeout=SECONDS)

    def _allowed(self, url: str) -> bool:
        """Whether the server's robots.txt allows us; without a readable one, yes."""
        host = host_of(url)
        if host not in self.robots:
            rules = self.robots[host] = RobotFileParser()
            try:
                with self._open(f"{urlsplit(url).scheme}://{host}/robots.txt", "GET") as answer:
                    rules.parse(answer.read(MOST_ROBOTS).decode("utf-8", "replace").splitlines())
            except urllib.error.HTTPError as error:
                error.close()
                rules.parse([])
            except (OSError, HTTPException):
                # If the server is down, the request for the page will show it.
                rules.parse([])
        return self.robots[host].can_fetch(AGENT, url)


class _Redirects(urllib.request.HTTPRedirectHandler):
    """Follows redirects only within the public network."""

    max_redirections = 5

    def __init__(self, refuse: Callable[[str], None]) -> None:
        self.refuse = refuse

    def redirect_request(self, req: Any, fp: Any, code: int, msg: str, headers: Any, newurl: str) -> Any:
        """Raises Private for any other."""
        self.refuse(newurl)
        return super().redirect_request(req, fp, code, msg, headers, newurl)
