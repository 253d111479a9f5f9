"""Who is asking: a signed-in user, or a guest with a signed cookie that only a POST sets."""

from __future__ import annotations

import datetime as dt
import hashlib
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core import signing
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac

from courseiva.common.quick.statements import composed_once
from practice.learners.models import Adoption, Learner

GUEST_DAYS = 180
"""Half a year, longer than an exam is usually prepared for. The purge goes by the same number: a cookie that outlived
its row would find nothing, and a row that outlived its cookie would be kept for nobody."""
GUEST_COOKIE = "courseiva-guest" if settings.DEBUG else "__Host-courseiva-guest"
EXAM_COOKIE = "courseiva-exam" if settings.DEBUG else "__Host-courseiva-exam"
EXAM_DAYS = 365
"""This cookie holds a choice and says nothing about who made it, so it may outlive the guest's. Browsers limit a cookie
to little over a year."""
SALT = "practice.guest"
UNDER_WAY = dt.timedelta(seconds=30)
"""Requests that a browser sent as a guest before it knew it was signed in arrive within this time."""
DEVICE_COOKIE = "courseiva-device" if settings.DEBUG else "__Host-courseiva-device"


@dataclass(frozen=True)
class Owner:
    """The learner behind a request, as a filter on rows that have a learner."""

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
    """The account that has just adopted this guest.

    Reads the clock: what matters is how long a request can take to arrive.
    """
    if owner.user_id:
        return None
    rows = Adoption.objects.filter(guest_key=owner.guest_key, at__gt=timezone.now() - UNDER_WAY)
    user_id = rows.values_list("learner__user_id", flat=True).first()
    return Owner(user_id=user_id) if user_id else None


def owners_in_turn(owner: Owner) -> Iterator[Owner]:
    """The owners to try in turn: this one, then the adopting account, looked up only if needed."""
    yield owner
    heir = heir_of(owner)
    if heir:
        yield heir


def key_of(token: str) -> str:
    """The hash of a guest's token that the database stores."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_token() -> str:
    return secrets.token_urlsafe(24)


def guest_token(request: HttpRequest) -> str | None:
    """The guest token from the request's cookie; None if it is missing or was tampered with."""
    try:
        return request.get_signed_cookie(GUEST_COOKIE, salt=SALT, max_age=GUEST_DAYS * 86400)
    except (KeyError, signing.BadSignature):
        return None


def owner_of(request: HttpRequest) -> Owner | None:
    """Who is asking; None for a visitor who has done nothing yet. No query for a guest."""
    if settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated:
        return Owner(user_id=request.user.pk)
    token = guest_token(request)
    return Owner(guest_key=key_of(token)) if token else None


def learner_of(request: HttpRequest) -> Learner | None:
    """The learner's row, if there is one."""
    owner = owner_of(request)
    return next(iter(_learners(owner.user_id, owner.guest_key)), None) if owner else None


@composed_once
def _learners(user_id: int | None, guest_key: str | None) -> QuerySet[Learner]:
    return Learner.objects.filter(**Owner(user_id, guest_key).of_learner).order_by()


def keep_guest(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Renew the cookie of a guest who has just answered for 180 days; a signed-in learner doesn't need one."""
    token = guest_token(request)
    if token and owner_of(request) == Owner(guest_key=key_of(token)):
        set_guest_cookie(response, token)
    return response


def set_guest_cookie(response: HttpResponse, token: str) -> None:
    """Store the guest's token in this browser for 180 days."""
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
    """The exam slug in this browser's cookie; it can be anything, because it isn't signed."""
    return request.COOKIES.get(EXAM_COOKIE, "")


def set_exam_cookie(response: HttpResponse, slug: str) -> None:
    """Store in this browser which exam its user is preparing for. It doesn't identify them."""
    max_age = EXAM_DAYS * 86400
    response.set_cookie(EXAM_COOKIE, slug, max_age, httponly=True, secure=not settings.DEBUG, samesite="Lax")


def drop_guest_cookie(response: HttpResponse) -> HttpResponse:
    """Remove the guest's token, the exam, and the key to pages kept on the device from this browser."""
    response.delete_cookie(GUEST_COOKIE, samesite="Lax")
    response.delete_cookie(EXAM_COOKIE, samesite="Lax")
    response.delete_cookie(DEVICE_COOKIE, samesite="Lax")
    return response


def device_key(owner: Owner) -> str:
    """An id for the owner of a kept page, and the AES key that encrypts it: 16 and 64 hex digits."""
    digest = salted_hmac("practice.device", repr(owner), algorithm="sha512").hexdigest()
    return f"{digest[:16]}.{digest[64:]}"


def set_device_key(response: HttpResponse, owner: Owner) -> None:
    """Let this browser open the pages it keeps for this owner. The player and the service worker read the cookie."""
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
    """Remove the key unless it belongs to the user signed in now (or the guest, if nobody is)."""
    user, token = request.user, guest_token(request)
    if user.is_authenticated:
        owner = Owner(user_id=user.pk)
    else:
        owner = Owner(guest_key=key_of(token)) if token else Owner()
    if request.COOKIES[DEVICE_COOKIE] != device_key(owner):
        response.delete_cookie(DEVICE_COOKIE, samesite="Lax")
