"""Errors sent to a Sentry server if SENTRY_DSN names one: what went wrong and where, without personal data."""

from __future__ import annotations

from typing import Any

from courseiva.serving.rules.logs import request_id

KEPT = ("exception", "event_id", "level", "logger", "platform", "release", "environment", "timestamp", "transaction")
"""The parts of an event that are kept.

Dropped are requests, people, breadcrumbs (with statements and emails), local variables and the server's name.
"""


def report_errors_to(dsn: str) -> None:
    """Send errors in requests and tasks there from now on, in a separate thread.

    Imported here, because a site without a DSN doesn't need the library.
    """
    import sentry_sdk
    from sentry_sdk.integrations.celery import CeleryIntegration
    from sentry_sdk.integrations.django import DjangoIntegration
    from sentry_sdk.integrations.logging import LoggingIntegration

    sentry_sdk.init(
        dsn=dsn,
        send_default_pii=False,
        include_local_variables=False,
        max_request_body_size="never",
        traces_sample_rate=0,
        auto_session_tracking=False,
        default_integrations=False,
        auto_enabling_integrations=False,
        integrations=[
            DjangoIntegration(transaction_style="url"),
            CeleryIntegration(),
            LoggingIntegration(event_level=None),
        ],
        before_send=told,
    )


def told(event: Any, hint: Any) -> Any:
    """The part of an event that leaves the site: where and why, with the id that is also in the log and on the error
    page.

    Exception messages may quote what somebody typed, so their text stays here; the log has it. ``transaction`` is the
    route, without the values in the address.
    """
    kept = {name: event[name] for name in KEPT if name in event}
    for raised in kept.get("exception", {}).get("values", ()):
        raised.pop("value", None)
    return {**kept, "tags": {"request_id": request_id.get()}}
