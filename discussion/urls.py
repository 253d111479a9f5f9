"""URLs of discussion, each from its own room."""

from __future__ import annotations

from discussion.comments import urls as comments
from discussion.moderation import urls as moderation
from discussion.people import urls as people
from discussion.reactions import urls as reactions
from discussion.threads import urls as threads

urlpatterns = [
    *moderation.urlpatterns,
    *people.urlpatterns,
    *threads.urlpatterns,
    *reactions.urlpatterns,
    *comments.urlpatterns,
]
