"""A slow line to the site: pages arrive in pieces, with pauses in which the browser paints what it has."""

from __future__ import annotations

import http.client
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import pairwise
from threading import Thread

from tests.support.subprocesses import Site

PAUSE = 0.05  # seconds: three frames
BETWEEN_TWO = {"connection", "keep-alive", "transfer-encoding", "content-length", "accept-encoding"}
IN_VIEW = rb"<header.*?</header>|<section class=\"bar .*?</section>"


@contextmanager
def trickling(site: Site, path: str) -> Iterator[str]:
    """Yield the page's address on a server that passes everything on, but the page's header and bar in pieces."""

    class Line(BaseHTTPRequestHandler):
        def pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in BETWEEN_TWO}
            there = http.client.HTTPConnection("127.0.0.1", site.port)
            there.request(self.command, self.path, body, headers)
            answer = there.getresponse()
            self.send_response_only(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in BETWEEN_TWO:
                    self.send_header(name, value)
            self.end_headers()
            for piece in pieces(answer.read()) if self.path == path else [answer.read()]:
                self.wfile.write(piece)
                time.sleep(PAUSE)
            there.close()

        do_GET = do_POST = pass_on  # noqa: N815

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Line) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}{path}"
        finally:
            server.shutdown()
            thread.join()


def pieces(page: bytes) -> list[bytes]:
    """Cut a page before each element of what a session keeps in view, its header and its bar, and after them."""
    cuts = {0, len(page)}
    for part in re.finditer(IN_VIEW, page, re.DOTALL):
        cuts |= {part.start() + tag.start() for tag in re.finditer(rb"<\w", part[0])} | {part.end()}
    places = sorted(cuts)
    return [page[start:end] for start, end in pairwise(places)]
