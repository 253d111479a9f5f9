"""An author's page for moderators."""

from __future__ import annotations

from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from discussion.comments.errors import DiscussionError
from discussion.comments.models.moderation import Reason, SavedReply
from discussion.moderation.acts.decide_many import decide_on_author
from discussion.moderation.forms import AuthorDecisionForm
from discussion.moderation.views.access import moderator, moderators_only, tell_refused, to_log
from discussion.people.authors.forms import NoteForm
from discussion.people.authors.reads import author_page, find_author


@require_safe
@moderators_only
def author(request: HttpRequest, user_id: int) -> HttpResponse:
    return show_author(request, user_id)


def show_author(
    request: HttpRequest, user_id: int, form: NoteForm | None = None, decision: AuthorDecisionForm | None = None
) -> HttpResponse:
    """The page, with any errors in a note or a decision."""
    person = find_author(user_id)
    if person is None:
        raise Http404
    page = author_page(person, moderator(request).pk, timezone.now(), request.GET.get("page", ""))
    context = {"page": page, "form": form or NoteForm(), "decision": decision, "place": "author"}
    context |= {"reasons": Reason.choices, "saved_replies": list(SavedReply.objects.all())}
    return render(request, "discussion/people/author.html", context, status=400 if form or decision else 200)


@require_POST
@moderators_only
def note(request: HttpRequest, user_id: int) -> HttpResponse:
    form = NoteForm(request.POST)
    if form.is_valid():
        try:
            form.save(user_id, moderator(request), timezone.now())
        except DiscussionError as error:
            form.add_error(None, ValidationError(str(error), error.code))
        else:
            return redirect(reverse("moderation-author", args=[user_id]) + "#notes")
    return show_author(request, user_id, form)


@require_POST
@moderators_only
def decide_author(request: HttpRequest, user_id: int) -> HttpResponse:
    """Decide on everything by one author. The log shows it, and can reverse it in one go."""
    form = AuthorDecisionForm(request.POST)
    if not form.is_valid():
        return show_author(request, user_id, decision=form)
    outcome = decide_on_author(user_id, form.cleaned_data["upto"], form.choice(), moderator(request), timezone.now())
    tell_refused(request, outcome.refused)
    if not outcome.entries:
        return redirect("moderation-author", user_id)
    return to_log(f"together={outcome.entries[0].pk}")
