"""Each rule that holds a comment has examples for and against, shows its evidence, and has limits."""

# ruff: noqa: RUF001 (letters that look like others)

import csv
import json
import re
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from discussion.screening.rules.classifier import SHIPPED, SIZE, load, score, shipped, tokens
from discussion.screening.rules.parts import (
    DUMP_SITE,
    FIRST_POST,
    LEAK,
    LIKELY_HARM,
    LINK,
    NEAR_DUPLICATE,
    RATE,
    REASONS,
    TO_AUTHOR,
    Context,
    Hit,
    Listed,
    Model,
)
from discussion.screening.rules.screen import screen, starting_list
from discussion.screening.rules.text import read
from discussion.trust.rules import MAY, Level
from tests.support.calls import calls
from tests.support.imports import BASE

MAX_TEXT, SECONDS, LINES = 4000, 0.1, 700
SILENT = Model(-1.0, {True: 0.0, False: 0.0}, (0.0,) * SIZE)
LIST = starting_list()
RULED = Context(level=Level.NEW, listed=LIST, model=SILENT)
STEM = (
    "A ferry line in Norway keeps its timetable in one Cloud SQL instance. The line wants to read the timetable in a "
    "second region when the first one is down, and nobody may lose more than a minute of changes. The team of two has "
    "no time for scripts.\n\nWhat should they set up?"
)
OPTIONS = "\nA. A replica in the second region\nB. A nightly export\nC. A larger machine\nD. A second instance"

