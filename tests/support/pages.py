"""Every address of the site, declared once: how to build it, and what each persona gets there.

A URL pattern without a row here fails tests/test_addresses.py. tests/soak/test_pages.py opens the HTML pages in a
browser. Expected statuses are in the order guest, learner, staff, stranger.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.contrib import admin
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from courseiva.accounts.models import User
from courseiva.pages.views import styleguide
from courseiva.pages.views.articles import ARTICLES
from practice.models import ExamPlan, Learner, PracticeSession
from practice.sessions.models import Mode
from questions.models import Family, ImportJob, Picture, Question
from questions.pages.reads.questions import question_page
from tests.support.world import GUEST, LEARNER, PASSED_OVER, PASSWORD, PERSONAS, STAFF, World

Address = Callable[[World, str], str]
JSON = "application/json"


@dataclass(frozen=True)
class Row:
    """One address in one state. ``key`` is the URL name with its namespace, or the route where it has no name."""

    key: str
    address: Address
    statuses: tuple[int, int, int, int]
    variant: str = ""
    method: str = "GET"
    data: Callable[[World, str], Any] = lambda _, __: {}
    content_type: str = ""
    before: Callable[[World, Client], None] | None = None
    page: bool = True  # an HTML page of ours, which the browser opens as each persona that has access
    session: bool = False  # an exception to the budget: the page may weigh more than 60 kB on a first visit
    follows: bool = False  # redirects to the intended page
    only_debug: bool = False  # everybody gets a 404 unless DEBUG is on

    @property
    def title(self) -> str:
        """Return the name of the row in reports."""
        return " ".join(part for part in (self.method, self.key, self.variant and f"({self.variant})") if part)

    def status(self, persona: str) -> int:
        """Return the status this persona gets."""
        return dict(zip(PERSONAS, self.statuses, strict=True))[persona]

    def walked(self, persona: str) -> bool:
        """Return whether the browser opens the page as this persona."""
        status = self.status(persona)
        return self.page and (self.follows or status == 200 or (self.method == "POST" and status not in (302, 404)))


def every(status: int) -> tuple[int, int, int, int]:
    """Return the same status for all four."""
    return (status,) * 4


def own(status: int) -> tuple[int, int, int, int]:
    """Return this status for the session's owner, and 404 for a stranger."""
    return (status, status, status, 404)


def signed_in(status: int, staff: int | None = None) -> tuple[int, int, int, int]:
    """Return this status for people with an account; others are sent to sign in."""
    return (302, status, status if staff is None else staff, 302)


def signed_out(status: int) -> tuple[int, int, int, int]:
    """Return this status for people who aren't signed in; others are redirected."""
    return (status, 302, 302, status)


def staff_only(status: int) -> tuple[int, int, int, int]:
    """Return this status for staff; others are sent to sign in, where a learner is refused."""
    return (302, 302, status, 302)


def at(name: str, *args: Any, query: str = "") -> Address:
    """Return an address that needs nothing from the world."""
    return lambda _, __: reverse(name, args=args) + query


def of_exam(name: str, query: str = "", *args: Any) -> Address:
    """Return an address under the exam."""
    return lambda world, _: reverse(name, args=[world.exam.slug, *args]) + query


def of_module(name: str) -> Address:
    """Return an address under the first study module."""
    return lambda world, _: reverse(name, args=[world.exam.slug, world.module.number, world.module.slug])


def of_version(name: str, query: str = "") -> Address:
    """Return an address under the live version of the public question."""
    return lambda world, _: reverse(name, args=[world.question.live_version_id]) + query


def of_family(name: str, *args: Any) -> Address:
    """Return an address under the first family."""
    return lambda _, __: reverse(name, args=[Family.objects.order_by("pk")[0].pk, *args])


def of_question(name: str, *args: Any) -> Address:
    """Return an address under a question that is live."""
    return lambda world, _: reverse(name, args=[world.question.pk, *args])


def of_lone(name: str) -> Address:
    """Return an address under a live question in no family; a family's has a page of its own."""

    def find(world: World, persona: str) -> str:
        lone = Question.objects.filter(family=None, live_version__isnull=False, retired_at=None)
        return reverse(name, args=[lone.values_list("pk", flat=True)[0]])

    return find


@dataclass(frozen=True)
class OfSession:
    """An address under the persona's own session of this kind."""

    name: str
    kind: str
    args: tuple[Any, ...]
    query: str = ""

    def __call__(self, world: World, persona: str) -> str:
        """Return the address."""
        return reverse(self.name, args=[world.session(persona, self.kind).uuid, *self.args]) + self.query


def of_session(name: str, kind: str, *args: Any, query: str = "") -> OfSession:
    """Return an address under the persona's own session of this kind."""
    return OfSession(name, kind, args, query)


def contrast_answer(world: World, persona: str, name: str = "contrast-answer") -> str:
    """Return the answered variant's page, under the drill it came from."""
    drill, made = world.session(persona, "turned"), world.session(persona, "contrast")
    return reverse(name, args=[drill.uuid, 1, made.uuid])


def of_variant(name: str) -> Address:
    """Return an address under the answered variant."""
    return lambda world, persona: contrast_answer(world, persona, name)


def one_item(world: World, persona: str) -> dict[str, Any]:
    """Return a batch of one answer, as the player sends it."""
    return {"writer": 1, "items": [{"p": 3, "seq": 9, "sel": [0]}]}


def full_answer(kind: str) -> Callable[[World, str], dict[str, Any]]:
    """Return an answer with as many options as the third question in the persona's own session asks for."""

    def data(world: World, persona: str) -> dict[str, Any]:
        item = world.session(persona, kind).items.select_related("version").get(position=3)
        return {"writer": 1, "items": [{"p": 3, "seq": 9, "sel": list(range(item.version.choose))}]}

    return data


def form_of(**fields: Any) -> Callable[[World, str], dict[str, Any]]:
    """Return form fields; write ``_`` for a hyphen."""
    return lambda _, __: {name.replace("_", "-"): value for name, value in fields.items()}


def question_form(**fields: Any) -> Callable[[World, str], dict[str, Any]]:
    """Return the answer form of the question page."""
    return lambda world, _: {"question": world.question.number, **fields}


NO_KEY = "0f8fad5b-d9cb-469f-a165-70867728950e"


def with_plan_key(name: str) -> Address:
    """Return an address that contains the key to the learner's plan."""

    def address(world: World, persona: str) -> str:
        learner = Learner.objects.get(user=world.users[LEARNER])
        dates = {"exam_date": timezone.now().date() + dt.timedelta(days=9), "minutes_a_day": 30}
        keys = {"feed_token": NO_KEY.replace("0", "1"), "reminder_token": NO_KEY.replace("0", "2")}
        ExamPlan.objects.update_or_create(learner=learner, exam=world.exam, defaults=dates | keys)
        return reverse(name, args=[keys["feed_token" if name == "plan-calendar" else "reminder_token"]])

    return address


def plan_ahead(world: World, client: Client) -> None:
    """Return an exam in fifty days, with half an hour a day."""
    ahead = timezone.now().date() + dt.timedelta(days=50)
    client.post(reverse("plan", args=[world.exam.slug]), {"exam_date": ahead, "minutes_a_day": 30})


def take_along(world: World, client: Client) -> None:
    """Store questions on the requester's device."""
    client.post(reverse("take", args=[world.exam.slug]))


def end_what_was_taken(_: World, client: Client) -> None:
    """End the requester's own offline drill; nobody can end another's."""
    for session in PracticeSession.objects.filter(mode=Mode.TAKEN, finished_at=None, discarded_at=None):
        client.post(reverse("finish", args=[session.uuid]))


