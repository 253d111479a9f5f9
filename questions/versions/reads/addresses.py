"""Readable parts of URLs, made from published text, never from drafts."""

from __future__ import annotations

from django.urls import reverse
from django.utils.text import slugify


def title_slug(title: str) -> str:
    return slugify(title)[:60].strip("-")


def question_address(exam_slug: str, number: int | None, title: str) -> str:
    return reverse("question", args=[exam_slug, number, title_slug(title)])
