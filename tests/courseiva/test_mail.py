"""Check how a mail is built. With DEBUG on, the site shows the link it mailed; with DEBUG off it never does."""

from typing import Any

import pytest
from django.core.mail import send_mail
from django.http import HttpRequest
from django.template import Context, Template
from django.test import Client
from django.urls import reverse

from courseiva.accounts.mail import captured, captured_link

BACKEND = "courseiva.accounts.mail.CapturingBackend"


def send(text: str, to: str = "alice@example.org") -> None:
    send_mail("subject", text, None, [to])


def test_a_template_of_several_lines_renders_as_one_line_escaped_once() -> None:
    text = "{% load words %}{% filter one_line %}\nOne {{ name }}\n  in all{% endfilter %}\n"
    assert Template(text).render(Context({"name": "<b>"})) == "One &lt;b&gt; in all\n"


def test_the_newest_link_is_shown_while_debug_is_on(settings: Any, capsys: pytest.CaptureFixture[str]) -> None:
    settings.EMAIL_BACKEND, settings.DEBUG = BACKEND, True
    send("Go to http://localhost/a/ to confirm.")
    send("Go to http://localhost/b/ to confirm.")
    send("No link in this one.")
    assert captured_link(HttpRequest()) == {"captured_link": "http://localhost/b/"}
    assert "http://localhost/a/" in capsys.readouterr().out


def test_no_link_is_shown_while_debug_is_off(settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.DEBUG = BACKEND, False
    send("Go to http://localhost/a/ to confirm.")
    assert captured_link(HttpRequest()) == {"captured_link": ""}


def test_old_links_are_forgotten(settings: Any) -> None:
    settings.EMAIL_BACKEND = BACKEND
    for number in range(30):
        send(f"http://localhost/{number}/")
    assert len(captured) == 20


@pytest.mark.django_db
def test_the_check_your_mail_page_has_the_link(client: Client, settings: Any) -> None:
    settings.EMAIL_BACKEND, settings.DEBUG = BACKEND, True
    page = client.post(
        reverse("account_signup"), {"email": "carol@example.org", "password1": "correct-horse-battery"}, follow=True
    )
    link = page.context["captured_link"]
    assert link.startswith("http://testserver/accounts/confirm-email/")
    assert client.get(link).status_code == 200
