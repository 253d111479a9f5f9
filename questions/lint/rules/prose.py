"""What no text for learners may contain."""

from __future__ import annotations

import re
from collections.abc import Iterator

from courseiva.common.texts.formulas.dollars import formulas_in, without_formulas
from courseiva.common.texts.formulas.mathml import FormulaError, check
from questions.catalogue.rules.exam_file import ExamFile
from questions.catalogue.rules.glossary import CURRENT, Glossary, Term
from questions.lint.rules.registry import NOTHING, REFUSE, WARN, Finding, Known, rule
from questions.lint.rules.wording import without_code
from questions.versions.material.pictures.rules.encode import NAME
from questions.versions.material.pictures.rules.named import images_in, may_show
from questions.versions.rules.draft import DraftQuestion

LETTER = re.compile(
    r"\b(?i:options?|answers?|choices?)\s+\(?[A-H]\b(?![\w'/-])"
    r"|\([A-H]\)"
    r"|\b[A-H]\s+(?:is|was|are)\s+(?:right|wrong|correct|incorrect|true|false)\b"
)
LEFTOVER = re.compile(
    r"\{\{.*?(?:\}\}|$)|\{%|\b(?:TODO|FIXME|TBD|XXX)\b|(?i:lorem ipsum)|\?\?\?"
    r"|(?i:\A\W*(?:option|answer|rationale|explanation|stem|question|clue) text\W*\Z)"
    r"|(?i:\[(?:insert|your|add|fill in|placeholder)\b[^\]]*\])",
    re.S,
)
BOILERPLATE = re.compile(
    r"\b(?:the (?:correct|right) (?:answer|option|choice)s? (?:is|are) (?:correct|right)"
    r"|this (?:option|answer|choice)? ?is (?:in)?correct because"
    r"|(?:it is|it's) important to (?:note|remember|understand)"
    r"|in today's (?:world|fast)|as we (?:all )?know|needless to say|plays? an? (?:crucial|vital|key) role"
    r"|this question (?:tests|assesses|checks) (?:your|the)"
    r"|none of the other options|all (?:of )?the other options (?:are|do)"
    r"|best meets? (?:all )?(?:of )?the requirements)\b",
    re.I,
)
LINK = re.compile(r"(!?)\[([^\]\[]*)\](?:\(\s*<?([^()\s>]*)>?(?:\s+\"[^\"]*\")?\s*\))")
OURS = "picture:"
ELSEWHERE = ("https://", "http://", "mailto:")
MODULE_PATH = re.compile(r"/exams/([^/]+)/modules/\d+-([^/]+)/(?:notebook/)?\Z")
EXAM_PATH = re.compile(r"/exams/([^/]+)/")
DOMAIN_PATH = re.compile(r"/exams/([^/]+)/domains/([^/]+)/\Z")
SAID_TO_END = re.compile(
    r"\b(?:deprecat\w+|retire[sd]?|retirement|shut down|shutdown|discontinu\w+|no longer (?:offered|available)"
    r"|announced to end|(?:end|close)s? (?:in|on) (?:\d+ )?\w* ?20\d\d)\b",
    re.I,
)
SHOWN = 60  # characters of a broken formula in a message
GOOGLE_EXAM = re.compile(r"\b(?:Professional|Associate) (?:[A-Z][a-z]+ ){1,4}(?:Engineer|Architect|Developer)\b")


