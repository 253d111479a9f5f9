"""The rules that hold a comment: examples for and against each, where the evidence is, and how well they do."""

# ruff: noqa: RUF001 (letters that pass for others)

import time
from pathlib import Path

import pytest
import yaml

from discussion.screening.rules.parts import RULES, Context, Hit
from discussion.screening.rules.screen import APPROVED_NEEDED, MOST_AN_HOUR, screen
from tests.support.calls import calls

KNOWN = Context(approved_posts=APPROVED_NEEDED)
MAX_TEXT, SECONDS = 4000, 0.1
TUNING = Path(__file__).parent / "data" / "comments.yaml"
UNSEEN = Path(__file__).parent / "data" / "comments_unseen.yaml"
STEM = (
    "A ferry line in Norway keeps its timetable in one Cloud SQL instance. The line wants to read the timetable in a "
    "second region when the first one is down, and nobody may lose more than a minute of changes. The team of two has "
    "no time for scripts.\n\nWhat should they set up?"
)
OPTIONS = "\nA. A replica in the second region\nB. A nightly export\nC. A larger machine\nD. A second instance"

# rule -> (evidence, in what text)
HELD: dict[str, list[tuple[str, str]]] = {
    "link": [
        ("https://notes.example/a", "Read https://notes.example/a first"),
        ("www.notes.example", "see www.notes.example"),
        ("notes.example/iam", "all in notes.example/iam today"),
        ("[this](http://notes.example", "Look at [this](http://notes.example)."),
        ("http://notes.example/x`", "`curl http://notes.example/x`"),
    ],
    "lookalike-link": [
        ("hxxp://notes.example", "hxxp://notes.example"),
        ("notes (dot) example", "go to notes (dot) example now"),
        ("notes dot example", "go to notes dot example now"),
        ("https://xn--nots-epa.example", "https://xn--nots-epa.example"),
        ("https://g\u043e\u043egle.example", "https://g\u043e\u043egle.example"),
        ("http://203.0.113.9/a", "http://203.0.113.9/a"),
        ("[cloud.google.com](https://other.example", "[cloud.google.com](https://other.example)"),
        ("aHR0cHM6Ly9ub3Rlcy5leGFtcGxl", "decode aHR0cHM6Ly9ub3Rlcy5leGFtcGxl"),
    ],
    "leak": [
        ("saw this exact question in my exam", "I saw this exact question in my exam."),
        ("Selling real exam questions", "Selling real exam questions"),
        ("need the latest dumps", "I need the latest dumps"),
        ("vraies questions", "Je vends les vraies questions"),
        ("leaked exam", "the leaked exam"),
    ],
    "dump-site": [("certdumps", "look for certdumps"), ("braindumps2go", "all on braindumps2go")],
    "email": [
        ("kim@post.example", "write to kim@post.example"),
        ("kim at post dot example", "kim at post dot example"),
        ("k i m @ p o s t . e x a m p l e", "k i m @ p o s t . e x a m p l e"),
        ("`kim@post.example`", "mine is `kim@post.example`"),
    ],
    "phone": [
        ("+1 202 555 0143", "try +1 202 555 0143"),
        ("07700 900 123", "try 07700 900 123"),
        ("555 0143 77", "call me: 555 0143 77"),
        ("zero seven seven zero zero nine zero", "zero seven seven zero zero nine zero"),
    ],
    "messenger": [
        ("join my Telegram", "join my Telegram"),
        ("DM me", "DM me"),
        ("@kim_cloud", "on insta I am @kim_cloud"),
        ("wh\u200bats\u200bapp me", "wh\u200bats\u200bapp me"),
    ],
    "repetition": [("good " * 11 + "good", "good " * 12), ("asd" * 12, "asd" * 12)],
    "shouting": [
        ("WHY IS THIS STILL WRONG", "WHY IS THIS STILL WRONG"),
        ("!!!!!", "no!!!!!"),
        ("NOOOOOO", "NOOOOOO"),
        ("DAS IST DOCH FALSCH", "DAS IST DOCH FALSCH"),
    ],
    "invisible": [
        ("\u200b", "du\u200bmp"),
        ("\u200b\u200b\u200b", "I think C.\u200b\u200b\u200b"),
        ("\U000e0064\U000e0075", "Yes.\U000e0064\U000e0075"),
        ("\u202e", "abc \u202exyz"),
    ],
    "lookalike-letters": [
        ("\u0501ump\u0455", "the \u0501ump\u0455"),
        ("\U0001d5ef\U0001d602\U0001d606", "\U0001d5ef\U0001d602\U0001d606 it"),
        ("ᴅᴜᴍᴘ", "a ᴅᴜᴍᴘ"),
    ],
    "question-paste": [(STEM + OPTIONS, STEM + OPTIONS), (STEM, STEM)],
    "insult": [
        ("idiot", "what an idiot"),
        ("You are so stupid", "You are so stupid"),
        ("shut up", "oh shut up"),
        ("du bist so dumm", "du bist so dumm"),
    ],
    "advert": [
        ("money back", "Pass or your money back"),
        ("Our bootcamp", "Our bootcamp begins soon"),
        ("30 % off", "30 % off the course, enrol today"),
        ("Geld verdienen", "Geld verdienen von zu Hause"),
        ("i make 900 dollars a day", "i make 900 dollars a day"),
    ],
    "vote-begging": [
        ("Please upvote", "Please upvote"),
        ("vote for vote", "vote for vote?"),
        ("need 3 more upvotes", "need 3 more upvotes"),
    ],
}
HARMLESS: dict[str, list[str]] = {
    "link": [
        "Node.js and ASP.NET both run there.",
        "`cloud.google.com/gke-spot` is a label, storage.googleapis.com a host.",
        "`curl http://localhost:8080/` from the VM",
        "Copy train.csv to gs://bucket/data with main.py.",
        "See [above](#comment-3).",
    ],
    "lookalike-link": ["The dot product of a and b", "It is in preview. In net terms it costs less.", "10.0.0.0/8"],
    "leak": [
        "Take a heap dump, then `pg_dump` the database.",
        "The refund flag leaks the label.",
        "I passed yesterday, thanks for the explanations!",
        "Please don't share real exam questions here.",
        "The real question is whether one zone is enough.",
        "How many questions are on the real exam?",
    ],
    "dump-site": ["mysqldump and tcpdump are tools.", "json.dumps(row)"],
    "email": [
        "`serviceAccount:x@project.iam.gserviceaccount.com` needs the role.",
        "Grant it to `user:ana@corp.example`.",
        "We looked at Vertex. Then we stopped.",
        "`@tf.function` makes a graph.",
    ],
    "phone": [
        "10.0.0.0/8 has 16,777,216 addresses.",
        "1714564800000 is in ms, 2024-05-01 12:00 is not.",
        "1 0 0 1 0 1 1 1 0 1",
    ],
    "messenger": ["Alerts go to a Slack channel.", "A bot for WhatsApp would use Pub/Sub.", "The signal is weak."],
    "repetition": [
        "No, no, no: that is the other one.",
        "a a b a a c d e f g h i j k",
        "-----------------------------",
    ],
    "shouting": [
        "MIG with AUTOHEALING",
        "BQML supports KMEANS, PCA and ARIMA_PLUS.",
        "SELECT name FROM shop WHERE day IS NOT NULL AND qty IN (1, 2)",
        "It must NOT be global.",
        "Thanks!!!",
    ],
    "invisible": ["👩\u200d💻👍\ufe0f thanks", "می\u200cخواهم", "\ufeffhello", "🏴\U000e0067\U000e0062\U000e007f"],
    "lookalike-letters": ["α = 0.05, 5 μs, Δt", "Спасибо, VPC понятно", "naïve Poincaré", "ＡＢＣ は日本語です"],
    "question-paste": [
        "Going through the options:\n\nA - works, but slow.\nB - wrong region.\nC - right.\nD - costs more.",
        "1. Take a snapshot.\n2. Make a disk of it.\n3. Make the VM.",
        "How would you split data when a patient has several rows?",
    ],
    "insult": [
        "I'm an idiot, I read it twice.",
        "Sorry for the stupid question.",
        "Idiot-proof rule: humans get roles.",
        "Drop the dummy variable. Garbage in, garbage out.",
        "You are wrong, the default is seven days.",
    ],
    "advert": [
        "Committed use gives 57 % off the price.",
        "The free course of the vendor covers it.",
        "It costs 20 dollars per month.",
        "Our service makes 1000 requests a day.",
    ],
    "vote-begging": ["The trees take a majority vote.", "I'd vote for B.", "You need 700 points to pass."],
}


