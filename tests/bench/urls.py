"""The site's addresses, and bare views that pass the same middleware and do nothing, or only store an answer."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path

from tests.bench.saving import bare_save


def bare(request: HttpRequest) -> HttpResponse:
    """Do nothing, which shows what Django itself costs on this server."""
    return HttpResponse("ok")


urlpatterns = [
    path("bare/", bare),
    path("bare-save/<uuid:session_uuid>/", bare_save),
    path("", include("courseiva.urls")),
]
