"""What the rules share: a hit, what they may know besides the text, and what each rule says to people."""

from __future__ import annotations

from dataclasses import dataclass

FIRST_POST = "first-post"
RATE = "rate"
LINK = "link"
LOOKALIKE_LINK = "lookalike-link"
LEAK = "leak"
DUMP_SITE = "dump-site"
EMAIL = "email"
PHONE = "phone"
MESSENGER = "messenger"
NEAR_DUPLICATE = "near-duplicate"
REPETITION = "repetition"
SHOUTING = "shouting"
INVISIBLE = "invisible"
LOOKALIKE_LETTERS = "lookalike-letters"
QUESTION_PASTE = "question-paste"
INSULT = "insult"
ADVERT = "advert"
VOTE_BEGGING = "vote-begging"


@dataclass(frozen=True)
class Hit:
    """Where a rule matched: the evidence is ``text[start:end]`` of the text as it was written."""

    rule: str
    start: int
    end: int


@dataclass(frozen=True)
class Context:
    """What the rules may know besides the text: the author's record, texts to compare with, other questions' stems."""

    approved_posts: int = 0
    recent: tuple[str, ...] = ()
    author_posts_last_hour: int = 0
    stems: tuple[str, ...] = ()


@dataclass(frozen=True)
class Rule:
    """A rule's id, the reason a moderator reads, and a kind sentence for the author."""

    id: str
    reason: str
    to_author: str


_ALL = (
    Rule(
        FIRST_POST,
        "The author has no approved comment yet.",
        "Welcome! A moderator reads everybody's first comment before it is published.",
    ),
    Rule(
        RATE,
        "The author wrote many comments within an hour.",
        "You've posted a lot in a short time, so a moderator will check this first. Thank you for your patience.",
    ),
    Rule(
        LINK,
        "Contains a link.",
        "A moderator checks comments with links. You could give the page's title instead.",
    ),
    Rule(
        LOOKALIKE_LINK,
        "Contains a link that hides or disguises its destination.",
        "One of the links doesn't show clearly where it goes. Please give the page's title instead.",
    ),
    Rule(
        LEAK,
        "Seems to share, offer or ask for real exam content.",
        "Please explain the idea in your own words. We don't allow sharing, offering or asking for exam content.",
    ),
    Rule(
        DUMP_SITE,
        "Names a collection of exam dumps.",
        "We don't link to exam dumps. Tips on how you studied are very welcome.",
    ),
    Rule(
        EMAIL,
        "Contains an email address.",
        "To protect you from spam, a moderator checks comments with an email address.",
    ),
    Rule(
        PHONE,
        "Contains a phone number.",
        "To protect your privacy, a moderator checks comments with a phone number.",
    ),
    Rule(
        MESSENGER,
        "Moves the conversation to a messaging app, private messages or a profile elsewhere.",
        "Please keep the conversation here, where everybody can learn from it.",
    ),
    Rule(
        NEAR_DUPLICATE,
        "Almost identical to another comment.",
        "This is very close to an existing comment. A helpful vote on that one says the same.",
    ),
    Rule(
        REPETITION,
        "Repeats the same few words or letters over and over.",
        "Your text repeats the same words. A sentence or two would help others more.",
    ),
    Rule(
        SHOUTING,
        "Written in capitals or with strings of exclamation marks.",
        "Capitals and strings of exclamation marks read like shouting. Please tone it down.",
    ),
    Rule(
        INVISIBLE,
        "Contains invisible characters.",
        "There are invisible characters in this text, perhaps from copying. Try typing it again.",
    ),
    Rule(
        LOOKALIKE_LETTERS,
        "Uses look-alike letters from another alphabet or style.",
        "Some letters here only look like ordinary ones. Please retype the words in plain letters.",
    ),
    Rule(
        QUESTION_PASTE,
        "Looks like a whole exam question pasted in.",
        "Please don't paste whole questions. Say in your own words what you'd like to discuss.",
    ),
    Rule(
        INSULT,
        "Insults or threatens someone.",
        "Please criticise the argument, not the person. Everybody here is learning.",
    ),
    Rule(
        ADVERT,
        "Seems to advertise or sell something.",
        "This reads like an advertisement. Comments here are for discussing the question.",
    ),
    Rule(
        VOTE_BEGGING,
        "Asks for votes.",
        "Please don't ask for votes. Helpful comments get them anyway.",
    ),
)
RULES: dict[str, Rule] = {rule.id: rule for rule in _ALL}
