"""Account pages and the admin work in the system's Chromium under the production content security policy."""

import pytest
from playwright.sync_api import Page
from pytest_django.live_server_helper import LiveServer

from courseiva.demo.accounts import DEMO_PASSWORD, make_demo_accounts

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.mark.gate
def test_signing_in_and_the_admin_raise_no_browser_errors(page: Page, live_server: LiveServer) -> None:
    said: list[str] = []
    page.on("console", lambda message: message.type in {"error", "warning"} and said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    page.route("**/favicon.ico", lambda route: route.fulfill(status=204))  # the admin's pages declare no icon
    make_demo_accounts()
    page.goto(f"{live_server.url}/admin/")
    page.fill("input[name=login]", "admin@demo.courseiva.example")
    page.fill("input[name=password]", DEMO_PASSWORD)
    page.press("input[name=password]", "Enter")
    page.wait_for_url(f"{live_server.url}/admin/")
    for address in ("/admin/accounts/user/", "/admin/accounts/user/add/", "/accounts/2fa/", "/accounts/email/"):
        response = page.goto(live_server.url + address)
        assert response
        assert response.status == 200, address
    assert said == []
