"""What `manage.py check --deploy` reports besides Django's own checks."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core import checks

from courseiva.serving.rules.environment import HSTS_YEAR


@checks.register(checks.Tags.security, deploy=True)
def hsts_is_of_a_year(**kwargs: Any) -> list[checks.CheckMessage]:
    """Warn about a short HSTS: it is a first step that operators easily forget to follow up."""
    if settings.DEBUG or settings.HSTS_SECONDS >= HSTS_YEAR:
        return []
    message = f"Browsers are told to use HTTPS for only {settings.HSTS_SECONDS} seconds (HSTS_SECONDS)."
    hint = f"Once HTTPS has worked for a week, set HSTS_SECONDS to 86400, then to {HSTS_YEAR}; see docs/operating.md."
    return [checks.Warning(message, hint=hint, id="courseiva.W001")]
