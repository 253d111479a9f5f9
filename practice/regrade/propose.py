"""The second person: one reviewer proposes a regrade, another applies it, as with publishing."""

from __future__ import annotations

import datetime as dt

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser
from django.db import IntegrityError, transaction

from courseiva.common.masks import slots_of
from practice.regrade.apply import Correction, checked, regrade
from practice.sessions.errors import NotPossible
from practice.sessions.scoring.models import Regrade, RegradeProposal
from questions.versions.models.versions import QuestionVersion


def propose(
    version: QuestionVersion, correction: Correction, by: AbstractBaseUser, now: dt.datetime
) -> RegradeProposal:
    """Propose a correction. Raises NotPossible if it doesn't fit the version or another is waiting."""
    masks = checked(version, correction)
    try:
        with transaction.atomic():
            return RegradeProposal.objects.create(
                version=version, rule=correction.rule, masks=masks, reason=correction.reason.strip(),
                made_by_id=by.pk, made_at=now,
            )  # fmt: skip
    except IntegrityError:
        # Left to the database, so that of two simultaneous proposals one is refused.
        raise NotPossible("proposal-waits") from None


def confirm(proposal_id: int, by: AbstractBaseUser, now: dt.datetime) -> Regrade:
    """Apply what somebody else proposed. Nobody confirms their own, unless PUBLISH_OWN_QUESTIONS is on.

    Raises NotPossible, also if it is no longer open.
    """
    with transaction.atomic():
        proposal = _open(proposal_id)
        if proposal.made_by_id == by.pk and not settings.PUBLISH_OWN_QUESTIONS:
            raise NotPossible("own-proposal")
        # In the same transaction as the proposal, so that a proposal is either open or in force, never both, whatever
        # fails.
        proposal.regrade = regrade(proposal.version, correction_of(proposal), by, now)
        proposal.save(update_fields=["regrade"])
    return proposal.regrade


def drop(proposal_id: int, now: dt.datetime) -> None:
    """Drop a proposal, one's own or another's. Raises NotPossible if it is no longer open."""
    with transaction.atomic():
        proposal = _open(proposal_id)
        proposal.dropped_at = now
        proposal.save(update_fields=["dropped_at"])


def correction_of(proposal: RegradeProposal) -> Correction:
    """The proposal as a correction."""
    return Correction(proposal.rule, tuple(slots_of(mask) for mask in proposal.masks), proposal.reason)


def _open(proposal_id: int) -> RegradeProposal:
    # If two people confirm or drop it at once, the second waits here and then finds it decided. Locks only the
    # proposal: locking its version would hold up anyone who publishes.
    rows = RegradeProposal.objects.select_for_update(of=("self",)).select_related("version")
    proposal = rows.filter(pk=proposal_id, regrade=None, dropped_at=None).first()
    if proposal is None:
        raise NotPossible("proposal-gone")
    return proposal
