"""The site's addresses when a provider is set."""

from django.urls import include, path

from courseiva.urls import handler400, handler403, handler404, handler500
from courseiva.urls import urlpatterns as those_of_every_site

urlpatterns = [*those_of_every_site, path("", include("courseiva.accounts.sso.urls"))]
__all__ = ["handler400", "handler403", "handler404", "handler500", "urlpatterns"]
