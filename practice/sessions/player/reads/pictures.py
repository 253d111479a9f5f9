"""Whether a reader's own sessions show a picture."""

from __future__ import annotations

from django.db.models import Q
from django.http import HttpRequest

from practice.learners.reads.identity import owner_of, owners_in_turn
from practice.sessions.models import SessionItem
from questions.versions.material.pictures.models import PictureUse


def is_shown_to(request: HttpRequest, name: str) -> bool:
    """Whether the requester may see a picture: one in a prompt if a session of theirs has the question, one in a
    solution if they may read that.

    That is once an answer was checked or its session is finished, and never while the solution is withheld.
    """
    owner = owner_of(request)
    if owner is None:
        return False
    uses = PictureUse.objects.filter(picture__name=name)
    asked = Q(version__in=uses.filter(in_solution=False).values("version"))
    is_marked = Q(checked_at__isnull=False) | Q(session__finished_at__isnull=False)
    told = Q(version__in=uses.filter(in_solution=True).values("version"), withheld=False) & is_marked
    for each in owners_in_turn(owner):
        mine = {f"session__{key}": value for key, value in each.of_row.items()}
        if SessionItem.objects.filter(asked | told, session__discarded_at=None, **mine).exists():
            return True
    return False
