"""An error can be reported and followed up without an account, in private, and no reserved question is revealed."""

import html
import re
import uuid

import pytest
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from courseiva.accounts.models import User
from questions.models import ContentReport, Question, QuestionVersion, ReportKind, ReportState
from questions.reports.reads.reporters import Reporter
from questions.reports.report import HOURLY_LIMIT, Answer, Complaint, answer_report, report
from tests.questions.test_pages_question import second_version, statements
from tests.support.bank import NOW, add_questions, make_exam
from tests.support.hooks import codes, figures, parsed, states

pytestmark = pytest.mark.django_db
FORM, SEND, RECEIPT, LIST, QUEUE, ANSWER = 1, 4, 1, 4, 15, 10
WITH_A_NOTE = 5
XSS = "<script>alert(1)</script><img src=x onerror=alert(2)>"


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 1)
    return exam


@pytest.fixture
def question(exam):
    return Question.objects.select_related("live_version").get(number=1)


def person(name, *permissions, **fields):
    user = User.objects.create_user(
        f"{name}@example.org", "a long enough password", display_name=name.title(), **fields
    )
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    client = Client()
    client.force_login(user)
    client.user = user
    return client


@pytest.fixture
def alice():
    return person("alice")


@pytest.fixture
def bob():
    return person("bob")


@pytest.fixture
def charlie():
    """Return an editor."""
    return person("charlie", "change_question", is_staff=True)


def form_of(question, version=1):
    return reverse("report-new", args=[question.pk]) + f"?version={version}"


def send(client, question, version=1, **fields):
    return client.post(form_of(question, version), {"kind": "fact", "slot": "", "text": "It is wrong.", **fields})


def made_by(client, question, text="It is wrong."):
    reporter = Reporter(user_id=client.user.pk) if hasattr(client, "user") else Reporter(network="192.0.2.1")
    return report(question.live_version, Complaint(ReportKind.FACT, text), reporter, NOW, limited=False)


def answered(made, by, state=ReportState.ACCEPTED, note="", outcome="It is mended."):
    return answer_report(made.pk, Answer(state, outcome, note), made.answers, by.user, NOW)


def page_of(made):
    return reverse("report", args=[made.token])


def test_the_form_is_for_the_version_that_was_read(exam, question):
    text = Client().get("/exams/pmle/questions/1-situation-1/").text
    [link] = re.findall(r'href="([^"]+reports/new[^"]+)" rel="nofollow">', text)
    assert link == form_of(question)
    response = Client().get(link)
    form = response.text
    assert response.context["target"].version == question.live_version
    for slot, letter in ((1, "A"), (4, "D")):
        assert re.search(rf'name="slot" value="{slot}">\s*<span class="bubble"[^>]*>{letter}</span>', form)
        assert f"Thing {slot} of 1" in form
    assert "zqcanary" not in form


def test_the_pages_are_neither_cached_nor_listed(question, alice):
    made = made_by(alice, question)
    for address in (form_of(question), page_of(made), reverse("reports")):
        answer = alice.get(address)
        assert "no-store" in answer.headers["Cache-Control"]
        assert '<meta name="robots" content="noindex">' in answer.text


def test_a_guest_reports_and_reads_the_outcome_at_a_private_address(question, charlie):
    guest = Client()
    answer = send(guest, question, slot="2", kind="key")
    made = ContentReport.objects.get()
    assert (answer.status_code, answer.url) == (302, page_of(made))
    assert (made.reporter, made.slot, made.kind) == (None, 2, "key")
    receipt = Client().get(answer.url).text
    assert states(receipt) == ["open", "guest"]
    for part in (f"http://testserver{page_of(made)}", "It is wrong.", "Thing 2 of 1", ReportKind.KEY.label,
                 "/1-situation-1/"):  # fmt: skip
        assert part in receipt
    answered(made, charlie, note="A number mended.")
    outcome = Client().get(page_of(made)).text
    assert states(outcome) == ["accepted"]
    for part in ("It is mended.", "A number mended."):
        assert part in outcome
    assert "charlie" not in outcome.lower()


