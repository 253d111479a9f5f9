"""What gives the key away, or spoils the choice, in stem and options."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import combinations

from questions.lint.rules.registry import HALADYNA_2002, HALADYNA_2013, NBME, REFUSE, WARN, Finding, Known, rule
from questions.lint.rules.wording import normal, parts, root, roots, without_code
from questions.versions.rules.draft import DraftOption, DraftQuestion

EVERY_OR_NONE = re.compile(r"\b(all|none|both) of the (above|options|answers)\b", re.I)
NEGATIVE = re.compile(
    # From the first “which”, in the main clause: a negation in a subordinate clause doesn't negate the question.
    r"\A(?:(?!\b[Ww](?:hich|hat)\b).)*\b[Ww](?:hich|hat)\b"
    r"(?:\s+(?!(?:that|if|when|who|where|what|while|because|since|has|have|had)\b)[\w'-]+){0,6}?\s+(?:not\b|\w+n't\b)"
    r"|\bexcept\b(?!ion)|\bleast (?:likely|suitable|appropriate|effective|useful)\b",
    re.S,
)
ABSOLUTE = re.compile(  # “append-only” and the like are names of modes
    r"(?<![\w-])(?:always|never|only|completely|absolutely|entirely|totally|impossible|guarantee[sd]?|invariably"
    r"|under (?:all|no) circumstances|in (?:all|every) cases?|no matter)\b",
    re.I,
)
ARTICLE_END = re.compile(r"\b(an?)\s*(?:…|\.{3}|:|_{2,})?\s*\Z", re.I)
IS_END = re.compile(r"\b(is|are)\s*(?:…|\.{3}|:|_{2,})?\s*\Z", re.I)
PLURAL = re.compile(r"\A(?:the |these |those |two |three )?\w+[^s\W]s\b", re.I)
FORMS = {
    "ends with a full stop": lambda text: text.endswith("."),
    "starts with a capital": lambda text: text.lstrip('`*“"')[:1].isupper(),
    "starts with code": lambda text: text.startswith("`"),
    "starts with a word in -ing": lambda text: bool(re.match(r"[A-Za-z]{3,}ing\b", text)),
}


@rule(
    "all-or-none",
    REFUSE,
    finds="“All of the above”, “none of the above” or “both of the above”.",
    fix="write the options out instead",
    source=f"{HALADYNA_2002}: avoid all-of-the-above, be careful with none-of-the-above; {NBME}",
)
def no_all_or_none(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Shuffled options can't refer to each other."""
    for i, option in enumerate(question.options):
        if EVERY_OR_NONE.search(option.text):
            yield f"options[{i}].text", "“all of the above” or “none of the above” isn’t allowed"


@rule(
    "negative-stem",
    WARN,
    finds="A question that asks for what is not true, without emphasising the negation.",
    fix="ask for what is true; if it must be negative, put the negative word in bold or capitals",
    source=f"{HALADYNA_2002}: word the stem positively, else capitalise and embolden the negation; {HALADYNA_2013}",
)
def negation_is_seen(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """An overlooked negation tests attention, not knowledge."""
    asked = [part for part in parts(without_code(question.stem)) if part.rstrip().endswith("?")]
    found = NEGATIVE.search(asked[-1]) if asked else None
    if found:
        yield "stem", f"negative question without emphasis: “{found.group().strip()}”"


@rule(
    "absolute",
    WARN,
    finds="Always, never, only and the like, in wrong options but no right one.",
    fix="soften the wrong option, or make the right one just as firm",
    source=f"{HALADYNA_2002}: no specific determiners such as always, never, completely; {NBME}: absolute terms",
)
def nothing_is_absolute(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Test-takers without knowledge rule out what is too strong to be true."""
    found = [(i, option.right, ABSOLUTE.search(without_code(option.text))) for i, option in enumerate(question.options)]
    if any(right and match for _, right, match in found):
        return
    for i, _, match in found:
        if match:
            yield f"options[{i}].text", f"“{match.group()}” is in a wrong option but in no right one"


@rule(
    "grammar-cue",
    WARN,
    finds="Options that don’t fit the stem’s unfinished sentence (a / an, singular / plural), or a right one whose"
    " form differs from all the others.",
    fix="give all options the same form, one that fits the stem",
    source=f"{HALADYNA_2002}: no grammatical inconsistencies, homogeneous choices; {NBME}: grammatical cues",
)
def grammar_says_nothing(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """If grammar shows which option fits, no knowledge is needed."""
    stem = question.stem.rstrip()
    article, verb = ARTICLE_END.search(stem), IS_END.search(stem)
    for i, option in enumerate(question.options):
        vowel = bool(re.match(r"\W*[aeiou]", option.text, re.I))
        if article and vowel != (article.group(1).lower() == "an"):
            yield f"options[{i}].text", f"the stem’s “{article.group(1)}” doesn’t fit it"
        if verb and bool(PLURAL.match(option.text)) != (verb.group(1).lower() == "are"):
            yield f"options[{i}].text", f"the stem’s “{verb.group(1)}” doesn’t fit it"
    for form, has in FORMS.items():
        forms = [(option.right, has(option.text.strip())) for option in question.options]
        right, wrong = {has for right, has in forms if right}, {has for right, has in forms if not right}
        if right != wrong and len(right) == len(wrong) == 1:
            yield "options", f"right and wrong options differ in form: only one side {form}"


@rule(
    "convergence",
    WARN,
    finds="A right option that shares far more words with the other options than any wrong one does.",
    fix="base wrong options on each other too, not just on the right one",
    source=f"{NBME}: convergence, the key has the most elements in common with the other options",
)
def options_do_not_converge(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """If the wrong options are variations of the right one, the most typical one is the key."""
    if question.kind != "single" or len(question.right_slots) != 1:
        return
    texts = [roots(option.text) for option in question.options]
    count = Counter(word for text in texts for word in text)
    shared = [sum(count[word] - 1 for word in text) for text in texts]
    right = next(i for i, option in enumerate(question.options) if option.right)
    others = max((number for i, number in enumerate(shared) if i != right), default=0)
    if shared[right] >= others + 3 and shared[right] >= 1.5 * others:
        yield f"options[{right}].text", f"{shared[right]} words in common with the others; the next option has {others}"


@rule(
    "overlap",
    WARN,
    finds="An option contained in another, or two that differ only in articles and endings.",
    fix="make the options mutually exclusive",
    source=f"{HALADYNA_2002}: keep the choices independent, they should not overlap",
)
def options_exclude_each_other(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """If one option is true whenever another is, they can't be right and wrong."""
    for (i, one), (j, two) in combinations(enumerate(question.options), 2):
        if _contains(one, two) or _contains(two, one):
            inner, outer = (j, i) if _contains(one, two) else (i, j)
            yield f"options[{inner}].text", f"option {outer + 1} of the file contains it"
        elif normal(one.text) != normal(two.text) and _bare(one) == _bare(two):
            yield f"options[{j}].text", f"the same as option {i + 1} of the file but for articles and endings"


def _contains(outer: DraftOption, inner: DraftOption) -> bool:
    """Whether one option's words are a run in the other, longer one."""
    long, short = normal(outer.text), normal(inner.text)
    return len(short.split()) >= 2 and long != short and f" {short} " in f" {long} "


def _bare(option: DraftOption) -> list[str]:
    return [root(word) for word in normal(option.text).split() if word not in {"a", "an", "the"}]
