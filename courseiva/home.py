"""The home page."""

from django.http import HttpRequest, HttpResponse


def home(request: HttpRequest) -> HttpResponse:
    """Says that the site is here."""
    return HttpResponse("Courseiva\n", content_type="text/plain")
