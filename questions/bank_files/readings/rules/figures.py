"""What readers found about a bank, by domain and kind: leak, verdicts, and the probe's guesses."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from questions.bank_files.readings.rules.items import POOLS, Item
from questions.bank_files.readings.rules.leak import Leak, first, leak_of, present
from questions.bank_files.readings.rules.material import Material
from questions.bank_files.readings.rules.records import VERDICTS, OptionsReading, PromptReading
from questions.bank_files.rules.table import as_line

HEADS = (
    "",
    "Questions",
    "Leak",
    "Leak, first readings",
    "Probe",
    "Verdicts on",
    "Agree",
    *map(str.capitalize, VERDICTS),
)
KINDS = ("single", "multiple")


@dataclass(frozen=True)
class Figures:
    """A row of the table: all questions, a domain or a kind."""

    name: str
    questions: int
    leak: Leak | None
    first: Leak | None
    probe: str
    verdicts: Counter[str]  # from the last reading of each question
    agree: int
    expired: int  # verdicts on a text that has changed or wasn't recorded

    def share(self, verdict: str) -> float:
        """The share of read questions whose last verdict is this one."""
        return self.verdicts[verdict] / max(1, self.verdicts.total())


def bank_rows(material: Material, waiting: bool, probe: Mapping[str, str]) -> list[Figures]:
    """Every row, for loaded or waiting questions; ``probe`` gives its figure by row name."""
    units = [unit for unit in material.units if unit.waits == waiting]
    items = [item for unit in units for item in unit.variants]
    keys = {unit.key for unit in units}
    readings = [each for each in material.readings.options if each.unit in keys]
    now, then = present(readings, units), first(readings)
    last = last_verdicts(material.readings.prompts, items)
    domains = list(dict.fromkeys(item.domain for item in items))
    rows: list[tuple[str, Callable[[Item | OptionsReading | PromptReading], bool]]] = [("all", lambda _: True)]
    pool_of = {unit.key: unit.first.pool for unit in units} | {item.key: item.pool for item in items}
    rows += [(name, _in_pool(pool, pool_of)) for name, pool in POOLS.items()]
    rows += [(kind, _has("kind", kind)) for kind in KINDS]
    rows += [(domain, _has("domain", domain)) for domain in domains]
    text = {item.key: item.prompt_hash for item in items}
    found = []
    for name, fits in rows:
        own = [each for each in last if fits(each)]
        found.append(
            Figures(
                name=name,
                questions=sum(map(fits, items)),
                leak=leak_of(filter(fits, now)),
                first=leak_of(filter(fits, then)),
                probe=probe.get(name, ""),
                verdicts=Counter(each.verdict for each in own),
                agree=sum(each.agrees for each in own),
                expired=sum(each.text != text[each.question] for each in own),
            )
        )
    return found


def _in_pool(pool: str, pool_of: Mapping[str, str]) -> Callable[[Item | OptionsReading | PromptReading], bool]:
    def name(each: Item | OptionsReading | PromptReading) -> str:
        if isinstance(each, OptionsReading):
            return each.unit
        return each.key if isinstance(each, Item) else each.question

    return lambda each: pool_of.get(name(each)) == pool


def _has(field: str, value: str) -> Callable[[Item | OptionsReading | PromptReading], bool]:
    return lambda each: bool(getattr(each, field) == value)


def last_verdicts(prompts: Iterable[PromptReading], items: Iterable[Item]) -> list[PromptReading]:
    """The last reading of each question that still exists."""
    keys = {item.key for item in items}
    return list({each.question: each for each in prompts if each.question in keys}.values())


def as_table(rows: Sequence[Figures]) -> str:
    """The rows as Markdown, without the probe's column if nothing was probed."""
    table = [HEADS, ["---"] * len(HEADS), *map(_cells, rows)]
    if not any(row.probe for row in rows):
        probe = HEADS.index("Probe")
        table = [[*cells[:probe], *cells[probe + 1 :]] for cells in table]
    lines = list(map(as_line, table))
    expired = rows[0].expired if rows else 0
    if expired:
        lines += [
            "",
            f"{expired} of the verdicts were given on an earlier text, or on one whose fingerprint isn’t on file.",
        ]
    return "\n".join(lines)


def _cells(row: Figures) -> list[str]:
    read = row.verdicts.total()
    shares = [f"{row.share(verdict):.0%}" if read else "" for verdict in VERDICTS]
    agree = f"{row.agree} of {read}" if read else ""
    return [row.name, str(row.questions), _leak(row.leak), _leak(row.first), row.probe, str(read), agree, *shares]


def _leak(leak: Leak | None) -> str:
    if leak is None:
        return "not read"
    low, high = leak.interval
    return f"{leak.value:.2f} ({low:.2f} to {high:.2f}, n = {leak.questions})"
