"""With SENTRY_DSN set, an error report holds enough to find the cause and nobody's data."""

from __future__ import annotations

import gzip
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer

import pytest

from tests.support.subprocesses import run_python

PERSON = ("alice@example.org", "three plain words", "zqcookie", "zqquery", "zqtoken", "zqlocal", "zqsaid", "zqagent")
FAILING = """
import sys, types
import django
django.setup()
import sentry_sdk
from django.conf import settings
from django.contrib.auth import get_user_model
from django.http import HttpResponse
from django.test import Client
from django.urls import path
from django.core.mail import send_mail

def boom(request, token):
    local = "zqlocal"
    get_user_model().objects.filter(email="alice@example.org").query
    send_mail("zqsaid", "zqsaid", None, ["alice@example.org"])
    raise ValueError("zqsaid " + request.POST["password"])

urls = types.ModuleType("failing")
urls.urlpatterns = [path("boom/<str:token>/", boom)]
urls.handler500 = lambda request: HttpResponse(status=500)
sys.modules["failing"] = urls
settings.ROOT_URLCONF = "failing"
settings.MIDDLEWARE = [each for each in settings.MIDDLEWARE if "watch_requests" in each]
settings.EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
client = Client(raise_request_exception=False, headers={"user-agent": "zqagent"})
client.cookies["sessionid"] = "zqcookie"
typed = {"email": "alice@example.org", "password": "three plain words"}
print(client.post("/boom/zqtoken/?q=zqquery", typed).status_code)
sentry_sdk.flush(5)
"""


@pytest.fixture
def server() -> Iterator[tuple[str, list[str]]]:
    """Yield the address of a server, and the list of what was sent to it."""
    sent: list[str] = []

    class Kept(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            sent.append((gzip.decompress(body) if self.headers.get("Content-Encoding") == "gzip" else body).decode())
            self.send_response(200)
            self.end_headers()

        def log_message(self, *args: object) -> None:
            """Log nothing."""

    made = HTTPServer(("127.0.0.1", 0), Kept)
    thread = threading.Thread(target=made.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://key@127.0.0.1:{made.server_port}/1", sent
    made.shutdown()
    thread.join()
    made.server_close()


@pytest.mark.long("many processes")
def test_an_error_report_names_the_place_and_no_person(server: tuple[str, list[str]]) -> None:
    address, sent = server
    run = run_python("-c", FAILING, DJANGO_SETTINGS_MODULE="courseiva.settings", DEBUG="1", SENTRY_DSN=address)
    assert run.stdout.strip() == "500", run.stderr
    [envelope] = sent
    assert [words for words in PERSON if words in envelope.partition("\n")[2]] == []
    event = json.loads(envelope.splitlines()[2])
    assert event["transaction"] == "/boom/{token}/"
    raised = event["exception"]["values"][-1]
    assert raised["type"] == "ValueError"
    assert raised["stacktrace"]["frames"][-1]["function"] == "boom"
    assert len(event["tags"]["request_id"]) >= 8
    assert set(event) <= {
        "exception", "event_id", "level", "logger", "platform", "release", "environment", "timestamp", "transaction",
        "tags",
    }  # fmt: skip


@pytest.mark.long("many processes")
def test_without_sentry_dsn_the_sentry_library_is_not_loaded() -> None:
    asked = "import django, sys; django.setup(); print('sentry_sdk' in sys.modules)"
    run = run_python("-c", asked, DJANGO_SETTINGS_MODULE="courseiva.settings", DEBUG="1")
    assert run.stdout.strip() == "False", run.stderr
