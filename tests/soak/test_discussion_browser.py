"""The discussion in Chromium on the live site: nothing that people write ever runs, and writing works as described."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, BrowserContext, Page, expect

from courseiva.accounts.models import User
from discussion.comments.rules.markup import refusal
from discussion.models import Comment, Kind, State
from discussion.threads.post import rendered
from questions.models import QuestionVersion
from tests.discussion.conftest import person, row
from tests.discussion.payloads import OWN, PAYLOADS, PUBLISHED, letters, readable
from tests.support.bank import add_questions, make_exam
from tests.support.subprocesses import Site
from tests.support.world import signed_in_client

NAME_LENGTH, PAGE = 60, 20
TAKEN = [payload for payload in PAYLOADS if not refusal(payload)]
"""All our own payloads and those of the published list; of an additional list, those accepted as a comment."""
# Every element is hovered over, focused, opened and clicked, as a reader might.
TOUCH = """() => {
  addEventListener("click", (event) => event.target.closest("a") && event.preventDefault(), true);
  addEventListener("submit", (event) => event.preventDefault(), true);
  for (const each of document.querySelectorAll(".comment-text, .comment-text *, .comment-head *")) {
    for (const kind of ["mouseover", "mouseenter", "pointerover", "focus", "blur", "toggle", "animationstart", "error"])
      each.dispatchEvent(new Event(kind, {bubbles: true}));
    each.click();
  }
}"""
# The visible parts of each comment: the name, the text, and the texts of its replies.
READ = """() => {
  const seen = [];
  for (const each of document.querySelectorAll(".comment")) {
    const text = each.querySelector(".comment-text").innerText;
    if (each.matches(".is-reply")) seen.at(-1)[2].push(text);
    else seen.push([each.querySelector(".comment-head strong").innerText, text, []]);
  }
  return seen;
}"""

pytestmark = [pytest.mark.soak, pytest.mark.browser]


@pytest.fixture(scope="module")
def version(live_rows: None) -> QuestionVersion:
    """Create a question with every payload below it: as a comment, as a reply, as a name, in a link's address."""
    made = add_questions(make_exam(), 1, domains=("d1",))[0]
    for n, payload in enumerate(TAKEN):
        author = person(f"p{n}")
        User.objects.filter(pk=author.pk).update(display_name=name_of(payload))
        comment = store(made, author, payload)
        for text in answers_with(payload):
            store(made, author, text, comment)
    return made


def name_of(payload: str) -> str:
    return payload.replace("\x00", "")[:NAME_LENGTH]


def answers_with(payload: str) -> list[str]:
    """Return the payload as a link's address, and as a link's words and title, if the site accepts it."""
    texts = (f"[press]({payload})", f"[{payload}](https://a.example/{{option:1}} '{payload}')")
    return [text for text in texts if not refusal(text)]


def store(version: QuestionVersion, author: User, text: str, parent: Comment | None = None) -> Comment:
    """Store a text as posting does, and approve it."""
    html, slots = rendered(text, version)
    earlier = timezone.now() - dt.timedelta(days=1)
    return row(version, author, text, html=html, slots=slots, parent=parent, created_at=earlier)


@pytest.fixture
def watched(browser: Browser, live_site: Site) -> Iterator[tuple[Page, list[str]]]:
    """Open a page, and record every event that people's text must never cause."""
    context = browser.new_context()
    page, happened = context.new_page(), []
    watch(page, live_site, happened)
    yield page, happened
    context.close()


def watch(page: Page, site: Site, happened: list[str]) -> None:
    page.on("dialog", lambda dialog: (happened.append(f"dialog {dialog.message}"), dialog.dismiss()))
    page.on("console", lambda line: happened.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: happened.append(str(error)))
    page.on("popup", lambda _: happened.append("popup"))
    page.on("request", lambda asked: None if asked.url.startswith(site.url) else happened.append(f"asks {asked.url}"))


def assert_nothing_ran(page: Page, happened: list[str]) -> None:
    page.evaluate(TOUCH)
    page.wait_for_load_state("networkidle")
    assert page.evaluate("() => window.owned") is None
    assert happened == []


@pytest.mark.parametrize(("payloads", "part"), [(OWN, 6), (PUBLISHED, 20)], ids=["our own", "published"])
def test_the_payloads_would_run_without_the_protection(browser: Browser, payloads: list[str], part: int) -> None:
    """Without sanitiser and policy, a good part of the payloads runs, so the tests below can fail. Many need an older
    browser.
    """
    context = browser.new_context()
    page = context.new_page()
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    ran = 0
    for payload in payloads:
        dialogs.clear()
        page.set_content(f"<!doctype html><body>{payload}")
        page.wait_for_load_state("load")
        owned = page.evaluate("() => new Promise(done => setTimeout(() => done(window.owned === 1), 20))")
        ran += owned or bool(dialogs)
    context.close()
    assert ran >= len(payloads) / part


