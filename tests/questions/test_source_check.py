"""The check for dead links is polite, asks servers in turn and can be resumed; the desk lists what it found."""

from __future__ import annotations

import datetime as dt
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
import time_machine
from django.core.management import CommandError, call_command
from django.urls import reverse
from django.utils import timezone

from courseiva.management.commands.periodic import Entry
from questions.desk import decide as desk
from questions.models import QuestionSource, SourceCheck
from questions.versions.material.sources import look as looking
from questions.versions.material.sources.check import check_due
from questions.versions.material.sources.look import Looker
from questions.versions.material.sources.reads import dead_sources, due_urls
from questions.versions.material.sources.rules import Outcome
from questions.versions.material.sources.tasks import SECONDS
from tests.support.bank import NOW, draft, make_exam
from tests.support.editing import browser_of
from tests.support.hooks import parsed
from tests.support.subprocesses import run_python

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
DAY = dt.timedelta(days=1)


class Pages(BaseHTTPRequestHandler):
    """Serve a page for each outcome and record who asked for what."""

    asked: list[tuple[str, str, str]]
    released: threading.Event

    def do_HEAD(self) -> None:
        self._answer()

    def do_GET(self) -> None:
        self._answer()

    def _answer(self) -> None:
        self.asked.append((self.command, self.path, self.headers["User-Agent"]))
        if self.path == "/slow":
            self.released.wait(20)
        status = {"/gone": 404, "/away": 503, "/moved": 302, "/loop": 302}.get(self.path, 200)
        if self.path in {"/no-head", "/hidden"} and self.command == "HEAD":
            status = 405 if self.path == "/no-head" else 404
        body = b"User-agent: *\nDisallow: /members/\n" if self.path == "/robots.txt" else b"Text."
        try:
            self.send_response(status)
            if status == 302:
                self.send_header("Location", "/ok" if self.path == "/moved" else "/loop")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command == "GET":
                self.wfile.write(body)
        except OSError:
            pass  # the client has disconnected

    def log_message(self, *args: object) -> None:
        """Write nothing to standard error."""


@pytest.fixture
def server():
    handler = type("Handler", (Pages,), {"asked": [], "released": threading.Event()})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as running:
        threading.Thread(target=running.serve_forever, args=(0.01,), daemon=True).start()
        running.base = f"http://127.0.0.1:{running.server_port}"
        running.asked = handler.asked
        yield running
        handler.released.set()
        running.shutdown()


@pytest.fixture
def question(alice):
    return desk.begin(make_exam(), draft(1), alice, NOW)


def cite(question, *urls):
    question.sources.all().delete()
    QuestionSource.objects.bulk_create(QuestionSource(question=question, title="x", url=url) for url in urls)


class TestLooking:
    @pytest.mark.parametrize(
        ("path", "status", "trouble"),
        [
            ("/ok", 200, ""), ("/gone", 404, ""), ("/away", 503, ""), ("/moved", 200, ""), ("/no-head", 200, ""),
            ("/hidden", 200, ""), ("/members/page", None, "robots"), ("/loop", 302, ""),
        ],
    )  # fmt: skip
    def test_each_kind_of_page_gives_the_right_outcome(self, server, path, status, trouble):
        outcome = Looker("https://site.example", private=True).look(server.base + path)
        assert (outcome.status, outcome.trouble) == (status, trouble)

    def test_the_checker_identifies_itself_and_fetches_robots_txt_once(self, server):
        looker = Looker("https://site.example", private=True)
        for path in ("/ok", "/gone"):
            looker.look(server.base + path)
        assert {agent for _, _, agent in server.asked} == {"CourseivaSourceCheck/1.0 (+https://site.example)"}
        assert [path for _, path, _ in server.asked].count("/robots.txt") == 1

    def test_a_page_that_takes_too_long_is_a_timeout(self, server, monkeypatch):
        monkeypatch.setattr(looking, "SECONDS", 0.2)
        assert Looker("", private=True).look(f"{server.base}/slow").trouble == "timeout"

    @pytest.mark.parametrize(
        "url",
        [
            "http://127.0.0.1:1/",
            "http://[::1]/",
            "http://10.0.0.1/",
            "http://169.254.169.254/latest/",
            "ftp://x.example/",
        ],
    )
    def test_private_networks_are_never_requested(self, url):
        assert Looker("").look(url).trouble == "refused"

    def test_a_redirect_to_a_private_network_is_not_followed(self, server):
        looker = Looker("", private=True)
        looker.opener = looking.urllib.request.build_opener(looking._Redirects(Looker("").refuse_private))
        assert looker.look(f"{server.base}/moved").trouble == "refused"

    @pytest.mark.parametrize(
        "url", ["http://127.0.0.1:1/x", "http://nowhere.invalid/", "http://[/", "http://a b/", "x", ""]
    )
    def test_a_malformed_address_causes_no_error(self, url):
        assert Looker("", private=True).look(url).trouble in {"unreachable", "odd", "refused"}