def begin_a_check(world: World, client: Client) -> None:
    """Begin a check, which makes a stranger a guest. It would end a drill or review of its exam."""
    client.post(reverse("start-check", args=[world.checked.slug]))


def end_a_check(world: World, client: Client) -> None:
    """End a check after two answers."""
    begin_a_check(world, client)
    session = PracticeSession.objects.filter(mode=Mode.CHECK).latest("pk")
    for position in (1, 2):
        client.post(reverse("check-question", args=[session.uuid]), {"position": position, "place": 0})
    client.post(reverse("finish", args=[session.uuid]))


def newest_check(world: World, _: str, name: str = "check-question") -> str:
    """Return an address under the check that was started last."""
    return reverse(name, args=[PracticeSession.objects.filter(mode=Mode.CHECK).latest("pk").uuid])


def newest_check_result(world: World, persona: str) -> str:
    """Return the result of the newest check."""
    return newest_check(world, persona, "results")


def sign_in_halfway(world: World, client: Client) -> None:
    """Give the right password for an account that also needs a code."""
    client.post(reverse("account_login"), {"login": world.users[STAFF].email, "password": PASSWORD})


def forget_password_check(world: World, client: Client) -> None:
    """Forget when the password was given, so that a page that requires it recently asks again."""
    session = client.session
    session["account_authentication_methods"] = []
    session.save()


def reset_link(world: World, persona: str) -> str:
    """Return the link in a mail that resets the learner's password."""
    user = User.objects.get(pk=world.users[LEARNER].pk)
    return reverse(
        "account_reset_password_from_key", args=[user_pk_to_url_str(user), default_token_generator.make_token(user)]
    )


def confirm_link(world: World, persona: str) -> str:
    """Return the link in a mail to somebody who has just signed up."""
    newcomer = User.objects.get_or_create(email="newcomer@example.org")[0]
    address = EmailAddress.objects.get_or_create(user=newcomer, email=newcomer.email)[0]
    return reverse("account_confirm_email", args=[EmailConfirmationHMAC(address).key])


def of_passkey(name: str) -> Address:
    """Return an address under the staff persona's passkey."""
    return lambda world, _: reverse(name, args=[world.passkey.pk if world.passkey else 0])


def report_form(question: Question) -> str:
    """Return the address of the form for reporting an error in a question."""
    return reverse("report-new", args=[question.pk]) + "?version=1"


def of_picture() -> str:
    """Return the address of a picture that no version shows."""
    return reverse("picture", args=[Picture.objects.get().name])


def of_import(world: World, persona: str) -> str:
    """Return the page of a large import in progress."""
    return reverse("admin:questions_import_job", args=[ImportJob.objects.get().pk])


def of_report(persona: str) -> Address:
    """Return the page of the persona's report."""
    return lambda world, _: reverse("report", args=[world.reports[persona].token])


OLD_CONCEPT = "exams/<slug:exam_slug>/topics/<slug:slug>/"
OLD_STAR = "practice/sessions/<uuid:session_uuid>/items/<int:position>/bookmark/"


def of_old_star(world: World, persona: str) -> str:
    """Return the address at which 0.1.0 set a star."""
    return of_session("star", "mock", 1)(world, persona).replace("/star/", "/bookmark/")


PUBLIC = [
    Row("home", at("home"), every(200)),
    Row("healthz", at("healthz"), every(200), page=False),
    Row("readyz", at("readyz"), every(200), page=False),
    Row("metrics", at("metrics"), every(404), "without the token", page=False),
    Row("picture", at("picture", f"{'0' * 32}-60x40.png"), every(404), "of nobody", page=False),
    Row("picture", lambda _, __: of_picture(), (404, 404, 200, 404), "of no version", page=False),
    Row("display", at("display"), every(200)),
    Row("search", at("search"), every(200), "nothing asked"),
    Row("search", at("search", query="?q=model"), every(200), "found"),
    Row("search", at("search", query="?q=xyzzyx"), every(200), "nothing found"),
    Row("articles", at("articles"), every(200)),
    Row("guides/", lambda _, __: "/guides/", every(301), "moved", page=False),
    Row("guides/<slug:slug>/", lambda _, __: "/guides/privacy/", every(301), "moved", page=False),
    Row(OLD_CONCEPT, lambda _, __: "/exams/pmle/topics/c1/", every(301), "moved", page=False),
    Row(OLD_STAR, of_old_star, every(301), "moved", page=False),
    Row(OLD_STAR, of_old_star, every(404), "of a running mock", "POST", page=False),
    *(Row("article", at("article", article.slug), every(200), article.slug) for article in ARTICLES),
    Row("article", at("article", "none"), every(404), "unknown", page=False),
    Row("sitemap", at("sitemap"), every(200), page=False),
    Row("sitemap-site", at("sitemap-site"), every(200), page=False),
    Row("sitemap-exam", of_exam("sitemap-exam"), every(200), page=False),
    Row("sitemap-questions", of_exam("sitemap-questions"), every(200), page=False),
    Row("sitemap-more-questions", of_exam("sitemap-more-questions", "", 2), every(404), "of a small bank", page=False),
    Row("favicon", at("favicon"), every(302), page=False),
    Row("manifest", at("manifest"), every(200), page=False),
    Row("mark", at("mark"), every(404), "where the site has none of its own", page=False),
    Row("robots", at("robots"), every(200), page=False),
    Row("security-txt", at("security-txt"), every(200), page=False),
    Row("styleguide", lambda _, __: "/styleguide/", every(200), only_debug=True),
    Row("exams", at("exams"), every(200)),
    Row("exam", of_exam("exam"), every(200)),
    Row("exam", at("exam", "no-such-exam"), every(404), "unknown", page=False),
    Row("questions", of_exam("questions"), every(200)),
    Row("questions", of_exam("questions", "?difficulty=hard&kind=multiple&q=xyzzyx"), every(200), "none fits"),
    Row("question", lambda world, _: question_page(world.question).url, every(200)),
    Row("question", of_exam("question", "", 1, "wrong"), every(301), "wrong slug", page=False),
    Row("question", of_exam("question", "", 99999, "none"), every(404), "no such number", page=False),
    Row("domain", lambda world, _: reverse("domain", args=[world.exam.slug, domain_key(world)]), every(200)),
    Row("concept", lambda world, _: reverse("concept", args=[world.exam.slug, concept_key(world)]), every(200)),
    Row("objectives", of_exam("objectives"), every(200)),
    Row("objectives-of", of_exam("objectives-of", "", "june-2026"), every(302), "current", page=False),
    Row("objectives-of", of_exam("objectives-of", "", "none"), every(404), "unknown", page=False),
    Row("objectives-case", of_exam("objectives-case", "", "june-2026"), every(200), page=False),
    Row("objectives-case", of_exam("objectives-case", "", "none"), every(404), "unknown", page=False),
    Row("errata", at("errata"), every(200)),
    Row("glossary", at("glossary"), every(200)),
    Row("errata-feed", at("errata-feed"), every(200), page=False),
    Row("errata-json", at("errata-json"), every(200), page=False),
    Row("collections", of_exam("collections"), every(200)),
    Row("collection", of_exam("collection", "", "fundamentals"), every(200)),
    Row("collection", of_exam("collection", "", "hard"), every(200), "empty"),
    Row("collection", of_exam("collection", "", "none"), every(404), "unknown", page=False),
    Row("study-guide", of_exam("study-guide"), every(200)),
    Row("study-guide", at("study-guide", "no-such-exam"), every(404), "unknown", page=False),
    Row("feed", of_exam("feed"), every(200), page=False),
    Row("module", of_module("module"), every(200)),
    Row("module", of_exam("module", "", 1, "old"), every(301), "wrong slug", page=False),
    Row("module", of_exam("module", "", 99, "none"), every(404), "no such number", page=False),
    Row("module-notebook", of_module("module-notebook"), every(200), page=False),
    Row("module-notebook", of_exam("module-notebook", "", 1, "old"), every(301), "wrong slug", page=False),
    Row("module-marks", of_exam("module-marks"), every(200)),
    Row("objective-estimates", of_exam("objective-estimates"), every(200)),
    Row("module-mark", of_exam("module-mark", "", 1), every(200)),
    Row("module-mark", of_exam("module-mark", "", 99), every(404), "no such number", page=False),
    Row("module-read", of_exam("module-read", "", 1), every(302), "read", "POST", form_of(on="1"), page=False),
    Row("module-read", of_exam("module-read", "", 99), every(404), "no such number", "POST", page=False),
    Row("reports", at("reports"), every(200)),
    Row("report-new", lambda world, _: report_form(world.question), every(200)),
    Row("report-new", lambda world, _: report_form(world.reserved), every(404), "reserved", page=False),
    Row("report-new", lambda world, _: report_form(world.question), every(400), "nothing said", "POST", page=False),
    Row("report-new", lambda world, _: report_form(world.question), every(302), "sent", "POST",
        form_of(kind="fact", text="It is wrong."), page=False),
    Row("report", of_report(GUEST), every(200), "of a guest"),
    Row("report", of_report(LEARNER), (302, 200, 404, 302), "answered, of the learner"),
    Row("answer", of_exam("answer"), every(200), "right or wrong", "POST", question_form(slot=["1", "2", "3"])),
    Row("answer", of_exam("answer"), every(400), "fewer than asked", "POST", question_form(slot="1")),
    Row("answer", of_exam("answer"), every(400), "nothing chosen", "POST", question_form()),
    Row("answer", of_exam("answer"), every(404), "no such question", "POST", form_of(question="99999"), page=False),
]  # fmt: skip


