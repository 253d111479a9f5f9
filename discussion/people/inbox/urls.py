from __future__ import annotations

from django.urls import path

from discussion.people.inbox import views

urlpatterns = [
    path("discussion/inbox/", views.inbox, name="inbox"),
    path("discussion/inbox/read/", views.read, name="inbox-read"),
]
