"""Passkeys work in Chromium with an authenticator of its own, and also renew an ended login in place."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, CDPSession, Page, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from questions.models import Exam
from tests.journeys.test_player import NETWORK, PASSWORD, Sitter, exam  # noqa: F401
from tests.support.sessions import begin_mock
from tests.support.subprocesses import Site

SIGNED_IN_OR_HALFWAY = re.compile(r"^\w+://[^/]+/(accounts/2fa/.*)?$")
SIGN_IN = "/accounts/login/"
ASK = "form[data-passkey] [type=submit]"
OTHER_WAY = "main li a[href*='/webauthn/reauthenticate/']"

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@dataclass
class Desk:
    """A tab with an authenticator, on the site under its host name, because passkeys don't work at an IP address."""

    page: Page
    url: str
    keys: CDPSession
    device: str
    said: list[str] = field(default_factory=list)

    def go(self, path: str) -> None:
        self.page.goto(self.url + path)

    def is_at(self, path: str) -> None:
        self.page.wait_for_url(f"{self.url}{path}")

    def use(self) -> None:
        """Press the button that asks the authenticator."""
        self.page.locator(ASK).click()

    def go_on(self) -> None:
        """Submit the page's form."""
        self.page.locator("main form.stack [type=submit]").click()

    def says(self, code: str) -> None:
        """Check that the page says why the authenticator gave nothing."""
        expect(self.page.locator(f"[role=alert][data-code={code}]")).to_be_visible()

    def type_password(self, email: str) -> None:
        self.go(SIGN_IN)
        self.page.fill("[name=login]", email)
        self.page.fill("[name=password]", PASSWORD)
        self.page.press("[name=password]", "Enter")
        self.page.wait_for_url(SIGNED_IN_OR_HALFWAY)

    def holder_is_known(self, so: bool) -> None:
        """Set whether the right finger is on the reader."""
        self.keys.send("WebAuthn.setUserVerified", {"authenticatorId": self.device, "isUserVerified": so})

    def credentials(self) -> list[dict[str, Any]]:
        found = self.keys.send("WebAuthn.getCredentials", {"authenticatorId": self.device})
        return list(found["credentials"])

    def session(self) -> str:
        named = [cookie["value"] for cookie in self.page.context.cookies() if cookie["name"] == "sessionid"]
        return named[0] if named else ""


@pytest.fixture
def user(live_rows: None) -> Iterator[User]:
    made = User.objects.create_user("holder@example.org", PASSWORD, display_name="Holder")
    EmailAddress.objects.create(user=made, email=made.email, verified=True, primary=True)
    yield made
    made.delete()


@pytest.fixture
def named_site(live_site: Site) -> Site:
    """Return the same site under this machine's host name."""
    site = copy.copy(live_site)
    site.url = f"http://localhost:{live_site.port}"
    return site


Open = Callable[..., Desk]


@pytest.fixture
def open_desk(browser: Browser, named_site: Site) -> Iterator[Open]:
    contexts: list[BrowserContext] = []
    desks: list[Desk] = []

    def begin(context: BrowserContext | None = None) -> Desk:
        context = context or browser.new_context()
        contexts.append(context)
        page = context.new_page()
        desk = Desk(page, named_site.url, context.new_cdp_session(page), "")
        page.on("console", lambda message: message.type in {"error", "warning"} and desk.said.append(message.text))
        page.on("pageerror", lambda error: desk.said.append(str(error)))
        desk.keys.send("WebAuthn.enable")
        options = {"protocol": "ctap2", "transport": "internal", "automaticPresenceSimulation": True}
        options |= {"hasResidentKey": True, "hasUserVerification": True, "isUserVerified": True}
        made = desk.keys.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        desk.device = made["authenticatorId"]
        desks.append(desk)
        return desk

    yield begin
    for context in contexts:
        context.close()
    assert [line for desk in desks for line in desk.said] == []


def add_passkey(desk: Desk, email: str, name: str = "Phone") -> None:
    """Sign in by password, confirm it once more, and add a passkey."""
    desk.type_password(email)
    desk.go("/accounts/2fa/webauthn/add/")
    desk.page.fill("[name=password]", PASSWORD)
    desk.go_on()
    desk.page.fill("[name=name]", name)
    desk.use()
    desk.is_at("/accounts/2fa/recovery-codes/")
    expect(desk.page.locator("[data-message=webauthn_added]")).to_be_visible()


