"""Image files for tests, and questions that show pictures."""

from __future__ import annotations

import dataclasses
import io
from typing import Any

from PIL import Image

from questions.desk.publish import publish
from questions.models import Change, Exam, Question, QuestionVersion
from questions.versions.material.pictures.store import add_picture
from questions.versions.rules.draft import DraftQuestion
from questions.versions.save import save_draft
from tests.support.bank import NOW, draft

SHOWN = "A bar that is longer than another"


def image(
    colour: int = 1, size: tuple[int, int] = (60, 40), kind: str = "PNG", mode: str = "RGB", **more: Any
) -> bytes:
    """Return the bytes of a small image; each colour makes a different picture."""
    made = Image.linear_gradient("L").resize(size).convert(mode)
    made.paste(Image.new(mode, (5, 5), colour), (3, 3))
    out = io.BytesIO()
    made.save(out, kind, **more)
    return out.getvalue()


def shown(name: str, words: str = SHOWN) -> str:
    """Return the Markdown that shows the picture."""
    return f"![{words}](picture:{name})"


def illustrated(n: int, prompt: str = "", solution: str = "", **fields: Any) -> DraftQuestion:
    """Return a draft whose stem and explanation show these pictures."""
    text = draft(n, **fields)
    stem = f"{text.stem}\n\n{shown(prompt)}" if prompt else text.stem
    explanation = f"{text.explanation}\n\n{shown(solution)}" if solution else text.explanation
    return dataclasses.replace(text, stem=stem, explanation=explanation)


def publish_illustrated(exam: Exam, n: int, **fields: Any) -> tuple[QuestionVersion, str, str]:
    """Publish a question with one picture in its prompt and another in its solution; returns their names too."""
    prompt, solution = add_picture(image(2 * n)), add_picture(image(2 * n + 1))
    question = save_draft(exam, illustrated(n, prompt, solution, **fields), None)
    version = publish(question, NOW, Change.FIRST)
    return version, prompt, solution


def drop_from_site(question: Question) -> None:
    """Withdraw the question, as an editor would."""
    Question.objects.filter(pk=question.pk).update(withdrawn_at=NOW)
