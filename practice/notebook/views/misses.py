"""Why an answer was missed, according to the learner, set on the marked question."""

from __future__ import annotations

from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST

from practice.learners.views.guards import own_origin_or_token
from practice.notebook.forms import MissForm
from practice.notebook.keep import set_miss_class
from practice.notebook.reads.items import item_page
from practice.notebook.views.ways import way_back
from practice.sessions.errors import NotPossible, NotYours
from practice.sessions.models import PracticeSession
from practice.sessions.player.views.access import owner_or_404, with_session


@own_origin_or_token
@never_cache
@require_POST
@with_session
def miss(request: HttpRequest, session: PracticeSession, position: int) -> HttpResponse:
    """Store the reason; return the line for a page with JavaScript, or go back to it on the question's page."""
    form = MissForm(request.POST)
    if not form.is_valid():
        raise BadRequest("no such reason")
    value, show = form.cleaned_data["miss"], request.POST.get("show", "")
    try:
        set_miss_class(owner_or_404(request), session.uuid, position, value)
    except NotYours as error:
        raise Http404 from error
    except NotPossible as error:
        raise BadRequest(str(error)) from error
    said = "miss" if value else "no-miss"
    if request.headers.get("HX-Request"):
        page = item_page(session, position, show, timezone.now())
        return render(request, "practice/_miss.html", {"chain": page and page.chain, "session": session, "said": said})
    return redirect(way_back(session, position, show, said, "miss"))
