"""Answering a variant, or declining it: it counts as seen, and never as a first exposure."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence

from django.db import transaction

from courseiva.common.masks import mask_of, order_slots
from practice.learners.enrol import lock_learner
from practice.learners.reads.identity import Owner
from practice.sessions.ending.finish import close
from practice.sessions.errors import NotPossible, NotYours
from practice.sessions.models import Mode, PracticeSession, SessionItem
from practice.sessions.player.reads.contrasts import next_variant, order_of
from practice.sessions.scoring.reads import keys_in_force


def answer_contrast(
    owner: Owner, session: PracticeSession, position: int, question_id: int, slots: Sequence[int], now: dt.datetime
) -> PracticeSession:
    """Record the answer to a variant in its own unlisted session; without ``slots``, it was declined.

    Its family has just been explained, so it says little about the learner: no first exposure, however new the
    question. Raises NotYours if no such variant can be shown, NotPossible if the choice doesn't fit.
    """
    with transaction.atomic():
        learner = lock_learner(owner, now)
        variant = next_variant(session, position, question_id)
        # Compared under the lock: an adoption may have moved the session since the page was loaded.
        if variant is None or learner.pk != session.learner_id:
            raise NotYours
        order = order_of(session, position, variant)
        if not set(slots) <= set(order_slots(order)):
            raise NotPossible("no-such-option")
        chosen = len(set(slots))
        if slots and chosen < variant.choose:
            raise NotPossible("too-few-options", chosen=chosen, missing=variant.choose - chosen)
        made = PracticeSession.objects.create(
            learner=learner, exam_id=session.exam_id, mode=Mode.CONTRAST, started_at=now, total=1
        )
        mask, key = mask_of(slots), keys_in_force([variant.pk])[variant.pk]
        SessionItem.objects.create(
            session=made, position=1, version=variant, option_order=order, selected=mask, first_selected=mask,
            displayed_at=now, answered_at=now if slots else None, checked_at=now, revealed=not slots,
            is_correct=key.mark(mask) if slots else None, granted=bool(slots) and key.everyone, first_exposure=False,
            variant_seen=True,
        )  # fmt: skip
        close(made, now)
    return made