def sign_out(desk: Desk) -> None:
    desk.go("/accounts/logout/")
    desk.page.locator("main form[action$='/logout/'] button").click()
    desk.is_at("/")


@pytest.mark.gate
def test_a_passkey_is_added_used_alone_renamed_and_removed(open_desk: Open, user: User) -> None:
    desk = open_desk()
    page = desk.page
    add_passkey(desk, user.email)
    assert [made["isResidentCredential"] for made in desk.credentials()] == [True]
    sign_out(desk)

    desk.go(SIGN_IN + "?next=/accounts/2fa/webauthn/")
    before = desk.session()
    desk.use()
    desk.is_at("/accounts/2fa/webauthn/")
    expect(page.get_by_role("row", name="Phone").locator("[data-opens=alone]")).to_be_visible()
    assert desk.session()
    assert desk.session() != before

    page.get_by_role("row", name="Phone").locator("a[href$='/edit/']").click()
    page.locator(OTHER_WAY).click()  # a recent login alone isn't proof enough for this
    desk.use()
    page.fill("[name=name]", "Key on the ring")
    desk.go_on()
    renamed = page.get_by_role("row", name="Key on the ring")
    expect(renamed).to_be_visible()
    renamed.locator("a[href$='/remove/']").click()
    expect(page.locator("[data-state=last]")).to_be_visible()
    desk.go_on()
    expect(page.locator("[data-state=none]")).to_be_visible()
    assert not Authenticator.objects.filter(user=user).exists()

    sign_out(desk)
    desk.go(SIGN_IN)
    desk.use()  # the device still offers it
    expect(page.locator("[data-message=refused]")).to_be_visible()
    desk.type_password(user.email)
    desk.is_at("/")


def test_a_passkey_is_the_second_step_after_the_password(open_desk: Open, user: User) -> None:
    desk = open_desk()
    add_passkey(desk, user.email)
    sign_out(desk)
    desk.type_password(user.email)
    desk.is_at("/accounts/2fa/authenticate/")
    desk.use()
    desk.is_at("/")
    desk.go("/accounts/")
    expect(desk.page.get_by_text(user.email)).to_be_visible()


def test_an_older_key_works_after_the_password_but_not_alone(open_desk: Open, user: User) -> None:
    desk = open_desk()
    desk.type_password(user.email)
    desk.go("/accounts/2fa/webauthn/add/")
    desk.page.fill("[name=password]", PASSWORD)
    desk.go_on()
    desk.page.locator("[name=passwordless]").uncheck()
    desk.use()
    desk.is_at("/accounts/2fa/recovery-codes/")
    assert [made["isResidentCredential"] for made in desk.credentials()] == [False]
    desk.go("/accounts/2fa/webauthn/")
    expect(desk.page.locator("tr [data-opens=second]")).to_be_visible()


def test_a_wrong_finger_is_reported_and_can_be_tried_again(open_desk: Open, user: User) -> None:
    desk = open_desk()
    page = desk.page
    add_passkey(desk, user.email)
    desk.go("/accounts/2fa/webauthn/add/")
    desk.use()
    desk.says("InvalidStateError")
    sign_out(desk)
    desk.go(SIGN_IN)
    desk.holder_is_known(False)
    desk.use()
    desk.says("NotAllowedError")
    expect(page.locator(ASK)).to_be_focused()
    desk.holder_is_known(True)
    desk.use()
    desk.is_at("/")


def test_on_a_device_without_a_passkey_the_password_still_works(open_desk: Open, user: User) -> None:
    desk = open_desk()
    desk.go(SIGN_IN)
    desk.use()
    desk.says("NotAllowedError")
    desk.type_password(user.email)
    desk.is_at("/")


def test_at_an_ip_address_the_page_says_where_passkeys_work(browser: Browser, live_site: Site) -> None:
    page = browser.new_page()
    page.goto(live_site.url + SIGN_IN)
    page.locator(ASK).click()
    expect(page.locator("[data-code=SecurityError]")).to_contain_text(f"http://localhost:{live_site.port}/")
    page.close()


