"""URLs of the public pages and error reports, each from its own room."""

from __future__ import annotations

from questions.pages import urls as pages
from questions.reports import urls as reports

urlpatterns = [
    *pages.urlpatterns,
    *reports.urlpatterns,
]