def domain_key(world: World) -> str:
    """Return the key of the question's domain."""
    return world.question.domain.key


def concept_key(world: World) -> str:
    """Return the key of a concept that has questions."""
    return world.question.live_version.concepts.order_by("pk")[0].key


PRACTICE = [
    Row("my-exam", at("my-exam"), every(200)),
    Row("my-exam", at("my-exam"), every(400), "nothing chosen", "POST"),
    Row("my-exam", at("my-exam"), every(302), "chosen", "POST", lambda world, _: {"exam": world.exam.slug}, page=False),
    Row("my-place", at("my-place", "mock"), (302, 302, 302, 200), page=False),
    Row("my-place", at("my-place", "elsewhere"), every(404), "unknown", page=False),
    Row("account_who", at("account_who"), every(200), page=False),
    Row("my-places", at("my-places"), (200, 200, 200, 204), page=False),
    Row("hub", of_exam("hub"), every(200)),
    Row("hub", of_exam("hub", "?order=missed&difficulty=hard"), every(302), "choices in the address", page=False),
    Row("builder", of_exam("builder"), every(200)),
    Row("builder", of_exam("builder", "?state=missed&difficulty=hard&size=30"), every(200), "choices in the address"),
    Row("preset", of_exam("preset"), every(302), "", "POST", form_of(name="Mine", domain="d1"), page=False),
    Row("preset", of_exam("preset"), every(400), "no name", "POST"),
    Row("preset-drop", of_exam("preset-drop", "", 1), (302, 302, 302, 404), "", "POST", page=False),
    Row("drill", of_exam("drill"), every(302), "", "POST", form_of(size="5"), page=False),
    Row("start-check", of_exam("start-check"), every(302), "", "POST", page=False),
    Row("check-question", newest_check, every(200), "running", before=begin_a_check),
    Row("check-question", newest_check, every(400), "nothing chosen", "POST", form_of(position="1"),
        before=begin_a_check),
    Row("check-question", of_session("check-question", "drill"), own(302), "of a drill", page=False),
    Row("results", newest_check_result, every(200), "of a check", before=end_a_check),
    Row("drill", of_exam("drill"), (302, 302, 302, 400), "what is due", "POST", form_of(state="due"), page=False),
    Row("drill", of_exam("drill"), every(400), "wrong size", "POST", form_of(size="9999")),
    Row("mock", of_exam("mock"), every(200)),
    Row("mock", of_exam("mock"), every(400), "wrong choice", "POST", form_of(count="7777")),
    Row("mock", of_exam("mock"), every(302), "start", "POST",
        lambda _, __: {"blueprint": "june-2026", "count": "10", "time_factor": "1", "conditions": "exam"},
        page=False),
    Row("readiness", of_exam("readiness"), every(200)),
    Row("readiness", of_exam("readiness", "?said=not-passed"), every(200), "not passed"),
    Row("plan", of_exam("plan"), every(200)),
    Row("plan", of_exam("plan", "?said=read&section=1:s1"), every(200), "planned", before=plan_ahead),
    Row("plan-feed", of_exam("plan-feed"), every(302), "", "POST", page=False),
    Row("plan-reminders", of_exam("plan-reminders"), every(302), "", "POST", form_of(weekdays="0"),
        page=False),
    Row("plan-calendar", with_plan_key("plan-calendar"), every(200), page=False),
    Row("plan-calendar", at("plan-calendar", NO_KEY), every(404), "closed", page=False),
    Row("plan-unsubscribe", with_plan_key("plan-unsubscribe"), every(200)),
    Row("plan-unsubscribe", with_plan_key("plan-unsubscribe"), every(200), "done", "POST"),
    Row("plan-read", of_exam("plan-read"), every(302), "", "POST", form_of(section="1:s1"), page=False),
    Row("plan", of_exam("plan"), every(302), "", "POST", lambda _, __: {"exam_date": "2030-01-02"},
        page=False),
    Row("plan", of_exam("plan"), every(400), "no date", "POST", lambda _, __: {"exam_date": "tomorrow"}),
    Row("outcome", of_exam("outcome"), every(302), "nothing to tell", "POST", form_of(outcome="passed"), page=False),
    Row("outcome", of_exam("outcome"), every(400), "unknown", "POST", form_of(outcome="maybe")),
    Row("calibration", of_exam("calibration"), every(200)),
    Row("evidence", of_exam("evidence"), every(200)),
    Row("trial", at("trial"), every(200)),
    Row("trial", at("trial"), every(302), "opt out", "POST", page=False),
    Row("afresh", of_exam("afresh"), every(200)),
    Row("afresh", of_exam("afresh"), every(400), "another code", "POST", form_of(code="x")),
    Row("afresh-undo", of_exam("afresh-undo"), every(302), "", "POST", page=False),
    Row("take", of_exam("take"), every(200)),
    Row("take", of_exam("take"), every(302), "", "POST", page=False),
    Row("taken", at("taken"), every(200), "nothing", before=end_what_was_taken),
    Row("taken", at("taken"), every(200), "with questions", before=take_along, session=True),
    Row("history", at("history"), every(200)),
    Row("history", at("history", query="?said=forgotten"), every(200), "forgotten"),
    Row("forget-guest", at("forget-guest"), every(302), "", "POST", page=False),
    Row("export-json", at("export-json"), every(200), page=False),
    Row("export-csv", at("export-csv"), every(200), page=False),
    Row("session", of_session("session", "mock"), own(200), "mock", session=True),
    Row("session", of_session("session", "drill"), own(200), "drill", session=True),
    Row("session", of_session("session", "review"), own(200), "review", session=True),
    Row("session", of_session("session", "paused"), own(200), "paused", session=True),
    Row("session", of_session("session", "discarded"), own(200), "discarded"),
    Row("session", of_session("session", "finished"), own(302), "finished", page=False),
    Row("session", of_session("session", "mock"), own(302), "save", "POST", form_of(writer="1"),
        page=False),
    Row("session", of_session("session", "mock"), own(409), "older writer", "POST",
        form_of(writer="0", b_1="", a_1="1")),
    Row("session", lambda world, _: reverse("session", args=[world.session(LEARNER, "mock").uuid]),
        (403, 409, 404, 403), "after the login ended", "POST", form_of(writer="0", b_1="", a_1="1")),
    Row("worker", at("worker"), every(200), page=False),
    Row("app", at("app"), every(302), page=False),
    Row("device", of_session("device", "mock"), own(200), "mock", page=False),
    Row("device", of_session("device", "drill"), own(200), "drill", page=False),
    Row("device", of_session("device", "paused"), own(410), "paused", page=False),
    Row("device", of_session("device", "finished"), own(410), "finished", page=False),
    Row("claim", of_session("claim", "mock"), own(200), "", "POST", content_type=JSON, page=False),
    Row("save", of_session("save", "mock"), own(200), "", "POST", one_item, JSON, page=False),
    Row("check", of_session("check", "drill"), own(200), "drill", "POST", full_answer("drill"), JSON, page=False),
    Row("check", of_session("check", "review"), own(200), "review", "POST", full_answer("review"), JSON, page=False),
    Row("check", of_session("check", "mock"), own(400), "mock", "POST", one_item, JSON, page=False),
    Row("hint", of_session("hint", "drill", 3), own(204), "drill", "POST", page=False),
    Row("hint", of_session("hint", "mock", 3), own(400), "mock", "POST", page=False),
    Row("booklet", of_session("booklet", "finished"), own(200), session=True),
    Row("booklet", of_session("booklet", "mock"), own(200), "of a running mock", session=True),
    Row("booklet", of_session("booklet", "drill"), own(200), "of a running drill", session=True),
    Row("booklet", of_session("booklet", "paused"), own(302), "paused", page=False),
    Row("sheet", of_session("sheet", "mock"), own(200), session=True),
    Row("sheet", of_session("sheet", "drill"), own(200), "drill", session=True),
    Row("sheet", of_session("sheet", "finished"), own(302), "finished", page=False),
    Row("sheet", of_session("sheet", "mock"), own(302), "save", "POST", form_of(writer="1"), page=False),
    Row("sheet", of_session("sheet", "mock"), own(409), "older writer", "POST", form_of(writer="0", base="", t_1="A")),
    Row("sheet", of_session("sheet", "mock"), own(400), "no such letter", "POST",
        form_of(writer="1", base="", t_1="Z"), session=True),
    Row("notebook", of_exam("notebook"), every(200)),
    Row("notebook", of_exam("notebook", "?kind=notes&words=look&said=no-words"), every(200), "searched"),
    Row("notebook", of_exam("notebook", "?whole=on"), every(200), "to print"),
    Row("notebook-export", of_exam("notebook-export"), every(200), page=False),
    Row("flashcards", of_exam("flashcards"), every(200)),
    Row("flashcard-turn", of_exam("flashcard-turn"), own(404), "no card of theirs", "POST",
        form_of(card="1", knew="yes"), page=False),
    Row("highlight", of_session("highlight", "finished", 1), own(302), "", "POST", form_of(words="plain"), page=False),
    Row("highlight", of_session("highlight", "mock", 1), every(404), "of a running mock", "POST",
        form_of(words="plain"), page=False),
    Row("highlight-drop", of_exam("highlight-drop", "", 1), own(302), "", "POST", page=False),
    Row("module-highlight", of_exam("module-highlight", "", 1), every(302), "", "POST", form_of(words="Look twice"),
        page=False),
    Row("breakdown", of_session("breakdown", "finished", 1), own(200), "right, with a note"),
    Row("breakdown", of_session("breakdown", "finished", 2), own(200), "wrong"),
    Row("breakdown", of_session("breakdown", "finished", PASSED_OVER), own(200), "passed over"),
    Row("breakdown", of_session("breakdown", "drill", 1), own(200), "of a running drill"),
    Row("item-changes", of_session("item-changes", "finished", 1), own(200)),
    Row("item-changes", of_session("item-changes", "mock", 1), every(404), "of a running mock", page=False),
    Row("breakdown", of_session("breakdown", "mock", 1), every(404), "of a running mock", page=False),
    Row("contrast", of_session("contrast", "turned", 1), own(200)),
    Row("contrast", of_session("contrast", "turned", 1), own(302), "declined", "POST", form_of(reveal="1"), page=False),
    Row("contrast", of_session("contrast", "turned", 1), own(400), "no choice", "POST", form_of(), page=False),
    Row("contrast", of_session("contrast", "finished", 1), every(404), "of a lone question", page=False),
    Row("contrast-answer", contrast_answer, own(200)),
    Row("contrast-note", of_variant("contrast-note"), own(302), "", "POST", form_of(text="A note."), page=False),
    Row("contrast-note", of_variant("contrast-note"), own(400), "too long", "POST", form_of(text="x" * 4001),
        page=False),
    Row("contrast-star", of_variant("contrast-star"), own(302), "", "POST", form_of(on="1"), page=False),
    Row("report-variant", of_variant("report-variant"), own(200)),
    Row("report-variant", of_variant("report-variant"), own(302), "sent", "POST",
        form_of(kind="wording", where="", text="Unclear."), page=False),
    Row("note", of_session("note", "finished", 1), own(302), "", "POST", form_of(text="A note"), page=False),
    Row("note", of_session("note", "finished", 1), own(400), "too long", "POST", form_of(text="x" * 4001), page=False),
    Row("note", of_session("note", "mock", 1), every(404), "of a running mock", "POST", page=False),
    Row("star", of_session("star", "finished", 1), own(302), "", "POST", form_of(on="1"), page=False),
    Row("star", of_session("star", "mock", 1), every(404), "of a running mock", "POST", page=False),
    Row("miss", of_session("miss", "finished", 2), own(302), "", "POST", form_of(miss="misread"), page=False),
    Row("miss", of_session("miss", "finished", 2), own(400), "no such reason", "POST", form_of(miss="fate"),
        page=False),
    Row("miss", of_session("miss", "finished", 1), own(400), "not missed", "POST", form_of(miss="time"), page=False),
    Row("miss", of_session("miss", "mock", 1), every(404), "of a running mock", "POST", page=False),
    Row("report-item", of_session("report-item", "finished", 1), own(200)),
    Row("report-item", of_session("report-item", "mock", 1), every(404), "of a running mock", page=False),
    Row("report-item", of_session("report-item", "finished", 1), own(302), "sent", "POST",
        form_of(kind="key", text="It is wrong."), page=False),
    Row("finish", of_session("finish", "mock"), own(200), "mock"),
    Row("finish", of_session("finish", "drill"), own(200), "drill"),
    Row("finish", of_session("finish", "review"), own(200), "review"),
    Row("finish", of_session("finish", "mock"), own(302), "submit", "POST", page=False),
    Row("pause", of_session("pause", "paused"), own(302), "go on", "POST", form_of(resume="1"), page=False),
    Row("pause", of_session("pause", "mock"), own(400), "under exam conditions", "POST", page=False),
    Row("discard", of_session("discard", "mock"), own(302), "", "POST", page=False),
    Row("results", of_session("results", "finished"), own(200), "mock"),
    Row("results", of_session("results", "finished", query="?show=wrong"), own(200), "only the wrong"),
    Row("results", of_session("results", "finished drill"), own(200), "drill"),
    Row("results", of_session("results", "finished review"), own(200), "review"),
    Row("results", of_session("results", "mock"), own(302), "still running", page=False),
    Row("results-csv", of_session("results-csv", "finished"), own(200), page=False),
    Row("results-picture", of_session("results-picture", "finished"), own(200), page=False),
    Row("results-picture", of_session("results-picture", "mock"), own(302), "of a running mock", page=False),
]  # fmt: skip


