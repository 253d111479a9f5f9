"""Download of the signed-in user's own part of the discussion."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from discussion.comments.reads import own_discussion


@never_cache
@require_safe
@login_required
def own_words(request: HttpRequest) -> JsonResponse:
    """All of the user's own comments, votes and reports."""
    named = {"Content-Disposition": 'attachment; filename="courseiva-discussion.json"'}
    pretty = {"indent": 2, "ensure_ascii": False}
    return JsonResponse(own_discussion(request.user.pk), json_dumps_params=pretty, headers=named)