def rules_of(hits: list[Hit]) -> set[str]:
    return {hit.rule for hit in hits}


@pytest.mark.parametrize(("rule", "evidence", "text"), [(r, *each) for r, rows in HELD.items() for each in rows])
def test_a_rule_finds_its_examples_and_shows_where(rule: str, evidence: str, text: str) -> None:
    found = [text[hit.start : hit.end] for hit in screen(text, KNOWN) if hit.rule == rule]
    assert any(evidence.lower() in each.lower() or each.lower() in evidence.lower() for each in found), found


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in HARMLESS.items() for text in texts])
def test_a_rule_leaves_harmless_texts_alone(rule: str, text: str) -> None:
    assert screen(text, KNOWN) == [], f"near misses of {rule}"


def test_every_rule_of_the_text_has_examples_for_and_against() -> None:
    of_record = {"first-post", "rate", "near-duplicate"}
    assert set(HELD) == set(HARMLESS) == set(RULES) - of_record


def test_every_rule_says_something_to_moderator_and_author() -> None:
    assert all(key == rule.id and len(key) <= 40 for key, rule in RULES.items())
    assert all(rule.reason.endswith(".") and rule.to_author.endswith(".") for rule in RULES.values())


def test_first_posts_wait_until_one_is_approved() -> None:
    assert screen("Thanks.", Context()) == [Hit("first-post", 0, 7)]
    assert screen("Thanks.", Context(approved_posts=APPROVED_NEEDED)) == []