def of_thread(name: str, query: str = "") -> Address:
    """Return an address under the thread that has comments."""

    def address(world: World, _: str) -> str:
        question = world.comments["tip"].question
        return reverse(name, args=[question.exam.slug, question.pk]) + query

    return address


def thread_of_mock(world: World, persona: str) -> str:
    """Return the thread of a public question in the persona's running mock."""
    items = world.session(persona, "mock").items.filter(version__pool="open")
    return reverse("thread", args=[world.exam.slug, items.select_related("version")[0].version.question_id])


def of_comment(name: str, which: str = "tip") -> Address:
    """Return an address under one of the learner's comments."""
    return lambda world, _: reverse(name, args=[world.comments[which].pk])


def unsubscribe_link(world: World, persona: str) -> str:
    """Return the unsubscribe link of a mail about a reply."""
    return reverse("unsubscribe", args=[world.mail_token])


def of_notice(name: str) -> Address:
    """Return an address under the notice that tells the learner of a removed comment."""
    return lambda world, _: reverse(name, args=[world.notice.pk if world.notice else 0])


def of_appeal(world: World, persona: str) -> str:
    """Return an address under somebody's appeal, which moderators answer."""
    return reverse("moderation-appeal", args=[world.appeal.pk if world.appeal else 0])


def of_takedown(world: World, persona: str) -> str:
    """Return an address under a stranger's removal request, which moderators answer."""
    return reverse("moderation-takedown", args=[world.takedown.pk if world.takedown else 0])


