"""What the rules share: hits, their context, and each rule's words for people."""

from __future__ import annotations

from dataclasses import dataclass

from discussion.trust.rules import Level

FIRST_POST, RATE, LINK, LOOKALIKE_LINK, CONTACT = "first-post", "rate", "link", "lookalike-link", "contact"
LEAK, DUMP_SITE, NEAR_DUPLICATE, REPETITION = "leak", "dump-site", "near-duplicate", "repetition"
INVISIBLE, LOOKALIKE_LETTERS, QUESTION_PASTE, LIKELY_HARM = (
    "invisible", "lookalike-letters", "question-paste", "likely-harm",
)  # fmt: skip


@dataclass(frozen=True)
class Hit:
    """Where a rule matched: the evidence is ``text[start:end]`` in the original text."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True)
class Listed:
    """An entry in the editors' list: ``rule`` is LEAK or DUMP_SITE, or LINK for a site that new authors may link to."""

    rule: str
    text: str


@dataclass(frozen=True)
class Model:
    """The classifier's weights. ``thresholds`` by whether the author is screened closely: a score above it holds."""

    bias: float
    thresholds: dict[bool, float]
    weights: tuple[float, ...]


@dataclass(frozen=True)
class Context:
    """What the rules know besides the text.

    ``first_posts`` of an author are held whatever they say; ``recent`` are texts to compare with, ``stems`` other
    questions' scenarios. Without a ``model``, the one in the repository is used.
    """

    level: Level = Level.KNOWN
    posts_shown: int = 0
    first_posts: int = 0
    posts_last_hour: int = 0
    recent: tuple[str, ...] = ()
    stems: tuple[str, ...] = ()
    listed: tuple[Listed, ...] = ()
    model: Model | None = None


REASONS: dict[str, str] = {
    FIRST_POST: "One of the author’s first comments.",
    RATE: "The author wrote many comments within an hour.",
    LINK: "Contains a link, and the author is new.",
    LOOKALIKE_LINK: "Contains a link that hides or disguises its destination.",
    CONTACT: "Contains an email address or a phone number.",
    LEAK: "Contains a phrase from the list of leak phrases.",
    DUMP_SITE: "Names a dump site.",
    NEAR_DUPLICATE: "Almost identical to another comment.",
    REPETITION: "Repeats the same few words or letters over and over.",
    INVISIBLE: "Contains invisible characters.",
    LOOKALIKE_LETTERS: "Uses look-alike letters from another alphabet or style.",
    QUESTION_PASTE: "Looks like a whole exam question pasted in.",
    LIKELY_HARM: "Resembles comments that were removed: leaks, adverts, insults, requests for votes.",
}
"""By rule: why a comment is held, for moderators."""
TO_AUTHOR: dict[str, str] = {
    FIRST_POST: "Welcome! On this site, a moderator reads everyone’s first comments before others can see them.",
    RATE: "You’ve posted a lot in a short time.",
    LINK: "It contains a link, and you’re a new member. You could give the page’s title instead of the link.",
    LOOKALIKE_LINK: "One of the links doesn’t show clearly where it goes. Please give the page’s title instead.",
    CONTACT: "It contains an email address or a phone number, which anyone could read here.",
    LEAK: "Please explain the idea in your own words. We don’t allow sharing, offering or asking for exam content.",
    DUMP_SITE: "We don’t link to exam dumps. Tips on how you studied are very welcome.",
    NEAR_DUPLICATE: "This is very close to an existing comment. A helpful vote on that one says the same.",
    REPETITION: "Your text repeats the same words. A sentence or two would help others more.",
    INVISIBLE: "There are invisible characters in this text, perhaps from copying. Try typing it again.",
    LOOKALIKE_LETTERS: "Some letters here only look like ordinary ones. Please retype the words in plain letters.",
    QUESTION_PASTE: "Please don’t paste whole questions. Say in your own words what you’d like to discuss.",
    LIKELY_HARM: "It resembles comments we had to remove.",
}
"""By rule: a friendly sentence for the comment's author."""