def test_many_posts_in_an_hour_wait() -> None:
    assert screen("Thanks.", Context(9, author_posts_last_hour=MOST_AN_HOUR)) == [Hit("rate", 0, 7)]
    assert screen("Thanks.", Context(9, author_posts_last_hour=MOST_AN_HOUR - 1)) == []


SAID = "The subnet is regional, so the second zone needs no subnet of its own."


@pytest.mark.parametrize(
    ("text", "held"),
    [
        (SAID, True),
        (SAID.upper().lower() + " Thanks", True),
        ("The subnet is regional!! The second zone so needs no subnet of its own", True),
        ("A subnet is regional, a network is global, and a zone belongs to one region.", False),
        (f"> {SAID}\n\nThen why does option B make a second one?", False),
        ("Thanks", False),
    ],
)
def test_near_duplicates(text: str, held: bool) -> None:
    assert ("near-duplicate" in rules_of(screen(text, Context(9, recent=("Thanks", SAID))))) is held


def test_a_paste_of_a_known_stem_is_found_without_its_question() -> None:
    paste = STEM.partition("\n\n")[0] + " I like this one."
    assert rules_of(screen(paste, Context(9, stems=("Something else entirely.", STEM)))) == {"question-paste"}
    assert screen(paste, KNOWN) == []


def test_spans_are_those_of_the_text_as_it_was_written() -> None:
    text = "ﬁne — İ see: write to kim@post.example 👍"
    (hit,) = (hit for hit in screen(text, KNOWN) if hit.rule == "email")
    assert text[hit.start : hit.end] == "kim@post.example"


