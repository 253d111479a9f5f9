"""Pictures are shown in the player, also offline, on a question's page, and on the editor's."""

from __future__ import annotations

import base64
from collections.abc import Iterator

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from courseiva.accounts.models import User
from practice.learners.reads.identity import Owner
from questions.models import Exam, Picture, QuestionVersion
from tests.discussion.conftest import person as learner_named
from tests.journeys.device import Learner, sign_in
from tests.support.bank import make_exam
from tests.support.editing import ADD, EDITORS, person
from tests.support.pictures import SHOWN, image, publish_illustrated
from tests.support.sessions import begin_mock
from tests.support.subprocesses import Site

pytestmark = [pytest.mark.soak, pytest.mark.browser]
LOADED = "all => all.every(each => each.complete && each.naturalWidth > 0)"
NARROW = {"width": 390, "height": 844}
BRING = """([selector, kind, data]) => {
  const bytes = Uint8Array.from(atob(data), (each) => each.charCodeAt(0));
  const brought = new DataTransfer();
  brought.items.add(new File([bytes], "x.png", { type: "image/png" }));
  const event = kind === "paste" ? new ClipboardEvent(kind, { clipboardData: brought, bubbles: true, cancelable: true })
    : new DragEvent(kind, { dataTransfer: brought, bubbles: true, cancelable: true });
  document.querySelector(selector).dispatchEvent(event);
}"""


@pytest.fixture(scope="module")
def exam(live_rows: None) -> Exam:
    return make_exam(weights=(100,))


@pytest.fixture
def alice(exam: Exam) -> User:
    return learner_named(f"picturesque{User.objects.count()}")


@pytest.fixture(scope="module")
def editor(exam: Exam) -> User:
    return person("illustrator", EDITORS)


@pytest.fixture
def question(exam: Exam) -> tuple[QuestionVersion, str, str]:
    if found := QuestionVersion.objects.filter(pool="reserved").first():
        prompt, solution = (found.pictures.get(in_solution=told).picture.name for told in (False, True))
        return found, prompt, solution
    return publish_illustrated(exam, 1, pool="reserved")


@pytest.fixture
def learner(browser: Browser, live_site: Site, exam: Exam, alice: User, question: object) -> Iterator[Learner]:
    session = begin_mock(Owner(user_id=alice.pk), exam, 1, timezone.now())
    context = browser.new_context(viewport=NARROW)
    sign_in(context, live_site, alice)
    made = Learner(context, live_site, session)
    yield made.open()
    context.close()
    assert made.errors == []


def is_drawn(page: Page, name: str) -> bool:
    shown = page.locator(f'img[src="/pictures/{name}"]')
    expect(shown.first).to_be_visible()
    shown.first.scroll_into_view_if_needed()
    page.wait_for_function(f"({LOADED})([...document.querySelectorAll('img[src=\"/pictures/{name}\"]')])")
    return True


@pytest.mark.gate
def test_a_stored_session_has_its_prompts_pictures_encrypted_and_shows_them_offline(
    learner: Learner, question: tuple[QuestionVersion, str, str]
) -> None:
    _, prompt, solution = question
    assert is_drawn(learner.page, prompt)
    found = learner.stored()
    assert f"/pictures/{prompt}" in found["files"]
    assert "PNG\r\n" not in found["raw"]
    with learner.away():
        learner.page.goto("about:blank")
        learner.page.goto(learner.address)
        expect(learner.page.locator("#session[data-kept]")).to_be_attached()
        assert is_drawn(learner.page, prompt)
    assert not any(solution in str(part) for part in learner.stored().values())


def test_a_page_with_an_unavailable_picture_shows_its_alt_text_and_is_stored(
    learner: Learner, question: tuple[QuestionVersion, str, str]
) -> None:
    _, prompt, _ = question
    drop = "async () => { for (const n of await caches.keys()) await (await caches.open(n)).delete('/pictures/%s'); }"
    learner.page.evaluate(drop % prompt)
    with learner.away():
        learner.page.goto("about:blank")
        learner.page.goto(learner.address)
        expect(learner.page.locator("#session[data-kept]")).to_be_attached()
        expect(learner.page.locator(f'img[src="/pictures/{prompt}"]')).to_have_attribute("alt", SHOWN)


@pytest.mark.gate
def test_an_editor_uploads_drops_and_pastes_pictures_into_texts_that_can_show_them(
    browser: Browser, live_site: Site, editor: User, exam: Exam
) -> None:
    context = browser.new_context()
    sign_in(context, live_site, editor)
    page, said = context.new_page(), []
    page.on("console", lambda message: said.append(message.text))
    page.goto(live_site.url + ADD)
    page.locator("#id_stem").fill("Look.")
    chosen = {"name": "x.png", "mimeType": "image/png", "buffer": image(201)}
    page.locator("#picture-file").set_input_files(chosen)
    state = page.locator("#picture-said")
    expect(state).to_have_attribute("data-state", "added")
    name = Picture.objects.get(size__gt=0, pk=Picture.objects.latest("pk").pk).name
    expect(page.locator("#id_stem")).to_have_value(f"Look.\n\n![](picture:{name})")
    page.keyboard.type("A bar")
    expect(page.locator("#id_stem")).to_have_value(f"Look.\n\n![A bar](picture:{name})")
    for kind, colour in (("paste", 202), ("drop", 203)):
        page.locator("#id_explanation").fill("")
        page.evaluate(BRING, ["#id_explanation", kind, base64.b64encode(image(colour)).decode()])
        expect(page.locator("#id_explanation")).to_have_value(f"![](picture:{_newest(page)})")
    page.evaluate(BRING, ["#id_title", "drop", base64.b64encode(image(204)).decode()])
    expect(state).to_have_attribute("data-state", "refused")
    page.locator("#id_domain").select_option("d1")
    preview = page.frame_locator("#preview-frame").locator(f'img[src="/pictures/{name}"]')
    expect(preview.first).to_be_visible()
    context.close()
    assert said == []


def _newest(page: Page) -> str:
    expect(page.locator("#picture-said")).to_have_attribute("data-state", "added")
    page.wait_for_function("document.getElementById('id_explanation').value !== ''")
    return Picture.objects.latest("pk").name