def test_no_payload_runs_on_any_page_of_the_thread_and_all_stay_readable(version, live_site, watched) -> None:
    page, happened = watched
    address: str | None = f"{live_site.url}/discussion/pmle/{version.question_id}/"
    seen: list[tuple[str, str, list[str]]] = []
    while address:
        response = page.goto(address)
        assert response
        assert "default-src 'none'" in response.headers["content-security-policy"]
        seen += page.evaluate(READ)
        assert_nothing_ran(page, happened)
        onward = page.locator(".pager a[rel=next]")
        address = live_site.url + str(onward.get_attribute("href")) if onward.count() else None
    for payload, (name, text, answers) in zip(TAKEN, reversed(seen), strict=True):
        assert name.split() == name_of(payload).split()
        assert letters(text) == readable(payload)
        for words, typed, shown in zip(("press", readable(payload)), answers_with(payload), answers, strict=True):
            assert letters(shown) == letters(typed) or words in letters(shown), typed


@pytest.mark.gate
def test_no_payload_runs_in_the_thread_that_the_question_page_loads(version, live_site, watched) -> None:
    page, happened = watched
    page.goto(f"{live_site.url}/exams/pmle/questions/{version.question.number}-situation-1/")
    page.locator("#discussion > summary").click()
    for _ in range((len(TAKEN) - 1) // PAGE):
        expect(page.locator(".thread .comment").first).to_be_visible()
        assert_nothing_ran(page, happened)
        before = page.locator(".thread .comment").first.get_attribute("id")
        page.locator(".thread .pager a[rel=next]").click()
        expect(page.locator(f"#{before}")).to_have_count(0)
    assert_nothing_ran(page, happened)


@pytest.fixture
def alice(live_rows: None, version: QuestionVersion) -> User:
    made = person(f"alice{User.objects.count()}")
    row(version, made, "An early remark.", created_at=timezone.now() - dt.timedelta(days=9), listed=False)
    return made


def signed_in(browser: Browser, site: Site, user: User, **options) -> BrowserContext:
    context = browser.new_context(**options)
    cookies = signed_in_client(user).cookies
    context.add_cookies([{"name": name, "value": morsel.value, "url": site.url} for name, morsel in cookies.items()])
    return context


@pytest.mark.gate
@pytest.mark.parametrize(
    ("script", "text"),
    [
        (True, "Not managed, so {option:2}, and B is **wrong**."),
        (False, "The table is far too large for {option:2}; B is **made** for such sizes."),
    ],
    ids=["with script", "without script"],
)
def test_a_comment_can_be_written_with_an_option_a_preview_and_a_letter(
    version, live_site, browser, alice, script, text
) -> None:
    context = signed_in(browser, live_site, alice, java_script_enabled=script)
    page, happened = context.new_page(), []
    watch(page, live_site, happened)
    page.goto(f"{live_site.url}/exams/pmle/questions/{version.question.number}-situation-1/")
    page.locator("#discussion > summary").click()
    if not script:
        page.locator(".thread a[data-hx-get]").click()
    page.locator(".composer > summary").click()
    page.locator("input[name=kind][value=tip]").check(force=True)
    page.locator("textarea[name=text]").fill("Not managed, so")
    page.get_by_role("button", name="Thing 2 of 1").click()
    expect(page.locator("textarea[name=text]")).to_have_value("Not managed, so {option:2} ")
    page.locator("textarea[name=text]").fill(text)
    page.locator("button[name=preview]").click()
    expect(page.locator(".preview .option-ref")).to_have_text("Thing 2 of 1")
    page.locator(".composer form p button:not([name])").click()
    page.locator("label:has([name=means_B])", has_text="Thing 3 of 1").click()
    page.locator(".composer form p button:not([name])").click()
    expect(page.locator("[data-message=posted]")).to_be_visible()
    made = Comment.objects.get(author=alice, text=text.replace("B is", "{option:3} is"))
    assert (made.kind, made.state) == (Kind.TIP, State.VISIBLE)
    expect(page.locator(f"#c{made.pk} .option-ref")).to_have_text(["Thing 2 of 1", "Thing 3 of 1"])
    assert [each for each in happened if "400" not in each] == []
    context.close()


def test_a_vote_is_counted_without_a_reload(version, live_site, browser, alice) -> None:
    context = signed_in(browser, live_site, alice)
    page = context.new_page()
    page.goto(f"{live_site.url}/discussion/pmle/{version.question_id}/")
    first = page.locator(".comment:not(.is-reply)").nth(1).locator(".vote button")
    expect(first).to_have_attribute("aria-pressed", "false")
    first.click()
    expect(first).to_have_attribute("aria-pressed", "true")
    expect(first).to_contain_text("1")
    context.close()