PIECES = [
    "a", "a ", "a.", "a-", "a\n", "a_", "a@", "a@b.", "a at b dot ", ".", " ", "\n", " . ", ". com ", "0", "0 ",
    "+1 ", "1.", "(0", "zero ", "[", "![", "](", "[a](", "`", "```", "<a ", "http://", "www.", "!", "A", "IT IS ",
    "you ", "you stupid ", "this was in my exam ", "dumps pdf ", "please like ", "$5 course buy ", "d u m p ",
    "what ", "A. b\n", "\u200b", "a\u200b", "\u0430", "a\u0430", "中", "한", "😀", "\u0301", "\U000e0020", "earn 5 ",
    "q 1 ",
    "send me the exam pdf ", "1 2 ", "my mail dot ", "at a dot ", "ab*", "aAbB ", "? - a\n", "? \n- a\n", "(a) ",
    "a b c d ", "telegram ", "l0 ", "x@@", "must what ", "👍 ", "one 1 ", "aa aa ", "ɐ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_work_grows_no_faster_than_the_text(piece: str) -> None:
    """Counted in calls of functions, which are the same on every machine: twice the text, hardly more than twice."""
    half, whole = ((piece * MAX_TEXT)[:length] for length in (MAX_TEXT // 2, MAX_TEXT))
    assert calls(lambda: screen(whole, KNOWN)) <= 2.3 * calls(lambda: screen(half, KNOWN)) + 2000
    assert all(0 <= hit.start < hit.end <= len(whole) for hit in screen(whole, KNOWN))


@pytest.mark.soak
@pytest.mark.parametrize("piece", PIECES)
def test_no_text_is_slow(piece: str) -> None:
    """Processor time, the best of three; something quadratic within an expression takes far more than the bound."""
    text = (piece * MAX_TEXT)[:MAX_TEXT]
    assert min(seconds(text) for _ in range(3)) < SECONDS


def seconds(text: str) -> float:
    begun = time.process_time()
    screen(text, KNOWN)
    return time.process_time() - begun


@pytest.mark.parametrize("gap", [" " * 300, "\n" * 300, "." * 300, "-" * 3000])
def test_a_phrase_torn_apart_is_read_without_a_fault(gap: str) -> None:
    text = f"the real{gap}exam questions{gap}please upvote{gap}touch{gap}grass"
    assert all(0 <= hit.start < hit.end <= len(text) for hit in screen(text, KNOWN))


def test_screening_twice_says_the_same() -> None:
    for comment in sample(TUNING):
        first = screen(comment["text"], Context())
        assert screen(comment["text"], Context()) == first
        assert len(set(first)) == len(first)


def sample(path: Path) -> list[dict[str, str]]:
    """The labelled comments of a file."""
    rows: list[dict[str, str]] = yaml.safe_load(path.read_text())
    return rows


def shares(path: Path) -> dict[str, float]:
    """The share of comments that are held, by label."""
    rows = sample(path)
    held: dict[str, list[bool]] = {"hold": [], "harmless": []}
    for n, row in enumerate(rows):
        earlier = tuple(each["text"] for each in rows[:n]) if row["why"] == "repeated_spam" else ()
        held[row["label"]].append(bool(screen(row["text"], Context(9, recent=earlier))))
    return {label: sum(each) / len(each) for label, each in held.items()}


def test_the_comments_the_rules_were_tuned_on() -> None:
    found = shares(TUNING)
    assert found["hold"] >= 0.97
    assert found["harmless"] <= 0.05


def test_nine_of_ten_that_should_be_held_are_held_of_comments_never_seen() -> None:
    assert shares(UNSEEN)["hold"] >= 0.9


def test_at_most_one_of_ten_harmless_comments_never_seen_is_held() -> None:
    assert shares(UNSEEN)["harmless"] <= 0.1