def test_a_signed_in_reporter_finds_all_reports_with_their_outcomes(question, alice, charlie):
    assert states(alice.get(reverse("reports"))) == ["empty"]
    send(alice, question)
    made = ContentReport.objects.get()
    assert made.reporter == alice.user
    assert states(alice.get(reverse("reports"))) == ["open"]
    answered(made, charlie, ReportState.DECLINED, outcome="The source says so.")
    text = alice.get(reverse("reports")).text
    assert states(text) == ["declined"]
    assert "The source says so." in text
    assert page_of(made) in text


def test_other_peoples_reports_are_not_found(question, alice, bob, charlie):
    made = made_by(alice, question)
    assert alice.get(page_of(made)).status_code == 200
    assert bob.get(page_of(made)).status_code == 404
    assert charlie.get(page_of(made)).status_code == 404
    asked = Client().get(page_of(made))
    assert (asked.status_code, asked.url) == (302, f"/accounts/login/?next={page_of(made)}")
    assert "It is wrong." not in bob.get(reverse("reports")).text
    assert Client().get(reverse("report", args=[uuid.uuid4()])).status_code == 404


def test_to_a_signed_out_visitor_the_list_explains_itself_and_offers_to_sign_in(question):
    text = Client().get(reverse("reports")).text
    assert "/accounts/login/?next=/reports/" in text


def test_only_editors_can_open_the_queue(question, alice, charlie):
    queue = reverse("admin:questions_contentreport_changelist")
    made_by(alice, question)
    made_by(alice, question, "And again.")
    text = charlie.get(reverse("reports")).text
    assert figures(parsed(text).select_one("[data-state=queue]").text) == [2]
    assert queue in text
    assert queue not in alice.get(reverse("reports")).text


def test_a_form_from_another_origin_is_refused(question):
    strict = Client(enforce_csrf_checks=True)
    assert send(strict, question).status_code == 403
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', strict.get(form_of(question)).text).group(1)
    fields = {"kind": "fact", "text": "It is wrong.", "csrfmiddlewaretoken": token}
    forged = strict.post(form_of(question), fields, headers={"origin": "https://evil.example"})
    assert forged.status_code == 403
    assert not ContentReport.objects.exists()
    assert strict.post(form_of(question), fields, headers={"origin": "http://testserver"}).status_code == 302


def test_markup_in_a_report_is_escaped(question, alice, charlie):
    send(alice, question, text=XSS)
    made = answered(ContentReport.objects.get(), charlie, note=XSS, outcome=XSS)
    admin = reverse("admin:questions_contentreport_change", args=[made.pk])
    queue = reverse("admin:questions_contentreport_changelist")
    seen = [
        (alice, page_of(made)), (alice, reverse("reports")), (charlie, admin), (charlie, queue),
        (Client(), "/exams/pmle/questions/1-situation-1/"),
    ]  # fmt: skip
    for client, address in seen:
        text = client.get(address).text
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert html.escape(XSS)[:30] in text


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"text": " "}, "required"),
        ({"text": "x" * 2001}, "max_length"),
        ({"kind": "nonsense"}, "invalid_choice"),
        ({"slot": "9"}, "invalid_choice"),
        ({"slot": "x"}, "invalid_choice"),
    ],
)
def test_a_refused_report_is_shown_as_typed(question, fields, code):
    answer = send(Client(), question, **{"slot": "3", "text": "Typed with care", **fields})
    assert answer.status_code == 400
    assert codes(answer.context["form"]) == {name: [code] for name in fields}
    assert parsed(answer).select(".field-error")
    if "text" not in fields:
        assert "Typed with care</textarea>" in answer.text
    if "slot" not in fields:
        assert 'value="3" checked' in answer.text
    assert not ContentReport.objects.exists()


