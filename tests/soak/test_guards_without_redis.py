"""Four web processes in production settings lose Redis halfway: guesses at an account stay limited."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from urllib.parse import urlencode

import pytest
from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value

from tests.soak.machine import EMAIL, PASSWORD, Machine, running
from tests.support.player import Player
from tests.support.scratch import rows
from tests.support.subprocesses import Site, run_python

WRONG, FORM = "not those words", "application/x-www-form-urlencoded"
NARROW, RESETS = 5, 5
CODE_SECONDS = 30
LOCKED = str(DefaultAccountAdapter.error_messages["too_many_login_attempts"]).encode()
ADD_SECOND_STEP = f"""
import django
django.setup()
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from courseiva.accounts.models import User
secret = generate_totp_secret()
TOTP.activate(User.objects.get(email="{EMAIL}"), secret)
print(secret)
"""

pytestmark = pytest.mark.soak


@pytest.fixture(params=["with redis", "redis killed", "redis never there"])
def site(request: pytest.FixtureRequest, machine: Machine) -> Iterator[Site]:
    """Run the site; the test's ``lose_redis`` says when Redis dies."""
    if request.param == "redis never there":
        machine.redis.kill()
    made = machine.site(WEB_PROCESSES="4")
    with running(made):
        yield made


@pytest.fixture
def lose_redis(request: pytest.FixtureRequest, machine: Machine, site: Site) -> Callable[[], None]:
    return machine.redis.kill if "redis killed" in request.node.name else lambda: None


def post(site: Site, path: str, network: str, player: Player | None = None, **fields: str) -> tuple[int, bytes]:
    """Send a form from this network to any of the web processes; returns the response."""
    sender = player or Player(site.port, secure=True)
    try:
        body = urlencode(fields).encode()
        status, _, content = sender.send("POST", path, body, FORM, **{"X-Forwarded-For": network})
    finally:
        sender.close()
    return status, content


def at_once(count: int, call: Callable[[int], tuple[int, bytes]]) -> list[tuple[int, bytes]]:
    found: dict[int, tuple[int, bytes]] = {}
    threads = [threading.Thread(target=lambda n=n: found.update({n: call(n)})) for n in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert len(found) == count
    return [found[n] for n in range(count)]


def test_wrong_passwords_codes_and_resets_are_limited(
    machine: Machine, site: Site, lose_redis: Callable[[], None], tell: Callable[[str], None]
) -> None:
    def guess(_: int) -> tuple[int, bytes]:
        return post(site, "/accounts/login/", "203.0.113.9", login=EMAIL, password=WRONG)

    answers = [guess(n) for n in range(NARROW - 2)]
    lose_redis()
    answers += at_once(20 - len(answers), guess)
    looked_at = [body for status, body in answers if status == 200 and LOCKED not in body]
    tell(f"{len(looked_at)} of {len(answers)} wrong passwords were looked at")
    assert NARROW - 2 <= len(looked_at) <= NARROW
    assert LOCKED in post(site, "/accounts/login/", "203.0.113.9", login=EMAIL, password=PASSWORD)[1]
    assert post(site, "/accounts/login/", "198.51.100.7", login=EMAIL, password=PASSWORD)[0] == 302

    resets = at_once(12, lambda n: post(site, "/accounts/password/reset/", f"192.0.2.{n}", email=EMAIL))
    sent = [status for status, _ in resets].count(302)
    tell(f"{sent} of {len(resets)} mails were sent")
    assert 1 <= sent <= RESETS
    assert {status for status, _ in resets} == {302, 429}


def test_a_code_is_limited_and_works_once(
    machine: Machine, site: Site, lose_redis: Callable[[], None], tell: Callable[[str], None]
) -> None:
    given = {**machine.given, "DATABASE_URL": machine.url, "DJANGO_SETTINGS_MODULE": "tests.support.live_settings"}
    secret = run_python("-c", ADD_SECOND_STEP, **given).stdout.strip()
    time.sleep(CODE_SECONDS - time.time() % CODE_SECONDS)  # a new half-minute has just begun

    def after_password(network: str) -> Player:
        player = Player(site.port, secure=True)
        assert post(site, "/accounts/login/", network, player, login=EMAIL, password=PASSWORD)[0] == 302
        return player

    players = [after_password(f"198.51.100.{n}") for n in range(8)]
    code = format_hotp_value(hotp_value(secret, int(time.time()) // CODE_SECONDS))
    lose_redis()

    def give(n: int) -> tuple[int, bytes]:
        return post(site, "/accounts/2fa/authenticate/", f"198.51.100.{n}", players[n], code=code)

    opened = [status for status, _ in at_once(len(players), give)].count(302)
    tell(f"{opened} of {len(players)} got in with one code at once")
    assert opened == 1
    rows(machine.url, "DELETE FROM accounts_guard WHERE value <> '\"y\"'")  # the count, not the used code
    late = after_password("198.51.100.99")
    wrong = [f"{(int(code) + 1 + n) % 1_000_000:06d}" for n in range(60)]
    tried = [post(site, "/accounts/2fa/authenticate/", "198.51.100.99", late, code=each)[1] for each in [code, *wrong]]
    looked_at = [body for body in tried if LOCKED not in body]
    tell(f"{len(looked_at)} of {len(tried)} codes were looked at")
    assert len(looked_at) == NARROW
