"""Chromium can install the site, and its icons are as large as the manifest says."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import BrowserType, CDPSession, Page

from questions.models import Exam
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
# The farthest that any part is from the centre, as a share of the width: a circle cuts off nothing within .4.
REACH = """async (src) => {
  const picture = await createImageBitmap(await (await fetch(src)).blob());
  const {width, height} = picture;
  const drawn = new OffscreenCanvas(width, height).getContext("2d");
  drawn.drawImage(picture, 0, 0);
  const {data} = drawn.getImageData(0, 0, width, height);
  let reach = 0;
  for (let at = 0; at < data.length; at += 4) {
    const x = (at / 4) % width, y = Math.floor(at / 4 / width);
    const isGround = [0, 1, 2, 3].every((n) => Math.abs(data[at + n] - data[n]) < 8);
    if (!isGround) reach = Math.max(reach, Math.hypot(x - width / 2, y - height / 2) / width);
  }
  return {width, height, reach, alpha: data[3]};
}"""
SAFE = 0.4


@pytest.fixture(scope="module")
def page(
    browser_type: BrowserType,
    browser_type_launch_args: dict[str, Any],
    live_site: Site,
    exam: Exam,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Page]:
    """Yield a tab of a browser with a profile, because a private window, as other tests use, can't install a site."""
    profile = tmp_path_factory.mktemp("profile")
    context = browser_type.launch_persistent_context(profile, base_url=live_site.url, **browser_type_launch_args)
    yield context.new_page()
    context.close()


@pytest.fixture
def asked(page: Page) -> CDPSession:
    return page.context.new_cdp_session(page)


def manifest(asked: CDPSession) -> dict[str, Any]:
    told = asked.send("Page.getAppManifest")
    assert told["errors"] == []
    return dict(json.loads(told["data"]))


@pytest.mark.parametrize("path", ["/", "/exams/pmle/", "/practice/pmle/take/"])
def test_chromium_can_install_the_app(page: Page, asked: CDPSession, path: str) -> None:
    page.goto(path)
    assert manifest(asked)["display"] == "standalone"
    assert asked.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}


def test_the_apps_start_address_exists_and_is_in_scope(page: Page, asked: CDPSession) -> None:
    page.goto("/")
    told = manifest(asked)
    assert told["start_url"].startswith(told["scope"])
    for path in (told["start_url"], *(shortcut["url"] for shortcut in told["shortcuts"])):
        assert path.startswith(told["scope"])
        answer = page.goto(path)
        assert answer
        assert answer.ok


def test_each_icon_has_its_size_and_a_phone_may_cut_a_circle_from_the_maskable_ones(
    page: Page, asked: CDPSession, live_site: Site
) -> None:
    page.goto("/")
    icons = manifest(asked)["icons"]
    for purpose in ("any", "maskable"):
        sizes = {icon["sizes"] for icon in icons if icon["purpose"] == purpose and icon["type"] == "image/png"}
        assert sizes == {"192x192", "512x512"}
    for icon in icons:
        if icon["type"] != "image/png":
            continue
        seen = page.evaluate(REACH, urljoin(live_site.url, icon["src"]))
        assert f"{seen['width']}x{seen['height']}" == icon["sizes"]
        if icon["purpose"] == "maskable":
            assert 0 < seen["reach"] < SAFE
            assert seen["alpha"] == 255
