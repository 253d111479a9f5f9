"""A release during sessions: pages carry on with the scripts they were rendered with, on the device too."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Error, Page, Worker, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from questions.models import Exam
from tests.discussion.conftest import person
from tests.journeys.device import Learner, sign_in
from tests.support.bank import add_questions, make_exam
from tests.support.live import live_environment
from tests.support.sessions import begin_mock
from tests.support.subprocesses import BASE, Site, run_python, wait_until

pytestmark = [pytest.mark.soak, pytest.mark.browser]

MARK = 'document.documentElement.dataset.release = "next";'


@pytest.fixture(scope="module")
def next_release(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of a site whose scripts, styles and worker all differ, with its files collected."""
    root = tmp_path_factory.mktemp("next")
    shutil.copytree(BASE / "static", root / "source")
    for path in [*(root / "source/js").rglob("*.js"), *(root / "source/css").rglob("*.css")]:
        path.write_text(f"{path.read_text()}/* next */\n")
    player = root / "source/js/session.js"
    player.write_text(player.read_text() + MARK)
    (root / "templates/practice").mkdir(parents=True)
    worker = (BASE / "templates/practice/worker.js").read_text()
    (root / "templates/practice/worker.js").write_text(f"{worker}self.release = 'next';\n")
    given = {
        **live_environment(root / "collected"),
        "DJANGO_SETTINGS_MODULE": "tests.soak.next_release.static_settings",
        "TEST_NEXT_STATIC": str(root / "source"),
        "TEST_NEXT_TEMPLATES": str(root / "templates"),
    }
    done = run_python("manage.py", "collectstatic", "--noinput", "-v0", **given)
    assert done.returncode == 0, done.stderr
    return given


@contextmanager
def released(site: Site, given: dict[str, str]) -> Iterator[None]:
    """Run the next release at the same address; the previous one's files are gone."""
    before = dict(site.environment)
    site.kill()
    site.environment.update(given)
    site.start()
    try:
        yield
    finally:
        site.kill()
        site.environment = before
        site.start()


def scripts(page: Page) -> list[str]:
    return page.locator("script[src], link[rel=modulepreload], link[rel=stylesheet]").evaluate_all(
        "all => all.map(each => each.getAttribute('src') ?? each.getAttribute('href'))"
    )


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    made = make_exam()
    add_questions(made, 4)
    add_questions(made, 4, pool="reserved")
    return made


@pytest.fixture
def learner(browser: Browser, live_site: Site, exam: Exam) -> Iterator[Learner]:
    alice = person(f"release{User.objects.count()}")
    session = begin_mock(Owner(user_id=alice.pk), exam, 10, timezone.now())
    context = browser.new_context()
    sign_in(context, live_site, alice)
    yield (made := Learner(context, live_site, session).open())
    context.close()
    assert made.errors == []


def test_a_running_session_survives_a_release(learner: Learner, next_release: dict[str, str]) -> None:
    learner.press("a")
    learner.saved()
    old = scripts(learner.page)
    assert set(old) <= set(learner.stored()["files"])
    with released(learner.site, next_release):
        goes_on_with_what_it_was_drawn_with(learner, old)
        takes_the_new_release_when_it_is_loaded(learner, old)
    assert learner.answered() == [1, 2, 3, 4]


def goes_on_with_what_it_was_drawn_with(learner: Learner, old: list[str]) -> None:
    page = learner.page
    assert page.request.get(learner.site.url + old[0]).status == 404
    learner.press("n b")
    learner.saved()
    with learner.away():
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        learner.reload_from_the_device()
        assert scripts(page) == old
        assert page.locator("html[data-release]").count() == 0
        learner.press("n c")
        learner.waits(1)
    learner.saved()
    assert learner.answered() == [1, 2, 3]


def takes_the_new_release_when_it_is_loaded(learner: Learner, old: list[str]) -> None:
    page = learner.page
    page.reload()
    learner.saved()
    new = scripts(page)
    assert not set(new) & set(old)
    expect(page.locator("html[data-release=next]")).to_be_attached()
    assert wait_until(lambda: set(new) <= set(learner.stored()["files"]) and not_any(old, learner))
    assert wait_until(lambda: any(release_of(each) == "next" for each in page.context.service_workers))
    with learner.away():
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        learner.reload_from_the_device()
        expect(page.locator("html[data-release=next]")).to_be_attached()
        learner.press("n d")
        learner.waits(1)
    learner.saved()


def release_of(worker: Worker) -> str:
    """Return a worker's release. If it is being replaced at that moment, it no longer answers and the driver raises."""
    try:
        return str(worker.evaluate("self.release"))
    except Error:
        return ""


def not_any(old: list[str], learner: Learner) -> bool:
    return not set(old) & set(learner.stored()["files"])


def test_files_of_the_previous_release_are_served_from_the_device(
    learner: Learner, next_release: dict[str, str]
) -> None:
    page = learner.page
    old = scripts(page)
    with released(learner.site, next_release):
        found = page.evaluate("(path) => fetch(path, {cache: 'reload'}).then(answer => answer.status)", old[0])
        assert found == 404  # this page was loaded before the worker, so nothing is between it and the network
        page.context.new_cdp_session(page).send("Network.clearBrowserCache")
        with learner.away():
            learner.reload_from_the_device()
        assert page.evaluate("(path) => fetch(path, {cache: 'reload'}).then(answer => answer.status)", old[0]) == 200