def receipt(world: World, persona: str) -> str:
    """Return the address of the receipt for the removal request."""
    return reverse("takedown", args=[world.takedown.token if world.takedown else ""])


def of_author(name: str) -> Address:
    """Return a moderators' address about the learner as an author."""
    return lambda world, _: reverse(name, args=[world.users[LEARNER].pk])


def of_reply(name: str) -> Address:
    """Return an address under a saved reply."""
    return lambda world, _: reverse(name, args=[world.saved_reply.pk if world.saved_reply else 0])


DISCUSSION = [
    Row("thread", of_thread("thread"), every(200)),
    Row("thread-short", lambda world, _: reverse("thread-short", args=[world.question.pk]), every(302), page=False),
    Row("thread-short", at("thread-short", 99999), every(404), "no such question", page=False),
    Row("thread", of_thread("thread", "?sort=helpful&after=9-9"), every(200), "another page"),
    Row("thread", thread_of_mock, (403, 403, 403, 200), "of a running mock", page=False),
    Row("thread", of_exam("thread", "", 99999), every(404), "no such question", page=False),
    Row("comment", of_comment("comment"), every(200)),
    Row("comment", of_comment("comment", "reply"), every(200), "reply"),
    Row("comment", of_comment("comment", "held"), (404, 200, 404, 404), "waiting"),
    Row("comment-new", of_thread("comment-new"), (403, 302, 302, 403), "", "POST",
        form_of(kind="tip", text="A tip."), page=False),
    Row("comment-new", of_thread("comment-new"), (403, 400, 400, 403), "letters", "POST",
        form_of(kind="tip", text="B is right.")),
    Row("comment-new", of_thread("comment-new"), (403, 200, 200, 403), "preview", "POST",
        form_of(kind="tip", text="A **tip**.", preview="1")),
    Row("comment-preview", of_thread("comment-preview"), (403, 200, 200, 403), "", "POST", form_of(text="A tip."),
        page=False),
    Row("comment-reply", of_comment("comment-reply"), (403, 302, 302, 403), "", "POST",
        form_of(text="Thanks."), page=False),
    Row("comment-reply", of_comment("comment-reply"), (302, 400, 400, 302), "nothing typed", "POST"),
    Row("comment-edit", of_comment("comment-edit"), (302, 200, 404, 302)),
    Row("comment-edit", of_comment("comment-edit"), (403, 302, 404, 403), "done", "POST",
        form_of(text="A better tip."), page=False),
    Row("comment-edit", of_comment("comment-edit"), (302, 400, 404, 302), "nothing typed", "POST"),
    Row("comment-delete", of_comment("comment-delete"), (302, 200, 404, 302)),
    Row("comment-delete", of_comment("comment-delete"), (302, 302, 404, 302), "done", "POST", page=False),
    Row("comment-helpful", of_comment("comment-helpful"), every(302), "", "POST", form_of(on="1"), page=False),
    Row("comment-report", of_comment("comment-report"), (302, 200, 200, 302)),
    Row("comment-report", of_comment("comment-report"), (302, 400, 400, 302), "nothing said", "POST"),
    Row("comment-report", of_comment("comment-report"), (403, 400, 302, 403), "sent", "POST",
        form_of(reason="leak", text="It is from an exam."), page=False),
    Row("comment-follow", of_comment("comment-follow"), every(302), "", "POST", form_of(on="0"), page=False),
    Row("export-discussion", at("export-discussion"), (302, 200, 200, 302), page=False),
    Row("inbox", at("inbox"), signed_in(200)),
    Row("inbox-read", at("inbox-read"), signed_in(302), "", "POST", form_of(notices="1"), page=False),
    Row("appeal", of_notice("appeal"), signed_in(200, 404)),
    Row("appeal", of_notice("appeal"), signed_in(400, 404), "nothing said", "POST"),
    Row("appeal", of_notice("appeal"), signed_in(302, 404), "sent", "POST", form_of(text="It is mine."), page=False),
    Row("takedown-new", at("takedown-new"), every(200)),
    Row("takedown-new", at("takedown-new"), every(400), "nothing said", "POST"),
    Row("takedown-new", at("takedown-new"), every(302), "sent", "POST",
        form_of(address="/exams/", ground="other", text="Mine.", email="eve@example.com"), page=False),
    Row("takedown", receipt, every(200)),
    Row("unsubscribe", unsubscribe_link, every(200)),
    Row("unsubscribe", unsubscribe_link, every(200), "done", "POST"),
]  # fmt: skip


def moderators(status: int) -> tuple[int, int, int, int]:
    """Return this status for moderators, here the administrator; anybody else signed in gets a 404."""
    return (302, 404, status, 302)


