"""The notebook groups, finds, prints and exports highlights, notes and stars, and makes flashcards from misses."""

import datetime as dt

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from practice.handover.adopt import adopt
from practice.handover.forget import forget
from practice.learners.reads.identity import Owner
from practice.models import CardTurn, Highlight, Learner, ReviewCard
from practice.notebook.keep import keep_note, set_star
from practice.notebook.rules import stands_in
from practice.readiness.derive.rebuild import rebuild_analytics
from practice.reviews.make_cards import refresh_cards
from practice.reviews.reads import Today, done_today
from practice.sessions.ending.finish import finish
from practice.sessions.player.check import check
from practice.start.reads.cards import cards_page
from questions.models import QuestionVersion, StudyModule
from questions.modules.rules.html import module_html
from tests.support.bank import CANARY, NOW, add_questions, make_exam
from tests.support.families import add_family
from tests.support.hooks import parsed, states
from tests.support.sessions import begin_drill, begin_mock, guest, guest_client, learner_of, right_places, state

pytestmark = [pytest.mark.long("many requests"), pytest.mark.django_db]
SAME_ORIGIN = {"HTTP_SEC_FETCH_SITE": "same-origin"}
DAY = dt.timedelta(days=1)


@pytest.fixture
def exam():
    exam = make_exam()
    add_questions(exam, 2)
    return exam


@pytest.fixture
def module(exam):
    body = "## One part\n\nThe *first* words.\n\n:::tip\nLook twice &c.\n:::\n"
    return StudyModule.objects.create(
        exam=exam, domain=exam.domains.get(key="d2"), number=1, slug="m", title="Module", summary="About.", body=body,
        html=module_html(body), loaded_digest="one",
    )  # fmt: skip


def missed(owner, exam, count=1, now=None, size=6):
    """Return a finished drill whose first answers are wrong, with its cards made."""
    now = now or timezone.now() - 3 * DAY
    session = begin_drill(owner, exam, now=now, size=size)
    for position in range(1, count + 1):
        wrong = (right_places(session, position)[0] + 1) % 4
        check(session.uuid, owner, state(position, 1, wrong), None, now)
    finish(session.uuid, owner, now)
    refresh_cards(session.learner_id, exam.pk)
    return session


def words_of(session, position=1):
    return session.items.get(position=position).version.stem.split(".")[0]


def send(client, session, position=1, **fields):
    return client.post(reverse("highlight", args=[session.uuid, position]), fields, **SAME_ORIGIN)


def shown(client, exam, query=""):
    return parsed(client.get(reverse("notebook", args=[exam.slug]) + query))


class TestWords:
    @pytest.mark.parametrize(
        ("words", "html", "found"),
        [
            ("two words", "<p>These <em>two</em>\n words.</p>", True),
            ("end. Next", "<p>The end.</p><p>Next one.</p>", True),
            ("a & b", "<p>a &amp; b</p>", True),
            ("em", "<p><em>x</em></p>", False),
            ("", "<p>x</p>", False),
        ],
    )
    def test_words_are_found_in_a_text_across_lines_and_elements(self, words, html, found):
        assert stands_in(words, html) is found


