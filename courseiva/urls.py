"""Every address of the site, by app."""

from allauth.account.decorators import secure_admin_login
from django.conf import settings
from django.contrib import admin
from django.urls import include, path

from courseiva import health, home, search, styleguide
from courseiva.accounts import views as accounts

admin.autodiscover()
admin.site.login = secure_admin_login(admin.site.login)  # type: ignore[method-assign]
admin.site.site_header = admin.site.site_title = "Courseiva"

urlpatterns = [
    path("", home.home, name="home"),
    path("healthz", health.healthz, name="healthz"),
    path("readyz", health.readyz, name="readyz"),
    path("search/", search.search, name="search"),
    path("accounts/", accounts.account_home, name="account_home"),
    path("accounts/delete/", accounts.account_delete, name="account_delete"),
    path("accounts/delete/confirm/", accounts.account_delete_confirm, name="account_delete_confirm"),
    path("accounts/deleted/", accounts.account_deleted, name="account_deleted"),
    path("accounts/", include("allauth.urls")),
    path("admin/", admin.site.urls),
    path("", include("questions.urls")),
    path("", include("practice.urls")),
    path("", include("discussion.urls")),
]
if settings.DEBUG:
    urlpatterns += styleguide.urlpatterns
