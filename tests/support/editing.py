"""People at the editors' desk, and the data their forms send."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.contrib.auth.models import Group
from django.http import HttpResponse
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from courseiva.accounts.staff.groups import EDITORS, GROUPS, MODERATORS, REVIEWERS, grant
from tests.support.html_forms import form_of

ADD = "/admin/questions/question/add/"
LIST = "/admin/questions/question/"
LOOK = "/admin/questions/question/look/"
JSON = {"headers": {"accept": "application/json"}}
__all__ = [
    "ADD",
    "EDITORS",
    "JSON",
    "LIST",
    "LOOK",
    "MODERATORS",
    "REVIEWERS",
    "act",
    "address",
    "browser_of",
    "person",
    "save",
    "sent",
]


def person(name: str, *groups: str, **fields: Any) -> User:
    """Create a staff member in these groups."""
    if Group.objects.filter(name__in=GROUPS).count() < len(GROUPS):  # emptying the tables removes them
        grant(apps, GROUPS)
    user = User.objects.create_user(
        f"{name}@example.org", "a long enough password", is_staff=True, display_name=name.capitalize(), **fields
    )
    user.groups.set(Group.objects.filter(name__in=groups))
    return user


def browser_of(user: User) -> Client:
    """Return the person's browser, signed in."""
    client = Client()
    client.force_login(user)
    return client


def address(question: Any) -> str:
    """Return the address of the editor's page."""
    return reverse("admin:questions_question_change", args=[question.pk])


def sent(client: Client, page: str, **changes: Any) -> dict[str, Any]:
    """Return the data this page's form would send, with some fields changed; None removes a field."""
    html = client.get(page).content.decode()
    fields: dict[str, Any] = form_of(html, "question-form")
    assert "csrfmiddlewaretoken" in fields
    for name, value in changes.items():
        fields.pop(name.replace("__", "-"), None)
        if value is not None:
            fields[name.replace("__", "-")] = value
    return fields


def save(client: Client, page: str, json: bool = False, action: str = "save", **changes: Any) -> HttpResponse:
    """Open the page, change some fields, press the button."""
    fields = {**sent(client, page, **changes), "action": action}
    return client.post(page, fields, **(JSON if json else {}))


def act(client: Client, question: Any, name: str, **fields: Any) -> HttpResponse:
    """Take a step of the workflow from the current state."""
    question.refresh_from_db()
    url = reverse("admin:questions_question_act", args=[question.pk, name])
    return client.post(url, {"base": question.revision, **fields}, follow=True)
