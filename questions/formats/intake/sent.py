"""A file between the steps of its import: uploaded once, then referred to by a token."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.core.cache import cache

from questions.formats.errors import ImportRefused

KEPT_SECONDS = 1800
"""Time to read a preview and choose columns. It's in the cache, where whole files shouldn't stay."""


@dataclass(frozen=True)
class Sent:
    """A file as uploaded, in this step or an earlier one."""

    token: str
    name: str
    content: bytes
    fresh: bool


def sent(data: Mapping[str, Any]) -> Sent:
    """The file uploaded with a form or named by its token; kept for half an hour.

    Raises ImportRefused if it is gone.
    """
    if data["file"]:
        file = Sent(secrets.token_urlsafe(16), data["file"].name, data["file"].read(), fresh=True)
        cache.set(f"import:{file.token}", file.content, KEPT_SECONDS)
        return file
    content = cache.get(f"import:{data['token']}")
    if content is None:
        raise ImportRefused("The file is no longer available. Choose it again.", "gone")
    return Sent(data["token"], data["name"] or "file", content, fresh=False)
