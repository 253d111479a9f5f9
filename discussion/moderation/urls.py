from __future__ import annotations

from django.urls import path

from discussion.moderation.views import moderating, queue, replies

urlpatterns = [
    path("moderation/", queue.moderation, name="moderation"),
    path("moderation/claim/", queue.claim, name="moderation-claim"),
    path("moderation/decide/", queue.decide_comments, name="moderation-decide"),
    path("moderation/undo/", queue.undo, name="moderation-undo"),
    path("moderation/log/", moderating.log, name="moderation-log"),
    path("moderation/figures/", replies.figures_page, name="moderation-figures"),
    path("moderation/replies/", replies.replies, name="moderation-replies"),
    path("moderation/replies/<int:reply_id>/", replies.reply, name="moderation-reply"),
    path("moderation/replies/<int:reply_id>/drop/", replies.drop, name="moderation-reply-drop"),
    path("moderation/search/", moderating.search, name="moderation-search"),
    path("moderation/comment/<int:comment_id>/", moderating.comment_page, name="moderation-comment"),
    path("moderation/comment/<int:comment_id>/edit-out/", moderating.edit_out_comment, name="moderation-edit-out"),
    path("moderation/comment/<int:comment_id>/lock/", moderating.lock_comments_thread, name="moderation-lock"),
    path("moderation/comment/<int:comment_id>/slow/", moderating.slow_comments_thread, name="moderation-slow"),
    path("moderation/comment/<int:comment_id>/suspend/", moderating.suspend_author, name="moderation-suspend"),
]
