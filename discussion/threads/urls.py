from __future__ import annotations

from django.urls import path

from discussion.threads.views import threads, writing

urlpatterns = [
    path("discussion/comment/<int:comment_id>/", threads.comment, name="comment"),
    path("discussion/comment/<int:comment_id>/reply/", writing.new_reply, name="comment-reply"),
    path("discussion/comment/<int:comment_id>/edit/", writing.edit_comment, name="comment-edit"),
    path("discussion/comment/<int:comment_id>/delete/", writing.delete_comment, name="comment-delete"),
    path("discussion/<int:question_id>/", threads.short_thread, name="thread-short"),
    path("discussion/<slug:exam_slug>/<int:question_id>/", threads.thread, name="thread"),
    path("discussion/<slug:exam_slug>/<int:question_id>/new/", writing.new_comment, name="comment-new"),
    path("discussion/<slug:exam_slug>/<int:question_id>/preview/", writing.preview, name="comment-preview"),
]
