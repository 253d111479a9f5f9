"""Check quotes, mentions, permalinks, the comment count, the order of a thread, and highlighted code."""

from __future__ import annotations

import datetime as dt
import html
import re

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from courseiva.accounts.models import User
from discussion.comments.rules.highlighting import LANGUAGES, highlighted, language_of
from discussion.comments.rules.markup import MAX_TEXT, render
from discussion.comments.rules.quoting import MOST_NAMED, MOST_QUOTED, named, quoted
from discussion.mail.send import send_notices
from discussion.mail.settle import UNDO_TIME
from discussion.models import Act, Notice, State
from discussion.moderation.acts.decide import decide
from discussion.people.inbox.reads import inbox_page, unread_count
from discussion.threads.post import delete
from discussion.threads.reads import comment_count
from questions.versions.reads.public import public_address
from tests.discussion.conftest import row
from tests.support.bank import NOW
from tests.support.calls import calls
from tests.support.hooks import parsed, values

pytestmark = pytest.mark.long("many requests")

HOUR = dt.timedelta(hours=1)


def thread_address(version) -> str:
    return reverse("thread", args=[version.question.exam.slug, version.question_id])


# The order and the count


def test_the_most_helpful_comes_first_and_the_newest_can_be_chosen(version, alice, bob):
    liked = row(version, alice, "Liked.", helpful=3, created_at=NOW - HOUR)
    new = row(version, bob, "New.")
    for query, order in (({}, [liked, new]), ({"sort": "newest"}, [new, liked]), ({"sort": "x"}, [liked, new])):
        page = Client().get(thread_address(version), query)
        assert [line.comment for line in page.context["page"].lines] == order


def test_a_comment_posted_from_the_page_appears_on_top(client_of, version, alice, bob, known):
    row(version, bob, "Liked.", helpful=3)
    known(alice)
    sent = {"kind": "tip", "text": "Mine, fresh."}
    new = reverse("comment-new", args=[version.question.exam.slug, version.question_id])
    done = client_of(alice).post(new, sent, headers={"HX-Request": "true"})
    assert "sort=newest" in done.headers["Location"]


def test_the_folded_thread_counts_comments_that_everybody_can_read(version, alice, django_assert_num_queries):
    address = public_address(version, version.question)
    assert values(Client().get(address), "data-comments") == ["0"]
    top = row(version, alice, "A tip.")
    row(version, alice, "A reply.", parent=top)
    row(version, alice, "Held.", state=State.HELD)
    row(version, alice, "", html="", deleted_at=NOW)
    with django_assert_num_queries(1):
        assert comment_count(version.question_id) == 2
    closed = parsed(Client().get(address)).select_one("#discussion > summary")
    assert closed.select_one("[data-comments]")["data-comments"] == "2"


def test_the_thread_comes_right_after_the_question(version):
    page = Client().get(public_address(version, version.question))
    ids = [tag["id"] for tag in parsed(page).select("#question, #discussion, #study, #practise")]
    assert ids == ["question", "discussion", "study", "practise"]


def test_each_comment_has_a_link_to_itself(client_of, version, alice, bob):
    top = row(version, alice, "A tip.")
    reply = row(version, bob, "A reply.", parent=top)
    page = parsed(Client().get(thread_address(version)))
    links = [tag["href"] for tag in page.select("[data-permalink]")]
    assert links == [f"{reverse('comment', args=[each.pk])}#c{each.pk}" for each in (top, reply)]
    assert parsed(Client().get(links[1])).select_one(f"#c{reply.pk}")


# Quoting


def test_a_quote_names_its_author_and_leaves_out_what_it_quotes():
    assert quoted("First.\n\n> Older.\nSecond.", "Ana") == "@Ana:\n\n> First.\n>\n> Second.\n\n"
    assert quoted("Words.", "") == "> Words.\n\n"
    assert quoted("> Only a quote.", "Ana") == "@Ana:\n\n"


def test_a_long_text_is_quoted_by_its_beginning():
    text = quoted("word " * 400, "")
    assert len(text) < MOST_QUOTED + 10
    assert text.endswith("word …\n\n")


def test_the_form_of_a_reply_begins_with_the_quote(client_of, version, alice, bob):
    top = row(version, alice, "A tip\nin two lines.")
    reply = row(version, bob, "A reply.", parent=top)
    address = reverse("comment", args=[reply.pk])
    form = client_of(alice).get(address, {"quote": "1"}).context["form"]
    assert form["text"].value() == "@Bob:\n\n> A reply.\n\n"
    assert not client_of(alice).get(address).context["form"]["text"].value()
    assert f"{address}?quote=1#reply" in client_of(alice).get(thread_address(version)).content.decode()
    stranger = Client().get(address, {"quote": "1"})
    assert not stranger.context["form"]["text"].value()
    assert "textarea" not in stranger.content.decode()


# Mentions

PEOPLE = {1: "Ana", 2: "Ana Maria", 3: "Bao", 4: "bao", 5: "Learner 5", 6: "O'Neil"}


