"""Accounts stay guarded whatever happens to the cache: attempts are counted, codes work once, and mails are limited."""

from __future__ import annotations

import datetime as dt
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import time_machine
from allauth.account.models import EmailAddress
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, generate_totp_secret, hotp_value
from django.core import mail
from django.core.cache import cache, caches
from django.db import connection
from django.test import Client
from django.utils import timezone

from courseiva.accounts.guarding.guards import GuardingMemoryCache, GuardingRedisCache, purge_guards
from courseiva.accounts.models import Guard, User
from courseiva.accounts.tasks import purge_guards as purge_task
from tests.courseiva.test_settings import PRODUCTION, shown

PASSWORD, WRONG = "three plain words", "not those words"
HERE, NEIGHBOUR, FAR = "198.51.100.7", "198.51.100.8", "203.0.113.9"
NARROW, NETWORK_A_MINUTE, ACCOUNT_AN_HOUR = 5, 10, 200
CODE_SECONDS = 30
RACERS = 20
MOMENT = dt.datetime(2026, 11, 23, 9, 0, 5, tzinfo=dt.UTC)

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]


@pytest.fixture
def member() -> User:
    return make_member()


def make_member(email: str = "alice@example.org") -> User:
    user = User.objects.create_user(email, PASSWORD)
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


@pytest.fixture(params=["memory", "redis away", "redis emptied"])
def lost(request: pytest.FixtureRequest, settings: Any, unused_port: int) -> Iterator[Callable[[], None]]:
    """Use each cache the site can have; return a function that empties it."""
    if request.param == "memory":
        own = shown("CACHES", **PRODUCTION)["CACHES"]["default"]
    else:
        url = f"redis://127.0.0.1:{unused_port}/0"
        if request.param == "redis emptied":
            url = request.getfixturevalue("redis_url")
        own = shown("CACHES", **PRODUCTION, REDIS_URL=url)["CACHES"]["default"]
    settings.CACHES = {**settings.CACHES, "default": {**own, "KEY_PREFIX": "guards-test"}}
    yield cache.clear
    cache.clear()


def sign_in(password: str = PASSWORD, network: str = HERE, email: str = "alice@example.org") -> Any:
    return Client(REMOTE_ADDR=network).post("/accounts/login/", {"login": email, "password": password})


def opens(answer: Any) -> bool:
    return bool(answer.status_code == 302)


def code_of(secret: str) -> str:
    return format_hotp_value(hotp_value(secret, int(time.time()) // CODE_SECONDS))


def give_code(client: Client, code: str) -> bool:
    return opens(client.post("/accounts/2fa/authenticate/", {"code": code}))


def after_password() -> Client:
    client = Client(REMOTE_ADDR=HERE)
    assert opens(client.post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD}))
    return client