MODERATION = [
    Row("moderation", at("moderation"), moderators(200)),
    Row("moderation", at("moderation", query="?show=mine&done=1"), moderators(200), "only one's own"),
    Row("moderation-claim", at("moderation-claim"), moderators(302), "", "POST", form_of(next="1"), page=False),
    Row("moderation-decide", at("moderation-decide"), moderators(400), "nothing chosen", "POST"),
    Row("moderation-decide", at("moderation-decide"), moderators(302), "done", "POST",
        lambda world, _: {"comment": world.comments["held"].pk, "seen": world.comments["held"].stamp, "reject": "leak"},
        page=False),
    Row("moderation-undo", at("moderation-undo"), moderators(302), "", "POST", form_of(entry="1"), page=False),
    Row("moderation-appeals", at("moderation-appeals"), moderators(200)),
    Row("moderation-appeal", of_appeal, moderators(400), "no reason", "POST", form_of(granted="0")),
    Row("moderation-appeal", of_appeal, moderators(302), "done", "POST", form_of(granted="1"), page=False),
    Row("moderation-author", of_author("moderation-author"), moderators(200)),
    Row("moderation-note", of_author("moderation-note"), moderators(400), "nothing said", "POST"),
    Row("moderation-note", of_author("moderation-note"), moderators(302), "kept", "POST", form_of(text="A note."),
        page=False),
    Row("moderation-author-decide", of_author("moderation-author-decide"), moderators(400), "nothing chosen", "POST"),
    Row("moderation-author-decide", of_author("moderation-author-decide"), moderators(302), "nothing left", "POST",
        form_of(upto="0", act="approve"), page=False),
    Row("moderation-replies", at("moderation-replies"), moderators(200)),
    Row("moderation-replies", at("moderation-replies"), moderators(400), "nothing said", "POST"),
    Row("moderation-replies", at("moderation-replies"), moderators(302), "kept", "POST",
        form_of(title="A title", text="Words."), page=False),
    Row("moderation-reply", of_reply("moderation-reply"), moderators(200)),
    Row("moderation-reply", of_reply("moderation-reply"), moderators(400), "nothing said", "POST"),
    Row("moderation-reply-drop", of_reply("moderation-reply-drop"), moderators(302), "", "POST", page=False),
    Row("moderation-figures", at("moderation-figures"), moderators(200)),
    Row("moderation-slow", of_comment("moderation-slow"), moderators(400), "no pace", "POST"),
    Row("moderation-slow", of_comment("moderation-slow"), moderators(302), "", "POST", form_of(minutes="5"),
        page=False),
    Row("moderation-takedowns", at("moderation-takedowns"), moderators(200)),
    Row("moderation-takedown", of_takedown, moderators(200)),
    Row("moderation-takedown", of_takedown, moderators(400), "nothing said", "POST"),
    Row("moderation-takedown", of_takedown, moderators(302), "done", "POST",
        form_of(outcome="kept", answer="It is ours."), page=False),
    Row("moderation-log", at("moderation-log"), moderators(200)),
    Row("moderation-search", at("moderation-search", query="?q=sentence"), moderators(200)),
    Row("moderation-search", at("moderation-search", query="?q=xyzzyx"), moderators(200), "nothing found"),
    Row("moderation-comment", of_comment("moderation-comment", "held"), moderators(200), "waiting"),
    Row("moderation-comment", of_comment("moderation-comment"), moderators(200), "visible"),
    Row("moderation-edit-out", of_comment("moderation-edit-out", "held"), moderators(400), "nothing said", "POST"),
    Row("moderation-edit-out", of_comment("moderation-edit-out", "held"), moderators(200), "words taken out", "POST",
        form_of(text="See that page.", cut="that")),
    Row("moderation-lock", of_comment("moderation-lock"), moderators(302), "", "POST", form_of(on="1"), page=False),
    Row("moderation-suspend", of_comment("moderation-suspend"), moderators(400), "no day", "POST",
        form_of(words="Insults.")),
]  # fmt: skip

ACCOUNTS = [
    Row("account_home", at("account_home"), every(200)),
    Row("account_name", at("account_name"), signed_in(200)),
    Row("account_name", at("account_name"), signed_in(400), "an address", "POST", form_of(name="me@example.org")),
    Row("account_name", at("account_name"), signed_in(302), "kept", "POST", form_of(name="Ada L."), page=False),
    Row("account_zone", at("account_zone"), signed_in(200)),
    Row("account_zone", at("account_zone"), signed_in(400), "no zone", "POST", form_of(chosen="Mars/Olympus")),
    Row("account_zone", at("account_zone"), signed_in(302), "kept", "POST", form_of(chosen="Asia/Kolkata"), page=False),
    Row("account_delete", at("account_delete"), signed_in(200)),
    Row("account_delete_confirm", at("account_delete_confirm"), signed_in(200)),
    Row(
        "account_delete_confirm",
        at("account_delete_confirm"),
        signed_in(302),
        "long after signing in",
        before=forget_password_check,
        page=False,
    ),
    Row(
        "account_delete_confirm",
        at("account_delete_confirm"),
        signed_in(400),
        "another address",
        "POST",
        form_of(email="bob@example.org"),
    ),
    Row(
        "account_delete_confirm",
        at("account_delete_confirm"),
        signed_in(302),
        "done",
        "POST",
        lambda world, persona: {"email": world.users[persona].email} if persona in world.users else {},
        page=False,
    ),
    Row("account_deleted", at("account_deleted"), every(200)),
    Row("account_login", at("account_login"), signed_out(200)),
    Row("account_login", at("account_login"), signed_out(200), "nothing typed", "POST"),
    Row("account_login", at("account_login"), every(302), "right password", "POST",
        form_of(login="learner@example.org", password=PASSWORD), page=False),
    Row("account_signup", at("account_signup"), signed_out(200)),
    Row("account_signup", at("account_signup"), signed_out(200), "nothing typed", "POST"),
    Row("account_logout", at("account_logout"), signed_in(200)),
    Row("account_logout", at("account_logout"), every(302), "done", "POST", page=False),
    Row("account_inactive", at("account_inactive"), every(200)),
    Row("account_reauthenticate", at("account_reauthenticate"), signed_in(200)),
    Row("account_reauthenticate", at("account_reauthenticate"), signed_in(200), "nothing typed", "POST"),
    Row("account_reauthenticate", at("account_reauthenticate"), signed_in(302), "right password", "POST",
        form_of(password=PASSWORD), page=False),
    Row("account_email", at("account_email"), signed_in(200)),
    Row("account_email", at("account_email"), signed_in(302), "one more", "POST",
        form_of(email="third@example.org", action_add=""), page=False),
    Row("account_email_verification_sent", at("account_email_verification_sent"), every(200)),
    Row("account_confirm_email", confirm_link, every(200), "good link"),
    Row("account_confirm_email", at("account_confirm_email", "x"), every(200), "bad link"),
    Row("account_confirm_email", confirm_link, every(302), "good link", "POST", page=False),
    Row("account_confirm_email", at("account_confirm_email", "x"), every(404), "bad link", "POST", page=False),
    Row("account_change_password", at("account_change_password"), signed_in(200)),
    Row("account_change_password", at("account_change_password"), signed_in(200), "nothing typed", "POST"),
    Row("account_set_password", at("account_set_password"), every(302), page=False),
    Row("account_set_password", at("account_set_password"), every(302), "has one", "POST", page=False),
    Row("account_reset_password", at("account_reset_password"), every(200)),
    Row("account_reset_password", at("account_reset_password"), every(200), "nothing typed", "POST"),
    Row("account_reset_password", at("account_reset_password"), every(302), "asked for", "POST",
        form_of(email="nobody@example.org"), page=False),
    Row("account_reset_password_done", at("account_reset_password_done"), every(200)),
    Row("account_reset_password_from_key", reset_link, every(302), "good link", follows=True),
    Row("account_reset_password_from_key", at("account_reset_password_from_key", "1", "x-y"), every(200), "bad link"),
    Row("account_reset_password_from_key", at("account_reset_password_from_key", "1", "x-y"), every(200), "bad link",
        "POST", page=False),
    Row("account_reset_password_from_key_done", at("account_reset_password_from_key_done"), every(200)),
    Row("account_confirm_login_code", at("account_confirm_login_code"), every(302), page=False),
    Row("account_confirm_login_code", at("account_confirm_login_code"), every(302), "not signing in", "POST",
        page=False),
    Row("mfa_index", at("mfa_index"), signed_in(200)),
    Row("mfa_authenticate", at("mfa_authenticate"), every(302), "not signing in", page=False),
    Row("mfa_authenticate", at("mfa_authenticate"), signed_out(200), "halfway", before=sign_in_halfway),
    Row("mfa_authenticate", at("mfa_authenticate"), signed_out(200), "wrong code", "POST", form_of(code="000000"),
        before=sign_in_halfway, page=False),
    Row("mfa_reauthenticate", at("mfa_reauthenticate"), signed_in(302, 200)),
    Row("mfa_reauthenticate", at("mfa_reauthenticate"), signed_in(302, 200), "nothing typed", "POST"),
    Row("mfa_activate_totp", at("mfa_activate_totp"), signed_in(200, 302)),
    Row("mfa_activate_totp", at("mfa_activate_totp"), signed_in(200, 302), "wrong code", "POST",
        form_of(code="000000")),
    Row("mfa_deactivate_totp", at("mfa_deactivate_totp"), signed_in(404, 200)),
    Row("mfa_deactivate_totp", at("mfa_deactivate_totp"), signed_in(404, 302), "done", "POST", page=False),
    Row("mfa_view_recovery_codes", at("mfa_view_recovery_codes"), signed_in(404, 200)),
    Row("mfa_generate_recovery_codes", at("mfa_generate_recovery_codes"), signed_in(200)),
    Row("mfa_generate_recovery_codes", at("mfa_generate_recovery_codes"), signed_in(200, 302), "new ones", "POST",
        page=False),
    Row("mfa_download_recovery_codes", at("mfa_download_recovery_codes"), signed_in(404, 200), page=False),
    Row("mfa_list_webauthn", at("mfa_list_webauthn"), signed_in(200)),
    Row("mfa_add_webauthn", at("mfa_add_webauthn"), signed_in(200)),
    Row("mfa_add_webauthn", at("mfa_add_webauthn"), signed_in(200), "nothing came", "POST", form_of(credential="")),
    Row("mfa_edit_webauthn", of_passkey("mfa_edit_webauthn"), signed_in(404, 200)),
    Row("mfa_edit_webauthn", of_passkey("mfa_edit_webauthn"), signed_in(404, 302), "renamed", "POST",
        form_of(name="Phone"), page=False),
    Row("mfa_remove_webauthn", of_passkey("mfa_remove_webauthn"), signed_in(404, 200)),
    Row("mfa_remove_webauthn", of_passkey("mfa_remove_webauthn"), signed_in(302), "long after signing in",
        before=forget_password_check, page=False),
    Row("mfa_remove_webauthn", of_passkey("mfa_remove_webauthn"), signed_in(404, 302), "removed", "POST", page=False),
    Row("mfa_login_webauthn", at("mfa_login_webauthn"), every(302), page=False),
    Row("mfa_login_webauthn", at("mfa_login_webauthn"), every(302), "nothing came", "POST", page=False),
    Row("mfa_reauthenticate_webauthn", at("mfa_reauthenticate_webauthn"), signed_in(302, 200)),
    Row("mfa_reauthenticate_webauthn", at("mfa_reauthenticate_webauthn"), signed_in(302, 200), "nothing came", "POST"),
]  # fmt: skip

