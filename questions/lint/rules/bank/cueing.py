"""One question's public text that names what decides another's key: pairs for a reader to judge."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from math import fsum, log

from questions.lint.rules.registry import BANK, HALADYNA_2002, NBME, WARN, Problem, Rule, declare
from questions.lint.rules.wording import parts, roots
from questions.versions.rules.draft import DraftQuestion

FEWEST_OF_THE_KEY = 3  # roots that only the key has, said in one sentence elsewhere
OF_THE_KEY = 0.5  # of those roots
RAREST = 0.04  # of the units: a root that more of them use names nothing in particular
LEAST_WEIGHT = 6.0  # of the shared roots, each by how rare it is: two that a few units have

CUEING = declare(
    Rule(
        "cueing",
        WARN,
        BANK,
        "A sentence of one question with most of the words that set another unit's key apart from its other options,"
        " not yet reviewed (cueing.yaml).",
        "read both, then reword one or record that it doesn't help",
        f"{HALADYNA_2002}: keep the items independent of each other; {NBME}",
    )
)


def cueing_suspects(
    questions: Sequence[DraftQuestion], judged: Collection[tuple[str, str]] = ()
) -> Iterator[tuple[DraftQuestion, Problem]]:
    """Each pair once, at the question that tells, worst first: from public to reserved, then by what is shared.

    ``judged`` are pairs of ids, of the question that tells and the one it tells about.
    """
    said = [_sentences(question) for question in questions]
    used = Counter(root for each in said for root in frozenset().union(*each))
    weight = {root: log(len(questions) / count) for root, count in used.items() if count <= RAREST * len(questions)}
    owners: dict[str, list[int]] = {}
    for i, each in enumerate(said):
        for root in frozenset().union(*each) & weight.keys():
            owners.setdefault(root, []).append(i)
    found = []
    for question in questions:
        own = _of_the_key(question)
        for i in sorted({i for root in own for i in owners.get(root, ())}):
            teller = questions[i]
            if _unit(teller) == _unit(question) or (teller.key, question.key) in judged:
                continue
            telling = [each & own for each in said[i] if _tells(each & own, own, weight)]
            if telling:
                shared = max(telling, key=lambda each: (_weight(each, weight), sorted(each)))
                worst = (teller.pool != "reserved") + (question.pool == "reserved")
                found.append((-worst, -_weight(shared, weight), teller, question, sorted(shared)))
    for _, _, teller, question, words in sorted(found, key=lambda each: (*each[:2], each[2].key, each[3].key)):
        pool = "reserved" if question.pool == "reserved" else "public"
        message = f"may tell the key of “{question.key}” ({pool}): {', '.join(words)}"
        yield teller, CUEING.problem("explanation", message)


def _unit(question: DraftQuestion) -> str:
    return question.family or question.key


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
    return fsum(weight.get(root, 0.0) for root in shared)  # exact: a set has no order to add in
