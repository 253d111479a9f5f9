"""URLs of practice, each from its own room."""

from __future__ import annotations

from practice.handover import urls as handover
from practice.notebook import urls as notebook
from practice.readiness import urls as readiness
from practice.sessions import urls as sessions
from practice.start import urls as start

urlpatterns = [
    *notebook.urlpatterns,
    *sessions.urlpatterns,
    *handover.urlpatterns,
    *readiness.urlpatterns,
    *start.urlpatterns,
]
