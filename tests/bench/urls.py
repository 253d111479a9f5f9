"""The site's addresses and a bare view, which passes the same middleware and does nothing."""

from django.http import HttpRequest, HttpResponse
from django.urls import include, path


def bare(request: HttpRequest) -> HttpResponse:
    """What Django itself costs on this server."""
    return HttpResponse("ok")


urlpatterns = [path("bare/", bare), path("", include("courseiva.urls"))]
