from __future__ import annotations

from django.urls import path

from discussion.people.appeals import views

urlpatterns = [
    path("discussion/inbox/<int:notice_id>/appeal/", views.new_appeal, name="appeal"),
    path("moderation/appeals/", views.appeals, name="moderation-appeals"),
    path("moderation/appeals/<int:appeal_id>/", views.answer, name="moderation-appeal"),
]
