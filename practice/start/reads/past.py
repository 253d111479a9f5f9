"""Which questions come for a learner whose past is stored: without reading a long history, in a few statements.

The order is made from the bank's counts and the stored tally; then the rows say which of the questions may be asked.
"""

from __future__ import annotations

import datetime as dt
import random
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Learner
from practice.learners.trial.rules import KEPT_BACK
from practice.sessions.reads.tally.reads import seen_questions_by
from practice.sessions.reads.tally.rules import Seen
from practice.start.reads.bank import Bank, bank_of
from practice.start.reads.picking import Pick, Stock, among, not_kept
from questions.catalogue.models import Exam
from questions.versions.models.versions import QuestionVersion

COLUMNS = ("question_id", "pk", "domain_id", "options", "unit")
SPARE = 10
"""How many more than wanted are ordered, in case that some may not be asked."""
SURPLUS = 3
"""How many times as many units are drawn at first, before the seen ones among them are left out."""


@dataclass(frozen=True)
class Past:
    """What a learner has seen of an exam's bank."""

    bank: Bank
    seen: Seen

    @classmethod
    def of(cls, learner: Learner, exam: Exam) -> Past | None:
        """The learner's; None if no tally is stored, so that it has to be read from the history."""
        seen = seen_questions_by(learner.pk, exam.pk)
        return cls(bank_of(exam), seen) if seen else None

    @cached_property
    def units(self) -> set[int]:
        """The units of which a question was seen."""
        return self.bank.units_of(self.seen.all)

    def fresh(self, units: Sequence[int], most: int, rng: random.Random) -> list[int]:
        """At most so many of these units of which nothing was seen, in random order."""
        part = rng.sample(units, min(len(units), SURPLUS * most))
        found = [unit for unit in part if unit not in self.units]
        if len(found) < most and len(part) < len(units):
            found = [unit for unit in rng.sample(units, len(units)) if unit not in self.units]
        return found[:most]

    def unseen_of(self, unit: int) -> list[int]:
        """The unit's questions that weren't seen."""
        return [question for question in self.bank.members[unit] if question not in self.seen.all]

    def least_recent(self, units: Collection[int]) -> Iterator[int]:
        """Of each of these units, all of whose questions were seen, the question seen longest ago.

        The units come by when one of theirs was last displayed. Only those of which that is known to be long ago.
        """
        ranks = {question: rank for rank, question in enumerate(self.seen.oldest)}
        last = {}
        for unit in units:
            members = self.bank.members[unit]
            if all(question in ranks for question in members):
                last[unit] = max(ranks[question] for question in members)
        for unit in sorted(last, key=lambda unit: last[unit]):
            yield min(self.bank.members[unit], key=lambda question: ranks[question])

    def for_drills(
        self, domains: Collection[int], most: int, rng: random.Random, *, is_mixed: bool, may_be_seen: bool
    ) -> list[list[int]]:
        """Of each unit in the order in which a drill takes them, the questions it may take; at most so many units.

        Unseen public ones first, then unseen variants of seen ones, then seen ones; if ``is_mixed``, all at random.
        """
        public = [unit for domain in domains for unit in self.bank.pools.get(domain, ([], []))[1]]
        if not may_be_seen:
            return [self.bank.members[unit] for unit in self.fresh(public, most, rng)]
        opened = [unit for domain in domains for unit in self.bank.pools.get(domain, ([], []))[0] if self._shown(unit)]
        if is_mixed:
            units = rng.sample(public + opened, min(most, len(public) + len(opened)))
            return [self._met(unit) for unit in units]
        found = [self.bank.members[unit] for unit in self.fresh(public, most, rng)]
        if len(found) >= most:
            return found
        met = [unit for unit in public if unit in self.units]
        variants = [unseen for unit in met if (unseen := self.unseen_of(unit))]
        seen = met + opened
        found += rng.sample(variants, len(variants)) + [self._met(unit) for unit in rng.sample(seen, len(seen))]
        return found[:most]

    def _shown(self, unit: int) -> list[int]:
        return [question for question in self.bank.members[unit] if question in self.seen.shown]

    def _met(self, unit: int) -> list[int]:
        return self.bank.members[unit] if unit in self.bank.public_units else self._shown(unit)

    def pick(self, row: Sequence[Any]) -> Pick:
        """The version for a session."""
        question, version, domain, options, unit = row
        is_seen = question in self.seen.all
        slots = tuple(option["slot"] for option in options)
        return Pick(version, domain, slots, unit, is_seen, not is_seen and unit in self.units)


def pick_by_past(stock: Stock, learner: Learner, past: Past, wanted: Mapping[int, int], seed: int) -> list[Pick]:
    """A mock's versions as ``pick_mock`` chooses them; fewer if these can't be found from what is stored."""
    rng = random.Random(f"mock {seed}")
    order = {domain: _in_mock(stock, past, domain, count + SPARE, rng) for domain, count in sorted(wanted.items())}
    asked = [question for questions in order.values() for question in questions]
    # The order keeps a guest's share already.
    rows = _mock_rows(replace(stock, share=None, percent=None), learner.pk, timezone.now() - KEPT_BACK, asked)
    found = {row[0]: row for row in rows}
    picks: list[Pick] = []
    for domain, questions in order.items():
        usable = [found[question] for question in questions if question in found and found[question][2] == domain]
        picks += [past.pick(row) for row in usable[: wanted[domain]]]
    rng.shuffle(picks)
    return picks


def _in_mock(stock: Stock, past: Past, domain: int, most: int, rng: random.Random) -> list[int]:
    """At most so many of a domain's questions in the order in which a mock takes them, one of a unit."""
    bank, found = past.bank, list[int]()
    pools = bank.for_mocks(stock, domain)
    for units in pools:
        found += [rng.choice(bank.members[unit]) for unit in past.fresh(units, most - len(found), rng)]
        if len(found) >= most:
            return found
    met = [unit for units in pools for unit in units if unit in past.units]
    variants = [unit for unit in met if past.unseen_of(unit)]
    found += [rng.choice(past.unseen_of(unit)) for unit in rng.sample(variants, len(variants))]
    if len(found) < most:
        found += past.least_recent(set(met).difference(variants))
    return found[:most]


@composed_once
def _mock_rows(
    stock: Stock, learner: int, kept_since: dt.datetime, questions: list[int]
) -> QuerySet[QuestionVersion, Any]:
    rows = among(not_kept(stock.versions(), learner, kept_since), questions)
    return rows.order_by().values_list(*COLUMNS)
