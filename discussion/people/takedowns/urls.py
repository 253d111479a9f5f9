from __future__ import annotations

from django.urls import path

from discussion.people.takedowns import views

urlpatterns = [
    path("takedown/", views.new_takedown, name="takedown-new"),
    path("takedown/<uuid:token>/", views.takedown, name="takedown"),
    path("moderation/takedowns/", views.takedowns, name="moderation-takedowns"),
    path("moderation/takedowns/<int:takedown_id>/", views.answer, name="moderation-takedown"),
]
