"""The bank's style in figures: length, what options name, whether stems address the reader, and their places."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from statistics import median, quantiles

from questions.catalogue.rules.exam_file import ExamFile
from questions.catalogue.rules.glossary import Glossary
from questions.lint.rules.bank.figures import longest_right, percent
from questions.lint.rules.prose import names_product
from questions.lint.rules.registry import BANK, HALADYNA_2002, WARN, Problem, Rule, declare
from questions.lint.rules.wording import CODE, without_code, words
from questions.versions.rules.draft import DraftQuestion

SAMPLES = "The official sample questions of the exam (targets in exam.yaml)"
FEWEST = 20  # questions below which a share says nothing
ADDRESS = re.compile(r"\b(?:you|your|yours)\b", re.I)
SETTING_IN = re.compile(r"\b(?:in|from|near|at|of|across|around|outside)\s+((?:[A-Z]\w+(?:[ -](?=[A-Z]))?)+)")
# Capitalised words after a preposition that aren't places: product parts, formats, calendar.
NO_PLACE = frozenset(
    """Agent AI API APIs AutoML BERT BigQuery Bigtable Cloud CPU CSV Dataflow DNS Docker Excel FarmBeats Gemini Git
    GitHub Google GPU GPUs Hugging IAM JavaScript JSON Java Jupyter Keras Kubernetes Linux Looker LoRA Markdown ML
    Model NumPy Open ONNX Parquet Pub Python PyTorch Ray SQL Spark TensorFlow Terraform TFX TPU Vertex VM VMs Windows
    XGBoost YAML January February March April May June July August September October November December Monday Tuesday
    Wednesday Thursday Friday Saturday Sunday Christmas Easter Ramadan""".split()  # noqa: SIM905
)


def _rule(name: str, finds: str, fix: str, source: str = SAMPLES) -> Rule:
    return declare(Rule(name, WARN, BANK, finds, fix, source))


LONGEST_TARGET = _rule(
    "longest-target",
    "The longest option is the key in more, or fewer, choose-one questions with four options than the target."
    " Either teaches a rule that works only here.",
    "lengthen or shorten options until length gives nothing away",
    f"{HALADYNA_2002}: keep the choices about equally long",
)
OPTION_MEDIAN = _rule(
    "option-median",
    "The median length of an option is outside the target.",
    "write options as designs, saying what each sets and does; or cut what they all share",
)
STEM_SPREAD = _rule(
    "stem-spread",
    "Stems are too similar in length: the 10th to 90th percentile spans fewer words than the target.",
    "write some short and some long scenarios, as the exam does",
)
NAMES_PRODUCT = _rule(
    "names-product",
    "Fewer questions than the target have options that name a product, service (glossary.yaml) or setting (code).",
    "say in the options what is used and how it is set",
)
ADDRESSED = _rule(
    "addressed",
    "Fewer stems than the target address the reader (you, your team).",
    "put the reader in the scenario",
)
PLACES = _rule(
    "places",
    "More stems than the target name a place.",
    "leave out the place unless law, region or latency depends on it",
)


def stem_spread(questions: Sequence[DraftQuestion]) -> float:
    """Words between the tenth and the ninetieth percentile of the stems; 0 for fewer than two."""
    lengths = [words(question.stem) for question in questions]
    tenths = quantiles(lengths, n=10) if len(lengths) > 1 else [0.0]
    return tenths[-1] - tenths[0]


def option_median(questions: Sequence[DraftQuestion]) -> float:
    """The median number of words of an option; 0 for none."""
    lengths = [words(option.text) for question in questions for option in question.options]
    return median(lengths) if lengths else 0


def names_a_product(question: DraftQuestion, glossary: Glossary) -> bool:
    """Whether an option names a product or service of the glossary, or a setting."""
    texts = [option.text for option in question.options]
    return any(CODE.search(text) or any(names_product(text, term) for term in glossary.values()) for text in texts)


def is_addressed(question: DraftQuestion) -> bool:
    """Whether the stem addresses the reader."""
    return ADDRESS.search(without_code(question.stem)) is not None


def place_named(question: DraftQuestion, glossary: Glossary) -> str:
    """A place named in the stem, judging by form; empty for none."""
    known = NO_PLACE | {word for term in glossary.values() for word in f"{term.name} {term.former}".split()}
    for match in SETTING_IN.finditer(without_code(question.stem)):
        name = match.group(1)
        first = re.split(r"[ -]", name)[0]
        if first not in known and not first.isupper() and not re.search(r"[a-z][A-Z]", first):
            return name
    return ""


def style_figures(questions: Sequence[DraftQuestion], glossary: Glossary) -> dict[str, str]:
    """The figures these rules use, for people."""
    total = len(questions)
    return {
        "median words per option": f"{option_median(questions):g}",
        "spread of stems": f"{stem_spread(questions):.0f} words",
        "name a product or setting": f"{percent(sum(names_a_product(q, glossary) for q in questions), total)}%",
        "address the reader": f"{percent(sum(map(is_addressed, questions)), total)}%",
        "name a place": f"{percent(sum(bool(place_named(q, glossary)) for q in questions), total)}%",
    }


def lint_style(questions: Sequence[DraftQuestion], exam: ExamFile, glossary: Glossary) -> Iterator[Problem]:
    """All findings on a bank's style for which its exam has a target."""
    targets, total = exam.targets, len(questions)
    if total < FEWEST:
        return
    if targets.longest_right:
        yield from _longest(questions, targets.longest_right)
    if targets.option_words and not _within(option_median(questions), targets.option_words):
        low, high = targets.option_words
        message = f"median {option_median(questions):g} words; the target is {low} to {high}"
        yield OPTION_MEDIAN.problem("targets.option_words", message)
    if stem_spread(questions) < targets.stem_spread:
        message = f"{stem_spread(questions):.0f} words; the target is {targets.stem_spread}"
        yield STEM_SPREAD.problem("targets.stem_spread", message)
    shares: tuple[tuple[Rule, str, int, Callable[[DraftQuestion], bool]], ...] = (
        (NAMES_PRODUCT, "names_product", targets.names_product, lambda question: names_a_product(question, glossary)),
        (ADDRESSED, "addressed", targets.addressed, is_addressed),
    )
    for rule, name, least, has in shares:
        share = percent(sum(map(has, questions)), total)
        if share < least:
            yield rule.problem(f"targets.{name}", f"{share}%; the target is {least}% or more")
    placed = percent(sum(bool(place_named(question, glossary)) for question in questions), total)
    if targets.places and placed > targets.places:
        yield PLACES.problem("targets.places", f"{placed}%; the target is {targets.places}% or less")


def _longest(questions: Sequence[DraftQuestion], target: tuple[int, ...]) -> Iterator[Problem]:
    for each in longest_right(questions):
        share = percent(each.found, each.questions)
        if each.name == "single of 4" and each.questions >= FEWEST and not _within(share, target):
            message = f"right in {share}% of {each.questions} questions; the target is {target[0]} to {target[1]}%"
            yield LONGEST_TARGET.problem("targets.longest_right", message)


def _within(value: float, limits: tuple[int, ...]) -> bool:
    return limits[0] <= value <= limits[1]