# For each rule, the evidence and the text it is found in.
HELD: dict[str, list[tuple[str, str]]] = {
    LINK: [
        ("https://notes.example/a", "Read https://notes.example/a first"),
        ("www.notes.example", "see www.notes.example"),
        ("notes.example/iam", "all in notes.example/iam today"),
        ("[this](http://notes.example", "Look at [this](http://notes.example)."),
        ("http://notes.example/x", "`curl http://notes.example/x`"),
        ("https://evil.example\\x.cloud.google.com", "[docs](https://evil.example\\x.cloud.google.com)"),
        ("https://evil.example&#47;x.cloud.google.com", "[docs](https://evil.example&#47;x.cloud.google.com)"),
        ("https://localhost.evil.example/", "https://localhost.evil.example/"),
        ("https://localhost:80@evil.example/", "https://localhost:80@evil.example/"),
        ("https://127.evil.example/", "https://127.evil.example/"),
        ("http://0.0.0.0.evil.example", "http://0.0.0.0.evil.example"),
    ],
    "lookalike-link": [
        ("hxxp://notes.example", "hxxp://notes.example"),
        ("notes (dot) example", "go to notes (dot) example now"),
        ("notes dot example", "go to notes dot example now"),
        ("https://xn--nots-epa.example", "https://xn--nots-epa.example"),
        ("https://g\u043e\u043egle.example", "https://g\u043e\u043egle.example"),
        ("https://cloud.google.com@other.example", "https://cloud.google.com@other.example"),
        ("https://localhost:80@other.example", "https://localhost:80@other.example"),
        ("https://other.example\\x.cloud.google.com", "[docs](https://other.example\\x.cloud.google.com)"),
        ("[cloud.google.com](https://other.example", "[cloud.google.com](https://other.example\\x.cloud.google.com)"),
        ("http://203.0.113.9/a", "http://203.0.113.9/a"),
        ("[cloud.google.com](https://other.example", "[cloud.google.com](https://other.example)"),
        ("aHR0cHM6Ly9ub3Rlcy5leGFtcGxl", "decode aHR0cHM6Ly9ub3Rlcy5leGFtcGxl"),
    ],
    LEAK: [
        ("latest dumps", "I need the latest dumps"),
        ("brain\u200bdump", "the brain\u200bdump of May"),
        ("Dumps PDF", "Dumps PDF for all"),
    ],
    DUMP_SITE: [
        ("exam-topics", "look at exam-topics"),
        ("Exam.Topics", "Exam.Topics has it"),
        ("certdumpz", "on certdumpz"),
    ],
    "contact": [
        ("kim@post.example", "write to kim@post.example"),
        ("kim at post dot example", "kim at post dot example"),
        ("+1 202 555 0143", "try +1 202 555 0143"),
        ("07700 900 123", "try 07700 900 123"),
        ("call me: 555 0143 77", "call me: 555 0143 77"),
    ],
    "repetition": [
        ("good " * 11 + "good", "good " * 12),
        ("asd" * 12, "asd" * 12),
        ("nooooooooooooo", "nooooooooooooo"),
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
}  # fmt: skip
HARMLESS: dict[str, list[str]] = {
    LINK: [
        "Node.js and ASP.NET both run there.",
        "storage.googleapis.com is a host.",
        "`curl http://localhost:8080/` from the VM",
        "Open http://localhost:8080, then http://127.0.0.1:9000?a=b and http://0.0.0.0.",
        "Copy train.csv to gs://bucket/data with main.py.",
        "See [above](#comment-3).",
        "The defaults: https://cloud.google.com/run/docs/configuring/min-instances",
    ],
    "lookalike-link": ["The dot product of a and b", "It is in preview. In net terms it costs less.", "10.0.0.0/8"],
    LEAK: ["Take a heap dump, then `pg_dump` the database.", "If you sell to the EU you need the data in europe-west."],
    DUMP_SITE: [
        "mysqldump and tcpdump are tools.",
        "The exam topics are in the guide.",
    ],
    "contact": [
        "`serviceAccount:x@project.iam.gserviceaccount.com` needs the role.",
        "Grant it to x@project.iam.gserviceaccount.com.",
        "10.0.0.0/8 has 16,777,216 addresses.",
        "1714564800000 is in ms, 2024-05-01 12:00 is not.",
        "1 000 000 000 rows",
        "```\nWHO=`whoami`\nmail kim@post.example < $WHO\n```",
        "Send it with ``mail kim@post.example`` from the VM.",
    ],
    "repetition": [
        "No, no, no: that is the other one.",
        "a a b a a c d e f g h i j k",
        "-----------------------------",
    ],
    "invisible": ["👩\u200d💻👍\ufe0f thanks", "می\u200cخواهم", "🏴\U000e0067\U000e0062\U000e007f"],
    "lookalike-letters": ["α = 0.05, 5 μs, Δt", "Спасибо, VPC понятно", "naïve Poincaré", "ＡＢＣ は日本語です"],
    "question-paste": [
        "Going through the options:\n\nA - works, but slow.\nB - wrong region.\nC - right.\nD - costs more.",
        "1. Take a snapshot.\n2. Make a disk of it.\n3. Make the VM.",
        "How would you split data when a patient has several rows?",
    ],
}
OF_RECORD = {FIRST_POST, RATE, NEAR_DUPLICATE, LIKELY_HARM}


def rules_of(hits: list[Hit]) -> set[str]:
    return {hit.rule for hit in hits}


@pytest.mark.parametrize(("rule", "evidence", "text"), [(r, *each) for r, rows in HELD.items() for each in rows])
def test_a_rule_finds_its_examples_and_marks_the_words(rule: str, evidence: str, text: str) -> None:
    found = [text[hit.start : hit.end] for hit in screen(text, RULED) if hit.rule == rule]
    assert any(evidence.lower() in each.lower() or each.lower() in evidence.lower() for each in found), found


@pytest.mark.parametrize(("rule", "text"), [(rule, text) for rule, texts in HARMLESS.items() for text in texts])
def test_a_rule_leaves_harmless_texts_alone(rule: str, text: str) -> None:
    assert screen(text, RULED) == [], rule


@pytest.mark.long("many texts")
@pytest.mark.parametrize(("level", "harm", "harmless"), [(Level.NEW, 0.91, 0.01), (Level.KNOWN, 0.3, 0.006)])
def test_most_texts_labelled_harmful_are_held_and_hardly_any_others(level, harm, harmless) -> None:
    """The model was trained on these texts, so this only bounds changes; docs/moderation.md has figures for others."""
    held: dict[str, list[bool]] = {"harmful": [], "harmless": []}
    with (BASE / "discussion/screening/data/labelled.csv").open(newline="", encoding="utf-8") as rows:
        for each in csv.DictReader(rows):
            held[each["label"]].append(bool(screen(each["text"], Context(level, listed=LIST))))
    assert sum(held["harmful"]) / len(held["harmful"]) >= harm
    assert sum(held["harmless"]) / len(held["harmless"]) <= harmless


def test_every_rule_about_text_has_examples_for_and_against() -> None:
    assert set(HELD) == set(HARMLESS) == set(REASONS) - OF_RECORD


def test_every_rule_has_an_explanation_for_moderators_and_authors() -> None:
    assert set(REASONS) == set(TO_AUTHOR)
    assert all(words.endswith(".") for words in [*REASONS.values(), *TO_AUTHOR.values()])


def test_a_plain_link_is_not_taken_for_a_disguised_one_nor_a_sale_for_a_leak() -> None:
    assert screen("https://cloud.google.com/") == []
    assert rules_of(screen("https://cloud.google.com/", Context(Level.NEW, model=SILENT))) == {LINK}
    assert screen("If you sell to the EU you need the data in europe-west.") == []
    assert screen("If you sell to the EU you need the data in europe-west.", Context(Level.NEW, listed=LIST)) == []


def test_only_new_authors_links_wait_and_only_to_unlisted_sites() -> None:
    text = "It's in https://docs.notes.example/iam, read that."
    for level in Level:
        assert (LINK in rules_of(screen(text, Context(level, model=SILENT)))) is not MAY[level].link
    welcome = (Listed(LINK, "notes.example"),)
    assert screen(text, Context(Level.NEW, listed=welcome, model=SILENT)) == []
    for other in (
        "https://notes.example.evil.example/",
        "https://evilnotes.example/",
        "https://notes.example@evil.example/",
    ):
        assert LINK in rules_of(screen(other, Context(Level.NEW, listed=welcome, model=SILENT)))


def test_first_comments_wait_where_the_operator_wants_it() -> None:
    assert screen("Thanks.", Context(first_posts=2, posts_shown=1, model=SILENT)) == [Hit(FIRST_POST, 0, 7)]
    assert screen("Thanks.", Context(first_posts=2, posts_shown=2, model=SILENT)) == []
    assert screen("Thanks.", Context(Level.NEW, model=SILENT)) == []


@pytest.mark.parametrize("level", [Level.NEW, Level.KNOWN, Level.TRUSTED])
def test_many_posts_in_an_hour_wait(level: Level) -> None:
    most = MAY[level].comments_an_hour
    assert screen("Thanks.", Context(level, posts_last_hour=most, model=SILENT)) == [Hit(RATE, 0, 7)]
    assert screen("Thanks.", Context(level, posts_last_hour=most - 1, model=SILENT)) == []


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
def test_only_a_near_duplicate_is_held(text: str, held: bool) -> None:
    assert (NEAR_DUPLICATE in rules_of(screen(text, Context(recent=("Thanks", SAID))))) is held


def test_a_paste_of_a_known_stem_is_found_without_its_question() -> None:
    paste = STEM.partition("\n\n")[0] + " I like this one."
    assert rules_of(screen(paste, Context(stems=("Something else entirely.", STEM), model=SILENT))) == {
        "question-paste"
    }
    assert screen(paste, Context(model=SILENT)) == []


def test_a_stem_is_compared_in_plain_form() -> None:
    stem = "Zürich’s café chain in Genève keeps its menus in naïve files of São Paulo’s résumé shop. " * 2
    paste = stem.replace("ü", "u").replace("é", "e").replace("è", "e") + "I like this one, it is new to me and to you."
    assert "question-paste" in rules_of(screen(paste, Context(stems=(stem,), model=SILENT)))


def test_spans_refer_to_the_text_as_written() -> None:
    text = "ﬁne — İ see: write to kim@post.example 👍"
    (hit,) = (hit for hit in screen(text) if hit.rule == "contact")
    assert text[hit.start : hit.end] == "kim@post.example"


@pytest.mark.parametrize(
    ("entry", "held", "free"),
    [
        (Listed(LEAK, "real set*"), "the REAL  sets of May", "a realistic set"),
        (Listed(DUMP_SITE, "exam barn"), "see ExamBarn", "an exam in a barn"),
        (Listed(LEAK, "a.b"), "a.b", "axb"),
    ],
)
def test_an_entry_of_the_list_holds_only_texts_that_contain_it(entry: Listed, held: str, free: str) -> None:
    context = Context(listed=(entry,), model=SILENT)
    assert rules_of(screen(held, context)) == {entry.rule}
    assert screen(free, context) == []


@pytest.mark.parametrize("rule", [LEAK, DUMP_SITE])
@pytest.mark.parametrize("entry", ["  ", "*", "* *", "-", "\u200b"])
def test_an_entry_without_a_letter_or_number_finds_nothing(rule: str, entry: str) -> None:
    assert screen("A - b, * and \u4e2d.", Context(listed=(Listed(rule, entry),), model=SILENT)) == []


@pytest.mark.parametrize(
    "entry", ["Notes.Example", " notes.example ", "*.notes.example", "https://notes.example/docs/"]
)
def test_a_listed_site_is_matched_by_host_however_it_was_written(entry: str) -> None:
    welcome = Context(Level.NEW, listed=(Listed(LINK, entry),), model=SILENT)
    assert screen("It's in https://docs.notes.example/iam, read that.", welcome) == []
    assert LINK in rules_of(screen("https://other.example/", welcome))


@pytest.mark.parametrize("entry", ["*", "*.", "https://", "/docs"])
def test_an_entry_without_a_host_name_lists_no_site(entry: str) -> None:
    for link in ("https:///evil.example", "https://evil.example./", "https://evil.example../"):
        assert LINK in rules_of(screen(link, Context(Level.NEW, listed=(Listed(LINK, entry),), model=SILENT)))


class TestClassifier:
    HARM = "I sell the real exam questions with answers, message me on telegram"
    FINE = "Thanks, now I see why the replica in the other zone isn't enough here."

    def test_the_classifier_holds_harmful_text_and_shows_the_words(self) -> None:
        found = screen(self.HARM, Context(Level.NEW))
        words = {self.HARM[hit.start : hit.end] for hit in found if hit.rule == LIKELY_HARM}
        assert 0 < len(words) <= 3
        assert all(word in re.findall(r"\w+", self.HARM) for word in words)
        assert screen(self.FINE, Context(Level.NEW)) == []

    def test_new_authors_are_screened_more_closely(self) -> None:
        model = shipped()
        assert model.thresholds[False] > model.thresholds[True] > 0
        between = (model.thresholds[True] + model.thresholds[False]) / 2
        doubtful = Model(between, model.thresholds, (0.0,) * SIZE)
        assert rules_of(screen(self.FINE, Context(Level.NEW, model=doubtful))) == {LIKELY_HARM}
        for level in (Level.KNOWN, Level.TRUSTED):
            assert screen(self.FINE, Context(level, model=doubtful)) == []

    def test_the_weights_are_plain_numbers(self) -> None:
        kept = json.loads(SHIPPED.read_text())
        assert set(kept) == {"bias", "new", "known", "weights"}
        assert len(kept["weights"]) == SIZE
        assert all(type(each) is int for each in kept["weights"])

    @pytest.mark.long("many texts")
    def test_the_command_computes_the_weights_from_the_labelled_file(self, tmp_path) -> None:
        """They agree within a thousandth or two, because another processor may add in a different order."""
        from django.core.management import call_command

        call_command("train_screening", output=tmp_path / "weights.json", verbosity=0)
        made, kept = load(tmp_path / "weights.json"), shipped()
        assert max(abs(a - b) for a, b in zip(made.weights, kept.weights, strict=True)) <= 0.002
        assert made.bias == pytest.approx(kept.bias, abs=0.002)
        assert made.thresholds == pytest.approx(kept.thresholds, abs=0.01)


@pytest.mark.long("many texts")
@given(text=st.text(max_size=300), bias=st.floats(-50, 50), level=st.sampled_from([Level.NEW, Level.KNOWN]))
def test_the_classifier_can_only_add_a_reason(text: str, bias: float, level: Level) -> None:
    other = set(screen(text, Context(level, listed=LIST, model=SILENT)))
    judged = Model(bias, {True: 0.0, False: 0.0}, (0.0,) * SIZE)
    found = set(screen(text, Context(level, listed=LIST, model=judged)))
    assert other <= found
    assert {hit.rule for hit in found - other} <= {LIKELY_HARM}


@given(text=st.text(max_size=300))
def test_any_text_can_be_screened_and_its_evidence_is_within_it(text: str) -> None:
    assert all(0 <= hit.start < hit.end <= len(text) for hit in screen(text, Context(Level.NEW, listed=LIST)))
    assert isinstance(score(tokens(read(text).plain), shipped()), float)


PIECES = [
    "a", "a ", "a.", "a-", "a\n", "a_", "a@", "a@b.", "a at b dot ", ".", " ", "\n", " . ", ". com ", "0", "0 ",
    "+1 ", "1.", "(0", "zero ", "[", "![", "](", "[a](", "`", "```", "<a ", "http://", "www.", "!", "A", "IT IS ",
    "you ", "dumps pdf ", "$5 course buy ", "d u m p ", "what ", "A. b\n", "\u200b", "a\u200b", "\u0430", "a\u0430",
    "中", "한", "😀", "\u0301", "\U000e0020", "earn 5 ", "q 1 ", "1 2 ", "my mail dot ", "at a dot ", "ab*", "? - a\n",
    "(a) ", "a b c d ", "l0 ", "x@@", "must what ", "👍 ", "aa aa ", "ɐ", "%", "5 %", "a.b.", "h..ps://",
    "without the ",
]  # fmt: skip


@pytest.mark.parametrize("piece", PIECES)
def test_the_work_of_screening_grows_no_faster_than_the_text(piece: str) -> None:
    """Calls of functions are counted, because they are the same on every machine."""
    context = Context(Level.NEW, listed=LIST)
    half, whole = ((piece * MAX_TEXT)[:length] for length in (MAX_TEXT // 2, MAX_TEXT))
    assert calls(lambda: screen(whole, context)) <= 2.3 * calls(lambda: screen(half, context)) + 2000
    assert all(0 <= hit.start < hit.end <= len(whole) for hit in screen(whole, context))


@pytest.mark.soak
@pytest.mark.parametrize("piece", PIECES)
def test_no_text_is_slow_to_screen(piece: str) -> None:
    """The best of three processor times counts; a regular expression that goes quadratic takes far longer."""
    text = (piece * MAX_TEXT)[:MAX_TEXT]
    assert min(seconds(text) for _ in range(3)) < SECONDS


def seconds(text: str) -> float:
    begun = time.process_time()
    screen(text, Context(Level.NEW, listed=LIST))
    return time.process_time() - begun


def test_screening_has_few_lines_of_code() -> None:
    """Both the rules and the code that trains them are counted."""
    room = BASE / "discussion" / "screening"
    files = [*room.glob("rules/*.py"), room / "train.py"]
    assert sum(len(path.read_text().splitlines()) for path in files) <= LINES
