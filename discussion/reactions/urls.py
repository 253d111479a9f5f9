from __future__ import annotations

from django.urls import path

from discussion.reactions import views as acting

urlpatterns = [
    path("discussion/comment/<int:comment_id>/helpful/", acting.helpful, name="comment-helpful"),
    path("discussion/comment/<int:comment_id>/report/", acting.report, name="comment-report"),
    path("discussion/comment/<int:comment_id>/follow/", acting.follow_comment, name="comment-follow"),
    path("discussion/unsubscribe/<uuid:token>/", acting.unsubscribe, name="unsubscribe"),
]
