"""Each log line is one JSON object that nobody can forge, with the id of its request, which its tasks carry too."""

import json
import logging
import sys
import uuid
from typing import Any

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from django.urls import reverse

from courseiva.celery import HEADER, app
from courseiva.serving.rules.logs import NO_REQUEST, JsonFormatter, request_id, request_id_from
from courseiva.serving.told.paths import WithoutSecrets


def line_of(message: str, **facts: object) -> dict[str, object]:
    record = logging.LogRecord("courseiva.test", logging.WARNING, __file__, 1, message, None, None)
    record.__dict__.update(facts)
    text = JsonFormatter().format(record)
    assert "\n" not in text
    found: dict[str, object] = json.loads(text)
    return found


def test_no_message_can_break_a_log_lines_json() -> None:
    line = line_of('two\nlines, and "quotes" {"level": "CRITICAL"}')
    assert (line["level"], line["logger"]) == ("WARNING", "courseiva.test")
    assert line["message"] == 'two\nlines, and "quotes" {"level": "CRITICAL"}'
    assert line["request_id"] == NO_REQUEST
    assert str(line["time"]).endswith("+00:00")


def test_a_request_is_logged_in_fields_and_an_error_with_its_traceback() -> None:
    assert line_of("request", method="GET", path="/", status=200, ms=1.5)["ms"] == 1.5
    try:
        raise ValueError("deliberate")
    except ValueError:
        line = line_of("broken", exc_info=sys.exc_info())
    assert "ValueError: deliberate" in str(line["trace"])


@pytest.mark.django_db
def test_no_log_line_holds_a_token_or_password(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    token = uuid.uuid4()
    caplog.set_level(logging.INFO, "courseiva.requests")
    with caplog.filtering(WithoutSecrets()):
        assert client.get(reverse("report", args=[token])).status_code == 404
        assert client.get("/no/such/page").status_code == 404
    told = [(record.name, record.getMessage(), getattr(record, "path", "")) for record in caplog.records]
    path = reverse("report", args=[token]).replace(str(token), "-")
    assert ("django.request", f"Not Found: {path}", "") in told
    assert ("courseiva.requests", "request", path) in told
    assert ("django.request", "Not Found: /no/such/page", "") in told
    assert str(token) not in str(told)


def test_a_request_for_another_host_is_not_logged_as_an_error(
    client: Client, settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.ALLOWED_HOSTS = ["learn.example.org"]
    assert client.get("/", headers={"host": "evil.example"}).status_code == 400
    told = [record for record in caplog.records if "evil.example" in record.getMessage()]
    assert [(record.name, record.levelno, record.exc_info) for record in told] == [
        ("django.security.DisallowedHost", logging.WARNING, None)
    ]
    assert {record.levelno for record in caplog.records} == {logging.WARNING}


def test_the_console_format_leaves_the_id_out() -> None:
    console = settings.LOGGING["handlers"]["console"]
    assert [settings.LOGGING["filters"][name]["()"] for name in console["filters"]] == [
        "courseiva.serving.told.paths.WithoutSecrets"
    ]


@pytest.mark.parametrize("given", ["a1b2c3d4", "0190-abcd.ef_01", "A" * 64])
def test_a_well_formed_request_id_is_kept(given: str) -> None:
    assert request_id_from(given) == given


@pytest.mark.parametrize("given", [None, "", "short", "A" * 65, "has space 1", "new\nline12", "<script>1", "-leading1"])
def test_a_malformed_id_is_replaced(given: str | None) -> None:
    made = request_id_from(given)
    assert made != given
    assert request_id_from(made) == made


def test_the_request_id_is_in_the_log_and_on_error_responses(
    client: Client, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []
    monkeypatch.setattr(logging.getLogger("courseiva.requests"), "info", lambda *_, **__: seen.append(request_id.get()))
    fine = client.get("/healthz")
    assert "X-Request-ID" not in fine.headers
    mine = client.get("/healthz", headers={"x-request-id": "mine-1234"})
    assert mine.headers["X-Request-ID"] == "mine-1234"
    lost = client.get("/no/such/page", headers={"x-request-id": "no good"})
    assert lost.status_code == 404
    assert seen[1:] == ["mine-1234", lost.headers["X-Request-ID"]]
    assert len(set(seen)) == 3
    assert request_id.get() == NO_REQUEST


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, object]]:
    """Record the headers with which tasks would have been sent."""
    headers: list[dict[str, object]] = []
    monkeypatch.setattr(
        "celery.app.task.Task.apply_async", lambda *_, **options: headers.append(options.get("headers", {}))
    )
    return headers


@pytest.mark.django_db(transaction=True)
def test_a_task_is_sent_with_the_id_of_its_request(sent: list[dict[str, object]]) -> None:
    app.loader.import_default_modules()
    token = request_id.set("mine-1234")
    try:
        with transaction.atomic():
            app.tasks["practice.close_expired_sessions"].delay_on_commit()
    finally:
        request_id.reset(token)
    app.tasks["practice.close_expired_sessions"].delay()
    assert sent == [{HEADER: "mine-1234"}, {}]


def test_a_worker_keeps_the_requests_id_and_a_scheduled_task_gets_its_own() -> None:
    seen = []

    @app.task(name="tests.seen")
    def task() -> None:
        seen.append(request_id.get())

    token = request_id.set(NO_REQUEST)
    try:
        for request in ({"headers": {HEADER: "mine-1234"}}, {"headers": None}):
            task.push_request(id="task-id-1", called_directly=False, is_eager=False, **request)
            task()
            task.pop_request()
    finally:
        request_id.reset(token)
        app.tasks.pop("tests.seen")
    assert seen == ["mine-1234", "task-id-1"]