def test_a_report_of_2000_characters_fits_with_any_line_endings(question):
    assert send(Client(), question, text="ab\r\n" * 666 + "cd").status_code == 302
    assert len(ContentReport.objects.get().text) == 2000


def test_the_limit_is_explained_and_nothing_typed_is_lost(question):
    for n in range(HOURLY_LIMIT):
        assert send(Client(), question, text=f"Wrong {n}").status_code == 302
    answer = send(Client(), question, text="Typed with care")
    assert answer.status_code == 429
    assert codes(answer.context["form"]) == {"__all__": ["too-many-reports"]}
    assert figures(parsed(answer).select_one("[role=alert]").text)[0] == HOURLY_LIMIT
    assert "Typed with care</textarea>" in answer.text
    assert send(Client(REMOTE_ADDR="192.0.2.9"), question).status_code == 302
    assert send(person("dora"), question).status_code == 302


def test_pressing_send_twice_makes_one_report_and_redirects_to_it(question, alice):
    assert send(alice, question).url == send(alice, question).url
    assert send(Client(), question).url == send(Client(), question).url
    assert ContentReport.objects.count() == 2


@pytest.mark.parametrize("change", ["reserved", "version", "unpublished", "retired"])
def test_a_question_without_a_page_cannot_be_reported_from_outside(question, change):
    rows = Question.objects.filter(pk=question.pk)
    if change == "reserved":
        rows.update(pool="reserved")
    elif change == "version":
        QuestionVersion.objects.filter(pk=question.live_version_id).update(pool="reserved")
    elif change == "unpublished":
        rows.update(live_version=None)
    else:
        rows.update(retired_at=NOW)
    assert Client().get(form_of(question)).status_code == 404
    assert send(Client(), question).status_code == 404
    assert Client().get("/reports/new/99999999999999999999999999/").status_code == 404


def test_a_withdrawn_question_can_be_reported(question):
    Question.objects.filter(pk=question.pk).update(withdrawn_at=NOW)
    assert send(Client(), question).status_code == 302


def test_the_report_is_about_the_version_that_was_read(question):
    second_version(question, title="Situation 1 mended")
    shown = parsed(Client().get(form_of(question)))
    assert figures(shown.select_one("[data-state=outdated]").text) == [1, 2]
    send(Client(), question)
    assert ContentReport.objects.get().version.number == 1
    for number in ("", "2", "7", "x", "99999999999"):
        assert "question 1 · version 2" in Client().get(form_of(question, number)).text


def test_a_version_that_was_reserved_is_not_shown(question):
    QuestionVersion.objects.filter(pk=question.live_version_id).update(title="Reserved then", pool="reserved")
    first = question.live_version_id
    second_version(Question.objects.get(pk=question.pk), title="Open now", pool="open")
    assert "Reserved then" not in Client().get(form_of(question)).text
    assert QuestionVersion.objects.get(pk=first).pool == "reserved"


def test_a_guests_report_page_hides_a_question_that_became_reserved(question, alice):
    by_guest, by_alice = made_by(Client(), question), made_by(alice, question)
    Question.objects.filter(pk=question.pk).update(pool="reserved")
    assert "Situation 1" not in Client().get(page_of(by_guest)).text
    assert "Situation 1" in alice.get(page_of(by_alice)).text
    assert "/questions/1-" not in alice.get(page_of(by_alice)).text


def test_the_back_link_goes_to_a_session_or_the_question_and_nowhere_else(question, alice):
    made = made_by(alice, question)
    for junk in ("?session=https://evil.example&item=1", "?session=&item=", "?session=x"):
        text = alice.get(page_of(made) + junk).text
        assert "evil" not in text
        assert 'class="btn" href="/exams/pmle/questions/1-situation-1/"' in text
    session = uuid.uuid4()
    assert f"/practice/sessions/{session}/items/3/" in alice.get(f"{page_of(made)}?session={session}&item=3").text


