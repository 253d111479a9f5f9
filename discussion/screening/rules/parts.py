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
        "Welcome! A moderator reads everybody's first comment before others see it.",
    ),
    Rule(
        RATE,
        "The author wrote many comments within an hour.",
        "You have written a lot in a short time, so a moderator looks first. Thank you for your patience.",
    ),
    Rule(
        LINK,
        "Contains a link.",
        "Comments with links wait for a moderator. You can also name the page by its title.",
    ),
    Rule(
        LOOKALIKE_LINK,
        "Contains a link that hides or imitates where it leads.",
        "A link here does not show plainly where it leads. Please give the name of the page instead.",
    ),
    Rule(
        LEAK,
        "Seems to tell, offer or ask for content of a real exam.",
        "Please explain the idea in your own words: content of real exams may not be told, offered or asked for here.",
    ),
    Rule(
        DUMP_SITE,
        "Names a collection of exam dumps.",
        "We do not point people to exam dumps. Tips on how you learned are very welcome.",
    ),
    Rule(
        EMAIL,
        "Contains an e-mail address.",
        "To keep you safe from spam, comments with an e-mail address wait for a moderator.",
    ),
    Rule(
        PHONE,
        "Contains a telephone number.",
        "To keep you safe, comments with a telephone number wait for a moderator.",
    ),
    Rule(
        MESSENGER,
        "Takes the conversation to a messenger, a private message or a profile elsewhere.",
        "Please keep the conversation here, where everybody can learn from it.",
    ),
    Rule(
        NEAR_DUPLICATE,
        "Nearly the same as another comment.",
        "This is very close to a comment that is there already. Saying it once is enough; a vote helps it too.",
    ),
    Rule(
        REPETITION,
        "Repeats the same few words or letters over and over.",
        "The same words come many times here. A sentence or two would help others more.",
    ),
    Rule(
        SHOUTING,
        "Written in capitals or with rows of exclamation marks.",
        "Capitals and rows of exclamation marks read like shouting. Please write it in a calm voice.",
    ),
    Rule(
        INVISIBLE,
        "Contains characters that cannot be seen.",
        "There are invisible characters in this text, perhaps from copying. Typing the words anew helps.",
    ),
    Rule(
        LOOKALIKE_LETTERS,
        "Words are written with letters of another alphabet or style that look alike.",
        "Some letters here only look like the usual ones. Please type the words with plain letters.",
    ),
    Rule(
        QUESTION_PASTE,
        "Looks like a whole exam question that was pasted.",
        "Please do not paste whole questions. Say in your own words what you would like to discuss.",
    ),
    Rule(
        INSULT,
        "Insults or threatens somebody.",
        "Please speak to the argument, not about the person. Everybody here is learning.",
    ),
    Rule(
        ADVERT,
        "Seems to advertise or to sell something.",
        "This reads like an advertisement. Comments here are for the question above them.",
    ),
    Rule(
        VOTE_BEGGING,
        "Asks for votes.",
        "Please let votes come by themselves; what helps is found.",
    ),
)
RULES: dict[str, Rule] = {rule.id: rule for rule in _ALL}
