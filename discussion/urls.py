"""Addresses of discussion."""

from __future__ import annotations

from django.urls import path

from discussion.comments import views as exports
from discussion.moderation.views import moderating, queue
from discussion.reactions import views as acting
from discussion.threads.views import threads, writing

urlpatterns = [
    path("moderation/", queue.moderation, name="moderation"),
    path("moderation/claim/", queue.claim, name="moderation-claim"),
    path("moderation/decide/", queue.decide_comments, name="moderation-decide"),
    path("moderation/undo/", queue.undo, name="moderation-undo"),
    path("moderation/log/", moderating.log, name="moderation-log"),
    path("moderation/search/", moderating.search, name="moderation-search"),
    path("moderation/comment/<int:comment_id>/", moderating.comment_page, name="moderation-comment"),
    path("moderation/comment/<int:comment_id>/edit-out/", moderating.edit_out_comment, name="moderation-edit-out"),
    path("moderation/comment/<int:comment_id>/lock/", moderating.lock_comments_thread, name="moderation-lock"),
    path("moderation/comment/<int:comment_id>/suspend/", moderating.suspend_author, name="moderation-suspend"),
    path("discussion/comment/<int:comment_id>/", threads.comment, name="comment"),
    path("discussion/comment/<int:comment_id>/reply/", writing.new_reply, name="comment-reply"),
    path("discussion/comment/<int:comment_id>/edit/", writing.edit_comment, name="comment-edit"),
    path("discussion/comment/<int:comment_id>/delete/", writing.delete_comment, name="comment-delete"),
    path("discussion/comment/<int:comment_id>/helpful/", acting.helpful, name="comment-helpful"),
    path("discussion/comment/<int:comment_id>/report/", acting.report, name="comment-report"),
    path("discussion/comment/<int:comment_id>/follow/", acting.follow_comment, name="comment-follow"),
    path("discussion/export.json", exports.own_words, name="export-discussion"),
    path("discussion/unsubscribe/<uuid:token>/", acting.unsubscribe, name="unsubscribe"),
    path("discussion/<int:question_id>/", threads.short_thread, name="thread-short"),
    path("discussion/<slug:exam_slug>/<int:question_id>/", threads.thread, name="thread"),
    path("discussion/<slug:exam_slug>/<int:question_id>/new/", writing.new_comment, name="comment-new"),
    path("discussion/<slug:exam_slug>/<int:question_id>/preview/", writing.preview, name="comment-preview"),
]