EDITORS_ACTS = ("copy", "discard", "waive", "withdraw", "put_back", "remove")
REVIEWERS_ACTS = ("publish", "send_back", "retire")

ADMIN = [
    Row("admin:index", at("admin:index"), staff_only(200)),
    Row("admin:login", at("admin:login"), (302, 403, 302, 302), page=False),
    Row("admin:login", at("admin:login"), (302, 403, 405, 302), "nothing typed", "POST", page=False),
    Row("admin:logout", at("admin:logout"), staff_only(302), "", "POST", page=False),
    Row("admin:password_change", at("admin:password_change"), staff_only(200)),
    Row("admin:password_change_done", at("admin:password_change_done"), staff_only(200)),
    Row("admin:autocomplete", at("admin:autocomplete"), staff_only(403), page=False),
    Row("admin:jsi18n", at("admin:jsi18n"), staff_only(200), page=False),
    Row("admin:view_on_site", at("admin:view_on_site", "0", "0"), staff_only(404), page=False),
    Row("admin:auth_user_password_change", lambda world, _: reverse(
        "admin:auth_user_password_change", args=[world.users[LEARNER].pk]), staff_only(200)),
    Row("admin:questions_question_desk", at("admin:questions_question_desk"), staff_only(200)),
    Row("admin:questions_question_sources", at("admin:questions_question_sources"), staff_only(200)),
    Row("admin:questions_question_desk_mail", at("admin:questions_question_desk_mail"), staff_only(302), "", "POST",
        lambda _, __: {"mail": "on"}, page=False),
    Row("admin:questions_question_replace", at("admin:questions_question_replace"), staff_only(200)),
    Row("admin:questions_question_replace", at("admin:questions_question_replace"), staff_only(200), "nothing typed",
        "POST"),
    Row("admin:questions_question_change_together", at("admin:questions_question_change_together", 99999),
        staff_only(404), "none", page=False),
    Row("admin:questions_question_look", at("admin:questions_question_look"), staff_only(200), "", "POST", page=False),
    Row("admin:questions_question_preview", at("admin:questions_question_preview", "page"), staff_only(200)),
    Row("admin:questions_question_preview", at("admin:questions_question_preview", "poster"), staff_only(404),
        "no such shape", page=False),
    Row("admin:questions_question_preview_of", of_question("admin:questions_question_preview_of", "page"),
        staff_only(200), "page"),
    Row("admin:questions_question_preview_of", of_question("admin:questions_question_preview_of", "session"),
        staff_only(200), "session"),
    Row("admin:questions_question_act", of_question("admin:questions_question_act", "comment"), staff_only(302), "",
        "POST", lambda _, __: {"text": "A word."}, page=False),
    *(Row("admin:questions_question_act", of_question("admin:questions_question_act", act), staff_only(302), act,
        "POST", page=False) for act in EDITORS_ACTS + REVIEWERS_ACTS),
    Row("admin:questions_question_act", of_question("admin:questions_question_act", "restore"), staff_only(404),
        "restore no version", "POST", page=False),
    Row("admin:questions_question_act", of_question("admin:questions_question_act", "juggle"), staff_only(404),
        "no such act", "POST", page=False),
    Row("admin:questions_question_compare", of_question("admin:questions_question_compare"), staff_only(200)),
    Row("admin:questions_question_variant", of_lone("admin:questions_question_variant"), staff_only(200)),
    Row("admin:questions_question_variant", of_lone("admin:questions_question_variant"), staff_only(200),
        "nothing typed", "POST"),
    Row("admin:questions_family_variant", of_family("admin:questions_family_variant"), staff_only(200)),
    Row("admin:questions_family_variant", of_family("admin:questions_family_variant"), staff_only(200),
        "nothing typed", "POST"),
    Row("admin:questions_family_variant", at("admin:questions_family_variant", 99999), staff_only(404), "none",
        page=False),
    Row("admin:questions_versionstatistics_radar", at("admin:questions_versionstatistics_radar"), staff_only(200)),
    Row("admin:questions_versionstatistics_coverage", at("admin:questions_versionstatistics_coverage"),
        staff_only(200)),
    Row("admin:questions_versionstatistics_pictures", at("admin:questions_versionstatistics_pictures"),
        staff_only(200)),
    Row("admin:questions_versionstatistics_picture", at("admin:questions_versionstatistics_picture", "pmle"),
        staff_only(200)),
    Row("admin:questions_versionstatistics_picture", at("admin:questions_versionstatistics_picture", "nothing"),
        staff_only(404), "none", page=False),
    Row("admin:questions_versionstatistics_question", lambda world, _: reverse(
        "admin:questions_versionstatistics_question", args=[world.question.pk]), staff_only(200)),
    Row("admin:questions_versionstatistics_question", at("admin:questions_versionstatistics_question", 99999),
        staff_only(404), "no such question", page=False),
    Row("admin:questions_import", at("admin:questions_import"), staff_only(200)),
    Row("admin:questions_import", at("admin:questions_import"), staff_only(200), "no file", "POST"),
    Row("admin:questions_import_columns", at("admin:questions_import_columns"), staff_only(200)),
    Row("admin:questions_import_columns", at("admin:questions_import_columns"), staff_only(200), "no file", "POST"),
    Row("admin:questions_import_job", at("admin:questions_import_job", 99999), staff_only(404), "none", page=False),
    Row("admin:questions_import_job", of_import, staff_only(200)),
    Row("admin:questions_import_undo", lambda *_: f"{of_import(*_)}undo/", staff_only(200)),
    Row("admin:questions_import_undo", at("admin:questions_import_undo", 99999), staff_only(404), "none", page=False),
    Row("admin:questions_import_undo", lambda *_: f"{of_import(*_)}undo/", staff_only(302), "running", "POST",
        page=False),
    Row("admin:questions_export", at("admin:questions_export"), staff_only(405), page=False),
    Row("admin:questions_export", at("admin:questions_export"), staff_only(400), "nothing", "POST", page=False),
    Row("admin:questions_export", at("admin:questions_export"), staff_only(200), "a question", "POST",
        lambda world, _: {"questions": str(world.question.pk), "format": "csv"}, page=False),
    Row("admin:practice_regrade_new", of_version("admin:practice_regrade_new"), staff_only(200)),
    Row("admin:practice_regrade_new", of_version("admin:practice_regrade_new"), staff_only(200), "nothing chosen",
        "POST", page=False),
    Row("admin:practice_regrade_new", at("admin:practice_regrade_new", 99999), staff_only(404), "none", page=False),
    Row("admin:practice_regrade_impact", of_version("admin:practice_regrade_impact", "?slot=2"), staff_only(200),
        page=False),
    Row("admin:practice_reopening_add", lambda world, _: reverse("admin:practice_reopening_add") + (
        f"?session={world.sessions[LEARNER, 'finished'].uuid}"), staff_only(200), "found"),
    Row("admin:discussion_listentry_try", at("admin:discussion_listentry_try"), staff_only(200)),
    Row("admin:discussion_listentry_try", at("admin:discussion_listentry_try"), staff_only(200), "a text", "POST",
        form_of(text="I sell the latest dumps", level="new", kind="leak")),
    Row("admin:discussion_listentry_rules", at("admin:discussion_listentry_rules"), staff_only(200)),
    Row("admin/(?P<url>.*)$", lambda _, __: "/admin/no/such/page/", staff_only(404), page=False),
]  # fmt: skip


