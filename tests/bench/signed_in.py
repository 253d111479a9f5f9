"""Learners with an account: created in bulk, signed in through the site's own form, each with a mock in progress.

Run as a program with a number, it creates that many accounts. They share one password and so one hash, which each
sign-in still has to check.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlencode

from tests.bench.crowd import Answer, Visitor
from tests.bench.stack import Stack
from tests.support.player import Player, Refused
from tests.support.subprocesses import run_python

PASSWORD = "a long enough passphrase"
QUESTIONS, OPTIONS = 60, 4
AT_ONCE = 4
FORM, JSON = "application/x-www-form-urlencoded", "application/json"
TOKEN_FIELD = re.compile(r'name="csrfmiddlewaretoken" value="([^"]+)"')


class Person(Player):
    """A signed-in person's browser, with its own network address in the proxy's header."""

    def __init__(self, port: int, number: int) -> None:
        super().__init__(port, secure=True)
        self.number = number
        self.email = address_of(number)
        self.network = f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"
        self.cookies = {self.csrf: ""}

    def send(self, method: str, path: str, body: bytes = b"", kind: str = "", **more: str) -> tuple:
        """Send one request, as the proxy hands it on."""
        return super().send(method, path, body, kind, X_Forwarded_For=self.network, **more)

    def fill_in_the_form(self) -> None:
        """Sign in as a browser does, starting without cookies: fetch the form and send it with its token."""
        _, _, page = self.send("GET", "/accounts/login/")
        found = TOKEN_FIELD.search(page.decode())
        assert found, "the form to sign in holds no token"
        fields = {"csrfmiddlewaretoken": found[1], "login": self.email, "password": PASSWORD}
        status, _, body = self.send("POST", "/accounts/login/", urlencode(fields).encode(), FORM)
        if status != 302 or "__Host-sessionid" not in self.cookies:
            raise Refused(status, body)
        self.close()  # the next request may come only when the others are signed in too


class Saver(Visitor):
    """Somebody with a mock in progress who saves one answer after another; makes the requests for a Crowd."""

    def __init__(self, player: Player, writer: int, questions: int = QUESTIONS, **more: str) -> None:
        self.head = head_of(player, "POST", f"{player.session}save/", JSON, **more)
        self.writer, self.questions = writer, questions
        self.turn = 0

    @property
    def position(self) -> int:
        """Return the question to answer now: one after another, then from the first again."""
        return 1 + (self.turn - 1) % self.questions

    def ask(self) -> bytes:
        """Return the whole request with the next answer."""
        return with_body(self.head, self.body())

    def body(self) -> bytes:
        """Return a different choice for the next question."""
        self.turn += 1
        item = {"p": self.position, "seq": self.turn, "sel": [self.turn // 7 % OPTIONS], "out": [], "flag": False}
        return json.dumps({"writer": self.writer, "items": [{**item, "sec": 3 * self.turn, "seen": True}]}).encode()

    def hear(self, answer: Answer) -> str:
        """Count anything but the acknowledgement of this answer as an error."""
        if answer.status == 200 and json.loads(answer.body)["saved"] == [self.position]:
            return ""
        return f"{answer.status}: {answer.body[:100]!r}"


def head_of(player: Player, method: str, path: str, kind: str = FORM, **more: str) -> bytes:
    """Return the head of a request as this browser's page sends it through the proxy, without Content-Length."""
    headers = {
        "Host": f"127.0.0.1:{player.port}",
        "Cookie": "; ".join(f"{name}={value}" for name, value in player.cookies.items()),
        "Origin": f"https://127.0.0.1:{player.port}",
        "Sec-Fetch-Site": "same-origin",
        "Accept-Encoding": "gzip",
        "X-Forwarded-Proto": "https",
        "X-CSRFToken": player.cookies["__Host-csrftoken"],
        "Content-Type": kind,
        **more,
    }
    told = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{method} {path} HTTP/1.1\r\n{told}".encode()


def with_body(head: bytes, body: bytes = b"") -> bytes:
    """Return the whole request: this head with this body."""
    return head + b"Content-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body


def address_of(number: int) -> str:
    """Return the email address of an account."""
    return f"learner{number}@learn.example"


def make_accounts(stack: Stack, count: int) -> None:
    """Write confirmed accounts straight to the database: signing up isn't what is measured."""
    done = run_python("-m", "tests.bench.signed_in", str(count), timeout=120, **stack.environment)
    if done.returncode:
        raise SystemExit(done.stderr)


def signed_in(stack: Stack, numbers: Sequence[int]) -> list[Person]:
    """Sign these people in, a few at a time."""
    people = [Person(stack.port, number) for number in numbers]
    _each(people, Person.fill_in_the_form)
    return people


def begun(people: Sequence[Person]) -> list[Saver]:
    """Start and claim a mock, as its page does."""
    savers = {}

    def begin(person: Person) -> None:
        person.start(QUESTIONS)
        writer = int(person.claim()["writer"])
        person.close()
        savers[person.email] = Saver(person, writer, **{"X-Forwarded-For": person.network})

    _each(people, begin)
    return [savers[person.email] for person in people]


def _each(people: Sequence[Person], step: Callable[[Person], None]) -> None:
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(step, people))


def _make(count: int) -> None:
    import django

    django.setup()
    from allauth.account.models import EmailAddress
    from django.contrib.auth.hashers import make_password

    from courseiva.accounts.models import User

    known = make_password(PASSWORD)
    users = User.objects.bulk_create(User(email=address_of(n), password=known) for n in range(count))
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )


if __name__ == "__main__":
    _make(int(sys.argv[1]))
