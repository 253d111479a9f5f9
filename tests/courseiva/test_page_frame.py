"""All pages share a frame, forms use one field tag, and account pages look like the rest of the site."""

import re
from typing import Any

import pytest
from django import forms
from django.contrib.auth.models import AnonymousUser
from django.core import mail as outbox
from django.template import Context, Template
from django.template.loader import render_to_string
from django.test import Client, RequestFactory
from django.urls import reverse

from courseiva.accounts import mail
from courseiva.accounts.models import User
from tests.support.hooks import states


class Letter(forms.Form):
    email = forms.EmailField(help_text="We answer to it.")
    note = forms.CharField(required=False, help_text="Anything.", widget=forms.TextInput(attrs={"placeholder": "Note"}))
    keep = forms.BooleanField(required=False)
    kind = forms.ChoiceField(choices=[("tip", "tip"), ("fix", "correction")], widget=forms.RadioSelect)


def draw(tag: str, form: Letter) -> str:
    return Template("{% load forms %}" + tag).render(Context({"form": form}))


def test_the_header_lists_the_exams_pages_and_marks_the_current_one(db: None) -> None:
    html = Template("{% load site %}{% site_nav 'ace' 'mock' %}").render(Context())
    assert re.findall(r'href="([^"]+)"', html) == [
        "/practice/ace/",
        "/practice/ace/mock/",
        "/exams/ace/",
        "/practice/ace/readiness/",
    ]
    assert re.findall(r'<a href="([^"]+)" aria-current="true">', html) == [reverse("mock", args=["ace"])]


def test_outside_an_exam_the_header_links_to_the_readers_exam_without_a_statement() -> None:
    html = Template("{% load site %}{% site_nav exam_slug place %}").render(Context())
    assert re.findall(r'href="([^"]+)"', html) == [
        "/my-exam/",
        "/my-exam/practise/",
        "/my-exam/mock/",
        "/my-exam/study/",
        "/my-exam/progress/",
    ]
    assert 'data-my-places="/my-exam/places/"' in html
    assert "aria-current" not in html


def test_the_frame_is_the_same_for_a_guest_and_for_a_member(rf: RequestFactory) -> None:
    request = rf.get("/")
    guest = render_to_string("404.html", {"user": AnonymousUser(), "messages": []}, request=None)
    member = render_to_string("404.html", {"user": User(email="alice@example.org"), "messages": ["hello"]})
    assert guest == member == render_to_string("404.html", request=request)


@pytest.mark.parametrize("name", ["400", "403", "403_csrf", "404", "429", "500", "503"])
def test_an_error_page_renders_without_a_request_and_says_what_to_do_next(name: str) -> None:
    html = render_to_string(f"{name}.html")
    assert html.count("<h1>") == 1
    assert 'class="btn"' in html


def test_absolute_static_begins_with_the_sites_address(settings: Any) -> None:
    settings.SITE_URL = "https://learn.example.org"
    html = Template("{% load site %}{% absolute_static 'img/preview.png' %}").render(Context())
    assert html == "https://learn.example.org/static/img/preview.png"


def test_a_field_ties_its_label_help_and_error_to_its_control() -> None:
    form = Letter({"email": "no"})
    html = draw('{% form_field form.email label="Your address" autocomplete="email" %}', form)
    assert '<label for="id_email">Your address</label>' in html
    assert 'aria-describedby="id_email_helptext id_email_error"' in html
    assert 'id="id_email_helptext">We answer to it.' in html
    assert f'id="id_email_error">{form.errors["email"][0]}' in html
    assert 'aria-invalid="true"' in html
    assert 'autocomplete="email"' in html


def test_a_field_without_help_refers_to_none_and_loses_its_placeholder() -> None:
    html = draw('{% form_field form.note help="" %}', Letter())
    assert "describedby" not in html
    assert "helptext" not in html
    assert "placeholder" not in html
    assert '<span class="field-help">' in html


def test_a_checkbox_precedes_its_label_and_radios_become_chips() -> None:
    html = draw('{% form_field form.keep label="Keep it" %}', Letter())
    assert html.index("<input") < html.index("Keep it")
    html = draw('{% form_field form.kind label="Kind" %}', Letter())
    assert html.count('class="chip"') == 2
    assert "<legend>Kind</legend>" in html


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path", ["login/", "signup/", "password/reset/", "confirm-email/", "confirm-email/x/", "inactive/"]
)
def test_account_pages_have_the_sites_frame(client: Client, path: str) -> None:
    html = client.get(f"/accounts/{path}").content.decode()
    assert '<header class="top">' in html
    assert "css/components" in html
    assert "<hr" not in html


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["login/", "signup/"])
def test_sign_in_and_sign_up_say_that_guest_work_is_kept(client: Client, path: str) -> None:
    assert "data-guest-work" in client.get(f"/accounts/{path}").content.decode()


@pytest.mark.django_db
def test_the_check_your_mail_page_shows_a_captured_link(client: Client, settings: Any) -> None:
    settings.DEBUG = True
    assert states(client.get("/accounts/confirm-email/")) == []
    mail.captured.append(("alice@example.org", "http://testserver/accounts/confirm-email/abc/"))
    html = client.get("/accounts/confirm-email/").content.decode()
    assert 'href="http://testserver/accounts/confirm-email/abc/"' in html


@pytest.mark.django_db
def test_the_sign_up_mail_has_our_text_and_one_link(client: Client) -> None:
    client.post("/accounts/signup/", {"email": "alice@example.org", "password1": "three plain words"})
    (letter,) = outbox.outbox
    assert letter.subject == render_to_string("account/email/email_confirmation_subject.txt").strip()
    assert len(re.findall(r"https?://", str(letter.body))) == 1
    assert "Courseiva" in str(letter.body)


@pytest.mark.django_db
def test_a_member_finds_password_mail_and_second_step_in_the_sidebar(client: Client) -> None:
    alice = User.objects.create_user("alice@example.org", "three plain words")
    client.force_login(alice)
    html = client.get("/accounts/2fa/").content.decode()
    for path in ["/accounts/email/", "/accounts/password/change/", "/accounts/2fa/", "/accounts/logout/"]:
        assert f'href="{path}"' in html
    assert '<a href="/accounts/2fa/" aria-current="page">' in html