class TestHighlights:
    def test_words_of_a_stem_are_stored_once_shown_highlighted_and_listed(self, alice, exam):
        session = missed(alice.owner, exam)
        words = words_of(session)
        for _ in range(2):
            assert "said=words" in send(alice, session, words=f"  {words} ".replace(" ", "\n")).url
        assert Highlight.objects.get().text == words
        page = parsed(alice.get(reverse("breakdown", args=[session.uuid, 1])))
        assert page.select_one(".scenario.is-marked mark").text == words
        assert [mark.text for mark in shown(alice, exam).select("[data-highlight] mark")] == [words]

    @pytest.mark.parametrize("words", ["not in the text", "", "x" * 301, "<script>"])
    def test_words_not_in_the_text_are_refused(self, alice, exam, words):
        session = missed(alice.owner, exam)
        assert "said=no-words" in send(alice, session, words=words).url
        fragment = alice.post(
            reverse("highlight", args=[session.uuid, 1]), {"words": words}, HTTP_HX_REQUEST="true", **SAME_ORIGIN
        )
        assert parsed(fragment).select_one("[data-said=no-words]")
        assert not Highlight.objects.exists()

    def test_a_highlight_is_shown_as_earlier_wording_once_the_question_has_changed(self, alice, exam):
        session = missed(alice.owner, exam)
        send(alice, session, words=words_of(session))
        question = session.items.get(position=1).version.question
        version = question.live_version
        version.pk, version.number = None, 2
        version.save()
        question.live_version = version
        question.save()
        assert "earlier" not in states(alice.get(reverse("notebook", args=[exam.slug])))
        QuestionVersion.objects.filter(pk=version.pk).update(stem_html="<p>Other words.</p>")
        page = shown(alice, exam)
        assert page.select("[data-highlight] [data-state=earlier]")
        assert page.select_one("[data-highlight] mark").text == words_of(session)

    def test_words_of_a_module_link_to_it_until_it_changes(self, alice, exam, module):
        address = reverse("module-highlight", args=[exam.slug, 1])
        for words in ("The first words.", "Look twice &c."):
            assert alice.post(address, {"words": words}, **SAME_ORIGIN).status_code == 302
        assert alice.post(address, {"words": "gone"}, HTTP_HX_REQUEST="true", **SAME_ORIGIN).status_code == 400
        page = shown(alice, exam)
        assert len(page.select("[data-highlight] a[href*=':~:text=']")) == 2
        StudyModule.objects.update(loaded_digest="two")
        assert len(shown(alice, exam).select("[data-highlight] [data-state=earlier]")) == 2
        alice.post(address, {"words": "The first words."}, **SAME_ORIGIN)
        assert len(shown(alice, exam).select("[data-highlight] [data-state=earlier]")) == 1

    def test_a_stranger_becomes_a_guest_by_highlighting_in_a_module(self, exam, module):
        newcomer = Client()
        newcomer.post(reverse("module-highlight", args=[exam.slug, 1]), {"words": "Look twice"}, **SAME_ORIGIN)
        assert shown(newcomer, exam).select("[data-highlight]")
        assert not shown(Client(), exam).select("[data-highlight]")

    def test_only_its_owner_can_remove_a_highlight(self, alice, exam):
        session = missed(alice.owner, exam)
        send(alice, session, words=words_of(session))
        drop = shown(alice, exam).select_one("[data-highlight] form")["action"]
        bob, token = guest()
        learner_of(bob)
        guest_client(token).post(drop, **SAME_ORIGIN)
        assert Highlight.objects.exists()
        assert alice.post(drop, HTTP_SEC_FETCH_SITE="cross-site").status_code == 403
        alice.post(drop, **SAME_ORIGIN)
        assert not Highlight.objects.exists()

    def test_strangers_unchecked_questions_and_open_mocks_have_no_highlights(self, alice, exam):
        session = missed(alice.owner, exam)
        drill = begin_drill(alice.owner, exam, now=timezone.now())
        mock = begin_mock(alice.owner, exam, 6, now=timezone.now())
        assert send(guest_client(guest()[1]), session, words="Team").status_code == 404
        for running in (drill, mock):
            assert send(alice, running, words="Team").status_code == 404
        assert not Highlight.objects.exists()