def test_a_browser_without_passkeys_is_told_so(browser: Browser, named_site: Site) -> None:
    page = browser.new_page()
    page.add_init_script("delete window.PublicKeyCredential")
    page.goto(named_site.url + SIGN_IN)
    expect(page.locator("[data-code=unsupported]")).to_be_visible()
    expect(page.locator(ASK)).to_be_disabled()
    page.close()


def test_without_script_the_page_says_what_is_missing_and_the_password_works(
    browser: Browser, named_site: Site, user: User
) -> None:
    page = browser.new_context(java_script_enabled=False).new_page()
    page.goto(named_site.url + SIGN_IN)
    expect(page.locator("form[data-passkey] [data-ready]")).to_contain_text("JavaScript")
    expect(page.locator(ASK)).to_be_disabled()
    page.fill("[name=login]", user.email)
    page.fill("[name=password]", PASSWORD)
    page.press("[name=password]", "Enter")
    page.wait_for_url(f"{named_site.url}/")
    page.context.close()


def test_staff_confirm_by_passkey_before_they_change_users(open_desk: Open, user: User) -> None:
    User.objects.filter(pk=user.pk).update(is_staff=True, is_superuser=True)
    desk = open_desk()
    add_passkey(desk, user.email)
    sign_out(desk)
    desk.go(SIGN_IN + f"?next=/admin/accounts/user/{user.pk}/change/")
    desk.use()
    desk.page.locator(OTHER_WAY).click()
    desk.use()
    desk.is_at(f"/admin/accounts/user/{user.pk}/change/")
    expect(desk.page.locator("#id_email")).to_have_value(user.email)


def in_a_mock(desk: Desk, site: Site, user: User, exam: Exam) -> Sitter:  # noqa: F811
    """Begin a session whose login ends after the first answer, and type the password into its dialog."""
    sitter = Sitter(desk.page.context, site, begin_mock(Owner(user_id=user.pk), exam, 10, timezone.now()))
    sitter.context.clear_cookies()
    sitter.press("a")
    expect(sitter.page.locator("#login")).to_be_visible(timeout=NETWORK)
    sitter.page.fill("#login-address", user.email)
    sitter.page.fill("#login-password", PASSWORD)
    sitter.press("Enter")
    expect(sitter.page.locator("#login-code")).to_be_focused()
    return sitter


def test_a_code_renews_a_login_in_place(
    open_desk: Open, user: User, named_site: Site, exam: Exam  # noqa: F811
) -> None:  # fmt: skip
    desk = open_desk()
    desk.type_password(user.email)
    TOTP.activate(user, generate_totp_secret())
    code = RecoveryCodes.activate(user).get_unused_codes()[0]
    sitter = in_a_mock(desk, named_site, user, exam)
    sitter.page.fill("#login-code", "000000")
    sitter.press("Enter")
    expect(sitter.page.locator("#login [data-error]")).to_be_visible()
    expect(sitter.page.locator("#login")).to_be_visible()
    assert sitter.answered() == []
    sitter.press("Escape")
    sitter.page.locator("[data-notice=login] button").click()
    sitter.page.fill("#login-code", code)
    sitter.press("Enter")
    sitter.saved()
    expect(sitter.page.locator("#login")).to_be_hidden()
    assert sitter.answered() == [1]


def test_a_passkey_in_another_tab_renews_a_login_and_saving_resumes(
    open_desk: Open, user: User, named_site: Site, exam: Exam  # noqa: F811
) -> None:  # fmt: skip
    desk = open_desk()
    add_passkey(desk, user.email)
    sitter = in_a_mock(desk, named_site, user, exam)
    with sitter.context.expect_page() as opened:
        sitter.page.locator("#login a[target=_blank]").click()
    assert opened.value.url.endswith("/accounts/2fa/authenticate/")
    opened.value.close()
    desk.page.bring_to_front()  # the device is plugged into this tab
    desk.go(SIGN_IN)
    desk.use()
    desk.is_at("/accounts/")
    sitter.page.bring_to_front()
    sitter.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # without a screen no tab is hidden
    sitter.saved()
    expect(sitter.page.locator("#login")).to_be_hidden()
    assert sitter.answered() == [1]
    sitter.press("b")
    sitter.saved()
