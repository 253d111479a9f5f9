"""Who asks: a signed-in user, or a guest by a signed cookie that only a POST sets."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from practice.learners.models import Adoption, Learner

GUEST_DAYS = 180
GUEST_COOKIE = "courseiva-guest" if settings.DEBUG else "__Host-courseiva-guest"
EXAM_COOKIE = "courseiva-exam" if settings.DEBUG else "__Host-courseiva-exam"
EXAM_DAYS = 365
SALT = "practice.guest"
UNDER_WAY = dt.timedelta(seconds=30)
"""A request that a browser sent as a guest, before it heard that it is signed in, arrives within this time."""
DEVICE_COOKIE = "courseiva-device" if settings.DEBUG else "__Host-courseiva-device"


@dataclass(frozen=True)
class Owner:
    """The learner a request speaks for, as a filter on rows that have a learner."""

    user_id: int | None = None
    guest_key: str | None = None

    @property
    def of_learner(self) -> dict[str, Any]:
        """Conditions on ``Learner``."""
        return {"user_id": self.user_id} if self.user_id else {"guest_key": self.guest_key}

    @property
    def of_row(self) -> dict[str, Any]:
        """Conditions on a row with a foreign key ``learner``."""
        return {f"learner__{name}": value for name, value in self.of_learner.items()}


def heir_of(owner: Owner) -> Owner | None:
    """The account that has just adopted this guest. Reads the clock: what counts is how long a request may travel."""
    if owner.user_id:
        return None
    rows = Adoption.objects.filter(guest_key=owner.guest_key, at__gt=timezone.now() - UNDER_WAY)
    user_id = rows.values_list("learner__user_id", flat=True).first()
    return Owner(user_id=user_id) if user_id else None


def owners_in_turn(owner: Owner) -> Iterator[Owner]:
    """Whose row to look for: the owner's, then, looked up only if it is not found there, the adopting account's."""
    yield owner
    heir = heir_of(owner)
    if heir:
        yield heir


def key_of(token: str) -> str:
    """What the database keeps of a guest's token."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(24)


def guest_token(request: HttpRequest) -> str | None:
    """The guest token of the request's cookie; None without one, or where it was tampered with."""
    try:
        return request.get_signed_cookie(GUEST_COOKIE, salt=SALT, max_age=GUEST_DAYS * 86400)
    except (KeyError, signing.BadSignature):
        return None


def owner_of(request: HttpRequest) -> Owner | None:
    """Whoever asks; None for a visitor who has done nothing yet. Reads no row for a guest."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return Owner(user_id=request.user.pk)
    token = guest_token(request)
    return Owner(guest_key=key_of(token)) if token else None


def learner_of(request: HttpRequest) -> Learner | None:
    """The learner's row, if there is one."""
    owner = owner_of(request)
    return Learner.objects.filter(**owner.of_learner).first() if owner else None


def keep_guest(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Keep a guest who has just answered for another 180 days; a signed-in learner needs no cookie."""
    token = guest_token(request)
    if token and owner_of(request) == Owner(guest_key=key_of(token)):
        set_guest_cookie(response, token)
    return response


def set_guest_cookie(response: HttpResponse, token: str) -> None:
    """Keep the guest's token in this browser for 180 days from now."""
    response.set_signed_cookie(
        GUEST_COOKIE,
        token,
        salt=SALT,
        max_age=GUEST_DAYS * 86400,
        httponly=True,
        secure=not settings.DEBUG,
        samesite="Lax",
    )


def told_exam(request: HttpRequest) -> str:
    """The slug of the exam this browser was told; anything, for it is not signed."""
    return request.COOKIES.get(EXAM_COOKIE, "")


def set_exam_cookie(response: HttpResponse, slug: str) -> None:
    """Keep in this browser which exam its user prepares for. It says nothing about who that is."""
    max_age = EXAM_DAYS * 86400
    response.set_cookie(EXAM_COOKIE, slug, max_age, httponly=True, secure=not settings.DEBUG, samesite="Lax")


def drop_guest_cookie(response: HttpResponse) -> HttpResponse:
    """Take the guest's token, the exam, and the key of the pages kept on the device out of this browser."""
    response.delete_cookie(GUEST_COOKIE, samesite="Lax")
    response.delete_cookie(EXAM_COOKIE, samesite="Lax")
    response.delete_cookie(DEVICE_COOKIE, samesite="Lax")
    return response


def device_key(owner: Owner) -> str:
    """A mark that identifies the owner of a kept page, and the AES key that encrypts it: 16 and 64 hex digits."""
    digest = salted_hmac("practice.device", repr(owner), algorithm="sha512").hexdigest()
    return f"{digest[:16]}.{digest[64:]}"


def set_device_key(response: HttpResponse, owner: Owner) -> None:
    """Let this browser open the pages it keeps for this owner. The player's script and its worker read the cookie."""
    response.headers["Device-Key"] = device_key(owner)
    response.set_cookie(
        DEVICE_COOKIE,
        device_key(owner),
        max_age=settings.SESSION_COOKIE_AGE,
        httponly=False,
        secure=not settings.DEBUG,
        samesite="Lax",
    )


def drop_device_key_of_another(request: HttpRequest, response: HttpResponse) -> None:
    """Take the key away unless it is the one of whoever is signed in now (or of the guest, where nobody is)."""
    user, token = request.user, guest_token(request)
    if user.is_authenticated:
        owner = Owner(user_id=user.pk)
    else:
        owner = Owner(guest_key=key_of(token)) if token else Owner()
    if request.COOKIES[DEVICE_COOKIE] != device_key(owner):
        response.delete_cookie(DEVICE_COOKIE, samesite="Lax")
