"""The running site as MDN's HTTP Observatory sees it: MDN's own scanner, over TLS, on the site in production settings.

The scanner on npm lacks two rules of the online one, about the policies for openers and embedders; they are added here.
Each page is scored twice: before the host is on the browsers' built-in list, and once it is.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from courseiva.serving.rules.environment import HSTS_YEAR
from tests.support.live import database_url, live_environment
from tests.support.needs import missing
from tests.support.subprocesses import Site, bare_environment, free_port
from tests.support.tls_front import HOST, tls_front
from tests.support.world import LEARNER, STAFF, STRANGER, World, small_world

PACKAGE, VERSION = "@mdn/mdn-http-observatory", "1.4.8"
OLDER_NODE = {"http-cookie-agent": {"agent-base": "7.1.4"}}  # the newest release doesn't load in Debian 12's Node
INSTALL_SECONDS, SCAN_SECONDS = 180, 60
START, LISTED, LATER_POINTS = 100, 5, 10
LATER_RULES = {
    "cross-origin-opener-policy": {"same-origin", "same-origin-allow-popups", "noopener-allow-popups"},
    "cross-origin-embedder-policy": {"require-corp", "credentialless"},
}
# Who asks, and the score once the host is on the list; the most possible is 165. A page that sets no cookie, because it
# is the same for everybody, can't get the 5 points for well-set cookies.
PAGES = {
    "home": (STRANGER, 160),
    "question": (STRANGER, 160),
    "session": (LEARNER, 165),
    "sign in": (STRANGER, 165),
    "way into the admin": (STRANGER, 165),
    "admin": (STAFF, 165),
}
Findings = dict[str, dict[str, Any]]

pytestmark = pytest.mark.soak


@pytest.fixture(scope="module")
def scanner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Install the scanner in a separate folder. Its install scripts, which fetch lists, aren't run."""
    if not shutil.which("npm"):
        missing("npm", "sudo apt install nodejs npm")
    folder = tmp_path_factory.mktemp("observatory")
    (folder / "package.json").write_text(json.dumps({"private": True, "type": "module", "overrides": OLDER_NODE}))
    quiet = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--loglevel=error")
    done = subprocess.run(
        ["npm", "install", *quiet, f"{PACKAGE}@{VERSION}"],
        cwd=folder, capture_output=True, text=True, timeout=INSTALL_SECONDS, check=False,
    )  # fmt: skip
    if done.returncode:
        missing(f"{PACKAGE} {VERSION}", f"npm could not install it: {done.stderr[-500:]}")
    shutil.copy(Path(__file__).with_name("observatory.mjs"), folder)
    return folder


@pytest.fixture(scope="module")
def world(live_rows: None) -> World:
    """Build a made-up bank, and people with sessions."""
    return small_world(timezone.now())


@pytest.fixture(scope="module")
def front(world: World, static_root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[int, Path]]:
    """Run the site in production settings behind TLS; yields the port and the certificate to trust."""
    port = free_port()
    production = {
        **live_environment(static_root),
        "DEBUG": "0",
        "SITE_URL": f"https://{HOST}:{port}",
        "PROXY_COUNT": "1",
        "HSTS_SECONDS": str(HSTS_YEAR),
        "HSTS_PRELOAD": "1",
    }
    site = Site(database_url(), **production).start()
    with tls_front(port, site.port, tmp_path_factory.mktemp("tls")) as certificate:
        yield port, certificate
    site.stop()


@pytest.fixture(scope="module", params=[False, True], ids=["before", "on the list"])
def findings(world: World, front: tuple[int, Path], scanner: Path, request: pytest.FixtureRequest) -> Findings:
    """Return what the scanner finds on each page."""
    known = {HOST: {"mode": "force-https", "includeSubDomains": True}} if request.param else {}
    (scanner / "node_modules" / PACKAGE / "conf" / "hsts-preload.json").write_text(json.dumps(known))
    port, certificate = front
    addresses = {
        "home": "/",
        "question": world.question.get_absolute_url(),
        "session": world.session(LEARNER, "mock").get_absolute_url(),
        "sign in": "/accounts/login/",
        "way into the admin": "/admin/",
        "admin": "/admin/",
    }
    pages = [{"path": addresses[name], "cookie": session_of(world, persona)} for name, (persona, _) in PAGES.items()]
    done = subprocess.run(
        ["node", "observatory.mjs"],
        cwd=scanner, input=json.dumps({"host": HOST, "port": port, "pages": pages}),
        env=bare_environment(NODE_EXTRA_CA_CERTS=str(certificate)),
        capture_output=True, text=True, timeout=SCAN_SECONDS, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return dict(zip(PAGES, json.loads(done.stdout), strict=True))


def session_of(world: World, persona: str) -> str:
    """Return the Cookie header of the person signed in, under the name it has in production."""
    cookie = world.cookies[persona].get("sessionid")
    return f"__Host-sessionid={cookie.value}" if cookie else ""


@pytest.mark.parametrize("name", PAGES)
def test_each_page_gets_the_observatorys_expected_score(name: str, findings: Findings) -> None:
    found, score = findings[name], PAGES[name][1]
    assert found["status"] == 200
    later = [header for header, good in LATER_RULES.items() if found["headers"].get(header) in good]
    points = {**found["points"], **dict.fromkeys(later, LATER_POINTS)}
    assert min(points.values()) >= 0, points
    assert "redirection-to-https" in points or "hsts-preloaded" in points, points
    expected = score if "hsts-preloaded" in points else score - LISTED
    assert START + sum(points.values()) == expected, points
