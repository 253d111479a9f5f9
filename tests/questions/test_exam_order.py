"""The operator decides the order of the exams by setting a field of each exam in the admin."""

import re

import pytest
from django.test import Client
from django.urls import reverse

from courseiva.accounts.models import User
from questions.models import Exam
from tests.support.bank import make_exam
from tests.support.hooks import parsed

pytestmark = pytest.mark.django_db


@pytest.fixture
def exams():
    return [make_exam(slug) for slug in ("ace", "pmle", "pca")]


def listed(address):
    """Return the exams that a page lists, in the page's order."""
    links = r'(?:href="/exams/(\w+)/(?:study-guide/)?"|name="exam" value="(\w+)")'
    found = ["".join(pair) for pair in re.findall(links, Client().get(address).text.partition("<main")[2])]
    return list(dict.fromkeys(found))


@pytest.mark.parametrize("address", ["/", "/exams/", "/articles/"])
def test_lists_follow_the_order_and_exams_without_a_position_come_last(exams, address):
    assert listed(address) == ["ace", "pmle", "pca"]
    Exam.objects.filter(slug="pca").update(place=1)
    Exam.objects.filter(slug="pmle").update(place=2)
    assert listed(address) == ["pca", "pmle", "ace"]


def test_an_administrator_can_change_only_the_order_in_the_list(exams):
    staff = Client()
    staff.force_login(User.objects.create_superuser("admin@example.org", "a long enough password"))
    fields = {"form-TOTAL_FORMS": "3", "form-INITIAL_FORMS": "3", "_save": "Save"}
    for n, exam in enumerate(exams):
        fields |= {f"form-{n}-id": str(exam.pk), f"form-{n}-place": str(3 - n), f"form-{n}-name": "Other"}
    assert staff.post(reverse("admin:questions_exam_changelist"), fields).status_code == 302
    assert list(Exam.objects.listed().values_list("slug", "name")) == [
        ("pca", "Exam pca"), ("pmle", "Exam pmle"), ("ace", "Exam ace"),
    ]  # fmt: skip
    shown = parsed(staff.get(reverse("admin:questions_exam_changelist")))
    assert [field["aria-label"] for field in shown.select("input[name$=-place]")] == [
        f"Position of {exam.code}" for exam in Exam.objects.listed()
    ]
    # Django's change list refers to a field's help text as its description but does not render it.
    assert 'aria-describedby="id_form' not in staff.get(reverse("admin:questions_exam_changelist")).text
    assert staff.get(reverse("admin:questions_exam_add")).status_code == 403
    assert staff.post(reverse("admin:questions_exam_delete", args=[exams[0].pk])).status_code == 403
