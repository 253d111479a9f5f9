"""At every sign-up and login, the work of this browser's guest moves to the account."""

from __future__ import annotations

from typing import Any

from allauth.account.signals import user_logged_in, user_logged_out
from django.contrib.auth.models import AbstractBaseUser
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone

from practice.handover.adopt import adopt
from practice.learners.enrol import end_adoptions
from practice.learners.reads.identity import Owner, guest_token, key_of, told_exam
from practice.notebook.plan import take_over_choice


@receiver(user_logged_in)
def adopt_guest(request: HttpRequest, user: AbstractBaseUser, **kwargs: Any) -> None:
    """Adopt the work of the guest whose cookie came with the login, and the exam chosen in this browser."""
    token, slug, now = guest_token(request), told_exam(request), timezone.now()
    if token:
        adopt(Owner(guest_key=key_of(token)), Owner(user_id=user.pk), now)
    if slug:
        take_over_choice(Owner(user_id=user.pk), slug, now)


@receiver(user_logged_out)
def part_from_guest(request: HttpRequest, user: AbstractBaseUser | None, **kwargs: Any) -> None:
    """Stop moving this guest's work to the account: later work in this browser belongs to a guest again."""
    if user is not None:
        end_adoptions(user.pk)