def test_wrong_passwords_are_limited_whatever_happens_to_the_cache(
    member: User, lost: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    looked_at = []
    check = User.check_password
    monkeypatch.setattr(User, "check_password", lambda user, raw: looked_at.append(raw) or check(user, raw))
    for _ in range(20):
        assert not opens(sign_in(WRONG))
        lost()
    assert len(looked_at) == NARROW
    assert not opens(sign_in())


def test_one_time_codes_are_limited_whatever_happens_to_the_cache(
    member: User, lost: Callable[[], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    secret = generate_totp_secret()
    TOTP.activate(member, secret)
    looked_at = []
    check = TOTP.validate_code
    monkeypatch.setattr(TOTP, "validate_code", lambda wrapped, code: looked_at.append(code) or check(wrapped, code))
    with time_machine.travel(MOMENT, tick=False):
        client, right = after_password(), code_of(secret)
        for n in range(60):
            give_code(client, f"{(int(right) + 1 + n) % 1_000_000:06d}")
            lost()
        assert len(looked_at) == NARROW
        assert not give_code(client, right)


def test_a_used_code_stays_used_whatever_happens_to_the_cache(member: User, lost: Callable[[], None]) -> None:
    secret = generate_totp_secret()
    TOTP.activate(member, secret)
    with time_machine.travel(MOMENT, tick=False):
        assert give_code(after_password(), code_of(secret))
        lost()
        assert not give_code(after_password(), code_of(secret))
    with time_machine.travel(MOMENT + dt.timedelta(seconds=CODE_SECONDS), tick=False):
        assert give_code(after_password(), code_of(secret)), "the next half minute has a code of its own"


def test_reset_mails_to_one_address_are_limited_whatever_happens_to_the_cache(
    member: User, lost: Callable[[], None]
) -> None:
    statuses = []
    for n in range(12):
        answer = Client(REMOTE_ADDR=f"203.0.113.{n}").post("/accounts/password/reset/", {"email": member.email})
        statuses.append(answer.status_code)
        lost()
    assert statuses == [302] * NARROW + [429] * 7
    assert len(mail.outbox) == NARROW


def test_a_guess_from_elsewhere_does_not_lock_the_owner_out(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False):
        for _ in range(20):
            sign_in(WRONG, FAR)
        assert not opens(sign_in(PASSWORD, FAR))
        assert opens(sign_in(PASSWORD, HERE))
        assert opens(sign_in(PASSWORD, NEIGHBOUR))


def test_a_lockout_ends(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False) as clock:
        for _ in range(NARROW):
            sign_in(WRONG)
        assert not opens(sign_in())
        clock.shift(301)
        assert opens(sign_in())


def test_slow_guessing_is_locked_out_for_longer(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False) as clock:
        for _ in range(4 * NARROW):
            sign_in(WRONG, FAR)
            clock.shift(61)
        assert not opens(sign_in(PASSWORD, FAR))
        assert opens(sign_in(PASSWORD, HERE))
        clock.shift(3600)
        assert opens(sign_in(PASSWORD, FAR))


def test_right_passwords_do_not_count_as_attempts(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False):
        assert [opens(sign_in()) for _ in range(2 * NARROW)] == [True] * (2 * NARROW)


def test_only_the_network_that_tries_many_accounts_is_locked_out(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False):
        for n in range(NETWORK_A_MINUTE):
            sign_in(WRONG, FAR, f"nobody{n}@example.org")
        assert not opens(sign_in(PASSWORD, FAR))
        assert opens(sign_in(PASSWORD, HERE))


def test_guesses_from_many_networks_finally_lock_the_account_until_a_reset(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False) as clock:
        for n in range(ACCOUNT_AN_HOUR):
            if n in (0, ACCOUNT_AN_HOUR - 1):
                assert opens(sign_in(PASSWORD, HERE)), n
            sign_in(WRONG, f"203.0.113.{n}")
            clock.shift(10)  # allauth identifies the attempt to undo by its time
        assert not opens(sign_in(PASSWORD, HERE))
        client = Client(REMOTE_ADDR=HERE)
        client.post("/accounts/password/reset/", {"email": member.email})
        link = next(word for word in str(mail.outbox[-1].body).split() if "/password/reset/key/" in word)
        form = client.get(link, follow=True)
        new = "four other plain words"
        client.post(form.request["PATH_INFO"], {"password1": new, "password2": new})
        assert opens(sign_in(new, HERE))


def test_a_household_is_one_ipv6_network_and_mapped_ipv4_counts_as_ipv4(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False):
        for n in range(NARROW):
            sign_in(WRONG, f"2001:db8:0:1::{n:x}")
        assert not opens(sign_in(PASSWORD, "2001:db8:0:1:ffff::1"))
        assert opens(sign_in(PASSWORD, "2001:db8:0:2::1"))
        for _ in range(NARROW):
            sign_in(WRONG, f"::ffff:{FAR}")
        assert not opens(sign_in(PASSWORD, FAR))
        assert opens(sign_in(PASSWORD, f"::ffff:{HERE}"))


def test_behind_a_proxy_the_network_is_what_the_proxy_says(member: User, settings: Any) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    fields = {"login": member.email, "password": WRONG}
    with time_machine.travel(MOMENT, tick=False):
        for n in range(NARROW):
            Client(headers={"x-forwarded-for": f"192.0.2.{n}, {FAR}"}).post("/accounts/login/", fields)
        fields["password"] = PASSWORD
        assert not opens(Client(headers={"x-forwarded-for": f"192.0.2.99, {FAR}"}).post("/accounts/login/", fields))
        assert opens(Client(headers={"x-forwarded-for": f"{FAR}, {HERE}"}).post("/accounts/login/", fields))


def test_a_second_step_for_one_account_does_not_unlock_its_network(member: User) -> None:
    """After a right code, allauth forgets that account's attempts, but not its network's attempts at other accounts."""
    secret = generate_totp_secret()
    TOTP.activate(member, secret)
    with time_machine.travel(MOMENT, tick=False):
        client = after_password()
        for n in range(NETWORK_A_MINUTE):
            sign_in(WRONG, HERE, f"nobody{n}@example.org")
        assert give_code(client, code_of(secret))
        assert not opens(sign_in(PASSWORD, HERE))


def test_stored_attempts_reveal_neither_addresses_nor_networks(member: User) -> None:
    sign_in(WRONG)
    rows = list(Guard.objects.values_list("key", "value"))
    assert rows
    assert not [row for row in rows if "alice" in str(row) or HERE in str(row)]


def test_only_expired_locks_are_purged(member: User) -> None:
    with time_machine.travel(MOMENT, tick=False) as clock:
        sign_in(WRONG)
        clock.shift(301)
        over = Guard.objects.filter(expires_at__lte=timezone.now()).count()
        held = Guard.objects.count()
        assert 0 < over < held
        assert (purge_task(), Guard.objects.count()) == (over, held - over)
        assert purge_guards(timezone.now()) == 0


def test_the_cache_refuses_any_other_operation_on_a_guards_key() -> None:
    key = "allauth:rl:x"
    for own in (GuardingMemoryCache("x", {}), GuardingRedisCache("redis://redis.example:6379/0", {})):
        for call in (own.incr, own.touch, own.has_key):
            with pytest.raises(ValueError, match="account"):
                call(key)


def test_the_cache_still_stores_everything_else(lost: Callable[[], None]) -> None:
    cache.set("mine", 1, 60)
    assert not Guard.objects.exists()
    lost()
    assert cache.get("mine") is None
    assert caches["default"].add("mine", 2, 60)


def test_with_and_without_redis_the_cache_is_the_guarding_one() -> None:
    for more in ({}, {"REDIS_URL": "redis://redis.example:6379/0"}):
        backend = shown("CACHES", **PRODUCTION, **more)["CACHES"]["default"]["BACKEND"]
        assert backend.startswith("courseiva.accounts.guarding.guards.Guarding")


def at_once(call: Callable[[int], Any]) -> list[Any]:
    """Make the call from all racing threads at the same moment."""
    barrier, found = threading.Barrier(RACERS), [None] * RACERS

    def run(n: int) -> None:
        try:
            barrier.wait(30)
            found[n] = call(n)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=[n], daemon=True) for n in range(RACERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert not any(thread.is_alive() for thread in threads)
    return found


@pytest.mark.django_db(transaction=True)
def test_of_twenty_guesses_at_once_only_the_allowed_number_is_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    make_member()
    looked_at: list[str] = []
    check = User.check_password
    monkeypatch.setattr(User, "check_password", lambda user, raw: looked_at.append(raw) or check(user, raw))
    assert not any(opens(answer) for answer in at_once(lambda n: sign_in(f"wrong {n}")))
    assert 1 <= len(looked_at) <= NARROW


@pytest.mark.django_db(transaction=True)
def test_of_twenty_uses_of_one_code_at_once_one_succeeds() -> None:
    key = "allauth.mfa.totp.used?user=1&code=123456"
    assert sum(at_once(lambda _: cache.add(key, "y", timeout=30))) == 1
    Guard.objects.update(expires_at=timezone.now() - dt.timedelta(seconds=1))
    assert sum(at_once(lambda _: cache.add(key, "y", timeout=30))) == 1