class TestThePage:
    @pytest.fixture
    def session(self, alice, exam, module):
        session = missed(alice.owner, exam, 3)
        keep_note(alice.owner, session.uuid, 1, "Mind the *quota*", timezone.now())
        set_star(alice.owner, session.uuid, 2, True, timezone.now())
        send(alice, session, 3, words=words_of(session, 3))
        return session

    def test_entries_are_grouped_by_domain_and_link_to_the_marked_question(self, alice, exam, session):
        page = shown(alice, exam)
        assert len(page.select("article.kept")) == 3
        links = {a["href"] for a in page.select("article.kept h3 a")}
        assert links == {reverse("breakdown", args=[session.uuid, n]) for n in (1, 2, 3)}
        heads = [int(head.text) for head in page.select(".notebook h2.secbar b") if head.text.isdigit()]
        assert heads == sorted(heads)
        assert "Mind the *quota*" in page.select_one(".kept-note").text

    @pytest.mark.parametrize(
        ("query", "count"),
        [("?kind=notes", 1), ("?kind=starred", 1), ("?kind=highlights", 1), ("?words=QUOTA", 1), ("?words=zzz", 0),
         ("?kind=junk&domain=&page=x", 3), ("?domain=d9", 0), ("?concept=c9", 0)],
    )  # fmt: skip
    def test_a_filter_shows_only_matching_entries(self, alice, exam, session, query, count):
        page = shown(alice, exam, query)
        assert len(page.select("article.kept")) == count
        assert bool(page.select("[data-state=nothing-found]")) is (count == 0)

    def test_entries_are_grouped_by_domain_and_by_concept(self, alice, exam, session):
        domain = session.items.get(position=1).version.domain
        fitting = sum(item.version.domain == domain for item in session.items.filter(position__lte=3))
        for query in (f"?domain={domain.key}", f"?concept=c{domain.number}"):
            assert len(shown(alice, exam, query).select("article.kept")) == fitting

    def test_the_notebook_is_exported_as_it_is_shown(self, alice, exam, session):
        whole = alice.get(reverse("notebook-export", args=[exam.slug]))
        assert whole["Content-Disposition"].endswith('notebook.md"')
        assert "\n> " in whole.text
        assert "Mind the *quota*" in whole.text
        notes = alice.get(reverse("notebook-export", args=[exam.slug]) + "?kind=notes").text
        assert "\n> " not in notes

    def test_the_notebook_shows_no_key_and_nothing_from_others(self, alice, exam, session):
        assert CANARY not in alice.get(reverse("notebook", args=[exam.slug])).text
        bob, token = guest()
        learner_of(bob)
        assert "empty" in states(guest_client(token).get(reverse("notebook", args=[exam.slug])))
        assert "empty" in states(Client().get(reverse("notebook", args=[exam.slug])))
        assert alice.get(reverse("notebook", args=["gone"])).status_code == 404

    def test_a_full_page_links_to_the_next_and_to_all_entries(self, alice, exam):
        add_questions(exam, 6)
        session = missed(alice.owner, exam, 34, size=40)
        for position in range(1, 35):
            set_star(alice.owner, session.uuid, position, True, timezone.now())
        page = shown(alice, exam, "?kind=starred")
        assert len(page.select("article.kept")) == 30
        following = page.select_one("[rel=next]")["href"]
        assert len(shown(alice, exam, following).select("article.kept")) == 4
        assert len(shown(alice, exam, "?whole=on").select("article.kept")) == 34

    @pytest.mark.parametrize("count", [1, 3])
    def test_the_statement_count_does_not_grow_with_the_bank(self, alice, exam, module, count):
        session = missed(alice.owner, exam, 3)
        for position in range(1, count + 1):
            keep_note(alice.owner, session.uuid, position, "x", timezone.now())
            send(alice, session, position, words=words_of(session, position))
        with CaptureQueriesContext(connection) as asked:
            shown(alice, exam)
        assert len(asked) == 13


