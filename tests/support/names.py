"""Finds names that templates use and nobody defines: Django renders nothing for them and reports nothing.

A name may be missing where the template allows for that: in `{% if name %}` and `{% for … in name %}`, and before
`|default`. Even those must be listed in ``OPTIONAL``, so that a typo is found, unless the object it belongs to is None.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.template import Context, Variable, VariableDoesNotExist
from django.template.base import FilterExpression

TEMPLATES = Path(settings.BASE_DIR) / "templates"
RECKONS_WITH_NONE = {"default", "default_if_none"}
OPTIONAL = {
    "across", "authenticators.recovery_codes", "authenticators.totp", "authenticators.webauthn", "canonical_url",
    "chosen", "chosen.q", "class", "error", "exam.slug", "exam_slug", "facts.attempts_and_waits", "facts.delivery",
    "facts.fee_usd", "facts.languages", "facts.minutes", "facts.sample_questions_url", "facts.validity_months",
    "form.follow", "form.kind", "form.offers", "form.remember", "head", "head.feed", "head.is_indexed", "head.trail",
    "inside", "is_ticked", "item.checked", "item.ends_block", "item.flagged", "item.hint", "item.seconds",
    "item.too_many", "label", "leave", "mark", "mark.read_on", "marked", "marks", "movable", "note_form",
    "note_form.errors", "on_device", "page.here", "page.measured", "page.wanted.query", "place", "preview", "quiet",
    "request.GET.next", "said", "says", "show", "small", "source.says", "sub", "within",
}  # fmt: skip


class Names:
    """The names our templates used and didn't get: those printed, and those whose absence is allowed for."""

    def __init__(self) -> None:
        self.printed: set[tuple[str, str]] = set()
        self.reckoned: set[str] = set()
        self._failed: list[tuple[str, bool]] = []

    @contextmanager
    def watched(self) -> Iterator[None]:
        look_up, resolve = Variable._resolve_lookup, FilterExpression.resolve

        def looked_up(variable: Variable, context: Any) -> Any:
            try:
                return look_up(variable, context)
            except VariableDoesNotExist:
                self._failed.append((str(variable.var), belongs_to_none(variable, context, look_up)))
                raise

        def resolved(expression: FilterExpression, context: Context, ignore_failures: bool = False) -> Any:
            before = len(self._failed)
            value = resolve(expression, context, ignore_failures)
            filters = {each.__name__ for each, _ in expression.filters}
            for name, is_of_none in self._failed[before:]:
                self._note(context, name, bool(ignore_failures or filters & RECKONS_WITH_NONE), is_of_none)
            del self._failed[before:]
            return value

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(Variable, "_resolve_lookup", looked_up)
            patch.setattr(FilterExpression, "resolve", resolved)
            yield

    def _note(self, context: Any, name: str, may_fail: bool, is_of_none: bool) -> None:
        path = Path(context.render_context.template.origin.name)
        if not path.is_relative_to(TEMPLATES):
            return
        if not may_fail:
            self.printed.add((str(path.relative_to(TEMPLATES)), name))
        elif not is_of_none:
            self.reckoned.add(name)


def belongs_to_none(variable: Variable, context: Any, look_up: Callable[[Variable, Any], Any]) -> bool:
    """Return whether the part before the dot is defined but None, such as the plan of somebody who has none."""
    parts = str(variable.var).split(".")
    for end in range(1, len(parts)):
        try:
            if look_up(Variable(".".join(parts[:end])), context) is None:
                return True
        except VariableDoesNotExist:
            return False
    return False