def counted(client, address, data=None):
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(address) if data is None else client.post(address, data)
    assert answer.status_code in (200, 302)
    return len([q for q in queries if not q["sql"].startswith(("SAVEPOINT", "RELEASE"))])


@pytest.mark.parametrize("reports", [1, 3])
def test_the_statement_count_does_not_grow_with_the_reports(question, alice, charlie, reports):
    for n in range(reports):
        made = made_by(alice, question, f"Wrong {n}")
    guests = made_by(Client(), question)
    assert counted(Client(), form_of(question)) == FORM
    assert counted(Client(), form_of(question), {"kind": "fact", "text": "New"}) <= SEND
    assert counted(Client(), page_of(guests)) == RECEIPT
    assert counted(alice, reverse("reports")) == LIST
    assert counted(charlie, reverse("admin:questions_contentreport_changelist")) <= QUEUE
    assert counted(charlie, reverse("admin:questions_contentreport_change", args=[made.pk])) <= ANSWER


def test_the_changelog_shows_what_an_accepted_report_led_to(question, alice, charlie):
    address = "/exams/pmle/questions/1-situation-1/"
    made = made_by(alice, question)
    before = statements(Client(), address)
    answered(made, charlie)
    assert statements(Client(), address) == before  # without a note there is no line and no extra statement
    answered(ContentReport.objects.get(), charlie, note="The table has 3 TB, not 3 GB.")
    assert statements(Client(), address) == WITH_A_NOTE
    text = Client().get(address).text
    assert "The table has 3 TB, not 3 GB." in text
    assert "Alice" not in text
    second_version(question, change_note="A comma.")
    assert statements(Client(), address) == WITH_A_NOTE
    lines = parsed(Client().get(address)).select("#changelog li[data-version]")
    assert sorted((line["data-version"], line["data-kind"]) for line in lines) == [
        ("1", "first"), ("1", "reported"), ("2", "wording"),
    ]  # fmt: skip
    notes = [note.text for line in lines for note in line.select("[data-note]")]
    assert sorted(notes) == ["A comma.", "The table has 3 TB, not 3 GB."]


# The editors' queue


def queue_page(made):
    return reverse("admin:questions_contentreport_change", args=[made.pk])


def test_only_those_who_may_change_questions_see_the_queue(question, alice, charlie):
    made = made_by(alice, question)
    moderator = person("mona", "view_question", is_staff=True)
    for address in (reverse("admin:questions_contentreport_changelist"), queue_page(made)):
        assert charlie.get(address).status_code == 200
        assert moderator.get(address).status_code == 403
        assert alice.get(address).status_code == 302
    assert moderator.post(queue_page(made), {"state": "declined", "outcome": "No.", "seen": "0"}).status_code == 403
    made.refresh_from_db()
    assert made.state == ReportState.OPEN


def test_open_reports_come_first_with_the_oldest_on_top(question, alice, charlie):
    for text in ("One", "Two", "Three"):
        made_by(alice, question, text)
    answered(ContentReport.objects.get(text="One"), charlie)
    ContentReport.objects.filter(text="Three").update(made_at=NOW.replace(year=2025))
    text = charlie.get(reverse("admin:questions_contentreport_changelist")).text
    places = [text.index(f">{word}<") for word in ("Three", "Two", "One")]
    assert places == sorted(places)
    assert "alice@" not in text
    found = charlie.get(
        reverse("admin:questions_contentreport_changelist") + "?q=Two&state__exact=open&kind__exact=fact"
    )
    assert ">Two<" in found.text
    assert ">Three<" not in found.text
    exam = question.exam_id
    assert charlie.get(
        reverse("admin:questions_contentreport_changelist")
        + f"?version__question__exam__id__exact={exam}&version__domain__id__exact={question.domain_id}"
    ).status_code == 200  # fmt: skip


