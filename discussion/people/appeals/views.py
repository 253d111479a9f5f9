"""An author's appeal, and the moderators' page of appeals."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import ValidationError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from discussion.comments.errors import DiscussionError
from discussion.mail.reads import line_of
from discussion.moderation.views.access import moderator, moderators_only
from discussion.people.appeals.forms import AnswerForm, AppealForm
from discussion.people.appeals.reads import appeal_of, appeals_page, may_appeal, own_notice


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_appeal(request: HttpRequest, notice_id: int) -> HttpResponse:
    """The form and its submission; people who have already appealed find that in the inbox."""
    now, user_id = timezone.now(), request.user.pk or 0
    notice = own_notice(notice_id, user_id, now)
    if notice is None:
        raise Http404
    back = redirect(reverse("inbox") + f"#n{notice.pk}")
    if appeal_of(notice):
        return back
    form, status = AppealForm(request.POST or None), 200
    if request.method == "POST":
        status = 400
        if form.is_valid():
            try:
                form.save(notice.pk, user_id, now)
                return back
            except DiscussionError as error:
                form.add_error(None, ValidationError(str(error), error.code))
    context = {"line": line_of(notice), "form": form, "may_appeal": may_appeal(notice, now)}
    return render(request, "discussion/people/appeal.html", context, status=status)


@require_safe
@moderators_only
def appeals(request: HttpRequest) -> HttpResponse:
    return show_appeals(request)


def show_appeals(request: HttpRequest, form: AnswerForm | None = None, about: int = 0) -> HttpResponse:
    """All waiting appeals, with any errors in an answer."""
    page = appeals_page(moderator(request).pk)
    context = {"page": page, "form": form or AnswerForm(), "about": about, "place": "appeals"}
    return render(request, "discussion/people/appeals.html", context, status=400 if form else 200)


@require_POST
@moderators_only
def answer(request: HttpRequest, appeal_id: int) -> HttpResponse:
    """Reverse or uphold the decision."""
    form = AnswerForm(request.POST)
    if form.is_valid():
        try:
            form.save(appeal_id, moderator(request), timezone.now())
        except DiscussionError as error:
            form.add_error(None, ValidationError(str(error), error.code))
        else:
            messages.success(request, "Answered. The author will be told.", extra_tags="appeal-answered")
            return redirect("moderation-appeals")
    return show_appeals(request, form, appeal_id)
