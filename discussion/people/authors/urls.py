from __future__ import annotations

from django.urls import path

from discussion.people.authors import views

urlpatterns = [
    path("moderation/author/<int:user_id>/", views.author, name="moderation-author"),
    path("moderation/author/<int:user_id>/note/", views.note, name="moderation-note"),
    path("moderation/author/<int:user_id>/decide/", views.decide_author, name="moderation-author-decide"),
]
