"""Whose session it is, and the response to everybody else."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone

from practice.learners.reads.identity import Owner, owner_of
from practice.sessions.ending.finish import close_if_expired
from practice.sessions.errors import NotYours
from practice.sessions.player.reads.page import is_a_users, session_of


def owner_or_404(request: HttpRequest) -> Owner:
    """The requester; a visitor without any session gets the same response as for a wrong address."""
    owner = owner_of(request)
    if owner is None:
        raise Http404
    return owner


def login_ended(request: HttpRequest, session_uuid: uuid.UUID) -> bool:
    """Whether a signed-in learner's session is requested by nobody: the login ended. Anybody else gets a 404."""
    return not request.user.is_authenticated and is_a_users(session_uuid)


def with_session(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Give the view the requester's session, closing it first if its time is up (the only write a GET may do).

    If the login has ended, the requester is sent to sign in and comes back; anybody else's session doesn't exist.
    """

    @wraps(view)
    def found(request: HttpRequest, session_uuid: uuid.UUID, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            session = session_of(session_uuid, owner_of(request))
        except NotYours as error:
            if login_ended(request, session_uuid):
                return redirect_to_login(request.get_full_path())
            raise Http404 from error
        return view(request, close_if_expired(session, timezone.now()), *args, **kwargs)

    return found
