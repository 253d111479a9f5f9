"""Compares a public page with a Django view that does nothing, and with nginx sending the same bytes from a file."""

from __future__ import annotations

import contextlib
import http.client
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from tests.bench.crowd import Answer, Answers, Crowd, Visitor
from tests.bench.load import joined
from tests.bench.machine import family, used_seconds
from tests.bench.stack import Stack
from tests.bench.table import markdown
from tests.support.subprocesses import free_port, wait_until

CONNECTIONS = 8
SLICES = 5
PAGE = "/exams/pmle/questions/1-situation-1/"
NGINX = "nginx, the same bytes as a file"
HEAD = ["Request", "requests/s", "median ms", "95% ms", "server's CPU, ms a request", "generator, % of a core"]
CONFIG = """\
{user}daemon off;
worker_processes auto;
pid {folder}/nginx.pid;
error_log {folder}/nginx.log;
events {{ worker_connections 256; }}
http {{
    access_log off;
    sendfile on;
    keepalive_requests 100000000;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/pages;
        default_type "text/html; charset=utf-8";
        add_header Content-Encoding gzip;
    }}
}}
"""


class Reader(Visitor):
    """A visitor of one page who accepts compression, as every browser does."""

    def __init__(self, port: int, path: str) -> None:
        told = {"Host": f"127.0.0.1:{port}", "Accept-Encoding": "gzip", "X-Forwarded-Proto": "https"}
        headers = "".join(f"{name}: {value}\r\n" for name, value in told.items())
        self.request = f"GET {path} HTTP/1.1\r\n{headers}\r\n".encode()

    def ask(self) -> bytes:
        """Send the same request each time."""
        return self.request

    def hear(self, answer: Answer) -> str:
        """Count anything but a page as an error."""
        return "" if answer.status == 200 and answer.body else f"status {answer.status}"


@dataclass
class Target:
    """One thing to request: from which processes, and with what outcome."""

    name: str
    port: int
    path: str
    process: int
    found: list[Answers] = field(default_factory=list)
    used: float = 0.0

    def ask(self, seconds: float) -> None:
        """Measure one slice. Raises AssertionError if anything went wrong."""
        crowd = Crowd(self.port, [Reader(self.port, self.path) for _ in range(CONNECTIONS)])
        processes = family(self.process)
        try:
            crowd.run(seconds / 10)
            before = used_seconds(processes)
            answers = crowd.run(seconds)
        finally:
            crowd.close()
        assert not answers.errors, (self.name, answers.errors[:3])
        self.used += used_seconds(processes) - before
        self.found.append(answers)

    def cells(self) -> list[str]:
        """Return the cells of its line in the table."""
        found = joined(self.found)
        own = sum(each.own_seconds for each in self.found)
        times = [f"{found.quantile(share):.2f}" for share in (0.5, 0.95)]
        cost = 1000 * self.used / len(found.times)
        return [self.name, f"{found.rate:.0f}", *times, f"{cost:.3f}", f"{100 * own / found.seconds:.0f}"]


def public_page(stack: Stack, seconds: float) -> str:
    """Return the table. All take turns, so that they meet the same load on the machine."""
    body = packed(stack.port)
    with nginx(stack.folder, body) as server:
        targets = [
            Target("bare Django view", stack.port, "/bare/", stack.web),
            Target("question page, from the page cache", stack.port, PAGE, stack.web),
            Target("question page, uncached", stack.port, f"{PAGE}?anew", stack.web),
        ]
        if server:
            targets.append(Target(NGINX, *server))
            assert packed(server[0], "/page") == body, "nginx sends other bytes"
        for _ in range(SLICES):
            for target in targets:
                target.ask(seconds / SLICES)
    lines = [target.cells() for target in targets]
    if not server:
        lines.append([f"{NGINX}: nginx is not installed", *[""] * (len(HEAD) - 1)])
    return f"The page is {len(body):,} bytes, compressed.\n\n{markdown(HEAD, lines)}"


def packed(port: int, path: str = PAGE) -> bytes:
    """Fetch the page's compressed bytes."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", path, headers={"Accept-Encoding": "gzip", "X-Forwarded-Proto": "https"})
        response = connection.getresponse()
        assert response.headers["Content-Encoding"] == "gzip", (response.status, path)
        return response.read()


@contextlib.contextmanager
def nginx(folder: Path, body: bytes) -> Iterator[tuple[int, str, int] | None]:
    """Start an nginx that sends these bytes; returns its port, the path and its process, or None without nginx."""
    program = shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin:/usr/local/sbin")
    if not program:
        yield None
        return
    port, pages, config = free_port(), folder / "pages", folder / "nginx.conf"
    pages.mkdir()
    (pages / "page").write_bytes(body)
    config.write_text(CONFIG.format(user="user root;\n" if os.getuid() == 0 else "", folder=folder, port=port))
    process = subprocess.Popen([program, "-c", str(config), "-p", str(folder), "-e", str(folder / "nginx.log")])
    try:
        assert wait_until(lambda: reached(port)), (folder / "nginx.log").read_text()
        yield port, "/page", process.pid
    finally:
        process.terminate()
        process.wait(30)


def reached(port: int) -> bool:
    """Return whether nginx serves the file."""
    with contextlib.suppress(OSError):
        return bool(packed(port, "/page"))
    return False