class TestChecking:
    def run(self, answers, at=NOW, most=100, **options):
        rests = []
        done = check_due(lambda: at, answers, rests.append, most, 2.0, **options)
        return done, rests

    def test_servers_are_tried_in_turn_with_a_pause_between_requests_to_each(self, question):
        cite(
            question, "https://b.example/1", "https://a.example/1", "https://b.example/2", "https://a.example/2", "bad"
        )
        looked = []
        done, rests = self.run(lambda url: looked.append(url) or Outcome(200, url=url))
        assert looked == ["https://a.example/1", "https://a.example/2", "https://b.example/1", "https://b.example/2"]
        assert rests == [2.0, 2.0]
        assert {row.failures for row in done} == {0}

    def test_an_interrupted_run_resumes_where_it_stopped(self, question):
        cite(question, *(f"https://a.example/{n}" for n in range(4)))
        looked = []

        def ended(url):
            if len(looked) == 2:
                raise KeyboardInterrupt
            looked.append(url)
            return Outcome(200, url=url)

        with pytest.raises(KeyboardInterrupt):
            self.run(ended)
        assert len(due_urls(NOW, 100)) == 2
        assert SourceCheck.objects.count() == 2
        self.run(lambda url: Outcome(200, url=url))
        assert due_urls(NOW, 100) == []
        assert len(due_urls(NOW + 31 * DAY, 100)) == 4

    def test_a_removed_page_is_dead_at_once_and_an_unreachable_one_after_three_days(self, question):
        cite(question, "https://a.example/gone", "https://a.example/away", "https://a.example/members")
        answers = {"gone": Outcome(404), "away": Outcome(503), "members": Outcome(trouble="robots")}
        found = []
        for day in range(3):
            self.run(lambda url: answers[url.rpartition("/")[2]], NOW + day * DAY)
            found.append([each.check.url.rpartition("/")[2] for each in dead_sources(10)])
        assert found == [["gone"], ["gone"], ["away", "gone"]]
        assert dead_sources(10)[0].questions == [question]
        self.run(lambda url: Outcome(200, url=url), NOW + 4 * DAY)
        assert dead_sources(10) == []

    def test_sources_no_longer_cited_are_ignored(self, question):
        cite(question, "https://a.example/gone")
        self.run(lambda _: Outcome(404))
        cite(question, "https://a.example/new")
        assert dead_sources(10) == []

    def test_a_run_ends_after_its_time_limit(self, question):
        cite(question, "https://a.example/1")
        assert self.run(lambda _: Outcome(200), until=NOW)[0] == []


class TestCommandAndDesk:
    def test_the_command_checks_sources_and_the_desk_lists_the_dead_ones(self, server, question, alice, capsys):
        cite(question, f"{server.base}/ok", f"{server.base}/gone")
        call_command("check_sources", "--private", "--delay", "0")
        assert capsys.readouterr().out.splitlines()[-1].startswith("2 ")
        browser = browser_of(alice)
        home = parsed(browser.get(reverse("admin:questions_question_desk")))
        assert home.select_one('[data-list="dead"]')["data-count"] == "1"
        page = parsed(browser.get(reverse("admin:questions_question_sources")))
        (section,) = page.select("[data-source]")
        assert section.select_one("h2 a")["href"] == f"{server.base}/gone"
        assert section.select_one("li a")["href"].startswith(
            reverse("admin:questions_question_change", args=[question.pk])
        )

    @pytest.mark.parametrize("options", [["--most", "0"], ["--delay", "-1"], ["--delay", "nan"]])
    def test_invalid_figures_are_refused(self, options):
        with pytest.raises(CommandError):
            call_command("check_sources", *options)


SCHEDULED = """
import json
import django
django.setup()
from django.conf import settings
from courseiva.celery import app
app.loader.import_default_modules()
print(json.dumps([line for line in settings.CELERY_BEAT_SCHEDULE.values() if line["task"] == "questions.check_sources"
    and line["task"] in app.tasks]))
"""


def scheduled(**ours):
    """Return the schedule's entries for this check in a process with these settings."""
    done = run_python("-c", SCHEDULED, DJANGO_SETTINGS_MODULE="courseiva.settings", DEBUG="1", SECRET_KEY="x", **ours)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


class TestSchedule:
    def test_the_check_is_scheduled_only_if_the_operator_says_so(self):
        assert scheduled() == scheduled(CHECK_SOURCES="0") == []
        assert scheduled(CHECK_SOURCES="1") == [{"task": "questions.check_sources", "schedule": 900.0}]

    def test_scheduled_runs_reach_every_page_once_and_are_short(self, server, question, monkeypatch):
        cite(question, *(f"{server.base}/{'gone' if n == 7 else n}" for n in range(45)))
        monkeypatch.setattr(looking.Looker, "refuse_private", lambda *_: None)
        monkeypatch.setattr("courseiva.management.commands.periodic.close_old_connections", lambda: None)
        (line,) = scheduled(CHECK_SOURCES="1")
        sizes = []
        with time_machine.travel(NOW, tick=False) as clock:
            monkeypatch.setattr("questions.versions.material.sources.tasks.time.sleep", clock.shift)
            entry = Entry("check sources", line)
            for _ in range(4):
                clock.shift(900)
                before, at = SourceCheck.objects.count(), timezone.now()
                entry.run_if_due()
                sizes.append(SourceCheck.objects.count() - before)
                assert (timezone.now() - at).total_seconds() <= SECONDS
        assert sizes == [16, 16, 13, 0]
        asked = [path for command, path, _ in server.asked if command == "HEAD"]
        assert len(asked) == len(set(asked)) == 45
        assert [each.check.url for each in dead_sources(10)] == [f"{server.base}/gone"]
