"""The head of the objectives page: title, description, breadcrumb and data block."""

from __future__ import annotations

from courseiva.common.heads.head import Head, short
from courseiva.common.heads.links import Link
from courseiva.common.heads.structured_data import web_page
from questions.pages.objectives.reads.page import ObjectivesPage
from questions.pages.reads.exams import objectives_address
from questions.pages.reads.machines.heads import to_exam


def objectives_head(page: ObjectivesPage, base: str) -> Head:
    exam, address = page.exam, objectives_address(page.exam, page.guide)
    title = f"{exam.code} exam objectives, {page.guide.name}"
    return Head(
        base=base,
        address=address,
        title=title,
        description=short(
            f"What the {page.guide.name} of {exam.name} tests: each objective and its {page.points} points in plain "
            "words, with products, fee, length and languages."
        ),
        trail=[*to_exam(exam), Link(f"Objectives, {page.guide.name}", address)],
        nodes=[web_page(title, address, base)],
        exam=exam,
    )