# The only pages of the admin that refuse a POST.
READ_ONLY = {
    "admin:jsi18n",
    "admin:autocomplete",
    "admin:password_change_done",
    "admin:discussion_listentry_rules",
}
# The status staff get for an empty POST where it differs from that of a GET: saved, or refused as read-only.
POSTED = {
    "admin:outbox_outgoingmail_change": 403,
    "admin:outbox_refusedaddress_change": 403,
    "admin:mfa_authenticator_change": 302,
    "admin:questions_exam_change": 302,
    "admin:questions_importeditem_change": 403,
    "admin:questions_picture_change": 403,
    "admin:practice_regrade_change": 403,
    "admin:practice_guestnetwork_change": 403,
    "admin:practice_outage_change": 403,
    "admin:practice_reopening_change": 403,
}


def posted(made: list[Row]) -> Iterator[Row]:
    """Return rows for empty POSTs to the admin's pages without one: they show the form again, or what a GET shows."""
    done = {row.key for row in made if row.method == "POST"} | READ_ONLY
    for row in made:
        if row.key not in done:
            statuses = staff_only(POSTED[row.key]) if row.key in POSTED else row.statuses
            yield replace(row, method="POST", page=False, statuses=statuses)


# Actions that nobody may take by hand, not even staff, by model.
NOT_BY_HAND = {
    "admin:mfa_authenticator": ("add",),
    "admin:outbox_outgoingmail": ("add", "delete"),
    "admin:outbox_refusedaddress": ("add",),
    "admin:questions_question": ("delete",),
    "admin:questions_family": ("delete",),
    "admin:practice_learner": ("add", "delete"),
    "admin:practice_regrade": ("add", "delete"),
    "admin:questions_exam": ("add", "delete"),
    "admin:practice_guestnetwork": ("add", "delete"),
    "admin:practice_outage": ("delete",),
    "admin:practice_reopening": ("delete",),
    "admin:questions_importeditem": ("add", "delete"),
    "admin:questions_picture": ("delete",),
    "admin:questions_importjob": ("add", "delete"),
    "admin:questions_contentreport": ("add", "delete"),
    "admin:questions_versionstatistics": ("add", "delete"),
}


# Models whose page in the admin redirects to one of ours, which has its own row.
LEADS_ON = {
    "admin:questions_question_history",
    "admin:questions_versionstatistics_change",
    "admin:questions_importjob_change",
}


def admin_rows() -> Iterator[Row]:
    """Return the pages Django makes for each registered model: list, add, and those of its first object."""
    for model in admin.site._registry:
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        yield Row(f"{name}_changelist", at(f"{name}_changelist"), staff_only(200))
        closed = NOT_BY_HAND.get(name, ())
        yield Row(f"{name}_add", at(f"{name}_add"), staff_only(403 if "add" in closed else 200))
        for page in ("change", "history", "delete"):
            status = 403 if page in closed else 200
            leads_on = f"{name}_{page}" in LEADS_ON
            status = 302 if leads_on else status
            yield Row(f"{name}_{page}", _of_first(model, f"{name}_{page}"), staff_only(status), page=not leads_on)
        plain = f"admin/{model._meta.app_label}/{model._meta.model_name}/<path:object_id>/"
        yield Row(plain, _of_first(model, f"{name}_change", "change/"), staff_only(302), page=False)
    for label in sorted({model._meta.app_label for model in admin.site._registry}):
        yield Row("admin:app_list", at("admin:app_list", label), staff_only(200), label)


def _of_first(model: Any, name: str, cut: str = "") -> Address:
    return lambda _, __: reverse(name, args=[model._default_manager.order_by("pk")[0].pk]).removesuffix(cut)


def rows() -> list[Row]:
    """Return the whole table."""
    every_admin_row = [*ADMIN, *admin_rows()]
    return [*PUBLIC, *PRACTICE, *DISCUSSION, *MODERATION, *ACCOUNTS, *every_admin_row, *posted(every_admin_row)]


def patterns() -> set[str]:
    """Return the keys of every URL pattern of the site, including those that exist only under DEBUG."""
    return {*_walk(get_resolver(), "", ""), *(str(pattern.name) for pattern in styleguide.urlpatterns)}


def _walk(resolver: URLResolver, route: str, space: str) -> Iterator[str]:
    for part in resolver.url_patterns:
        if isinstance(part, URLResolver):
            inner = f"{space}{part.namespace}:" if part.namespace else space
            yield from _walk(part, route + str(part.pattern), inner)
        elif isinstance(part, URLPattern):
            yield f"{space}{part.name}" if part.name else route + str(part.pattern)
