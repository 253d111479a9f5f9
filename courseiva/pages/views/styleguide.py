"""The page that shows each component in each state, for developers and the screenshot test. Present only with DEBUG."""

from dataclasses import dataclass

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from courseiva.common.rich_text import render as render_text
from courseiva.common.rich_text import render_inline
from courseiva.common.texts.formulas.mathml import named

# A mock's length, half of it answered: every state then fills whole rows, on a phone too.
LENGTH = 60
ANSWERED = 30
CURRENT = 12
FORMULA = (
    r"$\mathcal{L}(\theta) = -\frac{1}{n}\sum_{i=1}^{n}\left(y_i\log\hat{y}_i + (1-y_i)\log(1-\hat{y}_i)\right)"
    r" + \lambda\|\theta\|_2^2$"
)
FORMULAS = rf"""
The share of positives that are found, $\frac{{TP}}{{TP+FN}}$, the norm $\|w\|_2$ and $\log p(y\mid x)$ stand in a
line. A wide one scrolls:
{FORMULA}

$$\operatorname{{ReLU}}(x) = \begin{{cases}}x & \text{{if }} x > 0\\ 0 & \text{{otherwise}}\end{{cases}}$$

$$\begin{{aligned}}\sigma(z) &= \frac{{1}}{{1+e^{{-z}}}}\\ &= 1-\sigma(-z)\end{{aligned}}$$

$$\left[\begin{{array}}{{c|c}}a & b\\ \hline c & d\end{{array}}\right]\quad\begin{{array}}{{|c|}}x\end{{array}}$$
"""


@dataclass(frozen=True)
class Cell:
    """One bubble of an answer sheet: its classes, and its accessible name."""

    number: int
    classes: str
    name: str


def styleguide(request: HttpRequest) -> HttpResponse:
    if not settings.DEBUG:
        raise Http404
    numbers = range(1, LENGTH + 1)
    context = {
        "unanswered_cells": [_unanswered_cell(number) for number in numbers],
        "formulas": render_text(FORMULAS),
        "formula": named(render_inline(FORMULA)),
        "short_formula": named(render_inline(r"$\frac{1}{n}\sum_i \ell_i$")),
        "marked_cells": [_marked_cell(number) for number in numbers],
    }
    return render(request, "styleguide.html", context)


def _unanswered_cell(number: int) -> Cell:
    answered = number <= ANSWERED and number % 7 > 0
    states = {"answered": answered, "flagged": number % 9 == 0, "current": number == CURRENT}
    return _cell(number, [state for state, holds in states.items() if holds])


def _marked_cell(number: int) -> Cell:
    if number % 13 == 0:
        return _cell(number, ["wrong"])
    if number == LENGTH - 1:
        return _cell(number, ["late"])
    flagged = ["flagged"] if number % 9 == 0 else []
    return _cell(number, ["answered", "wrong" if number % 5 == 3 else "right", *flagged])


def _cell(number: int, states: list[str]) -> Cell:
    classes = " ".join(f"is-{state}" for state in states)
    return Cell(number, classes, ", ".join([f"Question {number}", *(states or ["unanswered"])]))


urlpatterns = [path("styleguide/", styleguide, name="styleguide")]