@rule(
    "letter",
    REFUSE,
    finds="Prose that refers to an option by letter.",
    fix="say what the option does instead: each learner gets different letters",
)
def letters_are_not_cited(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Option letters are assigned when a question is shown, so prose can't refer to them. Formulas may say (A)."""
    for path, text in question.prose():
        found = LETTER.search(without_formulas(text))
        if found:
            yield path, f"an option is referred to by letter: “{found.group()}”"


@rule(
    "leftover",
    REFUSE,
    finds="Leftovers from a template or a plan: an unfilled {{name}}, TODO, lorem ipsum, “Option text”.",
    fix="replace it with real text",
)
def nothing_is_left_over(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Every text must be finished. Code and formulas are meant literally."""
    for path, text in question.prose():
        found = leftover_in(text)
        if found:
            yield path, f"“{found}” is a leftover"


def leftover_in(text: str) -> str:
    """A template leftover in a text, or nothing."""
    found = LEFTOVER.search(without_code(without_formulas(text)))
    return found.group().strip() if found else ""


@rule(
    "link",
    REFUSE,
    finds="A link that is empty or relative, or that points to an exam, domain or module that doesn’t exist.",
    fix="write the full address, or remove the link",
)
def links_lead_somewhere(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A text is shown at several URLs, so relative links don't work."""
    for path, text in question.prose():
        for reason in dead_links(text, known):
            yield path, reason


def dead_links(text: str, known: Known = NOTHING) -> Iterator[str]:
    """Why each broken link of a text is broken."""
    if "](" not in text:
        return
    for image, _, target in LINK.findall(without_code(without_formulas(text))):
        if image or target.startswith(ELSEWHERE):
            continue
        if not target.startswith("/"):
            yield f"a link points to “{target}”, which isn’t an address"
        elif not _is_there(target, known):
            yield f"a link points to “{target}”, which doesn’t exist"


def _is_there(target: str, known: Known) -> bool:
    """Whether one of our own URLs can exist; if files can't tell, it is assumed to."""
    target = re.split(r"[#?]", target, maxsplit=1)[0]
    exam = EXAM_PATH.match(target)
    if not exam or not known.exam or not known.names:
        return True
    if exam.group(1) != known.exam.slug:
        return exam.group(1) in {other.slug for other in known.others}
    for pattern, names in ((MODULE_PATH, known.names["modules"]), (DOMAIN_PATH, known.names["domain"])):
        found = pattern.match(target)
        if found and found.group(2) not in names:
            return False
    return True


@rule(
    "image-alt",
    REFUSE,
    finds="An image without alternative text.",
    fix="describe the image between the brackets",
    source="WCAG 2.2, success criterion 1.1.1 (text alternatives)",
)
def images_have_words(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Images need a description for people who can't see them."""
    for path, text in question.prose():
        if any(not words.strip() for words, _ in images_in(text)):
            yield path, "an image has no alternative text"


@rule(
    "picture",
    REFUSE,
    finds="An image that isn’t a stored picture (`picture:NAME`), or that is in a text that can’t show one.",
    fix="upload the image and use the line you get, in the stem, an option, a rationale or a part of the answer",
)
def images_can_be_shown(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Pages load no images from other sites, and some texts appear where no image fits, or at another time."""
    for path, text in question.prose():
        for _, address in images_in(text):
            name = address.removeprefix(OURS)
            if not address.startswith(OURS) or not NAME.fullmatch(name):
                yield path, f"“{address or '[…]'}” isn’t a stored picture"
            elif known.pictures is not None and name not in known.pictures:
                yield path, f"the picture “{name}” doesn’t exist"
            elif not may_show(path):
                yield path, "a picture can’t be shown here"
    for i, clue in enumerate(question.clues):
        if "![" in clue.phrase:
            yield f"clues[{i}].phrase", "a clue can’t include a picture"


@rule(
    "formula",
    REFUSE,
    finds="A formula between dollars that can’t be drawn: unknown commands, braces that aren’t closed, colours.",
    fix="correct the TeX, or write \\$ if a dollar is meant",
)
def formulas_can_be_drawn(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A formula that isn't TeX would be shown as typed."""
    for path, text in question.prose():
        for _, reason in broken_formulas(text):
            yield path, reason


def broken_formulas(text: str) -> Iterator[tuple[int, str]]:
    """Where each broken formula in a text starts, and why it is broken."""
    for formula in formulas_in(text):
        try:
            check(formula.tex)
        except FormulaError as error:
            shown = " ".join(formula.source.split())
            yield formula.start, f"“{shown if len(shown) <= SHOWN else shown[:SHOWN] + '…'}” can’t be drawn: {error}"


@rule(
    "boilerplate",
    WARN,
    finds="A phrase that would fit under any question.",
    fix="say something specific to this question, or cut it",
)
def prose_is_its_own(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """Phrases that would fit anywhere say nothing."""
    for path, text in question.prose():
        found = BOILERPLATE.search(without_code(text))
        if found:
            yield path, f"“{found.group()}” could appear under any question"


@rule(
    "wrong-name",
    WARN,
    finds="A text that names another exam, or the printed name of another domain.",
    fix="name this question’s own exam and domain, or neither",
)
def exam_and_domain_are_right(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A question may only refer to its own exam and domain."""
    if not known.exam:
        return
    names = _foreign_names(question, known.exam, known.others)
    for path, text in question.prose():
        plain = without_code(text)
        found = next((name for name in names if _stands_in(plain, name)), None)
        found = found or next((n for n in GOOGLE_EXAM.findall(plain) if n not in known.exam.name), None)
        if found:
            yield path, f"“{found}” isn’t this question’s exam or domain"


def _foreign_names(question: DraftQuestion, exam: ExamFile, others: tuple[ExamFile, ...]) -> list[str]:
    """Names of other exams, and printed names of other domains that this domain never had."""
    lines = [line for blueprint in exam.blueprints for line in blueprint.weights]
    own = {line.name for line in lines if line.domain == question.domain}
    return [
        *(name for other in others for name in (other.name, other.code)),
        *sorted({line.name for line in lines if line.domain != question.domain} - own),
    ]


@rule(
    "former-name",
    WARN,
    finds="A product’s former name without the current one beside it (glossary.yaml).",
    fix="write {{term}} for the product, or the current name",
)
def products_have_their_current_name(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """A former name only helps next to the current one."""
    for path, text in question.prose():
        for former, current in former_names(without_code(text), known.glossary):
            yield path, f"“{former}” is now called “{current}”"


def former_names(text: str, glossary: Glossary) -> Iterator[tuple[str, str]]:
    """Each former name without its current one; the longest matching name counts."""
    whole = text
    named = [term for term in glossary.values() if term.former and term.former in text]
    for term in sorted(named, key=lambda term: -len(term.former)):
        if _stands_in(text, term.former) and term.name not in whole:
            yield term.former, term.name
        text = text.replace(term.former, " ")


@rule(
    "retired-product",
    WARN,
    finds="A product the glossary lists as deprecated or retired, in a question that doesn’t say so.",
    fix="say that it is ending and what replaces it, or ask about its successor",
)
def what_ends_is_said_to_end(question: DraftQuestion, known: Known) -> Iterator[Finding]:
    """People who learn about a product should learn that it is ending."""
    ending = [term for term in known.glossary.values() if term.status != CURRENT]
    texts = [(path, without_code(text)) for path, text in question.prose()] if ending else []
    if any(SAID_TO_END.search(text) for _, text in texts):
        return
    for term in ending:
        where = next((path for path, text in texts if names_product(text, term)), None)
        if where:
            day = f", ends on {term.ends}" if term.ends else ""
            follows = f"; {term.successor} follows" if term.successor else ""
            yield where, f"“{term.name}” is {term.status}{day}{follows}, but nothing here says so"


def names_product(text: str, term: Term) -> bool:
    """Whether a text names a product, by its current or former name."""
    return _stands_in(text, term.name) or bool(term.former and _stands_in(text, term.former))


def _stands_in(text: str, name: str) -> bool:
    """Whether a name occurs in a text as a whole word."""
    return name in text and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None