@pytest.mark.parametrize(
    ("text", "people"),
    [
        ("@Ana, thanks", [1]),
        ("thanks @ana maria!", [2]),
        ("@Anabel and @Anax", []),
        ("(@Bao)", [3, 4]),
        ("@Learner 5 and @O'Neil", [5, 6]),
        ("me@ana.example, a@Ana", []),
        ("`@Ana` and\n```\n@Bao\n```", []),
        ("> @Ana said so\n\nShe did.", []),
        ("@ Ana", []),
        ("Ana", []),
        ("@Ana @Ana @ANA", [1]),
        ("@", []),
    ],
)
def test_only_names_of_people_in_the_thread_are_mentions(text, people):
    assert named(text, PEOPLE) == people


def test_the_number_of_mentions_is_limited():
    crowd = {n: f"P{n}x" for n in range(50)}
    assert named(" ".join(f"@{name}" for name in crowd.values()), crowd) == list(range(MOST_NAMED))


def test_the_time_to_find_mentions_grows_only_with_the_text():
    crowd = {n: f"Learner {n}" for n in range(200)}
    few, many = (calls(lambda size=size: named("@Learner " * size, crowd)) for size in (100, 200))
    assert many < 2.5 * few


def notices(user: User) -> list[str]:
    return [each.line.what for each in inbox_page(user.pk, timezone.now() + HOUR).lines]


def test_a_mention_is_in_the_persons_inbox_but_not_mailed(client_of, version, alice, bob, known, say):
    row(version, bob, "Bob was here.")
    known(alice)
    made = say(alice, "@Bob, look at this. @Alice, @Carol.")
    assert (notices(bob), notices(alice), unread_count(bob.pk, timezone.now())) == (["named"], [], 1)
    assert send_notices(timezone.now() + HOUR) == 0
    assert mail.outbox == []
    page = client_of(bob).get(reverse("inbox"))
    assert values(page, "data-notice") == ["named"]
    assert reverse("comment", args=[made.pk]) in page.content.decode()
    assert "look at this" not in page.content.decode()


def test_a_person_outside_the_discussion_cannot_be_mentioned(version, alice, bob, known, say):
    known(alice)
    say(alice, "@Bob, come here.")
    assert not Notice.objects.exists()


def test_a_waiting_comment_mentions_nobody_until_it_is_finally_approved(version, alice, bob, moderator, say):
    row(version, bob, "Bob was here.")
    held = say(alice, "@Bob, see https://elsewhere.example/page")
    assert (held.state, notices(bob)) == (State.HELD, [])
    decide(held, Act.APPROVE, moderator, NOW)
    assert unread_count(bob.pk, NOW) == 0
    assert unread_count(bob.pk, NOW + UNDO_TIME) == 1


def test_a_removed_or_deleted_comment_no_longer_mentions_anybody(version, alice, bob, moderator, known, say):
    row(version, bob, "Bob was here.")
    known(alice)
    removed, deleted = say(alice, "@Bob, one."), say(alice, "@Bob, two.")
    assert notices(bob) == ["named", "named"]
    decide(removed, Act.SPAM, moderator, NOW)
    delete(deleted.pk, alice.pk, NOW)
    assert (notices(bob), unread_count(bob.pk, timezone.now() + HOUR)) == ([], 0)


# Code


CODE = '```python\n# why <this>\nfor n in range(3):\n    print("a & b", {option:0})\n```'


def test_code_in_a_known_language_is_highlighted_and_otherwise_unchanged():
    page = render(CODE, {0: "An option"})
    soup = parsed(page)
    marked = {name: [tag.text for tag in soup.select(f"pre code span.{name}")] for name in "cks"}
    assert marked == {"c": ["# why <this>"], "k": ["for", "in"], "s": ['"a & b"']}
    assert soup.select_one("pre").text == '# why <this>\nfor n in range(3):\n    print("a & b", {option:0})\n'
    assert {attribute for tag in soup.find_all() for attribute in tag.attrs} == {"class"}


@pytest.mark.parametrize("head", ["", "nonsense", "html", "python onclick=x", '"><script>'])
def test_code_in_any_other_language_stays_plain(head):
    soup = parsed(render(f"```{head}\nfor n in x\n```", {}))
    assert not soup.select("span")
    assert not soup.select("script")


@pytest.mark.parametrize("name", sorted(LANGUAGES))
def test_every_language_keeps_every_character(name):
    language = language_of(f"language-{name}")
    for text in ("", "'", '"', "# x\n", "// -- #", "a'b\"c\n'", "<b>&amp;</b>", "if\tif If IF", "\\'\\\"", "ж 中 'é"):
        assert html.unescape(re.sub(r"</?span[^>]*>", "", highlighted(text, language))) == text


def test_the_time_to_highlight_grows_only_with_the_text():
    for piece in ("'", "a'\n", "/*"):
        for language in (LANGUAGES["python"], LANGUAGES["sql"], LANGUAGES["json"]):
            few, many = (
                calls(lambda size=size, piece=piece, language=language: highlighted(piece * size, language))
                for size in (MAX_TEXT // 8, MAX_TEXT // 4)
            )
            assert many < 2.5 * few + 20