class TestFlashcards:
    def page(self, client, exam):
        return parsed(client.get(reverse("flashcards", args=[exam.slug])))

    def turn(self, client, exam, knew="yes"):
        card = self.page(client, exam).select_one("[data-card]")["data-card"]
        client.post(reverse("flashcard-turn", args=[exam.slug]), {"card": card, "knew": knew}, **SAME_ORIGIN)
        return int(card)

    def test_a_cards_front_is_the_scenario_and_its_back_the_deciding_clue_principle_and_takeaway(self, alice, exam):
        missed(alice.owner, exam)
        page = self.page(alice, exam)
        assert not page.select_one(".flashcard").has_attr("open")
        front = str(page.select_one("[data-card] .scenario")) + page.select_one(".flashcard summary").text
        assert CANARY not in front
        behind = page.select_one(".flashcard").text
        for part in ("principle", "takeaway", "deciding words"):
            assert part in behind
        assert len(page.select("[data-card] .btn:not(.btn--quiet)")) == 1

    @pytest.mark.parametrize(("knew", "later"), [("yes", True), ("no", False)])
    def test_turning_a_card_plans_the_next_review_and_none_is_due_again_today(self, alice, exam, knew, later):
        missed(alice.owner, exam)
        before = ReviewCard.objects.get()
        self.turn(alice, exam, knew)
        after = ReviewCard.objects.get()
        assert after.due_at > timezone.now()
        assert (after.stability > before.stability) is later
        assert after.lapses == (0 if later else 1)
        assert "no-card" in states(str(self.page(alice, exam)))

    def test_a_turned_card_counts_towards_the_days_reviews(self, alice, exam):
        missed(alice.owner, exam, 2)
        self.turn(alice, exam)
        learner = Learner.objects.get()
        assert done_today(learner, exam, Today.of(learner, timezone.now())) == 1
        assert cards_page(exam, learner, timezone.now()).left == 1

    def test_rebuilt_cards_are_the_same_and_answers_are_untouched(self, alice, exam):
        session = missed(alice.owner, exam)
        self.turn(alice, exam, "no")
        kept = ReviewCard.objects.values().get()
        answers = list(session.items.values())
        rebuild_analytics(timezone.now())
        assert ReviewCard.objects.values().get() == kept
        assert list(session.items.values()) == answers

    def test_there_is_no_card_for_a_question_or_a_sibling_in_an_unfinished_mock(self, alice):
        exam = make_exam("ace")
        add_questions(exam, 3, domains=("d2", "d3", "d4", "d5", "d6"))
        add_family(exam)
        session = begin_drill(alice.owner, exam, now=timezone.now() - 3 * DAY, size=6, domains=("d1",))
        check(session.uuid, alice.owner, state(1, 1, (right_places(session, 1)[0] + 1) % 4), None, NOW)
        finish(session.uuid, alice.owner, NOW)
        refresh_cards(session.learner_id, exam.pk)
        card = int(self.page(alice, exam).select_one("[data-card]")["data-card"])
        begin_mock(alice.owner, exam, now=timezone.now())
        page = alice.get(reverse("flashcards", args=[exam.slug]))
        assert "no-card" in states(page)
        assert CANARY not in page.text
        sent = {"card": card, "knew": "yes"}
        assert alice.post(reverse("flashcard-turn", args=[exam.slug]), sent, **SAME_ORIGIN).status_code == 404

    def test_only_the_owner_turns_a_card(self, alice, exam):
        missed(alice.owner, exam)
        bob, token = guest()
        learner_of(bob)
        sent = {"card": ReviewCard.objects.get().question_id, "knew": "yes"}
        address = reverse("flashcard-turn", args=[exam.slug])
        assert guest_client(token).post(address, sent, **SAME_ORIGIN).status_code == 404
        assert Client().post(address, sent, **SAME_ORIGIN).status_code == 404
        assert alice.post(address, sent, HTTP_SEC_FETCH_SITE="cross-site").status_code == 403
        assert not CardTurn.objects.exists()

    @pytest.mark.parametrize("count", [1, 3])
    def test_the_statement_count_does_not_grow_with_the_bank(self, alice, exam, count):
        missed(alice.owner, exam, count)
        with CaptureQueriesContext(connection) as asked:
            self.page(alice, exam)
        assert len(asked) == 6


def test_kept_items_survive_sign_in_and_are_deleted_with_the_guest(alice, exam, django_user_model):
    session = missed(alice.owner, exam)
    send(alice, session, words=words_of(session))
    TestFlashcards().turn(alice, exam)
    user = Owner(user_id=django_user_model.objects.create_user(email="u@example.org", password="x").pk)
    mine = learner_of(user)
    Highlight.objects.create(
        learner=mine, version=session.items.get(position=1).version, text=words_of(session), made_at=NOW
    )
    adopt(alice.owner, user, timezone.now())
    assert Highlight.objects.get().learner == mine
    assert CardTurn.objects.get().learner == mine
    assert ReviewCard.objects.get().reviews == 1
    forget(mine.pk, timezone.now())
    assert not Highlight.objects.exists()
    assert not CardTurn.objects.exists()
