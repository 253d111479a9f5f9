"""A text in a public question or a study module that gives away a question's key: for a person to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import fsum, log

from questions.lint.rules.registry import BANK, HALADYNA_2002, NBME, WARN, Problem, Rule, declare
from questions.lint.rules.wording import parts, roots
from questions.versions.rules.draft import DraftQuestion

FEWEST_OF_THE_KEY = 3  # the fewest of the key's own roots in one sentence elsewhere
OF_THE_KEY = 0.5  # the share of those roots
RAREST = 0.04  # the share of units; a root in more of them isn't specific
LEAST_WEIGHT = 6.0  # the total rarity of the shared roots: two that only a few units have

CUEING = declare(
    Rule(
        "cueing",
        WARN,
        BANK,
        "A sentence of a question or study module with most of the words that set another unit’s key apart from its"
        " other options, not yet reviewed (cueing.yaml).",
        "read both, then reword one or record that it doesn’t help",
        f"{HALADYNA_2002}: keep the items independent of each other; {NBME}",
    )
)


@dataclass(frozen=True)
class ModuleSentence:
    """A sentence of a study module; ``key`` names the module, ``line`` is where it starts in the file."""

    key: str
    line: int
    text: str
    pool: str = "open"

    @property
    def unit(self) -> tuple[str, str]:
        return ("module", self.key)


Teller = DraftQuestion | ModuleSentence


def cueing_suspects(
    questions: Sequence[DraftQuestion],
    judged: Collection[tuple[str, str]] = (),
    modules: Iterable[ModuleSentence] = (),
) -> Iterator[tuple[Teller, Problem]]:
    """Each pair once, reported at the source, worst first: public about reserved, then by shared words.

    ``judged`` are pairs of ids: the source (question or module) and the question it is about.
    """
    said = [_sentences(question) for question in questions]
    used = Counter(root for each in said for root in frozenset().union(*each))
    weight = {root: log(len(questions) / count) for root, count in used.items() if count <= RAREST * len(questions)}
    tellers: list[Teller] = [*questions, *modules]
    said += [[roots(each.text)] for each in tellers[len(questions) :] if isinstance(each, ModuleSentence)]
    owners: dict[str, list[int]] = {}
    for i, each in enumerate(said):
        for root in frozenset().union(*each) & weight.keys():
            owners.setdefault(root, []).append(i)
    found: dict[tuple[str, str], _Pair] = {}
    for question in questions:
        own = _of_the_key(question)
        for i in sorted({i for root in own for i in owners.get(root, ())}):
            teller = tellers[i]
            if teller.unit == question.unit or (teller.key, question.key) in judged:
                continue
            telling = [each & own for each in said[i] if _tells(each & own, own, weight)]
            if telling:
                shared = max(telling, key=lambda each: (_weight(each, weight), sorted(each)))
                pair = _Pair(teller, question, shared, _weight(shared, weight))
                before = found.setdefault((teller.key, question.key), pair)
                found[teller.key, question.key] = max(before, pair, key=lambda each: each.weight)
    for pair in sorted(found.values(), key=lambda each: each.order):
        where = "module" if isinstance(pair.teller, ModuleSentence) else "explanation"
        yield pair.teller, CUEING.problem(where, pair.message)


@dataclass(frozen=True)
class _Pair:
    """What ``teller``'s most revealing sentence shares with ``question``: roots, and their weight."""

    teller: Teller
    question: DraftQuestion
    shared: frozenset[str]
    weight: float

    @property
    def order(self) -> tuple[int, float, str, str]:
        worst = (self.teller.pool != "reserved") + (self.question.pool == "reserved")
        return -worst, -self.weight, self.teller.key, self.question.key

    @property
    def message(self) -> str:
        pool = "reserved" if self.question.pool == "reserved" else "public"
        return f"may tell the key of “{self.question.key}” ({pool}): {', '.join(sorted(self.shared))}"


def _sentences(question: DraftQuestion) -> list[frozenset[str]]:
    return [roots(sentence) for _, text in question.prose() for sentence in parts(text)]


def _of_the_key(question: DraftQuestion) -> frozenset[str]:
    right = frozenset().union(*(roots(option.text) for option in question.options if option.right))
    wrong = frozenset().union(*(roots(option.text) for option in question.options if not option.right))
    return right - wrong


def _tells(shared: frozenset[str], own: frozenset[str], weight: dict[str, float]) -> bool:
    enough = len(shared) >= FEWEST_OF_THE_KEY and len(shared) >= OF_THE_KEY * len(own)
    return enough and _weight(shared, weight) >= LEAST_WEIGHT


def _weight(shared: frozenset[str], weight: dict[str, float]) -> float:
    return fsum(weight.get(root, 0.0) for root in shared)  # an exact sum, because a set has no fixed order