def test_an_editor_sees_everything_needed_and_answers(question, alice, charlie):
    made = report(
        question.live_version, Complaint(ReportKind.KEY, "Two\nlines", 2), Reporter(user_id=alice.user.pk), NOW
    )
    text = charlie.get(queue_page(made)).text
    for part in (": Situation 1", "Thing 2 of 1", "Two<br>lines", "Alice", ReportKind.KEY.label,
                 "/exams/pmle/questions/1-situation-1/", "deciding words 1"):  # fmt: skip
        assert part in text
    assert 'name="text"' not in text
    fields = {"state": "accepted", "outcome": "Mended.", "public_note": "Mended.", "seen": "0", "text": "Rewritten"}
    assert charlie.post(queue_page(made), fields).status_code == 302
    made.refresh_from_db()
    assert (made.state, made.outcome, made.answered_by, made.text) == (
        "accepted",
        "Mended.",
        charlie.user,
        "Two\nlines",
    )
    history = charlie.get(reverse("admin:questions_contentreport_history", args=[made.pk])).text
    assert "accepted: Mended." in history


@pytest.mark.parametrize(
    ("fields", "errors"),
    [
        ({"state": ""}, {"state": ["required"]}),
        ({"state": "open"}, {"state": ["invalid_choice"]}),
        ({"outcome": ""}, {"__all__": ["no-outcome"]}),
        ({"public_note": "A note"}, {"__all__": ["note-without-change"]}),
    ],
)
def test_an_incomplete_answer_is_shown_again(question, alice, charlie, fields, errors):
    made = made_by(alice, question)
    answer = charlie.post(queue_page(made), {"state": "declined", "outcome": "No.", "seen": "0", **fields})
    assert answer.status_code == 200
    assert codes(answer.context["adminform"].form) == errors
    assert parsed(answer).select(".errorlist")
    made.refresh_from_db()
    assert made.state == ReportState.OPEN


def test_an_answer_from_an_older_page_is_refused_with_both_texts(question, alice, charlie):
    made = made_by(alice, question)
    answered(made, charlie, ReportState.DECLINED, outcome="The source says so.")
    other = person("dora", "change_question", is_staff=True)
    answer = other.post(queue_page(made), {"state": "accepted", "outcome": "Typed with care", "seen": "0"})
    assert codes(answer.context["adminform"].form) == {"__all__": ["already-answered"]}
    told = parsed(answer).select_one(".errorlist").text
    assert all(part in told for part in ("Charlie", "declined", "The source says so."))
    assert "Typed with care</textarea>" in answer.text
    made.refresh_from_db()
    assert made.outcome == "The source says so."


def test_the_second_of_two_simultaneous_answers_is_refused(question, alice, charlie, monkeypatch):
    made = made_by(alice, question)
    other = person("dora", "change_question", is_staff=True)

    def first_the_other(*args):
        answer_report(made.pk, Answer(ReportState.DECLINED, "The source says so."), 0, charlie.user, NOW)
        return answer_report(*args)

    monkeypatch.setattr("questions.reports.admin.answer_report", first_the_other)
    answer = other.post(queue_page(made), {"state": "accepted", "outcome": "Typed with care", "seen": "0"}, follow=True)
    told = parsed(answer).select_one(".messagelist .error").text
    assert all(part in told for part in ("Charlie", "declined", "Typed with care"))


def test_saving_without_a_change_does_not_answer_the_report(question, alice, charlie):
    made = answered(made_by(alice, question), charlie, note="A note")
    charlie.post(queue_page(made), {"state": "accepted", "outcome": made.outcome, "public_note": "A note", "seen": "1"})
    made.refresh_from_db()
    assert made.answers == 1


def test_reports_cannot_be_added_or_deleted_by_hand(question, alice):
    made = made_by(alice, question)
    root = person("root", is_staff=True, is_superuser=True)
    assert root.get(reverse("admin:questions_contentreport_add")).status_code == 403
    assert (
        root.post(reverse("admin:questions_contentreport_delete", args=[made.pk]), {"post": "yes"}).status_code == 403
    )
    assert ContentReport.objects.count() == 1
