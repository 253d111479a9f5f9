"""Errors sent to a Sentry server if SENTRY_DSN names one: what went wrong and where, without personal data."""

from __future__ import annotations

from typing import Any

from courseiva.serving.rules.logs import request_id

KEPT = ("exception", "event_id", "level", "logger", "platform", "release", "environment", "timestamp", "transaction")
"""Of an event. Requests, people, breadcrumbs (with statements and mails), local variables and the server's name go."""


def report_errors_to(dsn: str) -> None:
    """Send errors in requests and tasks there from now on, in a separate thread.

    Imported here, because a site without a DSN needs none of it.
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
    """What of an event leaves the site: where and why, under the id that the log and the person's page have too.

    Messages of exceptions may quote what somebody typed, so their words stay here; the log has them. ``transaction`` is
    the route, without what an address carries.
    """
    kept = {name: event[name] for name in KEPT if name in event}
    for raised in kept.get("exception", {}).get("values", ()):
        raised.pop("value", None)
    return {**kept, "tags": {"request_id": request_id.get()}}
